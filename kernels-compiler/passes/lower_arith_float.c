// SPDX-License-Identifier: Apache-2.0
// The floating-point half of lower_arith. IR_FAST instructions are not changed.
//
// Sign operations use integers (drivers flush denormals in theirs), half division and square root use float, minimum
// and maximum use comparisons, conversions from and to small integers use 32 bits. A fused multiply-add without
// hardware support uses the next wider type, rounded to odd.
#include "passes/arith.h"

#include <math.h>

#include "passes/opt.h"
#include "passes/push.h"

// Index of a width in the target's tables.
static unsigned width_index(struct ir_type type)
{
    return type.bits / 32u;
}

static struct ir_type float_like(struct ir_type type, unsigned bits)
{
    return (struct ir_type){IR_FLOAT, (uint8_t)bits, type.lanes, 0, 0, 0};
}

static struct ir_instr *double_of_words(struct arith *a, struct ir_instr *low, struct ir_instr *high)
{
    struct ir_instr *words[2] = {low, high};
    return ir_convert(&a->b, IR_OP_bitcast, ir_float(64), ir_vec(&a->b, words, 2));
}

// The words of a float as those of a double are 2^-896 times the value, and the product with 2^896 is exact. If the
// value is infinite or a NaN, such a double is added, else -0, which changes nothing.
static struct ir_instr *double_by_words(struct arith *a, struct ir_instr *x)
{
    struct ir_type type = float_like(x->type, 64);
    struct ir_instr *bits = as_int(a, x), *size = op1(a, IR_OP_fabs, x), *lanes[16];
    struct ir_instr *high = op2k(a, IR_OP_and, op2k(a, IR_OP_ashr, bits, 3), 0x8fffffff), *low = op2k(a, IR_OP_shl, bits, 29);
    struct ir_instr *special = op2k(a, IR_OP_or, op2(a, IR_OP_or, bits, high), 0x7ff00000);
    struct ir_instr *zero = ir_const_int(a->b.module, ir_int(32), 0), *minus_zero = ir_const_int(a->b.module, bits->type, 0x80000000);
    size->flags |= IR_FAST;
    struct ir_instr *added = pick(a, op2(a, IR_OP_flt, size, k_float(a, x->type, (double)INFINITY)), minus_zero, special);
    for (unsigned i = 0; i < type.lanes; i++) {
        struct ir_instr *number = double_of_words(a, ir_extract(&a->b, low, i), ir_extract(&a->b, high, i));
        lanes[i] = ir_op3(&a->b, IR_OP_fma, number, k_float(a, ir_float(64), 0x1p896), double_of_words(a, zero, ir_extract(&a->b, added, i)));
    }
    return type.lanes == 1 ? lanes[0] : ir_vec(&a->b, lanes, type.lanes);
}

static struct ir_instr *f2f(struct arith *a, struct ir_instr *x, unsigned bits)
{
    bool by_words = bits == 64 && x->type.bits < 64 && a->target->own_doubles;
    x = convert(a, IR_OP_f2f, float_like(x->type, by_words ? 32 : bits), x);
    return by_words ? double_by_words(a, x) : x;
}

// ---- signs, minimum, maximum --------------------------------------------------------------------

static struct ir_instr *lower_sign(struct arith *a, struct ir_instr *x)
{
    uint64_t sign = UINT64_C(1) << (x->type.bits - 1);
    struct ir_instr *bits = as_int(a, x->src[0]);
    bits =
        x->op == IR_OP_fneg ? op2k(a, IR_OP_xor, bits, sign) : op2k(a, IR_OP_and, bits, sign - 1);
    return convert(a, IR_OP_bitcast, x->type, bits);
}

// Maps floats to integers with the same order (NaN: any).
static struct ir_instr *order_of(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *bits = as_int(a, x);
    uint64_t magnitude = (UINT64_C(1) << (x->type.bits - 1)) - 1;
    struct ir_instr *sign = op2k(a, IR_OP_ashr, bits, x->type.bits - 1u);
    return op2(a, IR_OP_xor, bits, op2k(a, IR_OP_and, sign, magnitude));
}

// Whether comparisons may treat denormals as zeros.
static bool flushes(const struct arith *a, struct ir_type type)
{
    return a->target->flushed_order && !a->target->denorm_preserve[width_index(type)];
}

