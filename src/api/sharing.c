// SPDX-License-Identifier: Apache-2.0
// Sharing with OpenGL and EGL: contexts, images, acquire and release, fences. See sharing.h.
#include "api/sharing.h"

#include "api/image.h"
#include "util/log.h"

// ---- contexts -----------------------------------------------------------------------------------

enum property { CONTEXT, EGL, GLX, WGL, CGL, USER_SYNC, PROPERTIES };

static const cl_context_properties names[PROPERTIES] = {
    [CONTEXT] = CL_GL_CONTEXT_KHR,   [EGL] = CL_EGL_DISPLAY_KHR,  [GLX] = CL_GLX_DISPLAY_KHR,
    [WGL] = CL_WGL_HDC_KHR,          [CGL] = CL_CGL_SHAREGROUP_KHR, [USER_SYNC] = CL_CONTEXT_INTEROP_USER_SYNC,
};

cl_int sharing_take_origin(const cl_context_properties *properties, struct gl_origin *origin)
{
    cl_context_properties values[PROPERTIES] = {0};
    bool given[PROPERTIES] = {false};
    *origin = (struct gl_origin){.system = GL_BY_EGL};
    for (size_t i = 0; properties && properties[i]; i += 2)
        for (int p = 0; p < PROPERTIES; p++)
            if (properties[i] == names[p]) {
                given[p] = true;
                values[p] = properties[i + 1];
            }
    bool any = given[CONTEXT] || given[EGL] || given[GLX] || given[WGL] || given[CGL];
    if (any && given[USER_SYNC])
        return REFUSE(CL_INVALID_PROPERTY, "CL_CONTEXT_INTEROP_USER_SYNC cannot be combined with an OpenGL context");
    if (values[WGL] || values[CGL])
        return REFUSE(CL_INVALID_OPERATION, "neither WGL nor CGL is supported");
    if (values[EGL] && values[GLX])
        return REFUSE(CL_INVALID_OPERATION, "an EGL display and an X display are both specified");
    if (values[CONTEXT] && !values[EGL] && !values[GLX])
        return REFUSE(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "an OpenGL context without a display");
    origin->system = values[GLX] ? GL_BY_GLX : GL_BY_EGL;
    origin->display = (void *)(values[EGL] | values[GLX]);
    origin->context = (void *)values[CONTEXT];
    return CL_SUCCESS;
}

// ---- images -------------------------------------------------------------------------------------

static cl_image_format format_of(const struct gl_object *object)
{
    static const cl_channel_order orders[] = {
        [GL_CH_R] = CL_R,         [GL_CH_RG] = CL_RG,       [GL_CH_RGBA] = CL_RGBA,
        [GL_CH_BGRA] = CL_BGRA,   [GL_CH_SRGBA] = CL_sRGBA, [GL_CH_DEPTH] = CL_DEPTH,
        [GL_CH_DEPTH_STENCIL] = CL_DEPTH_STENCIL,
    };
    static const cl_channel_type types[] = {
        [GL_EN_UNORM8] = CL_UNORM_INT8,     [GL_EN_UNORM16] = CL_UNORM_INT16,    [GL_EN_SNORM8] = CL_SNORM_INT8,
        [GL_EN_SNORM16] = CL_SNORM_INT16,   [GL_EN_HALF] = CL_HALF_FLOAT,        [GL_EN_FLOAT] = CL_FLOAT,
        [GL_EN_UNORM24] = CL_UNORM_INT24,   [GL_EN_INT8] = CL_SIGNED_INT8,       [GL_EN_INT16] = CL_SIGNED_INT16,
        [GL_EN_INT32] = CL_SIGNED_INT32,    [GL_EN_UINT8] = CL_UNSIGNED_INT8,    [GL_EN_UINT16] = CL_UNSIGNED_INT16,
        [GL_EN_UINT32] = CL_UNSIGNED_INT32,
    };
    return (cl_image_format){orders[object->channels], types[object->encoding]};
}

