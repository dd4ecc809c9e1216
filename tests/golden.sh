# SPDX-License-Identifier: Apache-2.0
# Golden tests, for scripts to source: they set $update (not empty: what came is what is wanted), $scratch and $base.

# What is wrong with a tool that ended with status $1 and left $scratch/out and $scratch/err: the first must be
# $base.expected, or, where $base.err exists, the second that, with status 1. True where the output is the one wanted.
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
