// SPDX-License-Identifier: Apache-2.0
// The parser's driver: the token cursor, syntax errors and recovery, and ast_parse.
#include "ast/parse.h"
#include "text/token.h"
#include "util/stack.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void ast_enter(struct ast *ast, struct loc loc)
{
    stack_check();
    if (++ast->depth <= PARSE_MAX_DEPTH)
        return;
    if (ast->function)
        diag_fatal(ast->diag, loc, "nested too deeply: more than %d levels in function '%s'", PARSE_MAX_DEPTH, ast->function->name);
    diag_fatal(ast->diag, loc, "nested too deeply: more than %d levels", PARSE_MAX_DEPTH);
}

void ast_leave(struct ast *ast)
{
    ast->depth--;
}

// Extension pragmas may occur between any two tokens.
static void apply_extension_pragmas(struct parser *p)
{
    static const char prefix[] = "OPENCL EXTENSION ";
    for (; p->at->kind == TOK_PRAGMA && !strncmp(p->at->text, prefix, sizeof prefix - 1); p->at++) {
        const char *name = p->at->text + sizeof prefix - 1;
        size_t length = strcspn(name, " ");
        bool enable = !strcmp(name + length, " : enable");
        if (!strncmp(name, "cl_clang_storage_class_specifiers", length))
            p->ast->storage_classes = enable;
        else
            p->ast->fp16_disabled = !enable;
    }
}

void parse_next(struct parser *p)
{
    p->prev = p->at;
    if (p->at->kind == TOK_EOF)
        return;
    p->at++;
    if (p->at->kind == TOK_PRAGMA)
        apply_extension_pragmas(p);
}

bool parse_accept(struct parser *p, enum token_kind kind)
{
    if (p->at->kind != kind)
        return false;
    parse_next(p);
    return true;
}

void parse_error(struct parser *p, struct loc loc, const char *format, ...)
{
    if (p->panic)
        return;
    p->panic = true;
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    diag_error(p->ast->diag, loc, "%s", message);
}

struct loc parse_end_of_prev(const struct parser *p)
{
    struct loc loc = p->prev->loc;
    loc.column += p->prev->length;
    return loc;
}

bool parse_expect(struct parser *p, enum token_kind kind, const char *where)
{
    if (p->panic)
        return false;
    if (parse_accept(p, kind))
        return true;
    // Report a missing ';' at the end of the previous token, not on the next line.
    struct loc loc = kind == TOK_SEMICOLON ? parse_end_of_prev(p) : p->at->loc;
    if (kind == TOK_IDENTIFIER)
        parse_error(p, loc, "expected identifier%s%s", where ? " " : "", where ? where : "");
    else
        parse_error(p, loc, "expected '%s'%s%s", token_spelling(kind), where ? " " : "", where ? where : "");
    return false;
}

static bool starts_statement(enum token_kind kind)
{
    switch (kind) {
    case TOK_IF: case TOK_FOR: case TOK_WHILE: case TOK_DO: case TOK_SWITCH: case TOK_RETURN:
    case TOK_BREAK: case TOK_CONTINUE: case TOK_CASE: case TOK_DEFAULT: case TOK_GOTO: case TOK_KERNEL:
    case TOK_KERNEL2:
        return true;
    default:
        return false;
    }
}

void parse_synchronize(struct parser *p)
{
    p->panic = false;
    uint32_t depth = 0;
    for (; !parse_is(p, TOK_EOF); parse_next(p)) {
        if (parse_is(p, TOK_LBRACE)) {
            depth++;
        } else if (parse_is(p, TOK_RBRACE)) {
            if (!depth)
                return;
            if (!--depth) {
                parse_next(p);
                parse_accept(p, TOK_SEMICOLON);
                return;
            }
        } else if (!depth && parse_is(p, TOK_SEMICOLON)) {
            parse_next(p);
            return;
        } else if (!depth && p->at->line_start && starts_statement(p->at->kind)) {
            return;
        }
    }
}

