#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The commands below "First program" of README.md work as they are there, in a folder with README's doc. --check and --bench are
# run by pumice_info.sh. Status 77: no OpenCL loader to link with.
# Usage: first_program.sh SOURCE_DIR FOLDER-OF-THE-COMMANDS DRIVER
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
ln -s "$1/doc" "$scratch/doc"
cd "$scratch" || exit 2
echo 'int main(void) { return 0; }' >empty.c
cc -o empty empty.c -lOpenCL 2>/dev/null || exit 77
export PATH="$2:$PATH" OCL_ICD_VENDORS="$3"
sed -n '/^## First program/,/^## Devices/s/^    \(.*[^ ]\)  *# .*/\1/p' "$1/README.md" | grep -vE -- '--(check|bench)' >commands
[ "$(wc -l <commands)" -ge 6 ] || { echo "README.md has too few commands"; exit 1; }
failed=0
while read -r command; do
    sh -c "$command" >log 2>&1 || { echo "$command fails:" && cat log && failed=1; }
done <commands
for file in add.spv all.spv; do [ -s $file ] || { echo "there is no $file" && failed=1; }; done
./first doc/first.cl | grep -q '^added 1048576 numbers on ' || { echo "first does not add" && failed=1; }
! command -v python3 >/dev/null || python3 -m json.tool trace.json >/dev/null || { echo "trace.json is not JSON" && failed=1; }
exit $failed
