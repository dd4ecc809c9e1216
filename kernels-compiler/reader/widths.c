// SPDX-License-Identifier: Apache-2.0
// Integers of widths up to 64 other than 8, 16, 32 and 64. LLVM generates them in optimized code (e.g. 31 bits for
// the closed form of a sum, 4 for the lanes of a truth value, 24 for a pixel).
//
// Such a value is held in the next larger standard width with zeros above, which reader_result() ensures. Unsigned
// operations need no change; signed ones use reader_signed_value(). In memory it occupies only its own bytes.
#include "reader/reader.h"

static struct ir_instr *number(struct reader *r, struct ir_type type, uint64_t value)
{
    return ir_const_int(r->module, type, value);
}

struct ir_instr *reader_clear_above(struct reader *r, const struct spv_type *type, struct ir_instr *x)
{
    return ir_op2(&r->b, IR_OP_and, x, number(r, x->type, UINT64_MAX >> (64 - type->odd)));
}

struct ir_instr *reader_signed_value(struct reader *r, uint32_t id)
{
    struct ir_instr *x = reader_value(r, id);
    const struct spv_type *type = reader_type_of(r, id);
    if (!type->odd)
        return x;
    struct ir_instr *unused = number(r, x->type, type->ir.bits - type->odd);
    return ir_op2(&r->b, IR_OP_ashr, ir_op2(&r->b, IR_OP_shl, x, unused), unused);
}

// ---- functions of OpenCL.std ---------------------------------------------------------------------

// Form of an operand for a function on wider integers: zero-extended, sign-extended, shifted to the top, or with a
// one above the top bit.
enum { ZEROS_ABOVE, SIGNED, ZEROS_BELOW, ONE_ABOVE };
// Correction of the result: none, shift down from the top, subtract the surplus zero bits.
enum { SAME, FROM_BELOW, EXTRA_ZEROS };

struct spv_widths {
    uint8_t number, operands[3], result;
};

