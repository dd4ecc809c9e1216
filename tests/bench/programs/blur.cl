// SPDX-License-Identifier: Apache-2.0
// 5 x 5 blur of an n x n image of uchar4, edges clamped.
// local: 32 8
constant float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

kernel void blur(global const uchar4 *restrict a, global const uchar4 *restrict b, global uchar4 *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = 0.0f;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int at = clamp(y + dy, 0, n - 1) * n + clamp(x + dx, 0, n - 1);
            sum += convert_float4(a[at]) * (weights[dy + 2] * weights[dx + 2]);
        }
    out[y * n + x] = convert_uchar4_sat_rte(sum);
}
