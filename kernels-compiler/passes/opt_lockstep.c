// SPDX-License-Identifier: Apache-2.0
// Makes accesses by which work-items seem to exchange values without a barrier volatile:
//
//   store a[id], x; y = load a[id + 16]   ->   store volatile a[id], x; y = load volatile a[id + 16]
//
// Many programs were written for devices that execute 32 work-items in lockstep (warp-synchronous reductions, sorts).
// OpenCL does not define what they do, but vendors' compilers keep the order of such accesses, even without the
// keyword. Afterwards, passes and drivers (lower_volatile.c) keep it as well, and the kernel gets sub-groups of 32 where it
// might get smaller ones (kc_kernel.lockstep). Correct programs only lose speed.
//
// A load of local memory is such an access if a store to the same variable may precede it with no barrier, fence or
// call in between, and the two seem to touch bytes of different work-items:
//
//   store a[id]            load a[id + 1], a[id ^ 1], a[0]    yes
//   store a[16 * id + i]   load a[16 * id + j]                no: each work-item has 16 elements of its own
//   store a[id]            load a[id + 128]                   no: of another sub-group, if at all
//   store a[id]            load a[id + i * rows]              no: likewise
//   load a[i]; store a[k]  load a[i]                          no: what it has read before, it may read again
//   store a[i]             load a[j]                          no: there may be only one work-item
//   store a[id]            if (id == 0) load a[0]             no: its own
//   for (i = id; ...; i += 128) { load a[i ^ n]; store a[i] } no: each iteration has other elements, unless the loop is
//                                                             executed again without a barrier
#include "passes/alias.h"
#include "util/stack.h"

enum {
    LANES = KC_LOCKSTEP,
    FAR = 2 * LANES,
    MAX_ACCESSES = 32,
    MAX_DEPTH = 6,
};

struct access {
    struct ir_instr *instr;
    struct alias_place place;
    unsigned of_item; // terms of the place that are computed from the work-item's number, as bits
    const struct ir_loop *carried; // of a store: executed by an earlier iteration of this loop, to which other elements belong
};

struct accesses { // beyond the limit the oldest are forgotten
    const struct access *items[MAX_ACCESSES];
    unsigned count, next;
};

// What may have preceded a point of the program since the last barrier; loads: certainly, in this iteration.
struct before {
    struct accesses stores, loads;
};

struct exits { // of the innermost loop or switch
    struct accesses *at_break, *at_continue;
};

// The stores that may precede an iteration, of each loop in the order of the walk.
struct start {
    struct accesses stores;
    struct start *next;
};

struct lockstep {
    const struct ir_function *f;
    struct arena *scratch;
    struct exits exits;
    struct start **start; // of the next loop; the first walk adds it
    bool apart; // a barrier separates each execution of the loops here from the next one
    bool first; // only executed by work-items whose number is 0
    bool again; // stores of an iteration reach the next one that the walk did not know at the loop's start
    bool changed;
};

// Returns whether it was missing.
static bool add(struct accesses *all, const struct access *one)
{
    for (unsigned i = 0; i < all->count; i++)
        if (all->items[i]->instr == one->instr && all->items[i]->carried == one->carried)
            return false;
    all->items[all->next] = one;
    all->next = (all->next + 1) % MAX_ACCESSES;
    all->count += all->count < MAX_ACCESSES;
    return true;
}

static bool add_all(struct accesses *all, const struct accesses *others)
{
    bool any = false;
    for (unsigned i = 0; i < others->count; i++)
        any |= add(all, others->items[i]);
    return any;
}

static void clear(struct accesses *all) { all->count = all->next = 0; }

// ---- whose bytes ---------------------------------------------------------------------------------

