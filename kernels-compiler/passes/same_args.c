// SPDX-License-Identifier: Apache-2.0
// Removes arguments that are the same in every call of a function: the function computes the value itself.
//
//   f(%data, i32 3, %x)  f(%data, i32 3, %y)     ->     f(%x)  f(%y)       %data: of the kernel's arguments
//
// Large programs pass their buffers from function to function. Callers are processed before callees, so that what is
// known of a caller's parameters is known at its calls.
#include "passes/call_order.h"
#include "passes/demote.h"
#include "passes/opt.h"
#include "util/stack.h"

struct known { // about a function's parameters
    struct ir_instr **args; // the value that all calls seen so far have in common; NULL: none
    bool *seen;
};

static bool same_value(const struct ir_instr *x, const struct ir_instr *y)
{
    stack_check();
    if (x == y)
        return true;
    bool same = x->op == y->op && x->op != IR_OP_const && x->op != IR_OP_undef && ir_type_eq(x->type, y->type) &&
                x->src_count == y->src_count && opt_same_immediates(x, y);
    for (uint32_t i = 0; same && i < x->src_count; i++)
        same = same_value(x->src[i], y->src[i]);
    return same;
}

static void merge_args(const struct ir_instr *call, struct known *known)
{
    for (uint32_t i = 0; i < call->src_count; i++) {
        struct ir_instr *x = call->src[i];
        const bool first = !known->seen[i];
        known->seen[i] = true;
        if (first ? !demote_recomputes(x) : known->args[i] && !same_value(known->args[i], x))
            known->args[i] = NULL;
        else if (first)
            known->args[i] = x;
    }
}

static void merge_calls(const struct ir_function *f, struct known *all)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (is_known_call(x))
                merge_args(x, &all[x->callee->id]);
}

static struct ir_instr *compute(struct ir_builder *b, struct arena *scratch, struct map *made, struct ir_instr *x)
{
    stack_check();
    if (!x->block)
        return x;
    struct ir_instr *known = map_get(made, x);
    if (known)
        return known;
    struct ir_instr **src = ARENA_ARRAY(scratch, struct ir_instr *, x->src_count + 1);
    for (uint32_t i = 0; i < x->src_count; i++)
        src[i] = compute(b, scratch, made, x->src[i]);
    known = ir_build_like(b, (enum ir_op)x->op, x->type, src, x->src_count, x);
    map_set(scratch, made, x, known);
    return known;
}

// Removes the known parameters of the function. Returns whether there are any.
static bool remove_params(struct pass_context *c, struct ir_function *f, const struct known *known)
{
    struct map made = {0};
    struct ir_builder b = {.module = f->module, .function = f};
    uint32_t count = 0;
    ir_place_after_phis(&b, ir_first_block(f));
    b.dead = false;
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (known->args[i]) {
            f->params[i]->forward = compute(&b, c->scratch, &made, known->args[i]);
            continue;
        }
        f->params[i]->index = count;
        f->params[count++] = f->params[i];
    }
    const bool any = count < f->param_count;
    f->param_count = count;
    if (any)
        ir_resolve(f);
    return any;
}

static void remove_args(struct ir_function *f, const struct known *all)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            uint32_t count = 0;
            for (uint32_t i = 0; is_known_call(x) && i < x->src_count; i++)
                if (!all[x->callee->id].args[i])
                    x->src[count++] = x->src[i];
            x->src_count = is_known_call(x) ? count : x->src_count;
        }
}

bool same_args(struct pass_context *c, const struct call_order *order)
{
    const size_t count = c->module->functions.count;
    struct known *all = ARENA_ARRAY(c->scratch, struct known, count);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const uint32_t params = c->module->functions.items[i]->param_count + 1;
        all[i] = (struct known){ARENA_ARRAY(c->scratch, struct ir_instr *, params), ARENA_ARRAY(c->scratch, bool, params)};
    }
    for (size_t i = 0; i < order->functions.count; i++) {
        struct ir_function *f = order->functions.items[i];
        if (order->sites[f->id])
            any |= remove_params(c, f, &all[f->id]);
        merge_calls(f, all);
    }
    for (size_t i = 0; any && i < order->functions.count; i++)
        remove_args(order->functions.items[i], all);
    return any;
}
