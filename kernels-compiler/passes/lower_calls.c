// SPDX-License-Identifier: Apache-2.0
// Turns a kernel that grows too large when the driver inlines every call into one loop over the steps of all its
// functions.
//
//   kernel { A ; x = f(a) ; B }    ->   next = 1
//   f(p) { C ; return r }               loop while next != end {
//                                           if next == 0 { C ; result = r ; next = back }
//                                           if next == 1 { A ; p = a ; back = 2 ; next = 0 }
//                                           if next == 2 { x = result ; B ; next = end }
//                                       }
//
// So each body exists once. Only large functions with several calls, and their callers, are split into steps; the
// driver inlines the others. Ifs and loops without such calls remain unchanged. There is no recursion, so values that
// are live across calls need no stack: functions that are never active at the same time share variables.
//
// All work-items of a sub-group execute the same step at a time: the first one that any of them has reached. Callees
// precede callers, and steps are in source order, so diverged work-items wait for each other where their paths join,
// as in structured control flow: barriers and sub-group functions work. The selection of the step is not a divergent
// branch.
#include "ir/internal.h"
#include "passes/calls.h"
#include "passes/opt.h"
#include "util/stack.h"
#include <stdlib.h>

enum {
    LEAST_BODY = 8, // instructions, about the cost of a call: smaller functions are always inlined
    LARGEST_BODY = 1 << 20,
    KEPT_VALUES = 64, // the same limits for the most used ones if the others are in arrays
    KEPT_MERGES = 1 << 18,
    GROUP = 1 << STEP_BITS, // steps of an inner loop, see put_loop_of_groups()
    BACK_SHIFT = 16,   // see struct calls.packs
    ROW = 8, // steps: an if without else is two blocks in the driver, not three (LuxCore on ANV: .9 of the time)
};
#define MOST_INSTRUCTIONS (UINT64_C(1) << 62)

static uint64_t sum_of(uint64_t a, uint64_t b) { return a + b < MOST_INSTRUCTIONS ? a + b : MOST_INSTRUCTIONS; }

// ---- selection of functions ----------------------------------------------------------------------

static bool is_collective(const struct calls *p, const struct ir_instr *x)
{
    return (x->op == IR_OP_barrier && x->sync.execution != IR_SCOPE_WORK_ITEM) || x->op == IR_OP_subgroup ||
           ir_is_matrix(x->type) || x->op == IR_OP_mat_store || x->op == IR_OP_mat_elem_store ||
           (is_known_call(x) && body_of(p, x->callee)->has_barriers);
}

