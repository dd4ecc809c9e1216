// SPDX-License-Identifier: Apache-2.0
// Buffers and sub-buffers: checks and defaults of flags, queries, destructor callbacks.
#include "api/memory.h"

#include "object/svm.h"

// ---- queries ------------------------------------------------------------------------------------

static cl_int get_properties(const void *object, struct info *info)
{
    const struct _cl_mem *mem = object;
    info_put(info, mem->properties, mem->property_count * sizeof *mem->properties);
    return CL_SUCCESS;
}

static cl_int get_map_count(const void *object, struct info *info)
{
    info_uint(info, memobj_map_count(object));
    return CL_SUCCESS;
}

static cl_int get_uses_svm(const void *object, struct info *info)
{
    const struct _cl_mem *mem = object;
    info_bool(info, mem->svm || (mem->parent && mem->parent->svm));
    return CL_SUCCESS;
}

static cl_int get_addresses(const void *object, struct info *info)
{
    const struct _cl_mem *mem = object;
    if (!mem->addressed)
        return REFUSE(CL_INVALID_OPERATION,
                      "the buffer was created without CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
    for (cl_uint i = 0; i < mem->context->device_count; i++)
        info_ulong(info, memobj_address(mem, (int)i));
    return CL_SUCCESS;
}

static const struct info_row mem_info[] = {
    INFO_FIELD(CL_MEM_TYPE, struct _cl_mem, type),
    INFO_FIELD(CL_MEM_FLAGS, struct _cl_mem, flags),
    INFO_FIELD(CL_MEM_SIZE, struct _cl_mem, size),
    INFO_FIELD(CL_MEM_HOST_PTR, struct _cl_mem, host_ptr),
    INFO_CALL(CL_MEM_MAP_COUNT, get_map_count),
    INFO_CALL(CL_MEM_REFERENCE_COUNT, api_get_references),
    INFO_FIELD(CL_MEM_CONTEXT, struct _cl_mem, context),
    INFO_FIELD(CL_MEM_ASSOCIATED_MEMOBJECT, struct _cl_mem, parent),
    INFO_FIELD(CL_MEM_OFFSET, struct _cl_mem, origin),
    INFO_CALL(CL_MEM_USES_SVM_POINTER, get_uses_svm),
    INFO_CALL(CL_MEM_PROPERTIES, get_properties),
    INFO_CALL(CL_MEM_DEVICE_ADDRESS_EXT, get_addresses),
};

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name,
                                      size_t param_value_size, void *param_value,
                                      size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(memobj, OBJECT_MEM));
    return info_get(mem_info, INFO_COUNT(mem_info), memobj, param_name, param_value_size,
                    param_value, param_value_size_ret);
}

// ---- buffers ------------------------------------------------------------------------------------

static bool one_at_most(cl_mem_flags bits)
{
    return !(bits & (bits - 1));
}

cl_int memory_check_flags(cl_mem_flags flags)
{
    if (flags & ~(cl_mem_flags)(DEVICE_ACCESS | HOST_ACCESS | HOST_POINTER | CL_MEM_IMMUTABLE_EXT))
        return REFUSE(CL_INVALID_VALUE, "invalid flags 0x%llx", (unsigned long long)flags);
    if (!one_at_most(flags & DEVICE_ACCESS) || !one_at_most(flags & HOST_ACCESS))
        return REFUSE(CL_INVALID_VALUE, "the access flags exclude each other");
    if (flags & CL_MEM_USE_HOST_PTR && flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))
        return REFUSE(CL_INVALID_VALUE, "CL_MEM_USE_HOST_PTR is combined with another host pointer flag");
    if (flags & CL_MEM_IMMUTABLE_EXT && flags & WRITES)
        return REFUSE(CL_INVALID_VALUE, "an immutable object cannot be writable");
    return CL_SUCCESS;
}

cl_int memory_check_contents(cl_mem_flags flags)
{
    if (flags & CL_MEM_IMMUTABLE_EXT && !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
        return REFUSE(CL_INVALID_VALUE, "an immutable object needs a host pointer");
    return CL_SUCCESS;
}

static cl_int check_size(const struct _cl_context *context, size_t size)
{
    if (!size)
        return REFUSE(CL_INVALID_BUFFER_SIZE, "the buffer size is 0");
    for (cl_uint i = 0; i < context->device_count; i++) {
        if (size <= context->devices[i].device->caps.max_allocation)
            return CL_SUCCESS;
    }
    return REFUSE(CL_INVALID_BUFFER_SIZE, "%zu bytes exceed the limits of all devices", size);
}

// A buffer in SVM must not extend beyond the allocation.
static cl_int check_svm(struct _cl_context *context, cl_mem_flags flags, size_t size,
                        const void *host_ptr)
{
    size_t offset;
    struct _cl_mem *mem = svm_find(context, host_ptr, &offset);
    bool used = mem && flags & CL_MEM_USE_HOST_PTR, fits = !used || size <= mem->size - offset;
    bool device = mem && mem->usm == CL_MEM_TYPE_DEVICE_INTEL;
    object_drop(mem);
    if (device)
        return REFUSE(CL_INVALID_HOST_PTR, "%p is device memory, not host memory", host_ptr);
    return fits ? CL_SUCCESS
                : REFUSE(CL_INVALID_BUFFER_SIZE, "%zu bytes exceed the SVM allocation", size);
}

static cl_int create_buffer(cl_context context, const cl_mem_properties *properties,
                            cl_mem_flags flags, size_t size, void *host_ptr, cl_mem *out)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    struct memobj_options options;
    TRY(memory_read_properties(context, properties, true, &options));
    if (options.addressed && !context_addressed(context, true))
        return REFUSE(CL_INVALID_OPERATION, "a device of the context does not support buffer addresses");
    TRY(memory_check_flags(flags));
    TRY(memory_check_options(&options, flags, host_ptr));
    TRY(check_size(context, size));
    if (!host_ptr != !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
        return REFUSE(CL_INVALID_HOST_PTR, "host pointer %p does not match the flags", host_ptr);
    TRY(check_svm(context, flags, size, host_ptr));
    if (!(flags & (DEVICE_ACCESS | CL_MEM_IMMUTABLE_EXT)))
        flags |= CL_MEM_READ_WRITE;
    return memobj_create_buffer(context, flags, size, host_ptr, &options, out);
}

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                  void *host_ptr, cl_int *errcode_ret)
{
    API_CALL;
    cl_mem mem = NULL;
    api_set_error(errcode_ret, create_buffer(context, NULL, flags, size, host_ptr, &mem));
    return mem;
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                const cl_mem_properties *properties,
                                                cl_mem_flags flags, size_t size, void *host_ptr,
                                                cl_int *errcode_ret)
{
    API_CALL;
    cl_mem mem = NULL;
    api_set_error(errcode_ret, create_buffer(context, properties, flags, size, host_ptr, &mem));
    return mem;
}

