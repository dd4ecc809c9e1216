// SPDX-License-Identifier: Apache-2.0
// A kernel's pipelines on one device, by specialization. For src/command only.
#ifndef PUMICE_COMMAND_KERNEL_H
#define PUMICE_COMMAND_KERNEL_H

#include "command/command.h"
#include "vulkan/descriptor.h"
#include "vulkan/pipeline.h"

struct cmd_set; // bindings.h

struct cmd_kernel {
    struct vk_device *device;
    const struct kc_kernel *info;
    bool fixed_local; // no specialization constants for the local size
    pthread_mutex_t lock;
    VkShaderModule module; // made with the first pipeline
    struct cmd_pipeline *_Atomic recent; // what a launch looks at before it takes the lock
    struct cmd_pipeline *pipelines;
    VkDescriptorType *types;     // of kc_kernel.bindings; NULL: it has none
    struct vk_set_layout layout; // made with the first pipeline
    struct cmd_set *sets;        // not in use
    struct cmd_set_pool *pools;
    uint32_t set_count; // in use or not
};

// The pipeline for these values, one per row of kc_kernel.specs; made if it is new, and *made set.
VkResult cmd_kernel_pipeline(struct cmd_kernel *kernel, const uint32_t *values,
                             VkPipeline *pipeline, bool *made);

// A descriptor set of a kernel with bindings, to be given back.
VkResult cmd_kernel_take_set(struct cmd_kernel *kernel, struct cmd_set **set);
void cmd_kernel_give_set(struct cmd_kernel *kernel, struct cmd_set *set);

#endif
