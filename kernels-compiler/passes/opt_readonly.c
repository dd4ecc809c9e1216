// SPDX-License-Identifier: Apache-2.0
// Loads of what nobody writes are marked, so that they merge and move like pure values.
//
//   %2 = int_to_ptr(the push block's field of a `const restrict` argument)
//   %3 = ptr_index %2, %1 ; %4 = load %3     ->     %4 = load %3 readonly
//
// C says so: while a restrict pointer to const lives, what is read by it is not modified (C99
// 6.7.3.1). Only kernel arguments count; a pointer may be followed through index arithmetic and
// phis, and must come from such arguments on every way.
#include "passes/alias.h"

static bool is_readonly(const struct kc_arg *arg)
{
    const unsigned both = KC_TYPE_CONST | KC_TYPE_RESTRICT;
    return arg && arg->kind == KC_ARG_GLOBAL &&
           (arg->type_qualifiers & (both | KC_TYPE_VOLATILE)) == both;
}

static const struct ir_instr *root(const struct ir_instr *x)
{
    while (x->op == IR_OP_ptr_index || x->op == IR_OP_ptr_cast)
        x = x->src[0];
    return x;
}

// The next value of a pointer that a loop moves on is made from the phi itself.
static bool all_marked(const struct ir_instr *phi)
{
    for (uint32_t i = 0; i < phi->src_count; i++)
        if (root(phi->src[i]) != phi && !root(phi->src[i])->mark)
            return false;
    return true;
}

static void visit(const struct kc_kernel *info, struct ir_instr *x, bool *changed)
{
    if (x->op == IR_OP_int_to_ptr)
        x->mark = is_readonly(alias_argument(info, x->src[0]));
    else if (x->op == IR_OP_phi && x->type.base == IR_PTR)
        x->mark = all_marked(x);
    if (x->op != IR_OP_load || x->mem.is_volatile || x->mem.readonly || !root(x->src[0])->mark)
        return;
    x->mem.readonly = *changed = true;
}

// Requires: lower_args; finds more after opt_mem2reg. Keeps: everything. Removes: nothing.
bool opt_readonly(struct pass_context *context, struct ir_function *f)
{
    bool changed = false;
    if (!f->kernel)
        return false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            visit(&f->kernel->info, x, &changed);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            x->mark = 0;
    (void)context;
    return changed;
}
