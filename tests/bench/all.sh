#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# all.sh BUILD OUT [ICD ...]: runs all timing benchmarks on Pumice and, in the same run, on the other OpenCL drivers named
# (libraries or .icd files), by default on those installed on the system. Writes tables to OUT, and a plot of the ratios
# (rows.svg) if there is another driver. Takes some minutes on a GPU, half an hour on two cores.
set -eu
[ $# -ge 2 ] || { sed -n '3,5s/^# //p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
programs=$build/tests/bench

# Creates a folder with an .icd file for each driver, Pumice's first.
drivers=$(mktemp -d)
trap 'rm -rf "$drivers"' EXIT
printf '%s\n' "$build/libpumice.so" >"$drivers/0.icd"
[ $# -gt 0 ] || set -- /etc/OpenCL/vendors/*.icd
count=0
for icd in "$@"; do
    case $icd in
    *pumice*) continue ;;
    *.icd) [ -f "$icd" ] && library=$(cat "$icd") || continue ;;
    *) library=$icd ;;
    esac
    count=$((count + 1))
    printf '%s\n' "$library" >"$drivers/$count.icd"
done
[ "$count" -gt 0 ] || echo "no other OpenCL driver: figures of Pumice alone"

failed=

run() { # name, drivers, command...
    name=$1 OCL_ICD_VENDORS=$2
    export OCL_ICD_VENDORS
    shift 2
    printf '\n== %s\n' "$name"
    [ -x "$1" ] || { echo "not built"; return 0; }
    status=0
    "$@" >"$out/$name.txt" || status=$?
    cat "$out/$name.txt"
    [ "$status" = 0 ] || [ "$status" = 77 ] || failed="$failed $name"
}

svg=
[ "$count" = 0 ] || svg=--svg=$out/rows.svg
run rows "$drivers" "$programs/bench_rows" "$here/programs" ${svg:+"$svg"}
run math "$drivers" "$programs/bench_math"
run threads "$drivers" "$programs/bench_threads"
run map "$drivers" "$programs/bench_map"
run vulkan "$build/libpumice.so" "$programs/bench"
run twins "$build/libpumice.so" "$programs/bench_twins" "$here/programs"
run compile "$build/libpumice.so" "$programs/bench_compile"
printf '\ntables are in %s\n' "$out"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
