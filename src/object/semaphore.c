// SPDX-License-Identifier: Apache-2.0
// Semaphores hold commands of their context's queues, and with an external handle a semaphore of
// their device.
#include "object/semaphore.h"

#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "vulkan/external.h"

// ---- semaphores of the device -------------------------------------------------------------------

static void drop_probe(struct semaphore_payload *payload)
{
    if (payload->probe >= 0)
        descriptor_close(payload->probe);
    payload->probe = PROBE_NONE;
}

static bool probe_is_signaled(const struct semaphore_payload *payload)
{
    return payload->probe == PROBE_SIGNALED || (payload->probe >= 0 && descriptor_is_ready(payload->probe));
}

void semaphore_payload_release(void *data)
{
    struct semaphore_payload *payload = data;
    if (!payload || atomic_fetch_sub(&payload->refs, 1) != 1)
        return;
    drop_probe(payload);
    vk_semaphore_destroy(payload->vk, payload->binary.handle);
    object_drop(payload->context);
    free(payload);
}

static struct semaphore_payload *payload_retain(struct semaphore_payload *payload)
{
    if (payload)
        atomic_fetch_add(&payload->refs, 1);
    return payload;
}

static struct vk_device *device_of(const struct _cl_semaphore_khr *semaphore)
{
    const struct _cl_context *context = semaphore->context;
    cl_uint i = 0;
    while (context->devices[i].device != semaphore->devices[0])
        i++;
    return context->devices[i].vk;
}

static int probe_of(const struct semaphore_external *external, int fd)
{
    if (external->in != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT)
        return PROBE_NONE;
    int probe = descriptor_copy(fd);
    return fd == -1 ? PROBE_SIGNALED : probe < 0 ? PROBE_NONE : probe;
}

static cl_int payload_create(const struct _cl_semaphore_khr *semaphore, int fd,
                             struct semaphore_payload **out)
{
    const struct semaphore_external *external = &semaphore->external;
    struct semaphore_payload *payload = calloc(1, sizeof *payload);
    if (!payload)
        return CL_OUT_OF_HOST_MEMORY;
    atomic_init(&payload->refs, 1);
    payload->probe = probe_of(external, fd);
    payload->context = object_use(semaphore->context);
    payload->vk = device_of(semaphore);
    VkResult result = vk_semaphore_create(payload->vk, external->out, &payload->binary.handle);
    if (result == VK_SUCCESS && external->in)
        result = vk_semaphore_import(payload->vk, payload->binary.handle, external->in, fd);
    if (result != VK_SUCCESS) {
        semaphore_payload_release(payload);
        return result == VK_ERROR_INVALID_EXTERNAL_HANDLE ? CL_INVALID_PROPERTY : cmd_error(result);
    }
    *out = payload;
    return CL_SUCCESS;
}

struct semaphore_payload *semaphore_payload(struct _cl_semaphore_khr *semaphore)
{
    pthread_mutex_lock(&semaphore->lock);
    struct semaphore_payload *payload = payload_retain(semaphore->payload);
    pthread_mutex_unlock(&semaphore->lock);
    return payload;
}

// Commands in flight keep the old payload.
cl_int semaphore_import(struct _cl_semaphore_khr *semaphore, int fd)
{
    struct semaphore_payload *payload;
    cl_int error = payload_create(semaphore, fd, &payload);
    if (error)
        return error;
    pthread_mutex_lock(&semaphore->lock);
    struct semaphore_payload *before = semaphore->payload;
    struct command *signal = semaphore->signal;
    semaphore->payload = payload;
    semaphore->signal = NULL;
    pthread_mutex_unlock(&semaphore->lock);
    cmd_release(signal);
    semaphore_payload_release(before);
    return CL_SUCCESS;
}

// Exporting a copy consumes the signal, which must have been submitted by then.
static cl_int export_copy(struct _cl_semaphore_khr *semaphore, struct semaphore_payload *payload,
                          int *fd)
{
    struct command *signal = NULL;
    semaphore_consume(semaphore, &signal);
    cl_int status = signal ? cmd_status(signal) : CL_QUEUED;
    VkResult result = VK_SUCCESS;
    if (status <= CL_SUBMITTED && status >= CL_COMPLETE)
        result = vk_semaphore_export(payload->vk, payload->binary.handle, semaphore->external.out, fd);
    if (signal && (status == CL_QUEUED || result != VK_SUCCESS))
        semaphore_restore(semaphore, signal);
    else
        cmd_release(signal);
    return status == CL_QUEUED ? CL_INVALID_OPERATION : status < 0 ? status : cmd_error(result);
}

