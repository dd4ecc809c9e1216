// SPDX-License-Identifier: Apache-2.0
// 64-bit integers -> pairs of words, for devices without 64-bit integers (kc_target.int64).
//
// A value is split into its lower and upper halves, lane by lane. Memory accesses and calls use vectors of words: <2
// x i32> for one value, lower word first, <4 x i32> for two; so do device addresses. Conversions to float round in
// integer arithmetic, so that all float operations are exact.
#include "passes/arith.h"

struct halves {
    struct ir_instr *low, *high; // i32, with the value's number of lanes
};

struct longs {
    struct arith a;
    struct ir_function *function;
    struct halves *of; // by id of instructions that are lowered
    uint32_t count;
    VEC(struct ir_instr *) phis;
    bool changed;
};

static bool is_long_type(struct ir_type type) { return type.base == IR_INT && type.bits == 64 && !ir_is_matrix(type); }

static bool is_long(const struct ir_instr *x) { return is_long_type(x->type); }

static struct ir_instr *k32(struct longs *l, struct ir_instr *like, uint64_t value)
{
    return k_int(&l->a, with_bits(int_like(like->type), 32), value);
}

static struct halves halves_of_const(struct longs *l, const struct ir_instr *x)
{
    uint64_t low[16], high[16];
    struct ir_type type = with_bits(x->type, 32);
    for (unsigned i = 0; i < type.lanes; i++) {
        low[i] = x->lanes[i] & UINT32_MAX;
        high[i] = x->lanes[i] >> 32;
    }
    return (struct halves){ir_const(l->a.b.module, type, low), ir_const(l->a.b.module, type, high)};
}

static struct halves halves_of(struct longs *l, const struct ir_instr *x)
{
    struct ir_type type = with_bits(x->type, 32);
    if (ir_is_const(x))
        return halves_of_const(l, x);
    if (x->op != IR_OP_undef && x->id < l->count && l->of[x->id].low)
        return l->of[x->id];
    if (x->op != IR_OP_undef)
        ir_fail(l->a.b.module, x->origin, "internal: a 64-bit integer that lower_longs does not know");
    return (struct halves){ir_undef(l->a.b.module, type), ir_undef(l->a.b.module, type)};
}

// ---- vectors of words, as in memory and calls ----------------------------------------------------

static struct ir_type words_type(struct ir_type type) { return ir_with_lanes(ir_int(32), type.lanes * 2u); }

// At most two lanes, from `first` on.
static struct ir_instr *in_words(struct longs *l, struct halves x, unsigned first, unsigned lanes)
{
    struct ir_instr *words[4];
    for (unsigned i = 0; i < lanes; i++) {
        words[2 * i] = ir_extract(&l->a.b, x.low, first + i);
        words[2 * i + 1] = ir_extract(&l->a.b, x.high, first + i);
    }
    return ir_vec(&l->a.b, words, lanes * 2);
}

static struct halves from_lanes(struct longs *l, struct ir_instr *const *low, struct ir_instr *const *high, unsigned lanes)
{
    if (lanes == 1)
        return (struct halves){low[0], high[0]};
    return (struct halves){ir_vec(&l->a.b, low, lanes), ir_vec(&l->a.b, high, lanes)};
}

// The halves of values given as vectors of up to four words.
static struct halves from_words(struct longs *l, struct ir_instr *const *vectors, unsigned lanes)
{
    struct ir_instr *low[4], *high[4];
    for (unsigned i = 0; i < lanes; i++) {
        low[i] = ir_extract(&l->a.b, vectors[i / 2], i % 2 * 2);
        high[i] = ir_extract(&l->a.b, vectors[i / 2], i % 2 * 2 + 1);
    }
    return from_lanes(l, low, high, lanes);
}

// ---- sums and products ---------------------------------------------------------------------------

static struct ir_instr *as_number(struct longs *l, struct ir_instr *condition)
{
    return convert(&l->a, IR_OP_zext, ir_with_lanes(ir_int(32), condition->type.lanes), condition);
}

static bool is_zero(const struct ir_instr *x)
{
    for (unsigned i = 0; ir_is_const(x) && i < x->type.lanes; i++)
        if (x->lanes[i])
            return false;
    return ir_is_const(x);
}

