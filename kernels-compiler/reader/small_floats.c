// SPDX-License-Identifier: Apache-2.0
// Conversions of bfloat16 and 8-bit floats, each number like a C cast.
#include "reader/reader.h"

bool reader_converts_small(struct reader *r, const struct spv_inst *inst)
{
    return reader_is_small(reader_result_type(r, inst)) || reader_is_small(reader_type_of(r, inst->words[0]));
}

static struct type *c_type(struct reader *r, const struct spv_type *type, bool is_signed)
{
    if (type->format)
        return type_basic(gen_given_types(r->given), (enum type_kind)(TYPE_BF16 + type->format - IR_BF16));
    return gen_given_type(r->given, ir_with_lanes(type->ir, 1), is_signed);
}

// Converts through f32, which can represent everything that may be converted to a small float.
static struct ir_instr *convert_matrix(struct reader *r, struct ir_instr *x, struct ir_type to, const struct reader_convert *how)
{
    struct ir_type wide = ir_matrix(ir_float(32), to.rows, to.columns, (enum ir_use)to.space), middle = to;
    if (ir_is_small_float(x->type))
        x = reader_build(r, IR_OP_mat_widen, wide, &x, 1);
    if (ir_is_small_float(to)) {
        if (x->type.bits == 64 || (x->type.bits == 32 && x->type.base == IR_INT))
            reader_fail(r, "cooperative matrices whose components float cannot represent are not converted to small floats");
        middle = wide;
    }
    if (!ir_type_eq(x->type, middle))
        x = reader_build(r, how->op(x->type, middle, how->flags), middle, &x, 1);
    return ir_type_eq(middle, to) ? x : reader_build(r, IR_OP_mat_narrow, to, &x, 1);
}

// Overflow became infinity (NaN in E4M3), whose bits follow those of the largest number.
static struct ir_instr *saturate(struct reader *r, struct ir_instr *bits, struct ir_instr *from, enum ir_base format)
{
    uint64_t overflow_bits = format == IR_E4M3 ? 0x7f : 0x7c;
    struct ir_instr *low[2] = {bits, ir_const_int(r->module, bits->type, 0x7f)};
    struct ir_instr *test[2] = {reader_build(r, IR_OP_and, bits->type, low, 2), ir_const_int(r->module, bits->type, overflow_bits)};
    struct ir_instr *large = reader_build(r, IR_OP_ieq, ir_bool(), test, 2);
    if (from->type.base == IR_FLOAT) {
        struct ir_instr *self[2] = {from, from}, *both[2] = {large, reader_build(r, IR_OP_feq, ir_bool(), self, 2)};
        large = reader_build(r, IR_OP_and, ir_bool(), both, 2);
    }
    struct ir_instr *step[2] = {bits, ir_const_int(r->module, bits->type, 1)};
    struct ir_instr *choice[3] = {large, reader_build(r, IR_OP_isub, bits->type, step, 2), bits};
    return reader_build(r, IR_OP_select, bits->type, choice, 3);
}

static struct ir_instr *number_of(struct reader *r, struct ir_instr *x, const struct spv_type *type, struct type *c_type)
{
    struct type *wide = gen_given_type(r->given, ir_float(32), true);
    return type->format ? gen_given_convert(r->given, &r->b, x, (struct qtype){.type = c_type}, wide) : x;
}

struct ir_instr *reader_convert_small(struct reader *r, const struct spv_inst *inst, struct ir_instr *x,
                                      const struct reader_convert *how)
{
    const struct spv_type *to = reader_result_type(r, inst), *from = reader_type_of(r, inst->words[0]);
    struct ir_instr *lanes[16];
    unsigned count = to->ir.lanes;
    if (x->type.lanes != count || ir_is_matrix(x->type) != ir_is_matrix(to->ir))
        reader_fail(r, "the operand and the result are not numerical, or have different component counts");
    if (ir_is_matrix(to->ir))
        return convert_matrix(r, x, to->ir, how);
    struct type *from_type = c_type(r, from, how->flags & SPV_FROM_SIGNED), *to_type = c_type(r, to, how->flags & SPV_TO_SIGNED);
    for (unsigned i = 0; i < count; i++) {
        struct ir_instr *lane = ir_extract(&r->b, x, i);
        lanes[i] = gen_given_convert(r->given, &r->b, lane, (struct qtype){.type = from_type}, to_type);
        if (how->to_largest)
            lanes[i] = saturate(r, lanes[i], number_of(r, lane, from, from_type), (enum ir_base)to->format);
    }
    return count > 1 ? ir_vec(&r->b, lanes, count) : lanes[0];
}
