// SPDX-License-Identifier: Apache-2.0
// Replays of a recording that must not overlap: there is a barrier between two replays in a queue,
// even if it is out-of-order, and a replay in another queue waits for a submission.
#include "vulkan_device.h"

#include <string.h>

#include "command/replay.h"

static struct vk_device *device;
static struct vk_buffer buffer;
static PFN_vkCmdExecuteCommands execute_commands;
static PFN_vkCmdPipelineBarrier barrier_1_0;
static PFN_vkCmdPipelineBarrier2 barrier_2;
static PFN_vkQueueSubmit submit_1_0;
static PFN_vkQueueSubmit2 submit_2;
static char calls[256]; // E: execute, B: barrier, S: submit

static void record_call(char what)
{
    size_t length = strlen(calls);
    CHECK(length + 1 < sizeof calls);
    if (length + 1 < sizeof calls)
        calls[length] = what;
}

static VKAPI_ATTR void VKAPI_CALL execute(VkCommandBuffer commands, uint32_t count, const VkCommandBuffer *list)
{
    record_call('E');
    execute_commands(commands, count, list);
}

static VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                          VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                                          uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                                          const VkImageMemoryBarrier *images)
{
    record_call('B');
    barrier_1_0(commands, from, to, flags, memory_count, memory, buffer_count, buffers, image_count, images);
}

static VKAPI_ATTR void VKAPI_CALL barrier2(VkCommandBuffer commands, const VkDependencyInfo *info)
{
    record_call('B');
    barrier_2(commands, info);
}

static VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo *info, VkFence fence)
{
    record_call('S');
    return submit_1_0(queue, count, info, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL submit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *info, VkFence fence)
{
    record_call('S');
    return submit_2(queue, count, info, fence);
}

static void listen(void)
{
    execute_commands = device->fn.CmdExecuteCommands;
    barrier_1_0 = device->fn.CmdPipelineBarrier;
    barrier_2 = device->fn.CmdPipelineBarrier2;
    submit_1_0 = device->fn.QueueSubmit;
    submit_2 = device->fn.QueueSubmit2;
    device->fn.CmdExecuteCommands = execute;
    device->fn.CmdPipelineBarrier = barrier;
    device->fn.CmdPipelineBarrier2 = barrier2;
    device->fn.QueueSubmit = submit;
    device->fn.QueueSubmit2 = submit2;
}

static bool is_between(char what)
{
    const char *first = strchr(calls, 'E'), *second = first ? strchr(first + 1, 'E') : NULL;
    const char *found = first ? strchr(first, what) : NULL;
    bool lies = found && second && found < second && !strchr(second + 1, 'E');
    if (!lies)
        printf("%s\n", calls);
    memset(calls, 0, sizeof calls);
    return lies;
}

static void replay(struct cmd_recording *recording, struct cmd_queue *queue)
{
    struct cmd_request request = {.queue = queue};
    CHECK(cmd_replay(&request, recording) == CL_SUCCESS);
}

static struct cmd_recording *recorded(void)
{
    struct cmd_recording *recording;
    CHECK(cmd_recording_create(device, true, &recording) == CL_SUCCESS);
    struct cmd_request request = {.queue = cmd_recording_queue(recording)};
    CHECK(cmd_fill(&request, &buffer, 0, 64, &(uint32_t){7}, 4) == CL_SUCCESS);
    CHECK(cmd_recording_finish(recording, false) == CL_SUCCESS);
    return recording;
}

int main(void)
{
    struct cmd_queue *one, *other;
    device = test_device();
    CHECK(cmd_queue_create(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &one) == CL_SUCCESS);
    CHECK(cmd_queue_create(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &other) == CL_SUCCESS);
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, 64, &buffer) == VK_SUCCESS);
    struct cmd_recording *recording = recorded();
    listen();
    replay(recording, one);
    replay(recording, one);
    CHECK(cmd_finish(one) == CL_SUCCESS);
    CHECK(is_between('B'));
    replay(recording, one);
    replay(recording, other);
    CHECK(cmd_finish(one) == CL_SUCCESS && cmd_finish(other) == CL_SUCCESS);
    CHECK(is_between('S'));
    cmd_recording_destroy(recording);
    cmd_queue_release(one);
    cmd_queue_release(other);
    vk_buffer_destroy(&buffer);
    vk_device_close(device);
    return test_result();
}