static cl_int describe(cl_context context, cl_mem_flags flags, cl_mem_object_type type, const struct gl_object *object,
                       struct image_desc *desc)
{
    const cl_image_format gl_format = format_of(object), depth = {CL_DEPTH, CL_FLOAT};
    bool stencil = gl_format.image_channel_order == CL_DEPTH_STENCIL; // only depth is accessible,
                                                                      // read-only
    const cl_image_desc given = {
        .image_type = type,
        .image_width = object->width,
        .image_height = object->height,
        .image_depth = object->depth,
        .image_array_size = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? object->height : object->depth,
    };
    TRY(image_read_desc(context, stencil ? &depth : &gl_format, &given, desc));
    if (!image_format_usable(context, &desc->format, type, stencil ? CL_MEM_READ_ONLY : flags))
        return REFUSE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                      "channel order 0x%x, type 0x%x is not supported",
                      gl_format.image_channel_order, gl_format.image_channel_data_type);
    desc->format.cl = gl_format;
    desc->levels = object->levels > 1 ? (cl_uint)object->levels : 0;
    return CL_SUCCESS;
}

// A buffer texture is shared as a buffer with an image of it.
static cl_int create_texels(cl_context context, cl_mem_flags flags, const struct gl_object *object, struct image_desc *desc,
                            cl_mem *out)
{
    const struct memobj_options none = {.properties = NULL};
    TRY(memobj_create_buffer(context, flags, object->size, NULL, &none, &desc->parent));
    cl_int error = memobj_create_image(context, flags, desc, NULL, &none, out);
    object_release(desc->parent); // now owned by the image
    return error;
}

cl_int sharing_create_image(cl_context context, cl_mem_flags flags, cl_mem_object_type type, const struct memobj_gl *gl,
                            cl_mem *out)
{
    const struct memobj_options none = {.properties = NULL};
    struct image_desc desc = {.parent = NULL};
    TRY(image_check_context(context));
    cl_int error = describe(context, flags, type, &gl->object, &desc);
    if (error)
        return error == CL_INVALID_IMAGE_SIZE ? CL_OUT_OF_RESOURCES : error;
    TRY(type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? create_texels(context, flags, &gl->object, &desc, out)
                                             : memobj_create_image(context, flags, &desc, NULL, &none, out));
    error = memobj_set_gl(*out, gl);
    if (error)
        object_release(*out);
    return error;
}

// ---- acquire and release ------------------------------------------------------------------------

static cl_int check_objects(cl_command_queue queue, cl_uint count, const cl_mem *list, bool egl)
{
    if (!count != !list)
        return REFUSE(CL_INVALID_VALUE, "%u objects in a list that is %s", count, list ? "non-NULL" : "NULL");
    for (cl_uint i = 0; i < count; i++)
        TRY(api_check(list[i], OBJECT_MEM));
    if (!egl && !queue->context->gl)
        return REFUSE(CL_INVALID_CONTEXT, "the context was created without OpenGL sharing");
    for (cl_uint i = 0; i < count; i++) {
        if (list[i]->context != queue->context)
            return REFUSE(egl ? CL_INVALID_MEM_OBJECT : CL_INVALID_CONTEXT, "object %u and the queue have different contexts", i);
        if (!list[i]->gl || list[i]->gl->egl != egl)
            return REFUSE(egl ? CL_INVALID_EGL_OBJECT_KHR : CL_INVALID_GL_OBJECT, "object %u was not created from an object of %s", i,
                          egl ? "EGL's" : "OpenGL's");
    }
    return CL_SUCCESS;
}

static cl_int add_object(struct api_enqueue *enqueue, struct gl_transfer *transfer, cl_mem mem)
{
    const struct cmd_surface *surface = NULL;
    struct vk_buffer *buffer = NULL;
    uint64_t offset = 0;
    enqueue->only_reads = true; // OpenCL's commands do not change the object here
    if (mem->gl->object.target == GL_OBJECT_BUFFER)
        TRY(api_enqueue_buffer(enqueue, mem, &buffer, &offset));
    else
        TRY(api_enqueue_surface(enqueue, mem, &surface));
    gl_transfer_add(transfer, mem, surface, buffer, offset);
    return CL_SUCCESS;
}

