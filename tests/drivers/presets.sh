#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What pumice-cc can compile for, of real drivers: kernels-compiler/cc/drivers.def, a row for each of devices.txt, above it the
# driver's version: presets.sh PUMICE-INFO [NAME...] writes the rows of the names, unset: of all that are installed.
# presets.sh PUMICE-INFO --check NAME: the row must be what would be written, if it is of that version (exit status 1: it is not).
here=$(cd "$(dirname "$0")" && pwd)
table=$here/../../kernels-compiler/cc/drivers.def
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
info=$1
shift
{
    echo '// SPDX-License-Identifier: Apache-2.0'
    echo '// What the runtime makes of each device that tests/drivers compiles for; written by its presets.sh.'
} >"$scratch/made"

old_row() {
    sed -n "/^\/\/ $1: /,/^     .extensions/p" "$table" 2>/dev/null
}

new_row() {
    version=$("$here/on.sh" "$1" "$info" 2>/dev/null | sed -n 's/.*, driver [^(]*(\([^)]*\)), driver id.*/\1/p' | head -n 1)
    [ -n "$version" ] || return 1
    echo "// $1: $version"
    "$here/on.sh" "$1" "$info" --preset="$1" 2>/dev/null
}

if [ "$1" = --check ]; then
    old_row "$2" >"$scratch/old"
    new_row "$2" >"$scratch/new"
    [ "$(head -n 1 "$scratch/old")" = "$(head -n 1 "$scratch/new")" ] || exit 0
    exec diff "$scratch/old" "$scratch/new"
fi
for name in $(sed -n 's/^\([a-z][a-z0-9_]*\) .*/\1/p' "$here/devices.txt"); do
    case " $* " in "  " | *" $name "*) new_row "$name" >"$scratch/row" || old_row "$name" >"$scratch/row" ;; *) old_row "$name" >"$scratch/row" ;; esac
    cat "$scratch/row" >>"$scratch/made"
done
cp "$scratch/made" "$table"
