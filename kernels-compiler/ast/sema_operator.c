// SPDX-License-Identifier: Apache-2.0
// Operators without side effects (OpenCL C 6.3): unary, binary, comparison, logical, conditional,
// comma.
//
// Comparing or negating vectors gives a vector of signed integers of the operands' width, lanes 0 or -1; scalars give
// an int, 0 or 1.
#include "ast/sema_impl.h"

static const struct {
    enum expr_op op;
    enum {
        CLASS_NONE,
        CLASS_ADD,
        CLASS_MUL,
        CLASS_INT,
        CLASS_SHIFT,
        CLASS_ORDER,
        CLASS_EQUAL,
        CLASS_LOGICAL
    } class;
} binary_ops[TOK_COUNT] = {
    [TOK_PLUS] = {EXPR_OP_ADD, CLASS_ADD},         [TOK_MINUS] = {EXPR_OP_SUB, CLASS_ADD},
    [TOK_STAR] = {EXPR_OP_MUL, CLASS_MUL},         [TOK_SLASH] = {EXPR_OP_DIV, CLASS_MUL},
    [TOK_PERCENT] = {EXPR_OP_REM, CLASS_INT},      [TOK_AMP] = {EXPR_OP_AND, CLASS_INT},
    [TOK_PIPE] = {EXPR_OP_OR, CLASS_INT},          [TOK_CARET] = {EXPR_OP_XOR, CLASS_INT},
    [TOK_SHL] = {EXPR_OP_SHL, CLASS_SHIFT},        [TOK_SHR] = {EXPR_OP_SHR, CLASS_SHIFT},
    [TOK_LT] = {EXPR_OP_LT, CLASS_ORDER},          [TOK_GT] = {EXPR_OP_GT, CLASS_ORDER},
    [TOK_LE] = {EXPR_OP_LE, CLASS_ORDER},          [TOK_GE] = {EXPR_OP_GE, CLASS_ORDER},
    [TOK_EQ] = {EXPR_OP_EQ, CLASS_EQUAL},          [TOK_NE] = {EXPR_OP_NE, CLASS_EQUAL},
    [TOK_AMP_AMP] = {EXPR_OP_LAND, CLASS_LOGICAL}, [TOK_PIPE_PIPE] = {EXPR_OP_LOR, CLASS_LOGICAL},
};

static bool int_like(const struct expr *a)
{
    return type_is_integer(type_scalar(a->type.type));
}

static bool arithmetic_like(const struct expr *a)
{
    return type_is_arithmetic(type_scalar(a->type.type));
}

static struct type *int_type(struct ast *ast)
{
    return type_basic(ast->types, TYPE_INT);
}

static struct expr *invalid_operands(struct ast *ast, const struct expr *a, const struct expr *b,
                                     struct loc loc)
{
    diag_error(ast->diag, loc, "invalid operands to binary expression (%s and %s)",
               sema_value_text(ast, a), sema_value_text(ast, b));
    return sema_error(ast, loc);
}

static struct expr *make_binary(struct ast *ast, enum expr_op op, struct type *type, struct expr *a,
                                struct expr *b, struct loc loc)
{
    struct expr *expr = sema_one(ast, EXPR_BINARY, type, a, loc);
    expr->b = b;
    expr->op = op;
    expr->contract = ast->fp_contract && type_is_float(type_scalar(type));
    return sema_fold(ast, expr);
}

// ---- unary --------------------------------------------------------------------------------------

static struct expr *invalid_unary(struct ast *ast, const struct expr *a, struct loc loc)
{
    diag_error(ast->diag, loc, "invalid argument type %s to unary expression",
               sema_value_text(ast, a));
    return sema_error(ast, loc);
}

