// SPDX-License-Identifier: Apache-2.0
// cl_khr_gl_sharing, cl_khr_gl_depth_images and cl_khr_gl_event.
#include "api/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "api/memory.h"

// ---- objects ------------------------------------------------------------------------------------

static cl_int check_flags(cl_context context, cl_mem_flags *flags)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    if (!context->gl)
        return REFUSE(CL_INVALID_CONTEXT, "the context was created without OpenGL sharing");
    if (*flags & ~(cl_mem_flags)DEVICE_ACCESS)
        return REFUSE(CL_INVALID_VALUE, "invalid flags 0x%llx", (unsigned long long)*flags);
    if (!*flags)
        *flags = CL_MEM_READ_WRITE;
    return memory_check_flags(*flags);
}

static enum gl_result query(struct gl_share *share, void *object)
{
    return gl_query(share, object);
}

// Fills gl->object from OpenGL's information.
static cl_int find_object(struct memobj_gl *gl)
{
    cl_int error =
        gl_error(gl_share_call(gl->share->share, query, &gl->object), CL_INVALID_GL_OBJECT);
    if (error)
        return REFUSE(error, "invalid OpenGL object: name %u, target 0x%x, level %d", gl->name, gl->target, gl->level);
    return CL_SUCCESS;
}

static cl_int create_buffer(cl_context context, cl_mem_flags flags, cl_GLuint name, cl_mem *out)
{
    const struct memobj_options none = {.properties = NULL};
    TRY(check_flags(context, &flags));
    struct memobj_gl gl = {.share = context->gl,
                           .object = {.target = GL_OBJECT_BUFFER, .name = name},
                           .type = CL_GL_OBJECT_BUFFER,
                           .name = name};
    TRY(find_object(&gl));
    TRY(memobj_create_buffer(context, flags, gl.object.size, NULL, &none, out));
    cl_int error = memobj_set_gl(*out, &gl);
    if (error)
        object_release(*out);
    return error;
}

cl_mem CL_API_CALL clCreateFromGLBuffer(cl_context context, cl_mem_flags flags, cl_GLuint bufobj, cl_int *errcode_ret)
{
    API_CALL;
    cl_mem mem = NULL;
    cl_int error = create_buffer(context, flags, bufobj, &mem);
    api_set_error(errcode_ret, error);
    return error ? NULL : mem;
}

static const struct target_row {
    cl_GLenum first, last;
    cl_mem_object_type type;
    cl_gl_object_type told;
} targets[] = {
    {0x0DE0, 0x0DE0, CL_MEM_OBJECT_IMAGE1D, CL_GL_OBJECT_TEXTURE1D},
    {0x8C18, 0x8C18, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_GL_OBJECT_TEXTURE1D_ARRAY},
    {0x8C2A, 0x8C2A, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_GL_OBJECT_TEXTURE_BUFFER},
    {0x0DE1, 0x0DE1, CL_MEM_OBJECT_IMAGE2D, CL_GL_OBJECT_TEXTURE2D},
    {0x84F5, 0x84F5, CL_MEM_OBJECT_IMAGE2D, CL_GL_OBJECT_TEXTURE2D}, // a rectangle
    {0x8515, 0x851A, CL_MEM_OBJECT_IMAGE2D, CL_GL_OBJECT_TEXTURE2D}, // faces of a cube
    {0x8C1A, 0x8C1A, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_GL_OBJECT_TEXTURE2D_ARRAY},
    {0x806F, 0x806F, CL_MEM_OBJECT_IMAGE3D, CL_GL_OBJECT_TEXTURE3D},
};

static bool has_levels(cl_context context)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (!device_caps_has(&context->devices[i].device->caps, KC_EXT_MIPMAP_IMAGE))
            return false;
    return true;
}

