#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every file says its licence by a line of SPDX, or is named in REUSE.toml, but not both; and REUSE.toml names no file in vain.
# Usage: licences.sh SOURCE_DIR [write]: write appends the line to sources, tests and pages that lack it
cd "$1" || exit 2
failed=0
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
git ls-files >"$scratch/files" 2>/dev/null
[ -s "$scratch/files" ] || find . -name 'build*' -prune -o -type f -print | sed 's#^\./##' >"$scratch/files"
# Patterns of REUSE.toml as regular expressions: ** is any path.
sed -n 's/^    "\(.*\)",$/\1/p' REUSE.toml >"$scratch/patterns"
[ -s "$scratch/patterns" ] || { echo "REUSE.toml has no patterns"; exit 1; }
sed 's/\./\\./g; s/\*\*/.*/g; s/^/^/; s/$/$/' "$scratch/patterns" >"$scratch/expressions"
grep -vE '^LICENSE$' "$scratch/files" | tr '\n' '\0' | xargs -0 grep -L 'SPDX-License-Identifier: Apache-2.0' >"$scratch/without"
for file in $(grep -vE -f "$scratch/expressions" "$scratch/without"); do
    [ -e "$file" ] || continue
    [ "$2" = write ] && case $file in
    *.cl | *.c | *.h) echo '// SPDX-License-Identifier: Apache-2.0' >>"$file" && continue ;;
    *.ir | *.spvasm) echo '; SPDX-License-Identifier: Apache-2.0' >>"$file" && continue ;;
    *.sh | *.py | *.txt) echo '# SPDX-License-Identifier: Apache-2.0' >>"$file" && continue ;;
    *.md) printf '\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n' >>"$file" && continue ;;
    esac
    echo "$file has no SPDX line: $0 . write appends it" && failed=1
done
for file in $(grep -E -f "$scratch/expressions" "$scratch/files" | grep -vxF -f "$scratch/without"); do
    [ -e "$file" ] && echo "$file has an SPDX line: REUSE.toml need not name it" && failed=1
done
while read -r expression; do
    grep -qE "$expression" "$scratch/files" || { echo "REUSE.toml names $expression, which no file matches" && failed=1; }
done <"$scratch/expressions"
exit $failed
