// SPDX-License-Identifier: Apache-2.0
// Hides from a driver's compiler that a loop stores values in a private array that are the same for all work-items:
//
//   loop { elem_store 0, %1 of $a private ... }    ->    loop { %3 = or %1, %2 ; elem_store 0, %3 of $a private ... }
//
// where %2 is a zero that the compiler takes for a value that differs between work-items. Work-items leave loops in different
// iterations, and so with different values; a compiler that forgets this keeps the array in registers that a sub-group
// has once. Only for arrays of a few elements that are read by a variable index and written by constant ones: others are
// not in such registers.
#include "passes/arith.h"
#include "passes/opt.h"

enum { MAX_ELEMENTS = 64 };

enum { READ_BY_INDEX = 1, WRITTEN_BY_INDEX = 2 }; // bits of a variable's id

static bool is_small_array(const struct ir_var *var)
{
    return var->space == IR_PRIVATE && !var->in_module && var->count > 1 && var->count <= MAX_ELEMENTS;
}

static void note(const struct ir_instr *x)
{
    const bool access = x->op == IR_OP_elem_load || x->op == IR_OP_elem_store;
    if (access && is_small_array(x->var) && !ir_is_const(x->src[0]))
        x->var->id |= x->op == IR_OP_elem_load ? READ_BY_INDEX : WRITTEN_BY_INDEX;
}

static bool should_change(const struct ir_instr *x)
{
    return x->op == IR_OP_elem_store && is_small_array(x->var) && x->var->id == READ_BY_INDEX &&
           opt_iterating_loop(x->block) && !opt_differs(x->src[1]);
}

// At the start of the function.
static struct ir_instr *varying_zero(struct ir_module *module, struct ir_function *f)
{
    struct ir_block *first = ir_first_block(f);
    struct ir_builder b = {.module = module, .function = f, .block = first, .before = first->first};
    struct ir_instr *item = ir_sys(&b, IR_SYS_VK_LOCAL_INVOCATION, 0);
    for (unsigned dim = 1; dim < 3; dim++)
        item = ir_op2(&b, IR_OP_or, item, ir_sys(&b, IR_SYS_VK_LOCAL_INVOCATION, dim));
    return ir_op2(&b, IR_OP_and, item, opt_hidden_zero(&b));
}

static void change(struct pass_context *c, struct ir_function *f, struct ir_instr *store, struct ir_instr *zero)
{
    struct arith a = {.b = ir_before(f, store), .target = c->target};
    const struct ir_type type = store->src[1]->type;
    struct ir_instr *wide = type.bits == 32 ? zero : convert(&a, type.bits > 32 ? IR_OP_zext : IR_OP_trunc, ir_int(type.bits), zero);
    struct ir_instr *value = op2(&a, IR_OP_or, as_int(&a, store->src[1]), ir_splat(&a.b, wide, type.lanes));
    store->src[1] = convert(&a, IR_OP_bitcast, type, value);
}

// Requires: resolved values. Keeps: values. Removes: nothing.
bool lower_uniform_stores(struct pass_context *c, struct ir_function *f)
{
    struct ir_instr *zero = NULL;
    if (!c->target || !c->target->hides_uniform_stores)
        return false;
    for (size_t i = 0; i < f->vars.count; i++)
        f->vars.items[i]->id = 0;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            note(x);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (should_change(x)) {
                zero = zero ? zero : varying_zero(c->module, f);
                change(c, f, x, zero);
            }
    return zero != NULL;
}
