// SPDX-License-Identifier: Apache-2.0
// Replaces arithmetic that Vulkan or a driver does not execute as the IR defines it.
//
// Integers here: shift amounts, remainders, bit counts and high products of every width, small divisions. Floats are
// in lower_arith_float.c. New instructions are processed too, so lowerings may build on each other.
#include "passes/arith.h"
#include "passes/opt.h"
#include "util/stack.h"
#include "util/wide.h"

enum { SEARCH = 6 }; // operations that an answer may depend on

// ---- shifts, remainders -------------------------------------------------------------------------

static bool amount_is_safe(const struct ir_instr *x, unsigned bits)
{
    const struct ir_instr *amount = x->src[1];
    if (amount->op == IR_OP_and && ir_is_const(amount->src[1]))
        amount = amount->src[1];
    else if (amount->op == IR_OP_and && ir_is_const(amount->src[0]))
        amount = amount->src[0];
    if (!ir_is_const(amount))
        return false;
    for (unsigned i = 0; i < amount->type.lanes; i++)
        if (amount->lanes[i] >= bits)
            return false;
    return true;
}

// Whether some bits above the lowest 32 come from memory, an argument or a call, so that no compiler can take the
// value for an extended integer of 32 bits.
static bool is_wide(const struct ir_instr *x, unsigned depth)
{
    stack_check();
    bool any = false, all = true;
    switch (x->op) {
    case IR_OP_load:
    case IR_OP_elem_load:
    case IR_OP_param:
    case IR_OP_call:
    case IR_OP_bitcast:
        return true;
    case IR_OP_shl:
        return depth && is_wide(x->src[0], depth - 1);
    case IR_OP_iadd:
    case IR_OP_isub:
    case IR_OP_ineg:
    case IR_OP_imul:
    case IR_OP_xor:
    case IR_OP_not:
    case IR_OP_vec:
    case IR_OP_shuffle:
    case IR_OP_insert:
    case IR_OP_extract:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; depth && i < x->src_count; i++) {
        bool wide = is_wide(x->src[i], depth - 1);
        any |= wide, all &= wide;
    }
    bool by_lanes = x->op == IR_OP_vec || x->op == IR_OP_shuffle || x->op == IR_OP_insert;
    return depth && (by_lanes ? all : any);
}

// Makes a 64-bit value from its words.
static struct ir_instr *from_words(struct arith *a, struct ir_instr *low, struct ir_instr *high)
{
    struct ir_instr *words[2] = {low, high};
    return convert(a, IR_OP_bitcast, ir_int(64), ir_vec(&a->b, words, 2));
}

static struct ir_instr *low_word(struct arith *a, struct ir_instr *x)
{
    return convert(a, IR_OP_trunc, with_bits(x->type, 32), x);
}

static struct ir_instr *high_word(struct arith *a, struct ir_instr *x)
{
    return low_word(a, op2k(a, IR_OP_lshr, x, 32));
}

static bool is_extended(const struct ir_instr *x)
{
    return x->op == IR_OP_sext && x->src[0]->type.base == IR_INT && x->src[0]->type.bits <= 32;
}

// Multiplies one lane by 2^31, word by word.
static struct ir_instr *lane_by_2_31(struct arith *a, struct ir_instr *lane)
{
    struct ir_instr *x = low_word(a, lane), *low = op2k(a, IR_OP_shl, x, 31);
    if (is_extended(lane))
        return from_words(a, low, op2k(a, IR_OP_ashr, x, 1));
    struct ir_instr *high = op2k(a, IR_OP_shl, high_word(a, lane), 31);
    return from_words(a, low, op2(a, IR_OP_or, op2k(a, IR_OP_lshr, x, 1), high));
}

static bool lane_is(const struct ir_instr *x, unsigned lane, uint64_t value)
{
    stack_check();
    if (x->op == IR_OP_vec)
        return lane_is(x->src[lane], 0, value);
    return ir_is_const(x) && x->lanes[lane] == value;
}

