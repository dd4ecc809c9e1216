// options: -cl-std=CL3.0
kernel void k(global uint *p, constant uint *c, global int *i, read_only image2d_t r, write_only image2d_t w, image1d_t one)
{
    long2 l = intel_sub_group_shuffle((long2)(1), 1u);
    uint x = intel_sub_group_block_read(c);
    uint4 y = intel_sub_group_block_read4(w, (int2)(0));
    intel_sub_group_block_write(r, (int2)(0), 1u);
    intel_sub_group_block_write8(p, (uint4)(0));
    x = intel_sub_group_block_read_ui(one, (int2)(0));
    intel_sub_group_shuffle_down(1u, 2u);
}
// SPDX-License-Identifier: Apache-2.0
