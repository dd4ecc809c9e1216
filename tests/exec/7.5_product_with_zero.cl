// SPDX-License-Identifier: Apache-2.0
// A product with a constant zero may be a NaN, and so may its quotient: it must not be folded to zero if the
// device preserves NaNs.
// needs: infinities
// run: k global 1
// arg: buffer float 5 0 inf nan
// arg: int 4
// arg: out int 4
// expect: arg2 int 1 1 1 0
kernel void k(global const float *in, int count, global int *r)
{
    int m = 0;
    for (int i = 0; i < count; i++)
        m += isinf(in[0] / (float)i) ? 100 : 1;
    r[0] = isnan((float)m * 0.0f / in[1]);
    r[1] = isnan(in[2] * 0.0f);
    r[2] = isnan(0.0f * in[3]);
    r[3] = isnan((float)m * 0.0f);
}
