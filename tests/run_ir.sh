#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Golden tests on IR text: run_ir.sh [--update] TOOL FOLDER...
#
# For each FOLDER/NAME.ir the tool prints the module after the passes given by a line `; run: FLAGS` (among the first
# three); without one, after the pass that the folder is named after if it is in tests/passes, else as read. The output
# must equal NAME.expected; if NAME.err exists, the tool must fail with that message. Printed IR must parse to the same.
update=
[ "$1" = --update ] && { update=1; shift; }
[ $# -ge 2 ] || { sed -n '3,7p' "$0" >&2; exit 2; }
tool=$1
shift
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
. "$(dirname "$0")/golden.sh"

complaint() {
    base=${1%.ir}
    flags=$(sed -n '1,3s/^; run: *//p' "$1")
    folder=$(dirname "$1")
    case $flags,$(basename "$(dirname "$folder")") in ,passes) flags="--pass $(basename "$folder")" ;; esac
    (ulimit -t 20 && "$tool" $flags "$1") >"$scratch/out" 2>"$scratch/err" </dev/null
    golden $? || return
    "$tool" "$scratch/out" >"$scratch/again" 2>&1
    cmp -s "$scratch/out" "$scratch/again" || { echo "reads back differently"; diff "$scratch/out" "$scratch/again" | head; }
}

for folder in "$@"; do
    for file in "$folder"/*.ir; do
        [ -e "$file" ] || continue
        complaint "$file" >"$scratch/complaint"
        if [ -s "$scratch/complaint" ]; then
            failed=$((failed + 1))
            echo "FAIL $file: $(cat "$scratch/complaint")"
        else
            passed=$((passed + 1))
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