// Whether x < y for a number y, with denormals, which the device's comparisons may treat as zero.
static struct ir_instr *less(struct arith *a, struct ir_instr *x, struct ir_instr *y)
{
    if (!flushes(a, x->type))
        return op2(a, IR_OP_flt, x, y);
    struct ir_instr *after = order_of(a, y);
    return op2(a, IR_OP_slt, order_of(a, x), after);
}

// y if x is a NaN or y is smaller (greater), else x, which covers a NaN in y.
static struct ir_instr *lower_min_max(struct arith *a, struct ir_instr *x)
{
    if (a->target->native_min_max[width_index(x->type)])
        return NULL;
    struct ir_instr *left = x->src[0], *right = x->src[1];
    struct ir_instr *better = x->op == IR_OP_fmin ? less(a, right, left) : less(a, left, right);
    if (flushes(a, x->type))
        better = op2(a, IR_OP_and, better, op2(a, IR_OP_feq, right, right));
    return pick(a, op2(a, IR_OP_or, better, op2(a, IR_OP_fne, left, left)), right, left);
}

static unsigned count_lanes(const struct ir_instr *k, uint64_t value)
{
    unsigned count = 0;
    for (unsigned i = 0; ir_is_const(k) && i < k->type.lanes; i++)
        count += k->lanes[i] == value;
    return count;
}

// -0 + 0 is 0, but drivers simplify x + 0 to x. If x == k the sum is 2k; else x - -k is equivalent.
static struct ir_instr *lower_add(struct arith *a, struct ir_instr *x)
{
    bool right = count_lanes(x->src[1], 0);
    if (a->target->hidden_zeros) // handled by lower_zeros
        return NULL;
    if (!right && !count_lanes(x->src[0], 0))
        return NULL;
    struct ir_instr *k = x->src[right ? 1 : 0], *sum = x->src[right ? 0 : 1];
    struct ir_instr *same = op2(a, IR_OP_feq, sum, k), *twice = op2(a, IR_OP_fadd, k, k);
    if (count_lanes(k, 0) < k->type.lanes)
        sum = op2(a, IR_OP_fsub, sum, op1(a, IR_OP_fneg, k));
    return pick(a, same, twice, sum);
}

static struct ir_instr *lower_sub(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *k = x->src[1];
    if (a->target->hidden_zeros || count_lanes(k, UINT64_C(1) << (x->type.bits - 1)) < k->type.lanes)
        return NULL;
    struct ir_instr *zero = op1(a, IR_OP_fneg, k);
    return pick(a, op2(a, IR_OP_feq, x->src[0], zero), zero, x->src[0]);
}

// ---- division and square root -------------------------------------------------------------------

// A float has more than twice the bits of a half plus two, so rounding twice equals rounding once. The native float
// quotient, with an error below 0.501 ULP, suffices.
static struct ir_instr *half_by_float(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *src[2];
    for (uint32_t i = 0; i < x->src_count; i++)
        src[i] = f2f(a, x->src[i], 32);
    a->b.flags = x->op == IR_OP_fdiv ? IR_FAST : 0;
    struct ir_instr *value = ir_build(&a->b, (enum ir_op)x->op, src[0]->type, src, x->src_count);
    a->b.flags = 0;
    return f2f(a, value, 16);
}

// Whether quotients and roots of floats are refined beyond the device's precision.
static bool refines(const struct arith *a)
{
    return a->target->fused_fma[1] && !a->target->plain_quotients;
}

