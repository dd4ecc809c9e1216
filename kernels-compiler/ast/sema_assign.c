// SPDX-License-Identifier: Apache-2.0
// Operators with side effects: =, op=, ++, -- (OpenCL C 6.3.g, 6.3.o), and which operands are modifiable.
#include "ast/sema_impl.h"
#include "util/stack.h"

static const enum token_kind plain_op[TOK_COUNT] = {
    [TOK_STAR_ASSIGN] = TOK_STAR,       [TOK_SLASH_ASSIGN] = TOK_SLASH,
    [TOK_PERCENT_ASSIGN] = TOK_PERCENT, [TOK_PLUS_ASSIGN] = TOK_PLUS,
    [TOK_MINUS_ASSIGN] = TOK_MINUS,     [TOK_SHL_ASSIGN] = TOK_SHL,
    [TOK_SHR_ASSIGN] = TOK_SHR,         [TOK_AMP_ASSIGN] = TOK_AMP,
    [TOK_CARET_ASSIGN] = TOK_CARET,     [TOK_PIPE_ASSIGN] = TOK_PIPE,
};

static bool duplicate_lanes(const struct expr *a)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < a->lane_count; i++) {
        if (a->lane[i] & LANE_ABSENT)
            continue;
        if (seen >> a->lane[i] & 1)
            return true;
        seen |= 1u << a->lane[i];
    }
    return false;
}

static bool const_fields(const struct type *record, unsigned depth)
{
    stack_check();
    if (!type_is_record(record) || depth > 32)
        return false;
    for (uint32_t i = 0; i < record->record->field_count; i++) {
        struct qtype type = record->record->fields[i].type;
        while (type.type->kind == TYPE_ARRAY) {
            type.quals |= type.type->elem.quals;
            type.type = type.type->elem.type;
        }
        if (type.quals & QUAL_CONST || const_fields(type.type, depth + 1))
            return true;
    }
    return false;
}

// Whether the operand is modifiable; reports an error if not.
static bool check_modifiable(struct ast *ast, const struct expr *a, struct loc loc)
{
    const char *why = NULL;
    if (a->kind == EXPR_OBJECT && a->decl->captured)
        why = "variable is not assignable (blocks capture variables by value)";
    else if (a->kind == EXPR_SWIZZLE && a->lvalue && duplicate_lanes(a))
        why = "vector is not assignable (contains duplicate components)";
    else if (!a->lvalue || a->kind == EXPR_FUNCTION)
        why = "expression is not assignable";
    else if (a->type.type->kind == TYPE_ARRAY)
        why = "array type is not assignable";
    else if (a->type.space == SPACE_CONSTANT || (a->type.quals & QUAL_CONST)) {
        const struct expr *object = a;
        while (object->kind == EXPR_SWIZZLE || object->kind == EXPR_MEMBER ||
               object->kind == EXPR_LANE)
            object = object->a;
        if (object->kind == EXPR_OBJECT && object->type.quals & QUAL_CONST) {
            diag_error(ast->diag, loc,
                       "cannot assign to variable '%s' with const-qualified type %s",
                       object->decl->name, sema_type_text(ast, object->decl->type));
            diag_note(ast->diag, object->decl->loc, "variable '%s' declared const here",
                      object->decl->name);
            return false;
        }
        why = "read-only variable is not assignable";
    } else if (!type_complete(a->type.type))
        why = "an object of incomplete type is not assignable";
    else if (const_fields(a->type.type, 0))
        why = "a structure or union with const members is not assignable";
    else if (type_is_resource(a->type.type))
        why = "an image, a sampler or a pipe is not assignable";
    else if (type_scalar(a->type.type)->kind == TYPE_HALF && !ast_has(ast, KC_EXT_FP16)) {
        diag_error(ast->diag, loc,
                   "assigning directly to pointer to type %s requires cl_khr_fp16. Use vector data "
                   "store builtin "
                   "functions instead",
                   sema_type_text(ast, a->type));
        return false;
    }
    if (why)
        diag_error(ast->diag, loc, "%s", why);
    return !why;
}

