// SPDX-License-Identifier: Apache-2.0
// Integer builtins (OpenCL C 6.15.3) as a few operations each, on all lanes at once.
#include "gen/gen_internal.h"

static struct ir_instr *splat_like(struct gen *gen, struct ir_instr *x, const struct ir_instr *like)
{
    return x->type.lanes < like->type.lanes ? ir_splat(&gen->b, x, like->type.lanes) : x;
}

static struct ir_instr *number(struct gen *gen, const struct ir_instr *like, uint64_t value)
{
    return ir_const_int(gen->module, like->type, value);
}

static uint64_t signed_max(const struct ir_instr *x)
{
    return UINT64_MAX >> (65 - x->type.bits);
}

#define OP2(op, x, y) ir_op2(&gen->b, IR_OP_##op, (x), (y))

static struct ir_instr *shift(struct gen *gen, enum ir_op op, struct ir_instr *x, unsigned amount)
{
    return ir_op2(&gen->b, op, x, number(gen, x, amount));
}

static struct ir_instr *abs_of(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0];
    if (!args->is_signed)
        return x;
    struct ir_instr *negated = ir_op1(&gen->b, IR_OP_ineg, x);
    return ir_select(&gen->b, OP2(slt, x, number(gen, x, 0)), negated, x);
}

static struct ir_instr *abs_diff(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0], *y = args->x[1];
    struct ir_instr *less = args->is_signed ? OP2(slt, x, y) : OP2(ult, x, y);
    struct ir_instr *otherwise = OP2(isub, x, y);
    return ir_select(&gen->b, less, OP2(isub, y, x), otherwise);
}

// The end of the signed range towards x's sign: MAX for x >= 0, MIN for x < 0.
static struct ir_instr *saturated(struct gen *gen, struct ir_instr *x)
{
    struct ir_instr *sign = shift(gen, IR_OP_ashr, x, x->type.bits - 1u);
    return OP2(xor, sign, number(gen, x, signed_max(x)));
}

// All ones if the 64-bit sum (or difference) overflows, by the carry's formula. One driver turns a comparison and
// selection into a saturating operation and then miscompiles it next to a division.
static struct ir_instr *carry64(struct gen *gen, struct ir_instr *x, struct ir_instr *y, struct ir_instr *result)
{
    struct ir_instr *lost = ir_op1(&gen->b, IR_OP_not, result), *some = OP2(and, OP2(or, x, y), lost);
    return shift(gen, IR_OP_ashr, OP2(or, OP2(and, x, y), some), 63);
}

static struct ir_instr *borrow64(struct gen *gen, struct ir_instr *x, struct ir_instr *y, struct ir_instr *result)
{
    struct ir_instr *less = ir_op1(&gen->b, IR_OP_not, x);
    struct ir_instr *some = OP2(and, OP2(or, less, y), result);
    return shift(gen, IR_OP_ashr, OP2(or, OP2(and, less, y), some), 63);
}

static struct ir_instr *add_sat(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0], *y = args->x[1], *sum = OP2(iadd, x, y);
    if (!args->is_signed && x->type.bits == 64)
        return OP2(or, sum, carry64(gen, x, y, sum));
    if (!args->is_signed)
        return ir_select(&gen->b, OP2(ult, sum, x), number(gen, x, UINT64_MAX), sum);
    struct ir_instr *overflow = OP2(xor, sum, y);
    overflow = OP2(and, OP2(xor, sum, x), overflow);
    struct ir_instr *end = saturated(gen, x);
    return ir_select(&gen->b, OP2(slt, overflow, number(gen, x, 0)), end, sum);
}

static struct ir_instr *sub_sat(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0], *y = args->x[1], *difference = OP2(isub, x, y);
    if (!args->is_signed && x->type.bits == 64)
        return OP2(and, difference, ir_op1(&gen->b, IR_OP_not, borrow64(gen, x, y, difference)));
    if (!args->is_signed)
        return ir_select(&gen->b, OP2(ult, x, y), number(gen, x, 0), difference);
    struct ir_instr *overflow = OP2(xor, x, difference);
    overflow = OP2(and, OP2(xor, x, y), overflow);
    struct ir_instr *end = saturated(gen, x);
    return ir_select(&gen->b, OP2(slt, overflow, number(gen, x, 0)), end, difference);
}

static struct ir_instr *half_of(struct gen *gen, const struct gen_args *args, struct ir_instr *x)
{
    return shift(gen, args->is_signed ? IR_OP_ashr : IR_OP_lshr, x, 1);
}

// Common bits once, differing bits halved, so that nothing overflows.
static struct ir_instr *hadd(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0], *y = args->x[1], *half = half_of(gen, args, OP2(xor, x, y));
    return OP2(iadd, OP2(and, x, y), half);
}

static struct ir_instr *rhadd(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0], *y = args->x[1], *half = half_of(gen, args, OP2(xor, x, y));
    return OP2(isub, OP2(or, x, y), half);
}

