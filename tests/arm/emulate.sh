#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a program of an ARM build, or of its root (/usr/bin/clinfo), with QEMU: tests/arm/emulate.sh
# BUILD PROGRAM [ARGUMENT...]
build=$1 program=$2
shift 2
value() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
root=$(value PUMICE_ROOT)
case $program in /*) program=$root$program ;; *) program=$build/$program ;; esac
# Names the driver's file: 32-bit programs cannot list folders whose files have 64-bit inode
# numbers.
export VK_ICD_FILENAMES="${VK_ICD_FILENAMES:-/usr/share/vulkan/icd.d/lvp_icd.json}" NODEVICE_SELECT=1
export OCL_ICD_VENDORS="${OCL_ICD_VENDORS:-$build/libpumice.so}"
exec "$(value PUMICE_QEMU)" -L "$root" "$program" "$@"
