// SPDX-License-Identifier: Apache-2.0
// Allocations of unified shared memory. See usm.h.
#include "object/usm.h"

#include "object/svm.h"
#include "util/log.h"

// ---- what devices can do ------------------------------------------------------------------------

static bool is_cpu(const struct _cl_device_id *device)
{
    return device->physical->facts.props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

// System memory is not reported, although CPU devices can access it: nearly every kernel declares
// that it may access system memory, so no command on plain host memory could overtake any kernel.
cl_device_unified_shared_memory_capabilities_intel usm_capabilities(struct _cl_device_id *device,
                                                                    enum usm_query query)
{
    const cl_device_unified_shared_memory_capabilities_intel plain =
        CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
    const cl_device_unified_shared_memory_capabilities_intel at_once =
        device_svm(device) & CL_DEVICE_SVM_ATOMICS
            ? CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
                  CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL
            : 0;
    if (!device_caps_has(&device->caps, KC_EXT_INTEL_UNIFIED_SHARED_MEMORY) || query == USM_SYSTEM)
        return 0;
    if (query == USM_DEVICE)
        return plain | at_once;
    if (!device_shares_host(device) || (query == USM_SHARED_CROSS && !is_cpu(device)))
        return 0;
    return plain | at_once;
}

bool usm_offered(const struct _cl_context *context)
{
    for (cl_uint i = 0; i < context->device_count; i++) {
        if (device_caps_has(&context->devices[i].device->caps, KC_EXT_INTEL_UNIFIED_SHARED_MEMORY))
            return true;
    }
    return false;
}

bool usm_any(const struct _cl_context *context, enum usm_query query)
{
    for (cl_uint i = 0; i < context->device_count; i++) {
        if (usm_capabilities(context->devices[i].device, query))
            return true;
    }
    return false;
}

// ---- allocation ---------------------------------------------------------------------------------

// Device allocations of the whole process that the host cannot access. A pointer of another context
// is unknown to a call, which must not treat it as host memory.
static struct address_map hidden_from_host = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool usm_hidden_from_host(const void *pointer)
{
    size_t offset;
    struct _cl_mem *mem = address_map_find(&hidden_from_host, (uintptr_t)pointer, &offset);
    object_drop(mem);
    return mem;
}

// As for SVM: a CPU device supports any address.
static int pick_maker(const struct _cl_context *context, const struct usm_request *request)
{
    int maker = request->device;
    for (cl_uint i = 0; i < context->device_count && request->device < 0; i++) {
        struct _cl_device_id *device = context->devices[i].device;
        if (!usm_capabilities(device, USM_HOST))
            continue;
        if (maker < 0 || !is_cpu(device))
            maker = (int)i;
        if (!is_cpu(device))
            break;
    }
    return maker;
}

// Whether the device uses memory that another one has allocated.
static bool shares_memory_of_other(const struct _cl_mem *mem, cl_uint index)
{
    struct _cl_device_id *device = mem->context->devices[index].device;
    if ((int)index == mem->home || mem->usm == CL_MEM_TYPE_DEVICE_INTEL)
        return false;
    return usm_capabilities(device,
                            mem->usm == CL_MEM_TYPE_HOST_INTEL ? USM_HOST : USM_SHARED_CROSS);
}

static cl_int share_with_others(struct _cl_mem *mem)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < mem->context->device_count && !error; i++) {
        if (shares_memory_of_other(mem, i))
            error = memobj_share(mem, (int)i);
    }
    return error;
}

static cl_int make_known(struct _cl_context *context, struct _cl_mem *mem)
{
    uintptr_t begin = (uintptr_t)mem->host_ptr;
    bool hidden = !usm_seen_by_host(mem);
    cl_int error = hidden ? address_map_add(&hidden_from_host, begin, mem->size, mem) : CL_SUCCESS;
    if (!error)
        error = address_map_add(&context->shared, begin, mem->size, mem);
    if (error && hidden)
        address_map_remove(&hidden_from_host, begin, mem);
    return error;
}

cl_int usm_alloc(struct _cl_context *context, const struct usm_request *request, void **pointer)
{
    struct _cl_mem *mem = NULL;
    bool of_device = request->type == CL_MEM_TYPE_DEVICE_INTEL;
    int maker = pick_maker(context, request);
    if (maker < 0)
        return CL_OUT_OF_RESOURCES;
    cl_int error = memobj_create_shared(context, CL_MEM_READ_WRITE, request->size, maker,
                                        of_device ? VK_MEMORY_UNIQUE : VK_MEMORY_SHARED_HOST, &mem);
    if (error)
        return error;
    mem->usm = request->type;
    mem->usm_flags = request->flags;
    mem->usm_device = request->device < 0 ? NULL : context->devices[request->device].device;
    error = share_with_others(mem);
    if (!error)
        error = make_known(context, mem);
    if (error) {
        log_write(LOG_MEM, "cannot allocate %zu bytes of unified shared memory (%d)", request->size,
                  error);
        object_drop(mem);
        return error == CL_OUT_OF_HOST_MEMORY ? error : CL_OUT_OF_RESOURCES;
    }
    *pointer = mem->host_ptr;
    return CL_SUCCESS;
}

bool usm_begins(struct _cl_context *context, const void *pointer)
{
    size_t offset = 0;
    struct _cl_mem *mem = svm_find(context, pointer, &offset);
    bool begins = mem && mem->usm && !offset;
    object_drop(mem);
    return begins;
}

bool usm_free(struct _cl_context *context, const void *pointer)
{
    struct _cl_mem *mem = svm_take_out(context, pointer, true);
    if (mem)
        usm_forget(mem);
    object_drop(mem);
    return mem;
}

void usm_forget(struct _cl_mem *mem)
{
    address_map_remove(&hidden_from_host, (uintptr_t)mem->host_ptr, mem);
}

struct vk_buffer *usm_buffer(const struct _cl_mem *mem, int device_index)
{
    struct vk_buffer *buffer = &mem->copies[device_index].buffer;
    return buffer->size ? buffer : NULL;
}

bool usm_seen_by_host(const struct _cl_mem *mem)
{
    return mem->copies[mem->home].buffer.host == mem->host_ptr;
}
