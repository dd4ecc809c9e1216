// SPDX-License-Identifier: Apache-2.0
// NonSemantic.ClspvReflection: the module describes where its kernels find arguments and other launch data.
//
// All operands are ids of constants, strings or earlier reflection instructions. A module declares its version of the
// instruction set: with an earlier version, later instructions are omitted, or the module is rejected if it cannot be
// described without them.
#include "spirv/writer.h"
#include "spirv/clspv_reflection.h"

struct reflection {
    struct spv *s;
    uint32_t set, type; // ids of the instruction set and of void
    uint32_t version;
    bool least; // the version may be raised
    bool arg_info;
    struct intern texts;
    struct map strings; // ids by text
};

enum { NORMALIZED_SAMPLER_MASK = 41, WORKGROUP_VARIABLE_SIZE = 42 }; // the header lacks them

// The version that introduced an instruction and those after it, up to the next row.
static const struct {
    uint32_t instruction, version;
} versions[] = {{NonSemanticClspvReflectionSpecConstantSubgroupMaxSize, 2},
                {NonSemanticClspvReflectionArgumentPointerPushConstant, 3},
                {NonSemanticClspvReflectionArgumentStorageTexelBuffer, 4},
                {NonSemanticClspvReflectionConstantDataPointerPushConstant, 5},
                {NORMALIZED_SAMPLER_MASK, 6},
                {WORKGROUP_VARIABLE_SIZE, 7}};

static uint32_t version_of(uint32_t instruction)
{
    uint32_t version = 1;
    for (size_t i = 0; i < sizeof versions / sizeof *versions && versions[i].instruction <= instruction; i++)
        version = versions[i].version;
    return version;
}

#define REFLECT(r, instruction, ...) reflect(r, NonSemanticClspvReflection##instruction, SPV_WORDS(__VA_ARGS__))

static uint32_t reflect(struct reflection *r, uint32_t instruction, const uint32_t *operands, size_t count)
{
    uint32_t *words = ARENA_ARRAY(r->s->arena, uint32_t, count + 2), version = version_of(instruction);
    words[0] = r->set;
    words[1] = instruction;
    if (version > r->version && r->least)
        r->version = version;
    if (version > r->version)
        spv_fail(r->s, "-reflection=%u cannot describe the program, use -reflection=%u", r->version, version);
    memcpy(words + 2, operands, count * 4);
    return spv_put_result(r->s, SPV_REFLECTION, SpvOpExtInst, r->type, words, count + 2);
}

static uint32_t string(struct reflection *r, const char *text)
{
    const char *key = intern_cstring(&r->texts, text);
    uint32_t id = (uint32_t)(uintptr_t)map_get(&r->strings, key);
    if (id)
        return id;
    id = spv_id(r->s);
    spv_put_text(r->s, SPV_STRINGS, SpvOpString, &id, 1, text, NULL, 0);
    map_set(r->s->arena, &r->strings, key, (void *)(uintptr_t)id);
    return id;
}

// Argument information for clGetKernelArgInfo, with OpenCL's constants.
static uint32_t argument_info(struct reflection *r, const struct kc_arg *arg)
{
    static const uint32_t address[] = {[KC_ADDRESS_GLOBAL] = 0x119B, [KC_ADDRESS_LOCAL] = 0x119C,
                                       [KC_ADDRESS_CONSTANT] = 0x119D, [KC_ADDRESS_PRIVATE] = 0x119E};
    static const uint32_t access[] = {[KC_ACCESS_READ_ONLY] = 0x11A0, [KC_ACCESS_WRITE_ONLY] = 0x11A1,
                                      [KC_ACCESS_READ_WRITE] = 0x11A2, [KC_ACCESS_NONE] = 0x11A3};
    struct spv *s = r->s;
    uint32_t name = string(r, arg->name);
    if (!r->arg_info)
        return REFLECT(r, ArgumentInfo, name);
    return REFLECT(r, ArgumentInfo, name, string(r, arg->type_name), spv_u32(s, address[arg->address]),
                   spv_u32(s, access[arg->access]), spv_u32(s, arg->type_qualifiers));
}

