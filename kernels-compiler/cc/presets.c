// SPDX-License-Identifier: Apache-2.0
// Targets by name: fictitious and measured ones here; devices.def and drivers.def contain the targets that the
// runtime derives from the devices in tests/devices and tests/drivers.
#include "cc/presets.h"
#include <string.h>

#define YES3 {true, true, true}

// Common to all but the smallest devices.
#define COMMON COMMON_WITHOUT_RTE, .rounding_rte = YES3
#define COMMON_WITHOUT_RTE .spirv_version = 0x00010500, .local_size_id = true, OF_ANY_VERSION, NO_FORMATS
#define NO_FORMATS .image_read_without_format = true, .image_write_without_format = true, .image_3d_writes = true
#define OF_ANY_VERSION                                                                             \
    .int8 = true, .int16 = true, .int64 = true, .float16 = true,                                   \
    .float64 = true, .storage8 = true, .storage16 = true,                                          \
    .vulkan_memory_model = true, .vulkan_memory_model_device_scope = true, .int64_atomics = true,  \
    .int64_shared_atomics = true, .float32_atomic_add = true, .float32_shared_atomic_add = true,   \
    .c_3_1 = true, .images = true, .int_dot_product = true, .subgroups = true,                     \
    .subgroup_extended_types = true, .subgroup_arithmetic = true,                                  \
    .subgroup_shuffle_relative = true, .subgroup_clustered = true,                                 \
    .signed_zero_inf_nan_preserve = YES3, .max_push_bytes = 256,                                   \
    .max_local_invocations = 1024, .max_function_array = 1024, .extensions = KC_EXTENSIONS_ALL

#define SHAPES(m, n, k, ab, cd) {m, n, k, KC_COMPONENT_##ab, KC_COMPONENT_##ab, KC_COMPONENT_##cd, KC_COMPONENT_##cd, false}
#define H200_MATRICES                                                                              \
    .matrix_shape_count = 9,                                                                       \
    .matrix_shapes = {SHAPES(16, 16, 16, F16, F16), SHAPES(16, 8, 16, F16, F16),                   \
                      SHAPES(16, 16, 16, F16, F32), SHAPES(16, 8, 16, F16, F32),                   \
                      SHAPES(16, 16, 32, U8, U32),  SHAPES(16, 16, 32, S8, S32),                   \
                      SHAPES(16, 8, 32, U8, U32),   SHAPES(16, 8, 32, S8, S32),                    \
                      SHAPES(16, 16, 16, BF16, F32)}

#define LAVAPIPE                                                                                   \
    .hidden_zeros = true, .second_exits = true, .keeps_loops = true, .flat_ifs = true, .any_alignment = true,             \
    .packs_accesses = true, .packs_places = true,                                                  \
    .sub_groups_in_step = true, .ended_stop_group = true, .strict_atomics = true, .ids_by_lanes = true, .access_by_elements = true,                  \
    .limited_double_rounding = true, .local_by_items = true, .max_inlined = 20000, .cost = {32500, 455000, 469000, 174, 24, 30000, 80, 3400, 86000, 0}, .max_nesting = 48, .exact_division = YES3, .exact_sqrt = YES3, .max_local_size = {1024, 1024, 1024},              \
    .max_local_memory = 32 << 10, .subgroup_size = 8

