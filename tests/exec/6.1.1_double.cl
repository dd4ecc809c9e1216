// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_fp64
// run: k global 3
// arg: buffer double 1.5 1e300 -2
// arg: buffer double 3 1e10 0.1
// arg: out double 9
// arg: out float 3
// arg: out long 3
// expect: arg2 double 4.5 1e300 -1.9 4.5 inf -0.2 0.5 1e290 -20
// expect: arg3 float 1.5 inf -2
// expect: arg4 long 3 10000000000 0
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void k(global double *a, global double *b, global double *c, global float *f, global long *l)
{
    int i = get_global_id(0);
    c[i] = a[i] + b[i];
    c[i + 3] = a[i] * b[i];
    c[i + 6] = a[i] / b[i];
    f[i] = a[i];
    l[i] = b[i];
}