static struct expr *address_of(struct ast *ast, struct expr *a, struct loc loc)
{
    if (type_is_matrix(a->type.type) || (a->kind == EXPR_LANE && type_is_matrix(a->a->type.type))) {
        diag_error(ast->diag, loc, "address of a cooperative matrix or of its component requested");
        return sema_error(ast, loc);
    }
    if (a->kind == EXPR_FUNCTION || a->kind == EXPR_BUILTIN_NAME)
        return sema_value(ast, a); // reports an error
    if (a->kind == EXPR_SWIZZLE || a->kind == EXPR_LANE) {
        diag_error(ast->diag, loc, "address of vector element requested");
        return sema_error(ast, loc);
    }
    if (!a->lvalue) {
        diag_error(ast->diag, loc, "cannot take the address of an rvalue of type %s",
                   sema_value_text(ast, a));
        return sema_error(ast, loc);
    }
    if (a->kind == EXPR_OBJECT && a->decl->storage == STORAGE_REGISTER) {
        diag_error(ast->diag, loc, "address of register variable requested");
        return sema_error(ast, loc);
    }
    sema_warn_bounds(ast, a, true);
    if (a->kind == EXPR_DEREF) { // &*p is p, &a[i] is a + i
        if (a->a->kind == EXPR_PTR_ADD)
            a->a->loc = loc;
        return a->a;
    }
    if (type_is_resource(a->type.type)) {
        diag_error(ast->diag, loc, "taking address of an object of type %s is not allowed",
                   sema_value_text(ast, a));
        return sema_error(ast, loc);
    }
    return sema_one(ast, EXPR_ADDRESS, type_pointer(ast->types, a->type), a, loc);
}

static struct expr *dereference(struct ast *ast, struct expr *a, struct loc loc)
{
    a = sema_value(ast, a);
    if (sema_is_error(a))
        return a;
    if (sema_is_pointer(a) && a->type.type->elem.type->kind == TYPE_VOID) {
        diag_warning(ast->diag, loc, "dereferencing a pointer to void gives no value");
        return sema_one(ast, EXPR_CAST, a->type.type->elem.type, a, loc);
    }
    if (!sema_is_pointer(a)) {
        diag_error(ast->diag, loc, "indirection requires pointer operand (%s invalid)",
                   sema_value_text(ast, a));
        return sema_error(ast, loc);
    }
    struct expr *object = sema_one(ast, EXPR_DEREF, a->type.type, a, loc);
    object->type = a->type.type->elem;
    object->lvalue = true;
    return object;
}

// In OpenCL C 1.0 and 1.1, floats cannot be conditions (6.3 g and h there).
static bool has_no_truth(const struct ast *ast, const struct expr *a)
{
    return ast->version < 120 && type_is_float(type_scalar(a->type.type));
}

static struct expr *logical_not(struct ast *ast, struct expr *a, struct loc loc)
{
    struct type *type = a->type.type;
    if ((!type_is_scalar(type) && !type_is_vector(type)) || has_no_truth(ast, a))
        return invalid_unary(ast, a, loc);
    bool vector = type_is_vector(type);
    struct expr *expr =
        sema_one(ast, EXPR_UNARY, vector ? sema_signed_like(ast, type) : int_type(ast),
                 vector ? a : sema_to_bool(ast, a), loc);
    expr->op = EXPR_OP_LNOT;
    return sema_fold(ast, expr);
}

struct expr *sema_unary(struct ast *ast, enum token_kind op, struct expr *a, struct loc loc)
{
    if (sema_is_error(a))
        return a;
    if (op == TOK_AMP && a->kind == EXPR_OBJECT && a->decl->captured) {
        diag_error(ast->diag, loc, "taking address of a capture is not allowed");
        return sema_error(ast, loc);
    }
    if (a->type.type->kind == TYPE_BLOCK)
        return invalid_unary(ast, a, loc);
    if (op == TOK_AMP)
        return address_of(ast, a, loc);
    if (op == TOK_STAR)
        return dereference(ast, a, loc);
    if (sema_is_atomic(ast, a))
        return invalid_unary(ast, a, loc);
    a = sema_value(ast, a);
    if (sema_is_error(a))
        return a;
    if (op == TOK_BANG)
        return logical_not(ast, a, loc);
    if (op == TOK_MINUS && type_is_matrix(a->type.type))
        return sema_matrix_negate(ast, a, loc);
    if (op == TOK_TILDE ? !int_like(a) : !arithmetic_like(a))
        return invalid_unary(ast, a, loc);
    a = sema_integer_promote(ast, a);
    if (op == TOK_PLUS) {
        struct expr *plus = arena_copy(ast->arena, a, sizeof *a);
        plus->parenthesized = plus->widened = false;
        plus->loc = loc;
        return plus;
    }
    struct expr *expr = sema_one(ast, EXPR_UNARY, a->type.type, a, loc);
    expr->op = op == TOK_TILDE ? EXPR_OP_NOT : EXPR_OP_NEG;
    uint8_t literal = op == TOK_MINUS ? a->literal : LITERAL_NONE;
    expr = sema_fold(ast, expr);
    expr->literal = literal;
    return expr;
}

