// SPDX-License-Identifier: Apache-2.0
// Cuts to fewer bits go away where nobody looks at the bits that they clear.
//
//   %3 = low_bits %2, 255 ; %4 = imul %3, %1 ; %5 = low_bits %4, 255     ->     %4 = imul %2, %1 ; ...
//
// Arithmetic on 8- and 16-bit integers is cut after each operation and extended before the next; the low bits of sums,
// products and bitwise operations need only low bits, so that a chain of them is cut once, where its value is stored,
// compared, divided or shifted to the right. How many low bits of a value are looked at is found from its users,
// beginning with none: around loops that is as few as can be.
#include "passes/passes.h"

struct cuts {
    struct arena *scratch;
    uint8_t *seen; // how many low bits of a value are looked at, by instr->id
    VEC(struct ir_instr *) work;
    bool changed;
};

// ---- how many bits are looked at ----------------------------------------------------------------

static unsigned all_bits(const struct ir_instr *x) { return x->type.base == IR_INT ? x->type.bits : UINT8_MAX; }

static unsigned fewer(unsigned a, unsigned b) { return a < b ? a : b; }

static uint64_t low_ones(unsigned bits) { return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX; }

// The amount of a shift by the same constant in all lanes; -1: none.
static int shift_amount(const struct ir_instr *x)
{
    const struct ir_instr *by = x->src[1];
    for (unsigned i = 0; i < by->type.lanes; i++)
        if (!ir_is_const(by) || by->lanes[i] != by->lanes[0])
            return -1;
    return (int)(by->lanes[0] % x->type.bits);
}

// Of what a mask leaves, the bits up to its highest.
static unsigned masked(const struct ir_instr *mask, unsigned seen)
{
    uint64_t bits = ir_is_const(mask) ? 0 : UINT64_MAX;
    for (unsigned i = 0; ir_is_const(mask) && i < mask->type.lanes; i++)
        bits |= mask->lanes[i];
    bits &= low_ones(seen);
    return bits ? 64 - (unsigned)__builtin_clzll(bits) : 0;
}

static unsigned shifted(const struct ir_instr *x, unsigned seen)
{
    int by = shift_amount(x);
    bool left = x->op == IR_OP_shl;
    if (by < 0)
        return left ? seen : all_bits(x);
    if (left)
        return seen > (unsigned)by ? seen - (unsigned)by : 0;
    return seen ? fewer(seen + (unsigned)by, x->type.bits) : 0;
}

// What `x`, of which `seen` bits are looked at, looks at in source `i`.
static unsigned looks_at(const struct ir_instr *x, uint32_t i, unsigned seen)
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
        return seen;
    case IR_OP_select:
        return i ? seen : all_bits(x->src[0]);
    case IR_OP_and:
    case IR_OP_low_bits:
        return masked(x->src[1 - i], seen);
    case IR_OP_shl:
    case IR_OP_lshr:
    case IR_OP_ashr:
        return i ? all_bits(x->src[1]) : shifted(x, seen);
    case IR_OP_trunc:
    case IR_OP_zext:
    case IR_OP_sext:
        return fewer(seen, all_bits(x->src[0]));
    default:
        return all_bits(x->src[i]);
    }
}

static void look(struct cuts *c, struct ir_instr *x, unsigned bits)
{
    if (!x || !x->block || c->seen[x->id] >= bits)
        return;
    c->seen[x->id] = (uint8_t)bits;
    vec_push(c->scratch, &c->work, x);
}

static void look_at_condition(struct cuts *c, const struct ir_node *node)
{
    struct ir_instr *value = !node                    ? NULL
                             : node->kind == IR_IF    ? ((const struct ir_if *)node)->cond
                             : node->kind == IR_LOOP  ? ((const struct ir_loop *)node)->cond
                                                      : ((const struct ir_switch *)node)->value;
    if (value)
        look(c, value, all_bits(value));
}

static void look_at_all(struct cuts *c, struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (!ir_has_flag(x, IR_FLAG_P))
                look(c, x, all_bits(x));
        look_at_condition(c, b->node.next);
    }
    while (c->work.count) {
        struct ir_instr *x = c->work.items[--c->work.count];
        for (uint32_t i = 0; i < x->src_count; i++)
            look(c, x->src[i], looks_at(x, i, c->seen[x->id]));
    }
}

// ---- dropping cuts ------------------------------------------------------------------------------

// A value whose low bits are those of `x`, as far as they are looked at; NULL: x is no cut.
static struct ir_instr *uncut(const struct ir_instr *x, unsigned seen)
{
    bool mask = (x->op == IR_OP_and || x->op == IR_OP_low_bits) && ir_is_const(x->src[1]);
    for (unsigned i = 0; mask && i < x->type.lanes; i++)
        mask = (x->src[1]->lanes[i] & low_ones(seen)) == low_ones(seen);
    if (mask)
        return x->src[0];
    bool extends = (x->op == IR_OP_ashr || x->op == IR_OP_lshr) && x->src[0]->op == IR_OP_shl;
    int by = extends ? shift_amount(x) : -1;
    if (by < 0 || by != shift_amount(x->src[0]) || seen + (unsigned)by > x->type.bits)
        return NULL;
    return x->src[0]->src[0];
}

// Requires: ids are free. Keeps: every bit that is looked at.
bool opt_cuts(struct pass_context *context, struct ir_function *f)
{
    struct cuts c = {.scratch = context->scratch};
    ir_number(f);
    c.seen = ARENA_ARRAY(c.scratch, uint8_t, f->instr_count + 1);
    look_at_all(&c, f);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (x->type.base != IR_INT || c.seen[x->id] >= x->type.bits)
                continue;
            x->flags &= (uint8_t)~IR_NO_WRAP; // of the upper bits nothing is known any more
            struct ir_instr *with = uncut(x, c.seen[x->id]);
            if (with)
                ir_replace(x, with);
            c.changed |= with != NULL;
        }
    if (c.changed)
        ir_resolve(f);
    return c.changed;
}
