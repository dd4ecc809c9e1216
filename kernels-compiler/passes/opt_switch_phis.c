// SPDX-License-Identifier: Apache-2.0
// Makes variables of the phis after a switch in a loop.
//
//   loop { switch x { case 0: {} ; default: {} }       ->   loop { store @v, 0 ; switch x { case 0: store @v, %1
//          %2 = phi case 0: %1, default: 0 }                        ; default: {} } ; %2 = load @v }
//
// Mesa makes such a phi a variable, and a switch one if after the other. It does not see that one of these is always
// executed: the variable's value of the last iteration would be live in the whole loop.
#include "passes/demote.h"
#include "passes/passes.h"

// Functions may be called in loops.
static bool is_in_loop(const struct ir_function *f, const struct ir_node *node)
{
    while (node && node->kind != IR_LOOP)
        node = node->list->owner;
    return node || !f->kernel;
}

// Requires: lowered memory, calls, nesting. Keeps: values. Removes: phis after switches in loops, for drivers that inline
// all calls.
bool opt_switch_phis(struct pass_context *c, struct ir_function *f)
{
    bool changed = false;
    if (!c->target->max_inlined || c->target->keeps_calls)
        return false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        if (b->node.prev && b->node.prev->kind == IR_SWITCH && is_in_loop(f, b->node.prev))
            changed |= demote_phis(f, b);
    if (changed)
        ir_resolve(f);
    return changed;
}
