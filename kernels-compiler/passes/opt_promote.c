// SPDX-License-Identifier: Apache-2.0
// Scalar promotion: keeps a memory location with a loop-invariant address in a variable during the loop.
//
//   loop { %3 = load %p ; store %p, (%3 + ..) }     ->     $k = load %p ; loop { $k = $k + .. } ; store %p, $k
//
// The variable is private memory, which opt_mem2reg turns into a value. Inner loops are processed first, so a sum
// moves out of all loops in which its address is invariant. Nothing else in the loop may access the location
// (alias.h): the loop then contains no barrier, fence, atomic or call by which other work-items could observe it, and
// other work-items must not access it before the next one (a race, OpenCL C 6.15.12). If other accesses in the loop
// may read the location but not write to it, the stores remain and only the loads are removed. Buffers that the runtime
// can check for overlaps do not count as accesses of the location.
//
// Nothing is loaded or stored that the loop would not have accessed: the load before the loop is guarded by the
// conditions under which the first iteration reaches one of the accesses, if these can be evaluated before the loop
// (the loop's own test at its head, and ifs with invariant conditions). The same goes for the store after the loop;
// if only some iterations store, a flag records whether one did.
//
// Locations that are only read are promoted only in innermost loops, and only a few: they occupy registers for long.
// If the device has a limit of registers (kc_target), only as many as are estimated to remain.
#include "passes/alias.h"
#include "passes/pressure.h"
#include "util/stack.h"

enum {
    MAX_ACCESSES = 256, // per loop
    MAX_PLACES = 24,    // promoted per loop
    MAX_READ_BYTES = 64,
    MAX_CHAIN = 4, // nested ifs around an access
    MAX_GUARDS = 4,
    MAX_MOVED = 8, // depth of the expressions of an address or condition
    MAX_CLONED = 12, // instructions of a condition
};

struct access {
    struct ir_instr *x;
    struct alias_place place;
    bool plain, store; // plain: a load or a store that may be promoted
    uint32_t chosen;   // number of the location it belongs to; 0: none
};

// The conditions under which the first iteration reaches an access.
struct guard {
    const struct ir_if *ifs[MAX_CHAIN];
    bool sides[MAX_CHAIN]; // true: then
    unsigned count;
    bool test; // the test at the loop's head
};

struct hoisted_guard { // a guard evaluated before the loop, and the ifs built for it before and after the loop; NULL: none yet
    struct guard guard;
    struct ir_instr *value;
    struct ir_if *entered, *left;
};

struct promotion {
    struct ir_module *m;
    struct ir_function *f;
    struct arena *scratch;
    struct ir_loop *loop;
    bool innermost;
    uint32_t first_jump;     // index of the first block that leaves the loop or the iteration, except for the test at its head
    struct ir_if *head_test; // NULL: none
    bool continues_if_true;
    struct hoisted_guard guards[MAX_GUARDS];
    uint32_t guard_count;
    const struct ir_if *front; // the first if built before the loop
    unsigned budget;
    VEC(struct access) accesses;
    uint32_t promoted, read_bytes, read_limit;
    bool changed;
};

// ---- analysis ------------------------------------------------------------------------------------

static bool leaves(const struct promotion *k, const struct ir_block *b)
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

static void find_test(struct promotion *k)
{
    struct ir_if *test = (struct ir_if *)ir_list_first(&k->loop->body)->node.next;
    k->head_test = NULL;
    if (!test || test->node.kind != IR_IF || just_breaks(&test->then_list) == just_breaks(&test->else_list))
        return;
    k->head_test = test;
    k->continues_if_true = just_breaks(&test->else_list);
}

static bool is_promotable(struct ir_type t)
{
    return !ir_is_matrix(t) && (t.base == IR_INT || t.base == IR_FLOAT || t.base == IR_PTR);
}

