// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer float 2 9 0 1e-40
// arg: out float 4
// arg: out float 4
// expect: arg1 float 1.41421354 3 0 *
// expect: arg2 float -3.99999976 17.0000019 -8 *
kernel void k(global float *a, global float *s, global float *f)
{
    int i = get_global_id(0);
    s[i] = sqrt(a[i]);
    f[i] = fma(a[i], a[i], -8.0f);
    if (i == 0)
        f[i] = fma(1.00000012f, 2.0f, -6.0f);
    if (i == 1)
        f[i] = fma(1.00000012f, 17.0f, 0.0f);
}
