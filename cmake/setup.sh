#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The one-command entries, on a fresh Debian 12 or 13, as root or with sudo:
#   sh cmake/setup.sh run    install what is needed, build, show the device, run real programs on it
#   sh cmake/setup.sh test   install what is needed, build, pass the tests
#   sh cmake/setup.sh test-windows   install what is needed, build for Windows, pass the tests under Wine. ICD_LOADER=FOLDER: a
#                            checkout of Khronos's OpenCL-ICD-Loader, which is built and tested with
#   sh cmake/setup.sh package [i386|arm64 ...]   install what is needed, make the Debian packages build/package/*.deb and try them;
#                            those of the named architectures are build/package-ARCHITECTURE/*.deb. MAINTAINER="NAME <ADDRESS>":
#                            the person that the packages name
#   sh cmake/setup.sh test-packages [i386|arm64 ...]   the same, then install, upgrade and remove them in clean roots of Debian 12
#                            and 13
#   sh cmake/setup.sh release   install what is needed, make the archives, packages and checksums of a release in build/dist
#   sh cmake/setup.sh bench [ICD ...]   install what is needed, build, time everything beside the other OpenCL drivers there are
#   sh cmake/setup.sh install-packages   only the first step
#
# Debian 12's own lavapipe (22.3.6) stops long loops silently, so there the driver comes from
# bookworm-backports; the suite is added by repeating the machine's own Debian source under that name.
set -eu
cd "$(dirname "$0")/.."
export DEBIAN_FRONTEND=noninteractive

BUILD_PACKAGES="gcc cmake ninja-build pkg-config libc6-dev libvulkan-dev opencl-headers spirv-headers libpng-dev
    mesa-vulkan-drivers ocl-icd-libopencl1 ocl-icd-opencl-dev clinfo"
RUN_PACKAGES="clpeak"
TEST_PACKAGES="valgrind spirv-tools glslang-tools libmpfr-dev vulkan-validationlayers clang libclang-rt-dev python3 binutils musl-tools mandoc codespell
    libegl1 libgl1 libgles2 libx11-6 xvfb openmpi-bin libopenmpi-dev python3-dask python3-pyopencl"
WINDOWS_PACKAGES="gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 wine wine64 xvfb opencl-clhpp-headers spirv-tools python3"
# Software OpenGL for the tests of sharing; it must be of the same release as the Vulkan driver.
GL_PACKAGES="libegl-mesa0 libglx-mesa0 libgl1-mesa-dri"

# clang with llvm-spirv of the same release: the newest such pair in Debian 12 is 15, in Debian 13
# it is 19.
il_packages() {
    case $(codename) in
    bookworm) echo clang-15 llvm-spirv-15 ;;
    trixie) echo clang-19 llvm-spirv-19 ;;
    esac
}

