// SPDX-License-Identifier: Apache-2.0
// Binary semaphores: what the last signal was, until a wait takes it.
//
// A signal is a command, and a wait is one that depends on it: nothing of the device is needed, and
// commands of one device follow each other there. A wait that comes before its signal depends on a
// promise, a user event's command, which the signal fulfils when it is complete.
//
// One with an external handle is a semaphore of the device besides, which its commands wait for and
// signal there. Signals of OpenCL's own are still known, so that a wait comes after them; of
// others' nothing is. What a wait or a signal that fails leaves there is kept (struct cmd_binary).
#ifndef PUMICE_OBJECT_SEMAPHORE_H
#define PUMICE_OBJECT_SEMAPHORE_H

#include <stdatomic.h>

#include "command/command.h"
#include "object/context.h"
#include "object/object.h"
#include "platform/platform.h"

// A semaphore of the device, counted: commands need it for longer than its object, and another may
// take its place.
struct semaphore_payload {
    atomic_uint refs;
    struct _cl_context *context;
    struct vk_device *vk;
    struct cmd_binary binary;
    int probe; // what tells of a copied payload that no wait has taken: an fd, PROBE_SIGNALED; or PROBE_NONE
};

enum { PROBE_SIGNALED = -1, PROBE_NONE = -2 };

// How one is made: from an fd, or to be exported. Types are Vulkan's, 0: not so.
struct semaphore_external {
    VkExternalSemaphoreHandleTypeFlagBits in, out;
    int fd;
};

struct _cl_semaphore_khr {
    struct object base;
    struct _cl_context *context;
    cl_semaphore_properties_khr *properties; // as given, terminating 0 included
    size_t property_count;
    struct _cl_device_id **devices; // that it is associated with
    size_t device_count;
    struct semaphore_external external;
    pthread_mutex_t lock;
    struct semaphore_payload *payload; // NULL: nothing of a device
    struct command *signal;  // counted; NULL: no signal is enqueued that no wait has taken
    struct command *promise; // counted; NULL: no wait is ahead of its signal
};

// Copies the lists. An fd becomes the semaphore's when it succeeds; CL_INVALID_PROPERTY: it is
// nothing that the device knows.
cl_int semaphore_create(struct _cl_context *context, const cl_semaphore_properties_khr *properties,
                        size_t property_count, struct _cl_device_id *const *devices,
                        size_t device_count, const struct semaphore_external *external,
                        struct _cl_semaphore_khr **out);
// The payload of another fd in place of its own.
cl_int semaphore_import(struct _cl_semaphore_khr *semaphore, int fd);
// CL_INVALID_OPERATION: no signal that could be copied is on its way.
cl_int semaphore_export(struct _cl_semaphore_khr *semaphore, int *fd);
// With a count for the caller; NULL: it has none.
struct semaphore_payload *semaphore_payload(struct _cl_semaphore_khr *semaphore);
void semaphore_payload_release(void *payload);
bool semaphore_has_device(const struct _cl_semaphore_khr *semaphore, const struct _cl_device_id *device);
// What a wait depends on, with a count for the caller (NULL: another API's signal); the semaphore
// may be signalled again.
cl_int semaphore_take(struct _cl_semaphore_khr *semaphore, struct command **command);
// The wait was not enqueued after all: takes the count back.
void semaphore_give_back(struct _cl_semaphore_khr *semaphore, struct command *command);
cl_int semaphore_signal(struct _cl_semaphore_khr *semaphore, struct command *signal);
bool semaphore_is_signaled(struct _cl_semaphore_khr *semaphore);

#endif
