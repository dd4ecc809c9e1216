// SPDX-License-Identifier: Apache-2.0
// OpenGL objects for the sharing tests, in all formats and shapes: functions that create, read and
// paint them.
#ifndef PUMICE_TESTS_API_GL_OBJECTS_H
#define PUMICE_TESTS_API_GL_OBJECTS_H

#include "gl_side.h"

enum { WIDTH = 37, HEIGHT = 21, LAYERS = 5, BYTES_MAX = 64 * 64 * LAYERS * 16 };

static uint8_t ours[BYTES_MAX], theirs[BYTES_MAX], old[BYTES_MAX];

// Bytes that encode neither denormals nor NaN in any format and that conversion to and from sRGB
// preserves.
static inline void fill(uint8_t *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1103515245 + 12345;
        bytes[i] = 0x20 + (seed >> 16) % 0x20;
    }
}

static inline bool no_error(void)
{
    unsigned error = gl.GetError();
    if (error)
        printf("OpenGL error 0x%x\n", error);
    return !error;
}

static inline void acquire(cl_mem mem)
{
    CHECK_OK(clEnqueueAcquireGLObjects(test_queue, 1, &mem, 0, NULL, NULL));
}

static inline void release(cl_mem mem)
{
    CHECK_OK(clEnqueueReleaseGLObjects(test_queue, 1, &mem, 0, NULL, NULL));
}

// ---- buffers ------------------------------------------------------------------------------------

static inline unsigned make_buffer(size_t size, const void *data)
{
    unsigned name;
    gl.GenBuffers(1, &name);
    gl.BindBuffer(GL_ARRAY_BUFFER, name);
    gl.BufferData(GL_ARRAY_BUFFER, (intptr_t)size, data, 0x88E0);
    return name;
}

static inline void read_buffer(void *data, size_t size)
{
    if (!side.es) {
        gl.GetBufferSubData(GL_ARRAY_BUFFER, 0, (intptr_t)size, data);
        return;
    }
    void *mapped = gl.MapBufferRange(GL_ARRAY_BUFFER, 0, (intptr_t)size, GL_MAP_READ_BIT);
    memcpy(data, mapped, size);
    gl.UnmapBuffer(GL_ARRAY_BUFFER);
}

// ---- textures -----------------------------------------------------------------------------------

struct format {
    unsigned internal, format, type, texel;
    cl_image_format cl;
    bool es; // also in OpenGL ES, and readable through its framebuffers
};

