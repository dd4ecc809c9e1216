// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer half 1 -2 0.5 65504
// arg: out float 4
// arg: out half 4
// expect: arg1 float 1 -2 0.5 65504
// expect: arg2 half 3 -6 1.5 inf
kernel void k(global half *a, global float *b, global half *c)
{
    int i = get_global_id(0);
    b[i] = vload_half(i, a);
    vstore_half(b[i] * 3.0f, i, c);
}
