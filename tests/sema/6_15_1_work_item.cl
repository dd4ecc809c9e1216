kernel void k()
{
    size_t sz = 1;
    int n = 1;
    uint u = 1;
    n = get_global_id(0) * 2 + get_local_size(1); n = get_work_dim(); sz = get_num_groups(2); sz = get_group_id(n); sz = get_global_offset(u) + get_global_size(0) + get_local_id(1);
}
// SPDX-License-Identifier: Apache-2.0
