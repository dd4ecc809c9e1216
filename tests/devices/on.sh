#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a program on a simulated device: tests/devices/on.sh NAME PROGRAM [ARGUMENT...]
# BUILD names the folder of the build (build/release).
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../../build/release}
name=$1
shift
[ -f "$here/$name.txt" ] || { echo "there is no $here/$name.txt" >&2; exit 2; }
# tests/api/cluster.c cannot query how many buffers can be bound.
! grep -qx 'limit *maxPerStageDescriptorStorageBuffers *4' "$here/$name.txt" || export FEW_BUFFERS=1
export PUMICE_NESTING="${PUMICE_NESTING-48}" # the nesting that the software driver supports
export DEVICES_DESCRIPTION="$here/$name.txt" VK_LAYER_PATH="$build/tests/devices/layers" \
    VK_INSTANCE_LAYERS=VK_LAYER_PUMICE_devices NODEVICE_SELECT=1 PUMICE_CACHE_DIR=none \
    OCL_ICD_VENDORS="${OCL_ICD_VENDORS:-$build/vendors}"
exec "$@"
