#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One driver of devices.txt: is its device listed, do programs start on it and end, does it compile all kernels of the tests as
# expected/NAME.txt says, is its row of the compiler's table as presets.sh would write it: tests/drivers/test.sh NAME BUILD [write]. With the word the expectation is written. TABLE=FILE gets
# the driver's statistics. Exit status: as drivers_pipelines.
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
