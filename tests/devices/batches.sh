#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a GPU gets at once, if the host enqueues without a pause: tried again, because the machine may be busy. A read for
# which the host has waited with kernels behind it ends its batch from the second time on; after a wait for an event the
# device gets the first four commands at once. The first read of all needs memory from the driver: the kernel before it
# starts before that.
#
#   batches.sh API_WAITS_INSIDE
set -eu
log=$(mktemp)
trap 'rm -f "$log"' EXIT
rounds="r 2 1 r 2 1 r 2 1"
for try in 1 2 3 4 5; do
    PUMICE_DEBUG=queue "$1" > "$log" 2>&1 || { code=$?; cat "$log"; exit $code; }
    sizes=$(sed -n 's/.*batch [0-9]*: \([0-9]*\) commands.*/\1/p; s/^round$/r/p; s/^waited$/w/p' "$log" | tr '\n' ' ')
    case $sizes in
    *"r 1 2 $rounds "*" w 4 "*" w "*"r 3 $rounds"*) echo "batches: $sizes"; exit ;;
    esac
    echo "unexpected batches: $sizes"
done
exit 1
