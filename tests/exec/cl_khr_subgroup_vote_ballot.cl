// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_subgroup_non_uniform_vote
// needs: cl_khr_subgroup_ballot
// options: -cl-std=CL3.0
// run: k global 107 local 39
// arg: out uint 107
// expect: arg0 uint 0*107
uint word(uint4 m, uint i)
{
    return i == 0 ? m.x : i == 1 ? m.y : i == 2 ? m.z : m.w;
}
int same(uint4 a, uint4 b)
{
    return all(a == b);
}
uint4 range(uint first, uint end)
{
    uint4 m = 0;
    for (uint i = first; i < end; i++) {
        m.x |= i < 32 ? 1u << (i & 31) : 0;
        m.y |= i >= 32 && i < 64 ? 1u << (i & 31) : 0;
        m.z |= i >= 64 && i < 96 ? 1u << (i & 31) : 0;
        m.w |= i >= 96 ? 1u << (i & 31) : 0;
    }
    return m;
}
kernel void k(global uint *out)
{
    uint lane = get_sub_group_local_id(), size = get_sub_group_size(), most = get_max_sub_group_size(), bad = 0;
    bad |= !same(get_sub_group_eq_mask(), range(lane, lane + 1)) << 0;
    bad |= !same(get_sub_group_lt_mask(), range(0, lane)) << 1;
    bad |= !same(get_sub_group_le_mask(), range(0, lane + 1)) << 2;
    bad |= !same(get_sub_group_gt_mask(), range(lane + 1, most)) << 3;
    bad |= !same(get_sub_group_ge_mask(), range(lane, most)) << 4;
    bad |= !same(sub_group_ballot(1), range(0, size)) << 5;
    bad |= (!sub_group_elect() != (lane != 0)) << 6;
    if (lane % 3 == 1) { // work-items 1, 4, 7 ...
        uint4 active = sub_group_ballot(lane != 4);
        uint expected = 0, count = 0, before = 0, last = 1;
        for (uint i = 1; i < size; i += 3) {
            if (i != 4)
                expected |= i < 32 ? 1u << i : 0, count++, before += i < lane, last = i;
        }
        bad |= (active.x != expected) << 7;
        bad |= (sub_group_ballot_bit_count(active) != count) << 8;
        bad |= (sub_group_ballot_exclusive_scan(active) != before) << 9;
        bad |= (sub_group_ballot_inclusive_scan(active) != before + (lane != 4)) << 10;
        bad |= (sub_group_ballot_find_lsb(active) != 1) << 11;
        bad |= (sub_group_ballot_find_msb(active) != last) << 12;
        bad |= (!sub_group_inverse_ballot(active) != (lane == 4)) << 13;
        bad |= (!sub_group_ballot_bit_extract(active, 1) || sub_group_ballot_bit_extract(active, 2)) << 14;
        bad |= (!sub_group_elect() != (lane != 1)) << 15;
        bad |= (sub_group_broadcast_first((short)(lane + 5)) != 6) << 16;
#ifdef cl_khr_fp64
        bad |= (sub_group_non_uniform_broadcast((double4)(lane, 0, 0, lane), 1).w != 1) << 17;
#else
        bad |= (sub_group_non_uniform_broadcast((float4)(lane, 0, 0, lane), 1).w != 1) << 17;
#endif
        bad |= (!sub_group_non_uniform_all(lane % 3) || sub_group_non_uniform_any(lane % 3 != 1)) << 18;
        bad |= (!sub_group_non_uniform_all_equal((char)(lane % 3)) || (size > 4 && sub_group_non_uniform_all_equal(lane * 1.5f))) << 19;
    } else {
        bad |= (!sub_group_non_uniform_any(lane == 0) || (size > 2 && sub_group_non_uniform_all(lane == 0))) << 20;
        bad |= (sub_group_broadcast_first((long)lane << 40) != 0) << 21;
    }
    out[get_global_id(0)] = bad;
}
