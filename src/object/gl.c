// SPDX-License-Identifier: Apache-2.0
// Turns of OpenGL's objects: contents go between OpenGL and the device, on the thread of the share. See gl.h.
#include "object/gl.h"

#include <stdlib.h>

#include "util/log.h"

// ---- shares -------------------------------------------------------------------------------------

cl_int gl_error(enum gl_result result, cl_int no_object)
{
    switch (result) {
    case GL_FINE:
        return CL_SUCCESS;
    case GL_NO_SYSTEM:
    case GL_NOT_PLAIN:
        return CL_INVALID_OPERATION;
    case GL_NO_CONTEXT:
        return CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR;
    case GL_NO_LEVEL:
        return CL_INVALID_MIP_LEVEL;
    case GL_NO_FORMAT:
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    case GL_NO_OBJECT:
        return no_object;
    default:
        return CL_OUT_OF_HOST_MEMORY;
    }
}

static void free_share(struct context_share *share)
{
    free(share->staging);
    free(share);
}

cl_int context_open_share(struct _cl_context *context, const struct gl_origin *origin)
{
    struct context_share *share = calloc(1, sizeof *share);
    if (!share)
        return CL_OUT_OF_HOST_MEMORY;
    share->staging = calloc(context->device_count, sizeof *share->staging);
    enum gl_result result = share->staging ? gl_share_open(origin, &share->share) : GL_NO_MEMORY;
    if (result != GL_FINE) {
        free_share(share);
        return gl_error(result, 0);
    }
    share->next = context->shares;
    context->shares = share;
    if (origin->context)
        context->gl = share;
    return CL_SUCCESS;
}

cl_int context_share_for(struct _cl_context *context, void *display, struct context_share **out)
{
    const struct gl_origin origin = {GL_BY_EGL, display, NULL};
    cl_int error = CL_SUCCESS;
    pthread_mutex_lock(&context->lock);
    struct context_share *share = context->shares;
    while (share && !gl_share_is(share->share, &origin))
        share = share->next;
    if (!share) {
        error = context_open_share(context, &origin);
        share = context->shares;
    }
    pthread_mutex_unlock(&context->lock);
    *out = share;
    return error;
}

void context_close_shares(struct _cl_context *context)
{
    while (context->shares) {
        struct context_share *share = context->shares;
        context->shares = share->next;
        gl_share_close(share->share);
        for (cl_uint i = 0; i < context->device_count; i++)
            vk_buffer_destroy(&share->staging[i]);
        free_share(share);
    }
}

// ---- objects ------------------------------------------------------------------------------------

cl_int memobj_set_gl(struct _cl_mem *mem, const struct memobj_gl *gl)
{
    mem->gl = malloc(sizeof *gl);
    if (!mem->gl)
        return CL_OUT_OF_HOST_MEMORY;
    *mem->gl = *gl;
    return CL_SUCCESS;
}

struct forget {
    struct gl_job job;
    struct gl_object object;
};

static void run_forget(struct gl_share *share, struct gl_job *job)
{
    gl_forget(share, &((struct forget *)job)->object);
    free(job);
}

void gl_object_forget(const struct memobj_gl *gl)
{
    struct forget *forget = gl->object.image ? malloc(sizeof *forget) : NULL;
    if (!forget)
        return;
    *forget = (struct forget){{.run = run_forget}, gl->object};
    gl_share_post(gl->share->share, &forget->job);
}

void memobj_gl_finish(struct _cl_mem *mem)
{
    gl_object_forget(mem->gl);
    free(mem->gl);
}

void memobj_note_change(struct _cl_mem *mem)
{
    for (; mem; mem = mem->parent)
        if (mem->gl)
            atomic_store(&mem->gl->changed, true);
}

// ---- turns --------------------------------------------------------------------------------------

struct item {
    struct _cl_mem *mem;
    const struct cmd_surface *surface;
    struct vk_buffer *buffer;
    uint64_t offset;
    bool changed;
};

