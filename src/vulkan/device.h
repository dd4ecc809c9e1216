// SPDX-License-Identifier: Apache-2.0
// Vulkan devices: found lazily, described by plain facts, opened when a context first needs them.
//
// The instance is created at the first vk_physical_list() and lives as long as the process. A
// struct vk_physical is what a driver says about a device; it costs nothing more. vk_device_open()
// makes the VkDevice once and counts its users; the warm device outlives its last user unless it
// was lost, when the next open makes a new one. No open device is usable in a child of fork(): the
// child sees VK_ERROR_DEVICE_LOST, or begins afresh (vk_physical_renew).
#ifndef PUMICE_VULKAN_DEVICE_H
#define PUMICE_VULKAN_DEVICE_H

#include <stdatomic.h>
#include "platform/platform.h"
#include "vulkan/vk.h"

// One flag per row of features.def, FEATUREs, EXTENSIONs and TOLDs: true where the device has it.
struct vk_features {
#define FEATURE(name, strct, member) bool name;
#define EXTENSION(name, string, core) bool name;
#define TOLD(name, string) bool name;
#include "vulkan/features.def"
};

// Rows of formats.def, and how many.
enum {
#define FORMAT(format, name, extended) VK_FORMATS_AT_##format,
#include "vulkan/formats.def"
    VK_FORMATS
};

// What a device is and can do; filled once, then read-only.
enum { VK_MATRICES_MAX = 64 };

struct vk_facts {
    VkPhysicalDeviceProperties props;           // name, vendor, type, limits, pipeline cache UUID
    VkPhysicalDeviceVulkan11Properties props11; // UUIDs, LUID, sub-groups, maxMemoryAllocationSize
    VkPhysicalDeviceVulkan12Properties props12; // driver id, name and info; float controls
    VkPhysicalDeviceVulkan13Properties props13; // sub-group size range, dot products, maxBufferSize
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci; // valid when features.pci_bus_info
    VkPhysicalDeviceMemoryProperties memory;
    struct vk_features features;

    uint64_t device_memory;     // bytes of the heap that device buffers live in, as far as we use it
    bool unified;               // device buffers are host-visible: mapping is a pointer, not a copy
    bool window;                // buffers can be reached by the host, through a window
    uint64_t host_import_align; // of imported host pointers and sizes; 0: no import
    uint64_t map_placed_align;  // of addresses that memory can be mapped at; 0: anywhere only
    uint32_t compute_units;     // multiprocessors, cores; 0 where no one says
    uint32_t simds;             // of each, on AMD's; 0 likewise
    uint32_t cuda_major, cuda_minor; // compute capability of NVIDIA's; 0 likewise
    uint32_t lanes;      // of a sub-group, where a kernel does not ask
    uint32_t lane_sizes; // or-ed, that a pipeline may ask for
    uint32_t max_push_bytes;
    uint32_t timestamp_bits; // 0: no timestamps on the queue family we use
    double timestamp_ns;     // nanoseconds a tick
    uint32_t queue_family, queue_count;
    // Products of matrices that sub-groups have units for, in no order.
    VkCooperativeMatrixPropertiesKHR matrices[VK_MATRICES_MAX];
    uint32_t matrix_count;
    struct vk_external {                           // of fds: what can be shared with other APIs
        VkExternalMemoryHandleTypeFlags memory;    // that buffers can be imported of
        VkExternalMemoryHandleTypeFlags dedicated; // among those: memory of one buffer alone
        VkExternalMemoryHandleTypeFlags exports;   // that buffers' memory can be exported as
        VkExternalSemaphoreHandleTypeFlags semaphores_in, semaphores_out;
    } external;
    bool sparse; // large buffers may be bound piece by piece on our queues
    VkFormatFeatureFlags2 formats[VK_FORMATS]; // of images, in the order of formats.def
    bool stores_3d;                            // images of three dimensions can be storage images
    bool unorm16_by_uint;                      // buffers have texels of R16G16B16A16 as integers, not as fractions
};

struct vk_physical {
    VkPhysicalDevice handle;
    struct vk_facts facts;
    const char *refused; // NULL: usable
    struct vk_device *device; // open one or NULL; under the instance's lock
    bool opened;              // at some time, by this instance
};

// Every usable device (Vulkan 1.1 and what needs.def lists), best first: discrete, integrated, virtual,
// CPU; filtered by PUMICE_DEVICE. Where no GPU is among them and one was refused, stderr says why. The
// array lives as long as the process. VK_ERROR_INITIALIZATION_FAILED and a count of 0 when there is
// no driver or device.
VkResult vk_physical_list(struct vk_physical **list, uint32_t *count);

// Runs `call` on a stack of our own: drivers need more than a thread may have, their compilers most of all.
// VK_ERROR_OUT_OF_HOST_MEMORY: there is no such stack.
VkResult vk_on_stack(VkResult (*call)(void *data), void *data);

// After that: those that are not usable, whose `refused` says why (NULL: it could not be asked), and
// how many. Their facts hold name, kind and version; features too, where the version is new enough.
uint32_t vk_physical_refused(const struct vk_physical **list);

// What a format can do on a device.
VkFormatProperties3 vk_physical_format(const struct vk_physical *physical, VkFormat format);

