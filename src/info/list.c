// SPDX-License-Identifier: Apache-2.0
// The listing of devices: requirements, features, missing features, OpenCL properties. See info.h.
#include "info/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info/rows.h"
#include "platform/platform.h"

// On a terminal only, and not if NO_COLOR is set to anything.
enum colour { PLAIN, BOLD, RED, YELLOW };

static const char *colour(enum colour colour)
{
    static const char *const codes[] = {"\033[0m", "\033[1m", "\033[31m", "\033[33m"};
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    const bool on = stream_is_terminal(stdout) && !(no && *no) && !(terminal && !strcmp(terminal, "dumb"));
    return on ? codes[colour] : "";
}

static void print_need(bool present, const char *name, const char *text)
{
    printf("    %s%-3s%s %-40s%s\n", colour(present ? PLAIN : RED), present ? "yes" : "NO", colour(PLAIN), name, text);
}

static void list_needs(const struct vk_facts *facts)
{
    const struct vk_features *features = &facts->features;
    bool old = facts->props.apiVersion < VK_API_VERSION_1_1;
    printf("  needed:\n");
    print_need(!old, "Vulkan 1.1", "");
    print_need(facts->queue_count, "a queue family with compute", "");
    for (int i = 0; i < loss_row_count; i++)
        if (loss_rows[i].needed)
            print_need(rows_has(features, loss_rows[i].at), loss_rows[i].name, loss_rows[i].text);
}

static void list_losses(const struct vk_features *features)
{
    printf("  %smissing, and what that disables:%s\n", colour(YELLOW), colour(PLAIN));
    for (int i = 0; i < loss_row_count; i++)
        if (!loss_rows[i].needed && !rows_has(features, loss_rows[i].at))
            printf("    %-40s %s\n", loss_rows[i].name, loss_rows[i].text);
}

static void list_features(const struct vk_features *features, bool present)
{
    int column = 0;
    printf("  %s:", present ? "Vulkan features and extensions in use"
                            : "missing Vulkan features and extensions");
    for (int i = 0; i < feature_row_count; i++) {
        if (rows_has(features, feature_rows[i].at) != present)
            continue;
        const char *name = rows_feature_name(i);
        if (column == 0 || column + (int)strlen(name) > 108)
            column = printf("\n    ") - 1;
        column += printf("%s ", name);
    }
    printf("\n");
}

// ---- Vulkan properties --------------------------------------------------------------------------

static void list_head(const struct vk_facts *facts, const char *number)
{
    const VkPhysicalDeviceProperties *props = &facts->props;
    printf("%s: %s%s%s (%s, vendor %04x, device %04x)\n", number, colour(BOLD), props->deviceName, colour(PLAIN),
           rows_device_type(facts), props->vendorID, props->deviceID);
    printf("  Vulkan %u.%u.%u", VK_API_VERSION_MAJOR(props->apiVersion),
           VK_API_VERSION_MINOR(props->apiVersion), VK_API_VERSION_PATCH(props->apiVersion));
    if (*facts->props12.driverName)
        printf(", driver %s (%s), driver id %u", facts->props12.driverName,
               facts->props12.driverInfo, (unsigned)facts->props12.driverID);
    printf("\n");
}

