// SPDX-License-Identifier: Apache-2.0
// Loads arguments where they are used, if more values are live that are the same for all work-items of a sub-group than
// the device has scalar registers.
//
//   %1 = elem_load @push[0] ; %2 = elem_load @push[1] ; if %c { use %1 ; use %2 }
//   ->   if %c { %1 = elem_load @push[0] ; use %1 ; %2 = elem_load @push[1] ; use %2 }
//
// Moved are loads from the push block, or from memory that nothing writes at addresses in it, and what is computed from
// them alone: to the last block that all uses follow, but not into a loop, and there to the first use. RADV loads all
// arguments where we do, and spills the scalars that do not fit into lanes of vector registers.
#include "passes/pressure.h"

enum { SCALAR_BYTES = 64 * 4 }; // AMD: 106 registers, of which control flow and constants need some

struct late {
    struct ir_block **to; // by id: the last block that all uses so far follow; NULL: no use
    bool *moves;          // by id: only depends on arguments
};

static bool is_crowded(const struct pressure *pressure, const struct ir_function *f)
{
    for (uint32_t at = 0; at <= pressure->begin[f->block_count]; at++)
        if (pressure->shared[at] > SCALAR_BYTES)
            return true;
    return false;
}

static void find_moves(struct late *l, const struct ir_function *f)
{
    for (const struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next) {
            bool moves = opt_is_pure_load(x) || (ir_has_flag(x, IR_FLAG_P) && x->op != IR_OP_phi && x->op != IR_OP_sys);
            for (uint32_t i = 0; i < x->src_count && moves; i++)
                moves = opt_is_floating(x->src[i]) ? x->src[i]->op != IR_OP_param : l->moves[x->src[i]->id];
            l->moves[x->id] = moves && x->src_count;
        }
}

static unsigned depth_of(const struct ir_node *node)
{
    unsigned depth = 0;
    for (; node->list->owner; node = node->list->owner)
        depth++;
    return depth;
}

// The block before an if, loop or switch.
static struct ir_block *block_at(struct ir_node *node) { return (struct ir_block *)(node->kind == IR_BLOCK ? node : node->prev); }

// The last block of which both are part or which both follow.
static struct ir_block *last_before(struct ir_block *a, struct ir_block *b)
{
    struct ir_node *x = &a->node, *y = &b->node;
    unsigned i = depth_of(x), k = depth_of(y);
    for (; i > k; i--)
        x = x->list->owner;
    for (; k > i; k--)
        y = y->list->owner;
    for (; x->list != y->list; y = y->list->owner)
        x = x->list->owner;
    a = block_at(x);
    b = block_at(y);
    return a->index < b->index ? a : b;
}

static void use(struct late *l, const struct ir_instr *x, struct ir_block *at)
{
    if (x && !opt_is_floating(x) && l->moves[x->id])
        l->to[x->id] = l->to[x->id] ? last_before(l->to[x->id], at) : at;
}

static void use_at_ends(struct late *l, const struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        const struct ir_node *next = b->node.next, *owner = b->node.list->owner;
        for (const struct ir_instr *x = b->first; x && x->op == IR_OP_phi; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                use(l, x->src[i], x->preds[i]);
        if (next && next->kind == IR_IF)
            use(l, ((const struct ir_if *)next)->cond, b);
        else if (next && next->kind == IR_SWITCH)
            use(l, ((const struct ir_switch *)next)->value, b);
        else if (!next && owner && owner->kind == IR_LOOP)
            use(l, ((const struct ir_loop *)owner)->cond, b);
    }
}

// Outside of the loops that x is not in. Its own block if it is used behind the loop or arm that computes it.
static struct ir_block *outside_loops(const struct ir_instr *x, struct ir_block *to)
{
    for (struct ir_node *node = &to->node; node->list != x->block->node.list; node = node->list->owner) {
        if (!node->list->owner)
            return x->block;
        if (node->list->owner->kind == IR_LOOP)
            to = block_at(node->list->owner);
    }
    return to;
}

static bool is_source(const struct ir_instr *x, const struct ir_instr *user)
{
    for (uint32_t i = 0; i < user->src_count; i++)
        if (user->src[i] == x)
            return true;
    return false;
}

static void move(struct ir_block *to, struct ir_instr *x)
{
    struct ir_instr *next = x->block == to ? x->next : to->first;
    while (next && ((next->op == IR_OP_phi && next->block == to) || !is_source(x, next)) && !ir_has_flag(next, IR_FLAG_J))
        next = next->next;
    ir_remove(x);
    x->block = to;
    x->next = next;
    x->prev = next ? next->prev : to->last;
    *(x->prev ? &x->prev->next : &to->first) = x;
    *(next ? &next->prev : &to->last) = x;
}

static bool visit(struct late *l, struct ir_instr *x)
{
    const bool moves = l->moves[x->id] && l->to[x->id];
    struct ir_block *to = moves ? outside_loops(x, l->to[x->id]) : x->block;
    const struct ir_instr *next = x->next;
    if (moves)
        move(to, x);
    for (uint32_t i = 0; i < x->src_count && x->op != IR_OP_phi; i++)
        use(l, x->src[i], to);
    return x->next != next;
}

// Requires: lowered memory. Keeps: values. Removes: nothing.
bool opt_late_args(struct pass_context *c, struct ir_function *f)
{
    if (!c->target || !pressure_has_scalars(c->target))
        return false;
    const struct pressure pressure = pressure_of(f, c->scratch);
    if (!is_crowded(&pressure, f))
        return false;
    struct late l = {ARENA_ARRAY(c->scratch, struct ir_block *, f->instr_count + 1), ARENA_ARRAY(c->scratch, bool, f->instr_count + 1)};
    struct ir_instr **order = ARENA_ARRAY(c->scratch, struct ir_instr *, f->instr_count + 1);
    uint32_t count = 0;
    bool changed = false;
    find_moves(&l, f);
    use_at_ends(&l, f);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            order[count++] = x;
    while (count) // users before their sources
        changed |= visit(&l, order[--count]);
    return changed;
}
