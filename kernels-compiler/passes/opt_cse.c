// SPDX-License-Identifier: Apache-2.0
// One instruction for values that are computed twice, where the first one dominates the second.
//
// Walks down the dominator tree with one hash table, which holds the values of the blocks above the present one: those
// of a block that does not dominate it are the newest and are taken out again. Loads merge, and stores give their value to loads, as
// long as nothing is written in between to memory of their kind: each kind counts epochs, and a
// block goes on with the epoch of the block before an if, loop or switch in which nothing is
// written. Loads of constant memory are like any pure value.
#include "passes/opt.h"
#include "util/hash.h"

struct epochs {
    uint32_t of[OPT_KINDS];
};

struct entry {
    struct ir_instr *instr;
    uint32_t hash, epoch; // epoch: of the memory it accesses; 0: of none
    uint32_t older;       // 1 + the next one in its chain
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
    struct epochs now;
    uint32_t newest;       // the last epoch of any kind
    struct epochs *ends;   // by block: where it ended
    struct epochs *writes; // by block: how many writes there are in blocks before it
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
        return hash_combine(hash, (uint64_t)x->sys << 8 | x->dim);
    case IR_OP_image_info:
        return hash_combine(hash, (uint64_t)x->image.info << 8 | x->image.axis);
    case IR_OP_image_read:
    case IR_OP_image_sample:
        return hash_combine(hash, (uint64_t)x->image.dim << 8 | x->image.texel);
    case IR_OP_mat_muladd:
        return hash_combine(hash, x->matrix_flags);
    case IR_OP_elem_load:
    case IR_OP_elem_store:
        return hash_combine(hash, (uintptr_t)x->var);
    default:
        return hash;
    }
}

static uint64_t hash_instr(const struct cse *c, const struct ir_instr *x)
{
    bool memory = memory_access(x);
    uint64_t hash = memory ? hash_combine(1, c->now.of[opt_kind(x)])
                           : hash_combine(x->op, type_key(x->type)),
             sum = 0;
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

static bool same_immediates(const struct ir_instr *x, const struct ir_instr *y)
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
    if (!memory_access(y) || elem_x != elem_y || (elem_x && x->var != y->var) ||
        opt_resolved(y->src[0]) != x->src[0])
        return false;
    return x->mem.space == y->mem.space && ir_type_eq(memory_value(x)->type, memory_value(y)->type);
}

static bool same(const struct ir_instr *x, const struct ir_instr *y)
{
    if (x->op != y->op || ((x->flags ^ y->flags) & IR_FAST) || x->src_count != y->src_count ||
        !ir_type_eq(x->type, y->type))
        return false;
    bool swapped = ir_has_flag(x, IR_FLAG_C) && x->src[0] == opt_resolved(y->src[1]) &&
                   x->src[1] == opt_resolved(y->src[0]);
    for (uint32_t i = 0; !swapped && i < x->src_count; i++)
        if (x->src[i] != y->src[i] && x->src[i] != opt_resolved(y->src[i]))
            return false;
    return same_immediates(x, y);
}

// The newest equal instruction.
static struct ir_instr *find(const struct cse *c, struct ir_instr *x, uint32_t hash, uint32_t epoch)
{
    bool memory = memory_access(x);
    for (uint32_t i = c->chains[hash & c->mask]; i; i = c->entries.items[i - 1].older) {
        const struct entry *e = &c->entries.items[i - 1];
        if (e->hash == hash && e->epoch == epoch &&
            (memory ? same_memory(x, e->instr) : same(x, e->instr)))
            return e->instr;
    }
    return NULL;
}

