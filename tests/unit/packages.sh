#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Debian packages are complete, lintian reports no error, and the driver, the drop-in and the
# commands work when unpacked.
# Usage: packages.sh FOLDER-WITH-DEB-FILES
cd "$1" || exit 2
root=$(mktemp -d) || exit 2
trap 'rm -rf "$root"' EXIT
passed=0 failed=0
expect() { # what, command...
    what=$1
    shift
    if "$@"; then passed=$((passed + 1)); else echo "$what" && failed=$((failed + 1)); fi
}
for name in pumice-opencl-icd pumice-opencl-dropin pumice-tools; do
    set -- "$name"_*.deb
    expect "there is no package $name" test -f "$1"
    expect "$1 cannot be unpacked" dpkg-deb -x "$1" "$root"
    expect "$1 has no licence" test -s "$root/usr/share/doc/$name/copyright"
done
set -- "$root"/usr/lib/*/libpumice.so.1
expect "no driver" test -f "$1"
expect "pumice.icd does not name the driver" grep -qx libpumice.so.1 "$root/etc/OpenCL/vendors/pumice.icd"
for page in man7/pumice.7 man1/pumice-cc.1 man1/pumice-info.1; do
    expect "no page $page" gzip -t "$root/usr/share/man/$page.gz"
done
expect "the loader does not find the driver" env OCL_ICD_VENDORS="$root/etc/OpenCL/vendors" LD_LIBRARY_PATH="${1%/*}" sh -c 'clinfo -l | grep -q Pumice'
expect "the drop-in is no OpenCL library" env LD_LIBRARY_PATH="${1%/*}/pumice" sh -c 'clinfo -l | grep -q Pumice'
expect "pumice-info fails" sh -c '"$0" | grep -q "^0: "' "$root/usr/bin/pumice-info"
echo 'kernel void k(global int *p) { *p = 1; }' >"$root/k.cl"
expect "pumice-cc fails" "$root/usr/bin/pumice-cc" -o "$root/k.spv" "$root/k.cl"
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error ./*.deb >"$root/lintian" 2>&1
    status=$?
    expect "lintian: $(cat "$root/lintian")" test $status = 0
fi
echo "$passed passed, $failed failed"
test $failed = 0
