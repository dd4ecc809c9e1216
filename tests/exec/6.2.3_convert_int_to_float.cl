// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer int 16777217 -16777219 2147483647 0
// arg: buffer ulong 18446744073709551615 1 9007199254740993 4294967297
// arg: out float 4
// arg: out float 4
// expect: arg2 float 16777216 -16777220 2147483648 0
// expect: arg3 float 18446744073709551616 1 9007199254740992 4294967296
kernel void k(global int *a, global ulong *b, global float *c, global float *d)
{
    int i = get_global_id(0);
    c[i] = a[i];
    d[i] = b[i];
}
