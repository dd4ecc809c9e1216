// SPDX-License-Identifier: Apache-2.0
// Objects of OpenGL: what they are, and their contents. All of this runs on the share's thread.
#ifndef PUMICE_GL_CONTENTS_H
#define PUMICE_GL_CONTENTS_H

#include "gl/share.h"

// Targets of objects that are no textures.
enum { GL_OBJECT_BUFFER = 0x8892, GL_OBJECT_RENDERBUFFER = 0x8D41 };

enum gl_channels { GL_CH_R, GL_CH_RG, GL_CH_RGBA, GL_CH_BGRA, GL_CH_SRGBA, GL_CH_DEPTH, GL_CH_DEPTH_STENCIL };
enum gl_encoding {
    GL_EN_UNORM8, GL_EN_UNORM16, GL_EN_SNORM8, GL_EN_SNORM16, GL_EN_HALF, GL_EN_FLOAT, GL_EN_UNORM24,
    GL_EN_INT8, GL_EN_INT16, GL_EN_INT32, GL_EN_UINT8, GL_EN_UINT16, GL_EN_UINT32
};

// An object, or a level of it. Depth with stencil is seen as floats of depth.
struct gl_object {
    unsigned target; // of a texture, of a cube's face; GL_ARRAY_BUFFER, GL_RENDERBUFFER
    unsigned name;
    void *image;     // of EGL, with no name; else NULL
    bool drawn;      // contents are copied by framebuffers alone: an image of EGL, or its twin
    int level, levels; // from `level` on
    bool mipmapped;    // the texture has others
    unsigned internal;
    enum gl_channels channels;
    enum gl_encoding encoding;
    uint32_t width, height, depth; // of the first of those levels; layers are the last that there is; 1 where there is none
    uint64_t offset, size; // of a buffer
    unsigned mirror, memory; // gl_mirror()'s; 0: none
};

// What the names in *object tell: target, name or image, level. A texture's level below 0: all of them.
enum gl_result gl_look(struct gl_share *share, struct gl_object *object);
// Whether it still is what gl_look() said.
enum gl_result gl_look_again(struct gl_share *share, const struct gl_object *object);

// What gl_look() made for it.
void gl_forget(struct gl_share *share, const struct gl_object *object);

// Texels as they are read and written: bytes of one, names in OpenGL.
unsigned gl_texel(const struct gl_object *object);
unsigned gl_pixel_format(const struct gl_object *object);
unsigned gl_pixel_type(const struct gl_object *object);
bool gl_is_depth(const struct gl_object *object);
// Of a cube, and what the cube or another target is bound as.
bool gl_is_face(unsigned target);
unsigned gl_bound_as(unsigned target);
// Clears OpenGL's errors. False: there was one.
bool gl_no_error(struct gl_share *share);

// The i-th of its levels as texels without gaps, or the buffer's bytes. gl_write() returns when OpenGL has them.
void gl_level_size(const struct gl_object *object, int i, uint32_t size[3]);
enum gl_result gl_read(struct gl_share *share, const struct gl_object *object, int i, void *data);
enum gl_result gl_write(struct gl_share *share, const struct gl_object *object, int i, const void *data);

// Whether a driver may keep the channels of a texture in another order than the format says, as they were when it was filled.
bool gl_may_be_swapped(const struct gl_object *object);
// The first texel of such a texture, 4 bytes. False: OpenGL does not tell, or change, all of its bits.
bool gl_peek(struct gl_share *share, const struct gl_object *object, uint8_t texel[4]);
bool gl_poke(struct gl_share *share, const struct gl_object *object, const uint8_t texel[4]);

// An object of the same size and format over memory that Vulkan has exported as an opaque fd, so that the device copies
// contents by gl_copy(), to there or back from there. On success the fd is OpenGL's. *as: that object alone.
enum gl_result gl_mirror(struct gl_share *share, struct gl_object *object, int fd, uint64_t size);
void gl_mirror_as(const struct gl_object *object, struct gl_object *as);
void gl_mirror_end(struct gl_share *share, struct gl_object *object);
enum gl_result gl_copy(struct gl_share *share, const struct gl_object *object, bool to_mirror);

// gl_fence()'s: the host waits for it, or all that OpenGL is told on the share's thread from here on.
void gl_wait(struct gl_share *share, void *fence);
void gl_go_on_after(struct gl_share *share, void *fence);
bool gl_is_signaled(struct gl_share *share, void *fence); // and then it is gone

#endif
