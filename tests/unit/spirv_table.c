// SPDX-License-Identifier: Apache-2.0
// spirv_table HEADER: checks the reader's table of SPIR-V instructions: it has a row with the right
// name for every OpenCL.std instruction in the header, for every built-in variable of kernels, and
// for every instruction that the reader looks up; no number occurs twice; and every function named
// in a row exists in OpenCL C.
#include "ast/builtins.h"
#include "ast/spirv.h"
#include "check.h"

#include <ctype.h>
#include <spirv/unified1/spirv.h>
#include <stdlib.h>

// Keeps letters and digits only, in lower case.
static void plain(char *out, const char *name)
{
    for (; *name; name++)
        if (isalnum((unsigned char)*name))
            *out++ = (char)tolower((unsigned char)*name);
    *out = '\0';
}

static unsigned test_header(const char *path)
{
    char line[256], name[128], wanted[128], found[128];
    unsigned number, count = 0;
    FILE *f = fopen(path, "r");
    CHECK(f);
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, " OpenCLstd_%127[A-Za-z0-9_] = %u", name, &number) != 2)
            continue;
        const struct spirv_row *row = spirv_row(SPIRV_OPENCL_STD, number);
        plain(wanted, name);
        plain(found, row ? row->name + strlen("ocl_") : "");
        CHECK_TEXT(found, wanted);
        count++;
    }
    if (f)
        fclose(f);
    return count;
}

// Instructions that the reader translates itself.
static bool is_own(const char *name)
{
    return !strcmp(name, "SampledImage") || !strcmp(name, "Image") || !strcmp(name, "FMod");
}

static void test_reader(void)
{
    static const struct {
        unsigned number;
        const char *name, *handler;
    } instructions[] = {
#define INSTRUCTION(number, name, where, operands, handler, argument) {number, #name, #handler},
#include "reader/instructions.def"
    };
    unsigned count = 0;
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        if (strcmp(instructions[i].handler, "builtin") || is_own(instructions[i].name))
            continue;
        const struct spirv_row *row = spirv_row(SPIRV_CORE, instructions[i].number);
        CHECK_TEXT(row ? row->name : "", instructions[i].name);
        count++;
    }
    CHECK(count > 100);
}

static void test_once(void)
{
    for (size_t i = 0; i < spirv_row_count(); i++) {
        const struct spirv_row *row = spirv_row_at(i);
        const char *rest;
        CHECK(spirv_row((enum spirv_set)row->set, row->number) == row);
        CHECK(spirv_row_by_name(row->name, &rest) == row && !*rest);
    }
}

// The built-in variables of the header that kernels may use.
static void test_variables(void)
{
    for (unsigned i = SpvBuiltInNumWorkgroups; i <= SpvBuiltInSubgroupLocalInvocationId; i++)
        CHECK(i == 35 || spirv_row(SPIRV_BUILTIN, i)); // 35 is not assigned
    for (unsigned i = SpvBuiltInSubgroupEqMask; i <= SpvBuiltInSubgroupLtMask; i++)
        CHECK(spirv_row(SPIRV_BUILTIN, i) != NULL);
}

// Expands patterns to the functions that they stand for.
static void test_function(const struct spirv_row *row)
{
    static const char *const forms[] = {"work_group", "4", "_rte"};
    char name[128];
    size_t length = 0;
    for (const char *p = row->function; *p; p++) {
        const char *form = *p == '%' ? forms[*++p == 'g' ? 0 : *p == 'r' ? 2 : 1] : NULL;
        length += (size_t)snprintf(name + length, sizeof name - length, "%.*s", form ? (int)strlen(form) : 1, form ? form : p);
    }
    if (!builtin_has_row(name)) {
        fprintf(stderr, "'%s' stands for '%s', which is none of OpenCL C's functions\n", row->name, name);
        check_failures++;
    }
}

static void test_groups(const struct spirv_row *row)
{
    char name[128];
    snprintf(name, sizeof name, "sub_group_clustered_reduce_%s", row->function);
    CHECK(builtin_has_row(name));
    snprintf(name, sizeof name, "sub_group_non_uniform_scan_exclusive_%s", row->function);
    CHECK(builtin_has_row(name));
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    unsigned count = argc == 2 ? test_header(argv[1]) : 0, std = 0;
    test_once();
    test_reader();
    test_variables();
    for (size_t i = 0; i < spirv_row_count(); i++) {
        const struct spirv_row *row = spirv_row_at(i);
        std += row->set == SPIRV_OPENCL_STD;
        if (row->kind == SPIRV_CALL || row->kind == SPIRV_VARIABLE)
            test_function(row);
        if (row->kind == SPIRV_GROUP)
            test_groups(row);
    }
    CHECK(count >= 162 && std == count);
    return check_result();
}
