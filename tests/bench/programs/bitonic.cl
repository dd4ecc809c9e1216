// SPDX-License-Identifier: Apache-2.0
// One step of a bitonic sort of n pairs of key and value.
kernel void bitonic(global const uint2 *restrict a, global const uint2 *restrict b, global uint2 *restrict out, int n)
{
    size_t i = get_global_id(0), low = (i / 1024) * 2048 + i % 1024, high = low + 1024;
    uint2 x = a[low], y = a[high];
    bool swap = (x.x > y.x) == !(i & 4096);
    out[low] = swap ? y : x;
    out[high] = swap ? x : y;
}
