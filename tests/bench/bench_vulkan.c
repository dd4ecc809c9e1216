// SPDX-License-Identifier: Apache-2.0
// The limit for the benchmark: the same kernels in GLSL on plain Vulkan, with storage buffers and
// one queue.
#include "bench.h"
#include "bench_device.h"

#include <string.h>

#include "copy_spv.h"
#include "empty_spv.h"
#include "mad_spv.h"

enum { LATENCIES = 301, ROUNDS = 7, LAUNCHES = 1000 };

static double time_dispatch(struct vk *vk, VkPipeline pipeline, VkDescriptorSet set, size_t groups,
                            int rounds, int launches)
{
    double samples[LATENCIES];
    for (int i = -1; i < rounds; i++) { // the first round includes compilation
        double start = bench_now();
        vk_begin(vk);
        vkCmdBindPipeline(vk->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdBindDescriptorSets(vk->commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk->layout, 0, 1,
                                &set, 0, NULL);
        for (int j = 0; j < launches; j++) {
            uint32_t x = groups > 65535 ? 65536 : (uint32_t)groups; // sizes are powers of two
            vkCmdDispatch(vk->commands, x > 32768 ? 32768 : x,
                          (uint32_t)(groups / (x > 32768 ? 32768 : x)), 1);
            vk_barrier(vk);
        }
        vk_finish(vk);
        if (i >= 0)
            samples[i] = (bench_now() - start) / launches;
    }
    return bench_median(samples, rounds);
}

// The fastest way to wait: reads a timeline's value in a loop.
static double time_polled(struct vk *vk, VkPipeline pipeline, VkDescriptorSet set)
{
    double samples[LATENCIES];
    VkSemaphore timeline;
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VK(vkCreateSemaphore(
        vk->device, &(VkSemaphoreCreateInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type},
        NULL, &timeline));
    for (uint64_t i = 1, value = 0; i <= LATENCIES; i++) {
        double start = bench_now();
        vk_begin(vk);
        vkCmdBindPipeline(vk->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdBindDescriptorSets(vk->commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk->layout, 0, 1, &set, 0, NULL);
        vkCmdDispatch(vk->commands, 1, 1, 1);
        vk_barrier(vk);
        vk_submit(vk, timeline, i);
        while (value < i)
            VK(vkGetSemaphoreCounterValue(vk->device, timeline, &value));
        samples[i - 1] = bench_now() - start;
    }
    vkDestroySemaphore(vk->device, timeline, NULL);
    return bench_median(samples, LATENCIES);
}

static void time_transfers(struct vk *vk, size_t size, struct bench_result *result)
{
    VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                    VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                    VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    struct vk_memory device = vk_memory_create(vk, size, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    struct vk_memory staging = vk_memory_create(vk, size, visible);
    char *host = malloc(size);
    double writes[ROUNDS], reads[ROUNDS];
    memset(host, 1, size);
    memset(staging.map, 1, size);
    VkBufferCopy all = {0, 0, size};
    for (int i = 0; i < ROUNDS; i++) {
        double start = bench_now();
        memcpy(staging.map, host, size);
        vk_begin(vk);
        vkCmdCopyBuffer(vk->commands, staging.buffer, device.buffer, 1, &all);
        vk_finish(vk);
        double between = bench_now();
        vk_begin(vk);
        vkCmdCopyBuffer(vk->commands, device.buffer, staging.buffer, 1, &all);
        vk_barrier(vk);
        vk_finish(vk);
        memcpy(host, staging.map, size);
        writes[i] = between - start;
        reads[i] = bench_now() - between;
    }
    result->write = bench_median(writes, ROUNDS);
    result->read = bench_median(reads, ROUNDS);
    free(host);
    vk_memory_destroy(vk, &device);
    vk_memory_destroy(vk, &staging);
}

bool bench_vulkan(const char *name, const struct bench_sizes *sizes, struct bench_result *result)
{
    struct vk vk = {0};
    VkPhysicalDeviceTimelineSemaphoreFeatures timelines = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, .timelineSemaphore = VK_TRUE};
    if (!vk_choose(&vk, name))
        return false;
    vk_start(&vk, NULL, 0, &timelines);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(vk.physical, &properties);
    bool is_cpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    size_t size =
        sizes->copy_bytes > 4 * sizes->mad_items ? sizes->copy_bytes : 4 * sizes->mad_items;
    struct vk_memory x = vk_memory_create(&vk, size, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    struct vk_memory y = vk_memory_create(&vk, size, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    VkDescriptorSet set = vk_bind(&vk, (struct vk_memory[]){x, y}, 2);
    VkPipeline empty = vk_pipeline_create(&vk, empty_spv, sizeof empty_spv);
    VkPipeline copy = vk_pipeline_create(&vk, copy_spv, sizeof copy_spv);
    VkPipeline mad = vk_pipeline_create(&vk, mad_spv, sizeof mad_spv);
    vk_begin(&vk);
    vkCmdFillBuffer(vk.commands, x.buffer, 0, VK_WHOLE_SIZE, 0);
    vk_finish(&vk);
    int batch = is_cpu ? 1 : 20;
    result->latency = time_dispatch(&vk, empty, set, 1, LATENCIES, 1);
    result->polled = time_polled(&vk, empty, set);
    result->launch = time_dispatch(&vk, empty, set, 1, ROUNDS, LAUNCHES);
    result->copy = time_dispatch(&vk, copy, set, sizes->copy_bytes / 16 / 256, ROUNDS, batch);
    result->mad = time_dispatch(&vk, mad, set, sizes->mad_items / 256, ROUNDS, batch);
    time_transfers(&vk, sizes->transfer_bytes, result);
    vkDestroyPipeline(vk.device, empty, NULL);
    vkDestroyPipeline(vk.device, copy, NULL);
    vkDestroyPipeline(vk.device, mad, NULL);
    vk_memory_destroy(&vk, &x);
    vk_memory_destroy(&vk, &y);
    vk_close(&vk);
    return true;
}
