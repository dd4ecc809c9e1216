// SPDX-License-Identifier: Apache-2.0
// enqueue_kernel() -> a record (struct kc_enqueue) in the launch's memory, and a generated kernel that calls the
// block.
//
// The library allocates and writes the record's head (lib/enqueue). The code here appends local sizes and captured
// values, because only gen knows their types. The kernel reads them back and calls the block's function. An image is
// an argument of the parent kernel and becomes one of the new kernel; the record contains its number. A sampler is a
// number already.
#include "gen/gen_internal.h"

// Layout of a block's captures in a record and in the kernel's last argument. Numbers of images come first.
struct layout {
    uint32_t *offsets;
    uint32_t size, align, images;
};

// A pointer to the parent's local or private memory: the child kernel gets NULL.
static bool is_inaccessible(const struct type *type)
{
    return type->kind == TYPE_POINTER && (type->elem.space == SPACE_LOCAL || type->elem.space == SPACE_PRIVATE);
}

static bool is_image(const struct type *type) { return gen_is_handle(type) && type->opaque != OPAQUE_SAMPLER; }

static void lay_out_one(struct layout *layout, size_t i, uint32_t size, uint32_t align)
{
    layout->offsets[i] = (layout->size + align - 1) & ~(align - 1);
    layout->size = layout->offsets[i] + size;
    layout->align = align > layout->align ? align : layout->align;
}

static struct layout lay_out(struct gen *gen, const struct decl *block)
{
    struct layout layout = {.offsets = ARENA_ARRAY(gen->arena, uint32_t, block->captures.count + 1), .align = 4};
    for (size_t i = 0; i < block->captures.count; i++)
        if (is_image(block->captures.items[i]->inner->type.type)) {
            lay_out_one(&layout, i, 4, 4);
            layout.images++;
        }
    for (size_t i = 0; i < block->captures.count; i++) {
        const struct type *type = block->captures.items[i]->inner->type.type;
        if (is_inaccessible(type) || is_image(type))
            continue;
        if (gen_is_handle(type))
            lay_out_one(&layout, i, 4, 4);
        else
            lay_out_one(&layout, i, (uint32_t)type->size, type->align ? type->align : 1);
    }
    layout.size = (layout.size + 3) & ~3u;
    return layout;
}

static struct ir_type private_pointer(struct gen *gen) { return ir_ptr(kc_pointer_bytes(gen->target), IR_PRIVATE); }

// ---- the kernel ----------------------------------------------------------------------------------

static struct kc_arg image_arg(const struct decl *image)
{
    return (struct kc_arg){.name = image->name,
                           .type_name = "image",
                           .kind = KC_ARG_IMAGE,
                           .address = KC_ADDRESS_GLOBAL,
                           .access = (enum kc_access_qualifier)image->type.access,
                           .size = 8,
                           .align = 8,
                           .dim = gen_image(image->type.type, 0).dim};
}

static void describe_kernel(struct gen *gen, struct ir_function *kernel, const struct decl *block, const struct layout *layout)
{
    struct ir_kernel *made = ARENA_NEW(gen->arena, struct ir_kernel);
    struct kc_arg *args = ARENA_ARRAY(gen->arena, struct kc_arg, kernel->param_count + 1);
    for (uint32_t i = 0; i < block->param_count; i++) {
        const struct type *pointee = block->params[i]->type.type->elem.type;
        bool known = pointee->kind != TYPE_VOID;
        args[i] = (struct kc_arg){.name = block->params[i]->name ? block->params[i]->name : "",
                                  .type_name = "void*",
                                  .kind = KC_ARG_LOCAL,
                                  .address = KC_ADDRESS_LOCAL,
                                  .size = 8,
                                  .align = known && pointee->align ? pointee->align : 128,
                                  .elem_size = known ? (uint32_t)pointee->size : 0};
    }
    uint32_t count = block->param_count;
    for (size_t i = 0; i < block->captures.count; i++)
        if (is_image(block->captures.items[i]->inner->type.type))
            args[count++] = image_arg(block->captures.items[i]->inner);
    if (layout->size)
        args[count] = (struct kc_arg){.name = "captured",
                                      .type_name = "captured",
                                      .kind = KC_ARG_VALUE,
                                      .address = KC_ADDRESS_PRIVATE,
                                      .size = layout->size,
                                      .align = layout->align};
    made->origin = diag_place(gen->diag, block->loc);
    made->info = (struct kc_kernel){.name = kernel->name, .attributes = "", .args = args, .block = true};
    made->info.arg_count = kernel->param_count;
    kernel->kernel = made;
}

