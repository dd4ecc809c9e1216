#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a command on a virtual X display: on_x.sh COMMAND... 77: Xvfb is not installed.
command -v Xvfb >/dev/null || { echo "no Xvfb"; exit 77; }
folder=$(mktemp -d) || exit 2
Xvfb -displayfd 3 -screen 0 256x256x24 -nolisten tcp 3>"$folder/number" >"$folder/log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$folder"' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -s "$folder/number" ] && break
    kill -0 $server 2>/dev/null || break
    sleep 0.25
done
[ -s "$folder/number" ] || { echo "Xvfb does not start"; cat "$folder/log"; exit 77; }
DISPLAY=:$(cat "$folder/number") "$@"