// Multiplies an integer that may fit 32 bits by a constant 2^31 with words: NVIDIA's driver (580) takes the constant
// for a negative integer of 32 bits, also in (c ? -1 : 0) << 31. NULL if no lane has that constant.
static struct ir_instr *times_2_31(struct arith *a, enum ir_op op, struct ir_instr *x,
                                   struct ir_instr *by)
{
    const uint64_t factor_2_31 = op == IR_OP_shl ? 31 : UINT64_C(1) << 31;
    struct ir_instr *lanes[4];
    bool any = false;
    for (unsigned i = 0; x->type.bits == 64 && i < by->type.lanes; i++)
        any |= lane_is(by, i, factor_2_31);
    if (!any || is_wide(x, SEARCH))
        return NULL;
    for (unsigned i = 0; i < x->type.lanes; i++) {
        struct ir_instr *lane = ir_extract(&a->b, x, i);
        lanes[i] = lane_is(by, i, factor_2_31) ? lane_by_2_31(a, lane) : op2(a, op, lane, ir_extract(&a->b, by, i));
    }
    return x->type.lanes == 1 ? lanes[0] : ir_vec(&a->b, lanes, x->type.lanes);
}

static struct ir_instr *lower_shift(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *value = x->op == IR_OP_shl ? times_2_31(a, IR_OP_shl, x->src[0], x->src[1]) : NULL;
    if (value || amount_is_safe(x, x->type.bits))
        return value;
    return op2(a, (enum ir_op)x->op, x->src[0], op2k(a, IR_OP_and, x->src[1], x->type.bits - 1u));
}

// The amount by which `x`, a 64-bit integer, rotates `of` to the left; 0: it does not.
static unsigned rotation(const struct ir_instr *x, struct ir_instr **of)
{
    const struct ir_instr *left = x->src[x->src[0]->op == IR_OP_lshr], *right = x->src[x->src[0]->op != IR_OP_lshr];
    if (left->op != IR_OP_shl || right->op != IR_OP_lshr || left->src[0] != right->src[0] || !ir_is_const(left->src[1]) ||
        !ir_is_const(right->src[1]))
        return 0;
    *of = left->src[0];
    unsigned by = left->src[1]->lanes[0] % 64; // amounts are modulo the width
    return by + right->src[1]->lanes[0] % 64 == 64 ? by : 0;
}

// high:low << by, the upper word; by < 32.
static struct ir_instr *funnel(struct arith *a, struct ir_instr *high, struct ir_instr *low, unsigned by)
{
    return by ? op2(a, IR_OP_or, op2k(a, IR_OP_shl, high, by), op2k(a, IR_OP_lshr, low, 32 - by)) : high;
}

static struct ir_instr *lower_rotation(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *of = NULL;
    bool wanted = a->target->rotations_by_words && x->type.bits == 64 && x->type.lanes == 1;
    unsigned by = wanted ? rotation(x, &of) : 0;
    if (!by)
        return NULL;
    struct ir_instr *words = convert(a, IR_OP_bitcast, ir_with_lanes(ir_int(32), 2), of);
    struct ir_instr *low = ir_extract(&a->b, words, by / 32), *high = ir_extract(&a->b, words, 1 - by / 32);
    return from_words(a, funnel(a, low, high, by % 32), funnel(a, high, low, by % 32));
}

// Divides 8 and 16-bit integers in 32 bits.
static struct ir_instr *lower_small(struct arith *a, struct ir_instr *x)
{
    if (x->type.bits >= 32)
        return NULL;
    enum ir_op extend = x->op == IR_OP_sdiv ? IR_OP_sext : IR_OP_zext;
    struct ir_type wide = with_bits(x->type, 32);
    struct ir_instr *left = convert(a, extend, wide, x->src[0]),
                    *right = convert(a, extend, wide, x->src[1]);
    return convert(a, IR_OP_trunc, x->type, op2(a, (enum ir_op)x->op, left, right));
}

