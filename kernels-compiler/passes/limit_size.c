// SPDX-License-Identifier: Apache-2.0
// A kernel that a driver's compiler cannot bear is refused, before it takes the machine's memory.
//
// Drivers inline every call: what counts is the sum of the functions' instructions, each as often
// as there are ways to it. Callers are looked at before what they call, by a list: paths are up to
// the source.
#include "passes/passes.h"

struct size {
    uint32_t instructions, callers; // calls of it that have not been looked at
    uint64_t times;
};

static void count(const struct ir_function *f, struct size *sizes)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            sizes[f->id].instructions++;
            if (x->op == IR_OP_call && x->callee->has_body)
                sizes[x->callee->id].callers++;
        }
}

static uint64_t inlined_size(struct pass_context *c)
{
    const struct ir_module *m = c->module;
    struct size *sizes = ARENA_ARRAY(c->scratch, struct size, m->functions.count);
    VEC(const struct ir_function *) ready = {0};
    uint64_t sum = 0;
    for (size_t i = 0; i < m->functions.count; i++)
        m->functions.items[i]->id = (uint32_t)i;
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->has_body)
            count(m->functions.items[i], sizes);
    for (size_t i = 0; i < m->functions.count; i++) {
        const struct ir_function *f = m->functions.items[i];
        sizes[i].times = f->kernel != NULL;
        if (f->has_body && !sizes[i].callers)
            vec_push(c->scratch, &ready, f);
    }
    while (ready.count && sum <= c->target->max_instructions) {
        const struct ir_function *f = ready.items[--ready.count];
        const uint64_t times = sizes[f->id].times;
        sum += times * sizes[f->id].instructions;
        for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next) {
                if (x->op != IR_OP_call || !x->callee->has_body)
                    continue;
                struct size *callee = &sizes[x->callee->id];
                callee->times += times;
                if (!--callee->callers)
                    vec_push(c->scratch, &ready, x->callee);
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
