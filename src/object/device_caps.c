// SPDX-License-Identifier: Apache-2.0
// struct vk_facts -> struct device_caps: the only place where Vulkan properties become OpenCL
// limits, and where the compiler's target is set.
//
// Two tables: what each Vulkan feature enables in the compiler, and what each extension requires.
// Measured driver properties are in a third (vulkan/quirks.c). Anything that is in no table is not
// supported.
#include "object/device_caps.h"
#include "object/profile.h"

#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/hash.h"
#include "util/options.h"
#include "vulkan/image.h"
#include "vulkan/memory.h"
#include "vulkan/quirks.h"

// ---- compiler target ----------------------------------------------------------------------------

struct target_rule {
    size_t target, feature; // bool fields of struct kc_target, struct vk_features
    const char *name;       // of the feature
};

#define RULE(target, feature)                                                                      \
    {                                                                                              \
        offsetof(struct kc_target, target), offsetof(struct vk_features, feature), #feature        \
    }
static const struct target_rule target_rules[] = {
    RULE(int8, int8),
    RULE(int16, int16),
    RULE(int64, int64),
    RULE(float16, float16),
    RULE(float64, float64),
    RULE(storage8, storage8),
    RULE(storage16, storage16),
    RULE(physical_addressing, buffer_device_address),
    RULE(workgroup_explicit_layout, workgroup_explicit_layout),
    RULE(workgroup_storage8, workgroup_storage8),
    RULE(workgroup_storage16, workgroup_storage16),
    RULE(vulkan_memory_model, memory_model),
    RULE(vulkan_memory_model_device_scope, memory_model_device_scope),
    RULE(int64_atomics, int64_atomics),
    RULE(int64_shared_atomics, int64_shared_atomics),
    RULE(float32_atomic_add, float32_atomic_add),
    RULE(float32_shared_atomic_add, float32_shared_atomic_add),
    RULE(image_read_without_format, image_read_without_format),
    RULE(image_write_without_format, image_write_without_format),
    RULE(maximal_reconvergence, maximal_reconvergence),
    RULE(int_dot_product, int_dot_product),
    RULE(device_clock, device_clock),
    RULE(subgroup_clock, subgroup_clock),
    RULE(local_size_id, maintenance4),
};

static void fill_float_controls(struct kc_target *target,
                                const VkPhysicalDeviceVulkan12Properties *p)
{
    const bool signed_zero[3] = {p->shaderSignedZeroInfNanPreserveFloat16,
                                 p->shaderSignedZeroInfNanPreserveFloat32,
                                 p->shaderSignedZeroInfNanPreserveFloat64};
    const bool rte[3] = {p->shaderRoundingModeRTEFloat16, p->shaderRoundingModeRTEFloat32,
                         p->shaderRoundingModeRTEFloat64};
    const bool preserve[3] = {p->shaderDenormPreserveFloat16, p->shaderDenormPreserveFloat32,
                              p->shaderDenormPreserveFloat64};
    memcpy(target->signed_zero_inf_nan_preserve, signed_zero, sizeof signed_zero);
    memcpy(target->rounding_rte, rte, sizeof rte);
    memcpy(target->denorm_preserve, preserve, sizeof preserve);
}

// Whether the driver's version is at least `version`; 0: never.
static bool is_since(const struct vk_facts *facts, uint32_t version)
{
    return version && facts->props.driverVersion >= version;
}

static uint32_t number_of(enum option_id option, uint32_t unset)
{
    const char *wish = option_get(option);
    return wish ? (uint32_t)strtoul(wish, NULL, 0) : unset;
}

// Detects what llvmpipe detects, unless its environment variable overrides the CPU features.
static bool processor_fuses(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_cpu_supports("fma") && !getenv("GALLIUM_OVERRIDE_CPU_CAPS");
#else
    return false; // not measured
#endif
}

static void fill_quirks(struct kc_target *target, const struct vk_facts *facts, const struct vk_quirks *quirks)
{
    memcpy(target->fused_fma, quirks->fused_fma, sizeof quirks->fused_fma);
    target->fused_fma[1] |= quirks->fuses_floats && quirks->fuses_floats(facts);
    target->quick_fma = quirks->quick_fma;
    memcpy(target->exact_division, quirks->exact_division, sizeof quirks->exact_division);
    memcpy(target->exact_sqrt, quirks->exact_sqrt, sizeof quirks->exact_sqrt);
    memcpy(target->native_min_max, quirks->native_min_max, sizeof quirks->native_min_max);
    target->max_function_array = quirks->function_array;
    target->max_updated_array = quirks->updated_array;
    target->least_read_array = quirks->read_array;
    target->selected_array = quirks->selected_array;
    target->close_natives = quirks->close_natives;
    target->plain_quotients = quirks->plain_quotients;
    target->rotations_by_difference = quirks->rotations_by_difference;
    target->rotations_by_words = quirks->rotations_by_words;
    target->loose_quotients = quirks->loose_quotients;
    target->products_for_quotients = quirks->products_for_quotients;
    target->hides_uniform_stores = quirks->hides_uniform_stores;
    target->fused_differences = quirks->fused_differences;
    target->hidden_choices = quirks->hidden_choices;
    target->sub_groups_in_step = quirks->sub_groups_in_step;
    target->ended_stop_group = quirks->ended_stop_group;
    target->own_doubles = quirks->own_doubles;
    target->small_ints_in_32 = quirks->small_ints_in_32;
    target->no_undef = quirks->no_undef;
    target->hidden_ranges = quirks->hidden_ranges;
    target->hidden_zeros = quirks->hidden_zeros;
    target->second_exits = quirks->second_exits;
    target->exits_by_phis = quirks->exits_by_phis;
    target->unsigned_by_halves = quirks->unsigned_by_halves;
    target->longs_by_doubles = quirks->longs_by_doubles;
    target->limited_double_rounding = quirks->limited_double_rounding;
    target->numbers_of_nans = !quirks->keeps_nans;
    target->computed_indices = quirks->computed_indices;
    target->small_by_floats = quirks->small_by_floats;
    target->keeps_loops = quirks->keeps_loops;
    target->max_inlined = number_of(OPTION_CALLS, quirks->max_inlined);
    target->cost = quirks->cost;
    target->no_cost_limit = option_get(OPTION_LIMIT) != NULL;
    target->max_nesting = number_of(OPTION_NESTING, quirks->max_nesting);
    target->flat_jumps = quirks->flat_jumps;
    target->keeps_calls = quirks->keeps_calls;
    target->max_waiting_nesting = number_of(OPTION_NESTING, quirks->max_waiting_nesting);
    target->max_flat_registers = quirks->max_flat_registers;
    target->flat_ifs = quirks->flat_ifs;
    target->access_by_elements = quirks->access_by_elements && target->int64;
    target->local_by_items = quirks->local_by_items;
    target->constant_tables = quirks->constant_tables;
    target->image_linear_filter = quirks->linear_filter;
    target->int64_mul_extended = quirks->int64_mul_extended;
    target->int64_division_in_32 = quirks->int64_division_in_32;
    if (quirks->silent_rte)
        memset(target->rounding_rte, 0, sizeof target->rounding_rte);
    target->strict_atomics = quirks->strict_atomics;
    if (quirks->sequential && target->vulkan_memory_model_device_scope)
        kc_extensions_add(&target->extensions, KC_EXT_ATOMIC_ORDER_SEQ_CST);
}