static const struct format formats[] = {
    {0x8058, GL_RGBA, GL_UNSIGNED_BYTE, 4, {CL_RGBA, CL_UNORM_INT8}, true},
    {0x1908, GL_RGBA, GL_UNSIGNED_BYTE, 4, {CL_RGBA, CL_UNORM_INT8}, true},
    {0x8C43, GL_RGBA, GL_UNSIGNED_BYTE, 4, {CL_sRGBA, CL_UNORM_INT8}, false},
    {0x8F97, GL_RGBA, GL_BYTE, 4, {CL_RGBA, CL_SNORM_INT8}, false},
    {0x805B, GL_RGBA, GL_UNSIGNED_SHORT, 8, {CL_RGBA, CL_UNORM_INT16}, false},
    {0x8F9B, GL_RGBA, GL_SHORT, 8, {CL_RGBA, CL_SNORM_INT16}, false},
    {0x881A, GL_RGBA, GL_HALF_FLOAT, 8, {CL_RGBA, CL_HALF_FLOAT}, false},
    {0x8814, GL_RGBA, GL_FLOAT, 16, {CL_RGBA, CL_FLOAT}, true},
    {0x8D8E, GL_RGBA_INTEGER, GL_BYTE, 4, {CL_RGBA, CL_SIGNED_INT8}, false},
    {0x8D88, GL_RGBA_INTEGER, GL_SHORT, 8, {CL_RGBA, CL_SIGNED_INT16}, false},
    {0x8D82, GL_RGBA_INTEGER, GL_INT, 16, {CL_RGBA, CL_SIGNED_INT32}, true},
    {0x8D7C, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, {CL_RGBA, CL_UNSIGNED_INT8}, false},
    {0x8D76, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, 8, {CL_RGBA, CL_UNSIGNED_INT16}, false},
    {0x8D70, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16, {CL_RGBA, CL_UNSIGNED_INT32}, true},
    {0x8229, GL_RED, GL_UNSIGNED_BYTE, 1, {CL_R, CL_UNORM_INT8}, false},
    {0x8F94, GL_RED, GL_BYTE, 1, {CL_R, CL_SNORM_INT8}, false},
    {0x822A, GL_RED, GL_UNSIGNED_SHORT, 2, {CL_R, CL_UNORM_INT16}, false},
    {0x8F98, GL_RED, GL_SHORT, 2, {CL_R, CL_SNORM_INT16}, false},
    {0x822D, GL_RED, GL_HALF_FLOAT, 2, {CL_R, CL_HALF_FLOAT}, false},
    {0x822E, GL_RED, GL_FLOAT, 4, {CL_R, CL_FLOAT}, false},
    {0x8231, GL_RED_INTEGER, GL_BYTE, 1, {CL_R, CL_SIGNED_INT8}, false},
    {0x8233, GL_RED_INTEGER, GL_SHORT, 2, {CL_R, CL_SIGNED_INT16}, false},
    {0x8235, GL_RED_INTEGER, GL_INT, 4, {CL_R, CL_SIGNED_INT32}, false},
    {0x8232, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 1, {CL_R, CL_UNSIGNED_INT8}, false},
    {0x8234, GL_RED_INTEGER, GL_UNSIGNED_SHORT, 2, {CL_R, CL_UNSIGNED_INT16}, false},
    {0x8236, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, {CL_R, CL_UNSIGNED_INT32}, false},
    {0x822B, GL_RG, GL_UNSIGNED_BYTE, 2, {CL_RG, CL_UNORM_INT8}, false},
    {0x8F95, GL_RG, GL_BYTE, 2, {CL_RG, CL_SNORM_INT8}, false},
    {0x822C, GL_RG, GL_UNSIGNED_SHORT, 4, {CL_RG, CL_UNORM_INT16}, false},
    {0x8F99, GL_RG, GL_SHORT, 4, {CL_RG, CL_SNORM_INT16}, false},
    {0x822F, GL_RG, GL_HALF_FLOAT, 4, {CL_RG, CL_HALF_FLOAT}, false},
    {0x8230, GL_RG, GL_FLOAT, 8, {CL_RG, CL_FLOAT}, false},
    {0x8237, GL_RG_INTEGER, GL_BYTE, 2, {CL_RG, CL_SIGNED_INT8}, false},
    {0x8239, GL_RG_INTEGER, GL_SHORT, 4, {CL_RG, CL_SIGNED_INT16}, false},
    {0x823B, GL_RG_INTEGER, GL_INT, 8, {CL_RG, CL_SIGNED_INT32}, false},
    {0x8238, GL_RG_INTEGER, GL_UNSIGNED_BYTE, 2, {CL_RG, CL_UNSIGNED_INT8}, false},
    {0x823A, GL_RG_INTEGER, GL_UNSIGNED_SHORT, 4, {CL_RG, CL_UNSIGNED_INT16}, false},
    {0x823C, GL_RG_INTEGER, GL_UNSIGNED_INT, 8, {CL_RG, CL_UNSIGNED_INT32}, false},
    {0x81A5, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 2, {CL_DEPTH, CL_UNORM_INT16}, false},
    {0x8CAC, GL_DEPTH_COMPONENT, GL_FLOAT, 4, {CL_DEPTH, CL_FLOAT}, false},
};

static const struct shape {
    unsigned target, bound;
    cl_mem_object_type type;
    cl_gl_object_type told;
    int width, height, depth;
    bool es;
} shapes[] = {
    {GL_TEXTURE_2D, GL_TEXTURE_2D, CL_MEM_OBJECT_IMAGE2D, CL_GL_OBJECT_TEXTURE2D, WIDTH, HEIGHT, 1, true},
    {GL_TEXTURE_1D, GL_TEXTURE_1D, CL_MEM_OBJECT_IMAGE1D, CL_GL_OBJECT_TEXTURE1D, WIDTH, 1, 1, false},
    {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_GL_OBJECT_TEXTURE1D_ARRAY, WIDTH, LAYERS, 1, false},
    {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_2D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_GL_OBJECT_TEXTURE2D_ARRAY, WIDTH, HEIGHT, LAYERS, true},
    {GL_TEXTURE_3D, GL_TEXTURE_3D, CL_MEM_OBJECT_IMAGE3D, CL_GL_OBJECT_TEXTURE3D, WIDTH, HEIGHT, LAYERS, true},
    {GL_TEXTURE_RECTANGLE, GL_TEXTURE_RECTANGLE, CL_MEM_OBJECT_IMAGE2D, CL_GL_OBJECT_TEXTURE2D, WIDTH, HEIGHT, 1, false},
    {GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_TEXTURE_CUBE_MAP, CL_MEM_OBJECT_IMAGE2D, CL_GL_OBJECT_TEXTURE2D, HEIGHT, HEIGHT, 1, true},
    {GL_TEXTURE_CUBE_MAP_POSITIVE_X + 4, GL_TEXTURE_CUBE_MAP, CL_MEM_OBJECT_IMAGE2D, CL_GL_OBJECT_TEXTURE2D, HEIGHT, HEIGHT, 1, true},
};

