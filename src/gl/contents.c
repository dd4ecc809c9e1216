// SPDX-License-Identifier: Apache-2.0
// Properties and contents of OpenGL objects, accessed by the share's own context. See contents.h.
//
// OpenGL textures are read as a whole; OpenGL ES textures and renderbuffers through a framebuffer,
// layer by layer.
#include "gl/contents.h"

#include <stddef.h>
#include <string.h>

#include "gl/semaphore.h"
#include "gl/system.h"
#include "util/log.h"

enum { MAX_LEVELS = 32, MAX_ERRORS = 16, TRIAL_SIDE = 4, ORDERED_BYTES = 1 << 20 };
enum { FLOAT_BITS = 100 }; // formats.def

// ---- formats ------------------------------------------------------------------------------------

static const struct format {
    uint16_t internal;
    uint8_t channels, encoding, bits;
} formats[] = {
#define FORMAT(internal, channels, encoding, bits) {internal, GL_CH_##channels, GL_EN_##encoding, bits},
#include "gl/formats.def"
#undef FORMAT
};

static const struct {
    uint8_t count;
    uint16_t format, integers;
} channel_rows[] = {
    [GL_CH_R] = {1, GL_RED, GL_RED_INTEGER},     [GL_CH_RG] = {2, GL_RG, GL_RG_INTEGER},
    [GL_CH_RGBA] = {4, GL_RGBA, GL_RGBA_INTEGER}, [GL_CH_BGRA] = {4, GL_BGRA, 0},
    [GL_CH_SRGBA] = {4, GL_RGBA, 0},             [GL_CH_DEPTH] = {1, GL_DEPTH_COMPONENT, 0},
    [GL_CH_DEPTH_STENCIL] = {1, GL_DEPTH_COMPONENT, 0},
};

static const struct {
    uint8_t bytes;
    uint16_t type;
} encoding_rows[] = {
    [GL_EN_UNORM8] = {1, GL_UNSIGNED_BYTE}, [GL_EN_UNORM16] = {2, GL_UNSIGNED_SHORT}, [GL_EN_SNORM8] = {1, GL_BYTE},
    [GL_EN_SNORM16] = {2, GL_SHORT},        [GL_EN_HALF] = {2, GL_HALF_FLOAT},        [GL_EN_FLOAT] = {4, GL_FLOAT},
    [GL_EN_UNORM24] = {4, GL_FLOAT},        [GL_EN_INT8] = {1, GL_BYTE},              [GL_EN_INT16] = {2, GL_SHORT},
    [GL_EN_INT32] = {4, GL_INT},            [GL_EN_UINT8] = {1, GL_UNSIGNED_BYTE},    [GL_EN_UINT16] = {2, GL_UNSIGNED_SHORT},
    [GL_EN_UINT32] = {4, GL_UNSIGNED_INT},
};

unsigned gl_texel(const struct gl_object *object)
{
    return channel_rows[object->channels].count * (unsigned)encoding_rows[object->encoding].bytes;
}

unsigned gl_pixel_format(const struct gl_object *object)
{
    return object->encoding >= GL_EN_INT8 ? channel_rows[object->channels].integers : channel_rows[object->channels].format;
}

unsigned gl_pixel_type(const struct gl_object *object)
{
    return encoding_rows[object->encoding].type;
}

bool gl_is_depth(const struct gl_object *object)
{
    return object->channels >= GL_CH_DEPTH;
}

static enum gl_result take_format(struct gl_object *object, int internal, int red_bits, int depth_bits)
{
    object->internal = (unsigned)internal;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        int bits = formats[i].channels >= GL_CH_DEPTH ? depth_bits : red_bits;
        if (formats[i].internal != internal || (formats[i].bits && formats[i].bits != bits))
            continue;
        object->channels = formats[i].channels;
        object->encoding = formats[i].encoding;
        return GL_FINE;
    }
    log_write(LOG_MEM, "OpenGL's internal format 0x%x (%d bits of red, %d of depth) has no OpenCL format", (unsigned)internal,
              red_bits, depth_bits);
    return GL_NO_FORMAT;
}

static unsigned sized_format(const struct gl_object *object)
{
    size_t i = 0;
    while (formats[i].channels != object->channels || formats[i].encoding != object->encoding || formats[i].bits)
        i++;
    return formats[i].internal;
}

// ---- targets ------------------------------------------------------------------------------------

bool gl_is_face(unsigned target)
{
    return target >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z;
}

unsigned gl_binding_target(unsigned target)
{
    return gl_is_face(target) ? GL_TEXTURE_CUBE_MAP : target;
}

static bool is_texture(const struct gl_object *object)
{
    return object->target != GL_ARRAY_BUFFER && object->target != GL_RENDERBUFFER;
}

bool gl_no_error(struct gl_share *share)
{
    bool none = true;
    for (int i = 0; i < MAX_ERRORS && share->fn.GetError(); i++)
        none = false;
    return none;
}

static void halve(unsigned target, int level, uint32_t size[3])
{
    int shrink = target == GL_TEXTURE_3D ? 3 : target == GL_TEXTURE_1D || target == GL_TEXTURE_1D_ARRAY ? 1 : 2;
    for (int i = 0; i < shrink; i++)
        size[i] = size[i] >> level ? size[i] >> level : 1;
}

void gl_level_size(const struct gl_object *object, int i, uint32_t size[3])
{
    size[0] = object->width;
    size[1] = object->height;
    size[2] = object->depth;
    halve(object->target, i, size);
}

