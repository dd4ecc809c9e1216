#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Cooperative matrices of another producer: matrices.sh EXEC_RUN FOLDER. LLVM compiles il/ext_matrix_units.ll to SPIR-V, and the
# case of that name runs from this module.
# Exit status: 0 right, 1 wrong, 77 no device, or no LLVM that supports such matrices.
here=$(dirname "$0")
module=$here/../il/module.sh
release=$("$module" --release) || exit 77
if [ "$release" -lt 18 ]; then
    echo "LLVM $release does not know cooperative matrices"
    exit 77
fi
mkdir -p "$2"
"$module" "$here/../il/ext_matrix_units.ll" "$2/ext_matrix_units.spv" || exit 1
exec "$1" --il "$2" "$here/ext_matrix_units.cl"
