// SPDX-License-Identifier: Apache-2.0
// pumice-info --json: what --all lists, for programs. See info.h; pumice-info(1) describes the keys.
#include "info/info.h"

#include <stdio.h>
#include <string.h>

#include "info/json.h"
#include "info/rows.h"

static void write_version(const char *key, uint32_t version)
{
    char text[40];
    snprintf(text, sizeof text, "%u.%u.%u", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
    json_text(key, text);
}

static void write_head(const struct vk_facts *facts)
{
    const VkPhysicalDeviceProperties *props = &facts->props;
    json_text("name", props->deviceName);
    json_text("type", rows_device_type(facts));
    json_count("vendor_id", props->vendorID);
    json_count("device_id", props->deviceID);
    write_version("vulkan", props->apiVersion);
    json_open("driver", '{');
    json_text("name", facts->props12.driverName);
    json_text("info", facts->props12.driverInfo);
    json_count("id", (unsigned)facts->props12.driverID);
    json_close('}');
}

static void write_needs(const struct vk_facts *facts)
{
    json_open("needed", '{');
    json_bool("Vulkan 1.1", facts->props.apiVersion >= VK_API_VERSION_1_1);
    json_bool("a queue family with compute", facts->queue_count != 0);
    for (int i = 0; i < loss_row_count; i++)
        if (loss_rows[i].needed)
            json_bool(loss_rows[i].name, rows_has(&facts->features, loss_rows[i].at));
    json_close('}');
}

static void write_features(const struct vk_features *features)
{
    json_open("missing", '{');
    for (int i = 0; i < loss_row_count; i++)
        if (!loss_rows[i].needed && !rows_has(features, loss_rows[i].at))
            json_text(loss_rows[i].name, loss_rows[i].text);
    json_close('}');
    json_open("features", '{');
    for (int i = 0; i < feature_row_count; i++)
        json_bool(rows_feature_name(i), rows_has(features, feature_rows[i].at));
    json_close('}');
}

static void write_three(const char *key, const uint32_t values[3])
{
    json_open(key, '[');
    for (int i = 0; i < 3; i++)
        json_count(NULL, values[i]);
    json_close(']');
}

static void write_limits(const struct vk_facts *facts)
{
    struct limit_row rows[LIMIT_ROWS];
    rows_limits(facts, rows);
    json_open("limits", '{');
    for (int i = 0; i < LIMIT_ROWS; i++)
        json_count(rows[i].name, rows[i].value);
    write_three("maxComputeWorkGroupSize", facts->props.limits.maxComputeWorkGroupSize);
    write_three("maxComputeWorkGroupCount", facts->props.limits.maxComputeWorkGroupCount);
    json_close('}');
}

static void write_memory_type(const struct vk_facts *facts, uint32_t number)
{
    const VkMemoryType *type = &facts->memory.memoryTypes[number];
    json_open(NULL, '{');
    json_count("heap", type->heapIndex);
    json_count("heap_bytes", facts->memory.memoryHeaps[type->heapIndex].size);
    json_open("flags", '[');
    for (int bit = 0; bit < 5; bit++)
        if (type->propertyFlags >> bit & 1)
            json_text(NULL, memory_flag_rows[bit]);
    json_close(']');
    json_open("used_for", '[');
    for (size_t k = 0; k < sizeof memory_use_rows / sizeof *memory_use_rows; k++)
        if (vk_memory_type(facts, memory_use_rows[k].kind, UINT32_MAX) == (int)number)
            json_text(NULL, memory_use_rows[k].name);
    json_close(']');
    json_close('}');
}

static void write_memory(const struct vk_facts *facts)
{
    json_bool("buffers_mapped", facts->unified);
    json_open("memory_types", '[');
    for (uint32_t i = 0; i < facts->memory.memoryTypeCount; i++)
        write_memory_type(facts, i);
    json_close(']');
    json_open("queue_family", '{');
    json_count("index", facts->queue_family);
    json_count("queues", facts->queue_count);
    json_count("timestamp_bits", facts->timestamp_bits);
    json_number("timestamp_ns", (double)facts->timestamp_ns);
    json_close('}');
}

static void write_numbers(const struct kc_target *target)
{
    struct number_row rows[NUMBER_ROWS];
    rows_numbers(target, rows);
    json_open("numbers", '{');
    for (int i = 0; i < NUMBER_ROWS; i++) {
        json_open(rows[i].name, '{');
        for (int w = 0; w < NUMBER_WIDTHS; w++)
            json_bool(number_widths[w], rows[i].values[w]);
        json_close('}');
    }
    json_close('}');
}

static void write_opencl(const struct device_caps *caps)
{
    const struct kc_target *target = &caps->target;
    char version[32], spirv[32];
    snprintf(version, sizeof version, "%u.%u", CL_VERSION_MAJOR(caps->version), CL_VERSION_MINOR(caps->version));
    snprintf(spirv, sizeof spirv, "%u.%u", target->spirv_version >> 16, target->spirv_version >> 8 & 0xff);
    json_open("opencl", '{');
    json_text("version", version);
    json_text("lacks_for_3_1", caps->version_missing);
    json_text("driver_version", caps->driver);
    json_text("profile", caps->profile);
    json_text("profile_reason", *caps->profile_why ? caps->profile_why : NULL);
    json_bool("images", caps->images);
    json_text("images_reason", *caps->images_why ? caps->images_why : NULL);
    json_count("address_bits", caps->address_bits);
    json_count("global_memory", caps->global_memory);
    json_count("max_allocation", caps->max_allocation);
    json_text("buffer_access", target->physical_addressing ? "address" : "binding");
    json_count("max_buffers", target->physical_addressing ? 0 : target->max_storage_buffers);
    json_count("max_buffer_range", target->physical_addressing ? 0 : target->storage_buffer_range);
    json_text("spirv", spirv);
    json_count("work_group_size", caps->work_group_size);
    json_count("sub_group_size", target->subgroups ? target->subgroup_size : 0);
    json_close('}');
}

static void write_svm(struct _cl_device_id *device)
{
    const cl_device_svm_capabilities svm = device_svm(device);
    json_open("shared_virtual_memory", '[');
    for (size_t i = 0; i < sizeof svm_rows / sizeof *svm_rows; i++)
        if (svm & svm_rows[i].bit)
            json_text(NULL, svm_rows[i].name);
    json_close(']');
}

static void write_extensions(const struct device_caps *caps)
{
    json_open("extensions", '{');
    for (int i = 0; i < KC_EXT_COUNT; i++) {
        const bool offered = device_caps_has(caps, (enum kc_extension)i);
        json_open(extension_rows[i], '{');
        json_bool("supported", offered);
        json_text("lacks", offered ? NULL : rows_why_not(caps, (enum kc_extension)i));
        json_close('}');
    }
    json_close('}');
}

static void write_device(struct _cl_device_id *device, unsigned number)
{
    const struct vk_facts *facts = &device->physical->facts;
    device_svm(device); // its result is used below
    json_open(NULL, '{');
    json_count("number", number);
    write_head(facts);
    write_opencl(&device->caps);
    write_needs(facts);
    write_features(&facts->features);
    write_limits(facts);
    write_memory(facts);
    write_numbers(&device->caps.target);
    write_svm(device);
    write_extensions(&device->caps);
    json_close('}');
}

static void write_refused(const struct vk_physical *physical)
{
    json_open(NULL, '{');
    write_head(&physical->facts);
    json_text("reason", physical->refused);
    write_needs(&physical->facts);
    json_close('}');
}

static void write_note(void *data, const char *note)
{
    (void)data;
    json_text(NULL, note);
}

unsigned info_json(const char *only)
{
    struct _cl_device_id *devices;
    const struct vk_physical *refused;
    const cl_uint count = device_list(&devices);
    const uint32_t refused_count = vk_physical_refused(&refused);
    char number[16];
    json_open(NULL, '{');
    json_text("version", PUMICE_VERSION);
    json_open("devices", '[');
    for (cl_uint i = 0; i < count; i++) {
        snprintf(number, sizeof number, "%u", i);
        if (!only || !strcmp(only, number))
            write_device(&devices[i], i);
    }
    json_close(']');
    json_open("unusable", '[');
    for (uint32_t i = 0; i < refused_count && !only; i++)
        write_refused(&refused[i]);
    json_close(']');
    json_open("notes", '[');
    if (!only)
        info_notes(write_note, NULL);
    json_close(']');
    json_close('}');
    return count;
}