// Goldschmidt's iteration from the native 1/sqrt, with a final residual: correctly rounded with a fused multiply-add.
// Small arguments are scaled by 2^64, so that the native function gets no denormals.
static struct ir_instr *sqrt_float(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *bits = as_int(a, x), *magnitude = op2k(a, IR_OP_and, bits, 0x7fffffff);
    struct ir_instr *small = op2k(a, IR_OP_ult, magnitude, 0x10000000);
    struct ir_instr *scaled = pick(a, small, op2(a, IR_OP_fmul, x, k_float(a, x->type, 0x1p64)), x);
    struct ir_instr *half = k_float(a, x->type, 0.5);
    a->b.flags = IR_FAST; // native function
    struct ir_instr *r = op1(a, IR_OP_frsqrt, scaled);
    a->b.flags = 0;
    struct ir_instr *s = op2(a, IR_OP_fmul, scaled, r), *h = op2(a, IR_OP_fmul, r, half);
    struct ir_instr *e = fma3(a, op1(a, IR_OP_fneg, h), s, half);
    h = fma3(a, h, e, h);
    s = fma3(a, s, e, s);
    s = fma3(a, fma3(a, op1(a, IR_OP_fneg, s), s, scaled), h, s);
    s = pick(a, small, op2(a, IR_OP_fmul, s, k_float(a, x->type, 0x1p-32)), s);
    struct ir_instr *zero = op2(a, IR_OP_feq, scaled, k_float(a, x->type, 0)), // denormals too, whose products may be flushed
                    *inf = op2k(a, IR_OP_ieq, bits, 0x7f800000);
    return pick(a, op2(a, IR_OP_or, zero, inf), scaled, s);
}

static struct ir_instr *lower_sqrt(struct arith *a, struct ir_instr *x)
{
    unsigned index = width_index(x->type);
    if (a->target->exact_sqrt[index])
        return NULL;
    if (index == 0)
        return half_by_float(a, x);
    return index == 1 && refines(a) ? sqrt_float(a, x->src[0]) : NULL;
}

// Powers of two up to 1: quotients are exact only for powers of two.
static bool is_small_power_of_two(const struct ir_instr *x)
{
    for (unsigned i = 0; ir_is_const(x) && i < x->type.lanes; i++)
        if ((x->lanes[i] & 0x7fffffff) > 0x3f800000 || (x->lanes[i] & 0x7fffff))
            return false;
    return ir_is_const(x);
}

static bool is_moderate(const struct ir_instr *x) // at most 1, and not much smaller
{
    for (unsigned i = 0; ir_is_const(x) && i < x->type.lanes; i++)
        if ((x->lanes[i] & 0x7fffffff) > 0x3f800000 || (x->lanes[i] & 0x7fffffff) < 0x1f800000)
            return false;
    return ir_is_const(x);
}

// z - x * y, with one or two roundings.
static struct ir_instr *difference(struct arith *a, struct ir_instr *z, struct ir_instr *x, struct ir_instr *y)
{
    a->b.flags = IR_LOOSE;
    struct ir_instr *value = op2(a, IR_OP_fsub, z, op2(a, IR_OP_fmul, x, y));
    a->b.flags = 0;
    return value;
}

// If x is 0, x or y is infinite, y is 0 or the quotient overflows, the first quotient is correct, and the remainder is not less
// than x.
static struct ir_instr *better_quotient(struct arith *a, struct ir_instr *x, struct ir_instr *residual, struct ir_instr *second,
                                        struct ir_instr *first)
{
    a->b.flags = IR_FAST;
    struct ir_instr *better = op1(a, IR_OP_fabs, x);
    better = op2(a, IR_OP_flt, op1(a, IR_OP_fabs, residual), better);
    a->b.flags = 0;
    return pick(a, better, second, first);
}

// Refines a quotient with the remainder x - qy, which determines its error exactly.
static struct ir_instr *step_of_quotient(struct arith *a, struct ir_instr *x, struct ir_instr *y, struct ir_instr *first,
                                         struct ir_instr *inverse)
{
    bool negated = ir_is_const(x) && a->target->fused_differences; // negating a constant is free
    struct ir_instr *residual = negated ? fma3(a, first, y, op1(a, IR_OP_fneg, x)) : fma3(a, op1(a, IR_OP_fneg, first), y, x);
    struct ir_instr *second = negated ? difference(a, first, residual, inverse) : fma3(a, residual, inverse, first);
    return better_quotient(a, x, residual, second, first);
}

// Quotient of a constant up to 1: for a large y the quotient is denormal like its reciprocal. The first quotient is
// slightly too large, so that 2^-126 does not become denormal.
static struct ir_instr *div_moderate(struct arith *a, struct ir_instr *x, struct ir_instr *y)
{
    a->b.flags = IR_FAST;
    struct ir_instr *inverse = op2(a, IR_OP_fdiv, k_float(a, x->type, 1), y);
    a->b.flags = 0;
    struct ir_instr *more = op2(a, IR_OP_fmul, x, k_float(a, x->type, 1 + 0x1p-22));
    return step_of_quotient(a, x, y, op2(a, IR_OP_fmul, more, inverse), inverse);
}

