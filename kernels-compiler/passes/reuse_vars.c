// SPDX-License-Identifier: Apache-2.0
// Replaces variables that are not needed at the same time by one variable, and removes copies from it to itself.
//
//   b1: store @v, %1                                b1: store @v, %1
//   b2: %2 = load @v ; store @w, %2            ->   b2:
//   b3: %3 = load @v ; %4 = ... ; store @x, %4      b3: %3 = load @v ; %4 = ... ; store @v, %4
//   b4: %5 = load @w                                b4: %5 = load @v
//
// A block has two parts: what precedes its first store to any of the variables, and the rest. A variable occupies a
// part if it has a value there that is loaded in this or a later part, or if it is stored in it. Variables without a
// common part can share a place: whenever one of them is stored, no value of the others is loaded afterwards.
//
// share_vars.c does the same for variables of several functions, by the order of their steps.
#include "passes/reuse_vars.h"
#include "passes/demote.h"

enum {
    MOST_TRIES = 256,      // places that are tried for a variable
    MOST_WORDS = 1 << 22,  // of all sets
};

struct access { // to a variable in a block
    uint32_t block;
    bool early, stored; // a load precedes all of its stores in the block
    bool late;          // a load follows the first store to any of the variables
};

struct reused { // a variable
    struct ir_var *var;
    struct place *place;
    VEC(struct access) accesses; // in the order of blocks
    VEC(struct reused *) copies; // variables that are copied to or from it
};

struct place {
    struct ir_var *var;
    uint64_t *taken;        // set of parts
    struct ir_instr *known; // while rewriting: its last load in `block`, if no store has followed
    uint32_t block;
};

struct reuse {
    struct ir_function *f;
    struct arena *scratch;
    struct reused *all;
    size_t first, count, words; // words: of a set of parts
    struct ir_block **blocks;
    uint32_t *live_in, *live_out, *stored; // by block: 1 + number of the last variable that is
    VEC(uint32_t) work, parts; // blocks at whose start the current variable is live; its parts
    VEC(struct place *) places;
    VEC(struct ir_instr *) loads; // of removed copies
};

static struct reused *reused_by(const struct reuse *r, const struct ir_instr *x)
{
    const bool access = x->op == IR_OP_elem_load || x->op == IR_OP_elem_store;
    return access && x->var->id ? &r->all[x->var->id - 1] : NULL;
}

// ---- occupied parts --------------------------------------------------------------------------------

static struct access *access_in(struct reuse *r, struct reused *v, uint32_t block)
{
    if (!v->accesses.count || v->accesses.items[v->accesses.count - 1].block != block)
        vec_push(r->scratch, &v->accesses, (struct access){.block = block});
    return &v->accesses.items[v->accesses.count - 1];
}

static void find_accesses(struct reuse *r, const struct ir_block *block)
{
    bool any_stored = false;
    for (const struct ir_instr *x = block->first; x; x = x->next) {
        struct reused *v = reused_by(r, x), *from;
        if (!v)
            continue;
        struct access *access = access_in(r, v, block->index);
        if (x->op == IR_OP_elem_load) {
            access->early |= !access->stored;
            access->late |= any_stored;
            continue;
        }
        access->stored = any_stored = true;
        from = reused_by(r, x->src[1]);
        if (from && from != v) {
            vec_push(r->scratch, &v->copies, from);
            vec_push(r->scratch, &from->copies, v);
        }
    }
}

static void live_at_start(struct reuse *r, uint32_t number, uint32_t block)
{
    if (r->live_in[block] == number)
        return;
    r->live_in[block] = number;
    vec_push(r->scratch, &r->work, block);
    vec_push(r->scratch, &r->parts, 2 * block);
}

static void live_at_end(struct reuse *r, uint32_t number, uint32_t block)
{
    if (r->live_out[block] == number)
        return;
    r->live_out[block] = number;
    vec_push(r->scratch, &r->parts, 2 * block + 1);
    if (r->stored[block] != number)
        live_at_start(r, number, block);
}

static void find_parts(struct reuse *r, const struct reused *v)
{
    const uint32_t number = (uint32_t)(v - r->all) + 1;
    r->parts.count = 0;
    for (size_t i = 0; i < v->accesses.count; i++)
        if (v->accesses.items[i].stored)
            r->stored[v->accesses.items[i].block] = number;
    for (size_t i = 0; i < v->accesses.count; i++) {
        const struct access *access = &v->accesses.items[i];
        if (access->early)
            live_at_start(r, number, access->block);
        if (access->stored || access->late)
            vec_push(r->scratch, &r->parts, 2 * access->block + 1);
    }
    while (r->work.count) {
        const struct ir_block *block = r->blocks[r->work.items[--r->work.count]];
        for (uint32_t i = 0; i < block->pred_count; i++)
            live_at_end(r, number, block->preds[i]->index);
    }
}

// ---- places ----------------------------------------------------------------------------------------