// ---- textures -----------------------------------------------------------------------------------

static int level_value(struct gl_share *share, unsigned target, int level, unsigned name)
{
    int value = 0;
    share->fn.GetTexLevelParameteriv(target, level, name, &value);
    return value;
}

// For the bound texture. False: the level does not exist.
static bool level_size(struct gl_share *share, unsigned target, int level, uint32_t size[3])
{
    size[0] = (uint32_t)level_value(share, target, level, GL_TEXTURE_WIDTH);
    size[1] = (uint32_t)level_value(share, target, level, GL_TEXTURE_HEIGHT);
    size[2] = (uint32_t)level_value(share, target, level, GL_TEXTURE_DEPTH);
    if (!size[2])
        size[2] = 1; // some drivers return 0 for 2D textures
    return size[0] && size[1];
}

// All faces of a cube are squares of the same size.
static bool is_complete_cube(struct gl_share *share, unsigned target, int level,
                             const uint32_t size[3])
{
    uint32_t other[3];
    if (!gl_is_face(target))
        return true;
    for (unsigned face = GL_TEXTURE_CUBE_MAP_POSITIVE_X; face <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z; face++)
        if (!level_size(share, face, level, other) || other[0] != size[0] || other[1] != size[0])
            return false;
    return true;
}

// Whether a level has the size that follows from the base level.
static bool is_next_level(struct gl_share *share, unsigned target, int base,
                          const uint32_t first[3], int level)
{
    uint32_t want[3], got[3];
    memcpy(want, first, sizeof want);
    halve(target, level - base, want);
    return level_size(share, target, level, got) && !memcmp(want, got, sizeof got);
}

static int last_level(unsigned target, const uint32_t size[3], int base, int most)
{
    uint32_t halved[3], sides;
    int last = base;
    for (memcpy(halved, size, sizeof halved);; last++) {
        sides = halved[0] | (target == GL_TEXTURE_1D_ARRAY ? 1 : halved[1]) | (target == GL_TEXTURE_3D ? halved[2] : 1);
        if (sides <= 1 || last == most)
            return last;
        halve(target, 1, halved);
    }
}

static enum gl_result take_levels(struct gl_share *share, struct gl_object *object)
{
    unsigned target = object->target, bound = gl_binding_target(target);
    int base = 0, most = 1000;
    uint32_t first[3];
    share->fn.GetTexParameteriv(bound, GL_TEXTURE_BASE_LEVEL, &base);
    share->fn.GetTexParameteriv(bound, GL_TEXTURE_MAX_LEVEL, &most);
    if (base < 0 || base > MAX_LEVELS || !level_size(share, target, base, first) ||
        !is_complete_cube(share, target, base, first))
        return GL_NO_OBJECT;
    int last = target == GL_TEXTURE_RECTANGLE ? base : last_level(target, first, base, most);
    bool all = object->level < 0;
    if (all)
        object->level = base;
    if (object->level < base || object->level > last)
        return GL_NO_LEVEL;
    if (!is_next_level(share, target, base, first, object->level))
        return GL_NO_OBJECT;
    object->levels = 1;
    object->mipmapped = object->level > base || (last > base && level_value(share, target, base + 1, GL_TEXTURE_WIDTH));
    while (all && object->level + object->levels <= last &&
           is_next_level(share, target, base, first, base + object->levels))
        object->levels++;
    halve(target, object->level - base, first);
    object->width = first[0];
    object->height = first[1];
    object->depth = first[2];
    return GL_FINE;
}

static enum gl_result query_level(struct gl_share *share, struct gl_object *object)
{
    unsigned target = object->target;
    if (!share->fn.GetTexLevelParameteriv) {
        log_write(LOG_MEM, "OpenGL ES %d.%d cannot describe textures", share->version / 10, share->version % 10);
        return GL_NO_OBJECT;
    }
    enum gl_result result = take_levels(share, object);
    if (result != GL_FINE)
        return result;
    if (!share->es && level_value(share, target, object->level, GL_TEXTURE_BORDER) > 0)
        return GL_NOT_PLAIN;
    int floats = level_value(share, target, object->level, GL_TEXTURE_RED_TYPE) == GL_FLOAT ? FLOAT_BITS : 0;
    return take_format(object, level_value(share, target, object->level, GL_TEXTURE_INTERNAL_FORMAT),
                       level_value(share, target, object->level, GL_TEXTURE_RED_SIZE) + floats,
                       level_value(share, target, object->level, GL_TEXTURE_DEPTH_SIZE));
}

// A buffer texture: the buffer is what is copied.
static enum gl_result query_buffer_texture(struct gl_share *share, struct gl_object *object)
{
    const unsigned target = GL_TEXTURE_BUFFER;
    int buffer = level_value(share, target, 0, GL_TEXTURE_BUFFER_DATA_STORE_BINDING);
    enum gl_result result = take_format(object, level_value(share, target, 0, GL_TEXTURE_INTERNAL_FORMAT), 0, 0);
    if (!buffer || result != GL_FINE)
        return buffer ? result : GL_NO_OBJECT;
    object->width = (uint32_t)level_value(share, target, 0, GL_TEXTURE_WIDTH);
    object->height = object->depth = 1;
    object->offset = (uint32_t)level_value(share, target, 0, GL_TEXTURE_BUFFER_OFFSET);
    object->size = (uint64_t)object->width * gl_texel(object);
    object->target = GL_ARRAY_BUFFER;
    object->name = (unsigned)buffer;
    gl_no_error(share); // the offset query needs a later version
    return object->size ? GL_FINE : GL_NO_OBJECT;
}

