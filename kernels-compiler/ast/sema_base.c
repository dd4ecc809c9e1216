// SPDX-License-Identifier: Apache-2.0
// Base of sema: makes and classifies nodes, describes them in messages, implements type rules.
#include "ast/sema_base.h"
#include "ast/types.h"
#include "util/stack.h"

// ---- nodes -------------------------------------------------------------------------------------

struct qtype sema_basic(struct ast *ast, enum type_kind kind)
{
    return qtype_of(type_basic(ast->types, kind));
}

struct expr *sema_new(struct ast *ast, enum expr_kind kind, struct qtype type, struct loc loc)
{
    struct expr *expr = ARENA_NEW(ast->arena, struct expr);
    expr->kind = kind;
    expr->type = type;
    expr->loc = loc;
    return expr;
}

struct expr *sema_error(struct ast *ast, struct loc loc)
{
    return sema_new(ast, EXPR_ERROR, sema_basic(ast, TYPE_ERROR), loc);
}

bool sema_is_error(const struct expr *expr)
{
    return expr->type.type->kind == TYPE_ERROR;
}

struct expr *sema_one(struct ast *ast, enum expr_kind kind, struct type *type, struct expr *a,
                      struct loc loc)
{
    struct expr *expr = sema_new(ast, kind, qtype_of(type), loc);
    expr->a = a;
    return expr;
}

struct expr *sema_lanes(struct ast *ast, struct type *type, const uint64_t *lanes, struct loc loc)
{
    struct expr *expr = sema_new(ast, EXPR_CONST, qtype_of(type), loc);
    expr->lanes = arena_copy(ast->arena, lanes, sizeof *lanes * type_lanes(type));
    expr->null_constant = type_is_integer(type) && lanes[0] == 0;
    return expr;
}

struct expr *sema_const_int(struct ast *ast, enum type_kind kind, uint64_t value, struct loc loc)
{
    struct type *type = type_basic(ast->types, kind);
    unsigned bits = type_bits(type);
    if (bits < 64)
        value &= (UINT64_C(1) << bits) - 1;
    return sema_lanes(ast, type, &value, loc);
}

// ---- predicates --------------------------------------------------------------------------------

bool sema_is_pointer(const struct expr *a)
{
    return a->type.type->kind == TYPE_POINTER;
}

bool sema_is_null(const struct expr *a)
{
    return a->null_constant;
}

struct expr *sema_unwidened(struct expr *a)
{
    return a->widened ? a->a : a;
}

// Start of an expression's text, for diagnostics about a whole operand.
struct loc sema_start(const struct expr *a)
{
    stack_check();
    for (;;) {
        bool left = false;
        switch (a->kind) {
        case EXPR_LOAD:
        case EXPR_DECAY:
        case EXPR_MEMBER:
        case EXPR_SWIZZLE:
        case EXPR_LANE:
        case EXPR_BINARY:
        case EXPR_LOGICAL:
        case EXPR_PTR_ADD:
        case EXPR_PTR_DIFF:
        case EXPR_ASSIGN:
        case EXPR_ASSIGN_OP:
        case EXPR_COND:
        case EXPR_VECTOR_COND:
        case EXPR_COMMA:
            left = a->a != NULL;
            break;
        case EXPR_INCDEC:
            left = !a->prefix;
            break;
        case EXPR_DEREF: // a[i]; *p starts with its operator
            left = a->a->kind == EXPR_PTR_ADD && a->a->loc.column == a->loc.column;
            break;
        default:
            break;
        }
        if (!left || a->parenthesized)
            return a->loc;
        struct loc below = sema_start(a->a);
        bool earlier = below.file == a->loc.file &&
                       (below.line < a->loc.line ||
                        (below.line == a->loc.line && below.column < a->loc.column));
        return earlier ? below : a->loc;
    }
}

struct loc sema_place(const struct expr *a)
{
    struct loc loc = a->loc;
    if (a->kind != EXPR_CONST || !a->op_line)
        return loc;
    loc.line = a->op_line;
    loc.column = a->op_column;
    return loc;
}

// ---- descriptions for messages -----------------------------------------------------------------

const char *sema_type_text(struct ast *ast, struct qtype type)
{
    struct str text;
    str_init(&text, ast->arena);
    str_addc(&text, '\'');
    type_print(&text, type);
    str_addc(&text, '\'');
    if (type_is_vector(type.type)) {
        str_printf(&text, " (vector of %u '", type_lanes(type.type));
        type_print(&text, type.type->elem);
        str_add(&text, "' values)");
    }
    return text.text;
}

const char *sema_value_text(struct ast *ast, const struct expr *a)
{
    struct qtype type = a->type;
    type.space = SPACE_PRIVATE;
    return sema_type_text(ast, type);
}

// ---- type rules --------------------------------------------------------------------------------

struct type *sema_promoted(struct ast *ast, struct type *type)
{
    struct type *scalar = type_scalar(type);
    if (type_is_vector(type) || !type_is_integer(type))
        return type;
    return type_bits(scalar) < 32 ? type_basic(ast->types, TYPE_INT) : scalar;
}

int sema_rank(const struct type *type)
{
    static const int8_t rank[TYPE_KIND_COUNT] = {
        [TYPE_BOOL] = 1,   [TYPE_CHAR] = 2, [TYPE_UCHAR] = 2, [TYPE_SHORT] = 3,
        [TYPE_USHORT] = 3, [TYPE_INT] = 4,  [TYPE_UINT] = 4,  [TYPE_LONG] = 5,
        [TYPE_ULONG] = 5,  [TYPE_HALF] = 6, [TYPE_FLOAT] = 7, [TYPE_DOUBLE] = 8,
    };
    return rank[type->kind == TYPE_ENUM ? type->elem.type->kind : type->kind];
}

struct type *sema_common_scalar(struct ast *ast, struct type *a, struct type *b)
{
    a = sema_promoted(ast, a);
    b = sema_promoted(ast, b);
    int rank_a = sema_rank(a), rank_b = sema_rank(b);
    if (rank_a != rank_b)
        return rank_a > rank_b ? a : b;
    return type_is_signed(a) ? b : a;
}

struct type *sema_signed_like(struct ast *ast, const struct type *type)
{
    unsigned bits = type_bits(type_scalar((struct type *)type));
    enum type_kind kind = bits == 8    ? TYPE_CHAR
                          : bits == 16 ? TYPE_SHORT
                          : bits == 32 ? TYPE_INT
                                       : TYPE_LONG;
    return type_vector(ast->types, type_basic(ast->types, kind), type_lanes(type));
}

bool sema_space_fits(const struct ast *ast, unsigned to, unsigned from)
{
    (void)ast;
    return to == from || (to == SPACE_GENERIC && from != SPACE_CONSTANT);
}

bool sema_spaces_meet(const struct ast *ast, unsigned a, unsigned b)
{
    return sema_space_fits(ast, a, b) || sema_space_fits(ast, b, a);
}

bool sema_same_unqualified(struct type *a, struct type *b)
{
    stack_check();
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    if (a->kind == TYPE_ARRAY)
        return (a->incomplete || b->incomplete || a->count == b->count) &&
               sema_same_unqualified(a->elem.type, b->elem.type);
    return a->kind == TYPE_POINTER && a->elem.space == b->elem.space &&
           a->elem.quals == b->elem.quals && sema_same_unqualified(a->elem.type, b->elem.type);
}
