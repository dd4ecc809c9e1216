// SPDX-License-Identifier: Apache-2.0
// The table of built-in functions: every name in builtin_names.txt is found, rows are in strcmp()
// order (lookup is a binary search), every signature is well-formed, and a lookup is cheap.
#include "ast/builtins.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static int failures;

static void fail(const char *what, const char *name)
{
    printf("%s: %s\n", name, what);
    failures++;
}

static void check_names(const struct ast *ast, const char *path)
{
    char name[100];
    size_t count = 0;
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%99s", name) == 1) {
        count++;
        if (!builtin_exists(ast, name))
            fail("not known", name);
    }
    if (file)
        fclose(file);
    if (count < 400)
        fail("cannot be read", path);
}

static void check_rows(void)
{
    for (size_t i = 1; i < builtin_row_count(); i++)
        if (strcmp(builtin_row_name(i - 1), builtin_row_name(i)) > 0)
            fail("out of order", builtin_row_name(i));
    for (size_t i = 0; i < builtin_row_count(); i++)
        if (!builtin_row_well_formed(i))
            fail("malformed signature", builtin_row_name(i));
}

static void check_unknown(const struct ast *ast)
{
    static const char *const names[] = {"", "foo", "convert_", "convert_int5", "convert_float_sat", "as_int4x", "as_",
                                        "vload5", "convert_int_sat_rtx", "convert_int_rte_sat", "get_global", "zzz",
                                        "__op_fma"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (builtin_exists(ast, names[i]))
            fail("known", names[i]);
}

static void check_time(const struct ast *ast)
{
    size_t found = 0;
    clock_t begin = clock();
    for (size_t i = 0; i < builtin_row_count() * 100; i++)
        found += builtin_exists(ast, builtin_row_name(i % builtin_row_count()));
    double each = (double)(clock() - begin) / CLOCKS_PER_SEC / (double)found;
    if (each > 20e-6)
        fail("slow", "lookup");
}

int main(int argc, char **argv)
{
    struct arena arena;
    struct intern intern;
    struct types types;
    struct kc_target target = {.extensions = KC_EXTENSIONS_ALL, .images = true};
    jmp_buf full;
    if (argc != 2 || setjmp(full))
        return 2;
    arena_init(&arena, 0, &full);
    intern_init(&intern, &arena);
    types_init(&types, &arena, &intern, 8);
    struct ast ast = {.arena = &arena, .intern = &intern, .types = &types, .target = &target, .version = 300};
    check_names(&ast, argv[1]);
    check_rows();
    check_unknown(&ast);
    check_time(&ast);
    arena_finish(&arena);
    return failures != 0;
}
