// SPDX-License-Identifier: Apache-2.0
// run: k global 8 local 4
// arg: buffer float 1 2 3 4 5 6 7 8
// arg: out float 2
// arg: local 16
// expect: arg1 float 10 26
kernel void k(global float *a, global float *sums, local float *tile)
{
    int l = get_local_id(0);
    tile[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = get_local_size(0) / 2; n > 0; n /= 2) {
        if (l < n)
            tile[l] += tile[l + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = tile[0];
}
