#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares a program from source with the modules that another compiler makes of it at -O0 and -O2:
# both.sh CORPUS-BOTH FILE.cl [options]. MODULE_OPTIONS are additional options for the modules. Exit
# status: 0 equal, 1 different, 77 no tools or no device.
both=$1 file=$2
shift 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
for level in O0 O2; do
    # shellcheck disable=SC2086
    "$(dirname "$0")/../il/module.sh" "$file" "$scratch/$level.spv" -$level -ffp-contract=off "$@" ${MODULE_OPTIONS:-} || exit
    echo "-$level:"
    "$both" "$file" "$scratch/$level.spv" "$@" || exit
done
