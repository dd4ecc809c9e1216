// SPDX-License-Identifier: Apache-2.0
// Finds the case of a switch by ifs around ifs.
//
//   switch %x { case 0: A case 1: B case 2: C default: D }
//   ->   if %x < 3 { if %x < 1 { A } else { if %x < 2 { B } else { C } } } else { D }
//
// Mesa makes a switch one if after the other, and first compares with all values to know whether the default is
// executed: RADV keeps all these conditions in scalar registers until their case. Decisions take the logarithm of their
// number here. Only for devices with scalar registers: on Intel's and with NVK, some kernels get shorter, some longer.
//
// A default with code is executed where the values have gaps; if it is not all behind them or before them, a variable
// tells that no case was found. Phis after the switch become variables, which the driver promotes to values again.
// Switches whose cases fall through, or are left from inside of a case, remain.
#include "passes/demote.h"
#include "passes/pressure.h"
#include "util/stack.h"

#include <stdlib.h>

enum { LEAST = 3 }; // ranges of values

struct range { // values of one case
    uint64_t low, high;
    struct ir_list *body;
};

struct decision {
    struct ir_function *f;
    struct ir_instr *value;
    struct range *ranges;
    uint32_t count;
    struct ir_list *other; // the default
    struct ir_var *missed; // whether no case was found; NULL: not needed
};

// ---- which switches -----------------------------------------------------------------------------

static bool is_left_inside(const struct ir_switch *s, const struct ir_list *list, const struct ir_block *end)
{
    const struct ir_block *last = ir_list_last(list);
    for (const struct ir_block *b = ir_list_first(list); b != end; b = ir_next_block(b))
        if (b != last && ir_ends_in_jump(b) && b->last->op == IR_OP_break && ir_jump_target(b, false) == &s->node)
            return true;
    return false;
}

static bool is_simple(const struct ir_switch *s)
{
    for (uint32_t i = 0; i < s->case_count; i++) {
        const struct ir_list *list = &s->cases[i].list;
        const bool is_last = i + 1 == s->case_count;
        const struct ir_block *end = is_last ? (struct ir_block *)s->node.next : ir_list_first(&s->cases[i + 1].list);
        if ((!is_last && !ir_ends_in_jump(ir_list_last(list))) || is_left_inside(s, list, end))
            return false;
    }
    for (const struct ir_instr *x = ((struct ir_block *)s->node.next)->first; x && x->op == IR_OP_phi; x = x->next)
        if (!demote_can_store(x->type))
            return false;
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

// Fills the ranges in ascending order. False: a case has several.
static bool find_ranges(struct decision *d, const struct ir_switch *s, struct arena *arena)
{
    uint32_t cases = 0, values = 0;
    for (uint32_t i = 0; i < s->case_count; i++)
        values += s->cases[i].value_count;
    d->ranges = ARENA_ARRAY(arena, struct range, values + 1);
    for (uint32_t i = 0; i < s->case_count; i++) {
        struct ir_case *c = &s->cases[i];
        d->other = c->is_default ? &c->list : d->other;
        for (uint32_t k = 0; k < c->value_count && !c->is_default; k++)
            d->ranges[d->count++] = (struct range){c->values[k], c->values[k], &c->list};
        cases += !c->is_default;
    }
    qsort(d->ranges, d->count, sizeof *d->ranges, compare);
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        struct range *last = count ? &d->ranges[count - 1] : NULL;
        if (last && last->body == d->ranges[i].body && last->high + 1 == d->ranges[i].low)
            last->high++;
        else
            d->ranges[count++] = d->ranges[i];
    }
    d->count = count;
    return count == cases;
}

// ---- ifs ----------------------------------------------------------------------------------------

static struct ir_builder at_end(const struct decision *d, struct ir_list *list)
{
    struct ir_builder b = {.module = d->f->module, .function = d->f, .origin = d->value->origin};
    ir_place_end(&b, list);
    return b;
}

static struct ir_instr *in_range(const struct decision *d, struct ir_builder *b, uint64_t low, uint64_t high)
{
    struct ir_module *m = d->f->module;
    struct ir_type type = d->value->type;
    if (low == high)
        return ir_op2(b, IR_OP_ieq, d->value, ir_const_int(m, type, low));
    struct ir_instr *from_low = ir_op2(b, IR_OP_isub, d->value, ir_const_int(m, type, low));
    return ir_op2(b, IR_OP_ule, from_low, ir_const_int(m, type, high - low));
}

