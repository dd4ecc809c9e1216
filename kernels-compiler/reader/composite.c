// SPDX-License-Identifier: Apache-2.0
// Vectors are values. Structs and arrays are immutable bytes in memory: changing one makes a changed copy.
#include "reader/reader.h"

void reader_copy_object(struct reader *r, const struct spv_inst *inst)
{
    reader_result(r, inst, reader_value(r, inst->words[0]));
}

// ---- lanes ---------------------------------------------------------------------------------------

static struct ir_instr *vector_operand(struct reader *r, uint32_t id)
{
    if (reader_type_of(r, id)->kind != SPV_VECTOR)
        reader_fail(r, "id %u is not a vector", id);
    return reader_value(r, id);
}

static struct ir_instr *lane_number(struct reader *r, uint32_t id)
{
    struct ir_instr *x = reader_to_i64(r, reader_value(r, id), false);
    return ir_convert(&r->b, IR_OP_trunc, ir_int(32), x);
}

void reader_vector_extract_dynamic(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *vector = vector_operand(r, inst->words[0]);
    reader_result(r, inst, ir_op2(&r->b, IR_OP_extract_dyn, vector, lane_number(r, inst->words[1])));
}

void reader_vector_insert_dynamic(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *vector = vector_operand(r, inst->words[0]), *x = reader_value(r, inst->words[1]);
    if (!ir_type_eq(x->type, ir_with_lanes(vector->type, 1)))
        reader_fail(r, "the component does not have the vector's component type");
    reader_result(r, inst, ir_op3(&r->b, IR_OP_insert_dyn, vector, x, lane_number(r, inst->words[2])));
}