cl_int semaphore_export(struct _cl_semaphore_khr *semaphore, int *fd)
{
    struct semaphore_payload *payload = semaphore_payload(semaphore);
    cl_int error;
    if (semaphore->external.out == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT)
        error = export_copy(semaphore, payload, fd);
    else
        error = cmd_error(
            vk_semaphore_export(payload->vk, payload->binary.handle, semaphore->external.out, fd));
    semaphore_payload_release(payload);
    return error;
}

// ---- objects ------------------------------------------------------------------------------------

static void semaphore_destroy(void *object)
{
    struct _cl_semaphore_khr *semaphore = object;
    if (semaphore->promise) // nobody can fulfil it any more
        cmd_user_set(semaphore->promise, CL_INVALID_SEMAPHORE_KHR);
    cmd_release(semaphore->promise);
    cmd_release(semaphore->signal);
    semaphore_payload_release(semaphore->payload);
    object_drop(semaphore->context);
    pthread_mutex_destroy(&semaphore->lock);
    free(semaphore->properties);
    free(semaphore->devices);
    free(semaphore);
}

static void *copied(const void *list, size_t bytes)
{
    void *copy = malloc(bytes);
    return copy ? memcpy(copy, list, bytes) : NULL;
}

cl_int semaphore_create(struct _cl_context *context, const cl_semaphore_properties_khr *properties,
                        size_t property_count, struct _cl_device_id *const *devices,
                        size_t device_count, const struct semaphore_external *external,
                        struct _cl_semaphore_khr **out)
{
    struct _cl_semaphore_khr *semaphore = calloc(1, sizeof *semaphore);
    if (!semaphore)
        return CL_OUT_OF_HOST_MEMORY;
    object_init(&semaphore->base, OBJECT_SEMAPHORE, semaphore_destroy);
    pthread_mutex_init(&semaphore->lock, NULL);
    semaphore->context = object_use(context);
    semaphore->properties = copied(properties, property_count * sizeof *properties);
    semaphore->property_count = property_count;
    semaphore->devices = copied(devices, device_count * sizeof(struct _cl_device_id *));
    semaphore->device_count = device_count;
    semaphore->external = *external;
    cl_int error = semaphore->properties && semaphore->devices ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (!error && (external->in || external->out))
        error = payload_create(semaphore, external->fd, &semaphore->payload);
    if (error) {
        semaphore_destroy(semaphore);
        return error;
    }
    *out = semaphore;
    return CL_SUCCESS;
}

bool semaphore_has_device(const struct _cl_semaphore_khr *semaphore, const struct _cl_device_id *device)
{
    for (size_t i = 0; i < semaphore->device_count; i++)
        if (semaphore->devices[i] == device)
            return true;
    return false;
}

cl_int semaphore_consume(struct _cl_semaphore_khr *semaphore, struct command **command)
{
    cl_int error = CL_SUCCESS;
    pthread_mutex_lock(&semaphore->lock);
    *command = semaphore->signal;
    semaphore->signal = NULL;
    if (semaphore->payload)
        drop_probe(semaphore->payload);
    bool promises = !*command && !semaphore->payload;
    if (promises && !semaphore->promise)
        error = cmd_user_create(&semaphore->promise);
    if (promises && !error)
        *command = cmd_retain(semaphore->promise);
    pthread_mutex_unlock(&semaphore->lock);
    return error;
}

void semaphore_restore(struct _cl_semaphore_khr *semaphore, struct command *command)
{
    pthread_mutex_lock(&semaphore->lock);
    if (!semaphore->signal && command != semaphore->promise) {
        semaphore->signal = command;
        command = NULL;
    }
    pthread_mutex_unlock(&semaphore->lock);
    cmd_release(command);
}

static void fulfil(struct command *signal, cl_int status, void *promise)
{
    (void)signal;
    cmd_user_set(promise, status);
    cmd_release(promise);
}

cl_int semaphore_signal(struct _cl_semaphore_khr *semaphore, struct command *signal)
{
    struct command *before = NULL;
    pthread_mutex_lock(&semaphore->lock);
    struct command *promise = semaphore->promise;
    semaphore->promise = NULL;
    if (!promise) {
        before = semaphore->signal; // signalled twice: no wait has used the first one
        semaphore->signal = cmd_retain(signal);
    }
    pthread_mutex_unlock(&semaphore->lock);
    cmd_release(before);
    return promise ? cmd_on_status(signal, CL_COMPLETE, fulfil, promise, NULL) : CL_SUCCESS;
}

bool semaphore_is_signaled(struct _cl_semaphore_khr *semaphore)
{
    pthread_mutex_lock(&semaphore->lock);
    struct command *signal = semaphore->signal ? cmd_retain(semaphore->signal) : NULL;
    bool signaled = semaphore->payload && probe_is_signaled(semaphore->payload);
    pthread_mutex_unlock(&semaphore->lock);
    signaled |= signal && cmd_status(signal) == CL_COMPLETE;
    cmd_release(signal);
    return signaled;
}
