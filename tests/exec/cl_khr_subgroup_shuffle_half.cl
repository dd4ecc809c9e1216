// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_subgroup_shuffle
// needs: cl_khr_subgroup_extended_types
// needs: cl_khr_fp16
// needs: __opencl_c_work_group_collective_functions
// options: -cl-std=CL3.0
// run: k global 45 local 45
// arg: out int 45
// expect: arg0 int 0*45
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global int *out)
{
    uint lane = get_sub_group_local_id(), size = get_sub_group_size(), l = get_local_id(0);
    int bad = 0;
    half x = (half)(int)(lane * 2) + 0.5h;
    bad |= (sub_group_shuffle(x, 0) != 0.5h) << 0;
    bad |= (sub_group_reduce_max(x) != (half)(int)(size * 2 - 2) + 0.5h) << 1;
    bad |= (sub_group_scan_exclusive_min(x) != (lane ? 0.5h : (half)INFINITY)) << 2;
    bad |= (sub_group_scan_inclusive_add((half)1) != (half)(int)(lane + 1)) << 3;
    bad |= (work_group_reduce_add((half)(int)l) != (half)990) << 4;
    bad |= (work_group_scan_exclusive_max((half)-(int)l) != (l ? (half)0 : (half)-INFINITY)) << 5;
    bad |= (work_group_broadcast((half)(int)l, 44) != (half)44) << 6;
    out[l] = bad;
}
