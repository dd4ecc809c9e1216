#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests one driver of devices.txt: the device is listed, programs start on it and end, it compiles
# all kernels of the tests as expected/NAME.txt says, and its row of the compiler's table is up to
# date: tests/drivers/test.sh NAME BUILD [write]. `write` writes the expectation. TABLE=FILE: writes
# the driver's statistics to it. Exit status: as of drivers_pipelines.
here=$(cd "$(dirname "$0")" && pwd)
name=$1 build=$(cd "$2" && pwd) || exit 2
export OCL_ICD_VENDORS="$build/libpumice.so"

on() {
    "$here/on.sh" "$name" "$@"
}

list=$(on "$build/pumice-info")
status=$?
case $list in "no device is offered"*) echo "skipped: the driver shows no device (RADV from Mesa 26 on needs the shim)"; exit 77 ;; esac
[ $status = 0 ] || exit $status
on "$build/tests/drivers/drivers_start" || exit 1
on "$build/tests/drivers/drivers_start" leave || exit 1
[ "$3" ] || "$here/presets.sh" "$build/pumice-info" --check "$name" || exit 1
expected=$here/expected/$name.txt
set -- "--expected=$expected" ${3:+"--write=$expected"} ${TABLE:+"--table=$TABLE"}
on "$build/tests/drivers/drivers_pipelines" --seconds=10 "$@" "$here"/../exec/*.cl "$here"/../bench/programs/*.cl "$here"/../lib/*.cl \
    "$here"/*.cl
