// SPDX-License-Identifier: Apache-2.0
// Which instructions accept cooperative matrices. Checked before the handler runs, so other handlers need not
// consider matrices.
#include "reader/reader.h"

enum { FIRST = 4457, LAST = 4460 }; // OpCooperativeMatrixLoadKHR to OpCooperativeMatrixLengthKHR

static bool allows_matrices(uint32_t opcode)
{
    static const uint16_t others[] = {
        SpvOpUndef, SpvOpPhi, SpvOpCopyObject, SpvOpLoad, SpvOpStore, SpvOpVariable, SpvOpFunction, SpvOpFunctionParameter,
        SpvOpFunctionCall, SpvOpReturnValue, SpvOpSelect, SpvOpCompositeConstruct, SpvOpCompositeExtract,
        SpvOpCompositeInsert, SpvOpSNegate, SpvOpFNegate, SpvOpIAdd, SpvOpFAdd, SpvOpISub, SpvOpFSub, SpvOpIMul, SpvOpFMul,
        SpvOpUDiv, SpvOpSDiv, SpvOpFDiv, SpvOpMatrixTimesScalar, SpvOpConvertFToU, SpvOpConvertFToS, SpvOpConvertSToF,
        SpvOpConvertUToF, SpvOpUConvert, SpvOpSConvert, SpvOpFConvert, SpvOpBitcast};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] == opcode)
            return true;
    return opcode >= FIRST && opcode <= LAST;
}

static bool is_matrix(const struct spv_type *type) { return type->kind == SPV_MATRIX; }

struct type_query {
    struct reader *r;
    bool (*is)(const struct spv_type *);
};

static bool is_one(const struct type_query *type_query, uint32_t id)
{
    struct reader *r = type_query->r;
    const struct spv_id *entry = reader_id(r, id);
    bool defined_later = entry->kind == SPV_ID_NONE && entry->label;
    bool known = entry->kind == SPV_ID_VALUE || entry->kind == SPV_ID_CONSTANT || entry->kind == SPV_ID_BUILTIN;
    return type_query->is(known ? entry->type : defined_later ? reader_type_of(r, id) : &(struct spv_type){0});
}

static bool any(const struct type_query *type_query, const uint32_t *ids, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_one(type_query, ids[i]))
            return true;
    return false;
}

static bool any_argument(const struct type_query *type_query, const struct spv_inst *inst, uint32_t i)
{
    struct reader *r = type_query->r;
    uint32_t left = inst->count - i, numbers = reader_literals(inst->words[1]);
    bool ignored = reader_id_of(r, inst->words[0], SPV_ID_SET)->set == SPV_SET_IGNORED;
    return !ignored && any(type_query, inst->words + i, left > numbers ? left - numbers : 0);
}

bool reader_any_operand(struct reader *r, const struct spv_inst *inst, bool (*is)(const struct spv_type *))
{
    const struct type_query type_query = {r, is};
    uint32_t i = 0;
    for (const char *letter = inst->row->operands; *letter && i < inst->count; letter++) {
        if (*letter == 'I')
            return any(&type_query, inst->words + i, inst->count - i);
        if (*letter == 'o')
            return any(&type_query, inst->words + i + 1, inst->count - i - 1);
        if (*letter == 'X')
            return any_argument(&type_query, inst, i);
        if ((*letter == 'i' || *letter == 'j') && is_one(&type_query, inst->words[i]))
            return true;
        if (*letter != 't' && *letter != 'r')
            i++;
        if (*letter == 'm' || *letter == 'N' || *letter == 'F' || *letter == 's' || *letter == 'P')
            break;
    }
    return false;
}

void reader_check_matrices(struct reader *r, const struct spv_inst *inst)
{
    if (!r->has_matrices || (r->function && allows_matrices(inst->row->opcode)))
        return;
    bool result = inst->type && reader_type(r, inst->type)->kind == SPV_MATRIX;
    if (result || reader_any_operand(r, inst, is_matrix))
        reader_fail(r, "this instruction does not support cooperative matrices%s", r->function ? "" : " in constant expressions");
}