static bool is_item_number(const struct ir_instr *x)
{
    switch (x->op == IR_OP_sys ? x->sys : IR_SYS_COUNT) {
    case IR_SYS_VK_LOCAL_INVOCATION:
    case IR_SYS_VK_LOCAL_INDEX:
    case IR_SYS_VK_GLOBAL_INVOCATION:
    case IR_SYS_VK_SUBGROUP_INVOCATION:
        return true;
    default:
        return false;
    }
}

// Whether the value is computed from the work-item's number.
static bool is_of_item(const struct ir_instr *x, unsigned depth)
{
    stack_check();
    x = opt_resolved((struct ir_instr *)x);
    if (is_item_number(x))
        return true;
    if (depth == MAX_DEPTH || !ir_has_flag(x, IR_FLAG_P))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (is_of_item(x->src[i], depth + 1))
            return true;
    return false;
}

static uint64_t size_of(int64_t x) { return x < 0 ? 0 - (uint64_t)x : (uint64_t)x; }

// Whether two values are computed in the same way (common subexpressions are merged later).
static bool are_equal(const struct ir_instr *x, const struct ir_instr *y, unsigned depth)
{
    stack_check();
    x = opt_resolved((struct ir_instr *)x);
    y = opt_resolved((struct ir_instr *)y);
    if (x == y)
        return true;
    bool alike = depth < MAX_DEPTH && x->op == y->op && x->op != IR_OP_phi && x->src_count && ir_has_flag(x, IR_FLAG_P) &&
                 x->src_count == y->src_count && ir_type_eq(x->type, y->type) && opt_same_immediates(x, y);
    for (uint32_t i = 0; alike && i < x->src_count; i++)
        alike = are_equal(x->src[i], y->src[i], depth + 1);
    return alike;
}

static unsigned terms_of_item(const struct alias_place *place)
{
    unsigned terms = 0;
    for (unsigned i = 0; i < place->count; i++)
        terms |= (unsigned)is_of_item(place->terms[i].value, 0) << i;
    return terms;
}

static int64_t factor_in(const struct alias_place *p, const struct alias_term *t)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->terms[i].extension == t->extension && are_equal(p->terms[i].value, t->value, 0))
            return p->terms[i].factor;
    return 0;
}

static bool is_same(const struct alias_place *x, const struct alias_place *y)
{
    bool same = x->origin == y->origin && x->offset == y->offset && x->count == y->count;
    for (unsigned i = 0; same && i < x->count; i++)
        same = factor_in(y, &x->terms[i]) == x->terms[i].factor;
    return same;
}

// The distance in bytes between two work-items' elements; 0: the terms of the work-item differ. `none`: there are none.
static uint64_t distance_of_items(const struct access *x, const struct access *y, bool *none)
{
    uint64_t least = 0;
    bool differ = false;
    for (unsigned side = 0; side < 2; side++) {
        const struct alias_place *p = side ? &y->place : &x->place, *other = side ? &x->place : &y->place;
        for (unsigned i = 0; i < p->count; i++) {
            if (!((side ? y : x)->of_item >> i & 1))
                continue;
            uint64_t size = size_of(p->terms[i].factor);
            differ |= factor_in(other, &p->terms[i]) != p->terms[i].factor;
            least = !least || size < least ? size : least;
        }
    }
    *none = !least;
    return differ ? 0 : least;
}

// Whether the difference of two addresses leads to another work-item of the sub-group.
static bool crosses(uint64_t difference, uint64_t distance)
{
    return difference >= distance && difference % (FAR * distance);
}

// Without the terms of the work-item.
static struct alias_place of_first(const struct access *access)
{
    struct alias_place first = access->place;
    first.count = 0;
    for (unsigned i = 0; i < access->place.count; i++)
        if (!(access->of_item >> i & 1))
            first.terms[first.count++] = access->place.terms[i];
    return first;
}

