// SPDX-License-Identifier: Apache-2.0
// Work-items of a sub-group exchange values by volatile accesses, without barriers (warp-synchronous code). Each kernel
// counts the wrong values in arg0. The steps are unrolled, as in real programs: a compiler sees that the addresses differ.
// options: -cl-std=CL3.0
// needs: __opencl_c_subgroups
// source: LLVM may move a volatile store across a load from another address
// run: sums global 8192 local 128
// arg: buffer int 0
// expect: arg0 int 0
// run: scans global 8192 local 128
// arg: buffer int 0
// expect: arg0 int 0
// run: vectors global 8192 local 128
// arg: buffer int 0
// expect: arg0 int 0
// run: bytes global 8192 local 128
// arg: buffer int 0
// expect: arg0 int 0
// run: moves global 8192 local 128
// arg: buffer int 0
// expect: arg0 int 0
// run: by_global global 8192 local 128
// arg: buffer int 0
// arg: buffer int 0*16384
// expect: arg0 int 0
// run: by_pointer global 8192 local 128
// arg: buffer int 0
// arg: buffer int 0*16384
// expect: arg0 int 0
// run: in_loop global 8192 local 128
// arg: buffer int 0
// expect: arg0 int 0
// run: chain global 2048 local 128
// arg: buffer int 0
// arg: buffer int 0*32
// expect: arg0 int 0
#define ITEMS 128
#define LANE get_sub_group_local_id()
#define LANES get_max_sub_group_size()
#define FIRST (get_local_id(0) - LANE) // of the sub-group
#define WRONG(got, want) if ((got) != (want)) atomic_inc(wrong)
#define FOR_STEPS(STEP) \
    if (LANES > 64) STEP(64) \
    if (LANES > 32) STEP(32) \
    if (LANES > 16) STEP(16) \
    if (LANES > 8) STEP(8) \
    if (LANES > 4) STEP(4) \
    if (LANES > 2) STEP(2) \
    if (LANES > 1) STEP(1)

uint number(uint i) { return i * 2654435761u >> 20; }

uint sum_of(uint first, uint count)
{
    uint sum = 0;
    for (uint i = 0; i < count; i++)
        sum += number(first + i);
    return sum;
}

#define ADD(step) mine[lane] = sum = sum + mine[lane + step];
#define SUM_UP(type, start) \
    local type scratch[2 * ITEMS]; \
    volatile local type *mine = scratch + 2 * FIRST; \
    uint lane = LANE; \
    type sum = start; \
    mine[lane] = sum; \
    mine[lane + LANES] = 0; \
    barrier(CLK_LOCAL_MEM_FENCE); \
    FOR_STEPS(ADD)

kernel void sums(global int *wrong)
{
    SUM_UP(uint, number(get_global_id(0)))
    if (!lane)
        WRONG(scratch[2 * FIRST], sum_of(get_global_id(0), LANES));
}

kernel void vectors(global int *wrong)
{
    SUM_UP(uint4, number(get_global_id(0)) + (uint4)(0, 1, 2, 3))
    uint want = sum_of(get_global_id(0), LANES);
    if (!lane) {
        sum = mine[0];
        WRONG(sum.x, want);
        WRONG(sum.w, want + 3 * LANES);
    }
}

kernel void bytes(global int *wrong)
{
    SUM_UP(uchar, number(get_global_id(0)))
    if (!lane)
        WRONG(mine[0], (uchar)sum_of(get_global_id(0), LANES));
}

#define ADD_BEFORE(step) { uint before = mine[(int)lane - step]; mine[lane] = sum = sum + before; }
#define FOR_GROWING_STEPS(STEP) \
    if (LANES > 1) STEP(1) \
    if (LANES > 2) STEP(2) \
    if (LANES > 4) STEP(4) \
    if (LANES > 8) STEP(8) \
    if (LANES > 16) STEP(16) \
    if (LANES > 32) STEP(32) \
    if (LANES > 64) STEP(64)

kernel void scans(global int *wrong)
{
    local uint scratch[2 * ITEMS];
    volatile local uint *mine = scratch + 2 * FIRST + LANES;
    uint lane = LANE, sum = number(get_global_id(0));
    mine[(int)lane - (int)LANES] = 0;
    mine[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_GROWING_STEPS(ADD_BEFORE)
    WRONG(scratch[2 * FIRST + LANES + lane], sum_of(get_global_id(0) - lane, lane + 1));
}

// The stored value does not depend on the loaded one.
#define MOVE(i) seen += mine[next]; mine[lane] = lane + i + 1;

kernel void moves(global int *wrong)
{
    local uint scratch[ITEMS];
    volatile local uint *mine = scratch + FIRST;
    uint lane = LANE, next = (lane + 1) % LANES, seen = 0;
    mine[lane] = lane;
    barrier(CLK_LOCAL_MEM_FENCE);
    MOVE(0) MOVE(1) MOVE(2) MOVE(3) MOVE(4) MOVE(5) MOVE(6) MOVE(7)
    WRONG(seen, 8 * next + 28);
}

kernel void by_global(global int *wrong, volatile global uint *memory)
{
    volatile global uint *mine = memory + 2 * (get_global_id(0) - LANE);
    uint lane = LANE, sum = number(get_global_id(0));
    mine[lane] = sum;
    FOR_STEPS(ADD)
    if (!lane)
        WRONG(mine[0], sum_of(get_global_id(0), LANES));
}

uint sum_at(volatile uint *mine, uint sum)
{
    uint lane = LANE;
    mine[lane] = sum;
    FOR_STEPS(ADD)
    return mine[0];
}

kernel void by_pointer(global int *wrong, global uint *memory)
{
    local uint scratch[2 * ITEMS];
    local uint *here = scratch + 2 * FIRST;
    global uint *there = memory + 2 * (get_global_id(0) - LANE);
    uint want = sum_of(get_global_id(0) - LANE, LANES);
    here[LANE + LANES] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    WRONG(sum_at(here, number(get_global_id(0))), want);
    WRONG(sum_at(there, number(get_global_id(0))), want);
    WRONG(sum_at(get_group_id(0) % 2 ? (uint *)here : (uint *)there, number(get_global_id(0))), want);
}

kernel void in_loop(global int *wrong)
{
    local uint scratch[2 * ITEMS];
    volatile local uint *mine = scratch + 2 * FIRST;
    uint lane = LANE, sum = number(get_global_id(0));
    mine[lane] = sum;
    mine[lane + LANES] = 0;
    for (uint step = LANES / 2; step; step /= 2)
        mine[lane] = sum = sum + mine[lane + step];
    if (!lane)
        WRONG(scratch[2 * FIRST], sum_of(get_global_id(0), LANES));
}

// Each work-group waits for a flag of the previous one. [2 * group]: a sum, then its flag.
kernel void chain(global int *wrong, volatile global uint *memory)
{
    uint group = get_group_id(0);
    if (get_local_id(0) == 0) {
        uint sum = number(group);
        if (group) {
            while (!memory[2 * group - 1])
                ;
            read_mem_fence(CLK_GLOBAL_MEM_FENCE);
            sum += memory[2 * group - 2];
        }
        memory[2 * group] = sum;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        memory[2 * group + 1] = 1;
        WRONG(sum, sum_of(0, group + 1));
    }
}
