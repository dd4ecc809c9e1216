// SPDX-License-Identifier: Apache-2.0
// Overload resolution.
//
// A simplified form of C++'s: each argument ranks exact < promotion < conversion < widening (scalar to vector) < what
// C allows with a warning (a pointer to another type, or one that drops const). The best candidate is at no
// argument worse than any other, and better at one.
#include "ast/overload.h"
#include "ast/sema_base.h"
#include "ast/types.h"

static enum overload_fit fit_pointer(struct ast *ast, const struct type *param, const struct expr *arg)
{
    if (sema_is_null(arg))
        return FIT_CONVERSION;
    if (!sema_is_pointer(arg))
        return FIT_NONE;
    struct qtype to = param->elem, from = arg->type.type->elem;
    if (!sema_space_fits(ast, to.space, from.space))
        return FIT_NONE;
    bool same = sema_same_unqualified(to.type, from.type);
    if (!same && to.type->kind != TYPE_VOID && from.type->kind != TYPE_VOID)
        return FIT_WRONG_POINTEE;
    if (from.quals & ~to.quals & QUAL_CONST)
        return FIT_WRONG_POINTEE;
    bool exact = same && to.space == from.space && !(from.quals & ~to.quals & QUAL_VOLATILE);
    return exact ? FIT_EXACT : FIT_CONVERSION;
}

static bool promotes(struct ast *ast, struct type *to, struct type *from)
{
    if (type_is_integer(from))
        return sema_promoted(ast, from) == to || type_scalar(from) == to;
    return (from->kind == TYPE_FLOAT && to->kind == TYPE_DOUBLE) ||
           (from->kind == TYPE_HALF && to->kind == TYPE_FLOAT);
}

enum overload_fit overload_fit(struct ast *ast, struct qtype param, const struct expr *arg)
{
    struct type *to = param.type, *from = arg->type.type;
    if (to == from && !arg->widened)
        return param.access == arg->type.access ? FIT_EXACT : FIT_NONE;
    if (to->kind == TYPE_POINTER)
        return fit_pointer(ast, to, arg);
    if (type_is_small_float(to) && type_is_arithmetic(from))
        return arg->widened && arg->a->type.type == to ? FIT_EXACT : FIT_CONVERSION;
    if (type_is_arithmetic(to) && type_is_arithmetic(from))
        return (arg->widened ? to == from : promotes(ast, to, from)) ? FIT_PROMOTION : FIT_CONVERSION;
    if (type_is_vector(to) && type_is_arithmetic(from))
        return FIT_WIDENING;
    if (to->kind == TYPE_OPAQUE && to->opaque == OPAQUE_SAMPLER && type_is_integer(from))
        return FIT_CONVERSION;
    if (to->kind == TYPE_OPAQUE && (to->opaque == OPAQUE_EVENT || to->opaque == OPAQUE_QUEUE) && sema_is_null(arg))
        return FIT_CONVERSION;
    return FIT_NONE;
}

static bool viable(struct ast *ast, const struct candidate *c, struct expr **args, uint32_t count)
{
    if (count < c->param_count || (count > c->param_count && !c->variadic))
        return false;
    for (uint32_t i = 0; i < c->param_count; i++)
        if (overload_fit(ast, c->params[i], args[i]) == FIT_NONE)
            return false;
    return true;
}

// < 0: a is better; > 0: b is better; 0: neither.
static int compare_candidates(struct ast *ast, const struct candidate *a, const struct candidate *b,
                              struct expr **args, uint32_t count)
{
    bool a_better = false, b_better = false, a_right = false, b_right = false;
    for (uint32_t i = 0; i < count; i++) {
        int x = i < a->param_count ? (int)overload_fit(ast, a->params[i], args[i]) : FIT_WIDENING;
        int y = i < b->param_count ? (int)overload_fit(ast, b->params[i], args[i]) : FIT_WIDENING;
        a_better |= x < y;
        b_better |= y < x;
        a_right |= x < y && y == FIT_WRONG_POINTEE;
        b_right |= y < x && x == FIT_WRONG_POINTEE;
    }
    if (a_right != b_right) // a wrong pointee type outweighs all other arguments
        return a_right ? -1 : 1;
    if (!a_better &&
        !b_better) // a user's function wins over a built-in with the same types
        return (a->row != NULL) - (b->row != NULL);
    if (a_better == b_better)
        return 0;
    return a_better ? -1 : 1;
}

struct candidate *overload_best(struct ast *ast, struct candidate *list, struct expr **args,
                            uint32_t count, bool *ambiguous)
{
    struct candidate *best = NULL;
    *ambiguous = false;
    for (struct candidate *c = list; c; c = c->next)
        if (viable(ast, c, args, count) &&
            (!best || compare_candidates(ast, c, best, args, count) < 0))
            best = c;
    for (struct candidate *c = list; best && c; c = c->next)
        if (c != best && viable(ast, c, args, count) &&
            compare_candidates(ast, best, c, args, count) >= 0)
            *ambiguous = true;
    return *ambiguous ? NULL : best;
}
