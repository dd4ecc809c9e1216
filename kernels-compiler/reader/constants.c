// SPDX-License-Identifier: Apache-2.0
// Constants: numbers, addresses, and structs and arrays of them; specialization; constant expressions.
//
// An expression (OpSpecConstantOp) is read by its instruction's handler, with a builder outside of any function. If
// folding does not yield a constant, it is an error.
#include "reader/reader.h"
#include "util/stack.h"

enum { MOST_CONSTANT = 1 << 20 }; // bytes, for constants with cooperative matrices

static struct spv_constant *add_constant(struct reader *r, const struct spv_inst *inst, struct spv_constant constant)
{
    struct spv_id *entry = reader_id(r, inst->result);
    entry->type = reader_result_type(r, inst);
    entry->kind = SPV_ID_CONSTANT;
    entry->constant = arena_copy(r->work, &constant, sizeof constant);
    return entry->constant;
}

void reader_add_address(struct reader *r, const struct spv_inst *inst, struct ir_var *var)
{
    add_constant(r, inst, (struct spv_constant){.var = var});
}

static void add_value(struct reader *r, const struct spv_inst *inst, struct ir_instr *value)
{
    add_constant(r, inst, (struct spv_constant){.value = value});
}

// ---- specialization ------------------------------------------------------------------------------

static const struct kc_spec_value *specialized(struct reader *r, uint32_t id)
{
    const struct spv_decoration *d = reader_decoration(r, id, SpvDecorationSpecId);
    for (size_t i = 0; d && d->count && i < r->input->spec_value_count; i++)
        if (r->input->spec_values[i].id == d->words[0])
            return &r->input->spec_values[i];
    return NULL;
}

// ---- scalars -------------------------------------------------------------------------------------

static void add_bool(struct reader *r, const struct spv_inst *inst, bool value)
{
    if (reader_result_type(r, inst)->kind != SPV_BOOL)
        reader_fail(r, "the type is not bool");
    add_value(r, inst, ir_const_int(r->module, ir_bool(), value));
}

void reader_constant_bool(struct reader *r, const struct spv_inst *inst)
{
    add_bool(r, inst, inst->row->arg);
}

void reader_spec_constant_bool(struct reader *r, const struct spv_inst *inst)
{
    const struct kc_spec_value *given = specialized(r, inst->result);
    add_bool(r, inst, given ? given->bits != 0 : inst->row->arg);
}

void reader_constant_number(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_result_type(r, inst);
    const struct kc_spec_value *given = inst->row->arg ? specialized(r, inst->result) : NULL;
    if (type->kind != SPV_INT && type->kind != SPV_FLOAT)
        reader_fail(r, "type %u is not a numerical type", type->id);
    unsigned width = type->odd ? type->odd : type->ir.bits;
    if (inst->count != (width > 32 ? 2 : 1))
        reader_fail(r, "%u words for a %u-bit number", inst->count, width);
    uint64_t bits = inst->words[0] | (inst->count > 1 ? (uint64_t)inst->words[1] << 32 : 0);
    add_value(r, inst, ir_const_int(r->module, type->ir, (given ? given->bits : bits) & UINT64_MAX >> (64 - width)));
}

void reader_constant_sampler(struct reader *r, const struct spv_inst *inst)
{
    const uint32_t *w = inst->words;
    if (reader_result_type(r, inst)->kind != SPV_SAMPLER)
        reader_fail(r, "the type is not OpTypeSampler");
    uint32_t filter = w[2] == UINT32_MAX ? SpvSamplerFilterModeNearest : w[2]; // written by llvm-spirv if the source specifies no filter
    if (w[0] > SpvSamplerAddressingModeRepeatMirrored || w[1] > 1 || filter > SpvSamplerFilterModeLinear)
        reader_fail(r, "the sampler's modes are not valid in OpenCL");
    uint32_t value = w[0] * 2 | (w[1] ? KC_SAMPLER_NORMALIZED : 0) | (filter ? KC_SAMPLER_LINEAR : KC_SAMPLER_NEAREST);
    add_value(r, inst, ir_const_int(r->module, ir_int(32), value));
}

