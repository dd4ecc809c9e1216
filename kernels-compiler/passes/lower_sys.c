// SPDX-License-Identifier: Apache-2.0
// OpenCL's work-item functions -> Vulkan's built-ins and values pushed by the launch.
//
// An enqueue may consist of several dispatches (a remainder at the edge, more groups than a dispatch allows): ids are
// 64-bit, and the base of a dispatch is pushed. If a kernel requires a work-group size, the local size is constant.
//
// Some drivers compute the local id of each work-item with divisions by the work-group size (kc_target.ids_by_lanes).
// There, local ids are computed from the sub-group's id and the lane: the sizes are constants then, and
// one-dimensional groups need no division.
#include "passes/passes.h"
#include "passes/places.h"
#include "passes/push.h"

static struct ir_instr *wide(struct ir_builder *b, struct ir_instr *x)
{
    return ir_convert(b, IR_OP_zext, ir_int(64), x);
}

static struct ir_instr *vulkan(struct ir_builder *b, enum ir_sys sys, unsigned dim)
{
    return wide(b, ir_sys(b, sys, dim));
}

// Under a mapping, sizes and offsets are passed in 32 bits, whatever the pointer size.
static struct ir_instr *pushed(struct ir_builder *b, enum kc_push_kind kind, unsigned dim)
{
    if (kc_pointer_bytes(b->module->target) == 8 && !b->module->mapping)
        return push_value(b, kind, dim, 0, ir_int(64));
    return wide(b, push_value(b, kind, dim, 0, ir_int(32)));
}

static struct ir_instr *add(struct ir_builder *b, struct ir_instr *x, struct ir_instr *y)
{
    return ir_op2(b, IR_OP_iadd, x, y);
}

// ---- local ids, i32 each ------------------------------------------------------------------------

static struct ir_instr *size_of_row(struct ir_builder *b, unsigned dim)
{
    uint32_t fixed = ir_fixed_local_size(push_kernel(b->module), dim);
    return fixed ? ir_const_int(b->module, ir_int(32), fixed) : ir_sys(b, IR_SYS_VK_LOCAL_SIZE, dim);
}

static struct ir_instr *place_in_all(struct ir_builder *b)
{
    const struct kc_target *target = b->module->target;
    if (!target->ids_by_lanes)
        return ir_sys(b, IR_SYS_VK_LOCAL_INDEX, 0);
    struct ir_instr *lanes = ir_const_int(b->module, ir_int(32), target->subgroup_size);
    struct ir_instr *first = ir_op2(b, IR_OP_imul, ir_sys(b, IR_SYS_VK_SUBGROUP_ID, 0), lanes);
    return add(b, first, ir_sys(b, IR_SYS_VK_SUBGROUP_INVOCATION, 0));
}

// Whether all higher dimensions have size 1: then the index needs no reduction.
static struct ir_instr *is_last(struct ir_builder *b, unsigned dim)
{
    struct ir_instr *above = size_of_row(b, 2);
    if (dim == 0)
        above = ir_op2(b, IR_OP_imul, above, size_of_row(b, 1));
    return ir_op2(b, IR_OP_ieq, above, ir_const_int(b->module, ir_int(32), 1));
}

static struct ir_instr *place_by_lanes(struct ir_builder *b, unsigned dim)
{
    struct ir_instr *place = place_in_all(b);
    for (unsigned below = 0; below < dim; below++)
        place = ir_op2(b, IR_OP_udiv, place, size_of_row(b, below));
    if (dim == 2)
        return place;
    struct ir_instr *last = is_last(b, dim), *size = size_of_row(b, dim);
    return ir_select(b, last, place, ir_op2(b, IR_OP_urem, place, size));
}

static struct ir_instr *place(struct ir_builder *b, unsigned dim)
{
    if (ir_fixed_local_size(push_kernel(b->module), dim) == 1)
        return ir_const_int(b->module, ir_int(32), 0);
    return b->module->target->ids_by_lanes ? place_by_lanes(b, dim) : ir_sys(b, IR_SYS_VK_LOCAL_INVOCATION, dim);
}

// ---- OpenCL's system values ---------------------------------------------------------------------

struct ir_instr *place_in_dispatch(struct ir_builder *b, unsigned dim)
{
    if (!b->module->target->ids_by_lanes)
        return ir_sys(b, IR_SYS_VK_GLOBAL_INVOCATION, dim);
    struct ir_instr *size = size_of_row(b, dim);
    struct ir_instr *first = ir_op2(b, IR_OP_imul, ir_sys(b, IR_SYS_VK_WORKGROUP_ID, dim), size);
    return add(b, first, place(b, dim));
}

