// SPDX-License-Identifier: Apache-2.0
// The layer's data of an open device, shared by its parts.
#ifndef DEVICES_LAYER_H
#define DEVICES_LAYER_H

#include <pthread.h>
#include <stdatomic.h>

#include "describe.h"

struct open_device {
    void *key; // the loader's dispatch table, the same for all handles of a device
    VkDevice device;
    VkPhysicalDevice physical;
    PFN_vkGetDeviceProcAddr get;
    bool features[FEATURES_MAX]; // enabled
    struct names extensions;     // enabled
    // The limits reported to the application, or that it would get if it queried them.
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceVulkan11Properties props11;
    VkPhysicalDeviceVulkan12Properties props12;
    VkPhysicalDeviceVulkan13Properties props13;
    uint32_t real_type; // the driver's memory type used for all simulated ones
    uint32_t families;  // bits of those with queues
    atomic_uint allocations;
};

struct open_device *device_of(void *handle);
#define NEXT_OF(handle, name) ((PFN_vk##name)(void *)device_of(handle)->get(device_of(handle)->device, "vk" #name))

bool feature_on(const struct open_device *device, const char *name);
bool extension_on(const struct open_device *device, const char *name, uint32_t minor);

// Data of handles.
enum thing_kind { THING_NONE, THING_MEMORY, THING_BUFFER, THING_MODULE, THING_LAYOUT, THING_PIPELINE_LAYOUT, THING_IMAGE,
                  THING_VIEW, THING_TEXELS, THING_SET, THING_PIPELINE, THING_COMMANDS,
                  THING_COPY_POOL, THING_COPIES }; // of queues that only copy: command pools, command buffers
enum { IMAGES_MAX = 64 };

struct thing {
    struct thing *next;
    uint64_t handle;
    enum thing_kind kind;
    VkDeviceSize size;          // memory, buffer
    uint32_t type, heap;        // memory: the simulated ones
    uint8_t *real, *shadow;     // mapped memory that is not coherent
    bool imported, mapped;      // memory
    VkBufferUsageFlags usage;   // buffer
    uint32_t *words;            // module
    size_t word_count;          // module
    uint32_t descriptors[16];   // layout: of each type
    uint32_t push_bytes;        // pipeline layout
    uint32_t bindings[64], binding_count; // layout, pipeline layout: binding | set << 16
    VkFormat format;            // image, view, texels
    uint32_t images[IMAGES_MAX]; // by binding: the declared format of a storage image in a module
                                 // or pipeline; the format of a set's view
    uint64_t pipeline, set;     // commands: currently bound
};

struct thing *thing_add(enum thing_kind kind, uint64_t handle);
struct thing *thing_find(enum thing_kind kind, uint64_t handle); // ends the process if not found
struct thing *thing_seek(enum thing_kind kind, uint64_t handle); // NULL if not found
void thing_drop(enum thing_kind kind, uint64_t handle);

// layer.c
VkFormatProperties reported_format(VkPhysicalDevice physical, VkFormat format);

// module.c
void module_check(const struct open_device *device, const uint32_t *words, size_t count);
void module_check_pipeline(const struct open_device *device, struct thing *module,
                           const struct thing *layout, const VkSpecializationInfo *specialization);

// images.c: formats of storage images, recorded and compared
void image_note_view(enum thing_kind kind, uint64_t view, VkFormat format);
void image_note_pipeline(VkPipeline pipeline, const struct thing *module);
void image_check_variable(const struct open_device *device, struct thing *module, uint32_t binding, uint32_t name);
void image_note_write(const VkWriteDescriptorSet *write);
void image_bind_pipeline(VkCommandBuffer commands, VkPipeline pipeline);
void image_bind_set(VkCommandBuffer commands, VkDescriptorSet set);
void image_check_dispatch(VkCommandBuffer commands);

// memory.c, calls.c: their functions, by name without "vk"; NULL: not theirs
PFN_vkVoidFunction memory_function(const char *name);
PFN_vkVoidFunction call_function(const char *name);
VkDeviceSize memory_used(uint32_t heap);

struct row {
    const char *name;
    PFN_vkVoidFunction fn;
};
#define ROW(name) {#name, (PFN_vkVoidFunction)(void *)layer_##name},
// the table ends with a NULL name
PFN_vkVoidFunction row_find(const struct row *row, const char *name);

#endif