static void put(const struct decision *d, struct ir_list *to, struct ir_list *body)
{
    struct ir_block *last = ir_list_last(body);
    if (ir_ends_in_jump(last) && last->last->op == IR_OP_break)
        ir_remove(last->last);
    if (d->missed && body != d->other) {
        struct ir_builder b = at_end(d, to);
        demote_store(&b, d->missed, ir_const_int(d->f->module, ir_int(32), 0));
    }
    ir_list_join(to, body);
}

// Appends the choice among `count` ranges to the list, if the value is known to be in [low, high].
static void decide(const struct decision *d, struct ir_list *to, const struct range *ranges, uint32_t count, uint64_t low, uint64_t high)
{
    stack_check();
    struct ir_builder b = at_end(d, to);
    if (count == 1 && ranges->low == low && ranges->high == high) {
        put(d, to, ranges->body);
    } else if (count == 1) {
        put(d, &ir_add_if(&b, in_range(d, &b, ranges->low, ranges->high))->then_list, ranges->body);
    } else {
        const uint32_t half = count / 2;
        const uint64_t limit = ranges[half].low;
        struct ir_instr *first = ir_op2(&b, IR_OP_ult, d->value, ir_const_int(d->f->module, d->value->type, limit));
        struct ir_if *node = ir_add_if(&b, first);
        decide(d, &node->then_list, ranges, half, low, limit - 1);
        decide(d, &node->else_list, ranges + half, count - half, limit, high);
    }
}

static bool has_gaps(const struct decision *d)
{
    for (uint32_t i = 1; i < d->count; i++)
        if (d->ranges[i - 1].high + 1 != d->ranges[i].low)
            return true;
    return false;
}

static bool is_empty(const struct ir_list *list)
{
    const struct ir_block *b = ir_list_first(list);
    return !b->node.next && (!b->first || (b->first == b->last && b->first->op == IR_OP_break));
}

static void replace(struct decision *d, struct ir_switch *s)
{
    struct ir_builder b = {.module = d->f->module, .function = d->f, .block = (struct ir_block *)s->node.prev, .origin = d->value->origin};
    const uint64_t most = UINT64_MAX >> (64 - d->value->type.bits), low = d->ranges[0].low, high = d->ranges[d->count - 1].high;
    const bool other = !is_empty(d->other);
    if (other && has_gaps(d)) {
        d->missed = demote_var(d->f, "missed", ir_int(32));
        demote_store(&b, d->missed, ir_const_int(d->f->module, ir_int(32), 1));
    }
    // an if around all, which exists only to have a list
    const bool guarded = other && !d->missed && (low || high != most);
    struct ir_if *all = ir_add_if(&b, guarded ? in_range(d, &b, low, high) : ir_const_int(d->f->module, ir_bool(), 1));
    if (guarded) {
        decide(d, &all->then_list, d->ranges, d->count, low, high);
        put(d, &all->else_list, d->other);
    } else {
        decide(d, &all->then_list, d->ranges, d->count, 0, most);
    }
    if (d->missed) {
        struct ir_instr *missed = demote_load(&b, d->missed, ir_int(32));
        missed = ir_op2(&b, IR_OP_ine, missed, ir_const_int(d->f->module, ir_int(32), 0));
        put(d, &ir_add_if(&b, missed)->then_list, d->other);
    }
    ir_node_remove(&s->node);
    if (!guarded)
        ir_node_replace(&all->node, &all->then_list);
}

static bool visit(struct pass_context *c, struct ir_function *f, struct ir_switch *s)
{
    struct decision d = {.f = f, .value = opt_resolved(s->value)};
    if (!is_simple(s) || !find_ranges(&d, s, c->scratch) || d.count < LEAST || !d.other)
        return false;
    demote_phis(f, (struct ir_block *)s->node.next);
    replace(&d, s);
    return true;
}

// Requires: lowered memory, calls, nesting. Keeps: values. Removes: switches, for devices with scalar registers.
bool opt_decide(struct pass_context *c, struct ir_function *f)
{
    bool changed = false;
    if (!c->target || !pressure_has_scalars(c->target))
        return false;
    struct opt_nodes nodes = opt_nodes(f, c->scratch);
    for (size_t i = nodes.count; i--;)
        changed |= nodes.items[i]->kind == IR_SWITCH && visit(c, f, (struct ir_switch *)nodes.items[i]);
    if (changed)
        ir_resolve(f);
    return changed;
}
