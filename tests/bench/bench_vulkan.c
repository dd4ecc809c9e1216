// SPDX-License-Identifier: Apache-2.0
// The benchmark's limit: the same kernels as GLSL, storage buffers, one queue, no layers in between.
#include "bench.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "copy_spv.h"
#include "empty_spv.h"
#include "mad_spv.h"

enum { LATENCIES = 301, ROUNDS = 7, LAUNCHES = 1000 };

struct vk {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool sets;
};

struct vk_memory {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *map;
};

#define VK(call)                                                                                   \
    do {                                                                                           \
        VkResult result_ = (call);                                                                 \
        if (result_ != VK_SUCCESS) {                                                               \
            fprintf(stderr, "%s: %d\n", #call, result_);                                           \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static bool choose_device(struct vk *vk, const char *name)
{
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    if (vkEnumeratePhysicalDevices(vk->instance, &count, devices) < 0 || !count)
        return false;
    vk->physical = devices[0];
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        if (strstr(name, properties.deviceName) || strstr(properties.deviceName, name))
            vk->physical = devices[i];
    }
    VkQueueFamilyProperties families[16];
    count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(vk->physical, &count, families);
    for (uint32_t i = 0; i < count; i++)
        if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)
            vk->family = i; // the last one: compute only where there is such a family
    return true;
}

static void create_layouts(struct vk *vk)
{
    VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    VK(vkCreateDescriptorSetLayout(vk->device,
                                   &(VkDescriptorSetLayoutCreateInfo){
                                       .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                       .bindingCount = 2,
                                       .pBindings = bindings},
                                   NULL, &vk->set_layout));
    VK(vkCreatePipelineLayout(vk->device,
                              &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                            .setLayoutCount = 1,
                                                            .pSetLayouts = &vk->set_layout},
                              NULL, &vk->layout));
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8};
    VK(vkCreateDescriptorPool(vk->device,
                              &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                            .maxSets = 4,
                                                            .poolSizeCount = 1,
                                                            .pPoolSizes = &size},
                              NULL, &vk->sets));
}

static bool open_vulkan(struct vk *vk, const char *name)
{
    VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
    if (vkCreateInstance(&info, NULL, &vk->instance) != VK_SUCCESS || !choose_device(vk, name))
        return false;
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = vk->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VK(vkCreateDevice(vk->physical,
                      &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                            .queueCreateInfoCount = 1,
                                            .pQueueCreateInfos = &queue},
                      NULL, &vk->device));
    vkGetDeviceQueue(vk->device, vk->family, 0, &vk->queue);
    VK(vkCreateCommandPool(vk->device,
                           &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                                      .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                                      .queueFamilyIndex = vk->family},
                           NULL, &vk->pool));
    VK(vkAllocateCommandBuffers(vk->device,
                                &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                               .commandPool = vk->pool,
                                                               .commandBufferCount = 1},
                                &vk->commands));
    VK(vkCreateFence(vk->device, &(VkFenceCreateInfo){.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO}, NULL, &vk->fence));
    create_layouts(vk);
    return true;
}

static void close_vulkan(struct vk *vk)
{
    vkDestroyDescriptorPool(vk->device, vk->sets, NULL);
    vkDestroyPipelineLayout(vk->device, vk->layout, NULL);
    vkDestroyDescriptorSetLayout(vk->device, vk->set_layout, NULL);
    vkDestroyFence(vk->device, vk->fence, NULL);
    vkDestroyCommandPool(vk->device, vk->pool, NULL);
    vkDestroyDevice(vk->device, NULL);
    vkDestroyInstance(vk->instance, NULL);
}

static uint32_t memory_type(struct vk *vk, uint32_t allowed, VkMemoryPropertyFlags want)
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(vk->physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if (allowed & 1u << i && (memory.memoryTypes[i].propertyFlags & want) == want)
            return i;
    return 0;
}

static struct vk_memory memory_create(struct vk *vk, size_t size, VkMemoryPropertyFlags want)
{
    struct vk_memory m = {0};
    VK(vkCreateBuffer(vk->device,
                      &(VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                            .size = size,
                                            .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT},
                      NULL, &m.buffer));
    VkMemoryRequirements need;
    vkGetBufferMemoryRequirements(vk->device, m.buffer, &need);
    VK(vkAllocateMemory(vk->device,
                        &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                                .allocationSize = need.size,
                                                .memoryTypeIndex = memory_type(vk, need.memoryTypeBits, want)},
                        NULL, &m.memory));
    VK(vkBindBufferMemory(vk->device, m.buffer, m.memory, 0));
    if (want & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
        VK(vkMapMemory(vk->device, m.memory, 0, VK_WHOLE_SIZE, 0, &m.map));
    return m;
}

static void memory_destroy(struct vk *vk, struct vk_memory *m)
{
    vkDestroyBuffer(vk->device, m->buffer, NULL);
    vkFreeMemory(vk->device, m->memory, NULL);
}

static VkPipeline pipeline_create(struct vk *vk, const uint32_t *words, size_t size)
{
    VkShaderModule module;
    VkPipeline pipeline;
    VK(vkCreateShaderModule(vk->device,
                            &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                        .codeSize = size,
                                                        .pCode = words},
                            NULL, &module));
    VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                             .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                             .module = module,
                                             .pName = "main"};
    VK(vkCreateComputePipelines(vk->device, VK_NULL_HANDLE, 1,
                                &(VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                                               .stage = stage,
                                                               .layout = vk->layout},
                                NULL, &pipeline));
    vkDestroyShaderModule(vk->device, module, NULL);
    return pipeline;
}