static void enter_instr(struct cse *c, struct ir_instr *x, uint32_t hash, uint32_t epoch)
{
    uint32_t *chain = &c->chains[hash & c->mask];
    vec_push(c->scratch, &c->entries, ((struct entry){x, hash, epoch, *chain}));
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

static void begin_epochs(struct cse *c, unsigned kinds)
{
    for (unsigned k = 0; k < OPT_KINDS; k++)
        if (kinds >> k & 1)
            c->now.of[k] = ++c->newest;
}

static void visit(struct cse *c, struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        x->src[i] = opt_resolved(x->src[i]);
    bool pure = ir_has_flag(x, IR_FLAG_P), writes = ir_has_flag(x, IR_FLAG_W);
    bool reads = !pure && (memory_access(x) || opt_is_image_read(x));
    if (writes)
        begin_epochs(c, opt_written(x));
    if (!reads && !pure && !opt_is_pure_load(x))
        return;
    uint32_t epoch = reads ? c->now.of[opt_kind(x)] : 0, hash = (uint32_t)hash_instr(c, x);
    struct ir_instr *found = writes ? NULL : find(c, x, hash, epoch);
    if (found) {
        found->flags &= x->flags | ~IR_NO_WRAP; // what both promise
        ir_replace(x, memory_access(x) ? memory_value(found) : found);
        c->changed = true;
        return;
    }
    enter_instr(c, x, hash, epoch);
}

// ---- epochs from block to block -----------------------------------------------------------------

// Also gives the number of instructions.
static size_t count_writes(struct cse *c)
{
    struct epochs sum = {{0}};
    size_t count = 0;
    for (struct ir_block *b = ir_first_block(c->f); b; b = ir_next_block(b)) {
        c->writes[b->index] = sum;
        for (struct ir_instr *x = b->first; x; x = x->next, count++)
            if (ir_has_flag(x, IR_FLAG_W))
                for (unsigned k = 0, kinds = opt_written(x); kinds >> k; k++)
                    sum.of[k] += kinds >> k & 1;
    }
    c->writes[c->f->block_count] = sum;
    return count;
}

// Kinds of memory in which something is written in the blocks from `first` on, `end` not included.
static unsigned written_between(const struct cse *c, uint32_t first, uint32_t end)
{
    unsigned kinds = 0;
    for (unsigned k = 0; k < OPT_KINDS; k++)
        kinds |= (unsigned)(c->writes[end].of[k] != c->writes[first].of[k]) << k;
    return kinds;
}

// What is known of memory at the start of `b`: as at the end of the block before the node that `b`
// follows or stands in, but for what the node may have written on a way to `b`.
static void enter(struct cse *c, const struct ir_block *b)
{
    const struct ir_node *owner = b->node.list->owner, *node = b->node.prev ? b->node.prev : owner;
    if (!node) {
        begin_epochs(c, (1 << OPT_KINDS) - 1);
        return;
    }
    const struct ir_block *before = (const struct ir_block *)node->prev;
    const struct ir_block *after = (const struct ir_block *)node->next;
    c->now = c->ends[before->index];
    if (node->kind == IR_LOOP || b->pred_count != 1 || b->preds[0] != before)
        begin_epochs(c, written_between(c, before->index + 1, after->index));
}

// Requires: nothing. Keeps: shape. Removes: nothing else.
bool opt_cse(struct pass_context *context, struct ir_function *f)
{
    struct cse c = {.m = context->module, .scratch = context->scratch, .f = f};
    ir_dominance(f);
    c.ends = ARENA_ARRAY(c.scratch, struct epochs, f->block_count + 1);
    c.writes = ARENA_ARRAY(c.scratch, struct epochs, f->block_count + 1);
    size_t count = count_writes(&c);
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
        enter(&c, order[i]);
        leave_scopes(&c, order[i]);
        for (struct ir_instr *x = order[i]->first, *next; x; x = next) {
            next = x->next;
            visit(&c, x);
        }
        c.ends[order[i]->index] = c.now;
    }
    if (all_reached) // in the order of dominance everything but phis comes after its sources
        ir_resolve_phis(f);
    else
        ir_resolve(f);
    return c.changed;
}
