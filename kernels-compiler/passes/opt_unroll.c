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
    MAX_SIZE_INDEXED_ALONE = 8192, // if the driver unrolls no loops and its compiler is quick, and no large array is kept:
                                   // 256 steps of a hash function
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
    LARGE = 4,          // a large array has at least this part of all registers
    LARGE_ALONE = 512,  // bytes, where the number of registers is not known
    FEW = 16,           // elements: drivers turn variable indices into branches
};

enum { IN_MEMORY = 1, LEFT, IN_REGISTERS }; // an ir_var's id; LEFT: its loops may still be unrolled

struct unroll {
    struct ir_module *m;
    struct ir_function *f;
    struct arena *scratch;
    struct ir_builder b;
    bool keeps_loops, unrolls_loops; // from kc_target
    bool costly_locals;
    bool arrays_fit; // in the registers, by their sizes
    bool keeps_large; // a large array that could become registers keeps values around a loop
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

// Likewise, if some starts lead to one iteration more than others: for (i = get_local_id(0) % 32; i < 16; i += 32).
static bool count_most_trips(const struct unroll *u, struct loop_form *l, uint32_t limit)
{
    struct range_count c;
    if (!l->test || !understand_range(u, l, &c))
        return false;
    l->trips = trips_from(&c, 0, limit);
    return l->trips && l->trips <= limit && trips_from(&c, c.most, limit) == l->trips - 1;
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
        bool counts = owner && owner->kind == IR_LOOP && ir_list_first(&((struct ir_loop *)owner)->body) == x->block &&
                      ((struct ir_loop *)owner)->unroll != IR_UNROLL_NEVER;
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

// Sets var.id of arrays with an index that will not become constant.
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
            var->id = IN_MEMORY;
            if (!--left)
                return;
        }
}

struct accesses {
    uint64_t count; // each loop around an access counts eightfold
    uint32_t widest; // bytes
};

static struct accesses accesses_of(const struct unroll *u, const struct ir_var *var)
{
    enum { MAX_LEVELS = 10, LEVEL = 3 };
    struct accesses all = {0};
    for (struct ir_block *b = ir_first_block(u->f); b; b = ir_next_block(b)) {
        unsigned levels = 0;
        for (const struct ir_list *list = b->node.list; list->owner && levels < MAX_LEVELS; list = list->owner->list)
            levels += list->owner->kind == IR_LOOP;
        for (struct ir_instr *x = b->first; x; x = x->next) {
            bool access = x->op == IR_OP_load || x->op == IR_OP_store;
            if (!access || x->src[0]->op != IR_OP_ptr_index || indexed_variable(x->src[0]) != var)
                continue;
            const uint32_t bytes = ir_type_bytes(x->op == IR_OP_load ? x->type : x->src[1]->type);
            all.count += UINT64_C(1) << levels * LEVEL;
            all.widest = bytes > all.widest ? bytes : all.widest;
        }
    }
    return all;
}

struct room {
    uint32_t bytes;    // of registers
    uint32_t elements; // arrays of at most these become registers
};