static struct halves zero(struct longs *l, struct ir_instr *like) { return (struct halves){k32(l, like, 0), k32(l, like, 0)}; }

static struct halves add(struct longs *l, struct halves x, struct halves y)
{
    struct ir_instr *low = op2(&l->a, IR_OP_iadd, x.low, y.low), *high = op2(&l->a, IR_OP_iadd, x.high, y.high);
    if (!is_zero(x.low) && !is_zero(y.low))
        high = op2(&l->a, IR_OP_iadd, high, as_number(l, op2(&l->a, IR_OP_ult, low, ir_is_const(x.low) ? x.low : y.low)));
    return (struct halves){low, high};
}

static struct halves subtract(struct longs *l, struct halves x, struct halves y)
{
    struct ir_instr *low = op2(&l->a, IR_OP_isub, x.low, y.low), *high = op2(&l->a, IR_OP_isub, x.high, y.high);
    if (!is_zero(y.low))
        high = op2(&l->a, IR_OP_isub, high, as_number(l, op2(&l->a, IR_OP_ult, x.low, y.low)));
    return (struct halves){low, high};
}

static struct halves word_product(struct longs *l, struct ir_instr *x, struct ir_instr *y)
{
    if (is_zero(x) || is_zero(y))
        return zero(l, x);
    return (struct halves){op2(&l->a, IR_OP_imul, x, y), op2(&l->a, IR_OP_umulhi, x, y)};
}

static struct halves multiply(struct longs *l, struct halves x, struct halves y)
{
    struct halves product = word_product(l, x.low, y.low);
    struct ir_instr *cross = op2(&l->a, IR_OP_imul, x.high, y.low);
    cross = op2(&l->a, IR_OP_iadd, op2(&l->a, IR_OP_imul, x.low, y.high), cross);
    return (struct halves){product.low, op2(&l->a, IR_OP_iadd, product.high, cross)};
}

// Upper 64 bits of a product; no sum overflows.
static struct halves multiply_high(struct longs *l, struct halves x, struct halves y)
{
    struct ir_instr *none = k32(l, x.low, 0);
    struct halves low = word_product(l, x.low, y.low), first = word_product(l, x.high, y.low);
    struct halves second = word_product(l, x.low, y.high), high = word_product(l, x.high, y.high);
    struct halves middle = add(l, first, (struct halves){low.high, none});
    second = add(l, second, (struct halves){middle.low, none});
    return add(l, add(l, high, (struct halves){middle.high, none}), (struct halves){second.high, none});
}

static struct halves either(struct longs *l, struct ir_instr *condition, struct halves x, struct halves y)
{
    return (struct halves){pick(&l->a, condition, x.low, y.low), pick(&l->a, condition, x.high, y.high)};
}

// x if the sign is 0, -x if it is -1.
static struct halves with_sign(struct longs *l, struct halves x, struct ir_instr *sign)
{
    struct halves flipped = {op2(&l->a, IR_OP_xor, x.low, sign), op2(&l->a, IR_OP_xor, x.high, sign)};
    return subtract(l, flipped, (struct halves){sign, sign});
}

// ---- shifts --------------------------------------------------------------------------------------

// Shifts by less than 32: bits move from one half to the other.
static struct halves shift_within(struct longs *l, enum ir_op op, struct halves x, struct ir_instr *by)
{
    struct arith *a = &l->a;
    struct ir_instr *back = op2k(a, IR_OP_xor, by, 31);
    if (op == IR_OP_shl) {
        struct ir_instr *carried = op2(a, IR_OP_lshr, op2k(a, IR_OP_lshr, x.low, 1), back);
        return (struct halves){op2(a, IR_OP_shl, x.low, by), op2(a, IR_OP_or, op2(a, IR_OP_shl, x.high, by), carried)};
    }
    struct ir_instr *carried = op2(a, IR_OP_shl, op2k(a, IR_OP_shl, x.high, 1), back);
    return (struct halves){op2(a, IR_OP_or, op2(a, IR_OP_lshr, x.low, by), carried), op2(a, op, x.high, by)};
}