// x * factor if `cond` holds: a predicated operation.
static struct ir_instr *scaled_if(struct arith *a, struct ir_instr *cond, struct ir_instr *x, double factor)
{
    return pick(a, cond, op2(a, IR_OP_fmul, x, k_float(a, x->type, factor)), x);
}

// x / y with the native reciprocal and one refinement: 0.51 ULP, and exact if the quotient is representable. The
// reciprocal of a large y would be denormal, and so would the remainder of a small x: y is scaled down, x is scaled
// up, and the quotient, which is larger for either, is rescaled at the end. Otherwise it is far from denormals. If x
// is a power of two up to 1, the native quotient (2.5 ULP) suffices.
static struct ir_instr *div_float(struct arith *a, struct ir_instr *x, struct ir_instr *y)
{
    struct ir_type type = x->type;
    a->b.flags = IR_FAST;
    if (is_small_power_of_two(x)) {
        struct ir_instr *native = op2(a, IR_OP_fdiv, x, y);
        a->b.flags = 0;
        return native;
    }
    if (is_moderate(x))
        return div_moderate(a, x, y);
    struct ir_instr *large = op2(a, IR_OP_flt, k_float(a, type, 0x1p30), op1(a, IR_OP_fabs, y));
    struct ir_instr *small = op2(a, IR_OP_flt, op1(a, IR_OP_fabs, x), k_float(a, type, 0x1p-90));
    a->b.flags = 0;
    x = scaled_if(a, small, x, 0x1p36);
    y = scaled_if(a, large, y, 0x1p-24);
    a->b.flags = IR_FAST;
    struct ir_instr *inverse = op2(a, IR_OP_fdiv, k_float(a, type, 1), y);
    a->b.flags = 0;
    struct ir_instr *quotient = step_of_quotient(a, x, y, op2(a, IR_OP_fmul, x, inverse), inverse);
    return scaled_if(a, large, scaled_if(a, small, quotient, 0x1p-36), 0x1p-24);
}

// 0.51 ULP as well, but 2.5 ULP if the remainder is denormal: only a divisor whose reciprocal would be denormal is scaled.
static struct ir_instr *div_loose(struct arith *a, struct ir_instr *x, struct ir_instr *y)
{
    a->b.flags = IR_FAST;
    struct ir_instr *large = op2(a, IR_OP_flt, k_float(a, x->type, 0x1p126), op1(a, IR_OP_fabs, y));
    x = scaled_if(a, large, x, 0.25);
    y = scaled_if(a, large, y, 0.25);
    struct ir_instr *inverse = op2(a, IR_OP_fdiv, k_float(a, x->type, 1), y);
    a->b.flags = 0;
    struct ir_instr *first = op2(a, IR_OP_fmul, x, inverse), *residual = difference(a, x, first, y);
    return better_quotient(a, x, residual, fma3(a, residual, inverse, first), first);
}

static struct ir_instr *lower_div(struct arith *a, struct ir_instr *x)
{
    unsigned index = width_index(x->type);
    if (a->target->exact_division[index])
        return NULL;
    if (index == 1 && x->flags & IR_LOOSE && refines(a) && !is_moderate(x->src[0]))
        return div_loose(a, x->src[0], x->src[1]);
    if (index == 0)
        return half_by_float(a, x);
    return index == 1 && refines(a) ? div_float(a, x->src[0], x->src[1]) : NULL;
}

// The root is far from values where quotients are critical.
static struct ir_instr *lower_rsqrt(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *root = op1(a, IR_OP_fsqrt, x->src[0]);
    a->b.flags = x->type.bits == 32 && !a->target->exact_division[1] ? IR_FAST : 0;
    struct ir_instr *value = op2(a, IR_OP_fdiv, k_float(a, x->type, 1.0), root);
    a->b.flags = 0;
    return value;
}

static struct ir_instr *without_sign(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *bits = op2k(a, IR_OP_and, as_int(a, x), (UINT64_C(1) << (x->type.bits - 1)) - 1);
    return convert(a, IR_OP_bitcast, x->type, bits);
}

// ---- rounding to odd ----------------------------------------------------------------------------