// ---- pointers -----------------------------------------------------------------------------------

static struct expr *pointer_add(struct ast *ast, struct expr *pointer, struct expr *index,
                                bool negative, struct loc loc)
{
    struct type *pointee = pointer->type.type->elem.type;
    if (!type_complete(pointee) || pointee->kind == TYPE_FUNCTION) {
        // Arithmetic on void pointers counts bytes, as in GNU C.
        if (pointee->kind != TYPE_VOID) {
            diag_error(ast->diag, loc, "arithmetic on a pointer to an incomplete type %s",
                       sema_type_text(ast, qtype_of(pointee)));
            return sema_error(ast, loc);
        }
    }
    index = sema_integer_promote(ast, index);
    enum type_kind wide = type_is_signed(index->type.type) || negative ? TYPE_LONG : TYPE_ULONG;
    index = sema_convert_node(ast, type_basic(ast->types, wide), index);
    if (negative) {
        index = sema_one(ast, EXPR_UNARY, index->type.type, index, index->loc);
        index->op = EXPR_OP_NEG;
        index = sema_fold(ast, index);
    }
    struct expr *sum = sema_one(ast, EXPR_PTR_ADD, pointer->type.type, pointer, loc);
    sum->b = index;
    return sum;
}

struct expr *sema_subscript(struct ast *ast, struct expr *base, struct expr *index, struct loc loc)
{
    if (sema_is_error(base) || sema_is_error(index))
        return sema_error(ast, loc);
    if (type_is_matrix(base->type.type)) {
        index = sema_value(ast, index);
        return sema_is_error(index) ? index : sema_matrix_component(ast, base, index, loc);
    }
    if (type_is_vector(base->type.type)) {
        index = sema_value(ast, index);
        if (!sema_is_error(index) && !type_is_integer(index->type.type)) {
            diag_error(ast->diag, loc, "array subscript is not an integer");
            return sema_error(ast, loc);
        }
        if (sema_is_error(index))
            return index;
        if (index->kind == EXPR_CONST && index->lanes[0] < type_lanes(base->type.type))
            return sema_lane(ast, base, (unsigned)index->lanes[0], sema_start(base));
        struct expr *lane =
            sema_one(ast, EXPR_LANE, base->type.type->elem.type, base, sema_start(base));
        lane->b = sema_integer_promote(ast, index);
        lane->type.quals = base->type.quals;
        lane->type.space = base->type.space;
        lane->lvalue = base->lvalue;
        return lane;
    }
    struct expr *a = sema_value(ast, base), *b = sema_value(ast, index);
    if (sema_is_error(a) || sema_is_error(b))
        return sema_error(ast, loc);
    struct expr *pointer = sema_is_pointer(a) ? a : b, *number = pointer == a ? b : a;
    if (!sema_is_pointer(pointer)) {
        diag_error(ast->diag, loc, "subscripted value is not an array, pointer, or vector");
        return sema_error(ast, loc);
    }
    if (!type_is_integer(number->type.type)) {
        diag_error(ast->diag, loc, "array subscript is not an integer");
        return sema_error(ast, loc);
    }
    struct type *pointee = pointer->type.type->elem.type;
    if (!type_complete(pointee) || pointee->kind == TYPE_VOID) {
        diag_error(ast->diag, loc, "subscript of pointer to incomplete type %s",
                   sema_type_text(ast, qtype_of(pointee)));
        return sema_error(ast, loc);
    }
    struct expr *sum = pointer_add(ast, pointer, number, false, sema_start(base));
    struct expr *object = sema_one(ast, EXPR_DEREF, pointee, sum, sum->loc);
    object->type = pointer->type.type->elem;
    object->lvalue = true;
    return object;
}