static struct halves shift(struct longs *l, enum ir_op op, struct halves x, struct ir_instr *by)
{
    struct ir_instr *rounding_bits = op2k(&l->a, IR_OP_and, by, 31), *fill = k32(l, by, 0);
    struct ir_instr *far = op2k(&l->a, IR_OP_ine, op2k(&l->a, IR_OP_and, by, 32), 0);
    struct halves near = shift_within(l, op, x, rounding_bits);
    if (op == IR_OP_ashr)
        fill = op2k(&l->a, IR_OP_ashr, x.high, 31);
    struct halves moved = op == IR_OP_shl ? (struct halves){fill, near.low} : (struct halves){near.high, fill};
    return either(l, far, moved, near);
}

// ---- comparisons ---------------------------------------------------------------------------------

static struct ir_instr *equal(struct longs *l, struct halves x, struct halves y)
{
    struct ir_instr *high = op2(&l->a, IR_OP_ieq, x.high, y.high);
    return op2(&l->a, IR_OP_and, op2(&l->a, IR_OP_ieq, x.low, y.low), high);
}

static struct ir_instr *compare(struct longs *l, enum ir_op op, struct halves x, struct halves y)
{
    bool is_signed = op == IR_OP_slt || op == IR_OP_sle || op == IR_OP_smin || op == IR_OP_smax;
    enum ir_op low = op == IR_OP_ule || op == IR_OP_sle ? IR_OP_ule : IR_OP_ult;
    if (op == IR_OP_ieq)
        return equal(l, x, y);
    if (op == IR_OP_ine)
        return op1(&l->a, IR_OP_not, equal(l, x, y));
    struct ir_instr *same = op2(&l->a, IR_OP_ieq, x.high, y.high);
    struct ir_instr *high = op2(&l->a, is_signed ? IR_OP_slt : IR_OP_ult, x.high, y.high);
    return pick(&l->a, same, op2(&l->a, low, x.low, y.low), high);
}

static struct halves smaller_or_larger(struct longs *l, enum ir_op op, struct halves x, struct halves y)
{
    bool smaller = op == IR_OP_smin || op == IR_OP_umin;
    struct ir_instr *less = compare(l, op, x, y);
    return smaller ? either(l, less, x, y) : either(l, less, y, x);
}

// ---- conversions to floats -----------------------------------------------------------------------

// Number of leading zeros; 64 for zero.
static struct ir_instr *leading_zeros(struct longs *l, struct halves x)
{
    struct ir_instr *low = op2k(&l->a, IR_OP_iadd, op1(&l->a, IR_OP_clz, x.low), 32);
    struct ir_instr *high = op1(&l->a, IR_OP_clz, x.high);
    return pick(&l->a, op2k(&l->a, IR_OP_ieq, x.high, 0), low, high);
}

// The upper 24 bits of a normalized 64-bit number, rounded to nearest even.
static struct ir_instr *mantissa(struct longs *l, struct halves x)
{
    struct arith *a = &l->a;
    struct ir_instr *integral = op2k(a, IR_OP_lshr, x.high, 8), *half = op2k(a, IR_OP_and, op2k(a, IR_OP_lshr, x.high, 7), 1);
    struct ir_instr *rounding_bits = op2(a, IR_OP_or, op2k(a, IR_OP_and, x.high, 0x7f), x.low);
    struct ir_instr *odd = op2k(a, IR_OP_and, integral, 1);
    rounding_bits = op2(a, IR_OP_or, as_number(l, op2k(a, IR_OP_ine, rounding_bits, 0)), odd);
    return op2(a, IR_OP_iadd, integral, op2(a, IR_OP_and, half, rounding_bits));
}

