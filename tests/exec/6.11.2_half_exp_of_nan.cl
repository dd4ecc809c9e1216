// SPDX-License-Identifier: Apache-2.0
// The result of a NaN is a NaN, for both signs.
// run: k global 4
// arg: buffer uint 0x7fc00000 0xff800100 0x00000000 0xffc00000
// arg: out float 4
// arg: out float 4
// arg: out float 4
// expect: arg1 float nan nan 1 nan
// expect: arg2 float nan nan 1 nan
// expect: arg3 float nan nan 1 nan
kernel void k(global uint *a, global float *e, global float *two, global float *ten)
{
    int i = get_global_id(0);
    e[i] = half_exp(as_float(a[i]));
    two[i] = half_exp2(as_float(a[i]));
    ten[i] = half_exp10(as_float(a[i]));
}
