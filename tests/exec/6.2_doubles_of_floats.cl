// SPDX-License-Identifier: Apache-2.0
// Arithmetic in double on floats, rounded to float, compared and truncated: the same values as without shortcuts.
// needs: cl_khr_fp64
// run: f global 4
// arg: out float 16
// arg: buffer float 0.1 0x1.fffffep127 -0x1p-120 -0.0
// arg: buffer float 0x1.000002p0 0x1p104 0x1.8p-1 0.0
// arg: out int 16
// expect: arg0 float 0x1.99999ap-5 0x1.19999cp+0 0x1.99999ep-4 0x1.99999ap-3 0x1.fffffep+126 inf inf inf -0x1p-121 0x1.8p-1 -0x1.8p-121 -0x1p-119 -0 0 -0 -0
// expect: arg3 int 1 0 0 0 0 2147483647 0 2147483647 1 0 0 0 0 0 0 0
// run: tenths global 1
// arg: out float 1
// arg: buffer float 9
// expect: arg0 float 0x1.ccccccp-1
// run: order global 6
// arg: out int 6
// arg: buffer float 0x1.999998p-4 0x1.99999ap-4 inf -inf nan -1
// expect: arg0 int 227 236 204 163 128 227
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void f(global float *out, global const float *a, global const float *b, global int *n)
{
    size_t i = get_global_id(0);
    float x = a[i], y = b[i];
    out[4 * i] = x * 0.5;
    out[4 * i + 1] = (double)x + y;
    out[4 * i + 2] = (double)x * y;
    out[4 * i + 3] = x * 2.0;
    n[4 * i] = x < 0.25 && x != 0.0;
    n[4 * i + 1] = convert_int_sat((double)x);
    n[4 * i + 2] = x == 0.1;
    n[4 * i + 3] = convert_int_sat(x * 4.0);
}

kernel void tenths(global float *out, global const float *a)
{
    out[0] = a[0] * 0.1; // a constant that is no float
}

kernel void order(global int *out, global const float *a)
{
    float x = a[get_global_id(0)]; // .1 is between the first two
    out[get_global_id(0)] = (x < 0.1) | (x <= 0.1) << 1 | (x > 0.1) << 2 | (x >= 0.1) << 3 | (x == 0.1) << 4 | (x < 1e300) << 5 |
                            (x > -1e300) << 6 | (x != 0.1) << 7;
}
