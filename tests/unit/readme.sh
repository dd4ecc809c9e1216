#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# README.md keeps up: its table of switches is that of options.def, and the files that it and MAP.md name are there.
# Usage: readme.sh SOURCE_DIR
cd "$1" || exit 2
failed=0
rows=$(mktemp) || exit 2
trap 'rm -f "$rows"' EXIT

sed -n 's/^OPTION([A-Z_]*, "\([A-Z_]*\)", "\(.*\)")$/| `\1` | \2 |/p' src/util/options.def >"$rows"
grep '^| `PUMICE_' README.md | diff "$rows" - || {
    echo "options.def (<) and README.md (>) differ"
    failed=1
}

for path in $(grep -hoE '`(src|tests|cmake|conformance|include|kernels-compiler|icd)/[a-zA-Z0-9_./-]+`|\]\([a-z][a-zA-Z0-9_./-]+\)' \
    README.md | tr -d '`])(' | sort -u); do
    [ -e "$path" ] || { echo "README.md names $path, which is not there" && failed=1; }
done
for name in $(grep -oE '[a-z_]+\.(c|h|def)\b' MAP.md | sort -u); do
    [ -n "$(find src kernels-compiler include -name "$name")" ] || { echo "MAP.md names $name, which is not there" && failed=1; }
done
exit $failed
