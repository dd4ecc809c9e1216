// SPDX-License-Identifier: Apache-2.0
// Conversions. Plain ones are single operations; saturating and rounding ones are convert_*() of OpenCL C.
#include "reader/reader.h"

static const char *const roundings[] = {[SpvFPRoundingModeRTE] = "_rte", [SpvFPRoundingModeRTZ] = "_rtz",
                                        [SpvFPRoundingModeRTP] = "_rtp", [SpvFPRoundingModeRTN] = "_rtn"};

static const char *number_name(struct ir_type type, bool is_signed)
{
    static const char *const ints[][2] = {{"uchar", "char"}, {"ushort", "short"}, {"uint", "int"}, {"ulong", "long"}};
    static const char *const floats[] = {"", "half", "float", "double"};
    unsigned step = type.bits == 8 ? 0 : type.bits == 16 ? 1 : type.bits == 32 ? 2 : 3;
    return type.base == IR_FLOAT ? floats[step] : ints[step][is_signed];
}

// Name suffix of the rounding mode; "": the instruction's default.
static const char *rounding_of(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_decoration *d = reader_decoration(r, inst->result, SpvDecorationFPRoundingMode);
    if (!d || !d->count)
        return "";
    if (d->words[0] >= sizeof roundings / sizeof *roundings)
        reader_fail(r, "unknown rounding mode %u", d->words[0]);
    return roundings[d->words[0]];
}

static enum ir_op plain_op(struct ir_type from, struct ir_type to, unsigned flags)
{
    bool from_signed = flags & SPV_FROM_SIGNED, to_signed = flags & SPV_TO_SIGNED;
    if (from.base == IR_INT && to.base == IR_INT)
        return to.bits < from.bits ? IR_OP_trunc : from_signed ? IR_OP_sext : IR_OP_zext;
    if (from.base == IR_INT)
        return from_signed ? IR_OP_s2f : IR_OP_u2f;
    return to.base == IR_FLOAT ? IR_OP_f2f : to_signed ? IR_OP_f2s : IR_OP_f2u;
}

static struct ir_instr *by_name(struct reader *r, struct ir_instr *x, struct ir_type to, unsigned flags,
                                const char *rounding)
{
    const char *lanes = to.lanes > 1 ? arena_printf(r->arena, "%u", to.lanes) : "";
    const char *name = arena_printf(r->arena, "convert_%s%s%s%s", number_name(to, flags & SPV_TO_SIGNED), lanes,
                                    flags & SPV_SATURATED ? "_sat" : "", rounding);
    struct gen_given arg = {.value = x, .type.type = gen_given_type(r->given, x->type, flags & SPV_FROM_SIGNED)};
    struct ir_instr *value = gen_given_call(r->given, &r->b, name, &arg, 1, (struct loc){0}, NULL);
    if (!value)
        reader_fail(r, "%s() is not available", name);
    return value;
}

static bool is_number(struct ir_type type) { return type.base == IR_INT || type.base == IR_FLOAT; }

enum { TO_LARGEST = 4216 }; // SaturatedToLargestFloat8NormalConversionEXT, which Debian 12's header lacks

static void convert_small(struct reader *r, const struct spv_inst *inst, struct ir_instr *x)
{
    const struct spv_type *to = reader_result_type(r, inst);
    const struct reader_convert how = {plain_op, inst->row->arg, reader_decoration(r, inst->result, (SpvDecoration)TO_LARGEST)};
    const char *rounding = rounding_of(r, inst), *own = inst->row->opcode == SpvOpConvertFToU ||
                                                        inst->row->opcode == SpvOpConvertFToS ? "_rtz" : "_rte";
    if ((*rounding && strcmp(rounding, own) != 0) || reader_decoration(r, inst->result, SpvDecorationSaturatedConversion))
        reader_fail(r, "conversions of bfloat16 and 8-bit floats support no rounding mode and no saturation");
    if (how.to_largest && to->format != IR_E4M3 && to->format != IR_E5M2)
        reader_fail(r, "saturation to the largest number is supported only for scalars and vectors of 8-bit floats");
    reader_result(r, inst, reader_convert_small(r, inst, x, &how));
}

