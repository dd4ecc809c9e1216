#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A tree is made where nothing is installed that only tests need, as the first of README's two commands makes it.
# Usage: bare.sh CMAKE SOURCE_DIR
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
"$1" -S "$2" -B "$scratch" -G Ninja -DSPIRV_AS=OFF -DGLSLANG=OFF -DPUMICE_PYTHON=OFF -DMPFR_LIBRARY=OFF >"$scratch/out" 2>&1 &&
    ninja -C "$scratch" -n >>"$scratch/out" 2>&1 && exit 0
cat "$scratch/out"
exit 1