static bool has_matrices(const struct ir_function *f)
{
    bool has = ir_is_matrix(f->result);
    for (uint32_t i = 0; i < f->param_count; i++)
        has |= ir_is_matrix(f->params[i]->type);
    for (struct ir_block *b = ir_first_block(f); b && !has; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            has |= ir_is_matrix(x->type);
    return has;
}

// Decides to split functions of more than `most` instructions. Returns the size of the code for the driver.
static uint64_t choose(struct calls *p, uint64_t most)
{
    uint64_t sum = 0;
    for (size_t i = p->order.count; i--;) {
        struct body *body = p->order.items[i];
        body->size = body->instructions;
        body->split = body->has_barriers = false;
        for (struct ir_block *b = ir_first_block(body->f); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next) {
                const struct body *callee = is_known_call(x) ? body_of(p, x->callee) : NULL;
                body->has_barriers |= is_collective(p, x);
                if (!callee)
                    continue;
                body->split |= callee->split;
                if (!callee->split)
                    body->size = sum_of(body->size, callee->size);
            }
        body->split |= body->size > most && body->sites > 1;
        if (body->split || body->f == p->kernel)
            sum = sum_of(sum, body->size);
    }
    return sum;
}

// If a kernel is split anyway, it is made small: it compiles faster and is no slower (ten levels of four calls each:
// 2.3 s at 50,000 instructions, 0.24 s at 1,000 on lavapipe; 3.5 and 0.24 s on an H200).
static bool choose_bodies(struct calls *p)
{
    const uint64_t room = p->c->target->max_inlined / 8;
    bool several = false;
    for (size_t i = 0; i < p->order.count; i++)
        several |= p->order.items[i]->sites > 1;
    if (!several || choose(p, MOST_INSTRUCTIONS) <= p->c->target->max_inlined)
        return false;
    for (uint64_t most = LARGEST_BODY; most >= LEAST_BODY && choose(p, most) > room;)
        most /= 2;
    bool can = body_of(p, p->kernel)->split, has_barriers = false;
    for (size_t i = 0; i < p->order.count; i++) {
        const struct body *body = p->order.items[i];
        can &= !body->split || !has_matrices(body->f);
        has_barriers |= body->split && body->has_barriers;
    }
    p->together = p->c->target->subgroups && p->c->target->subgroup_arithmetic;
    p->must = has_barriers;
    return can && (p->together || !has_barriers);
}

// ---- steps ---------------------------------------------------------------------------------------

static void make_places(struct body *body)
{
    struct ir_function *f = body->f;
    const bool value = f->kernel && has_registers(body->calls);
    body->back = value ? demote_var(f, "next", ir_int(32)) : NULL;
    body->own_vars = f->vars.count;
    body->params = ARENA_ARRAY(f->module->arena, struct ir_var *, f->param_count + 1);
    for (uint32_t i = 0; !f->kernel && i < f->param_count; i++)
        body->params[i] = demote_var(f, "argument", f->params[i]->type);
    body->result = f->result.base != IR_VOID ? demote_var(f, "result", f->result) : NULL;
    if (!value)
        body->back = demote_var(f, f->kernel ? "next" : "back", ir_int(32));
}

// Replaces a call by stores of its arguments, a placeholder if, and a load of its result.
static void place_call(struct calls *p, struct ir_function *f, struct ir_instr *call)
{
    const struct body *callee = body_of(p, call->callee);
    struct ir_builder b = ir_before(f, call);
    for (uint32_t i = 0; i < call->src_count; i++)
        demote_store(&b, callee->params[i], call->src[i]);
    struct ir_if *place = ir_add_if(&b, ir_const_int(p->m, ir_bool(), 1));
    map_set(p->c->scratch, &p->called, place, (void *)callee);
    if (callee->result)
        ir_replace(call, demote_load(&b, callee->result, call->type));
    else
        ir_remove(call);
}

static void place_calls(struct calls *p, struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (is_known_call(x) && body_of(p, x->callee)->split)
                place_call(p, f, x);
        }
    ir_resolve(f);
}

enum { LEFT_BY_BREAK = 1, LEFT_BY_CONTINUE = 2, LEFT_BY_RETURN = 4, CALLS = 8 };

static unsigned find_step_nodes(struct calls *p, struct ir_node *node);

static unsigned find_step_nodes_in(struct calls *p, struct ir_list *list)
{
    stack_check();
    static const unsigned ways[IR_OP_COUNT] = {
        [IR_OP_break] = LEFT_BY_BREAK, [IR_OP_continue] = LEFT_BY_CONTINUE, [IR_OP_return] = LEFT_BY_RETURN};
    const struct ir_instr *end = ir_list_last(list)->last;
    unsigned found = end ? ways[end->op] : 0;
    for (struct ir_node *node = list->first; node; node = node->next)
        found |= node->kind == IR_BLOCK ? 0 : find_step_nodes(p, node);
    return found;
}

// Returns what prevents the node from being inside of a step.
static unsigned find_step_nodes(struct calls *p, struct ir_node *node)
{
    unsigned found = map_get(&p->called, node) ? CALLS : 0;
    if (node->kind == IR_IF) {
        found |= find_step_nodes_in(p, &((struct ir_if *)node)->then_list);
        found |= find_step_nodes_in(p, &((struct ir_if *)node)->else_list);
    } else if (node->kind == IR_LOOP) {
        found |= find_step_nodes_in(p, &((struct ir_loop *)node)->body);
        found |= find_step_nodes_in(p, &((struct ir_loop *)node)->cont);
        found &= ~(unsigned)(LEFT_BY_BREAK | LEFT_BY_CONTINUE);
    } else {
        struct ir_switch *choice = (struct ir_switch *)node;
        for (uint32_t i = 0; i < choice->case_count; i++)
            found |= find_step_nodes_in(p, &choice->cases[i].list);
        found &= ~(unsigned)LEFT_BY_BREAK;
    }
    if (!found)
        map_set(p->c->scratch, &p->kept_nodes, node, node);
    return found;
}

