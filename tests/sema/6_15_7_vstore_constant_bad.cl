kernel void k(constant float *cf)
{
    float4 f = 1;
    vstore4(f, 0, cf);
}
// SPDX-License-Identifier: Apache-2.0
