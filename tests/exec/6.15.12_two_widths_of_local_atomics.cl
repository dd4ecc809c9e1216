// SPDX-License-Identifier: Apache-2.0
// Atomic operations of 32 and of 64 bits on one local array: no update of either width is lost.
// needs: cl_khr_int64_base_atomics
// needs: cl_khr_int64_extended_atomics
// run: both global 32 local 32
// arg: out ulong 4
// arg: out uint 8
// expect: arg0 ulong 0x0000040100000020 0xfffffffffffffffe 0x0000001f0000002a 0x000001f0000001f0
// expect: arg1 uint 31 0x20 0x7fffffff 1 0xffffffff 496 0 32
kernel void both(global ulong *wide, global uint *r)
{
    local ulong a[4];
    local uint *halves = (local uint *)a;
    uint id = get_local_id(0);
    if (id < 4)
        a[id] = id == 1 ? ~0ul : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&halves[0]);
    atomic_add(&halves[1], id * 2 + 1);
    atom_add(&a[0], id == 0 ? 1ul << 32 : 0);
    atomic_and(&halves[2], id == 7 ? ~1u : ~0u);
    atom_and(&a[1], ~0ul);
    atomic_max((local int *)&halves[5], (int)id);
    uint before = atomic_cmpxchg(&halves[4], 0, 42);
    atomic_sub(&halves[6], 0 - id);
    atomic_xor(&halves[7], 0);
    atom_add(&a[3], (ulong)id << 32);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < 4)
        wide[id] = a[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < 8)
        halves[id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&halves[7], before == 0);
    uint turn = atomic_inc(&halves[1]);
    atomic_max(&halves[0], turn);
    atomic_min((local int *)&halves[2], -1);
    atomic_add(&halves[5], id);
    atomic_xchg((local float *)&halves[6], 1.0f);
    atom_or(&a[2], 1ul << id);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 0) {
        r[0] = halves[0];
        r[1] = halves[1];
        r[2] = halves[2] >> 1;
        r[3] = halves[7];
        r[4] = halves[4];
        r[5] = halves[5];
        r[6] = halves[3];
        r[7] = halves[6] == as_uint(1.0f) ? 32 : 0;
    }
}
