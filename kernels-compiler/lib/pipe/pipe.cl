// SPDX-License-Identifier: Apache-2.0
// Pipes: assignment of packets to work-items (struct kc_pipe of kc.h; ast/sema_pipe.c generates the calls).
//
// Packets are numbered in the order of their reservation; the number modulo the capacity is the slot. Writers and
// readers each count the reserved packets, and the packets up to which everything is committed. A commit stores a
// mark in the slot where the reservation begins - the number after its last packet - and then advances the committed
// count as long as it finds marks there. The algorithm is lock-free: if advancing the count fails, another work-item
// has advanced it, and that one will look at the next mark.
//
// Marks are never cleared: those of earlier rounds are recognized by being too far behind. Counts wrap at a multiple
// of the capacity near 2^31.
#include "lib.h"

enum { WRITER, READER };                                 // sides, and
enum { RESERVED, COMMITTED = 2, CAPACITY = 4, WRAP = 5, MARKS = 16 }; // words of the header
enum { PACKETS_ALIGN = 128 };
#define NOWHERE (~0u)

#define SEE() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)

static uint latest(volatile global uint *word)
{
    uint value = atomic_or(word, 0);
    SEE();
    return value;
}

static uint behind(global const uint *pipe, uint number, uint packets)
{
    uint sum = number + packets; // at most 2^31 + 2^29
    return sum >= pipe[WRAP] ? sum - pipe[WRAP] : sum;
}

static uint distance(global const uint *pipe, uint from, uint to)
{
    return to >= from ? to - from : to + (pipe[WRAP] - from);
}

// How many packets a side whose next one is `number` may reserve. More than the capacity, or negative: others have
// reserved packets since `number` was read.
static uint room(global uint *pipe, uint side, uint number)
{
    uint other = latest(pipe + COMMITTED + (side ^ 1));
    return side == WRITER ? pipe[CAPACITY] - distance(pipe, other, number) : distance(pipe, number, other);
}

LIB uint __pipe_reserve(global uint *pipe, uint side, uint packets)
{
    uint number = latest(pipe + RESERVED + side);
    for (;;) {
        uint free = room(pipe, side, number);
        bool late = free > pipe[CAPACITY];
        if (!late && (packets > free || !packets))
            return NOWHERE;
        uint seen = late ? latest(pipe + RESERVED + side)
                         : atomic_cmpxchg(pipe + RESERVED + side, number, behind(pipe, number, packets));
        if (seen == number)
            return late ? NOWHERE : number; // the former: no pipe
        number = seen;
    }
}

LIB long __pipe_id(uint number, uint packets)
{
    return number == NOWHERE ? 0 : (long)((ulong)packets << 32 | number);
}

LIB uint __pipe_place(global uint *pipe, long id, uint index)
{
    return index < (uint)((ulong)id >> 32) ? behind(pipe, (uint)id, index) : NOWHERE;
}

LIB global uchar *__pipe_packet(global uint *pipe, uint number, uint size)
{
    size_t capacity = pipe[CAPACITY], first = (4 * MARKS + 8 * capacity + PACKETS_ALIGN - 1) / PACKETS_ALIGN * PACKETS_ALIGN;
    return (global uchar *)pipe + first + (size_t)(number % pipe[CAPACITY]) * size;
}

LIB void __pipe_commit(global uint *pipe, uint side, long id)
{
    uint number = (uint)id, packets = (uint)((ulong)id >> 32), capacity = pipe[CAPACITY];
    volatile global uint *marks = pipe + MARKS + side * capacity, *committed = pipe + COMMITTED + side;
    if (!packets)
        return;
    SEE();
    atomic_xchg(marks + number % capacity, behind(pipe, number, packets) + 1);
    SEE();
    if (latest(committed) != number)
        return;
    for (;;) {
        uint end = latest(marks + number % capacity) - 1;
        if (end == NOWHERE || end == number || distance(pipe, number, end) > capacity)
            return;
        if (atomic_cmpxchg(committed, number, end) != number)
            return;
        SEE();
        number = end;
    }
}

LIB uint __pipe_num_packets(global uint *pipe)
{
    uint readers = latest(pipe + RESERVED + READER);
    return min(distance(pipe, readers, latest(pipe + COMMITTED + WRITER)), pipe[CAPACITY]);
}

LIB uint __pipe_max_packets(global uint *pipe)
{
    return pipe[CAPACITY];
}