// The type of a handle in a record.
static struct qtype number_type(struct gen *gen) { return qtype_of(type_basic(gen->ast->types, TYPE_UINT)); }

static struct ir_instr *read_capture(struct gen *gen, const struct capture *capture, struct ir_instr *all,
                                     const struct layout *layout, uint32_t offset)
{
    struct qtype type = capture->inner->type;
    if (is_inaccessible(type.type))
        return ir_const_int(gen->module, gen_type(type.type), 0);
    if (gen_is_handle(type.type) && ir_is_const(capture->gen)) // a sampler that is constant in the source
        return capture->gen;
    if (gen_is_handle(type.type))
        type = number_type(gen);
    struct gen_place base = gen_place_at(gen, all, qtype_of(type.type), layout->align);
    struct gen_place place = gen_place_field(gen, base, offset, type);
    place.any_type = true;
    return gen_is_in_memory(type.type) ? place.address : gen_load(gen, &place);
}

static void kernel_body(struct gen *gen, struct ir_function *kernel, struct decl *block, const struct layout *layout)
{
    struct ir_function *body = gen_function_for(gen, block), *around = gen->function;
    struct ir_instr **args = ARENA_ARRAY(gen->arena, struct ir_instr *, body->param_count + 1);
    struct ir_builder before = gen->b;
    uint32_t count = 0;
    ir_function_define(kernel);
    gen->function = kernel;
    gen->b = ir_at_end(kernel);
    if (type_is_record(block->type.type->elem.type))
        args[count++] = gen_temporary(gen, block->type.type->elem.type, "result");
    for (uint32_t i = 0; i < block->param_count; i++)
        args[count++] = kernel->params[i];
    struct ir_instr *const *image = kernel->params + block->param_count;
    for (size_t i = 0; i < block->captures.count; i++)
        args[count++] = is_image(block->captures.items[i]->inner->type.type)
                            ? *image++
                            : read_capture(gen, block->captures.items[i], kernel->params[kernel->param_count - 1], layout,
                                           layout->offsets[i]);
    ir_call(&gen->b, body, args, count);
    ir_jump(&gen->b, IR_OP_return, NULL);
    gen->function = around;
    gen->b = before;
}

// Using such a pointer is undefined in the child kernel (OpenCL C 2.0, 6.13.17), so it is only a warning.
static void check_captures(struct gen *gen, const struct decl *block, struct loc loc)
{
    for (size_t i = 0; i < block->captures.count; i++) {
        const struct decl *inner = block->captures.items[i]->inner;
        if (is_inaccessible(inner->type.type))
            diag_warning(gen->diag, loc, "an enqueued block cannot access the %s memory of '%s'",
                         inner->type.type->elem.space == SPACE_LOCAL ? "local" : "private", inner->name);
    }
}

static struct ir_function *kernel_of(struct gen *gen, struct decl *block, const struct layout *layout, struct loc loc)
{
    struct ir_type *types = ARENA_ARRAY(gen->arena, struct ir_type, block->param_count + layout->images + 1);
    uint32_t count = block->param_count;
    for (uint32_t i = 0; i < count; i++)
        types[i] = gen_type(block->params[i]->type.type);
    for (uint32_t i = 0; i < layout->images; i++)
        types[count++] = ir_int(32);
    if (layout->size)
        types[count++] = private_pointer(gen);
    const char *name = gen_internal_name(gen, arena_printf(gen->arena, "%s.kernel", block->name));
    struct ir_function *kernel = ir_function_get(gen->module, name, ir_void(), types, count);
    if (kernel->kernel)
        return kernel;
    check_captures(gen, block, loc);
    describe_kernel(gen, kernel, block, layout);
    kernel_body(gen, kernel, block, layout);
    return kernel;
}

// ---- the record ----------------------------------------------------------------------------------

static struct ir_instr *u32(struct gen *gen, uint64_t value) { return ir_const_int(gen->module, ir_int(32), value); }

