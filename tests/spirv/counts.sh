#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the number of instructions of some kernels with counts.expected; more instructions are a failure.
# A change that lowers them updates the file: counts.sh --update PUMICE-CC FOLDER
update=
[ "$1" = --update ] && { update=1; shift; }
tool=$1 folder=$2
expected=$(dirname "$0")/counts.expected
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
for target in lavapipe h200; do
    for file in "$folder"/*.cl; do
        "$tool" --target=$target -o "$scratch/module.spv" "$file" || exit 1
        count=$(spirv-dis --no-color "$scratch/module.spv" | sed -n '/OpFunction /,$p' | wc -l)
        echo "$target $(basename "$file" .cl) $count" >>"$scratch/counts"
    done
done
if [ -n "$update" ]; then
    cp "$scratch/counts" "$expected"
    exit
fi
passed=0 failed=0
while read -r target name count; do
    allowed=$(sed -n "s/^$target $name //p" "$expected")
    if [ "$count" -le "${allowed:-0}" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name for $target: $count instructions, ${allowed:-none} expected"
    fi
done <"$scratch/counts"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
