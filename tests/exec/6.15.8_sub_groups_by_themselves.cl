// SPDX-License-Identifier: Apache-2.0
// Some sub-groups of a work-group reach sub-group barriers in a loop; the others have returned.
// needs: __opencl_c_subgroups
// options: -cl-std=CL3.0
// run: k global 256 local 128
// arg: buffer int 0*256
// arg: out int 256
// expect: arg1 int 1*256
kernel void k(global int *shown, global int *right)
{
    uint lane = get_sub_group_local_id(), size = get_sub_group_size(), own = get_sub_group_id();
    global int *mine = shown + get_group_id(0) * 128 + own * get_max_sub_group_size();
    right[get_global_id(0)] = own % 3 != 0; // the last sub-groups too
    if (own % 3)
        return;
    int wrong = 0;
    for (uint round = 1; round < 5 + own % 2; round++) {
        int kept[3];
        for (int i = 0; i < 3; i++)
            kept[i] = (int)(round * 100 + lane + i);
        mine[lane] = (int)(round * 1000 + lane);
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        uint other = (lane + 1) % size;
        wrong |= mine[other] != (int)(round * 1000 + other);
        for (int i = 0; i < 3; i++)
            wrong |= kept[i] != (int)(round * 100 + lane + i);
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    }
    right[get_global_id(0)] = !wrong && mine[lane] >= 4000;
}