// *ordered: OpenGL commands that the caller issues afterwards run behind it.
static cl_int transfer_all(struct api_enqueue *enqueue, cl_uint count, const cl_mem *list,
                           bool acquires, bool *ordered)
{
    cl_int error;
    cl_context context = enqueue->queue->context;
    struct gl_transfer *transfer;
    TRY(gl_transfer_create(context, enqueue->queue->device_index, acquires, count, &transfer));
    TRY(api_enqueue_keep(enqueue, transfer, gl_transfer_release));
    for (cl_uint i = 0; i < count; i++)
        TRY(add_object(enqueue, transfer, list[i]));
    if (gl_transfer_order(&enqueue->request, transfer, &error, ordered))
        return error;
    *ordered = false;
    if (acquires && count)
        gl_transfer_wait(transfer, list[0]->gl->share, gl_fence(list[0]->gl->share->share));
    return gl_transfer_enqueue(&enqueue->request, transfer);
}

// OpenGL commands that the caller issues afterwards run after the release.
static cl_int wait_released(struct api_enqueue *enqueue, cl_uint count, const cl_mem *list)
{
    struct command *command = enqueue->command;
    if (gl_signal_release(enqueue->queue, command, count, list))
        return CL_SUCCESS;
    TRY(cmd_flush(enqueue->queue->commands));
    if (cmd_waits_for_user(command)) {
        log_write(LOG_MEM, "the release waits for a user event, which OpenGL cannot wait for");
        return CL_SUCCESS;
    }
    if (!cmd_wait(&command, 1))
        return CL_SUCCESS;
    cmd_flush(enqueue->queue->commands); // returns the error
    return cmd_status(command);
}

cl_int sharing_enqueue(cl_command_queue queue, cl_uint count, const cl_mem *list, cl_uint wait_count, const cl_event *waits,
                       cl_event *event, bool egl, bool acquires)
{
    static const cl_command_type types[2][2] = {
        {CL_COMMAND_RELEASE_GL_OBJECTS, CL_COMMAND_ACQUIRE_GL_OBJECTS},
        {CL_COMMAND_RELEASE_EGL_OBJECTS_KHR, CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR},
    };
    struct api_enqueue enqueue;
    TRY(api_check_queue(queue));
    TRY(api_enqueue_begin_any(&enqueue, queue, wait_count, waits, event));
    cl_int error = check_objects(queue, count, list, egl);
    bool ordered = false, waited_for = !error && !acquires && count && gl_is_current(list[0]->gl->share->share);
    if (waited_for)
        enqueue.request.out = &enqueue.command;
    if (!error)
        error = transfer_all(&enqueue, count, list, acquires, &ordered);
    if (!error && waited_for && !ordered)
        error = wait_released(&enqueue, count, list);
    return api_enqueue_end(&enqueue, error, types[egl][acquires], event);
}

// ---- events -------------------------------------------------------------------------------------

static void complete(void *command)
{
    cmd_user_set(command, CL_COMPLETE);
    cmd_release(command);
}

cl_int sharing_create_event(cl_context context, void *display, void *sync, cl_command_type type, cl_event *out)
{
    struct command *command;
    TRY(api_check(context, OBJECT_CONTEXT));
    if (!context->gl)
        return REFUSE(CL_INVALID_CONTEXT, "the context was created without OpenGL sharing");
    cl_int no_object = display ? CL_INVALID_EGL_OBJECT_KHR : CL_INVALID_GL_OBJECT;
    TRY(cmd_user_create(&command));
    TRY(event_create(context, NULL, type, command, out));
    (*out)->base.owned = NULL; // it completes even if the application has released it
    cmd_retain(command);
    enum gl_result result = gl_watch(context->gl->share, display, sync, complete, command);
    if (result == GL_FINE)
        return CL_SUCCESS;
    cmd_release(command);
    object_release(*out);
    *out = NULL;
    return REFUSE(gl_error(result, no_object), "%p is not a valid fence", sync);
}
