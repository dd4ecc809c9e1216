// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory: allocation, commands, and freeing in queue order.
//
// Pointers into an allocation are resolved to a buffer and an offset here. Other pointers are host
// memory: copies accept it on all devices, other commands only if the device shares all memory
// (fine-grained system SVM).
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

#include "api/memory.h"
#include "api/place.h"
#include "api/record.h"
#include "object/svm.h"
#include "object/svm_type.h"
#include "util/log.h"

// ---- allocation ---------------------------------------------------------------------------------

enum {
    ACCESS = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
    FINE = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
    ALIGN_MAX = 128, // of long16; all allocations have this alignment
};

static const char *why_not(const struct _cl_context *context, cl_svm_mem_flags flags, size_t size,
                           cl_uint alignment)
{
    cl_mem_flags access = flags & ACCESS;
    if (flags & ~(cl_svm_mem_flags)(ACCESS | FINE) || access & (access - 1))
        return "the flags are unknown or exclude each other";
    if ((flags & FINE) == CL_MEM_SVM_ATOMICS)
        return "CL_MEM_SVM_ATOMICS without CL_MEM_SVM_FINE_GRAIN_BUFFER";
    if (alignment & (alignment - 1) || alignment > ALIGN_MAX)
        return "the alignment is not a power of two, or too large";
    if (!size)
        return "no bytes";
    for (cl_uint i = 0; i < context->device_count; i++) {
        if (size > context->devices[i].device->caps.max_allocation)
            return "the size is 0 or exceeds CL_DEVICE_MAX_MEM_ALLOC_SIZE";
    }
    return NULL;
}

void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                             cl_uint alignment)
{
    API_CALL;
    if (api_check(context, OBJECT_CONTEXT))
        return NULL;
    const char *why = why_not(context, flags, size, alignment);
    void *pointer =
        why ? NULL : svm_alloc(context, flags & ACCESS ? flags : flags | CL_MEM_READ_WRITE, size);
    if (!pointer)
        log_write(LOG_API, "clSVMAlloc: %zu bytes: %s", size, why ? why : "no device supports these flags");
    return pointer;
}

void CL_API_CALL clSVMFree(cl_context context, void *svm_pointer)
{
    API_CALL;
    if (api_check(context, OBJECT_CONTEXT) || !svm_pointer)
        return;
    if (!svm_free(context, svm_pointer))
        log_write(LOG_API, "clSVMFree: %p is not allocated", svm_pointer);
}

// ---- pointers in commands -----------------------------------------------------------------------

static cl_int check_device(const struct api_enqueue *enqueue)
{
    if (device_svm(enqueue->queue->device) || svm_type_offered(enqueue->queue->device))
        return CL_SUCCESS;
    return REFUSE(CL_INVALID_OPERATION, "the device does not support shared virtual memory");
}

static bool shares_all(const struct api_enqueue *enqueue)
{
    return device_svm(enqueue->queue->device) & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
}

// Rejects host memory if only shared memory is allowed.
static cl_int check_shared(const struct api_enqueue *enqueue, const struct place *place,
                           const void *pointer)
{
    if (place->mem && place->mem->usm == CL_MEM_TYPE_DEVICE_INTEL)
        return REFUSE(CL_INVALID_VALUE, "%p is device memory", pointer);
    if (place->buffer || shares_all(enqueue))
        return CL_SUCCESS;
    return REFUSE(CL_INVALID_VALUE, "%p is not shared virtual memory of this context", pointer);
}

// ---- copies and fills ---------------------------------------------------------------------------

// cl_khr_unified_svm allows any pointer for zero bytes.
static bool is_nothing(const struct api_enqueue *enqueue, size_t size)
{
    return !size && svm_type_offered(enqueue->queue->device);
}

cl_int svm_copy(struct api_enqueue *enqueue, void *dst, const void *src, size_t size)
{
    TRY(check_device(enqueue));
    if (is_nothing(enqueue, size))
        return cmd_nothing(&enqueue->request);
    return place_copy(enqueue, dst, src, size);
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy,
                                      void *dst_ptr, const void *src_ptr, size_t size,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    api_enqueue_block(&enqueue, blocking_copy);
    cl_int error = svm_copy(&enqueue, dst_ptr, src_ptr, size);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_SVM_MEMCPY, event);
}

