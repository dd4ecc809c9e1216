// SPDX-License-Identifier: Apache-2.0
// Vector loads and stores (6.15.7), shuffles (6.15.13) and asynchronous copies (6.15.11).
//
// vloadn and vstoren need the alignment of an element, vloada_half and vstorea_half that of the vector.
#include "gen/gen_internal.h"

// The address of vector number `offset`; consecutive vectors are `stride_bytes` apart.
static struct ir_instr *vector_address(struct gen *gen, struct ir_instr *pointer, struct ir_instr *offset,
                                       uint64_t stride_bytes)
{
    return ir_ptr_index(&gen->b, pointer, offset, (int64_t)stride_bytes, 0);
}

static struct ir_mem unaligned(const struct ir_instr *pointer, uint32_t align)
{
    return (struct ir_mem){.space = pointer->type.space, .align = align};
}

static struct ir_instr *vload(struct gen *gen, struct gen_args *args)
{
    struct ir_type type = gen_type(args->type);
    struct ir_instr *address = vector_address(gen, args->x[1], args->x[0], ir_type_bytes(type));
    return ir_load(&gen->b, type, address, unaligned(address, type.bits / 8u));
}

static struct ir_instr *vstore(struct gen *gen, struct gen_args *args)
{
    struct ir_type type = args->x[0]->type;
    struct ir_instr *address = vector_address(gen, args->x[2], args->x[1], ir_type_bytes(type));
    ir_store(&gen->b, address, args->x[0], unaligned(address, type.bits / 8u));
    return NULL;
}

static uint32_t half_stride(const struct gen_args *args, unsigned lanes)
{
    bool aligned = args->builtin->op & VECTOR_ALIGNED;
    return 2 * (aligned && lanes == 3 ? 4 : lanes);
}

static struct ir_instr *vload_half(struct gen *gen, struct gen_args *args)
{
    struct ir_type type = gen_type(args->type);
    struct ir_type half = ir_with_lanes(ir_float(16), type.lanes);
    uint32_t stride = half_stride(args, type.lanes);
    struct ir_instr *address = vector_address(gen, args->x[1], args->x[0], stride);
    uint32_t align = args->builtin->op & VECTOR_ALIGNED ? stride : 2;
    return ir_convert(&gen->b, IR_OP_f2f, type, ir_load(&gen->b, half, address, unaligned(address, align)));
}

static struct ir_instr *vstore_half(struct gen *gen, struct gen_args *args)
{
    unsigned rounding = args->builtin->op & 7;
    struct ir_type half = ir_with_lanes(ir_float(16), args->x[0]->type.lanes);
    struct ir_instr *value = rounding > ROUND_RTE ? gen_to_float_rounded(gen, args->x[0], true, half, rounding)
                                                  : ir_convert(&gen->b, IR_OP_f2f, half, args->x[0]);
    uint32_t stride = half_stride(args, half.lanes);
    struct ir_instr *address = vector_address(gen, args->x[2], args->x[1], stride);
    uint32_t align = args->builtin->op & VECTOR_ALIGNED ? stride : 2;
    ir_store(&gen->b, address, value, unaligned(address, align));
    return NULL;
}

// ---- shuffles ------------------------------------------------------------------------------------

// Lane `index`, modulo the number of lanes of x, or of x and y together if there is a y.
static struct ir_instr *pick(struct gen *gen, struct ir_instr *x, struct ir_instr *y, struct ir_instr *index)
{
    struct ir_builder *b = &gen->b;
    struct ir_module *m = gen->module;
    struct ir_type scalar = ir_with_lanes(x->type, 1);
    unsigned lanes = x->type.lanes;
    struct ir_type i32 = ir_int(32);
    if (index->type.bits != 32)
        index = ir_convert(b, index->type.bits > 32 ? IR_OP_trunc : IR_OP_zext, i32, index);
    struct ir_instr *lane = ir_op2(b, IR_OP_and, index, ir_const_int(m, i32, lanes - 1));
    struct ir_instr *from_x[2] = {x, lane};
    struct ir_instr *value = ir_build(b, IR_OP_extract_dyn, scalar, from_x, 2);
    if (!y)
        return value;
    struct ir_instr *from_y[2] = {y, lane};
    struct ir_instr *other = ir_build(b, IR_OP_extract_dyn, scalar, from_y, 2);
    struct ir_instr *high = ir_op2(b, IR_OP_and, index, ir_const_int(m, i32, lanes));
    return ir_select(b, ir_op2(b, IR_OP_ine, high, ir_const_int(m, i32, 0)), other, value);
}

static struct ir_instr *shuffle_lanes(struct gen *gen, struct ir_instr *x, struct ir_instr *y, struct ir_instr *order)
{
    unsigned lanes = order->type.lanes;
    if (ir_is_const(order)) {
        uint8_t chosen[16];
        unsigned wrap = x->type.lanes * (y ? 2 : 1) - 1;
        for (unsigned i = 0; i < lanes && i < sizeof chosen; i++)
            chosen[i] = (uint8_t)(order->lanes[i] & wrap);
        return ir_shuffle(&gen->b, x, y ? y : x, chosen, lanes);
    }
    struct ir_instr *picked[16];
    for (unsigned i = 0; i < lanes; i++)
        picked[i] = pick(gen, x, y, ir_extract(&gen->b, order, i));
    return ir_vec(&gen->b, picked, lanes);
}

static struct ir_instr *shuffle(struct gen *gen, struct gen_args *args)
{
    return shuffle_lanes(gen, args->x[0], NULL, args->x[1]);
}

