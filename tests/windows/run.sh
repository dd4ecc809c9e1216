#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests a build for Windows under Wine: its output and results must equal those of the build for
# this machine.
# Usage: run.sh BUILD HOST-BUILD [LOADER], where LOADER is an OpenCL.dll of Khronos's loader.
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) host=$(cd "$2" && pwd) || exit 2
programs=$build/tests/windows
scratch=$(mktemp -d)
display=
finish() {
    wineserver -k 2>/dev/null
    [ -z "$display" ] || kill "$display"
    rm -rf "$scratch"
}
trap finish EXIT
export WINEPREFIX="${PUMICE_WINE_PREFIX:-$build/wine}" WINEDEBUG=-all WINEDLLOVERRIDES='opencl=n;mscoree,mshtml=' MALLOC_CHECK_=0
wine=$(command -v wine64 || command -v wine) || { echo "no wine" >&2 && exit 2; }
if [ -z "$DISPLAY" ]; then # winevulkan needs a display
    Xvfb :83 -screen 0 640x480x24 >/dev/null 2>&1 &
    display=$!
    export DISPLAY=:83
fi
"$wine" wineboot -i >/dev/null 2>&1
wineserver -w 2>/dev/null
passed=0 failed=0 skipped=
tally() { # what, status
    case $2 in
    0) passed=$((passed + 1)) ;;
    77) skipped="$skipped $1" ;;
    *)
        failed=$((failed + 1))
        echo "FAILED $1 (status $2)"
        tail -n 4 "$scratch/out"
        ;;
    esac
}
run() { # what, command...
    what=$1
    shift
    # Runs in a temporary folder, because programs leave files behind.
    (cd "$scratch" && exec timeout 600 "$@") >"$scratch/out" 2>&1
    tally "$what" $?
}
# Unless a process ends by exit(), Wine kills threads inside lavapipe, a Linux library, or lets
# lavapipe's own handlers destroy it while its threads run: this may crash (139). Pumice must have
# been left as it was entered.
leave() { # folder, way
    case $2 in ExitProcess | detached) traced=+module ;; *) traced=-all ;; esac
    WINEDEBUG=$traced timeout 100 "$wine" "$1/leave.exe" "$2" >"$scratch/out" 2>&1
    status=$?
    inside=$(awk -F'[(, ]+' '/MODULE_InitDLL .*PROCESS_DETACH/ {
        for (i = 1; i < NF; i++) if ($i ~ /MODULE_InitDLL$/) at = $(i + 1)
        if (/(OpenCL|pumice)\.dll".*CALL/) inside[at] = 1
        if (/RETURN/) delete inside[at] } END { n = 0; for (at in inside) n++; print n }' "$scratch/out")
    if [ $status = 42 ] || { [ $status = 139 ] && [ "$traced" != -all ] && [ "$inside" = 0 ]; }; then status=0; fi
    tally "leave $2 in $(basename "$1")" $status
}
section() { printf -- '-- %s\n' "$1"; }

cp "$build/dropin/OpenCL.dll" "$programs/OpenCL.dll"
section "language cases"
run "language cases" "$wine" "$programs/exec_run.exe" "$source"/tests/exec/*.cl
tail -n 1 "$scratch/out"

section "API programs"
for program in "$programs"/api_*.exe; do
    run "$(basename "$program" .exe)" "$wine" "$program"
done

section "C++"
run cpp "$wine" "$programs/cpp.exe"

section "the end of a process"
for way in return exit thread handler ExitProcess detached; do
    leave "$programs" $way
done

# Every TAKE-th program (default 3): compares the output and messages of both compilers.
section "words of pumice-cc"
number=0 same=0 other=0
for file in "$source"/tests/exec/*.cl "$source"/tests/sema/*.cl; do
    number=$((number + 1))
    [ $((number % ${TAKE:-3})) = 0 ] || continue
    for which in here there; do
        mkdir -p "$scratch/$which"
        compiler=$host/pumice-cc emulator=
        [ $which = here ] || { compiler=$build/pumice-cc.exe && emulator=$wine; }
        (cd "$(dirname "$file")" && $emulator "$compiler" --all -o "$scratch/$which/" "$(basename "$file")" 2>&1 | tr -d '\r' >"$scratch/$which/said")
    done
    if diff -rq "$scratch/here" "$scratch/there" >"$scratch/out"; then same=$((same + 1)); else
        other=$((other + 1))
        echo "OTHER $file: $(head -n 1 "$scratch/out")"
    fi
    rm -rf "$scratch/here" "$scratch/there"
done
echo "$same the same, $other others"
[ $other = 0 ] && [ $same -gt 0 ]
tally words $?

section "pumice-info"
run pumice-info "$wine" "$build/pumice-info.exe"
"$wine" "$build/pumice-info.exe" --check --keep="Z:$scratch/check" >"$scratch/out" 2>&1
tally "pumice-info --check" $?
tail -n 1 "$scratch/out"

section "cache and paths"
mkdir -p "$scratch/größe ☃"
echo '#include "größe.h"
kernel void k(global int *x) { *x = VALUE; }' >"$scratch/größe ☃/k.cl"
echo '#define VALUE 42' >"$scratch/größe ☃/größe.h"
(cd "$scratch/größe ☃" && LC_ALL=C.UTF-8 "$wine" "$build/pumice-cc.exe" k.cl -o "näme.spv" && "$host/pumice-cc" k.cl -o other.spv && cmp "näme.spv" other.spv) >"$scratch/out" 2>&1
tally "UTF-8 paths" $?
find "$WINEPREFIX" -path '*AppData/Local/pumice/*' -type f | grep -q .
tally "the cache is under LOCALAPPDATA" $?

# Through the registry, as installers do, and through the loader's environment variable.
if [ -n "$3" ]; then
    section "Khronos's loader"
    mkdir -p "$programs/loader"
    cp "$3" "$programs/loader/OpenCL.dll"
    for name in cpp api_platform api_launch api_event api_threads api_entry_points leave; do
        cp "$programs/$name.exe" "$programs/loader/"
    done
    library=Z:$build/pumice.dll
    # The loader only reads OCL_ICD_FILENAMES in processes without administrator rights, which Wine
    # does not have.
    "$wine" reg add 'HKLM\SOFTWARE\Khronos\OpenCL\Vendors' /v "$(echo "$library" | tr / '\\')" /t REG_DWORD /d 0 /f >/dev/null 2>&1
    for name in cpp api_platform api_launch api_event api_threads api_entry_points; do
        run "loader: $name" "$wine" "$programs/loader/$name.exe"
    done
    for way in return exit ExitProcess detached; do
        leave "$programs/loader" $way
    done
fi

[ -z "$skipped" ] || echo "skipped:$skipped"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
