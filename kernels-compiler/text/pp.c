// SPDX-License-Identifier: Apache-2.0
// The preprocessor's driver. Files and contexts are stacks of token sources, pp_read takes tokens from the top one,
// text_preprocess converts the output to the parser's tokens.
//
// Every token that is moved into a context is charged against a budget: a few lines of macros can ask for 2^1000
// tokens.
#include "text/pp.h"

#include <string.h>

// ---- contexts -------------------------------------------------------------------------

struct pp_buffer *pp_buffer_get(struct pp *pp)
{
    struct pp_buffer *buffer = pp->pool;
    if (!buffer)
        return ARENA_NEW(pp->arena, struct pp_buffer);
    pp->pool = buffer->next_free;
    buffer->tokens.count = 0;
    return buffer;
}

void pp_buffer_put(struct pp *pp, struct pp_buffer *buffer)
{
    buffer->next_free = pp->pool;
    pp->pool = buffer;
}

void pp_charge(struct pp *pp, struct loc loc, size_t work)
{
    pp->work += work;
    if (pp->work > pp->max_work)
        diag_fatal(pp->diag, loc, "macro expansions and includes are too many");
}

// The caller sets the fields that differ from those of a plain token list.
struct pp_context *pp_push(struct pp *pp, const struct pp_token *tokens, size_t count)
{
    struct loc loc = count ? tokens[0].loc : lexer_loc(pp->lexer);
    pp_charge(pp, loc, count + 1);
    if (pp->contexts.count >= PP_MAX_CONTEXTS)
        diag_fatal(pp->diag, loc, "macros are nested too deeply");
    vec_reserve(pp->arena, &pp->contexts, pp->contexts.count + 1);
    struct pp_context *context = &pp->contexts.items[pp->contexts.count++];
    *context = (struct pp_context){.at = tokens, .end = count ? tokens + count : tokens};
    return context;
}

void pp_pop(struct pp *pp)
{
    struct pp_context *context = &pp->contexts.items[--pp->contexts.count];
    if (context->macro)
        context->macro->disabled = false;
    if (context->buffer)
        pp_buffer_put(pp, context->buffer);
}

void pp_unread(struct pp *pp, const struct pp_token *token)
{
    struct pp_buffer *buffer = pp_buffer_get(pp);
    vec_push(pp->arena, &buffer->tokens, *token);
    pp_push(pp, buffer->tokens.items, 1)->buffer = buffer;
}

// ---- files ----------------------------------------------------------------------------

void pp_open(struct pp *pp, struct pp_source *source)
{
    if (!source->file)
        source->file = diag_add_file(pp->diag, source->name, source->text, source->length);
    struct pp_open_file *open = ARENA_NEW(pp->arena, struct pp_open_file);
    open->source = source;
    open->if_base = pp->conditionals.count;
    lexer_init(&open->lexer, &pp->names, pp->diag, source->file, source->text, source->length);
    vec_push(pp->arena, &pp->files, open);
    pp->lexer = &open->lexer;
}

// Closes the innermost file. Returns false if it is the main file.
static bool close_file(struct pp *pp)
{
    struct pp_open_file *open = pp->files.items[pp->files.count - 1];
    while (pp->conditionals.count > open->if_base)
        diag_error(pp->diag, pp->conditionals.items[--pp->conditionals.count].loc,
                   "unterminated conditional directive");
    if (pp->files.count == 1)
        return false;
    pp->files.count--;
    pp->lexer = &pp->files.items[pp->files.count - 1]->lexer;
    return true;
}

static void read_file(struct pp *pp, struct pp_token *token)
{
    for (;;) {
        struct lexer *lexer = pp->lexer;
        lexer_next(lexer, token);
        if (token->kind == TOK_HASH && token->flags & PP_LINE_START && !lexer->directive) {
            if (pp_directive(pp, token))
                return;
        } else if (token->kind != TOK_EOF || !close_file(pp)) {
            return;
        }
    }
}

void pp_read(struct pp *pp, struct pp_token *token)
{
    while (pp->contexts.count) {
        struct pp_context *context = &pp->contexts.items[pp->contexts.count - 1];
        if (context->at < context->end) {
            *token = *context->at++;
            if (context->in_place)
                token->loc = context->loc;
            if (context->first) {
                token->flags =
                    (uint8_t)((token->flags & ~(PP_SPACE | PP_LINE_START)) | context->flags);
                context->first = false;
            }
            return;
        }
        if (context->barrier) {
            *token = (struct pp_token){.kind = PP_END_OF_ARGUMENT, .text = ""};
            return;
        }
        pp_pop(pp);
    }
    read_file(pp, token);
}

