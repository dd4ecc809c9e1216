// SPDX-License-Identifier: Apache-2.0
// Makes addresses of conditional loads from global memory appear to the driver to differ between work-items.
//
//   if %c { %2 = load %1 }   ->   %3 = a zero of the work-item's own ; if %c { %2 = load (%1 + %3) }
//
// If Mesa's CPU driver (26) sees that all work-items load from one address, it loads once for all of them, even if no
// work-item is active: after a `break` that all have taken, the address may be invalid. With different addresses,
// only active work-items load.
#include "passes/opt.h"

static struct ir_instr *own_zero(struct ir_builder *b, struct ir_function *f, struct ir_type address)
{
    enum { TOP_BIT = 31 };
    ir_place_after_phis(b, ir_first_block(f));
    // Not the local id, which is known in groups of one work-item.
    struct ir_instr *item = ir_sys(b, IR_SYS_VK_SUBGROUP_INVOCATION, 0);
    item = ir_op2(b, IR_OP_lshr, item, ir_const_int(b->module, item->type, TOP_BIT));
    return address.lanes == 2 ? ir_splat(b, item, 2) : ir_convert(b, IR_OP_zext, address, item);
}

static bool can_offset_address(const struct ir_instr *x)
{
    return x->op == IR_OP_load && (x->mem.space == IR_GLOBAL || x->mem.space == IR_CONSTANT) &&
           (ir_type_eq(x->src[0]->type, ir_int(64)) || ir_type_eq(x->src[0]->type, ir_with_lanes(ir_int(32), 2)));
}

// Requires: addresses are 64-bit numbers, or all of them pairs of words. Keeps: values. Removes: loads from a common
// address in ifs, loops and switches, if the target wants that.
bool lower_loads(struct pass_context *c, struct ir_function *f)
{
    struct ir_builder b = {.module = c->module, .function = f};
    struct ir_instr *zero = NULL;
    if (!c->target->loads_by_items)
        return false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        if (block->node.list == &f->body)
            continue;
        for (struct ir_instr *x = block->first; x; x = x->next) {
            if (!can_offset_address(x))
                continue;
            if (!zero)
                zero = own_zero(&b, f, x->src[0]->type);
            ir_place_before(&b, x);
            x->src[0] = ir_op2(&b, IR_OP_iadd, x->src[0], zero);
        }
    }
    return zero != NULL;
}