say() { printf '\n== %s\n' "$*"; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

codename() { (. /etc/os-release && echo "${VERSION_CODENAME:-}"); }

# Prints the URI of the machine's own Debian source for suite $1, from either format of source list.
debian_uri() {
    for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$f" ] || continue
        sed 's/\[[^]]*\]//' "$f" | awk -v suite="$1" '$1 == "deb" && $3 == suite { print $2; exit }'
    done
    for f in /etc/apt/sources.list.d/*.sources; do
        [ -f "$f" ] || continue
        awk -v suite="$1" '
            /^URIs:/ { uri = $2 }
            /^Suites:/ { for (i = 2; i <= NF; i++) if ($i == suite) found = 1 }
            /^$/ { if (found && uri) { print uri; exit } uri = ""; found = 0 }
            END { if (found && uri) print uri }' "$f"
    done
}

add_backports() {
    [ "$(codename)" = bookworm ] || return 0
    if apt-cache policy 2>/dev/null | grep -q 'n=bookworm-backports'; then return 0; fi
    uri=$(debian_uri bookworm | head -n 1)
    [ -n "$uri" ] || { echo "no Debian 12 source found in /etc/apt: cannot add bookworm-backports" >&2; exit 1; }
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s bookworm-backports main\n' "$uri" |
        as_root tee /etc/apt/sources.list.d/bookworm-backports.list >/dev/null
    as_root apt-get update -q
}

# Whether all packages are installed and the driver is new enough; then the network is not needed.
installed() {
    for p in "$@"; do
        dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || return 1
    done
    dpkg --compare-versions "$(dpkg-query -W -f '${Version}' mesa-vulkan-drivers)" ge 25
}

install_packages() {
    # shellcheck disable=SC2086
    if installed $BUILD_PACKAGES "$@"; then return 0; fi
    say "installing packages"
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        echo "packages are missing: run this as root, or install sudo" >&2
        exit 1
    fi
    as_root apt-get update -q
    add_backports
    as_root apt-get install -q -y --no-install-recommends $BUILD_PACKAGES "$@"
    if [ "$(codename)" = bookworm ]; then
        case " $* " in *" libegl-mesa0 "*) gl=$GL_PACKAGES ;; *) gl= ;; esac
        # shellcheck disable=SC2086
        as_root apt-get install -q -y --no-install-recommends -t bookworm-backports mesa-vulkan-drivers $gl
    fi
}

build() { # preset, target, options of cmake...
    preset=$1 target=$2
    shift 2
    say "building ($preset)"
    cmake --preset "$preset" "$@" >"$preset.log" 2>&1 || { cat "$preset.log"; rm -f "$preset.log"; return 1; }
    rm -f "$preset.log"
    cmake --build --preset "$preset" --target "$target"
}

run() {
    # shellcheck disable=SC2086
    install_packages $RUN_PACKAGES
    build release all
    export OCL_ICD_VENDORS="$PWD/build/release/libpumice.so"
    say "clinfo"
    clinfo -l
    clinfo | grep -E '^ *(Platform Version|Device (Name|Version|Type)|Driver Version|Global memory size|Max compute units)' || true
    build/release/tests/apps/matrix_shapes
    say "clpeak"
    clpeak
    say "image example: 5x5 Gaussian blur and histogram of tests/apps/image_input.png"
    build/release/tests/apps/image_example tests/apps/image_input.png build/release/image_blurred.png
}

failed=

# One stage of the tests: a failure is reported again at the end and does not stop the later stages.
stage() { # name, command...
    name=$1
    shift
    say "$name"
    "$@" || failed="$failed
   $name"
}

# One job more than there are processors, because some tests sleep or wait for the device.
tests_of() { # preset, what ctest takes...
    preset=$1
    shift
    ctest --test-dir "build/$preset" --output-on-failure -j "$(($(nproc) + 1))" "$@"
}

run_tests() {
    # shellcheck disable=SC2086
    install_packages $TEST_PACKAGES $GL_PACKAGES $(il_packages)
    # Labelled tests give the same result in both builds (tests/CMakeLists.txt), so they run in one
    # only.
    stage "release: build" build release all -DPUMICE_WERROR=ON
    stage "release: tests" tests_of release -LE checked
    stage "AddressSanitizer and UndefinedBehaviorSanitizer: build" build asan all -DPUMICE_WERROR=ON "-DPUMICE_MODULES=$PWD/build/release/tests/exec"
    stage "AddressSanitizer and UndefinedBehaviorSanitizer: tests" tests_of asan -LE 'fuzz|plain'
    stage "ThreadSanitizer: build" build tsan threaded -DPUMICE_WERROR=ON "-DPUMICE_TOOLS=$PWD/build/release"
    if ! [ -x build/tsan/tests/unit_util_arena ]; then
        : # not built, which is reported already
    elif build/tsan/tests/unit_util_arena >/dev/null 2>&1; then
        export TSAN_OPTIONS="suppressions='$PWD/tests/tsan.supp'"
        stage "ThreadSanitizer: threaded tests" tests_of tsan -L threads
        unset TSAN_OPTIONS
    else
        say "ThreadSanitizer does not start on this kernel: threaded tests run without it"
    fi
    tell_failed
}

tell_failed() {
    [ -z "$failed" ] || {
        say "failed:$failed"
        return 1
    }
    say "all passed"
}

test_windows() {
    # shellcheck disable=SC2086
    install_packages $WINDOWS_PACKAGES
    loader=
    sh tests/windows/root.sh build/root-windows
    stage "this machine: pumice-cc" build release pumice-cc
    stage "Windows: build" build windows all
    stage "Windows: zip" cmake --build --preset windows --target package
    if [ -n "${ICD_LOADER:-}" ]; then
        stage "Windows: Khronos's loader" build_loader "$ICD_LOADER"
        loader=$PWD/build/windows-loader/OpenCL.dll
    fi
    stage "Windows: tests" tests/windows/run.sh build/windows build/release ${loader:+"$loader"}
    tell_failed
}

build_loader() { # folder of its source
    cmake -S "$1" -B build/windows-loader -G Ninja "-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/windows.cmake" "-DPUMICE_ROOT=$PWD/build/root-windows" \
        "-DOPENCL_ICD_LOADER_HEADERS_DIR=$PWD/build/root-windows/include" -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Release &&
        cmake --build build/windows-loader
}

# Builds the packages in a folder.
package_of() { # folder, cmake's options...
    folder=$1
    shift
    say "building ($folder)"
    mkdir -p build
    cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DPUMICE_PACKAGES=ON -DBUILD_TESTING=OFF \
        ${MAINTAINER:+"-DPUMICE_MAINTAINER=$MAINTAINER"} "$@" >build/package.log || { cat build/package.log; return 1; }
    cmake --build "$folder"
    rm -f "$folder"/*.deb
    (cd "$folder" && cpack)
}

cross_compiler() { # architecture
    case $1 in
    i386) echo gcc-i686-linux-gnu ;;
    arm64) echo gcc-aarch64-linux-gnu ;;
    *) echo "packages are made for i386 and arm64, not $1" >&2 && exit 2 ;;
    esac
}

# Tries the contents from a folder without installing them.
package() { # architecture...
    compilers=
    for arch; do compilers="$compilers $(cross_compiler "$arch")"; done
    # shellcheck disable=SC2086
    install_packages dpkg-dev file $compilers
    package_of build/package
    tests/unit/packages.sh build/package
    for arch; do
        [ -d "build/root-$arch" ] || sh tests/arm/root.sh "$arch" "build/root-$arch" >build/package.log 2>&1 ||
            { cat build/package.log && rm -rf "build/root-$arch" && return 1; }
        package_of "build/package-$arch" "-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/$arch.cmake" "-DPUMICE_ROOT=$PWD/build/root-$arch"
    done
}

# Programs of i386 run on amd64; those of arm64 by QEMU's emulation.
test_packages() { # architecture...
    case " $* " in *" arm64 "*) emulator=qemu-user-static ;; *) emulator= ;; esac
    # shellcheck disable=SC2086
    install_packages debootstrap lintian $emulator
    package "$@"
    suites="bookworm trixie" roots=
    [ "$(codename)" = bookworm ] || suites=trixie # its glibc is newer than Debian 12's
    for suite in $suites; do
        roots="$roots $suite"
        for arch; do roots="$roots $suite:$arch"; done
    done
    # shellcheck disable=SC2086
    as_root tests/packages/roots.sh build/package $roots
}

release() {
    install_packages dpkg-dev file git zstd musl-tools binutils python3
    cmake/release.sh
}

bench() {
    install_packages glslang-tools
    build release all
    tests/bench/all.sh build/release build/release/bench "$@"
}

case "${1:-}" in
run) run ;;
bench) shift; bench "$@" ;;
test) run_tests ;;
test-windows) test_windows ;;
package) shift; package "$@" ;;
test-packages) shift; test_packages "$@" ;;
release) release ;;
install-packages) install_packages $RUN_PACKAGES $TEST_PACKAGES $GL_PACKAGES $(il_packages) ;;
*)
    sed -n '3,17s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
