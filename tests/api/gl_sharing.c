// SPDX-License-Identifier: Apache-2.0
// cl_khr_gl_sharing, cl_khr_gl_event and cl_khr_gl_depth_images: contexts, objects, contents both ways, errors.
// gl_sharing [gl|es|glx]: whose context.
#define _GNU_SOURCE
#include "gl_side.h"

#include <dirent.h>
#include <pthread.h>

enum { WIDTH = 37, HEIGHT = 21, LAYERS = 5, LEVEL = 2, MOST = 64 * 64 * LAYERS * 16, THREADS = 4 };

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { KEEPS_FREED = 1 }; // for a while
#else
enum { KEEPS_FREED = 0 };
#endif

static uint8_t ours[MOST], theirs[MOST], old[MOST];
static clGetGLContextInfoKHR_fn context_info;
static cl_event(CL_API_CALL *event_of_sync)(cl_context context, cl_GLsync sync, cl_int *error);

// Bits that are no denormals and no NaN in any format, and survive sRGB.
static void fill(uint8_t *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1103515245 + 12345;
        bytes[i] = 0x20 + (seed >> 16) % 0x20;
    }
}

static bool no_error(void)
{
    unsigned error = gl.GetError();
    if (error)
        printf("OpenGL error 0x%x\n", error);
    return !error;
}

static void acquire(cl_mem mem)
{
    CHECK_OK(clEnqueueAcquireGLObjects(test_queue, 1, &mem, 0, NULL, NULL));
}

static void release(cl_mem mem)
{
    CHECK_OK(clEnqueueReleaseGLObjects(test_queue, 1, &mem, 0, NULL, NULL));
}

// ---- contexts -----------------------------------------------------------------------------------

static void check_create(cl_int want, cl_context_properties a, cl_context_properties va, cl_context_properties b,
                         cl_context_properties vb, cl_context_properties c, cl_context_properties vc)
{
    cl_context_properties list[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)test_platform, a, va, b, vb, c, vc, 0};
    size_t size = 0;
    cl_int code;
    cl_context made = clCreateContext(list, 1, &test_device, NULL, NULL, &code);
    CHECK_EQ(code, want);
    CHECK((made != NULL) == !want);
    if (made)
        CHECK_OK(clReleaseContext(made));
    CHECK_EQ(context_info(list, CL_DEVICES_FOR_GL_CONTEXT_KHR, 0, NULL, &size),
             want == CL_INVALID_PROPERTY && a == 0x7777 ? CL_INVALID_VALUE : want);
}

static void test_contexts(void)
{
    const cl_context_properties *all = side_properties(), kind = all[4], other = kind == CL_EGL_DISPLAY_KHR ? CL_GLX_DISPLAY_KHR : CL_EGL_DISPLAY_KHR;
    const cl_context_properties context = all[3], display = all[5];
    const cl_int bad = CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR;
    cl_device_id devices[16] = {NULL}, current = NULL;
    size_t size = 0;
    CHECK_OK(context_info(all, CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR, sizeof current, &current, &size));
    CHECK(size == sizeof current && current);
    CHECK_OK(context_info(all, CL_DEVICES_FOR_GL_CONTEXT_KHR, sizeof devices, devices, &size));
    CHECK(size >= sizeof current && devices[0] == current);
    CHECK_EQ(context_info(all, CL_DEVICES_FOR_GL_CONTEXT_KHR, 1, devices, NULL), CL_INVALID_VALUE);
    CHECK_EQ(context_info(all, 0x1234, sizeof devices, devices, NULL), CL_INVALID_VALUE);
    const cl_context_properties nothing[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)test_platform, 0};
    CHECK_EQ(context_info(nothing, CL_DEVICES_FOR_GL_CONTEXT_KHR, 0, NULL, &size), bad);
    check_create(CL_SUCCESS, CL_GL_CONTEXT_KHR, context, kind, display, 0, 0);
    check_create(bad, CL_GL_CONTEXT_KHR, context, 0, 0, 0, 0);
    check_create(CL_INVALID_OPERATION, CL_GL_CONTEXT_KHR, context, kind, display, other, display);
    check_create(CL_INVALID_OPERATION, CL_GL_CONTEXT_KHR, context, CL_WGL_HDC_KHR, 8, 0, 0);
    check_create(CL_INVALID_OPERATION, CL_CGL_SHAREGROUP_KHR, 8, 0, 0, 0, 0);
    check_create(CL_INVALID_PROPERTY, CL_GL_CONTEXT_KHR, context, kind, display, CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE);
    check_create(CL_INVALID_PROPERTY, 0x7777, 1, CL_GL_CONTEXT_KHR, context, kind, display);
    if (side.kind != SIDE_GLX) {
        check_create(bad, CL_GL_CONTEXT_KHR, (cl_context_properties)&size, kind, display, 0, 0);
        check_create(bad, CL_GL_CONTEXT_KHR, context, kind, (cl_context_properties)&size, 0, 0);
    }
    const cl_context_properties alone[] = {kind, display, 0}; // no context: nothing is shared
    cl_int code;
    cl_context plain = clCreateContext(alone, 1, &test_device, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_CREATE(clCreateFromGLBuffer(plain, 0, 1, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(event_of_sync(plain, (cl_GLsync)plain, &error), CL_INVALID_CONTEXT);
    CHECK_OK(clReleaseContext(plain));
}

// ---- buffers ------------------------------------------------------------------------------------

static unsigned make_buffer(size_t size, const void *data)
{
    unsigned name;
    gl.GenBuffers(1, &name);
    gl.BindBuffer(GL_ARRAY_BUFFER, name);
    gl.BufferData(GL_ARRAY_BUFFER, (intptr_t)size, data, 0x88E0);
    return name;
}

static void read_buffer(void *data, size_t size)
{
    if (!side.es) {
        gl.GetBufferSubData(GL_ARRAY_BUFFER, 0, (intptr_t)size, data);
        return;
    }
    void *mapped = gl.MapBufferRange(GL_ARRAY_BUFFER, 0, (intptr_t)size, GL_MAP_READ_BIT);
    memcpy(data, mapped, size);
    gl.UnmapBuffer(GL_ARRAY_BUFFER);
}

static void test_buffers(void)
{
    enum { SIZE = 5000 };
    cl_int code;
    fill(theirs, SIZE, 1);
    unsigned name = make_buffer(SIZE, theirs), empty, unbound;
    gl.GenBuffers(1, &unbound);
    gl.GenBuffers(1, &empty);
    gl.BindBuffer(GL_ARRAY_BUFFER, empty);
    gl.BindBuffer(GL_ARRAY_BUFFER, name);
    CHECK_CREATE(clCreateFromGLBuffer(test_context, 0, 0, &error), CL_INVALID_GL_OBJECT);
    CHECK_CREATE(clCreateFromGLBuffer(test_context, 0, empty, &error), CL_INVALID_GL_OBJECT);
    CHECK_CREATE(clCreateFromGLBuffer(test_context, 0, unbound, &error), CL_INVALID_GL_OBJECT);
    CHECK_CREATE(clCreateFromGLBuffer(test_context, CL_MEM_ALLOC_HOST_PTR, name, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateFromGLBuffer(test_context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, name, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateFromGLBuffer(NULL, 0, name, &error), CL_INVALID_CONTEXT);
    cl_mem mem = clCreateFromGLBuffer(test_context, CL_MEM_READ_WRITE, name, &code);
    CHECK_OK(code);
    size_t size = 0;
    cl_gl_object_type type = 0;
    cl_GLuint told = 0;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof size, &size, NULL));
    CHECK_EQ(size, SIZE);
    CHECK_OK(clGetGLObjectInfo(mem, &type, &told));
    CHECK(type == CL_GL_OBJECT_BUFFER && told == name);
    CHECK_OK(clGetGLObjectInfo(mem, NULL, NULL));
    CHECK_EQ(clGetGLTextureInfo(mem, CL_GL_MIPMAP_LEVEL, 4, &told, NULL), CL_INVALID_GL_OBJECT);
    acquire(mem);
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, SIZE, ours, 0, NULL, NULL));
    CHECK(!memcmp(ours, theirs, SIZE));
    cl_buffer_region region = {0, 1024};
    cl_mem part = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    CHECK_OK(code);
    fill(ours, SIZE, 2);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, part, CL_TRUE, 0, 1024, ours, 0, NULL, NULL));
    release(mem);
    memcpy(ours + 1024, theirs + 1024, SIZE - 1024);
    read_buffer(theirs, SIZE);
    CHECK(!memcmp(ours, theirs, SIZE));
    CHECK_OK(clReleaseMemObject(part));
    CHECK_OK(clReleaseMemObject(mem));
    gl.DeleteBuffers(1, &name);
    gl.DeleteBuffers(1, &empty);
    CHECK(no_error());
}

