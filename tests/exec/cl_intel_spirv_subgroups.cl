// SPDX-License-Identifier: Apache-2.0
// The shuffles and blocks of Intel's sub-groups, also as instructions.
// needs: cl_intel_spirv_subgroups
// needs: __opencl_c_read_write_images
// options: -cl-std=CL3.0
// run: k global 64 local 64
// arg: buffer uint 1..1024
// arg: image 2d r uint32 64 2 = 0..127
// arg: image 2d r uint32 64 2 = 0*128
// arg: out uint 64
// expect: arg2 uint 100..163 36..99
// expect: arg3 uint 0*64
#ifdef __SPIR__
#define MORE __attribute__((overloadable, convergent))
float4 MORE intel_sub_group_shuffle(float4 x, uint at);
uint MORE intel_sub_group_shuffle_xor(uint x, uint at);
uint2 MORE intel_sub_group_shuffle_down(uint2 x, uint2 y, uint by);
int MORE intel_sub_group_shuffle_up(int x, int y, uint by);
uint2 MORE intel_sub_group_block_read2(const global uint *p);
ushort4 MORE intel_sub_group_block_read_us4(const global ushort *p);
void MORE intel_sub_group_block_write2(global uint *p, uint2 x);
uint2 MORE intel_sub_group_block_read2(read_only image2d_t image, int2 at);
void MORE intel_sub_group_block_write2(write_only image2d_t image, int2 at, uint2 x);
#endif
kernel void k(global uint *data, read_only image2d_t from, write_only image2d_t to, global uint *out)
{
    uint lane = get_sub_group_local_id(), n = get_max_sub_group_size(), bad = 0, start = get_sub_group_id() * n;
    global uint *p = data + start * 2;
    bad |= any(intel_sub_group_shuffle((float4)(lane, 1, 2, -(float)lane), lane ^ 1) != (float4)(lane ^ 1, 1, 2, -(float)(lane ^ 1))) << 0;
    bad |= (intel_sub_group_shuffle_xor(lane, 2) != (lane ^ 2)) << 1;
    uint2 down = intel_sub_group_shuffle_down((uint2)(lane, lane * 2), (uint2)(lane + n, lane * 2 + 2 * n), 1);
    bad |= (down.x != lane + 1 || down.y != lane * 2 + 2) << 2;
    bad |= (intel_sub_group_shuffle_up((int)(lane - n), (int)lane, 3) != (int)lane - 3) << 3;
    uint2 two = intel_sub_group_block_read2(p);
    bad |= (two.x != start * 2 + 1 + lane || two.y != start * 2 + 1 + lane + n) << 4;
    ushort4 four = intel_sub_group_block_read_us4((global ushort *)p);
    bad |= any(four != (ushort4)(((global ushort *)p)[lane], ((global ushort *)p)[lane + n], ((global ushort *)p)[lane + 2 * n], ((global ushort *)p)[lane + 3 * n])) << 5;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    intel_sub_group_block_write2(p, two.yx);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    bad |= (p[lane] != two.y || p[lane + n] != two.x) << 6;
    uint2 rows = intel_sub_group_block_read2(from, (int2)(start * 4, 0));
    bad |= (rows.x != start + lane || rows.y != start + lane + 64) << 7;
    intel_sub_group_block_write2(to, (int2)(start * 4, 0), (uint2)(rows.x + 100, rows.y - 28));
    out[get_local_id(0)] = bad;
}
