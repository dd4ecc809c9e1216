// SPDX-License-Identifier: Apache-2.0
// Partial dot products of n floats: a strided loop, then a tree over 64 work-items in local memory.
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void dot_product(global const float *restrict a, global const float *restrict b, global float *restrict out, int n)
{
    local float part[64];
    int item = get_local_id(0);
    float sum = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += a[i] * b[i];
    part[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = 32; reach; reach >>= 1) {
        if (item < reach)
            part[item] += part[item + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!item)
        out[get_group_id(0)] = part[0];
}
