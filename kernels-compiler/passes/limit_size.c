// SPDX-License-Identifier: Apache-2.0
// A kernel that a driver's compiler cannot bear is refused, before it takes the machine's memory.
//
// Drivers inline every call: what counts is the sum of the functions' instructions, each as often as there are ways to it.
#include "passes/call_order.h"

static uint64_t inlined_size(struct pass_context *c)
{
    const struct call_order order = call_order_find(c);
    uint64_t *times = ARENA_ARRAY(c->scratch, uint64_t, c->module->functions.count), sum = 0;
    for (size_t i = 0; i < order.functions.count && sum <= c->target->max_instructions; i++) {
        const struct ir_function *f = order.functions.items[i];
        times[f->id] += f->kernel != NULL;
        for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next) {
                sum += times[f->id];
                if (is_known_call(x))
                    times[x->callee->id] += times[f->id];
            }
    }
    return sum;
}

// Requires: all that changes functions. Keeps: everything. Removes: nothing; fails where the
// target's limit is passed.
bool limit_size(struct pass_context *c)
{
    const uint32_t limit = c->target->max_instructions;
    if (limit && !c->module->error && inlined_size(c) > limit)
        c->module->error = arena_printf(c->module->arena,
                                        "the kernel has more than %u instructions once the "
                                        "device's driver has inlined its calls: too many "
                                        "for the driver's compiler",
                                        limit);
    return false;
}
