// SPDX-License-Identifier: Apache-2.0
// Second results of math functions in every address space, scalars and vectors (OpenCL C 6.15.2).

// run: scalars global 1
// arg: out float 10
// arg: out int 6
// expect: arg0 float -2.25 -0.25 -2 0.75 -3 0.5 1 1 0.75 -3
// expect: arg1 int 3 3 -1 2 3 1
kernel void scalars(global float *f, global int *n)
{
    local float in_local;
    local int int_in_local;
    float in_private;
    int int_in_private;
    f[0] = -2.25f;
    f[1] = modf(f[0], f + 2);
    f[3] = fract(f[0], &in_local);
    f[4] = in_local;
    f[5] = sincos(0.0f, &in_private) + 0.5f;
    f[6] = in_private;
    f[7] = remquo(10.0f, 3.0f, &int_in_local);
    n[0] = int_in_local;
    f[8] = frexp(6.0f, n + 1);
    n[2] = lgamma_r(-0.5f, &int_in_private) > 0.0f ? int_in_private : 0;
    f[9] = remquo(-11.0f, 4.0f, &int_in_private) - 4.0f;
    n[3] = -1 - int_in_private;
    frexp(6.0f, &int_in_local);
    n[4] = int_in_local;
    lgamma_r(0.5f, &int_in_local);
    n[5] = int_in_local;
}

// run: vectors global 1
// arg: out float 16
// arg: out int 8
// expect: arg0 float 0.25 -0.25 0.5 0 1 -2 3 4 0.25 0.75 0.5 1 -3 3 * *
// expect: arg1 int 1 2 3 3 1 2 1 *
kernel void vectors(global float *f, global int *n)
{
    local float4 whole;
    float3 down;
    local int3 quotients;
    vstore4(modf((float4)(1.25f, -2.25f, 3.5f, 4.0f), &whole), 0, f);
    vstore4(whole, 1, f);
    vstore3(fract((float3)(1.25f, -2.25f, 3.5f), &down), 0, f + 8);
    f[11] = down.x;
    f[12] = down.y;
    f[13] = down.z;
    frexp((float4)(1.0f, 2.0f, 4.0f, 7.0f), (global int4 *)n);
    remquo((float3)(3.0f, 5.0f, 2.0f), (float3)(3.0f, 2.0f, 2.0f), &quotients);
    vstore3(quotients, 0, n + 4);
}
