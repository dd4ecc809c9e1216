// SPDX-License-Identifier: Apache-2.0
// ast_main [--dump=ast] [--no-fp16] [--no-fp64] [--no-int64] [--no-enqueue] [--no-pipes] [options]
// file: parses a file as the compiler does; "-" is standard input. Other options are those of
// clBuildProgram. Diagnostics are written to standard error.
#include "ast/ast.h"
#include "text/options.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

static struct unit *parse(struct arena *arena, struct intern *intern, struct diag *diag,
                          const struct kc_input *kc, const struct kc_target *target)
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
        .arena = arena,
        .intern = intern,
        .diag = diag,
        .input = kc,
        .target = target,
        .version = options.version,
        .fast_relaxed_math = options.fast_relaxed_math,
        .finite_math_only = options.finite_math_only,
        .knows_builtin = ast_knows_builtin,
        .knows_attribute = ast_knows_attribute,
        .defines = options.defines,
        .define_count = options.define_count,
    };
    struct ast_options ast = {
        .version = options.version,
        .fp_contract = true,
        .unsafe_math = options.unsafe_math_optimizations,
        .single_precision_constant = options.single_precision_constant,
    };
    struct token_list tokens = text_preprocess(&input);
    return ast_parse(arena, intern, diag, target, &ast, &tokens);
}

static bool compile(const struct kc_input *kc, const struct kc_target *target, bool dump)
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
        if (dump && !diag.errors) {
            struct str out;
            str_init(&out, &arena);
            ast_dump(&out, unit);
            fwrite(out.text ? out.text : "", 1, out.length, stdout);
        }
        finished = true;
    }
    fwrite(diag.log.text ? diag.log.text : "", 1, diag.log.length, stderr);
    bool good = finished && diag.errors == 0;
    if (!finished && !diag.errors)
        fprintf(stderr, "out of memory\n");
    arena_finish(&arena);
    return good;
}

int main(int argc, char **argv)
{
    static const struct kc_matrix_shape shapes[] = {{.rows = 16, .columns = 16, .depth = 16}, {.rows = 16, .columns = 16, .depth = 16},
                                              {.rows = 8, .columns = 8, .depth = 32}};
    struct kc_target target = {
        .subgroups = true, .subgroup_size = 8,
        .extensions = KC_EXTENSIONS_ALL,
        .images = true,
        .int8 = true,
        .int16 = true,
        .int64 = true,
        .float16 = true,
        .float64 = true,
        .physical_addressing = true,
    };
    kc_extensions_remove(&target.extensions, KC_EXT_ATOMIC_ORDER_SEQ_CST);
    char options[4096] = "";
    struct kc_input kc = {.options = options};
    const char *path = "-";
    bool dump = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--dump=ast"))
            dump = true;
        else if (!strcmp(argv[i], "--no-fp16"))
            target.float16 = false, kc_extensions_remove(&target.extensions, KC_EXT_FP16);
        else if (!strcmp(argv[i], "--no-fp64"))
            target.float64 = false, kc_extensions_remove(&target.extensions, KC_EXT_FP64);
        else if (!strcmp(argv[i], "--units"))
            memcpy(target.matrix_shapes, shapes, sizeof shapes), target.matrix_shape_count = 3;
        else if (!strcmp(argv[i], "--no-int64"))
            target.int64 = false;
        else if (!strcmp(argv[i], "--no-enqueue"))
            kc_extensions_remove(&target.extensions, KC_EXT_DEVICE_ENQUEUE);
        else if (!strcmp(argv[i], "--no-pipes"))
            kc_extensions_remove(&target.extensions, KC_EXT_PIPES);
        else if (i + 1 == argc)
            path = argv[i];
        else
            snprintf(options + strlen(options), sizeof options - strlen(options), "%s ", argv[i]);
    }
    if (!input_open(&kc, path))
        return 2;
    bool good = compile(&kc, &target, dump);
    input_close(&kc);
    return good ? 0 : 1;
}
