// SPDX-License-Identifier: Apache-2.0
// run: k global 8 local 4
// arg: buffer int 1 2 3 4 5 6 7 8
// arg: out int 8
// expect: arg1 int 4 3 2 1 8 7 6 5
kernel void k(global int *a, global int *b)
{
    local int tile[4];
    int l = get_local_id(0);
    tile[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(0)] = tile[3 - l];
}
