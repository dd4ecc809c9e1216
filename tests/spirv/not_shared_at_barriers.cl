// SPDX-License-Identifier: Apache-2.0
// target: lavapipe32
// never: Coherent
// never: Vulkan
// expect: OpControlBarrier %uint_2 %uint_2 %uint_72
// No store before the first fences, no access after the last ones.
kernel void k(global float *a, global float *b, local float *c, int n)
{
    size_t i = get_global_id(0), j = get_local_id(0);
    float sum = 0;
    for (int round = 0; round < n; round++) {
        c[j] = a[i + round];
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        sum += c[j ^ 1];
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    }
    b[i] = sum;
    barrier(CLK_GLOBAL_MEM_FENCE);
}