static struct ir_instr *to_float(struct longs *l, struct ir_type type, struct halves x, bool is_signed)
{
    struct arith *a = &l->a;
    struct ir_instr *sign = is_signed ? op2k(a, IR_OP_ashr, x.high, 31) : k32(l, x.high, 0);
    x = with_sign(l, x, sign);
    struct ir_instr *zeros = leading_zeros(l, x);
    struct ir_instr *value = convert(a, IR_OP_u2f, type, mantissa(l, shift(l, IR_OP_shl, x, zeros)));
    struct ir_instr *power = op2k(a, IR_OP_shl, op2(a, IR_OP_isub, k32(l, zeros, 127 + 40), zeros), 23);
    value = op2(a, IR_OP_fmul, value, convert(a, IR_OP_bitcast, type, power));
    struct ir_instr *bits = op2k(a, IR_OP_and, sign, 0x80000000);
    bits = op2(a, IR_OP_or, as_int(a, value), bits);
    return convert(a, IR_OP_bitcast, type, bits);
}

// Both halves are exact, so their sum is rounded once.
static struct ir_instr *to_double(struct longs *l, struct ir_type type, struct halves x, bool is_signed)
{
    struct ir_instr *high = convert(&l->a, is_signed ? IR_OP_s2f : IR_OP_u2f, type, x.high);
    high = op2(&l->a, IR_OP_fmul, high, k_float(&l->a, type, 0x1p32));
    return op2(&l->a, IR_OP_fadd, high, convert(&l->a, IR_OP_u2f, type, x.low));
}

static struct ir_instr *to_floats(struct longs *l, struct ir_instr *x)
{
    struct halves from = halves_of(l, x->src[0]);
    bool is_signed = x->op == IR_OP_s2f;
    return x->type.bits == 64 ? to_double(l, x->type, from, is_signed) : to_float(l, x->type, from, is_signed);
}

static struct halves from_float(struct longs *l, struct ir_instr *x, bool is_signed)
{
    struct arith *a = &l->a;
    struct ir_type words = ir_with_lanes(ir_int(32), x->type.lanes);
    struct arith_words parts = arith_words_of(a, x, is_signed);
    struct halves value = {parts.low, parts.high};
    if (!is_signed)
        return value;
    struct ir_instr *negative = op2(a, IR_OP_flt, x, k_float(a, x->type, 0));
    return with_sign(l, value, convert(a, IR_OP_sext, words, negative));
}

// ---- conversions between integers, bits ----------------------------------------------------------

static struct halves extend(struct longs *l, struct ir_instr *x)
{
    struct ir_instr *from = x->src[0];
    struct ir_type words = ir_with_lanes(ir_int(32), x->type.lanes);
    struct ir_instr *low = convert(&l->a, (enum ir_op)x->op, words, from);
    if (x->op == IR_OP_zext)
        return (struct halves){low, k32(l, low, 0)};
    return (struct halves){low, from->type.base == IR_BOOL ? low : op2k(&l->a, IR_OP_ashr, low, 31)};
}

static struct halves cast_from(struct longs *l, struct ir_instr *from, unsigned lanes)
{
    struct ir_instr *vectors[2] = {from};
    if (from->type.bits < 32 || (from->type.bits == 32 && from->type.base != IR_INT))
        vectors[0] = convert(&l->a, IR_OP_bitcast, ir_with_lanes(ir_int(32), lanes * 2), from);
    if (from->type.bits < 64)
        return from_words(l, vectors, lanes);
    struct ir_instr *low[4], *high[4];
    for (unsigned i = 0; i < lanes; i++) {
        struct ir_instr *pair = convert(&l->a, IR_OP_bitcast, ir_with_lanes(ir_int(32), 2), ir_extract(&l->a.b, from, i));
        low[i] = ir_extract(&l->a.b, pair, 0);
        high[i] = ir_extract(&l->a.b, pair, 1);
    }
    return from_lanes(l, low, high, lanes);
}

static struct ir_instr *cast_to(struct longs *l, struct ir_type type, struct halves x, unsigned lanes)
{
    struct ir_instr *made[4];
    if (type.bits < 64)
        return convert(&l->a, IR_OP_bitcast, type, in_words(l, x, 0, lanes));
    for (unsigned i = 0; i < lanes; i++)
        made[i] = convert(&l->a, IR_OP_bitcast, ir_with_lanes(type, 1), in_words(l, x, i, 1));
    return lanes == 1 ? made[0] : ir_vec(&l->a.b, made, lanes);
}

// ---- lane by lane --------------------------------------------------------------------------------

