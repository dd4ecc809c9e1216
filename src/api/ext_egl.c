// SPDX-License-Identifier: Apache-2.0
// cl_khr_egl_image and cl_khr_egl_event.
#include "api/image.h"
#include "api/memory.h"
#include "api/sharing.h"

static enum gl_result query(struct gl_share *share, void *object)
{
    return gl_query(share, object);
}

static cl_int check_image_flags(cl_mem_flags *flags)
{
    if (*flags & ~(cl_mem_flags)(DEVICE_ACCESS | HOST_ACCESS | CL_MEM_IMMUTABLE_EXT))
        return REFUSE(CL_INVALID_VALUE, "invalid flags 0x%llx", (unsigned long long)*flags);
    TRY(memory_check_flags(*flags));
    if (!(*flags & (DEVICE_ACCESS | CL_MEM_IMMUTABLE_EXT)))
        *flags |= CL_MEM_READ_WRITE;
    return CL_SUCCESS;
}

// Errors for unsupported OpenGL objects are reported as unsupported formats here.
static cl_int egl_error(enum gl_result result)
{
    switch (result) {
    case GL_NO_CONTEXT:
        return CL_INVALID_VALUE; // no context for that display
    case GL_NO_FORMAT:
    case GL_NOT_PLAIN:
    case GL_NO_LEVEL:
        return CL_IMAGE_FORMAT_NOT_SUPPORTED;
    default:
        return gl_error(result, CL_INVALID_EGL_OBJECT_KHR);
    }
}

static cl_int create_image(cl_context context, void *display, void *image, cl_mem_flags flags,
                           const cl_egl_image_properties_khr *properties, cl_mem *out)
{
    struct memobj_gl gl = {.egl = true, .object = {.image = image}};
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(image_check_context(context));
    TRY(check_image_flags(&flags));
    if (properties && *properties)
        return REFUSE(CL_INVALID_VALUE, "unknown image property 0x%llx", (unsigned long long)*properties);
    if (!display)
        return REFUSE(CL_INVALID_VALUE, "no display");
    if (!image)
        return REFUSE(CL_INVALID_EGL_OBJECT_KHR, "no image");
    cl_int error = context_share_for(context, display, &gl.share);
    if (error)
        return REFUSE(error == CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR ? CL_INVALID_VALUE : error,
                      "no OpenCL context shares with EGL display %p", display);
    enum gl_result result = gl_share_call(gl.share->share, query, &gl.object);
    if (result != GL_FINE)
        return REFUSE(egl_error(result), "invalid EGL image %p", image);
    error = sharing_create_image(context, flags, CL_MEM_OBJECT_IMAGE2D, &gl, out);
    if (error)
        gl_object_forget(&gl);
    return error == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR ? CL_IMAGE_FORMAT_NOT_SUPPORTED : error;
}

cl_mem CL_API_CALL clCreateFromEGLImageKHR(cl_context context, CLeglDisplayKHR egldisplay, CLeglImageKHR eglimage,
                                           cl_mem_flags flags, const cl_egl_image_properties_khr *properties,
                                           cl_int *errcode_ret)
{
    API_CALL;
    cl_mem mem = NULL;
    cl_int error = create_image(context, egldisplay, eglimage, flags, properties, &mem);
    api_set_error(errcode_ret, error);
    return error ? NULL : mem;
}

cl_int CL_API_CALL clEnqueueAcquireEGLObjectsKHR(cl_command_queue command_queue, cl_uint num_objects,
                                                 const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                                 const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    return sharing_enqueue(command_queue, num_objects, mem_objects, num_events_in_wait_list, event_wait_list, event, true,
                           true);
}

cl_int CL_API_CALL clEnqueueReleaseEGLObjectsKHR(cl_command_queue command_queue, cl_uint num_objects,
                                                 const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                                 const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    return sharing_enqueue(command_queue, num_objects, mem_objects, num_events_in_wait_list, event_wait_list, event, true,
                           false);
}

static cl_int create_event(cl_context context, void *display, void *sync, cl_event *out)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    if (!display || !sync)
        return REFUSE(context->gl ? CL_INVALID_EGL_OBJECT_KHR : CL_INVALID_CONTEXT, "the display or the fence is NULL");
    return sharing_create_event(context, display, sync, CL_COMMAND_EGL_FENCE_SYNC_OBJECT_KHR, out);
}

cl_event CL_API_CALL clCreateEventFromEGLSyncKHR(cl_context context, CLeglSyncKHR sync, CLeglDisplayKHR display,
                                                 cl_int *errcode_ret)
{
    API_CALL;
    cl_event event = NULL;
    api_set_error(errcode_ret, create_event(context, display, sync, &event));
    return event;
}