static void find_pieces(struct calls *p, struct ir_list *list, struct ir_block **first);

static void find_pieces_in(struct calls *p, struct ir_node *node, struct ir_block **first)
{
    if (node->kind == IR_IF) {
        find_pieces(p, &((struct ir_if *)node)->then_list, first);
        find_pieces(p, &((struct ir_if *)node)->else_list, first);
    } else if (node->kind == IR_LOOP) {
        find_pieces(p, &((struct ir_loop *)node)->body, first);
        find_pieces(p, &((struct ir_loop *)node)->cont, first);
    } else {
        struct ir_switch *choice = (struct ir_switch *)node;
        for (uint32_t i = 0; i < choice->case_count; i++)
            find_pieces(p, &choice->cases[i].list, first);
    }
}

// All blocks of a step get the same first block.
static void find_pieces(struct calls *p, struct ir_list *list, struct ir_block **first)
{
    stack_check();
    struct ir_block *here = NULL;
    for (struct ir_node *node = list->first; node; node = node->next) {
        if (node->kind == IR_BLOCK) {
            here = here ? here : ir_as_block(node);
            first[ir_as_block(node)->index] = here;
        } else if (map_get(&p->kept_nodes, node)) {
            for (struct ir_block *b = ir_next_block(ir_as_block(node->prev)); &b->node != node->next; b = ir_next_block(b))
                first[b->index] = here;
        } else {
            find_pieces_in(p, node, first);
            here = NULL;
        }
    }
}

static void put_node(struct steps *steps, struct ir_node *node)
{
    struct calls *p = ((struct body *)steps)->calls;
    const struct body *called = map_get(&p->called, node);
    if (called)
        steps_call(steps, called->f);
    else if (map_get(&p->kept_nodes, node))
        steps_add_node(steps, node);
    else
        steps_split(steps, node);
}

static bool split_body(struct calls *p, struct body *body)
{
    struct ir_function *f = body->f;
    place_calls(p, f);
    find_step_nodes_in(p, &f->body);
    ir_number_blocks(f);
    struct demote_pieces pieces = {.params = f->kernel ? NULL : body->params, .derives = calls_inlined_by_gpu(p)};
    pieces.first = ARENA_ARRAY(p->c->scratch, struct ir_block *, f->block_count);
    find_pieces(p, &f->body, pieces.first);
    if (!demote_values(f, &pieces, p->c->scratch))
        return false;
    p->derived += pieces.derived;
    body->steps = (struct steps){.f = f, .scratch = p->c->scratch, .put = put_node, .result = body->result};
    steps_split_list(&body->steps, &f->body);
    for (unsigned i = 0; !f->kernel && i < STEP_EXITS; i++)
        body->steps.exits[i].number_in = body->back;
    return true;
}

// ---- equal steps ---------------------------------------------------------------------------------

static bool is_same_place(const struct body *body, const struct ir_var *x, const struct ir_var *y)
{
    const struct span *a = map_get(&body->span_of, x), *b = map_get(&body->span_of, y);
    return x == y || (a && b && a->number == b->number && a->apart == b->apart && ir_type_eq(x->elem, y->elem));
}

static bool is_same_value(const struct step *a, const struct ir_instr *x, const struct step *b, const struct ir_instr *y)
{
    return x == y || (x && y && x->block && y->block && x->id == y->id && x->block == ir_list_first(&a->code) &&
                      y->block == ir_list_first(&b->code));
}

