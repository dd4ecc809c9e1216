#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs `cmake/setup.sh test` many times in parallel, each copy on two processors: passes.sh ROOT COPIES PASSES
#
# As root, on Linux. ROOT: a Debian root made by debootstrap, in which `cmake/setup.sh install-packages` has run, with the project
# at /root/pumice; no network is needed. The first run uses all processors and builds; if it passes, each copy (ROOT.0,
# ROOT.1, ..., whose system files are hard links to ROOT's) makes PASSES more runs with that build. ROOT.log has a line for each
# run, ROOT.COPY.PASS.log its output. Exit status: 0 if all passed.
[ $# = 3 ] || { sed -n '3,9p' "$0" >&2; exit 2; }
root=${1%/} copies=$2 passes=$3

inside() { # root, log, prefix...: one pass
    at=$1 log=$2
    shift 2
    start=$(date +%s)
    "$@" chroot "$at" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        sh -c 'cd /root/pumice && sh cmake/setup.sh test' >"$log" 2>&1 </dev/null
    status=$?
    echo "$log: status $status, $(($(date +%s) - start)) s" >>"$root.log"
    return $status
}

mounted() { mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev"; }
unmounted() { umount "$1/dev" "$1/proc"; }

copy() { # number
    at=$root.$1
    cp -al "$root" "$at" && rm -rf "$at/root" "$at/tmp" "$at/var/tmp" && cp -a "$root/root" "$at/root" || return 1
    mkdir -m 1777 "$at/tmp" "$at/var/tmp"
    mounted "$at" || return 1
    pass=1 failed=0
    while [ $pass -le "$passes" ]; do
        inside "$at" "$at.$pass.log" taskset -c "$((2 * $1)),$((2 * $1 + 1))" || failed=1
        pass=$((pass + 1))
    done
    unmounted "$at"
    return $failed
}

: >"$root.log"
mounted "$root" || exit 2
inside "$root" "$root.first.log"
status=$?
unmounted "$root"
[ $status = 0 ] || exit 1
number=0 children=
while [ $number -lt "$copies" ]; do
    copy $number &
    children="$children $!"
    number=$((number + 1))
done
for child in $children; do
    wait "$child" || status=1
done
exit $status
