// SPDX-License-Identifier: Apache-2.0
// Device-side enqueue: OpEnqueueKernel -> a record (struct kc_enqueue) in the launch's memory, and a generated kernel
// for the function to run, as gen/gen_enqueue.c does for blocks. Here the function takes a pointer to all captured
// data: the kernel has a copy of those bytes. Instructions without a function are in ast/spirv.def.
#include "reader/reader.h"

enum { RANGE_BYTES = 80, RANGE_OFFSET = 8, RANGE_SIZE = 32, RANGE_LOCAL = 56 }; // of an ndrange_t

static struct ir_instr *u32(struct reader *r, uint64_t value) { return ir_const_int(r->module, ir_int(32), value); }

// ---- types ---------------------------------------------------------------------------------------

// inst->row->arg is the enum spv_kind.
void reader_type_enqueue(struct reader *r, const struct spv_inst *inst)
{
    reader_add_handle(r, inst, (enum spv_kind)inst->row->arg, ir_int(64));
}

static void need_queues(struct reader *r)
{
    if (!kc_extensions_have(&r->target->extensions, KC_EXT_DEVICE_ENQUEUE) || kc_pointer_bytes(r->target) != 8)
        reader_fail(r, "the device does not support device-side enqueue");
}

static struct ir_instr *queue_of(struct reader *r, uint32_t id)
{
    if (reader_type_of(r, id)->kind != SPV_QUEUE)
        reader_fail(r, "id %u is no queue", id);
    return reader_value(r, id);
}

static struct ir_instr *number_of(struct reader *r, uint32_t id)
{
    struct ir_instr *value = reader_value(r, id);
    if (reader_type_of(r, id)->kind != SPV_INT || !ir_type_eq(value->type, ir_int(32)))
        reader_fail(r, "id %u is not a 32-bit integer", id);
    return value;
}

static struct ir_instr *pointer_of(struct reader *r, uint32_t id)
{
    struct ir_instr *value = reader_value(r, id);
    if (reader_type_of(r, id)->kind != SPV_POINTER || value->type.space == IR_CONSTANT)
        reader_fail(r, "id %u is not a pointer, or points to constant memory", id);
    return value->type.space == IR_GENERIC ? value : ir_convert(&r->b, IR_OP_ptr_cast, ir_ptr(8, IR_GENERIC), value);
}

// ---- ranges --------------------------------------------------------------------------------------

static struct ir_instr *range_place(struct reader *r)
{
    return ir_addr(r->module, ir_var_add(r->module, r->b.function, "range", IR_PRIVATE, RANGE_BYTES, 8));
}

// A struct, or, as LLVM's translator writes it, a pointer to one.
static struct ir_instr *range_of(struct reader *r, uint32_t id)
{
    const struct spv_type *type = reader_type_of(r, id), *held = type->kind == SPV_POINTER ? type->elem : type;
    bool points = type->kind == SPV_POINTER && (!held || held->kind != SPV_STRUCT); // a pointer to bytes
    if (!points && (!held || held->kind != SPV_STRUCT || held->size != RANGE_BYTES))
        reader_fail(r, "id %u is no range", id);
    struct ir_instr *from = reader_value(r, id), *copy = range_place(r);
    ir_copy(&r->b, copy, from, RANGE_BYTES, reader_mem(copy, 8), reader_mem(from, 8));
    return copy;
}

static uint64_t dimensions_of(const struct spv_type *type)
{
    const struct spv_type *elem = type->kind == SPV_ARRAY ? type->elem : type;
    uint64_t count = type->kind == SPV_ARRAY ? type->count : 1;
    return elem->kind == SPV_INT && !elem->odd && elem->ir.bits >= 32 && count <= 3 ? count : 0;
}

static void set_row(struct reader *r, struct ir_instr *range, uint32_t offset, uint32_t id, uint64_t dims)
{
    const struct spv_type *type = reader_type_of(r, id);
    struct ir_instr *value = reader_value(r, id);
    if (dimensions_of(type) != dims)
        reader_fail(r, "sizes and offsets must be integers, or arrays of two or three integers");
    for (uint64_t i = 0; i < dims; i++) {
        struct ir_instr *one = value;
        if (type->kind == SPV_ARRAY) {
            struct ir_instr *at = ir_ptr_index(&r->b, value, NULL, 0, (int64_t)(i * type->elem->size));
            one = reader_load(r, type->elem, at, reader_mem(at, type->elem->align));
        }
        struct ir_instr *to = ir_ptr_index(&r->b, range, NULL, 0, (int64_t)(offset + 8 * i));
        ir_store(&r->b, to, reader_to_i64(r, one, false), reader_mem(to, 8));
    }
}

