#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a program on a real driver without its hardware: tests/drivers/on.sh NAME PROGRAM [ARGUMENT...]; names: devices.txt.
# DRIVERS_SHIMS: folder of Mesa's no-op DRM shims; default: where Mesa's build installs them.
# DRIVERS_ROOT: folders with the files of other systems, separated by colons; nothing between them: this machine. The
# driver and the C library are those of the first that has the driver; default: this machine's.
# Exit status 77: the driver or its shim is not installed.
here=$(cd "$(dirname "$0")" && pwd)
name=$1
shift
row=$(grep "^$name " "$here/devices.txt") || { echo "there is no $name in $here/devices.txt" >&2; exit 2; }
read -r _ driver shim chip <<END
$row
END
triple=$(gcc -print-multiarch 2>/dev/null) || triple=
find_in() {
    for manifest in "$1/usr/share/vulkan/icd.d/$driver.json" "$1/usr/share/vulkan/icd.d/$driver.$(uname -m).json"; do
        [ -f "$manifest" ] && return
    done
    return 1
}
roots=${DRIVERS_ROOT:-}:
until root=${roots%%:*} && find_in "$root"; do
    roots=${roots#*:}
    [ -n "$roots" ] || { echo "skipped: $driver.json is not installed" >&2; exit 77; }
done

preload=
if [ "$shim" != - ]; then
    for folder in "${DRIVERS_SHIMS:-/usr/local/lib/$triple}" /usr/local/lib "/usr/lib/$triple"; do
        [ -z "$preload" ] && [ -f "$folder/lib${shim}_noop_drm_shim.so" ] && preload=$folder/lib${shim}_noop_drm_shim.so
    done
    [ -n "$preload" ] || { echo "skipped: lib${shim}_noop_drm_shim.so is not installed (conformance/BRINGUP.md)" >&2; exit 77; }
fi

loader=
if [ -n "$root" ]; then
    libraries=$root/usr/lib/$triple
    scratch=$(mktemp -d) || exit 2
    trap 'rm -rf "$scratch"' EXIT
    sed "s#\"library_path\": \"\(/usr/lib/[^\"]*/\)\{0,1\}#\"library_path\": \"$libraries/#" "$manifest" >"$scratch/driver.json"
    manifest=$scratch/driver.json
    loader=$(ls "$root"/lib*/ld-linux-*.so.* "$libraries"/ld-linux-*.so.* 2>/dev/null | head -n 1)" --library-path $libraries"
fi
# shellcheck disable=SC2086
env $chip ${preload:+LD_PRELOAD=$preload} VK_DRIVER_FILES="$manifest" NODEVICE_SELECT=1 PUMICE_CACHE_DIR=none \
    MESA_SHADER_CACHE_DISABLE=1 $loader "$@"
