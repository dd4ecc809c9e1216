// SPDX-License-Identifier: Apache-2.0
// Conversions: usual arithmetic, assignment, casts (OpenCL C 6.2, 6.3, 6.4, 6.5).
//
// Rules work on types (sema_base.c); sema_convert_node() makes the node. A scalar operand of a vector operation is
// first converted to the vector's element type (a scalar of greater rank is an error), then cast to the vector type.
#include "ast/sema_impl.h"

// ---- arithmetic ---------------------------------------------------------------------------------

static bool greater_rank(const struct type *scalar, const struct type *elem)
{
    if (type_is_float(scalar))
        return !type_is_float(elem) || sema_rank(scalar) > sema_rank(elem);
    return !type_is_float(elem) && sema_rank(scalar) > sema_rank(elem);
}

static bool widen(struct ast *ast, struct expr **scalar, const struct expr *vector,
                  const struct expr *a, const struct expr *b, struct loc loc)
{
    struct type *type = vector->type.type;
    if (!type_is_arithmetic((*scalar)->type.type)) {
        diag_error(ast->diag, loc,
                   "cannot convert between vector and non-scalar values (%s and %s)",
                   sema_value_text(ast, a), sema_value_text(ast, b));
        return false;
    }
    if (greater_rank((*scalar)->type.type, type->elem.type)) {
        diag_error(
            ast->diag, loc,
            "scalar operand type has greater rank than the type of the vector element. (%s and %s)",
            sema_value_text(ast, a), sema_value_text(ast, b));
        return false;
    }
    *scalar = sema_convert_node(ast, type, *scalar);
    return true;
}

bool sema_usual(struct ast *ast, struct expr **a, struct expr **b, struct loc loc)
{
    struct type *ta = (*a)->type.type, *tb = (*b)->type.type;
    if (type_is_vector(ta) && type_is_vector(tb)) {
        if (ta == tb)
            return true;
        diag_error(ast->diag, loc,
                   "implicit conversions between vector types (%s and %s) are not permitted",
                   sema_value_text(ast, *a), sema_value_text(ast, *b));
        return false;
    }
    if (type_is_vector(ta))
        return widen(ast, b, *a, *a, *b, loc);
    if (type_is_vector(tb))
        return widen(ast, a, *b, *a, *b, loc);
    if (!type_is_arithmetic(ta) || !type_is_arithmetic(tb)) {
        diag_error(ast->diag, loc, "invalid operands to binary expression (%s and %s)",
                   sema_value_text(ast, *a), sema_value_text(ast, *b));
        return false;
    }
    struct type *common = sema_common_scalar(ast, ta, tb);
    sema_warn_precision(ast, common, *a);
    sema_warn_precision(ast, common, *b);
    *a = sema_convert_node(ast, common, *a);
    *b = sema_convert_node(ast, common, *b);
    return true;
}

// ---- pointers -----------------------------------------------------------------------------------

// Address spaces below the first pointer level must be equal.
static bool nested_spaces_differ(const struct type *a, const struct type *b)
{
    while (a->kind == TYPE_POINTER && b->kind == TYPE_POINTER) {
        if (a->elem.space != b->elem.space)
            return true;
        a = a->elem.type;
        b = b->elem.type;
    }
    return false;
}

// Message texts by context: "assigning to T from S", "initializing T with an expression of type S", "passing S to
// parameter of type T", "returning S from a function with result type T".
static const char *phrase(struct ast *ast, struct qtype to, const struct expr *a,
                          enum sema_context context, const char *adjective, bool pointers)
{
    const char *t = sema_type_text(ast, to), *s = sema_value_text(ast, a);
    const char *gap = adjective[0] ? " " : "";
    switch (context) {
    case SEMA_ASSIGN:
        return pointers ? arena_printf(ast->arena, "assigning %s to %s", s, t)
                        : arena_printf(ast->arena, "assigning to %s from %s%s%s", t, adjective,
                                       adjective[0] ? " type " : "", s);
    case SEMA_INIT:
    case SEMA_ELEMENT:
        return arena_printf(ast->arena, "initializing %s with an expression of%s%s type %s", t, gap,
                            adjective, s);
    case SEMA_ARGUMENT:
        return arena_printf(ast->arena, "passing %s to parameter of%s%s type %s", s, gap, adjective,
                            t);
    default:
        return arena_printf(ast->arena, "returning %s from a function with%s%s result type %s", s,
                            gap, adjective, t);
    }
}

