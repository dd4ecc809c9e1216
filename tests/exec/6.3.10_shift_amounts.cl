// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer uint 1 31 32 33
// arg: out uint 4
// arg: out int 4
// arg: out ulong 4
// arg: out uchar 4
// expect: arg1 uint 2 0x80000000 1 2
// expect: arg2 int -4 -1 -8 -4
// expect: arg3 ulong 2 0x80000000 0x100000000 0x200000000
// expect: arg4 uchar 2 128 1 2
kernel void k(global uint *n, global uint *a, global int *b, global ulong *c, global uchar *d)
{
    int i = get_global_id(0);
    a[i] = 1u << n[i];
    b[i] = -8 >> n[i];
    c[i] = 1ul << n[i];
    uchar2 v = (uchar2)(1) << (uchar2)(n[i]);
    d[i] = v.x;
}
