// SPDX-License-Identifier: Apache-2.0
// OpenGL objects -> dma_bufs. See export.h.
#include "gl/export.h"

#include <string.h>

#include "gl/system.h"
#include "platform/platform.h"
#include "util/log.h"

enum { INVALID_MODIFIER_SHIFT = 56, TWIN_LEVELS = 16 };
static const uint64_t unknown_modifier = ((uint64_t)1 << INVALID_MODIFIER_SHIFT) - 1; // DRM_FORMAT_MOD_INVALID

// ---- Mesa's interop interface -------------------------------------------------------------------

// The interface does not report the offset of a texture's level or layer.
static bool begins_with_memory(const struct gl_object *object)
{
    switch (object->target) {
    case GL_ARRAY_BUFFER:
        return !object->offset;
    case GL_RENDERBUFFER:
        return true;
    case GL_TEXTURE_2D:
    case GL_TEXTURE_RECTANGLE:
        return !object->level && object->levels == 1 && !object->image;
    default:
        return false;
    }
}

static struct interop_in interop_name(const struct gl_object *object)
{
    return (struct interop_in){.version = INTEROP_VERSION, .target = object->target, .name = object->name};
}

static bool export_by_interop(struct gl_share *share, const struct gl_object *object, struct gl_exported *out)
{
    struct interop_in in = interop_name(object);
    struct interop_out reply = {.version = INTEROP_VERSION, .fd = -1};
    if (!share->interop.export || !begins_with_memory(object) ||
        share->interop.export(share->origin.display, share->context, &in, &reply))
        return false;
    bool whole = object->target == GL_ARRAY_BUFFER
                     ? !reply.buffer_offset && reply.buffer_size >= 0 &&
                           (uint64_t)reply.buffer_size >= object->size
                     : !reply.first_level && !reply.first_layer && reply.version >= INTEROP_VERSION;
    *out = (struct gl_exported){.fd = reply.fd,
                                .modifier = reply.modifier,
                                .pitch = reply.pitch,
                                .by = "gl_interop of Mesa"};
    return whole;
}

void gl_export_flush(struct gl_share *share, const struct gl_object *object)
{
    struct interop_in in = interop_name(object);
    struct interop_flush out = {.version = INTEROP_FLUSH_VERSION};
    if (share->context && share->interop.flush && begins_with_memory(object))
        share->interop.flush(share->origin.display, share->context, 1, &in, &out);
}

// ---- temporary copies ---------------------------------------------------------------------------

static int value_of(struct gl_share *share, unsigned target, int level, unsigned name)
{
    int value = 0;
    share->fn.GetTexLevelParameteriv(target, level, name, &value);
    return value;
}

static int texture_value(struct gl_share *share, unsigned target, unsigned name)
{
    int value = 0;
    share->fn.GetTexParameteriv(target, name, &value);
    return value;
}

static int count_levels(struct gl_share *share, const struct gl_object *object)
{
    int count = object->level + 1;
    if (object->target != GL_TEXTURE_RECTANGLE)
        while (count < TWIN_LEVELS && value_of(share, object->target, count, GL_TEXTURE_WIDTH))
            count++;
    return count;
}

static void make_level(struct gl_share *share, const struct gl_object *object, unsigned target, int level)
{
    const int shift = object->level - level;
    const uint32_t size[2] = {shift > 0 ? object->width << shift : object->width >> -shift,
                              shift > 0 ? object->height << shift : object->height >> -shift};
    share->fn.TexImage2D(target, level, (int)object->internal, (int)(size[0] ? size[0] : 1), (int)(size[1] ? size[1] : 1), 0,
                         gl_pixel_format(object), gl_pixel_type(object), NULL);
}