// Whether the upper bits may be filled by the sign of 8 or 16 bits.
static bool is_sign_filled(const struct ir_instr *x, unsigned depth)
{
    stack_check();
    if (x->op == IR_OP_sext)
        return true;
    if (x->op == IR_OP_ashr)
        return ir_is_const(x->src[1]) && x->src[1]->lanes[0] >= 16;
    bool passes_on = x->op == IR_OP_select || x->op == IR_OP_vec || x->op == IR_OP_extract ||
                     x->op == IR_OP_shuffle || x->op == IR_OP_insert;
    for (uint32_t i = 0; passes_on && depth && i < x->src_count; i++)
        if (is_sign_filled(x->src[i], depth - 1))
            return true;
    return false;
}

static struct ir_instr *without_sign(struct arith *a, struct ir_instr *x)
{
    return is_sign_filled(x, 4) ? arith_in_two_parts(a, x) : x;
}

static struct ir_instr *lane_by_lane(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *lanes[4];
    for (unsigned i = 0; i < x->type.lanes; i++) {
        struct ir_instr *second = ir_extract(&a->b, x->src[1], i);
        lanes[i] = op2(a, (enum ir_op)x->op, ir_extract(&a->b, x->src[0], i), second);
    }
    return ir_vec(&a->b, lanes, x->type.lanes);
}

// Unsigned quotients of negative bytes and shorts: NVIDIA's driver (580) assumes small values and divides in float.
static struct ir_instr *lower_udiv(struct arith *a, struct ir_instr *x)
{
    if (x->type.bits != 32 || !a->target->hidden_ranges)
        return lower_small(a, x);
    struct ir_instr *n = without_sign(a, x->src[0]), *d = without_sign(a, x->src[1]);
    return n != x->src[0] || d != x->src[1] ? op2(a, (enum ir_op)x->op, n, d) : NULL;
}

// A quotient by a power of two, rounded towards zero: negative numbers are increased by what the shift would take away.
static struct ir_instr *by_power(struct arith *a, struct ir_instr *n, unsigned power)
{
    struct ir_instr *less = op2k(a, IR_OP_lshr, op2k(a, IR_OP_ashr, n, 31), 32 - power);
    return op2k(a, IR_OP_ashr, op2(a, IR_OP_iadd, n, less), power);
}

// n / d as n * ceil(2^(32 + shift) / d) >> 32 + shift, one more for negative n. Exact for 2^31 numbers of each sign if the
// factor exceeds the true one by at most 2^(shift + 1) / d (T. Granlund, P. Montgomery: Division by Invariant Integers
// using Multiplication, 1994). A factor of 32 bits is taken as a signed one, which is 2^32 less.
static struct ir_instr *by_product(struct arith *a, struct ir_instr *n, uint32_t d)
{
    unsigned shift = 0;
    while (d - (UINT64_C(1) << (32 + shift)) % d > UINT64_C(1) << (shift + 1))
        shift++;
    const uint64_t factor = (UINT64_C(1) << (32 + shift)) / d + 1;
    const struct ir_type wide = with_bits(n->type, 64);
    struct ir_instr *product = op2k(a, IR_OP_imul, convert(a, IR_OP_sext, wide, n), (uint64_t)(int32_t)factor);
    struct ir_instr *q = convert(a, IR_OP_trunc, n->type, op2k(a, IR_OP_lshr, product, 32));
    if (factor >> 31)
        q = op2(a, IR_OP_iadd, q, n);
    return op2(a, IR_OP_iadd, op2k(a, IR_OP_ashr, q, shift), op2k(a, IR_OP_lshr, n, 31));
}

static struct ir_instr *quotient_by_constant(struct arith *a, struct ir_instr *n, int32_t d)
{
    const uint32_t by = d < 0 ? 0 - (uint32_t)d : (uint32_t)d;
    struct ir_instr *q = by & (by - 1) ? by_product(a, n, by) : by_power(a, n, (unsigned)__builtin_ctz(by));
    return d < 0 ? op1(a, IR_OP_ineg, q) : q;
}

