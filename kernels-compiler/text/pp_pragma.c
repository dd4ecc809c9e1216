// SPDX-License-Identifier: Apache-2.0
// #pragma and _Pragma (C 6.10.6, 6.10.9; OpenCL C 1.10). Pragmas for floating-point contraction and loop unrolling,
// and extensions that change the language, are passed to the parser as one TOK_PRAGMA. `once` and other extensions
// are handled here. Unknown pragmas are ignored.
#include "text/pp.h"

#include <string.h>

// The source of a pragma's words: a line or a string.
struct words {
    struct pp *pp;
    struct lexer *lexer;
    bool expand; // expand macros, if the source permits
    struct pp_token token;
};

static void next_word(struct words *words)
{
    if (words->expand)
        pp_next(words->pp, &words->token);
    else
        lexer_next(words->lexer, &words->token);
}

static bool is_word(const struct words *words, const char *text)
{
    return words->token.kind == TOK_IDENTIFIER && !strcmp(words->token.name->text, text);
}

static void make_token(struct pp *pp, struct pp_token *result, struct loc loc, const char *text)
{
    *result = (struct pp_token){.kind = TOK_PRAGMA, .flags = PP_LINE_START, .loc = loc};
    result->length = (uint32_t)strlen(text);
    result->text = intern_string(pp->names.intern, text, result->length);
}

// Makes a TOK_PRAGMA of `first` and the remaining words.
static void forward_pragma(struct words *words, const char *first, struct loc loc, struct pp_token *result)
{
    struct str text;
    str_init(&text, words->pp->arena);
    str_add(&text, first);
    for (next_word(words); words->token.kind != PP_END_OF_LINE; next_word(words)) {
        const struct pp_token *token = &words->token;
        str_addc(&text, ' ');
        str_addn(&text, pp_token_text(token),
                 token->kind == TOK_IDENTIFIER ? token->name->length : token->length);
    }
    make_token(words->pp, result, loc, text.text);
}

static bool is_switch(const struct words *words)
{
    return is_word(words, "ON") || is_word(words, "OFF") || is_word(words, "DEFAULT");
}

// After FP_CONTRACT.
static bool contraction(struct words *words, struct loc loc, struct pp_token *result)
{
    next_word(words);
    if (!is_switch(words)) {
        diag_warning(words->pp->diag, words->token.loc,
                     "expected 'ON' or 'OFF' or 'DEFAULT' after FP_CONTRACT");
        return false;
    }
    make_token(words->pp, result, loc,
               arena_printf(words->pp->arena, "OPENCL FP_CONTRACT %s", words->token.name->text));
    return true;
}

static bool has_extension(const struct pp *pp, const char *name)
{
    static const char *const names[] = {
#define EXTENSION(id, name, major, minor, patch, macro_from) [KC_EXT_##id] = name,
#define FEATURE(id, name, major, minor, patch) [KC_EXT_##id] = name,
#include "pumice/extensions.def"
    };
    for (unsigned i = 0; i < KC_EXT_COUNT; i++)
        if (kc_extensions_have(&pp->extensions, i) && !strcmp(names[i], name))
            return true;
    return !strcmp(name, "cl_clang_storage_class_specifiers");
}

// Extensions that the parser must know of; all others are always on if the device supports them.
static bool changes_language(const char *name)
{
    return !strcmp(name, "cl_khr_fp16") || !strcmp(name, "all") ||
           !strcmp(name, "cl_clang_storage_class_specifiers");
}

// After EXTENSION: name : behaviour.
static bool extension(struct words *words, struct loc loc, struct pp_token *result)
{
    struct diag *diag = words->pp->diag;
    struct pp_token name;
    next_word(words);
    name = words->token;
    bool all = is_word(words, "all");
    next_word(words);
    bool colon = name.kind == TOK_IDENTIFIER && words->token.kind == TOK_COLON;
    if (colon)
        next_word(words);
    bool enable = is_word(words, "enable");
    if (colon && (is_word(words, "begin") || is_word(words, "end"))) // clang's: marks a region of declarations
        return false;
    if (!colon || (!enable && !is_word(words, "disable"))) {
        diag_warning(diag, words->token.loc,
                     "expected 'name : enable' or 'name : disable' after EXTENSION");
        return false;
    }
    if (all && enable)
        diag_warning(diag, name.loc, "'all' can only be disabled, not enabled");
    else if (!all && !has_extension(words->pp, name.name->text))
        diag_warning(diag, name.loc, "extension '%s' is not supported", name.name->text);
    else if (changes_language(name.name->text)) {
        make_token(words->pp, result, loc,
                   arena_printf(words->pp->arena, "OPENCL EXTENSION %s : %s", name.name->text,
                                enable ? "enable" : "disable"));
        return true;
    }
    return false;
}

