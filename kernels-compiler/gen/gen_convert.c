// SPDX-License-Identifier: Apache-2.0
// Conversions between arithmetic types, lane by lane: casts, convert_*() and as_*().
#include "gen/gen_internal.h"
#include "ir/small_floats.h"

#include <math.h>

struct ir_instr *gen_truth(struct gen *gen, struct ir_instr *x)
{
    if (x->type.base == IR_BOOL)
        return x;
    enum ir_op op = x->type.base == IR_FLOAT ? IR_OP_fne : IR_OP_ine;
    return ir_op2(&gen->b, op, x, ir_const_int(gen->module, x->type, 0));
}

struct ir_instr *gen_from_bool(struct gen *gen, struct ir_instr *x, const struct type *to)
{
    enum ir_op op = type_is_vector(to) ? IR_OP_sext : IR_OP_zext;
    return ir_convert(&gen->b, op, gen_type(to), x);
}

static struct ir_instr *int_to_int(struct gen *gen, struct ir_instr *x, bool is_signed, struct ir_type to)
{
    if (to.bits == x->type.bits)
        return x;
    enum ir_op op = to.bits < x->type.bits ? IR_OP_trunc : is_signed ? IR_OP_sext : IR_OP_zext;
    return ir_convert(&gen->b, op, to, x);
}

// Both types are arithmetic scalars, or vectors with the same number of lanes.
static struct ir_instr *convert_lanes(struct gen *gen, struct ir_instr *x, bool from_signed, struct ir_type to,
                                      bool to_signed)
{
    if (x->type.base == IR_BOOL) {
        if (to.base == IR_BOOL)
            return x;
        struct ir_type as_int = to.base == IR_INT ? to : ir_with_lanes(ir_int(32), to.lanes);
        x = ir_convert(&gen->b, IR_OP_zext, as_int, x);
        from_signed = false;
    }
    if (x->type.base == IR_INT && to.base == IR_INT)
        return int_to_int(gen, x, from_signed, to);
    if (x->type.base == IR_INT)
        return ir_convert(&gen->b, from_signed ? IR_OP_s2f : IR_OP_u2f, to, x);
    if (to.base == IR_INT)
        return ir_convert(&gen->b, to_signed ? IR_OP_f2s : IR_OP_f2u, to, x);
    return to.bits == x->type.bits ? x : ir_convert(&gen->b, IR_OP_f2f, to, x);
}

static struct ir_instr *to_pointer(struct gen *gen, struct ir_instr *x, const struct type *from, struct ir_type to)
{
    if (from->kind != TYPE_POINTER) {
        if (to.bits == 32)
            x = convert_lanes(gen, x, type_is_signed(from), ir_int(32), false);
        x = convert_lanes(gen, x, to.bits == 64 && type_is_signed(from), ir_int(64), false);
        return ir_convert(&gen->b, IR_OP_int_to_ptr, to, x);
    }
    return x->type.space == to.space ? x : ir_convert(&gen->b, IR_OP_ptr_cast, to, x);
}

// Converts a scalar to a matrix (all components), or a matrix to another component type or use.
static struct ir_instr *to_matrix(struct gen *gen, struct ir_instr *x, const struct type *from, const struct type *to)
{
    struct ir_type type = gen_type(to), same_use = type;
    if (!type_is_matrix(from))
        return ir_build(&gen->b, IR_OP_mat_splat, type, &x, 1);
    same_use.space = x->type.space;
    if (type.base == x->type.base && type.bits == x->type.bits)
        return ir_type_eq(x->type, type) ? x : ir_build(&gen->b, IR_OP_mat_use, type, &x, 1);
    struct ir_type wide = ir_matrix(ir_float(32), type.rows, type.columns, (enum ir_use)x->type.space);
    if (ir_is_small_float(x->type))
        x = ir_build(&gen->b, IR_OP_mat_widen, wide, &x, 1);
    bool from_signed = type_is_signed(from->elem.type), small = ir_is_small_float(type);
    x = convert_lanes(gen, x, from_signed, small ? wide : same_use, type_is_signed(to->elem.type));
    x = small ? ir_build(&gen->b, IR_OP_mat_narrow, same_use, &x, 1) : x;
    return ir_type_eq(x->type, type) ? x : ir_build(&gen->b, IR_OP_mat_use, type, &x, 1);
}

static bool to_float_is_exact(struct ir_type from, struct ir_type to, bool from_signed);

