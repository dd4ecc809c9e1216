#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the cases with clang to SPIR-V: modules.sh LEVEL FOLDER FILE.cl... writes FOLDER/FILE.spv at -O0 or -O2.
# A case is compiled with its own options, then, if clang requires it, as OpenCL C 3.0. modules_refused.txt lists the cases that
# fail for each release of clang; exactly these must fail.
# FOLDER is a cache: FILE.of names what a module was compiled from (the case and the tools), FILE.refused why it failed. If
# neither has changed, the case is not compiled again; several trees may share a folder.
# Exit status: 0 as expected, 1 not, 77 no clang with llvm-spirv.
level=$1 folder=$2
shift 2
here=$(dirname "$0")
module=$here/../il/module.sh
release=$("$module" --release) || exit 77
mkdir -p "$folder"
scratch=$(mktemp -d "$folder/new.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
tools=$({ "$module" --tools; cat "$module" "$0"; } | sha256sum)
tools=${tools%% *}
known=$(awk -v level="$level" -v release="$release" '
    /^[^#]/ && ($2 == "*" || $2 == level) && ($3 == "*" || $3 == release) { printf "%s ", $1 }' "$here/modules_refused.txt")

# The inputs of a case, whether it must be compiled, and the result.
make() { # file, name, what it is made of
    options=$(sed -n 's,^// options: ,,p' "$1" | head -n 1)
    rm -f "$folder/$2.of"
    # shellcheck disable=SC2086
    if "$module" "$1" "$scratch/$2.spv" "-$level" $options 2>"$scratch/messages" ||
        "$module" "$1" "$scratch/$2.spv" "-$level" $options -cl-std=CL3.0 2>"$scratch/messages"; then
        mv "$scratch/$2.spv" "$folder/$2.spv"
        rm -f "$folder/$2.refused"
    else
        grep -E 'error|Invalid|Assert' "$scratch/messages" | head -n 1 >"$scratch/$2.refused"
        mv "$scratch/$2.refused" "$folder/$2.refused"
        rm -f "$folder/$2.spv"
    fi
    echo "$3" >"$scratch/$2.of"
    mv "$scratch/$2.of" "$folder/$2.of"
}

made=0 refused=0 wrong=0 new=0
grep -L -E '^// (build: error|source: )' "$@" | tr '\n' '\0' | xargs -0 sha256sum >"$scratch/sums"
while read -r sum file; do
    name=${file##*/}
    name=${name%.cl}
    of=
    [ -f "$folder/$name.of" ] && read -r of <"$folder/$name.of"
    if [ "$of" != "$tools $sum" ] || ! [ -f "$folder/$name.spv" -o -f "$folder/$name.refused" ]; then
        make "$file" "$name" "$tools $sum"
        new=$((new + 1))
    fi
    case " $known" in *" $name "*) is_known=1 ;; *) is_known= ;; esac
    if [ -f "$folder/$name.spv" ]; then
        made=$((made + 1))
        [ -n "$is_known" ] && echo "$name: is made now, modules_refused.txt says otherwise" && wrong=$((wrong + 1))
    else
        refused=$((refused + 1))
        [ -z "$is_known" ] && echo "$name: $(cat "$folder/$name.refused")" && wrong=$((wrong + 1))
    fi
done <"$scratch/sums"
echo "clang $release -$level: $made modules, $refused refused, $wrong of all otherwise than known; $new made now"
case $release in
15 | 19) [ $wrong = 0 ] && [ $made -gt 0 ] ;;
*) [ $made -gt 0 ] ;; # of other releases nothing is known
esac
