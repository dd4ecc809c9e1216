// SPDX-License-Identifier: Apache-2.0
// The builtin library as one blob of IR text with an index by name; what a module calls is parsed in from it.
#ifndef KC_LIBRARY_H
#define KC_LIBRARY_H

#include "ir/ir.h"

// Gives every declaration in the module its body, and what those call theirs. NULL, or the name that is nowhere.
const char *library_link(struct ir_module *module);

// A function or a variable as IR text.
struct library_text {
    const char *name, *text;
    size_t length;
};

struct library_texts {
    struct library_text *items;
    size_t count, capacity;
};

// The blob of these texts (functions and variables by name, no duplicates), in the arena.
struct str library_pack(struct arena *arena, const struct library_text *texts, size_t count);

// The blob linked into this program: blob_embedded.c, or blob_none.c for the compiler that builds it.
const unsigned char *library_blob(size_t *size);

#endif
