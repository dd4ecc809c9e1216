// SPDX-License-Identifier: Apache-2.0
// Merges two ifs with the same condition, if the second one only computes values.
//
//   if %c { X } else { Y } ; M ; if %c { Z } else { W }   ->   if %c { X ; Z } else { Y ; W } ; M
//
// Typical for the sine and the cosine of one number: common subexpressions are found once they are in one place. What
// Z and W need of M is moved before both. Their results stay live during M, so M must be short.
#include "passes/opt.h"
#include "util/stack.h"

enum { MAX_BETWEEN = 48 };

// ---- the second if ------------------------------------------------------------------------------

static bool is_pure(const struct ir_list *list)
{
    stack_check();
    for (const struct ir_node *n = list->first; n; n = n->next) {
        const struct ir_if *inner = (const struct ir_if *)n;
        if (n->kind == IR_IF && is_pure(&inner->then_list) && is_pure(&inner->else_list))
            continue;
        if (n->kind != IR_BLOCK)
            return false;
        for (const struct ir_instr *x = ((const struct ir_block *)n)->first; x; x = x->next)
            if (!ir_has_flag(x, IR_FLAG_P) && x->op != IR_OP_phi)
                return false;
    }
    return true;
}

// Marks the instructions of `between` that x depends on. False: some of them cannot be moved up.
static bool mark(const struct ir_block *between, struct ir_instr *x)
{
    stack_check();
    x = opt_resolved(x);
    if (x->block != between || x->mark)
        return true;
    if (!ir_has_flag(x, IR_FLAG_P) || x->op == IR_OP_phi)
        return false;
    x->mark = 1;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!mark(between, x->src[i]))
            return false;
    return true;
}

static bool mark_needs(const struct ir_block *between, const struct ir_list *list)
{
    stack_check();
    for (const struct ir_node *n = list->first; n; n = n->next) {
        const struct ir_if *inner = (const struct ir_if *)n;
        if (n->kind == IR_IF && !(mark(between, inner->cond) && mark_needs(between, &inner->then_list) &&
                                  mark_needs(between, &inner->else_list)))
            return false;
        if (n->kind != IR_BLOCK)
            continue;
        for (const struct ir_instr *x = ((const struct ir_block *)n)->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                if (!mark(between, x->src[i]))
                    return false;
    }
    return true;
}

// The sources of its phis may be in `between`, too.
static bool mark_sources(const struct ir_block *between, const struct ir_block *after)
{
    for (const struct ir_instr *x = after->first; x && x->op == IR_OP_phi; x = x->next)
        for (uint32_t i = 0; i < x->src_count; i++)
            if (!mark(between, x->src[i]))
                return false;
    return true;
}

static void move_marked(struct ir_block *between, struct ir_block *before, bool moves)
{
    for (struct ir_instr *x = between->first, *next; x; x = next) {
        next = x->next;
        if (x->mark && moves)
            opt_move_to_end(before, x);
        x->mark = 0;
    }
}

// ---- fusing -------------------------------------------------------------------------------------

static bool is_short(const struct ir_block *block)
{
    unsigned count = 0;
    for (const struct ir_instr *x = block->first; x && count <= MAX_BETWEEN; x = x->next)
        count += x->op != IR_OP_phi;
    return count <= MAX_BETWEEN;
}

static bool begins_with_phi(const struct ir_list *list)
{
    const struct ir_instr *x = ir_list_first(list)->first;
    return x && x->op == IR_OP_phi;
}

static bool can_join(const struct ir_list *first, const struct ir_list *second)
{
    return !ir_ends_in_jump(ir_list_last(first)) && !begins_with_phi(second) && is_pure(second);
}

// Appends `second` to `first` and updates the phis of `after`.
static void join(struct ir_list *first, struct ir_list *second, struct ir_block *after)
{
    struct ir_block *last = ir_list_last(first), *end = ir_list_last(second);
    for (struct ir_instr *x = after->first; x && x->op == IR_OP_phi; x = x->next)
        for (uint32_t i = 0; i < x->src_count; i++)
            x->preds[i] = x->preds[i] == last ? end : x->preds[i];
    ir_list_join(first, second);
}

static void move_phis_to_front(struct ir_block *block, struct ir_instr *x)
{
    for (struct ir_instr *next; x && x->op == IR_OP_phi; x = next) {
        next = x->next;
        ir_remove(x);
        x->block = block;
        x->next = block->first;
        *(block->first ? &block->first->prev : &block->last) = x;
        block->first = x;
    }
}

static bool fuse(struct ir_if *one, struct ir_if *two)
{
    struct ir_block *before = (struct ir_block *)one->node.prev, *between = (struct ir_block *)one->node.next;
    struct ir_block *after = (struct ir_block *)two->node.next;
    if (!is_short(between) || !can_join(&one->then_list, &two->then_list) || !can_join(&one->else_list, &two->else_list))
        return false;
    bool moves = mark_needs(between, &two->then_list) && mark_needs(between, &two->else_list) && mark_sources(between, after);
    move_marked(between, before, moves);
    if (!moves)
        return false;
    struct ir_instr *phis = after->first;
    join(&one->then_list, &two->then_list, between);
    join(&one->else_list, &two->else_list, between);
    ir_node_remove(&two->node); // `between` is now the first part of `after`
    move_phis_to_front(after, phis);
    return true;
}

static struct ir_if *next_if(const struct ir_if *node)
{
    struct ir_node *next = node->node.next->next;
    return next && next->kind == IR_IF ? (struct ir_if *)next : NULL;
}

// Requires: nothing. Keeps: effects and values. Removes: ifs.
bool opt_fuse_ifs(struct pass_context *context, struct ir_function *f)
{
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    bool changed = false;
    for (size_t i = nodes.count; i-- > 0;) {
        struct ir_if *node = (struct ir_if *)nodes.items[i], *next;
        if (node->node.kind != IR_IF)
            continue;
        while ((next = next_if(node)) && opt_resolved(next->cond) == opt_resolved(node->cond) && fuse(node, next))
            changed = true;
    }
    return changed;
}
