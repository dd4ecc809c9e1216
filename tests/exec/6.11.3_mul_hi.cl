// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: out int 2
// arg: out uint 2
// arg: out long 2
// arg: out ulong 1
// arg: out char 2
// arg: int -100000
// arg: long -6000000000
// arg: uint 4000000000
// expect: arg0 int 2 -3
// expect: arg1 uint 3725290298 1
// expect: arg2 long 1 -2
// expect: arg3 ulong 3
// expect: arg4 char 1 24
kernel void k(global int *a, global uint *b, global long *c, global ulong *d, global char *e, int x, long y, uint z)
{
    a[0] = mul_hi(x, x);
    a[1] = mul_hi(x, -x);
    b[0] = mul_hi(z, z);
    b[1] = mul_hi(z, 2u);
    c[0] = mul_hi(y, y);
    c[1] = mul_hi(y, -y);
    d[0] = mul_hi((ulong)y, 4ul);
    e[0] = mul_hi((char)x, (char)5);
    e[1] = rhadd((char)7, (char)40);
}
