// SPDX-License-Identifier: Apache-2.0
// OpenGL objects: their properties and contents. All functions run on the share's thread.
#ifndef PUMICE_GL_CONTENTS_H
#define PUMICE_GL_CONTENTS_H

#include "gl/share.h"

// Targets of objects other than textures.
enum { GL_OBJECT_BUFFER = 0x8892, GL_OBJECT_RENDERBUFFER = 0x8D41 };

enum gl_channels { GL_CH_R, GL_CH_RG, GL_CH_RGBA, GL_CH_BGRA, GL_CH_SRGBA, GL_CH_DEPTH, GL_CH_DEPTH_STENCIL };
enum gl_encoding {
    GL_EN_UNORM8, GL_EN_UNORM16, GL_EN_SNORM8, GL_EN_SNORM16, GL_EN_HALF, GL_EN_FLOAT, GL_EN_UNORM24,
    GL_EN_INT8, GL_EN_INT16, GL_EN_INT32, GL_EN_UINT8, GL_EN_UINT16, GL_EN_UINT32
};

// An object, or one of its levels. Depth with stencil is treated as float depth.
struct gl_object {
    unsigned target; // of a texture or of a cube's face; GL_ARRAY_BUFFER, GL_RENDERBUFFER
    unsigned name;
    void *image;     // an EGL image, which has no name; else NULL
    bool drawn;      // contents can only be copied through framebuffers: an EGL image, or its
                     // temporary copy
    int level, levels; // the first level, and the number of levels from there on
    bool mipmapped;    // the texture has other levels
    unsigned internal;
    enum gl_channels channels;
    enum gl_encoding encoding;
    uint32_t width, height, depth; // of the first of those levels; layers are the last dimension; 1
                                   // in unused dimensions
    uint64_t offset, size; // of a buffer
    unsigned mirror, memory; // created by gl_mirror(); 0: none
};

// Fills *object from its target, name or image, and level. A negative level of a texture: all
// levels.
enum gl_result gl_query(struct gl_share *share, struct gl_object *object);
// Whether it is unchanged since gl_query().
enum gl_result gl_check_unchanged(struct gl_share *share, const struct gl_object *object);

// Frees what gl_query() has created for it.
void gl_forget(struct gl_share *share, const struct gl_object *object);

// How texels are read and written: bytes of a texel, format and type in OpenGL.
unsigned gl_texel(const struct gl_object *object);
unsigned gl_pixel_format(const struct gl_object *object);
unsigned gl_pixel_type(const struct gl_object *object);
bool gl_is_depth(const struct gl_object *object);
// Whether it is a face of a cube; and the target that a cube or another target is bound as.
bool gl_is_face(unsigned target);
unsigned gl_binding_target(unsigned target);
// Clears OpenGL's errors. False: there was one.
bool gl_no_error(struct gl_share *share);

// The i-th level as texels without gaps, or the buffer's bytes. gl_write() returns when OpenGL has
// copied them.
void gl_level_size(const struct gl_object *object, int i, uint32_t size[3]);
enum gl_result gl_read(struct gl_share *share, const struct gl_object *object, int i, void *data);
enum gl_result gl_write(struct gl_share *share, const struct gl_object *object, int i, const void *data);

// Whether a driver may store the channels of a texture in a different order than its format,
// depending on how it was filled.
bool gl_may_be_swapped(const struct gl_object *object);
// Reads and writes the first texel of such a texture, 4 bytes. False: OpenGL cannot access all of
// its bits.
bool gl_read_texel(struct gl_share *share, const struct gl_object *object, uint8_t texel[4]);
bool gl_write_texel(struct gl_share *share, const struct gl_object *object, const uint8_t texel[4]);

// Creates an object of the same size and format in memory that Vulkan has exported as an opaque fd,
// so that gl_copy() copies the contents on the device in either direction. On success OpenGL takes
// the fd. *as: the mirror as an object.
enum gl_result gl_mirror(struct gl_share *share, struct gl_object *object, int fd, uint64_t size);
void gl_mirror_as(const struct gl_object *object, struct gl_object *as);
void gl_mirror_end(struct gl_share *share, struct gl_object *object);
enum gl_result gl_copy(struct gl_share *share, const struct gl_object *object, bool to_mirror);

// Waits for a fence from gl_fence(): gl_wait() on the host; gl_wait_on_gpu() lets later OpenGL
// commands of the share's thread wait.
void gl_wait(struct gl_share *share, void *fence);
void gl_wait_on_gpu(struct gl_share *share, void *fence);
bool gl_is_signaled(struct gl_share *share, void *fence); // if true, the fence is freed

#endif
