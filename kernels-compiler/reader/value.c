// SPDX-License-Identifier: Apache-2.0
// Values: the value of an id in the current block, and results of instructions.
//
// Blocks become nodes of a control-flow graph, and values pass between nodes through memory only (ir/cfg.h). A value
// that other blocks use is stored where it is defined and loaded once in each block that uses it.
#include "reader/reader.h"

// ---- building ------------------------------------------------------------------------------------

struct ir_instr *reader_build(struct reader *r, enum ir_op op, struct ir_type type, struct ir_instr *const *src,
                              uint32_t count)
{
    const struct ir_instr probe = {.op = (uint16_t)op, .type = type, .src = (struct ir_instr **)src, .src_count = count};
    if (!ir_fits(&probe))
        reader_fail(r, "the types of the operands and of the result do not match");
    return ir_build(&r->b, op, type, src, count);
}

struct ir_instr *reader_to_i64(struct reader *r, struct ir_instr *x, bool is_signed)
{
    if (x->type.base != IR_INT || x->type.lanes != 1 || ir_is_matrix(x->type))
        reader_fail(r, "an operand is not an integer");
    return x->type.bits == 64 ? x : ir_convert(&r->b, is_signed ? IR_OP_sext : IR_OP_zext, ir_int(64), x);
}

// ---- memory --------------------------------------------------------------------------------------

struct ir_mem reader_mem(const struct ir_instr *address, uint32_t align)
{
    return (struct ir_mem){.space = address->type.space, .align = align};
}

struct ir_instr *reader_temporary(struct reader *r, const struct spv_type *type, const char *name)
{
    if (!r->function)
        reader_fail(r, "structs and arrays are not supported in constant expressions");
    if (type->size > INT32_MAX)
        reader_fail(r, "a value of %llu bytes is too large", (unsigned long long)type->size);
    return ir_addr(r->module, ir_var_add(r->module, r->b.function, name, IR_PRIVATE, type->size, type->align));
}

static void copy_record(struct reader *r, const struct spv_type *type, struct ir_instr *to, struct ir_mem mem_to,
                        struct ir_instr *from, struct ir_mem mem_from)
{
    if (type->size)
        ir_copy(&r->b, to, from, type->size, mem_to, mem_from);
}

struct ir_instr *reader_load(struct reader *r, const struct spv_type *type, struct ir_instr *address, struct ir_mem mem)
{
    if (spv_is_record(type)) {
        if (address->type.space == IR_CONSTANT) // immutable
            return address;
        struct ir_instr *copy = reader_temporary(r, type, "loaded");
        copy_record(r, type, copy, reader_mem(copy, type->align), address, mem);
        return copy;
    }
    struct ir_instr *value = ir_load(&r->b, reader_memory_type(type), address, mem);
    if (type->ir.base != IR_BOOL)
        return value;
    return ir_op2(&r->b, IR_OP_ine, value, ir_const_int(r->module, value->type, 0));
}

void reader_store(struct reader *r, const struct spv_type *type, struct ir_instr *address, struct ir_instr *value,
                  struct ir_mem mem)
{
    if (spv_is_record(type)) {
        copy_record(r, type, address, mem, value, reader_mem(value, type->align));
        return;
    }
    if (type->ir.base == IR_BOOL)
        value = ir_convert(&r->b, IR_OP_zext, reader_memory_type(type), value);
    ir_store(&r->b, address, value, mem);
}

// ---- values that cross blocks --------------------------------------------------------------------

static bool has_no_block(const struct ir_instr *x)
{
    return x->op == IR_OP_const || x->op == IR_OP_undef || x->op == IR_OP_param || x->op == IR_OP_addr;
}

// A struct or array crosses blocks as its address, because its bytes are immutable.
static struct ir_type home_type(struct ir_type type)
{
    return type.base == IR_BOOL ? ir_with_lanes(ir_int(8), type.lanes) : type;
}

static uint32_t home_align(struct ir_type type)
{
    uint32_t lanes = type.lanes == 3 ? 4 : type.lanes;
    return type.bits / 8 * lanes;
}