void reader_build_range(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_result_type(r, inst);
    uint64_t dims = dimensions_of(reader_type_of(r, inst->words[0]));
    if (type->kind != SPV_STRUCT || type->size != RANGE_BYTES || !dims)
        reader_fail(r, "the result must be an ndrange of one to three dimensions with 64-bit sizes");
    struct ir_instr *range = range_place(r);
    ir_zero(&r->b, range, RANGE_BYTES, reader_mem(range, 8));
    ir_store(&r->b, range, u32(r, dims), reader_mem(range, 8));
    set_row(r, range, RANGE_SIZE, inst->words[0], dims);
    set_row(r, range, RANGE_LOCAL, inst->words[1], dims);
    set_row(r, range, RANGE_OFFSET, inst->words[2], dims);
    reader_result(r, inst, range);
}

// ---- the kernel ----------------------------------------------------------------------------------

struct enqueued {
    struct spv_function *function;
    uint32_t captured, align; // bytes
    uint32_t locals;
};

static struct enqueued enqueued_of(struct reader *r, uint32_t function, uint32_t size, uint32_t align)
{
    struct enqueued e = {.function = reader_function(r, function), .captured = (uint32_t)reader_constant(r, size),
                         .align = (uint32_t)reader_constant(r, align)};
    const struct spv_type *type = e.function->type;
    bool fits = e.function->has_body && type->elem->kind == SPV_VOID && type->count && type->count <= UINT8_MAX &&
                type->members[0]->kind == SPV_POINTER && !type->has_matrix;
    for (uint64_t i = 1; i < type->count; i++)
        fits &= type->members[i]->kind == SPV_POINTER && type->members[i]->storage == SpvStorageClassWorkgroup;
    if (!fits)
        reader_fail(r, "function %u must have a pointer to the captured data as its first parameter, and pointers to local "
                       "memory after it", function);
    if (reader_constant(r, size) > UINT16_MAX || !e.align || e.align & (e.align - 1) || e.align > 1024)
        reader_fail(r, "invalid captured data: %u bytes, alignment %u", e.captured, e.align);
    e.locals = (uint32_t)type->count - 1;
    return e;
}

static void describe_kernel(struct reader *r, struct ir_function *kernel, const struct enqueued *e)
{
    struct ir_kernel *made = ARENA_NEW(r->arena, struct ir_kernel);
    struct kc_arg *args = ARENA_ARRAY(r->arena, struct kc_arg, kernel->param_count + 1);
    for (uint32_t i = 0; i < e->locals; i++)
        args[i] = (struct kc_arg){.name = "", .type_name = "void*", .kind = KC_ARG_LOCAL, .address = KC_ADDRESS_LOCAL, .size = 8,
                                  .align = 128};
    if (e->captured)
        args[e->locals] = (struct kc_arg){.name = "captured", .type_name = "captured", .kind = KC_ARG_VALUE,
                                          .address = KC_ADDRESS_PRIVATE, .size = (e->captured + 3) & ~3u, .align = e->align};
    made->info = (struct kc_kernel){.name = kernel->name, .attributes = "", .args = args, .block = true};
    made->info.arg_count = kernel->param_count;
    kernel->kernel = made;
}

static void kernel_body(struct reader *r, struct ir_function *kernel, const struct enqueued *e)
{
    struct ir_function *body = reader_ir_function(r, e->function);
    struct ir_instr **args = ARENA_ARRAY(r->work, struct ir_instr *, body->param_count);
    struct ir_type pointer = body->params[0]->type;
    ir_function_define(kernel);
    struct ir_builder b = ir_at_end(kernel);
    args[0] = e->captured ? kernel->params[e->locals] : ir_const_int(r->module, pointer, 0);
    if (e->captured && pointer.space != IR_PRIVATE)
        args[0] = ir_convert(&b, IR_OP_ptr_cast, pointer, args[0]);
    for (uint32_t i = 0; i < e->locals; i++)
        args[1 + i] = kernel->params[i];
    ir_call(&b, body, args, body->param_count);
    ir_jump(&b, IR_OP_return, NULL);
}

