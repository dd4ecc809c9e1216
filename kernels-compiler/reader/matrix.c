// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices (SPV_KHR_cooperative_matrix); see ir/ops.def.
#include "reader/reader.h"

_Static_assert((int)IR_USE_A == 0 && (int)IR_USE_B == 1 && (int)IR_USE_ACCUMULATOR == 2, "uses are as SPIR-V numbers them");
_Static_assert(IR_MATRIX_A_SIGNED == 1 && IR_MATRIX_B_SIGNED == 2 && IR_MATRIX_C_SIGNED == 4 &&
                   IR_MATRIX_RESULT_SIGNED == 8 && IR_MATRIX_SATURATING == 16,
               "operands of products are as SPIR-V numbers them");

// ---- the type ------------------------------------------------------------------------------------

static void check_component(struct reader *r, const struct spv_type *type)
{
    bool lacks = (type->kind == SPV_FLOAT && !type->format && ((type->ir.bits == 16 && !r->target->float16) ||
                                              (type->ir.bits == 64 && !r->target->float64)));
    if ((type->kind != SPV_INT && type->kind != SPV_FLOAT) || type->odd)
        reader_fail(r, "the components of a cooperative matrix must be 8, 16, 32 or 64-bit integers, or floats");
    if (lacks)
        reader_fail(r, "the device does not support %u-bit floats", type->ir.bits);
}

static unsigned edge(struct reader *r, uint32_t id, const char *what)
{
    uint64_t count = reader_constant(r, id);
    if (!count || count > IR_MATRIX_EDGE)
        reader_fail(r, "a cooperative matrix must have 1 to %u %s, not %llu", (unsigned)IR_MATRIX_EDGE, what,
                    (unsigned long long)count);
    return (unsigned)count;
}

void reader_type_matrix(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *component = reader_type(r, inst->words[0]);
    if (!r->target->subgroups || !r->target->subgroup_size)
        reader_fail(r, "cooperative matrices require sub-groups, which the device does not have");
    if (r->target->mapping.any_sub_groups)
        reader_fail(r, "cooperative matrices require a target with a known sub-group size");
    check_component(r, component);
    if (reader_constant(r, inst->words[1]) != SpvScopeSubgroup)
        reader_fail(r, "the scope of a cooperative matrix must be a sub-group, not %llu",
                    (unsigned long long)reader_constant(r, inst->words[1]));
    unsigned rows = edge(r, inst->words[2], "rows"), columns = edge(r, inst->words[3], "columns");
    uint64_t use = reader_constant(r, inst->words[4]);
    if (rows * columns > IR_MATRIX_COMPONENTS)
        reader_fail(r, "a cooperative matrix of %u components, the limit is %u", rows * columns, (unsigned)IR_MATRIX_COMPONENTS);
    if (use >= IR_USE_COUNT)
        reader_fail(r, "invalid use %llu of a cooperative matrix", (unsigned long long)use);
    struct ir_type number = component->format ? ir_small_float((enum ir_base)component->format) : component->ir;
    reader_add_matrix(r, inst, component, ir_matrix(number, rows, columns, (enum ir_use)use));
    r->has_matrices = true;
}

// ---- splats --------------------------------------------------------------------------------------

static struct ir_instr *zeros(struct reader *r, const struct spv_type *type)
{
    return reader_splat(r, type, ir_const_int(r->module, type->elem->ir, 0));
}

void reader_matrix_length(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_type(r, inst->words[0]);
    if (type->kind != SPV_MATRIX)
        reader_fail(r, "type %u is not a cooperative matrix type", type->id);
    struct ir_instr *x = zeros(r, type);
    reader_result(r, inst, reader_build(r, IR_OP_mat_length, ir_int(32), &x, 1));
}

