// SPDX-License-Identifier: Apache-2.0
// Arithmetic, comparisons, bits. The table names the IR operation; this file handles what a single operation does not
// express.
#include "reader/reader.h"

#include <math.h>

#define OP1(op, x) ir_op1(&r->b, IR_OP_##op, (x))
#define OP2(op, x, y) ir_op2(&r->b, IR_OP_##op, (x), (y))

static struct ir_type bools_like(const struct ir_instr *x) { return ir_with_lanes(ir_bool(), x->type.lanes); }

static struct ir_instr *inverted(struct reader *r, const struct spv_inst *inst, struct ir_instr *x)
{
    return inst->row->arg & SPV_NOT ? OP1(not, x) : x;
}

// Flags for the instruction's operations.
static uint8_t flags_of(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_decoration *fast = reader_decoration(r, inst->result, SpvDecorationFPFastMathMode);
    bool relaxed = fast && fast->count && fast->words[0] & SpvFPFastMathModeFastMask;
    return r->b.flags | (relaxed ? IR_FAST : 0);
}

static struct ir_instr *operand(struct reader *r, enum ir_op op, uint32_t id)
{
    bool by_sign = op == IR_OP_sdiv || op == IR_OP_srem || op == IR_OP_ashr || op == IR_OP_slt || op == IR_OP_sle;
    return by_sign ? reader_signed_value(r, id) : reader_value(r, id);
}

// Sets no-wrap flags. Folding may return an earlier value, so only an instruction that was made here is marked.
static void set_no_wrap(struct reader *r, const struct spv_inst *inst, struct ir_instr *result, struct ir_instr *const *src)
{
    bool promised = !ir_is_matrix(result->type) && (result->op == IR_OP_iadd || result->op == IR_OP_isub || result->op == IR_OP_imul) &&
                    result->src[0] == src[0] && result->src[1] == src[1];
    if (promised && !reader_result_type(r, inst)->odd && reader_decoration(r, inst->result, SpvDecorationNoSignedWrap))
        result->flags |= IR_NO_WRAP;
}

static struct ir_instr *operation(struct reader *r, const struct spv_inst *inst, enum ir_op op, uint32_t count)
{
    struct ir_instr *src[2] = {operand(r, op, inst->words[0]), count > 1 ? operand(r, op, inst->words[1]) : NULL};
    uint8_t before = r->b.flags;
    r->b.flags = flags_of(r, inst);
    struct ir_instr *value = reader_build(r, op, reader_result_type(r, inst)->ir, src, count);
    r->b.flags = before;
    set_no_wrap(r, inst, value, src);
    const struct spv_type *type = reader_result_type(r, inst);
    if (op == IR_OP_bitreverse && type->odd) // the value's bits are now at the top
        value = OP2(lshr, value, ir_const_int(r->module, type->ir, type->ir.bits - type->odd));
    return value;
}

void reader_unary(struct reader *r, const struct spv_inst *inst)
{
    reader_result(r, inst, operation(r, inst, (enum ir_op)inst->row->arg, 1));
}

void reader_binary(struct reader *r, const struct spv_inst *inst)
{
    reader_result(r, inst, operation(r, inst, (enum ir_op)inst->row->arg, 2));
}

// If the device does not round correctly, the library does.
void reader_divide(struct reader *r, const struct spv_inst *inst)
{
    struct ir_type type = reader_result_type(r, inst)->ir;
    bool by_library = r->input->options->correctly_rounded && type.bits == 32 && !ir_is_matrix(type) && !r->target->exact_division[1];
    struct ir_instr *quotient = operation(r, inst, IR_OP_fdiv, 2), *lanes[16];
    if (r->target->loose_quotients)
        ir_loosen_quotient(quotient);
    if (!by_library || r->b.dead || ir_is_const(quotient)) {
        reader_result(r, inst, quotient);
        return;
    }
    struct ir_instr *x = reader_value(r, inst->words[0]), *y = reader_value(r, inst->words[1]);
    const struct ir_type types[] = {ir_float(32), ir_float(32)};
    struct ir_function *callee = ir_function_get(r->module, "divide_rounded.f.f", ir_float(32), types, 2);
    for (unsigned i = 0; i < type.lanes; i++)
        lanes[i] = ir_call(&r->b, callee, (struct ir_instr *[]){ir_extract(&r->b, x, i), ir_extract(&r->b, y, i)}, 2);
    reader_result(r, inst, type.lanes == 1 ? lanes[0] : ir_vec(&r->b, lanes, type.lanes));
}

