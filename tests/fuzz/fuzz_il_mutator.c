// SPDX-License-Identifier: Apache-2.0
// A mutator that preserves the boundaries of SPIR-V instructions: it deletes or copies one,
// replaces its opcode or an operand by another's, by an extreme number or by its own result; makes
// a chain of copies that use each other's results; copies several instructions with new results; or
// leaves the mutation to the fuzzing engine.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { HEADER = 5, BOUND = 3, MAX_WORDS = 1 << 14 };
enum { MAX_TOWER = 600, MAX_RUN = 40 };

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// The starts of instructions, and the end.
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

// Inserts a copy of instruction `from` before the one at `to`, or replaces that.
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

// In type declarations the result is the first operand, in most others it follows the type.
static size_t result_at(const uint32_t *words, size_t start)
{
    enum { FIRST_TYPE = 19, LAST_TYPE = 39, LABEL = 248 };
    uint32_t op = words[start] & 0xffff;
    return start + ((op >= FIRST_TYPE && op <= LAST_TYPE) || op == LABEL ? 1 : 2);
}

// Sizes, counts and ids at the limits of words and of tables.
static uint32_t hostile(const uint32_t *words, unsigned *state)
{
    static const uint32_t numbers[] = {0, 1, 16, 17, 64, 65, 255, 0x8000, 0xffff, 0x10000, 0x100000,
                                       0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    unsigned choice = next_random(state) % (sizeof numbers / sizeof *numbers + 2);
    return choice < 2 ? words[BOUND] - choice : numbers[choice - 2];
}

// Inserts copies of an instruction, each of which uses the previous one's result as an operand;
// later uses of the original result use the last one's.
static size_t build_tower(uint32_t *words, size_t count, const size_t *starts, size_t at, unsigned *state)
{
    size_t start = starts[at], length = starts[at + 1] - start, result = result_at(words, start) - start;
    size_t levels = 2 + next_random(state) % (next_random(state) % 4 ? 16 : MAX_TOWER);
    if (length < result + 2 || count + levels * length > MAX_WORDS)
        return count;
    size_t operand = next_random(state) % 4 && length > result + 1 ? result + 1 : 1 + next_random(state) % (length - 1);
    uint32_t id = words[start + result], fresh = words[BOUND];
    memmove(words + start + (levels + 1) * length, words + start + length, (count - start - length) * 4);
    for (size_t level = 1; level <= levels; level++) {
        uint32_t *copy = words + start + level * length;
        memcpy(copy, words + start, length * 4);
        copy[operand] = level > 1 ? fresh + (uint32_t)level - 2 : id;
        copy[result] = fresh + (uint32_t)level - 1;
    }
    for (size_t i = start + (levels + 1) * length; i < count + levels * length; i++)
        if (words[i] == id)
            words[i] = fresh + (uint32_t)levels - 1;
    words[BOUND] = fresh + (uint32_t)levels;
    return count + levels * length;
}

// Copies a sequence of instructions after itself or elsewhere; results get new ids, which are used
// inside the copy.
static size_t copy_run(uint32_t *words, size_t count, const size_t *starts, size_t found, size_t from, size_t to, unsigned *state)
{
    static uint32_t run[MAX_WORDS];
    size_t instructions = 1 + next_random(state) % MAX_RUN;
    if (instructions > found - from)
        instructions = found - from;
    size_t begin = starts[from], length = starts[from + instructions] - begin;
    if (count + length > MAX_WORDS)
        return count;
    memcpy(run, words + begin, length * 4);
    for (size_t i = from; i < from + instructions; i++) {
        size_t at = result_at(words, starts[i]);
        if (at >= starts[i + 1])
            continue;
        for (size_t k = 0; k < length; k++)
            if (run[k] == words[at])
                run[k] = words[BOUND];
        words[BOUND]++;
    }
    size_t place = next_random(state) % 2 ? begin + length : starts[to];
    memmove(words + place + length, words + place, (count - place) * 4);
    memcpy(words + place, run, length * 4);
    return count + length;
}

// Replaces an operand by another instruction's, by a small or an extreme number or by the
// instruction's own result, or flips a bit of it.
static void change_operand(uint32_t *words, const size_t *starts, size_t to, size_t from, unsigned *state)
{
    size_t length = starts[to + 1] - starts[to], other = starts[from + 1] - starts[from];
    if (length < 2)
        return;
    uint32_t *operand = words + starts[to] + 1 + next_random(state) % (length - 1);
    switch (next_random(state) % 8) {
    case 0: *operand ^= 1u << next_random(state) % 32; break;
    case 1: *operand = next_random(state) % 8; break;
    case 2: *operand = hostile(words, state); break;
    case 3: *operand = words[starts[to] + (length > 2 ? 1 + next_random(state) % 2 : 1)]; break;
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
    switch (next_random(state) % 12) {
    case 0: // delete it
        memmove(words + starts[to], words + starts[to + 1], (count - starts[to + 1]) * 4);
        return count - (starts[to + 1] - starts[to]);
    case 1: return copy_over(words, count, starts, from, to, 0);
    case 2: return copy_over(words, count, starts, from, to, 1);
    case 3: // another opcode with the same operands
        words[starts[to]] = (words[starts[to]] & 0xffff0000u) | (words[starts[from]] & 0xffffu);
        return count;
    case 4: return build_tower(words, count, starts, to, state);
    case 5: return copy_run(words, count, starts, found, from, to, state);
    case 6: // sometimes an extreme bound
        if (next_random(state) % 16 == 0)
            words[BOUND] = hostile(words, state);
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
