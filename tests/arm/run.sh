#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the tests on ARM with QEMU's user-mode emulation and the software driver of a root made by tests/arm/root.sh:
#   tests/arm/run.sh BUILD HOST-BUILD [info|same|exec|api|lib ...]   (default: all)
# One line for each test, after the output of failed ones. Exits with 1 if something failed.
# info: clinfo and a line of clpeak. same: tests/arm/same.sh. exec, api, lib: the language, the API, the library.
# SECONDS_MOST limits each program (default 900); EXEC: the files of exec (default tests/exec/*.cl).
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) && host=$(cd "$2" && pwd) || exit 2
shift 2
[ $# -gt 0 ] || set -- info same exec api lib
seconds=${SECONDS_MOST:-900}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0
export PUMICE_CACHE_DIR="$scratch/cache"

emulate() { # program, argument...
    timeout "$seconds" "$here/emulate.sh" "$build" "$@"
}

info() {
    emulate /usr/bin/clinfo | grep -E '^ *(Platform Version|Device (Name|Version|Type|Profile)|Address bits|Max memory allocation|Global memory size)'
    emulate /usr/bin/clpeak --compute-integer --global-bandwidth || bad=1
}

same() {
    "$here/same.sh" "$build" "$host" || bad=1
}

# Few files in each process, so that a crash affects few.
exec_some() { # file...
    emulate tests/exec/exec_run "$@" >"$scratch/log" 2>&1
    code=$?
    grep -aE '^FAIL' "$scratch/log"
    if [ $code -gt 1 ]; then
        echo "  $* end with $code: $(tail -n 1 "$scratch/log")"
        bad=1
        return
    fi
    count=$(grep -aE '^[0-9]+ passed' "$scratch/log" | tail -n 1 | tr -dc '0-9 ')
    # shellcheck disable=SC2086
    set -- $count
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3)) bad=$((bad + $2))
}

language() {
    passed=0 failed=0 skipped=0
    [ -n "$EXEC" ] || EXEC=$(ls "$here"/../exec/*.cl)
    # shellcheck disable=SC2086
    set -- $EXEC
    while [ $# -ge 4 ]; do
        exec_some "$1" "$2" "$3" "$4"
        shift 4
    done
    [ $# = 0 ] || exec_some "$@"
    echo "language: $passed passed, $failed failed, $skipped skipped"
}

programs() { # what, program...
    name=$1 passed=0 failed=0 skipped=0
    shift
    for program; do
        [ -x "$program" ] && [ -f "$program" ] || continue
        emulate "${program#"$build/"}" >"$scratch/log" 2>&1
        code=$?
        case $code in
        0) passed=$((passed + 1)) ;;
        77) skipped=$((skipped + 1)) ;;
        *)
            failed=$((failed + 1)) bad=1
            echo "  $(basename "$program") ends with $code: $(grep -aE 'FAIL|:[0-9]+: ' "$scratch/log" | head -n 3 | tr '\n' ';')"
            ;;
        esac
    done
    echo "$name: $passed passed, $failed failed, $skipped skipped"
}

for what; do
    case $what in
    info) info ;;
    same) same ;;
    exec) language ;;
    api) programs API "$build"/tests/api/api_* ;;
    lib) programs library "$build/tests/lib/lib_exact" "$build/tests/lib/lib_ulp" ;;
    *) sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
[ "$bad" = 0 ]
