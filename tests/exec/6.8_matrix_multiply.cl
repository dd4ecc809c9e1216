// SPDX-License-Identifier: Apache-2.0
// run: k global 4 4 local 2 2
// arg: buffer float 0..15
// arg: buffer float 1 0 0 0 0 1 0 0 0 0 1 0 1 1 1 1
// arg: out float 16
// arg: int 4
// expect: arg2 float 3 4 5 3 11 12 13 7 19 20 21 11 27 28 29 15
#define T 2

kernel void k(global const float *a, global const float *b, global float *c, int n)
{
    local float ta[T][T], tb[T][T];
    int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < n / T; t++) {
        ta[y][x] = a[row * n + t * T + x];
        tb[y][x] = b[(t * T + y) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; k++)
            sum += ta[y][k] * tb[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = sum;
}
