// SPDX-License-Identifier: Apache-2.0
// Vulkan devices: enumerated on first use, described by struct vk_facts, opened when a context
// first needs them.
//
// The instance is created at the first vk_physical_list() and lives as long as the process. A
// struct vk_physical holds only what the driver reports about a device. vk_device_open() creates
// the VkDevice once and counts its users. The VkDevice is kept after its last user has closed it,
// unless it was lost; then the next open creates a new one. An open device is not usable in a
// forked child, which sees VK_ERROR_DEVICE_LOST or starts with a new instance (vk_physical_renew).
#ifndef PUMICE_VULKAN_DEVICE_H
#define PUMICE_VULKAN_DEVICE_H

#include <stdatomic.h>
#include "platform/platform.h"
#include "vulkan/pulse.h"
#include "vulkan/vk.h"

// One flag per row of features.def (FEATURE, EXTENSION and DETECTED): true if the device has it.
struct vk_features {
#define FEATURE(name, strct, member) bool name;
#define EXTENSION(name, string, core) bool name;
#define DETECTED(name, string) bool name;
#include "vulkan/features.def"
};

// Rows of formats.def, and their number.
enum {
#define FORMAT(format, name, extended) VK_FORMATS_AT_##format,
#include "vulkan/formats.def"
    VK_FORMATS
};

// Properties and features of a device; filled once, then read-only.
enum { VK_MATRICES_MAX = 64 };

struct vk_facts {
    VkPhysicalDeviceProperties props;           // name, vendor, type, limits, pipeline cache UUID
    VkPhysicalDeviceVulkan11Properties props11; // UUIDs, LUID, sub-groups, maxMemoryAllocationSize
    VkPhysicalDeviceVulkan12Properties props12; // driver id, name and info; float controls
    VkPhysicalDeviceVulkan13Properties props13; // sub-group size range, dot products, maxBufferSize
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci; // valid when features.pci_bus_info
    VkPhysicalDeviceMemoryProperties memory;
    struct vk_features features;

    uint64_t device_memory;     // bytes of the heap for device buffers that Pumice may use
    bool unified; // device buffers are host-visible, so mapping returns a pointer instead of a copy
    bool window;                // the host can access device buffers through a window (window.h)
    uint64_t host_import_align; // alignment of imported host pointers and sizes; 0: no import
    uint64_t map_placed_align;  // alignment of addresses for placed memory maps; 0: not supported
    uint32_t compute_units;     // multiprocessors, cores; 0: unknown
    uint32_t simds;             // per compute unit, for AMD; 0: unknown
    uint32_t cuda_major, cuda_minor; // compute capability, for NVIDIA; 0: unknown
    bool remote; // a renderer in another process does the work, and may end unnoticed (pulse.h)
    uint32_t lanes;      // default sub-group size
    uint32_t lane_sizes; // bit mask of the sub-group sizes that a pipeline can require
    uint32_t max_push_bytes;
    uint32_t timestamp_bits; // 0: no timestamps on the queue family in use
    double timestamp_ns;     // nanoseconds per tick
    uint32_t queue_family, queue_count;
    uint32_t copy_family, copy_queue_count; // queues that only copy, beside kernels; 0: none
    // Cooperative matrix types and sizes that the device supports, unordered.
    VkCooperativeMatrixPropertiesKHR matrices[VK_MATRICES_MAX];
    uint32_t matrix_count;
    struct vk_external { // file descriptor types that can be shared with other APIs
        VkExternalMemoryHandleTypeFlags memory;    // importable as buffers
        VkExternalMemoryHandleTypeFlags dedicated; // of those, types that require a dedicated
                                                   // allocation
        VkExternalMemoryHandleTypeFlags exports;   // exportable from buffers
        VkExternalSemaphoreHandleTypeFlags semaphores_in, semaphores_out;
    } external;
    bool sparse; // large buffers can be bound piecewise on our queues
    VkFormatFeatureFlags2 formats[VK_FORMATS]; // for images, in the order of formats.def
    bool stores_3d;                            // 3D images can be storage images
    bool unorm16_by_uint; // texel buffers support R16G16B16A16 as integers, but not as UNORM
};