static bool has_room(const struct reuse *r, const struct place *place, const struct ir_var *var)
{
    if (!place || !place->taken || !ir_type_eq(place->var->elem, var->elem))
        return false;
    for (size_t i = 0; i < r->parts.count; i++)
        if (place->taken[r->parts.items[i] / 64] >> r->parts.items[i] % 64 & 1)
            return false;
    return true;
}

static struct place *find_place(const struct reuse *r, const struct reused *v)
{
    for (size_t i = 0; i < v->copies.count; i++)
        if (has_room(r, v->copies.items[i]->place, v->var))
            return v->copies.items[i]->place;
    for (size_t i = 0; i < r->places.count && i < MOST_TRIES; i++)
        if (has_room(r, r->places.items[i], v->var))
            return r->places.items[i];
    return NULL;
}

static struct place *new_place(struct reuse *r, struct ir_var *var)
{
    struct place *place = ARENA_NEW(r->scratch, struct place);
    *place = (struct place){.var = var};
    if (r->places.count * r->words >= MOST_WORDS)
        return place; // of one variable only
    place->taken = ARENA_ARRAY(r->scratch, uint64_t, r->words);
    vec_push(r->scratch, &r->places, place);
    return place;
}

static void place_all(struct reuse *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct reused *v = &r->all[i];
        find_parts(r, v);
        v->place = find_place(r, v);
        if (!v->place)
            v->place = new_place(r, v->var);
        for (size_t k = 0; k < r->parts.count && v->place->taken; k++)
            v->place->taken[r->parts.items[k] / 64] |= UINT64_C(1) << r->parts.items[k] % 64;
    }
}

// ---- rewriting -------------------------------------------------------------------------------------

static void use_places(struct reuse *r, struct ir_block *block)
{
    for (struct ir_instr *x = block->first, *next; x; x = next) {
        const struct reused *v = reused_by(r, x);
        next = x->next;
        if (!v)
            continue;
        struct place *place = v->place;
        const bool copies = x->op == IR_OP_elem_store && place->known == x->src[1] && place->block == block->index;
        x->var = place->var;
        if (!copies) {
            place->known = x->op == IR_OP_elem_load ? x : NULL;
            place->block = block->index;
            continue;
        }
        x->src[1]->mark = 1;
        vec_push(r->scratch, &r->loads, x->src[1]);
        ir_remove(x);
    }
}

static void see_uses(struct ir_block *block)
{
    struct ir_instr **decider = demote_decider(block);
    for (const struct ir_instr *x = block->first; x; x = x->next)
        for (uint32_t i = 0; i < x->src_count; i++)
            x->src[i]->mark = 0;
    if (decider && *decider)
        (*decider)->mark = 0;
}

// Loads that only copies used.
static void remove_loads(struct reuse *r)
{
    for (struct ir_block *b = ir_first_block(r->f); b && r->loads.count; b = ir_next_block(b))
        see_uses(b);
    for (size_t i = 0; i < r->loads.count; i++) {
        const bool unused = r->loads.items[i]->mark;
        r->loads.items[i]->mark = 0;
        if (unused)
            ir_remove(r->loads.items[i]);
    }
}

static void remove_vars(struct reuse *r)
{
    size_t count = r->first;
    for (size_t i = 0; i < r->count; i++) {
        r->all[i].var->id = 0;
        if (r->all[i].place->var == r->all[i].var)
            r->f->vars.items[count++] = r->all[i].var;
    }
    r->f->vars.count = count;
}

static void number_all(struct reuse *r)
{
    for (size_t i = 0; i < r->f->module->vars.count; i++)
        r->f->module->vars.items[i]->id = 0;
    for (size_t i = 0; i < r->f->vars.count; i++)
        r->f->vars.items[i]->id = i >= r->first ? (uint32_t)(i - r->first) + 1 : 0;
    for (size_t i = 0; i < r->count; i++)
        r->all[i].var = r->f->vars.items[r->first + i];
}

void reuse_vars(struct ir_function *f, size_t first, struct arena *scratch)
{
    struct reuse r = {.f = f, .scratch = scratch, .first = first, .count = f->vars.count - first};
    ir_preds(f);
    r.words = (2 * (size_t)f->block_count + 63) / 64;
    r.all = ARENA_ARRAY(scratch, struct reused, r.count + 1);
    r.blocks = ARENA_ARRAY(scratch, struct ir_block *, f->block_count + 1);
    r.live_in = ARENA_ARRAY(scratch, uint32_t, f->block_count + 1);
    r.live_out = ARENA_ARRAY(scratch, uint32_t, f->block_count + 1);
    r.stored = ARENA_ARRAY(scratch, uint32_t, f->block_count + 1);
    number_all(&r);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        r.blocks[b->index] = b;
        find_accesses(&r, b);
    }
    place_all(&r);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        use_places(&r, b);
    remove_loads(&r);
    remove_vars(&r);
}
