// SPDX-License-Identifier: Apache-2.0
// What every handle begins with: the dispatch table, a type tag, two reference counts.
//
// `struct _cl_mem` and its kin are our objects: a handle is the object. The dispatch pointer comes
// first because the ICD loader looks there. The application's count is what clRetain/clRelease move
// and what
// *_REFERENCE_COUNT shows; all of it together holds one internal count. Other objects and commands
// in flight hold internal counts; the object is destroyed with the last of those. An application
// may retain again what only internal counts keep alive (a kernel's context after
// clReleaseContext).
//
// A child of fork() has copies of its parent's objects, of no use: their locks may be held, and
// their device is the parent's. All calls refuse them, releases alone succeed and do nothing.
//
// Lock order, outermost first. A thread that holds one may take only those below it; no application
// callback runs under any:
//   a command buffer's, program->lock, kernel->lock, memobj->lock, context->lock, an address map's, the platform's
//   lock, then command/ and vulkan/.
#ifndef PUMICE_OBJECT_OBJECT_H
#define PUMICE_OBJECT_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/cl.h"
#include "platform/platform.h"

enum object_type {
    OBJECT_DEAD, // freed, or never ours
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
};

struct object {
    const struct _cl_icd_dispatch *dispatch;
    enum object_type type;
    atomic_uint references; // the application's
    atomic_uint uses;       // internal; one for all of the application's
    unsigned fork_generation; // of the process that made it
    void (*destroy)(void *object);
    // Called when the application's count reaches zero, and when it leaves it again; NULL: not.
    void (*owned)(void *object, bool by_application);
};

// The table every handle points at; defined by the API layer.
// Headers of OpenCL 3.0 end their table before the functions of 3.1, which newer loaders look for.
extern const struct api_table {
    struct _cl_icd_dispatch icd;
    cl_int(CL_API_CALL *clGetKernelSuggestedLocalWorkSize)(cl_command_queue, cl_kernel, cl_uint,
                                                           const size_t *, const size_t *, size_t *);
} api_table;

// One reference of the application's, one use. `destroy` frees the object.
void object_init(struct object *object, enum object_type type, void (*destroy)(void *object));

// True when `handle` is one of ours and of this type. NULL and what is not aligned is not; memory
// that was never an object is refused as far as reading it can tell.
bool object_is(const void *handle, enum object_type type);

// False: a parent process made it.
bool object_is_ours(const void *object);

// Internal counts. object_use() returns its argument.
void *object_use(void *object);
void object_drop(void *object); // NULL allowed
bool object_try_use(void *object); // false: its last count is gone, it is being destroyed

// The application's count. False when it is zero already.
void object_retain(void *object);
bool object_release(void *object);
cl_uint object_references(const void *object);

// A list of callbacks to run newest first when an object goes.
struct object_callback {
    struct object_callback *next;
    void (*fn)(void);
    void *data;
};

// Puts a callback in front of a list. CL_OUT_OF_HOST_MEMORY.
cl_int object_add_callback(struct object_callback **list, pthread_mutex_t *lock, void (*fn)(void),
                           void *data);

// Empties the list; `call` knows the functions' type.
void object_run_callbacks(struct object_callback **list, void *object,
                          void (*call)(void (*fn)(void), void *object, void *data));

#endif