struct gl_turn {
    struct gl_job job;
    struct _cl_context *context;
    struct command *command;
    struct context_share *waits; // for `fence`
    void *fence;
    int device_index;
    bool acquires;
    cl_int status;
    cl_uint at, count;
    struct item items[];
};

cl_int gl_turn_create(struct _cl_context *context, int device_index, bool acquires, cl_uint count, struct gl_turn **out)
{
    struct gl_turn *turn = calloc(1, sizeof *turn + count * sizeof *turn->items);
    if (!turn)
        return CL_OUT_OF_HOST_MEMORY;
    turn->context = object_use(context);
    turn->device_index = device_index;
    turn->acquires = acquires;
    *out = turn;
    return CL_SUCCESS;
}

// Of objects that are acquired already, or are not, nothing is moved.
void gl_turn_add(struct gl_turn *turn, struct _cl_mem *mem, const struct cmd_surface *surface, struct vk_buffer *buffer,
                 uint64_t offset)
{
    if (atomic_exchange(&mem->gl->acquired, turn->acquires) == turn->acquires)
        return;
    bool changed = atomic_exchange(&mem->gl->changed, false);
    turn->items[turn->count++] = (struct item){mem, surface, buffer, offset, changed};
}

void gl_turn_wait(struct gl_turn *turn, struct context_share *share, void *fence)
{
    turn->waits = share;
    turn->fence = fence;
}

static void run_free(struct gl_share *share, struct gl_job *job)
{
    gl_wait(share, ((struct gl_turn *)job)->fence);
    free(job);
}

void gl_turn_release(void *data)
{
    struct gl_turn *turn = data;
    struct _cl_context *context = turn->context;
    turn->job.run = run_free;
    if (turn->fence) // it never began
        gl_share_post(turn->waits->share, &turn->job);
    else
        free(turn);
    object_drop(context);
}

// ---- moves --------------------------------------------------------------------------------------

static const char *kind_of(const struct memobj_gl *gl)
{
    return gl->egl                               ? "EGL image"
           : gl->type == CL_GL_OBJECT_BUFFER       ? "buffer"
           : gl->type == CL_GL_OBJECT_RENDERBUFFER ? "renderbuffer"
                                                   : "texture";
}

static cl_int stage(struct gl_turn *turn, const struct item *item, uint64_t size, struct vk_buffer **staging)
{
    struct vk_device *vk = turn->context->devices[turn->device_index].vk;
    *staging = &item->mem->gl->share->staging[turn->device_index];
    if ((*staging)->size >= size)
        return CL_SUCCESS;
    vk_buffer_destroy(*staging);
    **staging = (struct vk_buffer){0};
    VkResult result = vk_buffer_create(vk, VK_MEMORY_READBACK, size, *staging);
    if (result != VK_SUCCESS)
        **staging = (struct vk_buffer){0};
    return cmd_error(result);
}

static cl_int move_bytes(struct gl_turn *turn, const struct item *item, const struct cmd_request *request)
{
    const struct memobj_gl *gl = item->mem->gl;
    struct vk_buffer *buffer = item->buffer, *staging;
    uint64_t size = gl->object.size;
    if (buffer->host) {
        char *data = (char *)buffer->host + item->offset;
        return gl_error(turn->acquires ? gl_read(gl->share->share, &gl->object, 0, data)
                                       : gl_write(gl->share->share, &gl->object, 0, data),
                        CL_INVALID_GL_OBJECT);
    }
    cl_int error = stage(turn, item, size, &staging);
    if (!error && turn->acquires)
        error = gl_error(gl_read(gl->share->share, &gl->object, 0, staging->host), CL_INVALID_GL_OBJECT);
    if (!error)
        error = turn->acquires ? cmd_copy(request, staging, 0, buffer, item->offset, size)
                               : cmd_copy(request, buffer, item->offset, staging, 0, size);
    if (!error && !turn->acquires)
        error = gl_error(gl_write(gl->share->share, &gl->object, 0, staging->host), CL_INVALID_GL_OBJECT);
    return error;
}

