// SPDX-License-Identifier: Apache-2.0
// If-conversion: turns small ifs that only choose between values into selects.
//
//   if %c { %3 = iadd ... } ; %4 = phi b1: %3, b2: %1     ->     %3 = iadd ... ; %4 = select %c,
//   %3, %1
//
// Both arms are then executed unconditionally, so they must be pure, cheap and few.
//
// For opt_flat_ifs, arms with loads are converted too (opt_convert_ifs):
//
//   %1 = load %a ; if %c { %2 = load %b }   ->   %1 = load %a ; %5 = select %c, %b, %a ; %2 = load %5
//
// Work-items that would not have loaded from %b repeat an access to an address that they have loaded from or stored
// to.
#include "passes/opt.h"

enum {
    MAX_COST = 6,
    MAX_COST_MASKED = 16, // for targets where an if costs as much as both arms and a branch (kc_target.flat_ifs)
    MAX_PHIS = 4,
    MAX_PHIS_EMPTY = 16,
    LOAD_COST = 4,   // per lane
    MAX_SEARCH = 64, // instructions searched for an alternative address
    NEVER = 100
}; // MAX_PHIS_EMPTY: for arms without instructions

struct conversion {
    struct ir_module *m;
    struct ir_function *f;
    const struct kc_target *target;
    unsigned limit;
    bool loads; // convert arms with loads
};

// ---- loads ---------------------------------------------------------------------------------------

static bool is_device_access(const struct ir_instr *x)
{
    return (x->op == IR_OP_load || x->op == IR_OP_store) && ir_type_eq(x->src[0]->type, ir_int(64));
}

static bool is_convertible_load(const struct ir_instr *x)
{
    return x->op == IR_OP_load && is_device_access(x) && !x->mem.is_volatile && !x->mem.coherent && x->type.lanes <= 4;
}

static uint32_t accessed_bytes(const struct ir_instr *x)
{
    return ir_type_bytes(x->op == IR_OP_load ? x->type : x->src[1]->type);
}

// A block that every work-item has executed before it reaches `block`; NULL: none is known.
static const struct ir_block *block_before(const struct ir_block *block)
{
    const struct ir_node *node = block->node.prev ? block->node.prev : block->node.list->owner; // an if, loop or switch
    return node ? (const struct ir_block *)node->prev : NULL;
}

// The last access before the end of `block`, executed by every work-item that gets there, to at least as many bytes
// as `load` reads.
static const struct ir_instr *earlier_access(const struct ir_block *block, const struct ir_instr *load)
{
    unsigned steps = 0;
    for (; block; block = block_before(block))
        for (const struct ir_instr *x = block->last; x; x = x->prev)
            if (is_device_access(x) && accessed_bytes(x) >= accessed_bytes(load))
                return x;
            else if (++steps > MAX_SEARCH)
                return NULL;
    return NULL;
}

// ---- costs ---------------------------------------------------------------------------------------

// Whether the device has a fused x * y + z; else its exact result takes many instructions.
static bool is_native_fma(const struct kc_target *target, const struct ir_instr *x)
{
    return x->flags & (IR_FAST | IR_LOOSE) || target->fused_fma[x->type.bits == 16 ? 0 : x->type.bits == 32 ? 1 : 2];
}

static unsigned cost(const struct conversion *c, const struct ir_block *before, const struct ir_instr *x)
{
    if (c->loads && is_convertible_load(x) && earlier_access(before, x))
        return LOAD_COST * x->type.lanes;
    if (!ir_has_flag(x, IR_FLAG_P) || x->op == IR_OP_phi || ir_is_matrix(x->type) ||
        (x->op == IR_OP_fma && !is_native_fma(c->target, x)))
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

static unsigned list_cost(const struct conversion *c, const struct ir_block *before, const struct ir_list *list)
{
    unsigned sum = 0, count = 0;
    if (list->first != list->last)
        return NEVER;
    for (const struct ir_instr *x = ir_list_first(list)->first; x && sum <= c->limit; x = x->next) {
        sum += cost(c, before, x);
        if (++count > 2 * c->limit)
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

static bool is_worth_it(const struct conversion *c, const struct ir_if *node)
{
    const struct ir_block *before = (const struct ir_block *)node->node.prev;
    bool empty = opt_list_is_empty(&node->then_list) && opt_list_is_empty(&node->else_list);
    return phis_fit((const struct ir_block *)node->node.next, empty ? MAX_PHIS_EMPTY : MAX_PHIS) &&
           list_cost(c, before, &node->then_list) + list_cost(c, before, &node->else_list) <= c->limit;
}

// ---- the pass ------------------------------------------------------------------------------------

// Gives the loads of an arm an address that is valid for all work-items.
static void guard_loads(const struct conversion *c, struct ir_if *node, struct ir_list *arm)
{
    const struct ir_block *before = (const struct ir_block *)node->node.prev;
    struct ir_instr *cond = opt_resolved(node->cond);
    for (struct ir_instr *x = ir_list_first(arm)->first; x; x = x->next) {
        if (x->op != IR_OP_load)
            continue;
        const struct ir_instr *earlier = earlier_access(before, x);
        struct ir_instr *address = opt_resolved(x->src[0]), *other = opt_resolved(earlier->src[0]);
        struct ir_builder b = ir_before(c->f, x);
        bool then = arm == &node->then_list;
        x->src[0] = ir_select(&b, cond, then ? address : other, then ? other : address);
        x->mem.align = earlier->mem.align < x->mem.align ? earlier->mem.align : x->mem.align;
        x->mem.effective = IR_AS_ANY;
    }
}

static void convert(const struct conversion *c, struct ir_if *node)
{
    struct ir_block *before = (struct ir_block *)node->node.prev,
                    *after = (struct ir_block *)node->node.next;
    struct ir_block *then_block = ir_list_last(&node->then_list),
                    *else_block = ir_list_last(&node->else_list);
    struct ir_builder b = {.module = c->m, .function = c->f, .block = before};
    struct ir_instr *cond = opt_resolved(node->cond);
    guard_loads(c, node, &node->then_list);
    guard_loads(c, node, &node->else_list);
    move_up(before, &node->then_list);
    move_up(before, &node->else_list);
    for (struct ir_instr *x = after->first, *next; x && x->op == IR_OP_phi; x = next) {
        next = x->next;
        struct ir_instr *then_value = opt_phi_source(x, then_block),
                        *other = opt_phi_source(x, else_block);
        ir_replace(x, ir_select(&b, cond, opt_resolved(then_value), opt_resolved(other)));
    }
    ir_node_remove(&node->node);
}

bool opt_convert_ifs(struct pass_context *context, struct ir_function *f, unsigned limit, bool loads)
{
    struct conversion c = {context->module, f, context->target, limit, loads};
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    bool changed = false;
    for (size_t i = nodes.count; i-- > 0;) {
        struct ir_if *node = (struct ir_if *)nodes.items[i];
        if (node->node.kind != IR_IF || !is_worth_it(&c, node))
            continue;
        convert(&c, node);
        changed = true;
    }
    if (changed)
        ir_resolve(f);
    return changed;
}

// Requires: phis. Keeps: values. Removes: ifs.
bool opt_if_convert(struct pass_context *context, struct ir_function *f)
{
    return opt_convert_ifs(context, f, context->target->flat_ifs ? MAX_COST_MASKED : MAX_COST, false);
}
