// SPDX-License-Identifier: Apache-2.0
// A sub-group waits for a flag of another one of its work-group, with volatile loads in a loop. arg0 counts wrong values.
// options: -cl-std=CL3.0
// needs: cl_khr_subgroups
// source: as 6.5_volatile_in_step
// run: here global 8192 local 128
// arg: buffer int 0
// expect: arg0 int 0
// run: there global 8192 local 128
// arg: buffer int 0
// arg: buffer int 0*8192
// arg: buffer int 0*64
// expect: arg0 int 0
// run: by_atomic global 8192 local 128
// arg: buffer int 0
// arg: buffer int 0*8192
// arg: buffer int 0*64
// expect: arg0 int 0
// run: ring global 8192 local 128
// arg: buffer int 0
// expect: arg0 int 0
#define WRONG(got, want) if ((got) != (want)) atomic_inc(wrong)
#define IS_FIRST (get_sub_group_id() == 0)
#define IS_LAST (get_sub_group_id() == get_num_sub_groups() - 1)
#define MOST 64

kernel void here(global int *wrong)
{
    local int data[128];
    volatile local int flag;
    uint lane = get_sub_group_local_id();
    if (!get_local_id(0))
        flag = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (IS_FIRST) {
        data[lane] = get_global_id(0);
        mem_fence(CLK_LOCAL_MEM_FENCE);
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        if (!lane)
            flag = 1;
    } else if (IS_LAST) {
        while (!flag)
            ;
        mem_fence(CLK_LOCAL_MEM_FENCE);
        WRONG(data[lane], (int)(get_global_id(0) - get_local_id(0) + lane));
    }
}

kernel void there(global int *wrong, global int *data, volatile global int *flags)
{
    uint lane = get_sub_group_local_id(), group = get_group_id(0);
    global int *mine = data + get_local_size(0) * group;
    if (IS_FIRST) {
        mine[lane] = get_global_id(0);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        if (!lane)
            flags[group] = 1;
    } else if (IS_LAST) {
        while (!flags[group])
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        WRONG(mine[lane], (int)(get_global_id(0) - get_local_id(0) + lane));
    }
}

kernel void by_atomic(global int *wrong, volatile global int *data, volatile global int *flags)
{
    uint lane = get_sub_group_local_id(), group = get_group_id(0);
    volatile global int *mine = data + get_local_size(0) * group;
    if (IS_FIRST) {
        mine[lane] = get_global_id(0);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_inc(&flags[group]);
    } else if (IS_LAST) {
        while (flags[group] < get_sub_group_size())
            ;
        WRONG(mine[lane], (int)(get_global_id(0) - get_local_id(0) + lane));
    }
}

// Values are passed from sub-group to sub-group; each waits for the previous one.
kernel void ring(global int *wrong)
{
    volatile local int turn, sum;
    uint me = get_sub_group_id(), count = get_num_sub_groups();
    if (!get_local_id(0))
        turn = sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!get_sub_group_local_id())
        for (uint round = 0; round < MOST; round++) {
            while (turn != round * count + me)
                ;
            sum += me + 1;
            mem_fence(CLK_LOCAL_MEM_FENCE);
            turn++;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    WRONG(sum, MOST * count * (count + 1) / 2);
}
