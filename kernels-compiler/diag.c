// SPDX-License-Identifier: Apache-2.0
// Turns a location and a message into lines of the build log; see diag.h for what they look like.
//
// The log is shown on terminals and in dialogs, so no byte of the source reaches it unchecked: tabs
// stay (the caret's line repeats them), other control bytes and broken UTF-8 become \xNN. Only a
// window of a long line is shown, and only the first warnings, so that the log stays small whatever
// the source holds.
#include "diag.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024, WINDOW = 160, MAX_WARNINGS = 100 };

void diag_init(struct diag *diag, struct arena *arena, jmp_buf *fatal)
{
    *diag = (struct diag){.arena = arena, .fatal = fatal, .file_count = 1};
    str_init(&diag->log, arena);
}

uint32_t diag_add_file(struct diag *diag, const char *name, const char *text, size_t length)
{
    if (diag->file_count >= diag->file_capacity) {
        uint32_t capacity = diag->file_capacity ? diag->file_capacity * 2 : 8;
        struct diag_file *files = ARENA_ARRAY(diag->arena, struct diag_file, capacity);
        if (diag->files)
            memcpy(files, diag->files, sizeof *files * diag->file_count);
        diag->files = files;
        diag->file_capacity = capacity;
    }
    diag->files[diag->file_count] =
        (struct diag_file){.name = name, .text = text, .length = length};
    return diag->file_count++;
}

// Bytes of the valid UTF-8 sequence at `p`, 0 where there is none.
static size_t utf8_length(const unsigned char *p, size_t left)
{
    size_t length = p[0] < 0x80   ? 1
                    : p[0] < 0xc2 ? 0
                    : p[0] < 0xe0 ? 2
                    : p[0] < 0xf0 ? 3
                    : p[0] < 0xf5 ? 4
                                  : 0;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

// Appends one character of the source, escaped where needed; writes how many columns it takes and
// returns how many bytes of the source it was.
static size_t add_character(struct str *out, const char *text, size_t left, unsigned *columns)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t length = utf8_length(p, left);
    *columns = 1;
    if (length > 1 || (*p >= ' ' && *p < 0x7f) || *p == '\t') {
        str_addn(out, text, length);
        return length;
    }
    str_printf(out, "\\x%02x", *p);
    *columns = 4;
    return 1;
}

static void add_clean(struct str *out, const char *text, size_t length)
{
    unsigned columns;
    for (size_t i = 0; i < length;)
        i += add_character(out, text + i, length - i, &columns);
}

static const char *line_end(const char *p, const char *end)
{
    while (p < end && *p != '\n' && *p != '\r')
        p++;
    return p;
}

// First byte of a physical line; NULL when the text has fewer lines.
static const char *find_line(const struct diag_file *file, uint32_t line)
{
    const char *p = file->text, *end = p + file->length;
    while (--line) {
        p = line_end(p, end);
        if (p == end)
            return NULL;
        p += p[0] == '\r' && end - p > 1 && p[1] == '\n' ? 2 : 1;
    }
    return p;
}

static void add_source_line(struct diag *diag, struct loc loc)
{
    const struct diag_file *file = &diag->files[loc.file];
    const char *line = file->text ? find_line(file, loc.line) : NULL;
    if (!line)
        return;
    size_t length = (size_t)(line_end(line, file->text + file->length) - line);
    size_t column = loc.column ? loc.column - 1 : 0;
    if (column > length)
        column = length;
    size_t from = column > WINDOW / 2 ? column - WINDOW / 2 : 0;
    size_t to = length - from > WINDOW ? from + WINDOW : length;

    struct str caret;
    str_init(&caret, diag->arena);
    str_add(&diag->log, "    ");
    str_add(&caret, "    ");
    for (size_t i = from; i < to;) {
        size_t at = i;
        unsigned columns;
        i += add_character(&diag->log, line + i, to - i, &columns);
        if (i > column)
            continue;
        if (line[at] == '\t')
            str_addc(&caret, '\t');
        else
            str_printf(&caret, "%*s", (int)columns, "");
    }
    str_printf(&diag->log, "\n%s^\n", caret.text);
}

static void report(struct diag *diag, struct loc loc, const char *label, const char *format,
                   va_list args)
{
    char message[MESSAGE_BYTES];
    vsnprintf(message, sizeof message, format, args);
    bool known = loc.file > 0 && loc.file < diag->file_count && loc.line > 0;
    if (known) {
        const struct diag_file *file = &diag->files[loc.file];
        add_clean(&diag->log, file->name, strlen(file->name));
        str_printf(&diag->log, ":%lld:%u: ", (long long)loc.line + (long long)file->line_shift,
                   loc.column);
    }
    str_printf(&diag->log, "%s: ", label);
    add_clean(&diag->log, message, strlen(message));
    str_addc(&diag->log, '\n');
    if (known)
        add_source_line(diag, loc);
}

static _Noreturn void stop(struct diag *diag)
{
    assert(diag->fatal && "whoever creates a diag must be ready to be unwound to");
    longjmp(*diag->fatal, 1);
}

static void count_error(struct diag *diag, struct loc loc)
{
    diag->muted = false;
    if (diag->errors++ >= DIAG_MAX_ERRORS)
        diag_fatal(diag, loc, "too many errors");
}

void diag_error(struct diag *diag, struct loc loc, const char *format, ...)
{
    va_list args;
    count_error(diag, loc);
    va_start(args, format);
    report(diag, loc, "error", format, args);
    va_end(args);
}

void diag_warning(struct diag *diag, struct loc loc, const char *format, ...)
{
    va_list args;
    diag->muted = diag->warnings_off;
    if (!diag->muted && diag->warnings_are_errors)
        count_error(diag, loc);
    else if (!diag->muted)
        diag->muted = diag->warnings++ >= MAX_WARNINGS;
    if (diag->muted)
        return;
    va_start(args, format);
    report(diag, loc, diag->warnings_are_errors ? "error" : "warning", format, args);
    va_end(args);
}

void diag_note(struct diag *diag, struct loc loc, const char *format, ...)
{
    va_list args;
    if (diag->muted)
        return;
    va_start(args, format);
    report(diag, loc, "note", format, args);
    va_end(args);
}

void diag_fatal(struct diag *diag, struct loc loc, const char *format, ...)
{
    va_list args;
    diag->errors++;
    va_start(args, format);
    report(diag, loc, "fatal error", format, args);
    va_end(args);
    stop(diag);
}
