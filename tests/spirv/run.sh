#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writer tests: run.sh PUMICE-CC FOLDER|FILE...
#
# Each NAME.ir, or NAME.cl with one kernel and `//` for `;`, is written as SPIR-V, must pass spirv-val, and its
# disassembly is checked (fixed strings):
#   ; expect: OpLoopMerge      a line contains this
#   ; never: OpSRem            no line contains this
#   ; pass: lower_arith        run this pass first (repeatable)
#   ; options: -cl-std=CL2.0   for the compiler; @/ is the folder of the test
#   ; target: h200             default full
#   ; error: text              writing fails with this in the message instead
#   ; env: vulkan1.0           the environment of spirv-val; default vulkan1.3
#   ; map: kernel_decl,k       a line of the descriptor map: all of them, in order
tool=$1
shift
case $tool in /*) ;; *) tool=$PWD/$tool ;; esac
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
too_new='Invalid capability operand: (6022|5116)$|Unknown NonSemantic.ClspvReflection import version' # cooperative matrices, bfloat16: to the tools of Debian 12, and 13

words() { sed -n "s#^\(;\|//\) $1: ##p" "$2"; }

complaint() {
    flags=$(words pass "$1" | sed 's/^/--pass=/')
    target=$(words target "$1")
    options=$(words options "$1" | sed "s#@/#$(dirname "$1")/#")
    words map "$1" >"$scratch/wanted_map"
    [ -s "$scratch/wanted_map" ] && options="$options -descriptormap=$scratch/map"
    (ulimit -t 20 && "$tool" --verify $flags $options --target="${target:-full}" -o "$scratch/m.spv" "$1") 2>"$scratch/log" >/dev/null
    status=$?
    expected=$(words error "$1")
    if [ -n "$expected" ]; then
        [ $status = 1 ] && grep -qF -- "$expected" "$scratch/log" || echo "must fail with: $expected"
        return
    fi
    [ $status = 0 ] || { echo "is not written"; cat "$scratch/log"; return; }
    version=vulkan1.3
    [ "$target" = vulkan11 ] && version=vulkan1.1
    env=$(words env "$1")
    [ -s "$scratch/wanted_map" ] && { diff "$scratch/wanted_map" "$scratch/map" || return; }
    spirv-val --target-env ${env:-$version} "$scratch/m.spv" >"$scratch/log" 2>&1 || {
        grep -qE "$too_new" "$scratch/log" && { return; }
        echo "is invalid"; cat "$scratch/log"
    }
    spirv-dis --no-color "$scratch/m.spv" >"$scratch/dis" 2>&1
    words expect "$1" | while IFS= read -r line; do
        grep -qF -- "$line" "$scratch/dis" || echo "lacks $line"
    done
    words never "$1" | while IFS= read -r line; do
        grep -qF -- "$line" "$scratch/dis" && echo "has $line"
    done
}

for where in "$@"; do
    if [ -d "$where" ]; then set -- "$where"/*.ir "$where"/*.cl; else set -- "$where"; fi
    for file in "$@"; do
        [ -e "$file" ] || continue
        complaint "$file" >"$scratch/complaint"
        if [ -s "$scratch/complaint" ]; then
            failed=$((failed + 1))
            echo "FAIL $file: $(cat "$scratch/complaint")"
        else
            passed=$((passed + 1))
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
