// SPDX-License-Identifier: Apache-2.0
// Operators on values: which IR operation an operator of C is, by the operand's scalar type.
#include "gen/gen_internal.h"

enum scalar_class { CLASS_SIGNED, CLASS_UNSIGNED, CLASS_FLOAT };

static enum scalar_class class_of(const struct type *type)
{
    const struct type *scalar = type_is_matrix(type) ? type->elem.type : type_scalar((struct type *)type);
    if (type_is_float(scalar))
        return CLASS_FLOAT;
    return type_is_signed(scalar) ? CLASS_SIGNED : CLASS_UNSIGNED;
}

static const uint16_t arithmetic_ops[][3] = {
    [EXPR_OP_ADD] = {IR_OP_iadd, IR_OP_iadd, IR_OP_fadd}, [EXPR_OP_SUB] = {IR_OP_isub, IR_OP_isub, IR_OP_fsub},
    [EXPR_OP_MUL] = {IR_OP_imul, IR_OP_imul, IR_OP_fmul}, [EXPR_OP_DIV] = {IR_OP_sdiv, IR_OP_udiv, IR_OP_fdiv},
    [EXPR_OP_REM] = {IR_OP_srem, IR_OP_urem, 0},          [EXPR_OP_SHL] = {IR_OP_shl, IR_OP_shl, 0},
    [EXPR_OP_SHR] = {IR_OP_ashr, IR_OP_lshr, 0},          [EXPR_OP_AND] = {IR_OP_and, IR_OP_and, 0},
    [EXPR_OP_OR] = {IR_OP_or, IR_OP_or, 0},               [EXPR_OP_XOR] = {IR_OP_xor, IR_OP_xor, 0},
};

static const struct {
    uint16_t op[3];
    bool swap; // a > b is b < a
} compare_ops[] = {
    [EXPR_OP_EQ] = {{IR_OP_ieq, IR_OP_ieq, IR_OP_feq}, false}, [EXPR_OP_NE] = {{IR_OP_ine, IR_OP_ine, IR_OP_fne}, false},
    [EXPR_OP_LT] = {{IR_OP_slt, IR_OP_ult, IR_OP_flt}, false}, [EXPR_OP_LE] = {{IR_OP_sle, IR_OP_ule, IR_OP_fle}, false},
    [EXPR_OP_GT] = {{IR_OP_slt, IR_OP_ult, IR_OP_flt}, true},  [EXPR_OP_GE] = {{IR_OP_sle, IR_OP_ule, IR_OP_fle}, true},
};

// Marks scalar operations whose signed overflow is undefined (OpenCL C 6.3.1 and C99 6.5); on vectors the flag has no
// use. Only if the operation was newly made: folding may return an earlier instruction.
static void promise_no_wrap(struct ir_instr *result, enum ir_op op, const struct ir_instr *x,
                            const struct ir_instr *y)
{
    bool made =
        result->op == op && result->src[0] == x && result->src[1] == y && result->type.lanes == 1;
    if (made && (op == IR_OP_iadd || op == IR_OP_isub || op == IR_OP_imul))
        result->flags |= IR_NO_WRAP;
}

struct ir_instr *gen_arithmetic(struct gen *gen, enum expr_op op, struct ir_instr *x, struct ir_instr *y,
                                const struct type *type)
{
    bool shift = op == EXPR_OP_SHL || op == EXPR_OP_SHR;
    if (shift && y->type.bits != x->type.bits) { // shift amounts are modulo x's width, so truncating and zero-extending are correct
        enum ir_op resize = y->type.bits > x->type.bits ? IR_OP_trunc : IR_OP_zext;
        y = ir_convert(&gen->b, resize, ir_with_lanes(ir_int(x->type.bits), y->type.lanes), y);
    }
    if (op == EXPR_OP_DIV && gen->options->correctly_rounded && !ir_is_matrix(x->type) && x->type.base == IR_FLOAT && x->type.bits == 32 &&
        !gen->target->exact_division[1])
        return ir_call_by_lanes(&gen->b, "divide_rounded.f.f", (struct ir_instr *[]){x, y}, 2);
    if (y->type.lanes < x->type.lanes)
        y = ir_splat(&gen->b, y, x->type.lanes);
    enum scalar_class class = class_of(type);
    struct ir_instr *result = ir_op2(&gen->b, arithmetic_ops[op][class], x, y);
    if (op == EXPR_OP_DIV && gen->target->loose_quotients && !gen->options->exact_quotients)
        ir_loosen_quotient(result);
    if (class == CLASS_SIGNED && !gen->options->signed_wraps && !ir_is_matrix(x->type))
        promise_no_wrap(result, arithmetic_ops[op][class], x, y);
    return result;
}

struct ir_instr *gen_compare(struct gen *gen, enum expr_op op, struct ir_instr *x, struct ir_instr *y,
                             const struct type *type)
{
    if (type->kind == TYPE_POINTER) {
        x = ir_convert(&gen->b, IR_OP_ptr_to_int, ir_int(64), x);
        y = ir_convert(&gen->b, IR_OP_ptr_to_int, ir_int(64), y);
    }
    uint16_t ir = compare_ops[op].op[type->kind == TYPE_POINTER ? CLASS_UNSIGNED : class_of(type)];
    return compare_ops[op].swap ? ir_op2(&gen->b, ir, y, x) : ir_op2(&gen->b, ir, x, y);
}

