// SPDX-License-Identifier: Apache-2.0
// Makes nodes: folding, conversions, values used several times. Nothing is checked here.
#include "ast/sema_impl.h"
#include "util/stack.h"

struct expr *sema_fold(struct ast *ast, struct expr *a)
{
    if ((a->a && a->a->kind != EXPR_CONST) || (a->b && a->b->kind != EXPR_CONST) ||
        (a->c && a->c->kind != EXPR_CONST))
        return a;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (a->args[i]->kind != EXPR_CONST)
            return a;
    uint64_t lanes[16];
    if (!const_eval_lanes(ast, a, lanes))
        return a;
    struct expr *folded = sema_lanes(ast, a->type.type, lanes, sema_start(a));
    folded->parenthesized = a->parenthesized;
    folded->op = a->op; // for warnings
    bool infix = folded->loc.column != a->loc.column || folded->loc.line != a->loc.line;
    folded->op_line = infix ? a->loc.line : 0;
    folded->op_column = infix ? a->loc.column : 0;
    return folded;
}

struct expr *sema_convert_node(struct ast *ast, struct type *type, struct expr *a)
{
    stack_check();
    if (a->type.type == type || sema_is_error(a))
        return a;
    // Widening: convert the scalar first, so that every cast to a vector is a plain splat.
    if (type_is_vector(type) && !type_is_vector(a->type.type))
        a = sema_convert_node(ast, type->elem.type, a);
    // Integers are extended to 64 bits before conversion to pointers.
    if (type->kind == TYPE_POINTER && type_is_integer(a->type.type) && !sema_is_null(a))
        a = sema_convert_node(
            ast, type_basic(ast->types, type_is_signed(a->type.type) ? TYPE_LONG : TYPE_ULONG), a);
    struct expr *cast = sema_one(ast, EXPR_CAST, type, a, a->loc);
    cast->parenthesized = a->parenthesized;
    if (type->kind == TYPE_VOID || a->kind != EXPR_CONST)
        return cast;
    if (type->kind == TYPE_POINTER && sema_is_null(a)) {
        struct expr *null = sema_lanes(ast, type, (uint64_t[1]){0}, a->loc);
        return null;
    }
    return sema_fold(ast, cast);
}

struct expr *sema_once(struct ast *ast, struct expr *a)
{
    if (sema_is_error(a) || a->kind == EXPR_CONST || a->type.type->kind == TYPE_VOID || type_is_record(a->type.type))
        return a;
    struct expr *once = sema_one(ast, EXPR_ONCE, a->type.type, a, sema_start(a));
    once->null_constant = a->null_constant;
    return once;
}

struct expr *sema_with(struct ast *ast, struct expr *once, struct expr *a)
{
    if (once->kind != EXPR_ONCE || sema_is_error(a) || a->kind == EXPR_CONST)
        return a;
    struct expr *with = sema_one(ast, EXPR_WITH, a->type.type, once, a->loc);
    with->b = a;
    return with;
}
