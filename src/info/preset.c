// SPDX-License-Identifier: Apache-2.0
// What the compiler may use on a device, as a row of kernels-compiler/cc/devices.def, so that
// others can compile for it (pumice-cc --target=NAME). If a device is simulated by another one
// (tests/devices), properties that only its own driver could report are omitted: driver bugs that
// are not in the table of quirks, and sub-group sizes, so sub-groups are disabled.
#include "info/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/device.h"

enum field_kind { FLAG, NUMBER, VERSION, LONG, FLAGS, NUMBERS }; // the last two have three elements
static const struct field {
    const char *name;
    size_t at, size;
    enum field_kind kind;
} fields[] = {
#define FIELD(name, kind) {#name, offsetof(struct kc_target, name), sizeof(((struct kc_target *)0)->name), kind}
    FIELD(spirv_version, VERSION),
    FIELD(address_bits, NUMBER),
    FIELD(int8, FLAG),
    FIELD(int16, FLAG),
    FIELD(int64, FLAG),
    FIELD(float16, FLAG),
    FIELD(float64, FLAG),
    FIELD(storage8, FLAG),
    FIELD(storage16, FLAG),
    FIELD(physical_addressing, FLAG),
    FIELD(workgroup_explicit_layout, FLAG),
    FIELD(workgroup_storage8, FLAG),
    FIELD(workgroup_storage16, FLAG),
    FIELD(vulkan_memory_model, FLAG),
    FIELD(vulkan_memory_model_device_scope, FLAG),
    FIELD(int64_atomics, FLAG),
    FIELD(int64_shared_atomics, FLAG),
    FIELD(float32_atomic_add, FLAG),
    FIELD(float32_shared_atomic_add, FLAG),
    FIELD(embedded, FLAG),
    FIELD(c_3_1, FLAG),
    FIELD(images, FLAG),
    FIELD(image_read_without_format, FLAG),
    FIELD(image_write_without_format, FLAG),
    FIELD(image_3d_writes, FLAG),
    FIELD(image_bgra_by_rgba, FLAG),
    FIELD(image_unorm16_by_uint, FLAG),
    FIELD(image_borders, FLAG),
    FIELD(image_linear_filter, FLAG),
    FIELD(maximal_reconvergence, FLAG),
    FIELD(int_dot_product, FLAG),
    FIELD(device_clock, FLAG),
    FIELD(subgroup_clock, FLAG),
    FIELD(quick_dot4, FLAG),
    FIELD(local_size_id, FLAG),
    FIELD(subgroups, FLAG),
    FIELD(subgroup_extended_types, FLAG),
    FIELD(subgroup_arithmetic, FLAG),
    FIELD(subgroup_shuffle_relative, FLAG),
    FIELD(subgroup_clustered, FLAG),
    FIELD(int64_mul_extended, FLAG),
    FIELD(int64_division_in_32, FLAG),
    FIELD(hidden_ranges, FLAG),
    FIELD(hidden_zeros, FLAG),
    FIELD(second_exits, FLAG),
    FIELD(exits_by_phis, FLAG),
    FIELD(unsigned_by_halves, FLAG),
    FIELD(longs_by_doubles, FLAG),
    FIELD(flushed_order, FLAG),
    FIELD(numbers_of_nans, FLAG),
    FIELD(loads_by_items, FLAG),
    FIELD(computed_indices, FLAG),
    FIELD(small_by_floats, FLAG),
    FIELD(keeps_loops, FLAG),
    FIELD(unrolls_loops, FLAG),
    FIELD(one_continue, FLAG),
    FIELD(readonly_members, FLAG),
    FIELD(local_by_items, FLAG),
    FIELD(zero_local, FLAG),
    FIELD(zero_private, FLAG),
    FIELD(group_coherence, FLAG),
    FIELD(register_bytes, NUMBER),
    FIELD(most_register_bytes, NUMBER),
    FIELD(unroll_room, NUMBER),
    FIELD(packs_accesses, FLAG),
    FIELD(packs_places, FLAG),
    FIELD(small_buffers, FLAG),
    FIELD(flat_ifs, FLAG),
    FIELD(ids_by_lanes, FLAG),
    FIELD(access_by_elements, FLAG),
    FIELD(limited_double_rounding, FLAG),
    FIELD(sub_groups_in_step, FLAG),
    FIELD(ended_stop_group, FLAG),
    FIELD(strict_atomics, FLAG),
    FIELD(constant_tables, FLAG),
    FIELD(small_ints_in_32, FLAG),
    FIELD(no_undef, FLAG),
    FIELD(signed_zero_inf_nan_preserve, FLAGS),
    FIELD(rounding_rte, FLAGS),
    FIELD(denorm_preserve, FLAGS),
    FIELD(fused_fma, FLAGS),
    FIELD(quick_fma, FLAG),
    FIELD(exact_division, FLAGS),
    FIELD(exact_sqrt, FLAGS),
    FIELD(native_min_max, FLAGS),
    FIELD(close_natives, FLAG),
    FIELD(plain_quotients, FLAG),
    FIELD(unpacks_by_shifts, FLAG),
    FIELD(multiples_by_sums, FLAG),
    FIELD(rotations_by_difference, FLAG),
    FIELD(rotations_by_words, FLAG),
    FIELD(products_for_quotients, FLAG),
    FIELD(hides_uniform_stores, FLAG),
    FIELD(loose_quotients, FLAG),
    FIELD(fused_differences, FLAG),
    FIELD(hidden_choices, FLAG),
    FIELD(own_doubles, FLAG),
    FIELD(max_storage_buffers, NUMBER),
    FIELD(storage_buffer_range, LONG),
    FIELD(max_push_bytes, NUMBER),
    FIELD(max_local_size, NUMBERS),
    FIELD(max_local_invocations, NUMBER),
    FIELD(reported_local_invocations, NUMBER),
    FIELD(max_local_memory, NUMBER),
    FIELD(max_array_in_local, NUMBER),
    FIELD(max_inlined, NUMBER),
    FIELD(cost.instruction_ns, LONG),
    FIELD(cost.local_ns, LONG),
    FIELD(cost.block_ns, LONG),
    FIELD(cost.block_pair_ns, LONG),
    FIELD(cost.buffer_pair_ns, LONG),
    FIELD(cost.loop_buffer_ns, LONG),
    FIELD(cost.pair_ns, LONG),
    FIELD(cost.instruction_bytes, LONG),
    FIELD(cost.local_bytes, LONG),
    FIELD(cost.most_accesses, LONG),
    FIELD(cost.most_registers, LONG),
    FIELD(no_cost_limit, FLAG),
    FIELD(max_nesting, NUMBER),
    FIELD(max_waiting_nesting, NUMBER),
    FIELD(max_flat_registers, NUMBER),
    FIELD(flat_jumps, FLAG),
    FIELD(any_alignment, FLAG),
    FIELD(keeps_calls, FLAG),
    FIELD(max_function_array, NUMBER),
    FIELD(max_updated_array, NUMBER),
    FIELD(least_read_array, NUMBER),
    FIELD(selected_array, NUMBER),
    FIELD(interleaves_scratch, FLAG),
    FIELD(subgroup_size, NUMBER),
    FIELD(subgroup_sizes, NUMBER),
    FIELD(plain_arguments, NUMBER),
    FIELD(positive_offsets, FLAG),
    FIELD(matrix_shape_count, NUMBER),
    FIELD(matrix_tiles_by_items, FLAG),
};
enum { FIELDS = sizeof fields / sizeof *fields };

