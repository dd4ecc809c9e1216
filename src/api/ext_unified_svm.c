// SPDX-License-Identifier: Apache-2.0
// cl_khr_unified_svm: shared virtual memory of the types in svm_type.h, by index.
//
// Its use by commands and kernels is in svm.c, kernel.c and launch.c.
#include "api/api.h"
#include "object/svm.h"
#include "object/svm_type.h"

struct types {
    enum svm_type kinds[SVM_TYPES];
    cl_svm_capabilities_khr can[SVM_TYPES];
    cl_uint count;
};

static struct types list_types(void)
{
    struct types types;
    types.count = svm_type_list(types.kinds, types.can);
    return types;
}

// ---- properties ---------------------------------------------------------------------------------

enum { ALIGN_MAX = 128 }; // of long16; all allocations have this alignment

static cl_int read_device(const struct _cl_context *context, cl_properties value,
                          struct svm_request *request)
{
    cl_device_id device = (cl_device_id)(uintptr_t)value;
    request->device = device ? context_find(context, device) : -1;
    return !device || request->device >= 0
               ? CL_SUCCESS
               : REFUSE(CL_INVALID_PROPERTY, "%p is not a device of the context", (void *)device);
}

static cl_int read_access(const struct _cl_context *context, cl_properties value,
                          struct svm_request *request)
{
    const cl_svm_alloc_access_flags_khr known =
        CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR |
        CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;
    (void)context;
    request->access = value;
    return value & ~known ? REFUSE(CL_INVALID_PROPERTY, "invalid access flags 0x%llx", (unsigned long long)value) : CL_SUCCESS;
}

static cl_int read_alignment(const struct _cl_context *context, cl_properties value,
                             struct svm_request *request)
{
    (void)context, (void)request;
    return value & (value - 1) || value > ALIGN_MAX
               ? REFUSE(CL_INVALID_PROPERTY, "invalid alignment of %llu bytes", (unsigned long long)value)
               : CL_SUCCESS;
}

static const struct {
    cl_properties name;
    cl_int (*read)(const struct _cl_context *context, cl_properties value,
                   struct svm_request *request);
} readers[] = {
    {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, read_device},
    {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, read_access},
    {CL_SVM_ALLOC_ALIGNMENT_KHR, read_alignment},
};

static cl_int read_properties(const struct _cl_context *context,
                              const cl_svm_alloc_properties_khr *properties,
                              struct svm_request *request)
{
    unsigned seen = 0;
    size_t at = 0;
    request->device = -1;
    request->properties = properties;
    for (; properties && properties[at]; at += 2) {
        size_t i = 0;
        while (i < INFO_COUNT(readers) && readers[i].name != properties[at])
            i++;
        if (i == INFO_COUNT(readers) || seen >> i & 1)
            return REFUSE(CL_INVALID_PROPERTY, "property 0x%llx is unknown or specified twice",
                          (unsigned long long)properties[at]);
        seen |= 1u << i;
        TRY(readers[i].read(context, properties[at + 1], request));
    }
    request->property_count = at + 1;
    return CL_SUCCESS;
}

// ---- allocation ---------------------------------------------------------------------------------

static bool some_device_has(const struct _cl_context *context, enum svm_type type)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (svm_type_capabilities(context->devices[i].device, type))
            return true;
    return false;
}

static cl_int check_type(const struct _cl_context *context, const struct types *types,
                         cl_uint index, struct svm_request *request)
{
    if (index >= types->count)
        return REFUSE(CL_INVALID_VALUE, "invalid type %u, the device has %u", index, types->count);
    request->type = types->kinds[index];
    if (request->device < 0 && !(types->can[index] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR))
        return REFUSE(CL_INVALID_PROPERTY, "memory of type %u needs a device, and none is specified", index);
    bool had = request->device < 0 ? some_device_has(context, request->type)
                                   : svm_type_capabilities(context->devices[request->device].device,
                                                           request->type) != 0;
    return had ? CL_SUCCESS : REFUSE(CL_INVALID_OPERATION, "the device does not support memory of type %u", index);
}

