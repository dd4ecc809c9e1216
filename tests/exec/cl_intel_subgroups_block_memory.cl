// SPDX-License-Identifier: Apache-2.0
// Blocks of memory: row i of a block is the sub-group's size elements from element i * size on.
// source: clang declares them only in a header
// needs: cl_intel_subgroups
// needs: cl_intel_subgroup_local_block_io
// options: -cl-std=CL3.0
// run: all global 64 local 64
// arg: buffer uint 1..2048
// arg: out uint 64
// expect: arg1 uint 0*64
// run: words_only global 64 local 64
// arg: buffer uint 0..1199
// arg: out uint 64
// expect: arg1 uint 0*64
#define SAME(x) (bad |= !(x) << bit++)
#define ROWS(type, n, at) (type##n)(EACH##n(at))
#define EACH2(at) at(0), at(1)
#define EACH4(at) EACH2(at), at(2), at(3)
#define EACH8(at) EACH4(at), at(4), at(5), at(6), at(7)
#define EACH16(at) EACH8(at), at(8), at(9), at(10), at(11), at(12), at(13), at(14), at(15)
#define AT(i) p[lane + (i) * n]
#define FROM_P(i) p[lane + (i) * n]

#define CHECK(space, type, suffix)                                                                       \
    static uint check_##space##_##type(space type *p, uint lane, uint n)                                 \
    {                                                                                                    \
        uint bad = 0, bit = 0;                                                                           \
        type##2 two = intel_sub_group_block_read##suffix##2(p);                                          \
        type##4 four = intel_sub_group_block_read##suffix##4(p);                                         \
        type##8 eight = intel_sub_group_block_read##suffix##8(p);                                        \
        SAME(intel_sub_group_block_read##suffix(p) == AT(0));                                            \
        SAME(all(two == ROWS(type, 2, FROM_P)));                                                         \
        SAME(all(four == ROWS(type, 4, FROM_P)));                                                        \
        SAME(all(eight == ROWS(type, 8, FROM_P)));                                                       \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                   \
        intel_sub_group_block_write##suffix##8(p, eight + (type)1);                                      \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                   \
        SAME(all(ROWS(type, 8, FROM_P) == eight + (type)1));                                             \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                   \
        intel_sub_group_block_write##suffix##2(p, two);                                                  \
        intel_sub_group_block_write##suffix(p + 2 * n, four.z);                                          \
        intel_sub_group_block_write##suffix##4(p + 3 * n, (type##4)(four.w, eight.s456));                \
        intel_sub_group_block_write##suffix(p + 7 * n, eight.s7);                                        \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                   \
        SAME(all(ROWS(type, 8, FROM_P) == eight));                                                       \
        return bad;                                                                                      \
    }
#define CHECK16(space, type, suffix)                                                                     \
    static uint check16_##space##_##type(space type *p, uint lane, uint n)                               \
    {                                                                                                    \
        type##16 x = intel_sub_group_block_read##suffix##16(p);                                          \
        uint bad = any(x != ROWS(type, 16, FROM_P));                                                     \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                   \
        intel_sub_group_block_write##suffix##16(p, x.sfedcba9876543210);                                 \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                   \
        bad |= any(x.sfedcba9876543210 != ROWS(type, 16, FROM_P));                                       \
        return bad << 6;                                                                                 \
    }
CHECK(global, uint, )
CHECK(global, uchar, _uc)
CHECK(global, ushort, _us)
CHECK(global, ulong, _ul)
CHECK(local, uint, _ui)
CHECK(local, uchar, _uc)
CHECK(local, ushort, _us)
CHECK(local, ulong, _ul)
CHECK16(global, uchar, _uc)
CHECK16(global, ushort, _us)
CHECK16(local, uchar, _uc)
CHECK16(local, ushort, _us)

kernel void all(global uint *data, global uint *out)
{
    local uint own[2048] __attribute__((aligned(16)));
    uint id = get_local_id(0), lane = get_sub_group_local_id(), n = get_max_sub_group_size(), bad = 0;
    uint start = get_sub_group_id() * n * 16; // eight ulongs for each work-item
    for (uint i = id; i < 2048; i += 64)
        own[i] = i * 2654435761u;
    barrier(CLK_LOCAL_MEM_FENCE);
    bad |= check_global_uint(data + start, lane, n) | check_local_uint(own + start, lane, n) << 8;
    bad |= check_global_uchar((global uchar *)(data + start), lane, n) | check_local_uchar((local uchar *)(own + start), lane, n) << 8;
    bad |= check_global_ushort((global ushort *)(data + start), lane, n) | check_local_ushort((local ushort *)(own + start), lane, n) << 8;
    bad |= check_global_ulong((global ulong *)(data + start), lane, n) | check_local_ulong((local ulong *)(own + start), lane, n) << 8;
    bad |= check16_global_uchar((global uchar *)(data + start), lane, n) | check16_local_uchar((local uchar *)(own + start), lane, n) << 8;
    bad |= check16_global_ushort((global ushort *)(data + start), lane, n) | check16_local_ushort((local ushort *)(own + start), lane, n) << 8;
    out[id] = bad;
}

// Reads only need the alignment of a word.
kernel void words_only(const global uint *data, global uint *out)
{
    uint id = get_local_id(0), lane = get_sub_group_local_id(), n = get_max_sub_group_size();
    ulong2 x = intel_sub_group_block_read_ul2((const global ulong *)(data + 1));
    uint first = 1 + 2 * lane, second = first + 2 * n;
    out[id] = x.x != (first | (ulong)(first + 1) << 32) || x.y != (second | (ulong)(second + 1) << 32);
}
