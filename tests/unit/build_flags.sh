#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiler flags: the user's flags apply to the libraries, and the target's flags do not apply to
# tools that run during the build.
# Usage: build_flags.sh CMAKE SOURCE_DIR
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0
tally() { # what, status
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
    else
        echo "$1"
        failed=$((failed + 1))
    fi
}
cmake=$1
source=$2
configure() { # folder, options...
    folder=$scratch/$1
    shift
    "$cmake" -S "$source" -B "$folder" -G Ninja -DBUILD_TESTING=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >"$scratch/out" 2>&1 ||
        { cat "$scratch/out" && exit 1; }
}
command_of() { # folder, file
    grep '"command"' "$scratch/$1/compile_commands.json" | grep -- "$2"
}

configure release
command_of release ir/build.c | grep -q -- '-O2 -DNDEBUG'
tally 'Release: -O2 -DNDEBUG is the default' $?
configure own -DCMAKE_C_FLAGS_RELEASE=-O3 '-DCMAKE_C_FLAGS=-DMINE -fno-stack-protector -Wp,-D_FORTIFY_SOURCE=3'
command_of own ir/build.c | grep -- -DMINE | grep -- -O3 | grep -qv -- -O2
tally 'Release: the flags that the user gives are used' $?
! command_of own ir/build.c | grep -qE -- '-fstack-protector|FORTIFY_SOURCE=2'
tally 'Release: hardening that the user chooses stays' $?
CFLAGS='-O2 -g' configure none -DCMAKE_BUILD_TYPE=None
for file in ir/build.c util/str.c vulkan/submit.c; do
    mine=$(command_of none $file | tr ' ' '\n' | grep -E '^-(O|DNDEBUG|fno-async)' | sort -u)
    usual=$(command_of release $file | tr ' ' '\n' | grep -E '^-(O|DNDEBUG|fno-async)' | sort -u)
    [ -n "$mine" ] && [ "$mine" = "$usual" ]
    tally "None: $file has other flags than for Release" $?
done

# Uses a flag that the tools could not be built with. Setting the system's name makes this a cross
# build.
CFLAGS=-DTARGET_ONLY configure cross -DCMAKE_SYSTEM_NAME=Linux
command_of cross ir/build.c | grep -q -- -DTARGET_ONLY
tally 'cross: the target gets its flags' $?
CFLAGS=-DTARGET_ONLY ninja -C "$scratch/cross" host_tools-prefix/src/host_tools-stamp/host_tools-configure >"$scratch/out" 2>&1
tally 'cross: the tools are configured' $?
[ -f "$scratch/cross/host-tools/build.ninja" ] && ! grep -q TARGET_ONLY "$scratch/cross/host-tools/build.ninja"
tally 'cross: the tools get none of them' $?

"$cmake" -DCMAKE_C_BYTE_ORDER=BIG_ENDIAN -P "$source/cmake/Machine.cmake" 2>&1 | grep -q 'little-endian processors only'
tally 'a big-endian machine is refused, with the reason' $?

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
