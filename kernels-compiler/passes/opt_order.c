// SPDX-License-Identifier: Apache-2.0
// Sinks computations to their first use within a block, to shorten live ranges.
//
//   %2 = iadd %1, 4 ; %4 = load %3 ; %5 = fmul %4, %4 ; store %2, %5
//   ->   %4 = load %3 ; %5 = fmul %4, %4 ; %2 = iadd %1, 4 ; store %2, %5
//
// GPU drivers largely keep the order that they are given, and an early computation occupies a register. In each
// block, instructions that read or write memory, and jumps, keep their place; pure ones move right before their first
// user in the block. If one user needs several, the one computed first is placed nearest to it. Not on CPU devices,
// whose drivers schedule instructions themselves.
#include "passes/opt.h"

struct order {
    struct ir_instr **old, **made; // the block before and after; `made` is filled from the end
    uint32_t room;                 // free entries at its start
    uint32_t *users;               // by id: uses in the block by instructions that are not placed yet
    struct ir_instr **ready;       // a stack: movable (marked) instructions whose users have all been placed
    uint32_t ready_count;
};

static bool is_pure(const struct ir_instr *x) { return ir_has_flag(x, IR_FLAG_P) && x->op != IR_OP_phi; }

static uint32_t count_users(struct order *o, const struct ir_block *block)
{
    uint32_t count = 0;
    for (struct ir_instr *x = block->first; x; x = x->next) {
        o->old[count++] = x;
        for (uint32_t i = 0; i < x->src_count && x->op != IR_OP_phi; i++) {
            struct ir_instr *source = x->src[i];
            if (source->block != block)
                continue;
            o->users[source->id]++;
            source->mark = is_pure(source);
        }
    }
    return count;
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

static bool visit(struct order *o, struct ir_block *block)
{
    uint32_t count = o->room = count_users(o, block);
    bool changed = false;
    for (uint32_t i = count; i--;)
        if (!o->old[i]->mark)
            place(o, o->old[i]);
    for (uint32_t i = 0; i < count; i++) {
        changed |= o->made[i] != o->old[i];
        o->made[i]->mark = 0;
        o->made[i]->prev = i ? o->made[i - 1] : NULL;
        o->made[i]->next = i + 1 < count ? o->made[i + 1] : NULL;
    }
    block->first = count ? o->made[0] : NULL;
    block->last = count ? o->made[count - 1] : NULL;
    return changed;
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
        *arrays[i] = arena_alloc(c->scratch, f->instr_count * sizeof(struct ir_instr *));
    bool changed = false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        changed |= !is_early_exit(b) && visit(&o, b);
    return changed;
}
