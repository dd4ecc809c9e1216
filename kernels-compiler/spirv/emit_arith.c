// SPDX-License-Identifier: Apache-2.0
// Arithmetic: a table with a row for each operation, and functions for those that need several instructions.
//
// Float instructions are decorated NoContraction unless they have IR_FAST or IR_LOOSE: otherwise drivers drop
// roundings between conversions and re-associate. Bools have other instructions, in the second column.
#include "spirv/writer.h"

enum arith_class {
    NOT_HERE,
    PLAIN, // one SPIR-V operation for all types
    LOGIC, // the same, with another operation for bools
    GLSL,  // GLSL.std.450 number
    FLOAT, // PLAIN with NoContraction
    GLSL_FLOAT,
};

static const struct arith_row {
    uint16_t op, bool_op;
    uint8_t class;
} rows[IR_OP_COUNT] = {
    [IR_OP_iadd] = {SpvOpIAdd, 0, PLAIN},
    [IR_OP_isub] = {SpvOpISub, 0, PLAIN},
    [IR_OP_imul] = {SpvOpIMul, 0, PLAIN},
    [IR_OP_ineg] = {SpvOpSNegate, 0, PLAIN},
    [IR_OP_udiv] = {SpvOpUDiv, 0, PLAIN},
    [IR_OP_sdiv] = {SpvOpSDiv, 0, PLAIN},
    [IR_OP_urem] = {SpvOpUMod, 0, PLAIN},
    [IR_OP_and] = {SpvOpBitwiseAnd, SpvOpLogicalAnd, LOGIC},
    [IR_OP_or] = {SpvOpBitwiseOr, SpvOpLogicalOr, LOGIC},
    [IR_OP_xor] = {SpvOpBitwiseXor, SpvOpLogicalNotEqual, LOGIC},
    [IR_OP_not] = {SpvOpNot, SpvOpLogicalNot, LOGIC},
    [IR_OP_shl] = {SpvOpShiftLeftLogical, 0, PLAIN},
    [IR_OP_lshr] = {SpvOpShiftRightLogical, 0, PLAIN},
    [IR_OP_ashr] = {SpvOpShiftRightArithmetic, 0, PLAIN},
    [IR_OP_smin] = {GLSLstd450SMin, 0, GLSL},
    [IR_OP_smax] = {GLSLstd450SMax, 0, GLSL},
    [IR_OP_umin] = {GLSLstd450UMin, 0, GLSL},
    [IR_OP_umax] = {GLSLstd450UMax, 0, GLSL},
    [IR_OP_popcount] = {SpvOpBitCount, 0, PLAIN},
    [IR_OP_bitreverse] = {SpvOpBitReverse, 0, PLAIN},
    [IR_OP_ieq] = {SpvOpIEqual, SpvOpLogicalEqual, LOGIC},
    [IR_OP_ine] = {SpvOpINotEqual, SpvOpLogicalNotEqual, LOGIC},
    [IR_OP_ult] = {SpvOpULessThan, 0, PLAIN},
    [IR_OP_ule] = {SpvOpULessThanEqual, 0, PLAIN},
    [IR_OP_slt] = {SpvOpSLessThan, 0, PLAIN},
    [IR_OP_sle] = {SpvOpSLessThanEqual, 0, PLAIN},
    [IR_OP_feq] = {SpvOpFOrdEqual, 0, PLAIN},
    [IR_OP_flt] = {SpvOpFOrdLessThan, 0, PLAIN},
    [IR_OP_fle] = {SpvOpFOrdLessThanEqual, 0, PLAIN},
    [IR_OP_fne] = {SpvOpFUnordNotEqual, 0, PLAIN},
    [IR_OP_fadd] = {SpvOpFAdd, 0, FLOAT},
    [IR_OP_fsub] = {SpvOpFSub, 0, FLOAT},
    [IR_OP_fmul] = {SpvOpFMul, 0, FLOAT},
    [IR_OP_fdiv] = {SpvOpFDiv, 0, FLOAT},
    [IR_OP_fneg] = {SpvOpFNegate, 0, FLOAT},
    [IR_OP_fabs] = {GLSLstd450FAbs, 0, GLSL_FLOAT},
    [IR_OP_fma] = {GLSLstd450Fma, 0, GLSL_FLOAT},
    [IR_OP_fmin] = {GLSLstd450NMin, 0, GLSL_FLOAT},
    [IR_OP_fmax] = {GLSLstd450NMax, 0, GLSL_FLOAT},
    [IR_OP_fsqrt] = {GLSLstd450Sqrt, 0, GLSL_FLOAT},
    [IR_OP_frsqrt] = {GLSLstd450InverseSqrt, 0, GLSL_FLOAT},
    [IR_OP_ffloor] = {GLSLstd450Floor, 0, GLSL_FLOAT},
    [IR_OP_fceil] = {GLSLstd450Ceil, 0, GLSL_FLOAT},
    [IR_OP_ftrunc] = {GLSLstd450Trunc, 0, GLSL_FLOAT},
    [IR_OP_frint] = {GLSLstd450RoundEven, 0, GLSL_FLOAT},
    [IR_OP_fexp2_native] = {GLSLstd450Exp2, 0, GLSL_FLOAT},
    [IR_OP_flog2_native] = {GLSLstd450Log2, 0, GLSL_FLOAT},
    [IR_OP_fsin_native] = {GLSLstd450Sin, 0, GLSL_FLOAT},
    [IR_OP_fcos_native] = {GLSLstd450Cos, 0, GLSL_FLOAT},
    [IR_OP_ftan_native] = {GLSLstd450Tan, 0, GLSL_FLOAT},
    [IR_OP_fpow_native] = {GLSLstd450Pow, 0, GLSL_FLOAT},
    [IR_OP_s2f] = {SpvOpConvertSToF, 0, FLOAT},
    [IR_OP_u2f] = {SpvOpConvertUToF, 0, FLOAT},
    [IR_OP_f2s] = {SpvOpConvertFToS, 0, FLOAT},
    [IR_OP_f2u] = {SpvOpConvertFToU, 0, FLOAT},
    [IR_OP_bitcast] = {SpvOpBitcast, 0, PLAIN},
    [IR_OP_vec] = {SpvOpCompositeConstruct, 0, PLAIN},
    [IR_OP_extract_dyn] = {SpvOpVectorExtractDynamic, 0, PLAIN},
    [IR_OP_insert_dyn] = {SpvOpVectorInsertDynamic, 0, PLAIN},
};

