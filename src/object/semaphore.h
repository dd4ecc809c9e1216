// SPDX-License-Identifier: Apache-2.0
// Binary semaphores: the state after the last signal, until a wait consumes it.
//
// A signal is a command, and a wait is a command that depends on it. No device semaphore is needed,
// because commands of one device are ordered there. A wait that precedes its signal depends on a
// promise, a user event that the signal sets when it is complete.
//
// A semaphore with an external handle also has a device semaphore, which its commands wait for and
// signal on the device. Signals by OpenCL are still tracked, so that a wait comes after them;
// signals by others are unknown. The state after failed waits and signals is recorded (struct
// cmd_binary).
#ifndef PUMICE_OBJECT_SEMAPHORE_H
#define PUMICE_OBJECT_SEMAPHORE_H

#include <stdatomic.h>

#include "command/command.h"
#include "object/context.h"
#include "object/object.h"
#include "platform/platform.h"

// A reference-counted device semaphore: commands may outlive the object, and an import replaces it.
struct semaphore_payload {
    atomic_uint refs;
    struct _cl_context *context;
    struct vk_device *vk;
    struct cmd_binary binary;
    int probe; // state of a copied payload before a wait: an fd to poll, PROBE_SIGNALED or
               // PROBE_NONE
};

enum { PROBE_SIGNALED = -1, PROBE_NONE = -2 };

// How a semaphore is created: from an fd (`in`), exportable (`out`). Vulkan's types, 0: no.
struct semaphore_external {
    VkExternalSemaphoreHandleTypeFlagBits in, out;
    int fd;
};

struct _cl_semaphore_khr {
    struct object base;
    struct _cl_context *context;
    cl_semaphore_properties_khr *properties; // as passed, including the terminating 0
    size_t property_count;
    struct _cl_device_id **devices; // associated devices
    size_t device_count;
    struct semaphore_external external;
    pthread_mutex_t lock;
    struct semaphore_payload *payload; // NULL: no device semaphore
    struct command *signal;  // counted; NULL: no signal without a wait is enqueued
    struct command *promise; // counted; NULL: no wait precedes its signal
};

// Copies the lists. Takes the fd on success; CL_INVALID_PROPERTY: the device does not accept it.
cl_int semaphore_create(struct _cl_context *context, const cl_semaphore_properties_khr *properties,
                        size_t property_count, struct _cl_device_id *const *devices,
                        size_t device_count, const struct semaphore_external *external,
                        struct _cl_semaphore_khr **out);
// Replaces the payload with the payload of another fd.
cl_int semaphore_import(struct _cl_semaphore_khr *semaphore, int fd);
// CL_INVALID_OPERATION: no signal that could be copied has been submitted.
cl_int semaphore_export(struct _cl_semaphore_khr *semaphore, int *fd);
// Returns a reference; NULL: none.
struct semaphore_payload *semaphore_payload(struct _cl_semaphore_khr *semaphore);
void semaphore_payload_release(void *payload);
bool semaphore_has_device(const struct _cl_semaphore_khr *semaphore, const struct _cl_device_id *device);
// The dependency of a wait, with a reference for the caller (NULL: another API's signal). Then the
// semaphore may be signalled again.
cl_int semaphore_consume(struct _cl_semaphore_khr *semaphore, struct command **command);
// Undoes that if the wait was not enqueued; takes back the reference.
void semaphore_restore(struct _cl_semaphore_khr *semaphore, struct command *command);
cl_int semaphore_signal(struct _cl_semaphore_khr *semaphore, struct command *signal);
bool semaphore_is_signaled(struct _cl_semaphore_khr *semaphore);

#endif