// The instruction of each kind of place, and what it says of one.
enum operand { END, SET, BINDING, OFFSET, SIZE, SPEC_ID };
static const struct {
    uint32_t instruction;
    enum operand operands[5];
} places[KC_PLACE_COUNT] = {
    [KC_PLACE_BUFFER] = {NonSemanticClspvReflectionArgumentStorageBuffer, {SET, BINDING}},
    [KC_PLACE_UNIFORM] = {NonSemanticClspvReflectionArgumentUniform, {SET, BINDING}},
    [KC_PLACE_POD] = {NonSemanticClspvReflectionArgumentPodStorageBuffer, {SET, BINDING, OFFSET, SIZE}},
    [KC_PLACE_POD_UNIFORM] = {NonSemanticClspvReflectionArgumentPodUniform, {SET, BINDING, OFFSET, SIZE}},
    [KC_PLACE_POD_PUSH] = {NonSemanticClspvReflectionArgumentPodPushConstant, {OFFSET, SIZE}},
    [KC_PLACE_POINTER_UNIFORM] = {NonSemanticClspvReflectionArgumentPointerUniform, {SET, BINDING, OFFSET, SIZE}},
    [KC_PLACE_POINTER_PUSH] = {NonSemanticClspvReflectionArgumentPointerPushConstant, {OFFSET, SIZE}},
    [KC_PLACE_LOCAL] = {NonSemanticClspvReflectionArgumentWorkgroup, {SPEC_ID, SIZE}},
    [KC_PLACE_SAMPLED] = {NonSemanticClspvReflectionArgumentSampledImage, {SET, BINDING}},
    [KC_PLACE_STORAGE] = {NonSemanticClspvReflectionArgumentStorageImage, {SET, BINDING}},
    [KC_PLACE_UNIFORM_TEXELS] = {NonSemanticClspvReflectionArgumentUniformTexelBuffer, {SET, BINDING}},
    [KC_PLACE_STORAGE_TEXELS] = {NonSemanticClspvReflectionArgumentStorageTexelBuffer, {SET, BINDING}},
    [KC_PLACE_SAMPLER] = {NonSemanticClspvReflectionArgumentSampler, {SET, BINDING}},
};

static uint32_t value_of(const struct kc_place *place, enum operand operand)
{
    const uint32_t values[] = {[SET] = place->set,       [BINDING] = place->binding, [OFFSET] = place->offset,
                               [SIZE] = place->size,     [SPEC_ID] = place->spec_id};
    return values[operand];
}

static void put_argument(struct reflection *r, uint32_t kernel, const struct kc_kernel *info, uint32_t i)
{
    const struct kc_place *place = &info->places[i];
    const enum operand *operands = places[place->kind].operands;
    uint32_t words[8] = {kernel, spv_u32(r->s, i)}, count = 2;
    while (operands[count - 2] != END) {
        words[count] = spv_u32(r->s, value_of(place, operands[count - 2]));
        count++;
    }
    words[count++] = argument_info(r, &info->args[i]);
    reflect(r, places[place->kind].instruction, words, count);
}

// Additional information that the launch must pass in push constants of 4 bytes.
static void put_extra_info(struct reflection *r, uint32_t kernel, const struct kc_place *place, uint32_t arg)
{
    static const uint32_t instructions[KC_QUERY_COUNT] = {
        [KC_QUERY_ORDER] = NonSemanticClspvReflectionImageArgumentInfoChannelOrderPushConstant,
        [KC_QUERY_TYPE] = NonSemanticClspvReflectionImageArgumentInfoChannelDataTypePushConstant,
        [KC_QUERY_SAMPLER] = NORMALIZED_SAMPLER_MASK,
    };
    for (int i = 0; i < KC_QUERY_COUNT; i++)
        if (place->queries[i] != KC_NOT_QUERIED)
            reflect(r, instructions[i],
                    SPV_WORDS(kernel, spv_u32(r->s, arg), spv_u32(r->s, place->queries[i]), spv_u32(r->s, 4)));
}