static void decorate_exact(struct spv *s, uint32_t id, const struct ir_instr *x)
{
    bool may_contract = x->flags & IR_LOOSE && (x->op != IR_OP_fma || s->target->fused_differences);
    if (!(x->flags & IR_FAST) && !may_contract)
        SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationNoContraction);
}

static void emit_row(struct spv *s, const struct ir_instr *x, const struct arith_row *row)
{
    uint32_t words[2 + 16] = {0}, count = 0;
    SpvOp op = (SpvOp)row->op;
    bool min_max = x->op == IR_OP_fmin || x->op == IR_OP_fmax;
    if (min_max && x->flags & IR_FAST && !s->target->native_min_max[x->type.bits / 32]) // with NaN any result is allowed
        op = (SpvOp)(x->op == IR_OP_fmin ? GLSLstd450FMin : GLSLstd450FMax);
    if (row->class == GLSL || row->class == GLSL_FLOAT) {
        words[count++] = spv_glsl(s);
        words[count++] = op;
        op = SpvOpExtInst;
    } else if (row->class == LOGIC && x->src[0]->type.base == IR_BOOL) {
        op = (SpvOp)row->bool_op;
    }
    for (uint32_t i = 0; i < x->src_count; i++)
        words[count++] = spv_value(s, x->src[i]);
    spv_define(s, x, op, words, count);
    if (row->class == FLOAT || row->class == GLSL_FLOAT)
        decorate_exact(s, spv_value(s, x), x);
}