static bool is_of_another(const struct access *store, const struct access *load)
{
    bool none;
    uint64_t distance = distance_of_items(store, load, &none);
    if (none || !distance)
        return !none;
    if (crosses(size_of((int64_t)((uint64_t)load->place.offset - (uint64_t)store->place.offset)), distance))
        return true;
    for (unsigned side = 0; side < 2; side++) {
        const struct alias_place *p = side ? &load->place : &store->place, *other = side ? &store->place : &load->place;
        for (unsigned i = 0; i < p->count; i++) {
            uint64_t size = size_of((int64_t)((uint64_t)p->terms[i].factor - (uint64_t)factor_in(other, &p->terms[i])));
            bool row = p->terms[i].value->op == IR_OP_imul; // by a number that is not known: hardly a small distance
            if (size && !row && !(size % distance) && crosses(size, distance))
                return true;
        }
    }
    return false;
}

// ---- loops that move on ---------------------------------------------------------------------------

// Whether a loop's number grows by whole sub-groups, or by a number that is not known: hardly a small one.
static bool steps_far(const struct ir_loop *loop, const struct ir_instr *phi)
{
    bool far = false;
    for (uint32_t i = 0; i < phi->src_count; i++) {
        const struct ir_instr *next = opt_resolved(phi->src[i]);
        if (!opt_is_inside(&loop->node, next))
            continue;
        const struct ir_instr *step = next->op == IR_OP_iadd ? opt_resolved(next->src[1]) : NULL;
        far = step && opt_resolved(next->src[0]) == phi && (ir_is_const(step) ? !(step->lanes[0] % FAR) : !is_of_item(step, 0));
        if (!far)
            return false;
    }
    return far;
}

// Whether a value is such a number, its multiple, or next to these.
static bool moves_on(const struct ir_loop *loop, const struct ir_instr *x, unsigned depth)
{
    stack_check();
    x = opt_resolved((struct ir_instr *)x);
    switch (depth < MAX_DEPTH ? x->op : IR_OP_COUNT) {
    case IR_OP_phi: return x->block == ir_list_first(&loop->body) && steps_far(loop, x);
    case IR_OP_zext:
    case IR_OP_sext:
    case IR_OP_trunc: return moves_on(loop, x->src[0], depth + 1);
    case IR_OP_iadd:
    case IR_OP_isub:
    case IR_OP_xor:
    case IR_OP_imul:
    case IR_OP_shl:
        for (uint32_t i = 0; i < 2; i++)
            if (!is_of_item(x->src[!i], 0))
                return moves_on(loop, x->src[i], depth + 1);
        return false;
    default: return false;
    }
}

// The factor of the only term that is computed from the work-item's number, if the loop moves it on; else 0.
static int64_t moving_factor(const struct ir_loop *loop, const struct access *access)
{
    int64_t factor = 0;
    for (unsigned i = 0; i < access->place.count; i++) {
        if (!(access->of_item >> i & 1))
            continue;
        if (factor || !moves_on(loop, access->place.terms[i].value, 0))
            return 0;
        factor = access->place.terms[i].factor;
    }
    return factor;
}

static const struct access *with_carried(struct lockstep *l, const struct access *store, const struct ir_loop *loop)
{
    struct access *copy = arena_copy(l->scratch, store, sizeof *store);
    copy->carried = loop;
    return copy;
}

// Adds the stores of an iteration to those that may precede the next one.
static bool add_carried(struct lockstep *l, const struct ir_loop *loop, struct accesses *next, const struct accesses *stores)
{
    bool any = false;
    for (unsigned i = 0; i < stores->count; i++) {
        const struct access *store = stores->items[i];
        bool moves = l->apart && !store->carried && moving_factor(loop, store);
        any |= add(next, moves ? with_carried(l, store, loop) : store);
    }
    return any;
}

// After the loop it does not matter which iteration executed them.
static void forget_carried(struct lockstep *l, const struct ir_loop *loop, struct accesses *stores)
{
    const struct accesses inside = *stores;
    clear(stores);
    for (unsigned i = 0; i < inside.count; i++)
        add(stores, inside.items[i]->carried == loop ? with_carried(l, inside.items[i], NULL) : inside.items[i]);
}

