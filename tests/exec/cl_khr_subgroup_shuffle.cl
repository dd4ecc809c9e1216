// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_subgroup_shuffle
// needs: cl_khr_subgroup_shuffle_relative
// needs: cl_khr_subgroup_rotate
// options: -cl-std=CL3.0
// run: k global 128 local 64
// arg: out int 128
// expect: arg0 int 0*128
kernel void k(global int *out)
{
    uint lane = get_sub_group_local_id(), size = get_max_sub_group_size();
    int bad = 0;
    bad |= (sub_group_shuffle(lane * 3, size - 1 - lane) != (size - 1 - lane) * 3) << 0;
    bad |= (sub_group_shuffle((uchar)(lane + 250), lane ^ 2) != (uchar)((lane ^ 2) + 250)) << 1;
    bad |= (sub_group_shuffle((long)lane << 35 | 1, 1) != (1L << 35 | 1)) << 2;
    bad |= (sub_group_shuffle_xor(-(float)lane, 3) != -(float)(lane ^ 3)) << 3;
    bad |= (sub_group_shuffle_xor((short)-lane, 1) != (short)-(lane ^ 1)) << 4;
    bad |= ((sub_group_shuffle_up(lane, 2) != lane - 2) & (lane >= 2)) << 5;
    bad |= ((sub_group_shuffle_down((char)lane, 3) != lane + 3) & (lane + 3 < size)) << 6;
    bad |= (sub_group_rotate(lane, 1) != (lane + 1) % size) << 7;
    bad |= (sub_group_rotate((ushort)lane, -3) != (lane + size - 3) % size) << 8;
    bad |= (sub_group_rotate((ulong)lane, (int)size * 2 + 2) != (lane + 2) % size) << 9;
    bad |= (sub_group_clustered_rotate((char)lane, 3, 4) != ((lane & ~3) | ((lane + 3) & 3))) << 10;
    out[get_global_id(0)] = bad;
}