static VkDescriptorSet bind_buffers(struct vk *vk, const struct vk_memory *x, const struct vk_memory *y)
{
    VkDescriptorSet set;
    VK(vkAllocateDescriptorSets(vk->device,
                                &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                               .descriptorPool = vk->sets,
                                                               .descriptorSetCount = 1,
                                                               .pSetLayouts = &vk->set_layout},
                                &set));
    VkDescriptorBufferInfo info[2] = {{x->buffer, 0, VK_WHOLE_SIZE}, {y->buffer, 0, VK_WHOLE_SIZE}};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .descriptorCount = 2,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = info};
    vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
    return set;
}

static void begin(struct vk *vk)
{
    VK(vkBeginCommandBuffer(vk->commands,
                            &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
}

static void barrier(struct vk *vk)
{
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                              .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(vk->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                         &memory, 0, NULL, 0, NULL);
}

static void finish(struct vk *vk)
{
    VK(vkEndCommandBuffer(vk->commands));
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &vk->commands};
    VK(vkQueueSubmit(vk->queue, 1, &submit, vk->fence));
    VK(vkWaitForFences(vk->device, 1, &vk->fence, VK_TRUE, UINT64_MAX));
    VK(vkResetFences(vk->device, 1, &vk->fence));
}

static double time_dispatch(struct vk *vk, VkPipeline pipeline, VkDescriptorSet set, size_t groups, int rounds, int launches)
{
    double samples[LATENCIES];
    for (int i = -1; i < rounds; i++) { // the first round compiles
        double start = bench_now();
        begin(vk);
        vkCmdBindPipeline(vk->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdBindDescriptorSets(vk->commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk->layout, 0, 1, &set, 0, NULL);
        for (int j = 0; j < launches; j++) {
            uint32_t x = groups > 65535 ? 65536 : (uint32_t)groups; // sizes are powers of two
            vkCmdDispatch(vk->commands, x > 32768 ? 32768 : x, (uint32_t)(groups / (x > 32768 ? 32768 : x)), 1);
            barrier(vk);
        }
        finish(vk);
        if (i >= 0)
            samples[i] = (bench_now() - start) / launches;
    }
    return bench_median(samples, rounds);
}

static void time_transfers(struct vk *vk, size_t size, struct bench_result *result)
{
    VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                    VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    struct vk_memory device = memory_create(vk, size, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    struct vk_memory staging = memory_create(vk, size, visible);
    char *host = malloc(size);
    double writes[ROUNDS], reads[ROUNDS];
    memset(host, 1, size);
    memset(staging.map, 1, size);
    VkBufferCopy all = {0, 0, size};
    for (int i = 0; i < ROUNDS; i++) {
        double start = bench_now();
        memcpy(staging.map, host, size);
        begin(vk);
        vkCmdCopyBuffer(vk->commands, staging.buffer, device.buffer, 1, &all);
        finish(vk);
        double between = bench_now();
        begin(vk);
        vkCmdCopyBuffer(vk->commands, device.buffer, staging.buffer, 1, &all);
        barrier(vk);
        finish(vk);
        memcpy(host, staging.map, size);
        writes[i] = between - start;
        reads[i] = bench_now() - between;
    }
    result->write = bench_median(writes, ROUNDS);
    result->read = bench_median(reads, ROUNDS);
    free(host);
    memory_destroy(vk, &device);
    memory_destroy(vk, &staging);
}

bool bench_vulkan(const char *name, const struct bench_sizes *sizes, struct bench_result *result)
{
    struct vk vk = {0};
    if (!open_vulkan(&vk, name))
        return false;
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(vk.physical, &properties);
    bool is_cpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    size_t size = sizes->copy_bytes > 4 * sizes->mad_items ? sizes->copy_bytes : 4 * sizes->mad_items;
    struct vk_memory x = memory_create(&vk, size, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    struct vk_memory y = memory_create(&vk, size, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    VkDescriptorSet set = bind_buffers(&vk, &x, &y);
    VkPipeline empty = pipeline_create(&vk, empty_spv, sizeof empty_spv);
    VkPipeline copy = pipeline_create(&vk, copy_spv, sizeof copy_spv);
    VkPipeline mad = pipeline_create(&vk, mad_spv, sizeof mad_spv);
    begin(&vk);
    vkCmdFillBuffer(vk.commands, x.buffer, 0, VK_WHOLE_SIZE, 0);
    finish(&vk);
    int batch = is_cpu ? 1 : 20;
    result->latency = time_dispatch(&vk, empty, set, 1, LATENCIES, 1);
    result->launch = time_dispatch(&vk, empty, set, 1, ROUNDS, LAUNCHES);
    result->copy = time_dispatch(&vk, copy, set, sizes->copy_bytes / 16 / 256, ROUNDS, batch);
    result->mad = time_dispatch(&vk, mad, set, sizes->mad_items / 256, ROUNDS, batch);
    time_transfers(&vk, sizes->transfer_bytes, result);
    vkDestroyPipeline(vk.device, empty, NULL);
    vkDestroyPipeline(vk.device, copy, NULL);
    vkDestroyPipeline(vk.device, mad, NULL);
    memory_destroy(&vk, &x);
    memory_destroy(&vk, &y);
    close_vulkan(&vk);
    return true;
}
