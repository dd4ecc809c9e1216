// SPDX-License-Identifier: Apache-2.0
// Warnings about what is allowed but hardly meant, those that clang gives unasked, at the places it gives them.
//
// Each looks at nodes just made and changes nothing; where a case is not clear it says nothing.
#include "ast/sema_impl.h"

#include <inttypes.h>

// ---- values --------------------------------------------------------------------------------------

static bool is_comparison(const struct expr *a)
{
    return a->kind == EXPR_BINARY && a->op >= EXPR_OP_EQ && a->op <= EXPR_OP_GE;
}

void sema_warn_unused(struct ast *ast, const struct expr *a)
{
    static const char *const comparisons[] = {
        [EXPR_OP_EQ - EXPR_OP_EQ] = "equality", [EXPR_OP_NE - EXPR_OP_EQ] = "inequality"};
    while (a->kind == EXPR_COMMA)
        a = a->b;
    if (is_comparison(a))
        diag_warning(ast->diag, a->loc, "%s comparison result unused",
                     a->op <= EXPR_OP_NE ? comparisons[a->op - EXPR_OP_EQ] : "relational");
    else if ((a->kind == EXPR_BINARY && type_is_arithmetic(type_scalar(a->type.type))) || a->kind == EXPR_UNARY ||
             a->kind == EXPR_CONST || a->kind == EXPR_PTR_ADD ||
             (a->kind == EXPR_OBJECT && !(a->type.quals & QUAL_VOLATILE)))
        diag_warning(ast->diag, a->loc, "expression result unused");
}

void sema_warn_condition(struct ast *ast, const struct expr *a)
{
    if ((a->kind == EXPR_ASSIGN || (a->kind == EXPR_ASSIGN_OP && a->op == EXPR_OP_OR)) && !a->parenthesized)
        diag_warning(ast->diag, a->loc, "using the result of an assignment as a condition without parentheses");
}

// ---- operators -----------------------------------------------------------------------------------

static bool overflows(enum token_kind op, unsigned bits, int64_t x, int64_t y, int64_t *result)
{
    bool over = op == TOK_PLUS    ? __builtin_add_overflow(x, y, result)
                : op == TOK_MINUS ? __builtin_sub_overflow(x, y, result)
                                  : __builtin_mul_overflow(x, y, result);
    int64_t wrapped = (int64_t)((uint64_t)*result << (64 - bits)) >> (64 - bits);
    over |= wrapped != *result;
    *result = wrapped;
    return over;
}

static void warn_overflow(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b,
                          struct loc loc)
{
    struct type *type = a->type.type, *other = b->type.type;
    uint64_t x, y;
    int64_t result;
    bool asked = op == TOK_PLUS || op == TOK_MINUS || op == TOK_STAR;
    if (!asked || a->kind != EXPR_CONST || b->kind != EXPR_CONST || !type_is_integer(type) ||
        !type_is_integer(other) || !const_eval_int(ast, a, &x, NULL) || !const_eval_int(ast, b, &y, NULL))
        return;
    type = sema_common_scalar(ast, sema_promoted(ast, type), sema_promoted(ast, other));
    if (type_is_signed(type) && overflows(op, type_bits(type), (int64_t)x, (int64_t)y, &result))
        diag_warning(ast->diag, loc, "overflow in expression; result is %" PRId64 " with type '%s'", result,
                     type_name(ast->arena, qtype_of(type)));
}

static const char *bitwise_name(enum token_kind op)
{
    return op == TOK_AMP ? "&" : op == TOK_PIPE ? "|" : op == TOK_CARET ? "^" : NULL;
}

static const char *comparison_name(enum expr_op op)
{
    static const char *const names[] = {"==", "!=", "<", "<=", ">", ">="};
    return names[op - EXPR_OP_EQ];
}

static void warn_precedence(struct ast *ast, enum token_kind op, const struct expr *a, struct loc loc)
{
    const char *bitwise = bitwise_name(op);
    if (a->parenthesized || a->kind != EXPR_BINARY)
        return;
    if (bitwise && is_comparison(a))
        diag_warning(ast->diag, loc, "%s has lower precedence than %s; %s will be evaluated first", bitwise,
                     comparison_name(a->op), comparison_name(a->op));
    bool sum = a->op == EXPR_OP_ADD || a->op == EXPR_OP_SUB;
    if ((op == TOK_SHL || op == TOK_SHR) && sum)
        diag_warning(ast->diag, a->loc, "operator '%s' has lower precedence than '%s'; '%s' will be evaluated first",
                     op == TOK_SHL ? "<<" : ">>", a->op == EXPR_OP_ADD ? "+" : "-", a->op == EXPR_OP_ADD ? "+" : "-");
}

