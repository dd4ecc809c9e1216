// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer int 5
// arg: buffer float 1.5
// arg: out int 1
// arg: out float 1
// expect: arg0 int 9
// expect: arg1 float 2.5
// expect: arg2 int 5
// expect: arg3 float 1.5
kernel void k(global int *a, global float *b, global int *c, global float *d)
{
    c[0] = atomic_xchg(a, 9);
    d[0] = atomic_xchg(b, 2.5f);
}
