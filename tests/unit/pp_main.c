// SPDX-License-Identifier: Apache-2.0
// pp_main [options] file: preprocesses a file as the compiler does and prints it; "-" is standard
// input. The options are those of clBuildProgram, in one argument or several. Diagnostics go to
// standard error.
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
    for (size_t count; (count = fread(text + *length, 1, capacity - *length, stream)) > 0;) {
        *length += count;
        if (*length == capacity)
            text = realloc(text, capacity *= 2);
    }
    return text;
}

static bool preprocess(const struct kc_input *kc, bool print)
{
    jmp_buf stop;
    struct arena arena;
    struct intern intern;
    struct diag diag = {0};
    struct kc_options options;
    char why[200];
    static const struct kc_target target = {.extensions = ~UINT64_C(0), .images = true};
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
            .defines = options.defines,
            .define_count = options.define_count,
        };
        struct token_list tokens = text_preprocess(&input);
        if (print) {
            struct str out;
            str_init(&out, &arena);
            text_print(&out, &tokens);
            fwrite(out.text ? out.text : "", 1, out.length, stdout);
        }
    }
    if (print)
        fwrite(diag.log.text ? diag.log.text : "", 1, diag.log.length, stderr);
    bool good = diag.errors == 0;
    arena_finish(&arena);
    return good;
}

// PP_REPEAT=n: does it n times more and says what one took.
static void measure(const struct kc_input *kc)
{
    const char *repeat = getenv("PP_REPEAT");
    int count = repeat ? atoi(repeat) : 0;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < count; i++)
        preprocess(kc, false);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (count)
        fprintf(stderr, "%.2f us\n",
                ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) /
                    1e3 / count);
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
    FILE *stream = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!stream) {
        perror(path);
        return 2;
    }
    kc.source = read_stream(stream, &kc.length);
    kc.file_name = path;
    measure(&kc);
    bool good = preprocess(&kc, true);
    free((void *)kc.source);
    if (stream != stdin)
        fclose(stream);
    return good ? 0 : 1;
}
