// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer uint 0 1 0x80000000 0x00f00000
// arg: out uint 4
// arg: out uint 4
// arg: out uint 4
// arg: out uint 4
// expect: arg1 uint 32 31 0 8
// expect: arg2 uint 0 1 1 4
// expect: arg3 uint 0 16 8 0x0f000000
// expect: arg4 uint 64 63 32 40
kernel void k(global uint *a, global uint *b, global uint *c, global uint *d, global uint *e)
{
    int i = get_global_id(0);
    b[i] = clz(a[i]);
    c[i] = popcount(a[i]);
    d[i] = rotate(a[i], 4u);
    e[i] = (uint)clz((ulong)a[i]);
}
