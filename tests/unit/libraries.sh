#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the dependencies, sizes and exports of the shared libraries.
# Usage: libraries.sh libpumice.so libOpenCL.so.1
passed=0
failed=0

expect() { # what is checked, actual, expected (empty)
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        printf '%s: %s\n' "$1" "$2"
        failed=$((failed + 1))
    fi
}

for library in "$1" "$2"; do
    # glibc 2.34 and later hold libpthread and libdl inside libc.
    needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vE '^(libc|libm|libpthread|libdl|ld-linux-x86-64|ld-linux-aarch64)\.so\.[0-9]+$')
    case $library in *libasan*) needed= ;; esac
    expect "$library needs" "$needed"
    size=$(mktemp)
    strip -o "$size" "$library"
    bytes=$(wc -c <"$size")
    rm -f "$size"
    most=2400000 # without packed relocations: cmake/Relocations.cmake
    readelf -d "$library" | grep -q '(RELR)' && most=2300000
    expect "$library is too large" "$([ "$bytes" -lt $most ] || echo "$bytes bytes")"
    printf '%s: %s bytes stripped\n' "$(basename "$library")" "$bytes"
done

soname() { readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'; }
expect "the ICD's name" "$([ "$(soname "$1")" = libpumice.so.1 ] || soname "$1")"
expect "the drop-in's name" "$([ "$(soname "$2")" = libOpenCL.so.1 ] || soname "$2")"

exported() { nm -D --defined-only "$1" | awk '{ sub(/@.*/, "", $3); print $3 }' | grep -v '^$'; }
expect "exports of the ICD" "$(exported "$1" |
    grep -vE '^(clGetExtensionFunctionAddress|clIcdGetPlatformIDsKHR|clGetPlatformInfo|OPENCL_1.0|PUMICE.*)$')"
expect "exports of the drop-in" "$(exported "$2" | grep -vE '^cl[A-Z][A-Za-z0-9]*$|^OPENCL_[0-9.]+$')"

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
