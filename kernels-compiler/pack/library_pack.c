// SPDX-License-Identifier: Apache-2.0
// Packs the built-in library: texts of functions and variables -> the blob that library.c reads.
//
// Files that include the same header contain the same helpers under different names, NAME..NUMBER. Texts that only
// differ in such names are merged, iteratively, because callers become equal when their callees are merged.
// Indentation is removed, the rest is compressed.
#include "pack/library.h"
#include "pack/library_blob.h"
#include <ctype.h>
#include <stdlib.h>

struct text {
    const char *name, *text;
    size_t length;
    const char *form;  // the text with canonical names, its own name removed
    const char *first; // canonical name, of the first equal text
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

static bool is_file_local(const char *name) // local to a file
{
    return strstr(name, "..") != NULL;
}

// The canonical name for a name of this length; NULL: the name itself.
static const char *canonical_name(const struct texts *texts, const char *name, size_t length)
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

// The text without indentation and with canonical names; its own name `own` is removed.
static struct str with_canonical_names(const struct texts *texts, const struct text *text,
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
            const char *first = canonical_name(texts, at, length);
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
        if (!is_file_local(text->name))
            continue;
        const char *stem_end = strstr(text->name, "..");
        struct str form = with_canonical_names(texts, text, text->name);
        str_addn(&form, text->name, (size_t)(stem_end - text->name)); // keeps a readable stem
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

static bool is_canonical(const struct text *text)
{
    return text->first == text->name;
}

// Compresses the texts that remain; each ends with NUL.
static struct str squeezed_texts(const struct texts *texts, struct squeeze_code *codes)
{
    struct str all;
    str_init(&all, texts->arena);
    for (size_t i = 0; i < texts->count; i++) {
        if (!is_canonical(&texts->items[i]))
            continue;
        struct str body = with_canonical_names(texts, &texts->items[i], NULL);
        str_addn(&all, body.text, body.length);
        str_addc(&all, 0);
    }
    if (all.text)
        all.length = squeeze(texts->arena, (unsigned char *)all.text, all.length, codes);
    return all;
}

static struct str pack(const struct texts *texts)
{
    struct str blob, names;
    struct library_head head = {.count = 0};
    str_init(&blob, texts->arena);
    str_init(&names, texts->arena);
    struct str bodies = squeezed_texts(texts, head.codes);
    for (size_t i = 0; i < texts->count; i++)
        head.count += is_canonical(&texts->items[i]);
    uint32_t names_at = (uint32_t)(sizeof head + head.count * sizeof(struct library_entry));
    uint32_t text_at = 0;
    str_addn(&blob, (const char *)&head, sizeof head);
    for (size_t i = 0; i < texts->count; i++) {
        const struct text *text = &texts->items[i];
        if (!is_canonical(text))
            continue;
        struct library_entry entry = {.name = names_at + (uint32_t)names.length, .text = text_at};
        entry.size = (uint32_t)strlen(bodies.text + text_at);
        entry.is_var = !strncmp(text->text, "var", 3);
        str_addn(&blob, (const char *)&entry, sizeof entry);
        str_addn(&names, text->name, strlen(text->name));
        str_addc(&names, 0);
        text_at += entry.size + 1;
    }
    // Names precede the texts, so the texts' offsets are known only now.
    struct library_entry *entries = (struct library_entry *)(void *)(blob.text + sizeof head);
    for (uint32_t i = 0; i < head.count; i++)
        entries[i].text += names_at + (uint32_t)names.length;
    str_addn(&blob, names.text ? names.text : "", names.length);
    str_addn(&blob, bodies.text ? bodies.text : "", bodies.length);
    return blob;
}

struct str library_pack(struct arena *arena, const struct library_text *from, size_t count)
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
