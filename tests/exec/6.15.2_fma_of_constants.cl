// SPDX-License-Identifier: Apache-2.0
// A factor is one or zero, or the addend is zero: the sign of a zero shows whether a product underflowed.
// needs: cl_khr_fp64
// run: k global 6
// arg: buffer double 3 -1e-200 1e-200 -0.0 inf 0.1
// arg: buffer double 0.5 1e-200 -0.0 5 0 -0.1
// arg: buffer float 3 -1e-30 1e-30 -0.0 inf 0.1
// arg: buffer float 0.5 1e-30 -0.0 5 0 -0.1
// arg: out double 30
// arg: out float 30
// expect: arg4 double 3.5 0 1e-200 5 inf 0  1.5 -0.0 0 0 nan -0x1.47ae147ae147cp-7  1.5 -0.0 -0.0 -0.0 nan -0x1.47ae147ae147cp-7  -2.5 2e-200 -1e-200 5 -inf -0.2  0.5 1e-200 0 5 nan -0.1
// expect: arg5 float 3.5 0 1e-30 5 inf 0  1.5 -0.0 0 0 nan -0x1.47ae16p-7  1.5 -0.0 -0.0 -0.0 nan -0x1.47ae16p-7  -2.5 2e-30 -1e-30 5 -inf -0.2  0.5 1e-30 0 5 nan -0.1
#define FIVE(type, x, y, out)                                                                                                       \
    out[i] = fma(x[i], (type)1, y[i]);                                                                                              \
    out[i + 6] = fma(x[i], y[i], (type)0);                                                                                          \
    out[i + 12] = fma(y[i], x[i], -(type)0);                                                                                        \
    out[i + 18] = fma((type)-1, x[i], y[i]);                                                                                        \
    out[i + 24] = fma((type)0, x[i], y[i]);

kernel void k(global double *a, global double *b, global float *c, global float *d, global double *ab, global float *cd)
{
    int i = get_global_id(0);
    FIVE(double, a, b, ab)
    FIVE(float, c, d, cd)
}
