// SPDX-License-Identifier: Apache-2.0
// Analysis of loops and cloning of their iterations: see rounds.h.
#include "passes/rounds.h"
#include "util/stack.h"

// ---- analysis -----------------------------------------------------------------------------------

static bool just_break(const struct ir_list *list)
{
    const struct ir_block *b = ir_list_first(list);
    return list->first == list->last && b->first && b->first == b->last &&
           b->first->op == IR_OP_break;
}

// Whether the test's exit is the only jump out of the body, and nothing carries a value between iterations in a way
// that cloning cannot reproduce.
static bool plain_body(const struct loop_form *l)
{
    const struct ir_node *node = &l->loop->node;
    const struct ir_block *end = (const struct ir_block *)node->next;
    uint32_t leaves = 0;
    for (struct ir_block *b = ir_list_first(&l->loop->body); b && b != end; b = ir_next_block(b)) {
        if (!ir_ends_in_jump(b))
            continue;
        if (b->last->op == IR_OP_continue && ir_jump_target(b, true) == node)
            return false;
        leaves += b->last->op == IR_OP_break && ir_jump_target(b, false) == node;
        if (b->last->op == IR_OP_return)
            return false;
    }
    return leaves == (l->test ? 1 : 0);
}

bool loop_understand(struct loop_form *l, struct ir_loop *loop)
{
    *l = (struct loop_form){.loop = loop};
    l->before = (struct ir_block *)loop->node.prev;
    l->header = ir_list_first(&loop->body);
    l->cont_last = ir_list_last(&loop->cont);
    l->exit = l->cont_last;
    if (ir_ends_in_jump(l->header))
        return false;
    if (!loop->cond) {
        struct ir_if *test = (struct ir_if *)l->header->node.next;
        if (!test || test->node.kind != IR_IF)
            return false;
        l->leaves_if_true = just_break(&test->then_list);
        if (l->leaves_if_true == just_break(&test->else_list))
            return false;
        l->test = test;
        l->exit = ir_list_first(l->leaves_if_true ? &test->then_list : &test->else_list);
        const struct ir_block *next = (const struct ir_block *)test->node.next;
        if (next->first && next->first->op == IR_OP_phi)
            return false;
    }
    if (ir_list_first(&loop->cont)->first && ir_list_first(&loop->cont)->first->op == IR_OP_phi)
        return false;
    return !ir_ends_in_jump(ir_list_last(&loop->body)) && plain_body(l);
}

void loop_move_out(const struct loop_form *l, struct ir_instr *x)
{
    stack_check();
    if (!opt_is_inside(&l->loop->node, x))
        return;
    for (uint32_t i = 0; i < x->src_count; i++)
        loop_move_out(l, opt_resolved(x->src[i]));
    opt_move_to_end(l->before, x);
}

// ---- iterations ---------------------------------------------------------------------------------

uint32_t loop_phi_count(const struct loop_form *l)
{
    uint32_t count = 0;
    for (struct ir_instr *x = l->header->first; x && x->op == IR_OP_phi; x = x->next)
        count++;
    return count;
}

void rounds_begin(struct rounds *r, struct ir_function *f, const struct loop_form *l,
                  struct arena *scratch)
{
    uint32_t i = 0;
    *r = (struct rounds){.f = f, .form = l};
    r->values = ARENA_ARRAY(scratch, struct ir_instr *, loop_phi_count(l) + 1);
    for (struct ir_instr *x = l->header->first; x && x->op == IR_OP_phi; x = x->next)
        r->values[i++] = opt_phi_source(x, l->before);
}

struct ir_instr *rounds_value(const struct rounds *r, struct ir_instr *x)
{
    struct ir_instr *made = map_get(&r->map, x);
    return opt_resolved(made ? made : x);
}

// Replaces the clones of the header's phis by this iteration's values.
static void bind_phis(struct rounds *r)
{
    uint32_t i = 0;
    for (struct ir_instr *x = r->form->header->first; x && x->op == IR_OP_phi; x = x->next)
        ir_replace(map_get(&r->map, x), r->values[i++]);
}

static void next_values(struct rounds *r)
{
    uint32_t i = 0;
    for (struct ir_instr *x = r->form->header->first; x && x->op == IR_OP_phi; x = x->next)
        r->values[i++] = rounds_value(r, opt_phi_source(x, r->form->cont_last));
}

