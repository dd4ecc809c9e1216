#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whether the compiler of an ARM build says and writes what this machine's does, byte for byte: the library that it
# packs, and every program of the tests for several targets.
#   tests/arm/same.sh BUILD HOST-BUILD [TARGET...] (default targets: full vulkan11)
# Every TAKE-th program only, where TAKE is set.
here=$(cd "$(dirname "$0")" && pwd)
tests=$(dirname "$here")
build=$(cd "$1" && pwd) host=$(cd "$2" && pwd) || exit 2
shift 2
[ $# -gt 0 ] || set -- full vulkan11
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/ours" "$scratch/theirs"
same=0 other=0 number=0

compare() { # what
    if diff -rq "$scratch/ours" "$scratch/theirs" >"$scratch/difference"; then
        same=$((same + 1))
    else
        other=$((other + 1))
        echo "OTHER $1: $(head -n 1 "$scratch/difference")"
        [ -z "$KEEP" ] || cp -r "$scratch/ours" "$scratch/theirs" "$KEEP"
    fi
    rm -rf "$scratch/ours/"* "$scratch/theirs/"*
}

# What a compiler writes and says of a program in its own folder.
compile() { # folder, command... ; runs in the program's folder, for #include and messages
    folder=$1
    shift
    "$@" --all -o "$folder/" "$(basename "$file")" >"$folder/said" 2>&1
    echo "ends with $?" >>"$folder/said"
}

lib=$tests/../kernels-compiler/lib
find "$lib" -name '*.cl' | LC_ALL=C sort >"$scratch/sources"
for which in ours theirs; do
    bare=$host/pumice-cc-bare
    [ $which = theirs ] || bare="$here/emulate.sh $build pumice-cc-bare"
    # shellcheck disable=SC2046,SC2086
    $bare --library --keep-going -cl-std=CL2.0 -o "$scratch/$which/library" -I "$lib" $(cat "$scratch/sources") >"$scratch/$which/said" 2>&1
done
compare "library"

for file in "$tests"/exec/*.cl "$tests"/spirv/*.cl "$tests"/lib/*.cl "$tests"/bench/programs/*.cl "$tests"/sema/*.cl; do
    number=$((number + 1))
    [ $((number % ${TAKE:-1})) = 0 ] || continue
    options=$(sed -n '1,3s#^// options: ##p' "$file")
    cd "$(dirname "$file")" || exit 2
    for target; do
        # shellcheck disable=SC2086
        compile "$scratch/theirs" "$host/pumice-cc" $options --target="$target"
        # shellcheck disable=SC2086
        compile "$scratch/ours" "$here/emulate.sh" "$build" pumice-cc $options --target="$target"
        compare "$(basename "$file") for $target"
    done
done
echo "$same same, $other other"
[ $other = 0 ]