static struct ir_instr *global_id(struct ir_builder *b, unsigned dim)
{
    struct ir_instr *base = pushed(b, KC_PUSH_GLOBAL_BASE, dim);
    return add(b, wide(b, place_in_dispatch(b, dim)), base);
}

static struct ir_instr *group_id(struct ir_builder *b, unsigned dim)
{
    struct ir_instr *base = pushed(b, KC_PUSH_GROUP_BASE, dim);
    return add(b, vulkan(b, IR_SYS_VK_WORKGROUP_ID, dim), base);
}

static struct ir_instr *enqueued_local_size(struct ir_builder *b, unsigned dim)
{
    uint32_t fixed = push_kernel(b->module)->info.reqd_local_size[dim];
    return fixed ? ir_const_int(b->module, ir_int(64), fixed)
                 : wide(b, push_value(b, KC_PUSH_ENQUEUED_LOCAL, dim, 0, ir_int(32)));
}

// OpenCL C 6.15.1: the id without its offset; dimension 0 varies fastest.
static struct ir_instr *global_linear_id(struct ir_builder *b)
{
    struct ir_instr *linear = NULL;
    for (int dim = 2; dim >= 0; dim--) {
        unsigned d = (unsigned)dim;
        struct ir_instr *id = pushed(b, KC_PUSH_GLOBAL_OFFSET, d);
        id = ir_op2(b, IR_OP_isub, global_id(b, d), id);
        linear = linear
                     ? add(b, ir_op2(b, IR_OP_imul, linear, pushed(b, KC_PUSH_GLOBAL_SIZE, d)), id)
                     : id;
    }
    return linear;
}

static struct ir_instr *lowered(struct ir_builder *b, const struct ir_instr *x)
{
    switch (x->sys) {
    case IR_SYS_GLOBAL_ID:
        return global_id(b, x->dim);
    case IR_SYS_GLOBAL_SIZE:
        return pushed(b, KC_PUSH_GLOBAL_SIZE, x->dim);
    case IR_SYS_GLOBAL_OFFSET:
        return pushed(b, KC_PUSH_GLOBAL_OFFSET, x->dim);
    case IR_SYS_LOCAL_ID:
        return wide(b, place(b, x->dim));
    case IR_SYS_LOCAL_SIZE:
        return wide(b, size_of_row(b, x->dim));
    case IR_SYS_ENQUEUED_LOCAL_SIZE:
        return enqueued_local_size(b, x->dim);
    case IR_SYS_NUM_GROUPS:
        return pushed(b, KC_PUSH_NUM_GROUPS, x->dim);
    case IR_SYS_GROUP_ID:
        return group_id(b, x->dim);
    case IR_SYS_GLOBAL_LINEAR_ID:
        return global_linear_id(b);
    case IR_SYS_LOCAL_LINEAR_ID:
        return wide(b, place_in_all(b));
    case IR_SYS_WORK_DIM:
        return push_value(b, KC_PUSH_WORK_DIM, 0, 0, ir_int(32));
    case IR_SYS_PRINTF:
        return b->module->target->physical_addressing ? push_value(b, KC_PUSH_PRINTF, 0, 0, ir_int(64)) : NULL;
    case IR_SYS_ENQUEUED:
        return push_value(b, KC_PUSH_ENQUEUED, 0, 0, ir_int(64));
    case IR_SYS_LAUNCH:
        return push_value(b, KC_PUSH_LAUNCH, 0, 0, ir_int(32));
    default:
        return NULL;
    }
}

static void declare_local_sizes(struct ir_module *module)
{
    if (!ir_fixed_local_size(push_kernel(module), 0))
        for (unsigned dim = 0; dim < 3; dim++)
            push_spec(module, KC_SPEC_LOCAL_SIZE, dim, 0, 1);
}

// Requires: one kernel in the module. Keeps: everything. Removes: OpenCL's system values; declares the specialization
// constants of the local size.
bool lower_sys(struct pass_context *c, struct ir_function *f)
{
    bool changed = false;
    if (f->kernel)
        declare_local_sizes(c->module);
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            struct ir_builder b = ir_before(f, x);
            struct ir_instr *value = x->op == IR_OP_sys ? lowered(&b, x) : NULL;
            next = x->next;
            if (!value)
                continue;
            ir_replace(x, value);
            changed = true;
        }
    }
    if (changed)
        ir_resolve(f);
    return changed;
}