// Applies the operation to the lower and to the upper halves; other sources are shared.
static struct halves on_both(struct longs *l, struct ir_instr *x)
{
    struct ir_instr *low[16], *high[16];
    for (uint32_t i = 0; i < x->src_count; i++) {
        bool split = is_long(x->src[i]);
        struct halves h = split ? halves_of(l, x->src[i]) : (struct halves){x->src[i], x->src[i]};
        low[i] = h.low;
        high[i] = h.high;
    }
    struct ir_type type = with_bits(x->type, 32);
    return (struct halves){ir_build_like(&l->a.b, (enum ir_op)x->op, type, low, x->src_count, x),
                           ir_build_like(&l->a.b, (enum ir_op)x->op, type, high, x->src_count, x)};
}

// ---- memory accesses and calls -------------------------------------------------------------------

// Whether the instruction can use pairs of words; atomics and sub-group operations cannot be split.
static bool can_use_pairs(const struct ir_instr *x)
{
    bool fits = !is_long(x) || x->type.lanes <= 2, integral = x->op == IR_OP_atomic || x->op == IR_OP_elem_atomic;
    for (uint32_t i = 0; i < x->src_count; i++)
        fits &= !is_long(x->src[i]) || (x->src[i]->type.lanes <= 2 && (!integral || !i));
    return fits && (!integral || !is_long(x)) && x->op != IR_OP_subgroup;
}

// Changes the instruction to pairs of words.
static void use_pairs(struct longs *l, struct ir_instr *x)
{
    if (!can_use_pairs(x))
        ir_fail(l->a.b.module, x->origin, "the device does not support 64-bit atomic and sub-group operations");
    for (uint32_t i = 0; i < x->src_count && !l->a.b.module->error; i++)
        if (is_long(x->src[i]))
            x->src[i] = in_words(l, halves_of(l, x->src[i]), 0, x->src[i]->type.lanes);
    if (!is_long(x) || l->a.b.module->error)
        return;
    struct ir_instr *words = ir_build_like(&l->a.b, (enum ir_op)x->op, words_type(x->type), x->src, x->src_count, x);
    l->of[x->id] = from_words(l, &words, x->type.lanes);
    ir_remove(x);
}

static struct ir_instr *address_at(struct longs *l, struct ir_instr *x, uint64_t distance)
{
    if (!is_long(x))
        return op2k(&l->a, IR_OP_iadd, x, distance);
    struct halves address = halves_of(l, x);
    if (distance)
        address = add(l, address, (struct halves){k32(l, address.low, distance), k32(l, address.low, 0)});
    return in_words(l, address, 0, 1);
}

static struct ir_mem mem_at(const struct ir_instr *x, uint32_t distance)
{
    struct ir_mem mem = x->mem;
    if (distance && mem.align > 16)
        mem.align = 16;
    return mem;
}

// Loads two lanes at a time.
static void load(struct longs *l, struct ir_instr *x)
{
    struct ir_instr *vectors[2];
    unsigned lanes = x->type.lanes;
    for (unsigned i = 0; i < lanes; i += 2) {
        struct ir_type type = ir_with_lanes(ir_int(32), lanes - i > 1 ? 4 : 2);
        vectors[i / 2] = ir_load(&l->a.b, type, address_at(l, x->src[0], i * 8), mem_at(x, i * 8));
    }
    l->of[x->id] = from_words(l, vectors, lanes);
    ir_remove(x);
}

static void store(struct longs *l, struct ir_instr *x)
{
    struct halves value = halves_of(l, x->src[1]);
    unsigned lanes = x->src[1]->type.lanes;
    for (unsigned i = 0; i < lanes; i += 2) {
        struct ir_instr *words = in_words(l, value, i, lanes - i > 1 ? 2 : 1);
        ir_store(&l->a.b, address_at(l, x->src[0], i * 8), words, mem_at(x, i * 8));
    }
    ir_remove(x);
}

static void place_at_end(struct longs *l, struct ir_block *block)
{
    l->a.b.block = block;
    l->a.b.before = ir_ends_in_jump(block) ? block->last : NULL;
}