static void fill_registers(struct kc_target *target, const struct vk_facts *facts)
{
    const uint32_t least = facts->props13.minSubgroupSize;
    target->register_bytes = target->most_register_bytes = vk_quirks(facts)->register_bytes;
    if (vk_quirks(facts)->registers_by_lanes && least && least < facts->lanes)
        target->register_bytes = target->most_register_bytes * least / facts->lanes;
}

// All or nothing: OpenCL requires at least a vote, arithmetic and a broadcast for all types;
// ballots and shuffles can implement the rest.
static void fill_subgroups(struct kc_target *target, const struct vk_facts *facts)
{
    VkSubgroupFeatureFlags can = facts->props11.subgroupSupportedOperations;
    const VkSubgroupFeatureFlags needed =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
        VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    target->subgroup_extended_types = target->int64 && facts->features.subgroup_extended_types;
    target->subgroup_arithmetic = can & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    target->subgroup_shuffle_relative = can & VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT;
    target->subgroup_clustered = can & VK_SUBGROUP_FEATURE_CLUSTERED_BIT;
    target->subgroups =
        !option_off(OPTION_SUBGROUPS) && (can & needed) == needed && facts->lanes &&
        (facts->props11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
        facts->features.full_subgroups;
    target->ids_by_lanes = target->subgroups && vk_quirks(facts)->ids_by_lanes;
}

// The driver's default, unless the user's option overrides it.
static bool is_option(enum option_id option, const char *word, bool rule)
{
    const char *wish = option_get(option);
    return wish ? !strcmp(wish, word) : rule;
}

static bool by_device(enum option_id option, bool rule) { return is_option(option, "device", rule); }

enum { UNROLL_ROOM = 128, ARRAY_IN_LOCAL = 1024 };

// KC_COMPONENT_COUNT: there is no type for it, or kernels cannot use it.
static enum kc_component component_of(VkComponentTypeKHR number, const struct vk_features *features)
{
    const struct {
        uint32_t number;
        enum kc_component component;
        bool may;
    } rows[] = {
        {VK_COMPONENT_BFLOAT16, KC_COMPONENT_BF16, features->bfloat16 && features->bfloat16_matrix},
        {VK_COMPONENT_E4M3, KC_COMPONENT_E4M3, features->float8 && features->float8_matrix},
        {VK_COMPONENT_E5M2, KC_COMPONENT_E5M2, features->float8 && features->float8_matrix},
    };
    if ((uint32_t)number < KC_COMPONENT_BF16)
        return (enum kc_component)number;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].number == (uint32_t)number && rows[i].may)
            return rows[i].component;
    return KC_COMPONENT_COUNT;
}

// The shapes that the matrix units compute correctly, except those with components that OpenCL C
// has no types for.
static void fill_matrices(struct kc_target *target, const struct vk_facts *facts)
{
    uint32_t half_depth = vk_quirks(facts)->half_depth;
    for (uint32_t i = 0; i < facts->matrix_count && target->matrix_shape_count < KC_MATRIX_SHAPES; i++) {
        const VkCooperativeMatrixPropertiesKHR *from = &facts->matrices[i];
        enum kc_component types[4] = {component_of(from->AType, &facts->features),
                                      component_of(from->BType, &facts->features),
                                      component_of(from->CType, &facts->features),
                                      component_of(from->ResultType, &facts->features)};
        bool known = from->MSize <= UINT16_MAX && from->NSize <= UINT16_MAX && from->KSize <= UINT16_MAX;
        for (unsigned k = 0; k < 4; k++)
            known &= types[k] < KC_COMPONENT_COUNT;
        if (known && (types[0] != KC_COMPONENT_F16 || from->KSize >= half_depth))
            target->matrix_shapes[target->matrix_shape_count++] = (struct kc_matrix_shape){
                (uint16_t)from->MSize,  (uint16_t)from->NSize,
                (uint16_t)from->KSize,  (uint8_t)types[0],
                (uint8_t)types[1],      (uint8_t)types[2],
                (uint8_t)types[3],      from->saturatingAccumulation};
    }
}