// ---- the walk ------------------------------------------------------------------------------------

static void mark(struct lockstep *l, struct ir_instr *x)
{
    l->changed |= !x->mem.is_volatile;
    x->mem.is_volatile = true;
}

static bool has(const struct accesses *all, const struct alias_place *place)
{
    for (unsigned i = 0; i < all->count; i++)
        if (is_same(&all->items[i]->place, place))
            return true;
    return false;
}

// Whether the load seems to get what another work-item has stored.
static bool is_exchange(const struct lockstep *l, const struct access *store, const struct access *load)
{
    if (store->place.origin != load->place.origin || !is_of_another(store, load))
        return false;
    if (store->carried && moving_factor(store->carried, store) == moving_factor(store->carried, load))
        return false;
    if (!l->first)
        return true;
    const struct alias_place first_store = of_first(store), first_load = of_first(load);
    return !is_same(&first_store, &first_load);
}

static void note_load(struct lockstep *l, const struct before *before, struct access *load)
{
    bool exchanges = false;
    if (before->stores.count)
        load->of_item = terms_of_item(&load->place);
    for (unsigned i = 0; i < before->stores.count; i++) {
        const struct access *store = before->stores.items[i];
        if (!is_exchange(l, store, load))
            continue;
        if (!exchanges && has(&before->loads, &load->place))
            return;
        exchanges = true;
        mark(l, store->instr);
        mark(l, load->instr);
    }
}

static void note_access(struct lockstep *l, struct before *before, struct ir_instr *x)
{
    struct access *access = arena_alloc(l->scratch, sizeof *access);
    *access = (struct access){x, alias_place(l->f, x), 0, NULL};
    if (!access->place.origin)
        return;
    if (x->op == IR_OP_load)
        note_load(l, before, access);
    else
        access->of_item = terms_of_item(&access->place);
    add(x->op == IR_OP_load ? &before->loads : &before->stores, access);
}

static void walk_block(struct lockstep *l, struct ir_block *block, struct before *before)
{
    for (struct ir_instr *x = block->first; x; x = x->next) {
        if (ir_has_flag(x, IR_FLAG_P))
            continue;
        if ((x->op == IR_OP_store || x->op == IR_OP_load) && x->mem.space == IR_LOCAL)
            note_access(l, before, x);
        else if (x->op == IR_OP_break)
            add_all(l->exits.at_break, &before->stores);
        else if (x->op == IR_OP_continue)
            add_all(l->exits.at_continue, &before->stores);
        if (x->op == IR_OP_barrier || x->op == IR_OP_fence || x->op == IR_OP_call || ir_has_flag(x, IR_FLAG_J)) {
            clear(&before->stores);
            clear(&before->loads);
        }
    }
}

static void walk_list(struct lockstep *l, struct ir_list *list, struct before *before);

// Walks a list that is not always executed; returns a copy of `before` at its end.
static struct before *walk_arm(struct lockstep *l, struct ir_list *list, const struct before *before)
{
    struct before *arm = arena_copy(l->scratch, before, sizeof *before);
    walk_list(l, list, arm);
    return arm;
}

// Whether a condition (negated: its opposite) only holds for work-items whose number is 0.
static bool tests_first(const struct ir_instr *x, bool negated)
{
    stack_check();
    if (x->op == (negated ? IR_OP_or : IR_OP_and))
        return tests_first(x->src[0], negated) || tests_first(x->src[1], negated);
    if (x->op == IR_OP_not)
        return tests_first(x->src[0], !negated);
    bool equal = x->op == (negated ? IR_OP_ine : IR_OP_ieq);
    return equal && ir_is_const(x->src[1]) && !x->src[1]->lanes[0] && is_of_item(x->src[0], 0);
}