struct ir_instr *arith_magnitude(struct arith *a, struct ir_instr *x)
{
    return opt_never_negative(a->target, x) ? x : op2(a, IR_OP_smax, x, op1(a, IR_OP_ineg, x));
}

struct ir_instr *arith_with_sign(struct arith *a, const struct ir_instr *x, struct ir_instr *value)
{
    struct ir_instr *sign = op2k(a, IR_OP_ashr, x->op == IR_OP_sdiv ? op2(a, IR_OP_xor, x->src[0], x->src[1]) : x->src[0], 31);
    return op2(a, IR_OP_isub, op2(a, IR_OP_xor, value, sign), sign);
}

// A signed quotient or remainder from an unsigned one, which cannot overflow.
static struct ir_instr *by_magnitudes(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *n = arith_magnitude(a, x->src[0]), *d = arith_magnitude(a, x->src[1]);
    return arith_with_sign(a, x, op2(a, x->op == IR_OP_sdiv ? IR_OP_udiv : IR_OP_urem, n, d));
}

// Bytes and shorts are left to the driver: see without_sign().
static bool divides_by_magnitudes(const struct arith *a, const struct ir_instr *x)
{
    return a->target->products_for_quotients && x->type.bits == 32 && x->type.lanes == 1 && !ir_is_const(x->src[1]) &&
           !is_sign_filled(x->src[0], 4) && !is_sign_filled(x->src[1], 4);
}

static struct ir_instr *lower_srem(struct arith *a, struct ir_instr *x)
{
    if (divides_by_magnitudes(a, x))
        return by_magnitudes(a, x);
    struct ir_instr *quotient = op2(a, IR_OP_sdiv, x->src[0], x->src[1]);
    return op2(a, IR_OP_isub, x->src[0], op2(a, IR_OP_imul, x->src[1], quotient));
}

// Number of lanes of a constant with this value.
static unsigned lanes_with(const struct ir_instr *x, uint64_t value)
{
    uint64_t mask = x->type.bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << x->type.bits) - 1;
    unsigned count = 0;
    for (unsigned i = 0; i < x->type.lanes; i++)
        count += ((x->lanes[i] ^ value) & mask) == 0;
    return count;
}

static bool never_equals(const struct ir_instr *x, uint64_t value)
{
    return ir_is_const(x) && lanes_with(x, value) == 0;
}

// Also recognizes the divisor that lower_sdiv makes: d == -1 ? 1 : d.
static bool never_minus_one(const struct ir_instr *d)
{
    const uint64_t minus_one = ~(uint64_t)0;
    if (d->op != IR_OP_select)
        return never_equals(d, minus_one);
    const struct ir_instr *test = d->src[0];
    return test->op == IR_OP_ieq && test->src[0] == d->src[2] && ir_is_const(test->src[1]) &&
           lanes_with(test->src[1], minus_one) == d->type.lanes && never_equals(d->src[1], minus_one);
}

// INT_MIN / -1 is undefined in SPIR-V, and a driver that folds it may trap: divides by 1 and negates instead.
static struct ir_instr *lower_sdiv(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *n = x->src[0], *d = x->src[1];
    if (x->type.bits < 32)
        return lower_small(a, x);
    const int32_t by = ir_is_const(d) && x->type.lanes == 1 && x->type.bits == 32 ? (int32_t)d->lanes[0] : 0;
    if (a->target->products_for_quotients && (by < -1 || by > 1))
        return quotient_by_constant(a, n, by);
    if (divides_by_magnitudes(a, x))
        return by_magnitudes(a, x);
    if (never_minus_one(d) || never_equals(n, (uint64_t)1 << (x->type.bits - 1)) || n->op == IR_OP_sext)
        return NULL;
    struct ir_instr *minus = op2k(a, IR_OP_ieq, d, ~(uint64_t)0);
    struct ir_instr *quotient = op2(a, IR_OP_sdiv, n, pick(a, minus, k_int(a, x->type, 1), d));
    return pick(a, minus, op1(a, IR_OP_ineg, n), quotient);
}

