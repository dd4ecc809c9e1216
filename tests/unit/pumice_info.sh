#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pumice-info lists the device and its features; --check passes, and a kernel with wrong results is
# detected and saved; without the Vulkan loader it says what to install.
# Usage: pumice_info.sh PUMICE-INFO PUMICE-CC [LIBRARY-THAT-HIDES-VULKAN]
info=$1 cc=$2 hide=${3-}
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
    expect "it does not say what to install: $(cat "$scratch/none")" grep -q '^no device is offered: .*install' "$scratch/none"
fi
"$info" --wrong >/dev/null 2>&1
expect "an option that is none is taken" test $? = 2

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
