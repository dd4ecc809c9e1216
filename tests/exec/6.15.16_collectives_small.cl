// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_work_group_collective_functions
// needs: cl_khr_fp16
// needs: cl_khr_fp64
// run: kinds global 16 local 8
// arg: out half 6
// arg: out double 6
// expect: arg0 half 28 7 inf 92 15 inf
// expect: arg1 double 14 0 -inf 46 4 -inf
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void kinds(global half *h, global double *d)
{
    int i = (int)get_global_id(0), g = 3 * (int)get_group_id(0);
    half a = work_group_reduce_add((half)i), b = work_group_reduce_max((half)i), c = work_group_scan_exclusive_min((half)i);
    double x = work_group_reduce_add(i * 0.5), y = work_group_reduce_min(i * 0.5), z = work_group_scan_exclusive_max(i * 0.5);
    if (get_local_id(0) == 0) h[g] = a, h[g + 1] = b, h[g + 2] = c, d[g] = x, d[g + 1] = y, d[g + 2] = z;
}
