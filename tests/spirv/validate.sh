#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every module of every kernel in the given sources passes spirv-val, for each kind of device, and those for the smallest
# devices require no capability that these lack.
# Usage: validate.sh PUMICE-CC FILE.cl...
tool=$1
shift
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
too_new='Invalid capability operand: (6022|5116)$' # cooperative matrices, bfloat16: to the tools of Debian 12, and 13

fail() {
    printf '%s (%s): %s\n' "$1" "$2" "$3"
    failed=$((failed + 1))
}

for file in "$@"; do
    grep -q '^// build: error\|^// todo:' "$file" && continue
    options=$(sed -n 's|^// options: ||p' "$file")
    for target in lavapipe lavapipe32 logical bindings offsets vulkan11 h200 full minimal small; do
        rm -f "$scratch"/*
        version=vulkan1.3 only=
        case $target in vulkan11 | small) version=vulkan1.1 ;; esac
        [ $target = small ] || ! grep -q '^// needs: 32_bit_addresses' "$file" || continue
        case $target in minimal | small) only='Shader$\|PhysicalStorageBufferAddresses$' ;; esac
        # shellcheck disable=SC2086
        if ! "$tool" --all --target=$target -o "$scratch/" $options "$file" 2>"$scratch/log"; then
            grep -qE 'error: .*which the device (does not support|lacks)' "$scratch/log" && continue
            case $target in minimal | small) grep -q 'internal\|after pass\|not available' "$scratch/log" || continue ;; esac
            fail "$file" $target "$(head -n 1 "$scratch/log")"
            continue
        fi
        for module in "$scratch"/*.spv; do
            [ "$only" ] && spirv-dis --no-color "$module" 2>/dev/null | grep OpCapability | grep -qv "$only" &&
                fail "$file" $target "capabilities"
            [ $target = logical ] && spirv-dis --no-color "$module" 2>/dev/null | grep -q PhysicalStorageBuffer &&
                fail "$file" $target "device addresses"
            if spirv-val --target-env $version "$module" >"$scratch/log" 2>&1 || grep -qE "$too_new" "$scratch/log"; then
                passed=$((passed + 1))
            else
                fail "$file" $target "$(head -n 1 "$scratch/log")"
            fi
        done
    done
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
