// SPDX-License-Identifier: Apache-2.0
// Hoists computations and loads that both arms of an if have in common.
//
//   if %c { %1 = sdiv %a, %b ; %2 = iadd %1, 1 } else { %3 = sdiv %a, %b }
//   ->  %1 = sdiv %a, %b ; if %c { %2 = iadd %1, 1 } else { }
//
// Speculates nothing: only the first block of each arm is examined, and loads only before anything with an effect. A
// typical case is the non-negative remainder, `x >= 0 ? x % n : n + x % n`; what is left in the arms is often small
// enough for a select.
#include "passes/opt.h"

enum { MAX_INSTRUCTIONS = 64 }; // of each block

static bool is_plain_load(const struct ir_instr *x) { return x->op == IR_OP_load && !x->mem.is_volatile; }

static bool is_quiet(const struct ir_instr *x) { return ir_has_flag(x, IR_FLAG_P) || is_plain_load(x); }

static bool may_move(const struct ir_instr *x, const struct ir_block *arm)
{
    if (!is_quiet(x) || x->op == IR_OP_phi || ir_is_matrix(x->type))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (x->src[i]->block == arm)
            return false;
    return true;
}

static struct ir_instr *find_same(const struct ir_instr *x, const struct ir_block *arm)
{
    unsigned count = 0;
    for (struct ir_instr *y = arm->first; y && count < MAX_INSTRUCTIONS; y = y->next, count++) {
        if (opt_same(x, y) && !(is_plain_load(x) && y->mem.is_volatile))
            return y;
        if (is_plain_load(x) && !is_quiet(y))
            return NULL;
    }
    return NULL;
}

// `x` replaces `y`: what is known of both.
static void join_facts(struct ir_instr *x, const struct ir_instr *y)
{
    x->flags &= y->flags;
    if (!is_plain_load(x))
        return;
    x->mem.align = y->mem.align > x->mem.align ? y->mem.align : x->mem.align;
    x->mem.effective = x->mem.effective == y->mem.effective ? x->mem.effective : IR_AS_ANY;
    x->mem.readonly &= y->mem.readonly;
}

static bool join(const struct ir_if *node)
{
    struct ir_block *before = (struct ir_block *)node->node.prev;
    struct ir_block *then = ir_list_first(&node->then_list), *other = ir_list_first(&node->else_list);
    unsigned count = 0;
    bool quiet = true, changed = false;
    for (struct ir_instr *x = then->first, *next; x && other->first && count < MAX_INSTRUCTIONS; x = next, count++) {
        next = x->next;
        ir_resolve_sources(x);
        quiet &= is_quiet(x);
        struct ir_instr *y = may_move(x, then) && (quiet || !is_plain_load(x)) ? find_same(x, other) : NULL;
        if (!y)
            continue;
        join_facts(x, y);
        opt_move_to_end(before, x);
        ir_replace(y, x);
        changed = true;
    }
    return changed;
}

// Requires: phis. Keeps: values. Removes: common values of the arms of ifs.
bool opt_common(struct pass_context *context, struct ir_function *f)
{
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    bool changed = false;
    for (size_t i = nodes.count; i-- > 0;)
        if (nodes.items[i]->kind == IR_IF)
            changed |= join((const struct ir_if *)nodes.items[i]);
    if (changed)
        ir_resolve(f);
    return changed;
}
