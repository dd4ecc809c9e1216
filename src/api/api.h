// SPDX-License-Identifier: Apache-2.0
// What the cl* functions share: argument checks, refusals that say why, wait lists.
//
// Arguments are checked here and nowhere below. A function that creates has a static twin that
// returns cl_int and does the work.
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

// The first line of every function of the API: see util/gate.h.
#define API_CALL                                                                                   \
    struct gate_visitor *api_visitor __attribute__((cleanup(gate_leave), unused)) = gate_enter()
// Or this one, where all that is done is to count or to store.
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

// CL_SUCCESS, or CL_INVALID_<type> when the handle is not a live object of ours.
cl_int api_check(const void *handle, enum object_type type);
// A queue that commands are enqueued on by the host.
cl_int api_check_queue(cl_command_queue queue);
cl_int api_retain(void *handle, enum object_type type);
cl_int api_release(void *handle, enum object_type type);
// The CL_*_REFERENCE_COUNT row of every object's table.
cl_int api_get_references(const void *object, struct info *info);

// Hands out an error the way creators do.
static inline void api_set_error(cl_int *errcode_ret, cl_int error)
{
    if (errcode_ret)
        *errcode_ret = error;
}

// CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT or success.
cl_int api_check_waits(const struct _cl_context *context, cl_uint count, const cl_event *list);

// ---- one enqueue, from arguments to event -------------------------------------------------------

enum { API_SMALL = 16 };

struct api_enqueue {
    struct cmd_request request;
    struct _cl_command_queue *queue;
    struct command *small_waits[API_SMALL], **waits;
    struct cmd_hold small_holds[API_SMALL], *holds;
    uint32_t hold_capacity;
    struct command *command;
    bool recorded; // into a command buffer
    bool only_reads; // the memory object that is named next; then false again
};

// Checks queue and wait list and starts a request; event: whether one is wanted. Every begin that
// succeeds needs an end.
cl_int api_enqueue_begin(struct api_enqueue *enqueue, cl_command_queue queue, cl_uint wait_count,
                         const cl_event *waits, const cl_event *event);
// The same for a command that may wait for fences of OpenGL and EGL.
cl_int api_enqueue_begin_any(struct api_enqueue *enqueue, cl_command_queue queue, cl_uint wait_count,
                             const cl_event *waits, const cl_event *event);
// The same for a command that goes to a command buffer's `recorded`, made with `queue`.
cl_int api_enqueue_record(struct api_enqueue *enqueue, cl_command_queue queue, struct cmd_queue *recorded);
// The enqueue returns when the command is complete.
void api_enqueue_block(struct api_enqueue *enqueue, cl_bool blocking);
// The command keeps the object until it is done.
cl_int api_enqueue_hold(struct api_enqueue *enqueue, void *object);
// The same for a memory object that it uses on the queue's device.
cl_int api_enqueue_memory(struct api_enqueue *enqueue, cl_mem mem);
// One by one those that the command uses so far, from *at = 0 on; false: no more.
bool api_enqueue_next_memory(const struct api_enqueue *enqueue, uint32_t *at, struct _cl_mem **mem);
// The command keeps `data` and calls `release` when it is done, also when there is an error here.
cl_int api_enqueue_keep(struct api_enqueue *enqueue, void *data, void (*release)(void *data));
// The device's buffer of a memory object, held.
cl_int api_enqueue_buffer(struct api_enqueue *enqueue, cl_mem mem, struct vk_buffer **buffer,
                          uint64_t *offset);
// The device's texels of an image, held.
cl_int api_enqueue_surface(struct api_enqueue *enqueue, cl_mem image,
                           const struct cmd_surface **surface);
// Tells a transfer what pinned memory its host pointer is in, if any, and holds that.
cl_int api_enqueue_pinned(struct api_enqueue *enqueue, const void *pointer);
// `error` is that of the command; makes the event when asked for and there is none.
cl_int api_enqueue_end(struct api_enqueue *enqueue, cl_int error, cl_command_type type,
                       cl_event *event);

#endif
