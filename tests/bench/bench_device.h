// SPDX-License-Identifier: Apache-2.0
// A minimal Vulkan layer for the benchmarks: one queue, storage buffers in one descriptor set, one
// pushed number, one command buffer that is submitted and waited for. A failed call ends the
// program.
#ifndef PUMICE_BENCH_DEVICE_H
#define PUMICE_BENCH_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

enum { VK_BUFFERS = 3 }; // bindings 0, 1, 2

struct vk {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    bool addresses; // request buffer device addresses: set before memory is created
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool sets;
};

struct vk_memory {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *map;
};

#define VK(call)                                                                                   \
    do {                                                                                           \
        VkResult result_ = (call);                                                                 \
        if (result_ != VK_SUCCESS) {                                                               \
            fprintf(stderr, "%s: %d\n", #call, result_);                                           \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

// Opens the device whose name occurs in `name`, or the first one. False: no Vulkan.
bool vk_open(struct vk *vk, const char *name);
// The two steps of vk_open(): chooses an instance and a device; creates the rest, with extensions
// and a chain of features.
bool vk_choose(struct vk *vk, const char *name);
void vk_start(struct vk *vk, const char *const *extensions, uint32_t count, const void *features);
void vk_close(struct vk *vk);
struct vk_memory vk_memory_create(struct vk *vk, size_t size, VkMemoryPropertyFlags want);
void vk_memory_destroy(struct vk *vk, struct vk_memory *m);
VkPipeline vk_pipeline_create(struct vk *vk, const uint32_t *words, size_t size);
VkDescriptorSet vk_bind(struct vk *vk, const struct vk_memory *buffers, uint32_t count);
void vk_begin(struct vk *vk);
void vk_barrier(struct vk *vk); // makes all writes visible to later commands and to the host
void vk_finish(struct vk *vk);  // submits and waits
// submits and signals, without waiting
void vk_submit(struct vk *vk, VkSemaphore timeline, uint64_t value);

#endif
