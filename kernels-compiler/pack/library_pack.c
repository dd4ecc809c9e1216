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

// The canonical texts, each ended by NUL.
static struct str all_texts(const struct texts *texts)
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
    return all;
}

static void add(struct str *blob, const void *items, size_t count, size_t size)
{
    if (count)
        str_addn(blob, items, count * size);
}

static size_t symbols_in(const uint16_t *text)
{
    size_t count = 0;
    while (text[count++])
        ;
    return count;
}

static struct str pack(const struct texts *texts)
{
    struct str all = all_texts(texts), blob, names;
    struct squeezed squeezed = squeeze(texts->arena, all.text, all.length);
    struct library_head head = {.rule_count = (uint32_t)squeezed.rule_count};
    for (size_t i = 0; i < texts->count; i++)
        head.entry_count += is_canonical(&texts->items[i]);
    size_t text_at = sizeof head + head.rule_count * sizeof *squeezed.rules + head.entry_count * sizeof(struct library_entry);
    size_t names_at = text_at + squeezed.count * sizeof *squeezed.symbols;
    str_init(&blob, texts->arena);
    str_init(&names, texts->arena);
    add(&blob, &head, 1, sizeof head);
    add(&blob, squeezed.rules, squeezed.rule_count, sizeof *squeezed.rules);
    const char *body = all.text;
    const uint16_t *symbols = squeezed.symbols;
    for (size_t i = 0; i < texts->count; i++) {
        const struct text *text = &texts->items[i];
        if (!is_canonical(text))
            continue;
        size_t length = strlen(body), symbol_count = symbols_in(symbols);
        struct library_entry entry = {.name = (uint32_t)(names_at + names.length), .text = (uint32_t)text_at,
                                      .length = (uint32_t)length, .is_var = !strncmp(text->text, "var", 3)};
        add(&blob, &entry, 1, sizeof entry);
        add(&names, text->name, strlen(text->name) + 1, 1);
        text_at += symbol_count * sizeof *symbols;
        symbols += symbol_count;
        body += length + 1;
    }
    add(&blob, squeezed.symbols, squeezed.count, sizeof *squeezed.symbols);
    add(&blob, names.text, names.length, 1);
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
