// SPDX-License-Identifier: Apache-2.0
// One row of a cheapest path through a grid of n columns: the minimum of three cells of the
// previous row plus this cell's cost. Launched without a local size.
kernel void path(global const uint *a, global const uint *b, global uint *out, int n)
{
    int i = get_global_id(0);
    uint best = b[i] & 0xffff;
    if (i > 0)
        best = min(best, b[i - 1] & 0xffff);
    if (i < n - 1)
        best = min(best, b[i + 1] & 0xffff);
    out[i] = best + (a[i] & 15);
}