// Makes a op= b. The operation is computed in the type that sema chooses for a op b.
static struct expr *compound(struct ast *ast, enum token_kind op, struct expr *a, struct expr *b,
                             struct loc loc)
{
    struct expr *probe = sema_binary(ast, op, a, b, loc); // checks and converts operands as for a op b
    if (sema_is_error(probe))
        return probe;
    struct expr *expr = sema_one(ast, EXPR_ASSIGN_OP, a->type.type, a, loc);
    if (probe->kind == EXPR_PTR_ADD) {
        if (!sema_is_pointer(a)) {
            diag_error(ast->diag, loc, "invalid operands to binary expression (%s and %s)",
                       sema_value_text(ast, a), sema_value_text(ast, b));
            return sema_error(ast, loc);
        }
        expr->op = EXPR_OP_ADD;
        expr->b = sema_convert_node(ast, type_basic(ast->types, TYPE_LONG), probe->b);
        expr->compute = qtype_of(a->type.type);
        return expr;
    }
    bool matrix = type_is_matrix(a->type.type);
    if (matrix && probe->kind == EXPR_CAST && probe->a->kind == EXPR_BINARY)
        probe = probe->a; // small floats: the operation is computed on floats and converted
    if (probe->kind != EXPR_BINARY) {
        diag_error(ast->diag, loc, "invalid operands to binary expression (%s and %s)",
                   sema_value_text(ast, a), sema_value_text(ast, b));
        return sema_error(ast, loc);
    }
    struct expr *object = probe; // the result must be convertible to a's type
    if (!matrix || a->type.type->elem.type == probe->type.type->elem.type)
        object = sema_convert_at(ast, a->type, probe, SEMA_ASSIGN, loc);
    if (sema_is_error(object))
        return object;
    expr->op = probe->op;
    expr->b = probe->b;
    expr->compute = probe->a->type;
    expr->contract = probe->contract;
    return expr;
}

struct expr *sema_assign(struct ast *ast, enum token_kind op, struct expr *a, struct expr *b,
                         struct loc loc)
{
    if (sema_is_error(a) || sema_is_error(b))
        return sema_error(ast, loc);
    if (a->kind == EXPR_BUILTIN_NAME && sema_is_error(a = sema_value(ast, a)))
        return a;
    if (sema_is_atomic(ast, a) || sema_is_atomic(ast, b)) {
        diag_error(ast->diag, loc, "atomic variables can only be accessed by atomic functions (%s and %s)",
                   sema_value_text(ast, a), sema_value_text(ast, b));
        return sema_error(ast, loc);
    }
    b = sema_value(ast, b);
    if (a->type.type->kind == TYPE_BLOCK || b->type.type->kind == TYPE_BLOCK) {
        diag_error(ast->diag, loc, "invalid operands to binary expression (%s and %s)", sema_value_text(ast, a),
                   sema_value_text(ast, b));
        return sema_error(ast, loc);
    }
    if (op == TOK_ASSIGN) // the other operators also read it, which warns already
        sema_warn_bounds(ast, a, false);
    if (sema_is_error(b) || !check_modifiable(ast, a, loc))
        return sema_error(ast, loc);
    ast->changes++;
    if (op != TOK_ASSIGN)
        return compound(ast, plain_op[op], a, b, loc);
    b = sema_convert_at(ast, a->type, b, SEMA_ASSIGN, loc);
    if (sema_is_error(b))
        return b;
    struct expr *expr = sema_one(ast, EXPR_ASSIGN, a->type.type, a, loc);
    expr->b = b;
    return expr;
}

struct expr *sema_incdec(struct ast *ast, struct expr *a, int increment, bool prefix,
                         struct loc loc)
{
    if (sema_is_error(a) || (a->kind == EXPR_BUILTIN_NAME && sema_is_error(a = sema_value(ast, a))))
        return sema_error(ast, loc);
    struct type *type = a->type.type, *scalar = type_scalar(type);
    bool fits = type->kind == TYPE_POINTER || type_is_arithmetic(scalar);
    if (type_is_vector(type)) // vectors of floats have no ++ and --
        fits = type_is_integer(scalar);
    if (!fits || sema_is_atomic(ast, a)) {
        diag_error(ast->diag, loc, "cannot %s value of type %s",
                   increment > 0 ? "increment" : "decrement", sema_value_text(ast, a));
        return sema_error(ast, loc);
    }
    if (type->kind == TYPE_POINTER && !type_complete(type->elem.type) &&
        type->elem.type->kind != TYPE_VOID) {
        diag_error(ast->diag, loc, "arithmetic on a pointer to an incomplete type %s",
                   sema_type_text(ast, type->elem));
        return sema_error(ast, loc);
    }
    sema_warn_bounds(ast, a, false);
    if (!check_modifiable(ast, a, loc))
        return sema_error(ast, loc);
    struct expr *expr = sema_one(ast, EXPR_INCDEC, type, a, loc);
    ast->changes++;
    expr->increment = (int8_t)increment;
    expr->prefix = prefix;
    return expr;
}