void reader_constant_null(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_result_type(r, inst);
    if (type->kind == SPV_VOID || type->kind == SPV_FUNCTION)
        reader_fail(r, "type %u cannot have a value", type->id);
    struct ir_type ir = type->kind == SPV_MATRIX ? type->elem->ir : type->ir;
    add_value(r, inst, spv_is_record(type) ? NULL : ir_const_int(r->module, ir, 0));
}

void reader_undef(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_result_type(r, inst);
    struct spv_constant constant = {.is_undef = true};
    if (type->kind == SPV_VOID || type->kind == SPV_FUNCTION)
        return;
    if (type->kind == SPV_MATRIX)
        constant.value = ir_const_int(r->module, type->elem->ir, 0);
    else if (!spv_is_record(type))
        constant.value = type->odd ? ir_const_int(r->module, type->ir, 0) : ir_undef(r->module, type->ir);
    add_constant(r, inst, constant);
}

// ---- composites ----------------------------------------------------------------------------------

// Undefined lanes become 0.
static void vector_constant(struct reader *r, const struct spv_inst *inst, const struct spv_type *type)
{
    uint64_t lanes[16];
    for (uint32_t i = 0; i < inst->count; i++) {
        const struct spv_id *member = reader_id_of(r, inst->words[i], SPV_ID_CONSTANT);
        const struct ir_instr *value = member->constant->value;
        if (member->type != type->elem || !value)
            reader_fail(r, "component %u is not a constant of the vector's component type", i);
        lanes[i] = ir_is_const(value) ? value->lanes[0] : 0;
    }
    add_value(r, inst, ir_const(r->module, type->ir, lanes));
}

static void matrix_constant(struct reader *r, const struct spv_inst *inst, const struct spv_type *type)
{
    const struct spv_id *member = inst->count == 1 ? reader_id_of(r, inst->words[0], SPV_ID_CONSTANT) : NULL;
    if (!member || member->type != type->elem)
        reader_fail(r, "a cooperative matrix is constructed from one constant of its component type");
    const struct ir_instr *value = member->constant->value;
    uint64_t bits = ir_is_const(value) ? value->lanes[0] : 0;
    add_value(r, inst, ir_const_int(r->module, type->elem->ir, bits));
}

static const struct spv_type *member_type(const struct spv_type *type, uint64_t i)
{
    return type->kind == SPV_STRUCT ? type->members[i] : type->elem;
}

void reader_constant_composite(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_result_type(r, inst);
    if (type->kind == SPV_MATRIX) {
        matrix_constant(r, inst, type);
        return;
    }
    if (type->kind != SPV_VECTOR && !spv_is_record(type))
        reader_fail(r, "type %u is not a composite type", type->id);
    if (inst->count != type->count)
        reader_fail(r, "%u constituents for a type of %llu", inst->count, (unsigned long long)type->count);
    if (type->kind == SPV_VECTOR) {
        vector_constant(r, inst, type);
        return;
    }
    bool is_undef = true;
    for (uint32_t i = 0; i < inst->count; i++) {
        const struct spv_type *own = reader_type_of(r, inst->words[i]);
        const struct spv_id *member = reader_id(r, inst->words[i]);
        if (own != member_type(type, i) || member->kind == SPV_ID_VALUE)
            reader_fail(r, "constituent %u is not a constant of the member's type", i);
        is_undef &= member->kind == SPV_ID_CONSTANT && member->constant->is_undef;
    }
    add_constant(r, inst, (struct spv_constant){.parts = inst->words, .is_undef = is_undef});
}

// ---- expressions ---------------------------------------------------------------------------------

// A value that consists of a variable's address and constant offsets.
static bool split_address(const struct ir_instr *x, struct spv_constant *constant)
{
    uint64_t addend = 0;
    for (; x->op != IR_OP_addr; x = x->src[0]) {
        bool index = x->op == IR_OP_ptr_index && (x->src_count == 1 || ir_is_const(x->src[1]));
        bool sum = (x->op == IR_OP_iadd || x->op == IR_OP_isub) && ir_is_const(x->src[1]);
        if (index)
            addend += (uint64_t)x->offset + (x->src_count > 1 ? x->src[1]->lanes[0] * (uint64_t)x->stride : 0);
        else if (sum)
            addend += x->op == IR_OP_iadd ? x->src[1]->lanes[0] : 0 - x->src[1]->lanes[0];
        else if (x->op != IR_OP_ptr_cast && x->op != IR_OP_ptr_to_int && x->op != IR_OP_int_to_ptr)
            return false;
    }
    constant->var = x->var;
    constant->addend = (int64_t)addend;
    return true;
}

