// SPDX-License-Identifier: Apache-2.0
// Loops with an unknown trip count and several exits: values of the last iteration, and of those before it,
// are used after the loop.
// run: found global 8
// arg: buffer int 0 1 3 4 5 8 11 16
// arg: buffer int 5 7 2 9 40 21 33 99
// arg: buffer int 5 8 2 9 14 21 7 4 40 33 12 6 50 11 3 21
// arg: buffer uint 0 0 0 0 0 0 0 0
// expect: arg3 uint 0 1 2 3 5 5 9 16
// run: last global 8
// arg: buffer int 0 1 3 4 5 8 11 16
// arg: buffer int 5 7 2 9 40 21 33 99
// arg: buffer int 5 8 2 9 14 21 7 4 40 33 12 6 50 11 3 21
// arg: buffer uint 0 0 0 0 0 0 0 0
// expect: arg3 uint 16304 508833 489563464 2291825129 2326184755 3392273035 1482429365 2493391050
// run: ways global 8
// arg: buffer int 0 1 3 4 5 8 11 16
// arg: buffer int 5 7 2 9 40 21 33 99
// arg: buffer int 5 8 2 9 14 21 7 4 40 33 12 6 50 11 3 21
// arg: buffer uint 0 0 0 0 0 0 0 0
// expect: arg3 uint 16368 511284 491553456 2353262878 4231684887 3610715425 3610715425 3610715425
// run: deep global 8
// arg: buffer int 0 1 3 4 5 8 11 16
// arg: buffer int 5 7 2 9 40 21 33 99
// arg: buffer int 5 8 2 9 14 21 7 4 40 33 12 6 50 11 3 21
// arg: buffer uint 0 0 0 0 0 0 0 0
// expect: arg3 uint 527 16652 527 540397 421233 512945597 1312183241 3907647657
// run: returned global 8
// arg: buffer int 0 1 3 4 5 8 11 16
// arg: buffer int 5 7 2 9 40 21 33 99
// arg: buffer int 5 8 2 9 14 21 7 4 40 33 12 6 50 11 3 21
// arg: buffer uint 0 0 0 0 0 0 0 0
// expect: arg3 uint 3 98 98 2927277 90745601 1867790609 2066934079 307812111
// run: stores global 8
// arg: buffer int 0 1 3 4 5 8 11 16
// arg: buffer int 5 7 2 9 40 21 33 99
// arg: buffer int 5 8 2 9 14 21 7 4 40 33 12 6 50 11 3 21
// arg: buffer uint 0 0 0 0 0 0 0 0
// expect: arg3 uint 288 5067 12786 14894 37042 37693 107948 240182
// run: inner global 8
// arg: buffer int 0 1 3 4 5 8 11 16
// arg: buffer int 5 7 2 9 40 21 33 99
// arg: buffer int 5 8 2 9 14 21 7 4 40 33 12 6 50 11 3 21
// arg: buffer uint 0 0 0 0 0 0 0 0
// expect: arg3 uint 17 531 528 511148 50878370 15851176 1620641792 3668400923
#define NEXT(h, k) ((h) * 31u + (uint)(k))

kernel void found(global const int *n, global const int *key, global const int *in, global uint *out)
{
    int at = get_global_id(0), k;
    for (k = 0; k < n[at]; k++)
        if (in[k] == key[at])
            break;
    out[at] = k;
}

// Values of the last iteration, and of all iterations before it.
kernel void last(global const int *n, global const int *key, global const int *in, global uint *out)
{
    int at = get_global_id(0), v = -1, before = -2, end = n[at];
    uint h = 17;
    for (int k = 0; k < end; k++) {
        before = v;
        v = in[k] * 3 + k;
        h = NEXT(h, v);
        if (in[k] == key[at])
            break;
        h ^= v;
    }
    out[at] = NEXT(NEXT(h, v), before);
}

// Two exits in an iteration, each with a value of its own.
kernel void ways(global const int *n, global const int *key, global const int *in, global uint *out)
{
    int at = get_global_id(0), end = n[at], why = 1, k;
    uint h = 17;
    #pragma unroll 4
    for (k = 0; k < end; k++) {
        int x = in[k];
        if (x > key[at] + 40) {
            why = x * 2;
            break;
        }
        h = NEXT(h, x);
        if ((h & 63) == 5) {
            why = k + 100;
            break;
        }
    }
    out[at] = NEXT(NEXT(h, why), k);
}

// A break in nested ifs, and iterations shortened by continue.
kernel void deep(global const int *n, global const int *key, global const int *in, global uint *out)
{
    int at = get_global_id(0), end = n[at], y = 0;
    uint h = 17;
    __attribute__((opencl_unroll_hint(3)))
    for (int k = end - 1; k >= 0; k--) {
        if (in[k] & 1) {
            y = in[k] + k;
            if (y == key[at])
                break;
            h = NEXT(h, y);
        } else {
            if (in[k] == key[at])
                break;
            if (k & 2)
                continue;
            y -= k;
        }
        h += y;
    }
    out[at] = NEXT(h, y);
}

uint first_above(global const int *in, int end, int key)
{
    uint h = 3;
    for (int k = 0; k < end; k++) {
        h = NEXT(h, in[k]);
        if (in[k] > key)
            return h + k;
    }
    return h;
}

kernel void returned(global const int *n, global const int *key, global const int *in, global uint *out)
{
    int at = get_global_id(0);
    out[at] = first_above(in, n[at], key[at]);
}

// Stores of all iterations but the last one.
kernel void stores(global const int *n, global const int *key, global const int *in, global uint *out)
{
    int at = get_global_id(0), end = n[at];
    uint k = 0;
    private uint seen[4] = {9, 8, 7, 6};
    for (; k != (uint)end; k++) {
        seen[k & 3] += in[k];
        if (in[k] == key[at])
            break;
        out[at] += in[k];
    }
    out[at] = NEXT(NEXT(out[at], seen[k & 3]), seen[0]);
}

// The outer loop continues where the inner one ended.
kernel void inner(global const int *n, global const int *key, global const int *in, global uint *out)
{
    int at = get_global_id(0), end = n[at];
    uint h = 17;
    for (int from = 0; from < end; from++) {
        int to = from, x = 0;
        for (; to < end; to += 2) {
            x = in[to];
            if (x == key[at])
                break;
            h = NEXT(h, x);
        }
        h ^= to + x;
        if (h % 11 == 0)
            break;
    }
    out[at] = h;
}