static const char *conversion_phrase(struct ast *ast, struct qtype to, const struct expr *a,
                                     enum sema_context context)
{
    return phrase(ast, to, a, context, "", false);
}

static struct expr *refuse(struct ast *ast, struct qtype to, const struct expr *a,
                           enum sema_context context, struct loc loc)
{
    diag_error(ast->diag, loc, "%s", phrase(ast, to, a, context, "incompatible", false));
    return sema_error(ast, a->loc);
}

// Whether one pointee contains cooperative matrices and the other does not, so that a program could access a matrix's
// representation.
static bool expose_matrix(const struct type *a, const struct type *b)
{
    return a != b && a->matrices != b->matrices && a->kind != TYPE_VOID && b->kind != TYPE_VOID;
}

static struct expr *convert_pointer(struct ast *ast, struct qtype to, struct expr *a,
                                    enum sema_context context, struct loc loc)
{
    struct qtype t = to.type->elem, s = a->type.type->elem;
    if (!sema_space_fits(ast, t.space, s.space)) {
        diag_error(ast->diag, loc, "%s changes address space of pointer",
                   phrase(ast, to, a, context, "", true));
        return sema_error(ast, a->loc);
    }
    if (nested_spaces_differ(t.type, s.type)) {
        diag_error(ast->diag, loc, "%s changes address space of nested pointer",
                   phrase(ast, to, a, context, "", true));
        return sema_error(ast, a->loc);
    }
    if (expose_matrix(t.type, s.type)) {
        diag_error(ast->diag, loc, "%s is invalid: cooperative matrices have no defined layout in memory",
                   conversion_phrase(ast, to, a, context));
        return sema_error(ast, a->loc);
    }
    bool any = t.type->kind == TYPE_VOID || s.type->kind == TYPE_VOID;
    if (!any && !sema_same_unqualified(t.type, s.type)) {
        bool sign =
            type_is_integer(t.type) && type_is_integer(s.type) && t.type->size == s.type->size;
        if (sign)
            diag_warning(ast->diag, loc,
                         "%s converts between pointers to integer types with different sign",
                         conversion_phrase(ast, to, a, context));
        else
            diag_warning(ast->diag, loc, "incompatible pointer types %s",
                         conversion_phrase(ast, to, a, context));
    } else if (s.quals & ~t.quals & (QUAL_CONST | QUAL_VOLATILE)) {
        diag_warning(ast->diag, loc, "%s discards qualifiers", conversion_phrase(ast, to, a, context));
    }
    return sema_convert_node(ast, to.type, a);
}