static struct ir_instr *shuffle2(struct gen *gen, struct gen_args *args)
{
    return shuffle_lanes(gen, args->x[0], args->x[1], args->x[2]);
}

// ---- asynchronous copies -------------------------------------------------------------------------

static struct ir_instr *prefetch(struct gen *gen, struct gen_args *args)
{
    (void)gen, (void)args; // a hint; Vulkan has no equivalent
    return NULL;
}

static struct ir_instr *work_group_size(struct gen *gen)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *size = ir_sys(b, IR_SYS_LOCAL_SIZE, 0);
    for (unsigned dim = 1; dim < 3; dim++)
        size = ir_op2(b, IR_OP_imul, size, ir_sys(b, IR_SYS_LOCAL_SIZE, dim));
    return size;
}

static struct ir_instr *wait_events(struct gen *gen, struct gen_args *args)
{
    (void)args; // a work-item has copied its share when it arrives here
    struct ir_sync sync = {IR_SCOPE_WORK_GROUP, IR_SCOPE_WORK_GROUP, IR_ORDER_ACQ_REL,
                           IR_FENCE_LOCAL | IR_FENCE_GLOBAL};
    ir_barrier(&gen->b, sync);
    return NULL;
}

static void copy_element(struct gen *gen, struct gen_args *args, struct ir_instr *index, struct ir_type type, uint64_t size)
{
    struct ir_instr *stride = args->count == 5 ? args->x[3] : NULL;
    bool to_global = args->x[0]->type.space == IR_GLOBAL;
    struct ir_instr *strided = stride ? ir_op2(&gen->b, IR_OP_imul, index, stride) : index;
    struct ir_instr *to = vector_address(gen, args->x[0], to_global ? strided : index, size);
    struct ir_instr *from = vector_address(gen, args->x[1], to_global ? index : strided, size);
    struct ir_instr *value = ir_load(&gen->b, type, from, unaligned(from, (uint32_t)size));
    ir_store(&gen->b, to, value, unaligned(to, (uint32_t)size));
}

// Distributes the elements over the work-items: i = local linear id, + work-group size, ...
static struct ir_instr *async_copy(struct gen *gen, struct gen_args *args)
{
    struct ir_builder *b = &gen->b;
    const struct type *element = args->arg->elem.type;
    struct ir_type type = gen_memory_type(element);
    struct ir_instr *count = args->x[2];
    struct ir_instr *counter = gen_temporary(gen, type_basic(gen->ast->types, TYPE_ULONG), "copied");
    struct ir_mem mem = {.space = IR_PRIVATE, .align = 8};
    ir_store(b, counter, ir_sys(b, IR_SYS_LOCAL_LINEAR_ID, 0), mem);
    struct ir_loop *loop = ir_add_loop(b);
    ir_place_end(b, &loop->body);
    struct ir_instr *index = ir_load(b, ir_int(64), counter, mem);
    struct ir_if *done = ir_add_if(b, ir_op2(b, IR_OP_ule, count, index));
    ir_place_end(b, &done->then_list);
    ir_jump(b, IR_OP_break, NULL);
    ir_place_after(b, &done->node);
    copy_element(gen, args, index, type, element->size);
    ir_store(b, counter, ir_op2(b, IR_OP_iadd, index, work_group_size(gen)), mem);
    ir_place_after(b, &loop->node);
    return args->x[args->count - 1];
}

// ---- the generic space ---------------------------------------------------------------------------

static struct ir_instr *is_in(struct gen *gen, struct ir_instr *pointer, unsigned space)
{
    struct ir_instr *found = ir_build(&gen->b, IR_OP_ptr_space, ir_int(32), &pointer, 1);
    return ir_op2(&gen->b, IR_OP_ieq, found, ir_const_int(gen->module, ir_int(32), space));
}

static struct ir_instr *to_space(struct gen *gen, struct gen_args *args)
{
    struct ir_type type = gen_type(args->type);
    struct ir_instr *x = args->x[0], *null = ir_const_int(gen->module, type, 0);
    if (x->type.space != IR_GENERIC)
        return x->type.space == type.space ? x : null;
    struct ir_instr *cast = ir_convert(&gen->b, IR_OP_ptr_cast, type, x);
    return ir_select(&gen->b, is_in(gen, x, type.space), cast, null);
}

static struct ir_instr *get_fence(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *global = ir_const_int(gen->module, ir_int(32), IR_FENCE_GLOBAL);
    struct ir_instr *local = ir_const_int(gen->module, ir_int(32), IR_FENCE_LOCAL); // private memory needs no fence
    return ir_select(&gen->b, is_in(gen, args->x[0], IR_GLOBAL), global, local);
}

static gen_special *const specials[BUILTIN_SPECIAL_COUNT] = {
    [BUILTIN_VLOAD] = vload,       [BUILTIN_VSTORE] = vstore,       [BUILTIN_VLOAD_HALF] = vload_half,
    [BUILTIN_SHUFFLE] = shuffle,   [BUILTIN_SHUFFLE2] = shuffle2,   [BUILTIN_VSTORE_HALF] = vstore_half,
    [BUILTIN_TO_SPACE] = to_space, [BUILTIN_GET_FENCE] = get_fence,
    [BUILTIN_PREFETCH] = prefetch, [BUILTIN_ASYNC_COPY] = async_copy, [BUILTIN_WAIT_EVENTS] = wait_events,
};

gen_special *gen_memory_special(unsigned special)
{
    return specials[special];
}
