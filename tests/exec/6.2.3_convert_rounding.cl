// SPDX-License-Identifier: Apache-2.0
// run: k global 6
// arg: buffer float 1.5 2.5 -1.5 -2.5 0.4 -0.6
// arg: out int 6
// arg: out int 6
// arg: out int 6
// arg: out int 6
// expect: arg1 int 1 2 -1 -2 0 0
// expect: arg2 int 2 2 -2 -2 0 -1
// expect: arg3 int 2 3 -1 -2 1 0
// expect: arg4 int 1 2 -2 -3 0 -1
kernel void k(global float *a, global int *z, global int *e, global int *p, global int *n)
{
    int i = get_global_id(0);
    z[i] = convert_int(a[i]);
    e[i] = convert_int_rte(a[i]);
    p[i] = convert_int_rtp(a[i]);
    n[i] = convert_int_rtn(a[i]);
}
