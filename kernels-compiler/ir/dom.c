// SPDX-License-Identifier: Apache-2.0
// Dominators. Source order is a reverse postorder of a reducible graph, so one round of the usual
// intersection (Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm") settles everything:
// a back edge comes from below its target and adds nothing. Unreachable blocks have no idom and an
// empty interval.
#include "ir/internal.h"

static struct ir_block *intersect(struct ir_block *a, struct ir_block *b)
{
    while (a != b) {
        while (a->index > b->index)
            a = a->idom;
        while (b->index > a->index)
            b = b->idom;
    }
    return a;
}

static struct ir_block *immediate_dominator(const struct ir_block *b)
{
    struct ir_block *idom = NULL;
    for (uint32_t i = 0; i < b->pred_count; i++)
        if (b->preds[i]->index < b->index)
            idom = idom ? intersect(idom, b->preds[i]) : b->preds[i];
    return idom;
}

void ir_dominance(struct ir_function *f)
{
    ir_preds(f);
    struct ir_block *entry = ir_first_block(f),
                    **order = ARENA_ARRAY(f->module->arena, struct ir_block *, f->block_count + 1);
    uint32_t count = 0;
    for (struct ir_block *b = entry; b; b = ir_next_block(b)) {
        order[count++] = b;
        b->idom = b == entry ? NULL : immediate_dominator(b);
        b->dom_next = 1; // size of the subtree, for now
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
        b->dom_next = b->dom_in + 1; // where the next child goes
        if (b->idom)
            b->idom->dom_next += size;
    }
}

bool ir_dominates(const struct ir_block *a, const struct ir_block *b)
{
    return a == b ||
           (a->dom_in <= b->dom_in && b->dom_out <= a->dom_out && b->dom_in <= b->dom_out);
}
