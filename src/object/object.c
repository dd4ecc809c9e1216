// SPDX-License-Identifier: Apache-2.0
// Reference counts of handles; see object.h for the two kinds.
#include "object/object.h"

#include <stdlib.h>

#include "util/gate.h"
#include "util/thread.h"

void object_init(struct object *object, enum object_type type, void (*destroy)(void *object))
{
    object->dispatch = &api_table.icd;
    object->type = type;
    object->type_after = OBJECT_DEAD;
    object->destroy = destroy;
    object->owned = NULL;
    object->fork_generation = thread_fork_generation();
    atomic_init(&object->references, 1);
    atomic_init(&object->uses, 1);
}

bool object_is(const void *handle, enum object_type type)
{
    if (!handle || (uintptr_t)handle % _Alignof(struct object))
        return false;
    const struct object *object = handle;
    return object->dispatch == &api_table.icd && object->type == type;
}

bool object_is_ours(const void *handle)
{
    return ((const struct object *)handle)->fork_generation == thread_fork_generation();
}

void *object_use(void *handle)
{
    struct object *object = handle;
    atomic_fetch_add_explicit(&object->uses, 1, memory_order_relaxed);
    return handle;
}

bool object_try_use(void *handle)
{
    struct object *object = handle;
    unsigned uses = atomic_load_explicit(&object->uses, memory_order_relaxed);
    while (uses) {
        if (atomic_compare_exchange_weak_explicit(&object->uses, &uses, uses + 1,
                                                  memory_order_relaxed, memory_order_relaxed))
            return true;
    }
    return false;
}

void object_drop(void *handle)
{
    struct object *object = handle;
    if (!object || atomic_fetch_sub_explicit(&object->uses, 1, memory_order_acq_rel) != 1)
        return;
    void (*destroy)(void *) = object->destroy;
    object->type = object->type_after;
    destroy(handle);
}

void object_retain(void *handle)
{
    struct object *object = handle;
    if (atomic_fetch_add_explicit(&object->references, 1, memory_order_relaxed) != 0)
        return;
    object_use(handle);
    if (object->owned)
        object->owned(handle, true);
}

bool object_release(void *handle)
{
    struct object *object = handle;
    unsigned references = atomic_load_explicit(&object->references, memory_order_relaxed);
    do {
        if (references == 0)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&object->references, &references,
                                                    references - 1, memory_order_acq_rel,
                                                    memory_order_relaxed));
    if (references == 1) {
        if (object->owned)
            object->owned(handle, false);
        object_drop(handle);
    }
    return true;
}

cl_uint object_references(const void *handle)
{
    const struct object *object = handle;
    return atomic_load_explicit(&((struct object *)object)->references, memory_order_relaxed);
}

cl_int object_add_callback(struct object_callback **list, pthread_mutex_t *lock, void (*fn)(void),
                           void *data)
{
    struct object_callback *callback = malloc(sizeof *callback);
    if (!callback)
        return CL_OUT_OF_HOST_MEMORY;
    callback->fn = fn;
    callback->data = data;
    pthread_mutex_lock(lock);
    callback->next = *list;
    *list = callback;
    pthread_mutex_unlock(lock);
    return CL_SUCCESS;
}

void object_run_callbacks(struct object_callback **list, void *object,
                          void (*call)(void (*fn)(void), void *object, void *data))
{
    while (*list) {
        struct object_callback *callback = *list;
        *list = callback->next;
        unsigned depth = gate_step_out();
        call(callback->fn, object, callback->data);
        gate_step_in(depth);
        free(callback);
    }
}
