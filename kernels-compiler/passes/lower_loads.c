// SPDX-License-Identifier: Apache-2.0
// Loads from global memory that some work-item may not reach get addresses which differ, as far as the
// driver knows, between work-items.
//
//   if %c { %2 = load %1 }   ->   %3 = a zero of the work-item's own ; if %c { %2 = load (%1 + %3) }
//
// Mesa's CPU driver (26) loads once for all work-items what it sees to be one address, and does so
// where no work-item is left as well: behind a `break` that all have taken the address may be anything.
// Where addresses differ each loads for itself, if it is there.
#include "passes/opt.h"

static struct ir_instr *own_zero(struct ir_builder *b, struct ir_function *f, struct ir_type address)
{
    enum { TOP_BIT = 31 };
    ir_place_after_phis(b, ir_first_block(f));
    // Not the place in the work-group, which is known where there is one work-item.
    struct ir_instr *item = ir_sys(b, IR_SYS_VK_SUBGROUP_INVOCATION, 0);
    item = ir_op2(b, IR_OP_lshr, item, ir_const_int(b->module, item->type, TOP_BIT));
    return address.lanes == 2 ? ir_splat(b, item, 2) : ir_convert(b, IR_OP_zext, address, item);
}

static bool is_meant(const struct ir_instr *x)
{
    return x->op == IR_OP_load && (x->mem.space == IR_GLOBAL || x->mem.space == IR_CONSTANT) &&
           (ir_type_eq(x->src[0]->type, ir_int(64)) || ir_type_eq(x->src[0]->type, ir_with_lanes(ir_int(32), 2)));
}

// Requires: addresses are numbers of 64 bits, or all of them pairs of words. Keeps: values. Removes: loads of one address for all
// within ifs, loops and switches, where the target wants that.
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
            if (!is_meant(x))
                continue;
            if (!zero)
                zero = own_zero(&b, f, x->src[0]->type);
            ir_place_before(&b, x);
            x->src[0] = ir_op2(&b, IR_OP_iadd, x->src[0], zero);
        }
    }
    return zero != NULL;
}
