// SPDX-License-Identifier: Apache-2.0
// Macro expansion (C 6.10.3): a name and its arguments -> a context to read from.
//
// A plain object-like body is read in place. Every other expansion is built once in a pooled buffer: parameters are
// replaced by their arguments, which are expanded unless # or ## is next to them, and the result is rescanned.
#include "text/pp.h"
#include "util/stack.h"

#include <string.h>

static bool ends(const struct pp_token *token)
{
    return token->kind == TOK_EOF || token->kind == PP_END_OF_LINE ||
           token->kind == PP_END_OF_ARGUMENT;
}

// A name that occurs while its macro is being expanded is never expanded, not even after it was moved elsewhere.
static void mark_disabled(struct pp_token *token)
{
    if (token->kind == TOK_IDENTIFIER && token->name->macro && token->name->macro->disabled)
        token->flags |= PP_NO_EXPAND;
}

static void add_token(struct pp *pp, struct pp_buffer *buffer, const struct pp_token *token)
{
    if (buffer->tokens.count >= PP_MAX_EXPANSION)
        diag_fatal(pp->diag, token->loc, "a macro expands to more than %d tokens",
                   PP_MAX_EXPANSION);
    vec_push(pp->arena, &buffer->tokens, *token);
}

// Reads from after the opening parenthesis to the closing one. Returns false if there is none.
static bool collect_arguments(struct pp *pp, const struct pp_macro *macro,
                              struct pp_arguments *args)
{
    size_t parentheses = 0, split_at = macro->parameter_count;
    struct pp_token token;
    vec_push(pp->arena, &args->start, 0);
    for (;;) {
        pp_read(pp, &token);
        if (ends(&token))
            return false;
        if (token.kind == TOK_LPAREN)
            parentheses++;
        else if (token.kind == TOK_RPAREN && parentheses-- == 0)
            break;
        if (token.kind == TOK_COMMA && parentheses == 0 &&
            (!macro->variadic || args->start.count < split_at)) {
            vec_push(pp->arena, &args->start, args->raw->tokens.count);
            continue;
        }
        if (token.flags & PP_LINE_START)
            token.flags = (uint8_t)((token.flags & ~PP_LINE_START) | PP_SPACE);
        mark_disabled(&token);
        pp_charge(pp, token.loc, 1);
        add_token(pp, args->raw, &token);
    }
    args->count = args->start.count;
    vec_push(pp->arena, &args->start, args->raw->tokens.count);
    return true;
}

static bool check_count(struct pp *pp, const struct pp_macro *macro, struct pp_arguments *args,
                        const struct pp_token *name)
{
    size_t want = macro->parameter_count;
    if (args->count == 1 && want == 0 && args->raw->tokens.count == 0)
        return true;
    args->no_variadic =
        macro->variadic && (args->count < want || (want == 1 && args->raw->tokens.count == 0));
    if (args->count == want)
        return true;
    if (macro->variadic && args->count + 1 == want) {
        vec_push(pp->arena, &args->start, args->raw->tokens.count); // empty argument for the ...
        args->count++;
        return true;
    }
    struct loc end = lexer_loc(pp->lexer);
    bool too_few = args->count < want && end.file == name->loc.file && end.line == name->loc.line && end.column > 1;
    end.column -= too_few; // the ')'
    diag_error(pp->diag, too_few ? end : name->loc, "macro '%s' requires %zu argument%s, but %zu given",
               name->name->text, want, want == 1 ? "" : "s", args->count);
    return false;
}

static const struct pp_token *raw_argument(const struct pp_arguments *args, size_t i, size_t *count)
{
    *count = args->start.items[i + 1] - args->start.items[i];
    return *count ? args->raw->tokens.items + args->start.items[i] : NULL;
}

