// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer float 1.9 -1.9 100.5 -0.5
// arg: out char 4
// arg: out short 4
// arg: out long 4
// expect: arg1 char 1 -1 100 0
// expect: arg2 short 1 -1 100 0
// expect: arg3 long 1 -1 100 0
kernel void k(global float *a, global char *b, global short *c, global long *d)
{
    int i = get_global_id(0);
    b[i] = a[i];
    c[i] = a[i];
    d[i] = a[i];
}
