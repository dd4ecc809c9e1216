// SPDX-License-Identifier: Apache-2.0
// Marks loops that the driver must not unroll.
//
// If its compiler unrolls more than it can compile (kc_target.keeps_loops), the driver may unroll small innermost computing loops: iterations with constants are faster. It must not duplicate
// barriers, at which its coroutines are split, calls, and accesses to local memory, each of which becomes many
// blocks; nor loops with inner loops, whose sizes multiply. A module has a budget for the code that unrolling adds.
//
// A loop that is still there although the source asks for unrolling was too large for opt_unroll.c, and a driver that
// unrolls loops (kc_target.unrolls_loops) unrolls it. Once it has, it must not unroll the loops around it, too: that saves
// hardly any tests, and values that iterations have in common stay in registers, of which there are not enough then.
#include "passes/opt.h"

enum {
    MAX_BODY = 64,    // instructions
    MAX_ROUNDS = 32,  // iterations that the driver unrolls,
    MAX_RESULT = 832, // if the result has at most this many instructions
    BUDGET = 8192,    // of instructions added in the module
};

static bool costs_blocks(const struct ir_instr *x)
{
    bool in_array = x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic;
    return x->op == IR_OP_barrier || x->op == IR_OP_call || x->op == IR_OP_subgroup ||
           (in_array && x->var->space == IR_LOCAL);
}

static bool is_simple(const struct ir_loop *loop)
{
    const struct ir_block *end = (const struct ir_block *)loop->node.next;
    for (struct ir_block *b = ir_list_first(&loop->body); b && b != end; b = ir_next_block(b)) {
        const struct ir_node *after = b->node.next;
        if (after && after->kind == IR_LOOP)
            return false;
        for (const struct ir_instr *x = b->first; x; x = x->next)
            if (costs_blocks(x))
                return false;
    }
    return true;
}

static bool is_left_to_driver(const struct ir_loop *loop, uint32_t *budget)
{
    uint32_t size = opt_list_size(&loop->body) + opt_list_size(&loop->cont);
    uint32_t result = size * MAX_ROUNDS < MAX_RESULT ? size * MAX_ROUNDS : MAX_RESULT;
    if (loop->unroll == IR_UNROLL_NEVER || size > MAX_BODY || result > *budget || !is_simple(loop))
        return false;
    *budget -= result;
    return true;
}

static void limit_driver(struct ir_loop *loop, uint32_t *budget)
{
    loop->unroll = is_left_to_driver(loop, budget) ? IR_UNROLL_DEFAULT : IR_UNROLL_NEVER;
}

static void keep_loops_around(const struct ir_loop *loop)
{
    const bool asked = loop->unroll != IR_UNROLL_DEFAULT && loop->unroll != IR_UNROLL_NEVER;
    for (struct ir_node *node = loop->node.list->owner; node && asked; node = node->list->owner)
        if (node->kind == IR_LOOP && ((struct ir_loop *)node)->unroll == IR_UNROLL_DEFAULT)
            ((struct ir_loop *)node)->unroll = IR_UNROLL_NEVER;
}

// Requires: all that changes loops. Keeps: everything. Removes: nothing; changes ir_loop.unroll.
bool limit_unrolling(struct pass_context *c)
{
    uint32_t budget = BUDGET;
    const bool keeps = c->target->keeps_loops, limits = keeps || c->target->unrolls_loops;
    for (size_t i = 0; limits && i < c->module->functions.count; i++) {
        const struct ir_function *f = c->module->functions.items[i];
        const struct opt_nodes nodes = f->has_body ? opt_nodes(f, c->scratch) : (struct opt_nodes){0};
        for (size_t k = 0; k < nodes.count; k++) {
            struct ir_loop *loop = (struct ir_loop *)nodes.items[k];
            if (loop->node.kind == IR_LOOP && keeps)
                limit_driver(loop, &budget);
            else if (loop->node.kind == IR_LOOP)
                keep_loops_around(loop);
        }
    }
    return false;
}
