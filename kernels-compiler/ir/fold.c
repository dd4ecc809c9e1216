// SPDX-License-Identifier: Apache-2.0
// Folding during construction: pure operations on constants become constants, in exact target arithmetic; identities
// that always hold return an earlier value.
//
// Constants: a table of functions from lane bits to lane bits. Halves and floats are computed in double and rounded
// again, which is exact for + - * / and sqrt (Figueroa, "When is double rounding innocuous?"); fma is handled
// separately. Floats: only identities that are exact for every input, including NaN and signed zeros.
#include "ir/internal.h"
#include "util/nan.h"
#include "util/number.h"
#include "util/stack.h"
#include "util/wide.h"
#include <assert.h>
#include <math.h>

// ---- floats as bits -----------------------------------------------------------------------------

static uint64_t half_bits(double value)
{
    union {
        double d;
        uint64_t u;
    } in = {value};
    uint64_t sign = in.u >> 48 & 0x8000;
    int exponent = (int)(in.u >> 52 & 0x7ff) - 1023;
    uint64_t fraction = in.u & ir_mask(52);
    if (exponent == 1024)
        return sign | 0x7c00 | (fraction ? 0x200 | fraction >> 42 : 0);
    if (exponent < -25)
        return sign;
    uint64_t significand = fraction | UINT64_C(1) << 52;
    unsigned drop = exponent >= -14 ? 42 : 42 + (unsigned)(-14 - exponent);
    uint64_t significant = significand >> drop, dropped = significand & ir_mask(drop),
             tie = UINT64_C(1) << (drop - 1);
    significant += dropped > tie || (dropped == tie && (significant & 1));
    // The hidden bit adds one to the exponent; so does a carry out of the fraction.
    uint64_t result = exponent >= -14 ? ((uint64_t)(exponent + 14) << 10) + significant : significant;
    return sign | (result > 0x7c00 ? 0x7c00 : result);
}

static double half_value(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    uint64_t fraction = bits & 0x3ff;
    union {
        uint64_t u;
        double d;
    } out;
    if (exponent == 31) {
        out.u = UINT64_C(0x7ff) << 52 | fraction << 42;
        if (fraction)
            out.u |= UINT64_C(1) << 51;
    } else {
        out.d = exponent ? ldexp((double)(fraction | 0x400), exponent - 25)
                         : ldexp((double)fraction, -24);
    }
    out.u |= (bits & 0x8000) << 48;
    return out.d;
}

uint64_t ir_float_bits(unsigned bits, double value)
{
    if (bits == 64)
        return nan_bits(value);
    return bits == 16 ? half_bits(value) : nan_float_from_double(value);
}

double ir_float_value(unsigned bits, uint64_t pattern)
{
    union {
        uint64_t u;
        double d;
    } wide = {pattern};
    return bits == 64 ? wide.d : bits == 16 ? half_value(pattern) : nan_float_to_double((uint32_t)pattern);
}

// ---- one lane -----------------------------------------------------------------------------------

struct lane {
    unsigned bits;     // of the sources
    unsigned to;       // of the result
    uint64_t x, y, z;  // bits
    int64_t sx, sy;    // x and y sign-extended
    double fx, fy, fz; // as floats of `bits`
};

static int64_t sign_extend(uint64_t x, unsigned bits)
{
    return bits >= 64 ? (int64_t)x : (int64_t)(x << (64 - bits)) >> (64 - bits);
}

static uint64_t high_product(uint64_t x, uint64_t y, unsigned bits)
{
    return bits >= 64 ? wide_umulhi(x, y) : x * y >> bits;
}

static uint64_t high_signed_product(int64_t x, int64_t y, unsigned bits)
{
    return bits >= 64 ? wide_smulhi(x, y) : (uint64_t)(x * y >> bits);
}

static uint64_t reverse(uint64_t x, unsigned bits)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < bits; i++)
        result |= (x >> i & 1) << (bits - 1 - i);
    return result;
}

static uint64_t float_to_int(double value, unsigned bits, bool is_signed)
{
    double limit = ldexp(1, (int)bits - is_signed);
    if (isnan(value))
        return 0;
    if (value >= limit)
        return ir_mask(bits - is_signed);
    if (is_signed)
        return value <= -limit ? UINT64_C(1) << (bits - 1) : (uint64_t)(int64_t)value;
    return value <= 0 ? 0 : (uint64_t)value;
}