static void make_texture(struct gl_share *share, const struct gl_object *object,
                         struct gl_object *duplicate)
{
    static const unsigned kept[] = {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_BASE_LEVEL, GL_TEXTURE_MAX_LEVEL};
    const unsigned bound = gl_binding_target(object->target),
                   faces = gl_is_face(object->target) ? 6 : 1;
    const unsigned first = faces > 1 ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : object->target;
    int values[3], levels;
    share->fn.BindTexture(bound, object->name);
    for (int i = 0; i < 3; i++)
        values[i] = texture_value(share, bound, kept[i]);
    levels = count_levels(share, object);
    share->fn.GenTextures(1, &duplicate->name);
    share->fn.BindTexture(bound, duplicate->name);
    for (int i = 0; i < 3; i++)
        share->fn.TexParameteri(bound, kept[i], values[i]);
    for (int level = 0; level < levels; level++)
        for (unsigned face = 0; face < faces; face++)
            make_level(share, object, first + face, level);
    share->fn.BindTexture(bound, 0);
}

static void make_renderbuffer(struct gl_share *share, const struct gl_object *object,
                              struct gl_object *duplicate)
{
    share->fn.GenRenderbuffers(1, &duplicate->name);
    share->fn.BindRenderbuffer(GL_RENDERBUFFER, duplicate->name);
    share->fn.RenderbufferStorage(GL_RENDERBUFFER, object->internal, (int)object->width, (int)object->height);
    share->fn.BindRenderbuffer(GL_RENDERBUFFER, 0);
}

static void make_buffer(struct gl_share *share, const struct gl_object *object,
                        struct gl_object *duplicate)
{
    share->fn.GenBuffers(1, &duplicate->name);
    share->fn.BindBuffer(GL_ARRAY_BUFFER, duplicate->name);
    share->fn.BufferData(GL_ARRAY_BUFFER, (intptr_t)object->size, NULL, GL_STREAM_COPY);
    share->fn.BindBuffer(GL_ARRAY_BUFFER, 0);
}

bool gl_can_duplicate(const struct gl_object *object)
{
    switch (object->target) {
    case GL_ARRAY_BUFFER:
        return true;
    case GL_RENDERBUFFER:
    case GL_TEXTURE_2D:
    case GL_TEXTURE_RECTANGLE: // EGL images only if a texel shows whether the result is right
        return object->levels == 1 && !gl_is_depth(object) && (!object->image || gl_may_be_swapped(object));
    default:
        return gl_is_face(object->target) && object->levels == 1 && !gl_is_depth(object);
    }
}

enum gl_result gl_duplicate(struct gl_share *share, const struct gl_object *object,
                            struct gl_object *duplicate)
{
    *duplicate = *object;
    duplicate->name = 0;
    duplicate->image = NULL;
    if (!share->context || !gl_can_duplicate(object))
        return GL_NO_SYSTEM;
    gl_no_error(share);
    if (object->target == GL_ARRAY_BUFFER)
        make_buffer(share, object, duplicate);
    else if (object->target == GL_RENDERBUFFER)
        make_renderbuffer(share, object, duplicate);
    else
        make_texture(share, object, duplicate);
    if (gl_no_error(share))
        return GL_FINE;
    gl_duplicate_end(share, duplicate);
    return GL_NO_SYSTEM;
}

void gl_duplicate_end(struct gl_share *share, struct gl_object *duplicate)
{
    if (share->context && duplicate->name) {
        if (duplicate->target == GL_ARRAY_BUFFER)
            share->fn.DeleteBuffers(1, &duplicate->name);
        else if (duplicate->target == GL_RENDERBUFFER)
            share->fn.DeleteRenderbuffers(1, &duplicate->name);
        else
            share->fn.DeleteTextures(1, &duplicate->name);
        gl_no_error(share);
    }
    duplicate->name = 0;
}

// ---- both interfaces ----------------------------------------------------------------------------

enum gl_result gl_export(struct gl_share *share, const struct gl_object *object, struct gl_exported *out)
{
    *out = (struct gl_exported){.fd = -1};
    if (!share->context)
        return GL_NO_CONTEXT;
    bool done = export_by_interop(share, object, out);
    if (!done && object->target != GL_ARRAY_BUFFER && share->system->export) {
        gl_export_close(out);
        done = share->system->export(share, object, out);
    }
    if (done && out->fd >= 0 && (object->target == GL_ARRAY_BUFFER || out->modifier != unknown_modifier))
        return GL_FINE;
    gl_export_close(out);
    return GL_NO_SYSTEM;
}

void gl_export_close(struct gl_exported *exported)
{
    if (exported->fd >= 0)
        descriptor_close(exported->fd);
    exported->fd = -1;
}
