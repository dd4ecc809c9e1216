// SPDX-License-Identifier: Apache-2.0
// Storage buffers that nothing accesses any more are not bound: their accesses were found to do nothing.
#include "passes/passes.h"
#include "passes/push.h"

static void mark_used(const struct ir_module *m, bool *used, uint32_t count)
{
    for (size_t i = 0; i < m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(m->functions.items[i]); b; b = ir_next_block(b))
            for (const struct ir_instr *x = b->first; x; x = x->next)
                if (x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic && x->var->space == IR_BUFFER &&
                    x->var->binding < count)
                    used[x->var->binding] = true;
}

// The views of the others go with them.
static void renumber(struct ir_module *m, const bool *used, const uint32_t *numbers)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->vars.count; i++) {
        struct ir_var *var = m->vars.items[i];
        if (var->space == IR_BUFFER && !used[var->binding])
            continue;
        if (var->space == IR_BUFFER)
            var->binding = numbers[var->binding];
        m->vars.items[kept++] = var;
    }
    m->vars.count = kept;
}

// Requires: lower_push is done. Keeps: images' bindings, which come first. Removes: bindings of buffers that are not used.
bool lower_bindings(struct pass_context *c)
{
    struct ir_kernel *kernel = push_kernel(c->module);
    uint32_t count = kernel ? kernel->info.binding_count : 0, kept = 0;
    if (c->target->physical_addressing || !count)
        return false;
    bool *used = ARENA_ARRAY(c->scratch, bool, count);
    uint32_t *numbers = ARENA_ARRAY(c->scratch, uint32_t, count);
    struct kc_binding *bindings = ARENA_ARRAY(c->module->arena, struct kc_binding, count);
    mark_used(c->module, used, count);
    for (uint32_t i = 0; i < count; i++) {
        bindings[kept] = kernel->info.bindings[i];
        bindings[kept].binding = numbers[i] = kept;
        used[i] |= bindings[kept].kind < KC_BINDING_BUFFER;
        kept += used[i];
    }
    renumber(c->module, used, numbers);
    kernel->info.bindings = bindings;
    kernel->info.binding_count = kept;
    return kept < count;
}