static uint64_t from_int(const struct lane *l, bool is_signed)
{
    union {
        float f;
        uint32_t u;
    } narrow;
    if (l->to != 32) // to half: everything beyond a double's precision is infinite
        return ir_float_bits(l->to, is_signed ? (double)l->sx : (double)l->x);
    narrow.f = is_signed ? (float)l->sx : (float)l->x;
    return narrow.u;
}

// A NaN made from numbers is the positive quiet one on every host; the first NaN operand propagates, quieted.
static uint64_t rounded(const struct lane *l, double value)
{
    if (isnan(value))
        value = nan_quieted(isnan(l->fx) ? l->fx : isnan(l->fy) ? l->fy : isnan(l->fz) ? l->fz : (double)NAN);
    return ir_float_bits(l->to, value);
}

static uint64_t fused(const struct lane *l)
{
    if (!isfinite(l->fx) || !isfinite(l->fy))
        return rounded(l, l->fx * l->fy + l->fz);
    if (!isfinite(l->fz))
        return rounded(l, l->fz);
    return number_fma(l->fx, l->fy, l->fz, l->bits == 64 ? NUMBER_DOUBLE : l->bits == 32 ? NUMBER_FLOAT : NUMBER_HALF);
}

typedef uint64_t fold_function(const struct lane *l);

// INT: an expression of the lane `l`; FLT: a double expression, rounded to the result type.
#define INT(name, expression)                                                                      \
    static uint64_t fold_##name(const struct lane *l)                                              \
    {                                                                                              \
        return (uint64_t)(expression);                                                             \
    }
#define FLT(name, expression)                                                                      \
    static uint64_t fold_##name(const struct lane *l)                                              \
    {                                                                                              \
        return rounded(l, (expression));                                                           \
    }
// clang-format off
#define FOLDS                                                                                      \
    INT(iadd, l->x + l->y)                                                                         \
    INT(isub, l->x - l->y)                                                                         \
    INT(imul, l->x * l->y)                                                                         \
    INT(ineg, 0 - l->x)                                                                            \
    INT(udiv, l->y ? l->x / l->y : 0)                                                              \
    INT(urem, l->y ? l->x % l->y : 0)                                                              \
    INT(sdiv, !l->sy ? 0 : l->sy == -1 ? 0 - l->x : (uint64_t)(l->sx / l->sy))                     \
    INT(srem, !l->sy || l->sy == -1 ? 0 : l->sx % l->sy)                                           \
    INT(and, l->x & l->y)                                                                          \
    INT(low_bits, l->x & l->y)                                                                     \
    INT(or, l->x | l->y)                                                                           \
    INT(xor, l->x ^ l->y)                                                                          \
    INT(not, ~l->x)                                                                                \
    INT(shl, l->x << (l->y & (l->bits - 1)))                                                       \
    INT(lshr, l->x >> (l->y & (l->bits - 1)))                                                      \
    INT(ashr, l->sx >> (l->y & (l->bits - 1)))                                                     \
    INT(smin, l->sx < l->sy ? l->x : l->y)                                                         \
    INT(smax, l->sx > l->sy ? l->x : l->y)                                                         \
    INT(umin, l->x < l->y ? l->x : l->y)                                                           \
    INT(umax, l->x > l->y ? l->x : l->y)                                                           \
    INT(umulhi, high_product(l->x, l->y, l->bits))                                                 \
    INT(smulhi, high_signed_product(l->sx, l->sy, l->bits))                                        \
    INT(clz, l->x ? (unsigned)__builtin_clzll(l->x) - (64 - l->bits) : l->bits)                    \
    INT(ctz, l->x ? (unsigned)__builtin_ctzll(l->x) : l->bits)                                     \
    INT(popcount, __builtin_popcountll(l->x))                                                      \
    INT(bitreverse, reverse(l->x, l->bits))                                                        \
    INT(ieq, l->x == l->y)                                                                         \
    INT(ine, l->x != l->y)                                                                         \
    INT(ult, l->x < l->y)                                                                          \
    INT(ule, l->x <= l->y)                                                                         \
    INT(slt, l->sx < l->sy)                                                                        \
    INT(sle, l->sx <= l->sy)                                                                       \
    INT(feq, l->fx == l->fy)                                                                       \
    INT(fne, l->fx != l->fy)                                                                       \
    INT(flt, l->fx < l->fy)                                                                        \
    INT(fle, l->fx <= l->fy)                                                                       \
    FLT(fadd, l->fx + l->fy)                                                                       \
    FLT(fsub, l->fx - l->fy)                                                                       \
    FLT(fmul, l->fx * l->fy)                                                                       \
    FLT(fdiv, l->fx / l->fy)                                                                       \
    INT(fneg, l->x ^ UINT64_C(1) << (l->bits - 1))                                                 \
    INT(fabs, l->x & ir_mask(l->bits - 1))                                                         \
    INT(fma, fused(l))                                                                             \
    INT(fmin, isnan(l->fx) || l->fy < l->fx ? l->y : l->x)                                         \
    INT(fmax, isnan(l->fx) || l->fy > l->fx ? l->y : l->x)                                         \
    FLT(fsqrt, sqrt(l->fx))                                                                        \
    FLT(frsqrt, 1 / sqrt(l->fx))                                                                   \
    FLT(ffloor, floor(l->fx))                                                                      \
    FLT(fceil, ceil(l->fx))                                                                        \
    FLT(ftrunc, trunc(l->fx))                                                                      \
    FLT(frint, nearbyint(l->fx))                                                                   \
    FLT(fexp2_native, exp2(l->fx))                                                                 \
    FLT(flog2_native, log2(l->fx))                                                                 \
    FLT(fsin_native, sin(l->fx))                                                                  \
    FLT(fcos_native, cos(l->fx))                                                                   \
    FLT(ftan_native, tan(l->fx))                                                                   \
    FLT(fpow_native, pow(l->fx, l->fy))                                                            \
    INT(trunc, l->x)                                                                               \
    INT(zext, l->x)                                                                                \
    INT(sext, l->sx)                                                                               \
    INT(s2f, from_int(l, true))                                                                    \
    INT(u2f, from_int(l, false))                                                                   \
    INT(f2s, float_to_int(l->fx, l->to, true))                                                     \
    INT(f2u, float_to_int(l->fx, l->to, false))                                                    \
    FLT(f2f, l->fx)                                                                                \
    INT(select, l->x ? l->y : l->z)
