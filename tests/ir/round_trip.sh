#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The IR's text form is lossless: round_trip.sh PUMICE-CC FOLDER...
#
# For each FOLDER/NAME.cl that compiles: the IR as generated is read back and printed; the two texts must be equal.
[ $# -ge 2 ] || { sed -n '3,5p' "$0" >&2; exit 2; }
tool=$1
shift
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

for folder in "$@"; do
    for file in "$folder"/*.cl; do
        options=$(sed -n 's/^\/\/ options: *//p' "$file")
        (ulimit -t 20 && "$tool" -w -cl-std=CL2.0 $options --dump=ir "$file") >"$scratch/first.ir" 2>/dev/null || continue
        if "$tool" "$scratch/first.ir" >"$scratch/second.ir" 2>"$scratch/error" &&
            cmp -s "$scratch/first.ir" "$scratch/second.ir"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL $file"
            cat "$scratch/error"
            diff "$scratch/first.ir" "$scratch/second.ir" | head -n 5
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 20 ]
