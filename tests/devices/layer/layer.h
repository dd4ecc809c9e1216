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
enum thing_kind { THING_NONE, THING_MEMORY, THING_BUFFER, THING_MODULE, THING_LAYOUT, THING_PIPELINE_LAYOUT, THING_IMAGE };

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
    VkFormat format;            // image
};

struct thing *thing_add(enum thing_kind kind, uint64_t handle);
struct thing *thing_find(enum thing_kind kind, uint64_t handle); // complains where there is none
void thing_drop(enum thing_kind kind, uint64_t handle);

// layer.c
VkFormatProperties told_format(VkPhysicalDevice physical, VkFormat format);

// module.c
void module_check(const struct open_device *device, const uint32_t *words, size_t count);
void module_check_pipeline(const struct open_device *device, const struct thing *module,
                           const struct thing *layout, const VkSpecializationInfo *specialization);

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
