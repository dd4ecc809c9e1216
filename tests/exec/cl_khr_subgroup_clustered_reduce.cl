// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_subgroup_clustered_reduce
// options: -cl-std=CL3.0
// run: k global 64 local 64
// arg: out int 64
// expect: arg0 int 0*64
kernel void k(global int *out)
{
    int lane = get_sub_group_local_id(), base = lane & ~3, bad = 0;
    bad |= (sub_group_clustered_reduce_add(lane, 4) != base * 4 + 6) << 0;
    bad |= (sub_group_clustered_reduce_max((char)lane, 2) != (lane | 1)) << 1;
    bad |= (sub_group_clustered_reduce_min((float)lane, 4) != base) << 2;
    bad |= (sub_group_clustered_reduce_xor((ulong)1 << lane, 4) != (ulong)15 << base) << 3;
    bad |= (!sub_group_clustered_reduce_logical_and(lane & 1, 1) != !(lane & 1)) << 4;
    bad |= (!sub_group_clustered_reduce_logical_or(lane & 1, 2)) << 5;
    out[get_global_id(0)] = bad;
}
