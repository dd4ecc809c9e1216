// SPDX-License-Identifier: Apache-2.0
// From OpenCL C 2.0 on, the last work-group of a range may be smaller than reqd_work_group_size.
// options: -cl-std=CL3.0
// run: k global 6 local 4
// arg: out uint 6
// arg: out uint 6
// expect: arg0 uint 4 4 4 4 2 2
// expect: arg1 uint 4 4 4 4 4 4
__attribute__((reqd_work_group_size(4, 1, 1))) kernel void k(global uint *size, global uint *enqueued)
{
    size[get_global_id(0)] = get_local_size(0);
    enqueued[get_global_id(0)] = get_enqueued_local_size(0);
}