// ---- textures -----------------------------------------------------------------------------------

struct format {
    unsigned internal, format, type, texel;
    cl_image_format cl;
    bool es; // of OpenGL ES, read by its framebuffers
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

static void set_level(const struct shape *s, const struct format *f, int level, const void *data)
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

static unsigned make_texture(const struct shape *s, const struct format *f, int levels, const void *data)
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

// Of OpenGL ES the test itself reads nothing but these.
static void read_level(const struct shape *s, const struct format *f, unsigned name, int level, size_t layer_bytes, void *data)
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

static size_t image_value(cl_mem mem, cl_image_info query)
{
    size_t value = 0;
    CHECK_OK(clGetImageInfo(mem, query, sizeof value, &value, NULL));
    return value;
}

static void check_texture_info(cl_mem mem, const struct shape *s, const struct format *f, int level, unsigned name)
{
    cl_image_format format;
    cl_gl_object_type type = 0;
    cl_GLuint told = 0;
    cl_GLenum target = 0;
    cl_GLint at = -1;
    CHECK_OK(clGetImageInfo(mem, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
    CHECK_EQ(format.image_channel_order, f->cl.image_channel_order);
    CHECK_EQ(format.image_channel_data_type, f->cl.image_channel_data_type);
    CHECK_OK(clGetGLObjectInfo(mem, &type, &told));
    CHECK(type == s->told && told == name);
    CHECK_OK(clGetGLTextureInfo(mem, CL_GL_TEXTURE_TARGET, sizeof target, &target, NULL));
    CHECK_EQ(target, s->target);
    CHECK_OK(clGetGLTextureInfo(mem, CL_GL_MIPMAP_LEVEL, sizeof at, &at, NULL));
    CHECK_EQ(at, level);
    CHECK_EQ(clGetGLTextureInfo(mem, CL_GL_MIPMAP_LEVEL, 1, &at, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetGLTextureInfo(mem, CL_GL_MIPMAP_LEVEL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetGLTextureInfo(mem, 0x1234, sizeof at, &at, NULL), CL_INVALID_VALUE);
    CHECK_EQ(image_value(mem, CL_IMAGE_WIDTH), (size_t)(s->width >> level));
}

static void check_texture(const struct shape *s, const struct format *f, int level)
{
    cl_int code;
    size_t w = (size_t)(s->width >> level), h = (size_t)s->height, d = (size_t)s->depth;
    if (s->target != GL_TEXTURE_1D_ARRAY)
        h = h >> level ? h >> level : 1;
    if (s->target == GL_TEXTURE_3D)
        d = d >> level ? d >> level : 1;
    const size_t origin[3] = {0}, region[3] = {w, h, d}, bytes = w * h * d * f->texel;
    fill(theirs, bytes, 3);
    fill(old, sizeof old, 4);
    unsigned name = make_texture(s, f, level + 1, theirs);
    cl_mem mem = clCreateFromGLTexture(test_context, CL_MEM_READ_WRITE, s->target, level, name, &code);
    if (!test_has_format(CL_MEM_READ_WRITE, s->type, &f->cl)) {
        CHECK_EQ(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        gl.DeleteTextures(1, &name);
        return;
    }
    if (!CHECK_OK(code)) {
        printf("internal format 0x%x, target 0x%x, level %d\n", f->internal, s->target, level);
        return;
    }
    check_texture_info(mem, s, f, level, name);
    acquire(mem);
    memset(ours, 0, bytes);
    CHECK_OK(clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    if (!CHECK(!memcmp(ours, theirs, bytes)))
        printf("read internal format 0x%x, target 0x%x, level %d\n", f->internal, s->target, level);
    fill(ours, bytes, 5);
    CHECK_OK(clEnqueueWriteImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    release(mem);
    memset(theirs, 0, bytes);
    if (!side.es || (!level && f->es)) {
        read_level(s, f, name, level, w * h * f->texel, theirs);
    } else { // which OpenGL ES does not read by itself
        acquire(mem);
        CHECK_OK(clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, theirs, 0, NULL, NULL));
        release(mem);
    }
    if (!CHECK(!memcmp(ours, theirs, bytes)))
        printf("written internal format 0x%x, target 0x%x, level %d\n", f->internal, s->target, level);
    CHECK_OK(clReleaseMemObject(mem));
    gl.DeleteTextures(1, &name);
    CHECK(no_error());
}

static bool es_has(const struct format *f)
{
    gl.BindTexture(GL_TEXTURE_2D, 0);
    gl.TexImage2D(GL_TEXTURE_2D, 0, (int)f->internal, 1, 1, 0, f->format, f->type, old);
    return !gl.GetError();
}

static void test_textures(void)
{
    static const struct format floats = {GL_RGBA, GL_RGBA, GL_FLOAT, 16, {CL_RGBA, CL_FLOAT}, false};
    if (side.es) // where data make the format
        check_texture(&shapes[0], &floats, 0);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            bool depth = formats[f].format == GL_DEPTH_COMPONENT;
            if ((side.es && (!shapes[s].es || depth || !es_has(&formats[f]))) ||
                (depth && shapes[s].target != GL_TEXTURE_2D && shapes[s].target != GL_TEXTURE_2D_ARRAY))
                continue;
            check_texture(&shapes[s], &formats[f], 0);
            if (shapes[s].target != GL_TEXTURE_RECTANGLE && f % 7 == 0)
                check_texture(&shapes[s], &formats[f], LEVEL);
        }
}

// All levels are one image; what is written to one is seen there alone.
static void test_all_levels(void)
{
    const struct format *f = &formats[0];
    const size_t origin[4] = {0, 0, LEVEL, 0}, region[3] = {WIDTH >> LEVEL, HEIGHT >> LEVEL, 1},
                 bytes = region[0] * region[1] * f->texel, first[3] = {WIDTH, HEIGHT, 1};
    cl_uint levels = 0;
    cl_int code;
    fill(theirs, sizeof theirs, 6);
    fill(old, sizeof old, 7);
    unsigned name = make_texture(&shapes[0], f, LEVEL + 1, theirs);
    cl_mem mem = clCreateFromGLTexture(test_context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, -1, name, &code);
    if (!test_has(test_device, "cl_khr_mipmap_image")) {
        CHECK_EQ(code, CL_INVALID_MIP_LEVEL);
        gl.DeleteTextures(1, &name);
        return;
    }
    CHECK_OK(code);
    CHECK_OK(clGetImageInfo(mem, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels, NULL));
    CHECK_EQ(levels, LEVEL + 1);
    acquire(mem);
    CHECK_OK(clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    CHECK(!memcmp(ours, theirs, bytes));
    fill(ours, bytes, 8);
    CHECK_OK(clEnqueueWriteImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    release(mem);
    if (!side.es) {
        gl.GetTexImage(GL_TEXTURE_2D, LEVEL, f->format, f->type, theirs);
        CHECK(!memcmp(ours, theirs, bytes));
    }
    read_level(&shapes[0], f, name, 0, 0, theirs);
    CHECK(!memcmp(old, theirs, first[0] * first[1] * f->texel));
    CHECK_OK(clReleaseMemObject(mem));
    gl.DeleteTextures(1, &name);
    CHECK(no_error());
}

static void test_texture_errors(void)
{
    unsigned name = make_texture(&shapes[0], &formats[0], LEVEL + 1, old), buffer = make_buffer(64, NULL), unbound, empty, rgb;
    gl.GenTextures(1, &unbound);
    gl.GenTextures(1, &empty);
    gl.BindTexture(GL_TEXTURE_2D, empty);
    gl.GenTextures(1, &rgb);
    gl.BindTexture(GL_TEXTURE_2D, rgb);
    gl.TexImage2D(GL_TEXTURE_2D, 0, 0x8051, 8, 8, 0, 0x1907, GL_UNSIGNED_BYTE, NULL); // GL_RGB8
    const struct {
        cl_mem_flags flags;
        unsigned target;
        int level;
        unsigned name;
        cl_int want;
    } rows[] = {
        {CL_MEM_READ_ONLY, GL_TEXTURE_2D, 0, name, CL_SUCCESS},
        {CL_MEM_WRITE_ONLY, GL_TEXTURE_2D, LEVEL, name, CL_SUCCESS},
        {CL_MEM_COPY_HOST_PTR, GL_TEXTURE_2D, 0, name, CL_INVALID_VALUE},
        {0, 0x1234, 0, name, CL_INVALID_VALUE},
        {0, GL_TEXTURE_CUBE_MAP, 0, name, CL_INVALID_VALUE},
        {0, GL_RENDERBUFFER, 0, name, CL_INVALID_VALUE},
        {0, GL_TEXTURE_3D, 0, name, CL_INVALID_GL_OBJECT},
        {0, GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, name, CL_INVALID_GL_OBJECT},
        {0, GL_TEXTURE_2D, LEVEL + 1, name, CL_INVALID_MIP_LEVEL},
        {0, GL_TEXTURE_2D, 1000000, name, CL_INVALID_MIP_LEVEL},
        {0, GL_TEXTURE_BUFFER, 1, name, CL_INVALID_MIP_LEVEL},
        {0, GL_TEXTURE_2D, 0, 0, CL_INVALID_GL_OBJECT},
        {0, GL_TEXTURE_2D, 0, 1u << 30, CL_INVALID_GL_OBJECT},
        {0, GL_TEXTURE_2D, 0, unbound, CL_INVALID_GL_OBJECT},
        {0, GL_TEXTURE_2D, 0, empty, CL_INVALID_GL_OBJECT},
        {0, GL_TEXTURE_2D, 0, rgb, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_int code = 12345;
        cl_mem mem = clCreateFromGLTexture(test_context, rows[i].flags, rows[i].target, rows[i].level, rows[i].name, &code);
        if (!CHECK_EQ(code, rows[i].want) || (mem != NULL) != !code)
            printf("row %zu of textures\n", i);
        if (mem)
            clReleaseMemObject(mem);
    }
    CHECK_CREATE(clCreateFromGLTexture(NULL, 0, GL_TEXTURE_2D, 0, name, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(clCreateFromGLTexture3D(test_context, 0, GL_TEXTURE_2D, 0, name, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateFromGLTexture2D(test_context, 0, GL_TEXTURE_3D, 0, name, &error), CL_INVALID_VALUE);
    cl_int code;
    cl_mem mem = clCreateFromGLTexture2D(test_context, 0, GL_TEXTURE_2D, 0, name, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(mem));
    gl.DeleteTextures(1, &name);
    gl.DeleteTextures(1, &empty);
    gl.DeleteTextures(1, &rgb);
    gl.DeleteBuffers(1, &buffer);
    CHECK(no_error());
}

static void test_buffer_texture(void)
{
    enum { COUNT = 100 };
    const struct format *f = &formats[0];
    const struct shape shape = {GL_TEXTURE_BUFFER, GL_TEXTURE_BUFFER, CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                CL_GL_OBJECT_TEXTURE_BUFFER, COUNT, 1, 1, false};
    const size_t origin[3] = {0}, region[3] = {COUNT, 1, 1};
    unsigned name;
    cl_int code;
    gl.GenTextures(1, &name);
    gl.BindTexture(GL_TEXTURE_BUFFER, name);
    CHECK_CREATE(clCreateFromGLTexture(test_context, 0, GL_TEXTURE_BUFFER, 0, name, &error), CL_INVALID_GL_OBJECT);
    fill(theirs, COUNT * 4, 9);
    unsigned buffer = make_buffer(COUNT * 4, theirs);
    gl.TexBuffer(GL_TEXTURE_BUFFER, f->internal, buffer);
    cl_mem mem = clCreateFromGLTexture(test_context, CL_MEM_READ_WRITE, GL_TEXTURE_BUFFER, 0, name, &code);
    if (CHECK_OK(code)) {
        check_texture_info(mem, &shape, f, 0, name);
        acquire(mem);
        CHECK_OK(clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
        CHECK(!memcmp(ours, theirs, COUNT * 4));
        fill(ours, COUNT * 4, 10);
        CHECK_OK(clEnqueueWriteImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
        release(mem);
        read_buffer(theirs, COUNT * 4);
        CHECK(!memcmp(ours, theirs, COUNT * 4));
        CHECK_OK(clReleaseMemObject(mem));
    }
    gl.DeleteTextures(1, &name);
    gl.DeleteBuffers(1, &buffer);
    CHECK(no_error());
}

// ---- renderbuffers ------------------------------------------------------------------------------

static void read_renderbuffer(unsigned name, const struct format *f, void *data)
{
    unsigned framebuffer, at = f->format == GL_DEPTH_COMPONENT ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0;
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    gl.FramebufferRenderbuffer(GL_READ_FRAMEBUFFER, at, GL_RENDERBUFFER, name);
    gl.ReadPixels(0, 0, WIDTH, HEIGHT, f->format, f->type, data);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    gl.DeleteFramebuffers(1, &framebuffer);
}

static void check_renderbuffer(const struct format *f)
{
    const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1}, bytes = WIDTH * HEIGHT * f->texel;
    cl_gl_object_type type = 0;
    unsigned name, told;
    cl_int code;
    gl.GenRenderbuffers(1, &name);
    gl.BindRenderbuffer(GL_RENDERBUFFER, name);
    CHECK_CREATE(clCreateFromGLRenderbuffer(test_context, 0, name, &error), CL_INVALID_GL_OBJECT);
    gl.RenderbufferStorage(GL_RENDERBUFFER, f->internal, WIDTH, HEIGHT);
    CHECK(no_error());
    cl_mem mem = clCreateFromGLRenderbuffer(test_context, CL_MEM_READ_WRITE, name, &code);
    if (!CHECK_OK(code)) {
        printf("renderbuffer of 0x%x\n", f->internal);
        return;
    }
    CHECK_OK(clGetGLObjectInfo(mem, &type, &told));
    CHECK(type == CL_GL_OBJECT_RENDERBUFFER && told == name);
    CHECK_EQ(clGetGLTextureInfo(mem, CL_GL_MIPMAP_LEVEL, 4, &told, NULL), CL_INVALID_GL_OBJECT);
    acquire(mem);
    fill(ours, bytes, 11);
    CHECK_OK(clEnqueueWriteImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    release(mem);
    read_renderbuffer(name, f, theirs);
    if (!CHECK(!memcmp(ours, theirs, bytes)))
        printf("renderbuffer of 0x%x\n", f->internal);
    acquire(mem);
    memset(ours, 0, bytes);
    CHECK_OK(clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    CHECK(!memcmp(ours, theirs, bytes));
    release(mem);
    CHECK_OK(clReleaseMemObject(mem));
    gl.DeleteRenderbuffers(1, &name);
    CHECK(no_error());
}

static void test_renderbuffers(void)
{
    static const unsigned internals[] = {0x8058, 0x8814, 0x8D82, 0x8D70, 0x805B, 0x8229, 0x8D7C, 0x81A5, 0x8CAC};
    unsigned name;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t i = 0; i < sizeof internals / sizeof *internals; i++)
            if (formats[f].internal == internals[i] && (!side.es || formats[f].es))
                check_renderbuffer(&formats[f]);
    gl.GenRenderbuffers(1, &name);
    gl.BindRenderbuffer(GL_RENDERBUFFER, name);
    gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, 4, 0x8058, WIDTH, HEIGHT);
    CHECK(no_error());
    CHECK_CREATE(clCreateFromGLRenderbuffer(test_context, 0, name, &error), CL_INVALID_OPERATION);
    CHECK_CREATE(clCreateFromGLRenderbuffer(test_context, 0, 0, &error), CL_INVALID_GL_OBJECT);
    gl.DeleteRenderbuffers(1, &name);
}

// ---- depth with stencil -------------------------------------------------------------------------

static void test_depth_stencil(void)
{
    static const struct {
        unsigned internal, type, texel;
        cl_channel_type cl;
        size_t element;
    } rows[] = {{0x88F0, 0x84FA, 4, CL_UNORM_INT24, 4}, {0x8CAD, 0x8DAD, 8, CL_FLOAT, 8}}; // DEPTH24_STENCIL8, DEPTH32F_STENCIL8
    static const size_t origin[3], region[3] = {8, 8, 1}, items = 64;
    cl_program program = test_build("kernel void look(read_only image2d_depth_t image, global float *out) {\n"
                                    "    int i = get_global_id(0);\n"
                                    "    out[i] = read_imagef(image, (int2)(i % 8, i / 8)); }\n", "-cl-std=CL2.0");
    cl_kernel kernel = test_kernel(program, "look");
    cl_mem out = test_buffer(0, items * sizeof(float), NULL);
    float seen[64];
    for (size_t r = 0; r < 2; r++) {
        uint32_t data[128];
        unsigned name;
        cl_int code;
        cl_image_format format;
        for (uint32_t i = 0; i < 64; i++) {
            float depth = (float)i / 64;
            if (rows[r].texel == 4)
                data[i] = (uint32_t)((double)depth * 0xFFFFFF) << 8 | i;
            else
                memcpy(&data[2 * i], &depth, 4), data[2 * i + 1] = i;
        }
        gl.GenTextures(1, &name);
        gl.BindTexture(GL_TEXTURE_2D, name);
        gl.TexImage2D(GL_TEXTURE_2D, 0, (int)rows[r].internal, 8, 8, 0, 0x84F9, rows[r].type, data);
        CHECK(no_error());
        cl_mem mem = clCreateFromGLTexture(test_context, CL_MEM_READ_ONLY, GL_TEXTURE_2D, 0, name, &code);
        if (!CHECK_OK(code))
            continue;
        CHECK_OK(clGetImageInfo(mem, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
        CHECK(format.image_channel_order == CL_DEPTH_STENCIL && format.image_channel_data_type == rows[r].cl);
        CHECK_EQ(image_value(mem, CL_IMAGE_ELEMENT_SIZE), rows[r].element);
        CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof out, &out));
        acquire(mem);
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
        int wrong = 0;
        for (int i = 0; i < 64; i++)
            wrong += seen[i] < (float)i / 64 - 1e-6f || seen[i] > (float)i / 64 + 1e-6f;
        CHECK_EQ(wrong, 0);
        CHECK_EQ(clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, data, 0, NULL, NULL), CL_INVALID_OPERATION);
        CHECK_EQ(clEnqueueFillImage(test_queue, mem, seen, origin, region, 0, NULL, NULL), CL_INVALID_OPERATION);
        release(mem);
        CHECK_OK(clReleaseMemObject(mem));
        gl.DeleteTextures(1, &name);
    }
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// ---- commands -----------------------------------------------------------------------------------

static void test_command_errors(void)
{
    cl_int code;
    unsigned name = make_buffer(64, NULL);
    cl_mem mem = clCreateFromGLBuffer(test_context, 0, name, &code), plain = test_buffer(0, 64, NULL), both[2] = {mem, plain};
    CHECK_OK(code);
    cl_context other = clCreateContext(NULL, 1, &test_device, NULL, NULL, &code);
    cl_command_queue theirs_queue = clCreateCommandQueue(other, test_device, 0, &code);
    cl_event event = NULL;
    cl_command_type type = 0;
    CHECK_OK(clEnqueueAcquireGLObjects(test_queue, 0, NULL, 0, NULL, NULL));
    CHECK_EQ(clEnqueueAcquireGLObjects(test_queue, 1, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueAcquireGLObjects(test_queue, 0, &mem, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueAcquireGLObjects(NULL, 1, &mem, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueAcquireGLObjects(theirs_queue, 1, &mem, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(clEnqueueAcquireGLObjects(test_queue, 1, &plain, 0, NULL, NULL), CL_INVALID_GL_OBJECT);
    CHECK_EQ(clEnqueueAcquireGLObjects(test_queue, 2, both, 0, NULL, NULL), CL_INVALID_GL_OBJECT);
    CHECK_EQ(clEnqueueReleaseGLObjects(test_queue, 2, both, 0, NULL, NULL), CL_INVALID_GL_OBJECT);
    both[1] = (cl_mem)test_queue;
    CHECK_EQ(clEnqueueAcquireGLObjects(test_queue, 2, both, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueAcquireGLObjects(test_queue, 1, &mem, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clGetGLObjectInfo(plain, NULL, NULL), CL_INVALID_GL_OBJECT);
    CHECK_EQ(clGetGLObjectInfo((cl_mem)test_queue, NULL, NULL), CL_INVALID_MEM_OBJECT);
    release(mem); // of one that is not acquired, nothing happens
    CHECK_OK(clEnqueueAcquireGLObjects(test_queue, 1, &mem, 0, NULL, &event));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_ACQUIRE_GL_OBJECTS);
    acquire(mem); // twice
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clEnqueueReleaseGLObjects(test_queue, 1, &mem, 0, NULL, &event));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_RELEASE_GL_OBJECTS);
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseMemObject(plain));
    CHECK_OK(clReleaseCommandQueue(theirs_queue));
    CHECK_OK(clReleaseContext(other));
    gl.DeleteBuffers(1, &name);
}

static cl_int status_of(cl_mem mem)
{
    cl_event event;
    cl_int status = 1;
    CHECK_OK(clEnqueueAcquireGLObjects(test_queue, 1, &mem, 0, NULL, &event));
    clWaitForEvents(1, &event);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK_OK(clReleaseEvent(event));
    clEnqueueReleaseGLObjects(test_queue, 1, &mem, 0, NULL, NULL);
    clFinish(test_queue);
    return status;
}

// What OpenCL knows no more fails when it is acquired, and is not touched.
static void test_changed_objects(void)
{
    cl_int code;
    unsigned name = make_texture(&shapes[0], &formats[0], 1, old), buffer = make_buffer(64, NULL);
    cl_mem texture = clCreateFromGLTexture(test_context, 0, GL_TEXTURE_2D, 0, name, &code);
    CHECK_OK(code);
    cl_mem bytes = clCreateFromGLBuffer(test_context, 0, buffer, &code);
    CHECK_OK(code);
    CHECK_OK(status_of(texture));
    gl.BindTexture(GL_TEXTURE_2D, name);
    gl.TexImage2D(GL_TEXTURE_2D, 0, 0x8058, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, old);
    CHECK_EQ(status_of(texture), CL_INVALID_GL_OBJECT);
    gl.TexImage2D(GL_TEXTURE_2D, 0, 0x8814, WIDTH, HEIGHT, 0, GL_RGBA, GL_FLOAT, NULL);
    CHECK_EQ(status_of(texture), CL_INVALID_GL_OBJECT);
    gl.BufferData(GL_ARRAY_BUFFER, 32, NULL, 0x88E0);
    CHECK_EQ(status_of(bytes), CL_INVALID_GL_OBJECT);
    gl.DeleteTextures(1, &name);
    gl.DeleteBuffers(1, &buffer);
    CHECK_EQ(status_of(texture), CL_INVALID_GL_OBJECT);
    CHECK_EQ(status_of(bytes), CL_INVALID_GL_OBJECT);
    CHECK_OK(clReleaseMemObject(texture));
    CHECK_OK(clReleaseMemObject(bytes));
    CHECK_OK(clReleaseCommandQueue(test_queue)); // which has failed
    test_queue = clCreateCommandQueue(test_context, test_device, 0, &code);
    CHECK_OK(code);
}

// ---- what is copied -----------------------------------------------------------------------------

static cl_kernel paint;
static cl_program paint_program;

static void paint_all(cl_command_queue queue, cl_mem image, unsigned value)
{
    const size_t size[2] = {WIDTH, HEIGHT};
    cl_uint v = value;
    CHECK_OK(clSetKernelArg(paint, 0, sizeof image, &image));
    CHECK_OK(clSetKernelArg(paint, 1, sizeof v, &v));
    CHECK_OK(clEnqueueNDRangeKernel(queue, paint, 2, NULL, size, NULL, 0, NULL, NULL));
}

static int wrong_texels(unsigned name, unsigned value)
{
    int wrong = 0;
    gl.BindTexture(GL_TEXTURE_2D, name);
    read_level(&shapes[0], &formats[0], name, 0, 0, theirs);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        wrong += theirs[4 * i] != (value & 255) || theirs[4 * i + 1] != i % WIDTH || theirs[4 * i + 2] != i / WIDTH;
    return wrong;
}

static void test_copies(FILE *log)
{
    cl_int code;
    const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    unsigned name = make_texture(&shapes[0], &formats[0], 1, old);
    cl_mem written = clCreateFromGLTexture(test_context, CL_MEM_WRITE_ONLY, GL_TEXTURE_2D, 0, name, &code);
    CHECK_OK(code);
    int reads = test_told(log, "texture", "is read"), writes = test_told(log, "texture", "is written");
    for (unsigned i = 0; i < 5; i++) {
        acquire(written);
        paint_all(test_queue, written, i);
        release(written);
        CHECK_OK(clFinish(test_queue));
        CHECK_EQ(wrong_texels(name, i), 0);
    }
    if (log) {
        CHECK(test_told(log, "texture", "is copied by the ") > 0); // and why
        CHECK_EQ(test_told(log, "texture", "is read"), reads + 1);
        CHECK_EQ(test_told(log, "texture", "is written"), writes + 5);
    }
    CHECK_OK(clReleaseMemObject(written));
    cl_mem mem = clCreateFromGLTexture(test_context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, name, &code);
    CHECK_OK(code);
    acquire(mem);
    CHECK_OK(clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    release(mem);
    acquire(mem);
    release(mem);
    CHECK_OK(clFinish(test_queue));
    if (log) {
        CHECK_EQ(test_told(log, "texture", "is written"), writes + 5);
        CHECK_EQ(test_told(log, "texture", "is read"), reads + 3);
    }
    CHECK_OK(clReleaseMemObject(mem));
    gl.DeleteTextures(1, &name);
}

// ---- order --------------------------------------------------------------------------------------

static void clear(unsigned framebuffer, float red)
{
    gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    gl.ClearColor(red, 0, 0, 1);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
}

// Nobody finishes anything: the context is current on the caller's thread.
static void test_implicit_order(void)
{
    cl_int code;
    const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    unsigned name = make_texture(&shapes[0], &formats[0], 1, old), framebuffer;
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
    cl_mem mem = clCreateFromGLTexture(test_context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, name, &code);
    CHECK_OK(code);
    for (unsigned i = 1; i < 20; i++) {
        clear(framebuffer, (float)i / 255);
        acquire(mem);
        CHECK_OK(clEnqueueReadImage(test_queue, mem, CL_FALSE, origin, region, 0, 0, ours, 0, NULL, NULL));
        paint_all(test_queue, mem, 100 + i);
        release(mem);
        CHECK_EQ(wrong_texels(name, 100 + i), 0);
        CHECK_OK(clFinish(test_queue));
        CHECK(ours[0] == i && ours[(WIDTH * HEIGHT - 1) * 4] == i);
    }
    CHECK_OK(clReleaseMemObject(mem));
    gl.DeleteFramebuffers(1, &framebuffer);
    gl.DeleteTextures(1, &name);
}

// A release that a user event holds back: the call comes back all the same.
static void test_held_release(void)
{
    cl_int code;
    unsigned name = make_texture(&shapes[0], &formats[0], 1, old);
    cl_mem mem = clCreateFromGLTexture(test_context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, name, &code);
    cl_event user = clCreateUserEvent(test_context, &code);
    acquire(mem);
    CHECK_OK(clEnqueueMarkerWithWaitList(test_queue, 1, &user, NULL));
    paint_all(test_queue, mem, 9);
    release(mem);
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK_OK(clFinish(test_queue));
    CHECK_EQ(wrong_texels(name, 9), 0);
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(clReleaseMemObject(mem));
    gl.DeleteTextures(1, &name);
}

static void test_fences(void)
{
    cl_int code, status = 1;
    cl_command_type type = 0;
    cl_command_queue queue = NULL;
    unsigned name = make_texture(&shapes[0], &formats[0], 1, old);
    cl_mem mem = clCreateFromGLTexture(test_context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, name, &code);
    CHECK_CREATE(event_of_sync(test_context, (cl_GLsync)&error, &error), CL_INVALID_GL_OBJECT);
    CHECK_CREATE(event_of_sync(NULL, (cl_GLsync)&error, &error), CL_INVALID_CONTEXT);
    void *sync = gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    cl_event event = event_of_sync(test_context, sync, &code);
    CHECK_OK(code);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    CHECK(!queue);
    CHECK_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_EVENT);
    CHECK_EQ(clEnqueueMarkerWithWaitList(test_queue, 1, &event, NULL), CL_INVALID_EVENT);
    CHECK_OK(clEnqueueAcquireGLObjects(test_queue, 1, &mem, 1, &event, NULL));
    paint_all(test_queue, mem, 77);
    release(mem);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK_EQ(status, CL_COMPLETE);
    CHECK_EQ(wrong_texels(name, 77), 0);
    CHECK_OK(clReleaseEvent(event));
    gl.DeleteSync(sync);
    CHECK_OK(clReleaseMemObject(mem));
    gl.DeleteTextures(1, &name);
}

// ---- the application's own state ----------------------------------------------------------------

static void read_state(int *values)
{
    static const unsigned names[] = {0x8069, 0x8514, 0x8894, 0x8CA6, 0x8CAA, 0x8CA7, 0x84E0, 0x0CF5, 0x0D05, 0x85B5, 0x88ED, 0x88EF};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        gl.GetIntegerv(names[i], &values[i]);
}

static void test_state(void)
{
    int before[12] = {0}, after[12] = {0};
    cl_int code;
    unsigned name = make_texture(&shapes[0], &formats[0], 1, old), other, buffer = make_buffer(64, NULL);
    gl.GenTextures(1, &other);
    gl.ActiveTexture(0x84C0 + 3);
    gl.BindTexture(GL_TEXTURE_2D, other);
    gl.PixelStorei(GL_PACK_ALIGNMENT, 8);
    void *current = side.current();
    read_state(before);
    cl_mem mem = clCreateFromGLTexture(test_context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, name, &code);
    CHECK_OK(code);
    acquire(mem);
    paint_all(test_queue, mem, 3);
    release(mem);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(mem));
    read_state(after);
    CHECK(!memcmp(before, after, sizeof before));
    CHECK(side.current() == current);
    CHECK(no_error());
    gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl.ActiveTexture(0x84C0);
    gl.DeleteTextures(1, &name);
    gl.DeleteTextures(1, &other);
    gl.DeleteBuffers(1, &buffer);
}

// ---- cycles and threads -------------------------------------------------------------------------

// What is left for the thread that calls OpenGL is done first.
static int count_fds(unsigned buffer)
{
    cl_int code;
    cl_mem mem = clCreateFromGLBuffer(test_context, 0, buffer, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(mem));
    mem = clCreateFromGLBuffer(test_context, 0, buffer, &code);
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    CHECK_OK(clReleaseMemObject(mem));
    return count;
}

// How many of the calls failed: of several threads none may count for itself.
static int cycle(cl_command_queue queue, unsigned texture, unsigned buffer)
{
    cl_int code, more;
    cl_mem both[2] = {clCreateFromGLTexture(test_context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, texture, &code),
                      clCreateFromGLBuffer(test_context, CL_MEM_READ_WRITE, buffer, &more)};
    const size_t origin[3] = {0}, region[3] = {1, 1, 1};
    const cl_uint4 colour = {{0}};
    int failed = (code != CL_SUCCESS) + (more != CL_SUCCESS);
    failed += clEnqueueAcquireGLObjects(queue, 2, both, 0, NULL, NULL) != CL_SUCCESS;
    failed += clEnqueueFillBuffer(queue, both[1], &colour, 4, 0, 64, 0, NULL, NULL) != CL_SUCCESS;
    failed += clEnqueueFillImage(queue, both[0], &colour, origin, region, 0, NULL, NULL) != CL_SUCCESS;
    failed += clEnqueueReleaseGLObjects(queue, 2, both, 0, NULL, NULL) != CL_SUCCESS;
    failed += clReleaseMemObject(both[0]) != CL_SUCCESS;
    failed += clReleaseMemObject(both[1]) != CL_SUCCESS;
    return failed + (clFinish(queue) != CL_SUCCESS);
}

static void test_cycles(int cycles)
{
    unsigned texture = make_texture(&shapes[0], &formats[0], 1, old), buffer = make_buffer(64, NULL), first, last;
    int fds = 0;
    size_t bytes = 0;
    gl.GenTextures(1, &first);
    for (int i = 0; i < cycles; i++) {
        CHECK_NONE(cycle(test_queue, texture, buffer));
        if (i == cycles / 10)
            fds = count_fds(buffer), bytes = test_resident();
    }
    CHECK_EQ(count_fds(buffer), fds);
    CHECK(KEEPS_FREED || test_resident() < bytes + (8u << 20));
    gl.GenTextures(1, &last);
    CHECK(last <= first + 2); // names are taken again
    for (int i = 0; i < cycles / 20; i++) {
        cl_int code;
        cl_context context = clCreateContext(side_properties(), 1, &test_device, NULL, NULL, &code);
        CHECK_OK(code);
        cl_mem mem = clCreateFromGLBuffer(context, 0, buffer, &code);
        CHECK_OK(code);
        CHECK_OK(clReleaseContext(context));
        CHECK_OK(clReleaseMemObject(mem));
        if (!i)
            fds = count_fds(buffer);
    }
    CHECK_EQ(count_fds(buffer), fds);
    gl.DeleteTextures(1, &texture);
    gl.DeleteBuffers(1, &buffer);
}

static unsigned thread_names[THREADS][2];

static void *thread_main(void *data)
{
    cl_int code;
    const unsigned *names = data;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, 0, &code);
    intptr_t failed = code != CL_SUCCESS;
    for (int i = 0; i < 50; i++)
        failed += cycle(queue, names[0], names[1]);
    failed += clReleaseCommandQueue(queue) != CL_SUCCESS;
    return (void *)failed;
}

static void test_threads(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        thread_names[i][0] = make_texture(&shapes[0], &formats[0], 1, old);
        thread_names[i][1] = make_buffer(64, NULL);
    }
    gl.Finish();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread_main, thread_names[i]);
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        CHECK_NONE((intptr_t)failed);
    }
    CHECK(no_error());
}

// ---- the end ------------------------------------------------------------------------------------

// The X display goes first, as libraries of windows do at their end: what is still OpenCL's does no harm.
static void test_closed_display(void)
{
    cl_int code;
    unsigned buffer = make_buffer(64, old);
    cl_mem mem = clCreateFromGLBuffer(test_context, 0, buffer, &code);
    CHECK_OK(code);
    side.GlxMakeCurrent(side.display, 0, 0, NULL);
    side.GlxDestroyContext(side.display, side.context);
    side.CloseDisplay(side.display);
    CHECK(status_of(mem) < 0);
    CHECK_OK(clReleaseMemObject(mem));
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "gl";
    setenv("PUMICE_DEBUG", "mem", 0);
    FILE *log = test_log();
    side_open(kind);
    *(void **)&context_info = clGetExtensionFunctionAddressForPlatform(test_platform, "clGetGLContextInfoKHR");
    *(void **)&event_of_sync = clGetExtensionFunctionAddressForPlatform(test_platform, "clCreateEventFromGLsyncKHR");
    paint_program = test_build("kernel void paint(write_only image2d_t image, uint value) {\n"
                               "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                               "    write_imagef(image, at, (float4)(value, at.x, at.y, 255) / 255); }\n", "");
    paint = test_kernel(paint_program, "paint");
    test_contexts();
    test_buffers();
    test_textures();
    test_all_levels();
    test_texture_errors();
    if (!side.es)
        test_buffer_texture();
    test_renderbuffers();
    if (!side.es && test_has(test_device, "cl_khr_gl_depth_images"))
        test_depth_stencil();
    test_command_errors();
    test_changed_objects();
    test_copies(log);
    test_implicit_order();
    test_held_release();
    test_fences();
    test_state();
    test_cycles(getenv("INJECT_FILE") ? 1 : argc > 2 ? atoi(argv[2]) : 200);
    test_threads();
    CHECK(no_error());
    CHECK_OK(clReleaseKernel(paint));
    CHECK_OK(clReleaseProgram(paint_program));
    if (side.kind == SIDE_GLX)
        test_closed_display();
    return test_close();
}