// clang-format on
FOLDS
#undef INT
#undef FLT

static fold_function *const folds[IR_OP_COUNT] = {
#define INT(name, expression) [IR_OP_##name] = fold_##name,
#define FLT INT
    FOLDS
#undef INT
#undef FLT
};

static struct ir_instr *fold_lanes(struct ir_module *m, enum ir_op op, struct ir_type type,
                                   struct ir_instr *const *src, uint32_t count)
{
    uint64_t result[16];
    for (unsigned i = 0; i < type.lanes; i++) {
        struct lane l = {.bits = src[0]->type.bits, .to = type.bits};
        l.x = src[0]->lanes[src[0]->type.lanes == 1 ? 0 : i];
        l.y = count > 1 ? src[1]->lanes[i] : 0;
        l.z = count > 2 ? src[2]->lanes[i] : 0;
        l.sx = sign_extend(l.x, l.bits);
        l.sy = sign_extend(l.y, l.bits);
        if (src[0]->type.base == IR_FLOAT) {
            l.fx = ir_float_value(l.bits, l.x);
            l.fy = ir_float_value(l.bits, l.y);
            l.fz = ir_float_value(l.bits, l.z);
        }
        result[i] = folds[op](&l);
    }
    return ir_const(m, type, result);
}

// ---- bits and lanes of constants ----------------------------------------------------------------

static struct ir_instr *fold_bitcast(struct ir_module *m, struct ir_type type,
                                     const struct ir_instr *x)
{
    uint8_t bytes[128] = {0};
    uint64_t result[16] = {0};
    unsigned from = x->type.bits / 8, to = type.bits / 8;
    for (unsigned i = 0; i < x->type.lanes; i++)
        for (unsigned k = 0; k < from; k++)
            bytes[i * from + k] = (uint8_t)(x->lanes[i] >> 8 * k);
    for (unsigned i = 0; i < type.lanes; i++)
        for (unsigned k = 0; k < to; k++)
            result[i] |= (uint64_t)bytes[i * to + k] << 8 * k;
    return ir_const(m, type, result);
}

