// SPDX-License-Identifier: Apache-2.0
// What the runtime needs to know about a kernel: arguments and execution modes. Argument names and types are
// available if the module has them (OpName, OpString "kernel_arg_type.NAME.type,type,").
#include "reader/reader.h"

// ---- texts ---------------------------------------------------------------------------------------

// The `index`-th comma-separated word of the string that begins with `what` and the kernel's name; "" if there is
// none.
static const char *text_of(struct reader *r, const char *what, const char *kernel, uint64_t index)
{
    const char *prefix = arena_printf(r->work, "%s.%s.", what, kernel), *at = NULL;
    for (size_t i = 0; i < r->strings.count && !at; i++)
        if (!strncmp(r->strings.items[i], prefix, strlen(prefix)))
            at = r->strings.items[i] + strlen(prefix);
    for (; at && index; index--) {
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    return at ? arena_strndup(r->arena, at, strcspn(at, ",")) : "";
}

static uint32_t qualifiers_of(const char *text)
{
    return (strstr(text, "const") ? KC_TYPE_CONST : 0) | (strstr(text, "restrict") ? KC_TYPE_RESTRICT : 0) |
           (strstr(text, "volatile") ? KC_TYPE_VOLATILE : 0) | (strstr(text, "pipe") ? KC_TYPE_PIPE : 0);
}

// ---- arguments -----------------------------------------------------------------------------------

static void pointer_argument(struct reader *r, struct kc_arg *arg, const struct spv_type *type, uint32_t id)
{
    const struct spv_decoration *aligned = reader_decoration(r, id, SpvDecorationAlignment);
    uint32_t least = type->elem && type->elem->align > 1 ? type->elem->align : 1;
    switch (type->storage) {
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassDeviceOnlyINTEL:
    case SpvStorageClassHostOnlyINTEL:
        arg->kind = KC_ARG_GLOBAL;
        arg->address = KC_ADDRESS_GLOBAL;
        break;
    case SpvStorageClassUniformConstant:
        arg->kind = KC_ARG_CONSTANT;
        arg->address = KC_ADDRESS_CONSTANT;
        break;
    case SpvStorageClassWorkgroup: // LLVM's pointers have no pointee type: use the alignment of the largest type
        arg->kind = KC_ARG_LOCAL;
        arg->address = KC_ADDRESS_LOCAL;
        arg->align = aligned && aligned->count ? aligned->words[0] : least > 1 ? least : 128;
        if (!arg->align || arg->align & (arg->align - 1) || arg->align > 1024)
            reader_fail(r, "invalid alignment of %u bytes", arg->align);
        break;
    default:
        reader_fail(r, "a kernel argument cannot be a pointer of storage class %u", type->storage);
    }
}

static enum kc_access_qualifier access_of(const struct spv_type *type)
{
    static const uint8_t access[] = {[SpvAccessQualifierReadOnly] = KC_ACCESS_READ_ONLY,
                                     [SpvAccessQualifierWriteOnly] = KC_ACCESS_WRITE_ONLY,
                                     [SpvAccessQualifierReadWrite] = KC_ACCESS_READ_WRITE};
    return (enum kc_access_qualifier)access[type->image.access];
}

static uint8_t dim_of(const struct spv_type *type)
{
    static const uint8_t dims[][2] = {[SpvDim1D] = {KC_DIM_1D, KC_DIM_1D_ARRAY}, [SpvDim2D] = {KC_DIM_2D, KC_DIM_2D_ARRAY},
                                      [SpvDim3D] = {KC_DIM_3D}, [SpvDimBuffer] = {KC_DIM_BUFFER}};
    return type->image.dim < sizeof dims / sizeof *dims ? dims[type->image.dim][type->image.arrayed != 0] : KC_DIM_2D;
}

static struct kc_arg describe_arg(struct reader *r, const struct spv_function *f, const char *kernel, uint64_t i)
{
    const struct spv_type *type = f->type->members[i];
    const char *name = reader_id(r, f->params[i])->name;
    struct kc_arg arg = {.name = name ? arena_strndup(r->arena, name, strlen(name)) : "",
                         .type_name = text_of(r, "kernel_arg_type", kernel, i),
                         .type_qualifiers = qualifiers_of(text_of(r, "kernel_arg_type_qual", kernel, i)),
                         .kind = KC_ARG_VALUE,
                         .address = KC_ADDRESS_PRIVATE,
                         .size = 8,
                         .align = 8};
    if (reader_is_by_value(r, f, i))
        type = type->elem;
    if (type->kind == SPV_POINTER) {
        pointer_argument(r, &arg, type, f->params[i]);
    } else if (type->kind == SPV_IMAGE) {
        arg.kind = KC_ARG_IMAGE;
        arg.access = access_of(type);
        arg.address = KC_ADDRESS_GLOBAL;
        arg.dim = dim_of(type);
    } else if (type->kind == SPV_SAMPLER) {
        arg.kind = KC_ARG_SAMPLER;
    } else if (type->kind == SPV_QUEUE || type->kind == SPV_DEVICE_EVENT) {
        arg.kind = KC_ARG_QUEUE;
    } else if (type->kind == SPV_PIPE) {
        arg.kind = KC_ARG_GLOBAL;
        arg.access = access_of(type);
        arg.address = KC_ADDRESS_GLOBAL;
        arg.type_qualifiers = KC_TYPE_PIPE;
    } else if (type->kind <= SPV_STRUCT && type->kind != SPV_BOOL && !type->has_matrix && type->size <= UINT16_MAX) {
        arg.size = (uint32_t)type->size;
        arg.align = type->align;
    } else {
        reader_fail(r, "kernel '%s' has an argument of an invalid type", kernel);
    }
    return arg;
}

// ---- execution modes -----------------------------------------------------------------------------

enum mode_kind { MODE_HINT, MODE_SIZE, MODE_SIZE_HINT, MODE_VECTOR_HINT, MODE_SUBGROUP_SIZE, MODE_SUBGROUPS, MODE_REFUSED };

static const struct {
    uint16_t mode;
    uint8_t kind, words;
} modes[] = {
    {SpvExecutionModeLocalSize, MODE_SIZE, 3},           {SpvExecutionModeLocalSizeId, MODE_SIZE, 3},
    {SpvExecutionModeLocalSizeHint, MODE_SIZE_HINT, 3},  {SpvExecutionModeLocalSizeHintId, MODE_SIZE_HINT, 3},
    {SpvExecutionModeVecTypeHint, MODE_VECTOR_HINT, 1},  {SpvExecutionModeSubgroupSize, MODE_SUBGROUP_SIZE, 1},
    {SpvExecutionModeSubgroupsPerWorkgroup, MODE_SUBGROUPS, 1}, {SpvExecutionModeSubgroupsPerWorkgroupId, MODE_SUBGROUPS, 1},
    {SpvExecutionModeInitializer, MODE_REFUSED, 0},      {SpvExecutionModeFinalizer, MODE_REFUSED, 0},
    {SpvExecutionModeRoundingModeRTZ, MODE_REFUSED, 1},  {SpvExecutionModeRoundingModeRTPINTEL, MODE_REFUSED, 1},
    {SpvExecutionModeRoundingModeRTNINTEL, MODE_REFUSED, 1}, {SpvExecutionModeFloatingPointModeALTINTEL, MODE_REFUSED, 1},
};

static uint32_t operand(struct reader *r, const struct spv_mode *mode, unsigned i)
{
    uint64_t value = mode->by_id ? reader_constant(r, mode->words[i]) : mode->words[i];
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static void set_sizes(struct reader *r, const struct spv_mode *mode, uint32_t sizes[3])
{
    for (unsigned i = 0; i < 3; i++)
        if (!(sizes[i] = operand(r, mode, i)))
            reader_fail(r, "the work-group size is zero");
}

static void set_sub_groups(struct reader *r, const struct spv_mode *mode, struct kc_kernel *info)
{
    uint64_t count = operand(r, mode, 0), size = r->target->subgroups ? r->target->subgroup_size : 0;
    if (!count || !size || count * size > r->target->max_local_invocations)
        reader_fail(r, "kernel '%s' requires %llu sub-groups in a work-group, which the device does not support", info->name,
                    (unsigned long long)count);
    info->reqd_sub_groups = (uint32_t)count;
}

static void apply_mode(struct reader *r, const struct spv_mode *mode, struct ir_kernel *kernel)
{
    size_t k = 0;
    while (k < sizeof modes / sizeof *modes && modes[k].mode != mode->mode)
        k++;
    if (k == sizeof modes / sizeof *modes) // a hint, or a mode that always holds
        return;
    if (mode->count < modes[k].words)
        reader_fail(r, "execution mode %u has too few operands", mode->mode);
    if (modes[k].kind == MODE_REFUSED)
        reader_fail(r, "kernel '%s': execution mode %u is not supported", kernel->info.name, mode->mode);
    if (modes[k].kind == MODE_SIZE) {
        set_sizes(r, mode, kernel->info.reqd_local_size);
        kernel->info.partial_groups = !r->input->options->uniform_groups;
    } else if (modes[k].kind == MODE_SIZE_HINT) {
        set_sizes(r, mode, kernel->info.local_size_hint);
    } else if (modes[k].kind == MODE_VECTOR_HINT) {
        kernel->vec_type_hint = mode->words[0];
    } else if (modes[k].kind == MODE_SUBGROUPS) {
        set_sub_groups(r, mode, &kernel->info);
    } else if (operand(r, mode, 0) != r->target->subgroup_size && !kc_has_sub_groups_of(r->target, operand(r, mode, 0))) {
        reader_fail(r, "kernel '%s' requires a sub-group size of %u, the device's is %u", kernel->info.name,
                    operand(r, mode, 0), r->target->subgroup_size);
    } else {
        kernel->info.reqd_sub_group_size = operand(r, mode, 0);
    }
}

// ---- kernels -------------------------------------------------------------------------------------

static struct ir_kernel *describe(struct reader *r, const struct spv_function *f, const char *name)
{
    struct ir_kernel *kernel = ARENA_NEW(r->arena, struct ir_kernel);
    struct kc_arg *args = ARENA_ARRAY(r->arena, struct kc_arg, f->type->count + 1);
    for (uint64_t i = 0; i < f->type->count; i++)
        args[i] = describe_arg(r, f, name, i);
    kernel->info = (struct kc_kernel){.name = arena_strndup(r->arena, name, strlen(name)),
                                      .attributes = "", // clGetKernelInfo's result without source
                                      .args = args,
                                      .arg_count = (uint32_t)f->type->count};
    for (size_t i = 0; i < r->modes.count; i++)
        if (r->modes.items[i].entry == f->id)
            apply_mode(r, &r->modes.items[i], kernel);
    return kernel;
}

static bool is_shared(struct reader *r, const struct spv_function *f)
{
    uint32_t entries = 0;
    for (size_t i = 0; i < r->entries.count; i++)
        entries += r->entries.items[i].function == f->id;
    return entries > 1 || reader_id(r, f->id)->called;
}

static struct ir_function *kernel_around(struct reader *r, struct spv_function *f, const char *name)
{
    const char *own = reader_ir_name(r, name, "kernel");
    if (!f->ir)
        f->ir_name = arena_printf(r->arena, "%s.body", own);
    struct ir_function *body = reader_ir_function(r, f);
    struct ir_type *types = ARENA_ARRAY(r->work, struct ir_type, body->param_count + 1);
    for (uint32_t i = 0; i < body->param_count; i++)
        types[i] = body->params[i]->type;
    struct ir_function *kernel =
        ir_function_get(r->module, reader_unique_name(r, own, f->id), ir_void(), types, body->param_count);
    ir_function_define(kernel);
    struct ir_builder b = ir_at_end(kernel);
    ir_call(&b, body, kernel->params, kernel->param_count);
    ir_jump(&b, IR_OP_return, NULL);
    return kernel;
}

void reader_kernel(struct reader *r, struct spv_entry *entry)
{
    struct spv_inst inst;
    reader_decode(r, entry->at, &inst);
    r->inst = &inst;
    struct spv_function *f = reader_function(r, entry->function);
    if (!f->has_body || f->type->elem->kind != SPV_VOID)
        reader_fail(r, "function %u has no body, or returns a value", f->id);
    struct ir_function *ir = is_shared(r, f) ? kernel_around(r, f, entry->name) : reader_ir_function(r, f);
    ir->kernel = describe(r, f, entry->name);
    if (r->input->options->separate) {
        ir->linkage = IR_LINK_EXPORT;
        ir->c_type = "";
    }
    r->inst = NULL;
}
