#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The table of extensions, conformance/extensions.md, has a row for each row of extensions.def and
# equals the output of pumice-info: extensions.sh PUMICE-INFO [write].
here=$(cd "$(dirname "$0")" && pwd)
table=$here/../../conformance/extensions.md
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
"$1" --extensions >"$scratch/made" || exit 1
[ "$2" = write ] && cp "$scratch/made" "$table"
status=0
for name in $(sed -n 's/^EXTENSION([A-Z0-9_]*, "\([^"]*\)".*/\1/p' "$here/../../include/pumice/extensions.def"); do
    [ "$(grep -c "^| $name | [0-9]" "$table")" = 1 ] || { echo "$name is not there once"; status=1; }
done
for name in $(sed -n 's/^| \([a-z][a-z_0-9]*\) |.*/\1/p' "$table" | grep -v '^extension$' | sort | uniq -d); do
    echo "$name is there twice" && status=1
done
diff "$table" "$scratch/made" || status=1
exit $status
