// SPDX-License-Identifier: Apache-2.0
// Allocations of shared virtual memory. See svm.h.
//
// The first device that is not a CPU allocates the memory, because its addresses cannot be chosen.
// The other devices use host memory at that address, which CPU devices support.
#include "object/svm.h"

#include "object/svm_type.h"
#include "object/usm.h"
#include "util/log.h"

cl_device_svm_capabilities svm_capabilities(const struct _cl_context *context)
{
    cl_device_svm_capabilities all = 0;
    for (cl_uint i = 0; i < context->device_count; i++)
        all |= device_svm(context->devices[i].device);
    return all;
}

static bool has_all(const struct _cl_context *context, cl_uint index, cl_mem_flags flags)
{
    cl_device_svm_capabilities has = device_svm(context->devices[index].device);
    cl_device_svm_capabilities wanted = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    if (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER)
        wanted |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
    if (flags & CL_MEM_SVM_ATOMICS)
        wanted |= CL_DEVICE_SVM_ATOMICS;
    return (has & wanted) == wanted;
}

// The device that allocates the memory, or -1.
static int pick_maker(const struct _cl_context *context, cl_mem_flags flags)
{
    int maker = -1;
    for (cl_uint i = 0; i < context->device_count; i++) {
        if (!has_all(context, i, flags))
            continue;
        bool cpu = context->devices[i].vk->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
        if (maker < 0 || !cpu)
            maker = (int)i;
        if (!cpu)
            break;
    }
    return maker;
}

static cl_int share_with_others(struct _cl_mem *mem, int maker, cl_mem_flags flags)
{
    for (cl_uint i = 0; i < mem->context->device_count; i++) {
        if ((int)i == maker || !has_all(mem->context, i, flags))
            continue;
        cl_int error = memobj_share(mem, (int)i);
        if (error)
            return error;
    }
    return CL_SUCCESS;
}

void *svm_alloc(struct _cl_context *context, cl_mem_flags flags, size_t size)
{
    struct _cl_mem *mem = NULL;
    int maker = pick_maker(context, flags);
    if (maker < 0)
        return NULL;
    bool fine = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER;
    cl_int error = memobj_create_shared(context, flags, size, maker,
                                        fine ? VK_MEMORY_SHARED_HOST : VK_MEMORY_SHARED, &mem);
    if (!error) {
        mem->svm_type = fine ? SVM_TYPE_FINE : SVM_TYPE_COARSE;
        error = share_with_others(mem, maker, flags);
    }
    if (!error)
        error = address_map_add(&context->shared, (uintptr_t)mem->host_ptr, size, mem);
    if (error) {
        log_write(LOG_MEM, "cannot allocate %zu bytes of shared virtual memory (%d)", size, error);
        object_drop(mem);
        return NULL;
    }
    return mem->host_ptr;
}

bool svm_free(struct _cl_context *context, void *pointer)
{
    struct _cl_mem *mem = svm_take_out(context, pointer, false);
    if (mem && mem->usm)
        usm_forget(mem);
    object_drop(mem);
    return mem;
}

struct _cl_mem *svm_take_out(struct _cl_context *context, const void *pointer, bool unified)
{
    size_t offset;
    struct _cl_mem *mem = svm_find(context, pointer, &offset);
    bool ours = mem && !offset && !mem->svm_type == unified &&
                address_map_remove(&context->shared, (uintptr_t)pointer, mem);
    object_drop(mem);
    return ours ? mem : NULL;
}

struct _cl_mem *svm_find(struct _cl_context *context, const void *pointer, size_t *offset)
{
    return address_map_find(&context->shared, (uintptr_t)pointer, offset);
}
