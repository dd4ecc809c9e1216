// SPDX-License-Identifier: Apache-2.0
// Memory and semaphores shared with other APIs: ownership transfers of memory, and waits and
// signals on the device.
//
// A semaphore wait comes at the start of a submission and a signal at its end, so such a command is
// the first or last of its batch. Later commands of its queue are submitted later, and Vulkan makes
// them wait too (7.4.2, "Semaphore Waiting").
#include <stdlib.h>
#include <string.h>

#include "command/internal.h"
#include "vulkan/external.h"

struct transfer {
    struct command base;
    bool ours;
    uint32_t count;
    struct vk_shared shared[];
};

VkResult record_ownership(struct command *command, struct cmd_batch *batch)
{
    const struct transfer *transfer = (const struct transfer *)command;
    for (uint32_t i = 0; i < transfer->count; i++)
        vk_commands_transfer(command->queue->device, batch->commands, &transfer->shared[i],
                             transfer->ours);
    return VK_SUCCESS;
}

// Two imports of the same memory have different addresses, so the command acts as a full barrier.
cl_int cmd_transfer_ownership(const struct cmd_request *request, const struct vk_shared *shared,
                              uint32_t count, bool ours)
{
    size_t bytes = count * sizeof *shared;
    struct transfer *transfer =
        (struct transfer *)cmd_new(request, CMD_OWNERSHIP, sizeof *transfer + bytes);
    if (!transfer)
        return CL_OUT_OF_HOST_MEMORY;
    transfer->ours = ours;
    transfer->count = count;
    memcpy(transfer->shared, shared, bytes);
    transfer->base.all_memory = transfer->base.device_only = true;
    return cmd_enqueue(request, &transfer->base);
}

struct semaphores {
    struct command base;
    bool waits;
    uint32_t count;
    struct cmd_binary *list[CMD_BINARIES];
    bool waited[CMD_BINARIES]; // the submission waits for this one
    struct vk_binaries binaries;
};

_Static_assert((int)CMD_BINARIES <= (int)VK_BINARY_MAX, "all fit into one submission");

// A binary semaphore must not be signalled twice (Vulkan 7.4.1): a leftover signal is waited for
// first.
VkResult record_semaphores(struct command *command, struct cmd_batch *batch)
{
    struct semaphores *s = (struct semaphores *)command;
    for (uint32_t i = 0; i < s->count; i++) {
        bool left = atomic_exchange(&s->list[i]->left, false);
        atomic_store(&s->list[i]->missing, false);
        s->waited[i] = s->waits || left;
        if (s->waited[i])
            s->binaries.before[s->binaries.before_count++] = s->list[i]->handle;
        if (!s->waits)
            s->binaries.after[s->binaries.after_count++] = s->list[i]->handle;
    }
    batch->binaries = &s->binaries;
    return VK_SUCCESS;
}

// A failed wait for a signal that has failed leaves no signal behind.
void failed_semaphores(struct command *command)
{
    struct semaphores *s = (struct semaphores *)command;
    for (uint32_t i = 0; i < s->count; i++) {
        struct cmd_binary *binary = s->list[i];
        if (s->waits ? !atomic_exchange(&binary->missing, false) : s->waited[i])
            atomic_store(&binary->left, true);
        if (!s->waits)
            atomic_store(&binary->missing, true);
    }
}

cl_int cmd_semaphores(const struct cmd_request *request, struct cmd_binary *const *list, uint32_t count,
                      bool waits)
{
    struct semaphores *s = (struct semaphores *)cmd_new(request, CMD_SEMAPHORES, sizeof *s);
    if (!s)
        return CL_OUT_OF_HOST_MEMORY;
    s->waits = s->base.begins_batch = waits;
    s->count = count;
    for (uint32_t i = 0; i < count; i++) {
        s->list[i] = list[i];
        s->base.begins_batch |= atomic_load(&list[i]->left);
    }
    s->base.ends_batch = s->base.device_only = true;
    return cmd_enqueue(request, &s->base);
}