// Rounds `x` to odd: the neighbour with an odd last bit if `x` is inexact; `excess` is x minus the exact value.
// Rounding that again, to a type with at least two bits less, gives the correctly rounded value. Uses masks of all
// bits: drivers move single bits of 64 through 32-bit words.
static struct ir_instr *to_odd(struct arith *a, struct ir_instr *x, struct ir_instr *excess)
{
    const unsigned top = x->type.bits - 1u;
    struct ir_instr *bits = as_int(a, x), *zero = k_int(a, bits->type, 0);
    struct ir_instr *inexact = op2(a, IR_OP_flt, k_float(a, x->type, 0.0), without_sign(a, excess)); // false for NaN
    struct ir_instr *odd = op2k(a, IR_OP_ashr, op2k(a, IR_OP_shl, bits, top), top);
    struct ir_instr *moves = pick(a, inexact, op2(a, IR_OP_isub, k_int(a, bits->type, UINT64_MAX), odd), zero); // -1 or 0
    struct ir_instr *away = op2k(a, IR_OP_ashr, op2(a, IR_OP_xor, bits, as_int(a, excess)), top); // all ones: away from zero, by sign
    struct ir_instr *step = op2(a, IR_OP_isub, op2(a, IR_OP_xor, moves, away), away);
    return convert(a, IR_OP_bitcast, x->type, op2(a, IR_OP_iadd, bits, step));
}

// The excess of the float is a normal number unless the half is 0.
static struct ir_instr *double_to_half(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *single = f2f(a, x, 32);
    struct ir_instr *excess = f2f(a, op2(a, IR_OP_fsub, f2f(a, single, 64), x), 32);
    return f2f(a, to_odd(a, single, excess), 16);
}

// The product of two floats is exact in the next wider type. The sum is rounded to odd there (with its error by
// Knuth's two-sum), then to the result's type.
static struct ir_instr *fma_by_wider(struct arith *a, struct ir_instr *x)
{
    unsigned wide = x->type.bits * 2u;
    struct ir_instr *product = f2f(a, x->src[1], wide);
    product = op2(a, IR_OP_fmul, f2f(a, x->src[0], wide), product);
    struct ir_instr *z = f2f(a, x->src[2], wide), *sum = op2(a, IR_OP_fadd, product, z);
    struct ir_instr *z_part = op2(a, IR_OP_fsub, sum, product);
    struct ir_instr *excess = op2(a, IR_OP_fsub, op2(a, IR_OP_fsub, sum, z_part), product);
    excess = op2(a, IR_OP_fadd, excess, op2(a, IR_OP_fsub, z_part, z));
    return f2f(a, to_odd(a, sum, excess), x->type.bits);
}

static struct ir_instr *lower_fma(struct arith *a, struct ir_instr *x)
{
    unsigned index = width_index(x->type);
    bool wider = index == 0 || (index == 1 && a->target->float64);
    if (a->target->fused_fma[index])
        return NULL;
    struct ir_instr *simpler = ir_simpler_fma(&a->b, x->src, false);
    if (simpler || wider)
        return simpler ? simpler : fma_by_wider(a, x);
    ir_fail(a->b.module, x->origin,
            index == 2 ? "the device does not support a fused multiply-add of doubles"
                       : "the device does not support a fused multiply-add of floats");
    return NULL;
}

// ---- rounding to integers -----------------------------------------------------------------------

static struct ir_instr *with_sign_of(struct arith *a, struct ir_instr *magnitude, struct ir_instr *x)
{
    struct ir_instr *sign = op2k(a, IR_OP_and, as_int(a, x), UINT64_C(1) << (x->type.bits - 1));
    return convert(a, IR_OP_bitcast, x->type, op2(a, IR_OP_or, as_int(a, magnitude), sign));
}

// For doubles, with operations that the driver executes correctly: floor, and a sum without fraction bits.
static struct ir_instr *lower_trunc(struct arith *a, struct ir_instr *x)
{
    return with_sign_of(a, op1(a, IR_OP_ffloor, without_sign(a, x->src[0])), x->src[0]);
}

static struct ir_instr *lower_rint(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *whole = k_float(a, x->type, 0x1p52), *size = without_sign(a, x->src[0]);
    struct ir_instr *rounded = op2(a, IR_OP_fsub, op2(a, IR_OP_fadd, size, whole), whole);
    rounded = pick(a, op2(a, IR_OP_flt, size, whole), rounded, size);
    return with_sign_of(a, rounded, x->src[0]);
}