static bool is_large(const struct unroll *u, const struct ir_var *var, const struct room *room)
{
    return var->size >= room->bytes / LARGE && (!room->elements || var->size / room->elements > accesses_of(u, var).widest);
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

enum indexed { NOTHING, TABLE, PRIVATE };

// What `x` indexes by a value that varies between iterations: an array that could become registers, or a table of constants.
static enum indexed what_is_indexed(const struct unroll *u, const struct ir_instr *x)
{
    if (x->op != IR_OP_ptr_index || x->src_count < 2 || !x->src[1]->mark)
        return NOTHING;
    const struct ir_var *var = indexed_variable(x);
    unsigned steps = MAX_INDEX;
    if (x->type.space == IR_PRIVATE)
        return var && (var->id == IN_MEMORY || var->id == LEFT) ? NOTHING : PRIVATE;
    bool is_table = u->unrolls_loops && var && var->space == IR_CONSTANT && var->init;
    return is_table && becomes_constant(u, x->src[1], NULL, &steps) ? TABLE : NOTHING;
}

// `leave`: leaves the arrays that could become registers in memory.
static enum indexed loop_indexes(const struct unroll *u, const struct ir_loop *loop, bool leave)
{
    const struct ir_block *header = ir_list_first(&loop->body), *end = (const struct ir_block *)loop->node.next;
    enum indexed most = NOTHING;
    for (struct ir_block *b = ir_list_first(&loop->body); b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            x->mark = (b == header && x->op == IR_OP_phi) || varies(x);
            enum indexed here = what_is_indexed(u, x);
            most = here > most ? here : most;
            if (leave && here == PRIVATE && indexed_variable(x))
                indexed_variable(x)->id = LEFT;
        }
    for (struct ir_block *b = ir_list_first(&loop->body); b && b != end; b = ir_next_block(b))
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

static bool keeps_large(struct unroll *u, const struct opt_nodes *nodes)
{
    for (size_t i = 0; i < u->f->vars.count; i++) {
        const struct ir_var *var = u->f->vars.items[i];
        if (!var->in_module && var->id != IN_MEMORY && var->size > LARGE_ALONE && is_kept(u, nodes, var))
            return true;
    }
    return false;
}

static bool runs_once(struct unroll *u, struct ir_loop *loop)
{
    struct loop_form l;
    return loop_understand(&l, loop) && (count_trips(u, &l, 1) || count_trips_of_range(u, &l, 1));
}

// Whether x depends on a counter of the loop.
static bool is_counted_by(const struct ir_instr *x, const struct ir_loop *loop, unsigned *steps)
{
    stack_check();
    if (opt_is_floating(x) || !*steps)
        return false;
    --*steps;
    const struct ir_node *owner = x->block->node.list->owner;
    if (x->op == IR_OP_phi && x->block == ir_list_first(&loop->body))
        return true;
    for (uint32_t i = 0; i < x->src_count; i++) {
        const struct ir_instr *of = opt_resolved(x->src[i]);
        bool is_next = x->op == IR_OP_phi && owner && !opt_is_floating(of) && opt_is_inside(owner, of);
        if (!is_next && is_counted_by(of, loop, steps))
            return true;
    }
    return false;
}

// Whether an index of the address depends on a counter of the loop.
static bool is_indexed_by(const struct ir_instr *address, const struct ir_loop *loop)
{
    for (; address->op == IR_OP_ptr_index || address->op == IR_OP_ptr_cast; address = opt_resolved(address->src[0])) {
        unsigned steps = MAX_INDEX;
        if (address->op == IR_OP_ptr_index && address->src_count > 1 && is_counted_by(opt_resolved(address->src[1]), loop, &steps))
            return true;
    }
    return false;
}

// The loop that stays one so that the address is variable: if possible, one that does not index other arrays.
static struct ir_loop *loop_of_access(struct unroll *u, const struct ir_instr *x)
{
    struct ir_loop *first = NULL;
    for (struct ir_node *node = x->block->node.list->owner; node; node = node->list->owner) {
        struct ir_loop *loop = (struct ir_loop *)node;
        if (node->kind != IR_LOOP || !is_indexed_by(opt_resolved(x->src[0]), loop) || runs_once(u, loop))
            continue;
        if (loop->unroll == IR_UNROLL_NEVER || loop_indexes(u, loop, false) != PRIVATE)
            return loop;
        first = first ? first : loop;
    }
    return first;
}

// Leaves the array in memory, and others that the loops that stay for it index. Returns whether there are others.
static bool leave(struct unroll *u, struct ir_var *var)
{
    bool others = false, any = false;
    var->id = IN_MEMORY;
    for (struct ir_block *b = ir_first_block(u->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            bool access = x->op == IR_OP_load || x->op == IR_OP_store;
            struct ir_loop *loop = access && indexed_variable(opt_resolved(x->src[0])) == var ? loop_of_access(u, x) : NULL;
            any |= loop != NULL;
            if (!loop || loop->unroll == IR_UNROLL_NEVER)
                continue;
            loop->unroll = IR_UNROLL_NEVER;
            others |= loop_indexes(u, loop, true) == PRIVATE;
        }
    var->id = any ? IN_MEMORY : IN_REGISTERS;
    return others;
}

static void leave_all(struct unroll *u, struct ir_var *var)
{
    const struct ir_function *f = u->f;
    for (bool others = leave(u, var); others;) {
        others = false;
        for (size_t i = 0; i < f->vars.count; i++)
            if (f->vars.items[i]->id == LEFT)
                others |= leave(u, f->vars.items[i]);
    }
}

// Of the large arrays that would occupy all registers, the one that is accessed least.
static struct ir_var *least_accessed(struct unroll *u, const struct opt_nodes *nodes, const struct room *room)
{
    struct ir_function *f = u->f;
    struct ir_var *least = NULL;
    uint64_t bytes = 0, fewest = UINT64_MAX;
    for (size_t i = 0; i < f->vars.count; i++) {
        struct ir_var *var = f->vars.items[i];
        if (var->in_module || var->id == IN_MEMORY || !is_large(u, var, room) || !is_kept(u, nodes, var))
            continue;
        bytes += var->size;
        uint64_t accesses = accesses_of(u, var).count;
        if (accesses < fewest && !var->id) {
            fewest = accesses;
            least = var;
        }
    }
    return bytes >= room->bytes ? least : NULL;
}

// If large arrays would occupy all registers, nothing is left for other values, and drivers spill. Those that are
// accessed least stay in memory, with a variable index.
static void leave_in_memory(struct unroll *u, const struct opt_nodes *nodes, const struct room *room)
{
    struct ir_var *var;
    while (u->f->array_bytes >= room->bytes && (var = least_accessed(u, nodes, room)))
        leave_all(u, var);
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
static uint32_t room_alone(const struct unroll *u, bool asked, enum indexed indexed)
{
    const uint32_t room = u->keeps_loops || u->keeps_large ? MAX_SIZE_INDEXED : MAX_SIZE_INDEXED_ALONE;
    return asked ? MAX_SIZE_ASKED : indexed == PRIVATE ? room : MAX_SIZE;
}

// Copies of inner loops take the compiler of a CPU device long, and save little.
static bool has_loops(const struct ir_loop *loop)
{
    const struct ir_block *end = (const struct ir_block *)loop->node.next;
    for (const struct ir_block *b = ir_list_first(&loop->body); b && b != end; b = ir_next_block(b))
        if (b->node.next && b->node.next->kind == IR_LOOP)
            return true;
    return false;
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
    enum indexed indexed = l.size <= MAX_SIZE_INDEXED ? loop_indexes(u, loop, false) : NOTHING;
    uint32_t room = u->unrolls_loops ? room_beside_driver(u, asked, indexed) : room_alone(u, asked, indexed);
    if (u->keeps_loops && !asked && has_loops(loop))
        room = MAX_SIZE;
    uint32_t limit = room / (l.size ? l.size : 1);
    if (limit > MAX_TRIPS)
        limit = MAX_TRIPS;
    const uint32_t locals = u->costly_locals ? local_blocks(&l) : 0;
    if (locals && limit > MAX_LOCAL / locals)
        limit = MAX_LOCAL / locals;
    if (!limit)
        limit = 1;
    uint32_t wide = asked || indexed ? 0 : wide_bytes(&l);
    bool counted = limit && (count_trips(u, &l, limit) || count_trips_of_range(u, &l, limit));
    bool tested = !counted && u->unrolls_loops && count_most_trips(u, &l, limit);
    if ((counted || tested) && wide * l.trips <= MAX_WIDE && may_grow(u, &l, asked)) {
        if (tested)
            loop_write_out_last_tested(u->f, &l, u->scratch);
        else
            loop_write_out(u->f, &l, u->scratch);
        u->changed = true;
    } else if (wide) {
        loop->unroll = IR_UNROLL_NEVER;
    }
}

// The sub-group size for which drivers compile the kernel; 0: it is their choice.
static uint32_t lanes_of(const struct kc_kernel *info, const struct kc_target *target)
{
    if (info->reqd_sub_group_size)
        return info->reqd_sub_group_size;
    if (info->uses_subgroups)
        return target->subgroup_size;
    return info->lockstep ? KC_LOCKSTEP : 0;
}

// Bytes of registers that a work-item has.
static uint32_t registers_of(const struct unroll *u)
{
    const struct kc_target *target = u->m->target;
    const struct ir_kernel *kernel = push_kernel(u->m);
    const uint32_t most = target->most_register_bytes;
    const uint32_t lanes = kernel ? lanes_of(&kernel->info, target) : 0;
    if (!lanes || target->register_bytes == most)
        return most;
    const uint32_t registers = target->register_bytes * target->subgroup_size / lanes;
    return registers < most ? registers : most;
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
    const struct room room = {u.unrolls_loops ? context->target->most_register_bytes : 0, 0};
    const struct room own = {room.bytes ? registers_of(&u) : 0, FEW};
    u.keeps_large = !u.keeps_loops && !u.unrolls_loops && keeps_large(&u, &nodes);
    u.arrays_fit = room.bytes && arrays_fit(&u, room.bytes);
    if (room.bytes)
        leave_in_memory(&u, &nodes, &room);
    if (own.bytes < room.bytes)
        leave_in_memory(&u, &nodes, &own);
    for (size_t i = nodes.count; i-- > 0;)
        if (nodes.items[i]->kind == IR_LOOP)
            visit(&u, (struct ir_loop *)nodes.items[i]);
    if (u.changed)
        ir_resolve(f);
    return u.changed;
}
