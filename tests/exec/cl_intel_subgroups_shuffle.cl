// SPDX-License-Identifier: Apache-2.0
// source: clang declares them only in a header
// needs: cl_intel_subgroups
// needs: cl_intel_subgroups_short
// needs: cl_intel_subgroups_char
// options: -cl-std=CL1.2
// run: k global 128 local 64
// arg: out uint 128
// expect: arg0 uint 0*128
#if !defined cl_intel_subgroups || !defined cl_intel_subgroups_short || !defined cl_intel_subgroups_char || !defined cl_intel_subgroups_long
#error no macro
#endif
// The value `at` lanes after the start of `first` followed by `second`; each value is lane * factor
#define OF_TWO(at, a, b) ((at) < n ? (at) * (a) : ((at) - n) * (b))
kernel void k(global uint *out)
{
    uint lane = get_sub_group_local_id(), n = get_max_sub_group_size(), bad = 0, d = lane % 3 + 1, up = n + lane - d;
    bad |= (intel_sub_group_shuffle(lane * 3, n - 1 - lane) != (n - 1 - lane) * 3) << 0;
    float16 wide = intel_sub_group_shuffle((float16)(lane) + (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), lane ^ 1);
    bad |= (wide.s0 != (lane ^ 1) || wide.sf != (lane ^ 1) + 15) << 1;
    bad |= (intel_sub_group_shuffle_xor((long)lane << 33, 3) != (long)(lane ^ 3) << 33) << 2;
    bad |= any(intel_sub_group_shuffle_xor((short3)((short)lane, -1, 7), 2) != (short3)((short)(lane ^ 2), -1, 7)) << 3;
    bad |= (intel_sub_group_shuffle_down(lane * 5, lane * 7, d) != OF_TWO(lane + d, 5, 7)) << 4;
    bad |= (intel_sub_group_shuffle_down(lane * 5, lane * 7, n) != lane * 7) << 5;
    bad |= (intel_sub_group_shuffle_down(lane * 5, lane * 7, 0) != lane * 5) << 6;
    bad |= (intel_sub_group_shuffle_up(lane * 5, lane * 7, d) != OF_TWO(up, 5, 7)) << 7;
    bad |= (intel_sub_group_shuffle_up(lane * 5, lane * 7, n) != lane * 5) << 8;
    bad |= (intel_sub_group_shuffle_up(lane * 5, lane * 7, 0) != lane * 7) << 9;
    uchar2 two = intel_sub_group_shuffle_up((uchar2)(uchar)lane, (uchar2)(uchar)(lane + 100), 1);
    bad |= (two.y != (lane ? lane + 99 : n - 1)) << 10;
    bad |= (intel_sub_group_shuffle_down(lane, lane, 1) != (lane + 1) % n) << 11;
    bad |= (intel_sub_group_broadcast((short)-(short)lane, 2) != -2) << 12;
    bad |= (intel_sub_group_broadcast((uchar)(lane + 250), 1) != 251) << 13;
    bad |= (intel_sub_group_reduce_add((uchar)(lane + 200)) != (uchar)(n * (n - 1) / 2 + n * 200)) << 14;
    bad |= (intel_sub_group_reduce_min((short)-(short)lane) != -(int)(n - 1)) << 15;
    bad |= (intel_sub_group_scan_exclusive_max((char)lane) != (lane ? (int)lane - 1 : -128)) << 16;
    bad |= (intel_sub_group_scan_inclusive_add((ushort)2) != 2 * (lane + 1)) << 17;
    bad |= (intel_sub_group_scan_exclusive_min((ushort)5) != (lane ? 5 : 65535)) << 18;
    out[get_global_id(0)] = bad;
}
