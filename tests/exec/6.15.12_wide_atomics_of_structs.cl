// SPDX-License-Identifier: Apache-2.0
// Local memory with 64-bit atomics and accesses of other widths, some of which share a word.
// needs: cl_khr_int64_base_atomics
// run: k global 16 local 16
// arg: local 128
// arg: out long 4
// arg: out float 4
// arg: out uchar 16
// arg: out short 1
// expect: arg1 long 0x600000018 0x60000001c 0x600000020 0x600000024
// expect: arg2 float 0.5 1.5 2.5 3.5
// expect: arg3 uchar 100 104 108 112 101 105 109 113 102 106 110 114 103 107 111 115
// expect: arg4 short -5
struct cell {
    ulong count;
    float value;
    uchar flags[4];
};

kernel void k(local struct cell *cells, global ulong *counts, global float *values, global uchar *flags, global short *last)
{
    int i = get_local_id(0);
    local struct cell *cell = cells + i % 4;
    if (i < 4) {
        cell->count = 1ul << 33;
        cell->value = i + 0.5f;
    }
    if (i == 5)
        ((local short *)cells)[32 + 31] = -5;
    barrier(CLK_LOCAL_MEM_FENCE);
    cell->flags[i / 4] = 100 + i;
    atom_add(&cell->count, (ulong)i);
    if (i < 4)
        atom_add(&cell->count, 1ul << 34);
    barrier(CLK_LOCAL_MEM_FENCE);
    flags[4 * (i % 4) + i / 4] = cell->flags[i / 4];
    if (i < 4) {
        counts[i] = cell->count;
        values[i] = cell->value;
    }
    if (i == 9)
        *last = ((local short *)(cells + 4))[31];
}
