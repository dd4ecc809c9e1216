// SPDX-License-Identifier: Apache-2.0
// log, log2, log10, log1p of double: the natural logarithm of the mantissa, times a constant.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/log_double.h"

// For each: of usual numbers, of any, and the latter as a function that is not inlined (passes/opt_rare_calls.c), with the
// same results.

static double usual_log(double x)
{
    struct log_reduced_d l = quick_log_reduce_d(x);
    return log_sum_d(l.k, l.f);
}

static double log_of_any(double x)
{
    struct log_reduced_d l = log_reduce_d(x);
    return log_result_d(x, log_sum_d(l.k, l.f));
}

__attribute__((noinline)) LIB double any_log(double x)
{
    return log_of_any(x);
}

// log: 0.904 ULP at 0x1.695754c839e5bp-1.
LIB double log(double x)
{
    return QUICK ? (is_usual_d(x) ? usual_log(x) : any_log(x)) : log_of_any(x);
}

static double log2_sum_d(double k, double f)
{
    return mad(f - log_tail_d(f), 0x1.71547652b82fep+0, k);
}

static double usual_log2(double x)
{
    struct log_reduced_d l = quick_log_reduce_d(x);
    return log2_sum_d(l.k, l.f);
}

static double log2_of_any(double x)
{
    struct log_reduced_d l = log_reduce_d(x);
    return log_result_d(x, log2_sum_d(l.k, l.f));
}

__attribute__((noinline)) LIB double any_log2(double x)
{
    return log2_of_any(x);
}

// log2: 1.58 ULP at 0x1.6784d64d2ff5cp+0.
LIB double log2(double x)
{
    return QUICK ? (is_usual_d(x) ? usual_log2(x) : any_log2(x)) : log2_of_any(x);
}

static double log10_sum_d(double k, double f)
{
    double y = (f - log_tail_d(f)) * 0x1.bcb7b1526e50ep-2;
    return mad(k, 0x1.34413509p-2, mad(k, 0x1.ef3fde623e256p-35, y));
}

static double usual_log10(double x)
{
    struct log_reduced_d l = quick_log_reduce_d(x);
    return log10_sum_d(l.k, l.f);
}

static double log10_of_any(double x)
{
    struct log_reduced_d l = log_reduce_d(x);
    return log_result_d(x, log10_sum_d(l.k, l.f));
}

__attribute__((noinline)) LIB double any_log10(double x)
{
    return log10_of_any(x);
}

// log10: 1.68 ULP at 0x1.52afc31b78c8dp+0.
LIB double log10(double x)
{
    return QUICK ? (is_usual_d(x) ? usual_log10(x) : any_log10(x)) : log10_of_any(x);
}

// log1p: 1.001 ULP at 0x1.d81bb1aa66badp-2.
LIB double log1p(double x)
{
    double y = log_result_d(1.0 + x, log1p_sum_d(x, 0.0));
    return x == 0.0 ? x : y;
}
#endif
