#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Weak and strong scaling of the stencil relative to one rank, with a device for each rank. Run
# manually, not a test.
#
#   OCL_ICD_VENDORS=FOLDER-WITH-ICD-FILES sh tests/apps/ranks/scaling.sh COMMAND RANKS... [-- ARGUMENTS]
#
# COMMAND is what precedes the number of ranks: "build/release/tests/apps/stencil --ranks=", or for
# MPI "mpirun -n", with the program as the first argument. Weak: 512 planes of 512 x 512 cells for
# each rank; strong: in total.
set -eu
command=$1
shift
counts=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    counts="$counts $1"
    shift
done
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- --width=512 --planes=512 --steps=500
case $command in *=) ;; *) command="$command " ;; esac

# Milliseconds a step.
step() {
    count=$1
    shift
    # shellcheck disable=SC2086
    $command$count "$@" | sed -n 's/.* cells: \([0-9.]*\) ms a step.*/\1/p'
}

weak=$(step 1 "$@")
for count in $counts; do
    for kind in weak strong; do
        flag= ideal=1
        [ $kind = weak ] || { flag=--strong ideal=$count; }
        # shellcheck disable=SC2086
        time=$(step "$count" "$@" $flag)
        awk -v kind=$kind -v n="$count" -v one="$weak" -v t="$time" -v ideal="$ideal" 'BEGIN {
            printf "%-6s %2d ranks: %8.3f ms a step, 1 rank %8.3f, efficiency %.3f\n", kind, n, t, one, one / t / ideal }'
    done
done
