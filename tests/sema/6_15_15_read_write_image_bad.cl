// options: -cl-std=CL2.0
void take(read_only image2d_t a) {}
kernel void k(read_write image2d_t a, sampler_t s)
{
    float4 f = read_imagef(a, s, (int2)(2));
    take(a);
}
// SPDX-License-Identifier: Apache-2.0
