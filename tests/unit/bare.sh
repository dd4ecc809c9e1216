#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The configuration succeeds if only the packages of the first of README's two commands are installed.
# Usage: bare.sh CMAKE SOURCE_DIR
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
"$1" -S "$2" -B "$scratch" -G Ninja -DSPIRV_AS=OFF -DGLSLANG=OFF -DPUMICE_PYTHON=OFF -DMPFR_LIBRARY=OFF >"$scratch/out" 2>&1 &&
    ninja -C "$scratch" -n >>"$scratch/out" 2>&1 && exit 0
cat "$scratch/out"
exit 1