void reader_matrix_times_scalar(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_result_type(r, inst);
    struct ir_instr *x = reader_value(r, inst->words[0]), *y = reader_value(r, inst->words[1]);
    if (type->kind != SPV_MATRIX || !ir_type_eq(y->type, type->elem->ir))
        reader_fail(r, "the scalar's type is not the matrix's component type");
    struct ir_instr *src[] = {x, reader_splat(r, type, y)};
    enum ir_op op = type->ir.base == IR_FLOAT ? IR_OP_fmul : IR_OP_imul;
    reader_result(r, inst, reader_build(r, op, type->ir, src, 2));
}

// ---- memory --------------------------------------------------------------------------------------

struct transfer {
    struct ir_instr *address, *stride;
    bool by_columns;
    struct ir_mem mem;
};

static const struct spv_type *pointee(struct reader *r, uint32_t id, bool stores)
{
    const struct spv_type *pointer = reader_type_of(r, id), *elem = pointer->kind == SPV_POINTER ? pointer->elem : NULL;
    const struct spv_type *scalar = elem && elem->kind == SPV_VECTOR ? elem->elem : elem;
    if (!scalar || (scalar->kind != SPV_INT && scalar->kind != SPV_FLOAT) || scalar->odd)
        reader_fail(r, "id %u is not a pointer to numbers or vectors", id);
    if (pointer->ir.space == IR_PRIVATE || (stores && pointer->ir.space == IR_CONSTANT))
        reader_fail(r, "a cooperative matrix cannot be in storage class %u", pointer->storage);
    return elem;
}

// The stride in components; SPIR-V counts it in pointees. Rows must start at multiples of the component size.
static struct ir_instr *stride_of(struct reader *r, uint32_t id, uint64_t pointee_size, uint64_t component_size)
{
    struct ir_instr *stride = reader_to_i64(r, reader_value(r, id), false);
    if (ir_is_const(stride) && stride->lanes[0] * pointee_size % component_size)
        reader_fail(r, "a stride of %llu bytes is not a multiple of the component size of %llu", (unsigned long long)(stride->lanes[0] * pointee_size),
                    (unsigned long long)component_size);
    stride = ir_op2(&r->b, IR_OP_imul, stride, ir_const_int(r->module, ir_int(64), pointee_size));
    return ir_op2(&r->b, IR_OP_udiv, stride, ir_const_int(r->module, ir_int(64), component_size));
}

// `at`: index of the layout operand, which the others follow.
static struct transfer transfer_of(struct reader *r, const struct spv_inst *inst, const struct spv_type *type, uint32_t at)
{
    const struct spv_type *elem = pointee(r, inst->words[0], !inst->result);
    uint64_t layout = reader_constant(r, inst->words[at]), size = type->elem->size;
    struct transfer t = {.address = reader_value(r, inst->words[0]), .by_columns = layout == 1};
    uint32_t used, more = inst->count > at + 2 ? at + 2 : inst->count;
    if (layout > 1)
        reader_fail(r, "unknown memory layout %llu", (unsigned long long)layout);
    if (inst->count <= at + 1)
        reader_fail(r, "the stride is missing");
    t.stride = stride_of(r, inst->words[at + 1], elem->size, size); // vectors of three have the size of four
    t.mem = reader_memory_operands(r, t.address, inst->words[0], (uint32_t)size, inst->words + more, inst->count - more, &used);
    t.mem.align = t.mem.align > size ? (uint32_t)size : t.mem.align; // guaranteed for every component
    return t;
}

void reader_matrix_load(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_result_type(r, inst);
    if (type->kind != SPV_MATRIX)
        reader_fail(r, "the result is not a cooperative matrix");
    struct transfer t = transfer_of(r, inst, type, 1);
    reader_result(r, inst, ir_mat_load(&r->b, type->ir, t.address, t.stride, t.by_columns, t.mem));
}

void reader_matrix_store(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_type_of(r, inst->words[1]);
    if (type->kind != SPV_MATRIX)
        reader_fail(r, "id %u is not a cooperative matrix", inst->words[1]);
    struct ir_instr *x = reader_value(r, inst->words[1]);
    struct transfer t = transfer_of(r, inst, type, 2);
    ir_mat_store(&r->b, t.address, x, t.stride, t.by_columns, t.mem);
}

// ---- products ------------------------------------------------------------------------------------

