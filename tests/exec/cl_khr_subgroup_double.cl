// SPDX-License-Identifier: Apache-2.0
// needs: __opencl_c_subgroups
// needs: cl_khr_subgroup_shuffle
// needs: cl_khr_fp64
// needs: __opencl_c_work_group_collective_functions
// options: -cl-std=CL3.0
// run: k global 45 local 45
// arg: out int 45
// expect: arg0 int 0*45
kernel void k(global int *out)
{
    uint lane = get_sub_group_local_id(), size = get_sub_group_size(), l = get_local_id(0);
    int bad = 0;
    double x = (double)l + 0x1p-40;
    bad |= (sub_group_shuffle(x, 0) != (double)(l - lane) + 0x1p-40) << 0;
    bad |= (sub_group_reduce_max(x) != (double)(l - lane + size - 1) + 0x1p-40) << 1;
    bad |= (sub_group_scan_exclusive_min(x) != (lane ? (double)(l - lane) + 0x1p-40 : (double)INFINITY)) << 2;
    bad |= (work_group_reduce_add(x) != 990 + 45 * 0x1p-40) << 3;
    bad |= (work_group_scan_inclusive_add(x) != l * (l + 1) / 2 + (l + 1) * 0x1p-40) << 4;
    bad |= (work_group_scan_exclusive_max(x) != (l ? l - 1 + 0x1p-40 : -(double)INFINITY)) << 5;
    bad |= (work_group_broadcast(x, 44) != 44 + 0x1p-40) << 6;
    out[l] = bad;
}
