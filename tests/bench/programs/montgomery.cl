// SPDX-License-Identifier: Apache-2.0
// Modular exponentiation of 64-bit numbers by Montgomery multiplication, n squarings.
ulong multiply(ulong x, ulong y, ulong modulus, ulong inverse)
{
    ulong low = x * y, high = mul_hi(x, y), part = mul_hi(low * inverse, modulus);
    return high >= part ? high - part : high - part + modulus;
}

kernel void montgomery(global const ulong *restrict a, global const ulong *restrict b, global ulong *restrict out, int n)
{
    size_t item = get_global_id(0);
    ulong modulus = b[item] | 1, inverse = modulus, x = a[item] % modulus, y = x;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - modulus * inverse;
    for (int i = 0; i < n; i++) {
        y = multiply(y, y, modulus, inverse);
        if (i & 1)
            y = multiply(y, x, modulus, inverse);
    }
    out[item] = y;
}
