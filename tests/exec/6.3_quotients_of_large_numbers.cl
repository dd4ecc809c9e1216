// SPDX-License-Identifier: Apache-2.0
// Quotients of floats are within 2.5 ULP for divisors whose reciprocals are denormal, too.
// run: k global 12
// arg: buffer float 0x1p127 0x1.8p127 1 0x1p126 3 -0x1.fffffep127 inf 1 0 0x1p-126 5 nan
// arg: buffer float 0x1p127 0x1.4p127 0x1p126 0x1.8p126 0x1p-126 0x1.fffffep127 0x1p127 inf 0x1p127 0x1p-126 0 1
// arg: buffer float 1 0x1.333334p0 0x1p-126 0x1.555556p-1 0x1.8p127 -1 inf 0 0 1 inf nan
// arg: out int 12
// expect: arg3 int 1 1 1 1 1 1 1 1 1 1 1 1
kernel void k(global const float *x, global const float *y, global const float *expected, global int *near)
{
    size_t i = get_global_id(0);
    float q = x[i] / y[i], e = expected[i];
    int distance = as_int(q) - as_int(e);
    near[i] = isnan(e) ? isnan(q) : isinf(e) || e == 0 ? q == e : abs(distance) <= 2;
}
