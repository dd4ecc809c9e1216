// SPDX-License-Identifier: Apache-2.0
// Marks loops that the driver must not unroll, if its compiler unrolls more than it can compile
// (kc_target.keeps_loops).
//
// The driver may unroll small innermost computing loops: iterations with constants are faster. It must not duplicate
// barriers, at which its coroutines are split, calls, and accesses to local memory, each of which becomes many
// blocks; nor loops with inner loops, whose sizes multiply. A module has a budget for the code that unrolling adds.
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

// Requires: all that changes loops. Keeps: everything. Removes: nothing; changes ir_loop.unroll.
bool limit_unrolling(struct pass_context *c)
{
    uint32_t budget = BUDGET;
    for (size_t i = 0; c->target->keeps_loops && i < c->module->functions.count; i++) {
        const struct ir_function *f = c->module->functions.items[i];
        if (!f->has_body)
            continue;
        struct opt_nodes nodes = opt_nodes(f, c->scratch);
        for (size_t k = 0; k < nodes.count; k++)
            if (nodes.items[k]->kind == IR_LOOP) {
                struct ir_loop *loop = (struct ir_loop *)nodes.items[k];
                loop->unroll = is_left_to_driver(loop, &budget) ? IR_UNROLL_DEFAULT : IR_UNROLL_NEVER;
            }
    }
    return false;
}
