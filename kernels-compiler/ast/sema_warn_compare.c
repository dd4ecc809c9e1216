// SPDX-License-Identifier: Apache-2.0
// Warnings about comparisons and conditions that are constant or probably mistakes; see sema_warn.c.
//
// Operands are passed as written, before lvalue conversion. Code from macros gets the same warnings as from clang: a
// macro's comparisons are often useful for other arguments.
#include "ast/sema_impl.h"
#include "util/stack.h"

#include <inttypes.h>

static bool is_relation(enum token_kind op)
{
    return op == TOK_LT || op == TOK_GT || op == TOK_LE || op == TOK_GE;
}

static bool is_equality(enum token_kind op)
{
    return op == TOK_EQ || op == TOK_NE;
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

// ---- identical operands, addresses -------------------------------------------------------------------

static bool same_object(const struct expr *a, const struct expr *b)
{
    stack_check();
    for (; a->kind == b->kind && !(a->type.quals & QUAL_VOLATILE); a = a->a, b = b->a)
        switch (a->kind) {
        case EXPR_OBJECT:
            return a->decl == b->decl;
        case EXPR_MEMBER:
            if (a->field != b->field)
                return false;
            break;
        case EXPR_CONST:
            return !type_is_vector(a->type.type) && a->lanes[0] == b->lanes[0];
        case EXPR_PTR_ADD:
            if (!same_object(a->b, b->b))
                return false;
            break;
        case EXPR_CAST:
            if (a->type.type != b->type.type)
                return false;
            break;
        case EXPR_LOAD:
        case EXPR_DECAY:
        case EXPR_DEREF:
            break;
        default:
            return false;
        }
    return false;
}

// "*p", not "p[i]": comparing it with itself is rarely a mistake.
static bool is_indirection(const struct expr *a)
{
    while (a->kind == EXPR_LOAD || a->kind == EXPR_CAST)
        a = a->a;
    return a->kind == EXPR_DEREF && !a->end.line;
}

static void warn_same(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b, struct loc loc)
{
    if (!loc.in_macro && a->kind != EXPR_CONST && !is_indirection(a) && same_object(a, b) &&
        !type_is_float(type_scalar(a->type.type)) && a->type.type->kind != TYPE_ARRAY)
        diag_warning(ast->diag, loc, "self-comparison always evaluates to %s",
                     truth(op == TOK_EQ || op == TOK_LE || op == TOK_GE));
}

// The object whose address `a` certainly is; NULL if `a` may be null.
static const struct expr *addressed(const struct expr *a)
{
    const struct expr *object = a->kind == EXPR_ADDRESS || a->kind == EXPR_DECAY ? a->a
                                : a->type.type->kind == TYPE_ARRAY               ? a
                                                                                 : NULL;
    bool known = object && (object->kind == EXPR_OBJECT || object->kind == EXPR_MEMBER) && !object->loc.in_macro;
    return known ? object : NULL;
}

static void warn_null(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b)
{
    const struct expr *object = sema_is_null(b) ? addressed(a) : NULL;
    if (!object || object->kind != EXPR_OBJECT)
        return;
    diag_warning(ast->diag, object->loc, "comparison of %s '%s' %s a null pointer is always %s",
                 a->kind == EXPR_ADDRESS ? "address of" : "array", object->decl->name,
                 op == TOK_EQ ? "equal to" : "not equal to", truth(op == TOK_NE));
}

void sema_warn_truth(struct ast *ast, const struct expr *a)
{
    const struct expr *object = addressed(a);
    if (object)
        diag_warning(ast->diag, object->loc, "address of %s'%s' will always evaluate to 'true'",
                     a->kind == EXPR_DECAY ? "array " : "",
                     object->kind == EXPR_OBJECT ? object->decl->name : object->field->name);
}

// ---- constant conditions -----------------------------------------------------------------------------

int sema_outcome(struct ast *ast, const struct expr *condition)
{
    stack_check();
    uint64_t value;
    while (condition->kind == EXPR_CAST && condition->type.type->kind == TYPE_BOOL)
        condition = condition->a;
    if (condition->kind == EXPR_LOGICAL) {
        int deciding = condition->op == EXPR_OP_OR; // value of the operand that decides: "x || 1", "x && 0"
        int left = sema_outcome(ast, condition->a), right = sema_outcome(ast, condition->b);
        return left == deciding || right == deciding ? deciding
               : left < 0 || right < 0               ? -1
                                                     : !deciding;
    }
    if (!type_is_integer(condition->type.type) || !const_eval_int(ast, condition, &value, NULL))
        return -1;
    return value != 0;
}

// ---- ranges -----------------------------------------------------------------------------------------

bool sema_is_truth(const struct expr *a)
{
    bool folded = a->kind == EXPR_CONST;
    bool made = a->kind == EXPR_LOGICAL ||
                ((a->kind == EXPR_UNARY || folded) && a->op == EXPR_OP_LNOT) ||
                ((a->kind == EXPR_BINARY || folded) && a->op >= EXPR_OP_EQ && a->op <= EXPR_OP_GE);
    return made && !type_is_vector(a->type.type);
}

// A signed or unsigned integer of up to 64 bits.
struct number {
    bool negative;
    uint64_t bits;
};

static bool less(struct number a, struct number b)
{
    return a.negative != b.negative ? a.negative : a.bits < b.bits;
}

// The range of values that `a` can have by its type.
static bool range_of(const struct expr *a, struct number *low, struct number *high)
{
    const struct type *type = a->type.type;
    if (!type_is_integer(type))
        return false;
    unsigned bits = type->kind == TYPE_BOOL || sema_is_truth(a) ? 1 : type_bits(type);
    bool is_signed = bits > 1 && type_is_signed(type);
    uint64_t most = ~UINT64_C(0) >> (64 - bits + is_signed);
    *low = (struct number){is_signed, is_signed ? ~most : 0};
    *high = (struct number){false, most};
    return true;
}

// Result of x op value for all x in a range: 0, 1, or -1 if it differs.
static int outcome(enum token_kind op, struct number low, struct number high, struct number value)
{
    bool below = less(value, low), above = less(high, value); // value is outside of the range
    switch (op) {
    case TOK_EQ: return below || above ? 0 : -1;
    case TOK_NE: return below || above ? 1 : -1;
    case TOK_LT: return above ? 1 : !less(low, value) ? 0 : -1;
    case TOK_LE: return !less(value, high) ? 1 : below ? 0 : -1;
    case TOK_GT: return below ? 1 : !less(value, high) ? 0 : -1;
    default: return !less(low, value) ? 1 : above ? 0 : -1;
    }
}

static enum token_kind swapped(enum token_kind op)
{
    switch (op) {
    case TOK_LT: return TOK_GT;
    case TOK_GT: return TOK_LT;
    case TOK_LE: return TOK_GE;
    case TOK_GE: return TOK_LE;
    default: return op;
    }
}

static void warn_range(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b, struct loc loc)
{
    struct number low, high;
    uint64_t bits;
    if (ast->dead || b->kind != EXPR_CONST || a->kind == EXPR_CONST ||
        !type_is_integer(b->type.type) || !range_of(a, &low, &high) ||
        !const_eval_int(ast, b, &bits, NULL))
        return;
    struct type *ta = a->type.type, *common = sema_common_scalar(ast, ta, b->type.type);
    if (type_is_signed(ta) && !type_is_signed(common))
        return; // negative values are converted to large ones
    struct expr *converted = sema_convert_node(ast, common, (struct expr *)(uintptr_t)b);
    if (!const_eval_int(ast, converted, &bits, NULL))
        return;
    struct number value = {type_is_signed(common) && (int64_t)bits < 0, bits};
    bool inside = !less(value, low) && !less(high, value), is_bool = !high.negative && high.bits == 1;
    int result = outcome(op, low, high, value);
    if (result < 0 || (inside && (!is_bool || b->loc.in_macro || b->enumerator)))
        return;
    const char *number = arena_printf(ast->arena, value.negative ? "%" PRId64 : "%" PRIu64, bits);
    const char *what = sema_is_truth(a) ? "boolean expression"
                                   : arena_printf(ast->arena, "expression of type %s", sema_value_text(ast, a));
    diag_warning(ast->diag, loc, "result of comparison of constant %s with %s is always %s", number, what,
                 truth(result));
}

// ---- comparisons ------------------------------------------------------------------------------------

void sema_warn_compare(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b, struct loc loc)
{
    if (!is_relation(op) && !is_equality(op))
        return;
    bool chained = a->kind == EXPR_BINARY && a->op >= EXPR_OP_LT && a->op <= EXPR_OP_GE && !a->parenthesized;
    if (is_relation(op) && chained && !type_is_vector(a->type.type))
        diag_warning(ast->diag, loc, "comparisons like 'X<=Y<=Z' don't have their mathematical meaning");
    if ((a->kind == EXPR_STRING && !sema_is_null(b)) || (b->kind == EXPR_STRING && !sema_is_null(a)))
        diag_warning(ast->diag, loc, "result of comparison against a string literal is unspecified");
    const struct type *x = a->type.type, *y = b->type.type;
    if (x->kind == TYPE_ENUM && y->kind == TYPE_ENUM && x != y)
        diag_warning(ast->diag, loc, "comparison of different enumeration types (%s and %s)", sema_value_text(ast, a),
                     sema_value_text(ast, b));
    warn_same(ast, op, a, b, loc);
    if (is_equality(op)) {
        warn_null(ast, op, a, b);
        warn_null(ast, op, b, a);
    }
    warn_range(ast, op, a, b, loc);
    warn_range(ast, swapped(op), b, a, loc);
}

// ---- && and || ---------------------------------------------------------------------------------------

// A constant other than 0 and 1 as an operand of && or ||: & or | was probably intended.
void sema_warn_logical(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b, struct loc loc)
{
    const struct type *type = a->type.type;
    bool wanted = op == TOK_AMP_AMP || op == TOK_PIPE_PIPE;
    if (wanted && type_is_integer(type) && type->kind != TYPE_BOOL && b->kind == EXPR_CONST && !b->enumerator &&
        type_is_integer(b->type.type) && b->lanes[0] > 1)
        diag_warning(ast->diag, loc, "use of logical '%s' with constant operand", op == TOK_AMP_AMP ? "&&" : "||");
}

// ---- conditions ---------------------------------------------------------------------------------------

// ((a == b)): the extra parentheses suggest that a = b was intended.
static bool is_extraneous(const struct expr *a)
{
    if (!a->parenthesized || a->kind != EXPR_BINARY || a->op != EXPR_OP_EQ || a->loc.in_macro)
        return false;
    const struct expr *left = a->a;
    while (left->kind == EXPR_CAST)
        left = left->a;
    return left->kind == EXPR_LOAD && !(left->a->type.quals & QUAL_CONST) && left->a->type.space != SPACE_CONSTANT;
}

void sema_warn_condition(struct ast *ast, const struct expr *a)
{
    if ((a->kind == EXPR_ASSIGN || (a->kind == EXPR_ASSIGN_OP && a->op == EXPR_OP_OR)) && !a->parenthesized)
        diag_warning(ast->diag, a->loc, "using the result of an assignment as a condition without parentheses");
    if (is_extraneous(a))
        diag_warning(ast->diag, a->loc, "equality comparison with extraneous parentheses");
}
