void take(write_only image2d_t a) {}
kernel void k(read_only image2d_t a, write_only image2d_t b, image2d_t c, sampler_t s)
{
    float4 f = read_imagef(b, s, (int2)(1, 2));
    write_imagef(a, (int2)(0), f);
    write_imagef(c, (int2)(0), f);
    f = read_imagef(a, 0, (int3)(1));
    f = read_imagef(b, (int2)(1));
    take(a);
}
kernel void both(read_write image2d_t a) {}
kernel void samples(image2d_msaa_t a) {}
// SPDX-License-Identifier: Apache-2.0
