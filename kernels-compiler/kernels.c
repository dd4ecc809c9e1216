// SPDX-License-Identifier: Apache-2.0
// From the module of a build to the SPIR-V of its kernels: each is extracted with what it calls, lowered for the
// variant of the target that it needs, and written.
#include "build.h"
#include "environment.h"
#include "result.h"

#include "link/extract.h"

#include <string.h>

static bool is_subgroup_value(const struct ir_instr *x)
{
    return x->op == IR_OP_sys && x->sys >= IR_SYS_VK_SUBGROUP_SIZE && x->sys <= IR_SYS_VK_NUM_SUBGROUPS;
}

static bool is_matrix_operation(const struct ir_instr *x)
{
    return x->op >= IR_OP_mat_load && x->op <= IR_OP_mat_set;
}

bool build_has_matrices(const struct ir_module *module)
{
    for (size_t i = 0; i < module->functions.count; i++)
        for (struct ir_block *at = ir_first_block(module->functions.items[i]); at; at = ir_next_block(at))
            for (struct ir_instr *x = at->first; x; x = x->next)
                if (is_matrix_operation(x))
                    return true;
    return false;
}

static bool is_volatile_local(const struct ir_instr *x)
{
    return x->op == IR_OP_store && x->mem.space == IR_LOCAL && x->mem.is_volatile;
}

// Describes the kernel by the operations in its source, before passes fold them away.
static void describe(struct ir_module *module, struct kc_kernel *info)
{
    for (size_t i = 0; i < module->functions.count; i++)
        for (struct ir_block *at = ir_first_block(module->functions.items[i]); at; at = ir_next_block(at))
            for (struct ir_instr *x = at->first; x; x = x->next)
                info->uses_barrier |= x->op == IR_OP_barrier,
                    info->uses_printf |= x->op == IR_OP_sys && x->sys == IR_SYS_PRINTF,
                    info->uses_subgroups |= x->op == IR_OP_subgroup || is_subgroup_value(x) || is_matrix_operation(x),
                    info->lockstep |= is_volatile_local(x),
                    info->whole_sub_groups |= is_matrix_operation(x);
}

struct pipeline_options build_pass_options(struct build *b)
{
    return (struct pipeline_options){.optimize = !b->options.opt_disable,
                                     .scratch = &b->scratch,
                                     .verify = b->driver->verify,
                                     .skip = b->driver->skip,
                                     .stop_after = b->driver->stop_after,
                                     .apart = b->apart,
                                     .dump = build_dumps(b, DRIVER_DUMP_PASSES) ? build_dump_pass : NULL,
                                     .dump_data = b};
}

static const char *lower(struct build *b, struct ir_module *module, const struct kc_target *target)
{
    struct pipeline_options options = build_pass_options(b);
    const char *error = pipeline_run(module, target, &options);
    if (build_dumps(b, DRIVER_DUMP_LOWERED))
        build_dump_ir(b, "lowered", module);
    return error;
}

static bool loads_word(const struct ir_module *module, uint32_t word)
{
    for (size_t i = 0; i < module->functions.count; i++)
        for (struct ir_block *at = ir_first_block(module->functions.items[i]); at; at = ir_next_block(at))
            for (struct ir_instr *x = at->first; x; x = x->next)
                if (x->op == IR_OP_elem_load && x->var->space == IR_PUSH && ir_is_const(x->src[0]) &&
                    x->src[0]->lanes[0] == word)
                    return true;
    return false;
}

// Clears uses_printf if all calls of printf are unreachable, so that the launch needs no printf buffer.
static void clear_unreachable_printf(const struct ir_module *module, struct kc_kernel *info)
{
    for (uint32_t i = 0; i < info->push_count && !info->push_indirect; i++)
        if (info->push[i].kind == KC_PUSH_PRINTF)
            info->uses_printf = loads_word(module, info->push[i].offset / 4);
    if (!module->target->physical_addressing)
        info->uses_printf = false;
    for (uint32_t i = 0; i < info->binding_count; i++)
        info->uses_printf |= info->bindings[i].kind == KC_BINDING_PRINTF;
}

static bool enqueues(const struct kc_kernel *info)
{
    bool found = false;
    for (uint32_t i = 0; i < info->push_count; i++)
        found |= info->push[i].kind == KC_PUSH_ENQUEUED;
    return found;
}

