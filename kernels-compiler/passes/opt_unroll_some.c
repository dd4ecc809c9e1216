// SPDX-License-Identifier: Apache-2.0
// Partial unrolling: a loop of unknown trip count gets another loop in front that executes several iterations per
// test, as long as enough iterations are left; the original loop does the remainder.
//
//   loop { if i >= n break; X(i) } continue { i += 1 }     ->
//   last = max(n, INT_MIN + 3) - 3
//   loop { if i >= last break; X(i); X(i + 1); X(i + 2); X(i + 3) } continue { i += 4 }
//   loop { if i >= n break; X(i) } continue { i += 1 }
//
// The test of the unrolled loop is exact for every counter and bound: if n - 3 would wrap, nothing is less than
// `last`; else i < n - 3 implies that i + 1, i + 2 and i + 3 neither wrap nor reach n. For a loop that ends when the
// counter equals its bound, the trip count is computed before the loop. A step that is loop-invariant need not be
// constant: if it is zero, negative or too large, nothing is less than `last`.
//
// A loop with barriers, which drivers leave as they are, must have the same trip count for all work-items of a group.
//
// Done if the source asks for it and, on targets that gain (kc_target.unroll_room), for small innermost loops; those
// with a small constant trip count are unrolled fully. Loops of constant trip count are left to drivers that unroll
// themselves (kc_target.unrolls_loops).
#include "passes/rounds.h"
#include "util/stack.h"

enum {
    MAX_SIZE_ASKED = 8192, // instructions of the unrolled iterations
    MAX_FACTOR_ASKED = 64,
    FACTOR = 8, // drivers unroll by four themselves,
    FACTOR_OF_ANY = 4, // ... but not if the step is not constant,
    FACTOR_OF_LARGE = 4, // ... nor larger loops (by LARGE_ROOM), where the test matters little but latencies can overlap
    LARGE_ROOM = 4,
    WAITING_ROOM = 2, // ... by this with barriers
    FACTOR_OF_SMALL = 16, // ... and more of small ones that load; a loop by FACTOR_OF_ANY then does most of the remainder
    STEP_OF_GROUP = 64, // a step by the work-group size: assumed to be at least this
    MAX_STEP = 1 << 16,
    MAX_LOADED = 128,  // bytes loaded by the unrolled iterations
    MAX_GROWTH = 2048, // instructions per function, from unrolling that the source does not ask for
    MAX_MOVED = 8,     // depth of a bound's expression
    LONG = 16,         // cost of a division, in instructions,
    BRANCH = 4,        // ... of an if
};

struct counting {      // the loop continues until `x` reaches `bound`
    enum ir_op op;     // slt, ult: in both directions; ine
    bool up, or_equal; // or_equal: slt and ult mean sle and ule
    struct ir_instr *phi, *next, *bound;
    uint64_t step;         // of `x` towards the bound
    struct ir_instr *by;   // ... upwards, if not constant
    bool incremented;            // `x` is the incremented value
    enum ir_op conversion; // `x` is this conversion of it; IR_OP_COUNT: none
    struct ir_type type;   // of `x`
};

struct unroll {
    struct ir_module *m;
    struct ir_function *f;
    struct arena *scratch;
    uint32_t room, growth;
    bool unrolls_loops; // from kc_target
    bool changed;
};

// ---- analysis of the body -----------------------------------------------------------------------

// Properties of the loop's body.
struct body {
    uint32_t size;         // instructions per iteration without the test; vectors count their lanes
    uint32_t loaded;       // bytes
    unsigned written;      // bits of the kinds of memory: see opt.h
    bool loads_local, loads_far; // from local memory, whose latency is short, or from elsewhere
    bool has_loops, has_calls; // calls: also operations on matrices
    bool synchronizes; // has operations across work-items, so the set of active ones must not change
};

static uint32_t cost(const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_phi:
    case IR_OP_break:
        return 0;
    case IR_OP_udiv:
    case IR_OP_sdiv:
    case IR_OP_urem:
    case IR_OP_srem:
    case IR_OP_fdiv:
    case IR_OP_fsqrt:
    case IR_OP_frsqrt:
        return LONG * x->type.lanes;
    default:
        return x->type.lanes ? x->type.lanes : 1;
    }
}

