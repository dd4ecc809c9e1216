#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Unpacks Debian packages into a folder with which Pumice is built and run for ARM, RISC-V and i386: the C library, the loaders,
# the software Vulkan driver, and some programs to try. For amd64: only the C library, of an older release.
#   tests/arm/root.sh arm64|armhf|riscv64|i386|amd64 FOLDER [SUITE]
# Nothing is installed, and root privileges are not needed. Needs Debian 12 or 13 with its keyring, and uses the
# machine's package sources; on Debian 12 the driver is from backports, as in cmake/setup.sh. RISC-V: always Debian 13, the
# first release for it.
set -eu
[ $# -ge 2 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
arch=$1
case $arch in arm64 | armhf | riscv64 | i386 | amd64) ;; *) echo "arm64, armhf, riscv64, i386 or amd64, not $arch" >&2; exit 2 ;; esac
mkdir -p "$2"
root=$(cd "$2" && pwd)
packages="libc6-dev libvulkan-dev ocl-icd-opencl-dev opencl-c-headers spirv-headers libpng-dev libmpfr-dev
    clinfo clpeak"
driver=mesa-vulkan-drivers
[ "$arch" != amd64 ] || { packages=libc6-dev && driver=; }
suite=${3:-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}
if [ "$arch" = riscv64 ]; then
    packages="$packages libatomic1" # GCC 12 needs it
    suite=${3:-trixie}
fi

# Where the machine gets its packages from, in either format of source list.
uri=$(sed -n -e 's/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' -e 's/^URIs: *\([^ ]*\).*/\1/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/debian* 2>/dev/null | head -n 1)
[ -n "$uri" ] || { echo "no Debian source found in /etc/apt" >&2; exit 1; }

# apt with its own lists, packages and status, as if for an empty machine of that architecture.
apt=$root/.apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/sources" "$apt/preferences"
: >"$apt/status"
key='signed-by=/usr/share/keyrings/debian-archive-keyring.gpg'
echo "deb [$key] $uri $suite main" >"$apt/sources.list"
[ "$suite" != bookworm ] || echo "deb [$key] $uri $suite-backports main" >>"$apt/sources.list"
get() {
    apt-get -q -y -o APT::Architecture="$arch" -o APT::Architectures::="$arch" -o APT::Sandbox::User= \
        -o Dir::State="$apt" -o Dir::State::status="$apt/status" -o Dir::State::lists="$apt/lists" \
        -o Dir::Cache="$apt" -o Dir::Cache::archives="$apt/archives" -o Dir::Etc::sourcelist="$apt/sources.list" \
        -o Dir::Etc::sourceparts="$apt/sources" -o Dir::Etc::preferencesparts="$apt/preferences" \
        -o APT::Install-Recommends=false -o Acquire::Languages=none -o Debug::NoLocking=true "$@"
}
get update
# shellcheck disable=SC2086
if [ "$suite" = bookworm ]; then
    get --download-only install $packages $driver/bookworm-backports -t bookworm-backports
else
    get --download-only install $packages $driver
fi

# /lib and similar folders are links into /usr, as on an installed system.
for folder in bin sbin lib lib64; do
    mkdir -p "$root/usr/$folder"
    ln -sfn "usr/$folder" "$root/$folder"
done
for package in "$apt"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$root"
done
# Makes absolute links relative to the root.
find "$root/usr" -type l -lname '/*' | while read -r link; do
    ln -sfn "$root$(readlink "$link")" "$link"
done
rm -rf "$apt"
