// SPDX-License-Identifier: Apache-2.0
// Fully unrolls loops with a small constant trip count, so that indices become constant and private arrays become
// registers.
//
// The only exit of the loop must be one test of values that can be computed at compile time: at its head (`for`,
// `while`) or at its end (`do`). The trip count is found by evaluating the test repeatedly, whatever it consists of, or
// from the range of the counter's first value.
// For other trip counts see opt_unroll_some.c.
//
// Unrolling nested loops multiplies their code. Unrolling that the source does not ask for, to promote a private
// array, is done if it makes all indices of the array constant, within a budget per function.
#include "passes/push.h"
#include "passes/rounds.h"
#include "util/stack.h"

enum {
    MAX_TRIPS = 1024,
    MAX_SIZE = 256,
    MAX_SIZE_LEFT = 64, // if the driver unrolls loops itself
    MAX_SIZE_TABLE = 1024, // likewise, if elements of tables become constants, which the driver cannot see
    MAX_SIZE_INDEXED = 4096,
    MAX_SIZE_ASKED = 8192,
    MAX_SIZE_ASKED_LEFT = 512, // likewise, unless its arrays fit in the registers: the module says so, and the driver
                               // knows how many registers it has
    MAX_EVAL = 64,
    WIDE = 64,      // bytes of a vector that is loaded in four parts
    MAX_WIDE = 512, // bytes of consecutive such loads
    MAX_LOCAL = 640, // blocks of accesses to local memory, where the driver makes many of each
    MAX_GROWTH = 16384, // instructions per function, from unrolling that the source does not ask for
    MAX_INDEX = 32,     // depth to which an index is traced
    ONE_VALUE = 16,     // bytes of a variable that is hardly an array
    LEFT_IN_MEMORY = 2, // an ir_var's id
    LARGE = 4,          // a large array has at least this part of all registers
};

struct unroll {
    struct ir_module *m;
    struct ir_function *f;
    struct arena *scratch;
    struct ir_builder b;
    bool keeps_loops, unrolls_loops; // from kc_target
    bool costly_locals;
    bool arrays_fit; // in the registers, by their sizes
    bool changed;
};

// ---- trip counts --------------------------------------------------------------------------------

struct eval {
    struct unroll *u;
    struct map values; // phi -> constant
    unsigned steps;
};

static struct ir_instr *eval(struct eval *e, struct ir_instr *x, unsigned depth)
{
    stack_check();
    struct ir_instr *src[4], *known;
    if (opt_is_floating(x))
        return ir_is_const(x) ? x : NULL;
    if ((known = map_get(&e->values, x)))
        return known;
    if (x->op == IR_OP_phi || !ir_has_flag(x, IR_FLAG_P) || !x->src_count || x->src_count > 4 ||
        depth > 8 || ++e->steps > MAX_EVAL)
        return NULL;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!(src[i] = eval(e, x->src[i], depth + 1)))
            return NULL;
    struct ir_builder folder = {.module = e->u->m, .function = e->u->f, .dead = true};
    struct ir_instr *result = ir_fold(&folder, x->op, x->type, src, x->src_count, x);
    return result && ir_is_const(result) ? result : NULL;
}

// Finds the phis that the test depends on, also through the next values of other phis.
static bool needed_phis(struct unroll *u, const struct loop_form *l, struct ir_instr *x,
                        struct map *seen, unsigned *steps)
{
    stack_check();
    if (opt_is_floating(x))
        return ir_is_const(x);
    if (map_get(seen, x))
        return true;
    if (++*steps > MAX_EVAL)
        return false;
    map_set(u->scratch, seen, x, x);
    if (x->op == IR_OP_phi) {
        struct ir_instr *next = opt_phi_source(x, l->cont_last),
                        *first = opt_phi_source(x, l->before);
        return x->block == l->header && first && next && ir_is_const(first) &&
               needed_phis(u, l, next, seen, steps);
    }
    if (!ir_has_flag(x, IR_FLAG_P) || !x->src_count)
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!needed_phis(u, l, x->src[i], seen, steps))
            return false;
    return true;
}

struct counter {
    struct ir_instr *phi, *value, *next;
};

static uint32_t collect_counters(struct unroll *u, const struct loop_form *l, struct map *seen,
                                 struct counter *out, uint32_t room)
{
    uint32_t count = 0;
    (void)u;
    for (struct ir_instr *x = l->header->first; x && x->op == IR_OP_phi; x = x->next)
        if (map_get(seen, x)) {
            if (count == room)
                return 0;
            out[count++] =
                (struct counter){x, opt_phi_source(x, l->before), opt_phi_source(x, l->cont_last)};
        }
    return count;
}