// Checks that the fields, and what is written separately, cover the whole target.
static bool covers_target(const struct kc_target *t)
{
    static struct kc_target copy; // all zero, including padding
    copy.extensions = t->extensions;
    memcpy(copy.matrix_shapes, t->matrix_shapes, sizeof copy.matrix_shapes);
    copy.mapping = t->mapping;
    copy.guards = t->guards; // not written: other programs choose local sizes themselves
    for (int i = 0; i < FIELDS; i++)
        memcpy((char *)&copy + fields[i].at, (const char *)t + fields[i].at, fields[i].size);
    return !memcmp(&copy, t, sizeof copy);
}

static void put_value(char *text, size_t room, const struct field *f, const void *at)
{
    const bool *flags = at;
    const uint32_t *numbers = at;
    switch (f->kind) {
    case FLAG: snprintf(text, room, "true"); break;
    case NUMBER: snprintf(text, room, "%u", *numbers); break;
    case VERSION: snprintf(text, room, "0x%05x", *numbers); break;
    case LONG: snprintf(text, room, "%llu", (unsigned long long)*(const uint64_t *)at); break;
    case FLAGS: snprintf(text, room, "{%d, %d, %d}", flags[0], flags[1], flags[2]); break;
    case NUMBERS: snprintf(text, room, "{%u, %u, %u}", numbers[0], numbers[1], numbers[2]); break;
    }
}