static struct expr *pointer_difference(struct ast *ast, struct expr *a, struct expr *b,
                                       struct loc loc)
{
    struct qtype x = a->type.type->elem, y = b->type.type->elem;
    if (!sema_same_unqualified(x.type, y.type) || !sema_spaces_meet(ast, x.space, y.space)) {
        diag_error(ast->diag, loc, "%s and %s are not pointers to compatible types",
                   sema_value_text(ast, a), sema_value_text(ast, b));
        return sema_error(ast, loc);
    }
    if (!type_complete(x.type) && x.type->kind != TYPE_VOID) {
        diag_error(ast->diag, loc, "arithmetic on a pointer to an incomplete type %s",
                   sema_type_text(ast, x));
        return sema_error(ast, loc);
    }
    b = x.space == y.space ? b : sema_convert_node(ast, a->type.type, b);
    struct expr *difference =
        sema_one(ast, EXPR_PTR_DIFF, type_basic(ast->types, scope_narrowed(ast, TYPE_LONG)), a, loc);
    difference->b = b;
    return difference;
}

static struct expr *additive(struct ast *ast, enum expr_op op, struct expr *a, struct expr *b,
                             struct loc loc)
{
    bool minus = op == EXPR_OP_SUB;
    if (sema_is_pointer(a) && type_is_integer(b->type.type))
        return pointer_add(ast, a, b, minus, loc);
    if (sema_is_pointer(b) && type_is_integer(a->type.type) && !minus)
        return pointer_add(ast, b, a, false, loc);
    if (sema_is_pointer(a) && sema_is_pointer(b) && minus)
        return pointer_difference(ast, a, b, loc);
    if (sema_is_pointer(a) || sema_is_pointer(b))
        return invalid_operands(ast, a, b, loc);
    if (!sema_usual(ast, &a, &b, loc))
        return sema_error(ast, loc);
    return make_binary(ast, op, a->type.type, a, b, loc);
}

// Converts two pointers (or a pointer and a null constant) to a common type. Returns false after an error.
static bool meet_pointers(struct ast *ast, struct expr **a, struct expr **b, bool comparing,
                          struct loc loc)
{
    struct type *ta = (*a)->type.type, *tb = (*b)->type.type;
    if (sema_is_null(*b) || (!sema_is_null(*a) && tb->kind != TYPE_POINTER)) {
        *b = sema_convert_node(ast, ta, *b);
        return true;
    }
    if (sema_is_null(*a) || ta->kind != TYPE_POINTER) {
        *a = sema_convert_node(ast, tb, *a);
        return true;
    }
    struct qtype x = ta->elem, y = tb->elem;
    if (!sema_spaces_meet(ast, x.space, y.space)) {
        const char *format =
            comparing
                ? "comparison between (%s and %s) which are pointers to non-overlapping address "
                  "spaces"
                : "conditional operator with the second and third operands of type (%s and %s) "
                  "which are pointers to non-overlapping address spaces";
        diag_error(ast->diag, loc, format, sema_value_text(ast, *a), sema_value_text(ast, *b));
        return false;
    }
    bool any = x.type->kind == TYPE_VOID || y.type->kind == TYPE_VOID;
    if (!any && !sema_same_unqualified(x.type, y.type))
        diag_warning(ast->diag, loc,
                     comparing ? "comparison of distinct pointer types (%s and %s)"
                               : "pointer type mismatch (%s and %s)",
                     sema_value_text(ast, *a), sema_value_text(ast, *b));
    struct qtype common = y.type->kind == TYPE_VOID ? y : x;
    if (!any && !comparing && !sema_same_unqualified(x.type, y.type))
        common.type = type_basic(ast->types, TYPE_VOID);
    common.quals = x.quals | y.quals;
    common.space = x.space == y.space ? x.space : SPACE_GENERIC;
    struct type *type = type_pointer(ast->types, common);
    *a = sema_convert_node(ast, type, *a);
    *b = sema_convert_node(ast, type, *b);
    return true;
}

// ---- binary -------------------------------------------------------------------------------------

