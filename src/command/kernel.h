// SPDX-License-Identifier: Apache-2.0
// A kernel's pipelines on one device, by specialization. For src/command only.
#ifndef PUMICE_COMMAND_KERNEL_H
#define PUMICE_COMMAND_KERNEL_H

#include "command/command.h"
#include "vulkan/descriptor.h"
#include "vulkan/pipeline.h"

struct cmd_set; // bindings.h

enum { CMD_PICKS = 4 };
// The local size that launches over a range get which leave it to us.
struct cmd_pick {
    size_t global[3], local[3];
};

struct cmd_kernel {
    struct vk_device *device;
    const struct kc_kernel *info;
    bool fixed_local; // no specialization constants for the local size
    struct cmd_pipeline *_Atomic recent; // what a launch looks at before it takes a lock
    struct cmd_pipeline *pipelines;      // under pipelines.c's lock
    atomic_bool guessed;                 // its likely pipelines have been asked for
    pthread_mutex_t lock;  // of the next
    struct cmd_pick picks[CMD_PICKS]; // the last ones
    uint32_t pick_count;
    VkShaderModule module; // made with the first pipeline
    VkDescriptorType *types;     // of kc_kernel.bindings; NULL: it has none
    struct vk_set_layout layout; // made with the first pipeline
    struct cmd_set *sets;        // not in use
    struct cmd_set_pool *pools;
    uint32_t set_count; // in use or not
};

// What all of its pipelines are made with.
VkResult cmd_kernel_layout(struct cmd_kernel *kernel, VkPipelineLayout *layout);
VkResult cmd_kernel_module(struct cmd_kernel *kernel, VkShaderModule *module);
void cmd_kernel_free(struct cmd_kernel *kernel);

// ---- pipelines.c --------------------------------------------------------------------------------

// The pipeline for these values, one per row of kc_kernel.specs, made if it is new; *first set where no launch had it before.
VkResult cmd_kernel_pipeline(struct cmd_kernel *kernel, const uint32_t *values,
                             VkPipeline *pipeline, bool *first);
// True: the thread is at one of the kernel's pipelines, and will free the kernel.
bool cmd_kernel_orphan(struct cmd_kernel *kernel);
void cmd_pipelines_free(struct cmd_kernel *kernel, bool ours); // `ours`: not a parent process's

// ---- local_size.c -------------------------------------------------------------------------------

enum { CMD_GUESSES = 2 };
// The values that launches of the kernel may well have. False: there is no such guess.
bool cmd_kernel_guess(const struct cmd_kernel *kernel, int guess, uint32_t *values);
// A launch has these: others may well have the same local size.
void cmd_kernel_learn(const struct cmd_kernel *kernel, const uint32_t *values);
// Bytes of local memory as specialization constants tell them.
uint32_t cmd_local_elements(uint64_t bytes, uint32_t unit);

// A descriptor set of a kernel with bindings, to be given back.
VkResult cmd_kernel_take_set(struct cmd_kernel *kernel, struct cmd_set **set);
void cmd_kernel_give_set(struct cmd_kernel *kernel, struct cmd_set *set);

#endif
