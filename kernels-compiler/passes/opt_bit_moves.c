// SPDX-License-Identifier: Apache-2.0
// Shifts and masks that reverse the bits of a value, in whatever stages, become one operation. Those that reverse its
// bytes become what the driver recognizes, if it has an instruction for that (kc_target.rotations_by_words).
//
//   v = v >> 1 & 0x55555555 | (v & 0x55555555) << 1 ; ... ; v = v >> 16 | v << 16     ->     bitreverse v
//
// For each value that consists of shifts by constants, masks and disjoint sums, it is known from which bit of which
// value each of its bits comes.
#include "passes/opt.h"
#include "util/stack.h"

enum { MAX_BITS = 64, MAX_DEPTH = 64, NONE = -1 };

struct origin {
    struct ir_instr *of;
    int8_t from[MAX_BITS]; // the bit of `of`; NONE: always 0
};

struct moves {
    struct ir_builder b;
    struct arena *scratch;
    struct map known; // value -> origin
    bool bytes, changed; // bytes: reversals of bytes, too
};

static struct origin *origin_of(struct moves *m, struct ir_instr *x, unsigned depth);

static bool has_constant(const struct ir_instr *x) { return ir_is_const(x->src[1]); }

static void shift(struct origin *o, const struct origin *from, unsigned bits, unsigned by, bool up)
{
    memset(o->from, NONE, bits);
    memcpy(o->from + (up ? by : 0), from->from + (up ? 0 : by), bits - by);
}

// Whether the two come from one value and have no bit in common.
static bool join(struct origin *o, const struct origin *x, const struct origin *y, unsigned bits)
{
    bool disjoint = x->of == y->of;
    for (unsigned i = 0; i < bits && disjoint; i++) {
        disjoint = x->from[i] == NONE || y->from[i] == NONE;
        o->from[i] = x->from[i] == NONE ? y->from[i] : x->from[i];
    }
    return disjoint;
}

static bool joins_bits(const struct ir_instr *x) { return x->op == IR_OP_or || x->op == IR_OP_xor || x->op == IR_OP_iadd; }

// Whether some bits of the value may be moved, or 0: a sum with any other value is not disjoint.
static bool may_move(const struct ir_instr *x)
{
    const bool moves = (x->op == IR_OP_shl || x->op == IR_OP_lshr || x->op == IR_OP_and) && has_constant(x);
    return moves || joins_bits(x) || x->op == IR_OP_bitreverse;
}

static bool moves_bits(struct moves *m, struct ir_instr *x, struct origin *o, unsigned depth)
{
    const unsigned bits = x->type.bits;
    if (depth == MAX_DEPTH || opt_is_floating(x) || x->src_count != 2 || x->type.base != IR_INT || x->type.lanes != 1)
        return false;
    const bool joins = joins_bits(x);
    if (!may_move(x) || (joins && !(may_move(opt_resolved(x->src[0])) && may_move(opt_resolved(x->src[1])))))
        return false;
    const struct origin *left = origin_of(m, opt_resolved(x->src[0]), depth + 1);
    const uint64_t by = joins ? 0 : x->src[1]->lanes[0];
    o->of = left->of;
    if (joins)
        return join(o, left, origin_of(m, opt_resolved(x->src[1]), depth + 1), bits);
    if (x->op == IR_OP_and)
        for (unsigned i = 0; i < bits; i++)
            o->from[i] = by >> i & 1 ? left->from[i] : NONE;
    else
        shift(o, left, bits, by % bits, x->op == IR_OP_shl);
    return true;
}

static struct origin *origin_of(struct moves *m, struct ir_instr *x, unsigned depth)
{
    stack_check();
    struct origin *o = map_get(&m->known, x);
    if (o)
        return o;
    o = ARENA_NEW(m->scratch, struct origin);
    if (!moves_bits(m, x, o, depth)) {
        o->of = x;
        for (int i = 0; i < MAX_BITS; i++)
            o->from[i] = (int8_t)i;
    }
    map_set(m->scratch, &m->known, x, o);
    return o;
}

static bool reverses(const struct origin *o, unsigned bits, unsigned unit)
{
    for (unsigned i = 0; i < bits; i++)
        if (o->from[i] != (int)((bits / unit - 1 - i / unit) * unit + i % unit))
            return false;
    return true;
}

static struct ir_instr *with(struct moves *m, enum ir_op op, struct ir_instr *x, uint64_t k)
{
    return ir_op2(&m->b, op, x, ir_const_int(m->b.module, x->type, k));
}

static struct ir_instr *reverse_word(struct moves *m, struct ir_instr *x)
{
    struct ir_instr *low = ir_op2(&m->b, IR_OP_or, with(m, IR_OP_lshr, x, 24), with(m, IR_OP_and, with(m, IR_OP_lshr, x, 8), 0xff00));
    struct ir_instr *three = ir_op2(&m->b, IR_OP_or, low, with(m, IR_OP_and, with(m, IR_OP_shl, x, 8), 0xff0000));
    return ir_op2(&m->b, IR_OP_or, three, with(m, IR_OP_shl, x, 24));
}

static struct ir_instr *reverse_bytes(struct moves *m, struct ir_instr *x)
{
    const struct ir_type word = ir_int(32);
    if (x->type.bits == 32)
        return reverse_word(m, x);
    struct ir_instr *low = reverse_word(m, ir_convert(&m->b, IR_OP_trunc, word, x));
    struct ir_instr *high = reverse_word(m, ir_convert(&m->b, IR_OP_trunc, word, with(m, IR_OP_lshr, x, 32)));
    low = with(m, IR_OP_shl, ir_convert(&m->b, IR_OP_zext, x->type, low), 32);
    return ir_op2(&m->b, IR_OP_or, low, ir_convert(&m->b, IR_OP_zext, x->type, high));
}

static void visit(struct moves *m, struct ir_instr *x)
{
    const unsigned bits = x->type.bits;
    if (x->op != IR_OP_or || x->type.base != IR_INT || x->type.lanes != 1 || (bits != 32 && bits != 64))
        return;
    struct origin *o = origin_of(m, x, 0);
    const bool bytes = m->bytes && reverses(o, bits, 8);
    if (o->of == x || o->of->type.bits != bits || (!bytes && !reverses(o, bits, 1)))
        return;
    ir_place_before(&m->b, x);
    struct ir_instr *made = bytes ? reverse_bytes(m, o->of) : ir_op1(&m->b, IR_OP_bitreverse, o->of);
    map_set(m->scratch, &m->known, made, o); // for later stages
    ir_replace(x, made);
    m->changed = true;
}

// Requires: nothing. Keeps: values. Removes: nothing.
bool opt_bit_moves(struct pass_context *c, struct ir_function *f)
{
    struct moves m = {.b = {.module = c->module, .function = f}, .scratch = c->scratch, .bytes = c->target && c->target->rotations_by_words};
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            visit(&m, x);
        }
    if (m.changed)
        ir_resolve(f);
    return m.changed;
}
