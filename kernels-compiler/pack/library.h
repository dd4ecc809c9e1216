// SPDX-License-Identifier: Apache-2.0
// The built-in library: a blob of IR text with an index by name, from which called functions are parsed into a
// module.
#ifndef KC_LIBRARY_H
#define KC_LIBRARY_H

#include "ir/ir.h"

// Adds a body to every declaration in the module, recursively. Returns NULL or an error that names a missing
// function.
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

// Packs these texts (functions and variables by name, no duplicates) into a blob in the arena.
struct str library_pack(struct arena *arena, const struct library_text *texts, size_t count);

// The blob of this program: blob_embedded.c, or blob_none.c for the compiler that builds it.
const unsigned char *library_blob(size_t *size);

#endif
