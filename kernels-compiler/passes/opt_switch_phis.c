// SPDX-License-Identifier: Apache-2.0
// Makes variables of the phis after a switch in a loop.
//
//   loop { switch x { case 0: {} ; default: {} }       ->   loop { store @v, 0 ; switch x { case 0: store @v, %1
//          %2 = phi case 0: %1, default: 0 }                        ; default: {} } ; %2 = load @v }
//
// Mesa makes such a phi a variable, and a switch one if after the other. It does not see that one of these is always
// executed: the variable's value of the last iteration would be live in the whole loop.
#include "ir/internal.h"
#include "passes/demote.h"
#include "passes/passes.h"

// Functions may be called in loops.
static bool is_in_loop(const struct ir_function *f, const struct ir_node *node)
{
    while (node && node->kind != IR_LOOP)
        node = node->list->owner;
    return node || !f->kernel;
}

// The value before the switch: a constant that paths have, which need no stores then.
static struct ir_instr *first_value(struct ir_module *m, const struct ir_instr *phi, const struct ir_var *var)
{
    for (uint32_t i = phi->src_count; i--;)
        if (ir_is_const(phi->src[i]))
            return phi->src[i];
    return var->elem.base == IR_FLOAT ? ir_const_float(m, var->elem, 0) : ir_const_int(m, var->elem, 0);
}

static void move_phi(struct ir_function *f, struct ir_node *before, struct ir_instr *phi, struct ir_builder *after)
{
    struct ir_var *var = demote_var(f, "choice", phi->type);
    struct ir_instr *first = first_value(f->module, phi, var);
    struct ir_builder b = {.module = f->module, .function = f, .block = ir_as_block(before)};
    demote_store(&b, var, first);
    for (uint32_t i = 0; i < phi->src_count; i++) {
        b.block = phi->preds[i];
        b.before = ir_ends_in_jump(b.block) ? b.block->last : NULL;
        if (phi->src[i] != first && phi->src[i]->op != IR_OP_undef)
            demote_store(&b, var, phi->src[i]);
    }
    ir_replace(phi, demote_load(after, var, phi->type));
}

static bool move_phis(struct ir_function *f, struct ir_block *block)
{
    struct ir_builder after = {.module = f->module, .function = f, .block = block, .before = block->first};
    bool changed = false;
    while (after.before && after.before->op == IR_OP_phi)
        after.before = after.before->next;
    for (struct ir_instr *x = block->first, *next; x && x->op == IR_OP_phi; x = next) {
        next = x->next;
        if (!demote_can_store(x->type))
            continue;
        move_phi(f, block->node.prev->prev, x, &after);
        changed = true;
    }
    return changed;
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
            changed |= move_phis(f, b);
    if (changed)
        ir_resolve(f);
    return changed;
}
