// target: turnip_a7xx
// what is loaded through `const restrict` or of constant memory nobody writes; the device's driver loads it by other ways then
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
