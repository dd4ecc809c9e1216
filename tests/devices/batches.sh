#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a GPU gets at once. A read for which the host has waited with kernels behind it ends its batch from the second time
# on; after a wait for an event the device gets the first four commands at once. The first read of all needs memory from the
# driver: the kernel before it starts before that.
#
#   batches.sh API_WAITS_INSIDE
set -eu
log=$(mktemp)
trap 'rm -f "$log"' EXIT
PUMICE_DEBUG=queue "$1" > "$log" 2>&1 || { code=$?; cat "$log"; exit $code; }
sizes=$(sed -n 's/.*batch [0-9]*: \([0-9]*\) commands.*/\1/p; s/^round$/r/p; s/^waited$/w/p' "$log" | tr '\n' ' ')
rounds="r 2 1 r 2 1 r 2 1"
case $sizes in
*"r 1 2 $rounds "*" w 4 "*" w "*"r 3 $rounds"*) echo "batches: $sizes" ;;
*) echo "unexpected batches: $sizes"; exit 1 ;;
esac
