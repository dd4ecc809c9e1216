// SPDX-License-Identifier: Apache-2.0
// Headers passed in memory, as by clCompileProgram, and include folders (-I).
#include "text/text.h"
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static struct arena arena;
static const struct kc_header headers[] = {
    {"a.h", "from_a\n", 7},
    {"dir/b.h", "from_b\n#include \"c.h\"\n", 22},
    {"dir/c.h", "from_c __LINE__", 15},
    {"once.h", "#pragma once\nonce", 17},
    {"cut.h", "kept dropped", 4},
};

// The preprocessed source in one line; "fatal: log" after a fatal error.
static const char *expand(const char *source, const char *folder)
{
    jmp_buf stop;
    struct intern intern;
    struct diag diag;
    struct str out;
    const struct text_define define = {TEXT_INCLUDE_DIR, folder};
    struct kc_input kc = {.source = source,
                          .length = strlen(source),
                          .headers = headers,
                          .header_count = sizeof headers / sizeof *headers};
    struct text_input input = {.arena = &arena, .intern = &intern, .diag = &diag, .input = &kc};
    input.defines = &define;
    input.define_count = folder != NULL;
    diag_init(&diag, &arena, &stop);
    intern_init(&intern, &arena);
    str_init(&out, &arena);
    if (setjmp(stop))
        return arena_printf(&arena, "fatal: %s", diag.log.text);
    struct token_list tokens = text_preprocess(&input);
    text_print(&out, &tokens);
    for (size_t i = 0; i < out.length; i++)
        if (out.text[i] == '\n')
            out.text[i] = ' ';
    return out.length ? out.text : "";
}

static void test_headers(void)
{
    CHECK_TEXT(expand("#include \"a.h\"\n#include <a.h>\nend", NULL), "from_a from_a end ");
    CHECK_TEXT(expand("#include \"dir/b.h\"\n", NULL), "from_b from_c 1 ");
    CHECK_TEXT(expand("#include \"once.h\"\n#include \"once.h\"\n", NULL), "once ");
    CHECK_TEXT(expand("#include \"cut.h\"\n", NULL), "kept ");
    CHECK(strstr(expand("\n#include \"c.h\"\n", NULL),
                 "kernel.cl:2:10: fatal error: 'c.h' file not found"));
}

static void test_folder(void)
{
    char folder[] = "/tmp/pumice-include-XXXXXX", path[100];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/f.h", folder);
    FILE *file = fopen(path, "w");
    fputs("from_file\n", file);
    fclose(file);
    CHECK_TEXT(expand("#include \"f.h\"\n#include <f.h>\n", folder), "from_file from_file ");
    CHECK(strstr(expand("#include <f.h>\n", NULL), "not found"));
    CHECK(strstr(expand("#include \"/dev/zero\"\n", NULL), "not found"));
    CHECK(strstr(expand("#include \"/tmp\"\n", NULL), "not found"));
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    arena_init(&arena, 0, NULL);
    test_headers();
    test_folder();
    arena_finish(&arena);
    return check_result();
}
