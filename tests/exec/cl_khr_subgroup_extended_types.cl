// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_subgroup_extended_types
// options: -cl-std=CL3.0
// Small types wrap at their own width and have their own identity values.
// run: k global 45 local 45
// arg: out int 45
// expect: arg0 int 0*45
#define CHECK(bit, type, least, most)                                                              \
    {                                                                                              \
        type x = (type)(l * 37 + 90), sum = 0, low = most, high = least, low_in = most;            \
        for (uint i = first; i < end; i++) {                                                       \
            type v = (type)(i * 37 + 90);                                                          \
            sum += v;                                                                              \
            if (i < l)                                                                             \
                low = min(low, v), high = max(high, v);                                            \
            if (i <= l)                                                                            \
                low_in = min(low_in, v);                                                           \
        }                                                                                          \
        bad |= (sub_group_reduce_add(x) != sum || sub_group_scan_exclusive_min(x) != low ||        \
                sub_group_scan_exclusive_max(x) != high || sub_group_scan_inclusive_min(x) != low_in || \
                sub_group_broadcast(x, other) != (type)((first + other) * 37 + 90))                \
               << bit;                                                                             \
    }
kernel void k(global int *out)
{
    uint l = get_local_id(0), first = get_sub_group_id() * get_max_sub_group_size();
    uint end = first + get_sub_group_size(), other = get_sub_group_size() > 1;
    int bad = 0;
    CHECK(0, char, CHAR_MIN, CHAR_MAX)
    CHECK(1, uchar, 0, UCHAR_MAX)
    CHECK(2, short, SHRT_MIN, SHRT_MAX)
    CHECK(3, ushort, 0, USHRT_MAX)
    char3 c = sub_group_broadcast((char3)(l, -l, 1), 0);
    bad |= (c.x != (char)first || c.y != (char)-first || c.z != 1) << 4;
    long8 w = sub_group_broadcast((long8)((long)l << 40), other);
    bad |= (any(w != (long)(first + other) << 40)) << 5;
    out[l] = bad;
}