static inline void set_level(const struct shape *s, const struct format *f, int level, const void *data)
{
    int w = s->width >> level, h = s->target == GL_TEXTURE_1D_ARRAY ? s->height : s->height >> level,
        d = s->target == GL_TEXTURE_3D ? s->depth >> level : s->depth;
    w = w ? w : 1, h = h ? h : 1, d = d ? d : 1;
    if (s->target == GL_TEXTURE_1D)
        gl.TexImage1D(s->target, level, (int)f->internal, w, 0, f->format, f->type, data);
    else if (s->target == GL_TEXTURE_3D || s->target == GL_TEXTURE_2D_ARRAY)
        gl.TexImage3D(s->target, level, (int)f->internal, w, h, d, 0, f->format, f->type, data);
    else if (s->bound == GL_TEXTURE_CUBE_MAP)
        for (unsigned face = 0; face < 6; face++)
            gl.TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, (int)f->internal, w, h, 0, f->format, f->type,
                          GL_TEXTURE_CUBE_MAP_POSITIVE_X + face == s->target ? data : old);
    else
        gl.TexImage2D(s->target, level, (int)f->internal, w, h, 0, f->format, f->type, data);
}

static inline unsigned make_texture(const struct shape *s, const struct format *f, int levels, const void *data)
{
    unsigned name;
    gl.GenTextures(1, &name);
    gl.BindTexture(s->bound, name);
    for (int level = 0; level < levels; level++)
        set_level(s, f, level, level == levels - 1 ? data : old);
    gl.TexParameteri(s->bound, GL_TEXTURE_MIN_FILTER, levels > 1 ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST);
    gl.TexParameteri(s->bound, GL_TEXTURE_MAX_LEVEL, levels - 1);
    CHECK(no_error());
    return name;
}

// In OpenGL ES, only textures that can be attached to a framebuffer can be read.
static inline void read_level(const struct shape *s, const struct format *f, unsigned name, int level, size_t layer_bytes, void *data)
{
    unsigned framebuffer;
    if (!side.es) {
        gl.GetTexImage(s->target, level, f->format, f->type, data);
        return;
    }
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    for (int i = 0; i < s->depth; i++) {
        if (s->depth > 1)
            gl.FramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, name, level, i);
        else
            gl.FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, s->target, name, level);
        gl.ReadPixels(0, 0, s->width, s->height, f->format, f->type, (char *)data + layer_bytes * (size_t)i);
    }
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    gl.DeleteFramebuffers(1, &framebuffer);
}

// ---- what kernels paint -------------------------------------------------------------------------

static cl_kernel paint;
static cl_program paint_program;

static inline void paint_begin(void)
{
    paint_program = test_build("kernel void paint(write_only image2d_t image, uint value) {\n"
                               "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                               "    write_imagef(image, at, (float4)(value, at.x, at.y, 255) / 255); }\n", "");
    paint = test_kernel(paint_program, "paint");
}

static inline void paint_end(void)
{
    CHECK_OK(clReleaseKernel(paint));
    CHECK_OK(clReleaseProgram(paint_program));
}

static inline void paint_all(cl_command_queue queue, cl_mem image, unsigned value)
{
    const size_t size[2] = {WIDTH, HEIGHT};
    cl_uint v = value;
    CHECK_OK(clSetKernelArg(paint, 0, sizeof image, &image));
    CHECK_OK(clSetKernelArg(paint, 1, sizeof v, &v));
    CHECK_OK(clEnqueueNDRangeKernel(queue, paint, 2, NULL, size, NULL, 0, NULL, NULL));
}

static inline int wrong_texels(unsigned name, unsigned value)
{
    int wrong = 0;
    gl.BindTexture(GL_TEXTURE_2D, name);
    read_level(&shapes[0], &formats[0], name, 0, 0, theirs);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        wrong += theirs[4 * i] != (value & 255) || theirs[4 * i + 1] != i % WIDTH || theirs[4 * i + 2] != i / WIDTH;
    return wrong;
}

#endif
