// SPDX-License-Identifier: Apache-2.0
// run: k global 4 local 4
// arg: out int 4
// arg: local 16
// arg: local 32
// expect: arg0 int 3 12 21 30
kernel void k(global int *out, local int *a, local long *b)
{
    int l = get_local_id(0);
    a[l] = l * 10;
    b[l] = 3 - l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = a[l] + (int)b[l];
}