// ---- 64-bit quotients by constants, if the target wants a function for others (see lower_division)

// n / d as the high half of a product with 2^(64 + shift) / d, rounded up. That number has 64 bits; for some d, if n
// may be above 2^63, it has 65, and the top bit is added separately.
static struct ir_instr *by_reciprocal(struct arith *a, struct ir_instr *n, uint64_t d, bool n_is_magnitude)
{
    unsigned top = 63 - (unsigned)__builtin_clzll(d);
    uint64_t remainder;
    if (!(d & (d - 1)))
        return op2k(a, IR_OP_lshr, n, top);
    for (unsigned shift = 0; shift <= top; shift++) {
        uint64_t reciprocal = wide_udiv((uint64_t)1 << shift, d, &remainder) + 1, excess = d - remainder;
        unsigned bits = shift + n_is_magnitude;
        if (reciprocal && (bits > 63 || excess < (uint64_t)1 << bits))
            return op2k(a, IR_OP_lshr, op2(a, IR_OP_umulhi, n, k_int(a, n->type, reciprocal)), shift);
    }
    uint64_t low = wide_udiv(((uint64_t)1 << top << 1) - d, d, &remainder) + 1; // 2^(65 + top) / d without its top bit
    struct ir_instr *high = op2(a, IR_OP_umulhi, n, k_int(a, n->type, low));
    struct ir_instr *half = op2k(a, IR_OP_lshr, op2(a, IR_OP_isub, n, high), 1);
    return op2k(a, IR_OP_lshr, op2(a, IR_OP_iadd, half, high), top);
}

static struct ir_instr *magnitude(struct arith *a, struct ir_instr *x, struct ir_instr *sign)
{
    return op2(a, IR_OP_isub, op2(a, IR_OP_xor, x, sign), sign);
}

static struct ir_instr *lower_long_division(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *n = x->src[0], *d = x->src[1];
    if (x->type.lanes > 1)
        return lane_by_lane(a, x);
    if (x->op == IR_OP_urem)
        return op2(a, IR_OP_isub, n, op2(a, IR_OP_imul, d, op2(a, IR_OP_udiv, n, d)));
    uint64_t by = ir_is_const(d) ? d->lanes[0] : 0;
    if (x->op == IR_OP_udiv)
        return by ? by_reciprocal(a, n, by, false) : NULL;
    struct ir_instr *n_sign = op2k(a, IR_OP_ashr, n, 63), *d_sign = op2k(a, IR_OP_ashr, d, 63), *q;
    n = magnitude(a, n, n_sign);
    if (by)
        q = by_reciprocal(a, n, by >> 63 ? 0 - by : by, true);
    else
        q = op2(a, IR_OP_udiv, n, magnitude(a, d, d_sign));
    return magnitude(a, q, op2(a, IR_OP_xor, n_sign, d_sign));
}

// ---- high halves of products --------------------------------------------------------------------

// a * b >> 64 from four products of half-width numbers; no sum overflows.
static struct ir_instr *umulhi64(struct arith *a, struct ir_instr *x, struct ir_instr *y)
{
    const uint64_t low = 0xffffffff;
    struct ir_instr *x0 = op2k(a, IR_OP_and, x, low), *x1 = op2k(a, IR_OP_lshr, x, 32);
    struct ir_instr *y0 = op2k(a, IR_OP_and, y, low), *y1 = op2k(a, IR_OP_lshr, y, 32);
    struct ir_instr *carry = op2k(a, IR_OP_lshr, op2(a, IR_OP_imul, x0, y0), 32);
    struct ir_instr *mid = op2(a, IR_OP_iadd, op2(a, IR_OP_imul, x1, y0), carry);
    struct ir_instr *mid_low = op2k(a, IR_OP_and, mid, low);
    mid_low = op2(a, IR_OP_iadd, op2(a, IR_OP_imul, x0, y1), mid_low);
    struct ir_instr *high = op2k(a, IR_OP_lshr, mid, 32);
    high = op2(a, IR_OP_iadd, op2(a, IR_OP_imul, x1, y1), high);
    return op2(a, IR_OP_iadd, high, op2k(a, IR_OP_lshr, mid_low, 32));
}

