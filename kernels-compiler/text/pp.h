// SPDX-License-Identifier: Apache-2.0
// Internal declarations of the preprocessor, shared by pp*.c.
//
// Tokens come from a stack of macro expansions (contexts) on top of a stack of files. While a context is on the stack
// its macro is disabled, and tokens that name the macro are marked PP_NO_EXPAND for good (C 6.10.3.4). An argument is
// expanded by pushing it as a context with a barrier at its end.
//
//   pp_read   the next token; executes directives, expands no macros       (pp.c)
//   pp_next   the next token after macro expansion                         (pp_macro.c)
#ifndef KC_TEXT_PP_H
#define KC_TEXT_PP_H

#include "text/lexer.h"
#include "text/text.h"
#include "util/vec.h"

enum {
    PP_MAX_TOKENS = 4 << 20,
    PP_WORK_PER_TOKEN = 4,       // token moves allowed per token of the maximum result
    PP_MAX_EXPANSION = 1 << 19,  // tokens of one expansion or one call's arguments
    PP_MAX_CONTEXTS = 20000,     // expansions inside each other
    PP_MAX_ARGUMENT_DEPTH = 400, // calls in arguments of calls; each level uses C stack
    PP_MAX_INCLUDE_DEPTH = 64,
    PP_MAX_EXPRESSION_DEPTH = 500,
    PP_MAX_SPELLING = 1 << 20, // bytes of a token made by # or ##
    PP_MAX_PARAMETERS = 10000,
    PP_MAX_FILE = 64 << 20,
};

enum pp_special {
    PP_ORDINARY,
    PP_LINE,
    PP_FILE,
    PP_COUNTER,
    PP_INCLUDE_LEVEL,
    PP_PRAGMA_OPERATOR,
    PP_HAS_ATTRIBUTE,
    PP_HAS_BUILTIN,
    PP_HAS_EXTENSION,
    PP_HAS_FEATURE,
    PP_HAS_INCLUDE,
};

struct pp_macro {
    struct pp_token *body;
    struct pp_name **parameters; // a variadic one comes last
    uint32_t body_count;
    uint16_t parameter_count;
    bool function_like, variadic;
    bool copies;   // contains ## or parameters: the body cannot be read in place
    bool disabled; // its expansion is being read
    bool library;  // from predefined.def: programs may redefine it without a warning
    bool excluded; // stands for a value that the options rule out
    enum pp_special special;
    struct loc loc;
};

// A token list under construction. Buffers are reused, so memory use depends on the depth of expansion only.
struct pp_buffer {
    VEC(struct pp_token) tokens;
    struct pp_buffer *next_free;
};

// The arguments of one call, all in one buffer: argument i is [start[i], start[i + 1]).
struct pp_arguments {
    struct pp_buffer *raw;
    VEC(size_t) start;
    VEC(struct pp_buffer *) expanded; // each NULL until it is needed
    size_t count;
    bool no_variadic; // the call has no argument for the ...
    struct pp_arguments *next_free;
};

struct pp_context {
    const struct pp_token *at, *end;
    struct pp_macro *macro;   // re-enabled when this context ends
    struct pp_buffer *buffer; // returned to the pool when this context ends
    struct loc loc;           // location given to the tokens of a body that is read in place
    bool in_place, first, barrier;
    uint8_t flags; // replaces those of the first token: the flags of the macro's name
};

// A text that can be included. It may be open several times.
struct pp_source {
    const char *name, *text;
    size_t length;
    uint32_t file; // index in the diag
    bool on_disk;  // read from a file: names in it are relative to its folder
    bool once;     // #pragma once
};

struct pp_if {
    struct loc loc;
    bool selected; // one of its groups was selected
    bool else_seen;
};

struct pp_open_file {
    struct pp_source *source;
    struct lexer lexer;
    size_t if_base; // number of conditionals open in the outer files
};

struct pp {
    const struct text_input *input;
    struct arena *arena;
    struct diag *diag;
    struct pp_names names;
    struct kc_extensions extensions;
    size_t work, max_work, max_tokens;

    VEC(struct pp_open_file *) files;
    struct lexer *lexer; // of the innermost file
    VEC(struct pp_if) conditionals;
    VEC(struct pp_context) contexts;
    struct pp_buffer *pool;
    struct pp_arguments *argument_pool;
    unsigned argument_depth, expression_depth;
    bool in_condition; // of #if or #elif
    uint8_t carry; // flags of empty expansions, for the next token
    unsigned counter;

    struct map sources;         // interned path -> struct pp_source
    struct map headers, header_sources; // interned name -> struct kc_header, struct pp_source
    struct map missing_files;          // interned paths of files that do not exist
    VEC(struct kc_file) files_asked;  // files found and files missing
    struct pp_name *name_defined, *name_va_args;
};

// pp.c
void pp_read(struct pp *pp, struct pp_token *token);
void pp_unread(struct pp *pp, const struct pp_token *token);
void pp_charge(struct pp *pp, struct loc loc, size_t work);
void pp_open(struct pp *pp, struct pp_source *source);
struct pp_context *pp_push(struct pp *pp, const struct pp_token *tokens, size_t count);
void pp_pop(struct pp *pp);
struct pp_buffer *pp_buffer_get(struct pp *pp);
void pp_buffer_put(struct pp *pp, struct pp_buffer *buffer);

// pp_macro.c
void pp_next(struct pp *pp, struct pp_token *token);

// pp_define.c
void pp_define(struct pp *pp); // what follows #define, up to the end of the line
void pp_undef(struct pp *pp);
void pp_undef_text(struct pp *pp, uint32_t file, const char *text); // of -U
// "name body" or "name(parameters) body" from outside the source.
struct pp_macro *pp_define_text(struct pp *pp, uint32_t file, const char *text);

// pp_paste.c
const char *pp_quote(struct pp *pp, const char *text, size_t length, uint32_t *quoted_length);
void pp_stringify(struct pp *pp, const struct pp_token *tokens, size_t count,
                  struct pp_token *result);
bool pp_paste(struct pp *pp, struct pp_token *left, const struct pp_token *right, struct loc loc);

// pp_directives.c
bool pp_directive(struct pp *pp, struct pp_token *token);  // after #; true: produced a TOK_PRAGMA
void pp_end_of_line(struct pp *pp, const char *directive); // reports an error if anything follows

// pp_expr.c
bool pp_condition(struct pp *pp);

// pp_has.c
bool pp_has(struct pp *pp, const struct pp_macro *macro, const struct pp_token *name);

// pp_include.c
void pp_include(struct pp *pp, struct loc loc);
// After an opening parenthesis: whether the header that is named next can be included. *named: whether a header is
// named.
bool pp_include_exists(struct pp *pp, bool *named);

// pp_pragma.c
bool pp_pragma(struct pp *pp,
               struct pp_token *result); // after #pragma; true: `result` goes to the parser
bool pp_pragma_operator(struct pp *pp, struct pp_token *result); // after _Pragma

// pp_predefined.c
void pp_predefined(void *context, struct pp_name *name);

#endif
