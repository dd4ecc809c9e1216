#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The compiler's environment variables in the driver: unknown words are reported once, and
# PUMICE_DUMP_DIR is created.
# Usage: switches.sh SEPARATE FILE.cl, where SEPARATE is a program that builds the file by kc_build()
program=$1 file=$2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

expect() { # what is checked, file, expected text
    printf '%s' "$3" | diff - "$2" || { echo "$1 is not as wanted"; failed=1; }
}

export PUMICE_DUMP_DIR="$scratch/a folder/of/dumps"
PUMICE_DUMP=spirv,words,lowered PUMICE_SKIP=opt_cse,opt_none,lower_args "$program" 0 "$file" >/dev/null 2>"$scratch/told"
grep '^pumice: ' "$scratch/told" >"$scratch/lines"
expect "what is told" "$scratch/lines" "pumice: warning: PUMICE_DUMP: unknown stage 'words'
pumice: warning: PUMICE_SKIP: unknown optional pass 'opt_none'
pumice: warning: PUMICE_SKIP: unknown optional pass 'lower_args'
"
for end in spv lowered; do
    set -- "$PUMICE_DUMP_DIR"/*."$end"
    [ -s "$1" ] || { echo "no .$end in PUMICE_DUMP_DIR"; failed=1; }
done
: >"$scratch/file"
PUMICE_DUMP_DIR="$scratch/file/x" PUMICE_DUMP=ast "$program" 0 "$file" >/dev/null 2>"$scratch/told"
grep -q "^pumice: warning: PUMICE_DUMP_DIR: cannot write $scratch/file/x/program.ast" "$scratch/told" || {
    echo "a folder that cannot be made goes untold"
    failed=1
}
exit $failed
