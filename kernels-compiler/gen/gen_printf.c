// SPDX-License-Identifier: Apache-2.0
// printf -> a record in the printf buffer (see KC_PRINTF_HEADER): the number of the call and its arguments' lanes.
//
// Space is reserved by an atomic addition. The sum is checked first, so that it cannot overflow if many calls find
// the buffer full.
#include "gen/gen_internal.h"

static void describe_argument(struct str *out, const struct type *type)
{
    struct type *scalar = type_scalar((struct type *)type);
    enum kc_printf_kind kind = type_is_float(scalar)    ? KC_PRINTF_FLOAT
                               : type_is_signed(scalar) ? KC_PRINTF_INT
                                                        : KC_PRINTF_UINT;
    bool pointer = type->kind == TYPE_POINTER;
    str_addc(out, (char)(pointer ? KC_PRINTF_POINTER : kind));
    str_addc(out, (char)(pointer ? 64 : scalar->size * 8));
    str_addc(out, (char)type_lanes(type));
}

// A constant that describes the call. Its address' lower half is written to the record.
static struct ir_instr *describe(struct gen *gen, const struct expr *expr)
{
    struct str out;
    str_init(&out, gen->arena);
    str_addc(&out, (char)(expr->arg_count - 1));
    for (uint32_t i = 1; i < expr->arg_count; i++)
        describe_argument(&out, expr->args[i]->type.type);
    str_add(&out, expr->args[0]->string);
    struct ir_var *var = ir_var_add(gen->module, NULL, "printf", IR_CONSTANT, out.length + 1, 1);
    var->init = arena_copy(gen->arena, out.text, out.length + 1);
    struct ir_instr *address =
        ir_convert(&gen->b, IR_OP_ptr_to_int, ir_int(64), ir_addr(gen->module, var));
    uint64_t bits = gen->module->target->physical_addressing ? 32 : ir_offset_bits(gen->module->target);
    struct ir_instr *low = ir_convert(&gen->b, IR_OP_trunc, ir_int(32), address);
    return ir_op2(&gen->b, IR_OP_and, low, ir_const_int(gen->module, ir_int(32), (UINT64_C(1) << bits) - 1));
}

// An argument as integers of 32 or 64 bits.
static struct ir_instr *as_words(struct gen *gen, struct ir_instr *x)
{
    if (x->type.base == IR_PTR)
        return ir_convert(&gen->b, IR_OP_ptr_to_int, ir_int(64), x);
    if (x->type.base == IR_BOOL)
        return ir_convert(&gen->b, IR_OP_zext, ir_with_lanes(ir_int(32), x->type.lanes), x);
    struct ir_instr *bits = gen_as(gen, x, ir_with_lanes(ir_int(x->type.bits), x->type.lanes));
    if (x->type.bits >= 32)
        return bits;
    return ir_convert(&gen->b, IR_OP_zext, ir_with_lanes(ir_int(32), x->type.lanes), bits);
}

// Writes lane by lane: a vector of 3 has three lanes.
static void write_record(struct gen *gen, struct ir_instr *record, struct ir_instr *call,
                         struct ir_instr **values, uint32_t count)
{
    struct ir_builder *b = &gen->b;
    struct ir_mem mem = {.space = IR_GLOBAL, .align = 4};
    int64_t offset = 4;
    ir_store(b, record, call, mem);
    for (uint32_t i = 0; i < count; i++)
        for (unsigned lane = 0; lane < values[i]->type.lanes; lane++) {
            struct ir_instr *value = ir_extract(b, values[i], lane);
            ir_store(b, ir_ptr_index(b, record, NULL, 0, offset), value, mem);
            offset += values[i]->type.bits / 8;
        }
}

struct ir_instr *gen_printf(struct gen *gen, const struct expr *expr)
{
    struct ir_builder *b = &gen->b;
    uint32_t count = expr->arg_count - 1, bytes = 4;
    struct ir_instr **values = ARENA_ARRAY(gen->arena, struct ir_instr *, expr->arg_count);
    for (uint32_t i = 0; i < count; i++) {
        struct ir_instr *value = gen_value(gen, expr->args[i + 1]);
        values[i] = as_words(gen, value);
        bytes += values[i]->type.bits / 8u * values[i]->type.lanes;
    }
    struct ir_mem shared = {.space = IR_GLOBAL,
                            .scope = IR_SCOPE_DEVICE,
                            .order = IR_ORDER_RELAXED,
                            .coherent = true,
                            .align = 4};
    struct ir_mem plain = {.space = IR_GLOBAL, .align = 4}, own = {.space = IR_PRIVATE, .align = 4};
    struct ir_instr *result = gen_temporary(gen, expr->type.type, "printed");
    struct ir_instr *buffer =
        ir_convert(b, IR_OP_int_to_ptr, ir_ptr(kc_pointer_bytes(gen->target), IR_GLOBAL), ir_sys(b, IR_SYS_PRINTF, 0));
    struct ir_instr *size = ir_const_int(gen->module, ir_int(32), bytes);
    ir_store(b, result, ir_const_int(gen->module, ir_int(32), UINT32_MAX), own);
    struct ir_instr *limit = ir_load(b, ir_int(32), ir_ptr_index(b, buffer, NULL, 0, 4), plain);
    struct ir_instr *used = ir_atomic(b, IR_ATOMIC_LOAD, ir_int(32), buffer, NULL, NULL, shared);
    struct ir_if *room = ir_add_if(b, ir_op2(b, IR_OP_ult, used, limit));
    ir_place_end(b, &room->then_list);
    struct ir_instr *at = ir_atomic(b, IR_ATOMIC_ADD, ir_int(32), buffer, size, NULL, shared);
    struct ir_if *got = ir_add_if(b, ir_op2(b, IR_OP_ult, at, limit));
    ir_place_end(b, &got->then_list);
    struct ir_instr *wide = ir_convert(b, IR_OP_zext, ir_int(64), at);
    struct ir_instr *record = ir_ptr_index(b, buffer, wide, 1, KC_PRINTF_HEADER);
    write_record(gen, record, describe(gen, expr), values, count);
    ir_store(b, result, ir_const_int(gen->module, ir_int(32), 0), own);
    ir_place_after(b, &room->node);
    return ir_load(b, ir_int(32), result, own);
}