void rounds_add(struct rounds *r)
{
    const struct loop_form *l = r->form;
    ir_list_clone(r->f, &r->list, &l->loop->body, &r->map, &r->map);
    if (l->test) {
        struct ir_block *header = map_get(&r->map, l->header);
        struct ir_if *test = (struct ir_if *)header->node.next;
        ir_node_replace(&test->node, l->leaves_if_true ? &test->else_list : &test->then_list);
    }
    ir_list_clone(r->f, &r->list, &l->loop->cont, &r->map, &r->map);
    bind_phis(r);
    next_values(r);
}

// Clones the header once more: values computed there are used after the loop.
static void add_header(struct rounds *r, struct ir_list *to)
{
    struct ir_block *header = r->form->header;
    struct ir_list single = {.owner = NULL};
    struct ir_node *rest = header->node.next;
    struct ir_list *list = header->node.list;
    header->node.next = NULL;
    single.first = single.last = &header->node;
    ir_list_clone(r->f, to, &single, &r->map, &r->map);
    header->node.next = rest;
    header->node.list = list;
    bind_phis(r);
}

// Users after the loop get the values of the last iteration.
static void forward_outside(const struct rounds *r)
{
    const struct loop_form *l = r->form;
    const struct ir_block *end =
        l->test ? ir_next_block(l->header) : (const struct ir_block *)l->loop->node.next;
    for (struct ir_block *b = l->header; b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            struct ir_instr *last = map_get(&r->map, x);
            if (last)
                x->forward = opt_resolved(last);
        }
}

// Replaces the loop by the list.
static void finish(struct rounds *r)
{
    const struct loop_form *l = r->form;
    struct ir_block *after = (struct ir_block *)l->loop->node.next;
    for (struct ir_instr *x = after->first, *next; x && x->op == IR_OP_phi; x = next) {
        next = x->next;
        ir_replace(x, rounds_value(r, opt_phi_source(x, l->exit)));
    }
    forward_outside(r);
    ir_node_replace(&l->loop->node, &r->list);
}

void loop_write_out(struct ir_function *f, const struct loop_form *l, struct arena *scratch)
{
    struct rounds r;
    rounds_begin(&r, f, l, scratch);
    for (uint32_t trip = 0; trip < l->trips; trip++)
        rounds_add(&r);
    if (l->test)
        add_header(&r, &r.list);
    finish(&r);
}

void loop_write_out_end(struct ir_function *f, const struct loop_form *l, struct ir_instr **ends, struct arena *scratch)
{
    struct rounds r;
    rounds_begin(&r, f, l, scratch);
    r.values = ends;
    add_header(&r, &r.list);
    finish(&r);
}

static struct ir_instr *merge(struct ir_builder *b, const struct ir_list *then, struct ir_instr *x,
                              const struct ir_list *otherwise, struct ir_instr *y)
{
    struct ir_instr *phi = ir_phi(b, x->type, 2);
    phi->preds[0] = ir_list_last(then);
    phi->src[0] = x;
    phi->preds[1] = ir_list_last(otherwise);
    phi->src[1] = y;
    return phi;
}

// Values of the header are those of its last execution: the one before the test, or the one after the last iteration.
void loop_write_out_last_tested(struct ir_function *f, const struct loop_form *l, struct arena *scratch)
{
    struct rounds r;
    struct ir_builder b = {.module = f->module, .function = f};
    const struct ir_list *arm = l->leaves_if_true ? &l->test->else_list : &l->test->then_list;
    const struct ir_list rest = {.first = l->test->node.next, .last = l->loop->body.last};
    rounds_begin(&r, f, l, scratch);
    for (uint32_t trip = 1; trip < l->trips; trip++)
        rounds_add(&r);
    add_header(&r, &r.list);
    struct map before = {0};
    for (struct ir_instr *x = l->header->first; x; x = x->next)
        map_set(scratch, &before, x, rounds_value(&r, x));
    ir_place_end(&b, &r.list);
    struct ir_if *test = ir_add_if(&b, rounds_value(&r, l->test->cond));
    struct ir_list *goes = l->leaves_if_true ? &test->else_list : &test->then_list;
    struct ir_list *leaves = l->leaves_if_true ? &test->then_list : &test->else_list;
    ir_list_clone(f, goes, arm, &r.map, &r.map);
    ir_list_clone(f, goes, &rest, &r.map, &r.map);
    ir_list_clone(f, goes, &l->loop->cont, &r.map, &r.map);
    next_values(&r);
    add_header(&r, goes);
    for (struct ir_instr *x = l->header->first; x; x = x->next)
        if (x->type.base != IR_VOID)
            map_set(scratch, &r.map, x, merge(&b, goes, rounds_value(&r, x), leaves, map_get(&before, x)));
    finish(&r);
}
