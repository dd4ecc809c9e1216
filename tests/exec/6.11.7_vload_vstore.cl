// SPDX-License-Identifier: Apache-2.0
// run: k global 2
// arg: buffer short 0..11
// arg: out short 12
// expect: arg1 short 3 4 5 0 1 2 * * * * * *
kernel void k(global short *a, global short *b)
{
    int i = get_global_id(0);
    short3 v = vload3(i, a);
    vstore3(v, 1 - i, b);
}