// Whether it accesses a variable created here, which nothing else accesses; var->id is set for those.
static bool is_ours(const struct ir_instr *x)
{
    const struct ir_instr *address = x->op == IR_OP_load || x->op == IR_OP_store ? x->src[0] : NULL;
    return address && address->op == IR_OP_addr && address->var->space == IR_PRIVATE && !address->var->in_module &&
           address->var->id;
}

static void add_access(struct promotion *k, struct ir_instr *x)
{
    struct access a = {.x = x, .store = x->op == IR_OP_store};
    struct ir_type type = a.store ? x->src[1]->type : x->type;
    a.plain = (x->op == IR_OP_load || a.store) && !x->mem.is_volatile && is_promotable(type);
    if (a.plain)
        a.place = alias_place(k->f, x);
    vec_push(k->scratch, &k->accesses, a);
}

// False: too many accesses.
static bool collect_accesses(struct promotion *k)
{
    const struct ir_block *end = (const struct ir_block *)k->loop->node.next;
    k->accesses.count = 0;
    k->innermost = true;
    k->first_jump = UINT32_MAX;
    find_test(k);
    for (struct ir_block *b = ir_list_first(&k->loop->body); b != end; b = ir_next_block(b)) {
        bool test = k->head_test && b->node.list == (k->continues_if_true ? &k->head_test->else_list : &k->head_test->then_list);
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

static bool conflicts(const struct access *a, const struct alias_place *place)
{
    return alias_of(&a->place, place) != ALIAS_NONE && !alias_is_checked(&a->place, place);
}

static bool writes(const struct promotion *k, const struct access *a, const struct alias_place *place)
{
    if (a->plain)
        return a->store && conflicts(a, place);
    return alias_may_write(k->f, a->x, place);
}

static bool reads(const struct promotion *k, const struct access *a, const struct alias_place *place)
{
    if (a->plain)
        return !a->store && !opt_is_pure_load(a->x) && conflicts(a, place);
    return alias_may_read(k->f, a->x, place);
}

// ---- loop invariants -----------------------------------------------------------------------------

static bool is_invariant(const struct promotion *k, const struct ir_instr *x, unsigned depth)
{
    stack_check();
    if (!opt_is_inside(&k->loop->node, x))
        return true;
    if (depth == MAX_MOVED || x->op == IR_OP_phi || !ir_has_flag(x, IR_FLAG_P))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!is_invariant(k, opt_resolved(x->src[i]), depth + 1))
            return false;
    return true;
}

static struct ir_block *before_loop(const struct promotion *k) { return (struct ir_block *)k->loop->node.prev; }

// The block for values that the loads before the loop need.
static struct ir_block *block_before_loads(const struct promotion *k)
{
    return (struct ir_block *)(k->front ? &k->front->node : &k->loop->node)->prev;
}

static void move_out(const struct promotion *k, struct ir_instr *x)
{
    stack_check();
    if (!opt_is_inside(&k->loop->node, x))
        return;
    for (uint32_t i = 0; i < x->src_count; i++)
        move_out(k, opt_resolved(x->src[i]));
    opt_move_to_end(block_before_loads(k), x);
}

// ---- conditions ----------------------------------------------------------------------------------

// The value in the first iteration of an instruction in the loop's first block; NULL: it cannot be computed before
// the loop.
static struct ir_instr *value_in_first_iteration(struct promotion *k, struct ir_builder *b, struct ir_instr *x)
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
        if (!(src[i] = value_in_first_iteration(k, b, x->src[i])))
            return NULL;
    return ir_build_like(b, (enum ir_op)x->op, x->type, src, x->src_count, x);
}

static bool head_writes(const struct promotion *k)
{
    for (struct ir_instr *x = ir_list_first(&k->loop->body)->first; x; x = x->next)
        if (ir_has_flag(x, IR_FLAG_W))
            return true;
    return false;
}

