// SPDX-License-Identifier: Apache-2.0
// One instruction for values that are computed twice, where the first one dominates the second.
//
// Walks down the dominator tree with one hash table; an entry that does not dominate the present
// block never will again and is overwritten. Loads merge, and stores give their value to loads,
// within a block as long as nothing is written in between; loads of constant memory are like any
// pure value.
#include "passes/opt.h"
#include "util/hash.h"

struct cse {
    struct ir_module *m;
    struct arena *scratch;
    struct ir_function *f;
    struct ir_instr **slots;
    uint32_t *epochs; // of the loads and stores, beside their slot
    size_t capacity;
    uint32_t epoch; // changes with each write and each block
    bool changed;
};

// Loads of what is never written.
static bool pure_load(const struct ir_instr *x)
{
    return (x->op == IR_OP_load && x->mem.space == IR_CONSTANT) ||
           (x->op == IR_OP_elem_load && x->var->space == IR_PUSH);
}

static bool memory_access(const struct ir_instr *x)
{
    return (x->op == IR_OP_load || x->op == IR_OP_store || x->op == IR_OP_elem_load ||
            x->op == IR_OP_elem_store) &&
           !pure_load(x) && !x->mem.is_volatile;
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
    uint64_t hash = memory ? hash_combine(1, c->epoch) : hash_combine(x->op, type_key(x->type)),
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
    if (x->op != y->op || x->flags != y->flags || x->src_count != y->src_count ||
        !ir_type_eq(x->type, y->type))
        return false;
    bool swapped = ir_has_flag(x, IR_FLAG_C) && x->src[0] == opt_resolved(y->src[1]) &&
                   x->src[1] == opt_resolved(y->src[0]);
    for (uint32_t i = 0; !swapped && i < x->src_count; i++)
        if (x->src[i] != opt_resolved(y->src[i]))
            return false;
    return same_immediates(x, y);
}

// The slot of an equal instruction, or one that may be taken.
static size_t find(struct cse *c, struct ir_instr *x)
{
    bool memory = memory_access(x);
    size_t mask = c->capacity - 1, i = hash_instr(c, x) & mask;
    for (;; i = (i + 1) & mask) {
        struct ir_instr *y = c->slots[i];
        if (!y)
            return i;
        if (memory ? c->epochs[i] == c->epoch && same_memory(x, y)
                   : !memory_access(y) && same(x, y))
            return i;
    }
}

static void visit(struct cse *c, struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        x->src[i] = opt_resolved(x->src[i]);
    bool memory = memory_access(x), writes = ir_has_flag(x, IR_FLAG_W);
    if (writes && !ir_has_flag(x, IR_FLAG_J))
        c->epoch++;
    if (!memory && !pure_load(x) && (!ir_has_flag(x, IR_FLAG_P) || writes))
        return;
    size_t slot = find(c, x);
    struct ir_instr *found = c->slots[slot];
    if (found && !writes && (memory || ir_dominates(found->block, x->block))) {
        ir_replace(x, memory_value(found));
        c->changed = true;
        return;
    }
    c->slots[slot] = x;
    c->epochs[slot] = c->epoch;
}

// Requires: nothing. Keeps: shape. Removes: nothing else.
bool opt_cse(struct pass_context *context, struct ir_function *f)
{
    struct cse c = {.m = context->module, .scratch = context->scratch, .f = f, .capacity = 64};
    ir_dominance(f);
    while (c.capacity < 2 * (size_t)f->instr_count)
        c.capacity *= 2;
    c.slots = ARENA_ARRAY(c.scratch, struct ir_instr *, c.capacity);
    c.epochs = ARENA_ARRAY(c.scratch, uint32_t, c.capacity);
    struct ir_block **order = ARENA_ARRAY(c.scratch, struct ir_block *, f->block_count + 2);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        if (b->idom || b == ir_first_block(f))
            order[b->dom_in] = b;
    for (uint32_t i = 1; i <= f->block_count && order[i]; i++) {
        c.epoch++;
        for (struct ir_instr *x = order[i]->first, *next; x; x = next) {
            next = x->next;
            visit(&c, x);
        }
    }
    ir_resolve(f);
    return c.changed;
}
