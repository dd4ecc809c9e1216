// SPDX-License-Identifier: Apache-2.0
// Checks whether a file is a SPIR-V module, and lists its specialization constants.
//
// Checks the header, the bounds of every instruction and the types of specialization constants. The reader finds
// other errors when the program is built. Input is untrusted: every id is compared with the bound.
#include "pumice/kc.h"
#include "pumice/spirv.h"
#include "util/str.h"
#include "util/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER_WORDS = 5,
    BOUND_LIMIT = 0x400000, // SPIR-V 2.17: the universal limit
    MEMORY = 1 << 30,
};

struct scan {
    struct arena arena;
    jmp_buf full;
    const unsigned char *bytes; // may be unaligned
    size_t words;
    bool swapped;
    uint32_t bound;
    uint32_t *spec_of; // by id: 1 + the index in spec_ids
    uint8_t *bytes_of; // by id of a scalar type: size of a value in bytes
    VEC(uint32_t) spec_ids;
    VEC(struct kc_il_spec) specs;
    const char *error;
};

static uint32_t word(const struct scan *s, size_t index)
{
    uint32_t value;
    memcpy(&value, s->bytes + index * 4, 4);
    return s->swapped ? __builtin_bswap32(value) : value;
}

static bool fail(struct scan *s, const char *error)
{
    s->error = error;
    return false;
}

static bool read_header(struct scan *s, size_t size)
{
    if (size % 4 || size / 4 < HEADER_WORDS)
        return fail(s, arena_printf(&s->arena, "%zu bytes are not a SPIR-V module", size));
    s->words = size / 4;
    s->swapped = word(s, 0) == __builtin_bswap32(SpvMagicNumber);
    if (word(s, 0) != SpvMagicNumber)
        return fail(s, "word 0: the magic number is not that of SPIR-V");
    uint32_t version = word(s, 1);
    if ((version & 0xffff00ffu) != 0x10000 || (version >> 8 & 0xff) >= KC_IL_MINOR_VERSIONS)
        return fail(s, arena_printf(&s->arena, "word 1: 0x%08x is not a SPIR-V version from 1.0 to 1.%d", version,
                                    KC_IL_MINOR_VERSIONS - 1));
    s->bound = word(s, 3);
    if (!s->bound || s->bound > BOUND_LIMIT)
        return fail(s, arena_printf(&s->arena, "word 3: invalid bound %u of ids", s->bound));
    return word(s, 4) ? fail(s, "word 4: unknown schema") : true;
}

// The `index`-th word of an instruction as an id; 0 if it is not valid.
static uint32_t id_at(struct scan *s, size_t at, uint32_t index, uint32_t count)
{
    uint32_t id = index < count ? word(s, at + index) : 0;
    return id < s->bound ? id : 0;
}

// Records a SpecId decoration, which groups pass on to their members.
static void read_decoration(struct scan *s, size_t at, uint32_t count)
{
    uint32_t target = id_at(s, at, 1, count);
    if (!target || count < 4 || word(s, at + 2) != SpvDecorationSpecId)
        return;
    vec_push(&s->arena, &s->spec_ids, word(s, at + 3));
    s->spec_of[target] = (uint32_t)s->spec_ids.count;
}

static void read_group(struct scan *s, size_t at, uint32_t count)
{
    uint32_t group = id_at(s, at, 1, count);
    for (uint32_t i = 2; i < count && s->spec_of[group]; i++)
        s->spec_of[id_at(s, at, i, count)] = s->spec_of[group];
    s->spec_of[0] = 0;
}

static void read_type(struct scan *s, size_t at, uint32_t count)
{
    uint32_t width = count > 2 ? word(s, at + 2) : 0;
    s->bytes_of[id_at(s, at, 1, count)] = width == 8 || width == 16 || width == 32 || width == 64 ? (uint8_t)(width / 8) : 0;
}

