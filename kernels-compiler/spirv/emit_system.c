// SPDX-License-Identifier: Apache-2.0
// System values: Input built-ins, loaded once at the start of a function, and the local size.
#include "spirv/writer.h"

static const struct builtin_row {
    uint8_t known, lanes;
    uint16_t builtin;
    bool subgroup;
} rows[IR_SYS_COUNT] = {
    [IR_SYS_VK_GLOBAL_INVOCATION] = {1, 3, SpvBuiltInGlobalInvocationId, false},
    [IR_SYS_VK_WORKGROUP_ID] = {1, 3, SpvBuiltInWorkgroupId, false},
    [IR_SYS_VK_LOCAL_INVOCATION] = {1, 3, SpvBuiltInLocalInvocationId, false},
    [IR_SYS_VK_LOCAL_INDEX] = {1, 1, SpvBuiltInLocalInvocationIndex, false},
    [IR_SYS_VK_NUM_WORKGROUPS] = {1, 3, SpvBuiltInNumWorkgroups, false},
    [IR_SYS_VK_SUBGROUP_SIZE] = {1, 1, SpvBuiltInSubgroupSize, true},
    [IR_SYS_VK_SUBGROUP_INVOCATION] = {1, 1, SpvBuiltInSubgroupLocalInvocationId, true},
    [IR_SYS_VK_SUBGROUP_ID] = {1, 1, SpvBuiltInSubgroupId, true},
    [IR_SYS_VK_NUM_SUBGROUPS] = {1, 1, SpvBuiltInNumSubgroups, true},
};

static uint32_t builtin_variable(struct spv *s, unsigned sys)
{
    const struct builtin_row *row = &rows[sys];
    if (!s->builtins[sys]) {
        if (row->subgroup)
            spv_need(s, SPV_CAP_SUBGROUP);
        uint32_t type = spv_type_pointer(s, SpvStorageClassInput, spv_type(s, ir_with_lanes(ir_int(32), row->lanes)));
        s->builtins[sys] = spv_put_result(s, SPV_GLOBALS, SpvOpVariable, type, SPV_WORDS(SpvStorageClassInput));
        SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, s->builtins[sys], SpvDecorationBuiltIn, row->builtin);
    }
    if (!(s->in_interface >> sys & 1))
        vec_push(s->arena, &s->interface, s->builtins[sys]);
    s->in_interface |= UINT64_C(1) << sys;
    return s->builtins[sys];
}

static void load_builtin(struct spv *s, unsigned sys)
{
    if (!rows[sys].known || s->builtin_values[sys])
        return;
    uint32_t type = spv_type(s, ir_with_lanes(ir_int(32), rows[sys].lanes));
    s->builtin_values[sys] = SPV_VALUE(s, SpvOpLoad, type, builtin_variable(s, sys));
}

void spv_load_builtins(struct spv *s, struct ir_function *function)
{
    for (struct ir_block *b = ir_first_block(function); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (x->op == IR_OP_sys)
                load_builtin(s, x->sys);
}

uint32_t spv_spec(struct spv *s, uint32_t spec_id, uint32_t value)
{
    const void *key = (const void *)(uintptr_t)(spec_id + 1);
    uint32_t id = (uint32_t)(uintptr_t)map_get(&s->specs, key);
    if (id)
        return id;
    id = spv_put_result(s, SPV_GLOBALS, SpvOpSpecConstant, spv_type(s, ir_int(32)), SPV_WORDS(value));
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationSpecId, spec_id);
    map_set(s->arena, &s->specs, key, (void *)(uintptr_t)id);
    return id;
}

// A literal if the kernel fixes it, else a specialization constant.
uint32_t spv_local_size(struct spv *s, unsigned dim)
{
    uint32_t fixed = ir_fixed_local_size(s->kernel->kernel, dim);
    return fixed ? spv_u32(s, fixed) : spv_spec(s, dim, 1);
}

// Default values for a launch that does not specialize: three dimensions, no offset, one element, full work-groups.
static uint32_t spec_default(const struct spv *s, uint32_t spec_id)
{
    const struct kc_kernel *kernel = &s->kernel->kernel->info;
    for (uint32_t i = 0; i < kernel->spec_count; i++)
        if (kernel->specs[i].kind == KC_SPEC_GUARD && kernel->specs[i].id == spec_id)
            return 0;
    const struct ir_mapping *mapping = s->module->mapping;
    for (uint32_t i = 0; mapping && i < mapping->count; i++)
        if (mapping->shared[i].kind == KC_SHARED_WORK_DIM && mapping->shared[i].values[0] == spec_id)
            return 3;
        else if (mapping->shared[i].kind == KC_SHARED_GLOBAL_OFFSET && spec_id - mapping->shared[i].values[0] < 3)
            return 0;
    return 1;
}

static void emit_clock(struct spv *s, const struct ir_instr *x)
{
    SpvScope scope = x->src[0]->lanes[0] == IR_SCOPE_SUB_GROUP ? SpvScopeSubgroup : SpvScopeDevice;
    spv_need(s, SPV_CAP_CLOCK);
    spv_define(s, x, SpvOpReadClockKHR, SPV_WORDS(spv_u32(s, scope)));
}

bool spv_emit_system(struct spv *s, const struct ir_instr *x)
{
    if (x->op == IR_OP_clock) {
        emit_clock(s, x);
        return true;
    }
    if (x->op != IR_OP_sys)
        return false;
    if (x->sys == IR_SYS_VK_LOCAL_SIZE)
        spv_alias(s, x, spv_local_size(s, x->dim));
    else if (x->sys == IR_SYS_VK_SPEC)
        spv_alias(s, x, spv_spec(s, x->dim, spec_default(s, x->dim)));
    else if (!rows[x->sys].known)
        spv_fail(s, "internal: a system value of OpenCL reached the writer");
    else if (rows[x->sys].lanes == 1)
        spv_alias(s, x, s->builtin_values[x->sys]);
    else
        spv_define(s, x, SpvOpCompositeExtract, SPV_WORDS(s->builtin_values[x->sys], x->dim));
    return true;
}
