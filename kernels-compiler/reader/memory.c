// SPDX-License-Identifier: Apache-2.0
// Loads, stores, copies, and address computation.
#include "reader/reader.h"

#define SPV_ALIGN_MOST (1u << 16)

// ---- memory operands -----------------------------------------------------------------------------

struct ir_mem reader_memory_operands(struct reader *r, const struct ir_instr *address, uint32_t pointer, uint32_t align,
                                     const uint32_t *words, uint32_t count, uint32_t *used)
{
    uint32_t mask = count ? words[0] : 0;
    struct ir_mem mem = reader_mem(address, align);
    *used = count ? 1 : 0;
    mem.is_volatile = mask & SpvMemoryAccessVolatileMask || reader_decoration(r, pointer, SpvDecorationVolatile);
    if (mask & SpvMemoryAccessAlignedMask) {
        mem.align = words[(*used)++];
        if (!mem.align || mem.align & (mem.align - 1))
            reader_fail(r, "invalid alignment of %u bytes", mem.align);
        if (mem.align > SPV_ALIGN_MOST)
            mem.align = SPV_ALIGN_MOST;
    }
    for (uint32_t bits = mask & ~(uint32_t)7; bits; bits &= bits - 1)
        *used += (bits & (0 - bits)) != SpvMemoryAccessNonPrivatePointerMask;
    return mem;
}

static struct ir_instr *pointer_value(struct reader *r, uint32_t id)
{
    if (reader_type_of(r, id)->kind != SPV_POINTER)
        reader_fail(r, "id %u is not a pointer", id);
    return reader_value(r, id);
}

static const struct spv_type *stored(struct reader *r, const struct spv_type *type)
{
    if (type->kind == SPV_VOID || type->kind == SPV_FUNCTION)
        reader_fail(r, "type %u cannot be in memory", type->id);
    return type;
}

// ---- loads and stores ----------------------------------------------------------------------------

// Samplers of the module are constants, although they are declared as variables.
static bool load_constant(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_id *pointer = reader_id(r, inst->words[0]);
    bool known = pointer->kind == SPV_ID_VARIABLE && pointer->variable->initializer &&
                 pointer->variable->pointer->storage == SpvStorageClassUniformConstant &&
                 reader_result_type(r, inst)->kind == SPV_SAMPLER;
    if (known)
        reader_result(r, inst, reader_value(r, pointer->variable->initializer));
    return known;
}

// A load of a built-in variable is deferred to the uses, because the value does not change.
static bool load_builtin(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_id *pointer = reader_id(r, inst->words[0]);
    struct spv_id *result = reader_id(r, inst->result);
    const struct spv_type *type = reader_result_type(r, inst);
    bool is_built_in = pointer->kind == SPV_ID_VARIABLE && pointer->variable->type == type && !spv_is_record(type) &&
                       spv_is_built_in(pointer->variable) && !result->home;
    if (!is_built_in)
        return false;
    result->kind = SPV_ID_BUILTIN;
    result->type = type;
    result->variable = pointer->variable;
    return true;
}

// Access to a component of a matrix in memory: the loaded matrix and the component's index.
struct component {
    struct ir_instr *address, *matrix, *index;
    struct ir_mem mem;
};

static struct component component_of(struct reader *r, const struct spv_inst *inst, const struct spv_type *type, uint32_t operands)
{
    const struct spv_component *c = reader_id(r, inst->words[0])->component;
    struct ir_instr *address = reader_any_value(r, inst->words[0]);
    uint32_t used;
    if (type != c->matrix->elem)
        reader_fail(r, "the component type of the cooperative matrix is %u", c->matrix->elem->id);
    struct ir_mem mem = reader_memory_operands(r, address, inst->words[0], c->matrix->align, inst->words + operands,
                                               inst->count - operands, &used);
    mem.align = c->align; // the operands' alignment is that of the component, not of the matrix
    return (struct component){address, ir_load(&r->b, c->matrix->ir, address, mem), reader_component_index(r, c), mem};
}

static bool load_component(struct reader *r, const struct spv_inst *inst)
{
    if (!reader_id(r, inst->words[0])->component)
        return false;
    struct component c = component_of(r, inst, reader_result_type(r, inst), 1);
    reader_result(r, inst, reader_matrix_get(r, c.matrix, c.index));
    return true;
}

static bool store_component(struct reader *r, const struct spv_inst *inst, const struct spv_type *type)
{
    if (!reader_id(r, inst->words[0])->component)
        return false;
    struct component c = component_of(r, inst, type, 2);
    ir_store(&r->b, c.address, reader_matrix_set(r, c.matrix, reader_value(r, inst->words[1]), c.index), c.mem);
    return true;
}

// A matrix has no byte representation: its memory must not be accessed with another type. Untyped pointers may point
// anywhere.
static void check_matrix_place(struct reader *r, const struct spv_type *type, uint32_t pointer, const struct ir_instr *address)
{
    const struct spv_type *to = reader_type_of(r, pointer), *elem = to->kind == SPV_POINTER ? to->elem : NULL;
    if (type->has_matrix && address->type.space != IR_PRIVATE)
        reader_fail(r, "a cooperative matrix must be in private memory");
    if (elem && (type->kind == SPV_MATRIX || elem->kind == SPV_MATRIX) && !ir_type_eq(type->ir, elem->ir))
        reader_fail(r, "id %u does not point to type %u, and one of them is a cooperative matrix", pointer, type->id);
}