// Undefined lanes become 0 if the others are constants.
static struct ir_instr *fold_vec(struct ir_builder *b, struct ir_type type,
                                 struct ir_instr *const *src, uint32_t count)
{
    uint64_t lanes[16] = {0};
    bool constant = true, undefined = true, same_vector = src[0]->op == IR_OP_extract;
    struct ir_instr *vector = same_vector ? src[0]->src[0] : NULL;
    for (uint32_t i = 0; i < count; i++) {
        constant &= ir_is_const(src[i]) || src[i]->op == IR_OP_undef;
        undefined &= src[i]->op == IR_OP_undef;
        if (ir_is_const(src[i]))
            lanes[i] = src[i]->lanes[0];
        same_vector =
            same_vector && src[i]->op == IR_OP_extract && src[i]->src[0] == vector && src[i]->index == i;
    }
    if (constant)
        return undefined ? ir_undef(b->module, type) : ir_const(b->module, type, lanes);
    return same_vector && ir_type_eq(vector->type, type) ? vector : NULL;
}

// Follows lane `lane` of `*x` through insertions and shuffles. Returns the scalar if it is known, else NULL.
static struct ir_instr *known_lane(struct ir_builder *b, struct ir_type type, struct ir_instr **at,
                                   unsigned *lane)
{
    struct ir_instr *x = *at;
    for (unsigned steps = 0; steps < 64; steps++) {
        *at = x;
        if (ir_is_const(x))
            return ir_const(b->module, type, &x->lanes[*lane]);
        if (x->op == IR_OP_undef)
            return ir_undef(b->module, type);
        if (x->op == IR_OP_vec)
            return x->src[*lane];
        if (x->op == IR_OP_insert) {
            if (x->index == *lane)
                return x->src[1];
            x = x->src[0];
        } else if (x->op == IR_OP_shuffle) {
            unsigned pick = x->shuffle[*lane], first = x->src[0]->type.lanes;
            if (pick == 255)
                return ir_undef(b->module, type);
            *lane = pick < first ? pick : pick - first;
            x = x->src[pick >= first];
        } else {
            break;
        }
    }
    return NULL;
}

static struct ir_instr *fold_extract(struct ir_builder *b, struct ir_type type, struct ir_instr *x,
                                     unsigned lane)
{
    struct ir_instr *origin = x, *known = known_lane(b, type, &x, &lane);
    return known || x == origin ? known
                                : ir_extract(b, x, lane); // an earlier vector has the lane: extract from it
}

static struct ir_instr *fold_insert(struct ir_builder *b, struct ir_type type,
                                    struct ir_instr *const *src, unsigned lane)
{
    struct ir_instr *lanes[16];
    if (src[1]->op == IR_OP_extract && src[1]->src[0] == src[0] && src[1]->index == lane)
        return src[0];
    if (ir_is_const(src[0]) && ir_is_const(src[1])) {
        uint64_t bits[16];
        memcpy(bits, src[0]->lanes, type.lanes * sizeof *bits);
        bits[lane] = src[1]->lanes[0];
        return ir_const(b->module, type, bits);
    }
    if (src[0]->op == IR_OP_vec) {
        memcpy(lanes, src[0]->src, type.lanes * sizeof *lanes);
        lanes[lane] = src[1];
        return ir_vec(b, lanes, type.lanes);
    }
    // The last of a chain of insertions that sets all lanes makes a vec.
    uint32_t seen = 0;
    const struct ir_instr *x = src[0];
    lanes[lane] = src[1];
    seen |= 1u << lane;
    for (unsigned steps = 0; steps < type.lanes && x->op == IR_OP_insert; steps++, x = x->src[0])
        if (!(seen & 1u << x->index)) {
            lanes[x->index] = x->src[1];
            seen |= 1u << x->index;
        }
    return seen == (1u << type.lanes) - 1 ? ir_vec(b, lanes, type.lanes) : NULL;
}

// A shuffle of known lanes is a vec of them. LLVM splats a scalar by inserting one lane and shuffling it to all.
static struct ir_instr *of_known_lanes(struct ir_builder *b, struct ir_type type,
                                       struct ir_instr *const *src, const uint8_t *picks)
{
    unsigned width = src[0]->type.lanes;
    struct ir_instr *lanes[16] = {NULL};
    for (unsigned i = 0; i < type.lanes; i++) {
        unsigned lane = picks[i] % width;
        struct ir_instr *from = src[picks[i] != 255 && picks[i] >= width];
        struct ir_type one = ir_with_lanes(type, 1);
        lanes[i] = picks[i] == 255 ? ir_undef(b->module, one) : known_lane(b, one, &from, &lane);
        if (!lanes[i])
            return NULL;
    }
    return ir_vec(b, lanes, type.lanes);
}

