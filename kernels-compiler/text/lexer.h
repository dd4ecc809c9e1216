// SPDX-License-Identifier: Apache-2.0
// Bytes -> preprocessing tokens: phases 1 to 3 of C 5.1.1.2 (trigraphs, line ends, backslash-newline,
// comments) in one pass over the text, which is only rewritten where it has trigraphs.
//
// A pp_token is the preprocessor's own, smaller form of struct token. An identifier points to its
// pp_name, which knows at once whether it is a macro or a keyword: nothing is looked up twice.
#ifndef KC_TEXT_LEXER_H
#define KC_TEXT_LEXER_H

#include "text/token.h"
#include "util/map.h"

// Kinds that only the preprocessor sees, next to enum token_kind.
enum {
    PP_END_OF_LINE = TOK_COUNT, // of a directive; comes again until lexer.directive is cleared
    PP_END_OF_ARGUMENT,         // of a macro argument that is being expanded
    PP_PARAMETER,               // in a macro's body: its parameter number `parameter`
};

enum {
    PP_SPACE = 1,      // white space before
    PP_LINE_START = 2, // first of its line
    PP_NO_EXPAND = 4,  // named a macro while that was being expanded: never expands any more
    PP_PASTE = 8,      // in a body: ## follows
    PP_STRINGIFY = 16, // in a body: # before this parameter
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
    uint8_t keyword;    // its enum token_kind; TOK_IDENTIFIER for all others
    bool seen;          // met in the source: interned, predefined macros looked up
    uint16_t parameter; // 1 + its number while a macro with such a parameter is being defined
    struct pp_macro *macro;
};

// Every identifier of a compile, keywords first.
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
    bool directive;  // a line end gives PP_END_OF_LINE
    bool line_start; // the text's first line: no line end before its first token
    bool spliced;    // the token at hand holds a backslash-newline
    const unsigned char **trigraphs; // what they have become, in the order of the text; NULL: it has none
    size_t trigraph_count;
    struct arena *arena;
    struct pp_names *names;
    struct diag *diag;
};

void names_init(struct pp_names *names, struct arena *arena, struct intern *intern);
struct pp_name *names_get(struct pp_names *names, const char *text, size_t length);

// `text` must be NUL-terminated behind `length` and outlive the tokens.
void lexer_init(struct lexer *lexer, struct pp_names *names, struct diag *diag, uint32_t file,
                const char *text, size_t length);
void lexer_next(struct lexer *lexer, struct pp_token *token);
struct loc lexer_loc(const struct lexer *lexer); // where it stands

// <x> or "x" right here, without the delimiters; *quote says which. NULL: something else stands
// here.
const char *lexer_header_name(struct lexer *lexer, size_t *length, char *quote);
// Passes over text until a line whose first token is #, leaving the lexer behind that; false at the
// end.
bool lexer_skip_to_hash(struct lexer *lexer, struct loc *hash);

// The spelling of a token.
const char *pp_token_text(const struct pp_token *token);

#endif
