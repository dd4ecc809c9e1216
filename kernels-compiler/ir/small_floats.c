// SPDX-License-Identifier: Apache-2.0
// See small_floats.h. All formats have sign, exponent and mantissa like f32, so for normal numbers the bits move and
// the exponent's bias changes; other values are selected. Devices that flush f32 denormals give the same results:
// denormals are far below the range.
#include "ir/small_floats.h"
#include "util/small_float.h"

enum { F32_MANTISSA = 23, F32_BIAS = 127 };

_Static_assert((int)IR_E4M3 - (int)IR_BF16 == SMALL_E4M3 && (int)IR_E5M2 - (int)IR_BF16 == SMALL_E5M2, "one order");

static const struct small_format *format_of(enum ir_base base) { return &small_formats[base - IR_BF16]; }

static struct ir_instr *number(struct ir_builder *b, uint32_t value) { return ir_const_int(b->module, ir_int(32), value); }

static struct ir_instr *op(struct ir_builder *b, enum ir_op code, struct ir_instr *x, uint32_t y)
{
    return ir_op2(b, code, x, number(b, y));
}

static struct ir_instr *as_float(struct ir_builder *b, struct ir_instr *x) { return ir_convert(b, IR_OP_bitcast, ir_float(32), x); }
static struct ir_instr *as_bits(struct ir_builder *b, struct ir_instr *x) { return ir_convert(b, IR_OP_bitcast, ir_int(32), x); }

// The f32 2^exponent.
static struct ir_instr *power(struct ir_builder *b, int exponent)
{
    return as_float(b, number(b, (uint32_t)(exponent + F32_BIAS) << F32_MANTISSA));
}

// Infinities and NaNs are encoded above the finite numbers.
static struct ir_instr *wide_special(struct ir_builder *b, const struct small_format *f, struct ir_instr *size, struct ir_instr *finite)
{
    struct ir_instr *nan = number(b, 0x7fc00000), *special = nan;
    if (f->too_much != f->nan)
        special = ir_select(b, op(b, IR_OP_ieq, size, f->too_much), number(b, 0x7f800000), nan);
    return ir_select(b, ir_op2(b, IR_OP_ult, number(b, f->last), size), special, finite);
}

struct ir_instr *ir_widen_small(struct ir_builder *b, enum ir_base format, struct ir_instr *bits)
{
    const struct small_format *f = format_of(format);
    struct ir_instr *wide = ir_convert(b, IR_OP_zext, ir_int(32), bits);
    if (format == IR_BF16)
        return as_float(b, op(b, IR_OP_shl, wide, 16));
    uint8_t flags = b->flags;
    b->flags = 0;
    struct ir_instr *size = op(b, IR_OP_and, wide, (1u << (f->bits - 1)) - 1);
    struct ir_instr *sign = op(b, IR_OP_shl, op(b, IR_OP_and, wide, 1u << (f->bits - 1)), (uint32_t)(32 - f->bits));
    struct ir_instr *normal = op(b, IR_OP_shl, size, (uint32_t)(F32_MANTISSA - f->mantissa));
    normal = op(b, IR_OP_iadd, normal, (uint32_t)(F32_BIAS - f->bias) << F32_MANTISSA);
    struct ir_instr *unit = power(b, 1 - f->bias - f->mantissa); // of the format's denormals
    struct ir_instr *denormal = as_bits(b, ir_op2(b, IR_OP_fmul, ir_convert(b, IR_OP_u2f, ir_float(32), size), unit));
    struct ir_instr *finite = ir_select(b, op(b, IR_OP_ult, size, 1u << f->mantissa), denormal, normal);
    struct ir_instr *result = as_float(b, ir_op2(b, IR_OP_or, wide_special(b, f, size, finite), sign));
    b->flags = flags;
    return result;
}

// The bits of an f32 magnitude in the denormal range of the format: adding a number whose last bit is the format's
// unit rounds correctly.
static struct ir_instr *narrow_denormal(struct ir_builder *b, const struct small_format *f, struct ir_instr *size)
{
    struct ir_instr *large = power(b, 1 - f->bias - f->mantissa + F32_MANTISSA);
    struct ir_instr *sum = as_bits(b, ir_op2(b, IR_OP_fadd, as_float(b, size), large));
    return ir_op2(b, IR_OP_isub, sum, as_bits(b, large));
}

struct ir_instr *ir_narrow_small(struct ir_builder *b, enum ir_base format, struct ir_instr *x)
{
    const struct small_format *f = format_of(format);
    uint32_t shift = (uint32_t)(F32_MANTISSA - f->mantissa), bias = (uint32_t)(F32_BIAS - f->bias);
    uint8_t flags = b->flags;
    b->flags = 0;
    struct ir_instr *bits = as_bits(b, x), *size = op(b, IR_OP_and, bits, 0x7fffffff);
    struct ir_instr *sign = op(b, IR_OP_and, op(b, IR_OP_lshr, bits, (uint32_t)(32 - f->bits)), 1u << (f->bits - 1));
    struct ir_instr *odd = op(b, IR_OP_and, op(b, IR_OP_lshr, size, shift), 1);
    struct ir_instr *result = ir_op2(b, IR_OP_iadd, op(b, IR_OP_iadd, size, (1u << (shift - 1)) - 1), odd);
    result = op(b, IR_OP_lshr, result, shift);
    if (f->bias != F32_BIAS) {
        result = op(b, IR_OP_isub, result, bias << f->mantissa);
        struct ir_instr *below = op(b, IR_OP_ult, size, (bias + 1) << F32_MANTISSA);
        result = ir_select(b, below, narrow_denormal(b, f, size), result);
        result = ir_select(b, op(b, IR_OP_ult, result, f->last + 1), result, number(b, f->too_much));
    }
    if (f->nan != f->too_much)
        result = ir_select(b, ir_op2(b, IR_OP_ult, number(b, 0x7f800000), size), number(b, f->nan), result);
    result = ir_convert(b, IR_OP_trunc, ir_int((unsigned)f->bits), ir_op2(b, IR_OP_or, result, sign));
    b->flags = flags;
    return result;
}
