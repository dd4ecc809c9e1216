// SPDX-License-Identifier: Apache-2.0
// Descriptor sets: what a kernel's images are handed in by, and its buffers where the device has no
// addresses.
//
// A layout is made once per kernel: set 0, and the push range that all pipelines have. Sets come
// one to a pool and are written again and again by whoever keeps them. Those of kernels with buffers
// are not made at all where the device takes descriptors in its command buffers (`pushed`). The device's samplers -
// linear filter, normalized coordinates, transparent black border, in turn clamped to the edge,
// clamped to the border, repeated, mirrored - are part of layouts and never written.
#ifndef PUMICE_VULKAN_DESCRIPTOR_H
#define PUMICE_VULKAN_DESCRIPTOR_H

#include "vulkan/vk.h"

struct vk_set_layout {
    VkDescriptorSetLayout set;
    VkPipelineLayout pipeline;
    bool pushed; // by vk_set_push() alone
};

// Whether a layout of these types will be `pushed`. STORAGE_BUFFER_DYNAMIC cannot be.
bool vk_set_may_push(const struct vk_device *device, const VkDescriptorType *types, uint32_t count);

// One binding per entry of `types`, from 0 on; a SAMPLER is the array of the device's samplers.
VkResult vk_set_layout_create(struct vk_device *device, const VkDescriptorType *types,
                              uint32_t count, struct vk_set_layout *layout);
void vk_set_layout_destroy(struct vk_device *device, struct vk_set_layout *layout);

struct vk_set {
    VkDescriptorPool pool;
    VkDescriptorSet handle;
};

// A set for a layout made of the same types.
VkResult vk_set_create(struct vk_device *device, const struct vk_set_layout *layout,
                       const VkDescriptorType *types, uint32_t count, struct vk_set *set);
void vk_set_destroy(struct vk_device *device, struct vk_set *set);

// What a binding holds: `image` for images, `texels` for texel buffers, `buffer` for storage buffers.
struct vk_descriptor {
    VkImageView image;
    VkBufferView texels;
    VkDescriptorBufferInfo buffer;
};

// As a storage buffer: the bytes of `buffer` from `offset` on to the end of its last 16, and *rest bytes
// before them, since what is bound begins at a multiple of the device's alignment.
struct vk_descriptor vk_storage_descriptor(const struct vk_buffer *buffer, VkDeviceSize offset,
                                           uint32_t *rest);

// Samplers are skipped. No command that uses the set may be in flight.
void vk_set_write(struct vk_device *device, const struct vk_set *set, const VkDescriptorType *types,
                  const struct vk_descriptor *descriptors, uint32_t count);

// `count` of them from the `first` on into the command buffer, for the dispatches behind it.
void vk_set_push(struct vk_device *device, VkCommandBuffer commands,
                 const struct vk_set_layout *layout, const VkDescriptorType *types,
                 const struct vk_descriptor *descriptors, uint32_t first, uint32_t count);

VkResult vk_samplers_create(struct vk_device *device);
void vk_samplers_destroy(struct vk_device *device);

#endif
