// SPDX-License-Identifier: Apache-2.0
// Locations, errors and the build log. Messages look as C programmers know them:
//
//   kernel.cl:12:7: error: use of undeclared identifier 'x'
//       y = x;
//           ^
//
// Only the compiler's driver creates a diag; every stage reports through it and recovers. A fatal
// error (too many errors, nesting too deep, out of memory) unwinds to the driver.
#ifndef KC_DIAG_H
#define KC_DIAG_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include "util/str.h"
#include "util/vec.h"

// A place in the source: index into the table of files and macro expansions. Passed by value.
struct loc {
    uint32_t file;   // index into diag.files; 0: no place known
    uint32_t line;   // 1-based, physical
    uint32_t column : 31; // 1-based, in bytes
    uint32_t in_macro : 1; // what a macro expanded to, its arguments included, stands where the macro was used
};

// One source text. #line changes what is shown: presumed_line = line + line_shift, name =
// shown_name.
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
    VEC(struct loc) places; // that what is made of the source came from
    uint32_t errors, warnings;
    bool warnings_off, warnings_are_errors;
    bool muted; // the last warning was not shown: neither are its notes
    jmp_buf *fatal;
};

enum { DIAG_MAX_ERRORS = 50 };

void diag_init(struct diag *diag, struct arena *arena, jmp_buf *fatal);
uint32_t diag_add_file(struct diag *diag, const char *name, const char *text, size_t length);

// A number for a place, and the place of a number; 0: not known.
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
