// SPDX-License-Identifier: Apache-2.0
// What the cl* functions share: argument checks, refusals with a reason, wait lists.
//
// Arguments are checked in this layer only. For a function that creates an object, a static
// function that returns cl_int does the work.
#ifndef PUMICE_API_API_H
#define PUMICE_API_API_H

#include "api/info.h"
#include "object/cl.h"
#include "object/event.h"
#include "object/image.h"
#include "object/kernel.h"
#include "object/memobj.h"
#include "object/object.h"
#include "object/program.h"
#include "object/queue.h"
#include "util/gate.h"

// The first line of every API function: see util/gate.h.
#define API_CALL                                                                                   \
    struct gate_visitor *api_visitor __attribute__((cleanup(gate_leave), unused)) = gate_enter()
// A faster alternative for functions that only change a count or store a value.
#define API_QUICK_CALL                                                                             \
    struct gate_visitor *api_visitor __attribute__((cleanup(gate_leave), unused)) = gate_enter_quickly()

// Logs the reason (PUMICE_DEBUG=api) and returns the code.
cl_int api_refuse(cl_int code, const char *call, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define REFUSE(code, ...) api_refuse((code), __func__, __VA_ARGS__)

#define TRY(expression)                                                                            \
    do {                                                                                           \
        cl_int try_error = (expression);                                                           \
        if (try_error)                                                                             \
            return try_error;                                                                      \
    } while (0)

// CL_SUCCESS, or CL_INVALID_<type> if the handle is not a live object of ours.
cl_int api_check(const void *handle, enum object_type type);
// Checks a queue for enqueues by the host.
cl_int api_check_queue(cl_command_queue queue);
cl_int api_retain(void *handle, enum object_type type);
cl_int api_release(void *handle, enum object_type type);
// The CL_*_REFERENCE_COUNT query of all objects.
cl_int api_get_references(const void *object, struct info *info);

// Returns an error through errcode_ret.
static inline void api_set_error(cl_int *errcode_ret, cl_int error)
{
    if (errcode_ret)
        *errcode_ret = error;
}

// Returns CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT or CL_SUCCESS.
cl_int api_check_waits(const struct _cl_context *context, cl_uint count, const cl_event *list);

// ---- enqueues: from arguments to an event -------------------------------------------------------

enum { API_SMALL = 16 };

struct api_enqueue {
    struct cmd_request request;
    struct _cl_command_queue *queue;
    struct command *small_waits[API_SMALL], **waits;
    struct cmd_hold small_holds[API_SMALL], *holds;
    uint32_t hold_capacity;
    struct command *command;
    bool recorded; // into a command buffer
    bool only_reads; // applies to the next memory object, then resets to false
};

// Checks queue and wait list and starts a request; `event`: NULL if no event is wanted. Every
// successful begin needs an end.
cl_int api_enqueue_begin(struct api_enqueue *enqueue, cl_command_queue queue, cl_uint wait_count,
                         const cl_event *waits, const cl_event *event);
// The same for a command that may wait for OpenGL and EGL fences.
cl_int api_enqueue_begin_any(struct api_enqueue *enqueue, cl_command_queue queue, cl_uint wait_count,
                             const cl_event *waits, const cl_event *event);
// The same for a command that is recorded into a command buffer's queue `recorded`, created for
// `queue`.
cl_int api_enqueue_record(struct api_enqueue *enqueue, cl_command_queue queue, struct cmd_queue *recorded);
// Makes the enqueue return only when the command is complete.
void api_enqueue_block(struct api_enqueue *enqueue, cl_bool blocking);
// Keeps the object alive until the command is done.
cl_int api_enqueue_hold(struct api_enqueue *enqueue, void *object);
// The same for a memory object that the command uses on the queue's device.
cl_int api_enqueue_memory(struct api_enqueue *enqueue, cl_mem mem);
// Iterates over the memory objects that the command uses so far, starting with *at = 0; false: no
// more.
bool api_enqueue_next_memory(const struct api_enqueue *enqueue, uint32_t *at, struct _cl_mem **mem);
// Calls `release` when the command is done, even if this function fails.
cl_int api_enqueue_keep(struct api_enqueue *enqueue, void *data, void (*release)(void *data));
// The device's buffer of a memory object, kept alive by the command.
cl_int api_enqueue_buffer(struct api_enqueue *enqueue, cl_mem mem, struct vk_buffer **buffer,
                          uint64_t *offset);
// The device's texels of an image, kept alive by the command.
cl_int api_enqueue_surface(struct api_enqueue *enqueue, cl_mem image,
                           const struct cmd_surface **surface);
// If the host pointer of a transfer is in pinned memory, passes that to the transfer and keeps it
// alive.
cl_int api_enqueue_pinned(struct api_enqueue *enqueue, const void *pointer);
// `error` is the result of the command; creates the event if requested.
cl_int api_enqueue_end(struct api_enqueue *enqueue, cl_int error, cl_command_type type,
                       cl_event *event);

#endif
