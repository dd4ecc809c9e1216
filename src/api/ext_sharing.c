// SPDX-License-Identifier: Apache-2.0
// OpenGL and EGL sharing, which no context of ours can have: contexts with the properties for it
// are refused, so these answer that the context has none. They exist because programs link against
// them.
#include "api/api.h"

static cl_int not_shared(cl_context context)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    return REFUSE(CL_INVALID_CONTEXT, "the context shares nothing with OpenGL");
}

static cl_int not_gl(cl_mem mem)
{
    TRY(api_check(mem, OBJECT_MEM));
    return REFUSE(CL_INVALID_GL_OBJECT, "not made from an OpenGL object");
}

static cl_int refuse_command(cl_command_queue queue, cl_uint object_count, const cl_mem *objects,
                             cl_uint wait_count, const cl_event *waits, cl_int code)
{
    TRY(api_check_queue(queue));
    TRY(api_check_waits(queue->context, wait_count, waits));
    if (!object_count != !objects)
        return REFUSE(CL_INVALID_VALUE, "%u objects in the wrong list", object_count);
    for (cl_uint i = 0; i < object_count; i++)
        TRY(api_check(objects[i], OBJECT_MEM));
    return REFUSE(code, "the context shares nothing");
}

cl_mem CL_API_CALL clCreateFromGLBuffer(cl_context context, cl_mem_flags flags, cl_GLuint bufobj,
                                        cl_int *errcode_ret)
{
    (void)flags, (void)bufobj;
    api_set_error(errcode_ret, not_shared(context));
    return NULL;
}

#define NO_TEXTURE(name)                                                                           \
    cl_mem CL_API_CALL name(cl_context context, cl_mem_flags flags, cl_GLenum target,              \
                            cl_GLint miplevel, cl_GLuint texture, cl_int *errcode_ret)             \
    {                                                                                              \
        (void)flags, (void)target, (void)miplevel, (void)texture;                                  \
        api_set_error(errcode_ret, not_shared(context));                                           \
        return NULL;                                                                               \
    }
NO_TEXTURE(clCreateFromGLTexture)
NO_TEXTURE(clCreateFromGLTexture2D)
NO_TEXTURE(clCreateFromGLTexture3D)

cl_mem CL_API_CALL clCreateFromGLRenderbuffer(cl_context context, cl_mem_flags flags,
                                              cl_GLuint renderbuffer, cl_int *errcode_ret)
{
    (void)flags, (void)renderbuffer;
    api_set_error(errcode_ret, not_shared(context));
    return NULL;
}

cl_int CL_API_CALL clGetGLObjectInfo(cl_mem memobj, cl_gl_object_type *gl_object_type,
                                     cl_GLuint *gl_object_name)
{
    (void)gl_object_type, (void)gl_object_name;
    return not_gl(memobj);
}

cl_int CL_API_CALL clGetGLTextureInfo(cl_mem memobj, cl_gl_texture_info param_name,
                                      size_t param_value_size, void *param_value,
                                      size_t *param_value_size_ret)
{
    (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
    return not_gl(memobj);
}

#define NO_COMMAND(name, code)                                                                     \
    cl_int CL_API_CALL name(cl_command_queue command_queue, cl_uint num_objects,                   \
                            const cl_mem *mem_objects, cl_uint num_events_in_wait_list,            \
                            const cl_event *event_wait_list, cl_event *event)                      \
    {                                                                                              \
        (void)event;                                                                               \
        return refuse_command(command_queue, num_objects, mem_objects, num_events_in_wait_list,    \
                              event_wait_list, code);                                              \
    }
NO_COMMAND(clEnqueueAcquireGLObjects, CL_INVALID_CONTEXT)
NO_COMMAND(clEnqueueReleaseGLObjects, CL_INVALID_CONTEXT)
NO_COMMAND(clEnqueueAcquireEGLObjectsKHR, CL_INVALID_OPERATION)
NO_COMMAND(clEnqueueReleaseEGLObjectsKHR, CL_INVALID_OPERATION)

cl_int CL_API_CALL clGetGLContextInfoKHR(const cl_context_properties *properties,
                                         cl_gl_context_info param_name, size_t param_value_size,
                                         void *param_value, size_t *param_value_size_ret)
{
    (void)properties, (void)param_name, (void)param_value_size, (void)param_value;
    (void)param_value_size_ret;
    return REFUSE(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "no device shares with OpenGL");
}

cl_event CL_API_CALL clCreateEventFromGLsyncKHR(cl_context context, cl_GLsync sync,
                                                cl_int *errcode_ret)
{
    (void)sync;
    api_set_error(errcode_ret, not_shared(context));
    return NULL;
}

// ---- EGL ----------------------------------------------------------------------------------------

static cl_int no_egl(cl_context context)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    return REFUSE(CL_INVALID_OPERATION, "no device of the context takes EGL objects");
}

cl_mem CL_API_CALL clCreateFromEGLImageKHR(cl_context context, CLeglDisplayKHR egldisplay,
                                           CLeglImageKHR eglimage, cl_mem_flags flags,
                                           const cl_egl_image_properties_khr *properties,
                                           cl_int *errcode_ret)
{
    (void)egldisplay, (void)eglimage, (void)flags, (void)properties;
    api_set_error(errcode_ret, no_egl(context));
    return NULL;
}

cl_event CL_API_CALL clCreateEventFromEGLSyncKHR(cl_context context, CLeglSyncKHR sync,
                                                 CLeglDisplayKHR display, cl_int *errcode_ret)
{
    (void)sync, (void)display;
    api_set_error(errcode_ret, no_egl(context));
    return NULL;
}
