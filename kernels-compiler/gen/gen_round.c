// SPDX-License-Identifier: Apache-2.0
// Conversions to a float type in a rounding direction other than to nearest (OpenCL C 6.3.3): exact arithmetic around
// the device's conversion to nearest, one step on the result's bits where it went the wrong way.
#include "gen/gen_internal.h"

#define OP1(op, x) ir_op1(&gen->b, IR_OP_##op, (x))
#define OP2(op, x, y) ir_op2(&gen->b, IR_OP_##op, (x), (y))

static unsigned precision(unsigned bits)
{
    return bits == 16 ? 11 : bits == 32 ? 24 : 53;
}

static uint64_t infinity_of(unsigned bits)
{
    return bits == 16 ? 0x7c00 : bits == 32 ? 0x7f800000 : UINT64_C(0x7ff0000000000000);
}

static struct ir_instr *number(struct gen *gen, struct ir_type type, uint64_t value)
{
    return ir_const_int(gen->module, type, value);
}

static struct ir_type bits_of(struct ir_type type)
{
    return ir_with_lanes(ir_int(type.bits), type.lanes);
}

static struct ir_type bool_like(struct ir_type type)
{
    return ir_with_lanes(ir_bool(), type.lanes);
}

// Whether the direction leads away from zero, for lanes that are negative or not.
static struct ir_instr *is_away(struct gen *gen, struct ir_instr *negative, unsigned rounding)
{
    if (rounding == ROUND_RTN)
        return negative;
    return rounding == ROUND_RTP ? OP1(not, negative) : number(gen, negative->type, 0);
}

// The integer loses the bits that do not fit, so that its conversion is exact; then away from zero is the next float up.
static struct ir_instr *int_to_float(struct gen *gen, struct ir_instr *x, bool is_signed, struct ir_type to,
                                     unsigned rounding)
{
    struct ir_type from = x->type, bits = bits_of(to);
    struct ir_instr *zero = number(gen, from, 0);
    struct ir_instr *negative = is_signed ? OP2(slt, x, zero) : number(gen, bool_like(from), 0);
    struct ir_instr *size = ir_select(&gen->b, negative, OP1(ineg, x), x);
    struct ir_instr *spare = OP2(isub, number(gen, from, from.bits - precision(to.bits)), OP1(clz, size));
    spare = OP2(smax, spare, zero);
    struct ir_instr *kept = OP2(shl, OP2(lshr, size, spare), spare);
    struct ir_instr *result = gen_as(gen, ir_convert(&gen->b, IR_OP_u2f, to, kept), bits);
    struct ir_instr *infinity = number(gen, bits, infinity_of(to.bits));
    struct ir_instr *away = is_away(gen, negative, rounding);
    struct ir_instr *step = ir_convert(&gen->b, IR_OP_zext, bits, OP2(and, away, OP2(ine, size, kept)));
    struct ir_instr *limit = ir_select(&gen->b, away, infinity, number(gen, bits, infinity_of(to.bits) - 1));
    result = ir_select(&gen->b, OP2(ieq, result, infinity), limit, OP2(iadd, result, step));
    struct ir_instr *sign = number(gen, bits, UINT64_C(1) << (to.bits - 1));
    return gen_as(gen, OP2(or, result, ir_select(&gen->b, negative, sign, number(gen, bits, 0))), to);
}

// Narrowed to nearest and widened again, exactly: is it beyond x in the direction that is not allowed?
static struct ir_instr *float_to_float(struct gen *gen, struct ir_instr *x, struct ir_type to, unsigned rounding)
{
    struct ir_type bits = bits_of(to);
    struct ir_instr *nearest = ir_convert(&gen->b, IR_OP_f2f, to, x);
    struct ir_instr *back = ir_convert(&gen->b, IR_OP_f2f, x->type, nearest);
    struct ir_instr *value = gen_as(gen, nearest, bits);
    struct ir_instr *negative = OP2(slt, value, number(gen, bits, 0));
    struct ir_instr *too_low = OP2(flt, back, x), *too_high = OP2(flt, x, back);
    struct ir_instr *up = OP2(and, too_low, OP1(not, negative)), *down_from_zero = OP2(and, too_high, negative);
    struct ir_instr *toward = number(gen, negative->type, 0), *away = toward;
    if (rounding != ROUND_RTP) // a positive one must not be too high
        toward = OP2(or, toward, OP2(and, too_high, OP1(not, negative)));
    if (rounding != ROUND_RTN)
        toward = OP2(or, toward, OP2(and, too_low, negative));
    if (rounding == ROUND_RTP)
        away = up;
    if (rounding == ROUND_RTN)
        away = down_from_zero;
    struct ir_instr *step = OP2(isub, ir_convert(&gen->b, IR_OP_zext, bits, away),
                                ir_convert(&gen->b, IR_OP_zext, bits, toward));
    return gen_as(gen, OP2(iadd, value, step), to);
}

struct ir_instr *gen_to_float_rounded(struct gen *gen, struct ir_instr *x, bool is_signed, struct ir_type to,
                                      unsigned rounding)
{
    return x->type.base == IR_INT ? int_to_float(gen, x, is_signed, to, rounding)
                                  : float_to_float(gen, x, to, rounding);
}
