#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs on PoCL-Remote's servers over Pumice, all on the loopback interface: in a separate network namespace if that
# is permitted.
#
#   run.sh POCLD LIBPOCL CLIENT MODULE PUMICE [OTHER]
#
# POCLD, LIBPOCL: PoCL's server and its client library, as build_pocl.sh builds them. CLIENT, MODULE: ours. PUMICE: the ICD below
# the servers; OTHER: an ICD to compare its cost with. Exit status 77: PoCL is not installed. Environment:
#
#   REMOTE_ROUNDS (1), REMOTE_SECONDS: time limit of a client (60), REMOTE_COST (0: not measured)
#   REMOTE_PYOPENCL: a checkout of pyopencl, for its tests
#   REMOTE_COMMAND_BUFFERS: tests command buffers too. PoCL's server (main of November 2026) records them into another queue than
#       the client's, and without their plain arguments
set -u
# POCLD and LIBPOCL in the environment have priority, then the arguments, then PATH and the folders beside it.
pocld=${POCLD:-${1:-}} client=${3:-} module=${4:-} pumice=${5:-} other=${6:-}
[ -x "$pocld" ] || pocld=$(command -v pocld)
libpocl=${LIBPOCL:-${2:-}}
[ -f "$libpocl" ] || libpocl=${pocld%/bin/pocld}/lib/libpocl.so
if [ $# -lt 5 ] || [ ! -x "$pocld" ] || [ ! -f "$libpocl" ]; then
    echo "PoCL's server and client library are not installed: skipped"
    exit 77
fi
if [ -z "${REMOTE_INSIDE:-}" ] && command -v ip >/dev/null; then
    for how in "unshare -n" "unshare -rn"; do
        # shellcheck disable=SC2086
        if $how true 2>/dev/null; then
            REMOTE_INSIDE=1 exec $how sh "$0" "$@"
        fi
    done
fi
rounds=${REMOTE_ROUNDS:-1} seconds=${REMOTE_SECONDS:-60} failures=0
port=12100
[ -n "${REMOTE_COMMAND_BUFFERS:-}" ] || export REMOTE_NO_COMMAND_BUFFERS=1
if [ -n "${REMOTE_INSIDE:-}" ]; then
    ip link set lo up
else
    port=$((20000 + $$ % 20000))
fi
folder=$(mktemp -d)
servers=
trap 'stop; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

# Starts a server over ICD $1 at port $2; its process is $server.
start() {
    env -u POCL_DEVICES OCL_ICD_VENDORS="$1" "$pocld" -a 127.0.0.1 -p "$2" >"$folder/server.$2" 2>&1 &
    server=$!
    servers="$servers $server"
    tries=0
    until grep -q ":$(printf %04X "$2") 00000000:0000 0A" /proc/net/tcp || [ $tries = 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}

stop() {
    # shellcheck disable=SC2086
    [ -z "$servers" ] || { kill $servers; wait $servers; } 2>/dev/null
    servers=
}

# A client of the servers at ports $1, with commas.
remote() {
    at=$1 n=0 names=
    shift
    for p in $(echo "$at" | tr , ' '); do
        export "POCL_REMOTE${n}_PARAMETERS=127.0.0.1:$p/0"
        names="$names remote"
        n=$((n + 1))
    done
    OCL_ICD_VENDORS=$libpocl POCL_DEVICES=${names# } timeout -s KILL "$seconds" "$@"
}

# Prints its output if it fails.
expect() {
    what=$1
    shift
    "$@" >"$folder/output" 2>&1
    status=$?
    [ $status != 0 ] || return
    echo "$what: $([ $status = 137 ] && echo "hung for $seconds s" || echo "status $status")"
    tail -n 20 "$folder/output" "$folder"/server.* | cut -c 1-300
    failures=$((failures + 1))
}

# A client that is killed while it works.
dies() {
    remote "$1" "$client" die
    [ $? = 142 ]
}

# Each server numbers its sessions, and PoCL's clients of two servers hang if the numbers differ (main of November 2026, with
# any driver below): for each client of one server there is one on the other.
round() {
    a=$port b=$((port + 10))
    start "$pumice" $a
    start "$pumice" $b
    expect "one server" remote $a "$client" check "$module"
    expect "the other server" remote $b "$client" check "$module"
    expect "two servers after one" remote $a,$b "$client" check "$module"
    expect "a client that dies" dies $a,$b
    expect "one server after it" remote $b "$client" check "$module"
    expect "the other server after it" remote $a "$client" check "$module"
    expect "two servers after it" remote $a,$b "$client" check "$module"
    expect "several clients at once" several $a
    stop
    start "$pumice" $a
    start "$pumice" $b
    expect "servers that were started again" remote $a,$b "$client" check "$module"
    stop
}

# Contexts of several clients in one server, and one that dies among them.
several() {
    remote "$1" "$client" die &
    processes=
    for n in 1 2 3; do
        remote "$1" "$client" check "$module" >"$folder/output.$n" 2>&1 &
        processes="$processes $!"
    done
    bad=0
    for process in $processes; do
        wait "$process" || bad=$?
    done
    cat "$folder"/output.?
    return $bad
}

cost() {
    echo "== $1"
    if [ -z "$2" ]; then
        OCL_ICD_VENDORS=$pumice timeout "$seconds" "$client" cost
    else
        start "$2" $port
        remote $port "$client" cost "$server" || failures=$((failures + 1))
        stop
    fi
}

done_rounds=0
while [ $done_rounds -lt "$rounds" ]; do
    round
    done_rounds=$((done_rounds + 1))
done
echo "$rounds rounds of clients: $failures failures"

# Other programs, if they are installed.
start "$pumice" $port
if command -v clpeak >/dev/null; then
    expect clpeak remote $port clpeak --kernel-latency
    grep "launch latency" "$folder/output"
fi
if [ -d "${REMOTE_PYOPENCL:-}/test" ]; then
    # Without tests that also fail with PoCL's own driver below the server.
    seconds=600
    expect "pyopencl's tests" remote $port python3 -m pytest -q -k "not compile_link and not spirv and not copy_rect" \
        "$REMOTE_PYOPENCL/test/test_wrapper.py" "$REMOTE_PYOPENCL/test/test_enqueue_copy.py" "$REMOTE_PYOPENCL/test/test_clmath.py"
    tail -n 1 "$folder/output"
fi
stop

if [ "${REMOTE_COST:-1}" != 0 ]; then
    cost "the device itself" ""
    cost "a server over Pumice" "$pumice"
    [ -z "$other" ] || cost "a server over $other" "$other"
fi
[ $failures = 0 ]
