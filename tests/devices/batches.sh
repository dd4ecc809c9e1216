#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a GPU gets at once: a read that the host has waited for with kernels behind it ends its batch from the second time on,
# and after a wait for an event the device gets the first four commands at once.
#
#   batches.sh API_WAITS_INSIDE
set -eu
log=$(mktemp)
trap 'rm -f "$log"' EXIT
PUMICE_DEBUG=queue "$1" > "$log" 2>&1 || { code=$?; cat "$log"; exit $code; }
sizes=$(sed -n 's/.*batch [0-9]*: \([0-9]*\) commands.*/\1/p; s/^round$/r/p; s/^many launches$/m/p; s/^waited$/w/p' "$log" | tr '\n' ' ')
case $sizes in
*"r 3 r 2 1 r 2 1 r 2 1 m"*"w 4 "*) echo "batches: $sizes" ;;
*) echo "unexpected batches: $sizes"; exit 1 ;;
esac
