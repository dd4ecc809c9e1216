// SPDX-License-Identifier: Apache-2.0
// Bytes -> preprocessing tokens: phases 1 to 3 of C 5.1.1.2 (trigraphs, line ends, backslash-newline, comments) in
// one pass over the text. Only text with trigraphs is rewritten.
//
// A pp_token is the preprocessor's smaller form of struct token. An identifier points to its pp_name, which says
// whether it is a macro or a keyword, so no name is looked up twice.
#ifndef KC_TEXT_LEXER_H
#define KC_TEXT_LEXER_H

#include "text/token.h"
#include "util/map.h"

// Kinds that only the preprocessor sees, next to enum token_kind.
enum {
    PP_END_OF_LINE = TOK_COUNT, // end of a directive; returned repeatedly until lexer.directive is cleared
    PP_END_OF_ARGUMENT,         // end of a macro argument that is being expanded
    PP_PARAMETER,               // a parameter in a macro's body; `parameter` is its number
};

enum {
    PP_SPACE = 1,      // preceded by white space
    PP_LINE_START = 2, // first token of its line
    PP_NO_EXPAND = 4,  // named a macro while that macro was being expanded: never expanded (C 6.10.3.4)
    PP_PASTE = 8,      // in a macro's body: followed by ##
    PP_STRINGIFY = 16, // in a macro's body: a parameter preceded by #
};

struct pp_token {
    uint8_t kind, flags;
    uint16_t parameter;
    struct loc loc;
    uint32_t length;
    union {
        const char *text;     // not NUL-terminated for TOK_OTHER; interned for numbers and literals
        struct pp_name *name; // TOK_IDENTIFIER, keywords included
    };
};

struct pp_name {
    const char *text; // interned once `seen`
    uint32_t length, hash;
    uint8_t keyword;    // its enum token_kind; TOK_IDENTIFIER if it is not a keyword
    bool seen;          // occurred in the source: interned, predefined macros looked up
    uint16_t parameter; // 1 + its number while a macro with such a parameter is being defined
    struct pp_macro *macro;
};

// Every identifier of a compilation, keywords first.
struct pp_names {
    struct arena *arena;
    struct intern *intern;
    struct pp_name **slots;
    size_t count, capacity;
    void (*first_use)(void *context, struct pp_name *name);
    void *context;
};

struct lexer {
    const unsigned char *begin, *at, *end, *line_begin;
    uint32_t file, line;
    bool directive;  // in a directive: a line end gives PP_END_OF_LINE
    bool line_start; // at the first token of the text, which no line end precedes
    bool spliced;    // the current token contains a backslash-newline
    const unsigned char **trigraphs; // places of the characters that replaced trigraphs, in text order; NULL: none
    size_t trigraph_count;
    struct arena *arena;
    struct pp_names *names;
    struct diag *diag;
};

void names_init(struct pp_names *names, struct arena *arena, struct intern *intern);
struct pp_name *names_get(struct pp_names *names, const char *text, size_t length);

// `text` must be NUL-terminated at `length` and outlive the tokens.
void lexer_init(struct lexer *lexer, struct pp_names *names, struct diag *diag, uint32_t file,
                const char *text, size_t length);
void lexer_next(struct lexer *lexer, struct pp_token *token);
struct loc lexer_loc(const struct lexer *lexer); // the current place

// Reads <x> or "x" at the current place. Returns the name without its delimiters and sets *quote to the first one.
// Returns NULL if there is no header name.
const char *lexer_header_name(struct lexer *lexer, size_t *length, char *quote);
// Skips to the next line whose first token is # and stops after that token. Returns false at the end of the text.
bool lexer_skip_to_hash(struct lexer *lexer, struct loc *hash);

// The spelling of a token.
const char *pp_token_text(const struct pp_token *token);

#endif
