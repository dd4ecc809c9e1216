// SPDX-License-Identifier: Apache-2.0
// Places of kernel arguments for programs that are launched by something other than our runtime; see mapping.h.
//
// Pointers, images and samplers get bindings in argument order. Plain data follow one another in one block, whose
// binding is the next one, or each has a binding of its own. SpecIds 0 to 2 are the work-group's size; the other
// specialization constants of the launch follow, then the sizes of local arguments. Push constants hold the launch's
// range, 16 bytes per vector, then plain data, then what a kernel queries about its images and samplers. Literal
// samplers have descriptor set 0 for themselves; the buffers of printf and of the program's data have sets of their
// own, after those of the kernels.
#include "passes/mapping.h"
#include "passes/data_segment.h"
#include "util/stack.h"

enum { FIRST_SPEC = 3, RANGE_BYTES = 12, RANGE_STRIDE = 16, ADDRESS_BYTES = 8 };

static uint32_t aligned(uint32_t offset, uint32_t align) { return (offset + align - 1) & ~(align - 1); }

// ---- the plan ----------------------------------------------------------------------------------------

struct local { // a local argument
    const char *type;
    uint32_t size, spec_id;
    const struct kc_kernel *user; // the last one that uses it
};

struct plan {
    struct ir_module *m;
    const struct kc_mapping *options;
    struct ir_mapping *out;
    uint32_t sys; // values that are read: bits 1 << enum ir_sys
    uint32_t next_spec, next_set;
    bool uniform;
    VEC(struct local) locals;
    bool any_bound; // a kernel has bindings
    const char *error;
    const struct ir_kernel *kernel; // the kernel whose arguments are being placed
};

