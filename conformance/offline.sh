#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The CTS's offline compiler (--compilation-program): a source becomes a module of SPIR-V by clang and llvm-spirv, as in our
# tests. offline.sh --mode=spir-v --source=IN.cl --output=OUT --cl-device-info=FILE [-- build options]
set -u
in='' out=''
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
    --source=*) in=${1#*=} ;;
    --output=*) out=${1#*=} ;;
    esac
    shift
done
[ $# -eq 0 ] || shift
# At -O0 where the translator makes an invalid module of what -O2 leaves; of what stays invalid, or is so for an older
# spirv-val alone, the last. clang's table of built-in functions is quick; its header has those that are not in the table.
for level in -O2 -O0; do
    for header in '' '-Xclang -finclude-default-header'; do
        # shellcheck disable=SC2086
        sh "$(dirname "$0")/../tests/il/module.sh" "$in" "$out" "$@" $level $header >"$out.log" 2>&1 && break
    done
    [ ! -e "$out" ] || ! spirv-val "$out" >"$out.log" 2>&1 || break
done
[ -e "$out" ] || cat "$out.log" >&2
rm -f "$out.log"
[ -e "$out" ]