static struct body analyse_body(const struct loop_form *l)
{
    const struct ir_block *end = (const struct ir_block *)l->loop->node.next;
    struct body body = {.size = 0};
    for (struct ir_block *b = l->header; b && b != end; b = ir_next_block(b)) {
        const struct ir_node *node = b->node.next;
        body.has_loops |= node && node->kind == IR_LOOP;
        body.size += node && node != (l->test ? &l->test->node : NULL) ? BRANCH : 0;
        for (struct ir_instr *x = b->first; x; x = x->next) {
            body.size += cost(x);
            body.written |= opt_written(x);
            body.synchronizes |= x->op == IR_OP_subgroup || x->op == IR_OP_barrier;
            body.has_calls |= x->op == IR_OP_call || (x->op >= IR_OP_mat_load && x->op <= IR_OP_mat_muladd);
            if (x->op == IR_OP_load || opt_is_image_read(x))
                body.loaded += ir_type_bytes(x->type);
            body.loads_local |= x->op == IR_OP_load && x->mem.space == IR_LOCAL;
            body.loads_far |= (x->op == IR_OP_load && x->mem.space != IR_LOCAL) || opt_is_image_read(x);
        }
    }
    body.size -= body.size > 0; // the test
    return body;
}

// ---- the induction variable ---------------------------------------------------------------------

// The condition to continue, normalized to `low` op `high`.
static bool normal_test(const struct loop_form *l, struct counting *c, struct ir_instr **low,
                        struct ir_instr **high)
{
    static const struct {
        uint16_t op, strict;
        bool or_equal, if_false, swap;
    } tests[] = {
        {IR_OP_slt, IR_OP_slt, false, false, false}, {IR_OP_ult, IR_OP_ult, false, false, false},
        {IR_OP_sle, IR_OP_slt, true, false, false},  {IR_OP_ule, IR_OP_ult, true, false, false},
        {IR_OP_slt, IR_OP_slt, true, true, true},    {IR_OP_ult, IR_OP_ult, true, true, true},
        {IR_OP_sle, IR_OP_slt, false, true, true},   {IR_OP_ule, IR_OP_ult, false, true, true},
        {IR_OP_ine, IR_OP_ine, false, false, false}, {IR_OP_ieq, IR_OP_ine, false, true, false},
    };
    const struct ir_instr *test = opt_resolved(l->test ? l->test->cond : l->loop->cond);
    bool if_false = l->test && l->leaves_if_true;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (test->op != tests[i].op || tests[i].if_false != if_false || test->type.lanes != 1)
            continue;
        c->op = (enum ir_op)tests[i].strict;
        c->or_equal = tests[i].or_equal;
        *low = opt_resolved(test->src[tests[i].swap]);
        *high = opt_resolved(test->src[!tests[i].swap]);
        return true;
    }
    return false;
}

static int64_t signed_value(const struct ir_instr *x)
{
    return (int64_t)(x->lanes[0] << (64 - x->type.bits)) >> (64 - x->type.bits);
}

// The constant difference of `next` and `phi`; 0: unknown.
static int64_t step_of(const struct ir_instr *phi, const struct ir_instr *next)
{
    int64_t step = 0;
    if (next->op == IR_OP_iadd && next->src[0] == phi && ir_is_const(next->src[1]))
        step = signed_value(next->src[1]);
    else if (next->op == IR_OP_ptr_index && next->src[0] == phi && next->src_count == 1)
        step = next->offset;
    return step <= MAX_STEP && step >= -MAX_STEP ? step : 0;
}

static bool is_phi_extended(const struct ir_instr *x, const struct ir_instr *phi)
{
    return x == phi || ((x->op == IR_OP_sext || x->op == IR_OP_zext) && opt_resolved(x->src[0]) == phi);
}

// A step that is not constant; NULL: there is none. It may be wider than the counter, to which the sum is then
// truncated.
static struct ir_instr *unknown_step(const struct counting *c)
{
    const struct ir_instr *sum = c->next->op == IR_OP_trunc ? opt_resolved(c->next->src[0]) : c->next;
    if (c->incremented || c->conversion != IR_OP_COUNT || sum->op != IR_OP_iadd)
        return NULL;
    struct ir_instr *x = opt_resolved(sum->src[0]), *y = opt_resolved(sum->src[1]);
    return is_phi_extended(x, c->phi) ? y : is_phi_extended(y, c->phi) ? x : NULL;
}

static struct ir_instr *phi_of_next(const struct loop_form *l, const struct ir_instr *next)
{
    for (struct ir_instr *x = l->header->first; x && x->op == IR_OP_phi; x = x->next)
        if (opt_resolved(opt_phi_source(x, l->cont_last)) == next)
            return x;
    return NULL;
}

