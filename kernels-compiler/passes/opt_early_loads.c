// SPDX-License-Identifier: Apache-2.0
// Hoists loads of read-only memory above the preceding barrier, and above stores whose values come from other loads.
//
//   store %local, %1 ; barrier ; %2 = load %a readonly     ->     %2 = load %a readonly ; store %local, %1 ; barrier
//
// The latencies of the barrier and of the loads then overlap; drivers do not move loads across a barrier themselves.
// Only within a block, so that no load is speculated, and only as much as fits in a few registers. Not on CPU
// devices, which spill to memory what lives across a barrier.
#include "passes/opt.h"
#include "util/stack.h"

enum { MAX_BYTES = 64, MAX_STEPS = 8 };

static bool is_store(const struct ir_instr *x) { return x->op == IR_OP_store || x->op == IR_OP_elem_store; }

static bool is_early(const struct ir_instr *x)
{
    return x->op == IR_OP_load && opt_is_pure_load(x) && (x->mem.space == IR_GLOBAL || x->mem.space == IR_CONSTANT);
}

// Whether x can be moved before `place`; instructions after it are marked.
static bool may_move(const struct ir_instr *x, unsigned steps)
{
    stack_check();
    if (!x->mark)
        return true;
    if (!steps || x->op == IR_OP_phi || (!ir_has_flag(x, IR_FLAG_P) && !is_early(x)))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!may_move(opt_resolved(x->src[i]), steps - 1))
            return false;
    return true;
}

static void move(struct ir_instr *place, struct ir_instr *x)
{
    stack_check();
    if (!x->mark)
        return;
    for (uint32_t i = 0; i < x->src_count; i++)
        move(place, opt_resolved(x->src[i]));
    struct ir_block *block = place->block;
    ir_remove(x);
    x->block = block;
    x->prev = place->prev;
    x->next = place;
    *(place->prev ? &place->prev->next : &block->first) = x;
    place->prev = x;
    x->mark = 0;
}

static bool visit(struct ir_block *block)
{
    struct ir_instr *place = block->first, *next;
    uint32_t bytes = 0;
    bool after_barrier = false, changed = false;
    while (place && place->op != IR_OP_barrier && !is_store(place))
        place = place->next;
    for (struct ir_instr *x = place; x; x = x->next)
        x->mark = 1;
    for (struct ir_instr *x = place; x; x = next) {
        next = x->next;
        after_barrier |= x->op == IR_OP_barrier;
        if (!after_barrier || !is_early(x) || bytes + ir_type_bytes(x->type) > MAX_BYTES || !may_move(x, MAX_STEPS))
            continue;
        bytes += ir_type_bytes(x->type);
        move(place, x);
        changed = true;
    }
    for (struct ir_instr *x = place; x; x = x->next)
        x->mark = 0;
    return changed;
}

// Requires: opt_readonly. Keeps: values, and which loads are executed. Removes: nothing.
bool opt_early_loads(struct pass_context *c, struct ir_function *f)
{
    bool changed = false;
    for (struct ir_block *b = ir_first_block(f); b && c->target && c->target->unroll_room; b = ir_next_block(b))
        changed |= visit(b);
    return changed;
}
