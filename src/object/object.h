// SPDX-License-Identifier: Apache-2.0
// The header of all handles: the dispatch table, a type tag, two reference counts.
//
// `struct _cl_mem` and the others are our objects: a handle is a pointer to the object. The
// dispatch pointer comes first because the ICD loader expects it there. The application's count is
// changed by clRetain/clRelease and returned as *_REFERENCE_COUNT; all of it together holds one
// internal count. Other objects and commands in flight hold internal counts, and the last of those
// destroys the object. An application may retain an object again that only internal counts keep
// alive (a kernel's context after clReleaseContext).
//
// A forked child has unusable copies of its parent's objects: their locks may be held, and their
// device belongs to the parent. All calls reject them, except releases, which succeed and do
// nothing.
//
// Lock order, outermost first. A thread that holds one may take only later ones; no application
// callback runs while any is held:
//  command buffer, program->lock, kernel->lock, memobj->lock, context->lock, address map, platform,
//  then the locks of command/ and vulkan/.
#ifndef PUMICE_OBJECT_OBJECT_H
#define PUMICE_OBJECT_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/cl.h"
#include "platform/platform.h"

enum object_type {
    OBJECT_DEAD, // freed, or not one of our objects
    OBJECT_PLATFORM = 0x50756d01,
    OBJECT_DEVICE,
    OBJECT_CONTEXT,
    OBJECT_QUEUE,
    OBJECT_MEM,
    OBJECT_PROGRAM,
    OBJECT_KERNEL,
    OBJECT_EVENT,
    OBJECT_SAMPLER,
    OBJECT_SEMAPHORE,
    OBJECT_COMMAND_BUFFER,
    OBJECT_MUTABLE_COMMAND,
    OBJECT_RELEASED_EVENT, // a user event without references that commands still wait for
};

struct object {
    const struct _cl_icd_dispatch *dispatch;
    enum object_type type, type_after; // after its last use
    atomic_uint references; // of the application
    atomic_uint uses;       // internal; one for all references of the application
    unsigned fork_generation; // of the process that created it
    void (*destroy)(void *object);
    // Called when the application's count becomes zero and when it is no longer zero; may be NULL.
    void (*owned)(void *object, bool by_application);
};

// The table that every handle points to; defined by the API layer. Headers of OpenCL 3.0 end their
// table before the functions of 3.1, which newer loaders call.
extern const struct api_table {
    struct _cl_icd_dispatch icd;
    cl_int(CL_API_CALL *clGetKernelSuggestedLocalWorkSize)(cl_command_queue, cl_kernel, cl_uint,
                                                           const size_t *, const size_t *, size_t *);
} api_table;

// Starts with one reference of the application and one use. `destroy` frees the object.
void object_init(struct object *object, enum object_type type, void (*destroy)(void *object));

// True if `handle` is one of our objects and has this type. False for NULL, unaligned pointers, and
// memory whose contents are not an object's.
bool object_is(const void *handle, enum object_type type);

// False: a parent process created it.
bool object_is_ours(const void *object);

// Internal counts. object_use() returns its argument.
void *object_use(void *object);
void object_drop(void *object); // NULL allowed
bool object_try_use(void *object); // false: its last use is gone and it is being destroyed

// The application's count. False if it is already zero.
void object_retain(void *object);
bool object_release(void *object);
cl_uint object_references(const void *object);

// A list of callbacks to run when an object is destroyed, newest first.
struct object_callback {
    struct object_callback *next;
    void (*fn)(void);
    void *data;
};

// Prepends a callback to a list. CL_OUT_OF_HOST_MEMORY.
cl_int object_add_callback(struct object_callback **list, pthread_mutex_t *lock, void (*fn)(void),
                           void *data);

// Runs and empties the list; `call` knows the type of the functions.
void object_run_callbacks(struct object_callback **list, void *object,
                          void (*call)(void (*fn)(void), void *object, void *data));

#endif
