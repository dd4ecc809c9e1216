// SPDX-License-Identifier: Apache-2.0
// The Vulkan side of the sharing tests: a plain Vulkan program in the same process, on the same
// device as OpenCL, with memory and semaphores that it exports.
//
// Any call may fail when calls are made to fail (tests/inject): VK() counts that as a failed call.
#ifndef PUMICE_TESTS_API_VULKAN_SIDE_H
#define PUMICE_TESTS_API_VULKAN_SIDE_H

#include <fcntl.h>
#include <unistd.h>
#include "test.h"

#define VK_NO_PROTOTYPES
#include <dlfcn.h>
#include <vulkan/vulkan_core.h>

#define SIDE_INSTANCE(X)                                                                           \
    X(EnumeratePhysicalDevices)                                                                    \
    X(GetPhysicalDeviceProperties2) X(EnumerateDeviceExtensionProperties) X(CreateDevice)          \
        X(GetPhysicalDeviceMemoryProperties) X(GetPhysicalDeviceQueueFamilyProperties)             \
            X(GetDeviceProcAddr) X(DestroyInstance)                                                \
                X(GetPhysicalDeviceExternalSemaphoreProperties)
#define SIDE_DEVICE(X)                                                                             \
    X(DestroyDevice)                                                                               \
    X(GetDeviceQueue) X(CreateCommandPool) X(DestroyCommandPool) X(AllocateCommandBuffers)         \
        X(BeginCommandBuffer) X(EndCommandBuffer) X(QueueSubmit) X(QueueWaitIdle) X(CreateBuffer)  \
            X(DestroyBuffer) X(GetBufferMemoryRequirements) X(AllocateMemory) X(FreeMemory)        \
                X(BindBufferMemory) X(MapMemory) X(CreateImage) X(DestroyImage)                    \
                    X(GetImageMemoryRequirements) X(BindImageMemory) X(GetImageSubresourceLayout)  \
                        X(CmdFillBuffer) X(CmdCopyBuffer) X(CmdCopyBufferToImage)                  \
                            X(CmdCopyImageToBuffer) X(CmdPipelineBarrier) X(CreateSemaphore)       \
                                X(DestroySemaphore)

static struct side {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t family;
    bool semaphores; // can be exported and imported as opaque fds
    bool sync_fds;
#define MEMBER(name) PFN_vk##name name;
    SIDE_INSTANCE(MEMBER)
    SIDE_DEVICE(MEMBER) MEMBER(GetMemoryFdKHR) MEMBER(GetSemaphoreFdKHR)
        MEMBER(ImportSemaphoreFdKHR)
#undef MEMBER
} side;

#define VK(call) CHECK_NONE((call) != VK_SUCCESS)

static inline bool side_has(const char *extension)
{
    static VkExtensionProperties list[512];
    uint32_t count = 512;
    if (side.EnumerateDeviceExtensionProperties(side.physical, NULL, &count, list) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(list[i].extensionName, extension))
            return true;
    return false;
}

static inline bool side_passes(VkExternalSemaphoreHandleTypeFlagBits type)
{
    const VkExternalSemaphoreFeatureFlags both =
        VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT;
    VkPhysicalDeviceExternalSemaphoreInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO, .handleType = type};
    VkExternalSemaphoreProperties told = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
    side.GetPhysicalDeviceExternalSemaphoreProperties(side.physical, &info, &told);
    return (told.externalSemaphoreFeatures & both) == both;
}

// Finds the device that OpenCL uses.
static inline bool side_find(const cl_uchar uuid[16])
{
    VkPhysicalDevice list[16];
    uint32_t count = 16;
    VK(side.EnumeratePhysicalDevices(side.instance, &count, list));
    for (uint32_t i = 0; i < count && test_failures == 0; i++) {
        VkPhysicalDeviceIDProperties id = {.sType =
                                               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
        VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &id};
        side.physical = list[i];
        side.GetPhysicalDeviceProperties2(list[i], &all);
        if (!memcmp(id.deviceUUID, uuid, 16))
            return true;
    }
    return false;
}

