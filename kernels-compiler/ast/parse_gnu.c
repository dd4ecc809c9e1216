// SPDX-License-Identifier: Apache-2.0
// Built-ins of the compiler that take types: __builtin_offsetof and others. Those that take only values are parsed as
// ordinary calls (sema_gnu.c).
#include "ast/parse.h"

// Parses the members after offsetof's comma. Returns an expression for their offset, or NULL after an error.
static struct expr *parse_offset(struct parser *p, struct qtype *type)
{
    struct ast *ast = p->ast;
    struct expr *offset = sema_const_int(ast, TYPE_ULONG, 0, p->at->loc);
    bool member = true;
    for (;;) {
        struct loc loc = p->at->loc;
        struct expr *step;
        if (member && parse_is(p, TOK_IDENTIFIER)) {
            uint64_t bytes;
            const struct field *field =
                type_is_record(type->type) ? type_find_field(type->type, p->at->text, &bytes) : NULL;
            if (!field) {
                diag_error(ast->diag, loc, "no member named '%s' in '%s'", p->at->text,
                           type_name(ast->arena, *type));
                return NULL;
            }
            parse_next(p);
            *type = field->type;
            step = sema_const_int(ast, TYPE_ULONG, bytes, loc);
        } else if (!member && type->type->kind == TYPE_ARRAY) {
            *type = type->type->elem;
            struct expr *size = sema_const_int(ast, TYPE_ULONG, type->type->size, loc);
            step = sema_binary(ast, TOK_STAR, parse_expression(p), size, loc);
            if (!parse_expect(p, TOK_RBRACKET, NULL))
                return NULL;
        } else {
            parse_error(p, loc, "expected a member");
            return NULL;
        }
        offset = sema_binary(ast, TOK_PLUS, offset, step, loc);
        member = parse_accept(p, TOK_DOT);
        if (!member && !parse_accept(p, TOK_LBRACKET))
            return offset;
    }
}

// Parses from the type of __builtin_offsetof(type, member).
static struct expr *parse_offsetof(struct parser *p, struct loc loc)
{
    struct qtype type = parse_type_name(p), at = type;
    if (!parse_expect(p, TOK_COMMA, NULL))
        return sema_error(p->ast, loc);
    struct expr *offset = parse_offset(p, &at);
    if (!offset && !p->panic)
        while (!parse_is(p, TOK_RPAREN) && !parse_is(p, TOK_SEMICOLON) && !parse_is(p, TOK_EOF))
            parse_next(p);
    return offset ? sema_offsetof(p->ast, type, offset, loc) : sema_error(p->ast, loc);
}

static struct expr *parse_types_compatible(struct parser *p, struct loc loc)
{
    struct qtype a = parse_type_name(p);
    if (!parse_expect(p, TOK_COMMA, NULL))
        return sema_error(p->ast, loc);
    struct qtype b = parse_type_name(p);
    a.quals = b.quals = a.space = b.space = 0;
    if (a.type->kind == TYPE_ERROR || b.type->kind == TYPE_ERROR)
        return sema_error(p->ast, loc);
    return sema_const_int(p->ast, TYPE_INT, type_same(a, b), loc);
}

// Parses a value and a type, in either order.
static struct expr *parse_value_and_type(struct parser *p, enum token_kind kind, struct loc loc)
{
    struct ast *ast = p->ast;
    struct qtype type;
    struct expr *value;
    if (kind == TOK_BUILTIN_BIT_CAST) {
        type = parse_type_name(p);
        parse_expect(p, TOK_COMMA, NULL);
        value = p->panic ? sema_error(ast, loc) : parse_assignment(p);
    } else {
        value = parse_assignment(p);
        parse_expect(p, TOK_COMMA, NULL);
        type = p->panic ? qtype_of(type_basic(ast->types, TYPE_ERROR)) : parse_type_name(p);
    }
    parse_height(p, p->height, 0);
    if (p->panic)
        return sema_error(ast, loc);
    return kind == TOK_BUILTIN_CONVERTVECTOR ? sema_convertvector(ast, value, type, loc)
                                             : sema_astype(ast, value, type, loc);
}

// Parses "type: value" or "default: value". A value whose type is not `wanted` is unreachable.
static struct expr *parse_association(struct parser *p, const struct type *wanted, bool *is_default)
{
    struct qtype type = {0};
    *is_default = parse_accept(p, TOK_DEFAULT);
    if (!*is_default)
        type = parse_type_name(p);
    if (!parse_expect(p, TOK_COLON, NULL))
        return NULL;
    bool matches = type.type == wanted && !type.quals, dead = p->ast->dead;
    p->ast->dead |= !matches && !*is_default;
    struct expr *value = parse_assignment(p);
    p->ast->dead = dead;
    if (matches || *is_default)
        return value;
    sema_unevaluated(p->ast, value);
    return NULL;
}

// C11's _Generic(value, type: ..., default: ...), after its parenthesis.
static struct expr *parse_generic(struct parser *p, struct loc loc)
{
    struct ast *ast = p->ast;
    struct expr *control = sema_value(ast, parse_assignment(p)), *chosen = NULL, *otherwise = NULL;
    uint32_t height = p->height;
    while (parse_accept(p, TOK_COMMA)) {
        bool is_default;
        struct loc at = p->at->loc;
        struct expr *value = parse_association(p, control->type.type, &is_default);
        height = p->height > height ? p->height : height;
        struct expr **place = is_default ? &otherwise : &chosen;
        if (value && *place)
            diag_error(ast->diag, at, "this generic association has been specified before");
        *place = value ? value : *place;
    }
    p->height = height;
    if (p->panic || sema_is_error(control))
        return sema_error(ast, loc);
    if (!chosen && !otherwise) {
        diag_error(ast->diag, loc, "controlling expression type '%s' not compatible with any generic association type",
                   type_name(ast->arena, control->type));
        return sema_error(ast, loc);
    }
    return chosen ? chosen : otherwise;
}

struct expr *parse_gnu(struct parser *p)
{
    const struct token *name = p->at;
    struct expr *expr;
    parse_next(p);
    if (!parse_is(p, TOK_LPAREN)) {
        parse_error(p, p->at->loc, "expected '(' after '%s'", name->text);
        return sema_error(p->ast, name->loc);
    }
    parse_next(p);
    if (name->kind == TOK_BUILTIN_OFFSETOF)
        expr = parse_offsetof(p, name->loc);
    else if (name->kind == TOK_GENERIC_C11)
        expr = parse_generic(p, name->loc);
    else if (name->kind == TOK_BUILTIN_TYPES_COMPATIBLE)
        expr = parse_types_compatible(p, name->loc);
    else
        expr = parse_value_and_type(p, name->kind, name->loc);
    parse_expect(p, TOK_RPAREN, NULL);
    return expr;
}
