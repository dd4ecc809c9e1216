// SPDX-License-Identifier: Apache-2.0
// Programs for CPUs read and write words at any byte of private and local memory.
// needs: cpu
// run: private_memory global 4
// arg: out ulong 4
// arg: buffer int 1 3 4 6
// expect: arg0 ulong 0x0807060504030200 0x0a09080706050400 0x0b0a090807060500 0x0d0c0b0a09080700

// run: local_memory global 2 local 2
// arg: out ulong 2
// arg: buffer int 3 5
// expect: arg0 ulong 0x0a09080706050403 0x0c0b0a0908070605

// run: words_beside_bytes global 2
// arg: out uint 8
// arg: buffer int 1 2
// expect: arg0 uint 17 0x55666611 0x44556666 3 17 0x55666622 0x44556666 0x55666622

kernel void private_memory(global ulong *out, global const int *at)
{
    uchar bytes[24], copy[24];
    const int i = get_global_id(0), first = at[i];
    for (int k = 0; k < 24; k++)
        bytes[k] = k + 1;
    for (int k = 0; k < 24; k++)
        copy[k] = 0;
    *(ulong *)(copy + 5 - i) = *(ulong *)(bytes + first);
    out[i] = *(ulong *)(copy + 4 - i);
}

kernel void local_memory(global ulong *out, global const int *at)
{
    local uchar bytes[24];
    const int i = get_local_id(0);
    for (int k = i; k < 24; k += 2)
        bytes[k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = *(local ulong *)(bytes + at[i]);
}

struct context {
    uint head;
    uchar buffer[9];
    uint tail;
};

kernel void words_beside_bytes(global uint *out, global const int *at)
{
    struct context c = {0};
    const int i = get_global_id(0), first = at[i];
    c.head = 17;
    c.tail = 3;
    for (int k = 0; k < 9; k++)
        c.buffer[k] = 17 * (k + 1);
    *(uint *)(c.buffer + first) = 0x44556666;
    global uint *result = out + 4 * i;
    result[0] = c.head;
    result[1] = *(uint *)(c.buffer + i);
    result[2] = *(uint *)(c.buffer + first);
    result[3] = first == 1 ? c.tail : *(uint *)(c.buffer + 1);
}