// The largest allocation of any device of the context.
static size_t max_allocation_of(const struct _cl_context *context)
{
    cl_ulong most = 0;
    for (cl_uint i = 0; i < context->device_count; i++) {
        cl_ulong its = context->devices[i].device->caps.max_allocation;
        most = its > most ? its : most;
    }
    return most;
}

static cl_int alloc(cl_context context, const cl_svm_alloc_properties_khr *properties, cl_uint index, size_t size,
                    void **pointer)
{
    struct svm_request request = {.size = size};
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(read_properties(context, properties, &request));
    struct types types = list_types();
    TRY(check_type(context, &types, index, &request));
    if (!size)
        return CL_SUCCESS;
    if (size > max_allocation_of(context))
        return REFUSE(CL_OUT_OF_RESOURCES, "%zu bytes exceed CL_DEVICE_MAX_MEM_ALLOC_SIZE", size);
    cl_int error = svm_type_alloc(context, &request, pointer);
    return error ? REFUSE(error, "%zu bytes", size) : CL_SUCCESS;
}

void *CL_API_CALL clSVMAllocWithPropertiesKHR(cl_context context, const cl_svm_alloc_properties_khr *properties,
                                              cl_uint svm_type_index, size_t size, cl_int *errcode_ret)
{
    API_CALL;
    void *pointer = NULL;
    api_set_error(errcode_ret, alloc(context, properties, svm_type_index, size, &pointer));
    return pointer;
}

cl_int CL_API_CALL clSVMFreeWithPropertiesKHR(cl_context context, const cl_svm_free_properties_khr *properties,
                                              cl_svm_free_flags_khr flags, void *ptr)
{
    API_CALL;
    TRY(api_check(context, OBJECT_CONTEXT));
    if (properties && *properties)
        return REFUSE(CL_INVALID_PROPERTY, "unknown property 0x%llx", (unsigned long long)*properties);
    if (flags)
        return REFUSE(CL_INVALID_VALUE, "invalid flags 0x%llx", (unsigned long long)flags);
    if (ptr && !svm_free(context, ptr))
        return REFUSE(CL_INVALID_VALUE, "%p is not the start of an SVM allocation", ptr);
    return CL_SUCCESS;
}

// ---- queries ------------------------------------------------------------------------------------

struct answer {
    cl_uint index;
    cl_svm_capabilities_khr can;
    cl_svm_alloc_access_flags_khr access;
    void *base;
    size_t size;
    cl_device_id device;
    const struct _cl_mem *mem;
};

static cl_int get_properties(const void *object, struct info *info)
{
    const struct _cl_mem *mem = ((const struct answer *)object)->mem;
    if (mem)
        info_put(info, mem->properties, mem->property_count * sizeof *mem->properties);
    return CL_SUCCESS;
}

static const struct info_row pointer_info[] = {
    INFO_FIELD(CL_SVM_INFO_TYPE_INDEX_KHR, struct answer, index),
    INFO_FIELD(CL_SVM_INFO_CAPABILITIES_KHR, struct answer, can),
    INFO_CALL(CL_SVM_INFO_PROPERTIES_KHR, get_properties),
    INFO_FIELD(CL_SVM_INFO_ACCESS_FLAGS_KHR, struct answer, access),
    INFO_FIELD(CL_SVM_INFO_BASE_PTR_KHR, struct answer, base),
    INFO_FIELD(CL_SVM_INFO_SIZE_KHR, struct answer, size),
    INFO_FIELD(CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, struct answer, device),
};

// For the device, or the common capabilities of all devices that support the type.
static cl_svm_capabilities_khr can_do(const struct _cl_context *context, struct _cl_device_id *device,
                                      enum svm_type type)
{
    cl_svm_capabilities_khr all = 0;
    if (device)
        return svm_type_capabilities(device, type);
    for (cl_uint i = 0; i < context->device_count; i++) {
        cl_svm_capabilities_khr can = svm_type_capabilities(context->devices[i].device, type);
        all = all && can ? all & can : all | can;
    }
    return all;
}