void sema_warn_binary(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b,
                      struct loc loc)
{
    warn_overflow(ast, op, a, b, loc);
    warn_precedence(ast, op, a, loc);
    warn_precedence(ast, op, b, loc);
    bool compares = op == TOK_EQ || op == TOK_NE || op == TOK_LT || op == TOK_GT || op == TOK_LE || op == TOK_GE;
    if (sema_is_error(a) || sema_is_error(b))
        return;
    bool negated = a->kind == EXPR_UNARY && a->op == EXPR_OP_LNOT && !a->parenthesized;
    bool truth = b->kind == EXPR_LOGICAL || is_comparison(b) || (b->kind == EXPR_UNARY && b->op == EXPR_OP_LNOT) ||
                 type_scalar(b->type.type)->kind == TYPE_BOOL;
    if (compares && negated && !truth)
        diag_warning(ast->diag, a->loc, "logical not is only applied to the left hand side of this comparison");
    if (op == TOK_COMMA && (a->kind == EXPR_CONST || a->kind == EXPR_BINARY ||
                            (a->kind == EXPR_OBJECT && !(a->type.quals & QUAL_VOLATILE))))
        diag_warning(ast->diag, a->loc, "left operand of comma operator has no effect");
}

// ---- conversions ---------------------------------------------------------------------------------

static const char *number_text(struct ast *ast, const struct expr *a)
{
    uint64_t value;
    struct type *type = a->type.type;
    if (!const_eval_int(ast, a, &value, NULL))
        return NULL;
    return type_is_signed(type) ? arena_printf(ast->arena, "%" PRId64, (int64_t)value)
                                : arena_printf(ast->arena, "%" PRIu64, value);
}

static void warn_integer(struct ast *ast, struct type *type, const struct expr *a, struct loc loc)
{
    struct expr *converted = sema_convert_node(ast, type, (struct expr *)(uintptr_t)a);
    uint64_t before, after;
    if (converted->kind != EXPR_CONST || type_bits(type) >= type_bits(a->type.type) ||
        !const_eval_int(ast, a, &before, NULL) || !const_eval_int(ast, converted, &after, NULL) || before == after)
        return;
    bool negative = type_is_signed(a->type.type) && (int64_t)before < 0;
    if (negative && !type_is_signed(type) && (int64_t)before >= -(INT64_C(1) << (type_bits(type) - 1)))
        return; // all of its bits are kept
    diag_warning(ast->diag, loc, "implicit conversion from '%s' to '%s' changes value from %s to %s",
                 type_name(ast->arena, qtype_of(a->type.type)), type_name(ast->arena, qtype_of(type)),
                 number_text(ast, a), number_text(ast, converted));
}

void sema_warn_conversion(struct ast *ast, struct type *type, const struct expr *a, struct loc loc)
{
    struct type *from = a->type.type;
    if (a->kind != EXPR_CONST || !type_is_integer(type) || type->kind == TYPE_BOOL || !type_is_arithmetic(from))
        return;
    if (type_is_integer(from)) {
        warn_integer(ast, type, a, loc);
        return;
    }
    struct type *wide = type_basic(ast->types, TYPE_LONG);
    struct expr *whole = sema_convert_node(ast, wide, (struct expr *)(uintptr_t)a);
    struct expr *back = sema_convert_node(ast, from, whole);
    if (back->kind != EXPR_CONST || back->lanes[0] != a->lanes[0])
        diag_warning(ast->diag, loc, "implicit conversion from '%s' to '%s' changes the value",
                     type_name(ast->arena, qtype_of(from)), type_name(ast->arena, qtype_of(type)));
}

void sema_warn_cast(struct ast *ast, struct type *to, const struct expr *a, struct loc loc)
{
    const struct type *from = a->type.type;
    bool narrows = type_is_integer(to) && to->kind != TYPE_BOOL && from->kind == TYPE_POINTER && to->size < from->size;
    bool widens = to->kind == TYPE_POINTER && type_is_integer((struct type *)(uintptr_t)from) && from->size < to->size;
    if (narrows)
        diag_warning(ast->diag, loc, "cast to smaller integer type %s from %s", sema_type_text(ast, qtype_of(to)),
                     sema_value_text(ast, a));
    if (widens && a->kind != EXPR_CONST)
        diag_warning(ast->diag, loc, "cast to %s from smaller integer type %s", sema_type_text(ast, qtype_of(to)),
                     sema_value_text(ast, a));
}

// ---- objects -------------------------------------------------------------------------------------

// An element that is read or written: of an array with a name, at a constant index.
void sema_warn_bounds(struct ast *ast, const struct expr *element)
{
    const struct expr *sum = element->kind == EXPR_DEREF ? element->a : NULL;
    uint64_t index;
    if (!sum || sum->kind != EXPR_PTR_ADD || sum->a->kind != EXPR_DECAY || sum->a->a->kind != EXPR_OBJECT ||
        sum->b->kind != EXPR_CONST || !const_eval_int(ast, sum->b, &index, NULL))
        return;
    struct qtype array = sum->a->a->type;
    if (array.type->incomplete || index < array.type->count)
        return;
    array.space = SPACE_PRIVATE;
    if ((int64_t)index < 0)
        diag_warning(ast->diag, sum->loc, "array index %" PRId64 " is before the beginning of the array",
                     (int64_t)index);
    else
        diag_warning(ast->diag, sum->loc, "array index %" PRIu64 " is past the end of the array (that has type %s)",
                     index, sema_type_text(ast, array));
}

