// SPDX-License-Identifier: Apache-2.0
// Quotients and roots of doubles side by side, usual and at the ends of the range, and quotients of their results.
// needs: cl_khr_fp64
// needs: double_denormals
// run: k global 6
// arg: buffer double 12 4 9 3  1 0 16 4  8 2 0x0.0000000004000p-1022 0x0.0000000001000p-1022  0x0.0000000004000p-1022 1024 25 5  -1 3 -4 2  0 5 0x1.0000000000000p+1000 0x1.0000000000000p-1000
// arg: out double 30
// expect: arg1 double 0x1.8000000000000p+1 0x1.8000000000000p+1 0x1.8000000000000p+1 0x1.0000000000000p+1 0x1.8000000000000p+0  inf 0x1.0000000000000p+2 0x1.0000000000000p+2 inf 0x0.0p+0  0x1.0000000000000p+2 0x1.0000000000000p+2 0x1.0000000000000p-530 inf 0x0.0p+0  0x0.0000000000010p-1022 0x1.4000000000000p+2 0x1.4000000000000p+2 0x1.0000000000000p+0 0x1.4000000000000p+2  -0x1.5555555555555p-2 -0x1.0000000000000p+1 -0x1.0000000000000p+0 -0x1.2aaaaaaaaaaabp+0 -0x1.b6db6db6db6dbp+0  0x0.0p+0 inf 0x1.0000000000000p+500 inf 0x0.0p+0
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void k(global const double *in, global double *result)
{
    size_t i = get_global_id(0);
    double a = in[4 * i], b = in[4 * i + 1], c = in[4 * i + 2], d = in[4 * i + 3];
    double p = a / b, q = c / d, r = sqrt(c), s = (p + q) / d;
    global double *to = result + 5 * i;
    to[0] = p;
    to[1] = q;
    to[2] = isnan(r) ? -1 : r;
    to[3] = s;
    to[4] = d / s;
}