static void put_samplers(struct reflection *r, const struct ir_mapping *mapping)
{
    for (uint32_t i = 0; i < mapping->samplers.count; i++)
        REFLECT(r, LiteralSampler, spv_u32(r->s, 0), spv_u32(r->s, i), spv_u32(r->s, mapping->samplers.items[i]));
}

static void put_kernel(struct reflection *r, const struct spv_entry *entry)
{
    struct spv *s = r->s;
    const struct kc_kernel *info = entry->info;
    uint32_t flags = info->uses_printf ? NonSemanticClspvReflectionMayUsePrintf : NonSemanticClspvReflectionNone;
    uint32_t name = string(r, info->name);
    uint32_t kernel = r->version < 5 ? REFLECT(r, Kernel, entry->function, name)
                                     : REFLECT(r, Kernel, entry->function, name, spv_u32(s, info->arg_count),
                                               spv_u32(s, flags), string(r, info->attributes));
    for (uint32_t i = 0; i < info->arg_count; i++) {
        put_argument(r, kernel, info, i);
        put_extra_info(r, kernel, &info->places[i], i);
    }
    if (info->reqd_local_size[0])
        REFLECT(r, PropertyRequiredWorkgroupSize, kernel, spv_u32(s, info->reqd_local_size[0]),
                spv_u32(s, info->reqd_local_size[1]), spv_u32(s, info->reqd_local_size[2]));
}

// Bytes as a string of hexadecimal digits.
static uint32_t hex_string(struct reflection *r, const uint8_t *bytes, uint32_t size)
{
    enum { MOST = (UINT16_MAX - 3) * 4 / 2 }; // limit of an instruction's length
    char *text = arena_alloc(r->s->arena, 2 * (size_t)size + 1);
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t k = 0; k < 2; k++)
            text[2 * i + k] = "0123456789abcdef"[bytes[i] >> (k ? 0 : 4) & 15];
    text[2 * (size_t)size] = '\0';
    if (size <= MOST)
        return string(r, text);
    spv_fail(r->s, "the program's data are %u bytes, a module can describe %u; use -reflection=0", size, MOST);
    return 0;
}

// All printf calls by number: format and argument sizes.
static void put_printed(struct reflection *r, const struct ir_mapping *mapping)
{
    for (uint32_t i = 0; i < mapping->printed.count; i++) {
        const struct ir_printed *printed = &mapping->printed.items[i];
        uint32_t words[2 + KC_PRINTF_ARGS_MAX] = {spv_u32(r->s, i), string(r, printed->text)};
        for (uint32_t k = 0; k < printed->count; k++)
            words[2 + k] = spv_u32(r->s, printed->sizes[k]);
        reflect(r, NonSemanticClspvReflectionPrintfInfo, words, 2 + printed->count);
    }
}

