// SPDX-License-Identifier: Apache-2.0
// A place in memory that is the same in every round of a loop is kept in a variable.
//
//   loop { %3 = load %p ; store %p, (%3 + ..) }     ->     $k = load %p ; loop { $k = $k + .. } ; store %p, $k
//
// The variable is private memory, which opt_mem2reg makes a value of. Inner loops go first, so a sum climbs out of all loops that
// do not move it. Nothing else in the loop may touch the place (alias.h): so no barrier, fence, atomic or call that
// other work-items' memory goes through is inside, and until the next one nobody else may look (a race, OpenCL C 6.15.12). Where
// others in the loop may read the place, but not write to it, the stores stay and only the loads go.
//
// Nothing is loaded or stored where the loop would not have: the load before the loop stands under the tests that lead the first
// round to one of the accesses, where these can be made before the loop (the loop's own at its head, and ifs whose conditions it does
// not change). Likewise the store behind it; where only some rounds store, a flag tells whether one did.
//
// Places that are only read are kept for innermost loops alone, a few: they need registers for long.
#include "passes/alias.h"
#include "util/stack.h"

enum {
    MAX_ACCESSES = 256, // of a loop
    MAX_PLACES = 24,    // kept in one loop
    MAX_READ_BYTES = 64,
    MAX_CHAIN = 4, // ifs around an access
    MAX_GUARDS = 4,
    MAX_MOVED = 8, // steps back from an address or condition
    MAX_CLONED = 12, // instructions of a test
};

struct access {
    struct ir_instr *x;
    struct alias_place place;
    bool plain, store; // plain: a load or a store that may be kept
    uint32_t chosen;   // the number of the place it belongs to; 0: none
};

// The conditions under which an access is reached in the first round.
struct guard {
    const struct ir_if *ifs[MAX_CHAIN];
    bool sides[MAX_CHAIN]; // then
    unsigned count;
    bool test; // the loop's test, at its head
};

struct answer { // what a guard is in front of the loop, and the ifs around the loop that ask for it; NULL: none yet
    struct guard guard;
    struct ir_instr *value;
    struct ir_if *entered, *left;
};

struct keep {
    struct ir_module *m;
    struct ir_function *f;
    struct arena *scratch;
    struct ir_loop *loop;
    bool innermost;
    uint32_t first_jump;     // the block that leaves the loop or a round first, but for the test at its head
    struct ir_if *head_test; // NULL: none
    bool stays_if_true;
    struct answer answers[MAX_GUARDS];
    uint32_t answer_count;
    const struct ir_if *front; // the first if that was made in front of the loop
    unsigned budget;
    VEC(struct access) accesses;
    uint32_t kept, read_bytes;
    bool changed;
};

// ---- looking -------------------------------------------------------------------------------------

static bool leaves(const struct keep *k, const struct ir_block *b)
{
    if (!ir_ends_in_jump(b))
        return false;
    const struct ir_node *node = &k->loop->node;
    return b->last->op == IR_OP_break      ? ir_jump_target(b, false) == node
           : b->last->op == IR_OP_continue ? ir_jump_target(b, true) == node
                                           : true;
}

static bool just_breaks(const struct ir_list *list)
{
    const struct ir_block *b = ir_list_first(list);
    return list->first == list->last && b->first && b->first == b->last && b->first->op == IR_OP_break;
}

static void find_test(struct keep *k)
{
    struct ir_if *test = (struct ir_if *)ir_list_first(&k->loop->body)->node.next;
    k->head_test = NULL;
    if (!test || test->node.kind != IR_IF || just_breaks(&test->then_list) == just_breaks(&test->else_list))
        return;
    k->head_test = test;
    k->stays_if_true = just_breaks(&test->else_list);
}

static bool is_kept_type(struct ir_type t)
{
    return !ir_is_matrix(t) && (t.base == IR_INT || t.base == IR_FLOAT || t.base == IR_PTR);
}

// Of a variable made here, which nothing else touches; var->id tells.
static bool is_ours(const struct ir_instr *x)
{
    const struct ir_instr *address = x->op == IR_OP_load || x->op == IR_OP_store ? x->src[0] : NULL;
    return address && address->op == IR_OP_addr && address->var->space == IR_PRIVATE && !address->var->in_module &&
           address->var->id;
}

