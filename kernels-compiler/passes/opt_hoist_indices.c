// SPDX-License-Identifier: Apache-2.0
// Moves integer computations that are the same in every iteration of a loop out of ifs in it, before the loop.
//
//   loop { if %c { %1 = imul %a, %b ; %2 = iadd %1, %i ... } }
//   ->   %1 = imul %a, %b ; loop { if %c { %2 = iadd %1, %i ... } }
//
// opt_hoist moves only what every iteration computes. Indices and addresses in the arms of ifs are cheap and, other than
// the accesses that use them, harmless; an unrolled loop would compute them again in each of its arms. Only for devices
// without a limit of registers in kc_target, and only a few, if not too many values are live.
#include "passes/pressure.h"

enum { MAX_BYTES = 64 }; // moved out of a loop that are used in it

static bool is_cheap(const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_iadd:
    case IR_OP_isub:
    case IR_OP_imul:
    case IR_OP_shl:
    case IR_OP_lshr:
    case IR_OP_ashr:
    case IR_OP_and:
    case IR_OP_or:
    case IR_OP_zext:
    case IR_OP_sext:
    case IR_OP_trunc:
        return x->type.base == IR_INT && x->type.lanes == 1;
    default:
        return false;
    }
}

// Whether the block is in ifs of the loop, but not in a loop inside.
static bool is_in_ifs(const struct ir_block *block, const struct ir_loop *loop)
{
    const struct ir_node *owner = block->node.list->owner;
    if (owner == &loop->node)
        return false;
    while (owner && owner->kind == IR_IF)
        owner = owner->list->owner;
    return owner == &loop->node;
}

static bool may_move(const struct ir_loop *loop, const struct ir_instr *x)
{
    if (!is_cheap(x))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (opt_is_inside(&loop->node, x->src[i]) && !x->src[i]->mark)
            return false;
    return true;
}

// Marks what may move. Returns the bytes of those that others in the loop use.
static uint32_t mark(const struct ir_loop *loop)
{
    const struct ir_block *end = (const struct ir_block *)loop->node.next;
    uint32_t bytes = 0;
    for (struct ir_block *b = ir_list_first(&loop->body); b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            x->mark = is_in_ifs(b, loop) && may_move(loop, x);
    for (struct ir_block *b = ir_list_first(&loop->body); b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count && !x->mark; i++)
                if (x->src[i]->mark == 1) {
                    bytes += ir_type_bytes(x->src[i]->type);
                    x->src[i]->mark = 2; // is counted
                }
    return bytes;
}

// In their order, so that sources come first.
static bool move_marked(const struct ir_loop *loop, bool moves)
{
    const struct ir_block *end = (const struct ir_block *)loop->node.next;
    struct ir_block *before = (struct ir_block *)loop->node.prev;
    bool changed = false;
    for (struct ir_block *b = ir_list_first(&loop->body); b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (x->mark && moves)
                opt_move_to_end(before, x);
            changed |= x->mark && moves;
            x->mark = 0;
        }
    return changed;
}

// Requires: resolved values, lower_memory. Keeps: values. Removes: nothing.
bool opt_hoist_indices(struct pass_context *context, struct ir_function *f)
{
    const struct kc_target *target = context->target;
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    bool changed = false;
    if (!target || !target->unroll_room || target->register_bytes || !nodes.count)
        return false;
    struct pressure pressure = {.live = NULL}; // found when it is first needed
    for (size_t i = nodes.count; i-- > 0;) {
        struct ir_loop *loop = (struct ir_loop *)nodes.items[i];
        if (loop->node.kind != IR_LOOP || opt_runs_once(loop))
            continue;
        const uint32_t bytes = mark(loop);
        if (!pressure.live && bytes && bytes <= MAX_BYTES)
            pressure = pressure_of(f, context->scratch);
        changed |= move_marked(loop, bytes && bytes <= MAX_BYTES && pressure_most(&pressure, loop) + bytes <= PRESSURE_CROWDED_BYTES);
    }
    return changed;
}
