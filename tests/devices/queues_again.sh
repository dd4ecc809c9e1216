#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program gets as many queues of the device as its earlier processes had command queues.
#
#   queues_again.sh API_THREADS API_LAUNCH
set -eu
PUMICE_CACHE_DIR=$(mktemp -d)
export PUMICE_CACHE_DIR PUMICE_DEBUG=vulkan
trap 'rm -rf "$PUMICE_CACHE_DIR"' EXIT
expect() {
    program=$1 queues=$2
    "$program" > "$PUMICE_CACHE_DIR/out" 2>&1 || { cat "$PUMICE_CACHE_DIR/out"; exit 1; }
    grep -q ": $queues queues" "$PUMICE_CACHE_DIR/out" ||
        { echo "$program: $queues queues are expected"; grep " queues" "$PUMICE_CACHE_DIR/out"; exit 1; }
}
expect "$1" "2 of 4"
expect "$1" "4 of 4"
expect "$2" "2 of 4"
expect "$2" "1 of 4"
