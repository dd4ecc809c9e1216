#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Golden tests: run.sh [--update] TOOL FOLDER|FILE...
#
# The folder's name selects the tool's options:
#   pp -E    parse --dump=ast    ir --dump=ir    passes --dump=passes    spirv --dump=spirv    others: none
# For each NAME.cl: the tool must succeed, and its output must equal NAME.expected if that file exists.
# If NAME.err exists, the tool must fail, and its messages - the lines `file:line:column: ...`, without
# the folder - must equal NAME.err. The first lines of a test may be directives:
#   // options: -cl-std=CL2.0        passed to the tool
#   // todo: reason                  known to fail; reported if it passes
# --update writes the tool's present output: .err if it failed, .expected if it succeeded.
# Ends with 'N passed, N failed'; the exit status is 1 if a test failed.

update=
while :; do
    case $1 in
    --update) update=1; shift ;;
    *) break ;;
    esac
done
[ $# -ge 2 ] || { sed -n '3,16p' "$0" >&2; exit 2; }
tool=$1
shift
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 todo=0

mode_of() {
    case $(basename "$1") in
    pp) echo -E ;;
    parse) echo --dump=ast ;;
    ir) echo --dump=ir ;;
    passes) echo --dump=passes ;;
    spirv) echo --dump=spirv ;;
    esac
}

# The messages of a failing tool, without the folder of file names.
messages() {
    sed -n "s|^\(.*/\)\{0,1\}\([^/:]*:[0-9]*:[0-9]*: \)|\2|p" "$1"
}

# complaint FILE: runs one test; prints nothing if it passes.
complaint() {
    base=${1%.cl}
    (cd "$(dirname "$1")" && ulimit -t "${RUN_SECONDS:-20}" && "$tool" $mode $options "$(basename "$1")") \
        >"$scratch/out" 2>"$scratch/log" </dev/null
    status=$?
    messages "$scratch/log" >"$scratch/err"
    if [ $status -gt 1 ]; then
        echo "exit status $status"
    elif [ -n "$update" ]; then
        rm -f "$base.err" "$base.expected"
        if [ $status = 0 ]; then cp "$scratch/out" "$base.expected"; else cp "$scratch/err" "$base.err"; fi
    elif [ -e "$base.err" ]; then
        if [ $status = 0 ]; then
            echo "compiled, but must fail"
        elif ! cmp -s "$scratch/err" "$base.err"; then
            echo "other messages"; diff "$base.err" "$scratch/err" | head -n "${RUN_DIFF:-6}"
        fi
    elif [ $status != 0 ]; then
        echo "does not compile"; head -n "${RUN_DIFF:-6}" "$scratch/log"
    elif [ ! -e "$base.expected" ]; then
        echo "has neither .expected nor .err"
    elif ! cmp -s "$scratch/out" "$base.expected"; then
        echo "other output"; diff "$base.expected" "$scratch/out" | head -n "${RUN_DIFF:-6}"
    fi
}

case $tool in /*) ;; *) tool=$PWD/$tool ;; esac
for where in "$@"; do
    if [ -d "$where" ]; then set -- "$where"/*.cl; else set -- "$where"; fi
    mode=$(mode_of "$(cd "$(dirname "$1")" && pwd)")
    for file in "$@"; do
        [ -e "$file" ] || continue
        options=$(sed -n '1,3s|^// options: ||p' "$file")
        known=$(sed -n '1,3s|^// todo: ||p' "$file")
        complaint "$file" >"$scratch/complaint"
        if [ -n "$known" ]; then
            todo=$((todo + 1))
            [ -s "$scratch/complaint" ] || echo "TODO PASSES $file ($known)"
        elif [ -s "$scratch/complaint" ]; then
            failed=$((failed + 1))
            echo "FAIL $file: $(head -n 1 "$scratch/complaint")"
            sed 1d "$scratch/complaint"
        else
            passed=$((passed + 1))
        fi
    done
done
[ $todo = 0 ] || echo "$todo todo"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
