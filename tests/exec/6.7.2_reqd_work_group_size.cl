// SPDX-License-Identifier: Apache-2.0
// run: k global 8 local 4
// arg: out int 8
// expect: arg0 int 4*8
__attribute__((reqd_work_group_size(4, 1, 1))) kernel void k(global int *out)
{
    out[get_global_id(0)] = get_local_size(0);
}