// Whether the operation of a sub-group exchanges values only in aligned rows of so many work-items.
static bool stays_in_rows(const struct ir_instr *x, uint32_t row)
{
    const bool clustered = x->group == IR_GROUP_CLUSTERED;
    if (x->subgroup_op != IR_SUBGROUP_SHUFFLE_XOR && !clustered)
        return false;
    return ir_is_const(x->src[1]) && x->src[1]->lanes[0] < (uint64_t)row + clustered;
}

static bool depends_on_lanes(const struct ir_instr *x, uint32_t row)
{
    if (x->op == IR_OP_subgroup)
        return !stays_in_rows(x, row);
    const bool waits = x->op == IR_OP_barrier && x->sync.execution == IR_SCOPE_SUB_GROUP;
    return waits || is_subgroup_value(x) || is_matrix_operation(x);
}

// Clears uses_subgroups if all sub-group sizes of the device give the same results, so that the driver may choose the
// one with which the kernel's values fit in registers.
static void free_lanes(const struct ir_module *module, struct kc_kernel *info)
{
    const uint32_t sizes = module->target->subgroup_sizes, least = sizes & (0 - sizes);
    bool depends = sizes == least || module->mapping || info->lockstep || info->reqd_sub_groups || info->reqd_sub_group_size;
    for (size_t i = 0; !depends && i < module->functions.count; i++)
        for (struct ir_block *at = ir_first_block(module->functions.items[i]); at; at = ir_next_block(at))
            for (struct ir_instr *x = at->first; x; x = x->next)
                depends |= depends_on_lanes(x, least);
    info->uses_subgroups &= depends;
}

static void replace_spirv(struct build *b, struct kc_kernel *info)
{
    size_t count;
    const uint32_t *words = environment_replacement(&b->arena, info->name, &count);
    if (!words)
        return;
    info->spirv = words;
    info->spirv_words = count;
}

static struct ir_module *extract(struct build *b, struct ir_function *kernel)
{
    struct ir_module *module = extract_kernel(b->module, kernel, &b->work);
    module->mapping = b->target->mapping.on ? &b->mapping : NULL;
    module->debug = b->debug.lines ? &b->debug : NULL;
    describe(module, &module->functions.items[0]->kernel->info);
    return module;
}

static const struct kc_target *without_matrix_units(struct build *b)
{
    struct kc_target *target = arena_copy(&b->work, b->target, sizeof *target);
    target->matrix_shape_count = 0;
    return target;
}

// Calls take fewer registers than copies of their functions, and more time.
static const struct kc_target *with_fewer_copies(struct build *b, const struct kc_target *of)
{
    struct kc_target *target = arena_copy(&b->work, of, sizeof *target);
    target->max_inlined /= 4;
    return target;
}

// Matrix units need each row of a work-group to consist of full sub-groups.
static bool may_use_matrix_units(const struct build *b, const struct kc_kernel *info)
{
    return !b->target->subgroup_size || info->reqd_local_size[0] % b->target->subgroup_size == 0;
}

static const struct kc_target *general_target(struct build *b)
{
    struct kc_target *target = arena_copy(&b->work, b->target, sizeof *target);
    target->matrix_shape_count = 0;
    target->plain_arguments = KC_PLAIN_ADDRESSES;
    target->max_array_in_local = 0;
    return target;
}

// A kernel with another sub-group size than the device's default one cannot use the matrix units.
static const struct kc_target *target_of_lanes(struct build *b, const struct kc_target *target, uint32_t lanes)
{
    if (!lanes || lanes == target->subgroup_size || target->mapping.on)
        return target;
    struct kc_target *other = arena_copy(&b->work, target, sizeof *other);
    other->subgroup_size = lanes;
    other->matrix_shape_count = 0;
    return other;
}

static const struct kc_target *target_for(struct build *b, const struct kc_kernel *info)
{
    const struct kc_target *target = b->general_kernel                ? general_target(b)
                                     : may_use_matrix_units(b, info) ? b->target
                                                                     : without_matrix_units(b);
    return target_of_lanes(b, target, info->reqd_sub_group_size);
}

static bool is_long(struct ir_type type) { return type.base == IR_INT && type.bits == 64; }

// Whether the instruction produces a 64-bit integer that is more than a widened index or a pointer.
static bool produces_int64(const struct ir_instr *x)
{
    bool widens = x->op == IR_OP_sys || x->op == IR_OP_sext || x->op == IR_OP_zext || x->op == IR_OP_ptr_to_int;
    return (is_long(x->type) && !widens) || (x->op == IR_OP_store && is_long(x->src[1]->type));
}

