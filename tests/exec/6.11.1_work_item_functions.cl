// SPDX-License-Identifier: Apache-2.0
// run: k global 4 2 local 2 1 offset 10 20
// arg: out int 64
// expect: arg0 int 10 20 4 2 10 20 0 0  11 20 4 2 10 20 1 0  12 20 4 2 10 20 0 0  13 20 4 2 10 20 1 0  10 21 4 2 10 20 0 0  11 21 4 2 10 20 1 0  12 21 4 2 10 20 0 0  13 21 4 2 10 20 1 0
kernel void k(global int *out)
{
    int n = (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
    global int *o = out + n * 8;
    o[0] = get_global_id(0);
    o[1] = get_global_id(1);
    o[2] = get_global_size(0);
    o[3] = get_global_size(1);
    o[4] = get_global_offset(0);
    o[5] = get_global_offset(1);
    o[6] = get_local_id(0);
    o[7] = get_local_id(1);
}
