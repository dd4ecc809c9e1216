// SPDX-License-Identifier: Apache-2.0
// needs: __opencl_c_work_group_collective_functions
// options: -cl-std=CL3.0
// Groups of 20, 20 and 10.
// needs: __opencl_c_generic_address_space
// run: k global 50 local 20
// arg: buffer long -11 -4 3 10 -6 1 8 -8 -1 6 -10 -3 4 11 -5 2 9 -7 0 7 -9 -2 5 -11 -4 3 10 -6 1 8 -8 -1 6 -10 -3 4 11 -5 2 9 -7 0 7 -9 -2 5 -11 -4 3 10
// arg: out long 50
// arg: out long 50
// arg: out long 50
// arg: out long 50
// arg: out long 50
// arg: out long 50
// arg: out long 50
// arg: out long 50
// arg: out long 50
// expect: arg1 long 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -8 -8 -8 -8 -8 -8 -8 -8 -8 -8
// expect: arg2 long -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11
// expect: arg3 long 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 10 10 10 10 10 10 10 10 10 10
// expect: arg4 long -11 -15 -12 -2 -8 -7 1 -7 -8 -2 -12 -15 -11 0 -5 -3 6 -1 -1 6 -9 -11 -6 -17 -21 -18 -8 -14 -13 -5 -13 -14 -8 -18 -21 -17 -6 -11 -9 0 -7 -7 0 -9 -11 -6 -17 -21 -18 -8
// expect: arg5 long -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -9 -9 -9 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -7 -7 -7 -9 -9 -9 -11 -11 -11 -11
// expect: arg6 long -11 -4 3 10 10 10 10 10 10 10 10 10 10 11 11 11 11 11 11 11 -9 -2 5 5 5 5 10 10 10 10 10 10 10 10 10 10 11 11 11 11 -7 0 7 7 7 7 7 7 7 10
// expect: arg7 long 0 -11 -15 -12 -2 -8 -7 1 -7 -8 -2 -12 -15 -11 0 -5 -3 6 -1 -1 0 -9 -11 -6 -17 -21 -18 -8 -14 -13 -5 -13 -14 -8 -18 -21 -17 -6 -11 -9 0 -7 -7 0 -9 -11 -6 -17 -21 -18
// expect: arg8 long 9223372036854775807 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 9223372036854775807 -9 -9 -9 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11 9223372036854775807 -7 -7 -7 -9 -9 -9 -11 -11 -11
// expect: arg9 long -9223372036854775808 -11 -4 3 10 10 10 10 10 10 10 10 10 10 11 11 11 11 11 11 -9223372036854775808 -9 -2 5 5 5 5 10 10 10 10 10 10 10 10 10 10 11 11 11 -9223372036854775808 -7 0 7 7 7 7 7 7 7
kernel void k(global const long *in,global long *reduce_add, global long *reduce_min, global long *reduce_max, global long *scan_inclusive_add, global long *scan_inclusive_min, global long *scan_inclusive_max, global long *scan_exclusive_add, global long *scan_exclusive_min, global long *scan_exclusive_max)
{
    size_t i = get_global_id(0);
    reduce_add[i] = work_group_reduce_add(in[i]);
    reduce_min[i] = work_group_reduce_min(in[i]);
    reduce_max[i] = work_group_reduce_max(in[i]);
    scan_inclusive_add[i] = work_group_scan_inclusive_add(in[i]);
    scan_inclusive_min[i] = work_group_scan_inclusive_min(in[i]);
    scan_inclusive_max[i] = work_group_scan_inclusive_max(in[i]);
    scan_exclusive_add[i] = work_group_scan_exclusive_add(in[i]);
    scan_exclusive_min[i] = work_group_scan_exclusive_min(in[i]);
    scan_exclusive_max[i] = work_group_scan_exclusive_max(in[i]);
}
