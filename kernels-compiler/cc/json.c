// SPDX-License-Identifier: Apache-2.0
#include "cc/json.h"
#include "pumice/spirv.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

// ---- text --------------------------------------------------------------------------------------------

// State of the writer, which adds commas and line breaks.
struct json {
    FILE *to;
    int depth;
    bool any; // the innermost list or object is not empty
};

static void quote(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', to);
        if ((unsigned char)*text < ' ')
            fprintf(to, "\\u%04x", *text);
        else
            fputc(*text, to);
    }
    fputc('"', to);
}

enum { LINES = 3 }; // up to this depth each member has its own line; objects one level deeper

static void next_within(struct json *j, const char *name, int lines)
{
    if (j->any)
        fputc(',', j->to);
    if (j->depth <= lines)
        fprintf(j->to, "%s%*s", j->depth ? "\n" : "", 2 * j->depth, "");
    else if (j->any)
        fputc(' ', j->to);
    j->any = true;
    if (!name)
        return;
    quote(j->to, name);
    fputs(": ", j->to);
}

static void next(struct json *j, const char *name) { next_within(j, name, LINES); }

static void open(struct json *j, const char *name, char bracket)
{
    next_within(j, name, LINES + (bracket == '{'));
    fputc(bracket, j->to);
    j->depth++;
    j->any = false;
}

static void close(struct json *j, char bracket)
{
    j->depth--;
    if (j->any && j->depth < LINES)
        fprintf(j->to, "\n%*s", 2 * j->depth, "");
    fputc(bracket, j->to);
    j->any = true;
}

static void text(struct json *j, const char *name, const char *value)
{
    next(j, name);
    value ? quote(j->to, value) : (void)fputs("null", j->to);
}

static void number(struct json *j, const char *name, uint64_t value)
{
    next(j, name);
    fprintf(j->to, "%" PRIu64, value);
}

static void truth(struct json *j, const char *name, bool value)
{
    next(j, name);
    fputs(value ? "true" : "false", j->to);
}

static void numbers(struct json *j, const char *name, const uint32_t *values, int count)
{
    open(j, name, '[');
    for (int i = 0; i < count; i++)
        number(j, NULL, values[i]);
    close(j, ']');
}

// ---- requirements of a module ------------------------------------------------------------------------

