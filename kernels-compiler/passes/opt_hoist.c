// SPDX-License-Identifier: Apache-2.0
// Loop-invariant code motion: moves what is the same in every iteration of a loop before it.
//
//   loop { %3 = imul %a, %b ... }     ->     %3 = imul %a, %b ; loop { ... }
//
// Only pure values that every iteration computes: nothing is moved out of ifs. Loops that run once, which implement
// early returns (lower_returns), are skipped: code after a break in them may be rarely executed. Loads are moved only
// if they are executed whenever the loop is entered - they are in its first block, or in no if while no jump leaves
// iterations early - and if nothing in the loop writes to their kind of memory. Inner loops are processed first, so a
// value moves out of all loops in which it is invariant.
//
// A value that is moved occupies a register during the whole loop. If the device has a limit (kc_target), a loop that
// is estimated to need more registers keeps its values, except for those that are the same for all work-items.
#include "passes/pressure.h"

struct range { // blocks of a loop, by their index
    uint32_t first, last;
    const struct ir_block *header;
    unsigned written; // bits of the kinds of memory: see opt.h
    bool leaves_early; // a jump may end an iteration before its end
    const struct pressure *pressure; // NULL: not limited
    uint32_t room;                   // bytes of registers that moved values may occupy,
    uint32_t shared_room;            // ... and those that are the same for all work-items of a sub-group
};

static bool inside(const struct range *r, const struct ir_instr *x)
{
    return x->block && x->block->index >= r->first && x->block->index <= r->last;
}

static bool may_load(const struct range *r, const struct ir_instr *x)
{
    bool load = x->op == IR_OP_load || x->op == IR_OP_elem_load;
    bool always_executed = x->block == r->header || !r->leaves_early;
    if (!always_executed || (load && x->mem.is_volatile))
        return false;
    return (load || opt_is_image_read(x)) &&
           (opt_is_pure_load(x) || !(r->written >> opt_kind(x) & 1));
}

static bool may_move(const struct range *r, const struct ir_instr *x)
{
    bool push = x->op == IR_OP_elem_load && x->var->space == IR_PUSH;
    if ((!ir_has_flag(x, IR_FLAG_P) && !push && !may_load(r, x)) || x->op == IR_OP_phi)
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (inside(r, x->src[i]))
            return false;
    if (!r->pressure)
        return true;
    const uint32_t bytes = pressure_bytes(r->pressure, x);
    return bytes ? bytes <= r->room : ir_type_bytes(x->type) <= r->shared_room;
}

static void take_room(struct range *r, const struct ir_instr *x)
{
    const uint32_t bytes = pressure_bytes(r->pressure, x);
    r->room -= bytes;
    r->shared_room -= bytes || r->shared_room == UINT32_MAX ? 0 : ir_type_bytes(x->type);
}

static bool hoist_list(struct range *r, const struct ir_list *list, struct ir_block *before)
{
    bool changed = false;
    for (struct ir_node *node = list->first; node; node = node->next) {
        struct ir_block *b = (struct ir_block *)node;
        if (node->kind != IR_BLOCK)
            continue;
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (!may_move(r, x))
                continue;
            opt_move_to_end(before, x);
            if (r->pressure)
                take_room(r, x);
            changed = true;
        }
    }
    return changed;
}

static unsigned written_in(const struct ir_loop *loop)
{
    const struct ir_block *end = (const struct ir_block *)loop->node.next;
    unsigned kinds = 0;
    for (struct ir_block *b = ir_list_first(&loop->body); b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            kinds |= opt_written(x);
    return kinds;
}

// Whether a jump may end an iteration before its end.
static bool leaves_early(const struct ir_loop *loop)
{
    const struct ir_block *end = (const struct ir_block *)loop->node.next;
    for (struct ir_block *b = ir_list_first(&loop->body); b && b != end; b = ir_next_block(b))
        if (ir_ends_in_jump(b) &&
            (b->last->op == IR_OP_return || ir_jump_target(b, b->last->op == IR_OP_continue) == &loop->node))
            return true;
    return false;
}

static bool runs_once(const struct ir_loop *loop)
{
    return loop->cond && ir_is_const(loop->cond) && !loop->cond->lanes[0];
}

// Requires: resolved values. Keeps: values. Removes: nothing.
bool opt_hoist(struct pass_context *context, struct ir_function *f)
{
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    const uint32_t registers = context->target ? context->target->register_bytes : 0;
    // registers that are divided among lanes hold such values, too
    const bool shares = registers && registers < context->target->most_register_bytes;
    struct pressure pressure;
    bool changed = false;
    if (registers && nodes.count)
        pressure = pressure_of(f, context->scratch);
    else
        ir_number_blocks(f);
    for (size_t i = nodes.count; i-- > 0;) {
        struct ir_loop *loop = (struct ir_loop *)nodes.items[i];
        if (loop->node.kind != IR_LOOP || runs_once(loop))
            continue;
        struct ir_block *before = (struct ir_block *)loop->node.prev;
        struct range r = {before->index + 1, ir_list_last(&loop->cont)->index,
                          ir_list_first(&loop->body), written_in(loop), leaves_early(loop),
                          registers ? &pressure : NULL, registers ? pressure_room(&pressure, loop, registers) : 0,
                          shares ? pressure_shared_room(&pressure, loop, registers) : UINT32_MAX};
        changed |= hoist_list(&r, &loop->body, before);
        changed |= hoist_list(&r, &loop->cont, before);
    }
    return changed;
}