static void list_limits(const struct vk_facts *facts)
{
    const VkPhysicalDeviceLimits *l = &facts->props.limits;
    struct limit_row rows[LIMIT_ROWS];
    rows_limits(facts, rows);
    printf("  limits:\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("    %-40s %llu\n", rows[i].name, rows[i].value);
    printf("    %-40s %u %u %u\n", "maxComputeWorkGroupSize", l->maxComputeWorkGroupSize[0],
           l->maxComputeWorkGroupSize[1], l->maxComputeWorkGroupSize[2]);
    printf("    %-40s %u %u %u\n", "maxComputeWorkGroupCount", l->maxComputeWorkGroupCount[0],
           l->maxComputeWorkGroupCount[1], l->maxComputeWorkGroupCount[2]);
}

static void list_memory(const struct vk_facts *facts)
{
    const VkPhysicalDeviceMemoryProperties *memory = &facts->memory;
    printf("  memory types (buffers are %s):\n",
           facts->unified ? "mapped" : "not mapped: the host copies");
    for (uint32_t i = 0; i < memory->memoryTypeCount; i++) {
        const VkMemoryType *type = &memory->memoryTypes[i];
        printf("    %u: heap %u (%llu MiB)", i, type->heapIndex,
               (unsigned long long)(memory->memoryHeaps[type->heapIndex].size >> 20));
        for (int bit = 0; bit < 5; bit++)
            if (type->propertyFlags >> bit & 1)
                printf(" %s", memory_flag_rows[bit]);
        for (size_t k = 0; k < sizeof memory_use_rows / sizeof *memory_use_rows; k++)
            if (vk_memory_type(facts, memory_use_rows[k].kind, UINT32_MAX) == (int)i)
                printf(" <- %s", memory_use_rows[k].name);
        printf("\n");
    }
    printf("  queue family %u, %u queues, timestamps of %u bits, %g ns a tick\n", facts->queue_family,
           facts->queue_count, facts->timestamp_bits, facts->timestamp_ns);
}

// ---- OpenCL properties --------------------------------------------------------------------------

static void list_extensions(const struct device_caps *caps)
{
    printf("  OpenCL extensions and features:\n");
    for (int i = 0; i < KC_EXT_COUNT; i++) {
        bool offered = device_caps_has(caps, (enum kc_extension)i);
        const char *why = offered ? NULL : rows_why_not(caps, (enum kc_extension)i);
        printf("    %-3s %s%s%s\n", offered ? "yes" : "no", extension_rows[i], why ? ": no " : "",
               why ? why : "");
    }
}

static void list_numbers(const struct kc_target *target)
{
    struct number_row rows[NUMBER_ROWS];
    rows_numbers(target, rows);
    printf("  numbers:\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        printf("    %-40s", rows[i].name);
        for (int w = 0; w < 3; w++)
            printf(" %s: %s", number_widths[w], rows[i].values[w] ? "yes" : "no");
        printf("\n");
    }
}

static void list_svm(struct _cl_device_id *device)
{
    cl_device_svm_capabilities svm = device_svm(device);
    printf("  shared virtual memory (measured):");
    const char *before = " ";
    for (size_t i = 0; i < sizeof svm_rows / sizeof *svm_rows; i++) {
        if (!(svm & svm_rows[i].bit))
            continue;
        printf("%s%s", before, svm_rows[i].name);
        before = ", ";
    }
    printf("%s\n", svm ? "" : " none");
}

static void list_target(const struct device_caps *caps)
{
    const struct kc_target *target = &caps->target;
    printf("  OpenCL %u.%u, %u-bit addresses, %llu MiB of memory, buffers of at most %llu MiB\n",
           CL_VERSION_MAJOR(caps->version), CL_VERSION_MINOR(caps->version), caps->address_bits,
           (unsigned long long)(caps->global_memory >> 20),
           (unsigned long long)(caps->max_allocation >> 20));
    if (caps->version_missing)
        printf("  not OpenCL 3.1: no %s\n", caps->version_missing);
    printf("  %s", caps->profile);
    printf(target->embedded ? ": %s\n" : "%s\n", caps->profile_why);
    if (!caps->images)
        printf("  no images: %s\n", caps->images_why);
    if (target->physical_addressing)
        printf("  kernels access buffers by address\n");
    else
        printf("  kernels access buffers by binding: at most %u, of at most %llu MiB\n",
               target->max_storage_buffers, (unsigned long long)(target->storage_buffer_range >> 20));
    printf("  SPIR-V %u.%u; work-groups of at most %zu; sub-groups: %s", target->spirv_version >> 16,
           target->spirv_version >> 8 & 0xff, caps->work_group_size,
           target->subgroups ? "" : "none\n");
    if (target->subgroups)
        printf("%u\n", target->subgroup_size);
}

static void list_device(struct _cl_device_id *device, const char *number, bool all)
{
    const struct vk_facts *facts = &device->physical->facts;
    device_svm(device); // its result is printed below
    list_head(facts, number);
    list_target(&device->caps);
    list_losses(&facts->features);
    if (!all)
        return;
    list_needs(facts);
    list_features(&facts->features, true);
    list_features(&facts->features, false);
    list_limits(facts);
    list_memory(facts);
    list_numbers(&device->caps.target);
    list_svm(device);
    list_extensions(&device->caps);
}

static void list_refused(const struct vk_physical *physical, bool all)
{
    list_head(&physical->facts, "not usable");
    printf("  %sreason: %s%s\n", colour(RED), physical->refused ? physical->refused : "it could not be queried", colour(PLAIN));
    list_needs(&physical->facts);
    if (!all || physical->facts.props.apiVersion < VK_API_VERSION_1_1)
        return;
    list_features(&physical->facts.features, true);
    list_features(&physical->facts.features, false);
}

static void print_note(void *data, const char *note)
{
    (void)data;
    printf("%snote:%s %s\n", colour(YELLOW), colour(PLAIN), note);
}

unsigned info_list(const char *only, bool all)
{
    struct _cl_device_id *devices;
    const struct vk_physical *refused;
    cl_uint count = device_list(&devices);
    uint32_t refused_count = vk_physical_refused(&refused);
    char number[16];
    for (cl_uint i = 0; i < count; i++) {
        snprintf(number, sizeof number, "%u", i);
        if (!only || !strcmp(only, number))
            list_device(&devices[i], number, all);
    }
    for (uint32_t i = 0; i < refused_count && !only; i++)
        list_refused(&refused[i], all);
    if (!count)
        printf("no device is offered\n");
    if (!only)
        info_notes(print_note, NULL);
    return count;
}