static void add_access(struct keep *k, struct ir_instr *x)
{
    struct access a = {.x = x, .store = x->op == IR_OP_store};
    struct ir_type type = a.store ? x->src[1]->type : x->type;
    a.plain = (x->op == IR_OP_load || a.store) && !x->mem.is_volatile && is_kept_type(type);
    if (a.plain)
        a.place = alias_place(k->f, x);
    vec_push(k->scratch, &k->accesses, a);
}

// False: there is too much.
static bool look_at(struct keep *k)
{
    const struct ir_block *end = (const struct ir_block *)k->loop->node.next;
    k->accesses.count = 0;
    k->innermost = true;
    k->first_jump = UINT32_MAX;
    find_test(k);
    for (struct ir_block *b = ir_list_first(&k->loop->body); b != end; b = ir_next_block(b)) {
        bool test = k->head_test && b->node.list == (k->stays_if_true ? &k->head_test->else_list : &k->head_test->then_list);
        k->innermost &= !b->node.next || b->node.next->kind != IR_LOOP;
        if (!test && k->first_jump == UINT32_MAX && leaves(k, b))
            k->first_jump = b->index;
        for (struct ir_instr *x = b->first; x; x = x->next)
            if ((ir_ops[x->op].flags & (IR_FLAG_R | IR_FLAG_W)) && !ir_has_flag(x, IR_FLAG_J) && x->op != IR_OP_subgroup &&
                !is_ours(x))
                add_access(k, x);
        if (k->accesses.count > MAX_ACCESSES || (ir_ends_in_jump(b) && b->last->op == IR_OP_return))
            return false;
    }
    return true;
}

static bool writes(const struct keep *k, const struct access *a, const struct alias_place *place)
{
    if (a->plain)
        return a->store && alias_of(&a->place, place) != ALIAS_NONE;
    return alias_may_write(k->f, a->x, place);
}

static bool reads(const struct keep *k, const struct access *a, const struct alias_place *place)
{
    if (a->plain)
        return !a->store && !opt_is_pure_load(a->x) && alias_of(&a->place, place) != ALIAS_NONE;
    return alias_may_read(k->f, a->x, place);
}

// ---- what is the same in every round -------------------------------------------------------------

static bool is_same(const struct keep *k, const struct ir_instr *x, unsigned depth)
{
    stack_check();
    if (!opt_is_inside(&k->loop->node, x))
        return true;
    if (depth == MAX_MOVED || x->op == IR_OP_phi || !ir_has_flag(x, IR_FLAG_P))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!is_same(k, opt_resolved(x->src[i]), depth + 1))
            return false;
    return true;
}

static struct ir_block *before_loop(const struct keep *k) { return (struct ir_block *)k->loop->node.prev; }

// Where values are made that the loads in front of the loop need.
static struct ir_block *in_front(const struct keep *k)
{
    return (struct ir_block *)(k->front ? &k->front->node : &k->loop->node)->prev;
}

static void move_out(const struct keep *k, struct ir_instr *x)
{
    stack_check();
    if (!opt_is_inside(&k->loop->node, x))
        return;
    for (uint32_t i = 0; i < x->src_count; i++)
        move_out(k, opt_resolved(x->src[i]));
    opt_move_to_end(in_front(k), x);
}

// ---- conditions ----------------------------------------------------------------------------------

// What an instruction of the loop's first block gives in the first round; NULL: it cannot be told in front of the loop.
static struct ir_instr *at_first(struct keep *k, struct ir_builder *b, struct ir_instr *x)
{
    stack_check();
    struct ir_block *header = ir_list_first(&k->loop->body);
    x = opt_resolved(x);
    if (!opt_is_inside(&k->loop->node, x))
        return x;
    bool load = x->op == IR_OP_load && !x->mem.is_volatile;
    if (x->block != header || k->budget == 0 || x->src_count > 4)
        return NULL;
    if (x->op == IR_OP_phi)
        return opt_resolved(opt_phi_source(x, before_loop(k)));
    if (!load && !ir_has_flag(x, IR_FLAG_P))
        return NULL;
    struct ir_instr *src[4];
    k->budget--;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!(src[i] = at_first(k, b, x->src[i])))
            return NULL;
    return ir_build_like(b, (enum ir_op)x->op, x->type, src, x->src_count, x);
}

static bool head_writes(const struct keep *k)
{
    for (struct ir_instr *x = ir_list_first(&k->loop->body)->first; x; x = x->next)
        if (ir_has_flag(x, IR_FLAG_W))
            return true;
    return false;
}

