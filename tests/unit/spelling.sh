#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the words in texts for people: codespell finds no misspelt word in documents, help texts and comments; documents, help
# texts and the comments of the rooms below use plain words; a line of README.md has at most two sentences. Status 77: no
# codespell.
# Usage: spelling.sh SOURCE_DIR
cd "$1" || exit 2
failed=0
fail() { echo "$*" && failed=1; }

# Words that have a plainer one.
riddles='anew|anyhow|alone|as far as|(has|have|had) not(?! been)|has none|of what(?! to)|does without|nowhere|lies|told|tells|kept|taken|by that'
documents="README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md MAP.md $(ls conformance/*.md doc/*.md doc/*.[1-8] kernels-compiler/cc/*.1)"
# Not MAP.md, whose drawing names states of a command.
plain="README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md $(ls conformance/*.md doc/*.md doc/*.[1-8] kernels-compiler/cc/*.1)
    src/util/options.def kernels-compiler/cc/options.def src/vulkan/needs.def src/info/info.c src/info/refused.def"
# shellcheck disable=SC2086
grep -nwiP "$riddles" $plain | grep -v 'SPDX' && fail "use plain words (tests/unit/spelling.sh has the list)"

comments() { # words, rooms...
    words=$1
    shift
    found=$(grep -rnwiP --include='*.[ch]' --include='*.cl' --include='*.def' "//.*\b($words)\b" "$@"
        grep -rnwiP --include='*.ir' --include='*.spvasm' --include='*.ll' "^;.*\b($words)\b" "$@"
        grep -rnwiP --include='*.cmake' --include='*.sh' --include='*.py' "^\s*#.*\b($words)\b" "$@")
    [ -z "$found" ] || fail "use plain words in comments: $found"
}
comments 'anew|anyhow|(has|have|had) not(?! been)|of what(?! to)|does without|nowhere|lies|told|whoever|by that' \
    cmake icd include kernels-compiler src tests

sentences=$(grep -nP '[.!?][)`"*]* +[A-Z`].*[.!?][)`"*]* +[A-Z`].*' README.md | grep -P '[.!?][)`"*]*( \|)?$')
[ -z "$sentences" ] || fail "more than two sentences in a line of README.md: $sentences"

command -v codespell >/dev/null || exit $((failed ? 1 : 77))
# Names of instructions, macros of mdoc, variables and drivers; "halfs" are values of the type half.
# shellcheck disable=SC2086
codespell -L halfs,nd,lod,fle,renderd,statics,zink $documents src include icd kernels-compiler cmake doc/layers.txt tests/*.sh tests/*/*.sh tests/unit tests/api ||
    failed=1
exit $failed