static struct ir_instr *fold_shuffle(struct ir_builder *b, struct ir_type type,
                                     struct ir_instr *const *src, const uint8_t *picks)
{
    unsigned width = src[0]->type.lanes;
    bool same[2] = {type.lanes == width, type.lanes == width}, first_only = true;
    struct ir_instr *built;
    uint8_t mapped[16] = {0};
    for (unsigned i = 0; i < type.lanes; i++) {
        if (picks[i] == 255)
            continue;
        same[0] = same[0] && picks[i] == i;
        same[1] = same[1] && picks[i] == i + width;
        first_only = first_only && picks[i] < width;
    }
    if (same[0] || same[1])
        return src[same[0] ? 0 : 1];
    if ((built = of_known_lanes(b, type, src, picks)))
        return built;
    if (!first_only || src[0]->op != IR_OP_shuffle)
        return NULL;
    for (unsigned i = 0; i < type.lanes; i++) // combine with a shuffle in the first source
        mapped[i] = picks[i] == 255 ? 255 : src[0]->shuffle[picks[i]];
    return ir_shuffle(b, src[0]->src[0], src[0]->src[1], mapped, type.lanes);
}

static struct ir_instr *fold_dynamic(struct ir_builder *b, enum ir_op op, struct ir_type type,
                                     struct ir_instr *const *src)
{
    const struct ir_instr *lane = src[op == IR_OP_insert_dyn ? 2 : 1];
    if (!ir_is_const(lane))
        return NULL;
    if (lane->lanes[0] >= src[0]->type.lanes)
        return ir_undef(b->module, type);
    if (op == IR_OP_insert_dyn)
        return ir_insert(b, src[0], src[1], (unsigned)lane->lanes[0]);
    return ir_extract(b, src[0], (unsigned)lane->lanes[0]);
}

static struct ir_instr *fold_ptr_index(struct ir_builder *b, struct ir_instr *const *src,
                                       uint32_t count, const struct ir_instr *like)
{
    struct ir_instr *base = src[0], *index = count > 1 ? src[1] : NULL;
    int64_t stride = index ? like->stride : 0;
    uint64_t offset = (uint64_t)like->offset;
    bool changed = false;
    if (base->op == IR_OP_undef)
        return base;
    if (index && (ir_is_const(index) || !stride)) {
        offset += stride ? index->lanes[0] * (uint64_t)stride : 0;
        index = NULL;
        changed = true;
    }
    if (base->op == IR_OP_ptr_index && (base->src_count == 1 || !index)) {
        offset += (uint64_t)base->offset;
        if (base->src_count > 1) {
            index = base->src[1];
            stride = base->stride;
        }
        base = base->src[0];
        changed = true;
    }
    if (!index && !offset)
        return base;
    return changed ? ir_ptr_index(b, base, index, stride, (int64_t)offset) : NULL;
}

// ---- identities ---------------------------------------------------------------------------------

static bool all_lanes(const struct ir_instr *x, uint64_t value)
{
    if (!ir_is_const(x))
        return false;
    for (unsigned i = 0; i < x->type.lanes; i++)
        if (x->lanes[i] != value)
            return false;
    return true;
}

enum right { // condition on the second source of an identity
    RIGHT_NONE,
    RIGHT_ZERO,
    RIGHT_ONES,
    RIGHT_ONE,
    RIGHT_FLOAT_ONE,
    RIGHT_MINUS_ZERO,
    RIGHT_INT_MIN,
    RIGHT_INT_MAX,
    RIGHT_SAME
};

enum { MAX_IDENTITIES = 3 }; // for one operation