static bool is_same_instr(const struct body *body, const struct step *a, const struct ir_instr *x, const struct step *b,
                          const struct ir_instr *y)
{
    const bool elem = x->op == IR_OP_elem_load || x->op == IR_OP_elem_store;
    const bool memory = elem || x->op == IR_OP_load || x->op == IR_OP_store;
    bool same = x->op == y->op && x->flags == y->flags && x->src_count == y->src_count && ir_type_eq(x->type, y->type);
    if (same && memory)
        same = !memcmp(&x->mem, &y->mem, sizeof x->mem) && (!elem || is_same_place(body, x->var, y->var));
    else if (same)
        same = ir_has_flag(x, IR_FLAG_P) && x->op != IR_OP_phi && !is_collective(body->calls, x) && opt_same_immediates(x, y);
    for (uint32_t i = 0; same && i < x->src_count; i++)
        same = is_same_value(a, x->src[i], b, y->src[i]);
    return same;
}

static bool is_same_step(const struct body *body, const struct step *a, const struct step *b)
{
    if (a->called != b->called || !a->value != !b->value || (a->value && step_target(a->to[1]) != step_target(b->to[1])))
        return false;
    const struct ir_instr *x = ir_list_first(&a->code)->first, *y = ir_list_first(&b->code)->first;
    for (; x && y && is_same_instr(body, a, x, b, y); y = y->next)
        x = x->next;
    return !x && !y && is_same_value(a, a->value, b, b->value);
}

// Whether the step is straight code after which work-items go on to later steps of the function.
static bool is_forward(const struct calls *p, const struct step *step)
{
    return !step->dead && !step->choice && !step->end && step->code.first == step->code.last && !step_is_empty(step) &&
           !(step->called && body_of(p, step->called)->has_barriers) && step_target(step->to[0])->number > step->number &&
           (!step->value || step_target(step->to[1])->number > step->number);
}

// A step that does the same with the same variables as a later one, and continues at the same places, becomes a jump to
// that: the many calls of a function in the cases of a switch are one. Work-items that wait for others there only do so
// earlier than where their paths join. What sub-groups compute together is left apart.
static void merge_steps(struct calls *p, struct body *body)
{
    struct later { // a step with the same target
        struct step *step;
        struct later *next;
    };
    struct map by_target = {0};
    for (size_t i = body->steps.row.count; i--;) {
        struct step *step = body->steps.row.items[i];
        if (!is_forward(p, step))
            continue;
        uint32_t id = 0;
        for (struct ir_instr *x = ir_list_first(&step->code)->first; x; x = x->next)
            x->id = id++;
        const struct step *target = step_target(step->to[0]);
        struct later *first = map_get(&by_target, target), *same = first;
        while (same && !is_same_step(body, step, same->step))
            same = same->next;
        if (same) {
            ir_list_init(p->m, &step->code, NULL);
            step->value = NULL;
            step->called = NULL;
            step->to[0] = same->step;
        } else {
            const struct later later = {step, first};
            map_set(p->c->scratch, &by_target, target, arena_copy(p->c->scratch, &later, sizeof later));
        }
    }
}

// ---- values in place of elements -----------------------------------------------------------------

struct element { // of a shared array
    struct ir_var *array, *value;
    uint32_t uses;
    size_t position; // of its first use among those of all
};

struct elements {
    struct map of_array; // array -> struct element[]
    VEC(struct element *) all;
};

static struct element *element_of(const struct elements *e, const struct ir_instr *x)
{
    struct element *of = is_elem(x) ? map_get(&e->of_array, x->var) : NULL;
    return of && ir_is_const(x->src[0]) ? &of[x->src[0]->lanes[0]] : NULL;
}

static void count_uses(struct calls *p, struct elements *e)
{
    for (size_t i = 0; i < p->pools.count; i++)
        for (uint32_t k = 0; p->pools.items[i].array && k < p->pools.items[i].count; k += p->pools.items[i].array) {
            struct ir_var *array = p->pools.items[i].vars[k / p->pools.items[i].array];
            map_set(p->c->scratch, &e->of_array, array, ARENA_ARRAY(p->c->scratch, struct element, array->count));
        }
    for (struct ir_block *b = ir_first_block(p->kernel); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            struct element *element = element_of(e, x);
            if (!element || element->uses++)
                continue;
            element->array = x->var;
            element->position = e->all.count;
            vec_push(p->c->scratch, &e->all, element);
        }
}

