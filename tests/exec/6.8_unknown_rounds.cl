// SPDX-License-Identifier: Apache-2.0
// Loops of an unknown trip count that are unrolled: no iteration, fewer than the factor, more; every kind of
// test, with counters and bounds that may wrap, values in memory, float sums exact to the last bit.
// run: below global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 527 3888541490 285701909 266824595 4052543670 1074802201 3254097175 1862049029 2963151806
// run: up_to_by_3 global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 17 16404 508532 508532 488699607 488699607 2264785946 3499052611 1323546656
// run: down global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 528 15913293 15944077 495220692 2981455497 1346385673 3935693208 2636364189 2984107265
// run: down_to global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 527 16368 4124768909 4166227603 959966316 2664709385 1541038871 69918952 2028525187 3153172993
// run: to_the_top global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 2147484173 2994295338 2116428437 2479812745 2463676070 2025913625 4281837317 2141268613 3818772382
// run: past_the_top global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 523 16210 2531013909 1152019855 1352877142 35367449 1096390931 3923347802 511902079 3099874337
// run: from_the_bottom global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 2147484175 15701909 15701909 2634242835 1233358617 1233358617 1726895127 1460616069 618176033
// run: to_the_bottom global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 2147484176 3804561363 2489699085 2871186964 1956347351 1850826249 4227949080 758172957 3496124895
// run: below_nothing global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 17 17 17 17 17 17 17 17 17
// run: over_all global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 17 17 17 17 17 17 17 17 17
// run: wide_bound global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 17 234072344 1605223641 726660250 3104749344 2956817121 2527871650 3392671929 2031342384
// run: wide_signed global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 481955852 2055729524 4046749399 895179792 1980769784 1066894171 3008948244 3083082364 481668608 3618688099
// run: meets_by_4 global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 531 3644329695 3354726145 32100131 3797861359 2809019889 3337976883 3429436225 535678479
// run: at_the_end global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 527 527 3888541490 285701909 266824595 4052543670 1074802201 3254097175 1862049029 2963151806
// run: counted_before global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 527 739990578 4124768909 4166227603 112212662 2664709385 1541038871 1058799261 3992625086
// run: with_ifs global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 17 24 22231 689168 689169 3351264847 809995168 809995193 1309663248 3691890143
// run: addresses global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 0 0 63 84 108 315 360 408 1498500 1395
// run: stores global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 0 0 63 84 108 315 360 408 1498500 1395
// run: floats global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 1 1 1 1 1 1 1 1 1 1
// run: known global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 1052111841 2171387874 297109480 1416385513 2535661546 661383152 1780659185 2899935218 3636647881 1389930496
// run: known_with_a_rest global 10
// arg: buffer int 0 1 7 8 9 15 16 17 1000 31
// arg: out uint 10
// expect: arg1 uint 1888946051 1479357602 3316794204 2907205755 2497617306 40086612 3925465459 3515877010 322390171 2076606020
#define NEXT(h, k) ((h) * 31u + (uint)(k))
#define LOOPS(name, ...)                                                                           \
    kernel void name(global const int *counts, global uint *out)                                   \
    {                                                                                              \
        uint h = 17, at = get_global_id(0);                                                        \
        int n = counts[at];                                                                        \
        for (__VA_ARGS__)                                                                          \
            h = NEXT(h, k);                                                                        \
        out[at] = h;                                                                               \
    }

LOOPS(below, int k = 0; k < n; k++)
LOOPS(up_to_by_3, uint k = 2; k <= (uint)n; k += 3)
LOOPS(down, long k = n; k > 0; k -= 2)
LOOPS(down_to, int k = n; k >= 0; k--)
LOOPS(to_the_top, int k = INT_MAX - n; k < INT_MAX; k++)
LOOPS(past_the_top, uint k = UINT_MAX - 3; k != (uint)n - 3; k++)
LOOPS(from_the_bottom, int k = INT_MIN; k < INT_MIN + n; k += 2)
LOOPS(to_the_bottom, int k = INT_MIN + n; k > INT_MIN; k--)
LOOPS(below_nothing, int k = 0; k < INT_MIN + n; k++)
LOOPS(over_all, uint k = (uint)n; k > UINT_MAX - 5; k--)
LOOPS(wide_bound, uint k = 5; k < (ulong)n * 2; k++)
LOOPS(wide_signed, int k = -5; k < (long)n; k++)
LOOPS(meets_by_4, uint k = 4 * (uint)n; k != 0; k -= 4)

kernel void at_the_end(global const int *counts, global uint *out)
{
    uint h = 17, at = get_global_id(0);
    int n = counts[at], k = 0;
    do
        h = NEXT(h, k);
    while (++k < n);
    out[at] = h;
}

kernel void counted_before(global const int *counts, global uint *out)
{
    uint h = 17, at = get_global_id(0), n = counts[at];
    while (n--)
        h = NEXT(h, n);
    out[at] = h;
}

kernel void with_ifs(global const int *counts, global uint *out)
{
    uint h = 17, at = get_global_id(0);
    int n = counts[at];
    for (int k = 0; k < n; k++)
        if (h & 4)
            h = NEXT(h, k);
        else
            h = (h + k) ^ 9;
    out[at] = h;
}

constant int threes[1000] = {[0 ... 999] = 3};

kernel void addresses(global const int *counts, global uint *out)
{
    uint sum = 0, at = get_global_id(0);
    int k = 0;
    for (constant int *p = threes, *end = threes + counts[at]; p < end; p++)
        sum += *p * k++;
    out[at] = sum;
}

kernel void stores(global const int *counts, global uint *out)
{
    uint at = get_global_id(0);
    int n = counts[at];
    volatile global uint *to = out + at;
    *to = 0;
    for (int k = 0; k < n; k++)
        *to += threes[k] * k;
}

kernel void floats(global const int *counts, global uint *out)
{
    uint at = get_global_id(0);
    int n = counts[at];
    float a = 1.5f, b = at, c = a, d = b;
    for (int k = 0; k < n; k++) {
        a = mad(a, 1.0001f, b);
        b = b * 0.9999f + a / 3.0f;
    }
    __attribute__((opencl_unroll_hint(1)))
    for (int k = 0; k < n; k++) {
        c = mad(c, 1.0001f, d);
        d = d * 0.9999f + c / 3.0f;
    }
    out[at] = as_uint(a) == as_uint(c) && as_uint(b) == as_uint(d);
}

kernel void known(global const int *counts, global uint *out)
{
    uint at = get_global_id(0), h = 17 + counts[at];
    for (int k = 0; k < 4000; k++)
        h = NEXT(h, k);
    out[at] = h;
}

kernel void known_with_a_rest(global const int *counts, global uint *out)
{
    uint at = get_global_id(0), h = 17 + counts[at];
    for (int k = 0; k < 1001; k++)
        h = NEXT(h, k);
    out[at] = h;
}