static enum gl_result query_texture(struct gl_share *share, struct gl_object *object)
{
    if (!share->fn.IsTexture(object->name))
        return GL_NO_OBJECT;
    unsigned bound = gl_binding_target(object->target);
    share->fn.BindTexture(bound, object->name);
    // it belongs to another target
    enum gl_result result = !gl_no_error(share) ? GL_NO_OBJECT
                            : object->target == GL_TEXTURE_BUFFER
                                ? query_buffer_texture(share, object)
                                : query_level(share, object);
    share->fn.BindTexture(bound, 0);
    return result;
}

// ---- others -------------------------------------------------------------------------------------

static enum gl_result query_buffer(struct gl_share *share, struct gl_object *object)
{
    int size = 0;
    int64_t wide = 0;
    if (!share->fn.IsBuffer(object->name))
        return GL_NO_OBJECT;
    share->fn.BindBuffer(GL_ARRAY_BUFFER, object->name);
    share->fn.GetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    if (share->fn.GetBufferParameteri64v)
        share->fn.GetBufferParameteri64v(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &wide);
    share->fn.BindBuffer(GL_ARRAY_BUFFER, 0);
    object->size = wide > 0 ? (uint64_t)wide : size > 0 ? (uint64_t)size : 0;
    return object->size ? GL_FINE : GL_NO_OBJECT;
}

static int renderbuffer_value(struct gl_share *share, unsigned name)
{
    int value = 0;
    share->fn.GetRenderbufferParameteriv(GL_RENDERBUFFER, name, &value);
    return value;
}

static enum gl_result query_bound_renderbuffer(struct gl_share *share, struct gl_object *object)
{
    object->width = (uint32_t)renderbuffer_value(share, GL_RENDERBUFFER_WIDTH);
    object->height = (uint32_t)renderbuffer_value(share, GL_RENDERBUFFER_HEIGHT);
    object->depth = 1;
    object->levels = 1;
    if (!object->width || !object->height)
        return GL_NO_OBJECT;
    if (renderbuffer_value(share, GL_RENDERBUFFER_SAMPLES))
        return GL_NOT_PLAIN;
    return take_format(object, renderbuffer_value(share, GL_RENDERBUFFER_INTERNAL_FORMAT),
                       renderbuffer_value(share, GL_RENDERBUFFER_RED_SIZE),
                       renderbuffer_value(share, GL_RENDERBUFFER_DEPTH_SIZE));
}

static enum gl_result query_renderbuffer(struct gl_share *share, struct gl_object *object)
{
    if (!share->fn.IsRenderbuffer(object->name))
        return GL_NO_OBJECT;
    share->fn.BindRenderbuffer(GL_RENDERBUFFER, object->name);
    enum gl_result result = query_bound_renderbuffer(share, object);
    share->fn.BindRenderbuffer(GL_RENDERBUFFER, 0);
    return result;
}

// Binds an EGL image to a texture of ours. Some drivers do not support faces of cubes or slices of
// 3D textures.
static enum gl_result take_image(struct gl_share *share, const struct gl_object *object)
{
    share->fn.BindTexture(GL_TEXTURE_2D, object->name);
    share->fn.EGLImageTargetTexture2DOES(GL_TEXTURE_2D, object->image);
    unsigned error = share->fn.GetError();
    share->fn.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    share->fn.BindTexture(GL_TEXTURE_2D, 0);
    if (error)
        log_write(LOG_MEM, "OpenGL cannot create a texture from EGL image %p: error 0x%x", object->image, error);
    return !gl_no_error(share) || (error && error != GL_INVALID_OPERATION) ? GL_NO_OBJECT : error ? GL_NO_FORMAT : GL_FINE;
}

static enum gl_result query_image(struct gl_share *share, struct gl_object *object)
{
    if (!share->fn.EGLImageTargetTexture2DOES)
        return GL_NO_SYSTEM;
    object->target = GL_TEXTURE_2D;
    object->drawn = true;
    share->fn.GenTextures(1, &object->name);
    enum gl_result result = take_image(share, object);
    if (result == GL_FINE)
        result = query_texture(share, object);
    if (result != GL_FINE)
        gl_forget(share, object);
    return result;
}

void gl_forget(struct gl_share *share, const struct gl_object *object)
{
    struct gl_object gone = *object;
    gl_mirror_end(share, &gone);
    if (object->image && share->context)
        share->fn.DeleteTextures(1, &object->name);
}

static enum gl_result query(struct gl_share *share, struct gl_object *object)
{
    if (object->target == GL_ARRAY_BUFFER)
        return query_buffer(share, object);
    return object->target == GL_RENDERBUFFER ? query_renderbuffer(share, object)
                                             : query_texture(share, object);
}

static bool by_framebuffer(const struct gl_share *share, const struct gl_object *object)
{
    return object->target == GL_RENDERBUFFER || (is_texture(object) && !share->fn.GetTexImage);
}

static enum gl_result read_layer(struct gl_share *share, const struct gl_object *object, int i, uint32_t layer,
                                 const uint32_t size[2], void *data);