// Conversions to integers saturate if decorated; some instructions always do.
void reader_convert(struct reader *r, const struct spv_inst *inst)
{
    struct ir_type to = reader_result_type(r, inst)->ir;
    unsigned flags = inst->row->arg;
    struct ir_instr *x = flags & SPV_FROM_SIGNED ? reader_signed_value(r, inst->words[0]) : reader_value(r, inst->words[0]);
    if (reader_converts_small(r, inst)) {
        convert_small(r, inst, x);
        return;
    }
    if (!is_number(to) || !is_number(x->type) || to.lanes != x->type.lanes ||
        ir_is_matrix(to) != ir_is_matrix(x->type))
        reader_fail(r, "the operand and the result are not numerical, or have different component counts");
    if (to.base == IR_INT && reader_decoration(r, inst->result, SpvDecorationSaturatedConversion))
        flags |= SPV_SATURATED;
    const char *rounding = x->type.base == IR_FLOAT || to.base == IR_FLOAT ? rounding_of(r, inst) : "";
    bool plain = !(flags & SPV_SATURATED) && (!*rounding || !strcmp(rounding, to.base == IR_INT ? "_rtz" : "_rte"));
    if (!plain && ir_is_matrix(x->type))
        reader_fail(r, "conversions of cooperative matrices support no rounding mode and no saturation");
    if (!plain && (reader_result_type(r, inst)->odd || reader_type_of(r, inst->words[0])->odd))
        reader_fail(r, "not supported for integers of this width");
    if (!plain)
        x = by_name(r, x, to, flags, rounding);
    else if (x->type.base != to.base || x->type.bits != to.bits)
        x = reader_build(r, plain_op(x->type, to, flags), to, &x, 1);
    reader_result(r, inst, x);
}

// ---- pointers ------------------------------------------------------------------------------------

static bool is_pointer(struct ir_type type) { return type.base == IR_PTR; }

static struct ir_instr *to_int(struct reader *r, struct ir_instr *x, struct ir_type to)
{
    x = ir_convert(&r->b, IR_OP_ptr_to_int, ir_int(64), x);
    return to.bits == 64 ? x : ir_convert(&r->b, IR_OP_trunc, to, x);
}

void reader_pointer_to_int(struct reader *r, const struct spv_inst *inst)
{
    struct ir_type to = reader_result_type(r, inst)->ir;
    struct ir_instr *x = reader_value(r, inst->words[0]);
    if (!is_pointer(x->type) || to.base != IR_INT || to.lanes != 1)
        reader_fail(r, "the operand is not a pointer, or the result is not an integer");
    reader_result(r, inst, to_int(r, x, to));
}

void reader_int_to_pointer(struct reader *r, const struct spv_inst *inst)
{
    struct ir_type to = reader_result_type(r, inst)->ir;
    struct ir_instr *x = reader_to_i64(r, reader_value(r, inst->words[0]), false);
    reader_result(r, inst, reader_build(r, IR_OP_int_to_ptr, to, &x, 1));
}

void reader_pointer_cast(struct reader *r, const struct spv_inst *inst)
{
    struct ir_type to = reader_result_type(r, inst)->ir;
    struct ir_instr *x = reader_value(r, inst->words[0]);
    if (!is_pointer(x->type) || !is_pointer(to))
        reader_fail(r, "the operand and the result are not both pointers");
    reader_result(r, inst, ir_type_eq(x->type, to) ? x : ir_convert(&r->b, IR_OP_ptr_cast, to, x));
}

// ---- bits ----------------------------------------------------------------------------------------

// A pointer may be cast to and from an integer of its width.
void reader_bitcast(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_result_type(r, inst);
    struct ir_instr *x = reader_value(r, inst->words[0]);
    struct ir_type to = type->ir;
    if (is_pointer(to) && is_pointer(x->type)) {
        if (x->type.space != to.space)
            reader_fail(r, "the storage classes differ");
        reader_result(r, inst, x);
        return;
    }
    if (spv_is_record(type) || spv_is_record(reader_type_of(r, inst->words[0])))
        reader_fail(r, "structs and arrays cannot be cast");
    const struct spv_type *from = reader_type_of(r, inst->words[0]);
    if (type->kind == SPV_MATRIX || from->kind == SPV_MATRIX) {
        reader_result(r, inst, reader_bitcast_matrix(r, x, type));
        return;
    }
    if (type->odd || from->odd || (to.base == IR_BOOL) != (x->type.base == IR_BOOL)) {
        reader_result(r, inst, reader_bitcast_odd(r, x, from, type));
        return;
    }
    if (is_pointer(x->type))
        x = ir_convert(&r->b, IR_OP_ptr_to_int, ir_int(64), x);
    struct ir_type bits = is_pointer(to) ? ir_int(64) : to;
    if (!ir_type_eq(x->type, bits))
        x = reader_build(r, IR_OP_bitcast, bits, &x, 1);
    reader_result(r, inst, is_pointer(to) ? ir_convert(&r->b, IR_OP_int_to_ptr, to, x) : x);
}
