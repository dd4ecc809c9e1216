// SPDX-License-Identifier: Apache-2.0
// log, log2, log10, log1p of double: the natural logarithm of the mantissa, times a constant.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/log_double.h"

// log: 0.787 ULP at 0x1.4408ece9f3bdfp-1.
LIB double log(double x)
{
    struct log_reduced_d l = log_reduce_d(x);
    return log_result_d(x, log_sum_d(l.k, l.f));
}

// log2: 1.52 ULP at 0x1.61e941934133cp+0.
LIB double log2(double x)
{
    struct log_reduced_d l = log_reduce_d(x);
    return log_result_d(x, (l.f - log_tail_d(l.f)) * 0x1.71547652b82fep+0 + l.k);
}

// log10: 1.64 ULP at 0x1.22564d3942eafp+0.
LIB double log10(double x)
{
    struct log_reduced_d l = log_reduce_d(x);
    double y = (l.f - log_tail_d(l.f)) * 0x1.bcb7b1526e50ep-2;
    return log_result_d(x, l.k * 0x1.34413509p-2 + (y + l.k * 0x1.ef3fde623e256p-35));
}

// log1p: 0.966 ULP at 0x1.c35c31b52a209p-2.
LIB double log1p(double x)
{
    double y = log_result_d(1.0 + x, log1p_sum_d(x, 0.0));
    return x == 0.0 ? x : y;
}
#endif
