// SPDX-License-Identifier: Apache-2.0
// Merges a loop's test that consists of several parts into one comparison with a bound that is computed before the loop.
//
//   loop { if %i >= %n or not %c or %i >= %m  break ... }
//   ->   %bound = min(%c ? %n : least, %m) ; loop { if %i >= %bound break ... }
//
// Parts are comparisons of one value with bounds that the loop does not change, conditions that it does not change, and
// comparisons under such conditions. An iteration then has one test, and opt_unroll_some understands it.
#include "passes/rounds.h"
#include "util/stack.h"

enum { MAX_PARTS = 4, MAX_MOVED = 8 }; // of the condition; depth of a bound's expression

// A part with `op`: the loop continues if `low` op `high`, or, if there is a `when`, also if that is false.
// Without `op`: the loop continues if `when` is true; in a negated test, if it is false.
struct part {
    struct ir_instr *when; // a condition that the loop does not change, or NULL
    enum ir_op op; // slt, ult; IR_OP_COUNT: none
    struct ir_instr *low, *high;
};

struct tests {
    struct ir_function *f;
    struct loop_form form;
    struct part parts[MAX_PARTS]; // of the test, or of its negation
    uint32_t count;
    bool negated;
};

static bool is_invariant(const struct tests *t, struct ir_instr *x, unsigned depth)
{
    stack_check();
    if (!opt_is_inside(&t->form.loop->node, x))
        return true;
    if (!ir_has_flag(x, IR_FLAG_P) || x->op == IR_OP_phi || depth == MAX_MOVED)
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!is_invariant(t, opt_resolved(x->src[i]), depth + 1))
            return false;
    return true;
}

static bool is_int(const struct ir_instr *x, uint64_t value) { return ir_is_const(x) && x->type.lanes == 1 && x->lanes[0] == value; }

// What an integer that is tested for not being zero was made from.
static struct ir_instr *tested(struct ir_instr *x)
{
    return x->op == IR_OP_ine && is_int(opt_resolved(x->src[1]), 0) ? opt_resolved(x->src[0]) : x;
}

// low < high, or the negation of high <= low
static bool add_comparison(struct part *part, const struct ir_instr *x, bool negated)
{
    static const uint16_t ops[][2] = {{IR_OP_slt, IR_OP_sle}, {IR_OP_ult, IR_OP_ule}};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (x->op == ops[i][negated] && x->type.lanes == 1) {
            part->op = (enum ir_op)ops[i][0];
            part->low = opt_resolved(x->src[negated]);
            part->high = opt_resolved(x->src[!negated]);
            return true;
        }
    return false;
}

// `c ? x < n : 1`, of bools or of integers that are then tested
static bool add_conditional(struct part *part, struct ir_instr *x)
{
    x = tested(x);
    if (x->op != IR_OP_select || x->type.lanes != 1 || !is_int(opt_resolved(x->src[2]), 1))
        return false;
    struct ir_instr *then = opt_resolved(x->src[1]);
    part->when = opt_resolved(x->src[0]);
    return add_comparison(part, then->op == IR_OP_zext ? opt_resolved(then->src[0]) : then, false);
}

// Splits the condition to continue, or, if it is negated, to leave.
static bool add_parts(struct tests *t, struct ir_instr *x)
{
    stack_check();
    if (x->op == (t->negated ? IR_OP_or : IR_OP_and))
        return add_parts(t, opt_resolved(x->src[0])) && add_parts(t, opt_resolved(x->src[1]));
    if (t->count == MAX_PARTS)
        return false;
    struct part *part = &t->parts[t->count++];
    *part = (struct part){.when = x, .op = IR_OP_COUNT};
    if (is_invariant(t, x, 0))
        return true;
    part->when = NULL;
    return add_comparison(part, x, t->negated) || (!t->negated && add_conditional(part, x));
}