// ---- conversions --------------------------------------------------------------------------------

static bool is_small(const struct ir_instr *x)
{
    return x->type.bits < 32 || ((x->op == IR_OP_sext || x->op == IR_OP_zext) && x->src[0]->type.bits < 32);
}

// Both halves are exact, so their sum is rounded once.
static struct ir_instr *by_halves(struct arith *a, struct ir_instr *x)
{
    if (opt_never_negative(a->target, x->src[0]))
        return convert(a, IR_OP_s2f, x->type, x->src[0]);
    uint8_t flags = a->b.flags;
    a->b.flags = 0;
    struct ir_instr *high = convert(a, IR_OP_s2f, x->type, op2k(a, IR_OP_lshr, x->src[0], 16));
    struct ir_instr *low = convert(a, IR_OP_s2f, x->type, op2k(a, IR_OP_and, x->src[0], 0xffff));
    high = op2(a, IR_OP_fmul, high, k_float(a, x->type, 0x1p16));
    struct ir_instr *sum = op2(a, IR_OP_fadd, high, low);
    a->b.flags = flags;
    return sum;
}

static bool is_doubly_rounded(const struct kc_target *target, const struct ir_instr *x)
{
    return (x->op == IR_OP_s2f || x->op == IR_OP_u2f) && x->src[0]->type.bits == 64 && x->type.bits == 32 &&
           target->longs_by_doubles && target->float64;
}

// Rounds to odd at a double's 53 bits, so that conversion to float rounds correctly.
static struct ir_instr *by_odd(struct arith *a, struct ir_instr *x)
{
    const uint64_t below = 0x7ff, limit = UINT64_C(1) << 53; // bits that a double drops; numbers that lose no bits
    struct ir_instr *from = x->src[0];
    struct ir_instr *residual = op2k(a, IR_OP_iadd, op2k(a, IR_OP_and, from, below), below); // carries if any bit is set
    struct ir_instr *odd = op2k(a, IR_OP_and, op2(a, IR_OP_or, from, residual), ~below);
    bool is_signed = x->op == IR_OP_s2f;
    struct ir_instr *offset = is_signed ? op2k(a, IR_OP_iadd, from, limit) : from;
    struct ir_instr *small = op2k(a, IR_OP_ult, offset, is_signed ? 2 * limit : limit);
    uint8_t flags = a->b.flags;
    a->b.flags = 0;
    struct ir_instr *wide = convert(a, (enum ir_op)x->op, float_like(x->type, 64), pick(a, small, from, odd));
    struct ir_instr *value = f2f(a, wide, 32);
    a->b.flags = flags;
    return value;
}

// Integers in a half's range are exact in float; larger ones overflow in both.
static struct ir_instr *lower_from_int(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *from = x->src[0];
    if (from->type.bits < 32)
        from = convert(a, x->op == IR_OP_s2f ? IR_OP_sext : IR_OP_zext, with_bits(from->type, 32),
                       from);
    else if (x->type.bits != 16)
        return NULL;
    struct ir_instr *value =
        convert(a, (enum ir_op)x->op, x->type.bits == 16 ? float_like(x->type, 32) : x->type, from);
    return f2f(a, value, x->type.bits);
}

// Truncates. 2^32 times the upper word, and the difference to it, are exact.
struct arith_words arith_words_of(struct arith *a, struct ir_instr *x, bool is_signed)
{
    struct ir_type words = ir_with_lanes(ir_int(32), x->type.lanes);
    uint8_t flags = a->b.flags;
    a->b.flags = IR_FAST; // flushing denormals is harmless
    struct ir_instr *magnitude = is_signed ? op1(a, IR_OP_fabs, x) : x;
    a->b.flags = 0;
    struct ir_instr *high = convert(a, IR_OP_f2u, words, op2(a, IR_OP_fmul, magnitude, k_float(a, x->type, 0x1p-32)));
    struct ir_instr *upper = op2(a, IR_OP_fmul, convert(a, IR_OP_u2f, x->type, high), k_float(a, x->type, 0x1p32));
    struct ir_instr *low = convert(a, IR_OP_f2u, words, op2(a, IR_OP_fsub, magnitude, upper));
    a->b.flags = flags;
    return (struct arith_words){low, high};
}

