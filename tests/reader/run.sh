#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Golden tests of the reader of OpenCL SPIR-V: run.sh [--update] PUMICE-CC FOLDER|FILE...
#
# Each NAME.spvasm is assembled (`; env: spv1.4` selects the version; default 1.2) and read: the IR must equal NAME.expected;
# the IR and the modules compiled from it must be valid. If NAME.err exists, the module must be refused with that message.
# `; options: ...` are the compiler's; `; order: big` swaps the bytes of each word. spirv-val must accept the module, except with `; invalid: reason`.
update=
[ "$1" = --update ] && { update=1; shift; }
[ $# -ge 2 ] || { sed -n '3,7p' "$0" >&2; exit 2; }
tool=$1
shift
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
half_known='Invalid OpTypeFloat instruction' # small floats, to the assembler of Debian 13, which takes no words for it either
. "$(dirname "$0")/../golden.sh"

words() { sed -n "s#^; $1: *##p" "$2"; }

run() {
    (ulimit -t 20 && "$tool" --target=lavapipe $options "$@" "$scratch/m.spv") >"$scratch/out" 2>"$scratch/err" </dev/null
}

complaint() {
    base=${1%.spvasm} options=$(words options "$1") env=$(words env "$1")
    spirv-as --preserve-numeric-ids --target-env "${env:-spv1.2}" -o "$scratch/m.spv" "$1" >"$scratch/log" 2>&1 || {
        grep -qE "SPV_KHR_bfloat16|SPV_EXT_float8" "$1" && grep -qF "$half_known" "$scratch/log" || cat "$scratch/log"
        return
    }
    if [ "$(words order "$1")" = big ]; then
        objcopy -I binary -O binary --reverse-bytes=4 "$scratch/m.spv" 2>&1 || return
    fi
    if [ -z "$(words invalid "$1")" ]; then
        spirv-val --target-env "${env:-spv1.2}" "$scratch/m.spv" 2>&1 || return
    fi
    run --dump=ir --all -o "$scratch/k."
    golden $?
    for module in "$scratch"/k.*.spv; do
        [ ! -e "$module" ] || spirv-val --target-env vulkan1.3 "$module" 2>&1
    done
    rm -f "$scratch"/k.*
}

for where in "$@"; do
    if [ -d "$where" ]; then set -- "$where"/*.spvasm; else set -- "$where"; fi
    for file in "$@"; do
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
