// SPDX-License-Identifier: Apache-2.0
// The variables of functions that become steps of one loop (lower_calls.c): those of functions that are never active at
// the same time share variables of the kernel.
#include "ir/internal.h"
#include "passes/calls.h"
#include "passes/inline.h"
#include <stdlib.h>

enum { DERIVED_SHARE = 2 }; // as many values that are recomputed in the steps that use them count as one

static struct variables *variables_of(struct calls *p, struct body *body, struct ir_type type)
{
    for (size_t i = 0; i < body->variables.count; i++)
        if (ir_type_eq(body->variables.items[i].type, type))
            return &body->variables.items[i];
    vec_push(p->c->scratch, &body->variables, ((struct variables){.type = type}));
    return &body->variables.items[body->variables.count - 1];
}

static void use_span(struct span *span, uint32_t step)
{
    span->first = span->first < step ? span->first : step;
    span->last = span->last > step ? span->last : step;
}

static void find_uses(struct body *body)
{
    for (uint32_t k = 0; k < body->steps.row.count; k++) {
        const struct ir_list *code = &body->steps.row.items[k]->code;
        const struct ir_block *last = ir_list_last(code);
        for (const struct ir_block *b = ir_list_first(code);; b = ir_next_block((struct ir_block *)b)) {
            for (const struct ir_instr *x = b->first; x; x = x->next) {
                struct span *span = is_elem(x) ? map_get(&body->span_of, x->var) : NULL;
                if (span)
                    use_span(span, k);
            }
            if (b == last)
                break;
        }
    }
}

// A value that is live at the start or end of a loop is live in all of it.
static void extend_over_loop(struct body *body, uint32_t first, uint32_t last)
{
    for (size_t i = body->own_vars; i < body->f->vars.count; i++) {
        struct span *span = &body->spans[i];
        if (span->first > last || span->last < first || (span->first >= first && span->last <= last))
            continue;
        use_span(span, first);
        use_span(span, last);
    }
}

// Inner loops end before outer ones.
static void extend_over_loops(struct body *body)
{
    for (uint32_t k = 0; k < body->steps.row.count; k++) {
        const struct step *step = body->steps.row.items[k];
        const uint32_t targets = step->choice ? step->choice->case_count + 1 : step->value ? 2 : 1;
        for (uint32_t i = 0; !step->dead && i < targets; i++) {
            const uint32_t to = step->to[i]->number;
            if (to <= k && body->steps.row.items[to] == step->to[i])
                extend_over_loop(body, to, k);
        }
    }
}

static int by_first(const void *x, const void *y)
{
    const struct span *const *a = x, *const *b = y;
    return (*a)->first != (*b)->first ? ((*a)->first < (*b)->first ? -1 : 1) : *a < *b ? -1 : 1;
}

// Values that are not live at the same time share a variable.
static void number_variables(struct calls *p, struct body *body)
{
    const size_t all = body->f->vars.count;
    struct span **order = ARENA_ARRAY(p->c->scratch, struct span *, all + 1);
    size_t count = 0;
    for (size_t i = body->own_vars; i < all; i++)
        if (!body->spans[i].leader && !body->spans[i].apart)
            order[count++] = &body->spans[i];
    if (count)
        qsort(order, count, sizeof *order, by_first);
    for (size_t i = 0; i < count; i++) {
        struct variables *of = variables_of(p, body, order[i]->var->elem);
        uint32_t k = 0;
        of->last = of->last ? of->last : ARENA_ARRAY(p->c->scratch, uint32_t, count);
        while (k < of->count && of->last[k] >= order[i]->first)
            k++;
        of->last[k] = order[i]->last;
        of->count += k == of->count;
        order[i]->number = k;
    }
    for (size_t i = body->own_vars; i < all; i++)
        if (body->spans[i].leader)
            body->spans[i].number = body->spans[i].leader->number;
}

// Variables of the same class are one variable.
static void join_spans(struct calls *p, struct body *body)
{
    for (size_t i = body->own_vars; i < body->f->vars.count; i++) {
        struct span *span = &body->spans[i];
        const struct shared_var *var = map_get(&p->shared, span->var), *leader = var ? var->leader : NULL;
        if (leader && leader->many_bodies) {
            span->apart = true;
            span->number = leader->number;
        } else if (leader && leader != var) {
            span->leader = map_get(&body->span_of, leader->var);
            use_span(span->leader, span->first);
            use_span(span->leader, span->last);
        }
    }
}

