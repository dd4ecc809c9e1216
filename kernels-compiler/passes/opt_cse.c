// SPDX-License-Identifier: Apache-2.0
// One instruction for values that are computed twice, where the first one dominates the second.
//
// Walks down the dominator tree with one hash table, which holds the values of the blocks above the present one: those
// of a block that does not dominate it are the newest and are taken out again.
//
// Loads merge, and stores give their value to loads, as long as nothing in between may write to the same place (alias.h): what is
// written in between is a few ranges of a list of all writes in source order, the whole of each loop that only the load
// stands in among them. Barriers, fences and calls are such writes, volatile accesses take no part. Loads of constant
// memory are like any pure value.
#include "passes/alias.h"
#include "util/hash.h"

enum { MOST_WRITES = 128 }; // looked at for one load

struct entry {
    struct ir_instr *instr, *value; // value: of memory, what is there behind the instruction; else the same
    const struct ir_block *block;   // the instruction's, which it may have left
    uint32_t hash;
    uint32_t write; // the first write behind it
    uint32_t older; // 1 + the next one in its chain
};

struct scope { // a block above the present one
    const struct ir_block *block;
    size_t first; // entry
};

struct cse {
    struct ir_module *m;
    struct arena *scratch;
    struct ir_function *f;
    uint32_t *chains; // 1 + newest entry, by hash
    uint32_t mask;
    VEC(struct entry) entries;
    VEC(struct scope) scopes;
    VEC(const struct ir_instr *) writes;
    uint32_t *writes_before; // by block: how many there are above it
    uint32_t now;            // the next write
    bool changed;
};

static bool memory_access(const struct ir_instr *x)
{
    return (x->op == IR_OP_load || x->op == IR_OP_store || x->op == IR_OP_elem_load ||
            x->op == IR_OP_elem_store) &&
           !opt_is_pure_load(x) && !x->mem.is_volatile;
}

// What a memory access gives or leaves in memory.
static struct ir_instr *memory_value(struct ir_instr *x)
{
    return x->op == IR_OP_store || x->op == IR_OP_elem_store ? opt_resolved(x->src[1]) : x;
}

static uint64_t type_key(struct ir_type t)
{
    return (uint64_t)t.base | (uint64_t)t.bits << 8 | (uint64_t)t.lanes << 16 |
           (uint64_t)t.space << 24;
}

static uint64_t hash_immediates(uint64_t hash, const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_extract:
    case IR_OP_insert:
        return hash_combine(hash, x->index);
    case IR_OP_shuffle:
        return hash_combine(hash, hash_bytes(x->shuffle, x->type.lanes));
    case IR_OP_ptr_index:
        return hash_combine(hash, (uint64_t)x->stride * 31 + (uint64_t)x->offset);
    case IR_OP_sys:
        return hash_combine(hash, (uint64_t)x->sys << 16 | x->dim);
    case IR_OP_image_info:
        return hash_combine(hash, (uint64_t)x->image.info << 8 | x->image.axis);
    case IR_OP_image_read:
    case IR_OP_image_fetch:
    case IR_OP_image_sample:
        return hash_combine(hash, (uint64_t)x->image.dim << 8 | x->image.texel);
    case IR_OP_mat_muladd:
        return hash_combine(hash, x->matrix_flags);
    case IR_OP_elem_load:
    case IR_OP_elem_store:
        return hash_combine(hash, (uintptr_t)x->var + x->mem.lane);
    default:
        return hash;
    }
}

static uint64_t hash_instr(const struct ir_instr *x)
{
    bool memory = memory_access(x);
    uint64_t hash = memory ? 1 : hash_combine(x->op, type_key(x->type)), sum = 0;
    uint32_t count = memory ? 1 : x->src_count;
    if (x->op == IR_OP_phi)
        hash = hash_combine(hash, (uintptr_t)x->block);
    if (ir_has_flag(x, IR_FLAG_C)) { // the same for both orders
        sum = hash_u64((uintptr_t)x->src[0]) + hash_u64((uintptr_t)x->src[1]);
        hash = hash_combine(hash, sum);
    } else {
        for (uint32_t i = 0; i < count; i++)
            hash = hash_combine(hash, (uintptr_t)x->src[i]);
    }
    return hash_immediates(hash, x);
}