static struct ir_instr *negated(struct ir_builder *b, struct ir_instr *x, bool keep)
{
    return keep ? x : ir_op1(b, IR_OP_not, x);
}

// Whether the first round goes past the test at the head, as a value in front of the loop; NULL: nobody knows.
static struct ir_instr *first_test(struct keep *k)
{
    struct ir_builder b = {.module = k->m, .function = k->f, .block = in_front(k)};
    k->budget = MAX_CLONED;
    struct ir_instr *cond = head_writes(k) ? NULL : at_first(k, &b, k->head_test->cond);
    return cond ? negated(&b, cond, k->stays_if_true) : NULL;
}

// The conditions on the way to a block; false: there are others than a guard can have.
static bool find_guard(const struct keep *k, const struct ir_block *b, struct guard *g)
{
    const struct ir_block *header = ir_list_first(&k->loop->body);
    *g = (struct guard){.test = k->head_test && b != header};
    if (b->index >= k->first_jump)
        return false;
    for (const struct ir_list *list = b->node.list; list->owner != &k->loop->node; list = list->owner->list) {
        struct ir_if *owner = (struct ir_if *)list->owner;
        if (owner == k->head_test) // on the side that stays
            continue;
        if (owner->node.kind != IR_IF || g->count == MAX_CHAIN ||
            !is_same(k, opt_resolved(owner->cond), 0))
            return false;
        g->ifs[g->count] = owner;
        g->sides[g->count++] = list == &owner->then_list;
    }
    return true;
}

static bool has_condition(const struct keep *k, const struct ir_block *b, const struct ir_if *condition, bool side)
{
    for (const struct ir_list *list = b->node.list; list->owner != &k->loop->node; list = list->owner->list) {
        const struct ir_if *owner = (const struct ir_if *)list->owner;
        if (owner->node.kind == IR_IF && opt_resolved(owner->cond) == opt_resolved(condition->cond) &&
            (list == &owner->then_list) == side)
            return true;
    }
    return false;
}

// Whether the block is only reached where the guard leads.
static bool is_under(const struct keep *k, const struct guard *g, const struct ir_block *b)
{
    bool under = !g->test || b != ir_list_first(&k->loop->body);
    for (unsigned i = 0; i < g->count && under; i++)
        under = has_condition(k, b, g->ifs[i], g->sides[i]);
    return under;
}

// The guard as a value in front of the loop; NULL: it cannot be had.
static struct ir_instr *guard_value(struct keep *k, const struct guard *g)
{
    struct ir_instr *all = ir_const_int(k->m, ir_bool(), 1);
    if (g->test && !(all = first_test(k)))
        return NULL;
    for (unsigned i = 0; i < g->count; i++) {
        struct ir_instr *cond = opt_resolved(g->ifs[i]->cond);
        move_out(k, cond);
        struct ir_builder b = {.module = k->m, .function = k->f, .block = in_front(k)};
        all = ir_op2(&b, IR_OP_and, all, negated(&b, cond, g->sides[i]));
    }
    return all;
}

static bool same_guard(const struct guard *g, const struct guard *h)
{
    bool same = g->count == h->count && g->test == h->test;
    for (unsigned i = 0; i < g->count && same; i++)
        same = opt_resolved(g->ifs[i]->cond) == opt_resolved(h->ifs[i]->cond) && g->sides[i] == h->sides[i];
    return same;
}

// NULL: it cannot be had.
static struct answer *answer(struct keep *k, const struct guard *g)
{
    for (uint32_t i = 0; i < k->answer_count; i++)
        if (same_guard(&k->answers[i].guard, g))
            return k->answers[i].value ? &k->answers[i] : NULL;
    if (k->answer_count == MAX_GUARDS)
        return NULL;
    struct answer *a = &k->answers[k->answer_count++];
    *a = (struct answer){.guard = *g, .value = guard_value(k, g)};
    return a->value ? a : NULL;
}

// ---- one place -----------------------------------------------------------------------------------

struct kept {
    uint32_t number;
    const struct access *one;
    struct ir_type type;
    bool stored, loaded;
    bool read; // by others: each store goes to memory, too
    struct guard loads, stores; // one that leads to an access, and is above all, where some load; to a store
    bool sure_store;            // there is such a one
    struct ir_var *var, *flag;
};

static struct ir_type type_of(const struct access *a) { return a->store ? a->x->src[1]->type : a->x->type; }

