// SPDX-License-Identifier: Apache-2.0
kernel void saxpy(global const float *x, global float *y, float a, uint n)
{
    size_t i = get_global_id(0);
    if (i < n)
        y[i] = mad(a, x[i], y[i]);
}
