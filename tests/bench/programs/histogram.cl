// SPDX-License-Identifier: Apache-2.0
// 256 bins by atomics on local memory, added up in global memory.
kernel void histogram(global const uint *restrict a, global const uint *restrict b, global uint *restrict out, int n)
{
    local uint bins[256];
    int item = get_local_id(0);
    bins[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[a[i] >> 7 & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[item], bins[item]);
}
