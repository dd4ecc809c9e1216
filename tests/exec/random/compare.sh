#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh EXEC_RUN REFERENCE.icd FIRST LAST: random kernels on this device and on another OpenCL
# implementation's; prints the seeds that differ. OCL_ICD_VENDORS names ours.
here=$(cd "$(dirname "$0")" && pwd)
scratch=${TMPDIR:-/tmp}/random.$$
mkdir -p "$scratch"
trap 'rm -rf "$scratch"' EXIT
for seed in $(seq "$3" "$4"); do python3 "$here/generate.py" "$seed" >"$scratch/$seed.cl"; done
"$1" "$scratch"/*.cl >"$scratch/ours" 2>/dev/null
OCL_ICD_VENDORS=$2 "$1" "$scratch"/*.cl >"$scratch/theirs" 2>/dev/null
grep -v '^SHOW' "$scratch/ours" | sed "s|$scratch/||g"
grep '^SHOW' "$scratch/ours" | sort >"$scratch/a"
grep '^SHOW' "$scratch/theirs" | sort >"$scratch/b"
diff "$scratch/a" "$scratch/b" | sed -n "s|^[<>] SHOW $scratch/\(.*\).cl .*|differs: \1|p" | sort -u
echo "$(wc -l <"$scratch/a") against $(wc -l <"$scratch/b") results"