static int by_uses(const void *x, const void *y)
{
    const struct element *const *a = x, *const *b = y;
    return (*a)->uses != (*b)->uses ? ((*a)->uses < (*b)->uses ? 1 : -1) : (*a)->position < (*b)->position ? -1 : 1;
}

// Without an initial value, all of them are live from the start of the loop on, and Intel's compiler searches the loop for
// the first store before it joins two of them.
static void make_value(struct calls *p, struct element *element)
{
    static const uint64_t zeros[16];
    struct ir_block *entry = ir_first_block(p->kernel);
    struct ir_builder start = {.module = p->m, .function = p->kernel, .block = entry, .before = entry->first};
    element->value = demote_var(p->kernel, "shared", element->array->elem);
    if (calls_inlined_by_gpu(p))
        demote_store(&start, element->value, ir_const(p->m, element->value->elem, zeros));
}

// Of the shared variables in memory, those with most uses become values: a few merges in each step cost less than many
// accesses.
static void keep_values(struct calls *p)
{
    enum { LEAST_USES = 16 };
    struct elements e = {0};
    const size_t most = KEPT_MERGES / (p->steps.count + 1) < KEPT_VALUES ? KEPT_MERGES / (p->steps.count + 1) : KEPT_VALUES;
    count_uses(p, &e);
    if (e.all.count)
        qsort(e.all.items, e.all.count, sizeof *e.all.items, by_uses);
    for (size_t i = 0; i < e.all.count && i < most && e.all.items[i]->uses >= LEAST_USES; i++)
        make_value(p, e.all.items[i]);
    for (struct ir_block *b = ir_first_block(p->kernel); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            const struct element *element = element_of(&e, x);
            if (!element || !element->value)
                continue;
            x->var = element->value;
            x->src[0] = ir_const_int(p->m, ir_int(32), 0);
        }
}

// A small private array with many uses grows until the driver keeps it in memory: its elements would be merged in all
// steps. Mesa's GPU drivers: also one with few uses if shared variables are in memory anyway.
static void enlarge_arrays(struct calls *p)
{
    const uint32_t least_uses = p->in_memory && calls_inlined_by_gpu(p) ? 1 : 16;
    struct map uses = {0};
    for (size_t i = 0; i < p->m->vars.count; i++)
        if (p->m->vars.items[i]->space == IR_PRIVATE)
            map_set(p->c->scratch, &uses, p->m->vars.items[i], ARENA_ARRAY(p->c->scratch, uint32_t, 1));
    for (struct ir_block *b = ir_first_block(p->kernel); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            uint32_t *count = is_elem(x) ? map_get(&uses, x->var) : NULL;
            const uint32_t bytes = count ? ir_elem_bytes(x->var->elem) : 1, least = (ARRAY_BYTES + bytes - 1) / bytes;
            if (!count || ++*count < least_uses || x->var->count >= least)
                continue;
            x->var->count = least;
            x->var->size = (uint64_t)bytes * least;
        }
}

// ---- the loop ------------------------------------------------------------------------------------

// The variable with the number of the next step.
static struct ir_var *next_var(const struct calls *p) { return body_of(p, p->kernel)->back; }

static struct ir_instr *back_shift(const struct calls *p) { return ir_const_int(p->m, ir_int(32), BACK_SHIFT); }

// One store of the step to return to for each function instead of each call: Mesa's compiler for Intel's GPUs goes
// through the whole kernel for most stores.
static void save_backs(struct calls *p)
{
    size_t count = 1;
    for (size_t i = 0; i < p->order.count; i++)
        count += p->order.items[i]->steps.row.count;
    p->packs = calls_inlined_by_gpu(p) && count < 1u << BACK_SHIFT;
    for (size_t i = 0; p->packs && i < p->order.count; i++) {
        const struct body *body = p->order.items[i];
        if (!body->split || body->f == p->kernel)
            continue;
        struct ir_block *first = ir_list_first(&body->steps.row.items[0]->code);
        struct ir_builder b = {.module = p->m, .function = p->kernel, .block = first, .before = first->first};
        struct ir_instr *next = demote_load(&b, next_var(p), ir_int(32));
        demote_store(&b, body->back, ir_op2(&b, IR_OP_lshr, next, back_shift(p)));
    }
}