// ---- sub-buffers --------------------------------------------------------------------------------

// Flags that a sub-buffer or image of such a parent must not have.
struct sub_rule {
    cl_mem_flags parent, refused;
};

static const struct sub_rule sub_rules[] = {
    {CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY},
    {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY},
    {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY},
    {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
    {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY},
    {CL_MEM_IMMUTABLE_EXT, WRITES},
};

cl_int memory_check_child_flags(const struct _cl_mem *parent, cl_mem_flags flags)
{
    TRY(memory_check_flags(flags));
    if (flags & HOST_POINTER)
        return REFUSE(CL_INVALID_VALUE, "a sub-buffer uses the host pointer of its parent");
    for (size_t i = 0; i < INFO_COUNT(sub_rules); i++) {
        if (parent->flags & sub_rules[i].parent && flags & sub_rules[i].refused)
            return REFUSE(CL_INVALID_VALUE, "the parent's flags do not allow it");
    }
    return CL_SUCCESS;
}

cl_mem_flags memory_child_flags(const struct _cl_mem *parent, cl_mem_flags flags)
{
    if (!(flags & DEVICE_ACCESS))
        flags |= parent->flags & DEVICE_ACCESS;
    if (!(flags & HOST_ACCESS))
        flags |= parent->flags & HOST_ACCESS;
    return flags | (parent->flags & (HOST_POINTER | CL_MEM_IMMUTABLE_EXT));
}

static cl_int check_region(const struct _cl_mem *parent, const cl_buffer_region *region)
{
    if (!region)
        return REFUSE(CL_INVALID_VALUE, "no region");
    if (!region->size)
        return REFUSE(CL_INVALID_BUFFER_SIZE, "the sub-buffer size is 0");
    if (region->origin > parent->size || region->size > parent->size - region->origin)
        return REFUSE(CL_INVALID_VALUE, "the region exceeds the parent");
    for (cl_uint i = 0; i < parent->context->device_count; i++) {
        if (region->origin % (parent->context->devices[i].device->caps.base_align_bits / 8) == 0)
            return CL_SUCCESS;
    }
    return REFUSE(CL_MISALIGNED_SUB_BUFFER_OFFSET, "invalid origin %zu", region->origin);
}

static cl_int create_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                const void *create_info, cl_mem *out)
{
    TRY(api_check(buffer, OBJECT_MEM));
    if (buffer->type != CL_MEM_OBJECT_BUFFER || buffer->parent)
        return REFUSE(CL_INVALID_MEM_OBJECT, "the parent is a sub-buffer or not a buffer");
    TRY(memory_check_child_flags(buffer, flags));
    if (type != CL_BUFFER_CREATE_TYPE_REGION)
        return REFUSE(CL_INVALID_VALUE, "invalid create type 0x%x", type);
    const cl_buffer_region *region = create_info;
    TRY(check_region(buffer, region));
    flags = memory_child_flags(buffer, flags);
    return memobj_create_sub_buffer(buffer, flags, region->origin, region->size, out);
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                     cl_buffer_create_type buffer_create_type,
                                     const void *buffer_create_info, cl_int *errcode_ret)
{
    API_CALL;
    cl_mem mem = NULL;
    api_set_error(errcode_ret,
                  create_sub_buffer(buffer, flags, buffer_create_type, buffer_create_info, &mem));
    return mem;
}

// ---- other entry points -------------------------------------------------------------------------

cl_int CL_API_CALL clRetainMemObject(cl_mem memobj)
{
    API_QUICK_CALL;
    return api_retain(memobj, OBJECT_MEM);
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj)
{
    API_CALL;
    return api_release(memobj, OBJECT_MEM);
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memobj,
                                                    void(CL_CALLBACK *pfn_notify)(cl_mem, void *),
                                                    void *user_data)
{
    API_CALL;
    TRY(api_check(memobj, OBJECT_MEM));
    if (!pfn_notify)
        return REFUSE(CL_INVALID_VALUE, "no function");
    return memobj_add_callback(memobj, (void (*)(void))pfn_notify, user_data);
}
