// SPDX-License-Identifier: Apache-2.0
// Contexts: properties, devices, destructor callbacks.
#include "api/sharing.h"

#include <stdlib.h>

static cl_int get_devices(const void *object, struct info *info)
{
    const struct _cl_context *context = object;
    for (cl_uint i = 0; i < context->device_count; i++)
        info_handle(info, context->devices[i].device);
    return CL_SUCCESS;
}

static cl_int get_properties(const void *object, struct info *info)
{
    const struct _cl_context *context = object;
    info_put(info, context->properties, context->property_count * sizeof *context->properties);
    return CL_SUCCESS;
}

static const struct info_row context_info[] = {
    INFO_CALL(CL_CONTEXT_REFERENCE_COUNT, api_get_references),
    INFO_FIELD(CL_CONTEXT_NUM_DEVICES, struct _cl_context, device_count),
    INFO_CALL(CL_CONTEXT_DEVICES, get_devices),
    INFO_CALL(CL_CONTEXT_PROPERTIES, get_properties),
};

// ---- creation -----------------------------------------------------------------------------------

static cl_int check_property(cl_context_properties name, cl_context_properties value)
{
    switch (name) {
    case CL_CONTEXT_PLATFORM:
        return api_check((const void *)value, OBJECT_PLATFORM);
    case CL_CONTEXT_MEMORY_INITIALIZE_KHR: // see check_devices()
    case CL_GL_CONTEXT_KHR:                // this and the following: see sharing_take_origin()
    case CL_EGL_DISPLAY_KHR:
    case CL_GLX_DISPLAY_KHR:
    case CL_WGL_HDC_KHR:
    case CL_CGL_SHAREGROUP_KHR:
        return CL_SUCCESS;
    case CL_CONTEXT_INTEROP_USER_SYNC:
        if (value == CL_TRUE || value == CL_FALSE)
            return CL_SUCCESS;
        return REFUSE(CL_INVALID_PROPERTY,
                      "CL_CONTEXT_INTEROP_USER_SYNC is neither true nor false");
    default:
        return REFUSE(CL_INVALID_PROPERTY, "context property 0x%llx is not supported",
                      (unsigned long long)name);
    }
}

cl_int context_check_properties(const cl_context_properties *properties)
{
    for (size_t i = 0; properties && properties[i]; i += 2) {
        TRY(check_property(properties[i], properties[i + 1]));
        for (size_t j = 0; j < i; j += 2) {
            if (properties[j] == properties[i])
                return REFUSE(CL_INVALID_PROPERTY, "a property is specified twice");
        }
    }
    return CL_SUCCESS;
}

// Checks whether the devices support the properties.
static cl_int check_devices(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices)
{
    const cl_context_memory_initialize_khr all =
        CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR;
    for (size_t i = 0; properties && properties[i]; i += 2) {
        if (properties[i] != CL_CONTEXT_MEMORY_INITIALIZE_KHR)
            continue;
        if ((cl_context_memory_initialize_khr)properties[i + 1] & ~all)
            return REFUSE(CL_INVALID_PROPERTY, "invalid memory kinds 0x%llx", (unsigned long long)properties[i + 1]);
        for (cl_uint d = 0; d < count; d++)
            if (!device_caps_has(&devices[d]->caps, KC_EXT_INITIALIZE_MEMORY))
                return REFUSE(CL_INVALID_PROPERTY, "'%s' does not zero local memory", devices[d]->caps.name);
    }
    return CL_SUCCESS;
}

static cl_int create_context(const cl_context_properties *properties, cl_uint num_devices,
                             const cl_device_id *devices, context_notify_fn notify, void *user_data,
                             cl_context *out)
{
    TRY(context_check_properties(properties));
    if (!devices || !num_devices)
        return REFUSE(CL_INVALID_VALUE, "no devices");
    if (!notify && user_data)
        return REFUSE(CL_INVALID_VALUE, "user data without a callback function");
    for (cl_uint i = 0; i < num_devices; i++)
        TRY(api_check(devices[i], OBJECT_DEVICE));
    TRY(check_devices(properties, num_devices, devices));
    struct gl_origin gl;
    TRY(sharing_take_origin(properties, &gl));
    for (cl_uint i = 0; i < num_devices && gl.context; i++)
        if (!device_caps_has(&devices[i]->caps, KC_EXT_GL_SHARING))
            return REFUSE(CL_INVALID_OPERATION, "'%s' does not support OpenGL sharing", devices[i]->caps.name);
    cl_device_id *distinct = malloc(num_devices * sizeof *distinct);
    if (!distinct)
        return CL_OUT_OF_HOST_MEMORY;
    cl_uint count = 0;
    for (cl_uint i = 0; i < num_devices; i++) {
        cl_uint j = 0;
        while (j < count && distinct[j] != devices[i])
            j++;
        if (j == count)
            distinct[count++] = devices[i];
    }
    cl_int error = context_create(distinct, count, properties, gl.context ? &gl : NULL, notify, user_data, out);
    free(distinct);
    return error;
}

cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                       const cl_device_id *devices, context_notify_fn pfn_notify,
                                       void *user_data, cl_int *errcode_ret)
{
    API_CALL;
    cl_context context = NULL;
    api_set_error(errcode_ret, create_context(properties, num_devices, devices, pfn_notify,
                                              user_data, &context));
    return context;
}

static cl_int create_from_type(const cl_context_properties *properties, cl_device_type type,
                               context_notify_fn notify, void *user_data, cl_context *out)
{
    TRY(context_check_properties(properties));
    if (!notify && user_data)
        return REFUSE(CL_INVALID_VALUE, "user data without a callback function");
    cl_uint count = 0;
    TRY(clGetDeviceIDs(NULL, type, 0, NULL, &count));
    cl_device_id *devices = malloc(count * sizeof *devices);
    if (!devices)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int error = clGetDeviceIDs(NULL, type, count, devices, NULL);
    if (!error)
        error = create_context(properties, count, devices, notify, user_data, out);
    free(devices);
    return error;
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties,
                                               cl_device_type device_type,
                                               context_notify_fn pfn_notify, void *user_data,
                                               cl_int *errcode_ret)
{
    API_CALL;
    cl_context context = NULL;
    api_set_error(errcode_ret,
                  create_from_type(properties, device_type, pfn_notify, user_data, &context));
    return context;
}

// ---- other entry points -------------------------------------------------------------------------

cl_int CL_API_CALL clRetainContext(cl_context context)
{
    API_QUICK_CALL;
    return api_retain(context, OBJECT_CONTEXT);
}

cl_int CL_API_CALL clReleaseContext(cl_context context)
{
    API_CALL;
    return api_release(context, OBJECT_CONTEXT);
}

cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name,
                                    size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(context, OBJECT_CONTEXT));
    return info_get(context_info, INFO_COUNT(context_info), context, param_name, param_value_size,
                    param_value, param_value_size_ret);
}

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                  void(CL_CALLBACK *pfn_notify)(cl_context, void *),
                                                  void *user_data)
{
    API_CALL;
    TRY(api_check(context, OBJECT_CONTEXT));
    if (!pfn_notify)
        return REFUSE(CL_INVALID_VALUE, "no function");
    return context_add_callback(context, (void (*)(void))pfn_notify, user_data);
}