// Whether the test may use a conversion of the counter. For extended counters, and addresses of device memory, n
// steps are n times one step: a narrower counter wraps only if its bound is out of its range, and then the test never
// ends the loop. Signed counters compared as unsigned are the exception, unless they cannot wrap.
static bool may_convert(const struct counting *c)
{
    switch (c->conversion) {
    case IR_OP_COUNT:
        return c->phi->type.base == IR_INT;
    case IR_OP_zext:
        return c->op != IR_OP_ine;
    case IR_OP_sext:
        return c->op == IR_OP_slt || (c->op == IR_OP_ult && c->next->flags & IR_NO_WRAP);
    case IR_OP_ptr_to_int:
        return c->phi->type.space == IR_GLOBAL || c->phi->type.space == IR_CONSTANT;
    default:
        return false;
    }
}

static bool is_counter(const struct loop_form *l, struct ir_instr *x, struct counting *c,
                       int64_t *step)
{
    bool converted = x->op == IR_OP_zext || x->op == IR_OP_sext || x->op == IR_OP_ptr_to_int;
    struct ir_instr *of = converted ? opt_resolved(x->src[0]) : x;
    c->conversion = converted ? (enum ir_op)x->op : IR_OP_COUNT;
    c->type = x->type;
    c->incremented = of->op != IR_OP_phi;
    c->phi = c->incremented ? phi_of_next(l, of) : of;
    if (!c->phi || c->phi->block != l->header || c->type.base != IR_INT || c->type.bits < 32 ||
        c->type.lanes != 1)
        return false;
    c->next = opt_phi_source(c->phi, l->cont_last);
    c->next = c->next ? opt_resolved(c->next) : NULL;
    if (!c->next || (c->phi->type.base == IR_INT && c->phi->type.bits < 32) || !may_convert(c))
        return false;
    *step = step_of(c->phi, c->next);
    c->by = *step ? NULL : unknown_step(c);
    *step += c->by != NULL;
    return *step != 0;
}

// Whether `x` is loop-invariant and can be computed before the loop: the test uses it, so every iteration computes
// it.
static bool may_move_out(const struct loop_form *l, const struct body *body,
                         const struct ir_instr *x, unsigned depth)
{
    stack_check();
    bool load = (x->op == IR_OP_load || x->op == IR_OP_elem_load) && !x->mem.is_volatile &&
                (opt_is_pure_load(x) || !(body->written >> opt_kind(x) & 1));
    if (!opt_is_inside(&l->loop->node, x))
        return true;
    if (depth == MAX_MOVED || x->op == IR_OP_phi ||
        !(ir_has_flag(x, IR_FLAG_P) || (load && x->block == l->header)))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!may_move_out(l, body, opt_resolved(x->src[i]), depth + 1))
            return false;
    return true;
}

static bool analyse_counter(const struct loop_form *l, const struct body *body,
                            struct counting *c)
{
    struct ir_instr *low, *high;
    int64_t step;
    if (!normal_test(l, c, &low, &high))
        return false;
    bool is_low = is_counter(l, low, c, &step);
    if (!is_low && !is_counter(l, high, c, &step))
        return false;
    c->bound = is_low ? high : low;
    c->up = step > 0;
    c->step = (uint64_t)(step > 0 ? step : -step);
    if (c->op == IR_OP_ine ? (c->step & (c->step - 1)) != 0 : c->up != is_low)
        return false;
    if (c->by && (c->op == IR_OP_ine || !may_move_out(l, body, c->by, 0)))
        return false;
    return may_move_out(l, body, c->bound, 0);
}

// The trip count if start and bound are constants; 0: unknown.
static uint64_t known_trips(const struct loop_form *l, const struct counting *c)
{
    const struct ir_instr *start = opt_resolved(opt_phi_source(c->phi, l->before));
    if (!l->test || c->by || c->incremented || c->conversion != IR_OP_COUNT || !ir_is_const(start) ||
        !ir_is_const(c->bound))
        return 0;
    uint64_t spare = 64 - c->type.bits;
    uint64_t from = c->up ? start->lanes[0] : c->bound->lanes[0],
             to = c->up ? c->bound->lanes[0] : start->lanes[0];
    uint64_t distance = (to - from) << spare >> spare;
    if (c->op == IR_OP_ine)
        return distance % c->step ? 0 : distance / c->step;
    bool continues = c->op == IR_OP_ult ? from < to : (int64_t)(from << spare) < (int64_t)(to << spare);
    if (!continues)
        return 0;
    return c->or_equal ? distance / c->step + 1 : (distance + c->step - 1) / c->step;
}