// Remainder with the divisor's sign.
void reader_smod(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *remainder = operation(r, inst, IR_OP_srem, 2), *y = reader_signed_value(r, inst->words[1]);
    struct ir_instr *zero = ir_const_int(r->module, remainder->type, 0);
    struct ir_instr *other = OP2(slt, OP2(xor, remainder, y), zero);
    struct ir_instr *adjust = OP2(and, other, OP2(ine, remainder, zero));
    reader_result(r, inst, ir_select(&r->b, adjust, OP2(iadd, remainder, y), remainder));
}

void reader_vector_times_scalar(struct reader *r, const struct spv_inst *inst)
{
    struct ir_type type = reader_result_type(r, inst)->ir;
    struct ir_instr *x = reader_value(r, inst->words[0]), *y = reader_value(r, inst->words[1]);
    if (!type.lanes || !ir_type_eq(y->type, ir_with_lanes(type, 1)))
        reader_fail(r, "the scalar's type is not the vector's component type");
    struct ir_instr *src[] = {x, ir_splat(&r->b, y, type.lanes)};
    reader_result(r, inst, reader_build(r, IR_OP_fmul, type, src, 2));
}

// ---- bits ----------------------------------------------------------------------------------------

static struct ir_instr *resized(struct reader *r, struct ir_instr *x, unsigned bits)
{
    struct ir_type type = ir_with_lanes(ir_int(bits), x->type.lanes);
    if (x->type.base != IR_INT)
        reader_fail(r, "an operand is not an integer");
    if (x->type.bits == bits)
        return x;
    return ir_convert(&r->b, x->type.bits > bits ? IR_OP_trunc : IR_OP_zext, type, x);
}

// The amount may have another width. It is less than the width of the value, so truncation preserves it.
void reader_shift(struct reader *r, const struct spv_inst *inst)
{
    struct ir_type type = reader_result_type(r, inst)->ir;
    enum ir_op op = (enum ir_op)inst->row->arg;
    struct ir_instr *x = operand(r, op, inst->words[0]), *y = reader_value(r, inst->words[1]);
    struct ir_instr *src[] = {x, resized(r, y, type.base == IR_INT ? type.bits : 32)};
    reader_result(r, inst, reader_build(r, op, type, src, 2));
}

void reader_bit_count(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *x = resized(r, reader_value(r, inst->words[0]), reader_value(r, inst->words[0])->type.bits);
    reader_result(r, inst, resized(r, OP1(popcount, x), reader_result_type(r, inst)->ir.bits));
}

// ---- two results ---------------------------------------------------------------------------------

static void pair_result(struct reader *r, const struct spv_inst *inst, struct ir_instr *low, struct ir_instr *high)
{
    const struct spv_type *type = reader_result_type(r, inst);
    struct ir_instr *parts[] = {low, high};
    if (type->kind != SPV_STRUCT || type->count != 2)
        reader_fail(r, "the result type is not a struct of two members");
    struct ir_instr *place = reader_temporary(r, type, "pair");
    for (unsigned i = 0; i < 2; i++) {
        const struct spv_type *member = type->members[i];
        if (!ir_type_eq(member->ir, parts[i]->type) || member->odd)
            reader_fail(r, "member %u does not have the operands' type", i);
        struct ir_instr *at = ir_ptr_index(&r->b, place, NULL, 0, (int64_t)type->offsets[i]);
        reader_store(r, member, at, parts[i], reader_mem(at, type->packed ? 1 : member->align));
    }
    reader_result(r, inst, place);
}

void reader_carry(struct reader *r, const struct spv_inst *inst)
{
    bool borrow = inst->row->arg;
    struct ir_instr *src[] = {reader_value(r, inst->words[0]), reader_value(r, inst->words[1])};
    struct ir_instr *low = reader_build(r, borrow ? IR_OP_isub : IR_OP_iadd, src[0]->type, src, 2);
    struct ir_instr *carry = borrow ? OP2(ult, src[0], src[1]) : OP2(ult, low, src[0]);
    pair_result(r, inst, low, ir_convert(&r->b, IR_OP_zext, low->type, carry));
}

