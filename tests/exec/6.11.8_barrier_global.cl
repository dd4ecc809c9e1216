// SPDX-License-Identifier: Apache-2.0
// run: k global 8 local 8
// arg: buffer int 0*8
// arg: out int 8
// expect: arg1 int 7 6 5 4 3 2 1 0
kernel void k(global int *a, global int *out)
{
    int l = get_local_id(0);
    a[l] = l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[l] = a[7 - l];
}