// Switches over a number: 1 + the index of the value among the case values; 0 if it is none of them.
static void lower_switch(struct longs *l, struct ir_block *block)
{
    struct ir_switch *node = (struct ir_switch *)block->node.next;
    if (!node || node->node.kind != IR_SWITCH || !is_long(node->value))
        return;
    place_at_end(l, block);
    while (node->value->forward)
        node->value = node->value->forward;
    struct halves value = halves_of(l, node->value);
    struct ir_instr *number = k32(l, value.low, 0);
    uint32_t known = 0;
    for (uint32_t i = 0; i < node->case_count; i++)
        for (uint32_t k = 0; k < node->cases[i].value_count; k++) {
            uint64_t *at = &node->cases[i].values[k];
            struct halves named = {k32(l, value.low, *at), k32(l, value.low, *at >> 32)};
            number = pick(&l->a, equal(l, value, named), k32(l, number, ++known), number);
            *at = known;
        }
    node->value = number;
}

static void lower_phi(struct longs *l, struct ir_instr *x)
{
    struct ir_instr *made[2];
    for (unsigned i = 0; i < 2; i++) {
        made[i] = ir_phi(&l->a.b, with_bits(x->type, 32), x->src_count);
        memcpy(made[i]->preds, x->preds, x->src_count * sizeof *x->preds);
    }
    l->of[x->id] = (struct halves){made[0], made[1]};
    vec_push(l->function->module->arena, &l->phis, x);
    ir_remove(x);
}

static void fill_phis(struct longs *l)
{
    for (size_t i = 0; i < l->phis.count; i++) {
        struct ir_instr *x = l->phis.items[i];
        for (uint32_t k = 0; k < x->src_count; k++) {
            struct ir_instr *src = x->src[k];
            while (src->forward)
                src = src->forward;
            struct halves from = halves_of(l, src);
            l->of[x->id].low->src[k] = from.low;
            l->of[x->id].high->src[k] = from.high;
        }
    }
}

// ---- one instruction -----------------------------------------------------------------------------

static struct halves long_value(struct longs *l, struct ir_instr *x)
{
    struct halves src[2] = {{NULL, NULL}};
    enum ir_op op = (enum ir_op)x->op;
    for (uint32_t i = 0; i < x->src_count && i < 2; i++)
        if (is_long(x->src[i]))
            src[i] = halves_of(l, x->src[i]);
    switch (op) {
    case IR_OP_iadd: return add(l, src[0], src[1]);
    case IR_OP_isub: return subtract(l, src[0], src[1]);
    case IR_OP_ineg: return subtract(l, zero(l, src[0].low), src[0]);
    case IR_OP_imul: return multiply(l, src[0], src[1]);
    case IR_OP_umulhi: return multiply_high(l, src[0], src[1]);
    case IR_OP_shl:
    case IR_OP_lshr:
    case IR_OP_ashr: return shift(l, op, src[0], src[1].low);
    case IR_OP_smin:
    case IR_OP_smax:
    case IR_OP_umin:
    case IR_OP_umax: return smaller_or_larger(l, op, src[0], src[1]);
    case IR_OP_zext:
    case IR_OP_sext: return extend(l, x);
    case IR_OP_f2s:
    case IR_OP_f2u: return from_float(l, x->src[0], op == IR_OP_f2s);
    case IR_OP_bitcast: return is_long(x->src[0]) ? src[0] : cast_from(l, x->src[0], x->type.lanes);
    case IR_OP_and:
    case IR_OP_or:
    case IR_OP_xor:
    case IR_OP_not:
    case IR_OP_select:
    case IR_OP_vec:
    case IR_OP_extract:
    case IR_OP_insert:
    case IR_OP_extract_dyn:
    case IR_OP_insert_dyn:
    case IR_OP_shuffle: return on_both(l, x);
    default:
        ir_fail(l->a.b.module, x->origin, "internal: an operation on 64-bit integers that lower_longs does not know");
        return zero(l, k_int(&l->a, with_bits(x->type, 32), 0));
    }
}