static void find_sys(struct plan *p)
{
    for (size_t i = 0; i < p->m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(p->m->functions.items[i]); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                if (x->op == IR_OP_sys && x->sys <= IR_SYS_PRINTF)
                    p->sys |= 1u << x->sys;
}

static bool is_literal_sampler(const struct ir_instr *x)
{
    for (uint32_t i = 0; x->op == IR_OP_call && i < x->src_count; i++)
        if (ir_is_handle(x->callee, i) && ir_is_const(x->src[i]))
            return true;
    return false;
}

// Samplers are found when kernels are lowered, except those listed in the options.
static void find_samplers(struct plan *p)
{
    for (uint32_t i = 0; i < p->options->sampler_count; i++)
        vec_push(p->m->arena, &p->out->samplers, p->options->samplers[i]);
    p->next_set = p->options->sampler_count > 0;
    for (size_t i = 0; i < p->m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(p->m->functions.items[i]); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                if (is_literal_sampler(x))
                    p->next_set = 1;
}

static void add_shared(struct plan *p, enum kc_shared_kind kind, uint32_t first, uint32_t count)
{
    struct kc_shared *shared = &p->out->shared[p->out->count++];
    *shared = (struct kc_shared){.kind = kind, .values = {first}};
    for (uint32_t i = 1; i < count; i++)
        shared->values[i] = first + i;
}

static void add_specs(struct plan *p, enum kc_shared_kind kind, uint32_t count)
{
    add_shared(p, kind, p->next_spec, count);
    p->next_spec += count;
}

static void share_local_size(struct plan *p)
{
    bool all_fixed = true;
    for (size_t i = 0; i < p->m->functions.count; i++)
        all_fixed &= !p->m->functions.items[i]->kernel || ir_fixed_local_size(p->m->functions.items[i]->kernel, 0);
    if (!all_fixed)
        add_shared(p, KC_SHARED_LOCAL_SIZE, 0, 3);
}

enum { IDS = 1u << IR_SYS_GLOBAL_ID | 1u << IR_SYS_GLOBAL_LINEAR_ID };

// What push constants hold of the range, in this order. Most fields are needed only if ranges are split into regions
// because not all work-groups have one size.
static const struct {
    enum kc_shared_kind kind;
    uint32_t readers; // needed if the kernel reads one of these
    bool regions;
} range_rows[] = {
    {KC_SHARED_PUSH_GLOBAL_OFFSET, IDS | 1u << IR_SYS_GLOBAL_OFFSET, false},
    {KC_SHARED_PUSH_ENQUEUED_LOCAL, 1u << IR_SYS_ENQUEUED_LOCAL_SIZE, true},
    {KC_SHARED_PUSH_GLOBAL_SIZE, 1u << IR_SYS_GLOBAL_SIZE | 1u << IR_SYS_GLOBAL_LINEAR_ID, true},
    {KC_SHARED_PUSH_REGION_OFFSET, IDS, true},
    {KC_SHARED_PUSH_NUM_GROUPS, 1u << IR_SYS_NUM_GROUPS, true},
    {KC_SHARED_PUSH_REGION_GROUP, 1u << IR_SYS_GROUP_ID, true},
};

static void share_range(struct plan *p)
{
    bool offset = p->options->global_offset || p->options->global_offset_push;
    bool by_push = p->options->global_offset_push || !p->uniform;
    if (p->options->work_dim && p->sys >> IR_SYS_WORK_DIM & 1)
        add_specs(p, KC_SHARED_WORK_DIM, 1);
    if (offset && !by_push && p->sys & range_rows[0].readers)
        add_specs(p, KC_SHARED_GLOBAL_OFFSET, 3);
    for (size_t i = 0; i < sizeof range_rows / sizeof *range_rows; i++) {
        bool wanted = range_rows[i].regions ? !p->uniform : offset && by_push;
        if (!wanted || !(p->sys & range_rows[i].readers))
            continue;
        uint32_t at = aligned(p->out->push_bytes, RANGE_STRIDE);
        p->out->shared[p->out->count++] = (struct kc_shared){range_rows[i].kind, {at, RANGE_BYTES}};
        p->out->push_bytes = at + RANGE_BYTES;
    }
}

static const enum kc_place_kind pod_places[] = {[KC_PODS_STORAGE] = KC_PLACE_POD,
                                                [KC_PODS_UNIFORM] = KC_PLACE_POD_UNIFORM,
                                                [KC_PODS_PUSH] = KC_PLACE_POD_PUSH};

static bool is_buffer(const struct kc_arg *arg) { return arg->kind == KC_ARG_GLOBAL || arg->kind == KC_ARG_CONSTANT; }

// Whether an argument is in the block of plain data; an address is, too.
static bool is_pod(const struct ir_module *m, const struct kc_arg *arg)
{
    return arg->kind == KC_ARG_VALUE || (m->target->physical_addressing && is_buffer(arg));
}

// A vector of three does not include the padding for a fourth lane.
static void place_pod(struct plan *p, const struct kc_arg *arg, struct ir_type type, struct kc_place *place, uint32_t *end)
{
    uint32_t align = is_buffer(arg) ? 8 : arg->align ? arg->align : 1;
    place->kind = pod_places[p->options->pods];
    if (is_buffer(arg))
        place->kind = p->options->pods == KC_PODS_PUSH ? KC_PLACE_POINTER_PUSH : KC_PLACE_POINTER_UNIFORM;
    place->size = type.base != IR_PTR && type.lanes == 3 ? arg->size / 4 * 3 : arg->size;
    place->offset = aligned(*end, align);
    *end = place->offset + arg->size;
}

// Signed and unsigned integers count as one type.
static const char *local_type(const struct kc_arg *arg) { return arg->type_name + (*arg->type_name == 'u'); }

// Kernels share the specialization constants of local arguments whose elements have the same type.
static struct local *find_local(struct plan *p, const struct kc_kernel *info, const struct kc_arg *arg)
{
    for (size_t i = 0; i < p->locals.count; i++) {
        struct local *local = &p->locals.items[i];
        if (local->user != info && local->size == arg->elem_size && !strcmp(local->type, local_type(arg)))
            return local;
    }
    vec_push(p->m->arena, &p->locals, ((struct local){local_type(arg), arg->elem_size, p->next_spec++, info}));
    return &p->locals.items[p->locals.count - 1];
}

static void place_local(struct plan *p, const struct kc_kernel *info, const struct kc_arg *arg, struct kc_place *place)
{
    struct local *local = find_local(p, info, arg);
    local->user = info;
    place->kind = KC_PLACE_LOCAL;
    place->size = arg->elem_size ? arg->elem_size : arg->align;
    place->spec_id = local->spec_id;
}

static enum kc_place_kind image_place(const struct kc_arg *arg)
{
    bool read = arg->access == KC_ACCESS_READ_ONLY;
    if (arg->dim == KC_DIM_BUFFER)
        return read ? KC_PLACE_UNIFORM_TEXELS : KC_PLACE_STORAGE_TEXELS;
    return read ? KC_PLACE_SAMPLED : KC_PLACE_STORAGE;
}

static void place_buffer(struct plan *p, const struct kc_arg *arg, struct kc_place *place)
{
    bool uniform = p->options->constants_uniform && arg->kind == KC_ARG_CONSTANT;
    place->kind = uniform ? KC_PLACE_UNIFORM : KC_PLACE_BUFFER;
}

static void place_args(struct plan *p, const struct ir_function *f, struct kc_kernel *info)
{
    struct kc_place *places = ARENA_ARRAY(p->m->arena, struct kc_place, info->arg_count + 1);
    uint32_t set = p->next_set, binding = 0;
    uint32_t end = p->options->pods == KC_PODS_PUSH ? aligned(p->out->push_bytes, RANGE_STRIDE) : 0;
    bool separate = p->options->separate_pods;
    for (uint32_t i = 0; i < info->arg_count; i++) {
        const struct kc_arg *arg = &info->args[i];
        bool pod = is_pod(p->m, arg);
        if (pod && separate)
            end = 0;
        if (pod)
            place_pod(p, arg, f->params[i]->type, &places[i], &end);
        else if (arg->kind == KC_ARG_LOCAL)
            place_local(p, info, arg, &places[i]);
        else if (arg->kind == KC_ARG_IMAGE || arg->kind == KC_ARG_SAMPLER)
            places[i].kind = arg->kind == KC_ARG_IMAGE ? image_place(arg) : KC_PLACE_SAMPLER;
        else
            place_buffer(p, arg, &places[i]);
        memset(places[i].queries, 0xff, sizeof places[i].queries);
        places[i].set = set;
        if ((pod && separate) || (!pod && arg->kind != KC_ARG_LOCAL))
            places[i].binding = binding++;
        p->any_bound |= arg->kind != KC_ARG_LOCAL && (!pod || p->options->pods != KC_PODS_PUSH);
    }
    for (uint32_t i = 0; i < info->arg_count && !separate; i++)
        if (is_pod(p->m, &info->args[i]))
            places[i].binding = binding;
    if (p->options->pods == KC_PODS_PUSH)
        info->push_size = aligned(end, 4);
    info->places = places;
}

static void check_push(struct plan *p, const struct kc_kernel *info)
{
    uint32_t most = p->m->target->max_push_bytes, size = info->push_size > p->out->push_bytes ? info->push_size : p->out->push_bytes;
    if (size <= most || p->error)
        return;
    p->error = arena_printf(p->m->arena, "kernel '%s' needs %u bytes of push constants, -max-pushconstant-size is %u", info->name, size,
                            most);
    p->m->error_origin = p->kernel->origin;
}

// ---- data of the program -----------------------------------------------------------------------------

static void mark_var(struct ir_var *var)
{
    stack_check();
    if (var->id)
        return;
    var->id = 1;
    for (uint32_t i = 0; i < var->reloc_count; i++)
        mark_var(var->relocs[i].var);
}

static void mark_vars(const struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        if (x->src[i]->op == IR_OP_addr)
            mark_var(x->src[i]->var);
}

void mapping_drop_unused(struct ir_module *program)
{
    size_t used_count = 0;
    for (size_t i = 0; i < program->vars.count; i++)
        program->vars.items[i]->id = !ir_is_data(program->vars.items[i]);
    for (size_t i = 0; i < program->functions.count; i++)
        for (struct ir_block *b = ir_first_block(program->functions.items[i]); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                mark_vars(x);
    for (size_t i = 0; i < program->vars.count; i++)
        if (program->vars.items[i]->id)
            program->vars.items[used_count++] = program->vars.items[i];
    program->vars.count = used_count;
}

// In source order; the code reads each number from the first word of the constant.
static void number_printed(struct plan *p)
{
    for (size_t i = 0; i < p->m->vars.count; i++) {
        struct ir_var *var = p->m->vars.items[i];
        if (!ir_is_printed(var))
            continue;
        uint8_t *bytes = arena_copy(p->m->arena, var->init, var->size);
        uint32_t number = (uint32_t)p->out->printed.count, args = bytes[IR_PRINTED_HEAD - 1];
        memcpy(bytes, &number, sizeof number);
        struct ir_printed printed = {(const char *)bytes + IR_PRINTED_HEAD + args, bytes + IR_PRINTED_HEAD, args};
        vec_push(p->m->arena, &p->out->printed, printed);
        var->init = bytes;
    }
}

static void place_data(struct plan *p, const struct data_segment *data)
{
    p->out->data = data->data;
    p->out->data_size = data->size;
    p->out->relocations = data->relocations;
    p->out->relocation_count = data->relocation_count;
    p->out->data_embedded = !p->options->data_bound && !data->writable;
    p->out->data_writable = data->writable;
}

static void share_address(struct plan *p, enum kc_shared_kind kind, uint32_t bytes)
{
    uint32_t at = aligned(p->out->push_bytes, ADDRESS_BYTES);
    p->out->shared[p->out->count++] = (struct kc_shared){kind, {at, ADDRESS_BYTES, bytes}};
    p->out->push_bytes = at + ADDRESS_BYTES;
}

// The part of mapping_share_bound() for data accessed by address.
static void share_addresses(struct plan *p)
{
    if (!p->m->target->physical_addressing)
        return;
    if (p->out->data_size)
        share_address(p, p->out->data_writable ? KC_SHARED_PUSH_VARIABLES : KC_SHARED_PUSH_CONSTANTS, p->out->data_size);
    if (p->out->printed.count)
        share_address(p, KC_SHARED_PUSH_PRINTF, p->options->printf_bytes);
}

static void place_bound(struct plan *p)
{
    uint32_t next = p->next_set + (!p->options->distinct_sets && p->any_bound);
    p->out->printf_set = next;
    p->out->data_set = next + (p->out->printed.count > 0);
}

static const struct {
    enum kc_binding_kind bound;
    enum kc_shared_kind kind;
} bound_rows[] = {{KC_BINDING_DATA, KC_SHARED_CONSTANTS}, {KC_BINDING_PRINTF, KC_SHARED_PRINTF}};

static bool kernel_binds(const struct kc_kernel *info, enum kc_binding_kind kind)
{
    for (uint32_t i = 0; i < info->binding_count; i++)
        if (info->bindings[i].kind == kind)
            return true;
    return false;
}

static bool binds(struct ir_module *const *modules, size_t count, enum kc_binding_kind kind)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < modules[i]->functions.count; k++) {
            const struct ir_kernel *kernel = modules[i]->functions.items[k]->kernel;
            if (kernel && kernel_binds(&kernel->info, kind))
                return true;
        }
    return false;
}

void mapping_share_bound(struct ir_mapping *mapping, struct ir_module *const *modules, size_t count)
{
    for (size_t i = 0; i < sizeof bound_rows / sizeof *bound_rows; i++) {
        bool data = bound_rows[i].bound == KC_BINDING_DATA;
        if (!binds(modules, count, bound_rows[i].bound))
            continue;
        enum kc_shared_kind kind = data && mapping->data_writable ? KC_SHARED_VARIABLES : bound_rows[i].kind;
        uint32_t bytes = data ? mapping->data_size : modules[0]->target->mapping.printf_bytes;
        mapping->shared[mapping->count++] =
            (struct kc_shared){kind, {data ? mapping->data_set : mapping->printf_set, 0, bytes}};
    }
}

const char *mapping_plan(struct ir_module *program, bool uniform, const struct data_segment *data, struct ir_mapping *mapping)
{
    struct plan p = {.m = program, .options = &program->target->mapping, .out = mapping, .next_spec = FIRST_SPEC, .uniform = uniform};
    *mapping = (struct ir_mapping){0};
    find_sys(&p);
    find_samplers(&p);
    share_local_size(&p);
    share_range(&p);
    number_printed(&p);
    place_data(&p, data);
    share_addresses(&p);
    for (size_t i = 0; i < program->functions.count; i++) {
        struct ir_kernel *kernel = program->functions.items[i]->kernel;
        if (!kernel || !program->functions.items[i]->has_body)
            continue;
        p.kernel = kernel;
        place_args(&p, program->functions.items[i], &kernel->info);
        check_push(&p, &kernel->info);
        p.next_set += p.options->distinct_sets;
    }
    place_bound(&p);
    if (p.next_spec > UINT8_MAX && !p.error)
        p.error = "the kernel needs more than 252 specialization constants";
    return p.error;
}

// ---- values of a launch ------------------------------------------------------------------------------

static const struct kc_shared *find_shared(const struct ir_module *m, enum kc_shared_kind kind)
{
    for (uint32_t i = 0; i < m->mapping->count; i++)
        if (m->mapping->shared[i].kind == kind)
            return &m->mapping->shared[i];
    return NULL;
}

static struct ir_instr *none(struct ir_builder *b, const struct ir_kernel *kernel, unsigned dim)
{
    (void)kernel, (void)dim;
    return ir_const_int(b->module, ir_int(32), 0);
}

static struct ir_instr *global_offset(struct ir_builder *b, const struct ir_kernel *kernel, unsigned dim)
{
    const struct kc_shared *spec = find_shared(b->module, KC_SHARED_GLOBAL_OFFSET);
    return spec ? ir_sys(b, IR_SYS_VK_SPEC, spec->values[dim]) : none(b, kernel, dim);
}

static struct ir_instr *local_size(struct ir_builder *b, const struct ir_kernel *kernel, unsigned dim)
{
    uint32_t fixed = ir_fixed_local_size(kernel, dim);
    return fixed ? ir_const_int(b->module, ir_int(32), fixed) : ir_sys(b, IR_SYS_VK_LOCAL_SIZE, dim);
}

static struct ir_instr *num_groups(struct ir_builder *b, const struct ir_kernel *kernel, unsigned dim)
{
    (void)kernel;
    return ir_sys(b, IR_SYS_VK_NUM_WORKGROUPS, dim);
}

static struct ir_instr *global_size(struct ir_builder *b, const struct ir_kernel *kernel, unsigned dim)
{
    struct ir_instr *size = local_size(b, kernel, dim);
    return ir_op2(b, IR_OP_imul, num_groups(b, kernel, dim), size);
}

static struct ir_instr *work_dim(struct ir_builder *b, const struct ir_kernel *kernel, unsigned dim)
{
    const struct kc_shared *spec = find_shared(b->module, KC_SHARED_WORK_DIM);
    (void)kernel, (void)dim;
    return spec ? ir_sys(b, IR_SYS_VK_SPEC, spec->values[0]) : ir_const_int(b->module, ir_int(32), 3);
}

// The offset of a local argument in the shared array: each starts at a multiple of 16 bytes.
static struct ir_instr *local_start(struct ir_builder *b, const struct ir_kernel *kernel, uint32_t arg)
{
    struct ir_instr *at = ir_const_int(b->module, ir_int(32), kernel->info.local_static_shared);
    for (uint32_t i = 0; kernel->shared_locals[i] != arg; i++) {
        const struct kc_place *place = &kernel->info.places[kernel->shared_locals[i]];
        struct ir_instr *size = ir_const_int(b->module, ir_int(32), place->size);
        struct ir_instr *bytes = ir_op2(b, IR_OP_imul, ir_sys(b, IR_SYS_VK_SPEC, place->spec_id), size);
        bytes = ir_op2(b, IR_OP_iadd, bytes, ir_const_int(b->module, ir_int(32), 15));
        bytes = ir_op2(b, IR_OP_and, bytes, ir_const_int(b->module, ir_int(32), ~UINT32_C(15)));
        at = ir_op2(b, IR_OP_iadd, at, bytes);
    }
    return at;
}

// Values of the range: read from push constants of one of these kinds (0: none), else computed by a function.
static const struct {
    enum kc_shared_kind pushed, or_pushed;
    struct ir_instr *(*value)(struct ir_builder *b, const struct ir_kernel *kernel, unsigned dim);
} rows[] = {
    [KC_PUSH_GLOBAL_BASE] = {KC_SHARED_PUSH_REGION_OFFSET, KC_SHARED_PUSH_GLOBAL_OFFSET, global_offset},
    [KC_PUSH_GLOBAL_OFFSET] = {KC_SHARED_PUSH_GLOBAL_OFFSET, 0, global_offset},
    [KC_PUSH_GLOBAL_SIZE] = {KC_SHARED_PUSH_GLOBAL_SIZE, 0, global_size},
    [KC_PUSH_NUM_GROUPS] = {KC_SHARED_PUSH_NUM_GROUPS, 0, num_groups},
    [KC_PUSH_GROUP_BASE] = {KC_SHARED_PUSH_REGION_GROUP, 0, none},
    [KC_PUSH_ENQUEUED_LOCAL] = {KC_SHARED_PUSH_ENQUEUED_LOCAL, 0, local_size},
    [KC_PUSH_WORK_DIM] = {0, 0, work_dim},
    [KC_PUSH_DATA] = {KC_SHARED_PUSH_CONSTANTS, KC_SHARED_PUSH_VARIABLES, none},
    [KC_PUSH_PRINTF] = {KC_SHARED_PUSH_PRINTF, 0, none},
};

static bool is_of_range(enum kc_push_kind kind)
{
    return kind < sizeof rows / sizeof *rows && rows[kind].value;
}

static const struct kc_shared *range_push(const struct ir_module *m, enum kc_push_kind kind)
{
    const struct kc_shared *pushed = rows[kind].pushed ? find_shared(m, rows[kind].pushed) : NULL;
    return pushed || !rows[kind].or_pushed ? pushed : find_shared(m, rows[kind].or_pushed);
}

// A bound buffer starts where its binding does.
static bool is_start(const struct ir_module *m, const struct kc_kernel *info, enum kc_push_kind kind, unsigned arg)
{
    return kind == KC_PUSH_ARG && !is_pod(m, &info->args[arg]) && is_buffer(&info->args[arg]);
}

struct ir_instr *mapping_value(struct ir_builder *head, const struct ir_kernel *kernel, enum kc_push_kind kind, unsigned dim,
                               unsigned arg, struct ir_type type)
{
    if (is_start(head->module, &kernel->info, kind, arg))
        return none(head, kernel, 0);
    if (kind == KC_PUSH_LOCAL_ARG)
        return local_start(head, kernel, arg);
    if (!is_of_range(kind) || range_push(head->module, kind))
        return NULL;
    struct ir_instr *value = rows[kind].value(head, kernel, dim);
    return type.bits == 64 ? ir_convert(head, IR_OP_zext, type, value) : value;
}

// ---- blocks ------------------------------------------------------------------------------------------

// The offset of a queried property of an argument: after everything else in the kernel's push constants. The places
// are copied before the change, because another attempt at the same kernel uses the plan too.
static struct mapping_field query_field(struct ir_module *m, struct kc_kernel *info, enum kc_query query, unsigned arg)
{
    uint32_t offset = info->places[arg].queries[query];
    if (offset == KC_NOT_QUERIED) {
        struct kc_place *places = arena_copy(m->arena, info->places, info->arg_count * sizeof *places);
        offset = aligned(info->push_size > m->mapping->push_bytes ? info->push_size : m->mapping->push_bytes, 4);
        places[arg].queries[query] = offset;
        info->places = places;
        info->push_size = offset + 4;
        if (info->push_size > m->target->max_push_bytes && !m->error)
            m->error = "the kernel needs more push constants than -max-pushconstant-size";
    }
    return (struct mapping_field){.offset = offset, .end = offset + 4};
}

struct mapping_field mapping_field_of(struct ir_module *m, struct kc_kernel *info, enum kc_push_kind kind, unsigned dim,
                                      unsigned arg)
{
    const struct kc_shared *pushed = is_of_range(kind) ? range_push(m, kind) : NULL;
    if (kind == KC_PUSH_IMAGE_ORDER || kind == KC_PUSH_IMAGE_TYPE)
        return query_field(m, info, kind == KC_PUSH_IMAGE_ORDER ? KC_QUERY_ORDER : KC_QUERY_TYPE, arg);
    if (kind == KC_PUSH_ARG && info->args[arg].kind == KC_ARG_SAMPLER)
        return query_field(m, info, KC_QUERY_SAMPLER, arg);
    if (pushed)
        return (struct mapping_field){.offset = pushed->values[0] + 4 * dim, .end = pushed->values[0] + pushed->values[1]};
    if (kind != KC_PUSH_ARG && !m->error)
        m->error = "the kernel uses a value of the launch that modules for other programs do not support yet";
    const struct kc_place *place = &info->places[arg];
    bool uniform = place->kind == KC_PLACE_POD_UNIFORM || place->kind == KC_PLACE_POINTER_UNIFORM;
    enum kc_binding_kind bound = uniform ? KC_BINDING_PODS_UNIFORM : KC_BINDING_PODS;
    return (struct mapping_field){.bound = place->kind != KC_PLACE_POD_PUSH && place->kind != KC_PLACE_POINTER_PUSH,
                                  .binding = {.kind = bound, .arg = m->target->mapping.separate_pods ? arg : 0},
                                  .offset = place->offset,
                                  .end = place->offset + info->args[arg].size};
}

// The first argument in the block of plain data.
static uint32_t first_pod(const struct ir_module *m, const struct kc_kernel *info)
{
    uint32_t arg = 0;
    while (arg < info->arg_count && !is_pod(m, &info->args[arg]))
        arg++;
    return arg;
}

// The binding of a literal sampler, assigned at its first use.
static uint32_t bind_literal(struct ir_module *m, uint32_t sampler)
{
    uint32_t i = 0;
    while (i < m->mapping->samplers.count && m->mapping->samplers.items[i] != sampler)
        i++;
    if (i == m->mapping->samplers.count)
        vec_push(m->arena, &m->mapping->samplers, sampler);
    return i;
}

void mapping_bind(struct ir_module *m, const struct kc_kernel *info, struct kc_binding *binding)
{
    bool pods = binding->kind == KC_BINDING_PODS || binding->kind == KC_BINDING_PODS_UNIFORM;
    if (binding->kind == KC_BINDING_DATA || binding->kind == KC_BINDING_PRINTF) {
        binding->set = binding->kind == KC_BINDING_DATA ? m->mapping->data_set : m->mapping->printf_set;
        binding->binding = 0;
        return;
    }
    uint32_t arg = pods && !m->target->mapping.separate_pods ? first_pod(m, info) : binding->arg & ~(uint32_t)KC_SAMPLER_ARG;
    if (binding->kind == KC_BINDING_SAMPLER && binding->arg == arg) {
        binding->binding = bind_literal(m, arg);
        return;
    }
    if (arg >= info->arg_count)
        return;
    binding->set = info->places[arg].set;
    binding->binding = info->places[arg].binding;
}