static struct ir_instr *lower_umulhi(struct arith *a, struct ir_instr *x)
{
    if (x->type.bits == 32 || (x->type.bits == 64 && (a->target->int64_mul_extended || !a->target->int64)))
        return NULL;
    if (x->type.bits == 64)
        return umulhi64(a, x->src[0], x->src[1]);
    struct ir_type wide = with_bits(x->type, 32);
    struct ir_instr *left = convert(a, IR_OP_zext, wide, x->src[0]),
                    *right = convert(a, IR_OP_zext, wide, x->src[1]);
    struct ir_instr *high = op2k(a, IR_OP_lshr, op2(a, IR_OP_imul, left, right), x->type.bits);
    return convert(a, IR_OP_trunc, x->type, high);
}

// Interpreted as unsigned, a negative factor is 2^n too large, so the high half is too large by the other factor.
static struct ir_instr *lower_smulhi(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *high = op2(a, IR_OP_umulhi, x->src[0], x->src[1]);
    for (unsigned i = 0; i < 2; i++) {
        struct ir_instr *sign = op2k(a, IR_OP_ashr, x->src[i], x->type.bits - 1u);
        high = op2(a, IR_OP_isub, high, op2(a, IR_OP_and, sign, x->src[1 - i]));
    }
    return high;
}

// ---- counting bits ------------------------------------------------------------------------------

// The count in `first` if that is not zero, else 32 plus the count in `second`.
static struct ir_instr *count_both(struct arith *a, enum ir_op op, struct ir_instr *first,
                                   struct ir_instr *second)
{
    struct ir_instr *more = op2k(a, IR_OP_iadd, op1(a, op, second), 32);
    struct ir_instr *own = op1(a, op, first);
    return pick(a, op2k(a, IR_OP_ieq, first, 0), more, own);
}

static struct ir_instr *count64(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *low = low_word(a, x->src[0]), *high = high_word(a, x->src[0]), *count;
    if (x->op == IR_OP_clz)
        count = count_both(a, IR_OP_clz, high, low);
    else if (x->op == IR_OP_ctz)
        count = count_both(a, IR_OP_ctz, low, high);
    else {
        count = op1(a, IR_OP_popcount, high);
        count = op2(a, IR_OP_iadd, op1(a, IR_OP_popcount, low), count);
    }
    return convert(a, IR_OP_zext, x->type, count);
}

static struct ir_instr *count_small(struct arith *a, struct ir_instr *x)
{
    unsigned bits = x->type.bits;
    struct ir_instr *wide = convert(a, IR_OP_zext, with_bits(x->type, 32), x->src[0]);
    if (x->op == IR_OP_ctz) // limits the count to the width
        wide = op2k(a, IR_OP_or, wide, UINT64_C(1) << bits);
    wide = op1(a, (enum ir_op)x->op, wide);
    if (x->op == IR_OP_clz)
        wide = op2k(a, IR_OP_isub, wide, 32 - bits);
    if (x->op == IR_OP_bitreverse)
        wide = op2k(a, IR_OP_lshr, wide, 32 - bits);
    return convert(a, IR_OP_trunc, x->type, wide);
}

static struct ir_instr *reverse64(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *high = op1(a, IR_OP_bitreverse, low_word(a, x->src[0]));
    struct ir_instr *low = op1(a, IR_OP_bitreverse, high_word(a, x->src[0]));
    high = op2k(a, IR_OP_shl, convert(a, IR_OP_zext, x->type, high), 32);
    return op2(a, IR_OP_or, high, convert(a, IR_OP_zext, x->type, low));
}

