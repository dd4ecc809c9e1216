#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that the compiler of an ARM build writes the same output and messages as this machine's,
# byte for byte: the packed built-in library, and every test program for several targets.
#   tests/arm/same.sh BUILD HOST-BUILD [TARGET...] (default targets: full vulkan11)
# With TAKE, only every TAKE-th program.
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

# Writes the compiler's output and messages for a program to a folder.
compile() { # folder, command... ; runs in the program's folder, for #include and file names in
            # messages
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