static void number_steps(struct calls *p)
{
    for (size_t i = p->order.count; i--;) {
        struct body *body = p->order.items[i];
        for (size_t k = 0; body->split && k < body->steps.row.count; k++) {
            struct step *step = body->steps.row.items[k];
            if (step_is_empty(step))
                continue;
            step->number = (uint32_t)p->steps.count;
            vec_push(p->c->scratch, &p->steps, step);
        }
    }
}

static struct ir_instr *number(const struct calls *p, struct ir_builder *b, uint32_t value)
{
    return step_number_in_parts(b, p->shift, value);
}

// The lowest step that any work-item of the sub-group is at.
static struct ir_instr *lowest_of(struct ir_builder *b, struct ir_instr *at)
{
    return ir_subgroup(b, IR_SUBGROUP_UMIN, IR_GROUP_REDUCE, ir_int(32), &at, 1);
}

static struct ir_instr *first_step(const struct calls *p, struct ir_builder *b, const struct ir_function *f)
{
    return step_number(b, body_of(p, f)->steps.row.items[0]);
}

static void put_step(const struct calls *p, struct ir_builder *b, struct step *step)
{
    struct ir_list *list = b->block->node.list;
    ir_list_join(list, &step->code); // keeps the blocks, which phis name
    ir_place_end(b, list);
    if (step->called && p->packs) {
        struct ir_instr *back = ir_op2(b, IR_OP_shl, step_number(b, step->to[0]), back_shift(p));
        demote_store(b, next_var(p), ir_op2(b, IR_OP_or, back, first_step(p, b, step->called)));
    } else if (step->called) {
        demote_store(b, body_of(p, step->called)->back, step_number(b, step->to[0]));
        demote_store(b, next_var(p), first_step(p, b, step->called));
    } else if (!step->dead) {
        demote_store(b, next_var(p), step_next(b, step));
    }
}

static void put_loop(const struct calls *p, struct ir_builder *b, uint32_t first, uint32_t count, bool inner);

// Emits a binary selection of the step with number `at` + `base` among `count` steps from `first`, or of its group: then
// each group of GROUP steps is a loop. For Mesa's GPU drivers, up to ROW steps are ifs one after the other.
static void put_steps(const struct calls *p, struct ir_builder *b, struct ir_instr *at, uint32_t base, uint32_t first, uint32_t count,
                      uint32_t leaf)
{
    stack_check();
    if (count <= leaf && leaf == 1) {
        put_step(p, b, p->steps.items[first]);
        return;
    }
    if (count <= leaf) {
        put_loop(p, b, first, count, true);
        return;
    }
    if (count <= ROW && calls_inlined_by_gpu(p)) {
        for (uint32_t i = 0; i < count; i++) {
            struct ir_if *node = ir_add_if(b, ir_op2(b, IR_OP_ieq, at, number(p, b, first + i - base)));
            ir_place_end(b, &node->then_list);
            put_step(p, b, p->steps.items[first + i]);
            ir_place_after(b, &node->node);
        }
        return;
    }
    const uint32_t half = (count / 2 + leaf - 1) / leaf * leaf;
    struct ir_if *node = ir_add_if(b, ir_op2(b, IR_OP_ult, at, number(p, b, first + half - base)));
    ir_place_end(b, &node->then_list);
    put_steps(p, b, at, base, first, half, leaf);
    ir_place_end(b, &node->else_list);
    put_steps(p, b, at, base, first + half, count - half, leaf);
    ir_place_after(b, &node->node);
}

// The number of a step in an inner loop from `first`.
static struct ir_instr *number_inside(const struct calls *p, struct ir_builder *b, struct ir_instr *at, uint32_t first)
{
    return ir_op2(b, IR_OP_isub, at, number(p, b, first));
}

