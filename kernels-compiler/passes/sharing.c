// SPDX-License-Identifier: Apache-2.0
// Determines whether work-items read each other's stores to global memory:
//
//   a[i] = x; barrier(CLK_GLOBAL_MEM_FENCE); y = a[j];       yes
//   x = a[i]; barrier(CLK_GLOBAL_MEM_FENCE); b[i] = x;       no: no store before the barrier
//   b[i] = x; barrier(CLK_GLOBAL_MEM_FENCE);                 no: no access after it
//
// Programs often ask for the fence without need, and accesses to shared memory bypass a GPU's nearest caches. For a
// barrier in a loop, the loop's accesses are both before and after it. Fences and ordered atomics act between
// work-groups: with them, memory counts as shared.
#include "passes/memory.h"
#include "passes/opt.h"

struct touched {
    bool stores, accesses;
};

static bool loads_global(const struct ir_instr *x)
{
    if (x->op != IR_OP_load && x->op != IR_OP_elem_load && x->op != IR_OP_mat_load && x->op != IR_OP_mat_elem_load)
        return false;
    enum opt_kind kind = opt_kind(x);
    return (kind == OPT_DEVICE || kind == OPT_ANYWHERE) && !opt_is_pure_load(x);
}

static struct touched touched_by(const struct ir_instr *x)
{
    bool sync = x->op == IR_OP_barrier || x->op == IR_OP_fence;
    bool stores = !sync && opt_written(x) >> OPT_DEVICE & 1;
    return (struct touched){stores, stores || loads_global(x)};
}

static void add_touched(struct touched *all, const struct ir_instr *x)
{
    struct touched one = touched_by(x);
    all->stores |= one.stores;
    all->accesses |= one.accesses;
}

static struct ir_loop *outermost_loop(const struct ir_block *block)
{
    struct ir_node *loop = NULL;
    for (struct ir_node *node = block->node.list->owner; node; node = node->list->owner)
        loop = node->kind == IR_LOOP ? node : loop;
    return (struct ir_loop *)loop;
}

static struct touched touched_in(struct ir_loop *loop)
{
    struct touched all = {false, false};
    for (struct ir_block *b = ir_list_first(&loop->body); &b->node != loop->node.next; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            add_touched(&all, x);
    return all;
}

static const struct ir_instr *last_access(const struct ir_function *f)
{
    const struct ir_instr *last = NULL;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            last = touched_by(x).accesses ? x : last;
    return last;
}

// Fences of a sub-group accompany volatile accesses (lower_volatile.c), which are coherent themselves.
static bool fences_global(const struct ir_instr *x)
{
    bool fence = x->op == IR_OP_fence && x->sync.scope != IR_SCOPE_SUB_GROUP;
    return (x->op == IR_OP_barrier || fence) && x->sync.fences & IR_FENCE_GLOBAL;
}

// Whether it orders memory between work-groups.
static bool orders_work_groups(const struct ir_instr *x)
{
    if (x->op == IR_OP_atomic)
        return x->mem.order != IR_ORDER_RELAXED;
    return fences_global(x) && (x->op == IR_OP_fence || x->sync.scope > IR_SCOPE_WORK_GROUP);
}

// What the outermost loop around the block touches; `known` and its loop: the last result.
static struct touched touched_around(const struct ir_block *b, const struct ir_loop **of, struct touched *known)
{
    struct ir_loop *loop = outermost_loop(b);
    if (loop != *of)
        *known = loop ? touched_in(loop) : (struct touched){false, false};
    *of = loop;
    return *known;
}

// Whether the kernel's barriers make stores visible to loads; a call counts as a store.
static bool shares(const struct ir_function *f)
{
    const struct ir_instr *last = last_access(f);
    const struct ir_loop *loop = NULL;
    struct touched before = {false, false}, known = {false, false};
    bool ended = !last;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        for (const struct ir_instr *x = b->first; x; x = x->next) {
            const bool fence = fences_global(x);
            const struct touched around = fence ? touched_around(b, &loop, &known) : (struct touched){false, false};
            if (orders_work_groups(x) || (fence && (before.stores || around.stores) && (!ended || around.accesses)))
                return true;
            add_touched(&before, x);
            ended |= x == last;
        }
    }
    return false;
}

static bool has_fences(const struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            if (orders_work_groups(x) || fences_global(x))
                return true;
    return false;
}

bool memory_is_shared(const struct ir_module *m)
{
    bool shared = false;
    for (size_t i = 0; i < m->functions.count; i++) {
        const struct ir_function *f = m->functions.items[i];
        shared |= f->has_body && (f->kernel ? shares(f) : has_fences(f));
    }
    return shared;
}