static uint32_t glsl(struct spv *s, struct ir_type type, enum GLSLstd450 number, uint32_t operand)
{
    return SPV_VALUE(s, SpvOpExtInst, spv_type(s, type), spv_glsl(s), number, operand);
}

// FindUMsb of 0 is -1, and 31 - -1 = 32.
static void emit_clz(struct spv *s, const struct ir_instr *x)
{
    uint32_t msb = glsl(s, x->type, GLSLstd450FindUMsb, spv_value(s, x->src[0]));
    spv_define(s, x, SpvOpISub, SPV_WORDS(spv_const_int(s, x->type, 31), msb));
}

// FindILsb of 0 is -1, which as unsigned is greater than 32.
static void emit_ctz(struct spv *s, const struct ir_instr *x)
{
    uint32_t lsb = glsl(s, x->type, GLSLstd450FindILsb, spv_value(s, x->src[0]));
    uint32_t width = spv_const_int(s, x->type, 32);
    spv_define(s, x, SpvOpExtInst, SPV_WORDS(spv_glsl(s), GLSLstd450UMin, lsb, width));
}

static void emit_dot4(struct spv *s, const struct ir_instr *x)
{
    SpvOp op = x->op == IR_OP_udot4 ? SpvOpUDot : x->op == IR_OP_sdot4 ? SpvOpSDot : SpvOpSUDot;
    spv_need(s, SPV_CAP_DOT_PRODUCT);
    spv_need(s, SPV_CAP_DOT_PRODUCT_PACKED);
    spv_define(s, x, op,
               SPV_WORDS(spv_value(s, x->src[0]), spv_value(s, x->src[1]),
                         SpvPackedVectorFormatPackedVectorFormat4x8Bit));
}

// From four products of half-width numbers; no sum overflows.
static void emit_umulhi_by_halves(struct spv *s, const struct ir_instr *x)
{
    uint32_t type = spv_type(s, x->type), half = spv_const_int(s, x->type, x->type.bits / 2);
    uint32_t low = spv_const_int(s, x->type, (UINT64_C(1) << x->type.bits / 2) - 1), parts[2][2];
    for (int i = 0; i < 2; i++) {
        parts[i][0] = SPV_VALUE(s, SpvOpBitwiseAnd, type, spv_value(s, x->src[i]), low);
        parts[i][1] = SPV_VALUE(s, SpvOpShiftRightLogical, type, spv_value(s, x->src[i]), half);
    }
    uint32_t carry = SPV_VALUE(s, SpvOpShiftRightLogical, type, SPV_VALUE(s, SpvOpIMul, type, parts[0][0], parts[1][0]), half);
    uint32_t mid = SPV_VALUE(s, SpvOpIAdd, type, SPV_VALUE(s, SpvOpIMul, type, parts[0][1], parts[1][0]), carry);
    uint32_t mid_low = SPV_VALUE(s, SpvOpBitwiseAnd, type, mid, low);
    mid_low = SPV_VALUE(s, SpvOpIAdd, type, SPV_VALUE(s, SpvOpIMul, type, parts[0][0], parts[1][1]), mid_low);
    uint32_t high = SPV_VALUE(s, SpvOpShiftRightLogical, type, mid, half);
    high = SPV_VALUE(s, SpvOpIAdd, type, SPV_VALUE(s, SpvOpIMul, type, parts[0][1], parts[1][1]), high);
    spv_define(s, x, SpvOpIAdd, SPV_WORDS(high, SPV_VALUE(s, SpvOpShiftRightLogical, type, mid_low, half)));
}