void reader_matrix_muladd(struct reader *r, const struct spv_inst *inst)
{
    uint32_t flags = inst->count > 3 ? inst->words[3] : 0;
    struct ir_instr *src[3];
    for (unsigned i = 0; i < 3; i++)
        src[i] = reader_value(r, inst->words[i]);
    const struct ir_instr probe = {.op = IR_OP_mat_muladd, .type = reader_result_type(r, inst)->ir, .src = src, .src_count = 3};
    if (inst->count > 4 || flags > 31)
        reader_fail(r, "unknown operands 0x%x", flags);
    if (!ir_fits(&probe))
        reader_fail(r, "the operands must be matrices of M x K, K x N and M x N of uses A, B and accumulator, all of integers or "
                       "all of floats");
    if (flags && src[2]->type.base != IR_INT)
        reader_fail(r, "the matrix operands 0x%x require integers", flags);
    reader_result(r, inst, ir_mat_muladd(&r->b, src[0], src[1], src[2], flags));
}

// ---- bitcast and select --------------------------------------------------------------------------

// The number of components is unknown at compile time: emits a loop over them.
struct ir_instr *reader_bitcast_matrix(struct reader *r, struct ir_instr *x, const struct spv_type *to)
{
    struct ir_builder *b = &r->b;
    struct ir_type t = to->ir;
    if (t.rows != x->type.rows || t.columns != x->type.columns || t.space != x->type.space || t.bits != x->type.bits)
        reader_fail(r, "a bitcast of cooperative matrices must keep shape, use and component width");
    if (ir_type_eq(t, x->type))
        return x;
    struct ir_instr *i = ir_addr(r->module, ir_var_add(r->module, b->function, "i", IR_PRIVATE, 4, 4));
    struct ir_instr *all = reader_temporary(r, to, "bits"), *length = ir_build(b, IR_OP_mat_length, ir_int(32), &x, 1);
    struct ir_mem mem_i = reader_mem(i, 4), mem = reader_mem(all, to->align);
    ir_store(b, i, ir_const_int(r->module, ir_int(32), 0), mem_i);
    ir_store(b, all, zeros(r, to), mem);
    struct ir_loop *loop = ir_add_loop(b);
    ir_place_end(b, &loop->body);
    struct ir_instr *at = ir_load(b, ir_int(32), i, mem_i);
    struct ir_if *end = ir_add_if(b, ir_op2(b, IR_OP_ule, length, at));
    ir_place_end(b, &end->then_list);
    ir_jump(b, IR_OP_break, NULL);
    ir_place_after(b, &end->node);
    struct ir_instr *one = ir_convert(b, IR_OP_bitcast, to->elem->ir, reader_matrix_get(r, x, at));
    ir_store(b, all, reader_matrix_set(r, ir_load(b, t, all, mem), one, at), mem);
    ir_place_end(b, &loop->cont);
    ir_store(b, i, ir_op2(b, IR_OP_iadd, ir_load(b, ir_int(32), i, mem_i), ir_const_int(r->module, ir_int(32), 1)), mem_i);
    ir_place_after(b, &loop->node);
    return ir_load(b, t, all, mem);
}

struct ir_instr *reader_select_matrix(struct reader *r, const struct spv_type *type, struct ir_instr *const *src)
{
    struct ir_builder *b = &r->b;
    if (!ir_type_eq(src[0]->type, ir_bool()) || !ir_type_eq(src[1]->type, type->ir) || !ir_type_eq(src[2]->type, type->ir))
        reader_fail(r, "the condition is not a bool, or the selected values do not have the result type");
    struct ir_instr *place = reader_temporary(r, type, "chosen");
    struct ir_mem mem = reader_mem(place, type->align);
    ir_store(b, place, src[2], mem);
    struct ir_if *chosen = ir_add_if(b, src[0]);
    ir_place_end(b, &chosen->then_list);
    ir_store(b, place, src[1], mem);
    ir_place_after(b, &chosen->node);
    return ir_load(b, type->ir, place, mem);
}
