// SPDX-License-Identifier: Apache-2.0
// Gives a large kernel without barriers a barrier at its end, and a store after it that never happens.
//
//   return   ->   barrier ; loop { if %always { break } ; store } ; return
//
// Mesa's CPU driver makes a kernel a coroutine, so that work-items can wait for each other. It keeps the mask of active
// work-items in a variable, which every access to memory loads. LLVM (before 22) compares all pairs of these loads
// until it finds two with a barrier between them. Without one, this takes most of a large kernel's compile time. With
// one at the end, nearly every load has the barrier between itself and the last one. The same applies to accesses to
// private arrays.
#include "passes/amount.h"
#include "passes/demote.h"
#include "passes/opt.h"

// Stores an element of each array among the variables.
static void store_elements(struct ir_builder *b, struct ir_instr *address, struct ir_var *const *vars, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t bytes = ir_elem_bytes(vars[i]->elem);
        if (vars[i]->space != IR_PRIVATE || vars[i]->count < 2 || ir_is_matrix(vars[i]->elem))
            continue;
        struct ir_instr *value = ir_elem_load(b, vars[i], ir_const_int(b->module, ir_int(32), 0));
        ir_store(b, address, value, (struct ir_mem){.space = IR_GLOBAL, .align = bytes & -bytes});
    }
}

// Adds a barrier to the end of a kernel, and a loop after it that would store `var` until it has the value 0. All
// work-items arrive there with this value, which the driver does not know.
static void add_barrier(struct ir_builder *b, struct ir_var *var)
{
    enum { SOMEWHERE = 4096 };
    const struct ir_type type = ir_int(32);
    ir_barrier(b, (struct ir_sync){.execution = IR_SCOPE_WORK_GROUP, .scope = IR_SCOPE_WORK_GROUP});
    struct ir_loop *loop = ir_add_loop(b);
    ir_place_end(b, &loop->body);
    struct ir_instr *value = demote_load(b, var, type);
    struct ir_if *leave = ir_add_if(b, ir_op2(b, IR_OP_ieq, value, ir_const_int(b->module, type, 0)));
    ir_place_end(b, &leave->then_list);
    ir_jump(b, IR_OP_break, NULL);
    ir_place_after(b, &leave->node);
    struct ir_instr *address = ir_const_int(b->module, ir_int(64), SOMEWHERE);
    ir_store(b, address, value, (struct ir_mem){.space = IR_GLOBAL, .align = 4});
    store_elements(b, address, b->module->vars.items, b->module->vars.count);
    store_elements(b, address, b->function->vars.items, b->function->vars.count);
    demote_store(b, var, ir_op2(b, IR_OP_iadd, value, ir_const_int(b->module, type, 1)));
    ir_place_after(b, &loop->node);
}

static void add_to(struct ir_function *kernel)
{
    struct ir_builder b = ir_before(kernel, ir_list_last(&kernel->body)->last);
    struct ir_var *var = demote_var(kernel, "zero", ir_int(32));
    demote_store(&b, var, opt_hidden_zero(&b));
    add_barrier(&b, var);
}

// Whether the end of the kernel's body is its only return.
static bool ends_once(const struct ir_function *kernel)
{
    uint32_t returns = 0;
    for (struct ir_block *b = ir_first_block(kernel); b; b = ir_next_block(b))
        returns += b->last && b->last->op == IR_OP_return;
    const struct ir_instr *end = ir_list_last(&kernel->body)->last;
    return returns == 1 && end && end->op == IR_OP_return;
}

// Whether it shortens the driver's compilation, and the device can do it: the store has an address.
static bool helps(const struct kc_target *target)
{
    return target->cost.pair_ns && target->physical_addressing && target->int64;
}

// Requires: lowered memory, calls. Keeps: values. Removes: nothing.
bool opt_late_barrier(struct pass_context *c)
{
    enum { LEAST_NS = 1000000000 };
    const struct ir_function *most = NULL;
    if (c->module->error || !helps(c->target))
        return false;
    const struct amount bound = amount_at_most(c);
    if (amount_pairs_ns(c, &bound) < LEAST_NS)
        return false;
    const struct amount amount = amount_inlined(c, &most);
    if (amount.barriers > 0 || amount_pairs_ns(c, &amount) < LEAST_NS)
        return false;
    bool changed = false;
    for (size_t i = 0; i < c->module->functions.count; i++) {
        struct ir_function *f = c->module->functions.items[i];
        if (!f->kernel || !f->has_body || !ends_once(f))
            continue;
        add_to(f);
        changed = true;
    }
    return changed;
}