// The number of the next step without the one to return to.
static struct ir_instr *load_next(const struct calls *p, struct ir_builder *b)
{
    struct ir_instr *next = demote_load(b, next_var(p), ir_int(32));
    return p->packs ? ir_op2(b, IR_OP_and, next, ir_const_int(b->module, ir_int(32), (1u << BACK_SHIFT) - 1)) : next;
}

// Adds a loop over `count` steps from `first`. An inner loop ends at the first step outside of these.
static void put_loop(const struct calls *p, struct ir_builder *b, uint32_t first, uint32_t count, bool inner)
{
    const bool together = p->together && (p->must || !inner);
    struct ir_loop *loop = ir_add_loop(b);
    ir_place_end(b, &loop->body);
    struct ir_instr *at = load_next(p, b), *lowest = together ? lowest_of(b, at) : at;
    struct ir_instr *index = inner ? number_inside(p, b, lowest, first) : lowest;
    if (together || inner) {
        struct ir_instr *mine = ir_op2(b, IR_OP_ieq, at, lowest);
        struct ir_if *node = ir_add_if(b, together ? mine : ir_op2(b, IR_OP_ult, index, number(p, b, count)));
        ir_place_end(b, &node->then_list);
    }
    put_steps(p, b, index, inner ? first : 0, first, count, 1);
    ir_place_end(b, &loop->cont);
    struct ir_instr *next = demote_load(b, next_var(p), ir_int(32));
    if (inner)
        loop->cond = ir_op2(b, IR_OP_ult, number_inside(p, b, together ? lowest_of(b, next) : next, first), number(p, b, count));
    else
        loop->cond = ir_op2(b, IR_OP_ine, next, number(p, b, count));
    ir_place_after(b, &loop->node);
}

// LLVM 15's coroutine pass compares all pairs of accesses to a loop's mask of active work-items, and every if in the
// loop loads it: loops over groups of steps make these sets small. Mesa's CPU driver makes 17 blocks of the search for
// the lowest step: inside of a group, work-items do not wait for each other unless they must.
static void put_loop_of_groups(const struct calls *p, struct ir_builder *b, uint32_t count)
{
    struct ir_loop *loop = ir_add_loop(b);
    ir_place_end(b, &loop->body);
    struct ir_instr *at = demote_load(b, next_var(p), ir_int(32));
    put_steps(p, b, p->together ? lowest_of(b, at) : at, 0, 0, count, GROUP);
    ir_place_end(b, &loop->cont);
    loop->cond = ir_op2(b, IR_OP_ine, demote_load(b, next_var(p), ir_int(32)), number(p, b, count));
    ir_place_after(b, &loop->node);
}

// LLVM computes each constant vector of a loop before the outermost loop, where it is live in all of it: thousands of
// numbers of steps are made of few constants instead.
static void hide_numbers(struct calls *p, struct ir_builder *b)
{
    p->shift = ir_op2(b, IR_OP_iadd, opt_hidden_zero(b), ir_const_int(p->m, ir_int(32), STEP_BITS));
    for (size_t i = 0; i < p->steps.count; i++)
        p->steps.items[i]->shift = p->shift;
}

static void put_loops(struct calls *p)
{
    const uint32_t count = (uint32_t)p->steps.count;
    struct ir_builder b = ir_at_end(p->kernel);
    const bool groups = !has_registers(p) && count > GROUP;
    calls_make_shared(p, &b);
    if (groups)
        hide_numbers(p, &b);
    demote_store(&b, next_var(p), first_step(p, &b, p->kernel));
    if (groups)
        put_loop_of_groups(p, &b, count);
    else
        put_loop(p, &b, 0, count, false);
    ir_jump(&b, IR_OP_return, NULL);
}

static void drop_split(struct calls *p)
{
    size_t kept_nodes = 0;
    for (size_t i = 0; i < p->m->functions.count; i++) {
        struct ir_function *f = p->m->functions.items[i];
        if (f == p->kernel || !body_of(p, f)->split)
            p->m->functions.items[kept_nodes++] = f;
        else
            map_set(p->m->arena, &p->m->functions_by_name, f->name, NULL);
    }
    p->m->functions.count = kept_nodes;
}

