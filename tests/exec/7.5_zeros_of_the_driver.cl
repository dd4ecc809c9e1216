// SPDX-License-Identifier: Apache-2.0
// 0 - 0 is 0, also if only the driver can deduce the first 0: from a work-group of one work-item, from an array of integers,
// or because a lane is 0 whichever value is chosen.
// run: items global 2 local 1
// arg: buffer int 0 5
// arg: out uint 2
// expect: arg1 uint 0 0xc0a00000
kernel void items(global const int *x, global uint *r)
{
    float mine = (float)get_local_id(0);
    r[get_group_id(0)] = as_uint(mine - (float)x[get_group_id(0)]);
}
// run: array global 2 local 1
// arg: buffer int 0 5
// arg: out uint 2
// expect: arg1 uint 0 0xc0e00000
kernel void array(global const int *x, global uint *r)
{
    ulong a[8] = {0, 0, 0, 0, 0, 7};
    uint i = get_global_id(0);
    float zero = (float)a[7];
    for (int k = 0; k < 2; k++)
        r[i] = as_uint(zero - fabs((float)(a[(uint)x[i] & 7] % 4194304)));
}
// run: arms global 4 local 4
// arg: buffer int 1 0 0xffffffff 0
// arg: buffer int 0 0 0 0
// arg: buffer int 0 0 0 0
// arg: buffer float 7 7 7 7
// expect: arg1 int 3 3 3 3
// expect: arg2 int 2 2 2 2
kernel void arms(global int *b, global int *r, global int *s, global float *o)
{
    int i = get_global_id(0);
    float2 x = (float2)0.0f / ((int2)b[i] ? (float2)(905.0f, 0.0f) : (float2)(880.0f, 0.0f));
    r[i] = isnan(x.y) ? 3 : isinf(x.y) ? 2 : 1;
    float2 d = (float2)(905.0f, 0.0f);
    if (b[i]) {
        o[i] = 1.0f;
        d = (float2)(880.0f, 0.0f);
    }
    x = (float2)3.0f / d;
    s[i] = isnan(x.y) ? 3 : isinf(x.y) ? 2 : 1;
}
// The driver divides before it chooses: 0 / 0 became 0.
// run: one_arm global 2 local 1
// arg: buffer float 5 5 5 5 5
// arg: out float 2
// expect: arg1 float 3 3
constant ulong rows[8] = {12939946718675849920ul, 3519952967326816635ul, 9223372036854775808ul, 128ul, 3ul, 1ul, 281474976710656ul, 128ul};
kernel void one_arm(global const float *f, global float *r)
{
    global float *m = r + get_global_id(0);
    float x = ((int)m[0l & 7u] == rows[0] ? f[4] : 0.0f) / 0.0f;
    int whole = fabs(x) < 4194304.0f && trunc(x) == x;
    m[0] = isnan(x) ? (float)3 : isinf(x) ? (float)2 : whole ? x : (float)1;
}
// The driver knows a value in an if whose condition has been tested before: 0 - x became -x.
// run: again global 2 local 2
// arg: buffer int 1 1
// arg: buffer float 0 0
// arg: buffer int 5 5 5 5
// expect: arg2 int 0 0 0 0
kernel void again(global int *b, global float *f, global int *r)
{
    int i = get_global_id(0), c = r[i + 2];
    bool asked = b[0];
    if (asked) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        r[i + 2] = 0;
        c = 0;
    }
    if (asked) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        r[i] = signbit((float)c - fabs(f[i]));
    }
}