static struct ir_instr *lower_count(struct arith *a, struct ir_instr *x)
{
    if (x->type.bits == 32)
        return NULL;
    if (x->type.bits < 32)
        return count_small(a, x);
    return x->op == IR_OP_bitreverse ? reverse64(a, x) : count64(a, x);
}

// Selects a lane with a dynamic index. NVIDIA's driver (580) selects the wrong one of two 64-bit lanes for some
// indexes.
static struct ir_instr *lower_pick(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *value = ir_extract(&a->b, x->src[0], 0);
    for (unsigned i = 1; i < x->src[0]->type.lanes; i++) {
        struct ir_instr *lane = ir_extract(&a->b, x->src[0], i);
        value = pick(a, op2k(a, IR_OP_ieq, x->src[1], i), lane, value);
    }
    return value;
}

static bool is_bit(const struct ir_instr *x)
{
    while (x->op == IR_OP_zext && x->src[0]->type.base == IR_INT)
        x = x->src[0];
    return x->op == IR_OP_and && ir_is_const(x->src[1]) && lanes_with(x->src[1], 1) == x->type.lanes;
}

// x * (y & 1) by a mask: NVIDIA's driver (580) sometimes tests y instead of its lowest bit.
static struct ir_instr *lower_mul(struct arith *a, struct ir_instr *x)
{
    for (unsigned i = 0; i < 2; i++)
        if (is_bit(x->src[i]))
            return op2(a, IR_OP_and, op1(a, IR_OP_ineg, x->src[i]), x->src[1 - i]);
    struct ir_instr *value = times_2_31(a, IR_OP_imul, x->src[0], x->src[1]);
    return value ? value : times_2_31(a, IR_OP_imul, x->src[1], x->src[0]);
}

// ---- signs of wrapped products ------------------------------------------------------------------

// Whether a non-negative number is multiplied by so much that the product may wrap to a negative one.
static bool wraps_to_negative(const struct arith *a, const struct ir_instr *x)
{
    const uint64_t most = INT64_MAX;
    return (x->op == IR_OP_imul || x->op == IR_OP_shl) && ir_is_const(x->src[1]) &&
           opt_max(a->target, x->src[0]) <= most && opt_max(a->target, x) > most;
}

static struct ir_instr *in_two_parts64(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *lanes[4];
    for (unsigned i = 0; i < x->type.lanes; i++) {
        struct ir_instr *lane = ir_extract(&a->b, x, i),
                        *high = arith_in_two_parts(a, high_word(a, lane));
        high = op2k(a, IR_OP_shl, convert(a, IR_OP_zext, lane->type, high), 32);
        lanes[i] = op2(a, IR_OP_or, high, op2k(a, IR_OP_and, lane, UINT32_MAX));
    }
    return x->type.lanes == 1 ? lanes[0] : ir_vec(&a->b, lanes, x->type.lanes);
}

static struct ir_instr *with_hidden_sign(struct arith *a, struct ir_instr *x)
{
    return wraps_to_negative(a, x) ? in_two_parts64(a, x) : x;
}

// Signed comparisons of such products: NVIDIA's driver (580) still assumes that they are positive.
static struct ir_instr *lower_comparison(struct arith *a, struct ir_instr *x)
{
    if (x->src[0]->type.bits != 64 || !a->target->hidden_ranges)
        return NULL;
    struct ir_instr *l = with_hidden_sign(a, x->src[0]), *r = with_hidden_sign(a, x->src[1]);
    return l != x->src[0] || r != x->src[1] ? op2(a, (enum ir_op)x->op, l, r) : NULL;
}

// ---- magnitudes -----------------------------------------------------------------------------------

static bool is_negated(const struct ir_instr *x, const struct ir_instr *of)
{
    return x->op == IR_OP_ineg && x->src[0] == of;
}

static bool is_zero(const struct ir_instr *x) { return ir_is_const(x) && lanes_with(x, 0) == x->type.lanes; }

