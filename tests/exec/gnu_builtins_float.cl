// SPDX-License-Identifier: Apache-2.0
// C's math functions by GNU's names, constants, classification of floats.
// options: -cl-std=CL1.2
// run: functions global 1
// arg: float 2.25
// arg: out float 24
// arg: out int 20
// expect: arg1 float 1.5 2.25 2.25 -2.25 3 2 2 2 -0.25 8 9 0.5625 2 2.25 0.25 2 5.0625 3 inf inf nan 4 6 5.5
// expect: arg2 int 2 1 2 0 1 0 0 1 0 1 1 0 0 0 1 -1 2 2 3 2
kernel void functions(float x, global float *r, global int *n)
{
    constant float limit = __builtin_inff(), big = __builtin_huge_valf(), none = __builtin_nanf("");
    int e;
    float whole;
    r[0] = __builtin_sqrtf(x);
    r[1] = __builtin_fabsf(-x);
    r[2] = __builtin_fmaxf(x, 1);
    r[3] = __builtin_copysignf(x, -0.0f);
    r[4] = __builtin_ceilf(x);
    r[5] = __builtin_floorf(x);
    r[6] = __builtin_truncf(x);
    r[7] = __builtin_roundevenf(2.5f + 0 * x);
    r[8] = __builtin_remainderf(x, 2.5f);
    r[9] = __builtin_exp2f(3);
    r[10] = __builtin_ldexpf(x, 2);
    r[11] = __builtin_frexpf(x, &e);
    r[12] = __builtin_rintf(x);
    r[13] = __builtin_fminf(x, 5);
    r[14] = __builtin_modff(x, &whole);
    r[15] = whole;
    r[16] = __builtin_powif(x, 2);
    r[17] = __builtin_fmaf(x, 2, -1.5f);
    r[18] = limit;
    r[19] = big * 2;
    r[20] = none;
    r[21] = __builtin_log2f(16);
    r[22] = __builtin_scalbnf(1.5f, 2);
    r[23] = __builtin_fdimf(7.75f, x);
    n[0] = e;
    n[1] = __builtin_ilogbf(x);
    n[2] = __builtin_lrintf(x);
    n[3] = __builtin_isnan(x);
    n[4] = __builtin_isnan(r[20]);
    n[5] = __builtin_isinf(x);
    n[6] = __builtin_isinf_sign(x);
    n[7] = __builtin_isinf_sign(r[18]);
    n[8] = __builtin_isnormal(0.0f * x);
    n[9] = __builtin_isgreater(x, 2);
    n[10] = __builtin_isless(1, x);
    n[11] = __builtin_isunordered(x, x);
    n[12] = __builtin_signbit(x) != 0;
    n[13] = __builtin_islessgreater(x, 2.25f);
    n[14] = __builtin_isfinite(x);
    n[15] = __builtin_isinf_sign(-r[18]);
    n[16] = __builtin_lroundf(x);
    n[17] = as_int(__builtin_nanf("2")) & 3;
    n[18] = as_int(__builtin_nanf("0x3")) & 3;
    n[19] = __builtin_llrintf(x);
}
