// target: turnip_a7xx
// memory read through `const restrict`, and constant memory, is never written: drivers can use other loads
// expect:  0 NonWritable
kernel void k(global const float *restrict a, constant float *c, global float *o, global float *b, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++)
        s += a[j] * c[j & 7];
    o[i] = s + b[i];
}
// SPDX-License-Identifier: Apache-2.0
