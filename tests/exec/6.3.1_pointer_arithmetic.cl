// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer int 10 20 30 40 50
// arg: out long 4
// expect: arg1 long 30 3 1 40
kernel void k(global int *a, global long *out)
{
    global int *p = a + 2, *q = a;
    out[0] = *p++;
    out[1] = p - q;
    out[2] = p > q;
    out[3] = ((global int *)((global char *)q + 12))[0];
}
