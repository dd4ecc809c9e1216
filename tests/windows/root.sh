#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copies this system's headers that a build for Windows needs and that are not part of a libc.
# Usage: root.sh FOLDER
set -eu
mkdir -p "$1/include"
for name in CL vulkan vk_video spirv; do
    [ -d "/usr/include/$name" ] || { echo "no /usr/include/$name" >&2 && exit 1; }
    ln -sfn "/usr/include/$name" "$1/include/$name"
done
