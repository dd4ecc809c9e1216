#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the files of a release of the last commit in build/dist: the source archive, Debian packages and portable archives built
# from that archive, a list of the files and build tools (SPDX), and checksums. Two runs on one system make the same
# bytes. `sh cmake/setup.sh release` installs what this needs, and runs it.
set -eu
cd "$(dirname "$0")/.."
root=$PWD/build/dist
version=$(sed -n 's/^project(pumice VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=pumice-$version
source=$root/work/$name
arch=$(dpkg --print-architecture)
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH "CFLAGS=-ffile-prefix-map=$root/work/="
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
umask 022
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo "warning: changes that are not committed are not in the release" >&2

say() { printf '\n== %s\n' "$*"; }

pack() { # archive, folder below $root/work
    tar -C "$root/work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -cf - "$2" |
        zstd -q -19 -T1 -o "$root/$1"
}

configure() { # folder below $root/work, options...
    build=$root/work/$1
    shift
    cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
        "$@" >"$root/work/log" 2>&1 || { cat "$root/work/log"; exit 1; }
    cmake --build "$build" >"$root/work/log" 2>&1 || { tail -n 40 "$root/work/log"; exit 1; }
}

# Versions of glibc's symbols that the file needs, the newest last.
newest_glibc() {
    objdump -T "$1" | grep -oE 'GLIBC_[0-9]+\.[0-9.]+' | sort -u -V | tail -n 1
}

portable() { # libc, toolchain file, folder of its root
    out=$name-linux-x86_64-$1
    say "$out.tar.zst"
    configure "$1" "-DCMAKE_TOOLCHAIN_FILE=$source/cmake/$2" "-DPUMICE_ROOT=$3" -DCMAKE_INSTALL_LIBDIR=lib \
        "-DPUMICE_ICD_DIR=$root/work/vendors" # that file would have a full path
    cmake --install "$root/work/$1" --prefix "$root/work/$out" --strip >/dev/null
    cp "$source/README.md" "$source/CHANGELOG.md" "$source/LICENSE" "$root/work/$out/"
    cat >"$root/work/$out/USE.txt" <<END
Pumice $version for Linux x86-64 with $1. Nothing needs to be installed; a Vulkan loader and driver must be present.

With an OpenCL loader:      OCL_ICD_VENDORS=\$PWD/lib/libpumice.so.1 some-program     (ocl-icd)
                            OCL_ICD_FILENAMES=\$PWD/lib/libpumice.so.1 some-program   (Khronos)
Without:                    LD_LIBRARY_PATH=\$PWD/lib/pumice some-program
For all programs, as root:  echo \$PWD/lib/libpumice.so.1 >/etc/OpenCL/vendors/pumice.icd
The devices:                bin/pumice-info
The compiler:               bin/pumice-cc --help
END
    pack "$out.tar.zst" "$out"
}

rm -rf "$root"
mkdir -p "$root/work"
say "$name.tar.zst"
git archive --format=tar --prefix="$name/" HEAD | zstd -q -19 -T1 -o "$root/$name.tar.zst"
git archive --format=tar --prefix="$name/" HEAD | tar -x -C "$root/work"

# glibc 2.31 and newer: built against Debian 11's. Headers without a libc come from this machine.
say "glibc 2.31"
sh "$source/tests/arm/root.sh" amd64 "$root/work/root-glibc" bullseye >"$root/work/log" 2>&1 || { cat "$root/work/log"; exit 1; }
mkdir -p "$root/work/root-headers"
for folder in vulkan vk_video CL spirv; do
    cp -r "/usr/include/$folder" "$root/work/root-glibc/usr/include/"
    ln -sfn "/usr/include/$folder" "$root/work/root-headers/$folder"
done
portable glibc portable.cmake "$root/work/root-glibc"
for file in "$root/work/$name-linux-x86_64-glibc"/lib/*.so.1 "$root/work/$name-linux-x86_64-glibc"/lib/pumice/*.so.1 \
    "$root/work/$name-linux-x86_64-glibc"/bin/*; do
    newest=$(newest_glibc "$file")
    [ -n "$newest" ] && [ "$(printf '%s\nGLIBC_2.31\n' "$newest" | sort -V | tail -n 1)" = GLIBC_2.31 ] || { echo "$file needs $newest" >&2; exit 1; }
done
portable musl musl.cmake "$root/work/root-headers"

say "Debian packages"
configure debian -DCMAKE_INSTALL_PREFIX=/usr -DPUMICE_PACKAGES=ON ${MAINTAINER:+"-DPUMICE_MAINTAINER=$MAINTAINER"}
(cd "$root/work/debian" && cpack >"$root/work/log" 2>&1) || { cat "$root/work/log"; exit 1; }
cp "$root/work/debian"/*.deb "$root/"

say "$name.spdx.json"
python3 "$source/cmake/sbom.py" "$name" "$version" "$arch" "$root" >"$root/$name.spdx.json"
if command -v pyspdxtools >/dev/null; then pyspdxtools -i "$root/$name.spdx.json"; fi # validates it
(cd "$root" && sha256sum pumice* >SHA256SUMS)
rm -rf "$root/work"
say "build/dist"
cat "$root/SHA256SUMS"