static struct ir_instr *extreme(struct gen *gen, const struct gen_args *args, bool largest, struct ir_instr *x,
                                struct ir_instr *y)
{
    static const uint16_t ops[3][2] = {{IR_OP_umin, IR_OP_umax}, {IR_OP_smin, IR_OP_smax}, {IR_OP_fmin, IR_OP_fmax}};
    uint8_t flags = gen->b.flags;
    if (args->is_float && x->type.bits > 16) // the result for NaN is unspecified, so the native operation suffices
        gen->b.flags = IR_FAST;
    x = ir_op2(&gen->b, ops[args->is_float ? 2 : args->is_signed][largest], x, splat_like(gen, y, x));
    gen->b.flags = flags;
    return x;
}

static struct ir_instr *max_of(struct gen *gen, struct gen_args *args)
{
    return extreme(gen, args, true, args->x[0], args->x[1]);
}

static struct ir_instr *min_of(struct gen *gen, struct gen_args *args)
{
    return extreme(gen, args, false, args->x[0], args->x[1]);
}

static struct ir_instr *clamp_of(struct gen *gen, struct gen_args *args)
{
    return extreme(gen, args, false, extreme(gen, args, true, args->x[0], args->x[1]), args->x[2]);
}

static struct ir_instr *mul_hi(struct gen *gen, struct gen_args *args)
{
    return ir_op2(&gen->b, args->is_signed ? IR_OP_smulhi : IR_OP_umulhi, args->x[0], args->x[1]);
}

static struct ir_instr *mad_hi(struct gen *gen, struct gen_args *args)
{
    return OP2(iadd, mul_hi(gen, args), args->x[2]);
}

static struct ir_instr *mad_sat_unsigned(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *high = mul_hi(gen, args), *low = OP2(imul, args->x[0], args->x[1]);
    struct ir_instr *sum = OP2(iadd, low, args->x[2]);
    struct ir_instr *over = OP2(ult, sum, low);
    over = OP2(or, OP2(ine, high, number(gen, high, 0)), over);
    return ir_select(&gen->b, over, number(gen, sum, UINT64_MAX), sum);
}

// The double-width sum high:low + c does not overflow if its upper half is the sign extension of its lower half.
static struct ir_instr *mad_sat(struct gen *gen, struct gen_args *args)
{
    if (!args->is_signed)
        return mad_sat_unsigned(gen, args);
    struct ir_instr *c = args->x[2];
    struct ir_instr *high = mul_hi(gen, args), *low = OP2(imul, args->x[0], args->x[1]);
    struct ir_instr *sum = OP2(iadd, low, c);
    struct ir_instr *carry = ir_convert(&gen->b, IR_OP_zext, sum->type, OP2(ult, sum, low));
    unsigned top = sum->type.bits - 1u;
    high = OP2(iadd, OP2(iadd, high, shift(gen, IR_OP_ashr, c, top)), carry);
    struct ir_instr *fits = OP2(ieq, high, shift(gen, IR_OP_ashr, sum, top));
    return ir_select(&gen->b, fits, sum, saturated(gen, high));
}

static struct ir_instr *rotate(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0], *left = splat_like(gen, args->x[1], x);
    struct ir_instr *around = OP2(lshr, x, ir_op1(&gen->b, IR_OP_ineg, left));
    return OP2(or, OP2(shl, x, left), around);
}

static struct ir_instr *upsample(struct gen *gen, struct gen_args *args)
{
    struct ir_type wide = gen_type(args->type);
    struct ir_instr *high = ir_convert(&gen->b, IR_OP_zext, wide, args->x[0]);
    struct ir_instr *low = ir_convert(&gen->b, IR_OP_zext, wide, args->x[1]);
    return OP2(or, shift(gen, IR_OP_shl, high, args->x[0]->type.bits), low);
}

static struct ir_instr *mul24(struct gen *gen, struct gen_args *args)
{
    return OP2(imul, args->x[0], args->x[1]);
}

static struct ir_instr *mad24(struct gen *gen, struct gen_args *args)
{
    return OP2(iadd, mul24(gen, args), args->x[2]);
}

static struct ir_instr *clz(struct gen *gen, struct gen_args *args)
{
    return ir_op1(&gen->b, IR_OP_clz, args->x[0]);
}

static struct ir_instr *ctz(struct gen *gen, struct gen_args *args)
{
    return ir_op1(&gen->b, IR_OP_ctz, args->x[0]);
}

static struct ir_instr *popcount(struct gen *gen, struct gen_args *args)
{
    return ir_op1(&gen->b, IR_OP_popcount, args->x[0]);
}

// ---- bit fields ----------------------------------------------------------------------------------

// A mask of `count` ones. Shift amounts are taken modulo the width, so the full width needs a selection.
static struct ir_instr *ones(struct gen *gen, struct ir_instr *count)
{
    struct ir_instr *all = number(gen, count, UINT64_MAX);
    struct ir_instr *low = ir_op1(&gen->b, IR_OP_not, OP2(shl, all, count));
    return ir_select(&gen->b, OP2(ieq, count, number(gen, count, count->type.bits)), all, low);
}

