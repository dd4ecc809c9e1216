// SPDX-License-Identifier: Apache-2.0
// length, distance and normalize with relaxed math
// options: -cl-fast-relaxed-math
// run: k global 4
// arg: buffer float 3 4 0 0  0 0 0 0  -1e10 0 0 0  1e-10 2e-10 2e-10 0
// arg: out float 8
// arg: out float 16
// expect: arg1 float ulp 8192 5 0 1e10 3e-10 0 5 1e10 3
// expect: arg2 float ulp 8192 0.6 0.8 0 0  0 0 0 0  -1 0 0 0  0.33333333 0.66666667 0.66666667 0
kernel void k(global const float4 *in, global float *out, global float4 *unit)
{
    size_t i = get_global_id(0);
    out[i] = length(in[i]);
    out[4 + i] = i == 3 ? distance((float2)(1, 2), (float2)(4, 2)) : distance(in[0].xyz, i == 1 ? (float3)0.0f : in[i].xyz);
    unit[i] = normalize(in[i]);
}