// Callers store arguments before the first step, and load the result after the last one.
static void find_spans(struct calls *p, struct body *body)
{
    const struct ir_function *f = body->f;
    const uint32_t end = (uint32_t)body->steps.row.count;
    body->spans = ARENA_ARRAY(p->c->scratch, struct span, f->vars.count + 1);
    for (size_t i = body->own_vars; i < f->vars.count; i++) {
        body->spans[i] = (struct span){.var = f->vars.items[i], .first = UINT32_MAX};
        map_set(p->c->scratch, &body->span_of, f->vars.items[i], &body->spans[i]);
    }
    find_uses(body);
    for (uint32_t i = 0; !f->kernel && i < f->param_count; i++)
        use_span(map_get(&body->span_of, body->params[i]), 0);
    if (body->result)
        use_span(map_get(&body->span_of, body->result), end);
    struct span *back = map_get(&body->span_of, body->back);
    if (back) {
        use_span(back, 0);
        use_span(back, end);
    }
    join_spans(p, body);
    extend_over_loops(body);
    number_variables(p, body);
}

// Variables of callees are numbered after those of the function. Callers are processed first.
void calls_place_variables(struct calls *p, struct body *body)
{
    find_spans(p, body);
    for (size_t i = 0; i < body->steps.row.count; i++) {
        const struct step *step = body->steps.row.items[i];
        for (size_t k = 0; step->called && k < body->variables.count; k++) {
            const struct variables *mine = &body->variables.items[k];
            struct variables *its = variables_of(p, body_of(p, step->called), mine->type);
            if (its->first < mine->first + mine->count)
                its->first = mine->first + mine->count;
        }
    }
}

struct pool *calls_pool_of(struct calls *p, struct ir_type type)
{
    for (size_t i = 0; i < p->pools.count; i++)
        if (ir_type_eq(p->pools.items[i].type, type))
            return &p->pools.items[i];
    vec_push(p->c->scratch, &p->pools, (struct pool){.type = type});
    return &p->pools.items[p->pools.count - 1];
}

void calls_count_shared(struct calls *p, const struct body *body)
{
    for (size_t i = 0; i < body->variables.count; i++) {
        const struct variables *mine = &body->variables.items[i];
        struct pool *pool = calls_pool_of(p, mine->type);
        if (pool->count < mine->first + mine->count)
            pool->count = mine->first + mine->count;
    }
}

static void make_arrays(struct calls *p, struct pool *pool, struct ir_builder *b)
{
    const uint32_t bytes = ir_elem_bytes(pool->type), least = (ARRAY_BYTES + bytes - 1) / bytes;
    pool->array = !has_registers(p) ? ARRAY_VALUES : pool->count > least ? pool->count : least;
    const uint32_t arrays = (pool->count + pool->array - 1) / pool->array;
    pool->vars = ARENA_ARRAY(p->c->scratch, struct ir_var *, arrays + 1);
    for (uint32_t k = 0; k < arrays; k++) {
        pool->vars[k] = demote_array(p->m, p->kernel, "shared", pool->type, pool->array);
        demote_force_memory(b, pool->vars[k]);
    }
}

static void make_values(struct calls *p, struct pool *pool)
{
    pool->vars = ARENA_ARRAY(p->c->scratch, struct ir_var *, pool->count + 1);
    for (uint32_t k = 0; k < pool->count; k++)
        pool->vars[k] = demote_var(p->kernel, "shared", pool->type);
}

// ---- small private memory ------------------------------------------------------------------------

enum { SMALL = 4, SMALL_USES = 16 }; // limit of elements, and least uses

// Private variables of few elements that only functions in steps use.
static void find_small(struct calls *p)
{
    for (size_t i = 0; i < p->m->vars.count; i++) {
        struct ir_var *var = p->m->vars.items[i];
        if (var->space == IR_PRIVATE && var->count && var->count <= SMALL && var->elem.lanes == 1)
            map_set(p->c->scratch, &p->small, var, ARENA_ARRAY(p->c->scratch, uint32_t, 1));
    }
    for (size_t i = 0; i < p->order.count; i++)
        for (struct ir_block *b = p->order.items[i]->split ? NULL : ir_first_block(p->order.items[i]->f); b; b = ir_next_block(b))
            for (const struct ir_instr *x = b->first; x; x = x->next)
                if (is_elem(x))
                    map_set(p->c->scratch, &p->small, x->var, NULL);
}

static struct ir_instr *is_at(struct ir_builder *b, struct ir_instr *index, uint32_t k)
{
    return ir_op2(b, IR_OP_ieq, index, ir_const_int(b->module, index->type, k));
}

static void use_values(struct ir_builder *b, struct ir_instr *x, struct ir_var *const *values)
{
    struct ir_instr *index = x->src[0];
    if (ir_is_const(index)) {
        x->var = values[index->lanes[0] % x->var->count];
        x->src[0] = ir_const_int(b->module, index->type, 0);
        return;
    }
    struct ir_instr *old[SMALL] = {0};
    for (uint32_t k = 0; k < x->var->count; k++)
        old[k] = demote_load(b, values[k], x->var->elem);
    struct ir_instr *loaded = old[0];
    for (uint32_t k = 0; k < x->var->count; k++)
        if (x->op == IR_OP_elem_store)
            demote_store(b, values[k], ir_select(b, is_at(b, index, k), x->src[1], old[k]));
        else if (k)
            loaded = ir_select(b, is_at(b, index, k), old[k], loaded);
    if (x->op == IR_OP_elem_load)
        ir_replace(x, loaded);
    else
        ir_remove(x);
}