static const struct {
    const char *name, *what;
    struct kc_target target;
} presets[] = {
    {"lavapipe", "Mesa's CPU driver",
     {COMMON, LAVAPIPE, .physical_addressing = true, .plain_arguments = KC_PLAIN_ALIGNED}},
    {"lavapipe32", "lavapipe with 32-bit small integers, and 64-bit division in the kernel, as on GPUs",
     {COMMON, LAVAPIPE, .guards = true, .physical_addressing = true, .plain_arguments = KC_PLAIN_ALIGNED, .group_coherence = true, .small_ints_in_32 = true, .hidden_ranges = true, .constant_tables = true,
      .int64_division_in_32 = true}},
    {"logical", "lavapipe without device addresses",
     {COMMON, LAVAPIPE, .max_storage_buffers = 1000000, .storage_buffer_range = 128 << 20}},
    {"bindings", "lavapipe with bindings for buffers that are plain arguments",
     {COMMON, LAVAPIPE, .physical_addressing = true, .plain_arguments = KC_PLAIN_BINDINGS, .max_storage_buffers = 1000000, .storage_buffer_range = 128 << 20}},
    {"offsets", "lavapipe with 32-bit offsets into buffers that are plain arguments",
     {COMMON, LAVAPIPE, .physical_addressing = true, .plain_arguments = KC_PLAIN_OFFSETS, .storage_buffer_range = 128 << 20}},
    {"vulkan11", "lavapipe as a Vulkan 1.1 device",
     {.spirv_version = 0x00010300, OF_ANY_VERSION, NO_FORMATS, .rounding_rte = YES3, LAVAPIPE, .physical_addressing = true}},
    {"formats", "lavapipe without formatless image access and without 3D image writes",
     {.spirv_version = 0x00010500, .local_size_id = true, OF_ANY_VERSION, .rounding_rte = YES3, LAVAPIPE, .physical_addressing = true,
      .image_bgra_by_rgba = true, .image_unorm16_by_uint = true}},
    {"h200", "NVIDIA's driver on an H200",
     {COMMON_WITHOUT_RTE, .max_inlined = 200000, .max_updated_array = 2560, .least_read_array = 64, .rotations_by_words = true, .loose_quotients = true, .products_for_quotients = true, .hides_uniform_stores = true, .max_nesting = 32, .max_waiting_nesting = 12, .flat_jumps = true, .image_borders = true, .keeps_calls = true, .physical_addressing = true, .plain_arguments = KC_PLAIN_ALIGNED, .group_coherence = true, .unroll_room = 128, .packs_accesses = true, .interleaves_scratch = true, .quick_dot4 = true, .close_natives = true, .fused_differences = true, .hidden_choices = true, .own_doubles = true, .small_ints_in_32 = true, .no_undef = true, .hidden_ranges = true,
      .constant_tables = true, .int64_mul_extended = true, .int64_division_in_32 = true,
      .workgroup_explicit_layout = true, .workgroup_storage8 = true, .workgroup_storage16 = true, .image_linear_filter = true,
      .denorm_preserve = {true, false, false}, .fused_fma = YES3,
      .exact_division = {false, false, true}, .exact_sqrt = {false, false, true},
      .native_min_max = {false, true, false}, .max_local_size = {1024, 1024, 64},
      .max_local_memory = 48 << 10, .max_array_in_local = 1024, .subgroup_size = 32, H200_MATRICES}},
    {"full", "a device with all features",
     {COMMON, .physical_addressing = true, .workgroup_explicit_layout = true, .workgroup_storage8 = true, .workgroup_storage16 = true,
      .denorm_preserve = YES3, .fused_fma = YES3, .exact_division = YES3, .exact_sqrt = YES3,
      .max_local_size = {1024, 1024, 1024}, .max_local_memory = 64 << 10, .subgroup_size = 32}},
    {"minimal", "a device with 32-bit types only, and addresses",
     {.spirv_version = 0x00010500, .guards = true, .physical_addressing = true, .max_push_bytes = 128, .max_local_invocations = 256,
      .max_local_size = {256, 256, 64}, .max_local_memory = 16 << 10, .max_function_array = 1024,
      .exact_division = YES3, .exact_sqrt = YES3, .subgroup_size = 4}},
    {"vulkan", "the default for modules that any Vulkan program can use", // -spv-version tells more
     {.spirv_version = 0x00010000, .address_bits = 32, .image_write_without_format = true, .int8 = true, .int16 = true, .int64 = true, .float16 = true, .float64 = true,
      .storage8 = true, .storage16 = true, .images = true, .image_3d_writes = true, .image_read_without_format = true, .image_linear_filter = true,
      .max_push_bytes = 128, .max_local_invocations = 1024, .max_local_size = {1024, 1024, 64}, .max_function_array = UINT32_MAX, .unrolls_loops = true,
      .quick_fma = true, .second_exits = true, .rotations_by_difference = true, .multiples_by_sums = true, .unpacks_by_shifts = true, .subgroup_size = 4, .extensions = KC_EXTENSIONS_ALL, .mapping = {.on = true, .any_sub_groups = true, .work_dim = true, .reflection = KC_REFLECTION_USUAL, .reflection_least = true, .max_uniform = 64 << 10, .printf_bytes = 1 << 20}}},
    {"small", "the smallest device",
     {.spirv_version = 0x00010300, .address_bits = 32, .max_push_bytes = 128, .max_local_invocations = 128,
      .max_local_size = {128, 128, 64}, .max_local_memory = 16 << 10, .max_function_array = 1024, .subgroup_size = 4}},
#include "cc/devices.def"
#include "cc/drivers.def"
};

bool preset_find(const char *name, struct kc_target *target)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        if (strcmp(presets[i].name, name))
            continue;
        *target = presets[i].target;
        return true;
    }
    return false;
}

void preset_list(FILE *to)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        fprintf(to, "%-18s %s\n", presets[i].name, presets[i].what);
}