static struct expr *shift(struct ast *ast, enum expr_op op, struct expr *a, struct expr *b,
                          struct loc loc)
{
    struct type *ta = a->type.type, *tb = b->type.type;
    const struct expr *wrong = !int_like(a) ? a : !int_like(b) ? b : NULL;
    if (wrong && (type_is_vector(ta) || type_is_vector(tb))) {
        diag_error(ast->diag, loc, "used type %s where integer is required",
                   sema_type_text(ast, qtype_of(type_scalar(wrong->type.type))));
        return sema_error(ast, loc);
    }
    if (wrong)
        return invalid_operands(ast, a, b, loc);
    if (type_is_vector(tb) && !type_is_vector(ta)) {
        diag_error(
            ast->diag, loc,
            "requested shift is a vector of type %s but the first operand is not a vector (%s)",
            sema_value_text(ast, b), sema_value_text(ast, a));
        return sema_error(ast, loc);
    }
    if (type_is_vector(tb) && type_lanes(ta) != type_lanes(tb)) {
        diag_error(ast->diag, loc,
                   "vector operands do not have the same number of elements (%s and %s)",
                   sema_value_text(ast, a), sema_value_text(ast, b));
        return sema_error(ast, loc);
    }
    if (type_is_vector(ta) &&
        !type_is_vector(tb)) // the amount is taken modulo the width, so every conversion preserves it
        b = sema_convert_node(ast, ta, b);
    a = sema_integer_promote(ast, a);
    b = sema_integer_promote(ast, b);
    return make_binary(ast, op, a->type.type, a, b, loc);
}

static struct type *comparison_type(struct ast *ast, const struct type *operand)
{
    return type_is_vector(operand) ? sema_signed_like(ast, operand) : int_type(ast);
}

static struct expr *compare(struct ast *ast, enum expr_op op, struct expr *a, struct expr *b,
                            struct loc loc)
{
    bool equality = op == EXPR_OP_EQ || op == EXPR_OP_NE;
    bool pa = sema_is_pointer(a), pb = sema_is_pointer(b);
    if (pa || pb) {
        const struct expr *other = pa ? b : a;
        if (pa != pb && !type_is_integer(other->type.type))
            return invalid_operands(ast, a, b, loc);
        if (pa != pb && !sema_is_null(other))
            diag_warning(ast->diag, loc, "comparison between pointer and integer (%s and %s)",
                         sema_value_text(ast, a), sema_value_text(ast, b));
        if (!meet_pointers(ast, &a, &b, true, loc))
            return sema_error(ast, loc);
        return make_binary(ast, op, int_type(ast), a, b, loc);
    }
    if (equality && type_is_enqueue(a->type.type) && sema_is_null(b))
        b = sema_convert_node(ast, a->type.type, b);
    if (equality && type_is_enqueue(b->type.type) && sema_is_null(a))
        a = sema_convert_node(ast, b->type.type, a);
    if (equality && type_is_enqueue(a->type.type) && a->type.type == b->type.type)
        return make_binary(ast, op, int_type(ast), a, b, loc);
    if (equality && a->type.type->kind == TYPE_OPAQUE && a->type.type == b->type.type)
        return invalid_operands(ast, a, b, loc);
    if (!sema_usual(ast, &a, &b, loc))
        return sema_error(ast, loc);
    return make_binary(ast, op, comparison_type(ast, a->type.type), a, b, loc);
}

static struct expr *logical(struct ast *ast, enum expr_op op, struct expr *a, struct expr *b,
                            struct loc loc)
{
    if (has_no_truth(ast, a) || has_no_truth(ast, b))
        return invalid_operands(ast, a, b, loc);
    if (type_is_vector(a->type.type) || type_is_vector(b->type.type)) {
        if (!sema_usual(ast, &a, &b, loc))
            return sema_error(ast, loc);
        return make_binary(ast, op, sema_signed_like(ast, a->type.type), a, b, loc);
    }
    if (!type_is_scalar(a->type.type) || !type_is_scalar(b->type.type))
        return invalid_operands(ast, a, b, loc);
    struct expr *expr = sema_one(ast, EXPR_LOGICAL, int_type(ast), sema_to_bool(ast, a), loc);
    expr->b = sema_to_bool(ast, b);
    expr->op = op == EXPR_OP_LAND ? EXPR_OP_AND : EXPR_OP_OR;
    return sema_fold(ast, expr);
}

