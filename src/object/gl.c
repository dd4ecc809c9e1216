// SPDX-License-Identifier: Apache-2.0
// Turns of OpenGL's objects: contents go between OpenGL and the device, on the thread of the share. See gl.h.
#include "object/gl.h"

#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/log.h"
#include "util/options.h"
#include "vulkan/external.h"

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
    struct forget *forget = gl->object.image || gl->object.mirror ? malloc(sizeof *forget) : NULL;
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

static struct vk_device *device_of(const struct item *item, int device_index)
{
    return item->mem->context->devices[device_index].vk;
}

static cl_int stage(const struct item *item, int device_index, uint64_t size, struct vk_buffer **out)
{
    struct vk_buffer *staging = &item->mem->gl->share->staging[device_index];
    *out = staging;
    if (staging->size >= size)
        return CL_SUCCESS;
    vk_buffer_destroy(staging);
    *staging = (struct vk_buffer){0};
    VkResult result = vk_buffer_create(device_of(item, device_index), VK_MEMORY_READBACK, size, staging);
    if (result != VK_SUCCESS)
        *staging = (struct vk_buffer){0};
    return cmd_error(result);
}

static uint64_t level_bytes(const struct item *item, int level)
{
    const struct gl_object *object = &item->mem->gl->object;
    uint32_t size[3];
    if (!item->surface)
        return object->size;
    gl_level_size(object, level, size);
    return (uint64_t)size[0] * size[1] * size[2] * gl_texel(object);
}

// Between the object's memory and what is staged; returns when done.
static cl_int shift(const struct item *item, int device_index, int level, struct vk_buffer *staging, bool to_object)
{
    static const size_t origin[3];
    struct cmd_request request = {.blocking = true};
    size_t region[3];
    cl_int error = cmd_own_queue(device_of(item, device_index), &request.queue);
    if (error)
        return error;
    if (!item->surface)
        return to_object ? cmd_copy(&request, staging, 0, item->buffer, item->offset, item->mem->gl->object.size)
                         : cmd_copy(&request, item->buffer, item->offset, staging, 0, item->mem->gl->object.size);
    image_level_region(item->mem, (uint32_t)level, region);
    return to_object ? cmd_image_from_buffer(&request, item->surface + level, origin, region, staging, 0)
                     : cmd_image_to_buffer(&request, item->surface + level, origin, region, staging, 0);
}

static cl_int to_or_from_gl(const struct item *item, int level, void *data, bool from_gl)
{
    const struct memobj_gl *gl = item->mem->gl;
    return gl_error(from_gl ? gl_read(gl->share->share, &gl->object, level, data)
                            : gl_write(gl->share->share, &gl->object, level, data),
                    CL_INVALID_GL_OBJECT);
}

static cl_int move_level(struct gl_turn *turn, const struct item *item, int level)
{
    struct vk_buffer *staging;
    if (!item->surface && item->buffer->host)
        return to_or_from_gl(item, level, (char *)item->buffer->host + item->offset, turn->acquires);
    cl_int error = stage(item, turn->device_index, level_bytes(item, level), &staging);
    if (!error)
        error = turn->acquires ? to_or_from_gl(item, level, staging->host, true)
                               : shift(item, turn->device_index, level, staging, false);
    if (!error)
        error = turn->acquires ? shift(item, turn->device_index, level, staging, true)
                               : to_or_from_gl(item, level, staging->host, false);
    return error;
}

static cl_int move_by_host(struct gl_turn *turn, const struct item *item)
{
    cl_int error = CL_SUCCESS;
    for (int i = 0; i < (item->surface ? item->mem->gl->object.levels : 1) && !error; i++)
        error = move_level(turn, item, i);
    return error;
}

// The memory becomes Vulkan's, or OpenGL's.
static cl_int pass(const struct item *item, int device_index, bool ours)
{
    struct cmd_request request = {.blocking = true};
    const struct vk_shared shared = {.type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
                                     .image = item->surface ? item->surface->image : NULL,
                                     .buffer = item->buffer};
    cl_int error = cmd_own_queue(device_of(item, device_index), &request.queue);
    return error ? error : cmd_turn(&request, &shared, 1, ours);
}

static cl_int move_by_device(struct gl_turn *turn, const struct item *item)
{
    const struct memobj_gl *gl = item->mem->gl;
    cl_int error = turn->acquires ? CL_SUCCESS : pass(item, turn->device_index, false);
    if (!error)
        error = gl_error(gl_copy(gl->share->share, &gl->object, turn->acquires), CL_INVALID_GL_OBJECT);
    return error || !turn->acquires ? error : pass(item, turn->device_index, true);
}

