// SPDX-License-Identifier: Apache-2.0
// Marks functions that the driver must not inline.
//
// A driver that keeps calls (kc_target.keeps_calls) may still inline functions of any size, and its compile time grows faster
// than the size of a function: NVIDIA's 580.159 takes 18 s for a kernel that calls a function of 21,800 instructions in four
// places, and 2 s if that remains a function. A call costs some tens of instructions, so large functions with several
// calls remain.
#include "passes/call_order.h"

enum { LEAST_GAIN = 4096 }; // instructions that the copies would add

// Instructions with calls inlined, except those of marked functions.
static double inlined_size(const struct ir_function *f, const double *sizes)
{
    double size = 0;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            size += is_known_call(x) && !x->callee->stays ? sizes[x->callee->id] : 1;
    return size;
}

// Requires: all that changes functions. Keeps: everything. Removes: nothing.
bool limit_inlining(struct pass_context *c)
{
    if (!c->target->keeps_calls)
        return false;
    const struct call_order order = call_order_find(c);
    double *sizes = ARENA_ARRAY(c->scratch, double, c->module->functions.count);
    for (size_t i = order.functions.count; i--;) { // callees first
        struct ir_function *f = order.functions.items[i];
        sizes[f->id] = inlined_size(f, sizes);
        f->stays = !f->kernel && sizes[f->id] * (order.sites[f->id] - 1.0) >= LEAST_GAIN;
    }
    return false;
}