static enum gl_result read_drawn(struct gl_share *share, const struct gl_object *object, const uint32_t size[2], void *data);

// Detects formats that a framebuffer cannot read, like some of OpenGL ES, or cannot draw, in its
// first versions.
static enum gl_result check_readable(struct gl_share *share, const struct gl_object *object)
{
    static const uint32_t one[] = {1, 1};
    char texel[16];
    bool read = object->drawn ? share->fn.BlitFramebuffer && read_drawn(share, object, one, texel) == GL_FINE
                              : !by_framebuffer(share, object) || read_layer(share, object, 0, 0, one, texel) == GL_FINE;
    if (read)
        return GL_FINE;
    log_write(LOG_MEM, "OpenGL cannot read%s internal format 0x%x without conversion", object->drawn ? " and draw" : "",
              object->internal);
    return GL_NO_FORMAT;
}

enum gl_result gl_query(struct gl_share *share, struct gl_object *object)
{
    if (!share->context)
        return GL_NO_CONTEXT;
    gl_no_error(share);
    enum gl_result result = object->image ? query_image(share, object) : query(share, object);
    gl_no_error(share); // queries that the context's version does not support
    if (result == GL_FINE) {
        result = check_readable(share, object);
        if (result != GL_FINE)
            gl_forget(share, object);
    }
    gl_no_error(share);
    return result;
}

enum gl_result gl_check_unchanged(struct gl_share *share, const struct gl_object *object)
{
    struct gl_object now = {.target = object->target, .name = object->name, .level = object->levels > 1 ? -1 : object->level};
    if (!share->context)
        return GL_NO_CONTEXT;
    gl_no_error(share);
    enum gl_result result = query(share, &now);
    if (result == GL_FINE && (object->target == GL_ARRAY_BUFFER ? now.size < object->offset + object->size
                                                                : now.width != object->width || now.height != object->height ||
                                                                      now.depth != object->depth ||
                                                                      now.internal != object->internal ||
                                                                      now.levels != object->levels))
        result = GL_NO_OBJECT;
    gl_no_error(share);
    return result;
}

// ---- framebuffers -------------------------------------------------------------------------------

static void attach(struct gl_share *share, unsigned target, const struct gl_object *object, int i, uint32_t layer)
{
    unsigned attachment = gl_is_depth(object) ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0;
    if (object->target == GL_RENDERBUFFER)
        share->fn.FramebufferRenderbuffer(target, attachment, GL_RENDERBUFFER, object->name);
    else if (object->target == GL_TEXTURE_3D || object->target == GL_TEXTURE_2D_ARRAY)
        share->fn.FramebufferTextureLayer(target, attachment, object->name, object->level + i, (int)layer);
    else
        share->fn.FramebufferTexture2D(target, attachment, object->target, object->name, object->level + i);
}

static bool read_attached(struct gl_share *share, const struct gl_object *object, int i, uint32_t layer,
                          const uint32_t size[2], unsigned format, unsigned type, void *data)
{
    unsigned framebuffer;
    share->fn.GenFramebuffers(1, &framebuffer);
    share->fn.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    attach(share, GL_READ_FRAMEBUFFER, object, i, layer);
    share->fn.ReadPixels(0, 0, (int)size[0], (int)size[1], format, type, data);
    share->fn.BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    share->fn.DeleteFramebuffers(1, &framebuffer);
    return gl_no_error(share);
}

// For formats that OpenGL ES cannot draw to, or would convert: reads the bits as unsigned integers
// of the same size.
static bool read_bits(struct gl_share *share, const struct gl_object *object, int i, uint32_t layer, const uint32_t size[2],
                      void *data)
{
    static const struct {
        unsigned texel, internal, format, type;
    } rows[] = {
        {1, 0x8232, GL_RED_INTEGER, GL_UNSIGNED_BYTE}, {2, 0x8234, GL_RED_INTEGER, GL_UNSIGNED_SHORT},
        {4, 0x8236, GL_RED_INTEGER, GL_UNSIGNED_INT},  {8, 0x823C, GL_RG_INTEGER, GL_UNSIGNED_INT},
        {16, 0x8D70, GL_RGBA_INTEGER, GL_UNSIGNED_INT},
    };
    struct gl_object bits = {.target = GL_TEXTURE_2D, .channels = GL_CH_RGBA};
    const int width = (int)size[0], height = (int)size[1];
    size_t row = 0;
    if (!share->fn.CopyImageSubData || gl_is_depth(object))
        return false;
    while (rows[row].texel != gl_texel(object))
        row++;
    share->fn.GenTextures(1, &bits.name);
    share->fn.BindTexture(GL_TEXTURE_2D, bits.name);
    share->fn.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    share->fn.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    share->fn.TexImage2D(GL_TEXTURE_2D, 0, (int)rows[row].internal, width, height, 0, rows[row].format, rows[row].type, NULL);
    share->fn.BindTexture(GL_TEXTURE_2D, 0);
    int z = gl_is_face(object->target) ? (int)(object->target - GL_TEXTURE_CUBE_MAP_POSITIVE_X) : (int)layer;
    share->fn.CopyImageSubData(object->name, gl_binding_target(object->target), object->level + i,
                               0, 0, z, bits.name, GL_TEXTURE_2D, 0, 0, 0, 0, width, height, 1);
    bool read = gl_no_error(share) && read_attached(share, &bits, 0, 0, size, rows[row].format, rows[row].type, data);
    share->fn.DeleteTextures(1, &bits.name);
    return read;
}

