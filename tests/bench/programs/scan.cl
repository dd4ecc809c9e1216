// SPDX-License-Identifier: Apache-2.0
// Prefix sums of 512 integers in each work-group, in local memory.
kernel void scan(global const uint *restrict a, global const uint *restrict b, global uint *restrict out, int n)
{
    local uint part[512];
    int item = get_local_id(0);
    size_t base = get_group_id(0) * 512;
    part[2 * item] = a[base + 2 * item];
    part[2 * item + 1] = a[base + 2 * item + 1];
    int step = 1;
    for (int count = 256; count; count >>= 1, step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < count)
            part[step * (2 * item + 2) - 1] += part[step * (2 * item + 1) - 1];
    }
    if (!item)
        part[511] = 0;
    for (int count = 1; count < 512; count *= 2) {
        step >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < count) {
            uint low = part[step * (2 * item + 1) - 1];
            part[step * (2 * item + 1) - 1] = part[step * (2 * item + 2) - 1];
            part[step * (2 * item + 2) - 1] += low;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * item] = part[2 * item];
    out[base + 2 * item + 1] = part[2 * item + 1];
}