static const struct identity {
    uint8_t right;
    enum {
        GIVES_LEFT,
        GIVES_RIGHT,
        GIVES_ZERO,
        GIVES_ONES
    } gives; // GIVES_ONES: all bits set; true for bools
} identities[IR_OP_COUNT][MAX_IDENTITIES] = {
    [IR_OP_iadd] = {{RIGHT_ZERO, GIVES_LEFT}},
    [IR_OP_isub] = {{RIGHT_ZERO, GIVES_LEFT}, {RIGHT_SAME, GIVES_ZERO}},
    [IR_OP_imul] = {{RIGHT_ONE, GIVES_LEFT}, {RIGHT_ZERO, GIVES_RIGHT}},
    [IR_OP_udiv] = {{RIGHT_ONE, GIVES_LEFT}},
    [IR_OP_sdiv] = {{RIGHT_ONE, GIVES_LEFT}},
    [IR_OP_urem] = {{RIGHT_ONE, GIVES_ZERO}},
    [IR_OP_srem] = {{RIGHT_ONE, GIVES_ZERO}},
    [IR_OP_and] = {{RIGHT_ZERO, GIVES_RIGHT}, {RIGHT_ONES, GIVES_LEFT}, {RIGHT_SAME, GIVES_LEFT}},
    [IR_OP_or] = {{RIGHT_ZERO, GIVES_LEFT}, {RIGHT_ONES, GIVES_RIGHT}, {RIGHT_SAME, GIVES_LEFT}},
    [IR_OP_xor] = {{RIGHT_ZERO, GIVES_LEFT}, {RIGHT_SAME, GIVES_ZERO}},
    [IR_OP_shl] = {{RIGHT_ZERO, GIVES_LEFT}},
    [IR_OP_lshr] = {{RIGHT_ZERO, GIVES_LEFT}},
    [IR_OP_ashr] = {{RIGHT_ZERO, GIVES_LEFT}},
    [IR_OP_smin] = {{RIGHT_SAME, GIVES_LEFT}, {RIGHT_INT_MIN, GIVES_RIGHT}, {RIGHT_INT_MAX, GIVES_LEFT}},
    [IR_OP_smax] = {{RIGHT_SAME, GIVES_LEFT}, {RIGHT_INT_MIN, GIVES_LEFT}, {RIGHT_INT_MAX, GIVES_RIGHT}},
    [IR_OP_umin] = {{RIGHT_SAME, GIVES_LEFT}, {RIGHT_ZERO, GIVES_RIGHT}, {RIGHT_ONES, GIVES_LEFT}},
    [IR_OP_umax] = {{RIGHT_SAME, GIVES_LEFT}, {RIGHT_ZERO, GIVES_LEFT}, {RIGHT_ONES, GIVES_RIGHT}},
    [IR_OP_umulhi] = {{RIGHT_ZERO, GIVES_RIGHT}},
    [IR_OP_smulhi] = {{RIGHT_ZERO, GIVES_RIGHT}},
    [IR_OP_ieq] = {{RIGHT_SAME, GIVES_ONES}},
    [IR_OP_ine] = {{RIGHT_SAME, GIVES_ZERO}},
    [IR_OP_ult] = {{RIGHT_SAME, GIVES_ZERO}, {RIGHT_ZERO, GIVES_ZERO}},
    [IR_OP_ule] = {{RIGHT_SAME, GIVES_ONES}},
    [IR_OP_slt] = {{RIGHT_SAME, GIVES_ZERO}},
    [IR_OP_sle] = {{RIGHT_SAME, GIVES_ONES}},
    [IR_OP_fadd] = {{RIGHT_MINUS_ZERO, GIVES_LEFT}},
    [IR_OP_fsub] = {{RIGHT_ZERO, GIVES_LEFT}},
    [IR_OP_fmul] = {{RIGHT_FLOAT_ONE, GIVES_LEFT}},
    [IR_OP_fdiv] = {{RIGHT_FLOAT_ONE, GIVES_LEFT}},
};

static bool right_is(const struct identity *row, const struct ir_instr *x, const struct ir_instr *y)
{
    unsigned bits = y->type.bits;
    switch ((enum right)row->right) {
    case RIGHT_SAME:
        return x == y && x->op != IR_OP_undef;
    case RIGHT_ZERO:
        return all_lanes(y, 0);
    case RIGHT_ONE:
        return all_lanes(y, 1);
    case RIGHT_ONES:
        return all_lanes(y, ir_mask(bits));
    case RIGHT_FLOAT_ONE:
        return all_lanes(y, ir_float_bits(bits, 1));
    case RIGHT_MINUS_ZERO:
        return all_lanes(y, UINT64_C(1) << (bits - 1));
    case RIGHT_INT_MIN:
        return all_lanes(y, UINT64_C(1) << (bits - 1));
    case RIGHT_INT_MAX:
        return all_lanes(y, ir_mask(bits - 1));
    default:
        return false;
    }
}

static struct ir_instr *fold_identity(struct ir_builder *b, enum ir_op op, struct ir_type type,
                                      struct ir_instr *x, struct ir_instr *y)
{
    if (!ir_is_const(y) && x != y)
        return NULL;
    for (size_t i = 0; i < MAX_IDENTITIES && identities[op][i].right; i++) {
        const struct identity *row = &identities[op][i];
        if (!right_is(row, x, y))
            continue;
        switch (row->gives) {
        case GIVES_LEFT:
            return x;
        case GIVES_RIGHT:
            return y;
        case GIVES_ZERO:
            return ir_const_int(b->module, type, 0);
        case GIVES_ONES:
            return ir_const_int(b->module, type, ~UINT64_C(0));
        }
    }
    return NULL;
}

