#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The table of devices that pumice-cc can compile for, kernels-compiler/cc/devices.def, made of the descriptions here:
# presets.sh PUMICE-INFO [write]. Without the word the table must be what would be made (status 1: it is not, 77: there is no
# device to play them, or another version of the one that did: it may lack what the described device has). BUILD as for on.sh.
here=$(cd "$(dirname "$0")" && pwd)
table=$here/../../kernels-compiler/cc/devices.def
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
info=$1
player=$("$info" | sed -n 's/.*driver llvmpipe (\(Mesa [0-9]*\.[0-9]*\).*/\1/p' | head -1)
[ -n "$player" ] || exit 77
{
    echo '// SPDX-License-Identifier: Apache-2.0'
    echo '// What the runtime makes of each device that tests/devices describes; written by its presets.sh, which a test compares.'
    echo "// Played by $player."
} >"$scratch/made"
for file in "$here"/*.txt; do
    name=$(basename "$file" .txt)
    [ "$name" = CMakeLists ] && continue
    PUMICE_NESTING=0 "$here/on.sh" "$name" "$info" --preset="$name" >>"$scratch/made" 2>"$scratch/log" || { echo "$name: $(cat "$scratch/log")"; exit 77; }
done
if [ "$2" = write ]; then
    cp "$scratch/made" "$table"
elif ! grep -qF "// Played by $player." "$table"; then
    echo "the table was not made with $player" && exit 77
else
    diff "$table" "$scratch/made"
fi