// Typical shapes of matrix units, for devices without any: PUMICE_MATRICES=tiles.
static void fill_tiles(struct kc_target *target)
{
    static const struct kc_matrix_shape shapes[] = {
        {16, 16, 16, KC_COMPONENT_F16, KC_COMPONENT_F16, KC_COMPONENT_F32, KC_COMPONENT_F32, false},
        {16, 16, 16, KC_COMPONENT_F16, KC_COMPONENT_F16, KC_COMPONENT_F16, KC_COMPONENT_F16, false},
        {8, 8, 8, KC_COMPONENT_F32, KC_COMPONENT_F32, KC_COMPONENT_F32, KC_COMPONENT_F32, false},
        {16, 16, 32, KC_COMPONENT_S8, KC_COMPONENT_S8, KC_COMPONENT_S32, KC_COMPONENT_S32, false},
        {16, 8, 32, KC_COMPONENT_U8, KC_COMPONENT_U8, KC_COMPONENT_U32, KC_COMPONENT_U32, false},
        {16, 8, 32, KC_COMPONENT_U8, KC_COMPONENT_U8, KC_COMPONENT_U32, KC_COMPONENT_U32, true},
        {16, 16, 16, KC_COMPONENT_BF16, KC_COMPONENT_BF16, KC_COMPONENT_F32, KC_COMPONENT_F32, false},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (target->float16 || shapes[i].a != KC_COMPONENT_F16)
            target->matrix_shapes[target->matrix_shape_count++] = shapes[i];
    target->matrix_tiles_by_items = true;
}

static cl_ulong min_u64(cl_ulong a, cl_ulong b)
{
    return a < b ? a : b;
}

static void fill_storage_buffers(struct kc_target *target, const struct vk_facts *facts)
{
    target->max_storage_buffers = vk_storage_buffers(facts);
    target->storage_buffer_range = vk_storage_range(facts);
}

static void fill_plain_arguments(struct kc_target *target, const struct vk_facts *facts)
{
    static const char *const words[] = {
        [KC_PLAIN_ADDRESSES] = "never", [KC_PLAIN_ALIGNED] = "aligned", [KC_PLAIN_OFFSETS] = "offsets", [KC_PLAIN_BINDINGS] = "always"};
    const VkDeviceSize offsets = (UINT64_C(1) << 32) - (1 << 16); // the compiler adds small
                                                                  // constants to some offsets
    const char *wish = option_get(OPTION_BINDINGS);
    enum kc_plain_arguments rule = vk_quirks(facts)->plain_arguments;
    target->plain_arguments = rule ? rule : KC_PLAIN_ALIGNED;
    for (int i = KC_PLAIN_ADDRESSES; i <= KC_PLAIN_BINDINGS; i++)
        if (wish && !strcmp(wish, words[i]))
            target->plain_arguments = (enum kc_plain_arguments)i;
    const bool positive = wish && !strcmp(wish, "positive");
    if (positive)
        target->plain_arguments = KC_PLAIN_OFFSETS;
    target->positive_offsets = positive || vk_quirks(facts)->positive_offsets;
    bool binds = target->plain_arguments == KC_PLAIN_BINDINGS;
    target->max_storage_buffers = binds ? vk_storage_buffers(facts) : 0;
    if (target->plain_arguments > KC_PLAIN_ALIGNED)
        target->storage_buffer_range = binds ? vk_binding_range(facts) : offsets;
}

static void fill_image_rules(struct kc_target *target, const struct vk_facts *facts)
{
    VkFormatFeatureFlags2 bgra = vk_facts_format(facts, VK_FORMAT_B8G8R8A8_UNORM);
    target->images = !option_off(OPTION_IMAGES);
    target->image_3d_writes = facts->stores_3d;
    target->image_bgra_by_rgba =
        !vk_format_writes(facts, VK_FORMAT_B8G8R8A8_UNORM, bgra, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT);
    target->image_unorm16_by_uint = facts->unorm16_by_uint;
}

static void fill_target(struct kc_target *target, const struct vk_facts *facts)
{
    const VkPhysicalDeviceLimits *limits = &facts->props.limits;
    for (size_t i = 0; i < sizeof target_rules / sizeof *target_rules; i++)
        *(bool *)((char *)target + target_rules[i].target) =
            *(const bool *)((const char *)&facts->features + target_rules[i].feature);
    target->float16 &= target->int16; // signs are handled as bits
    target->int64_atomics &= target->int64;
    target->int64_shared_atomics &= target->int64;
    target->spirv_version = facts->props.apiVersion < VK_1_2 ? 0x00010300 : 0x00010500;
    // without int64, pointers are pairs of words
    target->address_bits = target->int64 || target->physical_addressing ? 64 : 32;
    fill_float_controls(target, &facts->props12);
    fill_quirks(target, facts, vk_quirks(facts));
    target->loads_by_items = is_since(facts, vk_quirks(facts)->uniform_loads);
    target->fused_fma[2] |= is_since(facts, vk_quirks(facts)->processor_fma) && processor_fuses();
    target->max_push_bytes = facts->max_push_bytes;
    if (!target->physical_addressing)
        fill_storage_buffers(target, facts);
    else
        fill_plain_arguments(target, facts);
    for (int i = 0; i < 3; i++)
        target->max_local_size[i] = limits->maxComputeWorkGroupSize[i];
    target->max_local_invocations = limits->maxComputeWorkGroupInvocations;
    target->reported_local_invocations = (uint32_t)cmd_reported_group(facts);
    target->max_local_memory = limits->maxComputeSharedMemorySize;
    target->subgroup_size = facts->lanes;
    fill_registers(target, facts);
    target->subgroup_sizes = facts->lane_sizes;
    // branches cost nothing there
    bool cpu = facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    fill_subgroups(target, facts);
    fill_image_rules(target, facts);
    target->image_borders = facts->features.image_borders && !target->image_unorm16_by_uint;
    target->image_linear_filter = by_device(OPTION_FILTER, target->image_linear_filter);
    target->int64_division_in_32 = !by_device(OPTION_DIVISION, cpu && !target->int64_division_in_32);
    target->products_for_quotients = !by_device(OPTION_DIVISION, !target->products_for_quotients);
    target->small_ints_in_32 = !by_device(OPTION_SMALL_INTS, !target->small_ints_in_32);
    target->hidden_ranges = !by_device(OPTION_SMALL_INTS, !target->hidden_ranges);
    target->max_array_in_local = is_option(OPTION_ARRAYS, "local", vk_quirks(facts)->arrays_in_local) ? ARRAY_IN_LOCAL : 0;
    target->guards = !option_off(OPTION_GUARDS);
    target->constant_tables = !by_device(OPTION_TABLES, !target->constant_tables);
    if (by_device(OPTION_MATRICES, true))
        fill_matrices(target, facts);
    else if (!strcmp(option_get(OPTION_MATRICES), "tiles"))
        fill_tiles(target);
    target->group_coherence = target->vulkan_memory_model && !by_device(OPTION_COHERENCE, !vk_quirks(facts)->slow_coherence);
    bool nvidia = facts->props12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
    target->packs_accesses = cpu || nvidia; // those were measured
    target->small_buffers = !target->packs_accesses && vk_buffer_max_size(facts) <= UINT64_C(1) << 32;
    target->interleaves_scratch = is_option(OPTION_SCRATCH, "interleaved", !cpu);
    target->unrolls_loops = target->one_continue = target->readonly_members = target->multiples_by_sums = !cpu && !nvidia;
    target->any_alignment = cpu;
    target->unpacks_by_shifts = !cpu && !target->small_ints_in_32;
    target->packs_places = !by_device(OPTION_PACK, !cpu);
    target->unroll_room = by_device(OPTION_UNROLL, !nvidia) ? 0 : UNROLL_ROOM; // that was measured, too
}

// ---- extensions ---------------------------------------------------------------------------------

enum { CAPS_COLLECTIVE_ITEMS = 1024 }; // the space of the collective functions

// Requirements of an extension or feature: up to two bool fields of struct kc_target, as offset +
// 1.
struct extension_need {
    size_t at;
    const char *field;
};
struct extension_rule {
    enum kc_extension extension;
    struct extension_need needs[2];
};

#define NEED(field)                                                                                \
    {                                                                                              \
        offsetof(struct kc_target, field) + 1, #field                                              \
    }
#define NEED_NOTHING                                                                               \
    {                                                                                              \
        0, NULL                                                                                    \
    }
static const struct extension_rule extension_rules[] = {
    {KC_EXT_GLOBAL_INT32_BASE_ATOMICS, {NEED_NOTHING}},
    {KC_EXT_GLOBAL_INT32_EXTENDED_ATOMICS, {NEED_NOTHING}},
    {KC_EXT_LOCAL_INT32_BASE_ATOMICS, {NEED_NOTHING}},
    {KC_EXT_LOCAL_INT32_EXTENDED_ATOMICS, {NEED_NOTHING}},
    {KC_EXT_BYTE_ADDRESSABLE_STORE, {NEED_NOTHING}}, // emulated with words if the device has no
                                                     // such storage
    {KC_EXT_FP16, {NEED(float16), NEED(storage16)}},
    {KC_EXT_FP64, {NEED(float64)}},
    {KC_EXT_INT64_BASE_ATOMICS, {NEED(int64_atomics), NEED(int64_shared_atomics)}},
    {KC_EXT_INT64_EXTENDED_ATOMICS, {NEED(int64_atomics), NEED(int64_shared_atomics)}},
    {KC_EXT_EXTENDED_BIT_OPS, {NEED_NOTHING}},
    {KC_EXT_INTEGER_DOT_PRODUCT, {NEED_NOTHING}},
    {KC_EXT_ARM_DOT_BYTES, {NEED_NOTHING}},
    {KC_EXT_ARM_DOT_ADDED_BYTES, {NEED_NOTHING}},
    {KC_EXT_ARM_DOT_ADDED_SHORTS, {NEED_NOTHING}},
    {KC_EXT_ARM_DOT_SATURATED_BYTES, {NEED_NOTHING}},
    {KC_EXT_INTEGER_DOT_PRODUCT_BYTES, {NEED_NOTHING}},
    {KC_EXT_INTEGER_DOT_PRODUCT_PACKED, {NEED_NOTHING}},
    {KC_EXT_EXTENDED_ASYNC_COPIES, {NEED_NOTHING}},
    {KC_EXT_FLOAT_ATOMICS, {NEED_NOTHING}}, // emulated with compare-and-exchange
    {KC_EXT_FP32_GLOBAL_ATOMIC_ADD, {NEED_NOTHING}},
    {KC_EXT_FP32_GLOBAL_ATOMIC_MIN_MAX, {NEED_NOTHING}},
    {KC_EXT_FP32_LOCAL_ATOMIC_ADD, {NEED_NOTHING}},
    {KC_EXT_FP32_LOCAL_ATOMIC_MIN_MAX, {NEED_NOTHING}},
    {KC_EXT_FP64_GLOBAL_ATOMIC_ADD, {NEED(float64), NEED(int64_atomics)}},
    {KC_EXT_FP64_GLOBAL_ATOMIC_MIN_MAX, {NEED(float64), NEED(int64_atomics)}},
    {KC_EXT_FP64_LOCAL_ATOMIC_ADD, {NEED(float64), NEED(int64_shared_atomics)}},
    {KC_EXT_FP64_LOCAL_ATOMIC_MIN_MAX, {NEED(float64), NEED(int64_shared_atomics)}},
    {KC_EXT_KERNEL_CLOCK, {NEED(device_clock)}}, // or only sub-groups', see next row
    {KC_EXT_KERNEL_CLOCK, {NEED(subgroup_clock), NEED(subgroups)}},
    {KC_EXT_KERNEL_CLOCK_DEVICE, {NEED(device_clock)}},
    {KC_EXT_KERNEL_CLOCK_WORK_GROUP, {NEED(device_clock)}}, // same as the device's
    {KC_EXT_KERNEL_CLOCK_SUB_GROUP, {NEED(subgroup_clock), NEED(subgroups)}},
    {KC_EXT_SEMAPHORE, {NEED_NOTHING}},
    {KC_EXT_IMMUTABLE_MEMORY_OBJECTS, {NEED_NOTHING}},
    {KC_EXT_ICD, {NEED_NOTHING}},
    {KC_EXT_EXTENDED_VERSIONING, {NEED_NOTHING}},
    {KC_EXT_DEVICE_UUID, {NEED_NOTHING}},
    {KC_EXT_CREATE_COMMAND_QUEUE, {NEED_NOTHING}},
    {KC_EXT_PRIORITY_HINTS, {NEED_NOTHING}},
    {KC_EXT_THROTTLE_HINTS, {NEED_NOTHING}},
    {KC_EXT_SUGGESTED_LOCAL_WORK_SIZE, {NEED_NOTHING}},
    {KC_EXT_COMMAND_BUFFER, {NEED_NOTHING}},
    {KC_EXT_COMMAND_BUFFER_MUTABLE_DISPATCH, {NEED_NOTHING}},
    {KC_EXT_BUFFER_DEVICE_ADDRESS, {NEED(physical_addressing)}},
    {KC_EXT_INTEL_UNIFIED_SHARED_MEMORY, {NEED(physical_addressing)}},
    {KC_EXT_UNIFIED_SVM, {NEED(physical_addressing)}},
    {KC_EXT_SUBGROUP_EXTENDED_TYPES, {NEED(subgroups)}},
    {KC_EXT_SUBGROUP_NON_UNIFORM_VOTE, {NEED(subgroups)}},
    {KC_EXT_SUBGROUP_BALLOT, {NEED(subgroups)}},
    {KC_EXT_SUBGROUP_NON_UNIFORM_ARITHMETIC, {NEED(subgroups)}},
    {KC_EXT_SUBGROUP_SHUFFLE, {NEED(subgroups)}},
    {KC_EXT_SUBGROUP_SHUFFLE_RELATIVE, {NEED(subgroups), NEED(subgroup_shuffle_relative)}},
    {KC_EXT_SUBGROUP_CLUSTERED_REDUCE, {NEED(subgroups), NEED(subgroup_clustered)}},
    {KC_EXT_SUBGROUP_ROTATE, {NEED(subgroups)}},
    {KC_EXT_INTEL_REQUIRED_SUBGROUP_SIZE, {NEED(subgroups)}},
    {KC_EXT_SUBGROUPS, {NEED(subgroups)}},
    {KC_EXT_COOPERATIVE_MATRIX, {NEED(subgroups)}},
    {KC_EXT_IMAGE_3D_WRITES, {NEED(images), NEED(image_3d_writes)}},
    {KC_EXT_IMAGE2D_FROM_BUFFER, {NEED(images)}},
    {KC_EXT_DEPTH_IMAGES, {NEED(images)}},
    {KC_EXT_MIPMAP_IMAGE, {NEED(images)}},
    {KC_EXT_MIPMAP_IMAGE_WRITES, {NEED(images)}},
    {KC_EXT_SRGB_IMAGE_WRITES, {NEED(images)}},
    {KC_EXT_IMAGE_UNORM_INT_2_101010, {NEED(images)}},
    {KC_EXT_FEATURE_UNORM_INT_2_101010, {NEED(images)}},
    {KC_EXT_IMAGE_REQUIREMENTS_INFO, {NEED(images)}},
    {KC_EXT_IMAGE_FROM_BUFFER, {NEED(images)}},
    {KC_EXT_IMAGES, {NEED(images)}},
    {KC_EXT_FEATURE_3D_IMAGE_WRITES, {NEED(images), NEED(image_3d_writes)}},
    {KC_EXT_READ_WRITE_IMAGES, {NEED(images)}},
    {KC_EXT_INT64, {NEED_NOTHING}}, // emulated with words if the device has none
    {KC_EXT_CLES_INT64, {NEED(embedded)}}, // part of the full profile
    {KC_EXT_ATOMIC_ORDER_ACQ_REL, {NEED(vulkan_memory_model)}},
    {KC_EXT_ATOMIC_SCOPE_DEVICE, {NEED(vulkan_memory_model_device_scope)}},
    {KC_EXT_GENERIC_ADDRESS_SPACE, {NEED_NOTHING}},
    {KC_EXT_PIPES, {NEED_NOTHING}},
    {KC_EXT_FEATURE_FP64, {NEED(float64)}},
    {KC_EXT_PROGRAM_SCOPE_GLOBAL_VARIABLES, {NEED_NOTHING}},
    {KC_EXT_DEVICE_ENQUEUE, {NEED(physical_addressing)}},
};

static bool rule_holds(const struct extension_rule *rule, const struct kc_target *target)
{
    for (int i = 0; i < 2; i++) {
        if (rule->needs[i].at && !*(const bool *)((const char *)target + rule->needs[i].at - 1))
            return false;
    }
    return true;
}

static const char *feature_behind(size_t field)
{
    for (size_t i = 0; i < sizeof target_rules / sizeof *target_rules; i++)
        if (target_rules[i].target == field)
            return target_rules[i].name;
    return NULL;
}

const char *device_caps_missing(const struct device_caps *caps, enum kc_extension extension)
{
    for (size_t i = 0; i < sizeof extension_rules / sizeof *extension_rules; i++)
        for (int n = 0; n < 2 && extension_rules[i].extension == extension; n++) {
            const struct extension_need *need = &extension_rules[i].needs[n];
            if (!need->at || *(const bool *)((const char *)&caps->target + need->at - 1))
                continue;
            return feature_behind(need->at - 1) ? feature_behind(need->at - 1) : need->field;
        }
    return NULL;
}

struct extension_row {
    const char *name;
    cl_version version;
    bool feature;
};

static const struct extension_row extension_rows[KC_EXT_COUNT] = {
#define EXTENSION(id, name, major, minor, patch, macro_from)                                       \
    [KC_EXT_##id] = {name, CL_MAKE_VERSION(major, minor, patch), false},
#define FEATURE(id, name, major, minor, patch)                                                     \
    [KC_EXT_##id] = {name, CL_MAKE_VERSION(major, minor, patch), true},
#include "pumice/extensions.def"
};

static void add_name(struct caps_names *names, const char *name, cl_version version)
{
    if (names->count == CAPS_NAME_MAX)
        return;
    cl_name_version *row = &names->rows[names->count++];
    row->version = version;
    snprintf(row->name, sizeof row->name, "%s", name);
}

bool device_caps_pointers(const struct device_caps *caps)
{
    return kc_pointer_bytes(&caps->target) == sizeof(void *);
}

// The only place that decides whether SPIR-V programs are supported; the rest follows from
// cl_khr_il_program.
static bool accepts_il(void)
{
    return !option_off(OPTION_IL);
}

static const enum kc_extension il_extensions[] = {
    KC_EXT_IL_PROGRAM,
    KC_EXT_SPIRV_QUERIES,
    KC_EXT_SPIRV_LINKONCE_ODR,
    KC_EXT_SPIRV_NO_INTEGER_WRAP,
    KC_EXT_EXPECT_ASSUME,
};

// Programs identify Intel GPUs by this extension and expect sub-groups of eight consecutive
// work-items: OpenCV multiplies matrices that way without querying the size. Other sizes would give
// wrong results.
static void add_intel_sub_groups(struct kc_target *target)
{
    static const enum kc_extension all[] = {KC_EXT_INTEL_SUBGROUPS,      KC_EXT_INTEL_SUBGROUPS_SHORT, KC_EXT_INTEL_SUBGROUPS_CHAR,
                                            KC_EXT_INTEL_SUBGROUPS_LONG, KC_EXT_INTEL_LOCAL_BLOCK_IO};
    enum { USUAL = 8 };
    if (!target->subgroups || target->subgroup_size != USUAL)
        return;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        kc_extensions_add(&target->extensions, all[i]);
    if (accepts_il())
        kc_extensions_add(&target->extensions, KC_EXT_INTEL_SPIRV_SUBGROUPS);
}

static void fill_external(struct kc_target *target, const struct vk_external *can)
{
    const VkExternalSemaphoreHandleTypeFlags semaphores = can->semaphores_in | can->semaphores_out;
    const struct {
        enum kc_extension extension;
        bool has;
    } rows[] = {
        {KC_EXT_EXTERNAL_MEMORY, can->memory},
        {KC_EXT_EXTERNAL_MEMORY_OPAQUE_FD,
         can->memory & VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT},
        {KC_EXT_EXTERNAL_MEMORY_DMA_BUF,
         can->memory & VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT},
        {KC_EXT_ARM_IMPORT_MEMORY, can->memory & VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT},
        {KC_EXT_ARM_IMPORT_MEMORY_DMA_BUF, can->memory & VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT},
        {KC_EXT_EXTERNAL_SEMAPHORE, semaphores},
        {KC_EXT_EXTERNAL_SEMAPHORE_OPAQUE_FD,
         semaphores & VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT},
        {KC_EXT_EXTERNAL_SEMAPHORE_SYNC_FD,
         semaphores & VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].has)
            kc_extensions_add(&target->extensions, rows[i].extension);
}

// The host can always copy the contents, so every device supports sharing. Whether OpenGL exists is
// known to the program, which has a context.
static void fill_sharing(struct device_caps *caps)
{
    static const enum kc_extension all[] = {KC_EXT_GL_SHARING, KC_EXT_GL_EVENT, KC_EXT_EGL_EVENT};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        kc_extensions_add(&caps->target.extensions, all[i]);
    if (caps->images)
        kc_extensions_add(&caps->target.extensions, KC_EXT_EGL_IMAGE);
    if (caps->images && device_caps_has(caps, KC_EXT_DEPTH_IMAGES))
        kc_extensions_add(&caps->target.extensions, KC_EXT_GL_DEPTH_IMAGES);
}

static void fill_extensions(struct device_caps *caps, const struct vk_facts *facts)
{
    struct kc_target *target = &caps->target;
    for (size_t i = 0; i < sizeof extension_rules / sizeof *extension_rules; i++) {
        enum kc_extension extension = extension_rules[i].extension;
        bool pointers = extension == KC_EXT_INTEL_UNIFIED_SHARED_MEMORY || extension == KC_EXT_UNIFIED_SVM;
        if (rule_holds(&extension_rules[i], target) && (!pointers || device_caps_pointers(caps)))
            kc_extensions_add(&target->extensions, extension);
    }
    if (facts->features.pci_bus_info)
        kc_extensions_add(&target->extensions, KC_EXT_PCI_BUS_INFO);
    if (facts->features.zero_init_workgroup)
        kc_extensions_add(&target->extensions, KC_EXT_INITIALIZE_MEMORY);
    // programs query this extension by name
    if (facts->props.vendorID == CAPS_VENDOR_NVIDIA && facts->cuda_major)
        kc_extensions_add(&target->extensions, KC_EXT_NV_DEVICE_ATTRIBUTE_QUERY);
    if (facts->props.vendorID == CAPS_VENDOR_AMD)
        kc_extensions_add(&target->extensions, KC_EXT_AMD_DEVICE_ATTRIBUTE_QUERY);
    fill_external(target, &facts->external);
    fill_sharing(caps);

    for (size_t i = 0; accepts_il() && i < sizeof il_extensions / sizeof *il_extensions; i++)
        kc_extensions_add(&target->extensions, il_extensions[i]);
    add_intel_sub_groups(target);
    caps->progress = target->subgroups && vk_quirks(facts)->sub_groups_progress;
    if (caps->progress) // required by the extension in addition to __opencl_c_subgroups
        kc_extensions_add(&target->extensions, KC_EXT_KHR_SUBGROUPS);
    // SPIR-V modules are part of the extension
    if (accepts_il() && device_caps_has(caps, KC_EXT_COOPERATIVE_MATRIX))
        kc_extensions_add(&target->extensions, KC_EXT_KHR_COOPERATIVE_MATRIX);

    if (target->subgroups || target->max_local_invocations <= CAPS_COLLECTIVE_ITEMS)
        kc_extensions_add(&target->extensions, KC_EXT_WORK_GROUP_COLLECTIVE_FUNCTIONS);

    size_t used = 0;
    for (int i = 0; i < KC_EXT_COUNT; i++) {
        const struct extension_row *row = &extension_rows[i];
        if (!device_caps_has(caps, (enum kc_extension)i))
            continue;
        add_name(row->feature ? &caps->features : &caps->extension_list, row->name, row->version);
        if (!row->feature && used < sizeof caps->extensions)
            used += (size_t)snprintf(caps->extensions + used, sizeof caps->extensions - used,
                                     "%s%s", used ? " " : "", row->name);
    }
}

static void fill_atomics(struct device_caps *caps)
{
    caps->atomic_memory = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
    if (device_caps_has(caps, KC_EXT_ATOMIC_ORDER_ACQ_REL))
        caps->atomic_memory |= CL_DEVICE_ATOMIC_ORDER_ACQ_REL;
    if (device_caps_has(caps, KC_EXT_ATOMIC_ORDER_SEQ_CST))
        caps->atomic_memory |= CL_DEVICE_ATOMIC_ORDER_SEQ_CST;
    if (device_caps_has(caps, KC_EXT_ATOMIC_SCOPE_DEVICE))
        caps->atomic_memory |= CL_DEVICE_ATOMIC_SCOPE_DEVICE;
    caps->atomic_fence = caps->atomic_memory | CL_DEVICE_ATOMIC_ORDER_ACQ_REL;
}

static void add_feature(struct device_caps *caps, enum kc_extension feature)
{
    const struct extension_row *row = &extension_rows[feature];
    kc_extensions_add(&caps->target.extensions, feature);
    add_name(&caps->features, row->name, row->version);
}

void device_caps_share(struct device_caps *caps, cl_device_svm_capabilities svm)
{
    if (!(svm & CL_DEVICE_SVM_ATOMICS) || !device_caps_has(caps, KC_EXT_ATOMIC_SCOPE_DEVICE))
        return;
    add_feature(caps, KC_EXT_ATOMIC_SCOPE_ALL_DEVICES);
    caps->atomic_memory |= CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
    caps->atomic_fence |= CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
}

static void fill_float_atomics(struct device_caps *caps)
{
    const cl_bitfield all =
        CAPS_ATOMIC_GLOBAL_LOAD_STORE | CAPS_ATOMIC_GLOBAL_ADD | CAPS_ATOMIC_GLOBAL_MIN_MAX;
    caps->single_atomics = all | all << CAPS_ATOMIC_LOCAL_SHIFT;
    if (device_caps_has(caps, KC_EXT_FP64_GLOBAL_ATOMIC_ADD))
        caps->double_atomics |= all;
    if (device_caps_has(caps, KC_EXT_FP64_LOCAL_ATOMIC_ADD))
        caps->double_atomics |= all << CAPS_ATOMIC_LOCAL_SHIFT;
}

bool device_caps_has(const struct device_caps *caps, enum kc_extension extension)
{
    return kc_extensions_have(&caps->target.extensions, extension);
}

// ---- limits -------------------------------------------------------------------------------------

// Maximum constant arguments of a kernel that accesses buffers by bindings.
static cl_ulong max_bound(const struct kc_target *target)
{
    enum { MOST = 60, MOST_32 = 28 }; // as many as a pointer can distinguish, minus one output
                                      // buffer and the internal ones
    return kc_pointer_bytes(target) == 4 ? MOST_32 : MOST;
}

static void fill_memory(struct device_caps *caps, const struct vk_facts *facts)
{
    const cl_ulong gib = UINT64_C(1) << 30;
    caps->global_memory = facts->device_memory;
    caps->max_allocation = vk_buffer_max_size(facts) & ~(cl_ulong)4095;
    // OpenCL requires that one buffer can have a quarter of the memory, or 1 GiB.
    if (caps->max_allocation < gib && !facts->features.buffer_device_address)
        caps->global_memory = min_u64(caps->global_memory, 4 * caps->max_allocation);
    caps->constant_size = min_u64(caps->max_allocation, 2 * gib); // programs index it with an int
    // leaves space for other buffers
    caps->constant_size = min_u64(caps->constant_size, caps->global_memory / 4);
    caps->constant_args = CAPS_PARAMETER_SIZE / 8;
    if (!facts->features.buffer_device_address)
        caps->constant_args = (cl_uint)min_u64(max_bound(&caps->target), caps->constant_args);
    caps->local_memory = facts->props.limits.maxComputeSharedMemorySize;
    caps->local_memory_type = caps->type == CL_DEVICE_TYPE_CPU ? CL_GLOBAL : CL_LOCAL;
    caps->base_align_bits = 1024; // of long16, the largest type
    caps->min_align_bytes = 128;
    caps->unified = facts->unified;
}

// The compiler assigns binding numbers; the limits are those of a kernel with one binding per
// argument.
static void fill_image_limits(struct device_caps *caps, const struct vk_facts *facts)
{
    const VkPhysicalDeviceLimits *limits = &facts->props.limits;
    enum { READ = 128, WRITE = 64, SAMPLERS = 16 }; // the minimum of the specification
    caps->packed_texels = vk_quirks(facts)->packed_texels;
    for (int i = 0; i < 2; i++)
        caps->image2d[i] = min_u64(limits->maxImageDimension1D, limits->maxImageDimension2D);
    for (int i = 0; i < 3; i++)
        caps->image3d[i] = limits->maxImageDimension3D;
    caps->image_array = limits->maxImageArrayLayers;
    caps->image_buffer = min_u64(limits->maxTexelBufferElements, caps->max_allocation);
    caps->read_images = (cl_uint)min_u64(READ, limits->maxPerStageDescriptorSampledImages);
    caps->write_images = (cl_uint)min_u64(WRITE, limits->maxPerStageDescriptorStorageImages);
    caps->read_write_images = caps->write_images;
    caps->samplers = SAMPLERS;
    caps->pitch_texels = caps->base_texels = 1; // such images are copied
}

// Each level needs a descriptor, and a kernel may do this for all images that it writes.
static void drop_level_writes(struct device_caps *caps, const struct vk_facts *facts)
{
    if (facts->props.limits.maxPerStageDescriptorStorageImages / KC_LEVELS < caps->write_images)
        kc_extensions_remove(&caps->target.extensions, KC_EXT_MIPMAP_IMAGE_WRITES);
}

// All limits are 0 without image support.
static void drop_images(struct device_caps *caps)
{
    memset(caps->image2d, 0, sizeof caps->image2d);
    memset(caps->image3d, 0, sizeof caps->image3d);
    caps->image_array = caps->image_buffer = 0;
    caps->read_images = caps->write_images = caps->read_write_images = 0;
    caps->samplers = caps->pitch_texels = caps->base_texels = 0;
}

static void fill_profile(struct device_caps *caps, const struct vk_facts *facts)
{
    profile_fill(caps, facts);
    caps->images = caps->target.images;
    if (!caps->images)
        drop_images(caps);
}

static void fill_work_sizes(struct device_caps *caps, const struct vk_facts *facts)
{
    const VkPhysicalDeviceLimits *limits = &facts->props.limits;
    caps->work_item_dimensions = 3;
    caps->work_group_size = limits->maxComputeWorkGroupInvocations;
    for (int i = 0; i < 3; i++)
        caps->work_item_sizes[i] = limits->maxComputeWorkGroupSize[i];
    caps->work_group_multiple = facts->lanes ? facts->lanes : 1;
    if (caps->target.subgroups)
        caps->sub_groups = (cl_uint)((caps->work_group_size + caps->work_group_multiple - 1) /
                                     caps->work_group_multiple);
    caps->compute_units = facts->compute_units;
    if (!caps->compute_units && caps->type == CL_DEVICE_TYPE_CPU)
        caps->compute_units = thread_processors();
    if (!caps->compute_units)
        caps->compute_units = 1;
    for (int i = 0; i < 7; i++)
        caps->width[i] = 1;
    if (!device_caps_has(caps, KC_EXT_FP64))
        caps->width[5] = 0;
    if (!device_caps_has(caps, KC_EXT_FP16))
        caps->width[6] = 0;
}

static cl_device_fp_config fp_config(const struct kc_target *target, int width)
{
    cl_device_fp_config config = CL_FP_ROUND_TO_NEAREST;
    if (target->signed_zero_inf_nan_preserve[width]) // otherwise the driver may assume that they do
                                                     // not occur
        config |= CL_FP_INF_NAN;
    if (target->denorm_preserve[width])
        config |= CL_FP_DENORM;
    if (target->fused_fma[width])
        config |= CL_FP_FMA;
    return config;
}

// Bytes are packed first; saturation is added after the product.
static void fill_dot_products(struct device_caps *caps, const VkPhysicalDeviceVulkan13Properties *p)
{
    caps->dot_product = CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                        CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR;
    if (!caps->target.int_dot_product)
        return;
    caps->dot_packed.signed_accelerated = p->integerDotProduct4x8BitPackedSignedAccelerated;
    caps->dot_packed.unsigned_accelerated = p->integerDotProduct4x8BitPackedUnsignedAccelerated;
    caps->dot_packed.mixed_signedness_accelerated =
        p->integerDotProduct4x8BitPackedMixedSignednessAccelerated;
    caps->dot_bytes = caps->dot_packed;
    caps->target.quick_dot4 = caps->dot_packed.signed_accelerated && caps->dot_packed.unsigned_accelerated &&
                              caps->dot_packed.mixed_signedness_accelerated;
}

static cl_device_fp_config denormal_config(const struct vk_facts *facts)
{
    return facts->props.driverVersion < vk_quirks(facts)->keeps_denormals ? CL_FP_DENORM : 0;
}

static void fill_single(struct device_caps *caps, const struct vk_facts *facts)
{
    const struct kc_target *target = &caps->target;
    caps->target.flushed_order = !denormal_config(facts) && !vk_quirks(facts)->orders_denormals;
    caps->single_fp = fp_config(target, 1) | denormal_config(facts);
    if ((target->exact_division[1] && target->exact_sqrt[1]) || target->fused_fma[1]) // see divide.cl, lower_sqrt
        caps->single_fp |= CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
}

static void fill_other_floats(struct device_caps *caps, const struct vk_facts *facts)
{
    bool kept = vk_quirks(facts)->double_denormals || caps->target.denorm_preserve[2];
    if (device_caps_has(caps, KC_EXT_FP64)) // the minimum for double, possibly without denormals
        caps->double_fp = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
                          CL_FP_ROUND_TO_INF | CL_FP_INF_NAN |
                          (kept ? CL_FP_DENORM : denormal_config(facts));
    if (device_caps_has(caps, KC_EXT_FP16))
        caps->half_fp = fp_config(&caps->target, 0) | denormal_config(facts);
}

static cl_device_type device_type(VkPhysicalDeviceType type)
{
    if (type == VK_PHYSICAL_DEVICE_TYPE_CPU)
        return CL_DEVICE_TYPE_CPU;
    return type == VK_PHYSICAL_DEVICE_TYPE_OTHER ? CL_DEVICE_TYPE_ACCELERATOR : CL_DEVICE_TYPE_GPU;
}

struct vendor_row {
    uint32_t id;
    const char *name;
};

static const struct vendor_row vendors[] = {
    {CAPS_VENDOR_AMD, "Advanced Micro Devices, Inc."},
    {0x1010, "Imagination Technologies"},
    {0x106b, "Apple"},
    {CAPS_VENDOR_NVIDIA, "NVIDIA Corporation"},
    {0x13b5, "Arm"},
    {0x14e4, "Broadcom"},
    {0x1ae0, "Google"},
    {0x5143, "Qualcomm"},
    {0x8086, "Intel Corporation"},
    {VK_VENDOR_ID_MESA, "Mesa"},
};

// Programs store binaries by CL_DRIVER_VERSION, so each build of the library has a different one.
static unsigned build_number(void)
{
    size_t size;
    const void *id = library_build_id(&size);
    return id ? (unsigned)hash_bytes64(id, size) : 0;
}

static void fill_names(struct device_caps *caps, const struct vk_facts *facts)
{
    const VkPhysicalDeviceVulkan12Properties *driver = &facts->props12;
    snprintf(caps->name, sizeof caps->name, "%s", facts->props.deviceName);
    snprintf(caps->driver, sizeof caps->driver, "%s+%08x (%.100s %.120s)", PUMICE_VERSION, build_number(),
             driver->driverName, driver->driverInfo);
    snprintf(caps->vendor, sizeof caps->vendor, "0x%04x", facts->props.vendorID);
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++) {
        if (vendors[i].id == facts->props.vendorID)
            snprintf(caps->vendor, sizeof caps->vendor, "%s", vendors[i].name);
    }
    caps->vendor_id = facts->props.vendorID;
    memcpy(caps->device_uuid, facts->props11.deviceUUID, sizeof caps->device_uuid);
    memcpy(caps->driver_uuid, facts->props11.driverUUID, sizeof caps->driver_uuid);
    caps->luid_valid = facts->props11.deviceLUIDValid;
    if (caps->luid_valid) {
        memcpy(caps->luid, facts->props11.deviceLUID, sizeof caps->luid);
        caps->node_mask = facts->props11.deviceNodeMask;
    }
    caps->pci.pci_domain = facts->pci.pciDomain;
    caps->pci.pci_bus = facts->pci.pciBus;
    caps->pci.pci_device = facts->pci.pciDevice;
    caps->pci.pci_function = facts->pci.pciFunction;
}

// The first missing one of the features that OpenCL 3.1 requires and that not all devices have; see
// conformance/OPENCL31.md.
static const char *missing_for_3_1(const struct device_caps *caps)
{
    static const enum kc_extension asked[] = {
        KC_EXT_SUBGROUPS,        KC_EXT_SUBGROUP_EXTENDED_TYPES,   KC_EXT_SUBGROUP_ROTATE,
        KC_EXT_SUBGROUP_SHUFFLE, KC_EXT_SUBGROUP_SHUFFLE_RELATIVE, KC_EXT_SPIRV_QUERIES,
        KC_EXT_EXTENDED_BIT_OPS, KC_EXT_INTEGER_DOT_PRODUCT,       KC_EXT_INTEGER_DOT_PRODUCT_PACKED,
        KC_EXT_DEVICE_UUID,      KC_EXT_SUGGESTED_LOCAL_WORK_SIZE,
    };
    _Static_assert(KC_IL_MINOR_VERSIONS > 4, "modules of SPIR-V 1.0 to 1.4 are taken");
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (!device_caps_has(caps, asked[i]))
            return extension_rows[asked[i]].name;
    return NULL;
}

static void fill_versions(struct device_caps *caps)
{
    caps->version_missing = missing_for_3_1(caps);
    caps->target.c_3_1 = !caps->version_missing;
    caps->version = caps->target.c_3_1 ? CL_MAKE_VERSION(3, 1, 0) : CL_MAKE_VERSION(3, 0, 0);
    snprintf(caps->version_text, sizeof caps->version_text, "OpenCL %u.%u Pumice", CL_VERSION_MAJOR(caps->version),
             CL_VERSION_MINOR(caps->version));
    add_name(&caps->c_versions, "OpenCL C", CL_MAKE_VERSION(1, 0, 0));
    add_name(&caps->c_versions, "OpenCL C", CL_MAKE_VERSION(1, 1, 0));
    add_name(&caps->c_versions, "OpenCL C", CL_MAKE_VERSION(1, 2, 0));
    add_name(&caps->c_versions, "OpenCL C", CL_MAKE_VERSION(3, 0, 0));
    if (caps->target.c_3_1)
        add_name(&caps->c_versions, "OpenCL C", caps->version);
}

static void fill_il(struct device_caps *caps)
{
    size_t used = 0;
    if (!device_caps_has(caps, KC_EXT_IL_PROGRAM))
        return;
    for (int minor = 0; minor < KC_IL_MINOR_VERSIONS; minor++) {
        add_name(&caps->ils, "SPIR-V", CL_MAKE_VERSION(1, minor, 0));
        used += (size_t)snprintf(caps->il_versions + used, sizeof caps->il_versions - used, "%sSPIR-V_1.%d",
                                 minor ? " " : "", minor);
    }
    kc_il_features(&caps->target, &caps->il);
}

// Device-side enqueue. Sizes limit the records that one launch and all its children can have at a
// time.
static void fill_device_queues(struct device_caps *caps)
{
    if (!device_caps_has(caps, KC_EXT_DEVICE_ENQUEUE))
        return;
    caps->device_queue = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    caps->enqueue = CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT;
    caps->device_queues = 64;
    caps->device_events = CMD_DEVICE_EVENTS;
    caps->device_queue_size = 256 << 10;
    caps->device_queue_max = 8 << 20;
}

enum { HOST_TIMES_NS = 100000 }; // how precisely the host can observe completion

void device_caps_fill(struct device_caps *caps, const struct vk_facts *facts)
{
    memset(caps, 0, sizeof *caps);
    caps->type = device_type(facts->props.deviceType);
    caps->yes = caps->compiler = caps->available = CL_TRUE;
    caps->parameter_size = CAPS_PARAMETER_SIZE;
    caps->printf_size = CMD_PRINTF_BYTES;
    caps->timer_resolution = facts->timestamp_ns >= 1 ? (size_t)(facts->timestamp_ns + 0.5) : 1;
    if (!facts->timestamp_bits)
        caps->timer_resolution = HOST_TIMES_NS;
    caps->execution = CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL; // native kernels run on the host
    caps->host_queue = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    fill_target(&caps->target, facts);
    caps->address_bits = 8 * kc_pointer_bytes(&caps->target);
    fill_memory(caps, facts);
    fill_image_limits(caps, facts);
    fill_single(caps, facts);
    fill_profile(caps, facts);
    fill_extensions(caps, facts);
    drop_level_writes(caps, facts);
    fill_atomics(caps);
    fill_float_atomics(caps);
    if (device_caps_has(caps, KC_EXT_PROGRAM_SCOPE_GLOBAL_VARIABLES))
        caps->max_variable_size = caps->preferred_variable_total = 1 << 20;
    caps->collectives = device_caps_has(caps, KC_EXT_WORK_GROUP_COLLECTIVE_FUNCTIONS);
    caps->generic = device_caps_has(caps, KC_EXT_GENERIC_ADDRESS_SPACE);
    fill_device_queues(caps);
    fill_dot_products(caps, &facts->props13);
    fill_names(caps, facts);
    fill_versions(caps);
    fill_il(caps);
    fill_work_sizes(caps, facts);
    fill_other_floats(caps, facts);
}