// The largest value as a signed or unsigned number if it is never negative, else the type's largest value.
static uint64_t largest(const struct unroll *u, const struct counting *c, const struct ir_instr *x)
{
    const struct kc_target *target = u->m->target;
    uint64_t most = ~UINT64_C(0) >> (64 - c->type.bits + (c->op == IR_OP_slt)), known;
    if (c->op == IR_OP_slt && !opt_never_negative(target, x))
        return most;
    known = opt_max(target, x);
    return known < most ? known : most;
}

// An estimate of the largest trip count, if the counter does not become negative; ~0: unknown.
static uint64_t max_trips(const struct unroll *u, const struct loop_form *l,
                          const struct counting *c)
{
    const struct ir_instr *start = opt_resolved(opt_phi_source(c->phi, l->before));
    const struct ir_instr *low = c->up ? start : c->bound, *high = c->up ? c->bound : start;
    bool from_zero = c->op != IR_OP_slt || opt_never_negative(u->m->target, low);
    if (c->op == IR_OP_ine || low->type.base != IR_INT || !from_zero)
        return ~UINT64_C(0);
    return largest(u, c, high) / c->step;
}

// ---- unrolling ----------------------------------------------------------------------------------

// The value compared by the test, for a given value of the counter.
static struct ir_instr *compared(struct ir_builder *b, const struct counting *c,
                                 struct ir_instr *value)
{
    if (c->incremented && value->type.base == IR_PTR)
        value = ir_ptr_index(b, value, NULL, 0, c->next->offset);
    else if (c->incremented)
        value = ir_op2(b, IR_OP_iadd, value, c->next->src[1]);
    return c->conversion == IR_OP_COUNT ? value : ir_convert(b, c->conversion, c->type, value);
}

static struct ir_instr *unrolled_bound_of_step(struct ir_builder *b, const struct counting *c, uint32_t factor)
{
    struct ir_type type = c->type;
    bool is_signed = c->op == IR_OP_slt;
    struct ir_instr *least = ir_const_int(b->module, type, is_signed ? UINT64_C(1) << (type.bits - 1) : 0);
    struct ir_instr *most = ir_const_int(b->module, type, UINT64_C(1) << (type.bits - 8)); // such that its multiples fit
    struct ir_instr *by = c->by->type.bits > type.bits ? ir_convert(b, IR_OP_trunc, type, c->by) : c->by;
    struct ir_instr *steps = ir_op2(b, IR_OP_imul, by, ir_const_int(b->module, type, factor - 1));
    steps = ir_op2(b, IR_OP_isub, steps, ir_const_int(b->module, type, c->or_equal));
    struct ir_instr *near = ir_op2(b, is_signed ? IR_OP_smax : IR_OP_umax, c->bound, ir_op2(b, IR_OP_iadd, least, steps));
    struct ir_instr *small = ir_op2(b, IR_OP_ult, ir_op2(b, IR_OP_isub, by, ir_const_int(b->module, type, 1)), most);
    return ir_select(b, small, ir_op2(b, IR_OP_isub, near, steps), least);
}

// The bound of the unrolled loop: for `<`, the bound minus the steps from the first to the last unrolled iteration,
// for `<=` one more, without wrapping.
static struct ir_instr *unrolled_bound(struct ir_builder *b, const struct counting *c,
                                       struct ir_instr *start, uint32_t factor)
{
    struct ir_type type = c->type;
    if (c->by)
        return unrolled_bound_of_step(b, c, factor);
    uint64_t least = c->op == IR_OP_slt ? UINT64_C(1) << (type.bits - 1) : 0;
    uint64_t steps = c->step * (factor - 1) - c->or_equal;
    if (c->op == IR_OP_ine) {
        struct ir_instr *x = compared(b, c, start);
        struct ir_instr *distance =
            ir_op2(b, IR_OP_isub, c->up ? c->bound : x, c->up ? x : c->bound);
        struct ir_instr *groups = ir_const_int(b->module, type, 0 - c->step * factor);
        return ir_op2(b, c->up ? IR_OP_iadd : IR_OP_isub, x,
                      ir_op2(b, IR_OP_and, distance, groups));
    }
    static const uint16_t nearest[2][2] = {{IR_OP_umin, IR_OP_umax}, {IR_OP_smin, IR_OP_smax}};
    uint64_t limit = c->up ? least + steps : least - 1 - steps;
    struct ir_instr *near = ir_op2(b, (enum ir_op)nearest[c->op == IR_OP_slt][c->up], c->bound,
                                   ir_const_int(b->module, type, limit));
    return ir_op2(b, c->up ? IR_OP_isub : IR_OP_iadd, near, ir_const_int(b->module, type, steps));
}