cl_int svm_fill(struct api_enqueue *enqueue, void *svm_ptr, const void *pattern,
                size_t pattern_size, size_t size)
{
    TRY(check_device(enqueue));
    TRY(place_check_pattern(svm_ptr, pattern, pattern_size, size));
    if (is_nothing(enqueue, size))
        return cmd_nothing(&enqueue->request);
    return place_fill(enqueue, svm_ptr, pattern, pattern_size, size, shares_all(enqueue));
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue, void *svm_ptr,
                                       const void *pattern, size_t pattern_size, size_t size,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = svm_fill(&enqueue, svm_ptr, pattern, pattern_size, size);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_SVM_MEMFILL, event);
}

// ---- maps ---------------------------------------------------------------------------------------

static const cl_map_flags map_writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

static cl_int check_map_flags(cl_map_flags flags, size_t size)
{
    if (!size)
        return REFUSE(CL_INVALID_VALUE, "the size to map is 0");
    if (flags & ~(map_writes | CL_MAP_READ) ||
        (flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE)))
        return REFUSE(CL_INVALID_VALUE, "invalid map flags 0x%llx", (unsigned long long)flags);
    return CL_SUCCESS;
}

// Memory accessible to both is always mapped: a map only orders commands.
static bool seen_by_host(const struct place *place)
{
    return !place->buffer || place->buffer->host || place->mem->usm;
}

static cl_int map(struct api_enqueue *enqueue, cl_map_flags flags, void *svm_ptr, size_t size)
{
    struct place place;
    struct memobj_mapping *entry;
    struct cmd_mapping *mapping;
    void *pointer;
    TRY(check_device(enqueue));
    TRY(check_map_flags(flags, size));
    TRY(place_find(enqueue, svm_ptr, size, &place));
    TRY(check_shared(enqueue, &place, svm_ptr));
    // What is mapped for writing stays as the host has it: OpenCL allows a second map of shared virtual memory.
    if (seen_by_host(&place) || memobj_nest_mapping(place.mem, place.offset, size, 1))
        return cmd_marker(&enqueue->request);
    cl_int error =
        memobj_reserve_mapping(place.mem, place.offset, size, flags & map_writes, &entry);
    if (error)
        return REFUSE(error, "%zu bytes at %p are already mapped for writing", size, svm_ptr);
    object_use(place.mem); // a blocking map has released its hold when it returns
    error = cmd_map(&enqueue->request, place.buffer, place.offset, size, place.mem->host_ptr, flags,
                    &mapping, &pointer);
    if (error)
        memobj_remove_mapping(entry);
    else
        memobj_set_mapping(entry, enqueue->queue->device_index, mapping, svm_ptr);
    object_drop(place.mem);
    return error;
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map,
                                   cl_map_flags flags, void *svm_ptr, size_t size,
                                   cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                   cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    api_enqueue_block(&enqueue, blocking_map);
    cl_int error = map(&enqueue, flags, svm_ptr, size);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_SVM_MAP, event);
}

static cl_int unmap(struct api_enqueue *enqueue, void *svm_ptr)
{
    struct place place;
    TRY(check_device(enqueue));
    TRY(place_find(enqueue, svm_ptr, 0, &place));
    TRY(check_shared(enqueue, &place, svm_ptr));
    if (seen_by_host(&place))
        return cmd_marker(&enqueue->request);
    struct memobj_mapping *entry = memobj_take_mapping(place.mem, svm_ptr);
    if (entry)
        return memory_unmap(enqueue, entry);
    size_t size = memobj_take_nested(place.mem, svm_ptr);
    if (size)
        return cmd_write(&enqueue->request, place.buffer, place.offset, svm_ptr, size);
    if (memobj_nest_mapping(place.mem, place.offset, 1, -1))
        return cmd_marker(&enqueue->request);
    return REFUSE(CL_INVALID_VALUE, "%p is not mapped", svm_ptr);
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue, void *svm_ptr,
                                     cl_uint num_events_in_wait_list,
                                     const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = unmap(&enqueue, svm_ptr);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_SVM_UNMAP, event);
}

// ---- migration ----------------------------------------------------------------------------------

// Programs access memory that has been migrated to the host without mapping it, because drivers
// that migrate pages allow that. If the host cannot access the device's memory, its contents are
// copied to the host address.
static cl_int read_back(const struct api_enqueue *enqueue, const struct place *place,
                        const void *pointer, size_t size, struct command **command)
{
    struct cmd_request request = enqueue->request;
    request.holds = NULL; // the last command of the migration keeps them
    request.hold_count = 0;
    request.out = command;
    return cmd_read(&request, place->buffer, place->offset, (void *)(uintptr_t)pointer,
                    size ? size : place->mem->size - place->offset);
}

