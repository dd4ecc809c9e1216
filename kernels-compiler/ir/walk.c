// SPDX-License-Identifier: Apache-2.0
// Walks a function: blocks in source order, numbering, and the edges that the structure implies.
//
// Source order is a topological order except for back edges of loops, so one walk finds every edge and determines
// which blocks are reachable.
#include "ir/internal.h"
#include <assert.h>

struct ir_block *ir_list_first(const struct ir_list *list)
{
    return ir_as_block(list->first);
}

struct ir_block *ir_list_last(const struct ir_list *list)
{
    return ir_as_block(list->last);
}

bool ir_ends_in_jump(const struct ir_block *block)
{
    return block->last && ir_has_flag(block->last, IR_FLAG_J);
}

struct ir_block *ir_first_block(const struct ir_function *f)
{
    return f->has_body ? ir_list_first(&f->body) : NULL;
}

// The list of a structured node that is first in source order.
static struct ir_list *first_list(struct ir_node *node)
{
    switch (node->kind) {
    case IR_IF:
        return &((struct ir_if *)node)->then_list;
    case IR_LOOP:
        return &((struct ir_loop *)node)->body;
    case IR_SWITCH:
        return &((struct ir_switch *)node)->cases[0].list;
    default:
        return NULL;
    }
}

// The next list of the same node; NULL after the last one.
static inline struct ir_list *sibling_list(const struct ir_list *list)
{
    struct ir_node *owner = list->owner;
    if (owner->kind == IR_IF) {
        struct ir_if *node = (struct ir_if *)owner;
        return list == &node->then_list ? &node->else_list : NULL;
    }
    if (owner->kind == IR_LOOP) {
        struct ir_loop *node = (struct ir_loop *)owner;
        return list == &node->body ? &node->cont : NULL;
    }
    struct ir_switch *node = (struct ir_switch *)owner;
    size_t at =
        (size_t)((const char *)list - (const char *)&node->cases[0].list) / sizeof *node->cases;
    return at + 1 < node->case_count ? &node->cases[at + 1].list : NULL;
}

struct ir_block *ir_next_block(const struct ir_block *block)
{
    const struct ir_node *node = &block->node;
    if (node->next)
        return ir_list_first(first_list(node->next));
    if (!node->list->owner)
        return NULL;
    struct ir_list *sibling = sibling_list(node->list);
    return ir_list_first(sibling ? sibling : &(struct ir_list){.first = node->list->owner->next});
}

void ir_number(struct ir_function *f)
{
    uint32_t instrs = 0, blocks = 0;
    for (; instrs < f->param_count; instrs++)
        f->params[instrs]->id = instrs;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        b->index = blocks++;
        for (struct ir_instr *x = b->first; x; x = x->next)
            x->id = instrs++;
    }
    f->instr_count = instrs;
    f->block_count = blocks;
}

void ir_number_blocks(struct ir_function *f)
{
    uint32_t blocks = 0;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        b->index = blocks++;
    f->block_count = blocks;
}

// ---- edges --------------------------------------------------------------------------------------

static void edge(struct ir_function *f, struct ir_block *from, struct ir_block *to)
{
    if (to->pred_count == to->pred_capacity) {
        to->pred_capacity = to->pred_capacity ? to->pred_capacity * 2 : 2;
        struct ir_block **grown = arena_alloc(f->module->arena, to->pred_capacity * sizeof *grown);
        if (to->pred_count)
            memcpy(grown, to->preds, to->pred_count * sizeof *grown);
        to->preds = grown;
    }
    to->preds[to->pred_count++] = from;
}

struct ir_node *ir_jump_target(const struct ir_block *block, bool loops_only)
{
    struct ir_node *node = block->node.list->owner;
    while (node && node->kind != IR_LOOP && (loops_only || node->kind != IR_SWITCH))
        node = node->list->owner;
    return node;
}

static void jump_edge(struct ir_function *f, struct ir_block *block)
{
    if (block->last->op == IR_OP_break) {
        struct ir_node *target = ir_jump_target(block, false);
        if (target)
            edge(f, block, ir_as_block(target->next));
    } else if (block->last->op == IR_OP_continue) {
        struct ir_node *target = ir_jump_target(block, true);
        if (target)
            edge(f, block, ir_list_first(&((struct ir_loop *)target)->cont));
    }
}

static void enter_edges(struct ir_function *f, struct ir_block *block, struct ir_node *node)
{
    if (node->kind == IR_SWITCH) {
        struct ir_switch *s = (struct ir_switch *)node;
        for (uint32_t i = 0; i < s->case_count; i++)
            edge(f, block, ir_list_first(&s->cases[i].list));
        return;
    }
    edge(f, block, ir_list_first(first_list(node)));
    if (node->kind == IR_IF)
        edge(f, block, ir_list_first(&((struct ir_if *)node)->else_list));
}

static void leave_edges(struct ir_function *f, struct ir_block *block, struct ir_list *list)
{
    struct ir_node *owner = list->owner;
    if (!owner)
        return;
    struct ir_block *after = ir_as_block(owner->next);
    if (owner->kind == IR_LOOP) {
        struct ir_loop *loop = (struct ir_loop *)owner;
        if (list == &loop->body) {
            edge(f, block, ir_list_first(&loop->cont));
        } else {
            edge(f, block, ir_list_first(&loop->body));
            if (loop->cond)
                edge(f, block, after);
        }
        return;
    }
    struct ir_list *next = owner->kind == IR_SWITCH ? sibling_list(list) : NULL;
    edge(f, block, next ? ir_list_first(next) : after);
}

void ir_preds(struct ir_function *f)
{
    struct ir_block *entry = ir_first_block(f);
    uint32_t blocks = 0;
    for (struct ir_block *b = entry; b; b = ir_next_block(b)) {
        b->index = blocks++;
        b->pred_count = 0;
    }
    f->block_count = blocks;
    for (struct ir_block *b = entry; b; b = ir_next_block(b)) {
        if (b != entry && !b->pred_count)
            continue; // unreachable
        if (ir_ends_in_jump(b))
            jump_edge(f, b);
        else if (b->node.next)
            enter_edges(f, b, b->node.next);
        else
            leave_edges(f, b, b->node.list);
    }
}