void parse_close_header(struct parser *p)
{
    if (!p->panic && !parse_is(p, TOK_RPAREN))
        parse_error(p, p->at->loc, "expected ')'");
    uint32_t depth = 0;
    for (; p->panic; parse_next(p)) {
        if (parse_is(p, TOK_LPAREN))
            depth++;
        else if (parse_is(p, TOK_RPAREN) && !depth--)
            break;
        else if (parse_is(p, TOK_LBRACE) || parse_is(p, TOK_RBRACE) || parse_is(p, TOK_EOF))
            break;
    }
    if (parse_is(p, TOK_RPAREN)) {
        p->panic = false;
        parse_next(p);
    } else if (parse_is(p, TOK_LBRACE)) {
        p->panic = false;
    }
}

void parse_close_brace(struct parser *p)
{
    if (!p->panic && !parse_is(p, TOK_RBRACE))
        parse_error(p, p->at->loc, "expected '}'");
    uint32_t depth = 0;
    for (; p->panic && !parse_is(p, TOK_EOF); parse_next(p)) {
        if (parse_is(p, TOK_LBRACE))
            depth++;
        else if (parse_is(p, TOK_RBRACE) && !depth--)
            break;
    }
    parse_accept(p, TOK_RBRACE);
}

void parse_height(struct parser *p, uint32_t left, uint32_t right)
{
    p->height = (left > right ? left : right) + 1;
    if (p->height > PARSE_MAX_HEIGHT)
        diag_fatal(p->ast->diag, p->at->loc, "expression too complex: more than %d operators deep",
                   PARSE_MAX_HEIGHT);
}

// ---- pragmas ---------------------------------------------------------------------------------------

static const char *word(const char *text, const char *expected)
{
    while (*text == ' ' || *text == '\t')
        text++;
    size_t length = strlen(expected);
    if (strncmp(text, expected, length) || (text[length] && !strchr(" \t(", text[length])))
        return NULL;
    return text + length;
}

static int32_t unroll_count(const char *text)
{
    text += strspn(text, " \t(");
    if (*text < '0' || *text > '9')
        return -1;
    unsigned long count = strtoul(text, NULL, 0);
    return count <= 1 ? 1 : count > INT32_MAX ? -1 : (int32_t)count;
}

void parse_pragma(struct parser *p, int32_t *unroll)
{
    const char *text = p->at->text, *rest;
    struct loc loc = p->at->loc;
    parse_next(p);
    if ((rest = word(text, "unroll"))) {
        *unroll = unroll_count(rest);
    } else if (word(text, "nounroll")) {
        *unroll = 1;
    } else {
        rest = word(text, "OPENCL");
        if (!rest)
            rest = word(text, "STDC");
        rest = rest ? word(rest, "FP_CONTRACT") : NULL;
        if (rest && (word(rest, "ON") || word(rest, "DEFAULT")))
            p->ast->fp_contract = true;
        else if (rest && word(rest, "OFF"))
            p->ast->fp_contract = false;
        else
            diag_warning(p->ast->diag, loc, "expected 'ON' or 'OFF' or 'DEFAULT' in pragma");
    }
}

// ---- the translation unit --------------------------------------------------------------------------

struct ast *ast_create(struct arena *arena, struct intern *intern, struct diag *diag, const struct kc_target *target,
                       const struct ast_options *options)
{
    struct ast *ast = ARENA_NEW(arena, struct ast);
    *ast = (struct ast){.arena = arena, .intern = intern, .diag = diag, .target = target};
    ast->version = options->version;
    ast->single_precision_constant = options->single_precision_constant;
    ast->fp_contract = options->fp_contract;
    ast->unsafe_math = options->unsafe_math;
    ast->library = options->library;
    ast->separate = options->separate;
    ast->all_orders = options->all_orders;
    ast->types = ARENA_NEW(arena, struct types);
    ast->unit = ARENA_NEW(arena, struct unit);
    ast->unit->ast = ast;
    types_init(ast->types, arena, intern, kc_pointer_bytes(ast->target));
    scope_push(ast);
    return ast;
}

struct unit *ast_parse(struct arena *arena, struct intern *intern, struct diag *diag, const struct kc_target *target,
                       const struct ast_options *options, const struct token_list *tokens)
{
    struct ast *ast = ast_create(arena, intern, diag, target, options);
    struct parser p = {.ast = ast, .at = tokens->items, .prev = tokens->items};
    apply_extension_pragmas(&p);
    while (!parse_is(&p, TOK_EOF))
        parse_external(&p);
    parse_check_calls(&p);
    return ast->unit;
}