static cl_int end_migration(struct api_enqueue *enqueue, struct command *const *moved, cl_uint count)
{
    if (!count)
        return cmd_marker(&enqueue->request);
    enqueue->request.waits = moved;
    enqueue->request.wait_count = count;
    return cmd_nothing(&enqueue->request);
}

static cl_int migrate(struct api_enqueue *enqueue, cl_uint count, const void **pointers,
                      const size_t *sizes, cl_mem_migration_flags flags)
{
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    struct command *small[API_SMALL], **moved = small;
    cl_uint moving = 0;
    cl_int error = CL_SUCCESS;
    TRY(check_device(enqueue));
    if (!count || !pointers)
        return REFUSE(CL_INVALID_VALUE, "no pointers");
    if (flags & ~known)
        return REFUSE(CL_INVALID_VALUE, "invalid migration flags 0x%llx", (unsigned long long)flags);
    if (count > API_SMALL && !(moved = malloc(count * sizeof *moved)))
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count && !error; i++) {
        struct place place;
        size_t size = sizes ? sizes[i] : 0;
        if (!pointers[i] && is_nothing(enqueue, size))
            continue;
        error = place_find(enqueue, pointers[i], size, &place);
        if (!error && !place.mem && !shares_all(enqueue))
            error = REFUSE(CL_INVALID_VALUE, "%p is not allocated by clSVMAlloc", pointers[i]);
        if (!error && flags == CL_MIGRATE_MEM_OBJECT_HOST && !seen_by_host(&place))
            error = read_back(enqueue, &place, pointers[i], size, &moved[moving++]);
    }
    if (!error)
        error = end_migration(enqueue, moved, moving);
    for (cl_uint i = 0; i < moving; i++)
        cmd_release(moved[i]);
    if (moved != small)
        free(moved);
    return error;
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                          const void **svm_pointers, const size_t *sizes,
                                          cl_mem_migration_flags flags,
                                          cl_uint num_events_in_wait_list,
                                          const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = migrate(&enqueue, num_svm_pointers, svm_pointers, sizes, flags);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_SVM_MIGRATE_MEM, event);
}

// ---- freeing in order ---------------------------------------------------------------------------

typedef void(CL_CALLBACK *free_fn)(cl_command_queue, cl_uint, void *[], void *);

struct freeing {
    struct _cl_command_queue *queue; // counted
    free_fn fn;                      // NULL: Pumice frees them
    void *data;
    cl_uint count;
    void *pointers[];
};

static void run_freeing(void *data)
{
    struct freeing *freeing = data;
    if (freeing->fn) {
        freeing->fn(freeing->queue, freeing->count, freeing->pointers, freeing->data);
        return;
    }
    for (cl_uint i = 0; i < freeing->count; i++)
        svm_free(freeing->queue->context, freeing->pointers[i]);
}

static void release_freeing(void *data)
{
    struct freeing *freeing = data;
    object_drop(freeing->queue);
    free(freeing);
}

static cl_int enqueue_freeing(struct api_enqueue *enqueue, cl_uint count, void *pointers[],
                              free_fn fn, void *data)
{
    TRY(check_device(enqueue));
    if (!count != !pointers)
        return REFUSE(CL_INVALID_VALUE, "%u pointers in a list that is %s", count,
                      pointers ? "non-NULL" : "NULL");
    struct freeing *freeing = malloc(sizeof *freeing + count * sizeof *pointers);
    if (!freeing)
        return CL_OUT_OF_HOST_MEMORY;
    *freeing = (struct freeing){object_use(enqueue->queue), fn, data, count};
    if (count)
        memcpy(freeing->pointers, pointers, count * sizeof *pointers);
    cl_int error = api_enqueue_keep(enqueue, freeing, release_freeing);
    return error ? error : cmd_native(&enqueue->request, run_freeing, freeing);
}

cl_int CL_API_CALL clEnqueueSVMFree(
    cl_command_queue command_queue, cl_uint num_svm_pointers, void *svm_pointers[],
    void(CL_CALLBACK *pfn_free_func)(cl_command_queue, cl_uint, void *[], void *), void *user_data,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error =
        enqueue_freeing(&enqueue, num_svm_pointers, svm_pointers, pfn_free_func, user_data);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_SVM_FREE, event);
}
