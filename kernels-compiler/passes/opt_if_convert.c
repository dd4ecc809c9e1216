// SPDX-License-Identifier: Apache-2.0
// Small ifs that only choose between values become selects.
//
//   if %c { %3 = iadd ... } ; %4 = phi b1: %3, b2: %1     ->     %3 = iadd ... ; %4 = select %c,
//   %3, %1
//
// Both arms are computed then, so they must be pure, cheap and few.
#include "passes/opt.h"

enum {
    MAX_COST = 6,
    MAX_COST_MASKED = 16, // where an if costs as much as both of its arms and a branch (kc_target.flat_ifs)
    MAX_PHIS = 4,
    MAX_PHIS_EMPTY = 16,
    NEVER = 100
}; // EMPTY: of arms that compute nothing

// Whether x * y + z is done by the device: else rounding once takes many steps.
static bool is_native_fma(const struct kc_target *target, const struct ir_instr *x)
{
    return x->flags & IR_FAST || target->fused_fma[x->type.bits == 16 ? 0 : x->type.bits == 32 ? 1 : 2];
}

static unsigned cost(const struct kc_target *target, const struct ir_instr *x)
{
    if (!ir_has_flag(x, IR_FLAG_P) || x->op == IR_OP_phi || ir_is_matrix(x->type) ||
        (x->op == IR_OP_fma && !is_native_fma(target, x)))
        return NEVER;
    switch (x->op) {
    case IR_OP_udiv:
    case IR_OP_sdiv:
    case IR_OP_urem:
    case IR_OP_srem:
    case IR_OP_fdiv:
    case IR_OP_fsqrt:
    case IR_OP_frsqrt:
    case IR_OP_umulhi:
    case IR_OP_smulhi:
    case IR_OP_fexp2_native:
    case IR_OP_flog2_native:
    case IR_OP_fsin_native:
    case IR_OP_fcos_native:
    case IR_OP_ftan_native:
    case IR_OP_fpow_native:
    case IR_OP_extract_dyn:
    case IR_OP_insert_dyn:
        return NEVER;
    case IR_OP_bitcast:
    case IR_OP_trunc:
    case IR_OP_zext:
    case IR_OP_sext:
    case IR_OP_extract:
        return x->type.lanes > 4 ? 4 : 0;
    default:
        return x->type.bits == 64 ? 2 : x->type.lanes > 4 ? 4 : 1;
    }
}

static unsigned list_cost(const struct kc_target *target, const struct ir_list *list, unsigned limit)
{
    unsigned sum = 0, count = 0;
    if (list->first != list->last)
        return NEVER;
    for (const struct ir_instr *x = ir_list_first(list)->first; x && sum <= limit; x = x->next) {
        sum += cost(target, x);
        if (++count > 2 * limit)
            return NEVER;
    }
    return sum;
}

static bool phis_fit(const struct ir_block *after, unsigned limit)
{
    unsigned count = 0;
    for (const struct ir_instr *x = after->first; x && x->op == IR_OP_phi; x = x->next)
        if (++count > limit || x->type.base == IR_PTR || x->type.lanes > 4 || ir_is_matrix(x->type) || x->src_count != 2)
            return false;
    return count > 0;
}

static void move_up(struct ir_block *to, const struct ir_list *list)
{
    for (struct ir_instr *x = ir_list_first(list)->first, *next; x; x = next) {
        next = x->next;
        ir_remove(x);
        x->block = to;
        x->prev = to->last;
        *(to->last ? &to->last->next : &to->first) = x;
        to->last = x;
    }
}

static void convert(struct ir_module *m, struct ir_function *f, struct ir_if *node)
{
    struct ir_block *before = (struct ir_block *)node->node.prev,
                    *after = (struct ir_block *)node->node.next;
    struct ir_block *then_block = ir_list_last(&node->then_list),
                    *else_block = ir_list_last(&node->else_list);
    struct ir_builder b = {.module = m, .function = f, .block = before};
    struct ir_instr *cond = opt_resolved(node->cond);
    move_up(before, &node->then_list);
    move_up(before, &node->else_list);
    for (struct ir_instr *x = after->first, *next; x && x->op == IR_OP_phi; x = next) {
        next = x->next;
        struct ir_instr *taken = opt_phi_source(x, then_block),
                        *other = opt_phi_source(x, else_block);
        ir_replace(x, ir_select(&b, cond, opt_resolved(taken), opt_resolved(other)));
    }
    ir_node_remove(&node->node);
}

// Requires: phis. Keeps: values. Removes: ifs.
bool opt_if_convert(struct pass_context *context, struct ir_function *f)
{
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    const unsigned limit = context->target->flat_ifs ? MAX_COST_MASKED : MAX_COST;
    bool changed = false;
    for (size_t i = nodes.count; i-- > 0;) {
        struct ir_if *node = (struct ir_if *)nodes.items[i];
        if (node->node.kind != IR_IF)
            continue;
        bool empty = opt_list_is_empty(&node->then_list) && opt_list_is_empty(&node->else_list);
        if (!phis_fit((struct ir_block *)node->node.next, empty ? MAX_PHIS_EMPTY : MAX_PHIS) ||
            list_cost(context->target, &node->then_list, limit) + list_cost(context->target, &node->else_list, limit) > limit)
            continue;
        convert(context->module, f, node);
        changed = true;
    }
    if (changed)
        ir_resolve(f);
    return changed;
}
