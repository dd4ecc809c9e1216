#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Keeps documents and code consistent: pumice(7) has the environment variables of options.def,
# pumice-info(1) the options of --help; the files named in README.md, CONTRIBUTING.md and MAP.md
# exist; README.md is short; the manual pages have no lint warnings.
# Usage: readme.sh SOURCE_DIR [write]: writes the switches into pumice(7)
cd "$1" || exit 2
failed=0
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" && failed=1; }

sed -n 's/^OPTION([A-Z_]*, "\([A-Z_]*\)", "\(.*\)")$/.It Ev \1\n\2/p' src/util/options.def >"$scratch/wanted"
if [ "$2" = write ]; then
    sed -e "/begin options.def/r $scratch/wanted" -e '/begin options.def/,/end options.def/{/options.def/!d}' doc/pumice.7 >"$scratch/page" &&
        cp "$scratch/page" doc/pumice.7
fi
sed -n '/begin options.def/,/end options.def/p' doc/pumice.7 | sed '1d;$d' | diff "$scratch/wanted" - ||
    fail "options.def (<) and doc/pumice.7 (>) differ: $0 . write"

sed -n 's/^ *"  --\([a-z]*\).*/\1/p' src/info/info.c | sort -u >"$scratch/wanted"
[ -s "$scratch/wanted" ] || fail "no options found in src/info/info.c"
sed -n 's/^\.It Fl -\([a-z]*\).*/\1/p' doc/pumice-info.1 | sort -u | diff "$scratch/wanted" - || fail "info.c (<) and doc/pumice-info.1 (>) differ"

for path in $(grep -hoE '`(src|tests|cmake|conformance|include|kernels-compiler|icd|doc)/[a-zA-Z0-9_./-]+`|\]\([a-z][a-zA-Z0-9_./-]+\)' \
    README.md CONTRIBUTING.md | tr -d '`])(' | sort -u); do
    [ -e "$path" ] || fail "README.md or CONTRIBUTING.md names $path, which does not exist"
done
for page in conformance/*.md doc/*.md; do
    for path in $(grep -hoE '\]\([a-zA-Z.][a-zA-Z0-9_./-]+\)' "$page" | tr -d '])('); do
        [ -e "$(dirname "$page")/$path" ] || fail "$page names $path, which does not exist"
    done
done
for name in $(grep -oE '[a-z_]+\.(c|h|def)\b' MAP.md | sort -u); do
    [ -n "$(find src kernels-compiler include -name "$name")" ] || fail "MAP.md names $name, which does not exist"
done

version=$(sed -n 's/^project(pumice VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
for place in "cmake/packages/PKGBUILD:^pkgver=$version$" "cmake/packages/pumice.spec:pumice_version:$version}" "CHANGELOG.md:^## $version"; do
    grep -q "${place#*:}" "${place%%:*}" || fail "${place%%:*} is not of version $version"
done
[ "$(wc -l <README.md)" -le 200 ] || fail "README.md has more than 200 lines"
sh doc/layers.sh check || fail "doc/layers.svg is not what doc/layers.sh makes of layers.txt"
if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning doc/*.[1-8] kernels-compiler/cc/*.1 | grep -v 'mandoc.db' | grep . && fail "mandoc -T lint warns"
fi
exit $failed
