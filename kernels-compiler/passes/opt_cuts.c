// SPDX-License-Identifier: Apache-2.0
// Removes truncations (low_bits, masks) whose cleared bits are never used: demanded-bits analysis.
//
//   %3 = low_bits %2, 255 ; %4 = imul %3, %1 ; %5 = low_bits %4, 255     ->     %4 = imul %2, %1 ; ...
//
// Arithmetic on 8- and 16-bit integers is truncated after each operation and extended before the next. The low bits
// of sums, products and bitwise operations depend only on low bits, so a chain of them needs one truncation, where
// its value is stored, compared, divided or shifted right. The number of demanded low bits of a value is computed
// from its users, starting at none, which gives the least fixed point around loops.
#include "passes/passes.h"

struct cuts {
    struct arena *scratch;
    uint8_t *demanded; // number of demanded low bits, by instr->id
    VEC(struct ir_instr *) work;
    bool changed;
};

// ---- demanded bits ------------------------------------------------------------------------------

static unsigned all_bits(const struct ir_instr *x) { return x->type.base == IR_INT ? x->type.bits : UINT8_MAX; }

static unsigned fewer(unsigned a, unsigned b) { return a < b ? a : b; }

static uint64_t low_ones(unsigned bits) { return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX; }

// The amount of a shift, if it is the same constant in all lanes; else -1.
static int shift_amount(const struct ir_instr *x)
{
    const struct ir_instr *by = x->src[1];
    for (unsigned i = 0; i < by->type.lanes; i++)
        if (!ir_is_const(by) || by->lanes[i] != by->lanes[0])
            return -1;
    return (int)(by->lanes[0] % x->type.bits);
}

// Demanded bits of the other operand of an `and`: up to the mask's highest bit.
static unsigned masked(const struct ir_instr *mask, unsigned demanded)
{
    uint64_t bits = ir_is_const(mask) ? 0 : UINT64_MAX;
    for (unsigned i = 0; ir_is_const(mask) && i < mask->type.lanes; i++)
        bits |= mask->lanes[i];
    bits &= low_ones(demanded);
    return bits ? 64 - (unsigned)__builtin_clzll(bits) : 0;
}

static unsigned shifted(const struct ir_instr *x, unsigned demanded)
{
    int by = shift_amount(x);
    bool left = x->op == IR_OP_shl;
    if (by < 0)
        return left ? demanded : all_bits(x);
    if (left)
        return demanded > (unsigned)by ? demanded - (unsigned)by : 0;
    return demanded ? fewer(demanded + (unsigned)by, x->type.bits) : 0;
}

// The number of low bits that `x`, of which `demanded` bits are demanded, demands of source `i`.
static unsigned demanded_of_source(const struct ir_instr *x, uint32_t i, unsigned demanded)
{
    switch (x->op) {
    case IR_OP_iadd:
    case IR_OP_isub:
    case IR_OP_imul:
    case IR_OP_ineg:
    case IR_OP_or:
    case IR_OP_xor:
    case IR_OP_not:
    case IR_OP_phi:
    case IR_OP_vec:
    case IR_OP_insert:
    case IR_OP_extract:
    case IR_OP_shuffle:
        return demanded;
    case IR_OP_select:
        return i ? demanded : all_bits(x->src[0]);
    case IR_OP_and:
    case IR_OP_low_bits:
        return masked(x->src[1 - i], demanded);
    case IR_OP_shl:
    case IR_OP_lshr:
    case IR_OP_ashr:
        return i ? all_bits(x->src[1]) : shifted(x, demanded);
    case IR_OP_trunc:
    case IR_OP_zext:
    case IR_OP_sext:
        return fewer(demanded, all_bits(x->src[0]));
    default:
        return all_bits(x->src[i]);
    }
}

static void demand(struct cuts *c, struct ir_instr *x, unsigned bits)
{
    if (!x || !x->block || c->demanded[x->id] >= bits)
        return;
    c->demanded[x->id] = (uint8_t)bits;
    vec_push(c->scratch, &c->work, x);
}

static void demand_condition(struct cuts *c, const struct ir_node *node)
{
    struct ir_instr *value = !node                    ? NULL
                             : node->kind == IR_IF    ? ((const struct ir_if *)node)->cond
                             : node->kind == IR_LOOP  ? ((const struct ir_loop *)node)->cond
                                                      : ((const struct ir_switch *)node)->value;
    if (value)
        demand(c, value, all_bits(value));
}

static void find_demanded(struct cuts *c, struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (!ir_has_flag(x, IR_FLAG_P))
                demand(c, x, all_bits(x));
        demand_condition(c, b->node.next);
    }
    while (c->work.count) {
        struct ir_instr *x = c->work.items[--c->work.count];
        for (uint32_t i = 0; i < x->src_count; i++)
            demand(c, x->src[i], demanded_of_source(x, i, c->demanded[x->id]));
    }
}

// ---- removing truncations -----------------------------------------------------------------------

// The value that `x` truncates, if the demanded bits are the same; NULL: x is no truncation.
static struct ir_instr *without_truncation(const struct ir_instr *x, unsigned demanded)
{
    bool mask = (x->op == IR_OP_and || x->op == IR_OP_low_bits) && ir_is_const(x->src[1]);
    for (unsigned i = 0; mask && i < x->type.lanes; i++)
        mask = (x->src[1]->lanes[i] & low_ones(demanded)) == low_ones(demanded);
    if (mask)
        return x->src[0];
    bool extends = (x->op == IR_OP_ashr || x->op == IR_OP_lshr) && x->src[0]->op == IR_OP_shl;
    int by = extends ? shift_amount(x) : -1;
    if (by < 0 || by != shift_amount(x->src[0]) || demanded + (unsigned)by > x->type.bits)
        return NULL;
    return x->src[0]->src[0];
}

// Requires: ids are free. Keeps: every demanded bit.
bool opt_cuts(struct pass_context *context, struct ir_function *f)
{
    struct cuts c = {.scratch = context->scratch};
    ir_number(f);
    c.demanded = ARENA_ARRAY(c.scratch, uint8_t, f->instr_count + 1);
    find_demanded(&c, f);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (x->type.base != IR_INT || c.demanded[x->id] >= x->type.bits)
                continue;
            x->flags &= (uint8_t)~IR_NO_WRAP; // nothing is known about the upper bits any more
            struct ir_instr *with = without_truncation(x, c.demanded[x->id]);
            if (with)
                ir_replace(x, with);
            c.changed |= with != NULL;
        }
    if (c.changed)
        ir_resolve(f);
    return c.changed;
}
