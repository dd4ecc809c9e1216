#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All tests of the language, the API and the library on simulated devices, and spirv-val on every
# module that these were given: tests/devices/all.sh BUILD [NAME...] (default: all devices). One
# line each, after the output of failed tests. SECONDS_MOST limits each program. Exits with 1 if
# something failed; a refused device is not a failure, its line has the reason. SPIRV_VAL names
# another spirv-val.
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) || exit 2
shift
seconds=${SECONDS_MOST:-600}
[ $# -gt 0 ] || set -- $(cd "$here" && ls *.txt | grep -v '^CMakeLists' | sed 's/\.txt$//')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0

# Errors of this machine's spirv-val for features that it is too old to know.
too_new='Invalid (capability|execution mode) operand: |Unknown extension|Invalid Opcode name'

on() { # name, program...
    BUILD=$build DEVICES_MODULES=$scratch/modules timeout "$seconds" "$here/on.sh" "$@"
}

# Counts programs that pass, fail or are skipped, for "$kind".
tally() { # name, program...
    on "$@" >"$scratch/log" 2>&1
    code=$?
    case $code in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *)
        failed=$((failed + 1))
        name=$1
        shift
        echo "  $name: $(basename "$1") ends with $code: $(grep -aE '^devices:|FAIL|:[0-9]+: ' "$scratch/log" | head -3 | tr '\n' ';')"
        ;;
    esac
}

# spirv-val treats a pointer to 8-bit or 16-bit integers as a use of such integers where only
# storage is supported. So modules are validated again as if the device could compute with them, and
# values stored there must have been loaded or converted.
pointers='8- or 16-bit types can only be used with width-only conversions  *%[0-9]* = OpBitcast %_ptr_'

valid_but_for_pointers() { # environment, module
    tr '\n' ' ' <"$scratch/log" | grep -qE "$pointers" || return 1
    spirv-dis --no-color "$2" >"$scratch/dis" 2>/dev/null
    missing=
    grep -q 'OpCapability Int8' "$scratch/dis" || missing=uchar
    grep -q 'OpCapability Int16' "$scratch/dis" || missing="$missing${missing:+|}ushort"
    grep -E "= Op[A-Za-z]+ %(v[234])?($missing)( |\$)" "$scratch/dis" | grep -qvE '= Op(Load|UConvert|SConvert|Type[A-Za-z]+) ' && return 1
    sed 's/OpCapability Shader$/&\nOpCapability Int8\nOpCapability Int16/' "$scratch/dis" >"$scratch/wider" &&
        spirv-as --target-env "$1" -o "$scratch/wider.spv" "$scratch/wider" &&
        "${SPIRV_VAL:-spirv-val}" --target-env "$1" --scalar-block-layout "$scratch/wider.spv" >"$scratch/log" 2>&1
}

validate() { # name
    minor=$(sed -n 's/^api *1\.\([0-9]*\).*/\1/p' "$here/$1.txt")
    [ "$minor" -le 3 ] || minor=3
    valid=0 wrong=0 unknown=0
    for module in "$scratch"/modules/*.spv; do
        [ -e "$module" ] || continue
        if "${SPIRV_VAL:-spirv-val}" --target-env "vulkan1.$minor" --scalar-block-layout "$module" >"$scratch/log" 2>&1; then
            valid=$((valid + 1))
        elif grep -qE "$too_new" "$scratch/log"; then
            unknown=$((unknown + 1))
        elif valid_but_for_pointers "vulkan1.$minor" "$module"; then
            valid=$((valid + 1))
        else
            wrong=$((wrong + 1))
            echo "  $1: $(basename "$module"): $(head -1 "$scratch/log")"
        fi
    done
}

for name; do
    rm -rf "$scratch/modules"
    mkdir "$scratch/modules"
    on "$name" env PUMICE_DEBUG=vulkan "$build/tests/exec/exec_run" "$here/../exec/6.1.1_bool.cl" >"$scratch/log" 2>&1
    if [ $? = 77 ]; then
        echo "$name: refused: $(sed -n 's/^pumice: vulkan: .*: no /no /p; s/.*is not used: \(.*\) (PUMICE.*/\1/p' "$scratch/log" | head -1)"
        continue
    fi
    on "$name" "$build/tests/exec/exec_run" "$here"/../exec/*.cl >"$scratch/exec" 2>&1
    language=$(grep -aE '^[0-9]+ passed' "$scratch/exec" || echo "ended before the last: $(grep -a '^devices:' "$scratch/exec" | head -1)")
    grep -aE '^FAIL' "$scratch/exec" | sed "s/^/  $name: /"
    case $language in *" 0 failed"*) ;; *) bad=1 ;; esac
    passed=0 failed=0 skipped=0
    for program in "$build"/tests/api/api_*; do
        case $(basename "$program") in
        api_absent | api_as_gpu | *.*) ;;
        *) [ -x "$program" ] && [ -f "$program" ] && tally "$name" "$program" ;;
        esac
    done
    api="$passed passed, $failed failed, $skipped skipped"
    bad=$((bad + failed))
    passed=0 failed=0 skipped=0
    tally "$name" "$build/tests/lib/lib_exact"
    tally "$name" "$build/tests/lib/lib_ulp"
    bad=$((bad + failed))
    library="$passed passed, $failed failed"
    validate "$name"
    bad=$((bad + wrong))
    echo "$name: language $language; API $api; library $library; modules: $valid valid, $wrong not, $unknown unknown"
done
[ "$bad" = 0 ]
