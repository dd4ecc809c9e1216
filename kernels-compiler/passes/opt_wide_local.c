// SPDX-License-Identifier: Apache-2.0
// Turns arrays of vectors in local memory into arrays of the widest integers, for drivers that access each component
// separately.
//
//   local @a <4 x f32> x 64 ; %1 = elem_load @a, %0   ->   local @a <2 x i64> x 64 ; %2 = elem_load @a, %0 ; %1 = bitcast %2
//
// Mesa's CPU driver creates blocks and a variable for each component of an access, for each work-item of a sub-group;
// its compile time grows with the product of both. With half as many components it takes less than half the time.
//
// Only arrays whose elements are always accessed as a whole.
#include "passes/opt.h"

static bool is_access(const struct ir_instr *x)
{
    return x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic && x->var->space == IR_LOCAL;
}

static bool is_whole(const struct ir_instr *x)
{
    return (x->op == IR_OP_elem_load || x->op == IR_OP_elem_store) && !x->mem.lane && !x->mem.is_volatile;
}

static struct ir_type widest(struct ir_type t)
{
    uint32_t bytes = ir_elem_bytes(t);
    uint32_t unit = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : t.bits / 8u;
    return t.lanes != 3 && t.bits / 8 < unit ? ir_with_lanes(ir_int(unit * 8), bytes / unit) : t;
}

static void widen(struct ir_function *f, struct ir_instr *x)
{
    struct ir_builder b = ir_before(f, x);
    struct ir_type wide = x->var->elem;
    ir_resolve_sources(x);
    if (x->op == IR_OP_elem_store) {
        x->src[1] = ir_convert(&b, IR_OP_bitcast, wide, x->src[1]);
        return;
    }
    struct ir_instr *load = ir_build_like(&b, IR_OP_elem_load, wide, x->src, x->src_count, x);
    ir_replace(x, ir_convert(&b, IR_OP_bitcast, x->type, load));
}

// Sets the id of arrays that have other accesses to 0.
static void exclude_partial(const struct ir_function *f)
{
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first; x; x = x->next)
            if (is_access(x) && !is_whole(x))
                x->var->id = 0;
}

static bool widen_all(struct ir_function *f)
{
    bool changed = false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (!is_access(x) || !x->var->id)
                continue;
            widen(f, x);
            changed = true;
        }
    if (changed)
        ir_resolve(f);
    return changed;
}

// Requires: lower_memory, lower_vectors. Keeps: everything. Removes: such arrays, if the target asks for it.
bool opt_wide_local(struct pass_context *c)
{
    const struct ir_module *m = c->module;
    bool changed = false;
    if (!c->target->local_by_items || !c->target->int64)
        return false;
    for (size_t i = 0; i < m->vars.count; i++) {
        const struct ir_type t = m->vars.items[i]->elem;
        m->vars.items[i]->id = m->vars.items[i]->space == IR_LOCAL && t.lanes > 1 && !ir_type_eq(t, widest(t));
    }
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->has_body)
            exclude_partial(m->functions.items[i]);
    for (size_t i = 0; i < m->vars.count; i++)
        if (m->vars.items[i]->id)
            m->vars.items[i]->elem = widest(m->vars.items[i]->elem);
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->has_body)
            changed |= widen_all(m->functions.items[i]);
    return changed;
}
