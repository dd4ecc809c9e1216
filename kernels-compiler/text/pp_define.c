// SPDX-License-Identifier: Apache-2.0
// #define and #undef (C 6.10.3): a line -> struct pp_macro.
//
// The body is prepared for expansion once, here: parameters become numbers, # and ## become flags of their operands.
// Expansion looks up no names.
#include "text/pp.h"

#include <string.h>

static bool check_name(struct pp *pp, const struct pp_token *token)
{
    if (token->kind == PP_END_OF_LINE)
        diag_error(pp->diag, token->loc, "macro name missing");
    else if (token->kind != TOK_IDENTIFIER)
        diag_error(pp->diag, token->loc, "macro name must be an identifier");
    else if (token->name == pp->name_defined)
        diag_error(pp->diag, token->loc, "'defined' cannot be used as a macro name");
    else
        return true;
    return false;
}

struct definition {
    struct pp *pp;
    struct lexer *lexer;
    struct pp_macro *macro;
    VEC(struct pp_name *) parameters;
    struct pp_buffer *body; // copied with its final size at the end
};

static bool add_parameter(struct definition *d, const struct pp_token *token, struct pp_name *name)
{
    if (name->parameter || d->parameters.count >= PP_MAX_PARAMETERS) {
        diag_error(d->pp->diag, token->loc,
                   name->parameter ? "duplicate macro parameter name '%s'"
                                   : "too many macro parameters, at '%s'",
                   name->text);
        return false;
    }
    vec_push(d->pp->arena, &d->parameters, name);
    name->parameter = (uint16_t)d->parameters.count;
    return true;
}

// Parses one parameter and the token after it; *more says whether that was a comma.
static bool parse_parameter(struct definition *d, struct pp_token *token, bool *more)
{
    *more = false;
    if (token->kind == TOK_ELLIPSIS) {
        d->macro->variadic = true;
        if (!add_parameter(d, token, d->pp->name_va_args))
            return false;
    } else if (token->kind == TOK_IDENTIFIER && token->name != d->pp->name_va_args) {
        if (!add_parameter(d, token, token->name))
            return false;
    } else {
        diag_error(d->pp->diag, token->loc, "expected identifier in macro parameter list");
        return false;
    }
    lexer_next(d->lexer, token);
    if (token->kind == TOK_ELLIPSIS && !d->macro->variadic) { // GNU: name...
        d->macro->variadic = true;
        lexer_next(d->lexer, token);
    }
    if (token->kind == TOK_COMMA && !d->macro->variadic) {
        *more = true;
        lexer_next(d->lexer, token);
        return true;
    }
    if (token->kind != TOK_RPAREN)
        diag_error(d->pp->diag, token->loc, "missing ')' in macro parameter list");
    return token->kind == TOK_RPAREN;
}

// Parses from after the opening parenthesis.
static bool parse_parameters(struct definition *d)
{
    struct pp_token token;
    lexer_next(d->lexer, &token);
    for (bool more = token.kind != TOK_RPAREN; more;)
        if (!parse_parameter(d, &token, &more))
            return false;
    return true;
}

// After #: the operand replaces it.
static bool parse_stringify(struct definition *d, struct pp_token *token)
{
    uint8_t space = token->flags & PP_SPACE;
    lexer_next(d->lexer, token);
    if (token->kind != TOK_IDENTIFIER || !token->name->parameter) {
        diag_error(d->pp->diag, token->loc, "'#' is not followed by a macro parameter");
        return false;
    }
    token->flags = space | PP_STRINGIFY;
    return true;
}

static bool parse_body(struct definition *d)
{
    struct pp_token token;
    bool pasting = false;
    for (lexer_next(d->lexer, &token); token.kind != PP_END_OF_LINE; lexer_next(d->lexer, &token)) {
        pasting = token.kind == TOK_HASH_HASH;
        if (pasting) {
            if (!d->body->tokens.count)
                break;
            d->body->tokens.items[d->body->tokens.count - 1].flags |= PP_PASTE;
            d->macro->copies = true;
            continue;
        }
        if (token.kind == TOK_HASH && d->macro->function_like && !parse_stringify(d, &token))
            return false;
        if (token.kind == TOK_IDENTIFIER && token.name->parameter) {
            token.kind = PP_PARAMETER;
            token.parameter = token.name->parameter - 1;
        }
        vec_push(d->pp->arena, &d->body->tokens, token);
    }
    if (pasting)
        diag_error(d->pp->diag, token.loc, "'##' cannot appear at either end of a macro expansion");
    return !pasting;
}

