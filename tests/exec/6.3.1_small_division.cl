// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer char 100 -100 -128 7
// arg: buffer char 7 7 3 -2
// arg: out char 4
// arg: out char 4
// arg: out uchar 4
// expect: arg2 char 14 -14 -42 -3
// expect: arg3 char 2 -2 -2 1
// expect: arg4 uchar 14 22 42 0
kernel void k(global char *a, global char *b, global char *q, global char *r, global uchar *u)
{
    int i = get_global_id(0);
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
    u[i] = (uchar)a[i] / (uchar)b[i];
}
