// SPDX-License-Identifier: Apache-2.0
// The blob that library_pack.c writes and library.c reads, in host words: head, rules, entries sorted by name, texts
// (symbols), names. An entry is the IR text of a function or variable.
#ifndef KC_LIBRARY_BLOB_H
#define KC_LIBRARY_BLOB_H

#include "pack/squeeze.h"

struct library_head {
    uint32_t rule_count, entry_count;
};

struct library_entry {
    uint32_t name, text; // offsets in bytes from the blob's start
    uint32_t length;     // of the text, in characters
    uint32_t is_var;
};

#endif
