# SPDX-License-Identifier: Apache-2.0
# Golden tests, to be sourced by scripts that set $update (not empty: the output becomes the expected one), $scratch and $base.

# Prints what is wrong with a tool that ended with status $1 and wrote $scratch/out and $scratch/err: the first must equal
# $base.expected; or, if $base.err exists, the second must equal it, with status 1. True if the output is the expected one.
golden() {
    if [ "$1" -gt 1 ]; then echo "exit status $1"; cat "$scratch/err"; return 1; fi
    if [ -n "$update" ]; then
        rm -f "$base.err" "$base.expected"
        if [ "$1" = 0 ]; then cp "$scratch/out" "$base.expected"; else cp "$scratch/err" "$base.err"; fi
    fi
    if [ -e "$base.err" ]; then
        [ "$1" = 1 ] || { echo "accepted, but must fail"; return 1; }
        cmp -s "$scratch/err" "$base.err" || { echo "another message"; diff "$base.err" "$scratch/err"; }
        return 1
    fi
    if [ "$1" != 0 ]; then cat "$scratch/err"; return 1; fi
    if [ ! -e "$base.expected" ]; then echo "has neither .expected nor .err"; return 1; fi
    cmp -s "$scratch/out" "$base.expected" && return
    echo "other output"
    diff "$base.expected" "$scratch/out" | head -n 20
    return 1
}
