// SPDX-License-Identifier: Apache-2.0
// Sinks computations to their first use within a block, to shorten live ranges.
//
//   %2 = iadd %1, 4 ; %4 = load %3 ; %5 = fmul %4, %4 ; store %2, %5
//   ->   %4 = load %3 ; %5 = fmul %4, %4 ; %2 = iadd %1, 4 ; store %2, %5
//
// GPU drivers largely keep the order that they are given, and an early computation occupies a register. In each
// block, instructions that read or write memory, and jumps, keep their place; pure ones move right before their first
// user in the block. If one user needs several, the one computed first is placed nearest to it. A block in which many
// bytes are live, and then more would be, keeps its order. Not on CPU devices, whose drivers schedule instructions
// themselves.
#include "passes/pressure.h"

enum { CROWDED = 192 }; // bytes that are live where registers may become scarce, which the largest groups have 256 of

struct order {
    struct ir_instr **old, **made; // the function before and after, by id; of a block, `made` is filled from its end
    uint32_t room;                 // entries before those that are filled
    uint32_t *users;               // by id: uses in the block by instructions that are not placed yet
    struct ir_instr **ready;       // a stack: movable (marked) instructions whose users have all been placed
    uint32_t ready_count;
};

static bool is_pure(const struct ir_instr *x) { return ir_has_flag(x, IR_FLAG_P) && x->op != IR_OP_phi; }

static void count_users(struct order *o, const struct ir_block *block)
{
    for (struct ir_instr *x = block->first; x; x = x->next) {
        o->old[x->id] = x;
        for (uint32_t i = 0; i < x->src_count && x->op != IR_OP_phi; i++) {
            struct ir_instr *source = x->src[i];
            if (source->block != block)
                continue;
            o->users[source->id]++;
            source->mark = is_pure(source);
        }
    }
}

// Pushes the sources of a placed instruction that have become ready, the one computed first on top.
static void make_ready(struct order *o, const struct ir_instr *user)
{
    uint32_t bottom = o->ready_count;
    for (uint32_t i = 0; i < user->src_count && user->op != IR_OP_phi; i++) {
        struct ir_instr *x = user->src[i];
        if (x->block != user->block || --o->users[x->id] || !x->mark)
            continue;
        uint32_t at = o->ready_count++;
        for (; at > bottom && o->ready[at - 1]->id < x->id; at--)
            o->ready[at] = o->ready[at - 1];
        o->ready[at] = x;
    }
}

// Places x before everything already placed, and then what has become ready by it.
static void place(struct order *o, struct ir_instr *x)
{
    for (;; x = o->ready[--o->ready_count]) {
        o->made[--o->room] = x;
        make_ready(o, x);
        if (!o->ready_count)
            return;
    }
}

static void relink(struct ir_block *block, struct ir_instr **from, struct ir_instr **end)
{
    for (struct ir_instr **at = from; at < end; at++) {
        (*at)->mark = 0;
        (*at)->prev = at > from ? at[-1] : NULL;
        (*at)->next = at + 1 < end ? at[1] : NULL;
    }
    block->first = *from;
    block->last = end[-1];
}

static bool visit(struct order *o, struct ir_block *block)
{
    const uint32_t first = block->first->id, end = block->last->id + 1;
    bool changed = false;
    count_users(o, block);
    o->room = end;
    for (uint32_t i = end; i-- > first;)
        if (!o->old[i]->mark)
            place(o, o->old[i]);
    for (uint32_t i = first; i < end; i++)
        changed |= o->made[i] != o->old[i];
    relink(block, o->made + first, o->made + end);
    return changed;
}

// ---- crowded blocks ---------------------------------------------------------------------------------

static uint32_t peak(const struct pressure *p, const struct ir_block *block)
{
    uint32_t most = 0;
    for (uint32_t i = p->begin[block->index]; i <= p->begin[block->index + 1]; i++)
        most = p->live[i] > most ? p->live[i] : most;
    return most;
}

// Gives the blocks marked in `crowded`, by index, one of the two orders.
static void reorder(struct ir_function *f, const uint32_t *crowded, const struct pressure *p, struct ir_instr **order)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        if (crowded[b->index])
            relink(b, order + p->begin[b->index], order + p->begin[b->index + 1]);
}

// Crowded blocks in which fewer bytes were live before get their old order back.
static void keep_crowded(const struct order *o, struct ir_function *f, struct arena *scratch)
{
    if (pressure_at_most(f) <= CROWDED)
        return;
    const struct pressure after = pressure_of(f, scratch);
    uint32_t *crowded = ARENA_ARRAY(scratch, uint32_t, f->block_count), most = 0;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        const uint32_t bytes = b->first ? peak(&after, b) : 0;
        crowded[b->index] = bytes > CROWDED && o->old[after.begin[b->index]] ? bytes : 0;
        most = bytes > most ? bytes : most;
    }
    if (most <= CROWDED)
        return;
    reorder(f, crowded, &after, o->old);
    const struct pressure before = pressure_of(f, scratch);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        crowded[b->index] = crowded[b->index] && peak(&before, b) >= crowded[b->index];
    reorder(f, crowded, &before, o->made);
}

// An early exit in an if keeps its order: if it started like the code after the if, drivers would hoist the common
// loads above the test, which would then wait for them.
static bool is_early_exit(const struct ir_block *block)
{
    const struct ir_node *owner = block->node.list->owner;
    return owner && owner->kind == IR_IF && ir_ends_in_jump(block);
}

// Requires: nothing. Keeps: values. Removes: nothing.
bool opt_order(struct pass_context *c, struct ir_function *f)
{
    if (!c->target || !c->target->unroll_room)
        return false;
    ir_number(f);
    struct order o = {.users = ARENA_ARRAY(c->scratch, uint32_t, f->instr_count)};
    struct ir_instr ***arrays[] = {&o.old, &o.made, &o.ready};
    for (int i = 0; i < 3; i++)
        *arrays[i] = ARENA_ARRAY(c->scratch, struct ir_instr *, f->instr_count);
    bool changed = false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        changed |= b->first && !is_early_exit(b) && visit(&o, b);
    if (changed)
        keep_crowded(&o, f, c->scratch);
    return changed;
}
