// SPDX-License-Identifier: Apache-2.0
// Keeps the phis of a kernel of very many blocks in memory.
//
//   b1: ...                                  b1: ... ; store @phis[0], %1
//   b2: ...                                  b2: ... ; store @phis[0], %2
//   b3: %3 = phi b1: %1, b2: %2         ->   b3: %3 = load @phis[0]
//
// Mesa's CPU driver makes a phi a variable, and a store to it merges the new values of the active work-items with the
// old ones. In a loop, the old ones are those of the last iteration: each phi, however short-lived, is live in the
// whole loop around it, and LLVM's time grows with the product of blocks and such values. In memory, a place is free
// again as soon as it is loaded, so all phis share as many places as the largest block has phis. The end of a loop and
// the block before a switch have several successors with phis: these have different places.
#include "ir/internal.h"
#include "passes/amount.h"
#include "passes/demote.h"
#include "passes/opt.h"

enum { PLACES = 4 }; // elements of an array: see ARRAY_VALUES in lower_calls

struct places { // for phis of one type
    struct ir_type type;
    VEC(struct ir_var *) arrays;
};

struct phis {
    struct pass_context *c;
    VEC(struct places) places;
    struct map place_of; // phi -> its struct place
};

struct place {
    struct ir_var *array;
    struct ir_instr *index;
};

static struct places *places_for(struct phis *p, struct ir_type type)
{
    for (size_t i = 0; i < p->places.count; i++)
        if (ir_type_eq(p->places.items[i].type, type))
            return &p->places.items[i];
    vec_push(p->c->scratch, &p->places, (struct places){.type = type});
    return &p->places.items[p->places.count - 1];
}

static void choose_place(struct phis *p, struct ir_instr *phi, uint32_t number)
{
    struct places *places = places_for(p, demote_type(phi->type));
    if (number / PLACES == places->arrays.count)
        vec_push(p->c->scratch, &places->arrays, demote_array(p->c->module, NULL, "phis", phi->type, PLACES));
    struct place *place = ARENA_NEW(p->c->scratch, struct place);
    *place = (struct place){places->arrays.items[number / PLACES], ir_const_int(p->c->module, ir_int(32), number % PLACES)};
    map_set(p->c->scratch, &p->place_of, phi, place);
}

static bool same_place_type(const struct ir_instr *x, const struct ir_instr *y)
{
    return ir_type_eq(demote_type(x->type), demote_type(y->type));
}

// The number of phis above `end` in a block that would have the same places as `x`.
static uint32_t count_same(const struct ir_block *block, const struct ir_instr *end, const struct ir_instr *x)
{
    uint32_t count = 0;
    for (const struct ir_instr *y = block->first; y != end && y->op == IR_OP_phi; y = y->next)
        count += same_place_type(x, y);
    return count;
}

// The same in the earlier blocks that `x`'s block shares a predecessor with.
static uint32_t count_beside(const struct ir_block *block, const struct ir_instr *x)
{
    const struct ir_node *before = block->node.prev, *owner = before ? NULL : block->node.list->owner;
    if (before && before->kind == IR_LOOP)
        return count_same(ir_list_first(&((const struct ir_loop *)before)->body), NULL, x);
    uint32_t count = 0;
    const struct ir_case *c = owner && owner->kind == IR_SWITCH ? ((const struct ir_switch *)owner)->cases : NULL;
    for (; c && &c->list != block->node.list; c++)
        count += count_same(ir_list_first(&c->list), NULL, x);
    return count;
}

static void choose_places(struct phis *p, struct ir_block *block)
{
    for (struct ir_instr *x = block->first; x && x->op == IR_OP_phi; x = x->next)
        if (demote_can_store(x->type))
            choose_place(p, x, count_same(block, x, x) + count_beside(block, x));
}

static bool has_call(const struct ir_block *block)
{
    for (const struct ir_instr *x = block->first; x; x = x->next)
        if (x->op == IR_OP_call)
            return true;
    return false;
}

// Whether the place still has the value `x`, that of another phi, at the end of `pred`: nothing is stored where paths only
// part, but functions store their own phis there.
static bool is_there(const struct phis *p, const struct ir_instr *x, const struct ir_block *pred, const struct place *place)
{
    const struct place *from = x->op == IR_OP_phi ? map_get(&p->place_of, x) : NULL;
    if (!from || from->array != place->array || from->index->lanes[0] != place->index->lanes[0])
        return false;
    for (; pred != x->block; pred = ir_as_block(pred->node.list->owner->prev)) {
        const struct ir_node *owner = pred->node.list->owner;
        if (pred->node.prev || !owner || owner->kind != IR_IF || has_call(pred))
            return false;
    }
    return !has_call(x->block);
}

static void store_sources(struct phis *p, struct ir_function *f, struct ir_instr *phi, const struct place *place)
{
    for (uint32_t k = 0; k < phi->src_count; k++) {
        struct ir_block *pred = phi->preds[k];
        struct ir_builder b = {.module = p->c->module, .function = f, .block = pred};
        b.before = ir_ends_in_jump(pred) ? pred->last : NULL;
        if (phi->src[k]->op != IR_OP_undef && !is_there(p, phi->src[k], pred, place))
            demote_store_at(&b, place->array, place->index, phi->src[k]);
    }
}

static void store_all(struct phis *p, struct ir_function *f, struct ir_block *block)
{
    for (struct ir_instr *x = block->first; x && x->op == IR_OP_phi; x = x->next) {
        const struct place *place = map_get(&p->place_of, x);
        if (place)
            store_sources(p, f, x, place);
    }
}

static void load_all(struct phis *p, struct ir_function *f, struct ir_block *block)
{
    struct ir_builder b = {.module = p->c->module, .function = f, .block = block, .before = block->first};
    while (b.before && b.before->op == IR_OP_phi)
        b.before = b.before->next;
    for (struct ir_instr *x = block->first, *next; x && x->op == IR_OP_phi; x = next) {
        const struct place *place = map_get(&p->place_of, x);
        next = x->next;
        if (place)
            ir_replace(x, demote_load_at(&b, place->array, place->index, x->type));
    }
}

static void move_all(struct phis *p, struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        choose_places(p, b);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        store_all(p, f, b);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        load_all(p, f, b);
    ir_resolve(f);
}

static void force_arrays(struct phis *p, struct ir_function *kernel)
{
    struct ir_builder b = ir_before(kernel, ir_first_block(kernel)->first);
    b.block = ir_first_block(kernel);
    for (size_t i = 0; i < p->places.count; i++)
        for (size_t k = 0; k < p->places.items[i].arrays.count; k++)
            demote_force_memory(&b, p->places.items[i].arrays.items[k]);
}

// Requires: lowered memory, calls, nesting. Keeps: values. Removes: phis, in kernels of many blocks.
bool opt_phis_in_memory(struct pass_context *c)
{
    struct phis p = {.c = c};
    if (c->module->error || !amount_has_many_blocks(c))
        return false;
    for (size_t i = 0; i < c->module->functions.count; i++)
        if (c->module->functions.items[i]->has_body)
            move_all(&p, c->module->functions.items[i]);
    for (size_t i = 0; i < c->module->functions.count; i++)
        if (c->module->functions.items[i]->kernel && c->module->functions.items[i]->has_body)
            force_arrays(&p, c->module->functions.items[i]);
    return p.places.count > 0;
}