static struct ir_instr *negated(struct ir_builder *b, struct ir_instr *x, bool as_is)
{
    return as_is ? x : ir_op1(b, IR_OP_not, x);
}

// Whether the first iteration passes the test at the head, as a value before the loop; NULL: unknown.
static struct ir_instr *first_test(struct promotion *k)
{
    struct ir_builder b = {.module = k->m, .function = k->f, .block = block_before_loads(k)};
    k->budget = MAX_CLONED;
    struct ir_instr *cond = head_writes(k) ? NULL : value_in_first_iteration(k, &b, k->head_test->cond);
    return cond ? negated(&b, cond, k->continues_if_true) : NULL;
}

// The conditions on the path to a block; false: some cannot be part of a guard.
static bool find_guard(const struct promotion *k, const struct ir_block *b, struct guard *g)
{
    const struct ir_block *header = ir_list_first(&k->loop->body);
    *g = (struct guard){.test = k->head_test && b != header};
    if (b->index >= k->first_jump)
        return false;
    for (const struct ir_list *list = b->node.list; list->owner != &k->loop->node; list = list->owner->list) {
        struct ir_if *owner = (struct ir_if *)list->owner;
        if (owner == k->head_test) // in the arm that continues the loop
            continue;
        if (owner->node.kind != IR_IF || g->count == MAX_CHAIN ||
            !is_invariant(k, opt_resolved(owner->cond), 0))
            return false;
        g->ifs[g->count] = owner;
        g->sides[g->count++] = list == &owner->then_list;
    }
    return true;
}

static bool has_condition(const struct promotion *k, const struct ir_block *b, const struct ir_if *condition, bool side)
{
    for (const struct ir_list *list = b->node.list; list->owner != &k->loop->node; list = list->owner->list) {
        const struct ir_if *owner = (const struct ir_if *)list->owner;
        if (owner->node.kind == IR_IF && opt_resolved(owner->cond) == opt_resolved(condition->cond) &&
            (list == &owner->then_list) == side)
            return true;
    }
    return false;
}

// Whether the block is reached only if the guard is true.
static bool is_guarded_by(const struct promotion *k, const struct guard *g, const struct ir_block *b)
{
    bool under = !g->test || b != ir_list_first(&k->loop->body);
    for (unsigned i = 0; i < g->count && under; i++)
        under = has_condition(k, b, g->ifs[i], g->sides[i]);
    return under;
}

// The guard evaluated before the loop; NULL: not possible.
static struct ir_instr *guard_value(struct promotion *k, const struct guard *g)
{
    struct ir_instr *all = ir_const_int(k->m, ir_bool(), 1);
    if (g->test && !(all = first_test(k)))
        return NULL;
    for (unsigned i = 0; i < g->count; i++) {
        struct ir_instr *cond = opt_resolved(g->ifs[i]->cond);
        move_out(k, cond);
        struct ir_builder b = {.module = k->m, .function = k->f, .block = block_before_loads(k)};
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

// NULL: not possible.
static struct hoisted_guard *hoisted_guard(struct promotion *k, const struct guard *g)
{
    for (uint32_t i = 0; i < k->guard_count; i++)
        if (same_guard(&k->guards[i].guard, g))
            return k->guards[i].value ? &k->guards[i] : NULL;
    if (k->guard_count == MAX_GUARDS)
        return NULL;
    struct hoisted_guard *a = &k->guards[k->guard_count++];
    *a = (struct hoisted_guard){.guard = *g, .value = guard_value(k, g)};
    return a->value ? a : NULL;
}

// ---- one location --------------------------------------------------------------------------------

struct candidate {
    uint32_t number;
    const struct access *one;
    struct ir_type type;
    bool stored, loaded;
    bool read; // by other accesses: each store is also done in memory
    struct guard loads, stores; // the conditions of an access that dominates all others, if some load; the same for stores
    bool has_store_guard;            // there is such a store
    struct ir_var *var, *flag;
};

static struct ir_type type_of(const struct access *a) { return a->store ? a->x->src[1]->type : a->x->type; }

static bool is_certain(const struct ir_instr *x) { return ir_is_const(x) && x->lanes[0]; }

// Collects the accesses of the location; false: something else writes to it.
static bool gather(struct promotion *k, struct candidate *p)
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

// Finds the guard of one of the accesses that holds for all others too.
static bool choose_guard(const struct promotion *k, const struct candidate *p, bool stores, struct guard *best)
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
            found = is_guarded_by(k, best, a->x->block);
    }
    return found;
}

