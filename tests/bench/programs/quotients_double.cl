// SPDX-License-Identifier: Apache-2.0
// Adds quotients and square roots of doubles, n of each in each work-item.
kernel void quotients_double(global const float *a, global const float *b, global float *out, int n)
{
    size_t i = get_global_id(0);
    double x = 0.125 + a[i], y = 1.0 + b[i], sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += y / x + sqrt(x);
        x += 0.125;
    }
    out[i] = (float)sum;
}
