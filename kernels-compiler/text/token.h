// SPDX-License-Identifier: Apache-2.0
// Tokens after preprocessing: what the parser sees. Kinds are rows of tokens.def.
#ifndef KC_TEXT_TOKEN_H
#define KC_TEXT_TOKEN_H

#include "common/diag.h"

enum token_kind {
#define TOKEN(id, spelling) TOK_##id,
#define KEYWORD(id, spelling) TOK_##id,
#include "text/tokens.def"
    TOK_COUNT
};

struct token {
    enum token_kind kind : 16; // there are many of these: they are kept small
    bool space_before : 1, line_start : 1; // for printing -E and for directives
    struct loc loc;   // where it was spelled; inside a macro expansion: where the macro was used
    const char *text; // interned spelling: identifiers, keywords, numbers, strings with quotes
    uint32_t length;
};

// FP_CONTRACT, unroll and some EXTENSION pragmas reach the parser as one TOK_PRAGMA token whose text is the
// pragma's line, e.g. "OPENCL FP_CONTRACT OFF", "unroll 4"; all other pragmas are consumed by the
// preprocessor.

const char *token_spelling(
    enum token_kind kind); // of a punctuator or keyword; a description of a class otherwise

#endif
