// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.8: work-items leave a loop in different iterations, with different values in a private array, although each
// iteration stores the same ones for all.
// run: left global 64 local 32
// arg: int 11
// arg: buffer uint 0 1 1 0 1 0 1 1 0 0 1 0 0 1 1 1
// arg: buffer uint 0
// expect: arg2 uint 64
kernel void left(int most, global const uint *stays, global uint *good)
{
    uint i = get_global_id(0), a[8], one = get_num_groups(0) | 3;
    const uint first = one;
    for (int k = 0; k < 8; k++)
        a[k] = first + k;
    for (int n = most;;) {
        bool stay = n > 0 && stays[(i + n) & 15];
        n--;
        if (stay)
            continue;
        for (int k = 0; k < 8; k++)
            a[k] *= a[k];
        one *= one;
        if (n-- <= 0)
            break;
    }
    uint other = first + (i & 7);
    for (int n = most;;) {
        bool stay = n > 0 && stays[(i + n) & 15];
        n--;
        if (stay)
            continue;
        other *= other;
        if (n-- <= 0)
            break;
    }
    if (a[0] == one && a[i & 7] == other)
        atomic_inc(good);
}
