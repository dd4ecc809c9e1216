#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# assembled.sh PROGRAM FILE.spvasm...: runs the program on what spirv-as makes of each file that is whole; 77 without spirv-as.
program=$1
shift
command -v spirv-as >/dev/null || exit 77
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
for file; do
    spirv-as "$file" -o "$folder/$(basename "$(dirname "$file")")-$(basename "$file" .spvasm).spv" 2>/dev/null
done
"$program" "$folder"/*.spv
