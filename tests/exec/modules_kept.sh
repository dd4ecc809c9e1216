#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The cache of modules.sh: an unchanged case is not compiled again, a changed or removed one is; a case that fails now has no
# module. Status 77: no clang with llvm-spirv.
modules=$(dirname "$0")/modules.sh
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
mkdir "$scratch/a case" # of a name with a space
one="$scratch/a case/one.cl" two="$scratch/a case/two.cl"

check() { # what it says at the end, whether there is a module of `one`
    "$modules" O2 "$scratch/made" "$one" "$two" >"$scratch/out"
    [ $? != 77 ] || exit 77
    case $(tail -n 1 "$scratch/out") in *"$1") ;; *) failed=1 && echo "not '$1':" && cat "$scratch/out" ;; esac
    [ "$([ -f "$scratch/made/one.spv" ] && echo yes)" = "$2" ] || { failed=1 && echo "'$1': module: not '$2'"; }
}
echo 'kernel void k(global int *p) { *p = 1; }' >"$one"
echo 'kernel void k(global int *p) { *p = 2; }' >"$two"
check ' 2 made now' yes
check ' 0 made now' yes
echo 'kernel void k(global int *p) { *p = 3; }' >"$two"
check ' 1 made now' yes
echo 'kernel void k(global int *p) { *q = 1; }' >"$one"
check '1 refused, 1 of all otherwise than known; 1 made now' ''
check '1 refused, 1 of all otherwise than known; 0 made now' ''
rm "$scratch/made/two.spv"
echo 'kernel void k(global int *p) { *p = 1; }' >"$one"
check ' 2 made now' yes
exit $failed