void reader_mul_extended(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *src[] = {reader_value(r, inst->words[0]), reader_value(r, inst->words[1])};
    struct ir_instr *low = reader_build(r, IR_OP_imul, src[0]->type, src, 2);
    pair_result(r, inst, low, reader_build(r, (enum ir_op)inst->row->arg, src[0]->type, src, 2));
}

// ---- comparisons ---------------------------------------------------------------------------------

static struct ir_instr *compared(struct reader *r, enum ir_op op, struct ir_instr *x, struct ir_instr *y)
{
    return reader_build(r, op, bools_like(x), (struct ir_instr *[]){x, y}, 2);
}

void reader_compare(struct reader *r, const struct spv_inst *inst)
{
    unsigned arg = inst->row->arg;
    enum ir_op op = (enum ir_op)(arg & 0xff);
    struct ir_instr *x = operand(r, op, inst->words[0]), *y = operand(r, op, inst->words[1]);
    reader_result(r, inst, inverted(r, inst, arg & SPV_SWAP ? compared(r, op, y, x) : compared(r, op, x, y)));
}

void reader_less_or_greater(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *x = reader_value(r, inst->words[0]), *y = reader_value(r, inst->words[1]);
    struct ir_instr *less = compared(r, IR_OP_flt, x, y), *greater = compared(r, IR_OP_flt, y, x);
    reader_result(r, inst, inverted(r, inst, OP2(or, less, greater)));
}

void reader_ordered(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *x = reader_value(r, inst->words[0]), *y = reader_value(r, inst->words[1]);
    struct ir_instr *both = compared(r, IR_OP_feq, y, y);
    both = OP2(and, compared(r, IR_OP_feq, x, x), both);
    reader_result(r, inst, inverted(r, inst, both));
}

static double least_normal(unsigned bits) { return ldexp(1, bits == 16 ? -14 : bits == 32 ? -126 : -1022); }

void reader_float_class(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *x = reader_value(r, inst->words[0]), *result;
    if (x->type.base != IR_FLOAT)
        reader_fail(r, "the operand is not a float");
    struct ir_instr *size = OP1(fabs, x), *infinity = ir_const_float(r->module, x->type, INFINITY);
    struct ir_type bits = ir_with_lanes(ir_int(x->type.bits), x->type.lanes);
    switch (inst->row->arg) {
    case SpvOpIsNan:
        result = OP2(fne, x, x);
        break;
    case SpvOpIsInf:
        result = OP2(feq, size, infinity);
        break;
    case SpvOpIsFinite:
        result = OP2(flt, size, infinity);
        break;
    case SpvOpIsNormal:
        result = OP2(fle, ir_const_float(r->module, x->type, least_normal(x->type.bits)), size);
        result = OP2(and, result, OP2(flt, size, infinity));
        break;
    default:
        result = OP2(slt, ir_convert(&r->b, IR_OP_bitcast, bits, x), ir_const_int(r->module, bits, 0));
    }
    reader_result(r, inst, result);
}

void reader_any_all(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *x = reader_value(r, inst->words[0]);
    if (x->type.base != IR_BOOL)
        reader_fail(r, "the operand is not a bool or a vector of bools");
    struct ir_instr *result = ir_extract(&r->b, x, 0);
    for (unsigned i = 1; i < x->type.lanes; i++)
        result = ir_op2(&r->b, (enum ir_op)inst->row->arg, result, ir_extract(&r->b, x, i));
    reader_result(r, inst, result);
}

// ---- selection -----------------------------------------------------------------------------------

// For structs and arrays the address is selected, so both must be in the same address space.
static struct ir_instr *private_copy(struct reader *r, const struct spv_type *type, struct ir_instr *x)
{
    struct ir_instr *copy = reader_temporary(r, type, "chosen");
    reader_store(r, type, copy, x, reader_mem(copy, type->align));
    return copy;
}

void reader_select(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_result_type(r, inst);
    struct ir_instr *src[3];
    for (unsigned i = 0; i < 3; i++)
        src[i] = reader_value(r, inst->words[i]);
    for (unsigned i = 1; i < 3 && spv_is_record(type); i++) {
        if (reader_type_of(r, inst->words[i]) != type)
            reader_fail(r, "the selected values do not have the result type");
        src[i] = private_copy(r, type, src[i]);
    }
    if (type->kind == SPV_MATRIX)
        reader_result(r, inst, reader_select_matrix(r, type, src));
    else
        reader_result(r, inst, reader_build(r, IR_OP_select, src[1]->type, src, 3));
}
