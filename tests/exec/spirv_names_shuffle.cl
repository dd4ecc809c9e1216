// SPDX-License-Identifier: Apache-2.0
// Shuffles across the values of two sub-groups, by the names of SPIR-V instructions.
// needs: cl_khr_subgroup_shuffle
// source: clang's declarations differ
// options: -cl-std=CL3.0
// run: k global 64 local 64
// arg: out int 64
// expect: arg0 int 0*64
kernel void k(global int *out)
{
    int lane = (int)get_sub_group_local_id(), size = (int)get_max_sub_group_size(), bad = 0;
    for (int by = 0; by <= size; by++) {
        int down = __spirv_SubgroupShuffleDownINTEL(lane, lane + size, (uint)by);
        int up = __spirv_SubgroupShuffleUpINTEL(lane - size, lane, (uint)by);
        bad |= down != lane + by | (up != lane - by) << 1;
        float2 pair = __spirv_SubgroupShuffleDownINTEL((float2)(lane, -lane), (float2)(lane + size, -lane - size), (uint)by);
        bad |= (pair.x != lane + by | pair.y != -lane - by) << 2;
        long wide = __spirv_SubgroupShuffleUpINTEL((long)lane - size, (long)lane, (uint)by);
        bad |= (wide != lane - by) << 3;
    }
    out[get_global_id(0)] = bad;
}