static bool is_zero(const void *at, size_t size)
{
    static const char zeros[16];
    return !memcmp(at, zeros, size);
}

enum { LINE = 140 };

static void put_fields(const struct kc_target *t)
{
    char value[64], text[128];
    int column = 0;
    for (int i = 0; i < FIELDS; i++) {
        const void *at = (const char *)t + fields[i].at;
        if (is_zero(at, fields[i].size))
            continue;
        put_value(value, sizeof value, &fields[i], at);
        int length = snprintf(text, sizeof text, ".%s = %s,", fields[i].name, value);
        bool fits = column && column + length < LINE;
        printf("%s%s", fits ? " " : "\n     ", text);
        column = fits ? column + length + 1 : length + 6;
    }
}

static void put_shapes(const struct kc_target *t)
{
    if (t->matrix_shape_count)
        printf("\n     .matrix_shapes = {");
    for (uint32_t i = 0; i < t->matrix_shape_count; i++) {
        const struct kc_matrix_shape *s = &t->matrix_shapes[i];
        printf("%s{%u, %u, %u, %u, %u, %u, %u, %d}%s", i % 4 ? " " : "\n      ", s->rows, s->columns, s->depth, s->a, s->b, s->c,
               s->result, s->saturating, i + 1 < t->matrix_shape_count ? "," : "},");
    }
}

enum { GOOGLE = 0x1ae0 };

static void clear_driver(struct vk_facts *facts)
{
    bool swiftshader = facts->props.vendorID == GOOGLE && facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    facts->props12.driverID = swiftshader ? VK_DRIVER_ID_GOOGLE_SWIFTSHADER : 0;
    facts->features.full_subgroups = false;
    facts->props11.subgroupSize = facts->lanes = facts->lane_sizes = 0;
}

// A device simulated by tests/devices; not the software driver itself.
static bool is_simulated(const struct vk_facts *facts)
{
    return facts->props12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE && facts->props.vendorID != VK_VENDOR_ID_MESA;
}

int info_preset(const char *name, const char *number)
{
    struct _cl_device_id *devices;
    unsigned index = number ? (unsigned)atoi(number) : 0, count = device_list(&devices);
    if (index >= count) {
        fprintf(stderr, "pumice-info: no device %u is offered\n", index);
        return 1;
    }
    static struct vk_facts facts;
    static struct device_caps caps;
    facts = devices[index].physical->facts;
    if (is_simulated(&facts))
        clear_driver(&facts);
    device_caps_fill(&caps, &facts);
    const struct kc_target *t = &caps.target;
    if (!covers_target(t)) {
        fprintf(stderr, "pumice-info: a target has a field that preset.c does not know\n");
        return 1;
    }
    printf("{\"%s\", \"%s\", {", name, facts.props.deviceName);
    put_fields(t);
    put_shapes(t);
    printf("\n     .extensions = {{0x%llx, 0x%llx}}}},\n", (unsigned long long)t->extensions.words[0],
           (unsigned long long)t->extensions.words[1]);
    return 0;
}