static bool same_token(const struct pp_token *a, const struct pp_token *b, bool first)
{
    unsigned flags = PP_PASTE | PP_STRINGIFY | (first ? 0 : PP_SPACE);
    if (a->kind != b->kind || (a->flags ^ b->flags) & flags)
        return false;
    if (a->kind == TOK_IDENTIFIER || a->kind == PP_PARAMETER)
        return a->name == b->name;
    return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

static bool same_macro(const struct pp_macro *a, const struct pp_macro *b)
{
    if (a->special || b->special || a->function_like != b->function_like ||
        a->variadic != b->variadic || a->parameter_count != b->parameter_count ||
        a->body_count != b->body_count)
        return false;
    for (uint32_t i = 0; i < a->parameter_count; i++)
        if (a->parameters[i] != b->parameters[i])
            return false;
    for (uint32_t i = 0; i < a->body_count; i++)
        if (!same_token(&a->body[i], &b->body[i], i == 0))
            return false;
    return true;
}

static void check_redefinition(struct pp *pp, const struct pp_name *name,
                               const struct pp_macro *macro)
{
    const struct pp_macro *old = name->macro;
    if (!old || old->library || same_macro(old, macro))
        return;
    diag_warning(pp->diag, macro->loc, "'%s' macro redefined", name->text);
    if (old->loc.file)
        diag_note(pp->diag, old->loc, "previous definition is here");
}

// C99 6.10.3: white space separates the name of an object-like macro from its body.
static void check_space(const struct definition *d)
{
    const struct pp_token *first = d->macro->body;
    if (!d->macro->function_like && d->macro->body_count && !(first->flags & PP_SPACE))
        diag_warning(d->pp->diag, first->loc, "whitespace required after macro name");
}

static bool parse_macro(struct definition *d)
{
    bool good = true;
    d->macro->function_like = *d->lexer->at == '(';
    if (d->macro->function_like) {
        struct pp_token parenthesis;
        lexer_next(d->lexer, &parenthesis);
        good = parse_parameters(d);
    }
    good = good && parse_body(d);
    for (size_t i = 0; i < d->parameters.count; i++)
        d->parameters.items[i]->parameter = 0;
    d->macro->copies |= d->macro->function_like;
    d->macro->parameters = d->parameters.items;
    d->macro->parameter_count = (uint16_t)d->parameters.count;
    d->macro->body_count = (uint32_t)d->body->tokens.count;
    d->macro->body = arena_copy(d->pp->arena, d->body->tokens.items,
                                sizeof(struct pp_token) * d->macro->body_count);
    return good;
}

static struct pp_macro *define(struct pp *pp, struct lexer *lexer)
{
    struct pp_token token;
    lexer_next(lexer, &token);
    if (!check_name(pp, &token))
        return NULL;
    struct pp_name *name = token.name;
    struct definition d = {
        .pp = pp, .lexer = lexer, .macro = ARENA_NEW(pp->arena, struct pp_macro)};
    d.macro->loc = token.loc;
    d.body = pp_buffer_get(pp);
    bool good = parse_macro(&d);
    pp_buffer_put(pp, d.body);
    if (!good)
        return NULL;
    check_space(&d);
    check_redefinition(pp, name, d.macro);
    name->macro = d.macro;
    return d.macro;
}

void pp_define(struct pp *pp)
{
    define(pp, pp->lexer);
}

static void open_text(struct pp *pp, struct lexer *lexer, uint32_t file, const char *text)
{
    lexer_init(lexer, &pp->names, pp->diag, file, text, strlen(text));
    lexer->directive = true;
}

struct pp_macro *pp_define_text(struct pp *pp, uint32_t file, const char *text)
{
    struct lexer lexer;
    open_text(pp, &lexer, file, text);
    return define(pp, &lexer);
}

static bool undef(struct pp *pp, struct lexer *lexer)
{
    struct pp_token token;
    lexer_next(lexer, &token);
    if (!check_name(pp, &token))
        return false;
    token.name->macro = NULL;
    return true;
}

void pp_undef(struct pp *pp)
{
    if (undef(pp, pp->lexer))
        pp_end_of_line(pp, "undef");
}

void pp_undef_text(struct pp *pp, uint32_t file, const char *text)
{
    struct lexer lexer;
    struct pp_token token;
    open_text(pp, &lexer, file, text);
    if (!undef(pp, &lexer))
        return;
    lexer_next(&lexer, &token);
    if (token.kind != PP_END_OF_LINE)
        diag_warning(pp->diag, token.loc, "extra tokens at end of #undef directive");
}