// Whether the source computes in 64 bits. With 32-bit addresses, size_t does not count.
static bool computes_int64(const struct ir_module *module)
{
    for (size_t i = 0; i < module->functions.count; i++)
        for (struct ir_block *at = ir_first_block(module->functions.items[i]); at; at = ir_next_block(at))
            for (struct ir_instr *x = at->first; x; x = x->next)
                if (produces_int64(x))
                    return true;
    return false;
}

// A module for other programs requires 64-bit integers only if the source uses them: pointers need 32 bits only.
static const struct kc_target *without_int64(struct build *b, const struct ir_module *module,
                                             const struct kc_target *target)
{
    if (!target->mapping.on || target->address_bits != 32 || computes_int64(module))
        return target;
    struct kc_target *narrow = arena_copy(&b->work, target, sizeof *narrow);
    narrow->int64 = false;
    return narrow;
}

static struct ir_module *extract_for(struct build *b, struct ir_function *kernel, const struct kc_target *target)
{
    struct ir_module *module = extract(b, kernel);
    module->target = target;
    return module;
}

static void compile_kernel(struct build *b, struct ir_function *kernel)
{
    b->kernel = kernel->kernel;
    const struct kc_target *target = target_for(b, &kernel->kernel->info);
    struct ir_module *module = extract_for(b, kernel, target);
    module->target = target = without_int64(b, module, target);
    const char *error = lower(b, module, target);
    if (error && module->matrix_units_failed) {
        target = without_matrix_units(b);
        module = extract_for(b, kernel, target);
        error = lower(b, module, target);
    }
    if (module->too_large && b->apart) {
        target = with_fewer_copies(b, target);
        module = extract_for(b, kernel, target);
        error = lower(b, module, target);
    }
    b->too_large |= module->too_large;
    struct kc_kernel *info = &module->functions.items[0]->kernel->info;
    build_add_time(b, DRIVER_PASSES);
    if (!error && !b->driver->stop_after)
        clear_unreachable_printf(module, info);
    info->enqueues = enqueues(info);
    free_lanes(module, info);
    if (!error && module->mapping)
        vec_push(&b->work, &b->lowered, module);
    else if (!error && !b->driver->stop_after)
        error = spv_write(module);
    if (!error && !b->general_kernel)
        replace_spirv(b, info);
    if (error)
        build_report_in(b, module, error);
    else if (build_dumps(b, DRIVER_DUMP_SPIRV) && !module->mapping)
        build_dump(b, "spirv", info->spirv, info->spirv_words * 4);
    vec_push(&b->arena, &b->kernels, result_copy_kernel(&b->arena, info));
    if (!module->mapping)
        arena_reset(&b->work);
    b->kernel = NULL;
    build_add_time(b, DRIVER_SPIRV);
}

// Reports at the kernel that the failing module belongs to.
static void report_mapped(struct build *b, const char *error)
{
    size_t i = 0;
    while (i < b->lowered.count && !b->lowered.items[i]->error)
        i++;
    const struct ir_module *module = i < b->lowered.count ? b->lowered.items[i] : NULL;
    b->kernel = module && module->error_origin ? module->functions.items[0]->kernel : NULL;
    build_report_in(b, module, error);
    b->kernel = NULL;
}

// With target.mapping, all kernels are in one SPIR-V module.
static void write_mapped(struct build *b)
{
    if (!b->lowered.count || build_failed(b) || b->driver->stop_after)
        return;
    mapping_share_bound(&b->mapping, b->lowered.items, b->lowered.count);
    const char *error = spv_write_all(b->lowered.items, b->lowered.count, &b->words, &b->word_count);
    if (error)
        report_mapped(b, error);
    else if (build_dumps(b, DRIVER_DUMP_SPIRV))
        build_dump(b, "spirv", b->words, b->word_count * 4);
    build_add_time(b, DRIVER_SPIRV);
}

void build_kernels(struct build *b)
{
    struct ir_module *m = b->module;
    struct pipeline_options options = build_pass_options(b);
    const char *error = m->error ? NULL : pipeline_prepare(m, b->target, &options);
    if (error)
        build_report(b, error);
    build_add_time(b, DRIVER_PASSES);
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->kernel && m->functions.items[i]->has_body &&
            (!b->general_kernel || !strcmp(m->functions.items[i]->name, b->general_kernel)))
            compile_kernel(b, m->functions.items[i]);
    write_mapped(b);
}
