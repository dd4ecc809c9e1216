// SPDX-License-Identifier: Apache-2.0
// Sub-group operations: OpGroupNonUniform*, by a table.
//
// The non-uniform forms combine the active work-items, which are all work-items where OpenCL requires uniform control
// flow.
#include "spirv/writer.h"

static const struct subgroup_row {
    uint16_t op;
    uint8_t cap;
    bool grouped; // has a group operation operand
} rows[IR_SUBGROUP_COUNT] = {
    [IR_SUBGROUP_ELECT] = {SpvOpGroupNonUniformElect, SPV_CAP_SUBGROUP, false},
    [IR_SUBGROUP_ALL] = {SpvOpGroupNonUniformAll, SPV_CAP_SUBGROUP_VOTE, false},
    [IR_SUBGROUP_ANY] = {SpvOpGroupNonUniformAny, SPV_CAP_SUBGROUP_VOTE, false},
    [IR_SUBGROUP_ALL_EQUAL] = {SpvOpGroupNonUniformAllEqual, SPV_CAP_SUBGROUP_VOTE, false},
    [IR_SUBGROUP_BALLOT] = {SpvOpGroupNonUniformBallot, SPV_CAP_SUBGROUP_BALLOT, false},
    [IR_SUBGROUP_INVERSE_BALLOT] = {SpvOpGroupNonUniformInverseBallot, SPV_CAP_SUBGROUP_BALLOT, false},
    [IR_SUBGROUP_BALLOT_BIT] = {SpvOpGroupNonUniformBallotBitExtract, SPV_CAP_SUBGROUP_BALLOT, false},
    [IR_SUBGROUP_BALLOT_COUNT] = {SpvOpGroupNonUniformBallotBitCount, SPV_CAP_SUBGROUP_BALLOT, true},
    [IR_SUBGROUP_BALLOT_LSB] = {SpvOpGroupNonUniformBallotFindLSB, SPV_CAP_SUBGROUP_BALLOT, false},
    [IR_SUBGROUP_BALLOT_MSB] = {SpvOpGroupNonUniformBallotFindMSB, SPV_CAP_SUBGROUP_BALLOT, false},
    [IR_SUBGROUP_BROADCAST_FIRST] = {SpvOpGroupNonUniformBroadcastFirst, SPV_CAP_SUBGROUP_BALLOT, false},
    [IR_SUBGROUP_SHUFFLE] = {SpvOpGroupNonUniformShuffle, SPV_CAP_SUBGROUP_SHUFFLE, false},
    [IR_SUBGROUP_SHUFFLE_XOR] = {SpvOpGroupNonUniformShuffleXor, SPV_CAP_SUBGROUP_SHUFFLE, false},
    [IR_SUBGROUP_SHUFFLE_UP] = {SpvOpGroupNonUniformShuffleUp, SPV_CAP_SUBGROUP_SHUFFLE_RELATIVE, false},
    [IR_SUBGROUP_SHUFFLE_DOWN] = {SpvOpGroupNonUniformShuffleDown, SPV_CAP_SUBGROUP_SHUFFLE_RELATIVE, false},
    [IR_SUBGROUP_IADD] = {SpvOpGroupNonUniformIAdd, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_FADD] = {SpvOpGroupNonUniformFAdd, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_IMUL] = {SpvOpGroupNonUniformIMul, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_FMUL] = {SpvOpGroupNonUniformFMul, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_SMIN] = {SpvOpGroupNonUniformSMin, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_UMIN] = {SpvOpGroupNonUniformUMin, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_FMIN] = {SpvOpGroupNonUniformFMin, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_SMAX] = {SpvOpGroupNonUniformSMax, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_UMAX] = {SpvOpGroupNonUniformUMax, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_FMAX] = {SpvOpGroupNonUniformFMax, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_AND] = {SpvOpGroupNonUniformBitwiseAnd, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_OR] = {SpvOpGroupNonUniformBitwiseOr, SPV_CAP_SUBGROUP_ARITHMETIC, true},
    [IR_SUBGROUP_XOR] = {SpvOpGroupNonUniformBitwiseXor, SPV_CAP_SUBGROUP_ARITHMETIC, true},
};

static SpvGroupOperation group_operation(const struct ir_instr *x)
{
    static const SpvGroupOperation operations[] = {
        [IR_GROUP_REDUCE] = SpvGroupOperationReduce,
        [IR_GROUP_INCLUSIVE] = SpvGroupOperationInclusiveScan,
        [IR_GROUP_EXCLUSIVE] = SpvGroupOperationExclusiveScan,
        [IR_GROUP_CLUSTERED] = SpvGroupOperationClusteredReduce,
    };
    return operations[x->group];
}

// Under a mapping the device may lack shuffles: with a constant index, a broadcast needs only ballots.
static const struct subgroup_row *row_of(const struct spv *s, const struct ir_instr *x)
{
    static const struct subgroup_row broadcast = {SpvOpGroupNonUniformBroadcast, SPV_CAP_SUBGROUP_BALLOT, false};
    bool one = x->subgroup_op == IR_SUBGROUP_SHUFFLE && ir_is_const(x->src[1]);
    return one && s->target->mapping.on ? &broadcast : &rows[x->subgroup_op];
}

bool spv_emit_subgroup(struct spv *s, const struct ir_instr *x)
{
    if (x->op != IR_OP_subgroup)
        return false;
    const struct subgroup_row *row = row_of(s, x);
    uint32_t words[4] = {spv_u32(s, SpvScopeSubgroup)}, count = 1;
    bool clustered = row->grouped && x->group == IR_GROUP_CLUSTERED;
    spv_need(s, SPV_CAP_SUBGROUP);
    spv_need(s, clustered ? SPV_CAP_SUBGROUP_CLUSTERED : (enum spv_cap)row->cap);
    if (row->grouped)
        words[count++] = group_operation(x);
    for (uint32_t i = 0; i < x->src_count; i++)
        words[count++] = spv_value(s, x->src[i]);
    spv_define(s, x, (SpvOp)row->op, words, count);
    return true;
}