void reader_load_from(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = stored(r, reader_result_type(r, inst));
    uint32_t used;
    if (load_constant(r, inst) || load_builtin(r, inst) || load_component(r, inst))
        return;
    struct ir_instr *address = pointer_value(r, inst->words[0]);
    struct ir_mem mem =
        reader_memory_operands(r, address, inst->words[0], type->align, inst->words + 1, inst->count - 1, &used);
    check_matrix_place(r, type, inst->words[0], address);
    reader_result(r, inst, type->odd ? reader_load_odd(r, type, address, mem) : reader_load(r, type, address, mem));
}

void reader_store_to(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = stored(r, reader_type_of(r, inst->words[1]));
    uint32_t used;
    if (store_component(r, inst, type))
        return;
    struct ir_instr *address = pointer_value(r, inst->words[0]), *value = reader_value(r, inst->words[1]);
    struct ir_mem mem =
        reader_memory_operands(r, address, inst->words[0], type->align, inst->words + 2, inst->count - 2, &used);
    check_matrix_place(r, type, inst->words[0], address);
    if (type->odd)
        reader_store_odd(r, type, address, value, mem);
    else
        reader_store(r, type, address, value, mem);
}

// ---- copies --------------------------------------------------------------------------------------

struct copy {
    struct ir_instr *to, *from;
    struct ir_mem mem_to, mem_from;
};

// Two sets of memory operands: for the target, then for the source. A single set applies to both.
static struct copy copy_of(struct reader *r, const struct spv_inst *inst, uint32_t operands, uint32_t align)
{
    const uint32_t *w = inst->words + operands;
    uint32_t count = inst->count - operands, used, more;
    struct copy c = {pointer_value(r, inst->words[0]), pointer_value(r, inst->words[1]), {0}, {0}};
    c.mem_to = reader_memory_operands(r, c.to, inst->words[0], align, w, count, &used);
    if (used < count)
        w += used, count -= used;
    c.mem_from = reader_memory_operands(r, c.from, inst->words[1], align, w, count, &more);
    return c;
}

void reader_copy_memory(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_type_of(r, inst->words[0])->elem;
    if (!type || type != reader_type_of(r, inst->words[1])->elem)
        reader_fail(r, "the pointers have different pointee types");
    struct copy c = copy_of(r, inst, 2, stored(r, type)->align);
    if (type->kind == SPV_MATRIX)
        ir_store(&r->b, c.to, ir_load(&r->b, type->ir, c.from, c.mem_from), c.mem_to);
    else if (type->size)
        ir_copy(&r->b, c.to, c.from, type->size, c.mem_to, c.mem_from);
}

// Copies a byte in each iteration.
static void copy_loop(struct reader *r, const struct copy *c, struct ir_instr *size)
{
    struct ir_builder *b = &r->b;
    struct ir_instr *i = ir_addr(r->module, ir_var_add(r->module, b->function, "i", IR_PRIVATE, 8, 8));
    struct ir_mem mem_i = reader_mem(i, 8), to = reader_mem(c->to, 1), from = reader_mem(c->from, 1);
    to.is_volatile = c->mem_to.is_volatile;
    from.is_volatile = c->mem_from.is_volatile;
    ir_store(b, i, ir_const_int(r->module, ir_int(64), 0), mem_i);
    struct ir_loop *loop = ir_add_loop(b);
    ir_place_end(b, &loop->body);
    struct ir_instr *at = ir_load(b, ir_int(64), i, mem_i);
    struct ir_if *end = ir_add_if(b, ir_op2(b, IR_OP_ule, size, at));
    ir_place_end(b, &end->then_list);
    ir_jump(b, IR_OP_break, NULL);
    ir_place_after(b, &end->node);
    struct ir_instr *byte = ir_load(b, ir_int(8), ir_ptr_index(b, c->from, at, 1, 0), from);
    ir_store(b, ir_ptr_index(b, c->to, at, 1, 0), byte, to);
    ir_place_end(b, &loop->cont);
    struct ir_instr *next = ir_op2(b, IR_OP_iadd, ir_load(b, ir_int(64), i, mem_i), ir_const_int(r->module, ir_int(64), 1));
    ir_store(b, i, next, mem_i);
    ir_place_after(b, &loop->node);
}

void reader_copy_memory_sized(struct reader *r, const struct spv_inst *inst)
{
    struct copy c = copy_of(r, inst, 3, 1);
    struct ir_instr *size = reader_to_i64(r, reader_value(r, inst->words[2]), false);
    if (!ir_is_const(size))
        copy_loop(r, &c, size);
    else if (size->lanes[0] > INT32_MAX)
        reader_fail(r, "invalid copy of %llu bytes", (unsigned long long)size->lanes[0]);
    else if (size->lanes[0])
        ir_copy(&r->b, c.to, c.from, size->lanes[0], c.mem_to, c.mem_from);
}