void reader_spec_constant_op(struct reader *r, const struct spv_inst *inst)
{
    struct spv_inst inner = *inst;
    struct spv_constant constant = {0};
    inner.row = reader_row(r, inst->words[0]);
    inner.words++;
    inner.count--;
    if (!inner.row || !(inner.row->where & SPV_IN_CONSTANTS))
        reader_fail(r, "instruction %u is not allowed in constant expressions", inst->words[0]);
    reader_check_operands(r, &inner);
    r->inst = &inner;
    reader_check_matrices(r, &inner);
    reader_check_small_floats(r, &inner);
    inner.row->handle(r, &inner);
    r->inst = inst;
    struct spv_id *entry = reader_id(r, inst->result);
    struct ir_instr *value = entry->kind == SPV_ID_VALUE ? entry->value : NULL;
    if (value && (ir_is_const(value) || value->op == IR_OP_undef))
        constant.value = value;
    else if (entry->kind != SPV_ID_CONSTANT && (!value || !split_address(value, &constant)))
        reader_fail(r, "Op%s of these operands is not a constant", inner.row->name);
    if (entry->kind != SPV_ID_CONSTANT)
        add_constant(r, inst, constant);
}

// ---- bytes ---------------------------------------------------------------------------------------

struct bytes {
    uint8_t *at;
    VEC(struct ir_reloc) relocs;
};

static void put(struct reader *r, struct bytes *out, uint64_t at, uint32_t id);

static void put_lanes(struct bytes *out, uint64_t at, const struct ir_instr *value, struct ir_type stored)
{
    unsigned bytes = stored.bits / 8;
    for (unsigned i = 0; ir_is_const(value) && i < stored.lanes; i++)
        for (unsigned k = 0; k < bytes; k++)
            out->at[at + i * bytes + k] = (uint8_t)(value->lanes[i] >> (8 * k));
}

// Fast path for numbers of up to eight bytes: tables and strings are long.
static void put_numbers(struct reader *r, uint8_t *at, const struct spv_type *elem, const uint32_t *parts, uint64_t count)
{
    unsigned bytes = elem->ir.bits / 8;
    for (uint64_t i = 0; i < count; i++) {
        const struct ir_instr *value = reader_id_of(r, parts[i], SPV_ID_CONSTANT)->constant->value;
        uint64_t bits = value && ir_is_const(value) ? value->lanes[0] : 0;
        for (unsigned k = bytes; k--; bits >>= 8)
            *at++ = (uint8_t)bits;
    }
}

static void put_parts(struct reader *r, struct bytes *out, uint64_t at, const struct spv_type *type,
                      const uint32_t *parts)
{
    stack_check();
    if (type->kind == SPV_ARRAY && (type->elem->kind == SPV_INT || type->elem->kind == SPV_FLOAT)) {
        put_numbers(r, out->at + at, type->elem, parts, type->count);
        return;
    }
    for (uint64_t i = 0; i < type->count; i++)
        put(r, out, at + (type->kind == SPV_STRUCT ? type->offsets[i] : i * type->elem->size), parts[i]);
}

static void put_address(struct reader *r, struct bytes *out, uint64_t at, struct ir_var *var, int64_t addend)
{
    struct ir_reloc reloc = {at, var, addend};
    if (var->space != IR_GLOBAL && var->space != IR_CONSTANT)
        reader_fail(r, "the address of '%s' is not a constant", var->name);
    vec_push(r->arena, &out->relocs, reloc);
}

static void put(struct reader *r, struct bytes *out, uint64_t at, uint32_t id)
{
    struct spv_id *entry = reader_id(r, id);
    if (entry->kind == SPV_ID_VARIABLE) {
        put_address(r, out, at, reader_address(r, entry->variable)->var, 0);
        return;
    }
    const struct spv_constant *constant = reader_id_of(r, id, SPV_ID_CONSTANT)->constant;
    if (constant->is_undef || !entry->type->size) // there may be very many without size
        return;
    if (constant->var)
        put_address(r, out, at, constant->var, constant->addend);
    else if (constant->parts)
        put_parts(r, out, at, entry->type, constant->parts);
    else if (constant->value)
        put_lanes(out, at, constant->value, reader_memory_type(entry->type));
}