static void fill_answer(const struct _cl_context *context, struct _cl_device_id *device, const struct _cl_mem *mem,
                        struct answer *answer)
{
    struct types types = list_types();
    cl_uint index = 0;
    while (index < types.count && (int)types.kinds[index] != mem->svm_type)
        index++;
    if (index == types.count) // no device supports the extension
        return;
    cl_svm_capabilities_khr can = can_do(context, device ? device : mem->usm_device, types.kinds[index]);
    *answer = (struct answer){index, can, mem->svm_access, mem->host_ptr, mem->size, mem->usm_device, mem};
}

cl_int CL_API_CALL clGetSVMPointerInfoKHR(cl_context context, cl_device_id device, const void *ptr,
                                          cl_svm_pointer_info_khr param_name, size_t param_value_size,
                                          void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    size_t offset;
    struct answer answer = {.index = CL_UINT_MAX};
    TRY(api_check(context, OBJECT_CONTEXT));
    if (device)
        TRY(api_check(device, OBJECT_DEVICE));
    if (device && context_find(context, device) < 0)
        return REFUSE(CL_INVALID_DEVICE, "the device is not in the context");
    struct _cl_mem *mem = svm_find(context, ptr, &offset);
    if (mem && mem->svm_type)
        fill_answer(context, device, mem, &answer);
    cl_int error = info_get(pointer_info, INFO_COUNT(pointer_info), &answer, param_name, param_value_size,
                            param_value, param_value_size_ret);
    object_drop(mem);
    return error;
}

// ---- suggestions --------------------------------------------------------------------------------

// The number of suitable devices that have everything required, and how many of the desired
// capabilities they have.
struct score {
    int devices, desired;
};

static struct score score_type(const struct _cl_context *context, const struct svm_request *request,
                               enum svm_type type, cl_svm_capabilities_khr required,
                               cl_svm_capabilities_khr desired)
{
    struct score score = {0, 64};
    for (cl_uint i = 0; i < context->device_count; i++) {
        struct _cl_device_id *device = context->devices[i].device;
        cl_svm_capabilities_khr can = svm_type_capabilities(device, type);
        if ((request->device >= 0 && (int)i != request->device) || !can ||
            (can & required) != required || request->size > device->caps.max_allocation)
            continue;
        int has = __builtin_popcountll(can & desired);
        score.desired = has < score.desired ? has : score.desired;
        score.devices++;
    }
    return score;
}

// The first type that most devices support and, among those, that has the most desired
// capabilities.
static cl_uint suggest(const struct _cl_context *context, const struct svm_request *request,
                       cl_svm_capabilities_khr required, cl_svm_capabilities_khr desired)
{
    struct types types = list_types();
    struct score best = {0, 0};
    cl_uint index = CL_UINT_MAX;
    for (cl_uint i = 0; i < types.count; i++) {
        struct score score = score_type(context, request, types.kinds[i], required, desired);
        if (score.devices > best.devices || (score.devices && score.devices == best.devices && score.desired > best.desired)) {
            best = score;
            index = i;
        }
    }
    return index;
}

cl_int CL_API_CALL clGetSVMSuggestedTypeIndexKHR(cl_context context, cl_svm_capabilities_khr required_capabilities,
                                                 cl_svm_capabilities_khr desired_capabilities,
                                                 const cl_svm_alloc_properties_khr *properties, size_t size,
                                                 cl_uint *suggested_svm_type_index)
{
    API_CALL;
    struct svm_request request = {.size = size};
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(read_properties(context, properties, &request));
    if (!suggested_svm_type_index)
        return REFUSE(CL_INVALID_VALUE, "the pointer for the index is NULL");
    *suggested_svm_type_index =
        suggest(context, &request, required_capabilities, desired_capabilities);
    return CL_SUCCESS;
}