// Recognizes x < 0 ? -x : x, and 0 <= x ? x : -x.
static bool is_magnitude(const struct ir_instr *x)
{
    const struct ir_instr *test = x->src[0];
    if (test->op == IR_OP_slt)
        return is_zero(test->src[1]) && test->src[0] == x->src[2] && is_negated(x->src[1], x->src[2]);
    return test->op == IR_OP_sle && is_zero(test->src[0]) && test->src[1] == x->src[1] && is_negated(x->src[2], x->src[1]);
}

// NVIDIA's driver (580) assumes that a magnitude is positive, but that of INT_MIN is not.
static struct ir_instr *lower_select(struct arith *a, struct ir_instr *x)
{
    if (!a->target->hidden_ranges || x->type.base != IR_INT || x->type.bits < 32 || !is_magnitude(x))
        return NULL;
    struct ir_instr *parts[2] = {x->src[1], x->src[2]}, **negated = &parts[parts[0]->op != IR_OP_ineg];
    *negated = x->type.bits == 64 ? in_two_parts64(a, *negated) : arith_in_two_parts(a, *negated);
    return pick(a, x->src[0], parts[0], parts[1]);
}

// ---- dispatch --------------------------------------------------------------------------------------

static struct ir_instr *arith_int(struct arith *a, struct ir_instr *x)
{
    bool divides = x->op == IR_OP_udiv || x->op == IR_OP_urem || x->op == IR_OP_sdiv;
    // NVIDIA's driver (580; also its OpenCL) divides bytes in vectors incorrectly, for example by (7, 9).
    if (divides && x->type.lanes > 1 && a->target->hidden_ranges)
        return lane_by_lane(a, x);
    if (divides && x->type.bits == 64 && (a->target->int64_division_in_32 || !a->target->int64))
        return lower_long_division(a, x);
    switch (x->op) {
    case IR_OP_shl:
    case IR_OP_lshr:
    case IR_OP_ashr:
        return lower_shift(a, x);
    case IR_OP_or:
    case IR_OP_xor:
    case IR_OP_iadd:
        return lower_rotation(a, x);
    case IR_OP_srem:
        return lower_srem(a, x);
    case IR_OP_sdiv:
        return lower_sdiv(a, x);
    case IR_OP_udiv:
    case IR_OP_urem:
        return lower_udiv(a, x);
    case IR_OP_umulhi:
        return lower_umulhi(a, x);
    case IR_OP_smulhi:
        return lower_smulhi(a, x);
    case IR_OP_clz:
    case IR_OP_ctz:
    case IR_OP_popcount:
    case IR_OP_bitreverse:
        return lower_count(a, x);
    case IR_OP_slt:
    case IR_OP_sle:
        return lower_comparison(a, x);
    case IR_OP_imul:
        return lower_mul(a, x);
    case IR_OP_extract_dyn:
        return lower_pick(a, x);
    case IR_OP_select:
        return lower_select(a, x);
    default:
        return NULL;
    }
}

// ---- the pass -----------------------------------------------------------------------------------

static bool lower_block(struct arith *a, struct ir_block *block)
{
    stack_check();
    bool changed = false;
    for (struct ir_instr *x = block->first, *next; x; x = next) {
        struct ir_instr *before = x->prev;
        next = x->next;
        if (ir_is_matrix(x->type))
            continue; // native matrix operations
        ir_place_before(&a->b, x);
        arith_fold_signs(a, x);
        struct ir_instr *value = arith_int(a, x);
        if (!value)
            value = arith_float(a, x);
        a->b.flags = 0;
        if (!value)
            continue;
        ir_replace(x, value);
        next = before ? before->next : block->first;
        changed = true;
    }
    return changed;
}

// Requires: lower_vectors. Keeps: everything. Removes: operations that the writer or a driver does not execute
// exactly.
bool lower_arith(struct pass_context *c, struct ir_function *f)
{
    struct arith a = {.b = {.module = c->module, .function = f}, .target = c->target};
    bool changed = false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        changed |= lower_block(&a, block);
    if (changed)
        ir_resolve(f);
    return changed;
}
