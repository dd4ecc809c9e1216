// SPDX-License-Identifier: Apache-2.0
// run: k global 5
// arg: buffer float 1.5 -2 -0.0 nan 1e-41
// arg: out uint 10
// expect: arg1 uint 0x3fc00000 0x40000000 0 * 0x1be0  0xbfc00000 0x40000000 0 * 0x80001be0
kernel void k(global float *a, global uint *b)
{
    int i = get_global_id(0);
    b[i] = as_uint(fabs(a[i]));
    b[i + 5] = as_uint(-a[i]);
}
