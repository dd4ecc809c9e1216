// SPDX-License-Identifier: Apache-2.0
// How an OpenGL object is shared: by its own memory, by device copies or by host copies. See gl.h.
//
// The first two are used if OpenGL renders on the same device and each side correctly reads what
// the other writes. This is tested with a temporary object for the first object of each kind
// (target, format, level), and the result is cached.
#include "object/gl_moves.h"

#include <stdlib.h>
#include <string.h>

#include "gl/export.h"
#include "platform/platform.h"
#include "util/log.h"
#include "util/options.h"
#include "vulkan/external.h"

// ---- tests --------------------------------------------------------------------------------------

static uint8_t pattern(uint64_t i, unsigned seed)
{
    return (uint8_t)(0x20 + ((i * 2654435761u + seed) >> 11) % 0x20); // not a NaN in any format
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

// Whether Vulkan reads from the item's memory what OpenGL writes to `object`, and vice versa;
// through its mirror, if there is one.
static bool is_right(const struct gl_item *item, const struct gl_object *object)
{
    struct gl_share *share = item->mem->gl->share->share;
    struct vk_buffer *staging;
    uint64_t size = gl_level_bytes(item, 0);
    if (gl_stage(item, 0, size, &staging))
        return false;
    uint8_t *bytes = staging->host;
    fill(bytes, size, 1);
    if (gl_write(share, object, 0, bytes) != GL_FINE ||
        (object->mirror && gl_copy(share, object, true) != GL_FINE) ||
        gl_transfer_ownership(item, 0, true))
        return false;
    memset(bytes, 0, size);
    if (gl_copy_staged(item, 0, 0, staging, false) || !is_filled(bytes, size, 1))
        return false;
    fill(bytes, size, 2);
    if (gl_copy_staged(item, 0, 0, staging, true) || gl_transfer_ownership(item, 0, false))
        return false;
    memset(bytes, 0, size);
    if (object->mirror && gl_copy(share, object, false) != GL_FINE)
        return false;
    return gl_read(share, object, 0, bytes) == GL_FINE && is_filled(bytes, size, 2);
}

// The row of this kind of object, or the first free row, or NULL.
static struct gl_test *tests(struct context_share *share, const struct gl_object *object,
                             bool copied)
{
    struct gl_test *row = share->tests, *end = row + share->test_count;
    while (row < end && (row->target != object->target || row->internal != object->internal ||
                         row->level != object->level || row->mipmapped != object->mipmapped ||
                         row->drawn != object->drawn || row->copied != copied))
        row++;
    return row < share->tests + GL_TESTS ? row : NULL;
}

static bool is_known(const struct context_share *share, const struct gl_test *row)
{
    return row < share->tests + share->test_count;
}

static void note(struct context_share *share, struct gl_test *row, const struct gl_object *object,
                 bool copied, bool right)
{
    *row = (struct gl_test){object->target, object->internal, object->level, object->mipmapped,
                            object->drawn,  copied,           right};
    share->test_count++;
}

static bool is_bytes(const struct _cl_mem *mem)
{
    return mem->gl->object.target == GL_OBJECT_BUFFER;
}

static cl_int find_memory(struct gl_item *item)
{
    return is_bytes(item->mem) ? memobj_buffer(item->mem, 0, &item->buffer, &item->offset)
                               : memobj_surface(item->mem, 0, &item->surface);
}

// Gives the object memory of its own again.
static cl_int reallocate(struct _cl_mem *mem)
{
    mem->gl->external = 0;
    return is_bytes(mem) ? memobj_reallocate(mem->storage, NULL) : image_reallocate(mem, NULL);
}

static const struct vk_facts *facts_of(const struct _cl_mem *mem)
{
    return &mem->context->devices[0].device->physical->facts;
}

static enum gl_result is_same_device(struct gl_share *share, void *mem)
{
    uint8_t uuid[16];
    bool cpu;
    return gl_device(share, uuid, &cpu) &&
                   !memcmp(uuid, facts_of(mem)->props11.deviceUUID, sizeof uuid)
               ? GL_FINE
               : GL_NO_SYSTEM;
}

// ---- the object's own memory --------------------------------------------------------------------

struct share_call {
    struct gl_item item;
    struct gl_exported exported;
    bool replaced; // it replaced the object's previous memory
};

static bool adopt(struct gl_share *share, struct share_call *call, const struct gl_object *object)
{
    struct _cl_mem *mem = call->item.mem;
    struct gl_exported *exported = &call->exported;
    if (gl_export(share, object, exported) != GL_FINE)
        return false;
    const struct vk_plane plane = {true, exported->modifier, exported->offset, exported->pitch};
    cl_int error = is_bytes(mem) ? memobj_import_dma_buf(mem->storage, exported->fd)
                                 : image_import_dma_buf(mem, exported->fd, &plane);
    gl_export_close(exported);
    call->replaced |= !error;
    return !error && !find_memory(&call->item);
}

static bool try_twin(struct gl_share *share, struct share_call *call)
{
    struct gl_object twin;
    if (gl_duplicate(share, &call->item.mem->gl->object, &twin) != GL_FINE)
        return false;
    bool right = adopt(share, call, &twin) && is_right(&call->item, &twin);
    gl_duplicate_end(share, &twin);
    return right;
}

static bool reads_texel(const struct gl_item *item, const uint8_t texel[4])
{
    static const size_t origin[3], one[3] = {1, 1, 1};
    struct cmd_request request = {.blocking = true};
    struct vk_buffer *staging;
    if (gl_stage(item, 0, 4, &staging) ||
        cmd_own_queue(item->mem->context->devices[0].vk, &request.queue) ||
        gl_transfer_ownership(item, 0, true) ||
        cmd_image_to_buffer(&request, item->surface, origin, one, staging, 0))
        return false;
    return !gl_transfer_ownership(item, 0, false) && !memcmp(staging->host, texel, 4);
}

static bool all_differ(const uint8_t texel[4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            if (texel[i] == texel[j])
                return false;
    return true;
}

// For an EGL image: whether the device reads the image's contents from the mirror.
static bool is_image_right(struct gl_share *share, const struct gl_item *item)
{
    const struct gl_object *object = &item->mem->gl->object;
    uint8_t texel[4];
    return gl_may_be_swapped(object) && gl_read_texel(share, object, texel) && all_differ(texel) &&
           reads_texel(item, texel);
}

// Of two textures with the same format a driver may store one as RGBA and the other as BGRA. If the
// first texel does not show the order, it is temporarily overwritten. For EGL images too: drivers
// may report the start of the texture's first level, which could look the same.
static bool has_order(struct gl_share *share, const struct share_call *call)
{
    static const uint8_t pattern_texel[4] = {0x21, 0x32, 0x43, 0x54};
    const struct gl_object *object = &call->item.mem->gl->object;
    uint8_t texel[4];
    if (!gl_may_be_swapped(object))
        return true;
    if (!gl_read_texel(share, object, texel))
        return false;
    if (all_differ(texel) && !object->image)
        return reads_texel(&call->item, texel);
    bool right =
        gl_write_texel(share, object, pattern_texel) && reads_texel(&call->item, pattern_texel);
    return gl_write_texel(share, object, texel) && right;
}

static enum gl_result try_shared(struct gl_share *share, void *data)
{
    struct share_call *call = data;
    struct memobj_gl *gl = call->item.mem->gl;
    struct gl_test *row =
        gl_can_duplicate(&gl->object) ? tests(gl->share, &gl->object, false) : NULL;
    gl->external = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
    if (row && !is_known(gl->share, row))
        note(gl->share, row, &gl->object, false, try_twin(share, call));
    return row && row->right && adopt(share, call, &gl->object) && has_order(share, call)
               ? GL_FINE
               : GL_NO_SYSTEM;
}

// NULL: it can be tried.
static const char *why_not_shared(const struct _cl_mem *mem)
{
    const char *wish = option_get(OPTION_GL);
    const struct vk_facts *facts = facts_of(mem);
    if (mem->context->device_count > 1)
        return "the context has several devices";
    if (wish && strcmp(wish, "dma_buf"))
        return "requested by PUMICE_GL";
    if (!(facts->external.memory & VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT))
        return "Vulkan cannot import dma_bufs";
    return is_bytes(mem) || facts->features.image_drm_format_modifier
               ? NULL
               : "Vulkan does not support DRM format modifiers";
}

// NULL: success.
static const char *share_memory(struct _cl_mem *mem, cl_int *error)
{
    struct share_call call = {.item = {.mem = mem}};
    struct gl_share *share = mem->gl->share->share;
    const char *why = why_not_shared(mem);
    *error = CL_SUCCESS;
    if (!why && gl_share_call(share, is_same_device, mem) != GL_FINE)
        why = "OpenGL renders on another device";
    if (why)
        return why;
    if (gl_share_call(share, try_shared, &call) == GL_FINE) {
        log_write(LOG_MEM,
                  "%s %u: the device uses its memory directly, by %s, modifier 0x%llx",
                  gl_kind_name(mem->gl), mem->gl->object.name, call.exported.by,
                  (unsigned long long)call.exported.modifier);
        return NULL;
    }
    mem->gl->external = 0;
    *error = call.replaced ? reallocate(mem) : CL_SUCCESS;
    return "OpenGL does not export objects of this kind, or Vulkan does not import them, or not "
           "correctly";
}

// ---- copies by the device -----------------------------------------------------------------------

struct mirror_call {
    struct gl_item item;
    struct vk_exported memory;
};

// Depends on the rendering device and on earlier tests.
static enum gl_result may_mirror(struct gl_share *share, void *mem)
{
    struct memobj_gl *gl = ((struct _cl_mem *)mem)->gl;
    const struct gl_test *row = tests(gl->share, &gl->object, true);
    if (!row || (is_known(gl->share, row) && !row->right))
        return GL_NO_SYSTEM;
    return is_same_device(share, mem);
}

// Tests a similar temporary object; if that is not possible, only the mirror.
static bool is_mirror_right(struct gl_share *share, const struct gl_item *item)
{
    const struct gl_object *object = &item->mem->gl->object;
    struct gl_object twin;
    if (gl_duplicate(share, object, &twin) != GL_FINE) {
        gl_mirror_as(object, &twin);
        twin.mirror = 0;
        return is_right(item, &twin);
    }
    bool right = is_right(item, &twin);
    gl_duplicate_end(share, &twin);
    return right;
}

static enum gl_result make_mirror(struct gl_share *share, void *data)
{
    struct mirror_call *call = data;
    struct memobj_gl *gl = call->item.mem->gl;
    struct gl_test *row = tests(gl->share, &gl->object, true);
    if (gl_mirror(share, &gl->object, call->memory.fd, call->memory.size) == GL_FINE)
        call->memory.fd = -1;
    if (row && !is_known(gl->share, row))
        note(gl->share, row, &gl->object, true,
             gl->object.mirror && is_mirror_right(share, &call->item));
    bool right = row && row->right;
    if (right && gl->object.image && gl->object.mirror)
        right = gl_copy(share, &gl->object, true) == GL_FINE && is_image_right(share, &call->item);
    if (!right)
        gl_mirror_end(share, &gl->object);
    return gl->object.mirror ? GL_FINE : GL_NO_SYSTEM;
}

// NULL: it can be tried. Useless if the device is the CPU itself.
static const char *why_not_device(const struct _cl_mem *mem)
{
    const char *wish = option_get(OPTION_GL);
    if (mem->context->device_count > 1)
        return "the context has several devices";
    if (wish)
        return strcmp(wish, "device") ? "requested by PUMICE_GL" : NULL;
    return facts_of(mem)->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? "the device is a CPU"
                                                                          : NULL;
}

// NULL: success.
static const char *try_mirror(struct _cl_mem *mem, cl_int *error)
{
    struct mirror_call call = {.item = {.mem = mem}, .memory = {.fd = -1}};
    struct gl_share *share = mem->gl->share->share;
    const char *why = why_not_device(mem);
    *error = CL_SUCCESS;
    if (!why && gl_share_call(share, may_mirror, mem) != GL_FINE)
        why = "OpenGL renders on another device, or a test with this kind of object failed";
    if (why)
        return why;
    mem->gl->external = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    *error = is_bytes(mem) ? memobj_reallocate(mem->storage, &call.memory)
                           : image_reallocate(mem, &call.memory);
    if (!*error)
        *error = find_memory(&call.item);
    bool made = !*error && gl_share_call(share, make_mirror, &call) == GL_FINE;
    if (call.memory.fd >= 0)
        descriptor_close(call.memory.fd);
    if (made)
        return NULL;
    *error = reallocate(mem);
    return "OpenGL does not import the device's memory, or not correctly";
}

// ---- choosing -----------------------------------------------------------------------------------

cl_int memobj_set_gl(struct _cl_mem *mem, const struct memobj_gl *gl)
{
    cl_int error;
    mem->gl = malloc(sizeof *gl);
    if (!mem->gl)
        return CL_OUT_OF_HOST_MEMORY;
    *mem->gl = *gl;
    const char *why_copied = share_memory(mem, &error);
    if (!why_copied || error)
        return error;
    const char *why_host = try_mirror(mem, &error);
    bool twice = why_host && strcmp(why_host, why_copied);
    log_write(LOG_MEM, "%s %u is copied by the %s: %s%s%s", gl_kind_name(mem->gl),
              mem->gl->object.name, why_host ? "host" : "device", why_copied, twice ? "; " : "",
              twice ? why_host : "");
    return error;
}