bool opt_same_immediates(const struct ir_instr *x, const struct ir_instr *y)
{
    switch (x->op) {
    case IR_OP_extract:
    case IR_OP_insert:
        return x->index == y->index;
    case IR_OP_shuffle:
        return !memcmp(x->shuffle, y->shuffle, x->type.lanes);
    case IR_OP_ptr_index:
        return x->stride == y->stride && x->offset == y->offset;
    case IR_OP_sys:
        return x->sys == y->sys && x->dim == y->dim;
    case IR_OP_image_info:
        return x->image.info == y->image.info && x->image.axis == y->image.axis;
    case IR_OP_image_read:
    case IR_OP_image_fetch:
    case IR_OP_image_sample:
        return x->image.dim == y->image.dim && x->image.texel == y->image.texel &&
               x->image.depth == y->image.depth;
    case IR_OP_mat_muladd:
        return x->matrix_flags == y->matrix_flags;
    case IR_OP_elem_load:
        return x->var == y->var;
    case IR_OP_phi:
        return x->block == y->block && !memcmp(x->preds, y->preds, x->src_count * sizeof *x->preds);
    default:
        return true;
    }
}

static bool same_memory(struct ir_instr *x, struct ir_instr *y)
{
    bool elem_x = x->op == IR_OP_elem_load || x->op == IR_OP_elem_store;
    bool elem_y = y->op == IR_OP_elem_load || y->op == IR_OP_elem_store;
    if (!memory_access(y) || elem_x != elem_y || (elem_x && (x->var != y->var || x->mem.lane != y->mem.lane)) ||
        opt_resolved(y->src[0]) != x->src[0])
        return false;
    return x->mem.space == y->mem.space && ir_type_eq(memory_value(x)->type, memory_value(y)->type);
}

bool opt_same(const struct ir_instr *x, const struct ir_instr *y)
{
    if (x->op != y->op || ((x->flags ^ y->flags) & (IR_FAST | IR_LOOSE)) || x->src_count != y->src_count ||
        !ir_type_eq(x->type, y->type))
        return false;
    bool swapped = ir_has_flag(x, IR_FLAG_C) && x->src[0] == opt_resolved(y->src[1]) &&
                   x->src[1] == opt_resolved(y->src[0]);
    for (uint32_t i = 0; !swapped && i < x->src_count; i++)
        if (x->src[i] != y->src[i] && x->src[i] != opt_resolved(y->src[i]))
            return false;
    return opt_same_immediates(x, y);
}

// ---- what is written in between -----------------------------------------------------------------

struct between {
    const struct cse *c;
    struct alias_place place;
    unsigned looked_at;
};

static bool is_written(struct between *w, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (++w->looked_at > MOST_WRITES || alias_may_write(w->c->f, w->c->writes.items[i], &w->place))
            return true;
    return false;
}

// The first block of the code that comes to the end of the list: a loop's body and its continue list are one.
static uint32_t first_of(const struct ir_list *list)
{
    const struct ir_node *owner = list->owner;
    bool loop = owner && owner->kind == IR_LOOP;
    return ir_list_first(loop ? &((const struct ir_loop *)owner)->body : list)->index;
}

// Whether what the entry knows of memory holds in the block `b`, which it dominates, before the write number `end`.
static bool survives(const struct cse *c, const struct entry *e, const struct alias_place *place, const struct ir_block *b,
                     uint32_t end)
{
    struct between w = {c, *place, 0};
    for (const struct ir_list *list = b->node.list;; list = list->owner->list) {
        uint32_t first = first_of(list);
        if (e->block->index >= first)
            return !is_written(&w, e->write, end);
        const struct ir_node *node = list->owner;
        const struct ir_block *before = (const struct ir_block *)node->prev, *after = (const struct ir_block *)node->next;
        uint32_t start = c->writes_before[before->index + 1];
        if (node->kind == IR_LOOP ? is_written(&w, start, c->writes_before[after->index])
                                  : is_written(&w, node->kind == IR_IF ? c->writes_before[first] : start, end))
            return false;
        end = start;
    }
}