// Copies each phi of the header; the next value is set by end_phis().
static void begin_phis(struct unroll *u, struct rounds *r, struct ir_loop *made)
{
    struct ir_builder b = {.module = u->m, .function = u->f, .block = ir_list_first(&made->body)};
    uint32_t i = 0;
    for (struct ir_instr *x = r->form->header->first; x && x->op == IR_OP_phi; x = x->next, i++) {
        struct ir_instr *phi = ir_phi(&b, x->type, 2);
        phi->preds[0] = (struct ir_block *)made->node.prev;
        phi->src[0] = r->values[i];
        r->values[i] = phi;
        map_set(u->scratch, &r->map, x, phi);
    }
}

static void end_phis(const struct rounds *r, const struct ir_loop *made)
{
    struct ir_instr *phi = ir_list_first(&made->body)->first;
    for (uint32_t i = 0; phi && phi->op == IR_OP_phi; phi = phi->next, i++) {
        phi->preds[1] = ir_list_last(&made->cont);
        phi->src[1] = r->values[i];
    }
}

// The original loop starts with the final values of the unrolled one.
static void continue_from(const struct loop_form *l, const struct ir_loop *made)
{
    struct ir_instr *from = ir_list_first(&made->body)->first;
    for (struct ir_instr *x = l->header->first; x && x->op == IR_OP_phi;
         x = x->next, from = from->next)
        for (uint32_t k = 0; k < x->src_count; k++)
            if (x->preds[k] == l->before)
                x->src[k] = from;
}

static void add_unrolled_loop(struct unroll *u, const struct loop_form *l, const struct counting *c,
                              uint32_t factor)
{
    struct rounds r;
    struct ir_builder b = {.module = u->m, .function = u->f, .block = l->before};
    loop_move_out(l, c->bound);
    if (c->by)
        loop_move_out(l, c->by);
    rounds_begin(&r, u->f, l, u->scratch);
    struct ir_instr *end = unrolled_bound(&b, c, opt_phi_source(c->phi, l->before), factor);
    struct ir_loop *made = ir_add_loop(&b); // l->before is then between the two loops
    made->unroll = l->loop->unroll;
    begin_phis(u, &r, made);
    ir_place_end(&b, &made->body);
    struct ir_instr *x = compared(&b, c, rounds_value(&r, c->phi));
    struct ir_if *test = ir_add_if(&b, ir_op2(&b, c->op, c->up ? x : end, c->up ? end : x));
    struct ir_builder leave = b;
    ir_place_end(&leave, &test->else_list);
    ir_jump(&leave, IR_OP_break, NULL);
    struct ir_if *place =
        ir_add_if(&b, ir_const_int(u->m, ir_bool(), 1)); // replaced by the iterations
    for (uint32_t round = 0; round < factor; round++)
        rounds_add(&r);
    ir_node_replace(&place->node, &r.list);
    end_phis(&r, made);
    continue_from(l, made);
    u->changed = true;
}

// ---- profitability ------------------------------------------------------------------------------

static uint32_t power_below(uint32_t x)
{
    while (x & (x - 1))
        x &= x - 1;
    return x;
}

static bool grows(const struct unroll *u, const struct body *body, uint32_t factor, uint32_t room)
{
    return factor * body->size <= room && u->growth + factor * body->size <= MAX_GROWTH;
}

static bool fits(const struct unroll *u, const struct body *body, uint32_t factor, uint32_t room)
{
    return grows(u, body, factor, room) && factor * body->loaded <= MAX_LOADED;
}

// The unroll factor that pays without being asked for; 0: none. `most`: an upper bound of the trip count.
static uint32_t profitable_factor(const struct unroll *u, const struct body *body, const struct counting *c, uint64_t most)
{
    if (!u->room || body->has_loops || (c->by ? most / STEP_OF_GROUP : most) < 2 * FACTOR)
        return 0;
    if (fits(u, body, FACTOR, u->room))
        return FACTOR;
    if (body->synchronizes) // loads do not move from one iteration to another
        return grows(u, body, FACTOR_OF_LARGE, WAITING_ROOM * u->room) ? FACTOR_OF_LARGE : 0;
    if (c->by)
        return fits(u, body, FACTOR_OF_ANY, u->room) ? FACTOR_OF_ANY : 0;
    return (body->loads_far || !body->loads_local) && !body->written && fits(u, body, FACTOR_OF_LARGE, LARGE_ROOM * u->room) ? FACTOR_OF_LARGE : 0;
}

