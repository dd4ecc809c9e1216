// SPDX-License-Identifier: Apache-2.0
// Conversions to a float type with rounding other than to nearest (OpenCL C 6.3.3): the value is truncated to what
// the type can represent and converted exactly; then one step on the result's bits if the direction requires it.
#include "gen/gen_internal.h"

#include <math.h>

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

// Whether rounding goes away from zero, for the sign of each lane.
static struct ir_instr *is_away(struct gen *gen, struct ir_instr *negative, unsigned rounding)
{
    if (rounding == ROUND_RTN)
        return negative;
    return rounding == ROUND_RTP ? OP1(not, negative) : number(gen, negative->type, 0);
}

// Clears the integer's bits that do not fit, so that its conversion is exact; rounding away from zero takes the next
// float.
static struct ir_instr *int_to_float(struct gen *gen, struct ir_instr *x, bool is_signed, struct ir_type to,
                                     unsigned rounding)
{
    struct ir_type from = x->type, bits = bits_of(to);
    struct ir_instr *zero = number(gen, from, 0);
    struct ir_instr *negative = is_signed ? OP2(slt, x, zero) : number(gen, bool_like(from), 0);
    struct ir_instr *size = ir_select(&gen->b, negative, OP1(ineg, x), x);
    struct ir_instr *spare = OP2(isub, number(gen, from, from.bits - precision(to.bits)), OP1(clz, size));
    spare = OP2(smax, spare, zero);
    struct ir_instr *exact = OP2(shl, OP2(lshr, size, spare), spare);
    struct ir_instr *result = gen_as(gen, ir_convert(&gen->b, IR_OP_u2f, to, exact), bits);
    struct ir_instr *infinity = number(gen, bits, infinity_of(to.bits));
    struct ir_instr *away = is_away(gen, negative, rounding);
    struct ir_instr *step = ir_convert(&gen->b, IR_OP_zext, bits, OP2(and, away, OP2(ine, size, exact)));
    struct ir_instr *limit = ir_select(&gen->b, away, infinity, number(gen, bits, infinity_of(to.bits) - 1));
    struct ir_instr *stepped = OP2(iadd, result, step);
    result = ir_select(&gen->b, OP2(ieq, result, infinity), limit, stepped);
    struct ir_instr *sign = number(gen, bits, UINT64_C(1) << (to.bits - 1));
    return gen_as(gen, OP2(or, result, ir_select(&gen->b, negative, sign, number(gen, bits, 0))), to);
}

// The part of |x| (bits `size`) that `to` can represent: low mantissa bits cleared, or, below the smallest normal
// number, a multiple of the smallest denormal.
static struct ir_instr *representable(struct gen *gen, struct ir_instr *size, struct ir_type from, struct ir_type to)
{
    int least_exponent = to.bits == 16 ? -14 : -126, unit = 1 - (int)precision(to.bits) + least_exponent;
    uint64_t low = (UINT64_C(1) << (precision(from.bits) - precision(to.bits))) - 1;
    struct ir_instr *least = gen_as(gen, ir_const_float(gen->module, from, ldexp(1, least_exponent)), size->type);
    struct ir_instr *units = OP2(fmul, gen_as(gen, size, from), ir_const_float(gen->module, from, ldexp(1, -unit)));
    struct ir_instr *truncated = OP2(fmul, OP1(ftrunc, units), ir_const_float(gen->module, from, ldexp(1, unit)));
    struct ir_instr *masked = OP2(and, size, number(gen, size->type, ~low));
    truncated = gen_as(gen, truncated, size->type);
    return ir_select(&gen->b, OP2(ult, size, least), truncated, masked);
}