static const struct pp_token *expanded_argument(struct pp *pp, struct pp_arguments *args, size_t i,
                                                size_t *count)
{
    stack_check();
    if (!args->expanded.items[i]) {
        struct pp_buffer *buffer = args->expanded.items[i] = pp_buffer_get(pp);
        const struct pp_token *raw = raw_argument(args, i, count);
        struct pp_token token;
        if (++pp->argument_depth > PP_MAX_ARGUMENT_DEPTH)
            diag_fatal(pp->diag, *count ? raw->loc : lexer_loc(pp->lexer),
                       "macro calls are nested too deeply");
        pp_push(pp, raw, *count)->barrier = true;
        for (pp_next(pp, &token); token.kind != PP_END_OF_ARGUMENT; pp_next(pp, &token))
            add_token(pp, buffer, &token);
        pp_pop(pp);
        pp->argument_depth--;
    }
    *count = args->expanded.items[i]->tokens.count;
    return args->expanded.items[i]->tokens.items;
}

// An expansion under construction. `open`: the last piece was not empty, so ## has a left operand.
struct building {
    struct pp *pp;
    const struct pp_macro *macro;
    struct pp_arguments *args;
    const struct pp_token *name;
    struct pp_buffer *out;
    bool open;
};

static void add_piece(struct building *b, const struct pp_token *tokens, size_t count,
                      uint8_t first_flags, bool paste)
{
    size_t i = 0;
    if (paste && b->open && count) {
        struct pp_token *left = &b->out->tokens.items[b->out->tokens.count - 1];
        if (pp_paste(b->pp, left, tokens, b->name->loc))
            i = 1;
    }
    pp_charge(b->pp, b->name->loc, count);
    for (; i < count; i++) {
        struct pp_token token = tokens[i];
        if (i == 0)
            token.flags = (uint8_t)((token.flags & ~PP_SPACE) | (first_flags & PP_SPACE));
        token.flags &= (uint8_t)~PP_PASTE;
        token.loc.in_macro = true;
        add_token(b->pp, b->out, &token);
    }
    b->open = count || (paste && b->open);
}

// GNU extension: in `, ## __VA_ARGS__` the comma is dropped if there are no variable arguments; else ## has no
// effect.
static bool is_optional_comma(const struct building *b, const struct pp_token *at)
{
    return b->macro->variadic && at > b->macro->body && at[-1].kind == TOK_COMMA &&
           at[-1].flags & PP_PASTE && at->kind == PP_PARAMETER && !(at->flags & PP_STRINGIFY) &&
           at->parameter == b->macro->parameter_count - 1;
}

static void add_parameter(struct building *b, const struct pp_token *at, bool paste)
{
    size_t count;
    const struct pp_token *tokens = raw_argument(b->args, at->parameter, &count);
    if (at->flags & PP_STRINGIFY) {
        struct pp_token string = {.loc = b->name->loc};
        pp_stringify(b->pp, tokens, count, &string);
        add_piece(b, &string, 1, at->flags, paste);
        return;
    }
    if (is_optional_comma(b, at)) {
        if (b->args->no_variadic && b->open) {
            b->out->tokens.count--;
            b->open = false;
            return;
        }
        paste = false;
    }
    if (!paste && !(at->flags & PP_PASTE))
        tokens = expanded_argument(b->pp, b->args, at->parameter, &count);
    add_piece(b, tokens, count, at->flags, paste);
}

static void build(struct building *b)
{
    const struct pp_macro *macro = b->macro;
    for (uint32_t i = 0; i < macro->body_count; i++) {
        const struct pp_token *at = &macro->body[i];
        bool paste = i > 0 && at[-1].flags & PP_PASTE;
        if (at->kind == PP_PARAMETER) {
            add_parameter(b, at, paste);
        } else {
            struct pp_token token = *at;
            token.loc = b->name->loc;
            add_piece(b, &token, 1, at->flags, paste);
        }
    }
}

static struct pp_arguments *get_arguments(struct pp *pp)
{
    struct pp_arguments *args = pp->argument_pool;
    if (args)
        pp->argument_pool = args->next_free;
    else
        args = ARENA_NEW(pp->arena, struct pp_arguments);
    args->raw = pp_buffer_get(pp);
    args->start.count = args->expanded.count = args->count = 0;
    return args;
}

static void put_arguments(struct pp *pp, struct pp_arguments *args)
{
    for (size_t i = 0; i < args->expanded.count; i++)
        if (args->expanded.items[i])
            pp_buffer_put(pp, args->expanded.items[i]);
    pp_buffer_put(pp, args->raw);
    args->next_free = pp->argument_pool;
    pp->argument_pool = args;
}