static const struct {
    uint32_t instruction, numbers; // number of operands: ids, offset and size, or set and binding
    enum { NO_DATA, DATA } more;
} shared_rows[KC_SHARED_COUNT] = {
    [KC_SHARED_LOCAL_SIZE] = {NonSemanticClspvReflectionSpecConstantWorkgroupSize, 3, NO_DATA},
    [KC_SHARED_GLOBAL_OFFSET] = {NonSemanticClspvReflectionSpecConstantGlobalOffset, 3, NO_DATA},
    [KC_SHARED_WORK_DIM] = {NonSemanticClspvReflectionSpecConstantWorkDim, 1, NO_DATA},
    [KC_SHARED_PUSH_GLOBAL_OFFSET] = {NonSemanticClspvReflectionPushConstantGlobalOffset, 2, NO_DATA},
    [KC_SHARED_PUSH_ENQUEUED_LOCAL] = {NonSemanticClspvReflectionPushConstantEnqueuedLocalSize, 2, NO_DATA},
    [KC_SHARED_PUSH_GLOBAL_SIZE] = {NonSemanticClspvReflectionPushConstantGlobalSize, 2, NO_DATA},
    [KC_SHARED_PUSH_REGION_OFFSET] = {NonSemanticClspvReflectionPushConstantRegionOffset, 2, NO_DATA},
    [KC_SHARED_PUSH_NUM_GROUPS] = {NonSemanticClspvReflectionPushConstantNumWorkgroups, 2, NO_DATA},
    [KC_SHARED_PUSH_REGION_GROUP] = {NonSemanticClspvReflectionPushConstantRegionGroupOffset, 2, NO_DATA},
    [KC_SHARED_CONSTANTS] = {NonSemanticClspvReflectionConstantDataStorageBuffer, 2, DATA},
    [KC_SHARED_VARIABLES] = {NonSemanticClspvReflectionProgramScopeVariablesStorageBuffer, 2, DATA},
    [KC_SHARED_PRINTF] = {NonSemanticClspvReflectionPrintfBufferStorageBuffer, 3, NO_DATA},
    [KC_SHARED_PUSH_CONSTANTS] = {NonSemanticClspvReflectionConstantDataPointerPushConstant, 2, DATA},
    [KC_SHARED_PUSH_VARIABLES] = {NonSemanticClspvReflectionProgramScopeVariablePointerPushConstant, 2, DATA},
    [KC_SHARED_PUSH_PRINTF] = {NonSemanticClspvReflectionPrintfBufferPointerPushConstant, 3, NO_DATA},
};

static void put_shared(struct reflection *r, const struct kc_shared *shared, const struct ir_mapping *mapping)
{
    uint32_t words[4], count = 0;
    for (; count < shared_rows[shared->kind].numbers; count++)
        words[count] = spv_u32(r->s, shared->values[count]);
    if (shared_rows[shared->kind].more == DATA)
        words[count++] = hex_string(r, mapping->data, mapping->data_size);
    reflect(r, shared_rows[shared->kind].instruction, words, count);
}

static void put_relocations(struct reflection *r, const struct ir_mapping *mapping)
{
    enum { POINTER_BYTES = 8 };
    for (uint32_t i = 0; i < mapping->relocation_count; i++)
        REFLECT(r, ProgramScopeVariablePointerRelocation, spv_u32(r->s, (uint32_t)mapping->relocations[i].addend),
                spv_u32(r->s, mapping->relocations[i].offset), spv_u32(r->s, POINTER_BYTES));
}

// Sizes of the kernel's local variables; not needed for launching it.
static void put_local_sizes(struct reflection *r)
{
    for (size_t i = 0; i < r->s->locals.count && r->version >= version_of(WORKGROUP_VARIABLE_SIZE); i++) {
        const struct spv_local *local = &r->s->locals.items[i];
        reflect(r, WORKGROUP_VARIABLE_SIZE, SPV_WORDS(local->id, spv_u32(r->s, local->bytes)));
    }
}

void spv_put_reflection(struct spv *s, const struct spv_entry *entries, size_t count, const struct ir_mapping *mapping)
{
    struct reflection r = {.s = s,
                           .set = spv_id(s),
                           .type = spv_type(s, ir_void()),
                           .version = s->target->mapping.reflection,
                           .least = s->target->mapping.reflection_least,
                           .arg_info = mapping->arg_info};
    intern_init(&r.texts, s->arena);
    spv_need(s, SPV_CAP_NON_SEMANTIC);
    put_samplers(&r, mapping);
    for (size_t i = 0; i < count; i++) {
        s->module = entries[i].module;
        s->origin = entries[i].origin;
        put_kernel(&r, &entries[i]);
    }
    s->origin = 0;
    for (uint32_t i = 0; i < mapping->count; i++)
        put_shared(&r, &mapping->shared[i], mapping);
    put_relocations(&r, mapping);
    put_local_sizes(&r);
    put_printed(&r, mapping);
    const char *set = arena_printf(s->arena, "NonSemantic.ClspvReflection.%u", r.version);
    spv_put_text(s, SPV_IMPORTS, SpvOpExtInstImport, &r.set, 1, set, NULL, 0);
}