static inline void side_make_device(void)
{
    static const float priority = 1;
    const char *names[2] = {"VK_KHR_external_memory_fd", "VK_KHR_external_semaphore_fd"};
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    side.GetPhysicalDeviceQueueFamilyProperties(side.physical, &count, families);
    while (side.family < count - 1 && !(families[side.family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        side.family++;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = side.family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    bool has = side_has(names[1]);
    side.semaphores = has && side_passes(VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);
    side.sync_fds = has && side_passes(VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = 1 + has,
                               .ppEnabledExtensionNames = names};
    VK(side.CreateDevice(side.physical, &info, NULL, &side.device));
#define LOAD(name)                                                                                 \
    side.name = (PFN_vk##name)(void *)side.GetDeviceProcAddr(side.device, "vk" #name);
    SIDE_DEVICE(LOAD)
    LOAD(GetMemoryFdKHR) LOAD(GetSemaphoreFdKHR) LOAD(ImportSemaphoreFdKHR)
#undef LOAD
        side.GetDeviceQueue(side.device, side.family, 0, &side.queue);
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                    .queueFamilyIndex = side.family};
    VK(side.CreateCommandPool(side.device, &pool, NULL, &side.pool));
    VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = side.pool,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
    VK(side.AllocateCommandBuffers(side.device, &buffer, &side.commands));
    side.GetPhysicalDeviceMemoryProperties(side.physical, &side.memory);
}

// False: there is no such device, or it cannot export memory.
static inline bool side_open(void)
{
    cl_uchar uuid[16];
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_UUID_KHR, sizeof uuid, uuid, NULL));
    void *library = dlopen("libvulkan.so.1", RTLD_NOW);
    PFN_vkGetInstanceProcAddr get =
        library ? (PFN_vkGetInstanceProcAddr)dlsym(library, "vkGetInstanceProcAddr") : NULL;
    if (!get)
        return false;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)(void *)get(NULL, "vkCreateInstance");
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_1};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application};
    VK(create(&info, NULL, &side.instance));
#define LOAD(name) side.name = (PFN_vk##name)(void *)get(side.instance, "vk" #name);
    SIDE_INSTANCE(LOAD)
#undef LOAD
    if (!side_find(uuid) || !side_has("VK_KHR_external_memory_fd"))
        return false;
    side_make_device();
    return true;
}

static inline void side_close(void)
{
    side.DestroyCommandPool(side.device, side.pool, NULL);
    side.DestroyDevice(side.device, NULL);
    side.DestroyInstance(side.instance, NULL);
}

// ---- memory -------------------------------------------------------------------------------------

struct side_memory {
    VkDeviceMemory memory;
    VkBuffer buffer; // or
    VkImage image;
    uint8_t *host;
    VkSubresourceLayout layout;
};

static inline uint32_t side_type(uint32_t allowed, VkMemoryPropertyFlags flags)
{
    for (uint32_t i = 0; i < side.memory.memoryTypeCount; i++)
        if (allowed >> i & 1 && (side.memory.memoryTypes[i].propertyFlags & flags) == flags)
            return i;
    return 0;
}

static inline void side_allocate(struct side_memory *memory, const VkMemoryRequirements *needs,
                                 bool shared)
{
    VkExportMemoryAllocateInfo external = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                           .handleTypes =
                                               VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = shared ? &external : NULL,
        .allocationSize = needs->size,
        .memoryTypeIndex =
            side_type(needs->memoryTypeBits, shared ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
                                                    : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                          VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)};
    VK(side.AllocateMemory(side.device, &info, NULL, &memory->memory));
}

// shared: exported; otherwise visible to the host.
static inline struct side_memory side_buffer(VkDeviceSize size, bool shared)
{
    struct side_memory memory = {.memory = VK_NULL_HANDLE};
    VkMemoryRequirements needs;
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .pNext = shared ? &external : NULL,
                               .size = size,
                               .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VK(side.CreateBuffer(side.device, &info, NULL, &memory.buffer));
    side.GetBufferMemoryRequirements(side.device, memory.buffer, &needs);
    side_allocate(&memory, &needs, shared);
    VK(side.BindBufferMemory(side.device, memory.buffer, memory.memory, 0));
    if (!shared)
        VK(side.MapMemory(side.device, memory.memory, 0, VK_WHOLE_SIZE, 0, (void **)&memory.host));
    return memory;
}

static inline struct side_memory side_image(VkImageType type, VkFormat format, uint32_t w,
                                            uint32_t h, uint32_t layers)
{
    struct side_memory memory = {.memory = VK_NULL_HANDLE};
    VkMemoryRequirements needs;
    VkExternalMemoryImageCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .pNext = &external,
                              .imageType = type,
                              .format = format,
                              .extent = {w, h, 1},
                              .mipLevels = 1,
                              .arrayLayers = layers,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                       VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                       VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT};
    VK(side.CreateImage(side.device, &info, NULL, &memory.image));
    side.GetImageMemoryRequirements(side.device, memory.image, &needs);
    side_allocate(&memory, &needs, true);
    VK(side.BindImageMemory(side.device, memory.image, memory.memory, 0));
    return memory;
}