void reader_set_bytes(struct reader *r, struct ir_var *var, uint32_t id)
{
    struct bytes out = {.at = arena_zalloc(r->arena, var->size + 1)};
    put(r, &out, 0, id);
    var->init = out.at;
    var->relocs = out.relocs.items;
    var->reloc_count = (uint32_t)out.relocs.count;
}

// ---- constants with cooperative matrices ---------------------------------------------------------

struct ir_instr *reader_splat(struct reader *r, const struct spv_type *type, struct ir_instr *x)
{
    if (!r->function)
        reader_fail(r, "cooperative matrices are not supported in constant expressions");
    return reader_build(r, IR_OP_mat_splat, type->ir, &x, 1);
}

// id 0 means zeros.
static void store_constant(struct reader *r, const struct spv_type *type, struct ir_instr *at, uint32_t align, uint32_t id)
{
    stack_check();
    const struct spv_id *entry = id ? reader_id(r, id) : NULL;
    const struct spv_constant *c = entry && entry->kind == SPV_ID_CONSTANT ? entry->constant : NULL;
    if (!type->size || (c && c->is_undef))
        return;
    if (!spv_is_record(type)) {
        struct ir_instr *value = id ? reader_value(r, id)
                                 : type->kind == SPV_MATRIX ? reader_splat(r, type, ir_const_int(r->module, type->elem->ir, 0)) : ir_const_int(r->module, type->ir, 0);
        reader_store(r, type, at, value, reader_mem(at, align));
        return;
    }
    for (uint64_t i = 0; i < type->count; i++) {
        const struct spv_type *member = type->kind == SPV_STRUCT ? type->members[i] : type->elem;
        uint64_t offset = type->kind == SPV_STRUCT ? type->offsets[i] : i * member->size;
        struct ir_instr *place = ir_ptr_index(&r->b, at, NULL, 0, (int64_t)offset);
        store_constant(r, member, place, type->packed || align < member->align ? 1 : member->align, c && c->parts ? c->parts[i] : 0);
    }
}

static struct ir_instr *matrices_value(struct reader *r, const struct spv_type *type, uint32_t id)
{
    if (type->size > MOST_CONSTANT)
        reader_fail(r, "a constant of %llu bytes with cooperative matrices", (unsigned long long)type->size);
    struct ir_instr *place = reader_temporary(r, type, "constant");
    store_constant(r, type, place, type->align, id);
    return place;
}

// ---- values --------------------------------------------------------------------------------------

static struct ir_instr *record_value(struct reader *r, uint32_t id, const struct spv_type *type,
                                     struct spv_constant *constant)
{
    if (constant->is_undef)
        return reader_temporary(r, type, "undef");
    if (type->has_matrix)
        return matrices_value(r, type, id);
    if (!constant->bytes) {
        constant->bytes = ir_var_add(r->module, NULL, reader_internal_name(r, "constant"), IR_CONSTANT, type->size, type->align);
        reader_set_bytes(r, constant->bytes, id);
    }
    return ir_addr(r->module, constant->bytes);
}

static struct ir_instr *address_value(struct reader *r, const struct spv_constant *constant, struct ir_type type)
{
    struct ir_instr *p = ir_addr(r->module, constant->var);
    if (constant->addend)
        p = ir_ptr_index(&r->b, p, NULL, 0, constant->addend);
    if (type.base != IR_PTR)
        return reader_build(r, IR_OP_ptr_to_int, type, &p, 1);
    return p->type.space == type.space ? p : ir_convert(&r->b, IR_OP_ptr_cast, type, p);
}

struct ir_instr *reader_constant_value(struct reader *r, uint32_t id)
{
    stack_check();
    struct spv_id *entry = reader_id_of(r, id, SPV_ID_CONSTANT);
    struct spv_constant *constant = entry->constant;
    if (entry->type->kind == SPV_MATRIX)
        return reader_splat(r, entry->type, constant->value);
    if (constant->value)
        return constant->value;
    return constant->var ? address_value(r, constant, entry->type->ir) : record_value(r, id, entry->type, constant);
}