static struct expr *comma(struct ast *ast, struct expr *a, struct expr *b, struct loc loc)
{
    struct expr *expr = sema_one(ast, EXPR_COMMA, b->type.type, a, loc);
    expr->b = b;
    return expr;
}

static void check_division(struct ast *ast, enum expr_op op, const struct expr *b, struct loc loc)
{
    if (!ast->dead && b->kind == EXPR_CONST && type_is_integer(b->type.type) && b->lanes[0] == 0)
        diag_warning(ast->diag, loc, "%s by zero is undefined",
                     op == EXPR_OP_DIV ? "division" : "remainder");
}

struct expr *sema_binary(struct ast *ast, enum token_kind token, struct expr *a, struct expr *b,
                         struct loc loc)
{
    if (sema_is_error(a) || sema_is_error(b))
        return sema_error(ast, loc);
    if (sema_is_atomic(ast, a) || sema_is_atomic(ast, b))
        return invalid_operands(ast, a, b, loc);
    a = sema_value(ast, a);
    b = sema_value(ast, b);
    if (sema_is_error(a) || sema_is_error(b))
        return sema_error(ast, loc);
    if (token == TOK_COMMA)
        return comma(ast, a, b, loc);
    enum expr_op op = binary_ops[token].op;
    if (type_is_matrix(a->type.type) || type_is_matrix(b->type.type))
        return sema_matrix_binary(ast, token, op, a, b, loc);
    switch (binary_ops[token].class) {
    case CLASS_ADD:
        return additive(ast, op, a, b, loc);
    case CLASS_SHIFT:
        return shift(ast, op, a, b, loc);
    case CLASS_ORDER:
    case CLASS_EQUAL:
        return compare(ast, op, a, b, loc);
    case CLASS_LOGICAL:
        return logical(ast, op, a, b, loc);
    default:
        break;
    }
    if (binary_ops[token].class == CLASS_INT && (!int_like(a) || !int_like(b)))
        return invalid_operands(ast, a, b, loc);
    if (!sema_usual(ast, &a, &b, loc))
        return sema_error(ast, loc);
    if (op == EXPR_OP_DIV || op == EXPR_OP_REM)
        check_division(ast, op, b, loc);
    return make_binary(ast, op, a->type.type, a, b, loc);
}

// ---- conditional --------------------------------------------------------------------------------

static struct expr *incompatible_choice(struct ast *ast, const struct expr *b, const struct expr *c,
                                        struct loc loc)
{
    diag_error(ast->diag, loc, "incompatible operand types (%s and %s)", sema_value_text(ast, b),
               sema_value_text(ast, c));
    return sema_error(ast, loc);
}

// Type of two scalars that become lanes: the one of greater rank, else the unsigned one. Lanes are not promoted.
static struct type *lane_type(struct ast *ast, struct type *a, struct type *b)
{
    bool small = sema_rank(a) < 4 && sema_rank(b) < 4;
    if (!small || a->kind == TYPE_BOOL || b->kind == TYPE_BOOL)
        return sema_common_scalar(ast, a, b);
    if (sema_rank(a) != sema_rank(b))
        return sema_rank(a) > sema_rank(b) ? a : b;
    return type_is_signed(a) ? b : a;
}