static cl_int move_level(struct gl_turn *turn, const struct item *item, const struct cmd_request *request, int level)
{
    static const size_t origin[3];
    const struct memobj_gl *gl = item->mem->gl;
    const struct cmd_surface *surface = item->surface + level;
    struct vk_buffer *staging;
    size_t region[3];
    image_level_region(item->mem, (uint32_t)level, region);
    size_t row = region[0] * gl_texel(&gl->object);
    cl_int error = stage(turn, item, row * region[1] * region[2], &staging);
    if (!error && turn->acquires)
        error = gl_error(gl_read(gl->share->share, &gl->object, level, staging->host), CL_INVALID_GL_OBJECT);
    if (!error)
        error = turn->acquires ? cmd_image_from_buffer(request, surface, origin, region, staging, 0)
                               : cmd_image_to_buffer(request, surface, origin, region, staging, 0);
    if (!error && !turn->acquires)
        error = gl_error(gl_write(gl->share->share, &gl->object, level, staging->host), CL_INVALID_GL_OBJECT);
    return error;
}

static cl_int move_all(struct gl_turn *turn, const struct item *item)
{
    struct memobj_gl *gl = item->mem->gl;
    struct cmd_request request = {.blocking = true};
    cl_int error = gl_error(gl_look_again(gl->share->share, &gl->object), CL_INVALID_GL_OBJECT);
    if (!error)
        error = cmd_own_queue(turn->context->devices[turn->device_index].vk, &request.queue);
    if (!error && !item->surface)
        error = move_bytes(turn, item, &request);
    for (int i = 0; item->surface && i < gl->object.levels && !error; i++)
        error = move_level(turn, item, &request, i);
    gl->filled |= !error;
    return error;
}

static cl_int move(struct gl_turn *turn, const struct item *item)
{
    struct memobj_gl *gl = item->mem->gl;
    const char *did = turn->acquires ? "read" : "written";
    bool unread = turn->acquires && item->mem->flags & CL_MEM_WRITE_ONLY && gl->filled;
    bool unchanged = !turn->acquires && !item->changed;
    cl_int error = CL_SUCCESS;
    if (unread || unchanged)
        log_write(LOG_MEM, "%s %u is not %s: %s", kind_of(gl), gl->object.name, did,
                  unread ? "kernels only write it" : "no command has changed it");
    else if ((error = move_all(turn, item)))
        log_write(LOG_MEM, "%s %u could not be %s (%d): it has changed or is gone", kind_of(gl), gl->object.name, did, error);
    else
        log_write(LOG_MEM, "%s %u is %s by a copy of %zu bytes", kind_of(gl), gl->object.name, did, item->mem->size);
    return error;
}

static void run_turn(struct gl_share *share, struct gl_job *job)
{
    struct gl_turn *turn = (struct gl_turn *)job;
    if (turn->fence && turn->waits->share == share) {
        gl_wait(share, turn->fence);
        turn->fence = NULL;
    }
    for (; turn->at < turn->count && turn->items[turn->at].mem->gl->share->share == share; turn->at++) {
        cl_int error = move(turn, &turn->items[turn->at]);
        if (!turn->status)
            turn->status = error;
    }
    if (turn->at < turn->count)
        gl_share_post(turn->items[turn->at].mem->gl->share->share, job);
    else
        cmd_outside_end(turn->command, turn->status);
}

static void begin(struct command *command, void *data)
{
    struct gl_turn *turn = data;
    turn->command = command;
    turn->job.run = run_turn;
    gl_share_post(turn->fence ? turn->waits->share : turn->items[0].mem->gl->share->share, &turn->job);
}

cl_int gl_turn_enqueue(const struct cmd_request *request, struct gl_turn *turn)
{
    return turn->count || turn->fence ? cmd_outside(request, begin, turn) : cmd_nothing(request);
}
