// SPDX-License-Identifier: Apache-2.0
// 7-point stencil over n x n x n floats.
// local: 40 5
kernel void stencil(global const float *restrict a, global const float *restrict b, global float *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t at = ((size_t)z * n + y) * n + x;
    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) {
        out[at] = a[at];
        return;
    }
    out[at] = 0.4f * a[at] + 0.1f * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] + a[at - n * n] + a[at + n * n]);
}
