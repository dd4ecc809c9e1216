#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# on_udmabuf.sh PROGRAM KIND: runs it with $UDMABUF preloaded; for glx on a virtual X display.
here=$(dirname "$0")
export ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0"
[ "$2" = glx ] || exec env LD_PRELOAD="$UDMABUF" "$@"
exec "$here/../on_x.sh" env LD_PRELOAD="$UDMABUF" "$@"
