// SPDX-License-Identifier: Apache-2.0
// Types: representation of values in registers and layout in memory (OpenCL C 6.2.5; a packed struct has no padding).
#include "reader/reader.h"

enum { MOST_DEPTH = 255 };
#define MOST_BYTES (UINT64_C(1) << 40)

// ---- queries -------------------------------------------------------------------------------------

const struct spv_type *reader_type(struct reader *r, uint32_t id)
{
    return reader_id_of(r, id, SPV_ID_TYPE)->type;
}

const struct spv_type *reader_type_of(struct reader *r, uint32_t id)
{
    struct spv_id *entry = reader_id(r, id);
    struct spv_inst inst = {0};
    if (entry->kind == SPV_ID_NONE && entry->label) // defined later
        reader_decode(r, entry->at, &inst);
    if (inst.type && inst.result == id)
        return reader_type(r, inst.type);
    bool has_type = entry->kind == SPV_ID_CONSTANT || entry->kind == SPV_ID_VARIABLE || entry->kind == SPV_ID_VALUE ||
                    entry->kind == SPV_ID_BUILTIN;
    if (!has_type)
        reader_fail(r, "id %u is not a value, or is used before its definition", id);
    return entry->type;
}

uint64_t reader_constant(struct reader *r, uint32_t id)
{
    struct spv_id *entry = reader_id_of(r, id, SPV_ID_CONSTANT);
    const struct ir_instr *value = entry->constant->value;
    if (entry->type->kind != SPV_INT || !value || !ir_is_const(value))
        reader_fail(r, "id %u is not a constant integer", id);
    return value->lanes[0];
}

const struct spv_type *reader_result_type(struct reader *r, const struct spv_inst *inst)
{
    return reader_type(r, inst->type);
}

struct ir_type reader_memory_type(const struct spv_type *type)
{
    return type->ir.base == IR_BOOL ? ir_with_lanes(ir_int(8), type->ir.lanes) : type->ir;
}

enum ir_space reader_space(struct reader *r, uint32_t storage)
{
    switch (storage) {
    case SpvStorageClassFunction:
    case SpvStorageClassInput: // a copy of the built-in value
        return IR_PRIVATE;
    case SpvStorageClassWorkgroup:
        return IR_LOCAL;
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassDeviceOnlyINTEL: // the kind of global memory does not matter
    case SpvStorageClassHostOnlyINTEL:
        return IR_GLOBAL;
    case SpvStorageClassUniformConstant:
        return IR_CONSTANT;
    case SpvStorageClassGeneric:
        return IR_GENERIC;
    default:
        reader_fail(r, "storage class %u is not valid in OpenCL", storage);
    }
}

// ---- making --------------------------------------------------------------------------------------

static struct spv_type *add_type(struct reader *r, const struct spv_inst *inst, enum spv_kind kind, struct ir_type ir)
{
    struct spv_type *type = ARENA_NEW(r->work, struct spv_type);
    struct spv_id *entry = reader_id(r, inst->result);
    *type = (struct spv_type){.kind = kind, .id = inst->result, .ir = ir, .align = 1};
    entry->kind = SPV_ID_TYPE;
    entry->type = type;
    return type;
}

static void set_size(struct reader *r, struct spv_type *type, uint64_t size, uint32_t align)
{
    if (size > MOST_BYTES)
        reader_fail(r, "a type is larger than %llu bytes", (unsigned long long)MOST_BYTES);
    type->size = size;
    type->align = align;
}

static void set_depth(struct reader *r, struct spv_type *type, const struct spv_type *inner)
{
    if (inner->depth >= MOST_DEPTH)
        reader_fail(r, "types are nested more than %u deep", MOST_DEPTH);
    if (inner->depth >= type->depth)
        type->depth = (uint16_t)(inner->depth + 1);
    type->has_matrix |= inner->has_matrix;
}

void reader_type_plain(struct reader *r, const struct spv_inst *inst)
{
    static const uint8_t sizes[SPV_OPAQUE + 1] = {[SPV_BOOL] = 1, [SPV_SAMPLER] = 4, [SPV_EVENT] = 4, [SPV_OPAQUE] = 8};
    enum spv_kind kind = (enum spv_kind)inst->row->arg;
    struct ir_type ir = kind == SPV_VOID ? ir_void() : kind == SPV_BOOL ? ir_bool() : ir_int(32);
    struct spv_type *type = add_type(r, inst, kind, ir);
    if (sizes[kind])
        set_size(r, type, sizes[kind], sizes[kind]);
}