struct vk_physical {
    VkPhysicalDevice handle;
    struct vk_facts facts;
    const char *refused; // NULL: usable; else the reason why not
    struct vk_device *device; // open or NULL; under the instance's lock
    bool opened;              // at some time, by this instance
};

// All usable devices (Vulkan 1.1 and what needs.def lists), best first: discrete, integrated,
// virtual, CPU; filtered by PUMICE_DEVICE. If there is no GPU among them and one was refused, the
// reason goes to stderr. The array lives as long as the process. VK_ERROR_INITIALIZATION_FAILED and
// a count of 0 if there is no driver or device.
VkResult vk_physical_list(struct vk_physical **list, uint32_t *count);

// Runs `call` on a separate stack: drivers, above all their compilers, need more than a thread may
// have. VK_ERROR_OUT_OF_HOST_MEMORY: no stack could be allocated.
VkResult vk_on_stack(VkResult (*call)(void *data), void *data);

// Call after that: the unusable devices and their number. `refused` is the reason (NULL: the query
// failed). Their facts contain name, type and version, and the features if the version is new
// enough.
uint32_t vk_physical_refused(const struct vk_physical **list);

// The properties of a format on a device.
VkFormatProperties3 vk_physical_format(const struct vk_physical *physical, VkFormat format);

// The same for images, from the facts; only for formats in formats.def.
VkFormatFeatureFlags2 vk_facts_format(const struct vk_facts *facts, VkFormat format);

// The limits of an image. VK_ERROR_FORMAT_NOT_SUPPORTED if it is not possible at all.
VkResult vk_physical_image(const struct vk_physical *physical, VkFormat format, VkImageType type,
                           VkImageUsageFlags usage, VkImageCreateFlags flags,
                           VkImageFormatProperties *limits);

// Number of planes of an image whose layout is given by a DRM format modifier; 0: not supported.
uint32_t vk_physical_planes(const struct vk_physical *physical, VkFormat format, uint64_t modifier);

// Like vk_physical_image() for an image in memory of another API, as its pNext describes;
// *dedicated: whether the memory must be dedicated to it.
VkResult vk_physical_shared_image(const struct vk_physical *physical, const VkImageCreateInfo *info,
                                  VkImageFormatProperties *limits, bool *dedicated);

// The driver's memory budget of this process for a heap, and its use. False: unknown.
bool vk_physical_budget(const struct vk_physical *physical, uint32_t heap, VkDeviceSize *budget,
                        VkDeviceSize *usage);

// The free memory in the device-local heap with the most free memory. False: unknown.
bool vk_physical_free_bytes(const struct vk_physical *physical, VkDeviceSize *bytes);

// All device-level functions that we call, as vk_device.fn.<name without vk>.
struct vk_functions {
#define PROC(name) PFN_vk##name name;
#define PROC_OPTIONAL(name) PFN_vk##name name;
#include "vulkan/procs.def"
};

// One VkQueue; several command queues may share it.
struct vk_queue {
    VkQueue handle;
    pthread_mutex_t lock; // submission is externally synchronized
    atomic_bool used;     // something has been submitted to it, or is about to be
};

enum { VK_QUEUE_MAX = 4, VK_COPY_QUEUE_MAX = 2, VK_SAMPLER_COUNT = 4, VK_PROCESSORS = 512 };

struct vk_memory;   // memory.c
struct vk_timeline; // submit.h
struct vk_fence;    // fences.h

// State of interrupts.c
struct vk_interrupts {
    atomic_uint_least64_t due; // time of the next count; UINT64_MAX: a thread is counting
    uint64_t *counts;          // per processor, from the last count; NULL before the first
    uint64_t interval_ns;      // between the last count and the next
    atomic_int avoided;        // 1 + the processor that handles them; 0: none
};

