// SPDX-License-Identifier: Apache-2.0
// Descriptor sets: what a kernel's images are handed in by.
//
// A layout is made once per kernel: set 0, and the push range that all pipelines have. Sets come
// one to a pool and are written again and again by whoever keeps them. The device's samplers -
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

struct vk_set {
    VkDescriptorPool pool;
    VkDescriptorSet handle;
};

// A set for a layout made of the same types.
VkResult vk_set_create(struct vk_device *device, const struct vk_set_layout *layout,
                       const VkDescriptorType *types, uint32_t count, struct vk_set *set);
void vk_set_destroy(struct vk_device *device, struct vk_set *set);

// What a binding holds: `image` for images, `texels` for texel buffers.
struct vk_descriptor {
    VkImageView image;
    VkBufferView texels;
};

// Samplers are skipped. No command that uses the set may be in flight.
void vk_set_write(struct vk_device *device, const struct vk_set *set, const VkDescriptorType *types,
                  const struct vk_descriptor *descriptors, uint32_t count);

VkResult vk_samplers_create(struct vk_device *device);
void vk_samplers_destroy(struct vk_device *device);

#endif