static bool is_conversion(enum ir_op op) { return ir_ops[op].rule == IR_RULE_CONVERT || op == IR_OP_bitcast; }

// Folds a conversion of a conversion.
static struct ir_instr *fold_conversion(struct ir_builder *b, enum ir_op op, struct ir_type type,
                                        struct ir_instr *x)
{
    struct ir_instr *origin = x->src_count ? x->src[0] : NULL;
    if (op == IR_OP_bitcast)
        return ir_type_eq(type, x->type) ? x
               : x->op == IR_OP_bitcast  ? ir_convert(b, op, type, origin)
                                         : NULL;
    if (op == IR_OP_ptr_cast)
        return ir_type_eq(type, x->type)                       ? x
               : x->op == op && ir_type_eq(origin->type, type) ? origin
                                                               : NULL;
    if (op == IR_OP_ptr_to_int)
        return x->op == IR_OP_int_to_ptr && x->type.space != IR_PRIVATE && x->type.space != IR_LOCAL
                   ? origin
                   : NULL;
    if (op == IR_OP_int_to_ptr)
        return x->op == IR_OP_ptr_to_int && ir_type_eq(origin->type, type) ? origin : NULL;
    if (type.bits == x->type.bits && type.base == x->type.base)
        return x;
    if (op == IR_OP_trunc && (x->op == IR_OP_zext || x->op == IR_OP_sext || x->op == IR_OP_trunc)) {
        if (origin->type.base == IR_BOOL || origin->type.bits < type.bits)
            return ir_convert(b, x->op, type, origin);
        return origin->type.bits == type.bits ? origin : ir_convert(b, IR_OP_trunc, type, origin);
    }
    if ((op == IR_OP_zext || op == IR_OP_sext) && x->op == IR_OP_zext)
        return ir_convert(b, IR_OP_zext, type, origin);
    if (op == IR_OP_sext && x->op == IR_OP_sext)
        return ir_convert(b, IR_OP_sext, type, origin);
    if (op == IR_OP_f2f && x->op == IR_OP_f2f && x->type.bits > origin->type.bits &&
        type.bits == origin->type.bits)
        return origin;
    return NULL;
}

static struct ir_instr *fold_choice(struct ir_builder *b, struct ir_type type,
                                    struct ir_instr *const *src)
{
    struct ir_instr *c = src[0], *x = src[1], *y = src[2];
    if (x == y || y->op == IR_OP_undef || all_lanes(c, 1))
        return x;
    if (x->op == IR_OP_undef || all_lanes(c, 0))
        return y;
    if (type.base == IR_BOOL && c->type.lanes == type.lanes) {
        if (all_lanes(x, 1) && all_lanes(y, 0))
            return c;
        if (all_lanes(x, 0) && all_lanes(y, 1))
            return ir_op1(b, IR_OP_not, c);
    }
    if (c->op == IR_OP_not)
        return ir_select(b, c->src[0], y, x);
    return NULL;
}

// Operations on undef whose result can be undef: every result is possible, or the operand is the only source.
static bool undef_spreads(enum ir_op op, uint32_t count)
{
    return op == IR_OP_iadd || op == IR_OP_isub || op == IR_OP_xor || op == IR_OP_ieq ||
           op == IR_OP_ine || op == IR_OP_trunc || op == IR_OP_bitcast || op == IR_OP_not ||
           op == IR_OP_ineg || (count == 1 && (op == IR_OP_int_to_ptr || op == IR_OP_ptr_cast));
}

// Follows casts and index arithmetic to a pointer with a known address space.
static struct ir_instr *fold_ptr_space(struct ir_module *m, const struct ir_instr *x)
{
    while (x->type.space == IR_GENERIC && (x->op == IR_OP_ptr_cast || x->op == IR_OP_ptr_index))
        x = x->src[0];
    if (x->type.space == IR_GENERIC)
        return NULL;
    return ir_const_int(m, ir_int(32), x->type.space == IR_CONSTANT ? IR_GLOBAL : x->type.space);
}