static enum gl_result read_layer(struct gl_share *share, const struct gl_object *object, int i, uint32_t layer,
                                 const uint32_t size[2], void *data)
{
    return read_attached(share, object, i, layer, size, gl_pixel_format(object), gl_pixel_type(object), data) ||
                   read_bits(share, object, i, layer, size, data)
               ? GL_FINE
               : GL_NO_FORMAT;
}

// ---- copies by drawing --------------------------------------------------------------------------

// If an EGL image is a level of a texture, Mesa's copies access the first level instead, with any
// function; only framebuffers access the right one. So contents are copied through a temporary
// texture with the same format.
static void make_stage(struct gl_share *share, const struct gl_object *object, const uint32_t size[2], const void *data,
                       struct gl_object *stage)
{
    int internal = (int)(object->channels == GL_CH_BGRA ? object->internal : sized_format(object));
    *stage = (struct gl_object){.target = GL_TEXTURE_2D, .levels = 1, .internal = object->internal, .channels = object->channels,
                                .encoding = object->encoding, .width = size[0], .height = size[1], .depth = 1};
    share->fn.GenTextures(1, &stage->name);
    share->fn.BindTexture(GL_TEXTURE_2D, stage->name);
    share->fn.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    share->fn.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    share->fn.TexImage2D(GL_TEXTURE_2D, 0, internal, (int)size[0], (int)size[1], 0, gl_pixel_format(object),
                         gl_pixel_type(object), data);
    share->fn.BindTexture(GL_TEXTURE_2D, 0);
}

static bool draw(struct gl_share *share, const struct gl_object *from, const struct gl_object *to, const uint32_t size[2])
{
    const unsigned mask = gl_is_depth(from) ? GL_DEPTH_BUFFER_BIT : GL_COLOR_BUFFER_BIT;
    const int width = (int)size[0], height = (int)size[1];
    unsigned framebuffers[2];
    if (!share->fn.BlitFramebuffer)
        return false;
    share->fn.GenFramebuffers(2, framebuffers);
    share->fn.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
    share->fn.BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[1]);
    attach(share, GL_READ_FRAMEBUFFER, from, 0, 0);
    attach(share, GL_DRAW_FRAMEBUFFER, to, 0, 0);
    share->fn.BlitFramebuffer(0, 0, width, height, 0, 0, width, height, mask, GL_NEAREST);
    share->fn.BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    share->fn.BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    share->fn.DeleteFramebuffers(2, framebuffers);
    return gl_no_error(share);
}

static enum gl_result write_drawn(struct gl_share *share, const struct gl_object *object, const uint32_t size[2],
                                  const void *data)
{
    struct gl_object stage;
    make_stage(share, object, size, data, &stage);
    bool drawn = draw(share, &stage, object, size);
    share->fn.DeleteTextures(1, &stage.name);
    return drawn ? GL_FINE : GL_NO_FORMAT;
}

static bool copy_from_framebuffer(struct gl_share *share, const struct gl_object *from, const struct gl_object *to,
                                  const uint32_t size[2])
{
    unsigned framebuffer;
    share->fn.GenFramebuffers(1, &framebuffer);
    share->fn.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    attach(share, GL_READ_FRAMEBUFFER, from, 0, 0);
    share->fn.BindTexture(GL_TEXTURE_2D, to->name);
    share->fn.CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, (int)size[0], (int)size[1]);
    share->fn.BindTexture(GL_TEXTURE_2D, 0);
    share->fn.BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    share->fn.DeleteFramebuffers(1, &framebuffer);
    return gl_no_error(share);
}

static enum gl_result read_texture(struct gl_share *share, const struct gl_object *object, int i, void *data);

// Whether a blit reads the image, a level of a texture, as `want`.
static bool blits_right(struct gl_share *share, void *image, const struct gl_object *texture, const uint8_t *want, size_t bytes)
{
    static const uint32_t size[2] = {TRIAL_SIDE, TRIAL_SIDE};
    struct gl_object from = *texture, stage;
    uint8_t got[TRIAL_SIDE * TRIAL_SIDE * 4] = {0};
    from.image = image;
    from.level = 0;
    share->fn.GenTextures(1, &from.name);
    make_stage(share, texture, size, NULL, &stage);
    bool right = take_image(share, &from) == GL_FINE && draw(share, &from, &stage, size) &&
                 read_texture(share, &stage, 0, got) == GL_FINE && !memcmp(got, want, bytes);
    share->fn.DeleteTextures(1, &from.name);
    share->fn.DeleteTextures(1, &stage.name);
    return right;
}

