#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a program of a build for another architecture, or of its root (/usr/bin/clinfo): with QEMU, or on this processor if it
# can run it (i386, or another C library).
#   tests/arm/emulate.sh BUILD PROGRAM [ARGUMENT...]
build=$1 program=$2
shift 2
value() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
root=$(value PUMICE_ROOT)
case $program in /*) program=$root$program ;; *) program=$build/$program ;; esac
# Names the driver's file: 32-bit programs cannot list folders whose files have 64-bit inode
# numbers. Without QEMU, it is the file of this machine's driver, which names the library without its folder.
export VK_ICD_FILENAMES="${VK_ICD_FILENAMES:-/usr/share/vulkan/icd.d/lvp_icd.json}" NODEVICE_SELECT=1
export OCL_ICD_VENDORS="${OCL_ICD_VENDORS:-$build/libpumice.so}"
qemu=$(value PUMICE_QEMU)
[ -z "$qemu" ] || exec "$qemu" -L "$root" "$program" "$@"
[ -z "$root" ] || [ ! -x "$root/lib/ld-linux.so.2" ] || exec "$root/lib/ld-linux.so.2" --library-path "$root/usr/lib/i386-linux-gnu" "$program" "$@"
exec "$program" "$@"
