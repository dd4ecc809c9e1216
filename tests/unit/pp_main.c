// SPDX-License-Identifier: Apache-2.0
// pp_main [options] file: preprocesses a file as the compiler does and prints the result; "-" is
// standard input. The options are those of clBuildProgram, in one or several arguments. Diagnostics
// are written to standard error.
#include "text/options.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

static bool knows(const char *name)
{
    return !strcmp(name, "__builtin_clz") || !strcmp(name, "aligned");
}

static bool preprocess(const struct kc_input *kc)
{
    jmp_buf stop;
    struct arena arena;
    struct intern intern;
    struct diag diag = {0};
    struct kc_options options;
    char why[200];
    static const struct kc_target target = {.extensions = KC_EXTENSIONS_ALL, .images = true, .int64 = true};
    arena_init(&arena, 0, &stop);
    diag_init(&diag, &arena, &stop);
    intern_init(&intern, &arena);
    if (!setjmp(stop)) {
        if (options_parse(&arena, kc->options, false, &options, why, sizeof why) != KC_OK) {
            fprintf(stderr, "%s\n", why);
            exit(2);
        }
        diag.warnings_off = options.warnings_off;
        diag.warnings_are_errors = options.warnings_are_errors;
        struct text_input input = {
            .arena = &arena,
            .intern = &intern,
            .diag = &diag,
            .input = kc,
            .target = &target,
            .version = options.version,
            .fast_relaxed_math = options.fast_relaxed_math,
            .finite_math_only = options.finite_math_only,
            .knows_builtin = knows,
            .knows_attribute = knows,
            .defines = options.defines,
            .define_count = options.define_count,
        };
        struct token_list tokens = text_preprocess(&input);
        struct str out;
        str_init(&out, &arena);
        text_print(&out, &tokens);
        fwrite(out.text ? out.text : "", 1, out.length, stdout);
    }
    fwrite(diag.log.text ? diag.log.text : "", 1, diag.log.length, stderr);
    bool good = diag.errors == 0;
    arena_finish(&arena);
    return good;
}

int main(int argc, char **argv)
{
    char options[4096] = "";
    struct kc_input kc = {.options = options};
    const char *path = "-";
    for (int i = 1; i < argc; i++) {
        if (i + 1 == argc)
            path = argv[i];
        else if (strcmp(argv[i], "-E"))
            snprintf(options + strlen(options), sizeof options - strlen(options), "%s ", argv[i]);
    }
    if (!input_open(&kc, path))
        return 2;
    bool good = preprocess(&kc);
    input_close(&kc);
    return good ? 0 : 1;
}