// If an EGL image is a level of a texture, Mesa's blits read the first level instead; NVIDIA's
// driver (580.159) reads other contents by copies from a framebuffer. This tries the former, with
// an image of our own.
static void try_images(struct gl_share *share)
{
    struct gl_object texture = {.target = GL_TEXTURE_2D, .level = 1, .levels = 1, .internal = GL_RGBA8, .channels = GL_CH_RGBA,
                                .encoding = GL_EN_UNORM8, .width = TRIAL_SIDE, .height = TRIAL_SIDE, .depth = 1};
    uint8_t levels[2][4 * TRIAL_SIDE * TRIAL_SIDE * 4] = {{0}};
    share->tried_images = true;
    if (!share->system->make_image)
        return;
    for (size_t i = 0; i < sizeof levels[1]; i++)
        levels[1][i] = (uint8_t)(0x21 + i * 7);
    share->fn.GenTextures(1, &texture.name);
    share->fn.BindTexture(GL_TEXTURE_2D, texture.name);
    share->fn.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    share->fn.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    for (int i = 0; i < 2; i++)
        share->fn.TexImage2D(GL_TEXTURE_2D, i, GL_RGBA8, 2 * TRIAL_SIDE >> i, 2 * TRIAL_SIDE >> i, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                             levels[i]);
    share->fn.BindTexture(GL_TEXTURE_2D, 0);
    void *image = share->system->make_image(share, &texture);
    share->blits_images = image && blits_right(share, image, &texture, levels[1], TRIAL_SIDE * TRIAL_SIDE * 4);
    if (image)
        share->system->drop_image(share, image);
    share->fn.DeleteTextures(1, &texture.name);
    gl_no_error(share);
}

static bool copy_shown(struct gl_share *share, const struct gl_object *from, const struct gl_object *to, const uint32_t size[2])
{
    if (!share->tried_images)
        try_images(share);
    return share->blits_images ? draw(share, from, to, size) : copy_from_framebuffer(share, from, to, size);
}

static enum gl_result read_drawn(struct gl_share *share, const struct gl_object *object, const uint32_t size[2], void *data)
{
    struct gl_object stage;
    make_stage(share, object, size, NULL, &stage);
    enum gl_result result = copy_shown(share, object, &stage, size) ? read_texture(share, &stage, 0, data) : GL_NO_FORMAT;
    share->fn.DeleteTextures(1, &stage.name);
    return result;
}

// ---- contents -----------------------------------------------------------------------------------

static enum gl_result read_buffer(struct gl_share *share, const struct gl_object *object, void *data)
{
    const intptr_t offset = (intptr_t)object->offset, size = (intptr_t)object->size;
    share->fn.BindBuffer(GL_ARRAY_BUFFER, object->name);
    if (share->fn.GetBufferSubData) {
        share->fn.GetBufferSubData(GL_ARRAY_BUFFER, offset, size, data);
    } else {
        const void *mapped =
            share->fn.MapBufferRange ? share->fn.MapBufferRange(GL_ARRAY_BUFFER, offset, size, GL_MAP_READ_BIT) : NULL;
        if (mapped) {
            memcpy(data, mapped, object->size);
            share->fn.UnmapBuffer(GL_ARRAY_BUFFER);
        }
    }
    share->fn.BindBuffer(GL_ARRAY_BUFFER, 0);
    return gl_no_error(share) ? GL_FINE : GL_NO_OBJECT;
}

// Buffer storage that is not CPU-writable is written by a copy.
static enum gl_result copy_into_buffer(struct gl_share *share, const struct gl_object *object, const void *data)
{
    unsigned name;
    if (!share->fn.CopyBufferSubData)
        return GL_NO_OBJECT;
    share->fn.GenBuffers(1, &name);
    share->fn.BindBuffer(GL_COPY_READ_BUFFER, name);
    share->fn.BindBuffer(GL_COPY_WRITE_BUFFER, object->name);
    share->fn.BufferData(GL_COPY_READ_BUFFER, (intptr_t)object->size, data, GL_STREAM_COPY);
    share->fn.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, (intptr_t)object->offset, (intptr_t)object->size);
    share->fn.BindBuffer(GL_COPY_READ_BUFFER, 0);
    share->fn.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    share->fn.DeleteBuffers(1, &name);
    return gl_no_error(share) ? GL_FINE : GL_NO_OBJECT;
}

static enum gl_result write_buffer(struct gl_share *share, const struct gl_object *object, const void *data)
{
    share->fn.BindBuffer(GL_ARRAY_BUFFER, object->name);
    share->fn.BufferSubData(GL_ARRAY_BUFFER, (intptr_t)object->offset, (intptr_t)object->size, data);
    share->fn.BindBuffer(GL_ARRAY_BUFFER, 0);
    return gl_no_error(share) ? GL_FINE : copy_into_buffer(share, object, data);
}

static enum gl_result read_texture(struct gl_share *share, const struct gl_object *object, int i, void *data)
{
    uint32_t size[3];
    enum gl_result result = GL_FINE;
    gl_level_size(object, i, size);
    if (object->drawn)
        return read_drawn(share, object, size, data);
    if (by_framebuffer(share, object)) {
        size_t bytes = (size_t)size[0] * size[1] * gl_texel(object);
        for (uint32_t layer = 0; layer < size[2] && result == GL_FINE; layer++)
            result = read_layer(share, object, i, layer, size, (char *)data + bytes * layer);
        return result;
    }
    share->fn.BindTexture(gl_binding_target(object->target), object->name);
    share->fn.GetTexImage(object->target, object->level + i, gl_pixel_format(object), gl_pixel_type(object), data);
    share->fn.BindTexture(gl_binding_target(object->target), 0);
    return gl_no_error(share) ? GL_FINE : GL_NO_OBJECT;
}

