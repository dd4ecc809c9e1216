// SPDX-License-Identifier: Apache-2.0
// Orders volatile accesses to shared memory with sub-group fences:
//
//   store volatile p, x; y = load volatile q   ->   fence; store ...; fence; y = load ...
//
// Programs that rely on lockstep execution of a sub-group (warp-synchronous reductions) exchange values through
// volatile pointers without barriers. SPIR-V's Volatile only prevents the removal of an access, not reordering with
// accesses to other addresses, and NVIDIA's driver reorders them. A load after a load needs no fence, unless its
// value determines a branch: that is how a program waits for a flag. Atomic operations are ordered with volatile
// accesses (locks, counters), but not with each other.
//
// Guarantee: other work-items of the sub-group see a work-item's volatile accesses in program order. Work-items of
// other sub-groups see that order only if the program has a fence or barrier.
#include "passes/opt.h"

struct order {
    struct ir_builder b;
    uint8_t polled;  // IR_FENCE_* of the function's volatile loads and atomic operations
    uint8_t ordered; // IR_FENCE_* of this block's last fence if no access has followed it
    uint8_t since;   // IR_FENCE_* of accesses since this block's last fence; among them:
    bool accessed, stored, counted; // volatile accesses, volatile stores, atomic operations
};

static bool is_store(const struct ir_instr *x)
{
    return x->op == IR_OP_store || x->op == IR_OP_mat_store;
}

static bool is_load(const struct ir_instr *x)
{
    return x->op == IR_OP_load || x->op == IR_OP_mat_load;
}

static bool is_volatile(const struct ir_instr *x)
{
    return (is_load(x) || is_store(x)) && x->mem.is_volatile;
}

// IR_FENCE_* of the memory of a volatile access or atomic operation; 0 for other instructions.
static uint8_t reached(const struct ir_instr *x)
{
    if (!is_volatile(x) && x->op != IR_OP_atomic)
        return 0;
    switch (x->mem.space) {
    case IR_LOCAL:
        return IR_FENCE_LOCAL;
    case IR_GLOBAL:
        return IR_FENCE_GLOBAL;
    case IR_GENERIC:
        return IR_FENCE_LOCAL | IR_FENCE_GLOBAL;
    default:
        return 0;
    }
}

// Marks values that depend on volatile loads and atomic operations; returns the address spaces of these.
static uint8_t mark_loaded(struct ir_function *f)
{
    uint8_t spaces = 0;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first; x; x = x->next) {
            uint8_t space = is_store(x) ? 0 : reached(x);
            spaces |= space;
            x->mark = space != 0;
            for (uint32_t i = 0; i < x->src_count && !x->mark; i++)
                x->mark = x->src[i]->block && x->src[i]->mark;
        }
    return spaces;
}

static void clear_marks(struct ir_function *f)
{
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first; x; x = x->next)
            x->mark = 0;
}

// The value that determines the successor of `block`; NULL if there is none.
static const struct ir_instr *decider(const struct ir_block *block)
{
    const struct ir_node *next = block->node.next, *owner = block->node.list->owner;
    if (next && next->kind == IR_IF)
        return ((const struct ir_if *)next)->cond;
    if (next && next->kind == IR_SWITCH)
        return ((const struct ir_switch *)next)->value;
    if (!next && owner && owner->kind == IR_LOOP && block->node.list == &((const struct ir_loop *)owner)->cont)
        return ((const struct ir_loop *)owner)->cond;
    return NULL;
}

static void begin(struct order *o, uint8_t ordered)
{
    o->ordered = ordered;
    o->since = 0;
    o->accessed = o->stored = o->counted = false;
}

static void fence(struct order *o, uint8_t spaces)
{
    ir_barrier(&o->b, (struct ir_sync){.execution = IR_SCOPE_WORK_ITEM,
                                       .scope = IR_SCOPE_SUB_GROUP,
                                       .order = IR_ORDER_ACQ_REL,
                                       .fences = spaces});
    begin(o, spaces);
}

static bool needs_fence(const struct order *o, const struct ir_instr *x, uint8_t spaces)
{
    if (x->op == IR_OP_atomic)
        return o->accessed;
    return o->stored || o->counted || (is_store(x) && spaces & ~o->ordered);
}

static void note_access(struct order *o, struct ir_instr *x, uint8_t spaces)
{
    ir_place_before(&o->b, x);
    if (needs_fence(o, x, spaces))
        fence(o, o->since | spaces);
    o->since |= spaces;
    o->ordered = 0;
    o->accessed |= is_volatile(x);
    o->stored |= is_store(x);
    o->counted |= x->op == IR_OP_atomic;
}

// A fence of the program has the same effect.
static void note_fence(struct order *o, const struct ir_instr *x)
{
    if (!(o->since & ~x->sync.fences))
        begin(o, x->sync.fences);
}

static void place_at_end(struct ir_builder *b, struct ir_block *block)
{
    b->block = block;
    b->before = ir_ends_in_jump(block) ? block->last : NULL;
    b->dead = false;
}

static void order_block(struct order *o, struct ir_block *block)
{
    begin(o, 0);
    for (struct ir_instr *x = block->first; x; x = x->next) {
        uint8_t spaces = reached(x);
        if (spaces)
            note_access(o, x, spaces);
        else if (x->op == IR_OP_barrier || x->op == IR_OP_fence)
            note_fence(o, x);
    }
    const struct ir_instr *value = decider(block);
    bool polls = value && value->block && value->mark;
    place_at_end(&o->b, block);
    if (o->stored || polls)
        fence(o, (uint8_t)(o->since | (polls ? o->polled : 0)));
}

static bool has_volatile(const struct ir_function *f)
{
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (const struct ir_instr *x = block->first; x; x = x->next)
            if (is_volatile(x) && reached(x))
                return true;
    return false;
}

// Requires: no copy, no zero. Keeps: values. Adds: fences around volatile accesses of local and global memory.
bool lower_volatile(struct pass_context *c, struct ir_function *f)
{
    if (!has_volatile(f))
        return false;
    struct order o = {.b = {.module = c->module, .function = f}, .polled = mark_loaded(f)};
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        order_block(&o, block);
    clear_marks(f);
    return true;
}
