// SPDX-License-Identifier: Apache-2.0
// Moves loads that are the same in every iteration of a loop before it, behind a copy of the loop's first test.
//
//   loop { if %i >= %n break ; %3 = load %p ... }
//   ->   if %first < %n { %2 = load %p } ; %3 = phi %2, undef ; loop { if %i >= %n break ; ... }
//
// opt_hoist moves loads that are executed whenever the loop is entered. Those behind the loop's test at its head are
// not: the test may protect them, so they need it. Not on CPU devices, whose compilers do this themselves.
#include "passes/pressure.h"
#include "passes/rounds.h"
#include "util/stack.h"

enum {
    MAX_BYTES = 128, // moved out of a loop
    MAX_DEPTH = 8    // of the test's expression
};

struct guarded {
    struct ir_function *f;
    struct arena *scratch;
    struct pressure pressure; // found when it is first needed
    struct loop_form form;
    unsigned written; // bits of the kinds of memory that the loop writes: see opt.h
    uint32_t room;    // bytes that may still move
};

// The value of x, which the test uses, in the first iteration; NULL: it is not made of values before the loop. Without a
// builder, some other value instead.
static struct ir_instr *first_value(struct ir_builder *b, const struct loop_form *l, struct ir_instr *x, unsigned depth)
{
    enum { MAX_SOURCES = 3 };
    struct ir_instr *src[MAX_SOURCES];
    stack_check();
    x = opt_resolved(x);
    if (!opt_is_inside(&l->loop->node, x))
        return x;
    if (x->op == IR_OP_phi)
        return x->block == l->header ? opt_phi_source(x, l->before) : NULL;
    if (!ir_has_flag(x, IR_FLAG_P) || depth == MAX_DEPTH || x->src_count > MAX_SOURCES)
        return NULL;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!(src[i] = first_value(b, l, x->src[i], depth + 1)))
            return NULL;
    return b ? ir_build_like(b, (enum ir_op)x->op, x->type, src, x->src_count, x) : x;
}

static bool moves(const struct guarded *g, const struct ir_instr *x)
{
    return x->op == IR_OP_load && !x->mem.is_volatile && !opt_is_inside(&g->form.loop->node, opt_resolved(x->src[0])) &&
           (opt_is_pure_load(x) || !(g->written >> opt_kind(x) & 1)) && ir_type_bytes(x->type) <= g->room;
}

// Marks the loads among the nodes that move: every complete iteration executes them. Returns their number.
static uint32_t mark_loads(struct guarded *g, struct ir_node *first)
{
    uint32_t count = 0;
    for (struct ir_node *node = first; node; node = node->next)
        for (struct ir_instr *x = node->kind == IR_BLOCK ? ((struct ir_block *)node)->first : NULL; x; x = x->next) {
            x->mark = moves(g, x);
            count += x->mark;
            g->room -= x->mark ? ir_type_bytes(x->type) : 0;
        }
    return count;
}

static void move_marked(const struct guarded *g, struct ir_node *first, struct ir_if *guard)
{
    struct ir_builder load = {.module = g->f->module, .function = g->f}, after = load;
    ir_place_end(&load, &guard->then_list);
    after.block = (struct ir_block *)guard->node.next;
    for (struct ir_node *node = first; node; node = node->next)
        for (struct ir_instr *x = node->kind == IR_BLOCK ? ((struct ir_block *)node)->first : NULL, *next; x; x = next) {
            next = x->next;
            if (!x->mark)
                continue;
            struct ir_instr *phi = ir_phi(&after, x->type, 2);
            ir_resolve_sources(x);
            phi->src[0] = ir_build_like(&load, IR_OP_load, x->type, x->src, x->src_count, x);
            phi->src[1] = ir_undef(g->f->module, x->type);
            phi->preds[0] = ir_list_last(&guard->then_list);
            phi->preds[1] = ir_list_last(&guard->else_list);
            ir_replace(x, phi);
        }
}

static bool find_room(struct guarded *g, const struct ir_loop *loop)
{
    if (!g->pressure.live)
        g->pressure = pressure_of(g->f, g->scratch);
    const uint32_t live = pressure_most(&g->pressure, loop);
    const uint32_t left = live < PRESSURE_CROWDED_BYTES ? PRESSURE_CROWDED_BYTES - live : 0;
    g->room = left < MAX_BYTES ? left : MAX_BYTES;
    return g->room;
}

static bool any_moves(const struct guarded *g, const struct ir_node *first)
{
    for (const struct ir_node *node = first; node; node = node->next)
        for (const struct ir_instr *x = node->kind == IR_BLOCK ? ((const struct ir_block *)node)->first : NULL; x; x = x->next)
            if (moves(g, x))
                return true;
    return false;
}

static bool visit(struct guarded *g, struct ir_loop *loop)
{
    struct loop_form *l = &g->form;
    if (opt_runs_once(loop) || !loop_understand(l, loop) || !l->test)
        return false;
    g->room = MAX_BYTES;
    g->written = opt_written_in(loop);
    struct ir_node *rest = l->test->node.next, *cont = loop->cont.first; // what is before the test is executed without it, too
    if (!(any_moves(g, rest) || any_moves(g, cont)) || !first_value(NULL, l, l->test->cond, 0) || !find_room(g, loop))
        return false;
    if (!(mark_loads(g, rest) + mark_loads(g, cont)))
        return false;
    struct ir_builder b = {.module = g->f->module, .function = g->f, .block = l->before};
    struct ir_instr *test = first_value(&b, l, l->test->cond, 0);
    if (l->leaves_if_true)
        test = ir_op1(&b, IR_OP_not, test);
    struct ir_if *guard = ir_add_if(&b, test);
    move_marked(g, rest, guard);
    move_marked(g, cont, guard);
    return true;
}

// Requires: resolved values, lower_memory. Keeps: values. Removes: nothing.
bool opt_guarded_loads(struct pass_context *context, struct ir_function *f)
{
    struct guarded g = {.f = f, .scratch = context->scratch};
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    bool changed = false;
    if (!context->target || !context->target->unroll_room || !nodes.count)
        return false;
    for (size_t i = nodes.count; i-- > 0;)
        changed |= nodes.items[i]->kind == IR_LOOP && visit(&g, (struct ir_loop *)nodes.items[i]);
    if (changed)
        ir_resolve(f);
    return changed;
}
