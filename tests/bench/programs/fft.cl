// SPDX-License-Identifier: Apache-2.0
// 16-point complex FFTs in registers: loops over private arrays with constant trip counts.
void butterfly(float2 *x, float2 *y, float2 turn)
{
    float2 sum = *x + *y, difference = *x - *y;
    *x = sum;
    *y = (float2)(difference.x * turn.x - difference.y * turn.y, difference.x * turn.y + difference.y * turn.x);
}

constant float2 turns[8] = {{1.0f, 0.0f}, {0.92387953f, -0.38268343f}, {0.70710678f, -0.70710678f},
    {0.38268343f, -0.92387953f}, {0.0f, -1.0f}, {-0.38268343f, -0.92387953f}, {-0.70710678f, -0.70710678f},
    {-0.92387953f, -0.38268343f}};

kernel void fft(global const float2 *restrict a, global const float2 *restrict b, global float2 *restrict out, int n)
{
    float2 x[16];
    size_t item = get_global_id(0), stride = get_global_size(0);
    for (int i = 0; i < 16; i++)
        x[i] = a[item + i * stride];
    for (int width = 8; width; width >>= 1)
        for (int k = 0; k < 16; k++)
            if (!(k & width))
                butterfly(&x[k], &x[k | width], turns[(k & (width - 1)) * (8 / width)]);
    for (int i = 0; i < 16; i++)
        out[item + i * stride] = x[i];
}