// As for integers: the representable part converts exactly, then one step up if rounding goes away from zero. Never
// narrows inexactly and widens again: drivers remove such pairs.
static struct ir_instr *float_to_float(struct gen *gen, struct ir_instr *x, struct ir_type to, unsigned rounding)
{
    struct ir_type from = x->type, from_bits = bits_of(from), bits = bits_of(to);
    struct ir_instr *given = gen_as(gen, x, from_bits);
    struct ir_instr *negative = OP2(slt, given, number(gen, from_bits, 0));
    struct ir_instr *size = OP2(and, given, number(gen, from_bits, (UINT64_C(1) << (from.bits - 1)) - 1));
    struct ir_instr *exact = representable(gen, size, from, to);
    struct ir_instr *result = gen_as(gen, ir_convert(&gen->b, IR_OP_f2f, to, gen_as(gen, exact, from)), bits);
    struct ir_instr *away = is_away(gen, negative, rounding);
    struct ir_instr *step = ir_convert(&gen->b, IR_OP_zext, bits, OP2(and, away, OP2(ine, size, exact)));
    struct ir_instr *infinity = number(gen, bits, infinity_of(to.bits));
    struct ir_instr *limit = ir_select(&gen->b, away, infinity, number(gen, bits, infinity_of(to.bits) - 1));
    struct ir_instr *from_infinity = number(gen, from_bits, infinity_of(from.bits));
    struct ir_instr *beyond = gen_as(gen, ir_const_float(gen->module, from, ldexp(1, to.bits == 16 ? 16 : 128)), from_bits);
    struct ir_instr *overflow = OP2(ult, size, from_infinity);
    overflow = OP2(and, OP2(ule, beyond, size), overflow);
    result = ir_select(&gen->b, overflow, limit, OP2(iadd, result, step));
    struct ir_instr *sign = number(gen, bits, UINT64_C(1) << (to.bits - 1));
    result = OP2(or, result, ir_select(&gen->b, negative, sign, number(gen, bits, 0)));
    struct ir_instr *nan = gen_as(gen, ir_convert(&gen->b, IR_OP_f2f, to, x), bits);
    return gen_as(gen, ir_select(&gen->b, OP2(ult, from_infinity, size), nan, result), to);
}

struct ir_instr *gen_to_float_rounded(struct gen *gen, struct ir_instr *x, bool is_signed, struct ir_type to,
                                      unsigned rounding)
{
    return x->type.base == IR_INT ? int_to_float(gen, x, is_signed, to, rounding)
                                  : float_to_float(gen, x, to, rounding);
}

struct ir_instr *gen_double_to_odd(struct gen *gen, struct ir_instr *x)
{
    struct ir_type wide = bits_of(x->type), bits = ir_with_lanes(ir_int(32), x->type.lanes);
    struct ir_instr *given = gen_as(gen, x, wide), *zero = number(gen, wide, 0), *one = number(gen, wide, UINT64_C(1) << 52);
    struct ir_instr *size = OP2(and, given, number(gen, wide, INT64_MAX));
    struct ir_instr *exponent = OP2(isub, OP2(lshr, size, number(gen, wide, 52)), number(gen, wide, 1023 - 126));
    struct ir_instr *mantissa = OP2(or, OP2(and, size, number(gen, wide, (UINT64_C(1) << 52) - 1)), one);
    struct ir_instr *spare = OP2(isub, number(gen, wide, 52 - 23), OP2(smin, exponent, zero)); // denormals lose more bits
    spare = OP2(umin, spare, number(gen, wide, 63));
    struct ir_instr *exact = OP2(lshr, mantissa, spare), *lost = OP2(ine, OP2(shl, exact, spare), mantissa);
    exact = OP2(iadd, exact, OP2(shl, OP2(smax, exponent, zero), number(gen, wide, 23)));
    exact = OP2(umin, OP2(or, exact, ir_convert(&gen->b, IR_OP_zext, wide, lost)), number(gen, wide, infinity_of(32)));
    exact = ir_select(&gen->b, OP2(ult, number(gen, wide, infinity_of(64)), size), number(gen, wide, 0x7fc00000), exact);
    struct ir_instr *sign = OP2(and, OP2(lshr, given, number(gen, wide, 32)), number(gen, wide, 0x80000000));
    return gen_as(gen, ir_convert(&gen->b, IR_OP_trunc, bits, OP2(or, exact, sign)), ir_with_lanes(ir_float(32), x->type.lanes));
}
