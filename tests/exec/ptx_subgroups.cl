// SPDX-License-Identifier: Apache-2.0
// Inline assembly: shuffles and votes.
// source: another compiler does not translate assembly
// needs: cl_khr_subgroup_shuffle
// needs: cl_khr_subgroup_ballot
// run: k global 4 local 4
// arg: out uint 28
// expect: arg0 uint 20 10 10 10 1 0 13  10 10 10 10 1 0 13  40 20 20 10 1 0 13  30 30 20 10 1 0 13
kernel void k(global uint *out)
{
    const uint lane = get_local_id(0), v = 10 * (lane + 1);
    global uint *to = out + 7 * lane;
    asm volatile ("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(to[0]) : "r"(v));
    asm volatile ("{ .reg .b32 t; mov.b32 t, %1; shfl.up.b32 %0, t, 1, 0; }" : "=r"(to[1]) : "r"(v));
    to[1] = lane == 0 ? 10 : to[1];
    asm volatile ("shfl.idx.b32 %0, %1, %2, 0x1f;" : "=r"(to[2]) : "r"(v), "r"(lane / 2));
    asm volatile ("shfl.sync.idx.b32 %0, %1, 0, 0x1f, -1;" : "=r"(to[3]) : "r"(v));
    asm volatile ("{ .reg .pred p, q; setp.eq.u32 p, %1, 30; vote.sync.any.pred q, p, -1; selp.u32 %0, 1, 0, q; }" : "=r"(to[4]) : "r"(v));
    asm volatile ("{ .reg .pred p, q; setp.eq.u32 p, %1, 30; vote.sync.all.pred q, p, -1; selp.u32 %0, 1, 0, q; }" : "=r"(to[5]) : "r"(v));
    asm volatile ("{ .reg .pred p; setp.ne.u32 p, %%laneid, 1; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(to[6]));
}
