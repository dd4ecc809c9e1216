// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_subgroup_non_uniform_arithmetic
// options: -cl-std=CL3.0
// Two halves of a branch, each combining its own work-items.
// run: k global 107 local 39
// arg: out int 107
// expect: arg0 int 0*107
#define VALUE(i) ((int)((i) * 2654435761u >> 24) - 100)
#define LOOP for (uint i = 0; i < size; i++) if ((i % 3 == 0) == odd)
#define CHECK(bit, type, name, identity, combined)                                                 \
    {                                                                                              \
        type all = identity, in = identity, ex = identity, a, v;                                   \
        LOOP {                                                                                     \
            v = (type)VALUE(i);                                                                    \
            a = all, all = combined;                                                               \
            if (i <= lane)                                                                         \
                a = in, in = combined;                                                             \
            if (i < lane)                                                                          \
                a = ex, ex = combined;                                                             \
        }                                                                                          \
        bad |= (sub_group_non_uniform_reduce_##name((type)x) != all ||                             \
                sub_group_non_uniform_scan_inclusive_##name((type)x) != in ||                      \
                sub_group_non_uniform_scan_exclusive_##name((type)x) != ex)                        \
               << bit;                                                                             \
    }
int check(bool odd)
{
    uint lane = get_sub_group_local_id(), size = get_sub_group_size();
    int x = VALUE(lane), bad = 0;
    CHECK(0, int, add, 0, a + v)
    CHECK(1, uint, mul, 1, a * v)
    CHECK(2, char, min, CHAR_MAX, min(a, v))
    CHECK(3, ushort, max, 0, max(a, v))
    CHECK(4, long, and, -1, a & v)
    CHECK(5, uchar, or, 0, (uchar)(a | v))
    CHECK(6, ulong, xor, 0, a ^ v)
    CHECK(7, float, add, 0, a + v)
    CHECK(8, float, max, -INFINITY, max(a, v))
    CHECK(9, short, and, -1, (short)(a & v))
    CHECK(10, uint, min, UINT_MAX, min(a, v))
    int all = 1, any = 0, parity = 0, all_ex = 1;
    LOOP {
        int v = VALUE(i) > 0;
        if (i < lane)
            all_ex &= v;
        all &= v, any |= v, parity ^= v;
    }
    x = x > 0 ? x : 0;
    bad |= (!sub_group_non_uniform_reduce_logical_and(x) != !all) << 11;
    bad |= (!sub_group_non_uniform_reduce_logical_or(x) != !any) << 12;
    bad |= (!sub_group_non_uniform_reduce_logical_xor(x) != !parity) << 13;
    bad |= (!sub_group_non_uniform_scan_exclusive_logical_and(x) != !all_ex) << 14;
    return bad;
}
kernel void k(global int *out)
{
    int bad = -1;
    if (get_sub_group_local_id() % 3 == 0)
        bad = check(true);
    else
        bad = check(false);
    out[get_global_id(0)] = bad;
}