// The number of times that the part of the body after the test is executed; false: not known to be at most `limit`.
static bool count_trips(struct unroll *u, struct loop_form *l, uint32_t limit)
{
    struct ir_instr *cond = l->test ? l->test->cond : l->loop->cond;
    struct map seen = {0};
    struct counter counters[8];
    unsigned steps = 0;
    if (!needed_phis(u, l, cond, &seen, &steps))
        return false;
    uint32_t count = collect_counters(u, l, &seen, counters, 8);
    struct eval e = {.u = u};
    for (l->trips = 0; l->trips <= limit; l->trips++) {
        for (uint32_t i = 0; i < count; i++)
            map_set(u->scratch, &e.values, counters[i].phi, counters[i].value);
        e.steps = 0;
        struct ir_instr *go = eval(&e, cond, 0);
        if (!go)
            return false;
        bool continues = l->test ? (go->lanes[0] != 0) != l->leaves_if_true : go->lanes[0] != 0;
        if (!continues) {
            l->trips += !l->test;
            return l->trips <= limit;
        }
        for (uint32_t i = 0; i < count; i++)
            if (!(counters[i].value = (e.steps = 0, eval(&e, counters[i].next, 0))))
                return false;
        if (!count)
            return false;
    }
    return false;
}

// The largest value of an unsigned integer before the loop, in lane 0.
static uint64_t start_max(const struct unroll *u, const struct ir_instr *x)
{
    const struct ir_instr *id = x;
    while (id->op == IR_OP_zext || id->op == IR_OP_trunc)
        id = id->src[0];
    uint32_t size = id->op == IR_OP_sys && id->sys == IR_SYS_VK_LOCAL_INVOCATION ? push_kernel(u->m)->info.reqd_local_size[id->dim] : 0;
    uint64_t max = opt_max(u->m->target, x);
    return size && size - 1 < max ? size - 1 : max;
}

struct range_count { // a counter that grows by a constant from a value between 0 and `most` until a test fails
    const struct loop_form *l;
    enum ir_op op;
    bool bound_first, stepped; // the test is of the counter's next value
    uint64_t bound, step, most, greatest; // greatest: of the type, as a signed integer
};

static bool continues_at(const struct range_count *c, uint64_t value)
{
    uint64_t a = c->bound_first ? c->bound : value, b = c->bound_first ? value : c->bound;
    bool true_there = c->op == IR_OP_slt || c->op == IR_OP_ult ? a < b : a <= b;
    return c->l->test ? true_there != c->l->leaves_if_true : true_there;
}

// More than `limit`: not known.
static uint32_t trips_from(const struct range_count *c, uint64_t value, uint32_t limit)
{
    for (uint32_t trips = 0; trips <= limit && value <= c->greatest - c->step; trips++, value += c->step)
        if (!continues_at(c, c->stepped ? value + c->step : value))
            return trips + !c->l->test;
    return limit + 1;
}

static bool understand_range(const struct unroll *u, const struct loop_form *l, struct range_count *c)
{
    const struct ir_instr *cond = l->test ? l->test->cond : l->loop->cond;
    *c = (struct range_count){.l = l, .op = cond->op};
    if ((c->op != IR_OP_slt && c->op != IR_OP_sle && c->op != IR_OP_ult && c->op != IR_OP_ule) || cond->type.lanes != 1)
        return false;
    c->bound_first = ir_is_const(cond->src[0]);
    const struct ir_instr *bound = cond->src[!c->bound_first], *counter = cond->src[c->bound_first];
    c->stepped = counter->op == IR_OP_iadd;
    const struct ir_instr *phi = c->stepped ? counter->src[0] : counter;
    if (!ir_is_const(bound) || phi->op != IR_OP_phi || phi->block != l->header || phi->type.base != IR_INT)
        return false;
    const struct ir_instr *first = opt_phi_source(phi, l->before), *next = opt_phi_source(phi, l->cont_last);
    if (!first || !next || next->op != IR_OP_iadd || next->src[0] != phi || !ir_is_const(next->src[1]) || (c->stepped && counter != next))
        return false;
    c->greatest = (UINT64_C(1) << (phi->type.bits - 1)) - 1;
    c->bound = bound->lanes[0];
    c->step = next->src[1]->lanes[0];
    c->most = start_max(u, first);
    return c->step && c->step < c->greatest && c->most <= c->greatest && c->bound <= c->greatest;
}

