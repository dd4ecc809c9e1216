// SPDX-License-Identifier: Apache-2.0
// log, log2, log10, log1p of double: the natural logarithm of the mantissa, times a constant.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/log_double.h"

// A logarithm whose sum of both parts is NAME_sum_d(). Where the usual numbers have a quick form, the others are left to a
// function that is not inlined (passes/opt_rare_calls.c) and gives the same results.
#define LOGARITHM(name)                                              \
    static double name##_of_any(double x)                            \
    {                                                                \
        struct log_reduced_d l = log_reduce_d(x);                    \
        return log_result_d(x, name##_sum_d(l.k, l.f));              \
    }                                                                \
    __attribute__((noinline)) LIB double any_##name(double x)        \
    {                                                                \
        return name##_of_any(x);                                     \
    }                                                                \
    LIB double name(double x)                                        \
    {                                                                \
        if (!QUICK)                                                  \
            return name##_of_any(x);                                 \
        if (is_usual_d(x)) {                                         \
            struct log_reduced_d l = quick_log_reduce_d(x);          \
            return name##_sum_d(l.k, l.f);                           \
        }                                                            \
        return any_##name(x);                                        \
    }

// log: 0.904 ULP at 0x1.695754c839e5bp-1.
LOGARITHM(log)

static double log2_sum_d(double k, double f)
{
    return mad(f - log_tail_d(f), 0x1.71547652b82fep+0, k);
}

// log2: 1.58 ULP at 0x1.6784d64d2ff5cp+0.
LOGARITHM(log2)

static double log10_sum_d(double k, double f)
{
    double y = (f - log_tail_d(f)) * 0x1.bcb7b1526e50ep-2;
    return mad(k, 0x1.34413509p-2, mad(k, 0x1.ef3fde623e256p-35, y));
}

// log10: 1.68 ULP at 0x1.52afc31b78c8dp+0.
LOGARITHM(log10)

// log1p: 1.001 ULP at 0x1.d81bb1aa66badp-2.
LIB double log1p(double x)
{
    double y = log_result_d(1.0 + x, log1p_sum_d(x, 0.0));
    return x == 0.0 ? x : y;
}
#endif
