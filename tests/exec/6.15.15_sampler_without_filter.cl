// SPDX-License-Identifier: Apache-2.0
// A sampler without a filter selects the nearest texel. llvm-spirv writes a filter that does not exist in SPIR-V.
// needs: images
// run: k global 4
// arg: image 1d r uint32 4 = 5 6 7 8
// arg: out uint 4
// expect: arg1 uint 8 7 6 5
constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE;

kernel void k(read_only image1d_t in, global uint *out)
{
    int i = get_global_id(0);
    out[i] = read_imageui(in, plain, 3 - i).x;
}