static bool is_certain(const struct ir_instr *x) { return ir_is_const(x) && x->lanes[0]; }

// The accesses of one's place; false: something else writes to it.
static bool gather(struct keep *k, struct kept *p)
{
    p->type = type_of(p->one);
    for (size_t i = 0; i < k->accesses.count; i++) {
        struct access *a = &k->accesses.items[i];
        bool same = a->plain && !a->chosen && ir_type_eq(type_of(a), p->type) &&
                    alias_of(&a->place, &p->one->place) == ALIAS_SAME;
        a->chosen = same ? p->number : a->chosen;
        p->stored |= same && a->store;
        p->loaded |= same && !a->store;
    }
    for (size_t i = 0; i < k->accesses.count; i++) {
        const struct access *a = &k->accesses.items[i];
        if (a->chosen == p->number)
            continue;
        if (writes(k, a, &p->one->place))
            return false;
        p->read |= p->stored && !p->read && reads(k, a, &p->one->place);
    }
    return true;
}

// A guard that leads to one of the accesses, and that all others are under.
static bool choose_guard(const struct keep *k, const struct kept *p, bool stores, struct guard *best)
{
    bool found = false;
    struct guard g;
    for (size_t i = 0; i < k->accesses.count; i++) {
        const struct access *a = &k->accesses.items[i];
        if (a->chosen != p->number || (stores && !a->store) || !find_guard(k, a->x->block, &g))
            continue;
        if (found && (best->count < g.count || (best->count == g.count && best->test <= g.test)))
            continue;
        *best = g;
        found = true;
    }
    for (size_t i = 0; i < k->accesses.count && found; i++) {
        const struct access *a = &k->accesses.items[i];
        if (a->chosen == p->number && (!stores || a->store))
            found = is_under(k, best, a->x->block);
    }
    return found;
}

static bool pays(const struct keep *k, const struct kept *p)
{
    if (p->stored)
        return p->loaded || !p->read;
    return k->innermost && !p->loads.count && k->read_bytes + ir_type_bytes(p->type) <= MAX_READ_BYTES;
}

static struct ir_mem own_mem(struct ir_type type)
{
    return (struct ir_mem){.space = IR_PRIVATE, .align = type.bits / 8u};
}

static void set(struct ir_builder *b, struct ir_var *var, struct ir_instr *value)
{
    ir_store(b, ir_addr(b->module, var), value, own_mem(value->type));
}

static struct ir_instr *get(struct ir_builder *b, struct ir_var *var, struct ir_type type)
{
    return ir_load(b, type, ir_addr(b->module, var), own_mem(type));
}

static struct ir_mem plain_mem(const struct kept *p)
{
    struct ir_mem mem = p->one->x->mem;
    mem.readonly = !p->stored && mem.readonly;
    return mem;
}

// The loads in front of the loop stand in one if for each guard, what they need above the first of these.
static void enter_loop(struct keep *k, const struct kept *p, struct ir_instr *address, struct answer *a)
{
    struct ir_builder b = {.module = k->m, .function = k->f, .block = in_front(k)};
    if (p->flag)
        set(&b, p->flag, ir_const_int(k->m, ir_int(32), 0));
    if (!p->loaded)
        return;
    if (!is_certain(a->value)) {
        b.block = before_loop(k);
        a->entered = a->entered ? a->entered : ir_add_if(&b, a->value);
        k->front = k->front ? k->front : a->entered;
        ir_place_end(&b, &a->entered->then_list);
    }
    set(&b, p->var, ir_load(&b, p->type, address, plain_mem(p)));
}

// Behind the loop. Something stands there afterwards: an if in front of it leaves the block what it is to phis further down.
static struct ir_builder behind_loop(const struct keep *k, const struct kept *p)
{
    struct ir_builder b = {.module = k->m, .function = k->f};
    ir_place_after_phis(&b, (struct ir_block *)k->loop->node.next);
    if (!b.before)
        ir_place_before(&b, get(&b, p->var, p->type));
    return b;
}

// `a` NULL: as the flag says.
static void leave_loop(const struct keep *k, const struct kept *p, struct ir_instr *address, struct answer *a)
{
    struct ir_builder b = behind_loop(k, p);
    if (a && !is_certain(a->value)) {
        a->left = a->left ? a->left : ir_add_if(&b, a->value);
        ir_place_end(&b, &a->left->then_list);
    } else if (!a) {
        struct ir_instr *zero = ir_const_int(k->m, ir_int(32), 0);
        ir_place_end(&b, &ir_add_if(&b, ir_op2(&b, IR_OP_ine, get(&b, p->flag, ir_int(32)), zero))->then_list);
    }
    ir_store(&b, address, get(&b, p->var, p->type), plain_mem(p));
}