// Converts to a float that will be rounded again to a shorter type. Inexact results get an odd last bit (round to
// odd), so that the second rounding equals a single rounding of the exact value.
static struct ir_instr *to_odd_float(struct gen *gen, struct ir_instr *x, bool is_signed)
{
    struct ir_builder *b = &gen->b;
    struct ir_type type = ir_float(32);
    if (x->type.base == IR_BOOL || to_float_is_exact(x->type, type, is_signed))
        return convert_lanes(gen, x, is_signed, type, true);
    if (x->type.base == IR_FLOAT)
        return gen_double_to_odd(gen, x);
    static const uint8_t roundings[3] = {ROUND_RTZ, ROUND_RTN, ROUND_RTP};
    struct ir_instr *bits[3]; // the last two differ if the conversion is inexact
    for (unsigned i = 0; i < 3; i++)
        bits[i] = gen_as(gen, gen_to_float_rounded(gen, x, is_signed, type, roundings[i]), ir_int(32));
    struct ir_instr *lost = ir_convert(b, IR_OP_zext, ir_int(32), ir_op2(b, IR_OP_ine, bits[1], bits[2]));
    return gen_as(gen, ir_op2(b, IR_OP_or, bits[0], lost), type);
}

struct ir_instr *gen_convert(struct gen *gen, struct ir_instr *x, const struct type *from, const struct type *to)
{
    struct ir_type type = gen_type(to);
    if (type_is_matrix(to))
        return to_matrix(gen, x, from, to);
    if (type_is_small_float(from)) {
        x = ir_widen_small(&gen->b, gen_format(from), x);
        from = type_basic(gen->ast->types, TYPE_FLOAT);
    }
    if (type_is_small_float(to))
        return ir_narrow_small(&gen->b, gen_format(to), to_odd_float(gen, x, type_is_signed(from)));
    if (to->kind == TYPE_BOOL)
        return gen_truth(gen, x);
    if (type.base == IR_PTR)
        return to_pointer(gen, x, from, type);
    if (from->kind == TYPE_POINTER)
        return int_to_int(gen, ir_convert(&gen->b, IR_OP_ptr_to_int, ir_int(64), x), false, type);
    unsigned lanes = type_lanes(to);
    if (lanes > 1 && type_lanes(from) == 1) {
        if (x->type.base == IR_BOOL) // true sets all bits of a vector lane
            x = ir_convert(&gen->b, IR_OP_sext, ir_int(32), x), from = type_basic(gen->ast->types, TYPE_INT);
        x = convert_lanes(gen, x, type_is_signed(from), ir_with_lanes(type, 1), type_is_signed(to));
        return ir_splat(&gen->b, x, lanes);
    }
    return convert_lanes(gen, x, type_is_signed(from), type, type_is_signed(to));
}

// ---- convert_* -----------------------------------------------------------------------------------

static struct ir_instr *clamp_int(struct gen *gen, struct ir_instr *x, bool from_signed, struct ir_type to, bool to_signed)
{
    struct ir_module *m = gen->module;
    unsigned from_bits = x->type.bits, bits = to.bits;
    // The largest and the smallest value that both types represent.
    unsigned value_bits = bits - to_signed;
    if (from_bits - from_signed > value_bits) {
        uint64_t most = value_bits == 64 ? UINT64_MAX : (UINT64_C(1) << value_bits) - 1;
        x = ir_op2(&gen->b, from_signed ? IR_OP_smin : IR_OP_umin, x, ir_const_int(m, x->type, most));
    }
    if (from_signed && !to_signed)
        x = ir_op2(&gen->b, IR_OP_smax, x, ir_const_int(m, x->type, 0));
    else if (from_signed && from_bits > bits)
        x = ir_op2(&gen->b, IR_OP_smax, x, ir_const_int(m, x->type, UINT64_MAX << value_bits));
    return int_to_int(gen, x, from_signed, to);
}

static struct ir_instr *round_to_integer(struct gen *gen, struct ir_instr *x, unsigned rounding)
{
    static const uint16_t ops[] = {[ROUND_RTE] = IR_OP_frint, [ROUND_RTP] = IR_OP_fceil, [ROUND_RTN] = IR_OP_ffloor};
    if (rounding == ROUND_DEFAULT || rounding == ROUND_RTZ)
        return x;
    return ir_op1(&gen->b, ops[rounding], x);
}

static unsigned mantissa_bits(unsigned bits)
{
    return bits == 16 ? 11 : bits == 32 ? 24 : 53;
}

// Rounds a float, to even, and converts it to an integer of at most 16 bits: in a sum with 1.5 * 2^23 the lowest bit of the
// mantissa counts ones. GPUs round and convert at a quarter of the rate of additions.
static struct ir_instr *rounded_by_sum(struct gen *gen, struct ir_instr *x, struct ir_type to)
{
    struct ir_builder *b = &gen->b;
    uint8_t flags = b->flags;
    b->flags = 0;
    struct ir_instr *sum = ir_op2(b, IR_OP_fadd, x, ir_const_float(gen->module, x->type, 0x1.8p23));
    b->flags = flags;
    return ir_convert(b, IR_OP_trunc, to, ir_convert(b, IR_OP_bitcast, ir_with_lanes(ir_int(32), x->type.lanes), sum));
}

