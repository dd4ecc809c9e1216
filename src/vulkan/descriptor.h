// SPDX-License-Identifier: Apache-2.0
// Descriptor sets: what a kernel's images are handed in by, and its buffers where the device has no
// addresses.
//
// A layout is made once per kernel: set 0, and the push range that all pipelines have. Sets come
// some to a pool and are written again and again by whoever keeps them. (Descriptors in command
// buffers, VK_KHR_push_descriptor, take lavapipe twice the time of a launch.) The device's samplers -
// linear filter, normalized coordinates, transparent black border, in turn clamped to the edge,
// clamped to the border, repeated, mirrored - are part of layouts and never written.
#ifndef PUMICE_VULKAN_DESCRIPTOR_H
#define PUMICE_VULKAN_DESCRIPTOR_H

#include "vulkan/vk.h"

struct vk_set_layout {
    VkDescriptorSetLayout set;
    VkPipelineLayout pipeline;
};

// One binding per entry of `types`, from 0 on; a SAMPLER is the array of the device's samplers.
VkResult vk_set_layout_create(struct vk_device *device, const VkDescriptorType *types,
                              uint32_t count, struct vk_set_layout *layout);
void vk_set_layout_destroy(struct vk_device *device, struct vk_set_layout *layout);

enum { VK_SETS_MAX = 64 };

// `set_count` sets (at most VK_SETS_MAX) for a layout made of the same types; they go with the pool.
VkResult vk_sets_create(struct vk_device *device, const struct vk_set_layout *layout,
                        const VkDescriptorType *types, uint32_t count, uint32_t set_count,
                        VkDescriptorPool *pool, VkDescriptorSet *sets);
void vk_sets_destroy(struct vk_device *device, VkDescriptorPool pool);

// What a binding holds.
union vk_descriptor {
    VkImageView image;
    VkBufferView texels; // of texel buffers
    VkDescriptorBufferInfo buffer; // of storage buffers
};

// As a storage buffer: the bytes of `buffer` from `offset` on to the end of its last 16, and *rest bytes
// before them, since what is bound begins at a multiple of the device's alignment.
union vk_descriptor vk_storage_descriptor(const struct vk_buffer *buffer, VkDeviceSize offset,
                                           uint32_t *rest);

// Samplers are skipped. No command that uses the set may be in flight.
void vk_set_write(struct vk_device *device, VkDescriptorSet set, const VkDescriptorType *types,
                  const union vk_descriptor *descriptors, uint32_t count);

VkResult vk_samplers_create(struct vk_device *device);
void vk_samplers_destroy(struct vk_device *device);

#endif