// By SPIR-V's number: capabilities and the Vulkan features that enable them.
#define NAMED(name, ...) {SpvCapability##name, #name, {__VA_ARGS__}}
static const struct {
    uint32_t number;
    const char *name, *features[2];
} capabilities[] = {
    NAMED(Shader, 0),
    NAMED(Int8, "shaderInt8"),
    NAMED(Int16, "shaderInt16"),
    NAMED(Int64, "shaderInt64"),
    NAMED(Float16, "shaderFloat16"),
    NAMED(Float64, "shaderFloat64"),
    NAMED(PhysicalStorageBufferAddresses, "bufferDeviceAddress"),
    NAMED(StorageBuffer8BitAccess, "storageBuffer8BitAccess"),
    NAMED(StorageBuffer16BitAccess, "storageBuffer16BitAccess"),
    NAMED(Int64Atomics, "shaderBufferInt64Atomics", "shaderSharedInt64Atomics"),
    NAMED(AtomicFloat32AddEXT, "shaderBufferFloat32AtomicAdd", "shaderSharedFloat32AtomicAdd"),
    NAMED(AtomicFloat32MinMaxEXT, "shaderBufferFloat32AtomicMinMax", "shaderSharedFloat32AtomicMinMax"),
    NAMED(VulkanMemoryModel, "vulkanMemoryModel"),
    NAMED(VulkanMemoryModelDeviceScope, "vulkanMemoryModelDeviceScope"),
    NAMED(DenormPreserve, 0),
    NAMED(SignedZeroInfNanPreserve, 0),
    NAMED(RoundingModeRTE, 0),
    NAMED(Sampled1D, 0),
    NAMED(Image1D, 0),
    NAMED(SampledBuffer, 0),
    NAMED(ImageBuffer, 0),
    NAMED(ImageQuery, 0),
    NAMED(StorageImageReadWithoutFormat, "shaderStorageImageReadWithoutFormat"),
    NAMED(StorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat"),
    NAMED(DotProduct, "shaderIntegerDotProduct"),
    NAMED(DotProductInput4x8BitPacked, "shaderIntegerDotProduct"),
    NAMED(GroupNonUniform, 0),
    NAMED(GroupNonUniformVote, 0),
    NAMED(GroupNonUniformArithmetic, 0),
    NAMED(GroupNonUniformBallot, 0),
    NAMED(GroupNonUniformShuffle, 0),
    NAMED(GroupNonUniformShuffleRelative, 0),
    NAMED(GroupNonUniformClustered, 0),
    NAMED(ShaderClockKHR, "shaderSubgroupClock", "shaderDeviceClock"),
    // Debian 12's header lacks these:
    {6022, "CooperativeMatrixKHR", {"cooperativeMatrix"}},
    {5116, "BFloat16TypeKHR", {"shaderBFloat16Type"}},
    {5118, "BFloat16CooperativeMatrixKHR", {"shaderBFloat16CooperativeMatrix"}},
    {4212, "Float8EXT", {"shaderFloat8"}},
    {4213, "Float8CooperativeMatrixEXT", {"shaderFloat8CooperativeMatrix"}},
};
enum { CAPABILITIES = sizeof capabilities / sizeof *capabilities };

enum { HEADER_WORDS = 5 };

// Calls `each` for all instructions with this opcode.
static void each_of(struct json *j, const struct kc_kernel *k, uint32_t op, void (*each)(struct json *j, const uint32_t *operands))
{
    for (size_t i = HEADER_WORDS; i < k->spirv_words; i += k->spirv[i] >> 16)
        if ((k->spirv[i] & 0xffff) == op)
            each(j, k->spirv + i + 1);
}

static int find_capability(uint32_t number)
{
    int i = 0;
    while (i < CAPABILITIES && capabilities[i].number != number)
        i++;
    return i;
}

static void put_capability(struct json *j, const uint32_t *operands)
{
    int i = find_capability(operands[0]);
    if (i < CAPABILITIES)
        text(j, NULL, capabilities[i].name);
    else
        number(j, NULL, operands[0]);
}

static void put_features(struct json *j, const uint32_t *operands)
{
    int i = find_capability(operands[0]);
    for (int k = 0; i < CAPABILITIES && k < 2; k++)
        if (capabilities[i].features[k])
            text(j, NULL, capabilities[i].features[k]);
}

static void put_extension(struct json *j, const uint32_t *operands) { text(j, NULL, (const char *)operands); }

static void put_extension_feature(struct json *j, const uint32_t *operands)
{
    if (!strcmp((const char *)operands, "SPV_KHR_maximal_reconvergence"))
        text(j, NULL, "shaderMaximalReconvergence");
}

// For the execution mode LocalSizeId.
static void put_mode_feature(struct json *j, const uint32_t *operands)
{
    (void)operands;
    text(j, NULL, "maintenance4");
}

static void put_needs(struct json *j, const struct kc_kernel *k)
{
    open(j, "capabilities", '[');
    each_of(j, k, SpvOpCapability, put_capability);
    close(j, ']');
    open(j, "extensions", '[');
    each_of(j, k, SpvOpExtension, put_extension);
    close(j, ']');
    open(j, "features", '[');
    each_of(j, k, SpvOpCapability, put_features);
    each_of(j, k, SpvOpExtension, put_extension_feature);
    each_of(j, k, SpvOpExecutionModeId, put_mode_feature);
    close(j, ']');
}

// ---- inputs of a launch ------------------------------------------------------------------------------

static void put_arguments(struct json *j, const struct kc_kernel *k)
{
    static const char *const kinds[] = {[KC_ARG_VALUE] = "value", [KC_ARG_GLOBAL] = "global", [KC_ARG_CONSTANT] = "constant",
                                        [KC_ARG_LOCAL] = "local", [KC_ARG_IMAGE] = "image",   [KC_ARG_SAMPLER] = "sampler",
                                        [KC_ARG_QUEUE] = "queue"};
    open(j, "arguments", '[');
    for (uint32_t i = 0; i < k->arg_count; i++) {
        open(j, NULL, '{');
        text(j, "name", k->args[i].name);
        text(j, "type", k->args[i].type_name);
        text(j, "kind", kinds[k->args[i].kind]);
        number(j, "size", k->args[i].size);
        number(j, "align", k->args[i].align);
        close(j, '}');
    }
    close(j, ']');
}

// Whether an item belongs to an argument, a dimension, both or neither.
enum about { NOTHING, ARGUMENT, DIMENSION, ARGUMENT_DIMENSION };

static void put_about(struct json *j, enum about about, uint32_t arg, uint32_t dim)
{
    if (about & ARGUMENT)
        number(j, "argument", arg);
    if (about & DIMENSION)
        number(j, "dimension", dim);
}

static const struct {
    const char *name;
    enum about about;
} pushes[] = {
    [KC_PUSH_ARG] = {"argument", ARGUMENT},
    [KC_PUSH_BUFFER_NUMBER] = {"buffer_number", ARGUMENT},
    [KC_PUSH_LOCAL_ARG] = {"local_argument", ARGUMENT},
    [KC_PUSH_GLOBAL_BASE] = {"global_base", DIMENSION},
    [KC_PUSH_GLOBAL_OFFSET] = {"global_offset", DIMENSION},
    [KC_PUSH_GLOBAL_SIZE] = {"global_size", DIMENSION},
    [KC_PUSH_NUM_GROUPS] = {"num_groups", DIMENSION},
    [KC_PUSH_GROUP_BASE] = {"group_base", DIMENSION},
    [KC_PUSH_ENQUEUED_LOCAL] = {"enqueued_local_size", DIMENSION},
    [KC_PUSH_WORK_DIM] = {"work_dim", NOTHING},
    [KC_PUSH_DATA] = {"data", NOTHING},
    [KC_PUSH_PRINTF] = {"printf", NOTHING},
    [KC_PUSH_ENQUEUED] = {"enqueued", NOTHING},
    [KC_PUSH_LAUNCH] = {"launch", NOTHING},
    [KC_PUSH_SCRATCH] = {"scratch", NOTHING},
    [KC_PUSH_IMAGE_ORDER] = {"image_order", ARGUMENT},
    [KC_PUSH_IMAGE_TYPE] = {"image_type", ARGUMENT},
    [KC_PUSH_IMAGE_SIZE] = {"image_size", ARGUMENT_DIMENSION},
    [KC_PUSH_ITEMS] = {"items", DIMENSION},
};

static void put_push(struct json *j, const struct kc_kernel *k)
{
    number(j, "push_size", k->push_size);
    truth(j, "push_indirect", k->push_indirect);
    open(j, "push", '[');
    for (uint32_t i = 0; i < k->push_count; i++) {
        const struct kc_push *push = &k->push[i];
        open(j, NULL, '{');
        text(j, "kind", pushes[push->kind].name);
        put_about(j, pushes[push->kind].about, push->arg, push->dim);
        number(j, "offset", push->offset);
        number(j, "size", push->size);
        close(j, '}');
    }
    close(j, ']');
}

static const struct {
    const char *name;
    enum about about;
} specs[] = {
    [KC_SPEC_LOCAL_SIZE] = {"local_size", DIMENSION},
    [KC_SPEC_LOCAL_ARG] = {"local_argument", ARGUMENT},
    [KC_SPEC_LOCAL_ITEMS] = {"local_items", NOTHING},
    [KC_SPEC_LOCAL_TOTAL] = {"local_total", NOTHING},
    [KC_SPEC_SAMPLER] = {"sampler", ARGUMENT},
    [KC_SPEC_GUARD] = {"guard", NOTHING},
};

// Without image formats, which are not specialization constants of the module.
static void put_specs(struct json *j, const struct kc_kernel *k)
{
    open(j, "specialization", '[');
    for (uint32_t i = 0; i < k->spec_count; i++) {
        const struct kc_spec *spec = &k->specs[i];
        if (spec->kind == KC_SPEC_IMAGE_FORMAT)
            continue;
        open(j, NULL, '{');
        number(j, "id", spec->id);
        text(j, "kind", specs[spec->kind].name);
        put_about(j, specs[spec->kind].about, spec->arg, spec->dim);
        if (spec->kind >= KC_SPEC_LOCAL_ARG && spec->kind <= KC_SPEC_LOCAL_TOTAL)
            number(j, "unit", spec->unit);
        close(j, '}');
    }
    close(j, ']');
}

#define BUFFER "STORAGE_BUFFER"
static const struct {
    const char *name, *descriptor;
    bool argument, image;
} bindings[] = {
    [KC_BINDING_SAMPLED] = {"sampled", "SAMPLED_IMAGE", true, true},
    [KC_BINDING_STORAGE] = {"storage", "STORAGE_IMAGE", true, true},
    [KC_BINDING_UNIFORM_TEXELS] = {"uniform_texels", "UNIFORM_TEXEL_BUFFER", true, true},
    [KC_BINDING_STORAGE_TEXELS] = {"storage_texels", "STORAGE_TEXEL_BUFFER", true, true},
    [KC_BINDING_SAMPLERS] = {"samplers", "SAMPLER", false, false},
    [KC_BINDING_BUFFER] = {"buffer", BUFFER, true, false},
    [KC_BINDING_CLUSTER] = {"cluster", BUFFER, false, false},
    [KC_BINDING_DATA] = {"data", BUFFER, false, false},
    [KC_BINDING_PRINTF] = {"printf", BUFFER, false, false},
    [KC_BINDING_SCRATCH] = {"scratch", BUFFER, false, false},
    [KC_BINDING_PUSH] = {"push", "UNIFORM_BUFFER_DYNAMIC", false, false},
};

static void put_image(struct json *j, const struct kc_binding *binding)
{
    static const char *const dims[] = {[KC_DIM_1D] = "1d", [KC_DIM_1D_ARRAY] = "1d_array", [KC_DIM_2D] = "2d",
                                       [KC_DIM_2D_ARRAY] = "2d_array", [KC_DIM_3D] = "3d", [KC_DIM_BUFFER] = "buffer"};
    static const char *const texels[] = {[KC_TEXEL_FLOAT] = "float", [KC_TEXEL_INT] = "int", [KC_TEXEL_UINT] = "uint"};
    text(j, "dimensions", dims[binding->dim]);
    text(j, "texel", texels[binding->texel]);
    truth(j, "depth", binding->depth);
    if (binding->level)
        number(j, "level", binding->level);
}

static void put_bindings(struct json *j, const struct kc_kernel *k)
{
    open(j, "bindings", '[');
    for (uint32_t i = 0; i < k->binding_count; i++) {
        const struct kc_binding *binding = &k->bindings[i];
        open(j, NULL, '{');
        number(j, "set", binding->set);
        number(j, "binding", binding->binding);
        text(j, "kind", bindings[binding->kind].name);
        text(j, "descriptor", bindings[binding->kind].descriptor);
        number(j, "count", binding->kind == KC_BINDING_SAMPLERS ? KC_LINEAR_SAMPLERS : 1);
        if (bindings[binding->kind].argument)
            number(j, "argument", binding->arg);
        if (bindings[binding->kind].image)
            put_image(j, binding);
        close(j, '}');
    }
    close(j, ']');
}

static void put_kernel(struct json *j, const struct kc_kernel *k, const char *file)
{
    open(j, NULL, '{');
    text(j, "name", k->name);
    text(j, "module", file);
    text(j, "entry_point", "main");
    text(j, "attributes", k->attributes);
    put_needs(j, k);
    numbers(j, "required_local_size", k->reqd_local_size, k->reqd_local_size[0] ? 3 : 0);
    truth(j, "partial_groups", k->partial_groups);
    number(j, "required_sub_group_size", k->reqd_sub_group_size);
    truth(j, "sub_groups", k->uses_subgroups);
    truth(j, "whole_sub_groups", k->whole_sub_groups);
    truth(j, "lockstep", k->lockstep);
    number(j, "local_memory", k->local_memory);
    number(j, "local_shared", k->local_static_shared);
    number(j, "scratch_bytes", k->scratch_bytes);
    number(j, "scratch_lanes", k->scratch_lanes);
    truth(j, "barrier", k->uses_barrier);
    truth(j, "printf", k->uses_printf);
    truth(j, "enqueues", k->enqueues);
    truth(j, "block", k->block);
    put_arguments(j, k);
    put_push(j, k);
    put_specs(j, k);
    put_bindings(j, k);
    close(j, '}');
}

static void put_data(struct json *j, const struct kc_program *p)
{
    open(j, "data", '{');
    number(j, "size", p->data_size);
    truth(j, "writable", p->data_writable);
    next(j, "bytes");
    fputc('"', j->to);
    for (uint32_t i = 0; i < p->data_size; i++)
        fprintf(j->to, "%02x", p->data[i]);
    fputc('"', j->to);
    open(j, "relocations", '[');
    for (uint32_t i = 0; i < p->relocation_count; i++) {
        open(j, NULL, '{');
        number(j, "offset", p->relocations[i].offset);
        number(j, "addend", p->relocations[i].addend);
        close(j, '}');
    }
    close(j, ']');
    close(j, '}');
}

void json_write(FILE *to, const struct kc_program *program, const struct kc_target *target, const char *const *files)
{
    struct json j = {.to = to};
    char version[16];
    snprintf(version, sizeof version, "%u.%u", target->spirv_version >> 16, target->spirv_version >> 8 & 255);
    open(&j, NULL, '{');
    number(&j, "format", 1);
    text(&j, "spirv", version);
    text(&j, "addressing", target->physical_addressing ? "physical" : "logical");
    number(&j, "address_bits", 8 * kc_pointer_bytes(target));
    truth(&j, "uniform_work_groups", program->uniform_work_groups);
    put_data(&j, program);
    open(&j, "kernels", '[');
    for (uint32_t i = 0; i < program->kernel_count; i++)
        put_kernel(&j, &program->kernels[i], files[i]);
    close(&j, ']');
    close(&j, '}');
    fputc('\n', to);
}
