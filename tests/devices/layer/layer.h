// SPDX-License-Identifier: Apache-2.0
// What the parts of the layer know of a device that is open.
#ifndef DEVICES_LAYER_H
#define DEVICES_LAYER_H

#include <pthread.h>
#include <stdatomic.h>

#include "describe.h"

struct open_device {
    void *key; // the loader's table, the same for all handles of a device
    VkDevice device;
    VkPhysicalDevice physical;
    PFN_vkGetDeviceProcAddr get;
    bool features[FEATURES_MAX]; // turned on
    struct names extensions;     // turned on
    // As the application was told, or would be if it knew to ask.
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceVulkan11Properties props11;
    VkPhysicalDeviceVulkan12Properties props12;
    VkPhysicalDeviceVulkan13Properties props13;
    uint32_t real_type; // the driver's memory type that all of ours are
    uint32_t families;  // bits: those that have queues
    atomic_uint allocations;
};

struct open_device *device_of(void *handle);
#define NEXT_OF(handle, name) ((PFN_vk##name)(void *)device_of(handle)->get(device_of(handle)->device, "vk" #name))

bool feature_on(const struct open_device *device, const char *name);
bool extension_on(const struct open_device *device, const char *name, uint32_t minor);

// Things that a handle stands for.
enum thing_kind { THING_NONE, THING_MEMORY, THING_BUFFER, THING_MODULE, THING_LAYOUT, THING_PIPELINE_LAYOUT, THING_IMAGE,
                  THING_VIEW, THING_TEXELS, THING_SET, THING_PIPELINE, THING_COMMANDS };
enum { IMAGES_MAX = 64 };

struct thing {
    struct thing *next;
    uint64_t handle;
    enum thing_kind kind;
    VkDeviceSize size;          // memory, buffer
    uint32_t type, heap;        // memory: ours
    uint8_t *real, *shadow;     // memory that is not coherent, while mapped
    bool imported, mapped;      // memory
    VkBufferUsageFlags usage;   // buffer
    uint32_t *words;            // module
    size_t word_count;          // module
    uint32_t descriptors[16];   // layout: of each type
    uint32_t push_bytes;        // pipeline layout
    uint32_t bindings[64], binding_count; // layout, pipeline layout: binding | set << 16
    VkFormat format;            // image, view, texels
    uint32_t images[IMAGES_MAX]; // by binding: what a module, pipeline calls a storage image; the format of a set's
    uint64_t pipeline, set;     // commands: bound
};

struct thing *thing_add(enum thing_kind kind, uint64_t handle);
struct thing *thing_find(enum thing_kind kind, uint64_t handle); // complains where there is none
struct thing *thing_seek(enum thing_kind kind, uint64_t handle); // NULL where there is none
void thing_drop(enum thing_kind kind, uint64_t handle);

// layer.c
VkFormatProperties told_format(VkPhysicalDevice physical, VkFormat format);

// module.c
void module_check(const struct open_device *device, const uint32_t *words, size_t count);
void module_check_pipeline(const struct open_device *device, struct thing *module,
                           const struct thing *layout, const VkSpecializationInfo *specialization);

// images.c: formats of storage images, noted and compared
void image_note_view(enum thing_kind kind, uint64_t view, VkFormat format);
void image_note_pipeline(VkPipeline pipeline, const struct thing *module);
void image_check_variable(const struct open_device *device, struct thing *module, uint32_t binding, uint32_t name);
void image_note_write(const VkWriteDescriptorSet *write);
void image_bind_pipeline(VkCommandBuffer commands, VkPipeline pipeline);
void image_bind_set(VkCommandBuffer commands, VkDescriptorSet set);
void image_check_dispatch(VkCommandBuffer commands);

// memory.c, calls.c: their functions, by name without vk; NULL: none
PFN_vkVoidFunction memory_function(const char *name);
PFN_vkVoidFunction call_function(const char *name);
VkDeviceSize memory_used(uint32_t heap);

struct row {
    const char *name;
    PFN_vkVoidFunction fn;
};
#define ROW(name) {#name, (PFN_vkVoidFunction)(void *)layer_##name},
PFN_vkVoidFunction row_find(const struct row *row, const char *name); // ends with a NULL name

#endif
