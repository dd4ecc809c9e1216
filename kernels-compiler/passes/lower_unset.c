// SPDX-License-Identifier: Apache-2.0
// Initializes uninitialized private variables with zeros at the start of their function.
//
// Enabled by kc_target.zero_private. Variables of library functions are excluded, because those never read
// uninitialized variables. The device zeroes local memory (emit_memory.c).
#include "passes/passes.h"

static void zero_variables(struct ir_function *f)
{
    struct ir_block *head = ir_first_block(f);
    struct ir_builder b = {.module = f->module, .function = f, .block = head, .before = head->first};
    for (size_t i = 0; i < f->vars.count; i++) {
        struct ir_var *var = f->vars.items[i];
        if (var->size && !var->init)
            ir_zero(&b, ir_addr(f->module, var), var->size, (struct ir_mem){.space = IR_PRIVATE, .align = var->align});
    }
}

// Requires: functions as generated, before variables become values. Removes: uninitialized variables.
bool lower_unset(struct pass_context *context)
{
    struct ir_module *m = context->module;
    for (size_t i = 0; context->target->zero_private && i < m->functions.count; i++)
        if (m->functions.items[i]->has_body && !m->functions.items[i]->from_library)
            zero_variables(m->functions.items[i]);
    return context->target->zero_private;
}
