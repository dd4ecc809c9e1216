// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices: loads, stores and products (SPV_KHR_cooperative_matrix). Arithmetic by component is that
// of emit_arith.c.
//
// Under the Vulkan memory model, which matrices need, loads and stores are NonPrivatePointer as all others are. Numbers
// of operations are newer than Debian 12's header.
#include "spirv/writer.h"

enum {
    OP_MATRIX_LOAD = 4457,
    OP_MATRIX_STORE = 4458,
    OP_MATRIX_MUL_ADD = 4459,
};

static uint32_t place(struct spv *s, const struct ir_instr *x, struct ir_type matrix)
{
    bool device = x->op == IR_OP_mat_load || x->op == IR_OP_mat_store;
    return device ? spv_device_pointer(s, ir_component(matrix), x->src[0]) : spv_elem_pointer(s, x);
}

// Layout, stride and memory operands.
static uint32_t access_words(struct spv *s, const struct ir_instr *x, uint32_t *words)
{
    bool device = x->op == IR_OP_mat_load || x->op == IR_OP_mat_store;
    uint32_t count = 0, mask = SpvMemoryAccessNonPrivatePointerMask;
    words[count++] = spv_u32(s, x->by_columns);
    words[count++] = spv_value(s, x->src[x->src_count - 1]);
    if (device)
        mask |= SpvMemoryAccessAlignedMask;
    if (x->mem.is_volatile)
        mask |= SpvMemoryAccessVolatileMask;
    words[count++] = mask;
    if (device)
        words[count++] = x->mem.align;
    return count;
}

static void emit_load(struct spv *s, const struct ir_instr *x)
{
    uint32_t words[5] = {place(s, x, x->type)};
    spv_define(s, x, (SpvOp)OP_MATRIX_LOAD, words, 1 + access_words(s, x, words + 1));
}

static void emit_store(struct spv *s, const struct ir_instr *x)
{
    uint32_t words[6] = {place(s, x, x->src[1]->type), spv_value(s, x->src[1])};
    spv_put(s, SPV_FUNCTIONS, (SpvOp)OP_MATRIX_STORE, words, 2 + access_words(s, x, words + 2));
}

// Sums of integers that wrap are told as signed as the factors are: devices have no others.
static void emit_product(struct spv *s, const struct ir_instr *x)
{
    const uint32_t sums = IR_MATRIX_C_SIGNED | IR_MATRIX_RESULT_SIGNED;
    uint32_t words[4], count = 0, flags = x->matrix_flags;
    if (!(flags & IR_MATRIX_SATURATING))
        flags = flags & IR_MATRIX_A_SIGNED ? flags | sums : flags & ~sums;
    if (x->type.base != IR_INT)
        flags = 0;
    for (uint32_t i = 0; i < 3; i++)
        words[count++] = spv_value(s, x->src[i]);
    if (flags)
        words[count++] = flags;
    spv_define(s, x, (SpvOp)OP_MATRIX_MUL_ADD, words, count);
}

static void emit_splat(struct spv *s, const struct ir_instr *x)
{
    uint32_t scalar = spv_value(s, x->src[0]);
    if (ir_is_const(x->src[0]))
        spv_alias(s, x, spv_global(s, SpvOpConstantComposite, spv_type(s, x->type), &scalar, 1, NULL));
    else
        spv_define(s, x, SpvOpCompositeConstruct, &scalar, 1);
}

bool spv_emit_matrix(struct spv *s, const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_mat_load:
    case IR_OP_mat_elem_load:
        emit_load(s, x);
        return true;
    case IR_OP_mat_store:
    case IR_OP_mat_elem_store:
        emit_store(s, x);
        return true;
    case IR_OP_mat_muladd:
        emit_product(s, x);
        return true;
    case IR_OP_mat_splat:
        emit_splat(s, x);
        return true;
    default:
        return false;
    }
}
