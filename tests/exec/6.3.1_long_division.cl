// SPDX-License-Identifier: Apache-2.0
// run: k global 3
// arg: buffer long 6000000000 -6000000001 9223372036854775807
// arg: buffer long 7 1000 -3
// arg: out long 3
// arg: out long 3
// arg: out ulong 3
// expect: arg2 long 857142857 -6000000 -3074457345618258602
// expect: arg3 long 1 -1 1
// expect: arg4 ulong 857142857 18446744067709551 0
kernel void k(global long *a, global long *b, global long *q, global long *r, global ulong *u)
{
    int i = get_global_id(0);
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
    u[i] = (ulong)a[i] / (ulong)b[i];
}
