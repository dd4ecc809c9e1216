// SPDX-License-Identifier: Apache-2.0
// SPIR-V modules with random mutations: each gives a program, or an error that says what is wrong,
// and the IR of accepted ones is valid (PUMICE_VERIFY): reader_random SEED COUNT FILE.spv...
#include "cc/presets.h"
#include "pumice/kc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, MOST_WORDS = 1 << 16, SPARE = 1024, MOST_SPAN = 200 };

struct module {
    uint32_t words[MOST_WORDS + SPARE], count;
    uint32_t starts[MOST_WORDS], start_count; // of instructions
};

static uint64_t state;

static uint32_t roll(uint32_t sides)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return sides ? (uint32_t)((state >> 11) % sides) : 0;
}

static int load(struct module *m, const char *path)
{
    FILE *file = fopen(path, "rb");
    m->count = file ? (uint32_t)fread(m->words, 4, MOST_WORDS, file) : 0;
    if (file)
        fclose(file);
    return m->count > HEADER;
}

static void find_starts(struct module *m)
{
    m->start_count = 0;
    for (uint32_t at = HEADER; at < m->count && m->words[at] >> 16; at += m->words[at] >> 16)
        m->starts[m->start_count++] = at;
}

static uint32_t any_start(const struct module *m) { return m->start_count ? m->starts[roll(m->start_count)] : HEADER; }

static uint32_t length_at(const struct module *m, uint32_t at)
{
    uint32_t length = m->words[at] >> 16;
    return length > m->count - at ? m->count - at : length;
}

static void remove_words(struct module *m, uint32_t at, uint32_t length)
{
    memmove(m->words + at, m->words + at + length, (m->count - at - length) * sizeof *m->words);
    m->count -= length;
}

static void repeat_words(struct module *m, uint32_t at, uint32_t length)
{
    if (length > MOST_SPAN || m->count + length > MOST_WORDS)
        return;
    memmove(m->words + at + length, m->words + at, (m->count - at) * sizeof *m->words);
    m->count += length;
}

static void make_mistake(struct module *m)
{
    static const uint32_t odd[] = {0, 0xffffffff, 0x80000000, 0x7fffffff, 0x10000};
    find_starts(m);
    uint32_t at = any_start(m), other = any_start(m), length = length_at(m, at);
    uint32_t *operand = &m->words[length > 1 ? at + 1 + roll(length - 1) : at];
    switch (roll(8)) {
    case 0:
        m->words[HEADER + roll(m->count - HEADER)] ^= UINT32_C(1) << roll(32);
        break;
    case 1: // an id
        *operand = roll(m->words[3] + 1);
        break;
    case 2: // a small number
        *operand = roll(70);
        break;
    case 3:
        *operand = odd[roll(sizeof odd / sizeof *odd)];
        break;
    case 4: // another instruction of the same length
        m->words[at] = (m->words[at] & 0xffff0000) | (m->words[other] & 0xffff);
        break;
    case 5: // the operands of another instruction
        if (length == length_at(m, other))
            memcpy(m->words + at + 1, m->words + other + 1, (length - 1) * sizeof *m->words);
        break;
    case 6:
        remove_words(m, at, length);
        break;
    default:
        repeat_words(m, at, length);
    }
}

static int try_module(const struct module *m, const struct kc_target *target)
{
    void *exact = malloc(m->count * 4); // of exactly that size, so that reading beyond it is
                                        // detected
    memcpy(exact, m->words, m->count * 4);
    struct kc_input input = {.il = exact, .il_size = m->count * 4};
    struct kc_program *program = kc_build(&input, target);
    int wrong = program->status != KC_OK && (!*program->log || strstr(program->log, "function @"));
    if (wrong)
        fprintf(stderr, "%s\n", program->log);
    kc_program_destroy(program);
    free(exact);
    return wrong;
}

int main(int argc, char **argv)
{
    struct kc_target target;
    struct module *m = malloc(sizeof *m);
    if (argc < 4 || !m || !preset_find("lavapipe", &target))
        return 2;
    state = strtoull(argv[1], NULL, 10) * UINT64_C(2654435761) + 88172645463325252u;
    int wrong = 0;
    for (unsigned long k = strtoul(argv[2], NULL, 10); k > 0 && !wrong; k--) {
        const char *path = argv[3 + roll((uint32_t)argc - 3)];
        if (!load(m, path))
            return 2;
        for (uint32_t mistakes = 1 + roll(3); mistakes > 0 && m->count > HEADER + 1; mistakes--)
            make_mistake(m);
        wrong = try_module(m, &target);
        if (wrong)
            fprintf(stderr, "%s, with %lu to go\n", path, k);
    }
    free(m);
    return wrong;
}