static void push_expansion(struct pp *pp, struct pp_macro *macro, const struct pp_token *name,
                           struct pp_buffer *buffer)
{
    const struct pp_token *tokens = buffer ? buffer->tokens.items : macro->body;
    size_t count = buffer ? buffer->tokens.count : macro->body_count;
    uint8_t flags = name->flags & (PP_SPACE | PP_LINE_START);
    struct pp_context *context = pp_push(pp, tokens, count);
    context->macro = macro;
    context->buffer = buffer;
    context->in_place = !buffer;
    context->loc = name->loc;
    context->loc.in_macro = true;
    context->first = count > 0;
    context->flags = flags;
    macro->disabled = true;
    if (!count)
        pp->carry |= flags;
}

static void expand_copy(struct pp *pp, struct pp_macro *macro, const struct pp_token *name,
                        struct pp_arguments *args)
{
    struct building b = {pp, macro, args, name, pp_buffer_get(pp), false};
    build(&b);
    push_expansion(pp, macro, name, b.out);
}

// Returns false if the name is not followed by a call or if the call is invalid.
static bool expand_call(struct pp *pp, struct pp_macro *macro, const struct pp_token *name)
{
    struct pp_token token;
    pp_read(pp, &token);
    if (token.kind != TOK_LPAREN) {
        if (!ends(&token))
            pp_unread(pp, &token);
        return false;
    }
    struct pp_arguments *args = get_arguments(pp);
    bool complete = collect_arguments(pp, macro, args);
    if (!complete)
        diag_error(pp->diag, name->loc, "unterminated argument list of macro '%s'",
                   name->name->text);
    bool good = complete && check_count(pp, macro, args, name);
    if (good) {
        for (size_t i = 0; i < args->count; i++)
            vec_push(pp->arena, &args->expanded, NULL);
        expand_copy(pp, macro, name, args);
    }
    put_arguments(pp, args);
    return good;
}

// Macros whose value is computed (__LINE__ and others). The result is not expanded further.
static bool expand_special(struct pp *pp, const struct pp_macro *macro, struct pp_token *token)
{
    stack_check();
    const struct diag_file *file = &pp->diag->files[token->loc.file];
    const char *text = NULL;
    long long line = (long long)token->loc.line + (long long)file->line_shift;
    switch (macro->special) {
    case PP_LINE:
        text = arena_printf(pp->arena, "%lld", line);
        break;
    case PP_COUNTER:
        text = arena_printf(pp->arena, "%u", pp->counter++);
        break;
    case PP_HAS_ATTRIBUTE:
    case PP_HAS_BUILTIN:
    case PP_HAS_EXTENSION:
    case PP_HAS_FEATURE:
    case PP_HAS_INCLUDE:
        text = pp_has(pp, macro, token) ? "1" : "0";
        break;
    case PP_INCLUDE_LEVEL:
        text = arena_printf(pp->arena, "%zu", pp->files.count - 1);
        break;
    case PP_FILE:
        text = file->name ? file->name : "";
        token->kind = TOK_STRING;
        token->text = pp_quote(pp, text, strlen(text), &token->length);
        return true;
    default:
        return pp_pragma_operator(pp, token);
    }
    token->kind = TOK_NUMBER;
    token->length = (uint32_t)strlen(text);
    token->text = intern_string(pp->names.intern, text, token->length);
    return true;
}

void pp_next(struct pp *pp, struct pp_token *token)
{
    for (;;) {
        pp_read(pp, token);
        if (token->kind != TOK_IDENTIFIER || token->flags & PP_NO_EXPAND)
            return;
        struct pp_macro *macro = token->name->macro;
        if (!macro)
            return;
        if (macro->disabled) {
            token->flags |= PP_NO_EXPAND;
            return;
        }
        if (macro->special) {
            if (expand_special(pp, macro, token))
                return;
        } else if (macro->function_like) {
            if (!expand_call(pp, macro, token))
                return;
        } else if (macro->copies) {
            expand_copy(pp, macro, token, NULL);
        } else {
            if (macro->excluded)
                diag_warning(pp->diag, token->loc, "use of %s, which is excluded by the options", token->name->text);
            push_expansion(pp, macro, token, NULL);
        }
    }
}
