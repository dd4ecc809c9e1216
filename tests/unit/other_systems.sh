#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The libraries and the commands compile without a warning for other operating systems: with clang
# and the headers that are part of Zig (the folder lib of its package). Nothing is linked.
# Usage: other_systems.sh SOURCE_DIR CLANG ZIG_LIB [SYSTEM...]
# android: with the headers of BIONIC, the folder libc of a checkout of Android's C library, which it needs in the environment.
cd "$1" || exit 2
clang=$2 headers=$3/libc/include
[ -d "$headers" ] || exit 77
shift 3
[ $# -gt 0 ] || set -- macos freebsd windows windows_arm64 musl_riscv64 musl_armhf musl_i386 ${BIONIC:+android}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
for name in vulkan vk_video CL spirv; do ln -s "/usr/include/$name" "$scratch/$name"; done
failed=0

compile() { # system, target, systems to undefine, include folders...
    system=$1 target=$2 without=$3 include= flags=
    shift 3
    for folder in "$@"; do
        case $folder in /*) ;; *) folder=$headers/$folder ;; esac
        [ -d "$folder" ] || { echo "$system: no headers" && return; }
        include="$include -isystem $folder"
    done
    [ $without = windows ] || flags="-D__USE_MINGW_ANSI_STDIO=1 -D__USE_MINGW_SETJMP_NON_SEH -D_WIN32_WINNT=0x0A00 -Wno-format"
    # shellcheck disable=SC2086
    if find src kernels-compiler -name '*.c' ! -path "*/platform/$without/*" -print0 |
        xargs -0 -n 40 -P "$(nproc)" "$clang" -target $target -std=gnu11 -fsyntax-only -Wall -Wextra -Wno-unknown-warning-option -Werror \
            '-DPUMICE_VERSION="0"' $flags -nostdlibinc $include -Iinclude -Isrc -Ikernels-compiler -isystem "$scratch" >"$scratch/out" 2>&1 &&
        find src/platform -name stack.c ! -path "*/platform/$without/*" -exec "$clang" -target $target -std=gnu11 -c $flags -nostdlibinc \
            $include -Isrc -o "$scratch/stack.o" {} + >"$scratch/out" 2>&1; then # assembly language
        echo "$system: compiles"
    else
        echo "$system: FAILED"
        grep -E 'error|warning' "$scratch/out" | head
        failed=1
    fi
}

for system in "$@"; do
    case $system in
    macos) # the folder's name differs between versions of Zig
        folder=any-darwin-any
        [ -d "$headers/$folder" ] || folder=any-macos-any
        compile macos aarch64-apple-macos13 windows $folder ;;
    freebsd) compile freebsd x86_64-unknown-freebsd14 windows x86_64-freebsd-none generic-freebsd ;;
    windows) compile windows x86_64-w64-windows-gnu posix any-windows-any ;;
    windows_arm64) compile windows_arm64 aarch64-w64-windows-gnu posix any-windows-any ;;
    musl_riscv64) compile musl_riscv64 riscv64-linux-musl windows riscv64-linux-musl generic-musl ;;
    musl_armhf) compile musl_armhf arm-linux-musleabihf windows arm-linux-musl generic-musl ;;
    android) compile android aarch64-linux-android21 windows "$BIONIC/include" "$BIONIC/kernel/uapi" "$BIONIC/kernel/uapi/asm-arm64" \
        "$BIONIC/kernel/android/uapi" ;;
    musl_i386) compile musl_i386 i386-linux-musl windows x86-linux-musl generic-musl ;;
    *) echo "no such system: $system" && failed=1 ;;
    esac
done
exit $failed