// Whether the part can be merged into the comparison `all`, whose value that changes is its lower one, if `up`.
static bool fits(const struct tests *t, const struct part *all, const struct part *part, bool up)
{
    const struct ir_instr *x = up ? part->low : part->high;
    struct ir_instr *bound = up ? part->high : part->low;
    if (part->when && !is_invariant(t, part->when, 0))
        return false;
    return part->op == IR_OP_COUNT ||
           (part->op == all->op && x == (up ? all->low : all->high) && is_invariant(t, bound, 0));
}

// The bound with which the comparison never holds; `holds`: with which it holds for all values below (or above) another bound.
static struct ir_instr *extreme(struct ir_builder *b, const struct part *all, bool up, bool holds)
{
    const struct ir_type type = all->low->type;
    const uint64_t least = all->op == IR_OP_slt ? UINT64_C(1) << (type.bits - 1) : 0;
    return ir_const_int(b->module, type, up == holds ? least - 1 : least);
}

static struct ir_instr *merged_bound(struct ir_builder *b, const struct tests *t, const struct part *all, bool up)
{
    static const uint16_t nearest[2][2] = {{IR_OP_umax, IR_OP_umin}, {IR_OP_smax, IR_OP_smin}};
    struct ir_instr *bound = up ? all->high : all->low;
    for (const struct part *part = t->parts; part < t->parts + t->count; part++) {
        if (part == all)
            continue;
        struct ir_instr *other = part->op == IR_OP_COUNT ? extreme(b, all, up, false) : up ? part->high : part->low;
        if (part->op == IR_OP_COUNT)
            bound = t->negated ? ir_select(b, part->when, other, bound) : ir_select(b, part->when, bound, other);
        else
            bound = ir_op2(b, (enum ir_op)nearest[all->op == IR_OP_slt][up], bound,
                           part->when ? ir_select(b, part->when, other, extreme(b, all, up, true)) : other);
    }
    return bound;
}

static bool merge(struct tests *t, const struct part *all, bool up)
{
    const struct loop_form *l = &t->form;
    struct ir_instr *x = up ? all->low : all->high, *bound = up ? all->high : all->low;
    if (all->when || all->op == IR_OP_COUNT || is_invariant(t, x, 0) || !is_invariant(t, bound, 0))
        return false;
    for (const struct part *part = t->parts; part < t->parts + t->count; part++)
        if (!fits(t, all, part, up))
            return false;
    for (const struct part *part = t->parts; part < t->parts + t->count; part++) {
        if (part->when)
            loop_move_out(l, part->when);
        if (part->op != IR_OP_COUNT)
            loop_move_out(l, up ? part->high : part->low);
    }
    struct ir_builder before = {.module = t->f->module, .function = t->f, .block = l->before}, at = before;
    bound = merged_bound(&before, t, all, up);
    at.block = l->header;
    struct ir_instr *low = up ? x : bound, *high = up ? bound : x;
    if (t->negated)
        l->test->cond = ir_op2(&at, all->op == IR_OP_slt ? IR_OP_sle : IR_OP_ule, high, low);
    else
        l->test->cond = ir_op2(&at, all->op, low, high);
    return true;
}

static bool visit(struct tests *t, struct ir_loop *loop)
{
    t->count = 0;
    if (opt_runs_once(loop) || !loop_understand(&t->form, loop) || !t->form.test)
        return false;
    t->negated = t->form.leaves_if_true;
    if (!add_parts(t, opt_resolved(t->form.test->cond)) || t->count < 2)
        return false;
    for (const struct part *all = t->parts; all < t->parts + t->count; all++)
        if (merge(t, all, true) || merge(t, all, false))
            return true;
    return false;
}

// Requires: phis (after opt_mem2reg). Keeps: values. Removes: nothing.
bool opt_loop_tests(struct pass_context *context, struct ir_function *f)
{
    struct tests t = {.f = f};
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    bool changed = false;
    for (size_t i = nodes.count; i-- > 0;)
        changed |= nodes.items[i]->kind == IR_LOOP && visit(&t, (struct ir_loop *)nodes.items[i]);
    return changed;
}
