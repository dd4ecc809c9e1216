// SPDX-License-Identifier: Apache-2.0
// Sums of n floats: a strided loop, then a tree in local memory.
kernel void reduce(global const float *restrict a, global const float *restrict b, global float *restrict out, int n)
{
    local float part[256];
    int item = get_local_id(0);
    float sum = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += a[i];
    part[item] = sum;
    for (int half_way = 128; half_way; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_way)
            part[item] += part[item + half_way];
    }
    if (!item)
        out[get_group_id(0)] = part[0];
}
