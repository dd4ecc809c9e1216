// SPDX-License-Identifier: Apache-2.0
// Semaphores keep commands of their context's queues and nothing of a device.
#include "object/semaphore.h"

#include <stdlib.h>
#include <string.h>

static void semaphore_destroy(void *object)
{
    struct _cl_semaphore_khr *semaphore = object;
    if (semaphore->promise) // which nobody can fulfil any more
        cmd_user_set(semaphore->promise, CL_INVALID_SEMAPHORE_KHR);
    cmd_release(semaphore->promise);
    cmd_release(semaphore->signal);
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

cl_int semaphore_create(struct _cl_context *context, const cl_semaphore_properties_khr *properties, size_t property_count,
                        struct _cl_device_id *const *devices, size_t device_count, struct _cl_semaphore_khr **out)
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
    if (!semaphore->properties || !semaphore->devices) {
        semaphore_destroy(semaphore);
        return CL_OUT_OF_HOST_MEMORY;
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

cl_int semaphore_take(struct _cl_semaphore_khr *semaphore, struct command **command)
{
    cl_int error = CL_SUCCESS;
    pthread_mutex_lock(&semaphore->lock);
    *command = semaphore->signal;
    semaphore->signal = NULL;
    if (!*command && !semaphore->promise)
        error = cmd_user_create(&semaphore->promise);
    if (!*command && !error)
        *command = cmd_retain(semaphore->promise);
    pthread_mutex_unlock(&semaphore->lock);
    return error;
}

void semaphore_give_back(struct _cl_semaphore_khr *semaphore, struct command *command)
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
        before = semaphore->signal; // signalled twice: no wait has asked for the first one
        semaphore->signal = cmd_retain(signal);
    }
    pthread_mutex_unlock(&semaphore->lock);
    cmd_release(before);
    return promise ? cmd_on_status(signal, CL_COMPLETE, fulfil, promise) : CL_SUCCESS;
}

bool semaphore_is_signaled(struct _cl_semaphore_khr *semaphore)
{
    pthread_mutex_lock(&semaphore->lock);
    struct command *signal = semaphore->signal ? cmd_retain(semaphore->signal) : NULL;
    pthread_mutex_unlock(&semaphore->lock);
    bool signaled = signal && cmd_status(signal) == CL_COMPLETE;
    cmd_release(signal);
    return signaled;
}
