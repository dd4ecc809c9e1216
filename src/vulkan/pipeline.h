// SPDX-License-Identifier: Apache-2.0
// SPIR-V words and specialization constants -> a compute pipeline.
//
// Pipelines use the device's common layout (a push range), or one with descriptors and the same
// range. Thread-safe.
#ifndef PUMICE_VULKAN_PIPELINE_H
#define PUMICE_VULKAN_PIPELINE_H

#include "vulkan/vk.h"

struct vk_spec {
    uint32_t id, value;
};

enum { VK_SPEC_MAX = 256 };

VkResult vk_module_create(struct vk_device *device, const uint32_t *words, size_t count,
                          VkShaderModule *module);
void vk_module_destroy(struct vk_device *device, VkShaderModule module);

// The entry point is "main". full_subgroups: the local size in dimension 0 is a multiple of the
// sub-group size. *cached: the driver reports that the whole pipeline came from the pipeline cache.
// VK_ERROR_FEATURE_NOT_PRESENT: too many constants.
VkResult vk_pipeline_create(struct vk_device *device, VkPipelineLayout layout,
                            VkShaderModule module,
                            const struct vk_spec *specs, uint32_t spec_count,
                            bool full_subgroups, uint32_t lanes, VkPipeline *pipeline, bool *cached);
void vk_pipeline_destroy(struct vk_device *device, VkPipeline pipeline);

// Storage for destroyed pipelines, for drivers that need them to be kept for a while.
VkResult vk_pipelines_init(struct vk_device *device);
void vk_pipelines_finish(struct vk_device *device); // of a device that is being destroyed

// Whether a work-group of this size with this much local memory can run. Drivers do not check this:
// on some, a group that exceeds a limit loses the device.
bool vk_local_size_fits(const struct vk_facts *facts, const uint32_t size[3],
                        uint32_t local_memory);

#endif