static bool opencl(struct words *words, struct loc loc, struct pp_token *result)
{
    next_word(words);
    if (is_word(words, "FP_CONTRACT"))
        return contraction(words, loc, result);
    return is_word(words, "EXTENSION") && extension(words, loc, result);
}

// clang's syntax: loop unroll(full | enable | disable), loop unroll_count(n).
static bool clang_loop(struct words *words, struct loc loc, struct pp_token *result)
{
    next_word(words);
    if (!is_word(words, "loop"))
        return false;
    next_word(words);
    bool count = is_word(words, "unroll_count");
    if (!count && !is_word(words, "unroll"))
        return false;
    next_word(words);
    if (words->token.kind != TOK_LPAREN)
        return false;
    next_word(words);
    const char *text = is_word(words, "disable") ? "nounroll" : "unroll";
    if (count && words->token.kind == TOK_NUMBER)
        text = arena_printf(words->pp->arena, "unroll %s", words->token.text);
    make_token(words->pp, result, loc, text);
    return true;
}

static void once(struct words *words)
{
    struct pp *pp = words->pp;
    if (pp->files.count == 1)
        diag_warning(pp->diag, words->token.loc, "#pragma once in main file");
    pp->files.items[pp->files.count - 1]->source->once = true;
}

static bool handle_pragma(struct words *words, struct pp_token *result)
{
    next_word(words);
    struct loc loc = words->token.loc;
    if (is_word(words, "once"))
        once(words);
    if (is_word(words, "OPENCL"))
        return opencl(words, loc, result);
    if (is_word(words, "STDC")) {
        next_word(words);
        return is_word(words, "FP_CONTRACT") && contraction(words, loc, result);
    }
    if (is_word(words, "clang"))
        return clang_loop(words, loc, result);
    if (is_word(words, "GCC"))
        next_word(words);
    if (!is_word(words, "unroll") && !is_word(words, "nounroll"))
        return false;
    words->expand = words->lexer == words->pp->lexer;
    forward_pragma(words, words->token.name->text, loc, result);
    return true;
}

bool pp_pragma(struct pp *pp, struct pp_token *result)
{
    struct words words = {.pp = pp, .lexer = pp->lexer};
    return handle_pragma(&words, result);
}

// Reverses stringification.
static char *unquote(struct pp *pp, const struct pp_token *string)
{
    char *text = arena_alloc(pp->arena, string->length), *to = text;
    for (uint32_t i = 1; i + 1 < string->length; i++) {
        if (string->text[i] == '\\' && (string->text[i + 1] == '"' || string->text[i + 1] == '\\'))
            i++;
        *to++ = string->text[i];
    }
    *to = 0;
    return text;
}

bool pp_pragma_operator(struct pp *pp, struct pp_token *result)
{
    struct pp_token string = {.kind = TOK_OTHER}, token;
    struct loc loc = result->loc;
    pp_next(pp, &token);
    if (token.kind == TOK_LPAREN)
        pp_next(pp, &string);
    if (string.kind == TOK_STRING)
        pp_next(pp, &token);
    if (string.kind != TOK_STRING || token.kind != TOK_RPAREN) {
        diag_error(pp->diag, loc, "_Pragma takes a parenthesized string literal");
        return false;
    }
    struct lexer lexer;
    const char *text = unquote(pp, &string);
    lexer_init(&lexer, &pp->names, pp->diag, loc.file, text, strlen(text));
    lexer.line = loc.line;
    lexer.directive = true;
    struct words words = {.pp = pp, .lexer = &lexer};
    bool given = handle_pragma(&words, result);
    if (given)
        result->loc = loc;
    return given;
}
