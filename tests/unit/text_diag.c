// SPDX-License-Identifier: Apache-2.0
// The build log: carets under tabs and escapes, windows of long lines, -w and -Werror, limits.
#include "common/diag.h"
#include "check.h"

static struct arena arena;
static struct diag diag;

static const char *error_at(const char *text, uint32_t line, uint32_t column)
{
    diag_init(&diag, &arena, NULL);
    uint32_t file = diag_add_file(&diag, "k.cl", text, strlen(text));
    diag_error(&diag, (struct loc){.file = file, .line = line, .column = column}, "bad %d", 7);
    return diag.log.text;
}

static void test_layout(void)
{
    CHECK_TEXT(error_at("a\nb c\n", 2, 3), "k.cl:2:3: error: bad 7\n    b c\n      ^\n");
    CHECK_TEXT(error_at("\t\tx\n", 1, 3), "k.cl:1:3: error: bad 7\n    \t\tx\n    \t\t^\n");
    CHECK_TEXT(error_at("\x1b!", 1, 2), "k.cl:1:2: error: bad 7\n    \\x1b!\n        ^\n");
    CHECK_TEXT(error_at("\xc3\xa9\xff!", 1, 4),
               "k.cl:1:4: error: bad 7\n    \xc3\xa9\\xff!\n         ^\n");
    CHECK_TEXT(error_at("a\r\nb\rc", 3, 1), "k.cl:3:1: error: bad 7\n    c\n    ^\n");
    CHECK_TEXT(error_at("a", 9, 1), "k.cl:9:1: error: bad 7\n");
    CHECK_TEXT(error_at("a", 1, 99), "k.cl:1:99: error: bad 7\n    a\n     ^\n");
    diag_init(&diag, &arena, NULL);
    diag_error(&diag, (struct loc){0}, "nowhere");
    CHECK_TEXT(diag.log.text, "error: nowhere\n");
}

// Carets are placed by terminal columns, whatever the length of a character in bytes.
static void test_widths(void)
{
    CHECK_TEXT(error_at("\xe6\xbc\xa2\xe5\xad\x97 x", 1, 8), // two ideographs
               "k.cl:1:8: error: bad 7\n    \xe6\xbc\xa2\xe5\xad\x97 x\n         ^\n");
    CHECK_TEXT(error_at("\xf0\x9f\x98\x80x", 1, 5),
               "k.cl:1:5: error: bad 7\n    \xf0\x9f\x98\x80x\n      ^\n");
    CHECK_TEXT(error_at("\xef\xbc\xa1x", 1, 4),
               "k.cl:1:4: error: bad 7\n    \xef\xbc\xa1x\n      ^\n");
    CHECK_TEXT(error_at("e\xcc\x81x", 1, 4),
               "k.cl:1:4: error: bad 7\n    e\xcc\x81x\n     ^\n"); // e and a combining accent
    CHECK_TEXT(error_at("\xe2\x98\x83x", 1, 4),
               "k.cl:1:4: error: bad 7\n    \xe2\x98\x83x\n     ^\n");
    CHECK_TEXT(error_at("\xe2\x80\xaex", 1, 4), // would change the text direction
               "k.cl:1:4: error: bad 7\n    \\xe2\\x80\\xaex\n                ^\n");
    CHECK_TEXT(error_at("\xc2\x9bx", 1, 3),
               "k.cl:1:3: error: bad 7\n    \\xc2\\x9bx\n            ^\n");
}

// A window starts and ends at character boundaries.
static void test_wide_window(void)
{
    char text[401];
    for (int shift = 0; shift < 2; shift++) {
        memset(text, 'x', 400);
        for (int i = shift; i + 2 <= 400; i += 2)
            memcpy(text + i, "\xc3\xa9", 2);
        text[400] = '\0';
        CHECK(!strstr(error_at(text, 1, 201 + (uint32_t)shift), "\\x"));
    }
}

static void test_long_line(void)
{
    static char text[100001];
    memset(text, 'x', sizeof text - 1);
    text[50000] = '!';
    const char *log = error_at(text, 1, 50001), *caret;
    CHECK(strlen(log) < 500 && strchr(log, '!') && (caret = strchr(log, '^')));
    const char *second = strchr(log, '\n') + 1, *third = strchr(second, '\n') + 1;
    CHECK(strchr(second, '!') - second == strchr(third, '^') - third);
}

static void test_line_shift(void)
{
    diag_init(&diag, &arena, NULL);
    uint32_t file = diag_add_file(&diag, "shown.cl", "a\nb", 3);
    diag.files[file].line_shift = 98;
    diag_error(&diag, (struct loc){.file = file, .line = 2, .column = 1}, "x");
    CHECK_TEXT(diag.log.text, "shown.cl:100:1: error: x\n    b\n    ^\n");
}

static void test_warnings(void)
{
    struct loc loc = {0};
    diag_init(&diag, &arena, NULL);
    diag_warning(&diag, loc, "w");
    diag_note(&diag, loc, "n");
    CHECK_TEXT(diag.log.text, "warning: w\nnote: n\n");
    CHECK(diag.warnings == 1 && !diag.errors);
    diag_init(&diag, &arena, NULL);
    diag.warnings_off = diag.warnings_are_errors = true;
    diag_warning(&diag, loc, "w");
    diag_note(&diag, loc, "n");
    CHECK(!diag.errors && !diag.log.length);
    diag_init(&diag, &arena, NULL);
    diag.warnings_are_errors = true;
    diag_warning(&diag, loc, "w");
    CHECK(diag.errors == 1);
    CHECK_TEXT(diag.log.text, "error: w\n");
    diag_init(&diag, &arena, NULL);
    for (int i = 0; i < 100000; i++)
        diag_warning(&diag, loc, "w");
    CHECK(diag.log.length < 2000);
}

static void test_too_many_errors(void)
{
    jmp_buf stop;
    static volatile int reported;
    diag_init(&diag, &arena, &stop);
    if (!setjmp(stop))
        for (;; reported++)
            diag_error(&diag, (struct loc){0}, "e");
    CHECK(reported == DIAG_MAX_ERRORS);
    CHECK(strstr(diag.log.text, "fatal error: too many errors"));
}

int main(void)
{
    arena_init(&arena, 0, NULL);
    test_layout();
    test_widths();
    test_wide_window();
    test_long_line();
    test_line_shift();
    test_warnings();
    test_too_many_errors();
    arena_finish(&arena);
    return check_result();
}