static struct ir_instr *events_of(struct gen *gen, const struct expr *expr)
{
    struct ir_type pointer = ir_ptr(kc_pointer_bytes(gen->target), IR_GENERIC);
    return expr->type.type->kind == TYPE_POINTER ? gen_value(gen, expr) : ir_const_int(gen->module, pointer, 0);
}

static struct ir_instr *range_of(struct gen *gen, const struct expr *expr)
{
    struct gen_place from = gen_record(gen, expr);
    struct gen_place copy = gen_place_at(gen, gen_temporary(gen, expr->type.type, "range"), qtype_of(expr->type.type), 0);
    gen_copy_record(gen, &copy, &from);
    return copy.address;
}

static struct ir_instr *call_library(struct gen *gen, const char *name, struct ir_instr **args, uint32_t count)
{
    struct ir_type *types = ARENA_ARRAY(gen->arena, struct ir_type, count);
    for (uint32_t i = 0; i < count; i++)
        types[i] = args[i]->type;
    return ir_call(&gen->b, ir_function_get(gen->module, name, ir_int(32), types, count), args, count);
}

// Writes the data after the record's head; `tail` is where its address is stored.
static void write_tail(struct gen *gen, const struct decl *block, const struct layout *layout, struct ir_instr *tail,
                       struct ir_instr *const *sizes, uint32_t size_count)
{
    struct ir_builder *b = &gen->b;
    struct ir_mem mem = {.space = IR_GLOBAL, .align = 4}, own = {.space = IR_PRIVATE, .align = 8};
    struct ir_instr *address = ir_load(b, ir_int(64), tail, own);
    struct ir_instr *at = ir_convert(b, IR_OP_int_to_ptr, ir_ptr(kc_pointer_bytes(gen->target), IR_GLOBAL), address);
    for (uint32_t i = 0; i < size_count; i++) {
        struct ir_instr *size = ir_convert(b, IR_OP_trunc, ir_int(32), sizes[i]);
        ir_store(b, ir_ptr_index(b, at, NULL, 0, 4 * i), size, mem);
    }
    for (size_t i = 0; i < block->captures.count; i++) {
        struct qtype type = block->captures.items[i]->inner->type;
        if (is_inaccessible(type.type))
            continue;
        if (gen_is_handle(type.type))
            type = number_type(gen);
        struct gen_place base = gen_place_at(gen, at, qtype_of(type.type), 8);
        struct gen_place to = gen_place_field(gen, base, ((size_count + 1) / 2 * 8) + layout->offsets[i], qtype_of(type.type));
        to.any_type = true;
        struct ir_instr *value = gen_captured(gen, block->captures.items[i]);
        struct gen_place from = gen_place_at(gen, value, qtype_of(type.type), 0);
        if (gen_is_in_memory(type.type))
            gen_copy_record(gen, &to, &from);
        else
            gen_store(gen, &to, value);
    }
}

static struct ir_instr *options_of(struct gen *gen)
{
    return u32(gen, (gen->options->debug ? 1u : 0) | (gen->options->uniform_groups ? 2u : 0));
}

static struct ir_instr *enqueue_kernel(struct gen *gen, const struct expr *expr)
{
    struct decl *block = expr->enqueued;
    struct ir_builder *b = &gen->b;
    struct layout layout = lay_out(gen, block);
    uint32_t size_count = expr->arg_count - 6;
    struct ir_instr **sizes = ARENA_ARRAY(gen->arena, struct ir_instr *, size_count + 1), *args[12];
    struct ir_instr *least = ir_const_int(gen->module, ir_int(64), UINT64_MAX);
    struct ir_instr *queue = gen_value(gen, expr->args[0]), *flags = gen_value(gen, expr->args[1]);
    struct ir_instr *range = range_of(gen, expr->args[2]), *wait_count = gen_value(gen, expr->args[3]);
    struct ir_instr *wait = events_of(gen, expr->args[4]), *event = events_of(gen, expr->args[5]);
    gen_value(gen, expr->a);
    for (uint32_t i = 0; i < size_count; i++) {
        sizes[i] = gen_value(gen, expr->args[6 + i]);
        least = ir_op2(b, IR_OP_umin, least, sizes[i]);
    }
    struct ir_instr *number = ir_kernel_number(b, kernel_of(gen, block, &layout, expr->loc));
    struct ir_instr *tail = gen_temporary(gen, type_basic(gen->ast->types, TYPE_ULONG), "tail");
    struct ir_instr *all[12] = {queue, flags, range, wait_count, wait, event, number, u32(gen, size_count), least,
                                u32(gen, layout.size), options_of(gen), tail};
    memcpy(args, all, sizeof args);
    struct ir_instr *status = call_library(gen, "__enqueue_kernel.m.j.Ppm.j.Pnm.Pnm.i.j.m.j.j.Ppm", args, 12);
    struct ir_if *done = ir_add_if(b, ir_op2(b, IR_OP_ieq, status, u32(gen, 0)));
    ir_place_end(b, &done->then_list);
    write_tail(gen, block, &layout, tail, sizes, size_count);
    ir_place_after(b, &done->node);
    return status;
}

