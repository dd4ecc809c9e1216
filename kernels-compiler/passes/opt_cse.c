// SPDX-License-Identifier: Apache-2.0
// Common subexpression elimination: replaces an instruction by an equal one that dominates it.
//
// Walks the dominator tree in preorder with one hash table of the values in the blocks that dominate the current one:
// when a block is left, its entries, which are the newest, are removed.
//
// Loads are merged, and stores forward their value to loads, as long as nothing in between may write to the same
// place (alias.h). The writes in between are a few ranges of a list of all writes in source order, including all
// writes of every loop that contains the load but not the earlier access. Barriers, fences and calls count as writes;
// volatile accesses are ignored. Loads from constant memory are treated as pure values.
#include "passes/alias.h"
#include "util/hash.h"

enum { MOST_WRITES = 128 }; // examined for one load

struct entry {
    struct ir_instr *instr, *value; // value: for memory accesses, the value in memory after the instruction; else the same
    const struct ir_block *block;   // the instruction's; it may have been moved since
    uint32_t hash;
    uint32_t write; // index of the first write after it
    uint32_t older; // 1 + index of the next one in its chain
};

struct scope { // a block that dominates the current one
    const struct ir_block *block;
    size_t first; // entry
};

struct cse {
    struct ir_module *m;
    struct arena *scratch;
    struct ir_function *f;
    uint32_t *chains; // 1 + newest entry, by hash
    uint32_t mask;
    struct entry *entries; // room for all instructions
    size_t entry_count;
    VEC(struct scope) scopes;
    VEC(const struct ir_instr *) writes;
    uint32_t *writes_before; // by block: number of writes before it
    uint32_t now;            // index of the next write
    bool changed;
};

static bool memory_access(const struct ir_instr *x)
{
    return (x->op == IR_OP_load || x->op == IR_OP_store || x->op == IR_OP_elem_load ||
            x->op == IR_OP_elem_store) &&
           !opt_is_pure_load(x) && !x->mem.is_volatile;
}

// The value loaded or stored by a memory access.
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
        return hash_step(hash, x->index);
    case IR_OP_shuffle:
        return hash_step(hash, hash_bytes(x->shuffle, x->type.lanes));
    case IR_OP_ptr_index:
        return hash_step(hash, (uint64_t)x->stride * 31 + (uint64_t)x->offset);
    case IR_OP_sys:
        return hash_step(hash, (uint64_t)x->sys << 16 | x->dim);
    case IR_OP_image_info:
        return hash_step(hash, (uint64_t)x->image.info << 8 | x->image.axis);
    case IR_OP_image_read:
    case IR_OP_image_fetch:
    case IR_OP_image_sample:
        return hash_step(hash, (uint64_t)x->image.dim << 8 | x->image.texel);
    case IR_OP_mat_muladd:
        return hash_step(hash, x->matrix_flags);
    case IR_OP_elem_load:
    case IR_OP_elem_store:
        return hash_step(hash, (uintptr_t)x->var + x->mem.lane);
    default:
        return hash;
    }
}