struct ir_instr *gen_pointer_add(struct gen *gen, struct ir_instr *pointer, struct ir_instr *index,
                                 const struct type *pointer_type, bool subtract)
{
    int64_t stride = (int64_t)pointer_type->elem.type->size;
    if (!stride) // void pointers, as an extension
        stride = 1;
    return ir_ptr_index(&gen->b, pointer, index, subtract ? -stride : stride, 0);
}

// Whether `expr` (a sum, difference, += or -=) may be contracted with a product: the source permits it and fma is
// fast on the device.
static bool may_contract(struct gen *gen, const struct expr *expr, struct type *type)
{
    if (!expr->contract || (expr->op != EXPR_OP_ADD && expr->op != EXPR_OP_SUB) || !type_is_float(type_scalar(type)))
        return false;
    return gen_has_quick_fma(gen, type_bits(type));
}

// Whether the device's driver computes a quotient as a product with the reciprocal.
static bool is_by_reciprocal(const struct gen *gen, const struct expr *expr)
{
    return expr->op == EXPR_OP_DIV && gen->target->plain_quotients && !gen->options->correctly_rounded &&
           type_is_float(type_scalar(expr->type.type)) && type_bits(expr->type.type) == 32;
}

static const struct expr *product_of(const struct gen *gen, const struct expr *expr)
{
    return expr->kind == EXPR_BINARY && (expr->op == EXPR_OP_MUL || is_by_reciprocal(gen, expr)) ? expr : NULL;
}

static struct ir_instr *second_factor(struct gen *gen, const struct expr *product)
{
    struct ir_instr *y = gen_value(gen, product->b);
    if (product->op == EXPR_OP_MUL)
        return y;
    uint8_t flags = gen->b.flags;
    gen->b.flags |= IR_FAST;
    y = ir_op2(&gen->b, IR_OP_fdiv, ir_const_float(gen->module, y->type, 1.0), y);
    gen->b.flags = flags;
    return y;
}

// An operand of a contraction. If rounding is not exact anyway, fast negation suffices.
static struct ir_instr *negated_if(struct gen *gen, bool negate, struct ir_instr *x)
{
    if (!negate)
        return x;
    uint8_t flags = gen->b.flags;
    gen->b.flags |= gen_rounds_once(gen, x->type.bits) ? 0 : IR_FAST;
    x = ir_op1(&gen->b, IR_OP_fneg, x);
    gen->b.flags = flags;
    return x;
}

// An fma, which may be rounded twice if the device does not guarantee a single rounding.
static struct ir_instr *contraction(struct gen *gen, struct ir_instr *a, struct ir_instr *b, struct ir_instr *c)
{
    return gen_rounds_once(gen, a->type.bits) ? gen_loose(gen, ir_op3(&gen->b, IR_OP_fma, a, b, c)) : gen_quick_fma(gen, a, b, c);
}

// a * b + c as one operation; NULL if the expression cannot be contracted.
static struct ir_instr *contracted(struct gen *gen, const struct expr *expr)
{
    const struct expr *left = product_of(gen, expr->a), *right = product_of(gen, expr->b);
    if ((!left && !right) || !may_contract(gen, expr, expr->type.type))
        return NULL;
    const struct expr *product = left ? left : right;
    bool subtract = expr->op == EXPR_OP_SUB;
    struct ir_instr *c = left ? NULL : gen_value(gen, expr->a); // operands are evaluated from left to right
    struct ir_instr *x = gen_value(gen, product->a), *y = second_factor(gen, product);
    if (left)
        c = negated_if(gen, subtract, gen_value(gen, expr->b));
    else
        x = negated_if(gen, subtract, x);
    return contraction(gen, x, y, c);
}

// The new value for place += product; NULL if `expr` has another form.
struct ir_instr *gen_contracted_assign(struct gen *gen, const struct expr *expr, const struct gen_place *place)
{
    struct type *type = expr->a->type.type;
    const struct expr *product = product_of(gen, expr->b);
    if (!product || expr->compute.type != type || !may_contract(gen, expr, type))
        return NULL;
    struct ir_instr *x = gen_value(gen, product->a), *y = second_factor(gen, product);
    struct ir_instr *old = gen_load(gen, place);
    return contraction(gen, negated_if(gen, expr->op == EXPR_OP_SUB, x), y, old);
}

static struct ir_instr *vector_logical(struct gen *gen, const struct expr *expr, struct ir_instr *x, struct ir_instr *y)
{
    x = gen_truth(gen, x);
    y = gen_truth(gen, y);
    struct ir_instr *both = ir_op2(&gen->b, expr->op == EXPR_OP_LAND ? IR_OP_and : IR_OP_or, x, y);
    return gen_from_bool(gen, both, expr->type.type);
}

struct ir_instr *gen_binary(struct gen *gen, const struct expr *expr)
{
    struct ir_instr *fused = contracted(gen, expr);
    if (fused)
        return fused;
    struct ir_instr *x = gen_value(gen, expr->a);
    struct ir_instr *y = gen_value(gen, expr->b);
    const struct type *type = expr->a->type.type;
    if (expr->op == EXPR_OP_LAND || expr->op == EXPR_OP_LOR)
        return vector_logical(gen, expr, x, y);
    if (expr->op >= EXPR_OP_EQ)
        return gen_from_bool(gen, gen_compare(gen, expr->op, x, y, type), expr->type.type);
    return gen_arithmetic(gen, expr->op, x, y, type);
}
