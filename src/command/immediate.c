// SPDX-License-Identifier: Apache-2.0
// Writes and reads that are independent of the application's queues: initial contents, data
// segments, printf.
//
// Each device has one internal queue for this, created when first needed and cached, like its
// built-in kernels; mapped memory is simply copied.
#include <stdlib.h>
#include <string.h>

#include "command/bindings.h"
#include "command/family.h"
#include "command/own_kernels.h"
#include "util/gate.h"

struct own {
    struct cmd_queue *queue;
    struct cmd_kernel *kernels[VK_KERNEL_COUNT];
    struct cmd_families families;
    struct cmd_dummies *dummies; // guarded by dummies_lock, because creating one uses the queue
};

static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t dummies_lock = PTHREAD_MUTEX_INITIALIZER; // taken before own_lock

static struct own *get_own(struct vk_device *device)
{
    if (!device->command) {
        device->command = calloc(1, sizeof(struct own));
        device->command_exit = cmd_device_exit;
    }
    return device->command;
}

cl_int cmd_own_queue(struct vk_device *device, struct cmd_queue **queue)
{
    cl_int result = CL_SUCCESS;
    pthread_mutex_lock(&own_lock);
    struct own *own = get_own(device);
    if (!own)
        result = CL_OUT_OF_HOST_MEMORY;
    else if (!own->queue && (result = cmd_queue_create(device, 0, &own->queue)) == CL_SUCCESS)
        atomic_store(&device->internal_users, 1);
    if (result == CL_SUCCESS)
        *queue = own->queue;
    pthread_mutex_unlock(&own_lock);
    return result;
}

cl_int cmd_own_kernel(struct vk_device *device, enum vk_kernel id, struct cmd_kernel **kernel)
{
    cl_int result = CL_SUCCESS;
    const struct kc_kernel *kernels =
        device->facts->features.buffer_device_address ? vk_kernels : vk_kernels_bound;
    pthread_mutex_lock(&own_lock);
    struct own *own = get_own(device);
    if (!own)
        result = CL_OUT_OF_HOST_MEMORY;
    else if (!own->kernels[id])
        result = cmd_kernel_create(device, &kernels[id], false, &own->kernels[id]);
    if (result == CL_SUCCESS)
        *kernel = own->kernels[id];
    pthread_mutex_unlock(&own_lock);
    return result;
}

struct cmd_families *cmd_own_families(struct vk_device *device)
{
    pthread_mutex_lock(&own_lock);
    struct own *own = get_own(device);
    pthread_mutex_unlock(&own_lock);
    return own ? &own->families : NULL;
}

struct cmd_dummies **cmd_own_dummies(struct vk_device *device)
{
    pthread_mutex_lock(&dummies_lock);
    pthread_mutex_lock(&own_lock);
    struct own *own = get_own(device);
    pthread_mutex_unlock(&own_lock);
    return own ? &own->dummies : NULL;
}

void cmd_own_dummies_done(void)
{
    pthread_mutex_unlock(&dummies_lock);
}

void cmd_own_free(struct vk_device *device)
{
    struct own *own = device->command;
    device->command = NULL;
    if (!own)
        return;
    cmd_queue_release(own->queue);
    cmd_families_free(&own->families);
    for (int i = 0; i < VK_KERNEL_COUNT; i++)
        cmd_kernel_destroy(own->kernels[i]);
    cmd_dummies_destroy(own->dummies);
    free(own);
}

cl_int cmd_upload(struct vk_device *device, struct vk_buffer *buffer, uint64_t offset,
                  const void *data, uint64_t size)
{
    struct cmd_request request = {.blocking = true};
    if (vk_device_check(device) != VK_SUCCESS)
        return cmd_error(VK_ERROR_DEVICE_LOST);
    if (gate_ended())
        return CL_SUCCESS;
    if (buffer->host) {
        memcpy((uint8_t *)buffer->host + offset, data, size);
        return CL_SUCCESS;
    }
    cl_int result = cmd_own_queue(device, &request.queue);
    return result == CL_SUCCESS ? cmd_write(&request, buffer, offset, data, size) : result;
}

cl_int cmd_download(struct vk_device *device, struct vk_buffer *buffer, uint64_t offset, void *data,
                    uint64_t size)
{
    struct cmd_request request = {.blocking = true};
    if (vk_device_check(device) != VK_SUCCESS)
        return cmd_error(VK_ERROR_DEVICE_LOST);
    if (gate_ended())
        return CL_SUCCESS;
    if (buffer->host) {
        memcpy(data, (uint8_t *)buffer->host + offset, size);
        return CL_SUCCESS;
    }
    cl_int result = cmd_own_queue(device, &request.queue);
    return result == CL_SUCCESS ? cmd_read(&request, buffer, offset, data, size) : result;
}

cl_int cmd_segment_create(struct vk_device *device, const struct kc_program *program,
                          struct vk_buffer *segment)
{
    VkResult made = vk_buffer_create(device, VK_MEMORY_DEVICE, program->data_size, segment);
    if (made != VK_SUCCESS)
        return cmd_error(made);
    uint8_t *bytes = malloc(program->data_size);
    cl_int result = bytes ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (bytes) {
        memcpy(bytes, program->data, program->data_size);
        for (uint32_t i = 0; i < program->relocation_count; i++) {
            uint64_t value = segment->address + program->relocations[i].addend;
            memcpy(bytes + program->relocations[i].offset, &value, sizeof value);
        }
        result = cmd_upload(device, segment, 0, bytes, program->data_size);
    }
    free(bytes);
    if (result != CL_SUCCESS)
        vk_buffer_destroy(segment);
    return result;
}
