// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer float 1 nan inf -0.0
// arg: out int 4
// arg: out int 4
// expect: arg1 int 1 2 4 0x9
// expect: arg2 int 1 0 0 0
kernel void k(global float *a, global int *b, global int *c)
{
    int i = get_global_id(0);
    float x = a[i];
    b[i] = isfinite(x) | isnan(x) << 1 | isinf(x) << 2 | (signbit(x) != 0) << 3;
    c[i] = isnormal(x);
}