static enum gl_result write_texture(struct gl_share *share, const struct gl_object *object, int i, const void *data)
{
    const unsigned target = object->target, format = gl_pixel_format(object), type = gl_pixel_type(object);
    const int level = object->level + i;
    uint32_t size[3];
    gl_level_size(object, i, size);
    if (object->drawn || target == GL_RENDERBUFFER)
        return write_drawn(share, object, size, data);
    int width = (int)size[0], height = (int)size[1], depth = (int)size[2];
    share->fn.BindTexture(gl_binding_target(target), object->name);
    if (target == GL_TEXTURE_1D)
        share->fn.TexSubImage1D(target, level, 0, width, format, type, data);
    else if (target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY)
        share->fn.TexSubImage3D(target, level, 0, 0, 0, width, height, depth, format, type, data);
    else
        share->fn.TexSubImage2D(target, level, 0, 0, width, height, format, type, data);
    share->fn.BindTexture(gl_binding_target(target), 0);
    return gl_no_error(share) ? GL_FINE : GL_NO_OBJECT;
}

enum gl_result gl_read(struct gl_share *share, const struct gl_object *object, int i, void *data)
{
    if (!share->context)
        return GL_NO_CONTEXT;
    gl_no_error(share);
    return object->target == GL_ARRAY_BUFFER ? read_buffer(share, object, data) : read_texture(share, object, i, data);
}

enum gl_result gl_write(struct gl_share *share, const struct gl_object *object, int i, const void *data)
{
    if (!share->context)
        return GL_NO_CONTEXT;
    gl_no_error(share);
    enum gl_result result = object->target == GL_ARRAY_BUFFER ? write_buffer(share, object, data)
                                                              : write_texture(share, object, i, data);
    share->fn.Finish();
    return result;
}

// ---- single texels ------------------------------------------------------------------------------

bool gl_may_be_swapped(const struct gl_object *object)
{
    return is_texture(object) && channel_rows[object->channels].count == 4 && gl_texel(object) == 4;
}

static const uint32_t one_texel[2] = {1, 1};

static bool read_first_texel(struct gl_share *share, const struct gl_object *object, uint8_t *texel)
{
    const int z = gl_is_face(object->target) ? (int)(object->target - GL_TEXTURE_CUBE_MAP_POSITIVE_X) : 0;
    if (object->drawn && (share->fn.GetTexImage || share->blits_images))
        return read_drawn(share, object, one_texel, texel) == GL_FINE;
    if (!share->fn.GetTextureSubImage || object->drawn) // if negative values are not readable
        return object->encoding != GL_EN_SNORM8 && read_attached(share, object, 0, 0, one_texel, gl_pixel_format(object),
                                                                 gl_pixel_type(object), texel);
    share->fn.GetTextureSubImage(object->name, object->level, 0, 0, z, 1, 1, 1, gl_pixel_format(object), gl_pixel_type(object), 4,
                                 texel);
    return gl_no_error(share);
}

bool gl_read_texel(struct gl_share *share, const struct gl_object *object, uint8_t texel[4])
{
    gl_no_error(share);
    return share->context && read_first_texel(share, object, texel);
}

static bool write_first_texel(struct gl_share *share, const struct gl_object *object,
                              const uint8_t *texel)
{
    if (object->drawn)
        return write_drawn(share, object, one_texel, texel) == GL_FINE;
    share->fn.BindTexture(gl_binding_target(object->target), object->name);
    share->fn.TexSubImage2D(object->target, object->level, 0, 0, 1, 1, gl_pixel_format(object), gl_pixel_type(object), texel);
    share->fn.BindTexture(gl_binding_target(object->target), 0);
    return gl_no_error(share);
}

bool gl_write_texel(struct gl_share *share, const struct gl_object *object, const uint8_t texel[4])
{
    if (!share->context)
        return false;
    gl_no_error(share);
    bool done = write_first_texel(share, object, texel);
    share->fn.Finish();
    return done;
}

// ---- mirrors ------------------------------------------------------------------------------------

static unsigned mirror_target(const struct gl_object *object)
{
    bool layers = object->target == GL_TEXTURE_3D || object->target == GL_TEXTURE_2D_ARRAY || object->target == GL_ARRAY_BUFFER;
    return layers ? object->target : GL_TEXTURE_2D;
}

void gl_mirror_as(const struct gl_object *object, struct gl_object *as)
{
    *as = *object;
    as->target = mirror_target(object);
    as->name = object->mirror;
    as->level = 0;
    as->offset = 0;
}

// Not for 1D objects, whose Vulkan images are 2D.
static bool can_mirror(const struct gl_share *share, const struct gl_object *object)
{
    const struct gl_functions *fn = &share->fn;
    if (!share->context || !fn->CreateMemoryObjectsEXT || !fn->ImportMemoryFdEXT || gl_is_depth(object) ||
        object->target == GL_TEXTURE_1D || object->target == GL_TEXTURE_1D_ARRAY)
        return false;
    return object->target == GL_ARRAY_BUFFER ? fn->BufferStorageMemEXT && fn->CopyBufferSubData
                                             : fn->TexStorageMem2DEXT && fn->TexStorageMem3DEXT && fn->CopyImageSubData;
}

static void make_storage(struct gl_share *share, struct gl_object *object)
{
    const unsigned target = mirror_target(object), internal = sized_format(object);
    const int width = (int)object->width, height = (int)object->height;
    share->fn.GenTextures(1, &object->mirror);
    share->fn.BindTexture(target, object->mirror);
    if (target == GL_TEXTURE_2D)
        share->fn.TexStorageMem2DEXT(target, object->levels, internal, width, height, object->memory, 0);
    else
        share->fn.TexStorageMem3DEXT(target, object->levels, internal, width, height, (int)object->depth, object->memory, 0);
    share->fn.TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    share->fn.BindTexture(target, 0);
}