static void read_constant(struct scan *s, size_t at, uint32_t count, bool boolean)
{
    uint32_t type = id_at(s, at, 1, count), place = s->spec_of[id_at(s, at, 2, count)];
    uint32_t size = boolean ? 1 : s->bytes_of[type];
    if (place && size)
        vec_push(&s->arena, &s->specs, ((struct kc_il_spec){s->spec_ids.items[place - 1], size}));
}

static void read_instruction(struct scan *s, size_t at, uint32_t op, uint32_t count)
{
    if (op == SpvOpDecorate)
        read_decoration(s, at, count);
    else if (op == SpvOpGroupDecorate)
        read_group(s, at, count);
    else if (op == SpvOpTypeInt || op == SpvOpTypeFloat)
        read_type(s, at, count);
    else if (op == SpvOpSpecConstant || op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse)
        read_constant(s, at, count, op != SpvOpSpecConstant);
}

static bool read_instructions(struct scan *s)
{
    s->spec_of = calloc(s->bound, sizeof *s->spec_of);
    s->bytes_of = calloc(s->bound, sizeof *s->bytes_of);
    if (!s->spec_of || !s->bytes_of)
        longjmp(s->full, 1);
    for (size_t at = HEADER_WORDS; at < s->words;) {
        uint32_t first = word(s, at), count = first >> SpvWordCountShift;
        if (!count || count > s->words - at)
            return fail(s, arena_printf(&s->arena, "word %zu: an instruction of %u words, but only %zu words are left", at, count,
                                        s->words - at));
        read_instruction(s, at, first & SpvOpCodeMask, count);
        at += count;
    }
    return true;
}

static int compare_specs(const void *a, const void *b)
{
    const struct kc_il_spec *x = a, *y = b;
    return x->id == y->id ? (x->size > y->size) - (x->size < y->size) : (x->id > y->id) - (x->id < y->id);
}

// Sorts by number and removes duplicates: several constants may share one.
static bool sort_specs(struct scan *s)
{
    size_t unique = 0;
    if (s->specs.count)
        qsort(s->specs.items, s->specs.count, sizeof *s->specs.items, compare_specs);
    for (size_t i = 0; i < s->specs.count; i++) {
        const struct kc_il_spec spec = s->specs.items[i], last = s->specs.items[unique ? unique - 1 : 0];
        if (spec.id == last.id && spec.size != last.size)
            return fail(s, arena_printf(&s->arena, "specialization constant %u is defined with %u bytes and with %u bytes", spec.id, last.size,
                                        spec.size));
        if (!unique || spec.id != last.id)
            s->specs.items[unique++] = spec;
    }
    s->specs.count = unique;
    return true;
}

static enum kc_status finish_scan(struct scan *s, bool good, struct kc_il_spec **specs, size_t *count, char **log)
{
    size_t size = good ? s->specs.count * sizeof **specs : 0;
    *log = strdup(good ? "" : s->error);
    *specs = malloc(size ? size : 1);
    *count = good ? s->specs.count : 0;
    if (!*log || !*specs)
        return KC_OUT_OF_MEMORY;
    if (size)
        memcpy(*specs, s->specs.items, size);
    return good ? KC_OK : KC_ERROR;
}

// A separate function for setjmp(), so that it cannot clobber a caller's locals.
static enum kc_status scan_module(struct scan *s, size_t size, struct kc_il_spec **specs, size_t *count, char **log)
{
    if (setjmp(s->full))
        return KC_OUT_OF_MEMORY;
    arena_init(&s->arena, MEMORY, &s->full);
    return finish_scan(s, read_header(s, size) && read_instructions(s) && sort_specs(s), specs, count, log);
}

enum kc_status kc_il_read(const void *il, size_t size, struct kc_il_spec **specs, size_t *count, char **log)
{
    struct scan *s = calloc(1, sizeof *s);
    *specs = NULL;
    *count = 0;
    *log = NULL;
    if (!s)
        return KC_OUT_OF_MEMORY;
    s->bytes = il;
    enum kc_status status = scan_module(s, size, specs, count, log);
    free(s->spec_of);
    free(s->bytes_of);
    arena_finish(&s->arena);
    free(s);
    return status;
}
