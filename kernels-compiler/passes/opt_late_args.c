// SPDX-License-Identifier: Apache-2.0
// Loads arguments where they are used, if more values are live that are the same for all work-items of a sub-group than
// the device has scalar registers.
//
//   %1 = elem_load @push[0] ; %2 = elem_load @push[1] ; if %c { use %1 ; use %2 }
//   ->   if %c { %1 = elem_load @push[0] ; use %1 ; %2 = elem_load @push[1] ; use %2 }
//
// Moved are loads from the push block, or from memory that nothing writes at addresses in it, and what is computed from
// them alone: to the last block that all uses follow, and there to the first use; into a loop only if too many values are
// still live in it. RADV loads all arguments where we do, and spills the scalars that do not fit into lanes of vector registers.
// Constants with many uses occupy scalar registers, too. The driver inlines functions that are still called:
// the values of a large one count as too many.
#include "passes/literals.h"

enum {
    MASK_BYTES = 8,      // of the work-items that execute an arm or a loop
    MOST_BYTES = 88 * 4, // of values and constants
    LARGE = 500,         // instructions of a function
};

struct late {
    struct pressure pressure;
    bool into_loops;
    uint32_t *crowded;    // by position: the number of positions before it where too many values are live
    struct ir_block **to; // by id: the last block that all uses so far follow; NULL: no use
    bool *moves;          // by id: only depends on arguments and `root`
    const struct ir_instr **root; // by id: the only other value that it depends on, or NULL
};

static unsigned depth_of(const struct ir_node *node)
{
    unsigned depth = 0;
    for (; node->list->owner; node = node->list->owner)
        depth++;
    return depth;
}

// Whether there are such positions at all.
static bool find_crowded(struct late *l, const struct ir_function *f, struct arena *arena)
{
    const uint32_t *begin = l->pressure.begin, end = begin[f->block_count], *literals = literals_live(&l->pressure, f, arena);
    l->crowded = ARENA_ARRAY(arena, uint32_t, end + 2);
    for (const struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        const uint32_t masks = l->into_loops ? MASK_BYTES * depth_of(&b->node) : 0;
        const struct ir_instr *x = b->first;
        for (uint32_t at = begin[b->index]; at < begin[b->index + 1] + (b->index + 1 == f->block_count); at++) {
            const uint32_t bytes = l->pressure.shared[at] + masks;
            const bool calls = x && x->op == IR_OP_call && opt_list_size(&x->callee->body) >= LARGE;
            l->crowded[at + 1] = l->crowded[at] + (calls || bytes > PRESSURE_SCALAR_BYTES || bytes + literals[at] > MOST_BYTES);
            x = x ? x->next : NULL;
        }
    }
    return l->crowded[end + 1];
}

static bool may_enter(const struct late *l, const struct ir_loop *loop)
{
    const uint32_t *begin = l->pressure.begin;
    return l->into_loops && l->crowded[begin[ir_list_last(&loop->cont)->index + 1]] > l->crowded[begin[ir_list_first(&loop->body)->index]];
}

static bool is_shared_word(const struct late *l, const struct ir_instr *x)
{
    return x->op != IR_OP_param && !l->pressure.varies[x->id] && x->type.base != IR_BOOL && ir_type_bytes(x->type) <= 4;
}

// Whether x may be computed later. Sets its root: several values that are computed from one word need as many registers.
static bool may_move(struct late *l, const struct ir_instr *x)
{
    const bool computes = ir_has_flag(x, IR_FLAG_P) && x->op != IR_OP_phi && x->op != IR_OP_sys;
    const struct ir_instr *root = NULL;
    if (!x->src_count || (!computes && !opt_is_pure_load(x)))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++) {
        const struct ir_instr *source = x->src[i], *of = source;
        if (opt_is_floating(source) && source->op != IR_OP_param)
            continue;
        if (!opt_is_floating(source) && l->moves[source->id])
            of = l->root[source->id];
        else if (!computes || !is_shared_word(l, source) || !is_shared_word(l, x))
            return false;
        if (root && of && of != root)
            return false;
        root = of ? of : root;
    }
    l->root[x->id] = root;
    return true;
}

static void find_moves(struct late *l, const struct ir_function *f)
{
    for (const struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            l->moves[x->id] = may_move(l, x);
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

// Outside of the loops that x is not in, other than crowded ones. Its own block if it is used behind the loop or arm that
// computes it.
static struct ir_block *outside_loops(const struct late *l, const struct ir_instr *x, struct ir_block *to)
{
    for (struct ir_node *node = &to->node; node->list != x->block->node.list; node = node->list->owner) {
        if (!node->list->owner)
            return x->block;
        if (node->list->owner->kind == IR_LOOP && !may_enter(l, (const struct ir_loop *)node->list->owner))
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
    struct ir_block *to = moves ? outside_loops(l, x, l->to[x->id]) : x->block;
    const struct ir_instr *next = x->next;
    if (moves)
        move(to, x);
    for (uint32_t i = 0; i < x->src_count && x->op != IR_OP_phi; i++)
        use(l, x->src[i], to);
    return x->next != next;
}

// False: there is no reason to.
static bool move_all(struct arena *arena, struct ir_function *f, bool into_loops, bool *changed)
{
    struct late l = {.pressure = pressure_of(f, arena), .into_loops = into_loops};
    if (!find_crowded(&l, f, arena))
        return false;
    l.to = ARENA_ARRAY(arena, struct ir_block *, f->instr_count + 1);
    l.moves = ARENA_ARRAY(arena, bool, f->instr_count + 1);
    l.root = ARENA_ARRAY(arena, const struct ir_instr *, f->instr_count + 1);
    struct ir_instr **order = ARENA_ARRAY(arena, struct ir_instr *, f->instr_count + 1);
    uint32_t count = 0;
    find_moves(&l, f);
    use_at_ends(&l, f);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            order[count++] = x;
    while (count) // users before their sources
        *changed |= visit(&l, order[--count]);
    return true;
}

// Requires: lowered memory. Keeps: values. Removes: nothing.
bool opt_late_args(struct pass_context *c, struct ir_function *f)
{
    if (!c->target || !pressure_has_scalars(c->target))
        return false;
    bool changed = false;
    if (move_all(c->scratch, f, false, &changed))
        move_all(c->scratch, f, true, &changed);
    return changed;
}