// The same of images, without asking; of formats that are in formats.def.
VkFormatFeatureFlags2 vk_facts_format(const struct vk_facts *facts, VkFormat format);

// What an image can be at most. VK_ERROR_FORMAT_NOT_SUPPORTED when it cannot be at all.
VkResult vk_physical_image(const struct vk_physical *physical, VkFormat format, VkImageType type,
                           VkImageUsageFlags usage, VkImageCreateFlags flags,
                           VkImageFormatProperties *limits);

// How many planes an image has whose layout is told by a modifier of DRM; 0: there is no such image.
uint32_t vk_physical_planes(const struct vk_physical *physical, VkFormat format, uint64_t modifier);

// The same as vk_physical_image() of one that lies in memory of another API, as its pNext says; *dedicated: which must be its
// alone.
VkResult vk_physical_shared_image(const struct vk_physical *physical, const VkImageCreateInfo *info,
                                  VkImageFormatProperties *limits, bool *dedicated);

// What the driver says this process may have of a heap, and what it has. False: it does not say.
bool vk_physical_budget(const struct vk_physical *physical, uint32_t heap, VkDeviceSize *budget,
                        VkDeviceSize *usage);

// Every device-level function we call, as vk_device.fn.<name without vk>.
struct vk_functions {
#define PROC(name) PFN_vk##name name;
#define PROC_OPTIONAL(name) PFN_vk##name name;
#include "vulkan/procs.def"
};

// One VkQueue; several command queues may share it.
struct vk_queue {
    VkQueue handle;
    pthread_mutex_t lock; // submission is externally synchronized
};

enum { VK_QUEUE_MAX = 4, VK_SAMPLER_COUNT = 4, VK_PROCESSORS = 512 };

struct vk_memory;   // memory.c
struct vk_timeline; // submit.h
struct vk_fence;    // fences.h

// Of interrupts.c
struct vk_interrupts {
    atomic_uint_least64_t due; // when to count them again; UINT64_MAX: somebody does
    uint64_t *counts;          // by processor, at the last time; NULL before the first
    atomic_int shunned;        // 1 + the processor that takes them; 0: none
};

struct vk_device {
    struct vk_physical *physical;
    const struct vk_facts *facts;
    VkDevice handle;
    struct vk_functions fn;
    unsigned fork_generation;
    atomic_bool lost;
    atomic_uint_least64_t blind_since; // no timeline can be read (submit.c); 0: they can
    uint32_t users; // under the instance's lock
    atomic_uint own_users; // of those, the command layer's own

    struct vk_queue queues[VK_QUEUE_MAX];
    uint32_t queue_count;
    atomic_uint next_queue; // round robin
    struct vk_interrupts interrupts;

    pthread_mutex_t lock; // of the next
    struct vk_timeline *idle_timelines;
    struct vk_fence *idle_fences;
    VkPipeline *retired; // destroyed, but kept for a while (pipeline.c): a ring
    uint32_t retired_count, retired_at;

    struct vk_memory *memory;
    VkPipelineLayout layout; // of kernels without descriptors: a push range of facts->max_push_bytes
    VkSampler samplers[VK_SAMPLER_COUNT]; // linear filter: see descriptor.h
    VkPipelineCache cache;
    size_t cache_size; // what it held when it was opened
    uint64_t cache_checksum;

    void *command; // the command layer's state of this device, made at its first queue
    void (*command_exit)(struct vk_device *device, void *command); // called before the device goes
    void (*command_ended)(void); // and when the process has ended (util/gate.h)

    struct vk_device *next; // of all; under the instance's lock
};

// Opens or shares the device. Pair with vk_device_close().
VkResult vk_device_open(struct vk_physical *physical, struct vk_device **device);
void vk_device_retain(struct vk_device *device); // one more user of an open device
void vk_device_close(struct vk_device *device);

// Whether any device has users.
bool vk_physical_open(void);

// Forks wait for the layer's locks from now on.
void vk_fork_watch(void);

// In a child of fork(): makes an instance of its own and finds the devices of the list again, which stays where it is, so
// that they can be opened. False: a device was open in the parent at the fork, or a thread was inside the driver, whose
// locks may be held for good. True anywhere else.
bool vk_physical_renew(void);

// VK_SUCCESS, or VK_ERROR_DEVICE_LOST when it is lost or belongs to a parent process.
VkResult vk_device_check(const struct vk_device *device);

// Around what makes the driver load more of itself: the libraries loaded so far, and afterwards our
// exit handler once more where there are others now.
unsigned long long vk_libraries(void);
void vk_exit_hook(unsigned long long libraries);
// What our exit handler calls when nobody is inside any more.
void vk_at_end(void (*fn)(void));
// Likewise around what compiles, from when it is sure to come: on whatever thread.
void vk_compile_begins(void);
void vk_compile_ended(void);
// Whether the driver, being a CPU's, compiles a pipeline when that first runs; and around that time.
bool vk_compiles_late(const struct vk_device *device);
void vk_first_run_begins(const struct vk_device *device);
void vk_first_run_ended(const struct vk_device *device);

// Notes a result: remembers a lost device, logs failures as `what`; returns it unchanged.
VkResult vk_device_note(struct vk_device *device, VkResult result, const char *what);

#endif
