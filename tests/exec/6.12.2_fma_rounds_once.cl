// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer float 0x1.001p+0 -0x1.002p+0 0.1
// arg: out float 2
// expect: arg1 float 0x1p-24 -0x1p-26
kernel void k(global float *a, global float *b)
{
    b[0] = fma(a[0], a[0], a[1]);
    b[1] = fma(a[2], -10.0f, 1.0f);
}
