// SPDX-License-Identifier: Apache-2.0
// A context: its devices, opened in Vulkan, and callbacks for its destruction.
#ifndef PUMICE_OBJECT_CONTEXT_H
#define PUMICE_OBJECT_CONTEXT_H

#include "object/address_map.h"
#include "gl/share.h"
#include "object/device.h"

typedef void(CL_CALLBACK *context_notify_fn)(const char *message, const void *data, size_t size,
                                             void *user);

struct context_device {
    struct _cl_device_id *device;
    struct vk_device *vk;
    const struct kc_target *target; // of the context's programs: the device's, or `own_target`
    struct kc_target *own_target;   // NULL: not needed
    struct address_map addresses; // buffers whose device addresses were queried
    struct address_map pinned; // buffers in host memory that the device can access, by host pointer
    struct _cl_command_queue *queues, *default_queue; // queues on the device (CL_QUEUE_ON_DEVICE);
                                                      // under the context's lock
};

struct _cl_context {
    struct object base;
    struct context_device *devices;
    cl_uint device_count;
    cl_context_properties *properties; // as passed, including the terminating 0
    size_t property_count;             // 0: NULL was passed
    context_notify_fn notify;
    void *notify_data;
    pthread_mutex_t lock; // guards callbacks and queues on devices
    struct object_callback *callbacks;
    uint64_t last_queue; // last number given to a queue on the device
    struct address_map shared; // shared virtual memory, by pointer
    struct context_share *gl;     // with the OpenGL context that the properties name; NULL: none
    struct context_share *shares; // that one, and those with EGL displays (gl.h); under the lock
};

// `devices` are distinct and valid; `gl`: the OpenGL context to share with, or NULL. Errors:
// CL_DEVICE_NOT_AVAILABLE if one cannot be opened, CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR,
// CL_INVALID_OPERATION if sharing is not possible.
cl_int context_create(struct _cl_device_id *const *devices, cl_uint count,
                      const cl_context_properties *properties, const struct gl_origin *gl, context_notify_fn notify,
                      void *data, struct _cl_context **out);

// Index of the device in the context, or -1.
int context_find(const struct _cl_context *context, const struct _cl_device_id *device);

// Whether all of its devices (`all`) or at least one supports cl_ext_buffer_device_address.
bool context_addressed(const struct _cl_context *context, bool all);

cl_int context_add_callback(struct _cl_context *context, void (*fn)(void), void *data);

// Calls the application's notify function, if there is one.
void context_report(const struct _cl_context *context, const char *message);

#endif
