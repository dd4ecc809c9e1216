// SPDX-License-Identifier: Apache-2.0
// run: k global 8 local 8
// arg: buffer uchar 1 2 3 4 5 6 7 8
// arg: out uchar 8
// expect: arg1 uchar 8 7 6 5 4 3 2 1
kernel void k(global uchar *a, global uchar *b)
{
    local uchar tile[8];
    int l = get_local_id(0);
    tile[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = tile[7 - l];
}
