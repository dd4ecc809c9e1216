// SPDX-License-Identifier: Apache-2.0
// Binary semaphores: what the last signal was, until a wait takes it.
//
// A signal is a command, and a wait is one that depends on it: nothing of the device is needed, and commands of one device
// follow each other there. A wait that comes before its signal depends on a promise, a user event's command, which the
// signal fulfils when it is complete.
#ifndef PUMICE_OBJECT_SEMAPHORE_H
#define PUMICE_OBJECT_SEMAPHORE_H

#include <pthread.h>

#include "command/command.h"
#include "object/context.h"
#include "object/object.h"

struct _cl_semaphore_khr {
    struct object base;
    struct _cl_context *context;
    cl_semaphore_properties_khr *properties; // as given, terminating 0 included
    size_t property_count;
    struct _cl_device_id **devices; // that it is associated with
    size_t device_count;
    pthread_mutex_t lock;
    struct command *signal;  // counted; NULL: no signal is enqueued that no wait has taken
    struct command *promise; // counted; NULL: no wait is ahead of its signal
};

// Copies the lists.
cl_int semaphore_create(struct _cl_context *context, const cl_semaphore_properties_khr *properties, size_t property_count,
                        struct _cl_device_id *const *devices, size_t device_count, struct _cl_semaphore_khr **out);
bool semaphore_has_device(const struct _cl_semaphore_khr *semaphore, const struct _cl_device_id *device);
// What a wait depends on, with a count for the caller; the semaphore may be signalled again.
cl_int semaphore_take(struct _cl_semaphore_khr *semaphore, struct command **command);
// The wait was not enqueued after all: takes the count back.
void semaphore_give_back(struct _cl_semaphore_khr *semaphore, struct command *command);
cl_int semaphore_signal(struct _cl_semaphore_khr *semaphore, struct command *signal);
bool semaphore_is_signaled(struct _cl_semaphore_khr *semaphore);

#endif
