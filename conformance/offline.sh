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
# What OpenCL C 3.1 adds are extensions of 3.0 to clang, which does not know that version yet.
for option; do
    shift
    [ "$option" != -cl-std=CL3.1 ] || option=-cl-std=CL3.0
    set -- "$@" "$option"
done
# At -O0 where the translator makes an invalid module of what -O2 leaves; where that fails as well, or an older spirv-val
# alone finds fault, as -O2 has it. clang's table of built-in functions is quick; its header has those that are not there.
kept=
for level in -O2 -O0; do
    for header in '' '-Xclang -finclude-default-header'; do
        # shellcheck disable=SC2086
        sh "$(dirname "$0")/../tests/il/module.sh" "$in" "$out.new" "$@" $level $header >"$out.log" 2>&1 && break
    done
    [ -e "$out.new" ] || continue
    valid=$(spirv-val "$out.new" >"$out.log" 2>&1 && echo yes)
    [ -n "$kept" ] && [ -z "$valid" ] || mv "$out.new" "$out"
    kept=yes
    [ -z "$valid" ] || break
done
[ -n "$kept" ] || cat "$out.log" >&2
rm -f "$out.log" "$out.new"
[ -n "$kept" ]
