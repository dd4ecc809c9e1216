// scale and add
#define BLOCK 16
__kernel void saxpy(__global const float *x, __global float *y, float a, uint n)
{
    size_t i = get_global_id(0);
    if (i >= n)
        return;
    y[i] = fma(a, x[i], y[i]) * M_PI_F / BLOCK;
    barrier(CLK_LOCAL_MEM_FENCE);
}
// SPDX-License-Identifier: Apache-2.0
