#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles each case with options of other cases, some of the rows below in turn: the module is valid, or the error has a source
# location, names options that cannot be combined, or an old version of the reflection.
# Usage: options.sh PUMICE-CC FOLDER
tool=$1 folder=$2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
valid=0 refused=0 failed=0 turn=0

cat >"$scratch/rows" <<END
vulkan1.0 -pod-ubo -constant-args-ubo -module-constants-in-storage-buffer
vulkan1.1 -pod-pushconstant -global-offset-push-constant -max-pushconstant-size=256 -constant-args-ubo
vulkan1.2 -cluster-pod-kernel-args=0 -physical-storage-buffers -arch=spirv64
vulkan1.3 -arch=spirv64 -global-offset -enable-printf
vulkan1.0 -arch=spirv64 -cl-arm-non-uniform-work-group-size -global-offset-push-constant
vulkan1.1 -int8=0 -fp16=0 -no-8bit-storage=ssbo,ubo,pushconstant -no-16bit-storage=ssbo,ubo,pushconstant
vulkan1.2 -hack-clamp-width -hack-mul-extended -hack-undef -hack-scf -O0
vulkan1.0 --target=mali_bifrost -constant-args-ubo -g
vulkan1.1 --target=h200 -g -cl-fast-relaxed-math
vulkan1.2 --target=radv_gcn -distinct-kernel-descriptor-sets -samplermap=$folder/samplers.map
vulkan1.1spv1.4 -fp64=0 -images=0 -work-dim=0
vulkan1.3 -physical-storage-buffers -arch=spirv64 -pod-ubo -enable-printf
END
rows=$(wc -l <"$scratch/rows")

is_refused() { # status
    case $1 in
    1) grep -qE ':[0-9]+:[0-9]+: error: |^error: .*-reflection=' "$scratch/log" && ! grep -q internal "$scratch/log" ;;
    2) grep -q 'cannot be combined' "$scratch/log" ;;
    *) false ;;
    esac
}

for file in "$folder"/*.cl; do
    grep -q '^// error:' "$file" && continue
    own=$(sed -n 's#^// options: ##p' "$file" | sed "s/-spv-version=[0-9.]*//;s#@/#$folder/#")
    for step in 1 2 3 4; do
        turn=$((turn % rows + 1))
        row=$(sed -n "${turn}p" "$scratch/rows")
        env=${row%% *}
        "$tool" --vulkan --target-env=$env $own ${row#* } -o "$scratch/m.spv" "$file" >"$scratch/log" 2>&1
        status=$?
        if [ $status != 0 ] && is_refused $status; then
            refused=$((refused + 1))
        elif [ $status = 0 ] && { spirv-val --target-env $env "$scratch/m.spv" >"$scratch/log" 2>&1 || grep -q 'Unknown NonSemantic' "$scratch/log"; }; then
            valid=$((valid + 1))
        else
            failed=$((failed + 1)) && echo "$file $own $row: $status $(cat "$scratch/log")"
        fi
    done
done
echo "$valid valid, $refused refused, $failed failed"
[ $failed = 0 ] && [ $valid -gt 150 ]
