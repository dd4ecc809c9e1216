// SPDX-License-Identifier: Apache-2.0
// Loads each word of the push block once, at the start of a kernel of very many blocks.
//
//   if a { %1 = load @push[0] } ; if b { %2 = load @push[0] }   ->   %1 = load @push[0] ; if a {} ; if b {}
//
// Mesa's CPU driver makes each such load a variable and a branch (it checks the offset), and LLVM's coroutine pass
// takes time for the product of variables and blocks.
#include "passes/amount.h"
#include "passes/opt.h"

static bool is_same(const struct ir_instr *x, const struct ir_instr *y)
{
    return x->var == y->var && x->src[0] == y->src[0] && ir_type_eq(x->type, y->type);
}

static struct ir_instr *find_same(struct ir_instr *const *known, size_t count, const struct ir_instr *x)
{
    for (size_t i = 0; i < count; i++)
        if (is_same(known[i], x))
            return known[i];
    return NULL;
}

static bool load_early(struct pass_context *c, struct ir_function *f)
{
    VEC(struct ir_instr *) known = {0};
    struct ir_builder b = {.module = c->module, .function = f, .block = ir_first_block(f)};
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (x->op != IR_OP_elem_load || x->var->space != IR_PUSH || !ir_is_const(x->src[0]))
                continue;
            struct ir_instr *first = find_same(known.items, known.count, x);
            if (!first) {
                b.before = b.block->first;
                first = ir_elem_load(&b, x->var, x->src[0]);
                vec_push(c->scratch, &known, first);
            }
            ir_replace(x, first);
        }
    ir_resolve(f);
    return known.count > 0;
}

// Requires: lowered push block, calls. Keeps: values. Removes: nothing.
bool opt_early_push(struct pass_context *c)
{
    bool changed = false;
    if (c->module->error || !amount_has_many_blocks(c))
        return false;
    for (size_t i = 0; i < c->module->functions.count; i++)
        if (c->module->functions.items[i]->kernel && c->module->functions.items[i]->has_body)
            changed |= load_early(c, c->module->functions.items[i]);
    return changed;
}
