#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages in clean roots, tries them, upgrades them, removes and purges them: the driver works right after
# `apt install`, and nothing is left at the end. As root: roots.sh FOLDER SUITE[:ARCHITECTURE]...
# FOLDER has the packages of this machine's architecture, FOLDER-ARCHITECTURE those of another one.
# ROOTS: a folder with a root of each suite, which debootstrap makes if it is missing (default: build/roots).
# KEEP: keeps the roots, with the packages installed, upgraded and removed.
set -u
[ $# -ge 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
debs=$(cd "$1" && pwd)
shift
source=$(cd "$(dirname "$0")/../.." && pwd)
roots=${ROOTS:-$PWD/build/roots}
native=$(dpkg --print-architecture)
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

# Lets the kernel run programs of the architecture by QEMU, until the end of this script.
registered=
emulate() { # architecture
    case $1 in "$native" | i386) return ;; arm64) name=qemu-aarch64 ;; *) name=qemu-$1 ;; esac
    formats=/proc/sys/fs/binfmt_misc
    [ -e $formats/register ] || mount -t binfmt_misc none $formats
    [ ! -e "$formats/$name" ] || return
    registered="$registered $formats/$name"
    tr -d '\n' <"/usr/lib/binfmt.d/$name.conf" >$formats/register
}
trap 'for format in $registered; do echo -1 >"$format"; done' EXIT

# The program and its commands, from a copy of the documents.
first_program() {
    mkdir -p "$root/tmp/program"
    cp -r "$source/doc" "$source/README.md" "$root/tmp/program/"
    expect "README's first program" 'cd /tmp/program && cc -o first doc/first.c -lOpenCL && ./first doc/first.cl | tee /dev/stderr | grep -q "^added 1048576 numbers on "'
    expect "README's modules" 'cd /tmp/program && pumice-cc --all doc/first.cl && pumice-cc --vulkan -o all.spv doc/first.cl && test -s all.spv'
    expect "README's trace" 'cd /tmp/program && PUMICE_TRACE=trace.json ./first doc/first.cl && grep -q "\"name\":\"add\"" trace.json'
}

# A second architecture beside the first.
both_architectures() {
    cp "$debs-i386"/pumice-opencl-*_i386.deb "$root/tmp/" 2>/dev/null || return 0
    expect "i386 libraries beside those of amd64" 'dpkg --add-architecture i386 && apt-get -q update &&
        apt-get -q -y install --no-install-recommends /tmp/pumice-opencl-*_i386.deb && test -e /usr/lib/i386-linux-gnu/libpumice.so.1 &&
        test -e /usr/lib/x86_64-linux-gnu/libpumice.so.1 && clinfo -l | grep -q "Platform #0: Pumice"'
}

try() { # suite[:architecture]
    echo "$1:"
    suite=${1%:*} arch=${1#*:}
    [ "$arch" != "$1" ] || arch=$native
    emulate "$arch"
    base=$roots/$suite-$arch
    root=$base.work
    [ -d "$base/usr" ] || debootstrap --arch="$arch" --variant=minbase "$suite" "$base" "$uri" >"$base.log" 2>&1 ||
        { tail -n 5 "$base.log" && rm -rf "$base"; failed=$((failed + 1)); return; }
    rm -rf "$root"
    cp -a "$base" "$root"
    cp /etc/resolv.conf "$root/etc/" 2>/dev/null
    mount -t proc proc "$root/proc"
    mkdir -p "$root/tmp/debs"
    from=$debs-$arch
    [ "$arch" != "$native" ] || from=$debs
    cp "$from"/*_"$arch".deb "$root/tmp/debs/"
    raise_versions
    all='pumice-opencl-icd pumice-opencl-dropin pumice-tools'
    expect "update" 'apt-get -q update'
    expect "what the packages recommend" 'apt-get -q -y install --no-install-recommends mesa-vulkan-drivers libvulkan1 ocl-icd-libopencl1 clinfo'
    expect "what README's first program needs" 'apt-get -q -y install --no-install-recommends gcc libc6-dev ocl-icd-opencl-dev'
    snapshot "$base.before"
    expect "install" 'apt-get -q -y install /tmp/debs/*.deb'
    expect "clinfo shows the device" 'clinfo -l | grep -A1 "Platform #0: Pumice" | grep -q "Device #0"'
    expect "the drop-in" 'cd /usr/lib/*/pumice && test -e libOpenCL.so.1 && LD_LIBRARY_PATH=$PWD clinfo -l | grep -q "Platform #0: Pumice"'
    expect "pumice-info shows the device" 'pumice-info | grep -q "^0: "'
    expect "pumice-info finds the driver registered" '! pumice-info | grep -q "OpenCL loaders do not find"'
    expect "pumice-info --check" 'pumice-info --check=store,long_divide,float_fma,local_sum,atomic_ticket'
    first_program
    expect "upgrade" 'apt-get -q -y install /tmp/newer/*.deb && dpkg-query -W -f "\${Version} " '"$all"' | grep -q "newer .*newer .*newer"'
    expect "clinfo after the upgrade" 'clinfo -l | grep -q "Platform #0: Pumice"'
    expect "remove" "apt-get -q -y remove $all"
    expect "no platform after it" '! clinfo -l | grep -q Pumice'
    expect "purge" "dpkg --purge $all"
    snapshot "$base.after"
    inside true && diff "$base.before" "$base.after" >"$base.left" && echo "  ok: nothing is left" ||
        { echo "  FAILED: left behind:" && cat "$base.left"; failed=$((failed + 1)); }
    if [ "$arch" = amd64 ]; then
        expect "install again" 'apt-get -q -y install /tmp/debs/*.deb'
        both_architectures
    fi
    umount "$root/proc"
    [ -n "${KEEP:-}" ] || rm -rf "$root"
}

for wanted; do try "$wanted"; done
echo "$failed failures"
[ $failed = 0 ]
