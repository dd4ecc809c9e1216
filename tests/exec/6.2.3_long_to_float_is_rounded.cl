// SPDX-License-Identifier: Apache-2.0
// run: k global 16384
// arg: buffer uint 0 0 0 0 0
// expect: arg0 uint 0 0 0 0 0
// Rounds to the nearest even float with integer operations only.
uint rounded(ulong x)
{
    if (!x)
        return 0;
    int top = 63 - (int)clz(x);
    if (top <= 23)
        return (uint)(x << (23 - top)) + ((uint)(top + 126) << 23);
    int drop = top - 23;
    ulong kept = x >> drop, rest = x & ((1ul << drop) - 1), middle = 1ul << (drop - 1);
    kept += rest > middle || (rest == middle && (kept & 1));
    return (uint)kept + ((uint)(top + 126) << 23);
}

// The middle between two floats, or a neighbour of it that would be rounded to the middle by a conversion to double.
ulong beside(ulong x, int i)
{
    int drop = x ? 40 - (int)clz(x) : 0;
    return drop < 2 ? x : (x >> drop << drop) + (1ul << (drop - 1)) + (ulong)(i % 3 - 1);
}

kernel void k(global uint *wrong)
{
    ulong state = get_global_id(0) * 6364136223846793005ul + 1442695040888963407ul;
    for (int i = 0; i < 16; i++) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        ulong x = state >> (int)((state >> 58) & 63);
        if (as_uint((float)x) != rounded(x))
            atomic_inc(&wrong[0]);
        if (as_uint((float)(long)(x >> 1)) != rounded(x >> 1))
            atomic_inc(&wrong[1]);
        if (as_uint((float)(uint)x) != rounded((uint)x))
            atomic_inc(&wrong[2]);
        ulong y = beside(x, i), z = beside(x >> 1, i);
        if (as_uint((float)y) != rounded(y))
            atomic_inc(&wrong[3]);
        if (as_uint((float)(long)z) != rounded(z) || as_uint((float)-(long)z) != (rounded(z) | (z ? 0x80000000 : 0)))
            atomic_inc(&wrong[4]);
    }
}
