// SPDX-License-Identifier: Apache-2.0
// Makes work-items wait at the kernel's end until all of their work-group are there, if others may be at a barrier.
//
//   if (id < n) { ... ; barrier ; ... }
//   ->  ended = 0 ; barrier ; if (id < n) { ... ; barrier ; ... } ; ended += 1 ; do barrier while (ended < work-items)
//
// OpenCL does not define barriers that only some work-items reach, but programs rely on what GPUs do: those that have
// ended are not waited for. Mesa's CPU driver (25) stops a whole work-group soon after its first sub-group has ended, so
// that the remaining work of the others is lost. At the kernel's end they all meet: a work-item that waits there takes
// part in every barrier of the others.
//
// Kernels whose barriers are reached by all work-items do not change: no condition around a barrier depends on the
// work-item. Values that all of them load from one address are assumed to be the same.
#include "passes/barriers.h"
#include "passes/opt.h"

struct flow {
    bool *differs; // by instruction: may differ between the work-items of a group
    bool *parts;   // by block: the work-items may take several ways through the node after it
    bool *inside;  // by block: is in such a node
    bool changed;
};

static void set(struct flow *w, bool *flag)
{
    w->changed |= !*flag;
    *flag = true;
}

static uint32_t index_before(const struct ir_node *node) { return ((struct ir_block *)node->prev)->index; }

static bool value_differs(const struct flow *w, const struct ir_instr *x) { return x && x->block && w->differs[x->id]; }

static bool begins_to_differ(const struct flow *w, const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_sys:
        return opt_is_of_item(x);
    case IR_OP_load:
        return x->mem.space == IR_PRIVATE || x->mem.space == IR_GENERIC;
    case IR_OP_atomic:
        return x->atomic_op != IR_ATOMIC_LOAD;
    case IR_OP_subgroup:
    case IR_OP_clock:
    case IR_OP_call:
        return true;
    case IR_OP_phi:
        return x->block->node.prev && w->parts[index_before(x->block->node.prev)];
    default:
        return false;
    }
}

static bool computes_differing(const struct flow *w, const struct ir_instr *x)
{
    bool differs = begins_to_differ(w, x);
    for (uint32_t i = 0; i < x->src_count && !differs; i++)
        differs = value_differs(w, x->src[i]);
    return differs;
}

static bool chooses_by_item(const struct flow *w, const struct ir_node *node)
{
    switch (node->kind) {
    case IR_IF:
        return value_differs(w, ((const struct ir_if *)node)->cond);
    case IR_LOOP:
        return value_differs(w, ((const struct ir_loop *)node)->cond);
    case IR_SWITCH:
        return value_differs(w, ((const struct ir_switch *)node)->value);
    default:
        return false;
    }
}

// A break or continue that only some of the work-items in a loop or switch reach.
static void follow_jump(struct flow *w, const struct ir_block *block)
{
    if (!block->last || (block->last->op != IR_OP_break && block->last->op != IR_OP_continue))
        return;
    const struct ir_node *target = ir_jump_target(block, block->last->op == IR_OP_continue);
    for (const struct ir_node *n = block->node.list->owner; n != target; n = n->list->owner)
        if (w->parts[index_before(n)])
            set(w, &w->parts[index_before(target)]);
}

static void follow(struct flow *w, const struct ir_block *block)
{
    const struct ir_node *owner = block->node.list->owner, *next = block->node.next;
    if (owner && (w->inside[index_before(owner)] || w->parts[index_before(owner)]))
        w->inside[block->index] = true;
    for (const struct ir_instr *x = block->first; x; x = x->next)
        if (w->inside[block->index] || computes_differing(w, x))
            set(w, &w->differs[x->id]);
    if (next && chooses_by_item(w, next))
        set(w, &w->parts[block->index]);
    follow_jump(w, block);
}

