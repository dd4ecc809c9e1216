// SPDX-License-Identifier: Apache-2.0
// See literals.h.
#include "passes/literals.h"

enum {
    MANY = 4, // uses
    WORD = 4
};

struct literal {
    const struct ir_instr *x;
    uint32_t uses, first, last; // positions
    struct literal *next;
};

struct literals { // of a function
    struct arena *arena;
    const struct pressure *pressure;
    struct map of; // by constant
    struct literal *all;
};

// Whether instructions cannot contain the value as one of the short constants.
static bool is_long(uint32_t value, bool is_float)
{
    enum { LEAST = -16, MOST = 64 };
    const uint32_t positive = value & INT32_MAX, step = 1u << 23, half = 126 * step, four = 129 * step;
    if (is_float)
        return positive && (positive % step || positive < half || positive > four);
    return (int32_t)value < LEAST || (int32_t)value > MOST;
}

// Small constants of 64 bits are mostly offsets of accesses, which are part of these.
static uint32_t words_of(const struct ir_instr *x)
{
    enum { FIRST_LARGE = 4096 };
    if (x->op != IR_OP_const || x->type.lanes != 1)
        return 0;
    const bool is_int = x->type.base == IR_INT, is_float = x->type.base == IR_FLOAT;
    const uint64_t value = x->lanes[0];
    if (is_int && x->type.bits == 64 && value >= FIRST_LARGE)
        return (uint32_t)is_long((uint32_t)value, false) + is_long((uint32_t)(value >> 32), false);
    return (is_int || is_float) && x->type.bits == 32 && is_long((uint32_t)value, is_float);
}

static uint32_t end_of_loops(const struct pressure *p, const struct ir_instr *user, uint32_t since)
{
    uint32_t end = user->id;
    for (const struct ir_node *node = user->block->node.list->owner; node; node = node->list->owner) {
        const struct ir_loop *loop = (const struct ir_loop *)node;
        if (node->kind == IR_LOOP && since < p->begin[ir_list_first(&loop->body)->index])
            end = p->begin[ir_list_last(&loop->cont)->index + 1];
    }
    return end;
}

static void use(struct literals *l, const struct ir_instr *x, const struct ir_instr *user)
{
    struct literal *literal = map_get(&l->of, x);
    if (!literal) {
        literal = ARENA_NEW(l->arena, struct literal);
        *literal = (struct literal){.x = x, .first = user->id, .next = l->all};
        l->all = literal;
        map_set(l->arena, &l->of, x, literal);
    }
    literal->uses++;
    const uint32_t last = end_of_loops(l->pressure, user, literal->first);
    literal->last = last > literal->last ? last : literal->last;
}

static void find(struct literals *l, const struct ir_function *f)
{
    for (const struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count && ir_has_flag(x, IR_FLAG_P) && x->op != IR_OP_phi; i++)
                if (words_of(x->src[i]))
                    use(l, x->src[i], x);
}

uint32_t *literals_live(const struct pressure *p, const struct ir_function *f, struct arena *arena)
{
    struct literals l = {.arena = arena, .pressure = p};
    const uint32_t end = p->begin[f->block_count];
    uint32_t *live = ARENA_ARRAY(arena, uint32_t, end + 2);
    find(&l, f);
    for (const struct literal *of = l.all; of; of = of->next)
        if (of->uses >= MANY) {
            live[of->first] += WORD * words_of(of->x);
            live[of->last + 1] -= WORD * words_of(of->x);
        }
    for (uint32_t i = 1; i <= end; i++)
        live[i] += live[i - 1];
    return live;
}
