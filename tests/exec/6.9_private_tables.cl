// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.9: constant private arrays, and arrays with a single later store.
// run: tables global 4
// arg: buffer uint 0 9 5 3
// arg: out float 4
// arg: out int 4
// arg: out int 4
// arg: out int 4
// expect: arg1 float 11 0 16.5 -4
// expect: arg2 int 0 81 25 9
// expect: arg3 int 1 99 99 99
// expect: arg4 int 1 2 2 6
int square(int i)
{
    const short squares[10] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};
    return squares[i];
}

kernel void tables(global const uint *x, global float *a, global int *b, global int *c, global int *d)
{
    const float weights[10] = {1, 2, 3, -4, 5, 6.5f};
    const struct { int n; float x; } pairs[5] = {{1, 10}, {2, 20}, {3, 7}};
    int changed[8] = {1, 2, 3}, sum = 0;
    size_t i = get_global_id(0);
    uint k = x[i];
    a[i] = weights[k] + pairs[k % 5].x;
    b[i] = square(k);
    if (k)
        changed[k & 7] = 99;
    c[i] = changed[k & 7];
    for (int n = 0; n < 2; n++) {
        int own[8] = {n, 1, 2, 3};
        sum += own[k & 3];
    }
    d[i] = sum;
}
