// SPDX-License-Identifier: Apache-2.0
// x * y + z in one rounding -> the same number from a product and a sum, if constants make one of them exact.
//
// A factor of 1, -1 or 0 has an exact product, which leaves a sum. If z is -0, the result is the product. If z is +0,
// it is the product except for the sign if a factor is zero; a product that only rounds to zero keeps its sign. Most
// useful for doubles on devices without fma, where the operation takes a hundred instructions.
#include "ir/internal.h"

static bool is_all(const struct ir_instr *x, double value)
{
    uint64_t bits = ir_float_bits(x->type.bits, value);
    for (unsigned i = 0; ir_is_const(x) && i < x->type.lanes; i++)
        if (x->lanes[i] != bits)
            return false;
    return ir_is_const(x);
}

static struct ir_instr *is_zero(struct ir_builder *b, struct ir_instr *x)
{
    return ir_op2(b, IR_OP_feq, x, ir_const_int(b->module, x->type, 0));
}

static struct ir_instr *plus_zero(struct ir_builder *b, struct ir_instr *x, struct ir_instr *y, struct ir_instr *zero)
{
    struct ir_instr *product = ir_op2(b, IR_OP_fmul, x, y);
    struct ir_instr *is_exact = is_zero(b, y);
    is_exact = ir_op2(b, IR_OP_or, is_zero(b, x), is_exact);
    return ir_select(b, ir_op2(b, IR_OP_and, is_exact, is_zero(b, product)), zero, product);
}

struct ir_instr *ir_simpler_fma(struct ir_builder *b, struct ir_instr *const src[3], bool cheap)
{
    struct ir_instr *x = src[0], *y = src[1], *z = src[2];
    if (ir_is_const(x)) {
        x = src[1];
        y = src[0];
    }
    if (ir_is_const(x) && ir_is_const(y) && ir_is_const(z))
        return ir_op3(b, IR_OP_fma, x, y, z);
    if (is_all(y, 1))
        return ir_op2(b, IR_OP_fadd, x, z);
    if (is_all(y, -1))
        return ir_op2(b, IR_OP_fsub, z, x);
    if (is_all(z, -0.0))
        return ir_op2(b, IR_OP_fmul, x, y);
    if (cheap)
        return NULL;
    if (is_all(y, 0) || is_all(y, -0.0))
        return ir_op2(b, IR_OP_fadd, ir_op2(b, IR_OP_fmul, x, y), z);
    return is_all(z, 0) ? plus_zero(b, x, y, z) : NULL;
}
