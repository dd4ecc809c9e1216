// SPDX-License-Identifier: Apache-2.0
// target: hasvk_bdw
// expect:  Fma 
// never: OpFAdd
// never: OpFSub
// A sum of a quotient is contracted if the driver computes quotients as products with reciprocals anyway.
kernel void k(global const float *a, global float4 *o, float4 v, int n)
{
    float sum = a[0];
    for (int i = 1; i < n; i++) {
        sum += a[i] / a[i + n];
        sum = a[i + 1] / a[i + 3] - sum;
        sum -= 1.5f / a[i + 4];
    }
    o[0] = v - v.wzyx / sum;
}
