#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs setup.sh in a folder with a space in its name, with fake programs that record their
# arguments. `test`: every stage runs even if an earlier one fails, failures are listed at the end,
# and the exit status is right. `run` and `package`: the programs that README.md names are run.
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
cmake --preset release -DPUMICE_WERROR=ON
cmake --build --preset release --target all
ctest build/release 
cmake --preset asan -DPUMICE_WERROR=ON -DPUMICE_MODULES=$scratch/a tree/build/release/tests/exec
cmake --build --preset asan --target all
ctest build/asan 
cmake --preset tsan -DPUMICE_WERROR=ON -DPUMICE_TOOLS=$scratch/a tree/build/release
cmake --build --preset tsan --target threaded
ctest build/tsan suppressions='$scratch/a tree/tests/tsan.supp'
END
    if [ $status != "$2" ] || ! diff "$scratch/notes" "$scratch/wanted" || [ "$(tail -n 1 "$scratch/out")" != "$3" ]; then
        echo "'$1' fails: status $status, output:"
        cat "$scratch/out"
        failed=1
    fi
}

check nothing 0 '== all passed'
check build/asan 1 '   AddressSanitizer and UndefinedBehaviorSanitizer: tests'
check '--build --preset tsan' 1 '   ThreadSanitizer: build'
check build/release 1 '   release: tests'

for name in clinfo clpeak cpack; do program $name "echo \"$name \$*\" >>\"\$NOTES\""; done
mkdir -p "$scratch/a tree/build/package" "$scratch/a tree/build/package-i386" "$scratch/a tree/build/release/tests/apps" "$scratch/a tree/tests/unit" "$scratch/a tree/tests/arm"
for place in build/release/tests/apps/matrix_shapes build/release/tests/apps/image_example tests/unit/packages.sh tests/arm/root.sh; do
    printf '#!/bin/sh\necho "%s $*" >>"$NOTES"\n' "${place##*/}" >"$scratch/a tree/$place"
    chmod +x "$scratch/a tree/$place"
done

command_is() { # expected calls as expressions, one a line; command...
    wanted=$1
    shift
    : >"$scratch/notes"
    (PATH=$scratch/bin:$PATH NOTES=$scratch/notes BREAK=nothing MAINTAINER='A B <a@b.invalid>' sh "$scratch/a tree/cmake/setup.sh" "$@") >"$scratch/out" 2>&1 ||
        { echo "$* fails: $(cat "$scratch/out")" && failed=1; }
    echo "$wanted" >"$scratch/wanted"
    while read -r line; do
        grep -qE "$line" "$scratch/notes" || { echo "$*: nothing matches $line in: $(cat "$scratch/notes")" && failed=1; }
    done <"$scratch/wanted"
}

command_is '^cmake --build --preset release --target all$
^clinfo -l$
^clpeak $
^image_example tests/apps/image_input.png ' run
command_is '^cmake .*-B build/package .*-DPUMICE_PACKAGES=ON .*-DPUMICE_MAINTAINER=A B <a@b.invalid>$
^cpack
^packages.sh build/package$
^root.sh i386 build/root-i386$
^cmake .*-B build/package-i386 .*-DPUMICE_PACKAGES=ON .*cmake/i386.cmake' package i386
exit $failed
