#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests a build for Windows under Wine: its output and results must equal those of the build for
# this machine.
# Usage: run.sh BUILD HOST-BUILD [LOADER], where LOADER is an OpenCL.dll of Khronos's loader.
# PUMICE_WINE_PREFIX: a prefix of Wine's to use; default: BUILD/wine, which is made if needed.
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) host=$(cd "$2" && pwd) || exit 2
programs=$build/tests/windows start=$build/tests/windows/start.exe
scratch=$(mktemp -d)
display=
finish() {
    wineserver -k 2>/dev/null
    # It ends here: while it ends it would remove the socket of a later server with its number.
    [ -z "$display" ] || { kill "$display" && wait "$display"; }
    rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' HUP INT TERM # without this, sh skips the trap above and leaves an incomplete prefix behind
prefix=${PUMICE_WINE_PREFIX:-$build/wine}
export WINEPREFIX="$prefix" WINEDEBUG=-all WINEDLLOVERRIDES='opencl=n;mscoree,mshtml=' MALLOC_CHECK_=0
wine=$(command -v wine64 || command -v wine) || { echo "no wine" >&2 && exit 2; }

# winevulkan needs a display. It is this run's own, because another run ends its display when it is
# done, and it never resets, because a server that resets refuses new clients.
if [ -z "$DISPLAY" ]; then
    Xvfb -displayfd 3 -noreset -screen 0 640x480x24 3>"$scratch/display" >/dev/null 2>&1 &
    display=$!
    tries=0
    until [ -s "$scratch/display" ]; do
        tries=$((tries + 1))
        if [ $tries -gt 600 ] || ! kill -0 "$display" 2>/dev/null; then echo "Xvfb does not start" >&2 && exit 2; fi
        sleep .1
    done
    DISPLAY=:$(cat "$scratch/display")
    export DISPLAY
fi

# Wine marks a prefix as up to date before it fills it. If that fails or is interrupted, no program
# starts in the prefix ever again, so an incomplete one is made again.
prefix_complete() { [ -f "$prefix/system.reg" ] && [ -f "$prefix/drive_c/windows/system32/kernel32.dll" ]; }
make_prefix() {
    for attempt in 1 2 3; do
        wineserver -k 2>/dev/null
        prefix_complete && return 0
        if [ -e "$prefix" ]; then
            [ -z "$PUMICE_WINE_PREFIX" ] || { echo "$prefix is incomplete: remove it" >&2 && return 1; }
            rm -rf "$prefix"
        fi
        WINEDEBUG=err+all "$wine" wineboot -i >"$scratch/prefix.$attempt" 2>&1
        wineserver -w
    done
    prefix_complete && return 0
    echo "Wine does not make $prefix:" >&2
    tail -n 20 "$scratch"/prefix.* >&2
    return 1
}
make_prefix || exit 2
wineserver -p # one server for all programs: they start faster, and none meets a server that is ending

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
limit=600 # seconds
run() { # what, command...
    what=$1
    shift
    # Runs in a temporary folder, because programs leave files behind.
    (cd "$scratch" && exec timeout $limit "$@") >"$scratch/out" 2>&1
    tally "$what" $?
}
# Without exit(), Windows calls DllMain when the other threads are gone. Under Wine the exit status
# does not tell whether DllMain crashes or hangs, so each call in the trace must return. Wine may
# end a thread inside the driver and crash before or meanwhile, so processes are run until one shows
# that.
leave() { # folder, way
    case $2 in ExitProcess | detached) traced=+module attempts=20 ;; *) traced=-all attempts=1 ;; esac
    called='' ended=''
    while [ $attempts -gt 0 ] && [ "$called" != returned ]; do
        attempts=$((attempts - 1))
        WINEDEBUG=$traced timeout 300 "$wine" "$start" "$1/leave.exe" "$2" >"$scratch/out" 2>&1
        status=$?
        [ $traced = -all ] || ended=$(awk -F'[(, ]+' '/MODULE_InitDLL .*PROCESS_DETACH/ {
            for (i = 1; i < NF; i++) if ($i ~ /MODULE_InitDLL$/) at = $(i + 1)
            if (/(OpenCL|pumice)\.dll".*CALL/) { inside[at] = 1; calls++ }
            if (/RETURN/) delete inside[at] }
            END { for (at in inside) left = 1; if (calls) print left ? "stuck" : "returned" }' "$scratch/out")
        called=${ended:-$called}
    done
    [ $traced:$called != +module: ] || echo "leave $2 in $(basename "$1"): Wine did not call DllMain"
    [ "$called" = stuck ] || [ $status != 42 ] || status=0
    tally "leave $2 in $(basename "$1")" $status
}
section() { printf -- '-- %s\n' "$1"; }

cp "$build/dropin/OpenCL.dll" "$programs/OpenCL.dll"
rm -rf "$prefix"/drive_c/users/*/AppData/Local/pumice # that of an earlier run
section "language cases"
limit=3000
run "language cases" "$wine" "$start" "$programs/exec_run.exe" "$source"/tests/exec/*.cl
limit=600
tail -n 1 "$scratch/out"

section "API programs"
for program in "$programs"/api_*.exe; do
    name=$(basename "$program" .exe)
    case $name in
    api_no_loader) run $name env WINEDLLOVERRIDES="$WINEDLLOVERRIDES;vulkan-1=" "$wine" "$start" "$program" ;;
    api_trace) run $name python3 "$source/tests/api/trace.py" "$program" "$wine" "$start" ;;
    api_unload) run $name env "OCL_ICD_VENDORS=Z:$build/pumice.dll" "$wine" "$start" "$program" ;;
    *) run "$name" "$wine" "$start" "$program" ;;
    esac
done

section "C++"
run cpp "$wine" "$start" "$programs/cpp.exe"

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
run pumice-info "$wine" "$start" "$build/pumice-info.exe"
"$wine" "$start" "$build/pumice-info.exe" --check --keep="Z:$scratch/check" >"$scratch/out" 2>&1
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
        run "loader: $name" "$wine" "$start" "$programs/loader/$name.exe"
    done
    for way in return exit ExitProcess detached; do
        leave "$programs/loader" $way
    done
fi

[ -z "$skipped" ] || echo "skipped:$skipped"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
