// SPDX-License-Identifier: Apache-2.0
// run: k global 4 4 2 local 2 4 1
// arg: out int 8
// expect: arg0 int 3 2 1 2 2 4 1 0
kernel void k(global int *out)
{
    if (get_global_id(0) + get_global_id(1) + get_global_id(2) == 0) {
        out[0] = get_work_dim();
        out[1] = get_num_groups(0);
        out[2] = get_num_groups(1);
        out[3] = get_num_groups(2);
        out[4] = get_local_size(0);
        out[5] = get_local_size(1);
        out[6] = get_local_size(2);
        out[7] = get_group_id(0);
    }
}