struct spv_type *reader_add_handle(struct reader *r, const struct spv_inst *inst, enum spv_kind kind, struct ir_type ir)
{
    struct spv_type *type = add_type(r, inst, kind, ir);
    set_size(r, type, ir.bits / 8u, ir.bits / 8u);
    return type;
}

void reader_add_matrix(struct reader *r, const struct spv_inst *inst, const struct spv_type *component, struct ir_type ir)
{
    struct spv_type *type = add_type(r, inst, SPV_MATRIX, ir);
    type->elem = component;
    type->has_matrix = true;
    set_size(r, type, ir_type_bytes(ir), component->align);
}

static void set_width(struct reader *r, struct spv_type *type, uint32_t bits, uint32_t least)
{
    if (bits > 64 || bits < least || bits & (bits - 1))
        reader_fail(r, "a width of %u bits is not supported", bits);
    type->ir.bits = (uint8_t)bits;
    set_size(r, type, bits / 8, bits / 8);
}

void reader_type_int(struct reader *r, const struct spv_inst *inst)
{
    struct spv_type *type = add_type(r, inst, SPV_INT, ir_int(32));
    uint32_t width = inst->words[0], bits = 8;
    if (!width || width > 64)
        reader_fail(r, "%u-bit integers are not supported", width);
    while (bits < width)
        bits *= 2;
    set_width(r, type, bits, 8);
    type->odd = width == bits ? 0 : (uint8_t)width;
    type->is_signed = inst->words[1] != 0;
}

// By enum SpvFPEncoding, which Debian 12's header lacks.
static enum ir_base small_format(struct reader *r, uint32_t bits, uint32_t encoding)
{
    static const struct {
        uint16_t bits, encoding;
        enum ir_base format;
    } all[] = {{16, 0, IR_BF16}, {8, 4214, IR_E4M3}, {8, 4215, IR_E5M2}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].bits == bits && all[i].encoding == encoding)
            return all[i].format;
    reader_fail(r, "floats other than IEEE 754, bfloat16, E4M3 and E5M2 are not supported");
}

void reader_type_float(struct reader *r, const struct spv_inst *inst)
{
    struct spv_type *type = add_type(r, inst, SPV_FLOAT, ir_float(32));
    if (inst->count > 1) {
        type->format = (uint8_t)small_format(r, inst->words[0], inst->words[1]);
        type->ir = ir_int(inst->words[0]);
        r->has_small_floats = true;
    }
    set_width(r, type, inst->words[0], inst->count > 1 ? 8 : 16);
}

static bool is_lane_count(uint32_t count)
{
    return count == 2 || count == 3 || count == 4 || count == 8 || count == 16;
}

void reader_type_vector(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *elem = reader_type(r, inst->words[0]);
    uint32_t lanes = inst->words[1];
    if (elem->kind != SPV_BOOL && elem->kind != SPV_INT && elem->kind != SPV_FLOAT)
        reader_fail(r, "the component type %u of a vector is not numerical", elem->id);
    if (!is_lane_count(lanes))
        reader_fail(r, "invalid vector of %u components", lanes);
    struct spv_type *type = add_type(r, inst, SPV_VECTOR, ir_with_lanes(elem->ir, lanes));
    uint32_t size = (uint32_t)elem->size * (lanes == 3 ? 4 : lanes);
    type->elem = elem;
    type->odd = elem->odd;
    type->format = elem->format;
    type->count = lanes;
    set_size(r, type, size, size);
    set_depth(r, type, elem);
}

void reader_type_image(struct reader *r, const struct spv_inst *inst)
{
    const uint32_t *w = inst->words;
    struct spv_type *type = add_type(r, inst, SPV_IMAGE, ir_int(32));
    if (!r->target->images)
        reader_fail(r, "the device does not support images");
    type->image.dim = w[1];
    type->image.depth = w[2] == 1;
    type->image.arrayed = w[3] != 0;
    type->image.access = inst->count > 7 ? w[7] : SpvAccessQualifierReadOnly;
    if (w[1] > SpvDimBuffer || w[1] == SpvDimCube || w[1] == SpvDimRect || type->image.access > SpvAccessQualifierReadWrite)
        reader_fail(r, "the image type is not valid in OpenCL");
    if (w[4])
        reader_fail(r, "multisampled images are not supported");
    set_size(r, type, 4, 4);
}

void reader_type_sampled_image(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *image = reader_type(r, inst->words[0]);
    if (image->kind != SPV_IMAGE)
        reader_fail(r, "type %u is not an image type", image->id);
    struct spv_type *type = add_type(r, inst, SPV_SAMPLED_IMAGE, ir_with_lanes(ir_int(32), 2));
    type->elem = image;
    set_size(r, type, 8, 8);
}

