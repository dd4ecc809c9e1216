// SPDX-License-Identifier: Apache-2.0
// 64 functions that call each other by different ways: as steps of a loop (PUMICE_CALLS=1) they are several groups. If a
// step is selected wrongly, the kernel may never end.
// Counts the wrong results in arg0.
// run: calls global 160
// arg: buffer int 0
// expect: arg0 int 0
// run: with_barriers global 160 local 32
// arg: buffer int 0
// expect: arg0 int 0
#define FIRST(i) int f0##i(int x) { return x * 7 + i + x / 3 + x % 5; }
#define NEXT(l, m, i, a, b) \
    __attribute__((noinline)) int f##l##i(int x) { return (x >> l & 1 ? f##m##a(x + i) : 5) + f##m##b(x ^ l); }
#define LEVEL(l, m) NEXT(l, m, 0, 1, 1) NEXT(l, m, 1, 4, 2) NEXT(l, m, 2, 7, 3) NEXT(l, m, 3, 2, 4) \
    NEXT(l, m, 4, 5, 5) NEXT(l, m, 5, 0, 6) NEXT(l, m, 6, 3, 7) NEXT(l, m, 7, 6, 0)
FIRST(0) FIRST(1) FIRST(2) FIRST(3) FIRST(4) FIRST(5) FIRST(6) FIRST(7)
LEVEL(1, 0) LEVEL(2, 1) LEVEL(3, 2) LEVEL(4, 3) LEVEL(5, 4) LEVEL(6, 5) LEVEL(7, 6)

// The same without calls: a list of the calls that remain.
int sum(int level, int which, int start)
{
    int levels[16], numbers[16], values[16], left = 1, all = 0;
    levels[0] = level, numbers[0] = which, values[0] = start;
    while (left) {
        int l = levels[--left], i = numbers[left], x = values[left];
        if (l == 0) {
            all += x * 7 + i + x / 3 + x % 5;
            continue;
        }
        levels[left] = l - 1, numbers[left] = (i + 1) % 8, values[left++] = x ^ l;
        if (x >> l & 1)
            levels[left] = l - 1, numbers[left] = (i * 3 + 1) % 8, values[left++] = x + i;
        else
            all += 5;
    }
    return all;
}

kernel void calls(global int *wrong)
{
    int i = get_global_id(0);
    int got = i % 2 ? f70(i * 5) : f73(i * 9) + f75(i);
    int want = i % 2 ? sum(7, 0, i * 5) : sum(7, 3, i * 9) + sum(7, 5, i);
    if (got != want)
        atomic_inc(wrong);
}

// All work-items of a group meet in the functions.
int meet(local int *all, int x)
{
    int i = get_local_id(0);
    all[i] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = all[(i + 1) % 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    return other;
}

int twice(local int *all, int x) { return meet(all, f50(x)) + meet(all, f57(x + 1)); }

kernel void with_barriers(global int *wrong)
{
    local int all[32];
    int first = get_group_id(0) * 32, i = get_local_id(0), other = first + (i + 1) % 32;
    int got = twice(all, first + i) - twice(all, first + i + 40);
    int want = sum(5, 0, other) + sum(5, 7, other + 1) - sum(5, 0, other + 40) - sum(5, 7, other + 41);
    if (got != want)
        atomic_inc(wrong);
}