static void walk_if(struct lockstep *l, struct ir_if *branch, struct before *before)
{
    bool first = l->first;
    l->first = first || tests_first(branch->cond, false);
    const struct before *then = walk_arm(l, &branch->then_list, before);
    l->first = first || tests_first(branch->cond, true);
    const struct before *otherwise = walk_arm(l, &branch->else_list, before);
    l->first = first;
    before->stores = then->stores;
    add_all(&before->stores, &otherwise->stores);
}

static void walk_switch(struct lockstep *l, struct ir_switch *choice, struct before *before)
{
    struct exits outer = l->exits;
    struct accesses *all = ARENA_NEW(l->scratch, struct accesses);
    *all = before->stores;
    l->exits.at_break = all;
    for (uint32_t i = 0; i < choice->case_count; i++)
        add_all(all, &walk_arm(l, &choice->cases[i].list, before)->stores);
    before->stores = *all;
    l->exits = outer;
}

static struct start *next_start(struct lockstep *l)
{
    struct start *start = *l->start;
    if (!start)
        start = *l->start = ARENA_NEW(l->scratch, struct start);
    l->start = &start->next;
    return start;
}

static bool has_barrier(const struct ir_loop *loop)
{
    const struct ir_block *end = (const struct ir_block *)loop->node.next;
    for (const struct ir_block *block = ir_list_first(&loop->body); block && block != end; block = ir_next_block(block))
        for (const struct ir_instr *x = block->first; x; x = x->next)
            if (x->op == IR_OP_barrier)
                return true;
    return false;
}

static void walk_loop(struct lockstep *l, struct ir_loop *loop, struct before *before)
{
    const struct exits outer = l->exits;
    const bool apart = l->apart;
    struct start *start = next_start(l);
    l->exits = (struct exits){ARENA_NEW(l->scratch, struct accesses), ARENA_NEW(l->scratch, struct accesses)};
    add_all(&start->stores, &before->stores);
    *before = (struct before){.stores = start->stores};
    l->apart = has_barrier(loop);
    walk_list(l, &loop->body, before);
    add_all(&before->stores, l->exits.at_continue);
    walk_list(l, &loop->cont, before);
    l->apart = apart;
    l->again |= add_carried(l, loop, &start->stores, &before->stores);
    if (!loop->cond)
        clear(&before->stores);
    clear(&before->loads);
    add_all(&before->stores, l->exits.at_break);
    forget_carried(l, loop, &before->stores);
    l->exits = outer;
}

static void walk_list(struct lockstep *l, struct ir_list *list, struct before *before)
{
    stack_check();
    for (struct ir_node *node = list->first; node; node = node->next) {
        switch (node->kind) {
        case IR_BLOCK: walk_block(l, (struct ir_block *)node, before); break;
        case IR_IF: walk_if(l, (struct ir_if *)node, before); break;
        case IR_LOOP: walk_loop(l, (struct ir_loop *)node, before); break;
        case IR_SWITCH: walk_switch(l, (struct ir_switch *)node, before); break;
        }
    }
}

static bool stores_local(const struct ir_function *f)
{
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (const struct ir_instr *x = block->first; x; x = x->next)
            if (x->op == IR_OP_store && x->mem.space == IR_LOCAL)
                return true;
    return false;
}

// Requires: work-item numbers of Vulkan. Keeps: values.
bool opt_lockstep(struct pass_context *c, struct ir_function *f)
{
    const bool has_lanes = c->target->subgroup_size >= LANES || c->target->subgroup_sizes >= LANES;
    if (!has_lanes || !stores_local(f))
        return false;
    struct lockstep l = {.f = f, .scratch = c->scratch, .apart = true};
    struct start *first = NULL;
    for (int round = 0; round < 1 + l.again; round++) { // in the second, the stores of all iterations reach the next one
        l.start = &first;
        walk_list(&l, &f->body, ARENA_NEW(c->scratch, struct before));
    }
    if (l.changed && f->kernel)
        f->kernel->info.lockstep = true;
    return l.changed;
}
