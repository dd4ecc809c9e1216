// SPDX-License-Identifier: Apache-2.0
// bfloat16 (SPV_KHR_bfloat16) and 8-bit floats (SPV_EXT_float8). Their values are integers with the bits, as in the
// IR. They can be copied, converted and used in matrices. All other uses are rejected here, so that no handler
// mistakes them for integers.
#include "reader/reader.h"

bool reader_is_small(const struct spv_type *type)
{
    return type->format || (type->kind == SPV_MATRIX && type->elem->format);
}

static bool allows_small(uint32_t opcode)
{
    static const uint16_t all[] = {
        SpvOpUndef, SpvOpPhi, SpvOpCopyObject, SpvOpLoad, SpvOpStore, SpvOpVariable, SpvOpFunction, SpvOpFunctionParameter,
        SpvOpFunctionCall, SpvOpReturnValue, SpvOpSelect, SpvOpCompositeConstruct, SpvOpCompositeExtract,
        SpvOpCompositeInsert, SpvOpVectorShuffle, SpvOpVectorExtractDynamic, SpvOpVectorInsertDynamic, SpvOpConvertFToU,
        SpvOpConvertFToS, SpvOpConvertSToF, SpvOpConvertUToF, SpvOpFConvert, SpvOpBitcast,
        4457, 4458, 4459, 4460}; // OpCooperativeMatrix*KHR
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == opcode)
            return true;
    return false;
}

void reader_check_small_floats(struct reader *r, const struct spv_inst *inst)
{
    if (!r->has_small_floats || allows_small(inst->row->opcode))
        return;
    if ((inst->type && reader_is_small(reader_type(r, inst->type))) || reader_any_operand(r, inst, reader_is_small))
        reader_fail(r, "this instruction does not support bfloat16 or 8-bit floats");
}
