// SPDX-License-Identifier: Apache-2.0
// Compresses ASCII texts into 16-bit symbols: a symbol is a character or a rule, which stands for two symbols.
//
// Re-Pair (N. J. Larsson, A. Moffat, Off-line dictionary-based compression, Proceedings of the IEEE 88, 2000), with
// many rules made in each round.
#ifndef KC_SQUEEZE_H
#define KC_SQUEEZE_H

#include "util/arena.h"

enum { SQUEEZE_FIRST_RULE = 128, SQUEEZE_DEEPEST = 32 }; // rules refer to rules this many times at most

struct squeeze_rule {
    uint16_t left, right;
};

struct squeezed {
    uint16_t *symbols;
    size_t count; // of symbols
    struct squeeze_rule *rules;
    size_t rule_count;
};

// No rule contains NUL, so texts that NULs separate can be decompressed individually.
struct squeezed squeeze(struct arena *arena, const char *text, size_t length);

// Decompresses `length` characters, the text that starts at `symbols`, into a NUL-terminated string in the arena.
char *unsqueeze(struct arena *arena, const struct squeeze_rule *rules, const uint16_t *symbols, size_t length);

#endif