static const struct spv_type *stored_type(struct reader *r, uint32_t id)
{
    const struct spv_type *type = reader_type(r, id);
    if (type->kind == SPV_VOID || type->kind == SPV_FUNCTION)
        reader_fail(r, "type %u cannot be in memory", id);
    return type;
}

void reader_type_array(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *elem = stored_type(r, inst->words[0]);
    struct spv_type *type = add_type(r, inst, SPV_ARRAY, ir_void());
    uint64_t size;
    type->elem = elem;
    type->count = reader_constant(r, inst->words[1]);
    if (__builtin_mul_overflow(elem->size, type->count, &size))
        size = UINT64_MAX;
    set_size(r, type, size, elem->align);
    set_depth(r, type, elem);
}

// Sets the members' offsets.
static void lay_out(struct reader *r, struct spv_type *type)
{
    uint64_t at = 0;
    uint32_t align = 1;
    for (uint64_t i = 0; i < type->count; i++) {
        const struct spv_type *member = type->members[i];
        uint32_t own = type->packed ? 1 : member->align;
        at = (at + own - 1) & ~(uint64_t)(own - 1);
        type->offsets[i] = at;
        at += member->size;
        align = own > align ? own : align;
        set_size(r, type, at, align);
        set_depth(r, type, member);
    }
    set_size(r, type, (at + align - 1) & ~(uint64_t)(align - 1), align);
}

void reader_type_struct(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type **members = ARENA_ARRAY(r->work, const struct spv_type *, inst->count + 1);
    for (uint32_t i = 0; i < inst->count; i++)
        members[i] = stored_type(r, inst->words[i]);
    struct spv_type *type = add_type(r, inst, SPV_STRUCT, ir_void());
    type->count = inst->count;
    type->members = members;
    type->offsets = ARENA_ARRAY(r->work, uint64_t, inst->count + 1);
    type->packed = reader_decoration(r, inst->result, SpvDecorationCPacked) != NULL;
    lay_out(r, type);
}

// ---- pointers and functions ----------------------------------------------------------------------

static struct spv_type *add_pointer(struct reader *r, const struct spv_inst *inst, uint32_t storage)
{
    struct spv_type *type = add_type(r, inst, SPV_POINTER, ir_ptr(kc_pointer_bytes(r->target), reader_space(r, storage)));
    type->storage = storage;
    set_size(r, type, type->ir.bits / 8u, type->ir.bits / 8u);
    return type;
}

// The pointer's own instruction follows once its pointee is known.
void reader_type_forward_pointer(struct reader *r, const struct spv_inst *inst)
{
    struct spv_inst made = *inst;
    made.result = inst->words[0];
    if (reader_id(r, made.result)->kind)
        reader_fail(r, "id %u is not a forward pointer", made.result);
    add_pointer(r, &made, inst->words[1]);
}

void reader_type_pointer(struct reader *r, const struct spv_inst *inst)
{
    struct spv_id *entry = reader_id(r, inst->result);
    struct spv_type *type = (struct spv_type *)entry->type;
    const struct spv_type *elem = reader_type(r, inst->words[1]);
    if (!type)
        type = add_pointer(r, inst, inst->words[0]);
    else if (type->storage != inst->words[0])
        reader_fail(r, "the forward declaration has storage class %u", type->storage);
    if (elem->kind == SPV_FUNCTION)
        reader_fail(r, "function pointers are not supported");
    if (elem->has_matrix && type->storage != SpvStorageClassFunction)
        reader_fail(r, "a cooperative matrix cannot be in storage class %u", type->storage);
    type->elem = elem;
}

void reader_type_untyped_pointer(struct reader *r, const struct spv_inst *inst)
{
    add_pointer(r, inst, inst->words[0]);
}

void reader_type_function(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *result = reader_type(r, inst->words[0]);
    struct spv_type *type = add_type(r, inst, SPV_FUNCTION, ir_void());
    if (result->kind == SPV_FUNCTION)
        reader_fail(r, "a function cannot return a function");
    type->elem = result;
    type->has_matrix = result->has_matrix;
    type->count = inst->count - 1;
    type->members = ARENA_ARRAY(r->work, const struct spv_type *, inst->count);
    for (uint32_t i = 1; i < inst->count; i++) {
        type->members[i - 1] = stored_type(r, inst->words[i]);
        type->has_matrix |= type->members[i - 1]->has_matrix;
    }
}
