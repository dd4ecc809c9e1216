// SPDX-License-Identifier: Apache-2.0
// Packing the builtin library: texts of functions and variables -> the blob that library.c reads.
//
// Files that include the same header have the same helpers under names of their own, NAME..NUMBER.
// Texts that differ in such names alone become one: round by round, since two callers are the same
// only when their callees are. Indentation is left out.
#include "library.h"
#include <ctype.h>
#include <stdlib.h>

struct text {
    const char *name, *text;
    size_t length;
    const char *form;  // the text in the names that stand for it, its own left out
    const char *first; // the name that stands for this one
};

struct texts {
    struct arena *arena;
    struct text *items;
    size_t count;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct text *)a)->name, ((const struct text *)b)->name);
}

static int by_form(const void *a, const void *b)
{
    const struct text *const *x = a, *const *y = b;
    int order = strcmp((*x)->form, (*y)->form);
    return order ? order : strcmp((*x)->name, (*y)->name);
}

static bool is_own(const char *name) // of one file
{
    return strstr(name, "..") != NULL;
}

// What stands for the name of this length; NULL: itself.
static const char *first_name(const struct texts *texts, const char *name, size_t length)
{
    size_t low = 0, high = texts->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int order = strncmp(texts->items[mid].name, name, length);
        if (!order)
            order = texts->items[mid].name[length] != 0;
        if (!order)
            return texts->items[mid].first;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || (at[length] && strchr("_.$", at[length])))
        length++;
    return length;
}

// The text without indentation, names replaced by those that stand for them; `own`: this one by
// nothing.
static struct str in_first_names(const struct texts *texts, const struct text *text,
                                 const char *own)
{
    struct str out;
    str_init(&out, texts->arena);
    for (const char *at = text->text, *end = at + text->length; at < end;) {
        str_addc(&out, *at);
        if (*at++ == '\n')
            while (at < end && *at == ' ')
                at++;
        else if (at[-1] == '@') {
            size_t length = name_length(at);
            const char *first = first_name(texts, at, length);
            bool is_self = own && !strncmp(own, at, length) && !own[length];
            if (!is_self && first)
                str_add(&out, first);
            else if (!is_self)
                str_addn(&out, at, length);
            at += length;
        }
    }
    return out;
}

static bool merge_round(const struct texts *texts, struct text **sorted)
{
    size_t own = 0;
    bool changed = false;
    for (size_t i = 0; i < texts->count; i++) {
        struct text *text = &texts->items[i];
        if (!is_own(text->name))
            continue;
        const char *stem_end = strstr(text->name, "..");
        struct str form = in_first_names(texts, text, text->name);
        str_addn(&form, text->name, (size_t)(stem_end - text->name)); // for those who read it
        text->form = form.text;
        sorted[own++] = text;
    }
    qsort(sorted, own, sizeof *sorted, by_form);
    for (size_t i = 1; i < own; i++) {
        const char *first =
            strcmp(sorted[i]->form, sorted[i - 1]->form) ? sorted[i]->name : sorted[i - 1]->first;
        changed |= first != sorted[i]->first;
        sorted[i]->first = first;
    }
    return changed;
}

static uint32_t add_bytes(struct str *bytes, const char *text, size_t length)
{
    uint32_t at = (uint32_t)bytes->length;
    str_addn(bytes, text, length);
    str_addc(bytes, 0);
    return at;
}

static struct str pack(const struct texts *texts)
{
    struct str blob, bytes;
    uint32_t kept = 0;
    for (size_t i = 0; i < texts->count; i++)
        kept += texts->items[i].first == texts->items[i].name;
    uint32_t base = 4 + kept * 12;
    str_init(&blob, texts->arena);
    str_init(&bytes, texts->arena);
    str_addn(&blob, (const char *)&kept, 4);
    for (size_t i = 0; i < texts->count; i++) {
        const struct text *text = &texts->items[i];
        if (text->first != text->name)
            continue;
        struct str body = in_first_names(texts, text, NULL);
        uint32_t words[3] = {0, 0, (uint32_t)body.length};
        words[0] = base + add_bytes(&bytes, text->name, strlen(text->name));
        words[1] = base + add_bytes(&bytes, body.text, body.length);
        str_addn(&blob, (const char *)words, sizeof words);
    }
    str_addn(&blob, bytes.text ? bytes.text : "", bytes.length);
    return blob;
}

struct str library_pack(struct arena *arena, const struct driver_text *from, size_t count)
{
    struct texts texts = {arena, ARENA_ARRAY(arena, struct text, count + 1), count};
    struct text **sorted = ARENA_ARRAY(arena, struct text *, count + 1);
    for (size_t i = 0; i < count; i++)
        texts.items[i] =
            (struct text){from[i].name, from[i].text, from[i].length, NULL, from[i].name};
    qsort(texts.items, count, sizeof *texts.items, by_name);
    while (merge_round(&texts, sorted))
        ;
    return pack(&texts);
}
