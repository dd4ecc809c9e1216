#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kernels that enqueue kernels, from SPIR-V: device_queue.sh PROGRAM runs the program with modules
# that clang makes from its source; 77 without clang.
set -u
module=$(dirname "$0")/../il/module.sh
"$module" --release >/dev/null || exit 77
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
"$1" --source >"$scratch/kernels.cl" || exit 1
for level in O0 O2; do
    "$module" "$scratch/kernels.cl" "$scratch/$level.spv" -$level -cl-std=CL3.0 || exit 1
    "$1" "$scratch/$level.spv" || exit 1
done