// OpenCL C 6.3.i: a vector condition selects each lane by its most significant bit.
static struct expr *vector_choice(struct ast *ast, struct expr *a, struct expr *b, struct expr *c,
                                  struct loc loc)
{
    struct type *condition = a->type.type;
    if (!int_like(a)) {
        diag_error(ast->diag, loc, "used type %s where integer or vector of integers is required",
                   sema_value_text(ast, a));
        return sema_error(ast, loc);
    }
    if (!arithmetic_like(b) || !arithmetic_like(c))
        return incompatible_choice(ast, b, c, loc);
    if (!type_is_vector(b->type.type) && !type_is_vector(c->type.type)) {
        struct type *scalar = lane_type(ast, b->type.type, c->type.type);
        b = sema_convert_node(ast, type_vector(ast->types, scalar, type_lanes(condition)), b);
        c = sema_convert_node(ast, b->type.type, c);
    } else if (!sema_usual(ast, &b, &c, loc)) {
        return sema_error(ast, loc);
    }
    struct type *result = b->type.type;
    if (type_lanes(result) != type_lanes(condition)) {
        diag_error(
            ast->diag, loc,
            "vector condition type %s and result type %s do not have the same number of elements",
            sema_value_text(ast, a), sema_type_text(ast, qtype_of(result)));
        return sema_error(ast, loc);
    }
    if (type_bits(type_scalar(result)) != type_bits(type_scalar(condition))) {
        diag_error(
            ast->diag, loc,
            "vector condition type %s and result type %s do not have elements of the same size",
            sema_value_text(ast, a), sema_type_text(ast, qtype_of(result)));
        return sema_error(ast, loc);
    }
    struct expr *expr = sema_one(ast, EXPR_VECTOR_COND, result, a, loc);
    expr->b = b;
    expr->c = c;
    return sema_fold(ast, expr);
}

struct expr *sema_conditional(struct ast *ast, struct expr *a, struct expr *b, struct expr *c,
                              struct loc loc)
{
    a = sema_value(ast, a);
    b = sema_value(ast, b);
    c = sema_value(ast, c);
    if (a->type.type->kind == TYPE_BLOCK)
        a = sema_block_truth(ast, a);
    if (sema_is_error(a) || sema_is_error(b) || sema_is_error(c))
        return sema_error(ast, loc);
    if (type_is_vector(a->type.type))
        return vector_choice(ast, a, b, c, loc);
    if (type_is_float(a->type.type)) {
        diag_error(ast->diag, loc, "used type %s where floating point type is not allowed",
                   sema_value_text(ast, a));
        return sema_error(ast, loc);
    }
    if (!type_is_scalar(a->type.type)) {
        diag_error(ast->diag, loc, "used type %s where arithmetic or pointer type is required",
                   sema_value_text(ast, a));
        return sema_error(ast, loc);
    }
    struct type *tb = b->type.type, *tc = c->type.type;
    struct type *type = NULL;
    bool calls = (b->kind == EXPR_CALL && b->a) || (c->kind == EXPR_CALL && c->a);
    if (tb->kind == TYPE_BLOCK || tc->kind == TYPE_BLOCK || calls) {
        diag_error(ast->diag, loc, "block type cannot be used as expression in ternary expression in OpenCL");
        return sema_error(ast, loc);
    }
    if (tb->kind == TYPE_VOID || tc->kind == TYPE_VOID) {
        type = type_basic(ast->types, TYPE_VOID);
        b = sema_convert_node(ast, type, b);
        c = sema_convert_node(ast, type, c);
    } else if (arithmetic_like(b) && arithmetic_like(c)) {
        if (!sema_usual(ast, &b, &c, loc))
            return sema_error(ast, loc);
    } else if ((sema_is_pointer(b) && (sema_is_pointer(c) || type_is_integer(tc))) ||
               (sema_is_pointer(c) && type_is_integer(tb))) {
        const struct expr *other = sema_is_pointer(b) ? c : b;
        if (!sema_is_pointer(other) && !sema_is_null(other))
            diag_warning(ast->diag, loc,
                         "pointer/integer type mismatch in conditional expression (%s and %s)",
                         sema_value_text(ast, b), sema_value_text(ast, c));
        if (!meet_pointers(ast, &b, &c, false, loc))
            return sema_error(ast, loc);
    } else if (tb != tc || (tb->kind == TYPE_OPAQUE && tb->opaque != OPAQUE_RESERVE_ID) || sema_matrix_is_open(b)) {
        return incompatible_choice(ast, b, c, loc);
    }
    struct expr *expr =
        sema_one(ast, EXPR_COND, type ? type : b->type.type, sema_to_bool(ast, a), loc);
    expr->b = b;
    expr->c = c;
    return sema_fold(ast, expr);
}

struct expr *sema_choose_itself(struct ast *ast, struct expr *a, struct expr *b, struct loc loc)
{
    struct expr *once = sema_once(ast, sema_value(ast, a));
    return sema_with(ast, once, sema_conditional(ast, once, once, b, loc));
}
