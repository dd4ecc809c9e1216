#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random mutations of the folder's modules: random.sh READER_RANDOM FOLDER SEED COUNT
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
for file in "$2"/*.spvasm; do
    env=$(sed -n 's/^; env: *//p' "$file")
    spirv-as --preserve-numeric-ids --target-env "${env:-spv1.2}" -o "$scratch/$(basename "$file" asm)" "$file" || exit 1
done
PUMICE_VERIFY=1 "$1" "$3" "$4" "$scratch"/*.spv
