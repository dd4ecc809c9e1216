// SPDX-License-Identifier: Apache-2.0
// Dead store elimination: removes a store to a place that is overwritten, or whose lifetime ends, before it is read.
//
//   store %p, %1 ; store %p, %2     ->     store %p, %2
//
// The tree is walked backwards with a few of the places that are overwritten on every path: the places known after an
// if are known at the end of both its arms, and those that both arms overwrite are known before it. Across a loop,
// only places that nothing in the loop reads are carried. What may read a place (alias.h) makes earlier stores live
// again; a barrier, a fence, an atomic, a call or a volatile access does so for all places. At the kernel's end,
// private memory dies.
#include "passes/alias.h"
#include "util/stack.h"

enum { MAX_PLACES = 8, MAX_READS = 64 };

struct later { // a store further down
    const struct ir_instr *store;
    struct alias_place place;
};

struct places {
    struct later items[MAX_PLACES];
    unsigned count, next;
    bool ends; // the kernel ends before anything else reads private memory
    struct places *free;
};

struct dead {
    const struct ir_function *f;
    struct arena *scratch;
    struct places *free; // for nested control flow: too large for the stack
    bool changed;
};

static void forget_all(struct places *p)
{
    p->count = p->next = 0;
    p->ends = false;
}

static bool is_load(const struct ir_instr *x) { return x->op == IR_OP_load || x->op == IR_OP_elem_load; }

static bool is_store(const struct ir_instr *x)
{
    return (x->op == IR_OP_store || x->op == IR_OP_elem_store) && !x->mem.is_volatile;
}

static bool is_volatile(const struct ir_instr *x)
{
    return (is_load(x) || x->op == IR_OP_store || x->op == IR_OP_elem_store) && x->mem.is_volatile;
}

static bool is_overwritten(const struct places *p, const struct alias_place *x)
{
    for (unsigned i = 0; i < p->count; i++)
        if (alias_inside(x, &p->items[i].place))
            return true;
    return p->ends && x->kind == OPT_PRIVATE;
}

static void remember(struct places *p, const struct later *later)
{
    p->items[p->next] = *later;
    p->next = (p->next + 1) % MAX_PLACES;
    p->count += p->count < MAX_PLACES;
}

static void keep(struct places *p, unsigned i, unsigned *kept)
{
    if (i != *kept)
        p->items[*kept] = p->items[i];
    ++*kept;
}

static void keep_only(struct places *p, unsigned kept)
{
    p->count = kept;
    p->next = kept % MAX_PLACES;
}

// Drops the places that `x` may read.
static void forget_read(const struct dead *d, struct places *p, const struct ir_instr *x)
{
    const struct alias_place any = {.kind = OPT_PRIVATE};
    unsigned kept = 0;
    p->ends &= !alias_may_read(d->f, x, &any);
    for (unsigned i = 0; i < p->count; i++)
        if (!alias_may_read(d->f, x, &p->items[i].place))
            keep(p, i, &kept);
    keep_only(p, kept);
}

static void forget_loaded(const struct dead *d, struct places *p, const struct ir_instr *x)
{
    struct alias_place own = alias_place(d->f, x);
    unsigned kept = 0;
    p->ends &= own.kind != OPT_PRIVATE && own.kind != OPT_ANYWHERE;
    for (unsigned i = 0; i < p->count; i++)
        if (alias_of(&own, &p->items[i].place) == ALIAS_NONE)
            keep(p, i, &kept);
    keep_only(p, kept);
}

static void pass(const struct dead *d, struct places *p, const struct ir_instr *x)
{
    bool wanted = p->count || p->ends;
    if (!wanted || ir_has_flag(x, IR_FLAG_P) || opt_is_pure_load(x))
        return;
    if (is_volatile(x))
        forget_all(p);
    else if (is_load(x))
        forget_loaded(d, p, x);
    else
        forget_read(d, p, x);
}