// `only`: the image type that the function creates, 0: any. A negative level means all levels.
static cl_int create_texture(cl_context context, cl_mem_flags flags, cl_mem_object_type only, cl_GLenum target,
                             cl_GLint level, cl_GLuint name, cl_mem *out)
{
    const struct target_row *row = targets, *end = targets + INFO_COUNT(targets);
    TRY(check_flags(context, &flags));
    while (row < end && (target < row->first || target > row->last || (only && row->type != only)))
        row++;
    if (row == end)
        return REFUSE(CL_INVALID_VALUE, "invalid texture target 0x%x", target);
    bool buffer = row->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    if ((buffer && level) || (level < 0 && !has_levels(context)))
        return REFUSE(CL_INVALID_MIP_LEVEL, "invalid mip level %d", level);
    struct memobj_gl gl = {.share = context->gl,
                           .object = {.target = target, .name = name, .level = level < 0 ? -1 : level},
                           .type = row->told,
                           .name = name,
                           .target = target,
                           .level = level};
    TRY(find_object(&gl));
    return sharing_create_image(context, flags, row->type, &gl, out);
}

#define TEXTURE_FUNCTION(function, only)                                                                                   \
    cl_mem CL_API_CALL function(cl_context context, cl_mem_flags flags, cl_GLenum target, cl_GLint miplevel,               \
                                cl_GLuint texture, cl_int *errcode_ret)                                                    \
    {                                                                                                                      \
        API_CALL;                                                                                                          \
        cl_mem mem = NULL;                                                                                                 \
        cl_int error = create_texture(context, flags, only, target, miplevel, texture, &mem);                              \
        api_set_error(errcode_ret, error);                                                                                 \
        return error ? NULL : mem;                                                                                         \
    }
TEXTURE_FUNCTION(clCreateFromGLTexture, 0)
TEXTURE_FUNCTION(clCreateFromGLTexture2D, CL_MEM_OBJECT_IMAGE2D)
TEXTURE_FUNCTION(clCreateFromGLTexture3D, CL_MEM_OBJECT_IMAGE3D)

static cl_int create_renderbuffer(cl_context context, cl_mem_flags flags, cl_GLuint name, cl_mem *out)
{
    TRY(check_flags(context, &flags));
    struct memobj_gl gl = {.share = context->gl,
                           .object = {.target = GL_OBJECT_RENDERBUFFER, .name = name},
                           .type = CL_GL_OBJECT_RENDERBUFFER,
                           .name = name};
    TRY(find_object(&gl));
    return sharing_create_image(context, flags, CL_MEM_OBJECT_IMAGE2D, &gl, out);
}

cl_mem CL_API_CALL clCreateFromGLRenderbuffer(cl_context context, cl_mem_flags flags, cl_GLuint renderbuffer,
                                              cl_int *errcode_ret)
{
    API_CALL;
    cl_mem mem = NULL;
    cl_int error = create_renderbuffer(context, flags, renderbuffer, &mem);
    api_set_error(errcode_ret, error);
    return error ? NULL : mem;
}

// ---- queries ------------------------------------------------------------------------------------