static struct ir_instr *fold_by_op(struct ir_builder *b, enum ir_op op, struct ir_type type,
                                   struct ir_instr *const *src, uint32_t count,
                                   const struct ir_instr *like)
{
    struct ir_instr *x = src[0];
    switch (op) {
    case IR_OP_vec:
        return fold_vec(b, type, src, count);
    case IR_OP_extract:
        return fold_extract(b, type, x, like->index);
    case IR_OP_insert:
        return fold_insert(b, type, src, like->index);
    case IR_OP_shuffle:
        return fold_shuffle(b, type, src, like->shuffle);
    case IR_OP_extract_dyn:
    case IR_OP_insert_dyn:
        return fold_dynamic(b, op, type, src);
    case IR_OP_ptr_index:
        return fold_ptr_index(b, src, count, like);
    case IR_OP_ptr_space:
        return fold_ptr_space(b->module, x);
    case IR_OP_select:
        return fold_choice(b, type, src);
    case IR_OP_ineg:
    case IR_OP_not:
    case IR_OP_fneg:
    case IR_OP_bitreverse:
        return x->op == op ? x->src[0] : NULL;
    case IR_OP_fabs:
        if (x->op == IR_OP_fabs)
            return x;
        return x->op == IR_OP_fneg ? ir_op1(b, op, x->src[0]) : NULL;
    case IR_OP_shl:
    case IR_OP_lshr:
    case IR_OP_ashr:
        return all_lanes(x, 0) ? x : NULL;
    default:
        break;
    }
    if (is_conversion(op))
        return fold_conversion(b, op, type, x);
    return NULL;
}

// Whether the operation folds without constants, undefined or equal sources.
static bool folds_values(enum ir_op op)
{
    switch (op) {
    case IR_OP_vec:
    case IR_OP_extract:
    case IR_OP_insert:
    case IR_OP_shuffle:
    case IR_OP_extract_dyn:
    case IR_OP_insert_dyn:
    case IR_OP_ptr_index:
    case IR_OP_ptr_space:
    case IR_OP_select:
    case IR_OP_ineg:
    case IR_OP_not:
    case IR_OP_fneg:
    case IR_OP_bitreverse:
    case IR_OP_fabs:
    case IR_OP_bitcast:
    case IR_OP_mat_get:
        return true;
    default:
        return is_conversion(op);
    }
}

static inline bool is_value(const struct ir_instr *x) { return x->op != IR_OP_const && x->op != IR_OP_undef; }

static __attribute__((noinline)) struct ir_instr *fold(struct ir_builder *b, enum ir_op op, struct ir_type type,
                             struct ir_instr *const *src, uint32_t count, const struct ir_instr *like)
{
    stack_check();
    if (op == IR_OP_mat_get && src[0]->op == IR_OP_mat_splat)
        return src[0]->src[0];
    if (!count || op == IR_OP_phi || ir_is_matrix(type) || ir_is_matrix(src[0]->type))
        return NULL;
    static const struct ir_instr no_immediates;
    like = like ? like : &no_immediates;
    bool constant = true, undefined = false;
    for (uint32_t i = 0; i < count; i++) {
        constant &= ir_is_const(src[i]);
        undefined |= src[i]->op == IR_OP_undef;
    }
    if (constant && folds[op])
        return fold_lanes(b->module, op, type, src, count);
    if (constant && op == IR_OP_bitcast)
        return fold_bitcast(b->module, type, src[0]);
    if (constant && (op == IR_OP_int_to_ptr || op == IR_OP_ptr_to_int) && !src[0]->lanes[0])
        return ir_const_int(b->module, type, 0); // the null pointer
    if (constant && op == IR_OP_ptr_cast && !src[0]->lanes[0])
        return ir_const_int(b->module, type, 0);
    if (undefined && undef_spreads(op, count))
        return ir_undef(b->module, type);
    struct ir_instr *result = fold_by_op(b, op, type, src, count, like);
    if (!result && count == 2)
        result = fold_identity(b, op, type, src[0], src[1]);
    if (!result && count == 2 && (ir_ops[op].flags & IR_FLAG_C) && ir_is_const(src[0]))
        result = fold_identity(b, op, type, src[1], src[0]);
    return result;
}

struct ir_instr *ir_fold(struct ir_builder *b, enum ir_op op, struct ir_type type,
                         struct ir_instr *const *src, uint32_t count, const struct ir_instr *like)
{
    if (count == 2 && is_value(src[0]) && is_value(src[1]) && src[0] != src[1] && !folds_values(op))
        return NULL; // most instructions
    if (count == 1 && is_conversion(op) && is_value(src[0]) && !is_conversion(src[0]->op) && type.bits != src[0]->type.bits)
        return NULL; // most conversions
    return fold(b, op, type, src, count, like);
}
