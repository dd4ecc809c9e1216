#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a program on a described device: tests/devices/on.sh NAME PROGRAM [ARGUMENT...]
# BUILD names the folder of the build (build/release).
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../../build/release}
name=$1
shift
[ -f "$here/$name.txt" ] || { echo "there is no $here/$name.txt" >&2; exit 2; }
# tests/api/cluster.c cannot ask how many buffers are bound.
! grep -qx 'limit *maxPerStageDescriptorStorageBuffers *4' "$here/$name.txt" || export FEW_BUFFERS=1
export PUMICE_NESTING="${PUMICE_NESTING-48}" # what the driver that plays them bears
export DEVICES_DESCRIPTION="$here/$name.txt" VK_LAYER_PATH="$build/tests/devices/layers" \
    VK_INSTANCE_LAYERS=VK_LAYER_PUMICE_devices NODEVICE_SELECT=1 PUMICE_CACHE_DIR=none \
    OCL_ICD_VENDORS="${OCL_ICD_VENDORS:-$build/vendors}"
exec "$@"