struct expr *sema_convert_at(struct ast *ast, struct qtype to, struct expr *a,
                             enum sema_context context, struct loc loc)
{
    a = sema_value(ast, a);
    struct type *t = to.type, *s = a->type.type;
    to.quals = 0;
    to.space = SPACE_PRIVATE;
    if (sema_is_error(a) || t->kind == TYPE_ERROR)
        return sema_is_error(a) ? a : sema_error(ast, a->loc);
    if (type_is_matrix(t) && sema_matrix_is_open(a))
        return sema_matrix_settle(ast, t, a);
    if (sema_matrix_is_open(a)) {
        diag_error(ast->diag, loc, "the result of this built-in function must be assigned to a cooperative matrix, not to %s",
                   sema_type_text(ast, to));
        return sema_error(ast, a->loc);
    }
    if (t == s)
        return to.access == a->type.access ? a : refuse(ast, to, a, context, loc);
    if (type_is_arithmetic(t) && type_is_arithmetic(s)) {
        sema_warn_conversion(ast, t, a, context,
                             a->kind == EXPR_CONST ? sema_place(a) : sema_start(a));
        return sema_convert_node(ast, t, a);
    }
    if (type_is_small_float(t) && type_is_arithmetic(s))
        return sema_convert_node(ast, t, sema_unwidened(a));
    if (t->kind == TYPE_BOOL && s->kind == TYPE_POINTER)
        return sema_to_bool(ast, a);
    if (type_is_vector(t) && type_is_arithmetic(s))
        return sema_convert_node(ast, t, a);
    if (t->kind == TYPE_POINTER && s->kind == TYPE_POINTER)
        return sema_is_null(a) ? sema_convert_node(ast, t, a)
                               : convert_pointer(ast, to, a, context, loc);
    if (t->kind == TYPE_POINTER && sema_is_null(a))
        return sema_convert_node(ast, t, a);
    if (t->kind == TYPE_POINTER && type_is_integer(s)) {
        diag_warning(ast->diag, loc, "incompatible integer to pointer conversion %s",
                     conversion_phrase(ast, to, a, context));
        return sema_convert_node(ast, t, a);
    }
    if (type_is_integer(t) && s->kind == TYPE_POINTER) {
        diag_warning(ast->diag, loc, "incompatible pointer to integer conversion %s",
                     conversion_phrase(ast, to, a, context));
        return sema_convert_node(ast, t, a);
    }
    bool sampler = t->kind == TYPE_OPAQUE && t->opaque == OPAQUE_SAMPLER;
    if (sampler && type_is_integer(s) && context == SEMA_INIT && s->size != 4) {
        diag_error(ast->diag, loc, "sampler_t initialization requires 32-bit integer, not %s", sema_value_text(ast, a));
        return sema_error(ast, a->loc);
    }
    if (sampler && type_is_integer(s))
        return sema_convert_node(ast, t,
                                 sema_convert_node(ast, type_basic(ast->types, TYPE_UINT), a));
    if (t->kind == TYPE_OPAQUE && (t->opaque == OPAQUE_EVENT || t->opaque == OPAQUE_QUEUE) && sema_is_null(a))
        return sema_convert_node(ast, t, a);
    return refuse(ast, to, a, context, loc);
}

struct expr *sema_convert(struct ast *ast, struct qtype type, struct expr *a,
                          enum sema_context context)
{
    return sema_convert_at(ast, type, a, context, sema_start(a));
}

// ---- casts --------------------------------------------------------------------------------------

static struct expr *cast_error(struct ast *ast, struct loc loc, const char *format, const char *x,
                               const char *y)
{
    diag_error(ast->diag, loc, format, x, y); // NOLINT: formats are the literals below
    return sema_error(ast, loc);
}

static struct expr *cast_vector(struct ast *ast, struct type *t, struct expr *a, struct loc loc)
{
    struct type *s = a->type.type;
    if (type_is_vector(t) && type_is_arithmetic(s))
        return sema_convert_node(ast, t, a);
    const char *x = sema_type_text(ast, qtype_of(t)), *y = sema_value_text(ast, a);
    if (type_is_vector(t) && type_is_vector(s))
        diag_error(ast->diag, loc, "invalid conversion between ext-vector type %s and %s", x, y);
    else if (type_is_vector(t))
        diag_error(ast->diag, loc, "invalid conversion between vector type %s and type %s", x, y);
    else
        diag_error(ast->diag, loc, "invalid conversion between vector type %s and scalar type %s",
                   y, x);
    return sema_error(ast, loc);
}

