// SPDX-License-Identifier: Apache-2.0
// Turns a location and a message into lines of the build log; diag.h shows their format.
//
// The log is shown on terminals and in dialogs, so no byte of the source reaches it unchecked. Tabs are copied (the
// caret's line repeats them); other control characters and broken UTF-8 become \xNN. The log shows a window of a long
// line and the first warnings only, so that its size is bounded for any source.
#include "common/diag.h"
#include "util/utf8.h"

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

uint32_t diag_place(struct diag *diag, struct loc loc)
{
    const struct loc *last = diag->places.count ? &diag->places.items[diag->places.count - 1] : NULL;
    if (!loc.line)
        return 0;
    if (!last || last->line != loc.line || last->column != loc.column || last->file != loc.file)
        vec_push(diag->arena, &diag->places, loc);
    return (uint32_t)diag->places.count;
}

struct loc diag_loc(const struct diag *diag, uint32_t place)
{
    return place ? diag->places.items[place - 1] : (struct loc){0};
}

// Terminal columns of characters that do not have one: combining marks have none, ideographs and emoji two.
// Characters that are invisible or change the text direction are escaped (HIDDEN).
enum { HIDDEN = 9 };
static const struct width {
    uint32_t first, last, columns;
} widths[] = {
    // clang-format off
    {0x0, 0x8, HIDDEN},         {0xa, 0x1f, HIDDEN},        {0x7f, 0x9f, HIDDEN},      {0xad, 0xad, HIDDEN},
    {0x300, 0x36f, 0},          {0x483, 0x489, 0},          {0x591, 0x5bd, 0},         {0x610, 0x61a, 0},
    {0x61c, 0x61c, HIDDEN},     {0x64b, 0x65f, 0},          {0x93c, 0x93c, 0},         {0x941, 0x948, 0},
    {0x94d, 0x94d, 0},          {0xe31, 0xe31, 0},          {0xe34, 0xe3a, 0},         {0xe47, 0xe4e, 0},
    {0x1100, 0x115f, 2},        {0x1ab0, 0x1ace, 0},        {0x1dc0, 0x1dff, 0},       {0x200b, 0x200f, HIDDEN},
    {0x2028, 0x202e, HIDDEN},   {0x2060, 0x206f, HIDDEN},   {0x20d0, 0x20f0, 0},       {0x231a, 0x231b, 2},
    {0x23e9, 0x23ec, 2},        {0x2614, 0x2615, 2},        {0x26a1, 0x26a1, 2},       {0x2705, 0x2705, 2},
    {0x274c, 0x274c, 2},        {0x2753, 0x2755, 2},        {0x2757, 0x2757, 2},       {0x2795, 0x2797, 2},
    {0x2b50, 0x2b50, 2},        {0x2e80, 0x3029, 2},        {0x302a, 0x302d, 0},       {0x302e, 0x303e, 2},
    {0x3041, 0x3098, 2},        {0x3099, 0x309a, 0},        {0x309b, 0x3247, 2},       {0x3250, 0x4dbf, 2},
    {0x4e00, 0xa4c6, 2},        {0xa960, 0xa97c, 2},        {0xac00, 0xd7a3, 2},       {0xd800, 0xdfff, HIDDEN},
    {0xf900, 0xfaff, 2},        {0xfe00, 0xfe0f, 0},        {0xfe10, 0xfe19, 2},       {0xfe20, 0xfe2f, 0},
    {0xfe30, 0xfe6b, 2},        {0xfeff, 0xfeff, HIDDEN},   {0xff01, 0xff60, 2},       {0xffe0, 0xffe6, 2},
    {0x1f300, 0x1f320, 2},      {0x1f32d, 0x1f335, 2},      {0x1f337, 0x1f37c, 2},     {0x1f37e, 0x1f393, 2},
    {0x1f3a0, 0x1f3ca, 2},      {0x1f3cf, 0x1f3d3, 2},      {0x1f3e0, 0x1f3f0, 2},     {0x1f3f8, 0x1f43e, 2},
    {0x1f440, 0x1f440, 2},      {0x1f442, 0x1f4fc, 2},      {0x1f4ff, 0x1f53d, 2},     {0x1f550, 0x1f567, 2},
    {0x1f5fb, 0x1f64f, 2},      {0x1f680, 0x1f6c5, 2},      {0x1f7e0, 0x1f7eb, 2},     {0x1f90c, 0x1f9ff, 2},
    {0x1fa70, 0x1faff, 2},      {0x20000, 0x3fffd, 2},      {0xe0000, 0xe00ff, HIDDEN}, {0xe0100, 0xe01ef, 0},
    {0x110000, UINT32_MAX, HIDDEN},
    // clang-format on
};

static unsigned columns_of(uint32_t character)
{
    const struct width *at = widths;
    while (character > at->last)
        at++;
    return character < at->first ? 1 : at->columns;
}

// Appends one character of the source, escaped if needed. Sets *columns to its width and returns its length in the
// source in bytes.
static size_t add_character(struct str *out, const char *text, size_t left, unsigned *columns)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t length = utf8_length(p, left);
    *columns = length ? columns_of(utf8_decode(p, length)) : HIDDEN;
    if (*columns != HIDDEN) {
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

// First byte of a physical line; NULL if the text has fewer lines.
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

// Start of the character that contains the byte at `at`.
static size_t character_start(const char *line, size_t at, size_t length)
{
    for (size_t back = 1; back < 4 && back <= at; back++)
        if (utf8_length(line + at - back, length - at + back) > back)
            return at - back;
    return at;
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
    from = character_start(line, from, length);
    to = character_start(line, to, length);

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

static _Noreturn void unwind(struct diag *diag)
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
    unwind(diag);
}
