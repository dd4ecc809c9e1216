// SPDX-License-Identifier: Apache-2.0
// See bench_device.h.
#include "bench_device.h"

#include <string.h>

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
            vk->family = i; // the last one: the compute-only family if there is one
    return true;
}

static void create_layouts(struct vk *vk)
{
    VkDescriptorSetLayoutBinding bindings[VK_BUFFERS] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    VkPushConstantRange number = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(int32_t)};
    VK(vkCreateDescriptorSetLayout(vk->device,
                                   &(VkDescriptorSetLayoutCreateInfo){
                                       .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                       .bindingCount = VK_BUFFERS,
                                       .pBindings = bindings},
                                   NULL, &vk->set_layout));
    VK(vkCreatePipelineLayout(
        vk->device,
        &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &vk->set_layout,
                                      .pushConstantRangeCount = 1,
                                      .pPushConstantRanges = &number},
        NULL, &vk->layout));
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4 * VK_BUFFERS};
    VK(vkCreateDescriptorPool(
        vk->device,
        &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                      .maxSets = 4,
                                      .poolSizeCount = 1,
                                      .pPoolSizes = &size},
        NULL, &vk->sets));
}

bool vk_choose(struct vk *vk, const char *name)
{
    VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                             .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &app};
    return vkCreateInstance(&info, NULL, &vk->instance) == VK_SUCCESS && choose_device(vk, name);
}

void vk_start(struct vk *vk, const char *const *extensions, uint32_t count, const void *features)
{
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = vk->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VK(vkCreateDevice(vk->physical,
                      &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                            .pNext = features,
                                            .queueCreateInfoCount = 1,
                                            .pQueueCreateInfos = &queue,
                                            .enabledExtensionCount = count,
                                            .ppEnabledExtensionNames = extensions},
                      NULL, &vk->device));
    vkGetDeviceQueue(vk->device, vk->family, 0, &vk->queue);
    VK(vkCreateCommandPool(
        vk->device,
        &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                   .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                   .queueFamilyIndex = vk->family},
        NULL, &vk->pool));
    VK(vkAllocateCommandBuffers(
        vk->device,
        &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = vk->pool,
                                       .commandBufferCount = 1},
        &vk->commands));
    VK(vkCreateFence(vk->device, &(VkFenceCreateInfo){.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO},
                     NULL, &vk->fence));
    create_layouts(vk);
}

bool vk_open(struct vk *vk, const char *name)
{
    if (!vk_choose(vk, name))
        return false;
    vk_start(vk, NULL, 0, NULL);
    return true;
}

void vk_close(struct vk *vk)
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

struct vk_memory vk_memory_create(struct vk *vk, size_t size, VkMemoryPropertyFlags want)
{
    struct vk_memory m = {0};
    VkBufferUsageFlags address = vk->addresses ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0;
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VK(vkCreateBuffer(vk->device,
                      &(VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                            .size = size,
                                            .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT | address |
                                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT},
                      NULL, &m.buffer));
    VkMemoryRequirements need;
    vkGetBufferMemoryRequirements(vk->device, m.buffer, &need);
    VK(vkAllocateMemory(
        vk->device,
        &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                .pNext = vk->addresses ? &flags : NULL,
                                .allocationSize = need.size,
                                .memoryTypeIndex = memory_type(vk, need.memoryTypeBits, want)},
        NULL, &m.memory));
    VK(vkBindBufferMemory(vk->device, m.buffer, m.memory, 0));
    if (want & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
        VK(vkMapMemory(vk->device, m.memory, 0, VK_WHOLE_SIZE, 0, &m.map));
    return m;
}

void vk_memory_destroy(struct vk *vk, struct vk_memory *m)
{
    vkDestroyBuffer(vk->device, m->buffer, NULL);
    vkFreeMemory(vk->device, m->memory, NULL);
}

VkPipeline vk_pipeline_create(struct vk *vk, const uint32_t *words, size_t size)
{
    VkShaderModule module;
    VkPipeline pipeline;
    VK(vkCreateShaderModule(
        vk->device,
        &(VkShaderModuleCreateInfo){
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words},
        NULL, &module));
    VkPipelineShaderStageCreateInfo stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .module = module,
        .pName = "main"};
    VK(vkCreateComputePipelines(
        vk->device, VK_NULL_HANDLE, 1,
        &(VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                       .stage = stage,
                                       .layout = vk->layout},
        NULL, &pipeline));
    vkDestroyShaderModule(vk->device, module, NULL);
    return pipeline;
}

VkDescriptorSet vk_bind(struct vk *vk, const struct vk_memory *buffers, uint32_t count)
{
    VkDescriptorSet set;
    VkDescriptorBufferInfo info[VK_BUFFERS];
    VK(vkAllocateDescriptorSets(
        vk->device,
        &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = vk->sets,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &vk->set_layout},
        &set));
    for (uint32_t i = 0; i < count; i++)
        info[i] = (VkDescriptorBufferInfo){buffers[i].buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .descriptorCount = count,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = info};
    vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
    return set;
}

void vk_begin(struct vk *vk)
{
    VK(vkBeginCommandBuffer(
        vk->commands,
        &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
}

void vk_barrier(struct vk *vk)
{
    VkPipelineStageFlags work = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                         VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT,
    };
    vkCmdPipelineBarrier(vk->commands, work, work | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0, NULL, 0, NULL);
}

void vk_submit(struct vk *vk, VkSemaphore timeline, uint64_t value)
{
    VK(vkEndCommandBuffer(vk->commands));
    VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .signalSemaphoreValueCount = 1,
                                            .pSignalSemaphoreValues = &value};
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .pNext = &values,
                           .commandBufferCount = 1,
                           .pCommandBuffers = &vk->commands,
                           .signalSemaphoreCount = 1,
                           .pSignalSemaphores = &timeline};
    VK(vkQueueSubmit(vk->queue, 1, &submit, VK_NULL_HANDLE));
}

void vk_finish(struct vk *vk)
{
    VK(vkEndCommandBuffer(vk->commands));
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .commandBufferCount = 1,
                           .pCommandBuffers = &vk->commands};
    VK(vkQueueSubmit(vk->queue, 1, &submit, vk->fence));
    VK(vkWaitForFences(vk->device, 1, &vk->fence, VK_TRUE, UINT64_MAX));
    VK(vkResetFences(vk->device, 1, &vk->fence));
}