static bool wants_words(const struct arith *a, const struct ir_instr *x)
{
    return (x->op == IR_OP_f2s || x->op == IR_OP_f2u) && x->type.bits == 64 && x->src[0]->type.bits < 64 && a->target->own_doubles;
}

static struct ir_instr *by_words(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *from = x->src[0]->type.bits == 16 ? f2f(a, x->src[0], 32) : x->src[0];
    struct arith_words parts = arith_words_of(a, from, x->op == IR_OP_f2s);
    struct ir_instr *high = op2k(a, IR_OP_shl, convert(a, IR_OP_zext, x->type, parts.high), 32);
    struct ir_instr *whole = op2(a, IR_OP_or, convert(a, IR_OP_zext, x->type, parts.low), high);
    if (x->op == IR_OP_f2u)
        return whole;
    return pick(a, op2(a, IR_OP_flt, from, k_float(a, from->type, 0)), op1(a, IR_OP_ineg, whole), whole);
}

static struct ir_instr *lower_to_int(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *from = x->src[0]->type.bits == 16 ? f2f(a, x->src[0], 32) : x->src[0];
    if (x->type.bits >= 32)
        return from == x->src[0] ? NULL : convert(a, (enum ir_op)x->op, x->type, from);
    return convert(a, IR_OP_trunc, x->type,
                   convert(a, (enum ir_op)x->op, with_bits(x->type, 32), from));
}

// ---- selections ----------------------------------------------------------------------------------

static bool is_unit_or_zero(const struct ir_instr *x, unsigned lane)
{
    uint64_t magnitude = x->lanes[lane] << (65 - x->type.bits);
    uint64_t one = (uint64_t)(x->type.bits == 16 ? 0x3c00 : 0x3f800000) << (65 - x->type.bits);
    return !magnitude || magnitude == (x->type.bits == 64 ? UINT64_C(0x7fe0000000000000) : one);
}

// Mesa 25 turns a selection of -1 or 0 into -(float)cond, which makes -0 from 0: selects with masks instead.
static struct ir_instr *lower_select(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *cond = x->src[0], *yes = x->src[1], *no = x->src[2];
    bool unsafe = x->type.base == IR_FLOAT && ir_is_const(yes) && ir_is_const(no);
    bool any_negative = false;
    for (unsigned i = 0; unsafe && i < x->type.lanes; i++) {
        unsafe = is_unit_or_zero(yes, i) && is_unit_or_zero(no, i);
        any_negative |= (yes->lanes[i] | no->lanes[i]) >> (x->type.bits - 1);
    }
    if (!unsafe || !any_negative)
        return NULL;
    struct ir_type type = int_like(x->type);
    if (cond->type.lanes != type.lanes)
        cond = ir_splat(&a->b, cond, type.lanes);
    struct ir_instr *mask = convert(a, IR_OP_sext, type, cond), *base = as_int(a, no);
    struct ir_instr *change = op2(a, IR_OP_xor, as_int(a, yes), base);
    return convert(a, IR_OP_bitcast, x->type, op2(a, IR_OP_xor, op2(a, IR_OP_and, mask, change), base));
}

// An fma that need not be fused.
static struct ir_instr *lower_loose_fma(struct arith *a, struct ir_instr *x)
{
    if (a->target->fused_fma[width_index(x->type)] || (a->target->quick_fma && (x->type.bits >= 32 || a->target->float16)))
        return NULL;
    a->b.flags = x->flags & IR_FAST;
    return op2(a, IR_OP_fadd, op2(a, IR_OP_fmul, x->src[0], x->src[1]), x->src[2]);
}

// z - x * y, and x * y - z, if the driver contracts them to one operation that includes the negation; for Fma,
// negation would be a separate operation.
static struct ir_instr *lower_difference(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *left = x->src[0], *right = x->src[1], *z = x->src[2];
    if (!a->target->fused_differences || x->type.bits < 32)
        return NULL;
    bool subtracted = left->op == IR_OP_fneg || right->op == IR_OP_fneg; // of the product
    if (!subtracted && z->op != IR_OP_fneg)
        return NULL;
    if (left->op == IR_OP_fneg)
        left = left->src[0];
    else if (subtracted)
        right = right->src[0];
    if (subtracted)
        return difference(a, z, left, right);
    a->b.flags = IR_LOOSE;
    struct ir_instr *value = op2(a, IR_OP_fsub, op2(a, IR_OP_fmul, left, right), z->src[0]);
    a->b.flags = 0;
    return value;
}

