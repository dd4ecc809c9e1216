// SPDX-License-Identifier: Apache-2.0
// Inlining decisions.
#include "passes/inline.h"

// Whether a remaining call cannot pass the type: vectors above 4 lanes (2 of 64-bit integers if these are pairs of
// words), matrices.
static bool is_wide(const struct ir_function *f, struct ir_type type)
{
    bool pairs = type.base == IR_INT && type.bits == 64 && !f->module->target->int64;
    return type.lanes > (pairs ? 2 : 4) || ir_is_matrix(type);
}

bool inline_is_needed(const struct ir_function *f)
{
    uint64_t bytes = 0;
    if (f->kernel || f->handles || f->result.base == IR_PTR || is_wide(f, f->result))
        return true;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i]->type.base == IR_PTR || is_wide(f, f->params[i]->type))
            return true;
    for (size_t i = 0; i < f->vars.count; i++)
        bytes += f->vars.items[i]->size;
    if (bytes > f->module->target->max_function_array)
        return true;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                if (x->src[i]->type.base == IR_PTR &&
                    (x->src[i]->type.space == IR_LOCAL || x->src[i]->type.space == IR_GENERIC))
                    return true;
    return false;
}

bool inline_can_remain(const struct ir_function *f)
{
    bool can = !f->kernel && !f->handles && f->result.base != IR_PTR && !is_wide(f, f->result);
    for (uint32_t i = 0; i < f->param_count; i++)
        can &= !is_wide(f, f->params[i]->type);
    return can;
}

bool inline_is_wanted(struct ir_function *f)
{
    ir_number(f);
    if (f->no_inline && inline_can_remain(f))
        return false;
    if (f->always_inline || (!f->no_inline && f->instr_count <= INLINE_SIZE_CAP))
        return true;
    return inline_is_needed(f);
}