// ---- the pass ------------------------------------------------------------------------------------

static struct ir_function *only_kernel(struct ir_module *m)
{
    struct ir_function *kernel = NULL;
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->kernel && m->functions.items[i]->has_body) {
            if (kernel)
                return NULL;
            kernel = m->functions.items[i];
        }
    return kernel;
}

static uint32_t instructions_of(const struct ir_function *f)
{
    uint32_t count = 0;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            count++;
    return count;
}

static void find_bodies(struct calls *p)
{
    p->bodies = ARENA_ARRAY(p->c->scratch, struct body, p->m->functions.count);
    for (size_t i = 0; i < p->called_by.functions.count; i++) {
        struct ir_function *f = p->called_by.functions.items[i];
        struct body *body = body_of(p, f);
        *body = (struct body){.f = f, .calls = p, .sites = p->called_by.sites[f->id], .instructions = instructions_of(f)};
        vec_push(p->c->scratch, &p->order, body);
    }
}

// Classes of variables of several functions have variables of their own.
static void share_variables(struct calls *p, struct body *const *split, size_t count)
{
    struct share_body *bodies = ARENA_ARRAY(p->c->scratch, struct share_body, count);
    for (size_t i = 0; i < count; i++)
        bodies[i] = (struct share_body){&split[i]->steps, (uint32_t)split[i]->own_vars, {split[i]->result, split[i]->back}};
    p->shared = share_vars(p->c->scratch, bodies, count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = split[i]->own_vars; k < split[i]->f->vars.count; k++) {
            struct shared_var *var = map_get(&p->shared, split[i]->f->vars.items[k]);
            if (var && var->leader == var && var->many_bodies)
                var->number = calls_pool_of(p, var->var->elem)->apart++;
        }
}

static bool split_bodies(struct calls *p)
{
    VEC(struct body *) split = {0};
    for (size_t i = 0; i < p->order.count; i++)
        if (p->order.items[i]->split)
            vec_push(p->c->scratch, &split, p->order.items[i]);
    for (size_t i = 0; i < split.count; i++)
        make_places(split.items[i]);
    for (size_t i = 0; i < split.count; i++)
        if (!split_body(p, split.items[i]))
            return false;
    share_variables(p, split.items, split.count);
    for (size_t i = 0; i < split.count; i++) {
        calls_place_variables(p, split.items[i]);
        merge_steps(p, split.items[i]);
        calls_add_variables(p, split.items[i]);
        calls_count_shared(p, split.items[i]);
    }
    return true;
}

// Requires: lowered memory, no recursion. Keeps: values. Removes: calls of large functions if the driver would inline
// more than target.max_inlined instructions.
bool lower_calls(struct pass_context *c)
{
    struct calls p = {.c = c, .m = c->module, .kernel = only_kernel(c->module)};
    if (!c->target->max_inlined || c->module->error || !p.kernel)
        return false;
    p.called_by = call_order_find(c);
    find_bodies(&p);
    if (!choose_bodies(&p))
        return false;
    const bool fewer = same_args(c, &p.called_by);
    for (size_t i = 0; fewer && i < p.m->functions.count; i++)
        opt_algebraic(c, p.m->functions.items[i]);
    if (!split_bodies(&p)) {
        ir_fail(p.m, p.kernel->kernel->origin, "the values of this kernel cannot be saved across calls");
        return false;
    }
    save_backs(&p);
    number_steps(&p);
    for (unsigned i = 0; i < STEP_EXITS; i++)
        body_of(&p, p.kernel)->steps.exits[i].number = (uint32_t)p.steps.count;
    put_loops(&p);
    for (size_t i = 0; i < p.order.count; i++)
        if (p.order.items[i]->split)
            calls_move_variables(&p, p.order.items[i]);
    calls_use_replacements(&p);
    if (has_registers(&p)) {
        if (calls_inlined_by_gpu(&p))
            calls_keep_private(&p);
        keep_values(&p);
        enlarge_arrays(&p);
    }
    drop_split(&p);
    return true;
}