// Saturates with minimum and maximum, for floats that represent the limits. Both ignore a NaN operand.
static struct ir_instr *clamp_float(struct gen *gen, struct ir_instr *x, struct ir_type to, bool to_signed, unsigned rounding)
{
    struct ir_builder *b = &gen->b;
    double most = ldexp(1, to.bits - to_signed) - 1, least = to_signed ? -most - 1 : 0;
    bool by_sum = rounding == ROUND_RTE && x->type.bits == 32 && to.bits <= 16;
    struct ir_instr *number = by_sum ? x : round_to_integer(gen, x, rounding);
    number = ir_op2(b, IR_OP_fmax, number, ir_const_float(gen->module, x->type, least));
    number = ir_op2(b, IR_OP_fmin, number, ir_const_float(gen->module, x->type, most));
    struct ir_instr *value = by_sum ? rounded_by_sum(gen, number, to) : ir_convert(b, to_signed ? IR_OP_f2s : IR_OP_f2u, to, number);
    return to_signed ? ir_select(b, ir_op2(b, IR_OP_fne, x, x), ir_const_int(gen->module, to, 0), value) : value;
}

// Saturates out-of-range values and converts NaN to 0.
static struct ir_instr *float_to_int_sat(struct gen *gen, struct ir_instr *x, struct ir_type to, bool to_signed,
                                         unsigned rounding)
{
    struct ir_builder *b = &gen->b;
    struct ir_module *m = gen->module;
    if (x->type.bits == 16) // half cannot represent the limits
        x = ir_convert(b, IR_OP_f2f, ir_with_lanes(ir_float(32), x->type.lanes), x);
    unsigned value_bits = to.bits - to_signed;
    if (gen->target->native_min_max[x->type.bits / 32] && value_bits <= mantissa_bits(x->type.bits))
        return clamp_float(gen, x, to, to_signed, rounding);
    x = round_to_integer(gen, x, rounding);
    struct ir_instr *above = ir_const_float(m, x->type, ldexp(1, (int)value_bits));
    struct ir_instr *least = ir_const_float(m, x->type, to_signed ? -ldexp(1, (int)value_bits) : 0);
    uint64_t most = value_bits == 64 ? UINT64_MAX : (UINT64_C(1) << value_bits) - 1;
    uint64_t lowest = to_signed ? ~most : 0;
    struct ir_instr *value = ir_convert(b, to_signed ? IR_OP_f2s : IR_OP_f2u, to, x);
    value = ir_select(b, ir_op2(b, IR_OP_fle, above, x), ir_const_int(m, to, most), value);
    value = ir_select(b, ir_op2(b, IR_OP_flt, x, least), ir_const_int(m, to, lowest), value);
    return ir_select(b, ir_op2(b, IR_OP_fne, x, x), ir_const_int(m, to, 0), value);
}

static bool to_float_is_exact(struct ir_type from, struct ir_type to, bool from_signed)
{
    if (from.base == IR_FLOAT)
        return to.bits >= from.bits;
    return (unsigned)(from.bits - from_signed) <= mantissa_bits(to.bits);
}

struct ir_instr *gen_convert_builtin(struct gen *gen, const struct expr *expr, struct ir_instr *x)
{
    const struct type *from = expr->args[0]->type.type, *to = expr->type.type;
    unsigned rounding = expr->builtin->op & 7;
    bool sat = expr->builtin->op & CONVERT_SAT;
    bool from_signed = type_is_signed(from), to_signed = type_is_signed(to);
    struct ir_type type = gen_type(to);
    if (x->type.base == IR_BOOL)
        return gen_convert(gen, x, from, to);
    if (x->type.base == IR_INT && type.base == IR_INT)
        return sat ? clamp_int(gen, x, from_signed, type, to_signed) : int_to_int(gen, x, from_signed, type);
    if (type.base == IR_INT) {
        return sat ? float_to_int_sat(gen, x, type, to_signed, rounding)
                   : convert_lanes(gen, round_to_integer(gen, x, rounding), from_signed, type, to_signed);
    }
    if (rounding > ROUND_RTE && !to_float_is_exact(x->type, type, from_signed))
        return gen_to_float_rounded(gen, x, from_signed, type, rounding);
    return convert_lanes(gen, x, from_signed, type, to_signed);
}
