// SPDX-License-Identifier: Apache-2.0
// Dominators. Source order is a reverse postorder of a reducible graph, so a single iteration of the usual
// intersection suffices (Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm"): the source of a back edge
// comes after its target and does not change the result. Unreachable blocks have no idom and an empty interval.
//
// Dominator trees may be as deep as there are blocks. Each block has a link to a far ancestor, so that n steps up
// take log n jumps (Myers, "An Applicative Random-Access Stack").
#include "ir/internal.h"

struct ancestry { // of a block, by its index
    struct ir_block *far;
    uint32_t depth;
};

static void set_ancestors(struct ancestry *all, const struct ir_block *b)
{
    struct ir_block *parent = b->idom, *far = parent ? all[parent->index].far : NULL;
    struct ancestry *own = &all[b->index];
    bool equal = far && all[far->index].far &&
                 all[parent->index].depth - all[far->index].depth == all[far->index].depth - all[all[far->index].far->index].depth;
    own->depth = parent ? all[parent->index].depth + 1 : 0;
    own->far = equal ? all[far->index].far : parent;
}

static struct ir_block *ancestor_at_depth(const struct ancestry *all, struct ir_block *b, uint32_t depth)
{
    while (all[b->index].depth > depth) {
        struct ir_block *far = all[b->index].far;
        b = all[far->index].depth >= depth ? far : b->idom;
    }
    return b;
}

static struct ir_block *intersect(const struct ancestry *all, struct ir_block *a, struct ir_block *b)
{
    a = ancestor_at_depth(all, a, all[b->index].depth);
    b = ancestor_at_depth(all, b, all[a->index].depth);
    while (a != b) {
        bool far_differ = all[a->index].far != all[b->index].far; // both blocks have equal depth, and so have their far ancestors
        a = far_differ ? all[a->index].far : a->idom;
        b = far_differ ? all[b->index].far : b->idom;
    }
    return a;
}

static struct ir_block *immediate_dominator(const struct ancestry *all, const struct ir_block *b)
{
    struct ir_block *idom = NULL;
    for (uint32_t i = 0; i < b->pred_count; i++)
        if (b->preds[i]->index < b->index)
            idom = idom ? intersect(all, idom, b->preds[i]) : b->preds[i];
    return idom;
}

void ir_dominance(struct ir_function *f)
{
    ir_preds(f);
    struct ir_block *entry = ir_first_block(f),
                    **order = ARENA_ARRAY(f->module->arena, struct ir_block *, f->block_count + 1);
    struct ancestry *all = ARENA_ARRAY(f->module->arena, struct ancestry, f->block_count + 1);
    uint32_t count = 0;
    for (struct ir_block *b = entry; b; b = ir_next_block(b)) {
        order[count++] = b;
        b->idom = b == entry ? NULL : immediate_dominator(all, b);
        set_ancestors(all, b);
        b->dom_next = 1; // temporarily the size of the subtree
        b->dom_in = 1;
        b->dom_out = 0;
    }
    for (uint32_t i = count; i-- > 0;)
        if (order[i]->idom)
            order[i]->idom->dom_next += order[i]->dom_next;
    for (uint32_t i = 0; i < count; i++) {
        struct ir_block *b = order[i];
        if (b != entry && !b->idom)
            continue;
        uint32_t size = b->dom_next;
        b->dom_in = b->idom ? b->idom->dom_next : 1;
        b->dom_out = b->dom_in + size - 1;
        b->dom_next = b->dom_in + 1; // number for the next child
        if (b->idom)
            b->idom->dom_next += size;
    }
}

bool ir_dominates(const struct ir_block *a, const struct ir_block *b)
{
    return a == b ||
           (a->dom_in <= b->dom_in && b->dom_out <= a->dom_out && b->dom_in <= b->dom_out);
}
