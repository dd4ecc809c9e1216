// SPDX-License-Identifier: Apache-2.0
// Descriptor sets: bind a kernel's images and, if the device has no buffer device addresses, its
// buffers.
//
// Each kernel has one layout: set 0, and the push constant range that all pipelines have. Sets are
// allocated in pools and reused by their owner. (Push descriptors, VK_KHR_push_descriptor, double
// the cost of a launch on lavapipe.) The device's samplers are immutable: linear filter, normalized
// coordinates, transparent black border; one each for clamp to edge, clamp to border, repeat and
// mirrored repeat.
#ifndef PUMICE_VULKAN_DESCRIPTOR_H
#define PUMICE_VULKAN_DESCRIPTOR_H

#include "vulkan/vk.h"

struct vk_set_layout {
    VkDescriptorSetLayout set;
    VkPipelineLayout pipeline;
};

// One binding per entry of `types`, starting at 0; a SAMPLER binding is the array of the device's
// samplers.
VkResult vk_set_layout_create(struct vk_device *device, const VkDescriptorType *types,
                              uint32_t count, struct vk_set_layout *layout);
void vk_set_layout_destroy(struct vk_device *device, struct vk_set_layout *layout);

enum { VK_SETS_MAX = 64 };

// Allocates `set_count` sets (at most VK_SETS_MAX) for a layout with the same types; they are freed
// with the pool.
VkResult vk_sets_create(struct vk_device *device, const struct vk_set_layout *layout,
                        const VkDescriptorType *types, uint32_t count, uint32_t set_count,
                        VkDescriptorPool *pool, VkDescriptorSet *sets);
void vk_sets_destroy(struct vk_device *device, VkDescriptorPool pool);

// The contents of a binding.
union vk_descriptor {
    VkImageView image;
    VkBufferView texels; // for texel buffers
    VkDescriptorBufferInfo buffer; // for storage buffers
};

// A storage buffer descriptor for the bytes of `buffer` from `offset` to its end, rounded up to 16
// bytes. The binding must be aligned, so it begins *rest bytes earlier.
union vk_descriptor vk_storage_descriptor(const struct vk_buffer *buffer, VkDeviceSize offset,
                                           uint32_t *rest);

// Sampler bindings are skipped. No command that uses the set may be in flight.
void vk_set_write(struct vk_device *device, VkDescriptorSet set, const VkDescriptorType *types,
                  const union vk_descriptor *descriptors, uint32_t count);

VkResult vk_samplers_create(struct vk_device *device);
void vk_samplers_destroy(struct vk_device *device);

#endif
