// SPDX-License-Identifier: Apache-2.0
// The blob that library_pack.c writes and library.c reads, in host words: head, entries sorted by name, names, texts.
// An entry is the IR text of a function or variable.
#ifndef KC_LIBRARY_BLOB_H
#define KC_LIBRARY_BLOB_H

#include "pack/squeeze.h"

struct library_head {
    struct squeeze_code codes[SQUEEZE_CODES];
    uint32_t count; // of entries
};

struct library_entry {
    uint32_t name, text; // offsets in bytes from the blob's start
    uint32_t size;       // of the squeezed text
    uint32_t is_var;
};

#endif