// for (i = get_local_id(0) % 32; i < 128; i += 32): the later a loop starts, the fewer trips it makes; if it makes as
// many from the smallest and from the greatest value, it makes as many from all.
static bool count_trips_of_range(const struct unroll *u, struct loop_form *l, uint32_t limit)
{
    struct range_count c;
    if (!understand_range(u, l, &c))
        return false;
    l->trips = trips_from(&c, 0, limit);
    return l->trips <= limit && trips_from(&c, c.most, limit) == l->trips;
}

// ---- profitability ------------------------------------------------------------------------------

static bool varies(const struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        if (x->src[i] && x->src[i]->mark)
            return true;
    return false;
}

static bool becomes_constant(const struct unroll *u, const struct ir_instr *x, const struct ir_block *header, unsigned *steps);

// Whether the inner loop can be unrolled too: not if its trip count depends on data. Unrolling around a loop that
// remains is a loss (an insertion sort: 1.3 times slower on lavapipe, 12 times the instructions on Intel's GPUs). The
// exception is NVIDIA's driver, for which this is not checked: there it is no loss.
static bool may_be_counted(const struct unroll *u, struct ir_loop *loop, unsigned *steps)
{
    stack_check();
    struct loop_form l;
    if (!u->keeps_loops && !u->unrolls_loops)
        return true;
    return loop_understand(&l, loop) &&
           becomes_constant(u, opt_resolved(l.test ? l.test->cond : loop->cond), l.header, steps);
}

// Whether the index becomes constant by unrolling. `steps`: limits the number of instructions examined.
static bool becomes_constant(const struct unroll *u, const struct ir_instr *x, const struct ir_block *header, unsigned *steps)
{
    stack_check();
    if (ir_is_const(x))
        return true;
    if (opt_is_floating(x) || !ir_has_flag(x, IR_FLAG_P) || !*steps || !x->src_count)
        return false;
    --*steps;
    if (x->op == IR_OP_phi) {
        struct ir_node *owner = x->block->node.list->owner;
        bool counts = owner && owner->kind == IR_LOOP && ir_list_first(&((struct ir_loop *)owner)->body) == x->block;
        if (!counts || x->block == header)
            return counts;
        if (!may_be_counted(u, (struct ir_loop *)owner, steps))
            return false;
        header = x->block;
    }
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!becomes_constant(u, opt_resolved(x->src[i]), header, steps))
            return false;
    return true;
}

static struct ir_var *indexed_variable(const struct ir_instr *x)
{
    while (x->op == IR_OP_ptr_index || x->op == IR_OP_ptr_cast)
        x = opt_resolved(x->src[0]);
    return x->op == IR_OP_addr ? x->var : NULL;
}

// Sets var.id to 1 for arrays with an index that will not become constant.
static void find_arrays_in_memory(const struct unroll *u)
{
    struct ir_function *f = u->f;
    size_t left = f->vars.count;
    for (size_t i = 0; i < f->vars.count; i++)
        f->vars.items[i]->id = 0;
    for (struct ir_block *b = left ? ir_first_block(f) : NULL; b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            unsigned steps = MAX_INDEX;
            bool is_indexed = x->op == IR_OP_ptr_index && x->src_count > 1 &&
                              x->type.space == IR_PRIVATE;
            struct ir_var *var = is_indexed ? indexed_variable(x) : NULL;
            if (!var || var->in_module || var->id || becomes_constant(u, x->src[1], NULL, &steps))
                continue;
            var->id = 1;
            if (!--left)
                return;
        }
}

// How often an array is accessed: each loop around an access counts eightfold.
static uint64_t accesses_of(const struct unroll *u, const struct ir_var *var)
{
    enum { MAX_LEVELS = 10, LEVEL = 3 };
    uint64_t count = 0;
    for (struct ir_block *b = ir_first_block(u->f); b; b = ir_next_block(b)) {
        unsigned levels = 0;
        for (const struct ir_list *list = b->node.list; list->owner && levels < MAX_LEVELS; list = list->owner->list)
            levels += list->owner->kind == IR_LOOP;
        for (struct ir_instr *x = b->first; x; x = x->next) {
            bool access = x->op == IR_OP_load || x->op == IR_OP_store;
            if (access && x->src[0]->op == IR_OP_ptr_index && indexed_variable(x->src[0]) == var)
                count += UINT64_C(1) << levels * LEVEL;
        }
    }
    return count;
}

// Whether the arrays that can become registers have been smaller than all registers together.
static bool arrays_fit(const struct unroll *u, uint32_t registers)
{
    struct ir_function *f = u->f;
    uint64_t bytes = 0;
    for (size_t i = 0; i < f->vars.count; i++) {
        const struct ir_var *var = f->vars.items[i];
        bytes += var->in_module || var->id || var->size <= ONE_VALUE ? 0 : var->size;
    }
    if (f->array_bytes < bytes)
        f->array_bytes = bytes;
    return f->array_bytes < registers;
}