struct vk_device {
    struct vk_physical *physical;
    const struct vk_facts *facts;
    VkDevice handle;
    struct vk_functions fn;
    unsigned fork_generation;
    atomic_bool lost;
    atomic_uint_least64_t unreadable_since; // timelines have been unreadable since then (submit.c);
                                            // 0: they are readable
    atomic_uint_least64_t asked; // when the queues were last asked whether the device is lost (submit.c)
    atomic_uint reads;           // calls that read a timeline's value
    atomic_bool wait_any_spins; // the driver spins in waits for one of several timelines
    struct vk_pulse pulse;
    uint32_t users; // under the instance's lock
    atomic_uint internal_users; // of those, internal ones of the command layer

    struct vk_queue queues[VK_QUEUE_MAX], copy_queues[VK_COPY_QUEUE_MAX];
    uint32_t queue_count, copy_queue_count;
    atomic_uint next_queue, next_copy_queue; // round robin
    atomic_uint command_queues; // of the application, now
    // Maintained by the command layer: command queues with batches in flight, and batches in flight
    // that are not on copy queues.
    atomic_uint busy_queues, computing;
    struct vk_interrupts interrupts;

    pthread_mutex_t lock; // guards the following lists
    struct vk_timeline *idle_timelines;
    struct vk_fence *idle_fences;
    VkPipeline *retired; // destroyed pipelines that are kept for a while (pipeline.c): a ring
                         // buffer
    uint32_t retired_count, retired_at;

    struct vk_memory *memory;
    VkPipelineLayout layout; // of kernels without descriptors: a push range of
                             // facts->max_push_bytes
    VkSampler samplers[VK_SAMPLER_COUNT]; // linear filter: see descriptor.h
    VkPipelineCache cache;
    struct vk_recall *recall; // recall.c; NULL: not read yet
    size_t cache_size; // when it was opened
    uint64_t cache_checksum;

    void *command; // the command layer's state for this device, created with its first queue
    // called before the device is destroyed
    void (*command_exit)(struct vk_device *device, void *command);
    void (*command_ended)(void); // called when the process has ended (util/gate.h)

    struct vk_device *next; // list of all; under the instance's lock
};

// Opens or shares the device. Pair with vk_device_close().
VkResult vk_device_open(struct vk_physical *physical, struct vk_device **device);
void vk_device_retain(struct vk_device *device); // adds a user of an open device
void vk_device_close(struct vk_device *device);

// Whether any device has users.
bool vk_physical_open(void);

// Makes fork() wait for this layer's locks from now on.
void vk_fork_watch(void);

// In a forked child: creates a new instance and finds the devices of the existing list again, so
// that they can be opened. False: at the fork a device was open in the parent, or a thread was
// inside the driver, whose locks may be held forever. Returns true in any other process.
bool vk_physical_renew(void);

// VK_SUCCESS, or VK_ERROR_DEVICE_LOST if it is lost or belongs to a parent process.
VkResult vk_device_check(const struct vk_device *device);

// Call around operations that may make the driver load more libraries: first get the number of
// libraries loaded so far, then vk_exit_hook() registers our exit handler again if there are more.
unsigned long long vk_libraries(void);
void vk_exit_hook(unsigned long long libraries);
// Sets a function that our exit handler calls when no other thread is inside.
void vk_at_end(void (*fn)(void));
// Call around compilations, on any thread, from the moment when they are certain to happen.
void vk_compile_begins(void);
void vk_compile_ended(void);
bool vk_compiles(void); // whether any is in progress
// Whether the driver is a CPU's and compiles a pipeline at its first run; and functions to call
// around that run.
bool vk_compiles_late(const struct vk_device *device);
void vk_first_run_begins(const struct vk_device *device);
void vk_first_run_ended(const struct vk_device *device);

// Checks a result: remembers a lost device, logs failures as `what`; returns the result unchanged.
VkResult vk_device_note(struct vk_device *device, VkResult result, const char *what);

#endif
