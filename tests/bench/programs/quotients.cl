// SPDX-License-Identifier: Apache-2.0
// Adds 32 quotients of floats in each work-item.
kernel void quotients(global const float *a, global const float *b, global float *out, int n)
{
    size_t i = get_global_id(0);
    float x = 0.125f + a[i], y = 1.0f + b[i], sum = 0.0f;
    for (int k = 0; k < n; k++) {
        sum += y / x;
        x += 0.125f;
    }
    out[i] = sum;
}