static bool holds(const struct cse *c, const struct entry *e, const struct ir_instr *x)
{
    if (opt_is_pure_load(x) || (e->write == c->now && e->block == x->block))
        return true;
    struct alias_place place = alias_place(c->f, x);
    return survives(c, e, &place, x->block, c->now);
}

// The newest equal entry.
static const struct entry *newest(const struct cse *c, struct ir_instr *x, uint32_t hash)
{
    bool memory = memory_access(x);
    for (uint32_t i = c->chains[hash & c->mask]; i; i = c->entries.items[i - 1].older) {
        const struct entry *e = &c->entries.items[i - 1];
        if (e->hash == hash && (memory ? same_memory(x, e->instr) : opt_same(x, e->instr)))
            return e;
    }
    return NULL;
}

// The newest equal instruction; of memory only that one counts, whose older equals have more written behind them.
static struct ir_instr *find(const struct cse *c, struct ir_instr *x, uint32_t hash)
{
    const struct entry *e = newest(c, x, hash);
    bool reads = memory_access(x) || opt_is_image_read(x);
    return e && (!reads || holds(c, e, x)) ? opt_resolved(e->value) : NULL;
}

// ---- behind an if --------------------------------------------------------------------------------

// What the place holds at the end of one side of an if: what the side's last block knows, or what was known before a side of one
// block.
static struct ir_instr *at_end(const struct cse *c, struct ir_instr *x, const struct alias_place *place,
                               const struct entry *e, const struct ir_list *side)
{
    const struct ir_block *last = ir_list_last(side), *before = (const struct ir_block *)side->owner->prev;
    for (struct ir_instr *y = last->last; y; y = y->prev) {
        if (memory_access(y) && same_memory(x, y))
            return opt_resolved(memory_value(y));
        if (alias_may_write(c->f, y, place))
            return NULL;
    }
    bool known = e && last == ir_list_first(side) && survives(c, e, place, before, c->writes_before[before->index + 1]);
    return known ? opt_resolved(e->value) : NULL;
}

// A load in the block behind an if whose sides both come there and know what it gives.
static struct ir_instr *merged(const struct cse *c, struct ir_instr *x, uint32_t hash)
{
    struct ir_block *b = x->block;
    const struct ir_if *node = (const struct ir_if *)b->node.prev;
    if ((x->op != IR_OP_load && x->op != IR_OP_elem_load) || !node || node->node.kind != IR_IF || b->pred_count != 2 ||
        !memory_access(x))
        return NULL;
    struct between w = {c, alias_place(c->f, x), 0};
    const struct entry *e = newest(c, x, hash);
    if (is_written(&w, c->writes_before[b->index], c->now))
        return NULL;
    struct ir_instr *then = at_end(c, x, &w.place, e, &node->then_list), *other = NULL;
    if (!then || !(other = at_end(c, x, &w.place, e, &node->else_list)))
        return NULL;
    struct ir_builder at = {.module = c->m, .function = c->f, .block = b, .before = b->first};
    struct ir_instr *phi = ir_phi(&at, x->type, 2);
    phi->preds[0] = ir_list_last(&node->then_list);
    phi->preds[1] = ir_list_last(&node->else_list);
    phi->src[0] = then;
    phi->src[1] = other;
    return phi;
}

static void enter_instr(struct cse *c, struct ir_instr *x, struct ir_instr *value, uint32_t hash)
{
    uint32_t *chain = &c->chains[hash & c->mask];
    vec_push(c->scratch, &c->entries, ((struct entry){x, value, x->block, hash, c->now, *chain}));
    *chain = (uint32_t)c->entries.count;
}

