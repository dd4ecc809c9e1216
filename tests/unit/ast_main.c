// SPDX-License-Identifier: Apache-2.0
// ast_main [--dump=ast] [--no-fp16] [--no-fp64] [--no-int64] [options] file: parses a file as the compiler does; "-" is
// standard input. Other options are those of clBuildProgram. Diagnostics go to standard error.
// AST_REPEAT=n does it n times more and says what one took, preprocessing included.
#include "ast/ast.h"
#include "text/options.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *read_stream(FILE *stream, size_t *length)
{
    size_t capacity = 1 << 16;
    char *text = malloc(capacity);
    *length = 0;
    for (size_t count; (count = fread(text + *length, 1, capacity - *length - 1, stream)) > 0;) {
        *length += count;
        if (*length == capacity - 1)
            text = realloc(text, capacity *= 2);
    }
    text[*length] = '\0';
    return text;
}

static struct unit *parse(struct arena *arena, struct intern *intern, struct diag *diag, const struct kc_input *kc,
                          const struct kc_target *target)
{
    struct kc_options options;
    char why[200];
    if (options_parse(arena, kc->options, false, &options, why, sizeof why) != KC_OK) {
        fprintf(stderr, "%s\n", why);
        exit(2);
    }
    diag->warnings_off = options.warnings_off;
    diag->warnings_are_errors = options.warnings_are_errors;
    struct text_input input = {
        .arena = arena, .intern = intern, .diag = diag, .input = kc, .target = target, .version = options.version,
        .fast_relaxed_math = options.fast_relaxed_math, .finite_math_only = options.finite_math_only, .defines = options.defines,
        .define_count = options.define_count,
    };
    struct ast_options ast = {
        .version = options.version, .fp_contract = true, .fast_relaxed_math = options.fast_relaxed_math,
        .single_precision_constant = options.single_precision_constant,
    };
    struct token_list tokens = text_preprocess(&input);
    return ast_parse(arena, intern, diag, target, &ast, &tokens);
}

static bool compile(const struct kc_input *kc, const struct kc_target *target, bool print, bool dump)
{
    jmp_buf stop;
    struct arena arena;
    struct intern intern;
    struct diag diag = {0};
    arena_init(&arena, (size_t)2 << 30, &stop);
    diag_init(&diag, &arena, &stop);
    intern_init(&intern, &arena);
    bool finished = false;
    if (!setjmp(stop)) {
        struct unit *unit = parse(&arena, &intern, &diag, kc, target);
        if (print && dump && !diag.errors) {
            struct str out;
            str_init(&out, &arena);
            ast_dump(&out, unit);
            fwrite(out.text ? out.text : "", 1, out.length, stdout);
        }
        finished = true;
    }
    if (print)
        fwrite(diag.log.text ? diag.log.text : "", 1, diag.log.length, stderr);
    bool good = finished && diag.errors == 0;
    if (!finished && !diag.errors)
        fprintf(stderr, "out of memory\n");
    arena_finish(&arena);
    return good;
}

static void measure(const struct kc_input *kc, const struct kc_target *target)
{
    const char *repeat = getenv("AST_REPEAT");
    int count = repeat ? atoi(repeat) : 0;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < count; i++)
        compile(kc, target, false, false);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (count)
        fprintf(stderr, "%.2f us\n",
                ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / 1e3 / count);
}

int main(int argc, char **argv)
{
    struct kc_target target = {
        .extensions = ~(UINT64_C(1) << KC_EXT_ATOMIC_ORDER_SEQ_CST), .images = true, .int8 = true, .int16 = true, .int64 = true, .float16 = true,
        .float64 = true, .physical_addressing = true,
    };
    char options[4096] = "";
    struct kc_input kc = {.options = options};
    const char *path = "-";
    bool dump = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--dump=ast"))
            dump = true;
        else if (!strcmp(argv[i], "--no-fp16"))
            target.float16 = false, target.extensions &= ~(UINT64_C(1) << KC_EXT_FP16);
        else if (!strcmp(argv[i], "--no-fp64"))
            target.float64 = false, target.extensions &= ~(UINT64_C(1) << KC_EXT_FP64);
        else if (!strcmp(argv[i], "--no-int64"))
            target.int64 = false;
        else if (i + 1 == argc)
            path = argv[i];
        else
            snprintf(options + strlen(options), sizeof options - strlen(options), "%s ", argv[i]);
    }
    FILE *stream = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!stream) {
        perror(path);
        return 2;
    }
    kc.source = read_stream(stream, &kc.length);
    kc.file_name = path;
    measure(&kc, &target);
    bool good = compile(&kc, &target, true, dump);
    free((void *)kc.source);
    if (stream != stdin)
        fclose(stream);
    return good ? 0 : 1;
}
