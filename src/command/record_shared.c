// SPDX-License-Identifier: Apache-2.0
// Memory and semaphores that are other APIs' too: who may use that memory, and the device's own
// waits and signals.
//
// A wait for a semaphore comes at the start of a submission and a signal at its end, so such a
// command begins its batch, or ends it. What follows it in its queue is submitted later, and Vulkan
// has that wait too (7.4.2, "Semaphore Waiting").
#include <stdlib.h>
#include <string.h>

#include "command/internal.h"
#include "vulkan/external.h"

struct turn {
    struct command base;
    bool ours;
    uint32_t count;
    struct vk_shared shared[];
};

VkResult record_turn(struct command *command, struct cmd_batch *batch)
{
    const struct turn *turn = (const struct turn *)command;
    for (uint32_t i = 0; i < turn->count; i++)
        vk_commands_turn(command->queue->device, batch->commands, &turn->shared[i], turn->ours);
    return VK_SUCCESS;
}

// Two imports of the same memory have two addresses: all that comes before is before, and behind
// behind.
cl_int cmd_turn(const struct cmd_request *request, const struct vk_shared *shared, uint32_t count,
                bool ours)
{
    size_t bytes = count * sizeof *shared;
    struct turn *turn = (struct turn *)cmd_new(request, CMD_TURN, sizeof *turn + bytes);
    if (!turn)
        return CL_OUT_OF_HOST_MEMORY;
    turn->ours = ours;
    turn->count = count;
    memcpy(turn->shared, shared, bytes);
    turn->base.all_memory = turn->base.device_only = true;
    return cmd_enqueue(request, &turn->base);
}

struct semaphores {
    struct command base;
    struct vk_binaries binaries;
};

VkResult record_semaphores(struct command *command, struct cmd_batch *batch)
{
    batch->binaries = &((const struct semaphores *)command)->binaries;
    return VK_SUCCESS;
}

cl_int cmd_semaphores(const struct cmd_request *request, const struct vk_binaries *binaries)
{
    struct semaphores *semaphores =
        (struct semaphores *)cmd_new(request, CMD_SEMAPHORES, sizeof *semaphores);
    if (!semaphores)
        return CL_OUT_OF_HOST_MEMORY;
    semaphores->binaries = *binaries;
    semaphores->base.begins_batch = binaries->before_count > 0;
    semaphores->base.ends_batch = semaphores->base.device_only = true;
    return cmd_enqueue(request, &semaphores->base);
}
