// SPDX-License-Identifier: Apache-2.0
// Kernels that others enqueue -> their numbers in kc_program.kernels.
#include "passes/passes.h"

static void number_kernels(struct ir_module *m)
{
    uint32_t number = 0;
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->kernel && m->functions.items[i]->has_body)
            m->functions.items[i]->id = number++;
}

static bool change_function(struct ir_module *m, struct ir_function *f)
{
    bool changed = false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (x->op != IR_OP_kernel_number)
                continue;
            ir_replace(x, ir_const_int(m, ir_int(32), x->callee->id));
            changed = true;
        }
    }
    if (changed)
        ir_resolve(f);
    return changed;
}

// Requires: the whole program. Keeps: everything. Removes: kernel_number.
bool lower_kernel_numbers(struct pass_context *c)
{
    bool changed = false;
    number_kernels(c->module);
    for (size_t i = 0; i < c->module->functions.count; i++)
        if (c->module->functions.items[i]->has_body)
            changed |= change_function(c->module, c->module->functions.items[i]);
    return changed;
}