// `memory`: it is an access to memory, hashed by its place.
static uint64_t hash_instr(const struct ir_instr *x, bool memory)
{
    uint64_t hash = memory ? 1 : hash_step(x->op, type_key(x->type)), sum = 0;
    uint32_t count = memory ? 1 : x->src_count;
    if (x->op == IR_OP_phi)
        hash = hash_step(hash, (uintptr_t)x->block);
    if (ir_has_flag(x, IR_FLAG_C)) { // the same for either order of the operands
        sum = hash_step(0, (uintptr_t)x->src[0]) + hash_step(0, (uintptr_t)x->src[1]);
        hash = hash_step(hash, sum);
    } else {
        for (uint32_t i = 0; i < count; i++)
            hash = hash_step(hash, (uintptr_t)x->src[i]);
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

// ---- writes between two accesses ----------------------------------------------------------------

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

// The first block from which control flow reaches the end of the list: for a loop's continue list, that of its body.
static uint32_t first_of(const struct ir_list *list)
{
    const struct ir_node *owner = list->owner;
    bool loop = owner && owner->kind == IR_LOOP;
    return ir_list_first(loop ? &((const struct ir_loop *)owner)->body : list)->index;
}

// Whether memory still has the entry's value in block `b`, which its block dominates, before the write with index
// `end`.
static bool is_unchanged_until(const struct cse *c, const struct entry *e, const struct alias_place *place,
                               const struct ir_block *b, uint32_t end)
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

static bool is_unchanged(const struct cse *c, const struct entry *e, const struct ir_instr *x)
{
    if (opt_is_pure_load(x) || (e->write == c->now && e->block == x->block))
        return true;
    struct alias_place place = alias_place(c->f, x);
    return is_unchanged_until(c, e, &place, x->block, c->now);
}

// The newest equal entry.
static const struct entry *newest(const struct cse *c, struct ir_instr *x, uint32_t hash, bool memory)
{
    for (uint32_t i = c->chains[hash & c->mask]; i; i = c->entries[i - 1].older) {
        const struct entry *e = &c->entries[i - 1];
        if (e->hash == hash && (memory ? same_memory(x, e->instr) : opt_same(x, e->instr)))
            return e;
    }
    return NULL;
}

// The newest equal instruction. For memory accesses only the newest matters: older ones have more writes after them.
static struct ir_instr *find(const struct cse *c, struct ir_instr *x, uint32_t hash, bool memory)
{
    const struct entry *e = newest(c, x, hash, memory);
    if (!e || ((memory || opt_is_image_read(x)) && !is_unchanged(c, e, x)))
        return NULL;
    return opt_resolved(e->value);
}

// ---- loads after an if ---------------------------------------------------------------------------

// The value of the place at the end of one arm of an if: known in the arm's last block, or known before the if when
// the arm has only one block.
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
    bool known = e && last == ir_list_first(side) && is_unchanged_until(c, e, place, before, c->writes_before[before->index + 1]);
    return known ? opt_resolved(e->value) : NULL;
}

// A load in the block after an if at whose end both arms know the loaded value: replaced by a phi.
static struct ir_instr *merged(const struct cse *c, struct ir_instr *x, uint32_t hash)
{
    struct ir_block *b = x->block;
    const struct ir_if *node = (const struct ir_if *)b->node.prev;
    if ((x->op != IR_OP_load && x->op != IR_OP_elem_load) || !node || node->node.kind != IR_IF || b->pred_count != 2)
        return NULL;
    struct between w = {c, alias_place(c->f, x), 0};
    const struct entry *e = newest(c, x, hash, true);
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
    c->entries[c->entry_count++] = (struct entry){x, value, x->block, hash, c->now, *chain};
    *chain = (uint32_t)c->entry_count;
}

// Removes the entries of blocks that do not dominate `b`.
static void leave_scopes(struct cse *c, const struct ir_block *b)
{
    while (c->scopes.count && !ir_dominates(c->scopes.items[c->scopes.count - 1].block, b)) {
        size_t first = c->scopes.items[--c->scopes.count].first;
        while (c->entry_count > first) {
            const struct entry *e = &c->entries[--c->entry_count];
            c->chains[e->hash & c->mask] = e->older;
        }
    }
    vec_push(c->scratch, &c->scopes, ((struct scope){b, c->entry_count}));
}

// The only value that a phi can have, ignoring undef; NULL: there are several, or it does not dominate the phi.
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
    const bool pure = ir_has_flag(x, IR_FLAG_P), writes = !pure && opt_written(x) != 0, memory = !pure && memory_access(x);
    c->now += writes;
    if (!pure && !memory && !opt_is_image_read(x) && !opt_is_pure_load(x))
        return;
    uint32_t hash = (uint32_t)hash_instr(x, memory);
    if (writes) {
        enter_instr(c, x, memory_value(x), hash);
        return;
    }
    struct ir_instr *found = find(c, x, hash, memory);
    if (found && !memory)
        found->flags &= x->flags | ~IR_NO_WRAP; // only what holds for both
    if (!found) {
        found = x->op == IR_OP_phi ? one_source(x) : memory ? merged(c, x, hash) : NULL;
        enter_instr(c, x, found ? found : x, hash);
    }
    if (found) {
        ir_replace(x, found);
        c->changed = true;
    }
}

// Also returns the number of instructions.
static size_t list_writes(struct cse *c)
{
    size_t count = 0;
    for (struct ir_block *b = ir_first_block(c->f); b; b = ir_next_block(b)) {
        c->writes_before[b->index] = (uint32_t)c->writes.count;
        for (struct ir_instr *x = b->first; x; x = x->next, count++)
            if (ir_has_flag(x, IR_FLAG_W) && opt_written(x))
                vec_push(c->scratch, &c->writes, x);
    }
    c->writes_before[c->f->block_count] = (uint32_t)c->writes.count;
    return count;
}

// Requires: nothing. Keeps: control flow. Removes: nothing else.
bool opt_cse(struct pass_context *context, struct ir_function *f)
{
    struct cse c = {.m = context->module, .scratch = context->scratch, .f = f};
    ir_dominance(f);
    c.writes_before = ARENA_ARRAY(c.scratch, uint32_t, f->block_count + 1);
    size_t count = list_writes(&c);
    c.entries = arena_alloc(c.scratch, (count + 1) * sizeof *c.entries);
    size_t chains = 256; // small enough for the processor's cache: only entries of dominating blocks are in them
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
    if (all_reached) // in dominance order, everything but phis comes after its sources
        ir_resolve_phis(f);
    else
        ir_resolve(f);
    return c.changed;
}
