#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pumice-info lists the device and its features; --check passes, and a kernel with wrong results is
# detected and saved; without the Vulkan loader it says what to install.
# Usage: pumice_info.sh PUMICE-INFO PUMICE-CC [LIBRARY-THAT-HIDES-VULKAN [SECOND-DRIVER]]
info=$1 cc=$2 hide=${3-} second=${4-}
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
checks=0 failed=0

expect() { # what, condition...
    what=$1
    shift
    checks=$((checks + 1))
    "$@" || { echo "$what" && failed=$((failed + 1)); }
}

"$info" --all >"$scratch/list" || { grep -q 'no device is offered' "$scratch/list" && exit 77; }
for line in '^0: ' '^  Vulkan 1\.' '^  needed:' '^    yes Vulkan 1.1' '^    maxPushConstantsSize' '<- buffers' '^    yes cl_khr_icd' \
    '^  shared virtual memory (measured):'; do
    expect "the list has no $line" grep -q "$line" "$scratch/list"
done
"$info" >"$scratch/short"
expect "the short list is not short: $(cat "$scratch/short")" test "$(wc -l <"$scratch/short")" -lt 24
expect "the short list does not say what is missing" grep -q '^  missing, and what that disables:' "$scratch/short"
PUMICE_IL=0 "$info" >"$scratch/without"
expect "it is not OpenCL 3.0" grep -q '^  OpenCL 3.0, ' "$scratch/without"
expect "it does not say why" grep -q '^  not OpenCL 3.1: no ' "$scratch/without"
"$info" --device=999 >"$scratch/none"
expect "there is a device 999" test ! -s "$scratch/none"
if [ -n "$hide" ]; then
    LD_PRELOAD=$hide "$info" >"$scratch/none" 2>&1
    expect "there is a device without Vulkan" test $? = 1
    expect "it does not say what to install: $(cat "$scratch/none")" grep -q '^note: no Vulkan loader: .*: install ' "$scratch/none"
fi
"$info" --wrong >/dev/null 2>&1
expect "an unknown option is accepted" test $? = 2
"$info" --device >/dev/null 2>&1
expect "an option without its value is accepted" test $? = 2
"$info" --all=1 >/dev/null 2>&1
expect "a value is accepted where there is none" test $? = 2
expect "--version is not a version" sh -c '"$1" --version | grep -qE "^pumice-info [0-9]+\.[0-9]+\.[0-9]+$"' - "$info"

# JSON has the keys that the page names, once each, and says what --all says.
if command -v python3 >/dev/null; then
    "$info" --json >"$scratch/json"
    expect "--json fails" test $? = 0
    expect "JSON differs" python3 "$here/pumice_info.py" "$scratch/json" "$scratch/list" "$here/../../doc/pumice-info.1"
fi

# Colours: on a terminal, unless NO_COLOR is set.
expect "colours in a file" sh -c '! grep -q "\033" "$1"' - "$scratch/list"
if command -v script >/dev/null; then
    escape=$(printf '\033')
    script -qec "$info" /dev/null </dev/null >"$scratch/colours" 2>&1
    expect "no colours on a terminal" grep -q "$escape\[1m" "$scratch/colours"
    NO_COLOR=1 script -qec "$info" /dev/null </dev/null >"$scratch/colours" 2>&1
    expect "colours in spite of NO_COLOR" sh -c '! grep -q "$1" "$2"' - "$escape" "$scratch/colours"
fi

# Measurements end in time.
"$info" --bench >"$scratch/bench"
expect "--bench fails" test $? = 0
for line in 'host to device .* GB/s' 'device to host .* GB/s' 'empty kernel: launch and wait .* us' 'float multiply-add .* GFLOPS' 'the driver reports: [0-9]'; do
    expect "--bench has no $line: $(cat "$scratch/bench")" grep -q "^  $line" "$scratch/bench"
done

# One sentence for each obstacle, and what to do.
note() { # what, expression, variable=value...
    pattern=$1
    shift
    env "$@" "$info" >"$scratch/notes" 2>&1
    expect "$*: no note '$pattern': $(cat "$scratch/notes")" grep -q "^note: $pattern" "$scratch/notes"
}
mkdir "$scratch/vendors"
note 'VK_DRIVER_FILES names /none.json, which does not exist' VK_DRIVER_FILES=/none.json
gpu=$(grep -cE '^[0-9]*: .* GPU, vendor' "$scratch/list")
if [ "$gpu" = 0 ]; then
    note 'a flatpak does not see' FLATPAK_ID=some.program
    note 'a snap does not see .*snap connections some' SNAP=/snap/some/1 SNAP_NAME=some
