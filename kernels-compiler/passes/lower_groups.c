// SPDX-License-Identifier: Apache-2.0
// For kernels whose work-items share nothing with their work-group: if a launch specifies no local size, its range
// may be rounded up to work-groups of any size, provided that invocations beyond the range return at once
// (lower_guard) and none observes the size of its group. So a few pipelines serve all ranges.
//
//   %1 = sys i64 group_id 0   ->   guarded ? global_id - global_offset : group_id       (one work-item a group)
//
// KC_SPEC_GUARD selects the variant, so a pipeline for ranges of full groups has no overhead. The launch passes
// matching values of KC_PUSH_NUM_GROUPS, _GROUP_BASE and _ENQUEUED_LOCAL.
#include "passes/passes.h"
#include "passes/push.h"

static bool is_of_sub_groups(const struct ir_instr *x)
{
    return x->op == IR_OP_sys && x->sys >= IR_SYS_VK_SUBGROUP_SIZE && x->sys <= IR_SYS_VK_NUM_SUBGROUPS;
}

static bool is_shared(struct ir_type type)
{
    return type.base == IR_PTR && type.space == IR_LOCAL;
}

static bool synchronizes(const struct ir_instr *x)
{
    return x->op == IR_OP_barrier || x->op == IR_OP_subgroup || ir_is_matrix(x->type) || x->op == IR_OP_mat_store ||
           is_of_sub_groups(x) || is_shared(x->type);
}

static bool observes_group(const struct ir_instr *x)
{
    if (x->op != IR_OP_sys)
        return false;
    switch (x->sys) {
    case IR_SYS_LOCAL_ID:
    case IR_SYS_LOCAL_SIZE:
    case IR_SYS_ENQUEUED_LOCAL_SIZE:
    case IR_SYS_NUM_GROUPS:
    case IR_SYS_GROUP_ID:
    case IR_SYS_LOCAL_LINEAR_ID:
        return true;
    default:
        return false;
    }
}

// Returns false if the work-items share something.
static bool is_independent(const struct ir_function *f, bool *sees)
{
    for (struct ir_block *b = f->has_body ? ir_first_block(f) : NULL; b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next) {
            if (synchronizes(x))
                return false;
            *sees |= observes_group(x);
        }
    return true;
}

static bool has_local_memory(const struct ir_module *m)
{
    for (size_t i = 0; i < m->vars.count; i++)
        if (m->vars.items[i]->space == IR_LOCAL)
            return true;
    return false;
}

// ---- work-groups of one work-item ---------------------------------------------------------------

static struct ir_instr *is_guarded(struct ir_builder *b, uint32_t spec)
{
    struct ir_instr *value = ir_sys(b, IR_SYS_VK_SPEC, spec);
    return ir_op2(b, IR_OP_ine, value, ir_const_int(b->module, ir_int(32), 0));
}

static struct ir_instr *single_item_value(struct ir_builder *b, const struct ir_instr *x)
{
    struct ir_instr *id;
    switch (x->sys) {
    case IR_SYS_GROUP_ID:
        id = ir_sys(b, IR_SYS_GLOBAL_ID, x->dim);
        return ir_op2(b, IR_OP_isub, id, ir_sys(b, IR_SYS_GLOBAL_OFFSET, x->dim));
    case IR_SYS_LOCAL_SIZE:
        return ir_const_int(b->module, ir_int(64), 1);
    case IR_SYS_LOCAL_ID:
    case IR_SYS_LOCAL_LINEAR_ID:
        return ir_const_int(b->module, ir_int(64), 0);
    default: // passed by the launch
        return NULL;
    }
}

static void lower_function(struct ir_function *f, uint32_t spec)
{
    for (struct ir_block *block = f->has_body ? ir_first_block(f) : NULL; block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (!observes_group(x))
                continue;
            struct ir_builder b = ir_before(f, x);
            struct ir_instr *value = single_item_value(&b, x);
            if (value)
                ir_replace(x, ir_select(&b, is_guarded(&b, spec), value, ir_sys(&b, x->sys, x->dim)));
        }
    if (f->has_body)
        ir_resolve(f);
}

// Requires: calls inlined, arguments lowered, OpenCL's system values not lowered. Keeps: everything. Removes:
// nothing; declares KC_SPEC_GUARD if the target supports it and the kernel permits it.
bool lower_groups(struct pass_context *c)
{
    struct ir_module *m = c->module;
    bool sees = false;
    if (!c->target->guards || m->mapping || has_local_memory(m) || ir_fixed_local_size(push_kernel(m), 0))
        return false;
    for (size_t i = 0; i < m->functions.count; i++)
        if (!is_independent(m->functions.items[i], &sees))
            return false;
    uint32_t spec = push_spec(m, KC_SPEC_GUARD, 0, sees, 1);
    for (size_t i = 0; i < m->functions.count && sees; i++)
        lower_function(m->functions.items[i], spec);
    return true;
}
