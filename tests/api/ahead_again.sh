#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The second of two processes has the pipelines that the first one has launched compiled ahead, also
# if the file that says so has been damaged in between.
#
#   ahead_again.sh API_AHEAD
set -eu
PUMICE_CACHE_DIR=$(mktemp -d)
export PUMICE_CACHE_DIR
trap 'rm -rf "$PUMICE_CACHE_DIR"' EXIT
"$1" first
"$1" second
for file in "$PUMICE_CACHE_DIR"/*launches*; do
    size=$(wc -c < "$file")
    head -c $((size - 9)) "$file" > "$file.cut"
    mv "$file.cut" "$file"
done
"$1" first
"$1" second
