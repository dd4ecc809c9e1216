// options: -cl-std=CL2.0
// expect: OpCapability Sampled1D
// expect: OpCapability Image1D
// expect: OpCapability SampledBuffer
// expect: OpCapability ImageBuffer
// expect: OpTypeImage %float 1D 0 1 0 1 Unknown
// expect: OpTypeImage %uint Buffer 0 0 0 1 Unknown
// expect: OpTypeImage %float Buffer 0 0 0 2 Unknown
// expect: OpTypeImage %float 2D 0 1 0 1 Unknown
// expect: OpTypeImage %float 2D 0 1 0 2 Unknown
// expect: OpTypeImage %float 3D 0 0 0 2 Unknown
kernel void k(image1d_t a, image1d_array_t b, image1d_buffer_t c, image2d_array_t d, image3d_t e, image2d_depth_t f,
              image2d_array_depth_t g, write_only image1d_t A, write_only image1d_array_t B,
              write_only image1d_buffer_t C, write_only image2d_array_t D, write_only image3d_t E,
              write_only image2d_depth_t F, write_only image2d_array_depth_t G)
{
    const sampler_t sampler = CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP;
    int x = get_global_id(0);
    write_imagef(A, x, read_imagef(a, sampler, x));
    write_imagef(B, (int2)x, read_imagef(b, sampler, (float2)x));
    write_imagef(C, x, convert_float4(read_imageui(c, x)));
    write_imagef(D, (int4)x, read_imagef(d, sampler, (int4)x));
    write_imagef(E, (int4)x, read_imagef(e, (int4)x));
    write_imagef(F, (int2)x, read_imagef(f, sampler, (int2)x));
    write_imagef(G, (int4)x, read_imagef(g, sampler, (float4)x));
}
// SPDX-License-Identifier: Apache-2.0
