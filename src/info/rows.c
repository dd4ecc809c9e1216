// SPDX-License-Identifier: Apache-2.0
// Vulkan's facts and OpenCL's limits -> rows with a name each. See rows.h.
#include "info/rows.h"

#include <string.h>

const struct feature_row feature_rows[] = {
#define FEATURE(name, strct, member) {offsetof(struct vk_features, name), #name, #member},
#define EXTENSION(name, string, core) {offsetof(struct vk_features, name), #name, string},
#define DETECTED(name, string) {offsetof(struct vk_features, name), #name, string},
#include "vulkan/features.def"
};
const int feature_row_count = sizeof feature_rows / sizeof *feature_rows;

const struct loss_row loss_rows[] = {
#define NEED(feature, name, why) {offsetof(struct vk_features, feature), name, why, true},
#define LOSS(feature, name, what) {offsetof(struct vk_features, feature), name, what, false},
#include "vulkan/needs.def"
};
const int loss_row_count = sizeof loss_rows / sizeof *loss_rows;

bool rows_has(const struct vk_features *features, size_t at)
{
    return *(const bool *)((const char *)features + at);
}

// A member of VkPhysicalDeviceFeatures2 is named by its last word.
const char *rows_feature_name(int row)
{
    const char *name = feature_rows[row].name, *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

const char *rows_device_type(const struct vk_facts *facts)
{
    static const char *const types[] = {"other", "integrated GPU", "discrete GPU", "virtual GPU", "CPU"};
    const unsigned type = (unsigned)facts->props.deviceType;
    return type < sizeof types / sizeof *types ? types[type] : "?";
}

void rows_limits(const struct vk_facts *facts, struct limit_row rows[LIMIT_ROWS])
{
    const VkPhysicalDeviceLimits *l = &facts->props.limits;
    const struct limit_row values[LIMIT_ROWS] = {
        {"maxComputeWorkGroupInvocations", l->maxComputeWorkGroupInvocations},
        {"maxComputeSharedMemorySize", l->maxComputeSharedMemorySize},
        {"maxPushConstantsSize", l->maxPushConstantsSize},
        {"maxBoundDescriptorSets", l->maxBoundDescriptorSets},
        {"maxPerStageDescriptorStorageBuffers", l->maxPerStageDescriptorStorageBuffers},
        {"maxPerStageDescriptorStorageImages", l->maxPerStageDescriptorStorageImages},
        {"maxPerStageDescriptorSampledImages", l->maxPerStageDescriptorSampledImages},
        {"maxStorageBufferRange", l->maxStorageBufferRange},
        {"minStorageBufferOffsetAlignment", l->minStorageBufferOffsetAlignment},
        {"nonCoherentAtomSize", l->nonCoherentAtomSize},
        {"maxMemoryAllocationSize", facts->props11.maxMemoryAllocationSize},
        {"maxBufferSize", facts->props13.maxBufferSize},
        {"subgroupSize", facts->props11.subgroupSize},
        {"subgroupSupportedOperations", facts->props11.subgroupSupportedOperations},
    };
    memcpy(rows, values, sizeof values);
}

const char *const memory_flag_rows[5] = {"device", "visible", "coherent", "cached", "lazy"};
const struct memory_use_row memory_use_rows[4] = {{VK_MEMORY_DEVICE, "buffers"},
                                                  {VK_MEMORY_UPLOAD, "uploads"},
                                                  {VK_MEMORY_READBACK, "readbacks"},
                                                  {VK_MEMORY_IMAGE, "images"}};

const char *const number_widths[NUMBER_WIDTHS] = {"half", "float", "double"};

void rows_numbers(const struct kc_target *target, struct number_row rows[NUMBER_ROWS])
{
    const struct number_row values[NUMBER_ROWS] = {
        {"keeps denormals", target->denorm_preserve},
        {"rounds to nearest even", target->rounding_rte},
        {"keeps signed zeros, infinities, NaNs", target->signed_zero_inf_nan_preserve},
        {"divides correctly rounded (measured)", target->exact_division},
        {"correctly rounded sqrt (measured)", target->exact_sqrt},
        {"fused fma (measured)", target->fused_fma}};
    memcpy(rows, values, sizeof values);
}

const struct svm_row svm_rows[4] = {{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "coarse-grained buffers"},
                                    {CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "fine-grained buffers"},
                                    {CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, "system memory"},
                                    {CL_DEVICE_SVM_ATOMICS, "atomics"}};

const char *const extension_rows[KC_EXT_COUNT] = {
#define EXTENSION(id, name, major, minor, patch, macro_from) [KC_EXT_##id] = name,
#define FEATURE(id, name, major, minor, patch) [KC_EXT_##id] = name,
#include "pumice/extensions.def"
};

const char *rows_why_not(const struct device_caps *caps, enum kc_extension extension)
{
    const char *field = device_caps_missing(caps, extension);
    for (int i = 0; i < feature_row_count && field; i++)
        if (!strcmp(feature_rows[i].field, field))
            return rows_feature_name(i);
    return field;
}