static struct expr *cast_pointer(struct ast *ast, struct type *t, struct expr *a, struct loc loc)
{
    struct type *s = a->type.type;
    const char *x = sema_type_text(ast, qtype_of(t)), *y = sema_value_text(ast, a);
    if (t->kind == TYPE_POINTER && s->kind == TYPE_POINTER) {
        if (!sema_is_null(a) && !sema_spaces_meet(ast, t->elem.space, s->elem.space)) {
            diag_error(ast->diag, loc, "casting %s to type %s changes address space of pointer", y,
                       x);
            return sema_error(ast, loc);
        }
        if (expose_matrix(t->elem.type, s->elem.type)) {
            diag_error(ast->diag, loc, "casting %s to type %s is invalid: cooperative matrices have no defined layout in memory", y, x);
            return sema_error(ast, loc);
        }
    } else if (type_is_small_float(t)) {
        return cast_error(ast, sema_start(a), "pointer cannot be cast to type %s%s", x, "");
    } else if (t->kind == TYPE_POINTER && type_is_float(s)) {
        return cast_error(ast, sema_start(a),
                          "operand of type %s cannot be cast to a pointer type%s", y, "");
    } else if (s->kind == TYPE_POINTER && type_is_float(t)) {
        return cast_error(ast, sema_start(a), "pointer cannot be cast to type %s%s", x, "");
    }
    return sema_convert_node(ast, t, a);
}

struct expr *sema_cast(struct ast *ast, struct qtype type, struct expr *a, struct loc loc)
{
    struct type *t = type.type;
    a = sema_value(ast, a);
    if (sema_is_error(a) || t->kind == TYPE_ERROR)
        return sema_error(ast, loc);
    if (t->kind == TYPE_BOOL && a->type.type->kind == TYPE_BLOCK)
        return sema_block_truth(ast, a);
    struct type *s = a->type.type;
    if (t->kind == TYPE_VOID)
        return sema_one(ast, EXPR_CAST, t, a, loc);
    if (type.quals & QUAL_ATOMIC && !ast->library)
        return cast_error(ast, loc, "a value cannot be cast to type %s%s", sema_type_text(ast, type), "");
    struct expr *cast;
    if (type_is_matrix(t))
        return sema_matrix_cast(ast, t, a, loc);
    if (t->kind == TYPE_HALF && !ast_has_half(ast))
        return cast_error(ast, loc, "casting to type %s is not allowed%s", sema_type_text(ast, type), "");
    if (t == s) {
        cast = a->widened ? arena_copy(ast->arena, a, sizeof *a) : a;
        cast->widened = false;
    } else if (type_is_small_float(t) && type_is_arithmetic(s))
        cast = sema_convert_node(ast, t, sema_unwidened(a));
    else if (t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION || t->kind == TYPE_BLOCK || type_is_record(t) ||
             t->kind == TYPE_OPAQUE) {
        if (t->kind == TYPE_OPAQUE && t->opaque == OPAQUE_CLK_EVENT && sema_is_null(a)) // CLK_NULL_EVENT
            return sema_convert_node(ast, t, a);
        if (t->kind == TYPE_OPAQUE)
            return sema_convert_at(ast, type, a, SEMA_ASSIGN, loc);
        return cast_error(ast, loc, "used type %s where arithmetic or pointer type is required%s",
                          sema_type_text(ast, type), "");
    } else if (!type_is_scalar(s) && !type_is_vector(s))
        return cast_error(ast, sema_start(a),
                          "operand of type %s where arithmetic or pointer type is required%s",
                          sema_value_text(ast, a), "");
    else if (type_is_vector(t) || type_is_vector(s))
        cast = cast_vector(ast, t, a, loc);
    else if (t->kind == TYPE_POINTER || s->kind == TYPE_POINTER) {
        sema_warn_cast(ast, t, a, loc);
        cast = cast_pointer(ast, t, a, loc);
    } else
        cast = sema_convert_node(ast, t, a);
    if (cast == a || sema_is_error(cast))
        return cast;
    cast->loc = loc;
    if (cast->kind == EXPR_CONST && t->kind == TYPE_POINTER)
        cast->null_constant =
            t->elem.type->kind == TYPE_VOID && !t->elem.quals && cast->lanes[0] == 0 &&
            t->elem.space == (ast_has_generic(ast) ? SPACE_GENERIC : SPACE_PRIVATE); // implicit address space
    return cast;
}
