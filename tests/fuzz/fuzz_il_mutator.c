// SPDX-License-Identifier: Apache-2.0
// A mutator that keeps the instructions of SPIR-V whole: it takes one away, copies one, gives one another's operation or
// operand, or leaves the work to the engine's own mutations.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { HEADER = 5, MAX_WORDS = 1 << 14 };

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// Where instructions begin; the end is one more.
static size_t split(const uint32_t *words, size_t count, size_t *starts)
{
    size_t found = 0, at = HEADER;
    while (at < count && words[at] >> 16 && words[at] >> 16 <= count - at) {
        starts[found++] = at;
        at += words[at] >> 16;
    }
    starts[found] = at;
    return found;
}

// Puts a copy of instruction `from` in front of (or over) the one at `to`.
static size_t copy_over(uint32_t *words, size_t count, const size_t *starts, size_t from, size_t to, unsigned over)
{
    static uint32_t copy[MAX_WORDS];
    size_t length = starts[from + 1] - starts[from], old = over ? starts[to + 1] - starts[to] : 0;
    if (count - old + length > MAX_WORDS)
        return count;
    memcpy(copy, words + starts[from], length * 4);
    memmove(words + starts[to] + length, words + starts[to] + old, (count - starts[to] - old) * 4);
    memcpy(words + starts[to], copy, length * 4);
    return count - old + length;
}

// An operand becomes what another instruction has there, a small number, or a bit of it turns.
static void change_operand(uint32_t *words, const size_t *starts, size_t to, size_t from, unsigned *state)
{
    size_t length = starts[to + 1] - starts[to], other = starts[from + 1] - starts[from];
    if (length < 2)
        return;
    uint32_t *operand = words + starts[to] + 1 + next_random(state) % (length - 1);
    switch (next_random(state) % 4) {
    case 0: *operand ^= 1u << next_random(state) % 32; break;
    case 1: *operand = next_random(state) % 8; break;
    default:
        if (other > 1)
            *operand = words[starts[from] + 1 + next_random(state) % (other - 1)];
    }
}

static size_t mutate(uint32_t *words, size_t count, unsigned *state)
{
    static size_t starts[MAX_WORDS + 1];
    size_t found = split(words, count, starts);
    if (!found)
        return count;
    size_t to = next_random(state) % found, from = next_random(state) % found;
    switch (next_random(state) % 8) {
    case 0: // away with it
        memmove(words + starts[to], words + starts[to + 1], (count - starts[to + 1]) * 4);
        return count - (starts[to + 1] - starts[to]);
    case 1: return copy_over(words, count, starts, from, to, 0);
    case 2: return copy_over(words, count, starts, from, to, 1);
    case 3: // another operation with the same operands
        words[starts[to]] = (words[starts[to]] & 0xffff0000u) | (words[starts[from]] & 0xffffu);
        return count;
    default: change_operand(words, starts, to, from, state); return count;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static uint32_t words[MAX_WORDS];
    unsigned state = seed;
    if (size < 4 * (HEADER + 1) || size > sizeof words || next_random(&state) % 16 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    size_t count = size / 4;
    memcpy(words, data, count * 4);
    for (unsigned rounds = 1 + next_random(&state) % 4; rounds; rounds--)
        count = mutate(words, count, &state);
    if (count * 4 > max_size)
        return size;
    memcpy(data, words, count * 4);
    return count * 4;
}