// One instruction; the walk is backwards.
static void step(struct dead *d, struct places *p, struct ir_instr *x)
{
    if (!is_store(x)) {
        pass(d, p, x);
        return;
    }
    struct later own = {x, alias_place(d->f, x)};
    if (is_overwritten(p, &own.place)) {
        ir_remove(x);
        d->changed = true;
    } else {
        remember(p, &own);
    }
}

static void walk_block(struct dead *d, struct ir_block *b, struct places *p)
{
    if (ir_ends_in_jump(b)) {
        forget_all(p);
        p->ends = b->last->op == IR_OP_return && d->f->kernel;
    }
    for (struct ir_instr *x = b->last, *above; x; x = above) {
        above = x->prev;
        if (!ir_has_flag(x, IR_FLAG_J))
            step(d, p, x);
    }
}

// Intersects: places overwritten on both paths.
static void intersect(struct places *p, const struct places *other)
{
    unsigned kept = 0;
    p->ends &= other->ends;
    for (unsigned i = 0; i < p->count; i++)
        if (is_overwritten(other, &p->items[i].place))
            keep(p, i, &kept);
    keep_only(p, kept);
}

// Before a loop, the places known after it remain, except those that the loop reads.
static void pass_loop(const struct dead *d, const struct ir_loop *loop, struct places *p)
{
    const struct ir_block *end = (const struct ir_block *)loop->node.next;
    unsigned reads = 0;
    for (struct ir_block *b = ir_list_first(&loop->body); b != end && (p->count || p->ends); b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            if (ir_has_flag(x, IR_FLAG_P) || x->op == IR_OP_break || x->op == IR_OP_continue)
                continue;
            pass(d, p, x);
            if (++reads > MAX_READS)
                forget_all(p);
        }
}

static void walk_list(struct dead *d, struct ir_list *list, struct places *p);

static struct places *alloc_places(struct dead *d)
{
    struct places *places = d->free;
    if (!places)
        return ARENA_NEW(d->scratch, struct places);
    d->free = places->free;
    return places;
}

static void free_places(struct dead *d, struct places *places)
{
    places->free = d->free;
    d->free = places;
}

static void walk_without_places(struct dead *d, struct ir_list *list)
{
    struct places *none = alloc_places(d);
    forget_all(none);
    walk_list(d, list, none);
    free_places(d, none);
}

static void walk_if(struct dead *d, struct ir_if *branch, struct places *p)
{
    struct places *other = alloc_places(d);
    *other = *p;
    walk_list(d, &branch->then_list, p);
    walk_list(d, &branch->else_list, other);
    intersect(p, other);
    free_places(d, other);
}

static void walk_node(struct dead *d, struct ir_node *node, struct places *p)
{
    if (node->kind == IR_BLOCK) {
        walk_block(d, (struct ir_block *)node, p);
    } else if (node->kind == IR_IF) {
        walk_if(d, (struct ir_if *)node, p);
    } else if (node->kind == IR_LOOP) {
        walk_without_places(d, &((struct ir_loop *)node)->cont);
        walk_without_places(d, &((struct ir_loop *)node)->body);
        pass_loop(d, (struct ir_loop *)node, p);
    } else {
        struct ir_switch *choice = (struct ir_switch *)node;
        for (uint32_t i = 0; i < choice->case_count; i++)
            walk_without_places(d, &choice->cases[i].list);
        forget_all(p); // a case may continue an outer loop
    }
}

static void walk_list(struct dead *d, struct ir_list *list, struct places *p)
{
    stack_check();
    for (struct ir_node *node = list->last; node; node = node->prev)
        walk_node(d, node, p);
}

// Requires: resolved values; finds more after opt_cse. Keeps: observable effects. Removes: stores.
bool opt_dead_stores(struct pass_context *context, struct ir_function *f)
{
    struct dead d = {.f = f, .scratch = context->scratch};
    struct places end = {.ends = f->kernel != NULL};
    walk_list(&d, &f->body, &end);
    return d.changed;
}