// Moves the fd to a high number that files opened later do not get: a closed fd is not reused.
static inline int side_high(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 700);
    return high >= 0 && !close(fd) ? high : fd;
}

static inline int side_fd(const struct side_memory *memory)
{
    VkMemoryGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                 .memory = memory->memory,
                                 .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    int fd = -1;
    VK(side.GetMemoryFdKHR(side.device, &info, &fd));
    return side_high(fd);
}

static inline void side_free(struct side_memory *memory)
{
    if (memory->buffer)
        side.DestroyBuffer(side.device, memory->buffer, NULL);
    if (memory->image)
        side.DestroyImage(side.device, memory->image, NULL);
    side.FreeMemory(side.device, memory->memory, NULL);
}

// ---- commands -----------------------------------------------------------------------------------

static inline void side_begin(void)
{
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VK(side.BeginCommandBuffer(side.commands, &info));
}

// Acquires the memory from OpenCL (`ours`) or releases it. `fresh`: an image without contents.
static inline void side_turn(const struct side_memory *memory, bool ours, bool fresh)
{
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    uint32_t from = ours ? VK_QUEUE_FAMILY_EXTERNAL : side.family,
             to = ours ? side.family : VK_QUEUE_FAMILY_EXTERNAL;
    if (fresh)
        from = to = VK_QUEUE_FAMILY_IGNORED;
    VkBufferMemoryBarrier buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                    .srcAccessMask = ours ? 0 : all,
                                    .dstAccessMask = ours ? all : 0,
                                    .srcQueueFamilyIndex = from,
                                    .dstQueueFamilyIndex = to,
                                    .buffer = memory->buffer,
                                    .size = VK_WHOLE_SIZE};
    VkImageMemoryBarrier image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = ours ? 0 : all,
        .dstAccessMask = ours ? all : 0,
        .oldLayout = fresh ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_GENERAL,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = from,
        .dstQueueFamilyIndex = to,
        .image = memory->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS}};
    side.CmdPipelineBarrier(side.commands, stages, stages, 0, 0, NULL,
                            memory->buffer != VK_NULL_HANDLE, &buffer,
                            memory->image != VK_NULL_HANDLE, &image);
}

// Makes earlier writes visible to later reads.
static inline void side_barrier(void)
{
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = all,
                               .dstAccessMask = all | VK_ACCESS_HOST_READ_BIT};
    side.CmdPipelineBarrier(side.commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                            &barrier, 0, NULL, 0, NULL);
}

// `before`: a semaphore to wait for; `after`: one to signal; VK_NULL_HANDLE: none.
static inline void side_submit(VkSemaphore before, VkSemaphore after, bool wait)
{
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .waitSemaphoreCount = before != VK_NULL_HANDLE,
                         .pWaitSemaphores = &before,
                         .pWaitDstStageMask = &stages,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &side.commands,
                         .signalSemaphoreCount = after != VK_NULL_HANDLE,
                         .pSignalSemaphores = &after};
    VK(side.EndCommandBuffer(side.commands));
    VK(side.QueueSubmit(side.queue, 1, &info, VK_NULL_HANDLE));
    if (wait)
        VK(side.QueueWaitIdle(side.queue));
}

// ---- semaphores ---------------------------------------------------------------------------------

static inline VkSemaphore side_semaphore(VkExternalSemaphoreHandleTypeFlags exports)
{
    VkExportSemaphoreCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
                                            .handleTypes = exports};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                  .pNext = exports ? &external : NULL};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    VK(side.CreateSemaphore(side.device, &info, NULL, &semaphore));
    return semaphore;
}

static inline int side_semaphore_fd(VkSemaphore semaphore,
                                    VkExternalSemaphoreHandleTypeFlagBits type)
{
    VkSemaphoreGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                    .semaphore = semaphore,
                                    .handleType = type};
    int fd = -1;
    VK(side.GetSemaphoreFdKHR(side.device, &info, &fd));
    return side_high(fd);
}

static inline void side_import_semaphore(VkSemaphore semaphore,
                                         VkExternalSemaphoreHandleTypeFlagBits type, int fd)
{
    bool copied = type == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
    VkImportSemaphoreFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
                                       .semaphore = semaphore,
                                       .flags = copied ? VK_SEMAPHORE_IMPORT_TEMPORARY_BIT : 0,
                                       .handleType = type,
                                       .fd = fd};
    VK(side.ImportSemaphoreFdKHR(side.device, &info));
}

#endif
