// SPDX-License-Identifier: Apache-2.0
// Indices into buffers that are elements of private arrays become results of an operation.
//
//   %1 = elem_load 3 of @private ; %2 = elem_load %1 of @buffer
//   ->   %1 = elem_load 3 of @private ; %3 = umin %1, 2^31 - 1 ; %2 = elem_load %3 of @buffer
//
// On Adreno 7xx, Mesa's driver (25 and 26) loads from read-only buffers through texture units, and its compiler crashes if such an
// instruction reads an element of an array in registers directly.
#include "passes/opt.h"

// Whether the value is an element of a private array for the driver, too, for which bitcasts and lanes are not operations.
static bool is_private_element(const struct ir_instr *x)
{
    while (x->op == IR_OP_bitcast || x->op == IR_OP_extract)
        x = x->src[0];
    return x->op == IR_OP_elem_load && x->var->space == IR_PRIVATE;
}

// Requires: all that makes private arrays, bindings. Keeps: values. Removes: such indices, if the target wants that.
bool lower_indices(struct pass_context *c, struct ir_function *f)
{
    struct ir_builder b = {.module = c->module, .function = f};
    bool changed = false;
    if (!c->target->computed_indices)
        return false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first; x; x = x->next) {
            if (x->op != IR_OP_elem_load || x->var->space != IR_BUFFER || !is_private_element(x->src[0]))
                continue;
            ir_place_before(&b, x);
            x->src[0] = ir_op2(&b, IR_OP_umin, x->src[0], ir_const_int(c->module, x->src[0]->type, INT32_MAX));
            changed = true;
        }
    return changed;
}
