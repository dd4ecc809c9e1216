#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages in clean roots, tries them, upgrades them, removes and purges them: the driver works right after
# `apt install`, and nothing is left at the end. As root: roots.sh FOLDER-WITH-DEB-FILES SUITE...
# ROOTS: a folder with a root of each suite, which debootstrap makes if it is missing (default: build/roots).
set -u
[ $# -ge 2 ] || { sed -n '3,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
debs=$(cd "$1" && pwd)
shift
roots=${ROOTS:-$PWD/build/roots}
uri=$(sed -n -e 's/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' -e 's/^URIs: *\([^ ]*\).*/\1/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/debian* 2>/dev/null | head -n 1)
failed=0
mkdir -p "$roots"

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive sh -c "$1"; }

expect() { # what, command inside
    if inside "$2" >"$root/tmp/log" 2>&1; then
        echo "  ok: $1"
    else
        echo "  FAILED: $1" && tail -n 20 "$root/tmp/log" && failed=$((failed + 1))
    fi
}

# All files but the packages' own records.
snapshot() {
    inside 'find / -xdev \( -path /proc -o -path /tmp -o -path /root -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache \
        -o -path /var/log -o -path /dev \) -prune -o -print | sort' >"$1"
}

# The same packages with a higher version.
raise_versions() {
    mkdir -p "$root/tmp/newer"
    for deb in "$root"/tmp/debs/*.deb; do
        rm -rf "$root/tmp/unpacked"
        dpkg-deb -R "$deb" "$root/tmp/unpacked"
        sed -i 's/^Version: .*/&+newer/' "$root/tmp/unpacked/DEBIAN/control"
        dpkg-deb -b "$root/tmp/unpacked" "$root/tmp/newer/$(basename "$deb")" >/dev/null
    done
    rm -rf "$root/tmp/unpacked"
}

try() { # suite
    echo "$1:"
    base=$roots/$1
    root=$roots/$1.work
    [ -d "$base/usr" ] || debootstrap --variant=minbase "$1" "$base" "$uri" >"$roots/$1.log" 2>&1 || { tail -n 5 "$roots/$1.log"; failed=1; return; }
    rm -rf "$root"
    cp -a "$base" "$root"
    cp /etc/resolv.conf "$root/etc/" 2>/dev/null
    mount -t proc proc "$root/proc"
    mkdir -p "$root/tmp/debs"
    cp "$debs"/*.deb "$root/tmp/debs/"
    raise_versions
    all='pumice-opencl-icd pumice-opencl-dropin pumice-tools'
    expect "update" 'apt-get -q update'
    expect "what the packages recommend" 'apt-get -q -y install --no-install-recommends mesa-vulkan-drivers libvulkan1 ocl-icd-libopencl1 clinfo'
    snapshot "$roots/before"
    expect "install" 'apt-get -q -y install /tmp/debs/*.deb'
    expect "clinfo shows the device" 'clinfo -l | grep -A1 "Platform #0: Pumice" | grep -q "Device #0"'
    expect "the drop-in" 'LD_LIBRARY_PATH=$(echo /usr/lib/*/pumice) clinfo -l | grep -q "Platform #0: Pumice"'
    expect "pumice-info shows the device" 'pumice-info | grep -q "^0: "'
    expect "pumice-info finds the driver registered" '! pumice-info | grep -q "OpenCL loaders do not find"'
    expect "pumice-cc compiles" 'echo "kernel void k(global int *p) { *p = 1; }" >/tmp/k.cl && cd /tmp && pumice-cc -o k.spv k.cl && test -s k.spv'
    expect "upgrade" 'apt-get -q -y install /tmp/newer/*.deb && dpkg-query -W -f "\${Version} " '"$all"' | grep -q "newer .*newer .*newer"'
    expect "clinfo after the upgrade" 'clinfo -l | grep -q "Platform #0: Pumice"'
    expect "remove" "apt-get -q -y remove $all"
    expect "no platform after it" '! clinfo -l | grep -q Pumice'
    expect "purge" "dpkg --purge $all"
    snapshot "$roots/after"
    inside true && diff "$roots/before" "$roots/after" >"$roots/left" && echo "  ok: nothing is left" || { echo "  FAILED: left behind:" && cat "$roots/left"; failed=$((failed + 1)); }
    umount "$root/proc"
    rm -rf "$root"
}

for suite in "$@"; do try "$suite"; done
echo "$failed failures"
[ $failed = 0 ]
