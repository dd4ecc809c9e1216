// SPDX-License-Identifier: Apache-2.0
// Moves a jump into the arm of an earlier `if` that has decided to take it. `while (a && b)` is such a loop:
//
//   if a { X } else {} ; %p = phi X: %b, else: false ; if %p {} else { break }
//   ->  if a { X } else { break } ; if %b {} else { break }
//
// The values of X are then available in what follows, where they need not be loaded again (opt_cse), and no phi
// and no second test lie between them and their use.
#include "passes/opt.h"

struct early_exits {
    struct ir_function *f;
    struct arena *scratch;
    uint32_t *last_use; // by id of a phi: index of the last block that uses it; found when it is first needed
};

static bool has_only_phis(const struct ir_block *block) { return !block->last || block->last->op == IR_OP_phi; }

// The block that a jump leads to; NULL: it leaves the function.
static struct ir_block *destination(const struct ir_block *from)
{
    const bool continues = from->last->op == IR_OP_continue;
    struct ir_node *target = from->last->op == IR_OP_return ? NULL : ir_jump_target(from, continues);
    return !target ? NULL : continues ? ir_list_first(&((struct ir_loop *)target)->cont) : (struct ir_block *)target->next;
}

// ---- uses ---------------------------------------------------------------------------------------

static void note_use(struct early_exits *e, const struct ir_instr *x, const struct ir_block *at)
{
    if (x && x->op == IR_OP_phi && e->last_use[x->id] < at->index)
        e->last_use[x->id] = at->index;
}

static void note_uses_in(struct early_exits *e, const struct ir_block *block)
{
    const struct ir_node *node = block->node.next;
    for (const struct ir_instr *x = block->first; x; x = x->next)
        for (uint32_t i = 0; i < x->src_count; i++)
            note_use(e, x->src[i], x->op == IR_OP_phi ? x->preds[i] : block);
    if (node && node->kind == IR_IF)
        note_use(e, ((const struct ir_if *)node)->cond, block);
    else if (node && node->kind == IR_LOOP)
        note_use(e, ((const struct ir_loop *)node)->cond, ir_list_last(&((const struct ir_loop *)node)->cont));
    else if (node)
        note_use(e, ((const struct ir_switch *)node)->value, block);
}

static void find_last_uses(struct early_exits *e)
{
    ir_number(e->f);
    e->last_use = ARENA_ARRAY(e->scratch, uint32_t, e->f->instr_count + 1);
    for (const struct ir_block *block = ir_first_block(e->f); block; block = ir_next_block(block))
        note_uses_in(e, block);
}

// Whether one of the phis is used where the jump leads to: from two jumps, that place would need a phi, too.
static bool are_used_there(struct early_exits *e, const struct ir_block *phis, const struct ir_block *to)
{
    if (!e->last_use)
        find_last_uses(e);
    for (const struct ir_instr *x = to ? phis->first : NULL; x; x = x->next)
        if (e->last_use[x->id] >= to->index)
            return true;
    return false;
}

// ---- moving -------------------------------------------------------------------------------------

// What a value in or behind the block of `phis` is at the end of `pred`.
static struct ir_instr *value_from(struct ir_instr *x, const struct ir_block *phis, const struct ir_block *pred)
{
    return x && x->op == IR_OP_phi && x->block == phis ? opt_phi_source(x, pred) : x;
}

// Ends `arm` as `end` ends, which comes after `phis`.
static void copy_jump(struct ir_function *f, struct ir_list *arm, const struct ir_block *end, const struct ir_block *phis)
{
    struct ir_builder b = {.module = f->module, .function = f};
    struct ir_block *from = ir_list_last(arm), *to = destination(end);
    const struct ir_instr *jump = end->last;
    for (struct ir_instr *x = to ? to->first : NULL; x && x->op == IR_OP_phi; x = x->next)
        ir_phi_add(f->module, x, value_from(opt_phi_source(x, end), phis, from), from);
    ir_place_end(&b, arm);
    ir_jump(&b, jump->op, value_from(jump->src_count ? jump->src[0] : NULL, phis, from));
}

// The block of a lone jump which `arm`, of an `if`, decides that `next`, after the `if`, takes. NULL: there is none.
static const struct ir_block *decided_jump(const struct ir_list *arm, const struct ir_if *next)
{
    const struct ir_instr *value = opt_phi_source(next->cond, ir_list_last(arm));
    if (!value || !ir_is_const(value))
        return NULL;
    const struct ir_block *end = ir_list_first(value->lanes[0] ? &next->then_list : &next->else_list);
    return ir_ends_in_jump(end) && end->first == end->last ? end : NULL;
}

static bool leave_early(struct early_exits *e, struct ir_if *first, const struct ir_if *next)
{
    struct ir_block *between = (struct ir_block *)first->node.next;
    if (next->cond->op != IR_OP_phi || next->cond->block != between || !has_only_phis(between))
        return false;
    const struct ir_block *in_then = decided_jump(&first->then_list, next);
    const struct ir_block *end = in_then ? in_then : decided_jump(&first->else_list, next);
    const struct ir_block *other = ir_list_last(in_then ? &first->else_list : &first->then_list);
    if (!end || ir_ends_in_jump(other) || are_used_there(e, between, destination(end)))
        return false;
    copy_jump(e->f, in_then ? &first->then_list : &first->else_list, end, between);
    for (struct ir_instr *x = between->first, *after; x; x = after) {
        struct ir_instr *value = opt_phi_source(x, other);
        after = x->next;
        if (value->op == IR_OP_phi && e->last_use[value->id] < e->last_use[x->id])
            e->last_use[value->id] = e->last_use[x->id];
        ir_replace(x, value);
    }
    ir_resolve(e->f);
    return true;
}

// Requires: phis (after opt_mem2reg), cheap arms already converted (opt_if_convert). Keeps: effects and values.
bool opt_early_exits(struct pass_context *context, struct ir_function *f)
{
    struct early_exits e = {f, context->scratch, NULL};
    bool changed = false;
    if (context->target->second_exits || context->target->exits_by_phis)
        return false;
    const struct opt_nodes nodes = opt_nodes(f, e.scratch);
    for (size_t i = nodes.count; i-- > 0;) { // the last test of a chain first
        struct ir_node *next = nodes.items[i], *first = next->prev->prev;
        if (next->kind == IR_IF && first && first->kind == IR_IF)
            changed |= leave_early(&e, (struct ir_if *)first, (struct ir_if *)next);
    }
    return changed;
}