// Except 0 - |y|, which NVIDIA's driver (580) sometimes treats as positive if y is a specialization constant.
static bool is_difference(const struct ir_instr *x)
{
    return x->op == IR_OP_fsub && (x->src[1]->op != IR_OP_fabs || !count_lanes(x->src[0], 0));
}

// Folds negations into float arithmetic and comparisons, where they are free, if native sign operations lose at most
// denormals.
void arith_fold_signs(struct arith *a, struct ir_instr *x)
{
    bool is_arithmetic = x->op == IR_OP_fadd || is_difference(x) || x->op == IR_OP_fmul ||
                         x->op == IR_OP_fma || x->op == IR_OP_flt || x->op == IR_OP_fle ||
                         x->op == IR_OP_frsqrt || x->op == IR_OP_fsqrt || x->op == IR_OP_fexp2_native ||
                         x->op == IR_OP_flog2_native;
    if (x->op == IR_OP_fmin || x->op == IR_OP_fmax)
        is_arithmetic = a->target->native_min_max[width_index(x->type)];
    for (uint32_t i = 0; i < x->src_count && is_arithmetic && a->target->close_natives; i++) {
        const struct ir_instr *sign = x->src[i];
        if ((sign->op != IR_OP_fneg && sign->op != IR_OP_fabs) || sign->type.bits < 32)
            continue;
        a->b.flags = IR_FAST;
        x->src[i] = op1(a, (enum ir_op)sign->op, sign->src[0]);
        a->b.flags = 0;
    }
}

struct ir_instr *arith_float(struct arith *a, struct ir_instr *x)
{
    if (x->op == IR_OP_select)
        return lower_select(a, x);
    if (x->op == IR_OP_fma && x->flags & IR_LOOSE) {
        struct ir_instr *difference = lower_difference(a, x);
        if (difference)
            return difference;
    }
    if (x->op == IR_OP_fma && x->flags & (IR_FAST | IR_LOOSE))
        return lower_loose_fma(a, x);
    if (x->op == IR_OP_u2f && a->target->unsigned_by_halves && x->src[0]->type.bits == 32 && x->type.bits == 32)
        return by_halves(a, x);
    if ((x->op == IR_OP_s2f || x->op == IR_OP_u2f) && a->target->small_by_floats && x->type.bits == 64 && is_small(x->src[0]))
        return convert(a, IR_OP_f2f, x->type, convert(a, (enum ir_op)x->op, with_bits(x->type, 32), x->src[0]));
    if (is_doubly_rounded(a->target, x))
        return by_odd(a, x);
    if (wants_words(a, x))
        return by_words(a, x);
    if (x->op == IR_OP_f2f && x->type.bits == 64 && a->target->own_doubles)
        return f2f(a, x->src[0], 64);
    if ((x->op == IR_OP_ftrunc || x->op == IR_OP_frint) && a->target->limited_double_rounding && x->type.bits == 64)
        return (x->op == IR_OP_ftrunc ? lower_trunc : lower_rint)(a, x);
    if (x->flags & IR_FAST)
        return NULL;
    switch (x->op) {
    case IR_OP_fneg:
    case IR_OP_fabs:
        return lower_sign(a, x);
    case IR_OP_fmin:
    case IR_OP_fmax:
        return lower_min_max(a, x);
    case IR_OP_fadd:
        return lower_add(a, x);
    case IR_OP_fsub:
        return lower_sub(a, x);
    case IR_OP_fdiv:
        return lower_div(a, x);
    case IR_OP_fsqrt:
        return lower_sqrt(a, x);
    case IR_OP_frsqrt:
        return lower_rsqrt(a, x);
    case IR_OP_fma:
        return lower_fma(a, x);
    case IR_OP_s2f:
    case IR_OP_u2f:
        return lower_from_int(a, x);
    case IR_OP_f2s:
    case IR_OP_f2u:
        return lower_to_int(a, x);
    case IR_OP_f2f:
        return x->type.bits == 16 && x->src[0]->type.bits == 64 ? double_to_half(a, x->src[0]) : NULL;
    default:
        return NULL;
    }
}
