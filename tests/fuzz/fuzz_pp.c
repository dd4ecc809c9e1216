// SPDX-License-Identifier: Apache-2.0
// Fuzzes the preprocessor: any bytes -> tokens or diagnostics, in bounded time and memory. The
// input is also available as a header with the file's name, so that it can include itself, and its
// first line may contain options.
#include "text/options.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY = 256 << 20, TOKENS = 50000 };

// The text after "// options: " in the first line.
static const char *options_line(struct arena *arena, const char *text, size_t size)
{
    static const char start[] = "// options: ";
    size_t skip = sizeof start - 1;
    if (size < skip || memcmp(text, start, skip))
        return "";
    size_t length = 0;
    while (skip + length < size && text[skip + length] != '\n')
        length++;
    return arena_strndup(arena, text + skip, length);
}

static void check(const struct token_list *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        bool last = i + 1 == tokens->count;
        if ((token->kind == TOK_EOF) != last || token->kind >= TOK_COUNT ||
            strlen(token->text) < token->length)
            abort();
    }
}

static void preprocess(struct arena *arena, struct diag *diag, const struct kc_input *kc)
{
    static const struct kc_target target = {.extensions = KC_EXTENSIONS_ALL};
    struct kc_options options;
    struct intern intern;
    struct str out;
    char why[100];
    const char *text = options_line(arena, kc->source, kc->length);
    if (options_parse(arena, text, false, &options, why, sizeof why) != KC_OK)
        return;
    intern_init(&intern, arena);
    struct text_input input = {
        .arena = arena,
        .intern = &intern,
        .diag = diag,
        .input = kc,
        .target = &target,
        .version = options.version,
        .defines = options.defines,
        .define_count = options.define_count,
        .max_tokens = TOKENS,
    };
    struct token_list tokens = text_preprocess(&input);
    check(&tokens);
    str_init(&out, arena);
    text_print(&out, &tokens);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jmp_buf stop;
    struct arena arena;
    struct diag diag;
    char *text = malloc(size + 1); // not terminated: the preprocessor must not depend on it
    memcpy(text, data, size);
    struct kc_header header = {"self.h", text, size};
    struct kc_input kc = {.source = text, .length = size, .headers = &header, .header_count = 1};
    arena_init(&arena, MEMORY, &stop);
    diag_init(&diag, &arena, &stop);
    if (!setjmp(stop))
        preprocess(&arena, &diag, &kc);
    else if (!diag.errors && arena.total < MEMORY / 2)
        abort(); // a fatal error without a message
    arena_finish(&arena);
    free(text);
    return 0;
}
