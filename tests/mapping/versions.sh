#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each case is valid for each version of Vulkan that it is compiled for, or the error has a source location.
# Usage: versions.sh PUMICE-CC FOLDER
tool=$1 folder=$2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
valid=0 refused=0 failed=0
for file in "$folder"/*.cl; do
    grep -q '^// error:' "$file" && continue
    options=$(sed -n 's#^// options: ##p' "$file" | sed "s/-spv-version=[0-9.]*//;s#@/#$folder/#")
    for env in vulkan1.0 vulkan1.1 vulkan1.1spv1.4 vulkan1.2 vulkan1.3; do
        if ! "$tool" --vulkan --verify $options --target-env=$env -o "$scratch/m.spv" "$file" 2>"$scratch/log"; then
            refused=$((refused + 1))
            grep -q ':[0-9]*:[0-9]*: error: ' "$scratch/log" || { failed=$((failed + 1)) && echo "$file $env: $(cat "$scratch/log")"; }
        elif spirv-val --target-env $env "$scratch/m.spv" >"$scratch/log" 2>&1 || grep -q 'Unknown NonSemantic' "$scratch/log"; then
            valid=$((valid + 1)) # or of a reflection that is newer than the validator
        else
            failed=$((failed + 1)) && echo "$file $env: $(cat "$scratch/log")"
        fi
    done
done
echo "$valid valid, $refused refused, $failed failed"
[ $failed = 0 ] && [ $valid -gt 80 ]
