// SPDX-License-Identifier: Apache-2.0
// Medians of 5 x 5 neighbourhoods of an n x n image: a private array, insertion sort with variable
// indices.
// local: 32 8
kernel void median(global const float *restrict a, global const float *restrict b, global float *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float near[25];
    for (int i = 0; i < 25; i++) {
        float value = a[clamp(y + i / 5 - 2, 0, n - 1) * n + clamp(x + i % 5 - 2, 0, n - 1)];
        int at = i;
        for (; at > 0 && near[at - 1] > value; at--)
            near[at] = near[at - 1];
        near[at] = value;
    }
    out[y * n + x] = near[12];
}