static void make_home(struct reader *r, struct spv_id *entry, struct ir_type type)
{
    uint32_t align = home_align(home_type(type)), size = ir_is_matrix(type) ? ir_type_bytes(type) : align;
    if (!entry->home)
        entry->home = ir_var_add(r->module, r->b.function, reader_ir_name(r, entry->name, "x"), IR_PRIVATE, size, align);
}

static void store_home(struct reader *r, struct spv_id *entry, struct ir_instr *value)
{
    struct ir_type type = home_type(value->type);
    make_home(r, entry, value->type);
    struct ir_instr *place = ir_addr(r->module, entry->home);
    if (value->type.base == IR_BOOL)
        value = ir_convert(&r->b, IR_OP_zext, type, value);
    ir_store(&r->b, place, value, reader_mem(place, entry->home->align));
}

static struct ir_instr *load_home(struct reader *r, const struct spv_id *entry, struct ir_type type)
{
    struct ir_instr *place = ir_addr(r->module, entry->home);
    struct ir_instr *value = ir_load(&r->b, home_type(type), place, reader_mem(place, entry->home->align));
    return type.base == IR_BOOL ? ir_op2(&r->b, IR_OP_ine, value, ir_const_int(r->module, value->type, 0)) : value;
}

// A block may precede the blocks that define its values in the text: the type of a later value is known already.
static struct ir_instr *later_value(struct reader *r, uint32_t id, struct spv_id *entry)
{
    const struct spv_type *type = reader_type_of(r, id);
    if (entry->label == r->block || reader_id(r, entry->label)->owner != r->function || spv_is_record(type))
        reader_fail(r, "id %u is not a value, or is used before its definition", id);
    make_home(r, entry, type->ir);
    return load_home(r, entry, type->ir);
}

struct ir_instr *reader_any_value(struct reader *r, uint32_t id)
{
    struct spv_id *entry = reader_id(r, id);
    if (entry->kind == SPV_ID_CONSTANT)
        return reader_constant_value(r, id);
    if (entry->kind == SPV_ID_VARIABLE)
        return reader_address(r, entry->variable);
    if (entry->kind == SPV_ID_NONE)
        return later_value(r, id, entry);
    if (entry->kind == SPV_ID_BUILTIN)
        return reader_builtin_value(r, entry->variable, SPV_WHOLE);
    if (entry->kind != SPV_ID_VALUE)
        reader_fail(r, "id %u is not a value", id);
    if (entry->owner != r->function)
        reader_fail(r, "id %u belongs to another function", id);
    if (!entry->held || entry->held == r->block)
        return entry->value;
    entry->value = load_home(r, entry, entry->value->type);
    entry->held = r->block;
    return entry->value;
}

struct ir_instr *reader_value(struct reader *r, uint32_t id)
{
    if (reader_id(r, id)->component)
        reader_fail(r, "id %u points to a component of a cooperative matrix: only loads and stores can use it", id);
    return reader_any_value(r, id);
}

// ---- results -------------------------------------------------------------------------------------

static void check_result(struct reader *r, const struct spv_type *type, const struct ir_instr *value)
{
    bool fits = value && (spv_is_record(type) ? value->type.base == IR_PTR : ir_type_eq(value->type, type->ir));
    if (!fits)
        reader_fail(r, "the result does not have the result type");
    bool lacks = type->ir.base == IR_FLOAT && ((type->ir.bits == 16 && !r->target->float16) ||
                                               (type->ir.bits == 64 && !r->target->float64));
    if (lacks)
        reader_fail(r, "the device does not support %u-bit floats", type->ir.bits);
}

void reader_result(struct reader *r, const struct spv_inst *inst, struct ir_instr *value)
{
    struct spv_id *entry = reader_id(r, inst->result);
    entry->type = reader_result_type(r, inst);
    check_result(r, entry->type, value);
    if (entry->type->odd)
        value = reader_clear_above(r, entry->type, value);
    entry->kind = SPV_ID_VALUE;
    entry->value = value;
    entry->owner = r->function;
    entry->held = has_no_block(value) ? 0 : r->block;
    if (entry->home || (entry->crosses && entry->held))
        store_home(r, entry, value);
}
