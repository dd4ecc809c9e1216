// SPDX-License-Identifier: Apache-2.0
// Hoists loads of read-only memory above the preceding barrier, and above stores whose values come from other loads; and
// all loads of device memory above an if that neither writes nor jumps.
//
//   store %local, %1 ; barrier ; %2 = load %a readonly     ->     %2 = load %a readonly ; store %local, %1 ; barrier
//   if %1 { %2 = load %b } ; %3 = load %a     ->     %3 = load %a ; if %1 { %2 = load %b }
//
// The latencies of the barrier and of the loads then overlap, or those of several rounds of an unrolled loop; drivers do
// not move loads across barriers and ifs themselves. No load is speculated, and only as much is hoisted as fits in a few
// registers. Not on CPU devices, which spill to memory what lives across a barrier.
#include "passes/opt.h"
#include "util/stack.h"

enum { MAX_BYTES = 64, MAX_STEPS = 8 };

static bool is_store(const struct ir_instr *x) { return x->op == IR_OP_store || x->op == IR_OP_elem_store; }

static bool is_early(const struct ir_instr *x)
{
    return x->op == IR_OP_load && opt_is_pure_load(x) && (x->mem.space == IR_GLOBAL || x->mem.space == IR_CONSTANT);
}

// Whether x can be computed before the marked instructions; `may_load`: whether a load can.
static bool may_move(const struct ir_instr *x, unsigned steps, bool (*may_load)(const struct ir_instr *))
{
    stack_check();
    if (!x->mark)
        return true;
    if (!steps || x->op == IR_OP_phi || (!ir_has_flag(x, IR_FLAG_P) && !may_load(x)))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!may_move(opt_resolved(x->src[i]), steps - 1, may_load))
            return false;
    return true;
}

static void move_before(struct ir_instr *place, struct ir_instr *x)
{
    stack_check();
    if (!x->mark)
        return;
    for (uint32_t i = 0; i < x->src_count; i++)
        move_before(place, opt_resolved(x->src[i]));
    struct ir_block *block = place->block;
    ir_remove(x);
    x->block = block;
    x->prev = place->prev;
    x->next = place;
    *(place->prev ? &place->prev->next : &block->first) = x;
    place->prev = x;
    x->mark = 0;
}

static bool visit(struct ir_block *block)
{
    struct ir_instr *place = block->first, *next;
    uint32_t bytes = 0;
    bool after_barrier = false, changed = false;
    while (place && place->op != IR_OP_barrier && !is_store(place))
        place = place->next;
    for (struct ir_instr *x = place; x; x = x->next)
        x->mark = 1;
    for (struct ir_instr *x = place; x; x = next) {
        next = x->next;
        after_barrier |= x->op == IR_OP_barrier;
        if (!after_barrier || !is_early(x) || bytes + ir_type_bytes(x->type) > MAX_BYTES || !may_move(x, MAX_STEPS, is_early))
            continue;
        bytes += ir_type_bytes(x->type);
        move_before(place, x);
        changed = true;
    }
    for (struct ir_instr *x = place; x; x = x->next)
        x->mark = 0;
    return changed;
}

// ---- ifs ------------------------------------------------------------------------------------------

static bool is_plain_load(const struct ir_instr *x)
{
    return x->op == IR_OP_load && !x->mem.is_volatile && (x->mem.space == IR_GLOBAL || x->mem.space == IR_CONSTANT);
}

// Whether other memory accesses may be moved across `x`.
static bool is_quiet(const struct ir_instr *x)
{
    return ir_has_flag(x, IR_FLAG_P) || (x->op == IR_OP_load && !x->mem.is_volatile) || x->op == IR_OP_elem_load;
}

static bool is_quiet_if(const struct ir_node *node)
{
    const struct ir_block *after = (const struct ir_block *)node->next;
    for (const struct ir_block *b = ir_next_block((const struct ir_block *)node->prev); b != after; b = ir_next_block(b)) {
        if (ir_ends_in_jump(b) || (b->node.prev && b->node.prev->kind == IR_LOOP))
            return false;
        for (const struct ir_instr *x = b->first; x; x = x->next)
            if (!is_quiet(x))
                return false;
    }
    return true;
}

static void move_to_end(struct ir_block *to, struct ir_instr *x)
{
    stack_check();
    if (!x->mark)
        return;
    x->mark = 0;
    for (uint32_t i = 0; i < x->src_count; i++)
        move_to_end(to, opt_resolved(x->src[i]));
    opt_move_to_end(to, x);
}

static bool visit_if(struct ir_node *node)
{
    struct ir_block *before = (struct ir_block *)node->prev, *after = (struct ir_block *)node->next;
    uint32_t bytes = 0;
    bool changed = false;
    if (node->kind != IR_IF || !is_quiet_if(node))
        return false;
    for (struct ir_instr *x = after->first; x; x = x->next)
        x->mark = 1;
    for (struct ir_instr *x = after->first, *next; x && is_quiet(x); x = next) {
        next = x->next;
        if (!x->mark || !is_plain_load(x) || bytes + ir_type_bytes(x->type) > MAX_BYTES || !may_move(x, MAX_STEPS, is_plain_load))
            continue;
        bytes += ir_type_bytes(x->type);
        move_to_end(before, x);
        changed = true;
    }
    for (struct ir_instr *x = after->first; x; x = x->next)
        x->mark = 0;
    return changed;
}

// ---- the pass -------------------------------------------------------------------------------------

// Requires: opt_readonly. Keeps: values, and which loads are executed. Removes: nothing.
bool opt_early_loads(struct pass_context *c, struct ir_function *f)
{
    bool changed = false;
    if (!c->target || !c->target->unroll_room)
        return false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        changed |= visit(b);
    struct opt_nodes nodes = opt_nodes(f, c->scratch);
    for (size_t i = nodes.count; i-- > 0;) // a load moves across several ifs
        changed |= visit_if(nodes.items[i]);
    return changed;
}
