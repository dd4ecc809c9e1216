#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The libraries and pumice-cc compile against musl's headers as well. Status 77: there is no musl-gcc.
# Usage: musl.sh SOURCE_DIR
command -v musl-gcc >/dev/null || exit 77
cd "$1" || exit 2
include=$(mktemp -d) || exit 2
trap 'rm -rf "$include"' EXIT
# These headers do not depend on libc but are installed in the same folder as glibc's.
for name in vulkan vk_video CL spirv; do ln -s "/usr/include/$name" "$include/$name"; done
find src kernels-compiler -name '*.c' ! -path '*/windows/*' -print0 |
    xargs -0 -n 20 musl-gcc -std=gnu11 -fsyntax-only '-DPUMICE_VERSION="0"' -Iinclude -Isrc \
        -Ikernels-compiler -idirafter "$include"
