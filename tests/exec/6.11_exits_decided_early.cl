// SPDX-License-Identifier: Apache-2.0
// Loops whose conditions have several parts, where a part reads memory: each part leaves the loop by itself, and what it
// has computed is still right in the loop and behind it.
// run: k global 16 local 16
// arg: buffer uint 9 3 7 1 8 2 6 4 15 11 13 10 14 12 0 5
// arg: out uint 64
// expect: arg1 uint 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 704 301 502 103 704 704 606 207 408 9 704 704 704 704 704 704 7 7 7 7 7 7 7 7 11 11 11 11 13 13 77 77 91 3 3 3 10 10 15 21 91 91 55 55 78 78 91 91
uint place(global const uint *a, uint key, uint n)
{
    uint i = 0, found = 99;
    while (i < n && (found = a[i]) != key && (found & 1 || a[(i + 1) & 15] < 12))
        i++;
    return i * 100 + found;
}

uint first_even(global const uint *a, uint from)
{
    for (uint i = from; i < 16; i++) {
        if (!(i & 1 && a[i] % 2 == 0))
            continue;
        if (a[i] > 3 || (i > 8 && a[i - 1] > 12))
            return i;
    }
    return 77;
}

kernel void k(global const uint *in, global uint *out)
{
    uint i = get_global_id(0), a[16];
    for (uint n = 0; n < 16; n++) {
        uint p = n, v = in[(n + i) & 15];
        while (p > 0 && a[p - 1] > v) {
            a[p] = a[p - 1];
            p--;
        }
        a[p] = v;
    }
    out[i] = a[i];
    out[16 + i] = place(in, i, 12);
    out[32 + i] = first_even(in, i);
    uint n = 0, sum = 0;
    do {
        sum += a[n & 15];
    } while (++n < 20 && (n < i || in[n & 15] > i) && sum < 90);
    out[48 + i] = sum;
}
