// SPDX-License-Identifier: Apache-2.0
// Quotients, differences and sums with a constant zero, or with one that becomes constant by unrolling or inlining,
// equal those with any other zero. (The sign of a NaN is not compared.)
// run: quotients global 1
// arg: buffer float 5 0 -0.0 inf nan
// arg: out int 13
// expect: arg1 int 103 0x7f800000 0xff800000 1 1 0x80000000 0 0x80000000 0x7f800000 0x40200000 0x80000000 1 105
// run: sums global 1
// arg: buffer float 5 0 -0.0 inf nan
// arg: out int 11
// expect: arg1 int 0 0x80000000 0 0 0x80000000 0x40000000 0 0 0x3f800000 0 7
__attribute__((noinline)) float quotient(float x, float y)
{
    return x / y;
}

kernel void quotients(global const float *in, global int *r)
{
    float x = in[0], zero = in[1], minus = in[2], inf = in[3];
    int m = 0, n = 0;
    for (int i = 0; i < 4; i++)
        m += isinf(x / (float)i) ? 100 : 1;
    r[0] = m;
    r[1] = as_int(x / 0.0f);
    r[2] = as_int(x / -0.0f);
    r[3] = isnan(zero / 0.0f);
    r[4] = isnan(0.0f / minus);
    r[5] = as_int(0.0f / -x);
    r[6] = as_int(0.0f / inf);
    r[7] = as_int(0.0f / -inf);
    float2 v = (float2)(x, x) / (float2)(0, 2);
    r[8] = as_int(v.x);
    r[9] = as_int(v.y);
    v = (float2)(0, 1) / (float2)(-x, x);
    r[10] = as_int(v.x);
    r[11] = isinf(quotient(x, 0.0f));
    for (int i = 0; i < 6; i++) {
        float d = i * (int)x;
        n += isinf(x / d) ? 100 : 1;
    }
    r[12] = n;
}

kernel void sums(global const float *in, global int *r)
{
    float zero = in[1], minus = in[2], sum = 0.0f;
    r[0] = as_int(0.0f - zero);
    r[1] = as_int(-zero);
    r[2] = as_int(minus + 0.0f);
    r[3] = as_int(0.0f + minus);
    r[4] = as_int(minus - 0.0f);
    float2 v = (float2)(2, 0) - (float2)(zero, zero);
    r[5] = as_int(v.x);
    r[6] = as_int(v.y);
    for (int i = 0; i < 2; i++)
        r[7 + i] = as_int((float)i - zero);
    for (int i = 0; i < 12; i++)
        sum += minus;
    r[9] = as_int(sum);
    int n = 0;
    for (int i = 0; i < 7; i++)
        n += as_int(minus + (float)(i & 1)) >= 0;
    r[10] = n;
}
