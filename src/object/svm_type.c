// SPDX-License-Identifier: Apache-2.0
// Types of shared virtual memory. See svm_type.h.
#include "object/svm_type.h"

#include "object/svm.h"
#include "object/usm.h"

#define C(name) CL_SVM_CAPABILITY_##name##_KHR

enum {
    NO_USM = -1,
    OF_DEVICES = C(SINGLE_ADDRESS_SPACE) | C(DEVICE_READ) | C(DEVICE_WRITE) | C(DEVICE_ATOMIC_ACCESS),
    OF_HOST = C(HOST_READ) | C(HOST_WRITE) | C(HOST_MAP), // maps only order commands there
    OF_ALL = C(DEVICE_UNASSOCIATED) | C(CONTEXT_ACCESS),
    AT_ONCE = C(CONCURRENT_ACCESS) | C(CONCURRENT_ATOMIC_ACCESS),
};

// A device supports a type if it shares what `svm` says and supports that kind of unified shared
// memory. `at_once` is added if host and device may use atomics on the same bytes.
static const struct type_row {
    cl_svm_capabilities_khr can, at_once;
    cl_device_svm_capabilities svm;
    int usm; // enum usm_query
} rows[SVM_TYPES] = {
    [SVM_TYPE_COARSE] = {OF_DEVICES | OF_ALL | C(HOST_MAP), 0, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, NO_USM},
    [SVM_TYPE_FINE] = {OF_DEVICES | OF_ALL | OF_HOST | C(CONCURRENT_ACCESS) | C(INDIRECT_ACCESS), AT_ONCE,
                       CL_DEVICE_SVM_FINE_GRAIN_BUFFER, NO_USM},
    [SVM_TYPE_DEVICE] = {OF_DEVICES | C(DEVICE_OWNED) | C(INDIRECT_ACCESS), 0, 0, USM_DEVICE},
    [SVM_TYPE_HOST] = {OF_DEVICES | OF_ALL | OF_HOST | C(HOST_OWNED) | C(INDIRECT_ACCESS), AT_ONCE, 0, USM_HOST},
    [SVM_TYPE_SHARED] = {OF_DEVICES | OF_HOST | C(INDIRECT_ACCESS), AT_ONCE, 0, USM_SHARED},
    [SVM_TYPE_SYSTEM] = {OF_DEVICES | OF_ALL | OF_HOST | AT_ONCE | C(SYSTEM_ALLOCATED) | C(INDIRECT_ACCESS), 0,
                         CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS,
                         NO_USM},
};

bool svm_type_offered(const struct _cl_device_id *device)
{
    return device_caps_has(&device->caps, KC_EXT_UNIFIED_SVM);
}

bool svm_type_offered_in(const struct _cl_context *context)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (svm_type_offered(context->devices[i].device))
            return true;
    return false;
}

cl_svm_capabilities_khr svm_type_capabilities(struct _cl_device_id *device, enum svm_type type)
{
    const struct type_row *row = &rows[type];
    if (!svm_type_offered(device) || !row->can)
        return 0;
    cl_device_svm_capabilities svm = device_svm(device);
    if ((svm & row->svm) != row->svm ||
        (row->usm != NO_USM && !usm_capabilities(device, (enum usm_query)row->usm)))
        return 0;
    return row->can | (svm & CL_DEVICE_SVM_ATOMICS ? row->at_once : 0);
}

cl_uint svm_type_list(enum svm_type types[SVM_TYPES], cl_svm_capabilities_khr capabilities[SVM_TYPES])
{
    struct _cl_device_id *list;
    cl_uint devices = device_list(&list), count = 0;
    for (int type = SVM_TYPE_COARSE; type < SVM_TYPES; type++) {
        cl_svm_capabilities_khr all = 0;
        for (cl_uint i = 0; i < devices; i++) {
            cl_svm_capabilities_khr can = svm_type_capabilities(&list[i], (enum svm_type)type);
            all = all && can ? all & can : all | can;
        }
        if (!all)
            continue;
        types[count] = (enum svm_type)type;
        capabilities[count++] = all;
    }
    return count;
}

// ---- allocation ---------------------------------------------------------------------------------

static cl_int alloc_usm(struct _cl_context *context, const struct svm_request *request,
                        void **pointer)
{
    static const cl_unified_shared_memory_type_intel kinds[SVM_TYPES] = {
        [SVM_TYPE_DEVICE] = CL_MEM_TYPE_DEVICE_INTEL,
        [SVM_TYPE_HOST] = CL_MEM_TYPE_HOST_INTEL,
        [SVM_TYPE_SHARED] = CL_MEM_TYPE_SHARED_INTEL,
    };
    int device = request->type == SVM_TYPE_HOST ? -1 : request->device; // host memory is not
                                                                        // associated with a device
    return usm_alloc(context, &(struct usm_request){kinds[request->type], device, 0, request->size},
                     pointer);
}

static cl_int alloc_svm(struct _cl_context *context, const struct svm_request *request,
                        void **pointer)
{
    cl_mem_flags fine = request->type == SVM_TYPE_COARSE ? 0 : CL_MEM_SVM_FINE_GRAIN_BUFFER;
    *pointer = svm_alloc(context, CL_MEM_READ_WRITE | fine, request->size);
    return *pointer ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

cl_int svm_type_alloc(struct _cl_context *context, const struct svm_request *request,
                      void **pointer)
{
    size_t offset;
    cl_int error = rows[request->type].usm == NO_USM ? alloc_svm(context, request, pointer)
                                                     : alloc_usm(context, request, pointer);
    if (error)
        return error;
    struct _cl_mem *mem = svm_find(context, *pointer, &offset); // no other thread knows it yet
    mem->svm_type = request->type;
    mem->svm_access = request->access;
    mem->usm_device = request->device < 0 ? NULL : context->devices[request->device].device;
    error = memobj_set_options(mem, &(struct memobj_options){.properties = request->properties,
                                                             .count = request->property_count});
    object_drop(mem);
    if (error)
        svm_free(context, *pointer);
    return error;
}