static void use_variable(const struct keep *k, const struct kept *p)
{
    for (size_t i = 0; i < k->accesses.count; i++) {
        struct access *a = &k->accesses.items[i];
        if (a->chosen != p->number)
            continue;
        struct ir_builder b = ir_before(k->f, a->x);
        if (!a->store) {
            ir_replace(a->x, get(&b, p->var, p->type));
            continue;
        }
        set(&b, p->var, opt_resolved(a->x->src[1]));
        if (p->flag)
            set(&b, p->flag, ir_const_int(k->m, ir_int(32), 1));
        if (!p->read)
            ir_remove(a->x);
    }
}

static struct ir_var *new_variable(const struct keep *k, struct ir_type type)
{
    struct ir_var *var = ir_var_add(k->m, k->f, "kept", IR_PRIVATE, ir_elem_bytes(type), type.bits / 8u);
    var->id = 1;
    return var;
}

static void keep_place(struct keep *k, struct kept *p)
{
    struct ir_instr *address = opt_resolved(p->one->x->src[0]);
    struct answer *load_if = p->loaded ? answer(k, &p->loads) : NULL, *store_if = p->sure_store ? answer(k, &p->stores) : NULL;
    if (p->loaded && !load_if)
        return;
    move_out(k, address);
    p->var = new_variable(k, p->type);
    p->flag = p->stored && !p->read && !store_if ? new_variable(k, ir_int(32)) : NULL;
    enter_loop(k, p, address, load_if);
    use_variable(k, p);
    if (p->stored && !p->read)
        leave_loop(k, p, address, store_if);
    k->read_bytes += p->stored ? 0 : ir_type_bytes(p->type);
    k->kept++;
    k->changed = true;
}

static void drop(struct keep *k, uint32_t number)
{
    for (size_t i = 0; i < k->accesses.count; i++)
        if (k->accesses.items[i].chosen == number)
            k->accesses.items[i].chosen = number | 1u << 31; // looked at
}

static void consider(struct keep *k, size_t i)
{
    struct kept p = {.number = (uint32_t)i + 1, .one = &k->accesses.items[i]};
    if (!p.one->plain || p.one->chosen || !is_same(k, opt_resolved(p.one->x->src[0]), 0))
        return;
    bool ours = gather(k, &p) && (!p.loaded || choose_guard(k, &p, false, &p.loads));
    p.sure_store = ours && p.stored && !p.read && choose_guard(k, &p, true, &p.stores);
    if (ours && pays(k, &p))
        keep_place(k, &p);
    else
        drop(k, p.number);
}

// ---- loops ---------------------------------------------------------------------------------------

static bool runs_once(const struct ir_loop *loop)
{
    return loop->cond && ir_is_const(loop->cond) && !loop->cond->lanes[0];
}

static void visit(struct keep *k, struct ir_loop *loop)
{
    bool changed = k->changed;
    k->loop = loop;
    k->front = NULL;
    k->changed = false;
    k->answer_count = k->kept = k->read_bytes = 0;
    if (look_at(k))
        for (size_t i = 0; i < k->accesses.count && k->kept < MAX_PLACES; i++)
            consider(k, i);
    if (k->changed) {
        ir_resolve(k->f);
        ir_number_blocks(k->f);
    }
    k->changed |= changed;
}

// Requires: phis (after opt_mem2reg). Keeps: values. Removes: nothing; leaves variables to opt_mem2reg.
bool opt_promote(struct pass_context *context, struct ir_function *f)
{
    struct keep k = {.m = context->module, .f = f, .scratch = context->scratch};
    struct opt_nodes nodes = opt_nodes(f, k.scratch);
    for (size_t i = 0; i < f->vars.count; i++)
        f->vars.items[i]->id = 0;
    ir_number_blocks(f);
    for (size_t i = nodes.count; i-- > 0;)
        if (nodes.items[i]->kind == IR_LOOP && !runs_once((struct ir_loop *)nodes.items[i]))
            visit(&k, (struct ir_loop *)nodes.items[i]);
    return k.changed;
}
