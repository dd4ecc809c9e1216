// SPDX-License-Identifier: Apache-2.0
// y = M x, M sparse by rows: 32 entries in each row, in random columns of the first n.
kernel void spmv(global const float *restrict a, global const uint *restrict b, global float *restrict out, int n)
{
    size_t row = get_global_id(0);
    float sum = 0.0f;
    for (int i = 0; i < 32; i++) {
        size_t entry = row * 32 + i;
        sum += a[entry] * a[b[entry] % (uint)n];
    }
    out[row] = sum;
}
