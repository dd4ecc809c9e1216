// SPDX-License-Identifier: Apache-2.0
// A store whose place is written again before anybody looks goes away.
//
//   store %p, %1 ; store %p, %2     ->     store %p, %2
//
// Each block is walked backwards with the few newest places that will be overwritten. A load of the
// same kind of memory, of the same array where it is one (buffers may be one memory), makes them wanted again; a barrier, a
// fence, an atomic or a call does so for all.
#include "passes/opt.h"

enum { MAX_PLACES = 8 };

struct places {
    const struct ir_instr *later[MAX_PLACES]; // stores
    unsigned count, next;
};

static bool is_elem(const struct ir_instr *x)
{
    return x->op == IR_OP_elem_load || x->op == IR_OP_elem_store;
}

static bool same_place(const struct ir_instr *x, const struct ir_instr *later)
{
    return x->op == later->op && x->src[0] == later->src[0] && x->mem.space == later->mem.space &&
           (!is_elem(x) || x->var == later->var) &&
           ir_type_bytes(x->src[1]->type) <= ir_type_bytes(later->src[1]->type);
}

static bool is_overwritten(const struct places *p, const struct ir_instr *x)
{
    for (unsigned i = 0; i < p->count; i++)
        if (same_place(x, p->later[i]))
            return true;
    return false;
}

static void remember(struct places *p, const struct ir_instr *x)
{
    p->later[p->next] = x;
    p->next = (p->next + 1) % MAX_PLACES;
    p->count += p->count < MAX_PLACES;
}

// What `x` may read is wanted.
static void forget(struct places *p, const struct ir_instr *x)
{
    struct places kept = {.count = 0};
    for (unsigned i = 0; i < p->count; i++) {
        const struct ir_instr *later = p->later[i];
        bool views = is_elem(x) && is_elem(later) && x->var->space == IR_BUFFER && later->var->space == IR_BUFFER;
        bool apart = is_elem(x) && is_elem(later) && !views
                         ? x->var != later->var
                         : opt_kind(x) != opt_kind(later) && opt_kind(x) != OPT_ANYWHERE;
        if (apart)
            remember(&kept, later);
    }
    *p = kept;
}

// Whether the store `x` is of no use; keeps the places.
static bool step(struct places *p, const struct ir_instr *x)
{
    bool load = x->op == IR_OP_load || x->op == IR_OP_elem_load;
    bool store = x->op == IR_OP_store || x->op == IR_OP_elem_store;
    if (load && !opt_is_pure_load(x))
        forget(p, x);
    if (store && !x->mem.is_volatile) {
        if (is_overwritten(p, x))
            return true;
        remember(p, x);
    } else if (!load && !opt_is_image_read(x) && !ir_has_flag(x, IR_FLAG_P)) {
        *p = (struct places){.count = 0};
    }
    return false;
}

// Requires: resolved values; finds more after opt_cse. Keeps: what can be seen. Removes: stores.
bool opt_dead_stores(struct pass_context *context, struct ir_function *f)
{
    bool changed = false;
    (void)context;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        struct places places = {.count = 0};
        for (struct ir_instr *x = b->last, *prev; x; x = prev) {
            prev = x->prev;
            if (!step(&places, x))
                continue;
            ir_remove(x);
            changed = true;
        }
    }
    return changed;
}
