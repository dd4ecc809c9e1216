// SPDX-License-Identifier: Apache-2.0
// The functions of a module in call order: callers before callees.
#include "passes/call_order.h"

static void count_sites(const struct ir_function *f, uint32_t *sites)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (is_known_call(x))
                sites[x->callee->id]++;
}

struct call_order call_order_find(struct pass_context *c)
{
    const struct ir_module *m = c->module;
    struct call_order order = {.sites = ARENA_ARRAY(c->scratch, uint32_t, m->functions.count)};
    uint32_t *left = ARENA_ARRAY(c->scratch, uint32_t, m->functions.count);
    for (size_t i = 0; i < m->functions.count; i++)
        m->functions.items[i]->id = (uint32_t)i;
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->has_body)
            count_sites(m->functions.items[i], order.sites);
    for (size_t i = 0; i < m->functions.count; i++) {
        left[i] = order.sites[i];
        if (m->functions.items[i]->has_body && !left[i])
            vec_push(c->scratch, &order.functions, m->functions.items[i]);
    }
    for (size_t i = 0; i < order.functions.count; i++)
        for (struct ir_block *b = ir_first_block(order.functions.items[i]); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                if (is_known_call(x) && !--left[x->callee->id])
                    vec_push(c->scratch, &order.functions, x->callee);
    return order;
}
