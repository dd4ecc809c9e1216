// SPDX-License-Identifier: Apache-2.0
// source: clang writes lane 3 of vectors of three
// run: k global 1
// arg: buffer float 1 2 3 4 5 6 7 8
// arg: buffer int 1 2 3 4 5 6 7 8
// arg: out float 12
// expect: arg0 float 1 20 3 4 5 6 70 8
// expect: arg1 int 1 2 3 4 5 16 9 8
// expect: arg2 float 1 2 10 1 30 10 31 30 10 31 6 10
// .hi and .odd of a vector of 3 have two lanes; the second lane is not stored.
kernel void k(global float *p, global int *q, global float *o)
{
    float3 v = vload3(0, p);
    v.hi = (float2)(10, 11);
    vstore3(v, 0, o);
    v.odd = (float2)(30, 31);
    vstore3(v, 1, o);
    v.lo.hi = 1;
    v.even = v.even;
    v.lo = v.odd.xx + (float2)(30, 29);
    v.lo = (float2)(31, 30);
    v.hi.y = 100;
    v.odd.yx = (float2)(200, 30);
    vstore3(v, 2, o);
    v.lo = (float2)(31, 5);
    v.odd += (float2)(1, 2);
    vstore3(v, 3, o);
    global float3 *g = (global float3 *)p;
    g[0].odd = (float2)(20, 21);
    g[1].hi = (float2)(70, 80);
    global int3 *h = (global int3 *)q;
    h[1].hi += 2;
    h[1].odd.x += 10;
}