void reader_size_of(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_type_of(r, inst->words[0])->elem;
    struct ir_type to = reader_result_type(r, inst)->ir;
    if (!type || to.base != IR_INT)
        reader_fail(r, "the operand is not a pointer, or the result is not an integer");
    reader_result(r, inst, ir_const_int(r->module, to, stored(r, type)->size));
}

// ---- addresses -----------------------------------------------------------------------------------

static bool constant_index(struct reader *r, uint32_t id, int64_t *value)
{
    struct ir_instr *x = reader_to_i64(r, reader_signed_value(r, id), true);
    *value = ir_is_const(x) ? (int64_t)x->lanes[0] : 0;
    return ir_is_const(x);
}

struct chain {
    struct ir_instr *address;
    const struct spv_type *type;
    uint64_t offset; // accumulated, not added yet
    const struct spv_type *matrix; // the matrix if the chain ends at one of its components, else NULL
    struct ir_instr *component;    // the component's index
};

// Indexes are signed and of any width.
static void step(struct reader *r, struct chain *c, uint32_t id, uint64_t stride)
{
    int64_t index;
    if (constant_index(r, id, &index)) {
        c->offset += (uint64_t)index * stride;
        return;
    }
    struct ir_instr *x = reader_to_i64(r, reader_signed_value(r, id), true);
    c->address = ir_ptr_index(&r->b, c->address, x, (int64_t)stride, 0);
}

static void step_into(struct reader *r, struct chain *c, uint32_t id)
{
    const struct spv_type *type = c->type;
    int64_t index = 0;
    if (type->kind == SPV_VECTOR || type->kind == SPV_ARRAY) {
        c->type = type->elem;
        step(r, c, id, c->type->size);
        return;
    }
    if (type->kind == SPV_MATRIX) {
        struct ir_instr *x = reader_to_i64(r, reader_signed_value(r, id), true);
        c->component = ir_convert(&r->b, IR_OP_trunc, ir_int(32), x);
        c->matrix = type;
        c->type = type->elem;
        return;
    }
    if (type->kind != SPV_STRUCT || !constant_index(r, id, &index) || index < 0 || (uint64_t)index >= type->count)
        reader_fail(r, "type %u has no member %lld", type->id, (long long)index);
    c->offset += type->offsets[index];
    c->type = type->members[index];
}

// llvm-spirv translates LLVM's byte offsets from a variable of another type without the cast: the result type gives
// the intended size.
static uint64_t element_size(struct reader *r, const struct spv_inst *inst, const struct spv_type *type, bool is_all)
{
    const struct spv_type *result = reader_result_type(r, inst)->elem;
    bool result_decides = is_all && result && !(inst->row->arg & SPV_UNTYPED);
    return result_decides ? stored(r, result)->size : type->size;
}

void reader_access_chain(struct reader *r, const struct spv_inst *inst)
{
    const uint32_t *w = inst->words, *end = w + inst->count;
    const struct spv_type *untyped = inst->row->arg & SPV_UNTYPED ? reader_type(r, *w++) : NULL;
    struct chain c = {pointer_value(r, *w), untyped ? untyped : reader_type_of(r, *w)->elem, 0, NULL, NULL};
    w++;
    if (!c.type)
        reader_fail(r, "the pointer has no pointee type");
    if (inst->row->arg & SPV_ELEMENT)
        step(r, &c, *w, element_size(r, inst, stored(r, c.type), w + 1 == end)), w++;
    for (; w < end; w++)
        step_into(r, &c, *w);
    if (c.matrix)
        reader_point_to_component(r, inst->result, c.matrix, c.component);
    reader_result(r, inst, c.offset ? ir_ptr_index(&r->b, c.address, NULL, 0, (int64_t)c.offset) : c.address);
}

// ---- pointers as numbers -------------------------------------------------------------------------

void reader_pointer_compare(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *src[] = {pointer_value(r, inst->words[0]), pointer_value(r, inst->words[1])};
    reader_result(r, inst, reader_build(r, (enum ir_op)inst->row->arg, ir_bool(), src, 2));
}

// Difference in elements.
void reader_pointer_difference(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *elem = reader_type_of(r, inst->words[0])->elem;
    struct ir_type to = reader_result_type(r, inst)->ir;
    struct ir_instr *x = pointer_value(r, inst->words[0]), *y = pointer_value(r, inst->words[1]);
    if (!elem || !elem->size || to.base != IR_INT || to.lanes != 1)
        reader_fail(r, "the pointee types have no known size");
    x = ir_convert(&r->b, IR_OP_ptr_to_int, ir_int(64), x);
    y = ir_convert(&r->b, IR_OP_ptr_to_int, ir_int(64), y);
    x = ir_op2(&r->b, IR_OP_isub, x, y);
    x = ir_op2(&r->b, IR_OP_sdiv, x, ir_const_int(r->module, ir_int(64), elem->size));
    reader_result(r, inst, to.bits == 64 ? x : ir_convert(&r->b, IR_OP_trunc, to, x));
}