void sema_warn_return(struct ast *ast, const struct expr *value)
{
    if (value->kind == EXPR_COND) {
        sema_warn_return(ast, value->b);
        sema_warn_return(ast, value->c);
        return;
    }
    const struct expr *place = value->kind == EXPR_ADDRESS ? value->a : value->kind == EXPR_DECAY ? value->a : NULL;
    while (place && place->kind == EXPR_MEMBER && place->a->lvalue)
        place = place->a;
    if (place && place->kind == EXPR_OBJECT && !place->decl->file_scope && place->type.space == SPACE_PRIVATE &&
        place->decl->storage != STORAGE_STATIC)
        diag_warning(ast->diag, place->loc, "address of stack memory associated with %s '%s' returned",
                     place->decl->kind == DECL_PARAMETER ? "parameter" : "local variable", place->decl->name);
}

// ---- the end of a function -----------------------------------------------------------------------

struct flow {
    bool falls, breaks, continues, unclear; // unclear: labels and jumps to them
    bool returns;                // some path gives a value
};

static void join(struct flow *into, const struct flow *part)
{
    into->breaks |= part->breaks;
    into->continues |= part->continues;
    into->unclear |= part->unclear;
    into->returns |= part->returns;
}

static bool is_true(const struct stmt *loop)
{
    return !loop->expr || (loop->expr->kind == EXPR_CONST && loop->expr->lanes[0]);
}

static struct flow flow_of(const struct stmt *stmt);

static struct flow flow_of_list(const struct stmt *stmt)
{
    struct flow flow = {.falls = true};
    for (; stmt; stmt = stmt->next) {
        struct flow part = flow_of(stmt);
        join(&flow, &part);
        // A case label is reached from its switch, whatever stands before it.
        flow.falls = stmt->kind == STMT_CASE ? part.falls : flow.falls && part.falls;
    }
    return flow;
}

static bool has_default(const struct stmt *stmt)
{
    for (stmt = stmt && stmt->kind == STMT_COMPOUND ? stmt->first : stmt; stmt; stmt = stmt->next)
        for (const struct stmt *label = stmt; label && label->kind == STMT_CASE; label = label->body)
            if (label->is_default)
                return true;
    return false;
}

static struct flow flow_of(const struct stmt *stmt)
{
    struct flow flow = {.falls = true}, part;
    if (!stmt) // an error was there
        return (struct flow){.unclear = true};
    switch (stmt->kind) {
    case STMT_COMPOUND:
        return flow_of_list(stmt->first);
    case STMT_RETURN:
        return (struct flow){.returns = true};
    case STMT_BREAK:
        return (struct flow){.breaks = true};
    case STMT_CONTINUE:
        return (struct flow){.continues = true};
    case STMT_LABEL:
    case STMT_GOTO:
        return (struct flow){.unclear = true};
    case STMT_CASE:
        return stmt->body ? flow_of(stmt->body) : flow;
    case STMT_IF:
        flow = flow_of(stmt->body);
        part = stmt->else_body ? flow_of(stmt->else_body) : (struct flow){.falls = true};
        join(&flow, &part);
        flow.falls |= part.falls;
        return flow;
    case STMT_WHILE:
    case STMT_FOR:
    case STMT_DO:
        part = flow_of(stmt->body);
        flow.falls = part.breaks || !is_true(stmt);
        if (stmt->kind == STMT_DO) // the condition is asked at the end
            flow.falls = part.breaks || ((part.falls || part.continues) && !is_true(stmt));
        part.breaks = part.continues = false;
        join(&flow, &part);
        return flow;
    case STMT_SWITCH:
        part = flow_of(stmt->body);
        flow.falls = part.falls || part.breaks || !has_default(stmt->body);
        part.breaks = false;
        join(&flow, &part);
        return flow;
    case STMT_EXPR: // statements in expressions
        flow.unclear = stmt->expr && stmt->expr->kind == EXPR_STATEMENT;
        return flow;
    default:
        return flow;
    }
}

void sema_warn_end(struct ast *ast, const struct decl *function, struct loc end)
{
    enum type_kind result = function->type.type->elem.type->kind;
    if (result == TYPE_VOID || result == TYPE_ERROR)
        return;
    struct flow flow = flow_of(function->body);
    if (flow.falls && !flow.unclear)
        diag_warning(ast->diag, end, "non-void function does not return a value%s",
                     flow.returns ? " in all control paths" : "");
}