static bool pays(const struct promotion *k, const struct candidate *p)
{
    if (p->stored)
        return p->loaded || !p->read;
    return k->innermost && !p->loads.count && k->read_bytes + ir_type_bytes(p->type) <= k->read_limit;
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

static struct ir_mem plain_mem(const struct candidate *p)
{
    struct ir_mem mem = p->one->x->mem;
    mem.readonly = !p->stored && mem.readonly;
    return mem;
}

// The loads before the loop are in one if per guard; what they need is computed before the first of these. A variable
// that may remain without a value is undefined (nothing then accesses it), so that loops around this one do not carry
// the value of their last iteration.
static void enter_loop(struct promotion *k, const struct candidate *p, struct ir_instr *address, struct hoisted_guard *a)
{
    struct ir_builder b = {.module = k->m, .function = k->f, .block = block_before_loads(k)};
    if (p->flag)
        set(&b, p->flag, ir_const_int(k->m, ir_int(32), 0));
    if (!p->loaded || !is_certain(a->value))
        set(&b, p->var, ir_undef(k->m, p->type));
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

// After the loop, before an instruction: an if inserted before that instruction keeps it in the block that phis
// further down refer to.
static struct ir_builder after_loop(const struct promotion *k, const struct candidate *p)
{
    struct ir_builder b = {.module = k->m, .function = k->f};
    ir_place_after_phis(&b, (struct ir_block *)k->loop->node.next);
    if (!b.before)
        ir_place_before(&b, get(&b, p->var, p->type));
    return b;
}

// `a` NULL: decided by the flag.
static void leave_loop(const struct promotion *k, const struct candidate *p, struct ir_instr *address, struct hoisted_guard *a)
{
    struct ir_builder b = after_loop(k, p);
    if (a && !is_certain(a->value)) {
        a->left = a->left ? a->left : ir_add_if(&b, a->value);
        ir_place_end(&b, &a->left->then_list);
    } else if (!a) {
        struct ir_instr *zero = ir_const_int(k->m, ir_int(32), 0);
        ir_place_end(&b, &ir_add_if(&b, ir_op2(&b, IR_OP_ine, get(&b, p->flag, ir_int(32)), zero))->then_list);
    }
    ir_store(&b, address, get(&b, p->var, p->type), plain_mem(p));
}

static void use_variable(const struct promotion *k, const struct candidate *p)
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

static struct ir_var *new_variable(const struct promotion *k, struct ir_type type)
{
    struct ir_var *var = ir_var_add(k->m, k->f, "kept", IR_PRIVATE, ir_elem_bytes(type), type.bits / 8u);
    var->id = 1;
    return var;
}

static void rely_on_checks(const struct promotion *k, const struct candidate *p)
{
    for (size_t i = 0; i < k->accesses.count; i++) {
        const struct access *a = &k->accesses.items[i];
        bool matters = a->plain && a->chosen != p->number && (a->store || (p->stored && !opt_is_pure_load(a->x)));
        if (matters && alias_of(&a->place, &p->one->place) == ALIAS_MAY)
            alias_rely(&a->place, &p->one->place);
    }
}

static void promote(struct promotion *k, struct candidate *p)
{
    struct ir_instr *address = opt_resolved(p->one->x->src[0]);
    struct hoisted_guard *load_if = p->loaded ? hoisted_guard(k, &p->loads) : NULL;
    struct hoisted_guard *store_if = p->has_store_guard ? hoisted_guard(k, &p->stores) : NULL;
    if (p->loaded && !load_if)
        return;
    rely_on_checks(k, p);
    move_out(k, address);
    p->var = new_variable(k, p->type);
    p->flag = p->stored && !p->read && !store_if ? new_variable(k, ir_int(32)) : NULL;
    enter_loop(k, p, address, load_if);
    use_variable(k, p);
    if (p->stored && !p->read)
        leave_loop(k, p, address, store_if);
    k->read_bytes += p->stored ? 0 : ir_type_bytes(p->type);
    k->promoted++;
    k->changed = true;
}

static void drop(struct promotion *k, uint32_t number)
{
    for (size_t i = 0; i < k->accesses.count; i++)
        if (k->accesses.items[i].chosen == number)
            k->accesses.items[i].chosen = number | 1u << 31; // rejected
}

static void consider(struct promotion *k, size_t i)
{
    struct candidate p = {.number = (uint32_t)i + 1, .one = &k->accesses.items[i]};
    if (!p.one->plain || p.one->chosen || !is_invariant(k, opt_resolved(p.one->x->src[0]), 0))
        return;
    bool can_promote = gather(k, &p) && (!p.loaded || choose_guard(k, &p, false, &p.loads));
    p.has_store_guard = can_promote && p.stored && !p.read && choose_guard(k, &p, true, &p.stores);
    if (can_promote && pays(k, &p))
        promote(k, &p);
    else
        drop(k, p.number);
}

// ---- loops ---------------------------------------------------------------------------------------

static void visit(struct promotion *k, struct ir_loop *loop, uint32_t room)
{
    bool changed = k->changed;
    k->loop = loop;
    k->front = NULL;
    k->changed = false;
    k->guard_count = k->promoted = k->read_bytes = 0;
    k->read_limit = room < MAX_READ_BYTES ? room : MAX_READ_BYTES;
    if (collect_accesses(k))
        for (size_t i = 0; i < k->accesses.count && k->promoted < MAX_PLACES; i++)
            consider(k, i);
    if (k->changed) {
        ir_resolve(k->f);
        ir_number_blocks(k->f);
    }
    k->changed |= changed;
}

// The bytes of registers that remain in each loop; NULL: not limited.
static const uint32_t *rooms_of(struct pass_context *context, struct ir_function *f, const struct opt_nodes *nodes)
{
    const uint32_t registers = context->target ? context->target->register_bytes : 0;
    if (!registers || !nodes->count)
        return NULL;
    struct pressure pressure = pressure_of(f, context->scratch);
    uint32_t *rooms = ARENA_ARRAY(context->scratch, uint32_t, nodes->count);
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->items[i]->kind == IR_LOOP)
            rooms[i] = pressure_room(&pressure, (const struct ir_loop *)nodes->items[i], context->target);
    return rooms;
}

// Requires: phis (after opt_mem2reg). Keeps: values. Removes: nothing; leaves variables to opt_mem2reg.
bool opt_promote(struct pass_context *context, struct ir_function *f)
{
    struct promotion k = {.m = context->module, .f = f, .scratch = context->scratch};
    struct opt_nodes nodes = opt_nodes(f, k.scratch);
    for (size_t i = 0; i < f->vars.count; i++)
        f->vars.items[i]->id = 0;
    const uint32_t *rooms = rooms_of(context, f, &nodes);
    ir_number_blocks(f);
    for (size_t i = nodes.count; i-- > 0;)
        if (nodes.items[i]->kind == IR_LOOP && !opt_runs_once((struct ir_loop *)nodes.items[i]))
            visit(&k, (struct ir_loop *)nodes.items[i], rooms ? rooms[i] : MAX_READ_BYTES);
    return k.changed;
}
