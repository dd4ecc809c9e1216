// SPDX-License-Identifier: Apache-2.0
// What OpenCL C has as built-in functions: work-items by variables here, all else by instructions.
#include "reader/reader.h"

// ---- built-in variables --------------------------------------------------------------------------

static const struct {
    uint16_t builtin;
    uint8_t sys, dims;
} system_values[] = {
    {SpvBuiltInGlobalInvocationId, IR_SYS_GLOBAL_ID, 3},      {SpvBuiltInGlobalSize, IR_SYS_GLOBAL_SIZE, 3},
    {SpvBuiltInGlobalOffset, IR_SYS_GLOBAL_OFFSET, 3},        {SpvBuiltInLocalInvocationId, IR_SYS_LOCAL_ID, 3},
    {SpvBuiltInWorkgroupSize, IR_SYS_LOCAL_SIZE, 3},          {SpvBuiltInEnqueuedWorkgroupSize, IR_SYS_ENQUEUED_LOCAL_SIZE, 3},
    {SpvBuiltInNumWorkgroups, IR_SYS_NUM_GROUPS, 3},          {SpvBuiltInWorkgroupId, IR_SYS_GROUP_ID, 3},
    {SpvBuiltInGlobalLinearId, IR_SYS_GLOBAL_LINEAR_ID, 1},   {SpvBuiltInLocalInvocationIndex, IR_SYS_LOCAL_LINEAR_ID, 1},
    {SpvBuiltInWorkDim, IR_SYS_WORK_DIM, 1},
};

static struct ir_instr *as_lane(struct reader *r, struct ir_instr *x, struct ir_type lane)
{
    if (x->type.bits == lane.bits)
        return x;
    return ir_convert(&r->b, x->type.bits > lane.bits ? IR_OP_trunc : IR_OP_zext, lane, x);
}

struct ir_instr *reader_builtin_variable(struct reader *r, uint32_t builtin, const struct spv_type *type)
{
    struct ir_instr *lanes[3];
    size_t k = 0;
    while (k < sizeof system_values / sizeof *system_values && system_values[k].builtin != builtin)
        k++;
    if (k == sizeof system_values / sizeof *system_values)
        return NULL;
    unsigned dims = system_values[k].dims;
    if (type->ir.base != IR_INT || type->ir.lanes != dims)
        reader_fail(r, "built-in variable %u is not of a type that it can have", builtin);
    for (unsigned i = 0; i < dims; i++)
        lanes[i] = as_lane(r, ir_sys(&r->b, (enum ir_sys)system_values[k].sys, i), ir_int(type->ir.bits));
    return dims == 1 ? lanes[0] : ir_vec(&r->b, lanes, dims);
}

// ---- calls ---------------------------------------------------------------------------------------

void reader_builtin(struct reader *r, const struct spv_inst *inst)
{
    (void)inst;
    reader_fail(r, "is not supported");
}

void reader_opencl_std(struct reader *r, const struct spv_inst *inst, uint32_t number, const uint32_t *words,
                       uint32_t count)
{
    (void)inst;
    (void)words;
    (void)count;
    reader_fail(r, "instruction %u of OpenCL.std is not supported", number);
}

bool reader_builtin_call(struct reader *r, const struct spv_inst *inst, const char *name, const uint32_t *words,
                         uint32_t count)
{
    (void)r;
    (void)inst;
    (void)name;
    (void)words;
    (void)count;
    return false;
}