static void emit_umulhi(struct spv *s, const struct ir_instr *x)
{
    if (s->target->mapping.no_mul_extended) {
        emit_umulhi_by_halves(s, x);
        return;
    }
    uint32_t pair = spv_type_pair(s, spv_type(s, x->type));
    uint32_t product =
        SPV_VALUE(s, SpvOpUMulExtended, pair, spv_value(s, x->src[0]), spv_value(s, x->src[1]));
    spv_define(s, x, SpvOpCompositeExtract, SPV_WORDS(product, 1));
}

// Where small integers are computed in 32 bits, a driver may assume that a value is small on both sides of a
// conversion. NVIDIA's driver (580) counts the bits of a sign-extended byte if the count is truncated to a byte,
// computes 128 as -(-128) of a byte, and mixes up the bytes of a reversed one. It does not see through bit field
// operations.
static bool must_hide_width(const struct spv *s, struct ir_type small)
{
    return s->target->small_ints_in_32 && small.base == IR_INT && small.bits < 32;
}

// The lowest bits of each 32-bit lane. Works lane by lane, because for a constant vector NVIDIA's driver uses one
// lane's field for all.
uint32_t spv_low_bits(struct spv *s, struct ir_type wide, uint32_t value, unsigned bits)
{
    const SpvOp op = SpvOpBitFieldUExtract;
    const struct ir_type i32 = ir_int(32);
    const uint32_t type = spv_type(s, i32), offset = spv_const_int(s, i32, 0),
                   count = spv_const_int(s, i32, bits);
    uint32_t lanes[4];
    if (wide.lanes == 1)
        return SPV_VALUE(s, op, type, value, offset, count);
    for (uint32_t i = 0; i < wide.lanes; i++) {
        uint32_t lane = SPV_VALUE(s, SpvOpCompositeExtract, type, value, i);
        lanes[i] = SPV_VALUE(s, op, type, lane, offset, count);
    }
    return spv_put_result(s, SPV_FUNCTIONS, SpvOpCompositeConstruct, spv_type(s, wide), lanes,
                          wide.lanes);
}

static void emit_low_bits(struct spv *s, const struct ir_instr *x)
{
    const unsigned bits = (unsigned)__builtin_popcountll(x->src[1]->lanes[0]);
    spv_alias(s, x, spv_low_bits(s, x->type, spv_value(s, x->src[0]), bits));
}

static void emit_trunc(struct spv *s, const struct ir_instr *x)
{
    uint32_t value = spv_value(s, x->src[0]);
    if (must_hide_width(s, x->type) && x->src[0]->type.bits == 32)
        value = spv_low_bits(s, x->src[0]->type, value, x->type.bits);
    spv_define(s, x, SpvOpUConvert, &value, 1);
}

// A small integer from memory, zero-extended. Its width need not be hidden, since that of the results is; NVIDIA's loads extend
// signs at no cost. (Elements of private arrays become slower so.)
static uint32_t extended_load(struct spv *s, struct ir_type wide, const struct ir_instr *load)
{
    const uint32_t type = spv_type(s, wide), mask = spv_const_int(s, wide, (UINT64_C(1) << load->type.bits) - 1);
    uint32_t value = spv_value(s, load);
    value = SPV_VALUE(s, SpvOpSConvert, type, value);
    return SPV_VALUE(s, SpvOpBitwiseAnd, type, value, mask);
}

static void emit_zext(struct spv *s, const struct ir_instr *x)
{
    const struct ir_instr *small = x->src[0];
    uint32_t value = spv_value(s, small);
    if (must_hide_width(s, small->type)) {
        const struct ir_type wide = ir_with_lanes(ir_int(32), x->type.lanes);
        if (small->op == IR_OP_load) {
            value = extended_load(s, wide, small);
        } else {
            value = SPV_VALUE(s, SpvOpUConvert, spv_type(s, wide), value);
            value = spv_low_bits(s, wide, value, small->type.bits);
        }
        if (ir_type_eq(x->type, wide)) {
            spv_alias(s, x, value);
            return;
        }
    }
    spv_define(s, x, SpvOpUConvert, &value, 1);
}

