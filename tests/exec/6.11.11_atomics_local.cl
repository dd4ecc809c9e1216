// SPDX-License-Identifier: Apache-2.0
// run: k global 32 local 16
// arg: out int 2
// expect: arg0 int 120 376
kernel void k(global int *out)
{
    local int sum;
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, (int)get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = sum;
}
