// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices (SPV_KHR_cooperative_matrix). Component-wise arithmetic uses the plain instructions, without
// the driver workarounds of emit_arith.c. A component with a computed index is accessed through a variable, because
// SPIR-V has no instruction for it.
//
// Matrices need the Vulkan memory model, so loads and stores are NonPrivatePointer, as all others are then. Debian
// 12's header lacks the opcodes.
#include "spirv/writer.h"

enum {
    OP_MATRIX_LOAD = 4457,
    OP_MATRIX_STORE = 4458,
    OP_MATRIX_MUL_ADD = 4459,
    OP_MATRIX_LENGTH = 4460,
};

static const uint16_t plain_ops[IR_OP_COUNT] = {
    [IR_OP_iadd] = SpvOpIAdd,        [IR_OP_isub] = SpvOpISub,        [IR_OP_imul] = SpvOpIMul,
    [IR_OP_ineg] = SpvOpSNegate,     [IR_OP_sdiv] = SpvOpSDiv,        [IR_OP_udiv] = SpvOpUDiv,
    [IR_OP_fadd] = SpvOpFAdd,        [IR_OP_fsub] = SpvOpFSub,        [IR_OP_fmul] = SpvOpFMul,
    [IR_OP_fdiv] = SpvOpFDiv,        [IR_OP_fneg] = SpvOpFNegate,     [IR_OP_trunc] = SpvOpUConvert,
    [IR_OP_zext] = SpvOpUConvert,    [IR_OP_sext] = SpvOpSConvert,    [IR_OP_s2f] = SpvOpConvertSToF,
    [IR_OP_u2f] = SpvOpConvertUToF,  [IR_OP_f2s] = SpvOpConvertFToS,  [IR_OP_f2u] = SpvOpConvertFToU,
    [IR_OP_f2f] = SpvOpFConvert,     [IR_OP_mat_widen] = SpvOpFConvert,
    [IR_OP_mat_narrow] = SpvOpFConvert,
};

static uint32_t place(struct spv *s, const struct ir_instr *x, struct ir_type matrix)
{
    bool device = x->op == IR_OP_mat_load || x->op == IR_OP_mat_store;
    return device ? spv_device_pointer(s, ir_component(matrix), x->src[0]) : spv_elem_pointer(s, x);
}

// Appends layout, stride and memory operands.
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

// Wrapping integer sums are declared with the signedness of the factors, because devices only support that.
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

static bool emit_plain(struct spv *s, const struct ir_instr *x)
{
    uint32_t words[2];
    for (uint32_t i = 0; i < x->src_count; i++)
        words[i] = spv_value(s, x->src[i]);
    spv_define(s, x, (SpvOp)plain_ops[x->op], words, x->src_count);
    return true;
}

// A value as a component of the matrix; outside of matrices small floats are integers.
static uint32_t component(struct spv *s, struct ir_type matrix, struct ir_instr *x)
{
    if (!ir_is_small_float(matrix))
        return spv_value(s, x);
    uint32_t type = spv_type_component(s, matrix);
    if (ir_is_const(x))
        return spv_global(s, SpvOpConstant, type, SPV_WORDS((uint32_t)x->lanes[0]), NULL);
    return SPV_VALUE(s, SpvOpBitcast, type, spv_value(s, x));
}

static void emit_splat(struct spv *s, const struct ir_instr *x)
{
    uint32_t scalar = component(s, x->type, x->src[0]);
    if (ir_is_const(x->src[0]))
        spv_alias(s, x, spv_global(s, SpvOpConstantComposite, spv_type(s, x->type), &scalar, 1, NULL));
    else
        spv_define(s, x, SpvOpCompositeConstruct, &scalar, 1);
}

// ---- components ----------------------------------------------------------------------------------

static const void *type_key(struct ir_type type)
{
    return (const void *)(uintptr_t)(1u + type.base + 16u * type.bits + 4096u * type.space + ((uint64_t)type.rows << 20) +
                                     ((uint64_t)type.columns << 36));
}

static bool needs_variable(const struct ir_instr *x)
{
    return (x->op == IR_OP_mat_get && !ir_is_const(x->src[1])) || (x->op == IR_OP_mat_set && !ir_is_const(x->src[2]));
}

void spv_declare_matrices(struct spv *s, struct ir_function *f)
{
    s->matrix_vars = (struct map){0};
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            if (!needs_variable(x) || map_get(&s->matrix_vars, type_key(x->src[0]->type)))
                continue;
            uint32_t type = spv_type_pointer(s, SpvStorageClassFunction, spv_type(s, x->src[0]->type));
            uint32_t id = SPV_VALUE(s, SpvOpVariable, type, SpvStorageClassFunction);
            map_set(s->arena, &s->matrix_vars, type_key(x->src[0]->type), (void *)(uintptr_t)id);
        }
}

static uint32_t variable(struct spv *s, struct ir_type matrix)
{
    return (uint32_t)(uintptr_t)map_get(&s->matrix_vars, type_key(matrix));
}

// A pointer to a component in the variable.
static uint32_t place_in(struct spv *s, struct ir_type matrix, struct ir_instr *index)
{
    uint32_t type = spv_type_pointer(s, SpvStorageClassFunction, spv_type_component(s, matrix));
    return SPV_VALUE(s, SpvOpAccessChain, type, variable(s, matrix), spv_value(s, index));
}

static void emit_get(struct spv *s, const struct ir_instr *x)
{
    struct ir_instr *matrix = x->src[0], *index = x->src[1];
    bool small = ir_is_small_float(matrix->type), known = ir_is_const(index);
    SpvOp op = known ? SpvOpCompositeExtract : SpvOpLoad;
    uint32_t words[2] = {0, 0}, count = 1;
    if (known) {
        words[0] = spv_value(s, matrix);
        words[count++] = (uint32_t)index->lanes[0];
    } else {
        SPV_CODE(s, SpvOpStore, variable(s, matrix->type), spv_value(s, matrix));
        words[0] = place_in(s, matrix->type, index);
    }
    if (small) {
        words[0] = spv_put_result(s, SPV_FUNCTIONS, op, spv_type_component(s, matrix->type), words, count);
        op = SpvOpBitcast;
        count = 1;
    }
    spv_define(s, x, op, words, count);
}

static void emit_set(struct spv *s, const struct ir_instr *x)
{
    struct ir_instr *matrix = x->src[0], *index = x->src[2];
    uint32_t value = component(s, x->type, x->src[1]);
    if (ir_is_const(index)) {
        spv_define(s, x, SpvOpCompositeInsert, SPV_WORDS(value, spv_value(s, matrix), (uint32_t)index->lanes[0]));
        return;
    }
    uint32_t var = variable(s, x->type);
    SPV_CODE(s, SpvOpStore, var, spv_value(s, matrix));
    uint32_t place = place_in(s, x->type, index);
    SPV_CODE(s, SpvOpStore, place, value);
    spv_define(s, x, SpvOpLoad, &var, 1);
}

// ---- entry ---------------------------------------------------------------------------------------

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
    case IR_OP_mat_get:
        emit_get(s, x);
        return true;
    case IR_OP_mat_set:
        emit_set(s, x);
        return true;
    case IR_OP_mat_length:
        spv_define(s, x, (SpvOp)OP_MATRIX_LENGTH, SPV_WORDS(spv_type(s, x->src[0]->type)));
        return true;
    default:
        return ir_is_matrix(x->type) && plain_ops[x->op] && emit_plain(s, x);
    }
}
