// SPDX-License-Identifier: Apache-2.0
// Enlarges private arrays that the driver would keep in registers although they are accessed by computed indices.
//
//   var $a private elem i32 count 64 ; %1 = elem_load %i of $a   ->   var $a private elem i32 count 65 ; ...
//
// RADV makes such an access a choice among all elements if the array has at most kc_target.selected_array bytes, and has
// larger ones in memory. An array of 64 words occupies half of the registers that 8 sub-groups of 64 have, or, if the same
// values are stored by all work-items, most scalar ones; and an access takes 63 instructions instead of one. If all indices
// become constants, the elements are registers whatever the array's size.
#include "passes/opt.h"

enum { FEW = 32 }; // words: choosing among these takes no longer than an access to memory

static void note_indexed(const struct ir_function *f)
{
    for (const struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            if (opt_is_elem(x) && x->var->space == IR_PRIVATE && !ir_is_const(x->src[0]))
                x->var->id = true;
}

static bool enlarge(struct ir_var *var, uint32_t limit)
{
    const uint32_t bytes = ir_type_bytes(var->elem);
    const uint64_t words = bytes < 4 ? var->count : var->count * bytes / 4;
    if (var->space != IR_PRIVATE || !var->id || words <= FEW || var->count * bytes > limit)
        return false;
    var->count = limit / bytes + 1;
    var->size = var->count * bytes;
    return true;
}

// Requires: lowered memory, and everything that depends on the sizes of arrays. Keeps: values. Removes: nothing.
bool opt_indexed_arrays(struct pass_context *c)
{
    const struct ir_module *m = c->module;
    VEC(struct ir_var *) vars = {0};
    if (!c->target->selected_array)
        return false;
    for (size_t i = 0; i < m->vars.count; i++)
        vec_push(c->scratch, &vars, m->vars.items[i]);
    for (size_t i = 0; i < m->functions.count; i++)
        for (size_t k = 0; k < m->functions.items[i]->vars.count; k++)
            vec_push(c->scratch, &vars, m->functions.items[i]->vars.items[k]);
    for (size_t i = 0; i < vars.count; i++)
        vars.items[i]->id = false;
    for (size_t i = 0; i < m->functions.count; i++)
        note_indexed(m->functions.items[i]);
    bool changed = false;
    for (size_t i = 0; i < vars.count; i++)
        changed |= enlarge(vars.items[i], c->target->selected_array);
    return changed;
}
