// SPDX-License-Identifier: Apache-2.0
// C types -> IR types, and places: tracks alignment and aliasing as fields and elements are selected.
#include "gen/gen_internal.h"
#include "util/stack.h"

static const uint8_t scalar_bits[TYPE_KIND_COUNT] = {
    [TYPE_CHAR] = 8,  [TYPE_UCHAR] = 8,  [TYPE_SHORT] = 16, [TYPE_USHORT] = 16, [TYPE_INT] = 32,   [TYPE_UINT] = 32,
    [TYPE_LONG] = 64, [TYPE_ULONG] = 64, [TYPE_HALF] = 16,  [TYPE_FLOAT] = 32,  [TYPE_DOUBLE] = 64,
    [TYPE_BF16] = 16, [TYPE_E4M3] = 8,   [TYPE_E5M2] = 8};

// Other types may alias everything, as in clang.
static const uint8_t effective_types[TYPE_KIND_COUNT] = {
    [TYPE_SHORT] = IR_AS_I16, [TYPE_USHORT] = IR_AS_I16, [TYPE_INT] = IR_AS_I32, [TYPE_UINT] = IR_AS_I32,
    [TYPE_LONG] = IR_AS_I64,  [TYPE_ULONG] = IR_AS_I64,  [TYPE_HALF] = IR_AS_F16, [TYPE_FLOAT] = IR_AS_F32,
    [TYPE_DOUBLE] = IR_AS_F64, [TYPE_POINTER] = IR_AS_PTR};

_Static_assert(TYPE_E5M2 - TYPE_BF16 == (int)IR_E5M2 - (int)IR_BF16, "types and the IR's formats stand in one order");

enum ir_base gen_format(const struct type *type) { return (enum ir_base)(IR_BF16 + (type->kind - TYPE_BF16)); }

static struct ir_type component_type(const struct type *type)
{
    return type_is_small_float(type) ? ir_small_float(gen_format(type)) : gen_type(type);
}

struct ir_type gen_type(const struct type *type)
{
    stack_check();
    switch (type->kind) {
    case TYPE_BOOL:
        return ir_bool();
    case TYPE_HALF:
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        return ir_float(scalar_bits[type->kind]);
    case TYPE_VECTOR:
        return ir_with_lanes(gen_type(type->elem.type), (unsigned)type->count);
    case TYPE_POINTER:
        return ir_ptr((uint32_t)type->size, (enum ir_space)type->elem.space);
    case TYPE_ENUM:
        return gen_type(type->elem.type);
    case TYPE_MATRIX:
        return ir_matrix(component_type(type->elem.type), type->rows, type->columns, (enum ir_use)type->use);
    case TYPE_OPAQUE: // events have no content, queues hold command numbers, reservations are numbers
        if (type->opaque == OPAQUE_PIPE)
            return ir_ptr((uint32_t)type->size, IR_GLOBAL);
        return ir_int(type->opaque >= OPAQUE_QUEUE && type->opaque <= OPAQUE_RESERVE_ID ? 64 : 32);
    default:
        return scalar_bits[type->kind] ? ir_int(scalar_bits[type->kind]) : ir_void();
    }
}

struct ir_type gen_memory_type(const struct type *type)
{
    struct ir_type result = gen_type(type);
    return result.base == IR_BOOL ? ir_with_lanes(ir_int(8), result.lanes) : result;
}

static struct ir_instr *resize_vector(struct gen *gen, struct ir_instr *x, unsigned lanes)
{
    static const uint8_t order[4] = {0, 1, 2, 255};
    return ir_shuffle(&gen->b, x, x, order, lanes);
}

// A vector of three lanes has the size of one of four.
struct ir_instr *gen_as(struct gen *gen, struct ir_instr *x, struct ir_type to)
{
    stack_check();
    if (x->type.lanes == 3 && to.lanes != 3)
        x = resize_vector(gen, x, 4);
    if (to.lanes == 3 && x->type.lanes != 3) {
        x = gen_as(gen, x, ir_with_lanes(to, 4));
        return resize_vector(gen, x, 3);
    }
    return ir_type_eq(x->type, to) ? x : ir_convert(&gen->b, IR_OP_bitcast, to, x);
}

struct gen_place gen_place_at(struct gen *gen, struct ir_instr *address, struct qtype type, uint32_t align)
{
    return (struct gen_place){.address = address,
                              .type = type,
                              .align = align ? align : qtype_align(type) ? qtype_align(type) : 1,
                              .any_type = gen->options->any_types || gen->ast->may_alias,
                              .is_volatile = (type.quals & QUAL_VOLATILE) != 0};
}

struct ir_mem gen_mem(const struct gen_place *place)
{
    bool any = place->any_type || place->vector || place->matrix;
    return (struct ir_mem){.space = place->address->type.space,
                           .is_volatile = place->is_volatile,
                           .effective = any ? IR_AS_ANY : effective_types[place->type.type->kind] & 7,
                           .align = place->align};
}

struct gen_place gen_place_field(struct gen *gen, struct gen_place base, uint64_t offset, struct qtype type)
{
    struct gen_place place = base;
    place.address = ir_ptr_index(&gen->b, base.address, NULL, 0, (int64_t)offset);
    place.type = type;
    place.vector = NULL;
    place.component = NULL;
    place.is_volatile |= (type.quals & QUAL_VOLATILE) != 0;
    uint64_t low_bit = offset & (~offset + 1);
    if (offset && low_bit < place.align)
        place.align = (uint32_t)low_bit;
    return place;
}

void gen_unsupported(struct gen *gen, struct loc loc, const char *what)
{
    diag_error(gen->diag, loc, "%s is not implemented yet", what);
}

uint32_t gen_at(struct gen *gen, struct loc loc)
{
    uint32_t before = gen->b.origin;
    gen->b.origin = diag_place(gen->diag, loc);
    return before;
}
