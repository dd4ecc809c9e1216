// SPDX-License-Identifier: Apache-2.0
// Appends instructions to growing streams of words.
#include "spirv/writer.h"

#include <stdarg.h>
#include <stdio.h>

static uint32_t *reserve(struct spv *s, struct spv_words *w, size_t more)
{
    if (w->count + more > w->capacity) {
        size_t capacity = w->capacity ? w->capacity * 2 : 128;
        while (capacity < w->count + more)
            capacity *= 2;
        uint32_t *bigger = arena_alloc(s->arena, capacity * 4);
        if (w->count)
            memcpy(bigger, w->items, w->count * 4);
        w->items = bigger;
        w->capacity = capacity;
    }
    uint32_t *at = w->items + w->count;
    w->count += more;
    return at;
}

static uint32_t first_word(SpvOp op, size_t count)
{
    return (uint32_t)(count + 1) << SpvWordCountShift | (uint32_t)op;
}

void spv_put(struct spv *s, enum spv_section section, SpvOp op, const uint32_t *words, size_t count)
{
    uint32_t *at = reserve(s, &s->sections[section], count + 1);
    at[0] = first_word(op, count);
    if (count)
        memcpy(at + 1, words, count * 4);
}

void spv_put_text(struct spv *s, enum spv_section section, SpvOp op, const uint32_t *words,
                  size_t count, const char *text, const uint32_t *more, size_t more_count)
{
    size_t length = strlen(text), text_words = length / 4 + 1;
    uint32_t *at = reserve(s, &s->sections[section], 1 + count + text_words + more_count);
    at[0] = first_word(op, count + text_words + more_count);
    if (count)
        memcpy(at + 1, words, count * 4);
    at[count + text_words] = 0;
    memcpy(at + 1 + count, text, length);
    if (more_count)
        memcpy(at + 1 + count + text_words, more, more_count * 4);
}

uint32_t spv_put_result(struct spv *s, enum spv_section section, SpvOp op, uint32_t type,
                        const uint32_t *words, size_t count)
{
    uint32_t id = spv_id(s), typed = type != 0;
    uint32_t *at = reserve(s, &s->sections[section], count + 2 + typed);
    at[0] = first_word(op, count + 1 + typed);
    if (typed)
        at[1] = type;
    at[1 + typed] = id;
    if (count)
        memcpy(at + 2 + typed, words, count * 4);
    return id;
}

uint32_t spv_glsl(struct spv *s)
{
    if (!s->glsl) {
        s->glsl = spv_id(s);
        spv_put_text(s, SPV_IMPORTS, SpvOpExtInstImport, &s->glsl, 1, "GLSL.std.450", NULL, 0);
    }
    return s->glsl;
}

uint32_t spv_file(struct spv *s, const char *name)
{
    uint32_t id = (uint32_t)(uintptr_t)map_get(&s->files, name);
    if (id)
        return id;
    id = spv_id(s);
    spv_put_text(s, SPV_STRINGS, SpvOpString, &id, 1, name, NULL, 0);
    map_set(s->arena, &s->files, name, (void *)(uintptr_t)id);
    return id;
}

void spv_need(struct spv *s, enum spv_cap cap)
{
    s->caps |= UINT64_C(1) << cap;
}

void spv_fail(struct spv *s, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (s->error)
        return;
    s->error = arena_strndup(s->arena, text, strlen(text));
    ir_fail(s->module, s->origin, s->error);
}