// Results of other types from 64-bit operands.
static struct ir_instr *other_value(struct longs *l, struct ir_instr *x)
{
    struct halves first = halves_of(l, x->src[0]);
    switch (x->op) {
    case IR_OP_ieq:
    case IR_OP_ine:
    case IR_OP_ult:
    case IR_OP_ule:
    case IR_OP_slt:
    case IR_OP_sle: return compare(l, (enum ir_op)x->op, first, halves_of(l, x->src[1]));
    case IR_OP_trunc: return convert(&l->a, IR_OP_trunc, x->type, first.low);
    case IR_OP_s2f:
    case IR_OP_u2f: return to_floats(l, x);
    case IR_OP_bitcast: return cast_to(l, x->type, first, x->src[0]->type.lanes);
    default: return NULL;
    }
}

static bool concerns(const struct ir_instr *x)
{
    for (uint32_t i = 0; x->op != IR_OP_phi && i < x->src_count; i++)
        if (is_long(x->src[i]))
            return true;
    return is_long(x);
}

static bool uses_pairs(const struct ir_instr *x) { return ir_has_flag(x, IR_FLAG_W) || ir_has_flag(x, IR_FLAG_R); }

static void lower_instr(struct longs *l, struct ir_instr *x)
{
    ir_place_before(&l->a.b, x);
    if (x->op == IR_OP_phi)
        lower_phi(l, x);
    else if (x->op == IR_OP_load && is_long(x))
        load(l, x);
    else if (x->op == IR_OP_store && is_long(x->src[1]))
        store(l, x);
    else if (uses_pairs(x))
        use_pairs(l, x);
    else if (is_long(x)) {
        l->of[x->id] = long_value(l, x);
        ir_remove(x);
    } else {
        struct ir_instr *value = other_value(l, x);
        if (!value)
            ir_fail(l->a.b.module, x->origin, "internal: an operation on 64-bit integers that lower_longs does not know");
        ir_replace(x, value ? value : ir_undef(l->a.b.module, x->type));
    }
}

static void lower_params(struct longs *l)
{
    struct ir_block *entry = ir_first_block(l->function);
    l->a.b.block = entry;
    l->a.b.before = entry->first;
    for (uint32_t i = 0; i < l->function->param_count; i++) {
        struct ir_instr *param = l->function->params[i], *words;
        if (!is_long(param))
            continue;
        words = arena_copy(l->function->module->arena, param, sizeof *param);
        words->type = words_type(param->type);
        l->function->params[i] = words;
        l->of[param->id] = from_words(l, &words, param->type.lanes);
        l->changed = true;
    }
}

static bool lower_function(struct pass_context *c, struct ir_function *f)
{
    struct longs l = {.function = f, .a = {.b = {.module = c->module, .function = f}, .target = c->target}};
    ir_number(f);
    l.count = f->instr_count;
    l.of = arena_zalloc(c->scratch, (l.count + 1) * sizeof *l.of);
    struct ir_instr *start = ir_first_block(f)->first; // after the code that splits the parameters
    lower_params(&l);
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        for (struct ir_instr *x = block == ir_first_block(f) ? start : block->first, *next; x; x = next) {
            next = x->next;
            ir_resolve_sources(x); // for all instructions, because folding may look through sources
            if (!concerns(x))
                continue;
            l.changed = true;
            lower_instr(&l, x);
        }
        lower_switch(&l, block);
    }
    fill_phis(&l);
    if (is_long_type(f->result))
        f->result = words_type(f->result);
    if (l.changed)
        ir_resolve(f);
    f->converged &= !l.changed;
    return l.changed;
}

static void lower_var(struct ir_var *var)
{
    if (is_long_type(var->elem))
        var->elem = words_type(var->elem);
}

// Requires: lower_arith, lower_division; values in calls and array elements have at most two lanes. Keeps:
// everything. Removes: 64-bit integers, if the device has none.
bool lower_longs(struct pass_context *c)
{
    bool changed = false;
    for (size_t i = 0; i < c->module->functions.count && !c->target->int64; i++) {
        struct ir_function *f = c->module->functions.items[i];
        if (!f->has_body)
            continue;
        changed |= lower_function(c, f);
        for (size_t k = 0; k < f->vars.count; k++)
            lower_var(f->vars.items[k]);
    }
    for (size_t i = 0; i < c->module->vars.count && !c->target->int64; i++)
        lower_var(c->module->vars.items[i]);
    return changed;
}