fi
layers=${info%/*}/tests/devices/layers
if [ "$gpu" = 0 ] && [ -d "$layers" ]; then
    note 'Old cannot be used: its driver is older than Vulkan 1.1; install a newer' DEVICES_DESCRIPTION="$here/../devices/layer/old.txt" \
        VK_LAYER_PATH="$layers" VK_INSTANCE_LAYERS=VK_LAYER_PUMICE_devices NODEVICE_SELECT=1
fi
# Two drivers of one GPU, and one driver that two manifest files name: with the software driver's.
manifest=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
if [ "$gpu" = 0 ] && [ -n "$manifest" ] && [ -n "$second" ]; then
    library=$(sed -n 's/.*"library_path": *"\([^"]*\)".*/\1/p' "$manifest")
    sed "s#\"library_path\": *\"[^\"]*\"#\"library_path\": \"$second\"#" "$manifest" >"$scratch/second.json"
    note 'devices 0 and 1 are one GPU with two Vulkan drivers (\(llvmpipe, second\|second, llvmpipe\)): PUMICE_DEVICE=0 selects' \
        VK_DRIVER_FILES="$manifest:$scratch/second.json" SECOND_DRIVER_OF="$library"
    cp "$manifest" "$scratch/twice.json"
    note 'devices 0 and 1 are one device: two manifest files name its Vulkan driver (llvmpipe); remove one' \
        VK_DRIVER_FILES="$manifest:$scratch/twice.json"
fi
note "OpenCL loaders do not find Pumice: no file in $scratch/vendors names libpumice" OCL_ICD_VENDORS="$scratch/vendors"
echo /none/libpumice.so.1 >"$scratch/vendors/a.icd"
note "OpenCL loaders do not find Pumice: $scratch/vendors names /none/libpumice.so.1" OCL_ICD_VENDORS="$scratch/vendors"
echo libpumice.so.1 >"$scratch/vendors/a.icd"
echo libother.so >"$scratch/vendors/other.icd"
note 'OpenCL loaders also find other.icd' OCL_ICD_VENDORS="$scratch/vendors"
rm "$scratch/vendors/other.icd"
OCL_ICD_VENDORS="$scratch/vendors" "$info" >"$scratch/notes"
expect "a driver that is found is reported missing" sh -c '! grep -q "OpenCL loaders" "$1"' - "$scratch/notes"

HOME=$scratch LD_LIBRARY_PATH=$scratch/lib "$info" --report="$scratch/report" --seconds=20 2>"$scratch/told"
expect "--report fails" test $? = 0
for line in 'versions:' '  device 0: ' 'environment:' '  LD_LIBRARY_PATH=~/lib$' 'cache:' 'devices:' '  OpenCL extensions and features:' 'checks:' '[0-9]* passed'; do
    expect "the report has no $line" grep -q "^$line" "$scratch/report"
done
expect "the report has the home folder" sh -c '! grep -q "$1" "$2"' - "$scratch" "$scratch/report"
"$info" --report="$scratch/none/report" >/dev/null 2>&1
expect "a report is written nowhere" test $? = 1

"$info" --preset=here >"$scratch/preset"
expect "--preset fails" test $? = 0
expect "no row of the device: $(cat "$scratch/preset")" grep -q '^{"here", "' "$scratch/preset"
"$info" --preset=here --device=999 >/dev/null 2>&1
expect "there is a row of device 999" test $? = 1

names=store,value,divide,long_divide,char_store,float_fma,loop_break,array_any,local_sum,atomic_ticket,subgroup_scan,power
"$info" --check=$names --keep="$scratch/kept" >"$scratch/log"
expect "--check fails: $(grep -vE '^(ok|skip) ' "$scratch/log")" test $? = 0
expect "not all are run" test "$(grep -cE '^(ok|skip) ' "$scratch/log")" = 12
expect "a folder is left" test ! -e "$scratch/kept"

# Simulates a driver that subtracts instead of adding, by replacing one module by another.
cat >"$scratch/add.cl" <<'CL'
kernel void add(global uint *out, global const uint *in, global uint *work, local uint *shared, uint n)
{
    uint i = get_global_id(0);
    out[i] = in[i] - in[i + 64];
}
CL
mkdir "$scratch/replaced"
"$cc" --target=lavapipe -cl-std=CL3.0 -o "$scratch/replaced/add.spv" "$scratch/add.cl" || exit 1
PUMICE_REPLACE_DIR=$scratch/replaced "$info" --check=add,sub --keep="$scratch/kept" >"$scratch/log"
expect "a wrong sum is not found" test $? = 1
expect "a wrong sum is not told: $(cat "$scratch/log")" grep -q '^WRONG  add ' "$scratch/log"
expect "the other is not right" grep -q '^ok     sub ' "$scratch/log"
for file in source.cl input expected found log add.spv; do
    expect "$file is not kept: $(ls "$scratch/kept/add")" test -s "$scratch/kept/add/$file"
done
expect "expected and found are the same" sh -c "! cmp -s '$scratch/kept/add/expected' '$scratch/kept/add/found'"
expect "of sub something is kept" test ! -e "$scratch/kept/sub"
echo "$checks checks, $failed failures"
[ "$failed" = 0 ]