const struct spv_widths *reader_widths_of(uint32_t number)
{
    static const struct spv_widths rows[] = {
        {141, {SIGNED}, SAME},                                      // s_abs
        {142, {SIGNED, SIGNED}, SAME},                              // s_abs_diff
        {143, {ZEROS_BELOW, ZEROS_BELOW}, FROM_BELOW},              // s_add_sat
        {144, {ZEROS_BELOW, ZEROS_BELOW}, FROM_BELOW},              // u_add_sat
        {145, {SIGNED, SIGNED}, SAME},                              // s_hadd
        {146, {ZEROS_ABOVE, ZEROS_ABOVE}, SAME},                    // u_hadd
        {147, {SIGNED, SIGNED}, SAME},                              // s_rhadd
        {148, {ZEROS_ABOVE, ZEROS_ABOVE}, SAME},                    // u_rhadd
        {149, {SIGNED, SIGNED, SIGNED}, SAME},                      // s_clamp
        {150, {ZEROS_ABOVE, ZEROS_ABOVE, ZEROS_ABOVE}, SAME},       // u_clamp
        {151, {ZEROS_ABOVE}, EXTRA_ZEROS},                             // clz
        {152, {ONE_ABOVE}, SAME},                                   // ctz
        {153, {ZEROS_BELOW, SIGNED, SIGNED}, SAME},                 // s_mad_hi
        {154, {ZEROS_ABOVE, ZEROS_BELOW, ZEROS_BELOW}, FROM_BELOW}, // u_mad_sat
        {155, {SIGNED, ZEROS_BELOW, ZEROS_BELOW}, FROM_BELOW},      // s_mad_sat
        {156, {SIGNED, SIGNED}, SAME},                              // s_max
        {157, {ZEROS_ABOVE, ZEROS_ABOVE}, SAME},                    // u_max
        {158, {SIGNED, SIGNED}, SAME},                              // s_min
        {159, {ZEROS_ABOVE, ZEROS_ABOVE}, SAME},                    // u_min
        {160, {ZEROS_BELOW, SIGNED}, SAME},                         // s_mul_hi
        {162, {ZEROS_BELOW, ZEROS_BELOW}, FROM_BELOW},              // s_sub_sat
        {163, {ZEROS_ABOVE, ZEROS_ABOVE}, SAME},                    // u_sub_sat
        {166, {ZEROS_ABOVE}, SAME},                                 // popcount
        {186, {ZEROS_ABOVE, ZEROS_ABOVE, ZEROS_ABOVE}, SAME},       // bitselect
        {201, {ZEROS_ABOVE}, SAME},                                 // u_abs
        {202, {ZEROS_ABOVE, ZEROS_ABOVE}, SAME},                    // u_abs_diff
        {203, {ZEROS_BELOW, ZEROS_ABOVE}, SAME},                    // u_mul_hi
        {204, {ZEROS_BELOW, ZEROS_ABOVE, ZEROS_ABOVE}, SAME},       // u_mad_hi
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}

struct ir_instr *reader_odd_operand(struct reader *r, const struct spv_widths *widths, uint32_t index, uint32_t id)
{
    const struct spv_type *type = reader_type_of(r, id);
    struct ir_instr *x = reader_value(r, id);
    switch (index < 3 ? widths->operands[index] : ZEROS_ABOVE) {
    case SIGNED: return reader_signed_value(r, id);
    case ZEROS_BELOW: return ir_op2(&r->b, IR_OP_shl, x, number(r, x->type, type->ir.bits - type->odd));
    case ONE_ABOVE: return ir_op2(&r->b, IR_OP_or, x, number(r, x->type, UINT64_C(1) << type->odd));
    default: return x;
    }
}

struct ir_instr *reader_odd_result(struct reader *r, const struct spv_widths *widths, const struct spv_type *type,
                                   struct ir_instr *x)
{
    struct ir_instr *unused = number(r, x->type, type->ir.bits - type->odd);
    if (widths->result == SAME)
        return x;
    return ir_op2(&r->b, widths->result == FROM_BELOW ? IR_OP_lshr : IR_OP_isub, x, unused);
}

void reader_rotate_odd(struct reader *r, const struct spv_inst *inst, const uint32_t *ids)
{
    const struct spv_type *type = reader_type_of(r, ids[0]);
    struct ir_instr *x = reader_value(r, ids[0]), *by = reader_value(r, ids[1]);
    if (!ir_type_eq(x->type, by->type) || reader_type_of(r, ids[1])->odd != type->odd)
        reader_fail(r, "'rotate' requires two integers of the same type");
    struct ir_instr *width = number(r, x->type, type->odd);
    by = ir_op2(&r->b, IR_OP_urem, by, width);
    struct ir_instr *low = ir_op2(&r->b, IR_OP_lshr, x, ir_op2(&r->b, IR_OP_isub, width, by));
    reader_result(r, inst, ir_op2(&r->b, IR_OP_or, ir_op2(&r->b, IR_OP_shl, x, by), low));
}

// ---- memory --------------------------------------------------------------------------------------

struct piece {
    struct ir_type type;
    struct ir_instr *address;
    struct ir_mem mem;
};

// The bytes from `at` that one access covers; 0 at the end.
static uint32_t piece_at(struct reader *r, const struct spv_type *type, struct ir_instr *address, struct ir_mem mem, uint32_t at,
                         struct piece *piece)
{
    uint32_t left = (type->odd + 7u) / 8 - at, bytes = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : left;
    uint32_t low = at & (0 - at);
    if (type->kind != SPV_INT)
        reader_fail(r, "vectors of %u-bit integers cannot be in memory", type->odd);
    mem.align = at && low < mem.align ? low : mem.align;
    if (!bytes)
        return 0;
    *piece = (struct piece){ir_int(bytes * 8), at ? ir_ptr_index(&r->b, address, NULL, 0, at) : address, mem};
    return bytes;
}

struct ir_instr *reader_load_odd(struct reader *r, const struct spv_type *type, struct ir_instr *address, struct ir_mem mem)
{
    struct ir_instr *value = NULL;
    struct piece p;
    for (uint32_t at = 0, bytes; (bytes = piece_at(r, type, address, mem, at, &p)) > 0; at += bytes) {
        struct ir_instr *bytes_value = ir_load(&r->b, p.type, p.address, p.mem);
        bytes_value = p.type.bits < type->ir.bits ? ir_convert(&r->b, IR_OP_zext, type->ir, bytes_value) : bytes_value;
        value = at ? ir_op2(&r->b, IR_OP_or, value, ir_op2(&r->b, IR_OP_shl, bytes_value, number(r, type->ir, at * 8))) : bytes_value;
    }
    return value;
}

void reader_store_odd(struct reader *r, const struct spv_type *type, struct ir_instr *address, struct ir_instr *value,
                      struct ir_mem mem)
{
    struct piece p;
    for (uint32_t at = 0, bytes; (bytes = piece_at(r, type, address, mem, at, &p)) > 0; at += bytes) {
        struct ir_instr *bytes_value = at ? ir_op2(&r->b, IR_OP_lshr, value, number(r, type->ir, at * 8)) : value;
        bytes_value = p.type.bits < type->ir.bits ? ir_convert(&r->b, IR_OP_trunc, p.type, bytes_value) : bytes_value;
        ir_store(&r->b, p.address, bytes_value, p.mem);
    }
}

// ---- bitcasts ------------------------------------------------------------------------------------

static uint32_t bits_of(const struct spv_type *type)
{
    uint32_t lane = type->ir.base == IR_BOOL ? 1 : type->odd ? type->odd : type->ir.bits;
    return lane * type->ir.lanes;
}

// Lane 0 becomes the lowest bit.
static struct ir_instr *bits_to_int(struct reader *r, struct ir_instr *bools, struct ir_type to)
{
    struct ir_instr *sum = number(r, to, 0);
    for (unsigned i = 0; i < bools->type.lanes; i++) {
        struct ir_instr *bit = ir_convert(&r->b, IR_OP_zext, to, ir_extract(&r->b, bools, i));
        sum = ir_op2(&r->b, IR_OP_or, sum, ir_op2(&r->b, IR_OP_shl, bit, number(r, to, i)));
    }
    return sum;
}

static struct ir_instr *int_to_bits(struct reader *r, struct ir_instr *x, unsigned lanes)
{
    struct ir_instr *bools[16];
    for (unsigned i = 0; i < lanes; i++) {
        struct ir_instr *bit = ir_op2(&r->b, IR_OP_and, x, number(r, x->type, UINT64_C(1) << i));
        bools[i] = ir_op2(&r->b, IR_OP_ine, bit, number(r, x->type, 0));
    }
    return ir_vec(&r->b, bools, lanes);
}

// A vector of three is treated as four lanes with the last one 0.
static struct ir_instr *lanes_to_int(struct reader *r, struct ir_instr *x, struct ir_type to)
{
    struct ir_instr *lanes[4];
    for (unsigned i = 0; i < 3; i++)
        lanes[i] = ir_extract(&r->b, x, i);
    lanes[3] = number(r, lanes[0]->type, 0);
    struct ir_instr *four = ir_vec(&r->b, lanes, 4);
    return reader_build(r, IR_OP_bitcast, to, &four, 1);
}

static struct ir_instr *int_to_lanes(struct reader *r, struct ir_instr *x, struct ir_type to)
{
    struct ir_instr *four = reader_build(r, IR_OP_bitcast, ir_with_lanes(to, 4), &x, 1), *lanes[3];
    for (unsigned i = 0; i < 3; i++)
        lanes[i] = ir_extract(&r->b, four, i);
    return ir_vec(&r->b, lanes, 3);
}

struct ir_instr *reader_bitcast_odd(struct reader *r, struct ir_instr *x, const struct spv_type *from, const struct spv_type *to)
{
    bool truths = (from->ir.base == IR_BOOL && to->kind == SPV_INT) || (to->ir.base == IR_BOOL && from->kind == SPV_INT);
    if (bits_of(from) != bits_of(to))
        reader_fail(r, "cannot convert %u bits to %u bits", bits_of(from), bits_of(to));
    if (truths)
        return to->kind == SPV_INT ? bits_to_int(r, x, to->ir) : int_to_bits(r, x, to->ir.lanes);
    if (from->kind == SPV_INT && to->kind == SPV_INT)
        return x;
    if (to->kind == SPV_INT && !from->odd && from->ir.lanes == 3)
        return lanes_to_int(r, x, to->ir);
    if (from->kind == SPV_INT && !to->odd && to->ir.lanes == 3)
        return int_to_lanes(r, x, to->ir);
    reader_fail(r, "these types cannot be cast");
}
