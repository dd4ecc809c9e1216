// SPDX-License-Identifier: Apache-2.0
// A mutator that preserves tokens, because mutated bytes rarely pass a parser. It deletes, repeats,
// swaps or replaces sequences of tokens, or leaves the mutation to the fuzzing engine.
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { MAX_TOKENS = 4096, MAX_SPAN = 8 };

struct span {
    size_t at, length;
};

extern const char *const fuzz_words[]; // of the language; ends with NULL

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static unsigned word_count(void)
{
    unsigned count = 0;
    while (fuzz_words[count])
        count++;
    return count;
}

static size_t split(const uint8_t *data, size_t size, size_t *starts)
{
    size_t count = 0;
    for (size_t i = 0; i < size && count < MAX_TOKENS;) {
        if (isspace(data[i])) {
            i++;
            continue;
        }
        starts[count++] = i;
        bool word = isalnum(data[i]) || data[i] == '_';
        i++;
        while (word && i < size && (isalnum(data[i]) || data[i] == '_'))
            i++;
    }
    return count;
}

static struct span pick(const size_t *starts, size_t count, size_t size, unsigned *state)
{
    size_t first = next_random(state) % count, last = first + 1 + next_random(state) % MAX_SPAN;
    size_t end = last < count ? starts[last] : size;
    return (struct span){starts[first], end - starts[first]};
}

// Replaces `old` by `text`.
static size_t replace(uint8_t *data, size_t size, size_t max_size, struct span old,
                      const uint8_t *text, size_t length)
{
    if (size - old.length + length > max_size)
        return size;
    memmove(data + old.at + length, data + old.at + old.length, size - old.at - old.length);
    memcpy(data + old.at, text, length);
    return size - old.length + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static size_t starts[MAX_TOKENS];
    static uint8_t copy[1 << 16];
    unsigned state = seed;
    for (unsigned rounds = 1 + next_random(&state) % 4; rounds; rounds--) {
        size_t count = split(data, size, starts);
        unsigned what = next_random(&state) % 8;
        if (!count || size > sizeof copy || what == 0)
            return LLVMFuzzerMutate(data, size, max_size);
        struct span to = pick(starts, count, size, &state),
                    from = pick(starts, count, size, &state);
        if (what == 1) {
            size = replace(data, size, max_size, to, copy, 0);
        } else if (what < 5) {
            memcpy(copy, data + from.at, from.length);
            if (what == 2)
                to.length = 0;
            size = replace(data, size, max_size, to, copy, from.length);
        } else {
            const char *word = fuzz_words[next_random(&state) % word_count()];
            size_t length = strlen(word);
            memcpy(copy, word, length);
            copy[length] = ' ';
            if (what < 7)
                to.length = 0;
            size = replace(data, size, max_size, to, copy, length + 1);
        }
    }
    return size;
}