// What all functions access through pointers, such as the position in a stack, becomes values, also with an index: few
// selections cost less than accesses in most steps.
void calls_keep_private(struct calls *p)
{
    for (struct ir_block *b = ir_first_block(p->kernel); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            uint32_t *uses = is_elem(x) ? map_get(&p->small, x->var) : NULL;
            if (uses && x->op != IR_OP_elem_load && x->op != IR_OP_elem_store)
                map_set(p->c->scratch, &p->small, x->var, NULL);
            else if (uses)
                ++*uses;
        }
    struct map values = {0};
    struct ir_block *entry = ir_first_block(p->kernel);
    struct ir_builder start = {.module = p->m, .function = p->kernel, .block = entry, .before = entry->first};
    for (size_t i = 0; i < p->m->vars.count; i++) {
        struct ir_var *var = p->m->vars.items[i];
        const uint32_t *uses = map_get(&p->small, var);
        if (uses && *uses < SMALL_USES)
            demote_force_memory(&start, var);
        if (!uses || *uses < SMALL_USES)
            continue;
        struct ir_var **made = ARENA_ARRAY(p->c->scratch, struct ir_var *, SMALL);
        for (uint32_t k = 0; k < var->count; k++)
            made[k] = demote_var(p->kernel, "private", var->elem);
        map_set(p->c->scratch, &values, var, made);
    }
    for (struct ir_block *b = ir_first_block(p->kernel); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            struct ir_var *const *made = is_elem(x) ? map_get(&values, x->var) : NULL;
            struct ir_builder at = ir_before(p->kernel, x);
            if (made)
                use_values(&at, x, made);
        }
    ir_resolve(p->kernel);
}

// Many values in many steps are kept in memory, because the driver's cost for merging values grows at least with
// their product.
void calls_make_shared(struct calls *p, struct ir_builder *b)
{
    uint64_t all = 0;
    for (size_t i = 0; i < p->pools.count; i++)
        all += p->pools.items[i].count += p->pools.items[i].apart;
    all += p->derived / DERIVED_SHARE;
    const bool memory = p->in_memory = all > MOST_VALUES || all * p->steps.count > MOST_MERGES;
    for (size_t i = 0; i < p->pools.count; i++)
        if (memory)
            make_arrays(p, &p->pools.items[i], b);
        else
            make_values(p, &p->pools.items[i]);
    if (memory && calls_inlined_by_gpu(p))
        find_small(p);
    for (size_t i = 0; memory && i < p->m->vars.count; i++)
        if (p->m->vars.items[i]->space == IR_PRIVATE && !map_get(&p->small, p->m->vars.items[i]))
            demote_force_memory(b, p->m->vars.items[i]);
}

static struct place shared_place(struct calls *p, struct body *body, const struct span *span)
{
    const struct ir_type type = span->var->elem;
    const struct pool *pool = calls_pool_of(p, type);
    const uint32_t number = span->number + (span->apart ? pool->count - pool->apart : variables_of(p, body, type)->first);
    if (pool->array)
        return (struct place){pool->vars[number / pool->array], ir_const_int(p->m, ir_int(32), number % pool->array)};
    return (struct place){pool->vars[number], NULL};
}

static struct place unshared_place(struct calls *p, const struct body *body, struct ir_var *var)
{
    return (struct place){body->f == p->kernel ? var : inline_copy_var(p->kernel, var), NULL};
}

void calls_add_variables(struct calls *p, struct body *body)
{
    struct ir_function *f = body->f;
    body->var_count = f->vars.count;
    body->vars = ARENA_ARRAY(p->c->scratch, struct ir_var *, f->vars.count + 1);
    memcpy(body->vars, f->vars.items, f->vars.count * sizeof *body->vars);
    f->vars.count = body->own_vars;
}

void calls_move_variables(struct calls *p, struct body *body)
{
    for (size_t i = 0; i < body->var_count; i++) {
        struct ir_var *var = body->vars[i];
        struct place place = i < body->own_vars ? unshared_place(p, body, var)
                                                : shared_place(p, body, &body->spans[i]);
        map_set(p->c->scratch, &p->replacements, var, arena_copy(p->c->scratch, &place, sizeof place));
    }
}

void calls_use_replacements(struct calls *p)
{
    for (struct ir_block *b = ir_first_block(p->kernel); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            const struct place *place = is_elem(x) ? map_get(&p->replacements, x->var) : NULL;
            if (!place)
                continue;
            x->var = place->var;
            if (place->index)
                x->src[0] = place->index;
        }
}