static cl_int check_gl(cl_mem mem)
{
    TRY(api_check(mem, OBJECT_MEM));
    if (!mem->gl || mem->gl->egl)
        return REFUSE(CL_INVALID_GL_OBJECT, "not created from an OpenGL object");
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetGLObjectInfo(cl_mem memobj, cl_gl_object_type *gl_object_type, cl_GLuint *gl_object_name)
{
    API_CALL;
    TRY(check_gl(memobj));
    if (gl_object_type)
        *gl_object_type = memobj->gl->type;
    if (gl_object_name)
        *gl_object_name = memobj->gl->name;
    return CL_SUCCESS;
}

static const struct info_row texture_info[] = {
    INFO_FIELD(CL_GL_TEXTURE_TARGET, struct memobj_gl, target),
    INFO_FIELD(CL_GL_MIPMAP_LEVEL, struct memobj_gl, level),
};

cl_int CL_API_CALL clGetGLTextureInfo(cl_mem memobj, cl_gl_texture_info param_name, size_t param_value_size,
                                      void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    TRY(check_gl(memobj));
    if (!memobj->gl->target)
        return REFUSE(CL_INVALID_GL_OBJECT, "not created from a texture");
    if (!param_value && !param_value_size_ret)
        return REFUSE(CL_INVALID_VALUE, "the pointer for the result is NULL");
    return info_get(texture_info, INFO_COUNT(texture_info), memobj->gl, param_name, param_value_size, param_value,
                    param_value_size_ret);
}

// ---- devices of an OpenGL context ---------------------------------------------------------------

struct found {
    struct _cl_device_id *devices;
    cl_uint count;
    bool *fits;
};

static bool fits(const struct _cl_device_id *device, int pass, const uint8_t *uuid, bool cpu)
{
    const struct vk_facts *facts = &device->physical->facts;
    switch (pass) {
    case 0:
        return uuid && !memcmp(facts->props11.deviceUUID, uuid, sizeof facts->props11.deviceUUID);
    case 1:
        return (facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) == cpu;
    default:
        return true;
    }
}

// The device that OpenGL renders on, if OpenGL identifies it; else all CPUs for a CPU and all GPUs
// for a GPU; else all devices, since contents can always be copied.
static enum gl_result find_devices(struct gl_share *share, void *data)
{
    struct found *found = data;
    uint8_t uuid[16];
    bool cpu, told = gl_device(share, uuid, &cpu), any = false;
    for (int pass = 0; pass < 3 && !any; pass++)
        for (cl_uint i = 0; i < found->count; i++)
            any |= found->fits[i] = fits(&found->devices[i], pass, told ? uuid : NULL, cpu);
    return GL_FINE;
}

static void put_devices(const struct found *found, cl_uint most, struct info *info)
{
    for (cl_uint i = 0; i < found->count && most; i++)
        if (found->fits[i]) {
            info_handle(info, &found->devices[i]);
            most--;
        }
}

static cl_int get_current(const void *object, struct info *info)
{
    put_devices(object, 1, info);
    return CL_SUCCESS;
}

static cl_int get_all(const void *object, struct info *info)
{
    put_devices(object, UINT32_MAX, info);
    return CL_SUCCESS;
}

static const struct info_row device_info[] = {
    INFO_CALL(CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR, get_current),
    INFO_CALL(CL_DEVICES_FOR_GL_CONTEXT_KHR, get_all),
};

cl_int CL_API_CALL clGetGLContextInfoKHR(const cl_context_properties *properties, cl_gl_context_info param_name,
                                         size_t param_value_size, void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    struct found found;
    struct gl_origin origin;
    struct gl_share *share;
    cl_int error = context_check_properties(properties);
    if (error)
        return error == CL_INVALID_PROPERTY ? CL_INVALID_VALUE : error;
    TRY(sharing_take_origin(properties, &origin));
    if (!origin.context)
        return REFUSE(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "the properties name no OpenGL context");
    enum gl_result result = gl_open(&origin, &share);
    if (result != GL_FINE)
        return REFUSE(gl_error(result, 0), "OpenGL context %p cannot be shared", origin.context);
    found.count = device_list(&found.devices);
    found.fits = calloc(found.count + 1, sizeof *found.fits);
    if (found.fits)
        gl_share_call(share, find_devices, &found);
    gl_share_close(share);
    error = found.fits ? info_get(device_info, INFO_COUNT(device_info), &found, param_name, param_value_size, param_value,
                                  param_value_size_ret)
                       : CL_OUT_OF_HOST_MEMORY;
    free(found.fits);
    return error;
}

// ---- commands and events ------------------------------------------------------------------------

cl_int CL_API_CALL clEnqueueAcquireGLObjects(cl_command_queue command_queue, cl_uint num_objects, const cl_mem *mem_objects,
                                             cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                             cl_event *event)
{
    API_CALL;
    return sharing_enqueue(command_queue, num_objects, mem_objects, num_events_in_wait_list, event_wait_list, event, false,
                           true);
}

cl_int CL_API_CALL clEnqueueReleaseGLObjects(cl_command_queue command_queue, cl_uint num_objects, const cl_mem *mem_objects,
                                             cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                             cl_event *event)
{
    API_CALL;
    return sharing_enqueue(command_queue, num_objects, mem_objects, num_events_in_wait_list, event_wait_list, event, false,
                           false);
}

cl_event CL_API_CALL clCreateEventFromGLsyncKHR(cl_context context, cl_GLsync sync, cl_int *errcode_ret)
{
    API_CALL;
    cl_event event = NULL;
    api_set_error(errcode_ret, sharing_create_event(context, NULL, sync, CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR, &event));
    return event;
}
