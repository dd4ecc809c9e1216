// SPDX-License-Identifier: Apache-2.0
// Locations, errors and the build log. Messages have the usual C compiler format:
//
//   kernel.cl:12:7: error: use of undeclared identifier 'x'
//       y = x;
//           ^
//
// Only the compiler's driver creates a diag. Every stage reports through it and recovers. A fatal error (too many
// errors, nesting too deep, out of memory) unwinds to the driver.
#ifndef KC_DIAG_H
#define KC_DIAG_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include "util/str.h"
#include "util/vec.h"

// A place in the source: index into the table of files and macro expansions. Passed by value.
struct loc {
    uint32_t file;   // index into diag.files; 0: unknown
    uint32_t line;   // 1-based, physical
    uint32_t column : 31; // 1-based, in bytes
    uint32_t in_macro : 1; // from a macro or its arguments; the location is that of the use
};

// One source text. #line changes what is shown: presumed line = line + line_shift, presumed name = name.
struct diag_file {
    const char *name; // as shown
    const char *text; // NUL-terminated
    size_t length;
    int64_t line_shift;
};

struct diag {
    struct arena *arena;
    struct str log;
    struct diag_file *files; // [0] is unused
    uint32_t file_count, file_capacity;
    VEC(struct loc) places; // source locations that IR and AST refer to by number
    uint32_t errors, warnings;
    bool warnings_off, warnings_are_errors;
    bool muted; // the last warning was suppressed, so its notes are too
    jmp_buf *fatal;
};

enum { DIAG_MAX_ERRORS = 50 };

void diag_init(struct diag *diag, struct arena *arena, jmp_buf *fatal);
uint32_t diag_add_file(struct diag *diag, const char *name, const char *text, size_t length);

// Maps a location to a number, and back; 0: unknown.
uint32_t diag_place(struct diag *diag, struct loc loc);
struct loc diag_loc(const struct diag *diag, uint32_t place);

void diag_error(struct diag *diag, struct loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_warning(struct diag *diag, struct loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_note(struct diag *diag, struct loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void diag_fatal(struct diag *diag, struct loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