// Takes out what does not dominate `b`.
static void leave_scopes(struct cse *c, const struct ir_block *b)
{
    while (c->scopes.count && !ir_dominates(c->scopes.items[c->scopes.count - 1].block, b)) {
        size_t first = c->scopes.items[--c->scopes.count].first;
        while (c->entries.count > first) {
            const struct entry *e = &c->entries.items[--c->entries.count];
            c->chains[e->hash & c->mask] = e->older;
        }
    }
    vec_push(c->scratch, &c->scopes, ((struct scope){b, c->entries.count}));
}

// What a phi is on every way where it is anything; NULL: not one value, or one that is not known here.
static struct ir_instr *one_source(const struct ir_instr *phi)
{
    struct ir_instr *one = NULL;
    for (uint32_t i = 0; i < phi->src_count; i++) {
        struct ir_instr *x = opt_resolved(phi->src[i]);
        if (x == phi || x->op == IR_OP_undef)
            continue;
        if (one && one != x)
            return NULL;
        one = x;
    }
    bool known = one && (opt_is_floating(one) || (one->block != phi->block && ir_dominates(one->block, phi->block)));
    return known ? one : NULL;
}

static void visit(struct cse *c, struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        x->src[i] = opt_resolved(x->src[i]);
    bool pure = ir_has_flag(x, IR_FLAG_P), writes = opt_written(x) != 0;
    c->now += writes;
    if (!pure && !memory_access(x) && !opt_is_image_read(x) && !opt_is_pure_load(x))
        return;
    uint32_t hash = (uint32_t)hash_instr(x);
    if (writes) {
        enter_instr(c, x, memory_value(x), hash);
        return;
    }
    struct ir_instr *found = find(c, x, hash);
    if (found && !memory_access(x))
        found->flags &= x->flags | ~IR_NO_WRAP; // what both promise
    if (!found) {
        found = x->op == IR_OP_phi ? one_source(x) : merged(c, x, hash);
        enter_instr(c, x, found ? found : x, hash);
    }
    if (found) {
        ir_replace(x, found);
        c->changed = true;
    }
}

// Also gives the number of instructions.
static size_t list_writes(struct cse *c)
{
    size_t count = 0;
    for (struct ir_block *b = ir_first_block(c->f); b; b = ir_next_block(b)) {
        c->writes_before[b->index] = (uint32_t)c->writes.count;
        for (struct ir_instr *x = b->first; x; x = x->next, count++)
            if (opt_written(x))
                vec_push(c->scratch, &c->writes, x);
    }
    c->writes_before[c->f->block_count] = (uint32_t)c->writes.count;
    return count;
}

// Requires: nothing. Keeps: shape. Removes: nothing else.
bool opt_cse(struct pass_context *context, struct ir_function *f)
{
    struct cse c = {.m = context->module, .scratch = context->scratch, .f = f};
    ir_dominance(f);
    c.writes_before = ARENA_ARRAY(c.scratch, uint32_t, f->block_count + 1);
    size_t count = list_writes(&c);
    size_t chains = 64; // few enough for the processor's cache: only what dominates the present block is in them
    while (chains < count / 4)
        chains *= 2;
    c.chains = ARENA_ARRAY(c.scratch, uint32_t, chains);
    c.mask = (uint32_t)chains - 1;
    struct ir_block **order = ARENA_ARRAY(c.scratch, struct ir_block *, f->block_count + 2);
    bool all_reached = true;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        if (b->idom || b == ir_first_block(f))
            order[b->dom_in] = b;
        else
            all_reached = false;
    for (uint32_t i = 1; i <= f->block_count && order[i]; i++) {
        leave_scopes(&c, order[i]);
        c.now = c.writes_before[order[i]->index];
        for (struct ir_instr *x = order[i]->first, *next; x; x = next) {
            next = x->next;
            visit(&c, x);
        }
    }
    if (all_reached) // in the order of dominance everything but phis comes after its sources
        ir_resolve_phis(f);
    else
        ir_resolve(f);
    return c.changed;
}
