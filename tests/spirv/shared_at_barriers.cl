// SPDX-License-Identifier: Apache-2.0
// expect: Coherent
// A loop precedes and follows the accesses in its body.
kernel void k(global float *a, global float *b, int n)
{
    size_t i = get_global_id(0);
    for (int round = 0; round < n; round++) {
        float x = a[i ^ 1];
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[i] = x + 1;
    }
    b[i] = 0;
}