static void emit_of_bool(struct spv *s, const struct ir_instr *x)
{
    const bool fenced = must_hide_width(s, x->type), is_small = fenced || spv_is_storage_only(s, x->type);
    const struct ir_type type = is_small ? ir_with_lanes(ir_int(32), x->type.lanes) : x->type;
    const uint32_t one = spv_const_int(s, type, x->op == IR_OP_sext ? ~UINT64_C(0) : 1),
                   zero = spv_const_int(s, type, 0);
    if (!is_small) {
        spv_define(s, x, SpvOpSelect, SPV_WORDS(spv_value(s, x->src[0]), one, zero));
        return;
    }
    uint32_t value =
        SPV_VALUE(s, SpvOpSelect, spv_type(s, type), spv_value(s, x->src[0]), one, zero);
    if (fenced)
        value = spv_low_bits(s, type, value, x->type.bits);
    spv_define(s, x, SpvOpUConvert, &value, 1);
}

static void emit_extend(struct spv *s, const struct ir_instr *x)
{
    uint32_t value = spv_value(s, x->src[0]);
    if (x->src[0]->type.base == IR_BOOL)
        emit_of_bool(s, x);
    else if (x->op == IR_OP_zext)
        emit_zext(s, x);
    else
        spv_define(s, x, SpvOpSConvert, &value, 1);
}

// Rounds to half with PackHalf2x16, two lanes at a time: drivers drop an OpFConvert to half that is converted back.
static uint32_t pack_half(struct spv *s, uint32_t x, uint32_t y)
{
    struct ir_type f32 = ir_float(32);
    uint32_t pair = SPV_VALUE(s, SpvOpCompositeConstruct, spv_type(s, ir_with_lanes(f32, 2)), x, y);
    uint32_t packed = glsl(s, ir_int(32), GLSLstd450PackHalf2x16, pair);
    return SPV_VALUE(s, SpvOpBitcast, spv_type(s, ir_with_lanes(ir_float(16), 2)), packed);
}

static void emit_to_half(struct spv *s, const struct ir_instr *x)
{
    uint32_t value = spv_value(s, x->src[0]), lanes[4], halves[2] = {0};
    unsigned count = x->type.lanes;
    uint32_t zero =
        spv_global(s, SpvOpConstant, spv_type(s, ir_float(32)), &(uint32_t){0}, 1, NULL);
    for (unsigned i = 0; i < 4; i++)
        lanes[i] = i >= count ? zero
                   : count == 1
                       ? value
                       : SPV_VALUE(s, SpvOpCompositeExtract, spv_type(s, ir_float(32)), value, i);
    for (unsigned i = 0; i < (count + 1) / 2; i++)
        halves[i] = pack_half(s, lanes[2 * i], lanes[2 * i + 1]);
    if (count == 1)
        spv_define(s, x, SpvOpCompositeExtract, SPV_WORDS(halves[0], 0));
    else if (count == 2)
        spv_alias(s, x, halves[0]);
    else
        spv_define(s, x, SpvOpVectorShuffle, (uint32_t[]){halves[0], halves[1], 0, 1, 2, 3},
                   2 + count);
}

static void emit_f2f(struct spv *s, const struct ir_instr *x)
{
    uint32_t value = spv_value(s, x->src[0]);
    if (x->type.bits == x->src[0]->type.bits) {
        spv_alias(s, x, value);
    } else if (x->type.bits == 16 && x->src[0]->type.bits == 32 && !(x->flags & IR_FAST)) {
        emit_to_half(s, x);
    } else {
        spv_define(s, x, SpvOpFConvert, &value, 1);
        decorate_exact(s, spv_value(s, x), x);
    }
}

// Conversions between equal types are copies.
static bool emit_same_width(struct spv *s, const struct ir_instr *x)
{
    bool converts = x->op == IR_OP_trunc || x->op == IR_OP_bitcast || x->op == IR_OP_zext ||
                    x->op == IR_OP_sext;
    if (!converts || !ir_type_eq(x->type, x->src[0]->type))
        return false;
    spv_alias(s, x, spv_value(s, x->src[0]));
    return true;
}

