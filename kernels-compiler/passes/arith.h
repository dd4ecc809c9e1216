// SPDX-License-Identifier: Apache-2.0
// Short names for building arithmetic, shared by the files of lower_arith. Constants are splats of the other
// operand's type.
#ifndef KC_PASSES_ARITH_H
#define KC_PASSES_ARITH_H

#include "passes/passes.h"

struct arith {
    struct ir_builder b;
    const struct kc_target *target;
};

static inline struct ir_type int_like(struct ir_type type)
{
    return (struct ir_type){IR_INT, type.bits, type.lanes, 0, 0, 0};
}

static inline struct ir_type with_bits(struct ir_type type, unsigned bits)
{
    type.bits = (uint8_t)bits;
    return type;
}

static inline struct ir_instr *k_int(struct arith *a, struct ir_type type, uint64_t value)
{
    return ir_const_int(a->b.module, type, value);
}

static inline struct ir_instr *k_float(struct arith *a, struct ir_type type, double value)
{
    return ir_const_float(a->b.module, type, value);
}

static inline struct ir_instr *op1(struct arith *a, enum ir_op op, struct ir_instr *x)
{
    return ir_op1(&a->b, op, x);
}

static inline struct ir_instr *op2(struct arith *a, enum ir_op op, struct ir_instr *x,
                                   struct ir_instr *y)
{
    return ir_op2(&a->b, op, x, y);
}

static inline struct ir_instr *op2k(struct arith *a, enum ir_op op, struct ir_instr *x,
                                    uint64_t value)
{
    return ir_op2(&a->b, op, x, k_int(a, x->type, value));
}

static inline struct ir_instr *fma3(struct arith *a, struct ir_instr *x, struct ir_instr *y,
                                    struct ir_instr *z)
{
    return ir_op3(&a->b, IR_OP_fma, x, y, z);
}

static inline struct ir_instr *pick(struct arith *a, struct ir_instr *cond, struct ir_instr *x,
                                    struct ir_instr *y)
{
    return ir_select(&a->b, cond, x, y);
}

static inline struct ir_instr *convert(struct arith *a, enum ir_op op, struct ir_type type,
                                       struct ir_instr *x)
{
    return ir_type_eq(type, x->type) ? x : ir_convert(&a->b, op, type, x);
}

static inline struct ir_instr *as_int(struct arith *a, struct ir_instr *x)
{
    return convert(a, IR_OP_bitcast, int_like(x->type), x);
}

// The same 32-bit value, in a form that drivers do not see through.
static inline struct ir_instr *arith_in_two_parts(struct arith *a, struct ir_instr *x)
{
    const uint64_t low = 0xffff, high = 0xffff0000;
    struct ir_instr *upper = op2k(a, IR_OP_and, x, high);
    return op2(a, IR_OP_or, op2k(a, IR_OP_low_bits, x, low), upper);
}

// The two words of a float's integral part, or of its magnitude if signed.
struct arith_words {
    struct ir_instr *low, *high;
};
struct arith_words arith_words_of(struct arith *a, struct ir_instr *x, bool is_signed);

// A signed quotient or remainder from the one of magnitudes, which cannot overflow: the magnitude of a source of the
// division x, and what becomes of the unsigned value (lower_arith.c).
struct ir_instr *arith_magnitude(struct arith *a, struct ir_instr *source);
struct ir_instr *arith_with_sign(struct arith *a, const struct ir_instr *x, struct ir_instr *value);

// The replacement for `x`; NULL if it remains.
struct ir_instr *arith_float(struct arith *a, struct ir_instr *x);
void arith_fold_signs(struct arith *a, struct ir_instr *x);

#endif
