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
    enum token_kind kind : 16; // small, because there are many tokens
    bool space_before : 1, line_start : 1; // for -E and for directives
    struct loc loc;   // location of its spelling; inside a macro expansion, of the macro's use
    const char *text; // interned spelling: identifiers, keywords, numbers, strings with quotes
    uint32_t length;
};

// FP_CONTRACT, unroll and some EXTENSION pragmas reach the parser as one TOK_PRAGMA token whose text is the pragma's
// line, e.g. "OPENCL FP_CONTRACT OFF", "unroll 4". The preprocessor consumes all other pragmas.

const char *token_spelling(
    enum token_kind kind); // spelling of a punctuator or keyword, else a description of the class

#endif