static struct flow flow_of(struct ir_function *f, struct arena *scratch)
{
    ir_number(f);
    struct flow w = {.differs = ARENA_ARRAY(scratch, bool, f->instr_count + 1),
                     .parts = ARENA_ARRAY(scratch, bool, f->block_count + 1),
                     .inside = ARENA_ARRAY(scratch, bool, f->block_count + 1)};
    do {
        w.changed = false;
        for (const struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
            follow(&w, block);
    } while (w.changed);
    return w;
}

static bool is_barrier(const struct ir_instr *x)
{
    return x->op == IR_OP_barrier && x->sync.execution == IR_SCOPE_WORK_GROUP;
}

static bool has_barrier(const struct ir_function *f)
{
    for (const struct ir_block *block = f->has_body ? ir_first_block(f) : NULL; block; block = ir_next_block(block))
        for (const struct ir_instr *x = block->first; x; x = x->next)
            if (is_barrier(x))
                return true;
    return false;
}

// Whether only some work-items of a group may reach a barrier of the kernel's own.
static bool may_miss_barrier(struct ir_function *kernel, struct arena *scratch)
{
    if (!has_barrier(kernel))
        return false;
    const struct flow w = flow_of(kernel, scratch);
    for (const struct ir_block *block = ir_first_block(kernel); block; block = ir_next_block(block))
        for (const struct ir_instr *x = w.inside[block->index] ? block->first : NULL; x; x = x->next)
            if (is_barrier(x))
                return true;
    return false;
}

static bool any_has_barrier(const struct ir_module *m, bool kernels_too)
{
    for (size_t i = 0; i < m->functions.count; i++)
        if ((kernels_too || !m->functions.items[i]->kernel) && has_barrier(m->functions.items[i]))
            return true;
    return false;
}

bool barriers_wait_at_end(const struct ir_module *m)
{
    return m->target->ended_stop_group && any_has_barrier(m, true);
}

// ---- waiting ------------------------------------------------------------------------------------

static const struct ir_mem counter = {.space = IR_LOCAL, .scope = IR_SCOPE_WORK_GROUP, .align = 4};

static void add_barrier(struct ir_builder *b)
{
    ir_barrier(b, (struct ir_sync){.execution = IR_SCOPE_WORK_GROUP,
                                   .scope = IR_SCOPE_WORK_GROUP,
                                   .order = IR_ORDER_ACQ_REL,
                                   .fences = IR_FENCE_LOCAL});
}

static void reset(struct ir_builder *b, struct ir_instr *ended, struct ir_instr *zero)
{
    struct ir_instr *is_first = ir_op2(b, IR_OP_ieq, ir_sys(b, IR_SYS_VK_LOCAL_INDEX, 0), zero);
    struct ir_if *first = ir_add_if(b, is_first);
    ir_place_end(b, &first->then_list);
    ir_store(b, ended, zero, counter);
    ir_place_after(b, &first->node);
    add_barrier(b);
}

static void wait_for_others(struct ir_builder *b, struct ir_instr *ended)
{
    const struct ir_type type = ir_int(32);
    struct ir_instr *items = ir_sys(b, IR_SYS_VK_LOCAL_SIZE, 0);
    for (unsigned dim = 1; dim < 3; dim++)
        items = ir_op2(b, IR_OP_imul, items, ir_sys(b, IR_SYS_VK_LOCAL_SIZE, dim));
    ir_atomic(b, IR_ATOMIC_ADD, type, ended, ir_const_int(b->module, type, 1), NULL, counter);
    struct ir_loop *loop = ir_add_loop(b);
    ir_place_end(b, &loop->body);
    add_barrier(b);
    struct ir_instr *count = ir_atomic(b, IR_ATOMIC_LOAD, type, ended, NULL, NULL, counter);
    loop->cond = ir_op2(b, IR_OP_ult, count, items);
}

static bool has_room(const struct ir_module *m)
{
    uint64_t bytes = 2 * sizeof(uint32_t); // with padding
    for (size_t i = 0; i < m->vars.count; i++)
        bytes += m->vars.items[i]->space == IR_LOCAL ? m->vars.items[i]->size : 0;
    return bytes <= m->target->max_local_memory;
}

static bool change(struct ir_module *m, struct ir_function *kernel)
{
    struct ir_instr *end = ir_list_last(&kernel->body)->last;
    if (!end || end->op != IR_OP_return || !has_room(m))
        return false;
    struct ir_instr *ended = ir_addr(m, ir_var_add(m, NULL, "ended", IR_LOCAL, sizeof(uint32_t), sizeof(uint32_t)));
    struct ir_builder b = ir_before(kernel, end);
    wait_for_others(&b, ended);
    ir_place_after_phis(&b, ir_first_block(kernel));
    reset(&b, ended, ir_const_int(m, ir_int(32), 0));
    kernel->converged = false;
    return true;
}

// Requires: calls inlined, returns and system values lowered; variables in SSA form. Keeps: values. Removes: ends of
// work-items that others still wait for, if the device stops then (kc_target.ended_stop_group).
bool lower_barriers(struct pass_context *c)
{
    struct ir_module *m = c->module;
    bool changed = false;
    if (!barriers_wait_at_end(m))
        return false;
    const bool in_calls = any_has_barrier(m, false);
    for (size_t i = 0; i < m->functions.count; i++) {
        struct ir_function *f = m->functions.items[i];
        if (f->kernel && f->has_body && (in_calls || may_miss_barrier(f, c->scratch)))
            changed |= change(m, f);
    }
    return changed;
}