// Whether the latencies of more loads should overlap than FACTOR iterations have.
static bool gains_by_more(const struct unroll *u, const struct body *body, const struct counting *c)
{
    return body->loaded && !body->loads_local && !c->by && c->op != IR_OP_ine && fits(u, body, FACTOR_OF_SMALL, u->room);
}

// Whether a short loop should be unrolled fully: all loads can then be issued at once, and no test is left.
static bool is_short(const struct unroll *u, const struct ir_loop *loop, const struct body *body, uint64_t known)
{
    return known > 1 && known <= 2 * FACTOR && loop->unroll < 2 && !body->has_loops && !body->has_calls && !body->synchronizes &&
           known * body->size <= 2 * u->room && known * body->loaded <= 2 * MAX_LOADED &&
           u->growth + known * body->size <= MAX_GROWTH;
}

// Whether all work-items of a group execute the same number of iterations.
static bool is_uniform(const struct loop_form *l, const struct counting *c)
{
    return opt_is_uniform(opt_resolved(opt_phi_source(c->phi, l->before)), true) && opt_is_uniform(c->bound, true) &&
           (!c->by || opt_is_uniform(c->by, true));
}

static void visit(struct unroll *u, struct ir_loop *loop)
{
    struct loop_form l;
    struct counting c;
    if (u->changed)
        ir_resolve_inside(&loop->node); // clones must use the new values of inner loops
    if (loop->unroll == IR_UNROLL_NEVER || (loop->unroll < 2 && !u->room) ||
        !loop_understand(&l, loop))
        return;
    struct body body = analyse_body(&l);
    if (!analyse_counter(&l, &body, &c))
        return;
    uint64_t known = known_trips(&l, &c);
    if (known && u->unrolls_loops && loop->unroll < 2)
        return;
    if (is_short(u, loop, &body, known)) {
        u->growth += (uint32_t)known * body.size;
        l.trips = (uint32_t)known;
        loop_write_out(u->f, &l, u->scratch);
        u->changed = true;
        return;
    }
    uint32_t small = profitable_factor(u, &body, &c, known ? known : max_trips(u, &l, &c));
    uint32_t factor = loop->unroll > 1 ? (uint32_t)loop->unroll : 0;
    factor = factor < small ? small : c.op == IR_OP_ine ? power_below(factor) : factor;
    if (factor < 2 || factor > MAX_FACTOR_ASKED || factor * body.size > MAX_SIZE_ASKED ||
        body.has_calls || (body.synchronizes && !is_uniform(&l, &c)))
        return;
    u->growth += small ? factor * body.size : 0;
    // If the source asks for a factor, a large loop gets exactly that; small ones may be unrolled further by the
    // driver.
    loop->unroll = small ? IR_UNROLL_DEFAULT : IR_UNROLL_NEVER;
    if (factor == FACTOR && gains_by_more(u, &body, &c)) {
        u->growth += FACTOR_OF_SMALL * body.size;
        const bool exact = known && known % FACTOR_OF_SMALL == 0;
        if (!exact)
            add_unrolled_loop(u, &l, &c, FACTOR_OF_SMALL);
        factor = exact ? FACTOR_OF_SMALL : FACTOR_OF_ANY;
    }
    add_unrolled_loop(u, &l, &c, factor);
    if (known && known % factor == 0) // no remainder
        loop_write_out(u->f, &l, u->scratch);
}

// Requires: phis (after opt_mem2reg). Keeps: values, bit for bit. Removes: nothing.
bool opt_unroll_some(struct pass_context *context, struct ir_function *f)
{
    struct unroll u = {.m = context->module, .f = f, .scratch = context->scratch};
    struct opt_nodes nodes = opt_nodes(f, u.scratch);
    u.room = context->target ? context->target->unroll_room : 0;
    u.unrolls_loops = context->target && context->target->unrolls_loops;
    for (size_t i = nodes.count; i-- > 0;)
        if (nodes.items[i]->kind == IR_LOOP)
            visit(&u, (struct ir_loop *)nodes.items[i]);
    if (u.changed)
        ir_resolve(f);
    return u.changed;
}