// The two vectors may have different lengths: extends the shorter one.
static struct ir_instr *lengthened(struct reader *r, struct ir_instr *x, unsigned lanes)
{
    static const uint8_t order[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    uint8_t picked[16];
    if (x->type.lanes == lanes)
        return x;
    memcpy(picked, order, sizeof picked);
    memset(picked + x->type.lanes, 255, sizeof picked - x->type.lanes);
    return ir_shuffle(&r->b, x, x, picked, lanes);
}

void reader_vector_shuffle(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *x = vector_operand(r, inst->words[0]), *y = vector_operand(r, inst->words[1]);
    const struct spv_type *type = reader_result_type(r, inst);
    unsigned first = x->type.lanes, all = first + y->type.lanes, longer = first > y->type.lanes ? first : y->type.lanes;
    uint8_t lanes[16];
    if (type->kind != SPV_VECTOR || inst->count - 2 != type->count ||
        !ir_type_eq(ir_with_lanes(x->type, 1), ir_with_lanes(y->type, 1)))
        reader_fail(r, "the vectors have different component types");
    for (unsigned i = 0; i < type->count; i++) {
        uint32_t lane = inst->words[2 + i];
        if (lane != UINT32_MAX && lane >= all)
            reader_fail(r, "component %u is out of range (%u)", lane, all);
        lanes[i] = lane == UINT32_MAX ? 255 : (uint8_t)(lane < first ? lane : lane - first + longer);
    }
    y = lengthened(r, y, longer);
    reader_result(r, inst, ir_shuffle(&r->b, lengthened(r, x, longer), y, lanes, type->ir.lanes));
}

// ---- places in structs and arrays ----------------------------------------------------------------

struct place {
    const struct spv_type *type;
    uint64_t offset;
    uint32_t align;
};

static struct place subplace(struct reader *r, struct place composite, uint32_t index)
{
    const struct spv_type *type = composite.type;
    if ((type->kind != SPV_VECTOR && !spv_is_record(type)) || index >= type->count)
        reader_fail(r, "type %u has no member %u", type->id, index);
    bool member = type->kind == SPV_STRUCT;
    struct place place = {.type = member ? type->members[index] : type->elem};
    uint64_t offset = member ? type->offsets[index] : index * type->elem->size, low = offset & (0 - offset);
    place.offset = composite.offset + offset;
    place.align = low && low < composite.align ? (uint32_t)low : composite.align;
    return place;
}

static struct ir_instr *at_place(struct reader *r, struct ir_instr *base, const struct place *place)
{
    return ir_ptr_index(&r->b, base, NULL, 0, (int64_t)place->offset);
}

static struct place place_of(const struct spv_type *type)
{
    return (struct place){.type = type, .align = type->align};
}

// ---- building ------------------------------------------------------------------------------------

static struct ir_instr *construct_vector(struct reader *r, const struct spv_inst *inst, const struct spv_type *type)
{
    struct ir_instr *lanes[16];
    uint32_t count = 0;
    for (uint32_t i = 0; i < inst->count; i++) {
        struct ir_instr *x = reader_value(r, inst->words[i]);
        if (!ir_type_eq(ir_with_lanes(x->type, 1), type->elem->ir) || count + x->type.lanes > type->count)
            reader_fail(r, "constituent %u does not fit into the vector", i);
        for (unsigned k = 0; k < x->type.lanes; k++)
            lanes[count++] = ir_extract(&r->b, x, k);
    }
    if (count != type->count)
        reader_fail(r, "%u components for a vector of %u", count, (unsigned)type->count);
    return ir_vec(&r->b, lanes, count);
}

static void store_part(struct reader *r, struct ir_instr *base, const struct place *place, uint32_t id)
{
    if (reader_type_of(r, id) != place->type)
        reader_fail(r, "id %u does not have the member's type", id);
    struct ir_instr *value = reader_value(r, id), *at = at_place(r, base, place);
    reader_store(r, place->type, at, value, reader_mem(at, place->align));
}

static struct ir_instr *construct_record(struct reader *r, const struct spv_inst *inst, const struct spv_type *type)
{
    if (inst->count != type->count)
        reader_fail(r, "%u constituents for a type of %llu", inst->count, (unsigned long long)type->count);
    struct ir_instr *base = reader_temporary(r, type, "composite");
    for (uint32_t i = 0; i < inst->count; i++) {
        struct place place = subplace(r, place_of(type), i);
        store_part(r, base, &place, inst->words[i]);
    }
    return base;
}

void reader_composite_construct(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_result_type(r, inst);
    if (type->kind == SPV_MATRIX) {
        if (inst->count != 1)
            reader_fail(r, "a cooperative matrix is constructed from one scalar");
        reader_result(r, inst, reader_splat(r, type, reader_value(r, inst->words[0])));
        return;
    }
    if (type->kind != SPV_VECTOR && !spv_is_record(type))
        reader_fail(r, "type %u is not a composite type", type->id);
    reader_result(r, inst, type->kind == SPV_VECTOR ? construct_vector(r, inst, type) : construct_record(r, inst, type));
}

// ---- extraction ----------------------------------------------------------------------------------

// Members of a constant are known without a load.
static uint32_t constant_part(struct reader *r, uint32_t id, const uint32_t **indexes, uint32_t *count)
{
    for (;; ++*indexes, --*count) {
        const struct spv_id *entry = reader_id(r, id);
        bool has_parts = *count && entry->kind == SPV_ID_CONSTANT && entry->constant->parts;
        if (!has_parts || **indexes >= entry->type->count)
            return id;
        id = entry->constant->parts[**indexes];
    }
}

// Extracting one lane of a built-in variable is cheaper than computing all lanes.
static bool extract_builtin(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_id *composite = reader_id(r, inst->words[0]);
    bool lane = composite->kind == SPV_ID_BUILTIN && inst->count == 2 && inst->words[1] < composite->type->ir.lanes;
    if (lane)
        reader_result(r, inst, reader_builtin_value(r, composite->variable, inst->words[1]));
    return lane;
}

void reader_composite_extract(struct reader *r, const struct spv_inst *inst)
{
    if (extract_builtin(r, inst))
        return;
    const uint32_t *indexes = inst->words + 1;
    uint32_t count = inst->count - 1, id = constant_part(r, inst->words[0], &indexes, &count);
    struct place place = place_of(reader_type_of(r, id)), next;
    struct ir_instr *x = reader_value(r, id);
    for (; count && spv_is_record(place.type); indexes++, count--)
        place = subplace(r, place, *indexes);
    if (spv_is_record(reader_type_of(r, id))) {
        x = at_place(r, x, &place);
        if (!spv_is_record(place.type))
            x = reader_load(r, place.type, x, reader_mem(x, place.align));
    }
    if (count && place.type->kind == SPV_MATRIX) {
        x = reader_matrix_get(r, x, ir_const_int(r->module, ir_int(32), *indexes));
        place = place_of(place.type->elem);
        count--;
    } else if (count) {
        next = subplace(r, place, *indexes);
        x = ir_extract(&r->b, x, *indexes);
        place = next;
        count--;
    }
    if (count || reader_result_type(r, inst) != place.type)
        reader_fail(r, "the member does not have the result type");
    reader_result(r, inst, x);
}

// ---- insertion -----------------------------------------------------------------------------------

static struct ir_instr *insert_lane(struct reader *r, struct ir_instr *vector, struct ir_instr *x, uint32_t lane)
{
    if (lane >= vector->type.lanes || !ir_type_eq(x->type, ir_with_lanes(vector->type, 1)))
        reader_fail(r, "component %u cannot have this value", lane);
    return ir_insert(&r->b, vector, x, lane);
}

static struct ir_instr *set_component(struct reader *r, const struct spv_type *type, struct ir_instr *matrix, uint32_t id,
                                      uint32_t index)
{
    if (reader_type_of(r, id) != type->elem)
        reader_fail(r, "id %u does not have the member's type", id);
    return reader_matrix_set(r, matrix, reader_value(r, id), ir_const_int(r->module, ir_int(32), index));
}

void reader_composite_insert(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_type_of(r, inst->words[1]);
    const uint32_t *indexes = inst->words + 2;
    uint32_t count = inst->count - 2;
    struct ir_instr *composite = reader_value(r, inst->words[1]);
    if (type != reader_result_type(r, inst))
        reader_fail(r, "the composite does not have the result type");
    if (type->kind == SPV_VECTOR && count == 1) {
        reader_result(r, inst, insert_lane(r, composite, reader_value(r, inst->words[0]), indexes[0]));
        return;
    }
    if (type->kind == SPV_MATRIX && count == 1) {
        reader_result(r, inst, set_component(r, type, composite, inst->words[0], indexes[0]));
        return;
    }
    struct place place = place_of(type);
    for (; count && place.type->kind != SPV_MATRIX; indexes++, count--)
        place = subplace(r, place, *indexes);
    struct ir_instr *copy = reader_temporary(r, type, "composite");
    reader_store(r, type, copy, composite, reader_mem(copy, type->align));
    if (count == 1) {
        struct ir_instr *at = at_place(r, copy, &place);
        struct ir_instr *matrix = reader_load(r, place.type, at, reader_mem(at, place.align));
        matrix = set_component(r, place.type, matrix, inst->words[0], *indexes);
        reader_store(r, place.type, at, matrix, reader_mem(at, place.align));
    } else if (count) {
        reader_fail(r, "type %u is not a composite type", place.type->elem->id);
    } else {
        store_part(r, copy, &place, inst->words[0]);
    }
    reader_result(r, inst, copy);
}
