#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs `setup.sh test` in a folder with a space in its name, with fake programs that record their
# arguments: every stage runs even if an earlier one fails, failures are listed at the end, and the
# exit status is right.
# Usage: setup_stages.sh SOURCE_DIR
source=$1
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
mkdir -p "$scratch/a tree/cmake" "$scratch/a tree/build/tsan/tests" "$scratch/bin"
cp "$source/cmake/setup.sh" "$scratch/a tree/cmake/"

program() { # name, what it does
    printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}
program dpkg-query 'echo install ok installed'
program dpkg 'exit 0'
program cmake 'echo "cmake $*" >>"$NOTES"; case "$*" in "$BREAK"*) exit 1 ;; esac'
program ctest 'echo "ctest $2 $TSAN_OPTIONS" >>"$NOTES"; case "$2" in "$BREAK") exit 1 ;; esac'
printf '#!/bin/sh\n' >"$scratch/a tree/build/tsan/tests/unit_util_arena"
chmod +x "$scratch/a tree/build/tsan/tests/unit_util_arena"

check() { # failing program, expected exit status, expected list at the end
    : >"$scratch/notes"
    PATH=$scratch/bin:$PATH NOTES=$scratch/notes BREAK=$1 sh "$scratch/a tree/cmake/setup.sh" test >"$scratch/out" 2>&1
    status=$?
    cat >"$scratch/wanted" <<END
cmake --preset release
cmake --build --preset release --target all
ctest build/release 
cmake --preset asan -DPUMICE_MODULES=$scratch/a tree/build/release/tests/exec
cmake --build --preset asan --target all
ctest build/asan 
cmake --preset tsan -DPUMICE_TOOLS=$scratch/a tree/build/release
cmake --build --preset tsan --target threaded
ctest build/tsan suppressions='$scratch/a tree/tests/tsan.supp'
END
    if [ $status != "$2" ] || ! diff "$scratch/notes" "$scratch/wanted" || [ "$(tail -n 1 "$scratch/out")" != "$3" ]; then
        echo "'$1' fails: status $status, told:"
        cat "$scratch/out"
        failed=1
    fi
}

check nothing 0 '== all passed'
check build/asan 1 '   AddressSanitizer and UndefinedBehaviorSanitizer: tests'
check '--build --preset tsan' 1 '   ThreadSanitizer: build'
check build/release 1 '   release: tests'
exit $failed
