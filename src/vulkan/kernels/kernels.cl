// SPDX-License-Identifier: Apache-2.0
// The runtime's own kernels: copies and fills where Vulkan's commands are slower than the device's memory.
//
// Compiled at build time by kernels_main.c. Addresses are multiples of the element's size; `rest` is the
// number of words behind the last whole element. Only 32-bit types and 64-bit addresses: any device we use
// for them has those. A work-item for each element is as fast as the memory: an H200 copies 256 MiB in 140 us so, in
// 147 with four elements or more in a row for each.

kernel void copy16(global uint4 *to, global const uint4 *from, ulong count, uint rest)
{
    ulong i = get_global_id(0), step = get_global_size(0);
    if (i < rest)
        ((global uint *)(to + count))[i] = ((global const uint *)(from + count))[i];
    for (; i < count; i += step)
        to[i] = from[i];
}

kernel void copy4(global uint *to, global const uint *from, ulong count, uint rest)
{
    for (ulong i = get_global_id(0), step = get_global_size(0); i < count; i += step)
        to[i] = from[i];
}

kernel void fill16(global uint4 *to, uint4 pattern, ulong count, uint rest)
{
    ulong i = get_global_id(0), step = get_global_size(0);
    if (i < rest)
        ((global uint *)(to + count))[i] = i == 0 ? pattern.x : i == 1 ? pattern.y : pattern.z;
    for (; i < count; i += step)
        to[i] = pattern;
}

// Is the host seen while a kernel runs, and the kernel by the host? words: [0] counted up by both,
// [1] set by the kernel, then [2] by the host; [3] the answer.
kernel void meet(volatile global uint *words, uint adds, uint patience)
{
    atomic_xchg(words + 1, 1u);
    for (uint i = 0; i < adds; i++)
        atomic_inc(words);
    uint seen = 0;
    while (!seen && patience--)
        seen = atomic_or(words + 2, 0u);
    words[3] = seen;
}