enum gl_result gl_mirror(struct gl_share *share, struct gl_object *object, int fd, uint64_t size)
{
    static const int dedicated = 1;
    if (!can_mirror(share, object))
        return GL_NO_SYSTEM;
    gl_no_error(share);
    share->fn.CreateMemoryObjectsEXT(1, &object->memory);
    share->fn.MemoryObjectParameterivEXT(object->memory, GL_DEDICATED_MEMORY_OBJECT, &dedicated);
    share->fn.ImportMemoryFdEXT(object->memory, size, GL_HANDLE_TYPE_OPAQUE_FD, fd);
    if (!gl_no_error(share)) {
        gl_mirror_end(share, object);
        return GL_NO_SYSTEM;
    }
    if (object->target == GL_ARRAY_BUFFER) {
        share->fn.GenBuffers(1, &object->mirror);
        share->fn.BindBuffer(GL_ARRAY_BUFFER, object->mirror);
        share->fn.BufferStorageMemEXT(GL_ARRAY_BUFFER, (intptr_t)object->size, object->memory, 0);
        share->fn.BindBuffer(GL_ARRAY_BUFFER, 0);
    } else {
        make_storage(share, object);
    }
    if (!gl_no_error(share))
        gl_mirror_end(share, object); // closes the fd, too
    return GL_FINE;
}

void gl_mirror_end(struct gl_share *share, struct gl_object *object)
{
    if (share->context && object->memory) {
        if (object->target == GL_ARRAY_BUFFER)
            share->fn.DeleteBuffers(1, &object->mirror);
        else
            share->fn.DeleteTextures(1, &object->mirror);
        share->fn.DeleteMemoryObjectsEXT(1, &object->memory);
        gl_no_error(share);
    }
    object->mirror = object->memory = 0;
}

static void copy_bytes(struct gl_share *share, const struct gl_object *object, bool to_mirror)
{
    const intptr_t offset = (intptr_t)object->offset;
    share->fn.BindBuffer(GL_COPY_READ_BUFFER, to_mirror ? object->name : object->mirror);
    share->fn.BindBuffer(GL_COPY_WRITE_BUFFER, to_mirror ? object->mirror : object->name);
    share->fn.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, to_mirror ? offset : 0, to_mirror ? 0 : offset,
                                (intptr_t)object->size);
    share->fn.BindBuffer(GL_COPY_READ_BUFFER, 0);
    share->fn.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

static bool draw_all(struct gl_share *share, const struct gl_object *object, bool to_mirror)
{
    const uint32_t size[2] = {object->width, object->height};
    struct gl_object mirror;
    gl_mirror_as(object, &mirror);
    return to_mirror ? copy_shown(share, object, &mirror, size) : draw(share, &mirror, object, size);
}

static void copy_level(struct gl_share *share, const struct gl_object *object, int i, bool to_mirror)
{
    const unsigned mirror = mirror_target(object), target = gl_binding_target(object->target);
    const int z = gl_is_face(object->target) ? (int)(object->target - GL_TEXTURE_CUBE_MAP_POSITIVE_X) : 0;
    uint32_t size[3];
    gl_level_size(object, i, size);
    int width = (int)size[0], height = (int)size[1], depth = (int)size[2];
    if (to_mirror)
        share->fn.CopyImageSubData(object->name, target, object->level + i, 0, 0, z, object->mirror, mirror, i, 0, 0, 0, width,
                                   height, depth);
    else
        share->fn.CopyImageSubData(object->mirror, mirror, i, 0, 0, 0, object->name, target, object->level + i, 0, 0, z, width,
                                   height, depth);
}

enum gl_result gl_copy(struct gl_share *share, const struct gl_object *object, bool to_mirror)
{
    if (!share->context)
        return GL_NO_CONTEXT;
    gl_no_error(share);
    bool done = !object->drawn || draw_all(share, object, to_mirror);
    if (object->target == GL_ARRAY_BUFFER)
        copy_bytes(share, object, to_mirror);
    for (int i = 0; i < object->levels && object->target != GL_ARRAY_BUFFER && !object->drawn; i++)
        copy_level(share, object, i, to_mirror);
    share->fn.Finish();
    return gl_no_error(share) && done ? GL_FINE : GL_NO_FORMAT;
}

// In the application's context NVIDIA's driver (580.159) copies large buffers through host memory:
// 33 MB take 1.4 ms instead of 0.2.
bool gl_can_order(const struct gl_share *share, const struct gl_object *object)
{
    bool bytes = object->target == GL_ARRAY_BUFFER;
    return object->mirror && !object->drawn && (!bytes || (share->fn.CopyNamedBufferSubData && object->size <= ORDERED_BYTES));
}

void gl_copy_ordered(struct gl_share *share, const struct gl_object *object, bool to_mirror)
{
    const intptr_t offset = (intptr_t)object->offset;
    if (object->target == GL_ARRAY_BUFFER)
        share->fn.CopyNamedBufferSubData(to_mirror ? object->name : object->mirror, to_mirror ? object->mirror : object->name,
                                         to_mirror ? offset : 0, to_mirror ? 0 : offset, (intptr_t)object->size);
    for (int i = 0; i < object->levels && object->target != GL_ARRAY_BUFFER; i++)
        copy_level(share, object, i, to_mirror);
}