static struct ir_function *kernel_of(struct reader *r, const struct enqueued *e)
{
    struct ir_function *body = reader_ir_function(r, e->function);
    struct ir_type *types = ARENA_ARRAY(r->work, struct ir_type, body->param_count);
    uint32_t count = e->locals;
    if (e->function->block && e->function->captured != e->captured)
        reader_fail(r, "function %u is enqueued with captured data of %u bytes and of %u bytes", e->function->id, e->function->captured,
                    e->captured);
    if (e->function->block)
        return e->function->block;
    for (uint32_t i = 0; i < count; i++)
        types[i] = body->params[1 + i]->type;
    if (e->captured)
        types[count++] = ir_ptr(kc_pointer_bytes(r->target), IR_PRIVATE);
    if (e->captured && body->params[0]->type.space != IR_GENERIC && body->params[0]->type.space != IR_PRIVATE)
        reader_fail(r, "the captured data of function %u are in another storage class", e->function->id);
    const char *name = reader_internal_name(r, arena_printf(r->arena, "%s.kernel", body->name));
    name = reader_unique_name(r, name, e->function->id);
    struct ir_function *kernel = ir_function_get(r->module, name, ir_void(), types, count);
    e->function->block = kernel;
    e->function->captured = e->captured;
    describe_kernel(r, kernel, e);
    kernel_body(r, kernel, e);
    return kernel;
}

// ---- the record ----------------------------------------------------------------------------------

static struct ir_instr *call_library(struct reader *r, const char *name, struct ir_instr **args, uint32_t count)
{
    struct ir_type *types = ARENA_ARRAY(r->arena, struct ir_type, count);
    for (uint32_t i = 0; i < count; i++)
        types[i] = args[i]->type;
    return ir_call(&r->b, ir_function_get(r->module, name, ir_int(32), types, count), args, count);
}

static struct ir_instr *options_of(struct reader *r)
{
    return u32(r, (r->input->options->debug ? 1u : 0) | (r->input->options->uniform_groups ? 2u : 0));
}

// Writes the data after the record's head; `tail` is where its address is stored.
static void write_tail(struct reader *r, const struct enqueued *e, struct ir_instr *tail, struct ir_instr *const *sizes,
                       struct ir_instr *from)
{
    struct ir_builder *b = &r->b;
    struct ir_mem mem = {.space = IR_GLOBAL, .align = 4};
    struct ir_instr *address = ir_load(b, ir_int(64), tail, reader_mem(tail, 8));
    struct ir_instr *at = ir_convert(b, IR_OP_int_to_ptr, ir_ptr(8, IR_GLOBAL), address);
    for (uint32_t i = 0; i < e->locals; i++) {
        struct ir_instr *size = ir_convert(b, IR_OP_trunc, ir_int(32), sizes[i]);
        ir_store(b, ir_ptr_index(b, at, NULL, 0, 4 * i), size, mem);
    }
    struct ir_instr *to = ir_ptr_index(b, at, NULL, 0, (e->locals + 1) / 2 * 8);
    if (e->captured)
        ir_copy(b, to, from, e->captured, reader_mem(to, 8), reader_mem(from, e->align));
}

// A local memory size: a number, or, as LLVM's translator writes it, a pointer to a size_t (with any pointee type).
static struct ir_instr *size_of(struct reader *r, uint32_t id)
{
    const struct spv_type *type = reader_type_of(r, id);
    struct ir_instr *value = reader_value(r, id);
    bool half = type->elem && type->elem->kind == SPV_INT && ir_type_eq(type->elem->ir, ir_int(32));
    if (type->kind == SPV_POINTER)
        value = ir_load(&r->b, ir_int(half ? 32 : 64), value, reader_mem(value, half ? 4 : 8));
    return reader_to_i64(r, value, false);
}

