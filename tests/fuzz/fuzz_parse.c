// SPDX-License-Identifier: Apache-2.0
// Fuzzes the parser and the type checker: any bytes -> a tree, which is printed, or diagnostics;
// for several language versions and devices selected by the input's size.
#include "ast/ast.h"
#include "text/options.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY = 512 << 20, TOKENS = 200000 };

static const struct choice {
    const char *options;
    struct kc_target target;
} choices[] = {
    {"-cl-std=CL2.0",
     {.extensions = KC_EXTENSIONS_ALL,
      .images = true,
      .int8 = true,
      .int16 = true,
      .int64 = true,
      .float16 = true,
      .float64 = true,
      .physical_addressing = true}},
    {"-cl-std=CL1.2 -cl-single-precision-constant", {.int64 = true}},
    {"-cl-std=CL3.0 -Werror",
     {.extensions = {{UINT64_C(0x5555555555555555), UINT64_C(0x5555555555555555)}}, .images = true, .int64 = true, .float64 = true}},
    {"", {.images = false}},
};

static void parse(struct arena *arena, struct diag *diag, const struct kc_input *kc,
                  const struct kc_target *target)
{
    struct kc_options options;
    struct intern intern;
    struct str out;
    char why[100];
    if (options_parse(arena, kc->options, false, &options, why, sizeof why) != KC_OK)
        abort();
    diag->warnings_are_errors = options.warnings_are_errors;
    intern_init(&intern, arena);
    struct text_input input = {
        .arena = arena,
        .intern = &intern,
        .diag = diag,
        .input = kc,
        .target = target,
        .version = options.version,
        .max_tokens = TOKENS,
    };
    struct ast_options ast = {
        .version = options.version,
        .fp_contract = true,
        .single_precision_constant = options.single_precision_constant,
    };
    struct token_list tokens = text_preprocess(&input);
    struct unit *unit = ast_parse(arena, &intern, diag, target, &ast, &tokens);
    if (diag->errors)
        return;
    str_init(&out, arena);
    ast_dump(&out, unit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct choice *choice = &choices[size % (sizeof choices / sizeof *choices)];
    jmp_buf stop;
    struct arena arena;
    struct diag diag;
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    struct kc_input kc = {.source = text, .length = size, .options = choice->options};
    arena_init(&arena, MEMORY, &stop);
    diag_init(&diag, &arena, &stop);
    if (!setjmp(stop))
        parse(&arena, &diag, &kc, &choice->target);
    else if (!diag.errors && arena.total < MEMORY / 2)
        abort(); // a fatal error without a message
    arena_finish(&arena);
    free(text);
    return 0;
}
