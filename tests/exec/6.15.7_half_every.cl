// Every half by vload_half, and back by vstore_half in every rounding direction: the value itself, a value between it and the next,
// and the middle, which is rounded to even; values beyond the largest half, and NaN.
// run: every global 1024
// arg: out int 1024
// expect: arg0 int 0*1024
float value_of(uint h)
{
    uint exponent = h >> 10 & 31, mantissa = h & 1023;
    float size = exponent == 31 ? INFINITY : exponent ? ldexp((float)(1024 + mantissa), (int)exponent - 25) : mantissa * 0x1p-24f;
    return h >> 15 ? -size : size;
}

int stored(float x, uint rte, uint rtz, uint rtp, uint rtn)
{
    ushort bits[5];
    vstore_half(x, 0, (half *)bits);
    vstore_half_rte(x, 1, (half *)bits);
    vstore_half_rtz(x, 2, (half *)bits);
    vstore_half_rtp(x, 3, (half *)bits);
    vstore_half_rtn(x, 4, (half *)bits);
    return (bits[0] != rte) + (bits[1] != rte) + (bits[2] != rtz) + (bits[3] != rtp) + (bits[4] != rtn);
}

kernel void every(global int *out)
{
    uint first = get_global_id(0) * 32;
    int wrong = 0;
    for (uint h = first; h < first + 32 && h <= 0x7c00; h++) {
        ushort bits[2] = {h, h | 0x8000};
        float x = vload_half(0, (half *)bits), y = vload_half(1, (half *)bits), next = value_of(h + 1);
        wrong += as_uint(x) != as_uint(value_of(h)) || as_uint(y) != as_uint(value_of(h | 0x8000));
        wrong += stored(x, h, h, h, h) + stored(y, h | 0x8000, h | 0x8000, h | 0x8000, h | 0x8000);
        if (h >= 0x7bff)
            continue;
        float middle = (x + next) / 2, below = as_float(as_uint(middle) - 1), above = as_float(as_uint(middle) + 1);
        uint n = h + 1, even = h & 1 ? n : h, s = 0x8000;
        wrong += stored(middle, even, h, n, h) + stored(-middle, even | s, h | s, h | s, n | s);
        wrong += stored(below, h, h, n, h) + stored(-below, h | s, h | s, h | s, n | s);
        wrong += stored(above, n, h, n, h) + stored(-above, n | s, h | s, h | s, n | s);
    }
    if (first == 0) {
        wrong += stored(65519.996f, 0x7bff, 0x7bff, 0x7c00, 0x7bff) + stored(65520, 0x7c00, 0x7bff, 0x7c00, 0x7bff);
        wrong += stored(-1e30f, 0xfc00, 0xfbff, 0xfbff, 0xfc00) + stored(0x1p-126f, 0, 0, 1, 0);
        ushort bits[2];
        vstore_half(NAN, 0, (half *)bits);
        wrong += (bits[0] & 0x7fff) <= 0x7c00 || !isnan(vload_half(0, (half *)bits));
    }
    out[get_global_id(0)] = wrong;
}
// SPDX-License-Identifier: Apache-2.0
