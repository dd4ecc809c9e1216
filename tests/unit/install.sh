#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `cmake --install` installs the files of README.md's table, the driver and the drop-in work from the build's folder as README.md
# says, and the target `uninstall` deletes everything. Status 77: no clinfo.
# Usage: install.sh SOURCE_DIR BUILD
source=$1 build=$2
command -v clinfo >/dev/null || exit 77
scratch=$(mktemp -d) || exit 2
failed=0
fail() { echo "$*" && failed=1; }
manifest=$build/install_manifest.txt # of an installation of the user's
if [ -e "$manifest" ]; then cp "$manifest" "$scratch/manifest"; fi
trap 'if [ -e "$scratch/manifest" ]; then cp "$scratch/manifest" "$manifest"; else rm -f "$manifest"; fi; rm -rf "$scratch"' EXIT
export DESTDIR="$scratch/root"
cmake --install "$build" --prefix /usr/local >"$scratch/log" 2>&1 || fail "the installation fails: $(cat "$scratch/log")"
grep -oE '^\| `/[^|]*\|' "$source/README.md" | grep -oE '/(usr|etc)/[^`]*' >"$scratch/paths"
[ "$(wc -l <"$scratch/paths")" -ge 5 ] || fail "README.md has no table of installed files"
while read -r path; do
    [ -e "$DESTDIR$path" ] || fail "$path is not installed"
done <"$scratch/paths"
grep -qx /usr/local/lib/libpumice.so.1 "$DESTDIR/etc/OpenCL/vendors/pumice.icd" || fail "pumice.icd does not name the library"
for page in man1/pumice-cc.1 man1/pumice-info.1 man7/pumice.7; do
    [ -e "$DESTDIR/usr/local/share/man/$page" ] || fail "$page is not installed"
done
cmake -P "$source/cmake/Uninstall.cmake" "$build" >"$scratch/log" 2>&1 || fail "uninstall fails: $(cat "$scratch/log")"
find "$DESTDIR" ! -type d >"$scratch/left"
[ ! -s "$scratch/left" ] || fail "uninstall leaves $(cat "$scratch/left")"

lists() { # what, variable=value
    env "$2" clinfo -l 2>/dev/null | grep -q 'Platform #[0-9]*: Pumice' || fail "$1 does not find Pumice: $2"
}
lists "ocl-icd" "OCL_ICD_VENDORS=$build/libpumice.so"
lists "clinfo" "LD_LIBRARY_PATH=$build/dropin"
exit $failed