static struct ir_instr *enqueue_marker(struct gen *gen, const struct expr *expr)
{
    struct ir_instr *args[5];
    for (unsigned i = 0; i < 4; i++)
        args[i] = i < 2 ? gen_value(gen, expr->args[i]) : events_of(gen, expr->args[i]);
    args[4] = options_of(gen);
    return call_library(gen, "__enqueue_marker.m.j.Pnm.Pnm.j", args, 5);
}

// Blocks have no work-group requirements, so the answer is the same for all.
static struct ir_instr *query(struct gen *gen, const struct expr *expr)
{
    uint32_t lanes = kc_sub_group_size(gen->target), group = kc_max_group_size(gen->target);
    if (expr->enqueue == ENQUEUE_GROUP_SIZE)
        return u32(gen, group);
    if (expr->enqueue == ENQUEUE_GROUP_MULTIPLE)
        return u32(gen, lanes);
    struct ir_instr *args[3] = {range_of(gen, expr->args[0]), u32(gen, lanes), u32(gen, group)};
    if (expr->enqueue == ENQUEUE_SUB_GROUP_SIZE)
        return args[1];
    return call_library(gen, "__sub_groups.Ppm.j.j", args, 3);
}

struct ir_instr *gen_enqueue(struct gen *gen, const struct expr *expr)
{
    switch ((enum expr_enqueue)expr->enqueue) {
    case ENQUEUE_KERNEL: return enqueue_kernel(gen, expr);
    case ENQUEUE_MARKER: return enqueue_marker(gen, expr);
    default: return query(gen, expr);
    }
}

// ---- ranges --------------------------------------------------------------------------------------

static void set_row(struct gen *gen, const struct gen_place *range, uint32_t offset, const struct expr *arg, unsigned dims)
{
    struct qtype number = qtype_of(type_basic(gen->ast->types, TYPE_ULONG));
    bool array = arg->type.type->kind == TYPE_POINTER;
    struct ir_instr *value = gen_value(gen, arg);
    for (unsigned i = 0; i < (array ? dims : 1); i++) {
        struct ir_instr *one = value;
        if (array) {
            struct qtype type = qtype_of(arg->type.type->elem.type);
            struct gen_place from = gen_place_field(gen, gen_place_at(gen, value, type, 0), i * type.type->size, type);
            one = gen_load(gen, &from);
            if (one->type.bits < 64)
                one = ir_convert(&gen->b, IR_OP_zext, ir_int(64), one);
        }
        struct gen_place to = gen_place_field(gen, *range, offset + 8 * i, number);
        gen_store(gen, &to, one);
    }
}

struct gen_place gen_range(struct gen *gen, const struct expr *expr)
{
    unsigned dims = expr->enqueue - ENQUEUE_RANGE_1 + 1;
    struct qtype type = qtype_of(expr->type.type);
    struct gen_place range = gen_place_at(gen, gen_temporary(gen, type.type, "range"), type, 0);
    const struct field *fields = type.type->record->fields;
    ir_zero(&gen->b, range.address, type.type->size, gen_mem(&range));
    struct gen_place dim = gen_place_field(gen, range, 0, fields[0].type);
    gen_store(gen, &dim, u32(gen, dims));
    for (unsigned i = 0; i < 3; i++)
        set_row(gen, &range, (uint32_t)fields[i + 1].offset, expr->args[i], dims);
    return range;
}
