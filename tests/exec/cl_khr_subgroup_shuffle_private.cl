// SPDX-License-Identifier: Apache-2.0
// cl_khr_subgroup_shuffle: shuffles of private array elements that were stored in loops.
// needs: cl_khr_subgroup_shuffle
// options: -cl-std=CL3.0
// run: rows global 32 local 32
// arg: buffer uint 11 48 85 21 58 95 31 68 4 41 78 14 51 88 24 61 98 34 71 7 44 81 17 54 91 27 64 0 37 74 10 47 84 20 57 94 30 67 3 40 77 13 50 87 23 60 97 33 70 6 43 80 16 53 90 26 63 100 36 73 9 46 83 19
// arg: uint 3
// arg: out uint 32
// expect: arg2 uint 809792 1251860 884615 832793 809792 1251860 884615 832793 809792 1251860 884615 832793 809792 1251860 884615 832793 809792 1251860 884615 832793 809792 1251860 884615 832793 809792 1251860 884615 832793 809792 1251860 884615 832793
kernel void rows(global const uint *in, uint factor, global uint *out)
{
    uint lane = get_sub_group_local_id() & 3, a[8], b[8], sum = 0;
#pragma unroll 1
    for (uint r = 0; r < 8; r++)
        a[r] = in[lane * 8 + r];
#pragma unroll 1
    for (uint r = 0; r < 8; r++)
        b[r] = in[r * 6 + lane];
#pragma unroll
    for (uint k = 0; k < 8; k++)
#pragma unroll
        for (uint l = 0; l < 4; l++)
            sum += sub_group_shuffle(factor * a[k], l) * b[(k + l) % 8] * (k + 1);
    out[get_global_id(0)] = sum + sub_group_shuffle(b[2], 1) - sub_group_shuffle(b[0], 0);
}