enum indexed { NOTHING, TABLE, PRIVATE, LEFT }; // LEFT: an array that stays in memory although it could become registers

// What `x` indexes by a value that varies between iterations: an array that could become registers, or a table of constants.
static enum indexed what_is_indexed(const struct unroll *u, const struct ir_instr *x)
{
    if (x->op != IR_OP_ptr_index || x->src_count < 2 || !x->src[1]->mark)
        return NOTHING;
    const struct ir_var *var = indexed_variable(x);
    unsigned steps = MAX_INDEX;
    if (x->type.space == IR_PRIVATE)
        return var && var->id ? var->id == LEFT_IN_MEMORY ? LEFT : NOTHING : PRIVATE;
    bool is_table = u->unrolls_loops && var && var->space == IR_CONSTANT && var->init;
    return is_table && becomes_constant(u, x->src[1], NULL, &steps) ? TABLE : NOTHING;
}

static enum indexed loop_indexes(const struct unroll *u, const struct loop_form *l)
{
    const struct ir_block *end = (const struct ir_block *)l->loop->node.next;
    enum indexed most = NOTHING;
    for (struct ir_block *b = l->header; b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            x->mark = (b == l->header && x->op == IR_OP_phi) || varies(x);
            enum indexed here = what_is_indexed(u, x);
            most = here > most ? here : most;
        }
    for (struct ir_block *b = l->header; b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            x->mark = 0;
    return most;
}

// A wide vector is loaded in four parts. If many such loads follow one another, drivers load all first parts, then
// all second ones: by then the cache lines are evicted, and bandwidth falls to a third.
static uint32_t wide_bytes(const struct loop_form *l)
{
    const struct ir_block *end = (const struct ir_block *)l->loop->node.next;
    uint32_t bytes = 0;
    for (struct ir_block *b = l->header; b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (x->op == IR_OP_load && ir_type_bytes(x->type) >= WIDE &&
                (x->src[0]->type.space == IR_GLOBAL || x->src[0]->type.space == IR_CONSTANT))
                bytes += ir_type_bytes(x->type);
    return bytes;
}

// Instructions of the functions that the loop calls: most drivers inline all calls.
static uint32_t called_size(const struct loop_form *l)
{
    const struct ir_block *end = (const struct ir_block *)l->loop->node.next;
    uint32_t size = 0;
    for (const struct ir_block *b = l->header; b && b != end; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            size += x->op == IR_OP_call && x->callee->has_body ? x->callee->instr_count : 0;
    return size;
}

// Blocks that the driver makes of accesses to local memory, for each work-item.
static uint32_t local_blocks(const struct loop_form *l)
{
    const struct ir_block *end = (const struct ir_block *)l->loop->node.next;
    uint32_t count = 0;
    for (const struct ir_block *b = l->header; b && b != end; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next) {
            const bool access = x->op == IR_OP_load || x->op == IR_OP_store || x->op == IR_OP_atomic;
            const struct ir_type type = x->op == IR_OP_store ? x->src[1]->type : x->type;
            count += access && x->src[0]->type.base == IR_PTR && x->src[0]->type.space == IR_LOCAL ? 2 + 3 * type.lanes : 0;
        }
    return count;
}

static bool trips_are_known(struct unroll *u, struct ir_loop *loop)
{
    struct loop_form l;
    return loop_understand(&l, loop) && (count_trips(u, &l, MAX_TRIPS) || count_trips_of_range(u, &l, MAX_TRIPS));
}

// Whether an array keeps values around a loop that stays one: some accesses are in it, others are not. Arrays that are
// written and read in the same iteration may vanish when their indices become constant.
static bool is_kept(struct unroll *u, const struct opt_nodes *nodes, const struct ir_var *var)
{
    for (size_t i = 0; i < nodes->count; i++) {
        struct ir_node *node = nodes->items[i];
        uint32_t inside = 0, outside = 0;
        if (node->kind != IR_LOOP || trips_are_known(u, (struct ir_loop *)node))
            continue;
        for (struct ir_block *b = ir_first_block(u->f); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                if (x->op == IR_OP_ptr_index && indexed_variable(x) == var)
                    *(opt_is_inside(node, x) ? &inside : &outside) += 1;
        if (inside && outside)
            return true;
    }
    return false;
}

// If large arrays would occupy all registers, nothing is left for other values, and drivers spill. The one that is
// accessed least stays in memory, with a variable index.
static void leave_in_memory(struct unroll *u, const struct opt_nodes *nodes, uint32_t registers)
{
    struct ir_function *f = u->f;
    struct ir_var *least = NULL;
    uint64_t bytes = 0, fewest = UINT64_MAX;
    if (f->array_bytes < registers)
        return;
    for (size_t i = 0; i < f->vars.count; i++) {
        struct ir_var *var = f->vars.items[i];
        if (var->in_module || var->id || var->size < registers / LARGE || !is_kept(u, nodes, var))
            continue;
        bytes += var->size;
        uint64_t accesses = accesses_of(u, var);
        if (accesses < fewest) {
            fewest = accesses;
            least = var;
        }
    }
    if (least && bytes >= registers)
        least->id = LEFT_IN_MEMORY;
}

static bool may_grow(struct unroll *u, const struct loop_form *l, bool asked)
{
    uint32_t growth = asked || l->trips < 2 ? 0 : l->size * (l->trips - 1);
    if (u->f->unrolled + growth > MAX_GROWTH)
        return false;
    u->f->unrolled += growth;
    return true;
}

// Instructions of the unrolled iterations.
static uint32_t room_alone(bool asked, enum indexed indexed)
{
    return asked ? MAX_SIZE_ASKED : indexed == PRIVATE ? MAX_SIZE_INDEXED : MAX_SIZE;
}

static uint32_t room_beside_driver(const struct unroll *u, bool asked, enum indexed indexed)
{
    const bool left = asked && !(indexed == PRIVATE && u->arrays_fit);
    uint32_t room = left ? MAX_SIZE_ASKED_LEFT : indexed == PRIVATE ? MAX_SIZE_INDEXED : MAX_SIZE_LEFT;
    return indexed == TABLE && room < MAX_SIZE_TABLE ? MAX_SIZE_TABLE : room;
}

static void visit(struct unroll *u, struct ir_loop *loop)
{
    struct loop_form l;
    if (u->changed)
        ir_resolve_inside(&loop->node); // clones must use the new values of inner loops
    if (loop->unroll == IR_UNROLL_NEVER || !loop_understand(&l, loop))
        return;
    l.size = opt_list_size(&loop->body) + opt_list_size(&loop->cont);
    bool asked = loop->unroll == IR_UNROLL_FULL || loop->unroll > 1;
    l.size += asked ? 0 : called_size(&l);
    enum indexed indexed = l.size <= MAX_SIZE_INDEXED ? loop_indexes(u, &l) : NOTHING;
    if (indexed == LEFT) {
        loop->unroll = IR_UNROLL_NEVER;
        return;
    }
    uint32_t room = u->unrolls_loops ? room_beside_driver(u, asked, indexed) : room_alone(asked, indexed);
    uint32_t limit = room / (l.size ? l.size : 1);
    if (limit > MAX_TRIPS)
        limit = MAX_TRIPS;
    const uint32_t locals = u->costly_locals ? local_blocks(&l) : 0;
    if (locals && limit > MAX_LOCAL / locals)
        limit = MAX_LOCAL / locals;
    uint32_t wide = asked || indexed ? 0 : wide_bytes(&l);
    bool counted = limit && (count_trips(u, &l, limit) || count_trips_of_range(u, &l, limit));
    if (counted && wide * l.trips <= MAX_WIDE && may_grow(u, &l, asked)) {
        loop_write_out(u->f, &l, u->scratch);
        u->changed = true;
    } else if (wide) {
        loop->unroll = IR_UNROLL_NEVER;
    }
}

// Requires: phis (after opt_mem2reg). Keeps: values. Removes: loops.
bool opt_unroll(struct pass_context *context, struct ir_function *f)
{
    struct unroll u = {.m = context->module, .f = f, .scratch = context->scratch,
                       .keeps_loops = context->target && context->target->keeps_loops,
                       .unrolls_loops = context->target && context->target->unrolls_loops,
                       .costly_locals = context->target && context->target->cost.local_ns};
    struct opt_nodes nodes = opt_nodes(f, u.scratch);
    find_arrays_in_memory(&u);
    u.arrays_fit = u.unrolls_loops && arrays_fit(&u, context->target->most_register_bytes);
    if (u.unrolls_loops && context->target->most_register_bytes)
        leave_in_memory(&u, &nodes, context->target->most_register_bytes);
    for (size_t i = nodes.count; i-- > 0;)
        if (nodes.items[i]->kind == IR_LOOP)
            visit(&u, (struct ir_loop *)nodes.items[i]);
    if (u.changed)
        ir_resolve(f);
    return u.changed;
}