void reader_enqueue_kernel(struct reader *r, const struct spv_inst *inst)
{
    const uint32_t *w = inst->words;
    struct ir_builder *b = &r->b;
    need_queues(r);
    struct enqueued e = enqueued_of(r, w[6], w[8], w[9]);
    struct ir_instr **sizes = ARENA_ARRAY(r->work, struct ir_instr *, e.locals + 1);
    struct ir_instr *least = ir_const_int(r->module, ir_int(64), UINT64_MAX);
    if (inst->count - 10 != e.locals)
        reader_fail(r, "%u local memory sizes, but function %u has %u local pointers", inst->count - 10, w[6], e.locals);
    for (uint32_t i = 0; i < e.locals; i++) {
        sizes[i] = size_of(r, w[10 + i]);
        least = ir_op2(b, IR_OP_umin, least, sizes[i]);
    }
    struct ir_instr *from = pointer_of(r, w[7]);
    struct ir_instr *tail = ir_addr(r->module, ir_var_add(r->module, b->function, "tail", IR_PRIVATE, 8, 8));
    struct ir_instr *args[12] = {queue_of(r, w[0]), number_of(r, w[1]), range_of(r, w[2]), number_of(r, w[3]), pointer_of(r, w[4]),
                                 pointer_of(r, w[5]), ir_kernel_number(b, kernel_of(r, &e)), u32(r, e.locals), least,
                                 u32(r, (e.captured + 3) & ~3u), options_of(r), tail};
    struct ir_instr *status = call_library(r, "__enqueue_kernel.m.j.Ppm.j.Pnm.Pnm.i.j.m.j.j.Ppm", args, 12);
    struct ir_if *done = ir_add_if(b, ir_op2(b, IR_OP_ieq, status, u32(r, 0)));
    ir_place_end(b, &done->then_list);
    write_tail(r, &e, tail, sizes, from);
    ir_place_after(b, &done->node);
    reader_result(r, inst, status);
}

void reader_enqueue_marker(struct reader *r, const struct spv_inst *inst)
{
    const uint32_t *w = inst->words;
    need_queues(r);
    struct ir_instr *args[5] = {queue_of(r, w[0]), number_of(r, w[1]), pointer_of(r, w[2]), pointer_of(r, w[3]), options_of(r)};
    reader_result(r, inst, call_library(r, "__enqueue_marker.m.j.Pnm.Pnm.j", args, 5));
}

// ---- queries -------------------------------------------------------------------------------------

// The local size with this number of full sub-groups; 0 if it is too large.
static struct ir_instr *size_of_sub_groups(struct reader *r, struct ir_instr *count, uint32_t lanes)
{
    uint32_t most = kc_max_group_size(r->target) / lanes;
    struct ir_instr *fits = ir_op2(&r->b, IR_OP_ule, count, u32(r, most));
    return ir_select(&r->b, fits, ir_op2(&r->b, IR_OP_imul, count, u32(r, lanes)), u32(r, 0));
}

// Blocks have no work-group requirements, so the answer is the same for all.
void reader_enqueue_question(struct reader *r, const struct spv_inst *inst)
{
    uint32_t lanes = kc_sub_group_size(r->target), most = kc_max_group_size(r->target);
    struct ir_instr *value = u32(r, lanes);
    need_queues(r);
    switch (inst->row->opcode) {
    case SpvOpGetKernelNDrangeSubGroupCount:
        value = call_library(r, "__sub_groups.Ppm.j.j",
                             (struct ir_instr *[]){range_of(r, inst->words[0]), u32(r, lanes), u32(r, most)}, 3);
        break;
    case SpvOpGetKernelWorkGroupSize:
        value = u32(r, most);
        break;
    case SpvOpGetKernelLocalSizeForSubgroupCount:
        value = size_of_sub_groups(r, number_of(r, inst->words[0]), lanes);
        break;
    case SpvOpGetKernelMaxNumSubgroups:
        value = u32(r, most / lanes);
        break;
    }
    reader_result(r, inst, value);
}

// ---- entry points of blocks ----------------------------------------------------------------------

// LLVM's translator lists blocks as entry points. They are recognizable by their generic argument, which kernels
// cannot have.
bool reader_is_block(struct reader *r, const struct spv_entry *entry)
{
    const struct spv_type *type = r->enqueues ? reader_declared(r, entry->function)->type : NULL;
    return type && type->count && type->members[0]->kind == SPV_POINTER && type->members[0]->storage == SpvStorageClassGeneric;
}