// An offset or a count, converted to lanes of the type.
static struct ir_instr *amount_like(struct gen *gen, struct ir_instr *x, struct ir_instr *like)
{
    struct ir_type type = ir_with_lanes(like->type, x->type.lanes);
    if (x->type.bits != type.bits)
        x = ir_convert(&gen->b, x->type.bits > type.bits ? IR_OP_trunc : IR_OP_zext, type, x);
    return splat_like(gen, x, like);
}

static struct ir_instr *bitfield_insert(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *base = args->x[0], *insert = args->x[1];
    struct ir_instr *offset = amount_like(gen, args->x[2], base), *count = amount_like(gen, args->x[3], base);
    struct ir_instr *mask = OP2(shl, ones(gen, count), offset);
    struct ir_instr *outside = OP2(and, base, ir_op1(&gen->b, IR_OP_not, mask));
    return OP2(or, outside, OP2(and, OP2(shl, insert, offset), mask));
}

static struct ir_instr *bitfield_extract(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0], *offset = amount_like(gen, args->x[1], x), *count = amount_like(gen, args->x[2], x);
    if (!args->builtin->op) {
        struct ir_instr *mask = ones(gen, count);
        return OP2(and, OP2(lshr, x, offset), mask);
    }
    struct ir_instr *width = number(gen, x, x->type.bits), *unused = OP2(isub, width, count);
    struct ir_instr *field = OP2(ashr, OP2(shl, x, OP2(isub, unused, offset)), unused);
    return ir_select(&gen->b, OP2(ieq, count, number(gen, x, 0)), number(gen, x, 0), field);
}

// ---- dot products --------------------------------------------------------------------------------

static struct ir_instr *lanes_to_ints(struct gen *gen, struct ir_instr *x, bool is_signed)
{
    if (x->type.lanes == 1)
        x = gen_as(gen, x, ir_with_lanes(ir_int(8), 4));
    return ir_convert(&gen->b, is_signed ? IR_OP_sext : IR_OP_zext, ir_with_lanes(ir_int(32), x->type.lanes), x);
}

static struct ir_instr *dot_by_products(struct gen *gen, struct ir_instr *x, struct ir_instr *y, unsigned signs)
{
    struct ir_instr *second = lanes_to_ints(gen, y, signs & DOT_SECOND_SIGNED);
    struct ir_instr *products = OP2(imul, lanes_to_ints(gen, x, signs & DOT_FIRST_SIGNED), second);
    struct ir_instr *sum = ir_extract(&gen->b, products, 0);
    for (unsigned i = 1; i < products->type.lanes; i++)
        sum = OP2(iadd, sum, ir_extract(&gen->b, products, i));
    return sum;
}

static struct ir_instr *dot_by_device(struct gen *gen, struct ir_instr *x, struct ir_instr *y, unsigned signs)
{
    x = gen_as(gen, x, ir_int(32));
    y = gen_as(gen, y, ir_int(32));
    if (signs == DOT_FIRST_SIGNED)
        return OP2(sudot4, x, y);
    if (signs == DOT_SECOND_SIGNED)
        return OP2(sudot4, y, x);
    return signs ? OP2(sdot4, x, y) : OP2(udot4, x, y);
}

static struct ir_instr *dot_of_ints(struct gen *gen, struct gen_args *args)
{
    unsigned signs = args->builtin->op & (DOT_FIRST_SIGNED | DOT_SECOND_SIGNED);
    bool device = gen->target->int_dot_product && args->x[0]->type.bits != 16;
    struct ir_instr *dot = device ? dot_by_device(gen, args->x[0], args->x[1], signs)
                                  : dot_by_products(gen, args->x[0], args->x[1], signs);
    if (args->count == 2)
        return dot;
    if (args->builtin->op & DOT_WRAPS)
        return OP2(iadd, dot, args->x[2]);
    struct gen_args sum = {.x = {dot, args->x[2]}, .is_signed = signs != 0};
    return add_sat(gen, &sum);
}

static gen_special *const specials[BUILTIN_SPECIAL_COUNT] = {
    [BUILTIN_ABS] = abs_of,      [BUILTIN_ABS_DIFF] = abs_diff, [BUILTIN_ADD_SAT] = add_sat, [BUILTIN_SUB_SAT] = sub_sat,
    [BUILTIN_HADD] = hadd,       [BUILTIN_RHADD] = rhadd,       [BUILTIN_CLAMP] = clamp_of,  [BUILTIN_MAX] = max_of,
    [BUILTIN_MIN] = min_of,      [BUILTIN_MUL_HI] = mul_hi,     [BUILTIN_MAD_HI] = mad_hi,   [BUILTIN_MAD_SAT] = mad_sat,
    [BUILTIN_ROTATE] = rotate,   [BUILTIN_UPSAMPLE] = upsample, [BUILTIN_MUL24] = mul24,     [BUILTIN_MAD24] = mad24,
    [BUILTIN_CLZ] = clz,         [BUILTIN_CTZ] = ctz,           [BUILTIN_POPCOUNT] = popcount,
    [BUILTIN_BITFIELD_INSERT] = bitfield_insert, [BUILTIN_BITFIELD_EXTRACT] = bitfield_extract,
    [BUILTIN_DOT_INT] = dot_of_ints,
};

gen_special *gen_integer_special(unsigned special)
{
    return specials[special];
}
