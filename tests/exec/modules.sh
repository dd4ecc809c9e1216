#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Modules of SPIR-V of the cases: modules.sh LEVEL FOLDER FILE.cl... makes FOLDER/FILE.spv at -O0 or -O2.
# A case is compiled with its own options, then, where clang wants it, as OpenCL C 3.0. What is refused must stand in
# modules_refused.txt for the release of clang that is here, and what stands there must be refused.
# Exit status: 0 as it should be, 1 not, 77 no clang with llvm-spirv.
level=$1 folder=$2
shift 2
here=$(dirname "$0")
module=$here/../il/module.sh
release=$("$module" --release) || exit 77
rm -rf "$folder"
mkdir -p "$folder"
made=0 refused=0 wrong=0
for file; do
    grep -q -E '^// (build: error|source: )' "$file" && continue
    name=$(basename "$file" .cl)
    options=$(sed -n 's,^// options: ,,p' "$file" | head -n 1)
    known=$(awk -v name="$name" -v level="$level" -v release="$release" '
        $1 == name && ($2 == "*" || $2 == level) && ($3 == "*" || $3 == release) { print "known" }' "$here/modules_refused.txt")
    # shellcheck disable=SC2086
    if "$module" "$file" "$folder/$name.spv" "-$level" $options 2>"$folder/messages" ||
        "$module" "$file" "$folder/$name.spv" "-$level" $options -cl-std=CL3.0 2>"$folder/messages"; then
        made=$((made + 1))
        [ -n "$known" ] && echo "$name: is made now, modules_refused.txt says otherwise" && wrong=$((wrong + 1))
    else
        refused=$((refused + 1))
        [ -z "$known" ] && echo "$name: $(grep -E 'error|Invalid|Assert' "$folder/messages" | head -n 1)" && wrong=$((wrong + 1))
    fi
done
echo "clang $release -$level: $made modules, $refused refused, $wrong of all otherwise than known"
case $release in
15 | 19) [ $wrong = 0 ] && [ $made -gt 0 ] ;;
*) [ $made -gt 0 ] ;; # of other releases nothing is known
esac