// ---- the result -----------------------------------------------------------------------

static void check_other(struct pp *pp, const struct pp_token *token)
{
    if (*token->text == '"' || *token->text == '\'')
        diag_error(pp->diag, token->loc, "missing terminating %c character", *token->text);
}

static struct token convert(struct pp *pp, const struct pp_token *from)
{
    struct token to = {
        .kind = from->kind,
        .space_before = from->flags & PP_SPACE,
        .line_start = from->flags & PP_LINE_START,
        .loc = from->loc,
        .text = from->text,
        .length = from->length,
    };
    if (from->kind == TOK_IDENTIFIER) {
        to.kind = from->name->keyword;
        to.text = from->name->text;
        to.length = from->name->length;
    } else if (from->kind == TOK_OTHER) {
        check_other(pp, from);
        to.text = intern_string(pp->names.intern, from->text, from->length);
    }
    return to;
}

// Grows faster from 2^16 tokens on: in large allocations, unused pages cost nothing.
static size_t more_tokens(size_t capacity)
{
    bool many = capacity >= 1 << 16 && capacity < 1 << 20;
    return many ? capacity * 16 : capacity * 2;
}

static struct token_list collect(struct pp *pp, size_t expected)
{
    VEC(struct token) list = {0};
    struct pp_token token;
    vec_reserve(pp->arena, &list, expected);
    do {
        pp_next(pp, &token);
        token.flags |= pp->carry;
        pp->carry = 0;
        if (list.count >= pp->max_tokens)
            diag_fatal(pp->diag, token.loc, "more than %zu tokens", pp->max_tokens);
        if (list.count == list.capacity)
            vec_reserve(pp->arena, &list, more_tokens(list.capacity));
        vec_push(pp->arena, &list, convert(pp, &token));
    } while (token.kind != TOK_EOF);
    return (struct token_list){list.items, list.count, pp->files_asked.items, pp->files_asked.count};
}

static uint32_t add_line(struct pp *pp, const char *line)
{
    return diag_add_file(pp->diag, "<command line>", line, strlen(line));
}

// "-D name" defines name as 1. A definition ends at a line end (OpenCL 5.8.4.1). Text between the name and the first
// '=' belongs to the body: -DA,B=2 is #define A ,B 2.
static void define_option(struct pp *pp, const char *text)
{
    const char *equals = strchr(text, '=');
    int name_length = (int)(equals ? (size_t)(equals - text) : strlen(text));
    const char *body = equals ? equals + 1 : "1";
    char *line =
        arena_printf(pp->arena, "%.*s %.*s", name_length, text, (int)strcspn(body, "\r\n"), body);
    pp_define_text(pp, add_line(pp, line), line);
}

static void apply_options(struct pp *pp)
{
    for (size_t i = 0; i < pp->input->define_count; i++) {
        const struct text_define *define = &pp->input->defines[i];
        if (define->kind == TEXT_DEFINE)
            define_option(pp, define->text);
        else if (define->kind == TEXT_UNDEF)
            pp_undef_text(pp, add_line(pp, define->text), define->text);
    }
}

static void pp_init(struct pp *pp, const struct text_input *input)
{
    *pp = (struct pp){.input = input, .arena = input->arena, .diag = input->diag};
    pp->max_tokens = input->max_tokens ? input->max_tokens : PP_MAX_TOKENS;
    pp->max_work = pp->max_tokens * PP_WORK_PER_TOKEN;
    if (input->target)
        pp->extensions = input->target->extensions;
    names_init(&pp->names, pp->arena, input->intern);
    pp->names.first_use = pp_predefined;
    pp->names.context = pp;
    pp->name_defined = names_get(&pp->names, "defined", 7);
    pp->name_va_args = names_get(&pp->names, "__VA_ARGS__", 11);
}

struct token_list text_preprocess(const struct text_input *input)
{
    struct pp pp;
    const struct kc_input *kc = input->input;
    pp_init(&pp, input);
    struct pp_source *main = ARENA_NEW(pp.arena, struct pp_source);
    main->name = kc->file_name ? kc->file_name : "kernel.cl";
    main->text = arena_strndup(pp.arena, kc->source, kc->length);
    main->length = kc->length;
    pp_open(&pp, main);
    apply_options(&pp);
    return collect(&pp, kc->length / 4 + 64);
}