static cl_int move_all(struct gl_turn *turn, const struct item *item)
{
    struct memobj_gl *gl = item->mem->gl;
    cl_int error = gl_error(gl_look_again(gl->share->share, &gl->object), CL_INVALID_GL_OBJECT);
    if (!error && gl->object.mirror && move_by_device(turn, item)) {
        log_write(LOG_MEM, "%s %u: the device does not copy it, the host does", kind_of(gl), gl->object.name);
        gl_mirror_end(gl->share->share, &gl->object); // as of textures that OpenGL calls incomplete
    }
    if (!error && !gl->object.mirror)
        error = move_by_host(turn, item);
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
        log_write(LOG_MEM, "%s %u is %s: %zu bytes, copied by the %s", kind_of(gl), gl->object.name, did, item->mem->size,
                  gl->object.mirror ? "device" : "host");
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

// ---- copies by the device -----------------------------------------------------------------------

static uint8_t pattern(uint64_t i, unsigned seed)
{
    return (uint8_t)(0x20 + ((i * 2654435761u + seed) >> 11) % 0x20); // no NaN in any format
}

static void fill(uint8_t *bytes, uint64_t size, unsigned seed)
{
    for (uint64_t i = 0; i < size; i++)
        bytes[i] = pattern(i, seed);
}

static bool is_filled(uint8_t *bytes, uint64_t size, unsigned seed)
{
    uint64_t i = 0;
    while (i < size && bytes[i] == pattern(i, seed))
        i++;
    memset(bytes, 0, size);
    return i == size;
}

// What OpenGL writes there Vulkan reads, and the other way round.
static bool is_right(const struct item *item)
{
    struct gl_object mirror;
    struct gl_share *share = item->mem->gl->share->share;
    struct vk_buffer *staging;
    uint64_t size = level_bytes(item, 0);
    gl_mirror_as(&item->mem->gl->object, &mirror);
    if (stage(item, 0, size, &staging))
        return false;
    uint8_t *bytes = staging->host;
    fill(bytes, size, 1);
    if (gl_write(share, &mirror, 0, bytes) != GL_FINE || pass(item, 0, true))
        return false;
    memset(bytes, 0, size);
    if (shift(item, 0, 0, staging, false) || !is_filled(bytes, size, 1))
        return false;
    fill(bytes, size, 2);
    if (shift(item, 0, 0, staging, true) || pass(item, 0, false))
        return false;
    memset(bytes, 0, size);
    return gl_read(share, &mirror, 0, bytes) == GL_FINE && is_filled(bytes, size, 2);
}

static struct gl_tried *tried(struct context_share *share, const struct gl_object *object)
{
    struct gl_tried *row = share->tried, *end = row + share->tried_count;
    while (row < end && (row->target != object->target || row->internal != object->internal))
        row++;
    return row;
}

struct mirror_call {
    struct item item;
    struct vk_exported memory;
};

// Whether it may be, by the device that draws and what was tried before.
static enum gl_result may_mirror(struct gl_share *share, void *data)
{
    const struct item *item = &((struct mirror_call *)data)->item;
    const struct gl_object *object = &item->mem->gl->object;
    struct context_share *of = item->mem->gl->share;
    const struct gl_tried *row = tried(of, object);
    uint8_t uuid[16];
    bool cpu, known = row < of->tried + of->tried_count;
    if (known ? !row->right : of->tried_count == GL_TRIED)
        return GL_NO_SYSTEM;
    return gl_device(share, uuid, &cpu) &&
                   !memcmp(uuid, item->mem->context->devices[0].device->physical->facts.props11.deviceUUID, sizeof uuid)
               ? GL_FINE
               : GL_NO_SYSTEM;
}

static enum gl_result make_mirror(struct gl_share *share, void *data)
{
    struct mirror_call *call = data;
    struct memobj_gl *gl = call->item.mem->gl;
    struct gl_tried *row = tried(gl->share, &gl->object);
    if (gl_mirror(share, &gl->object, call->memory.fd, call->memory.size) == GL_FINE)
        call->memory.fd = -1;
    if (row == gl->share->tried + gl->share->tried_count) {
        *row = (struct gl_tried){gl->object.target, gl->object.internal, gl->object.mirror && is_right(&call->item)};
        gl->share->tried_count++;
    }
    if (!row->right)
        gl_mirror_end(share, &gl->object);
    return gl->object.mirror ? GL_FINE : GL_NO_SYSTEM;
}

// Why it is the host that copies; NULL: it need not be. Where the device is the host itself nothing is won.
static const char *why_host(const struct _cl_mem *mem)
{
    const char *wish = option_get(OPTION_GL);
    const struct vk_facts *facts = &mem->context->devices[0].device->physical->facts;
    if (mem->context->device_count > 1)
        return "the context has several devices";
    if (wish)
        return strcmp(wish, "device") ? "PUMICE_GL says so" : NULL;
    return facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? "the device is the host" : NULL;
}

static cl_int try_mirror(struct _cl_mem *mem)
{
    struct mirror_call call = {.item = {.mem = mem}, .memory = {.fd = -1}};
    struct gl_share *share = mem->gl->share->share;
    bool bytes = mem->gl->object.target == GL_OBJECT_BUFFER;
    const char *why = why_host(mem);
    if (!why && gl_share_call(share, may_mirror, &call) != GL_FINE)
        why = "OpenGL draws on another device, or objects of its kind went wrong";
    if (why) {
        log_write(LOG_MEM, "%s %u is copied by the host: %s", kind_of(mem->gl), mem->gl->object.name, why);
        return CL_SUCCESS;
    }
    cl_int error = bytes ? memobj_renew(mem->storage, &call.memory) : image_renew(mem, &call.memory);
    if (!error)
        error = bytes ? memobj_buffer(mem, 0, &call.item.buffer, &call.item.offset) : memobj_surface(mem, 0, &call.item.surface);
    bool made = !error && gl_share_call(share, make_mirror, &call) == GL_FINE;
    if (call.memory.fd >= 0)
        descriptor_close(call.memory.fd);
    log_write(LOG_MEM, "%s %u is copied by the %s", kind_of(mem->gl), mem->gl->object.name,
              made ? "device" : "host: OpenGL does not import the device's memory, or not rightly");
    if (made)
        return CL_SUCCESS;
    return bytes ? memobj_renew(mem->storage, NULL) : image_renew(mem, NULL);
}

cl_int memobj_set_gl(struct _cl_mem *mem, const struct memobj_gl *gl)
{
    mem->gl = malloc(sizeof *gl);
    if (!mem->gl)
        return CL_OUT_OF_HOST_MEMORY;
    *mem->gl = *gl;
    return try_mirror(mem);
}