static void emit_select(struct spv *s, const struct ir_instr *x)
{
    uint32_t cond = spv_value(s, x->src[0]);
    unsigned lanes = x->type.lanes;
    if (lanes > 1 && x->src[0]->type.lanes == 1)
        cond = spv_put_result(s, SPV_FUNCTIONS, SpvOpCompositeConstruct,
                              spv_type(s, ir_with_lanes(ir_bool(), lanes)),
                              (uint32_t[]){cond, cond, cond, cond}, lanes);
    spv_define(s, x, SpvOpSelect,
               SPV_WORDS(cond, spv_value(s, x->src[1]), spv_value(s, x->src[2])));
}

static void emit_shuffle(struct spv *s, const struct ir_instr *x)
{
    uint32_t words[6] = {spv_value(s, x->src[0]), spv_value(s, x->src[1])};
    for (unsigned i = 0; i < x->type.lanes && i < 4; i++)
        words[2 + i] = x->shuffle[i] == 255 ? 0 : x->shuffle[i];
    spv_define(s, x, SpvOpVectorShuffle, words, 2u + x->type.lanes);
}

static bool is_signed_order(const struct spv *s, const struct ir_instr *x)
{
    return s->target->mapping.no_signed_compare && (x->op == IR_OP_slt || x->op == IR_OP_sle);
}

// Signed numbers with inverted sign bits have the order of unsigned numbers.
static void emit_signed_order(struct spv *s, const struct ir_instr *x)
{
    struct ir_type type = x->src[0]->type;
    uint32_t sign = spv_const_int(s, type, UINT64_C(1) << (type.bits - 1)), biased[2];
    for (int i = 0; i < 2; i++)
        biased[i] = SPV_VALUE(s, SpvOpBitwiseXor, spv_type(s, type), spv_value(s, x->src[i]), sign);
    spv_define(s, x, x->op == IR_OP_slt ? SpvOpULessThan : SpvOpULessThanEqual, SPV_WORDS(biased[0], biased[1]));
}

bool spv_emit_arith(struct spv *s, const struct ir_instr *x)
{
    if (emit_same_width(s, x))
        return true;
    if (is_signed_order(s, x)) {
        emit_signed_order(s, x);
        return true;
    }
    const struct arith_row *row = &rows[x->op];
    if (row->class != NOT_HERE) {
        emit_row(s, x, row);
        return true;
    }
    switch (x->op) {
    case IR_OP_udot4:
    case IR_OP_sdot4:
    case IR_OP_sudot4:
        emit_dot4(s, x);
        return true;
    case IR_OP_clz:
        emit_clz(s, x);
        return true;
    case IR_OP_low_bits:
        emit_low_bits(s, x);
        return true;
    case IR_OP_ctz:
        emit_ctz(s, x);
        return true;
    case IR_OP_umulhi:
        emit_umulhi(s, x);
        return true;
    case IR_OP_trunc:
        emit_trunc(s, x);
        return true;
    case IR_OP_zext:
    case IR_OP_sext:
        emit_extend(s, x);
        return true;
    case IR_OP_f2f:
        emit_f2f(s, x);
        return true;
    case IR_OP_select:
        emit_select(s, x);
        return true;
    case IR_OP_shuffle:
        emit_shuffle(s, x);
        return true;
    case IR_OP_extract:
        spv_define(s, x, SpvOpCompositeExtract, SPV_WORDS(spv_value(s, x->src[0]), x->index));
        return true;
    case IR_OP_insert:
        spv_define(s, x, SpvOpCompositeInsert,
                   SPV_WORDS(spv_value(s, x->src[1]), spv_value(s, x->src[0]), x->index));
        return true;
    default:
        return false;
    }
}
