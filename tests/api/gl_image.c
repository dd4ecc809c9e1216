// SPDX-License-Identifier: Apache-2.0
// Images over OpenGL textures and renderbuffers: properties, contents in both directions, errors.
// gl_image [gl|es|glx]: the kind of context.
#include "gl_objects.h"

enum { LEVEL = 2 };

// ---- textures -----------------------------------------------------------------------------------

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
    } else { // OpenGL ES cannot read these itself
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
    if (side.es) // where the data's type determines the format
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

// Contents are right whatever channel order the application uploads and the driver stores.
static void check_upload(unsigned internal, unsigned format, unsigned type, const int order[4], bool known)
{
    enum { COUNT = WIDTH * HEIGHT };
    const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    cl_int code;
    unsigned name;
    for (int i = 0; i < COUNT * 4; i++)
        theirs[i] = known ? (uint8_t)(i * 7) : 0;
    gl.GenTextures(1, &name);
    gl.BindTexture(GL_TEXTURE_2D, name);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.TexImage2D(GL_TEXTURE_2D, 0, (int)internal, WIDTH, HEIGHT, 0, format, type, theirs);
    cl_mem mem = clCreateFromGLTexture(test_context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, name, &code);
    CHECK_OK(code);
    acquire(mem);
    CHECK_OK(clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    int wrong = 0;
    for (int i = 0; i < COUNT * 4; i++)
        wrong += ours[i] != theirs[i / 4 * 4 + order[i % 4]];
    CHECK_EQ(wrong, 0);
    fill(ours, COUNT * 4, 5);
    CHECK_OK(clEnqueueWriteImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    release(mem);
    CHECK_OK(clFinish(test_queue));
    gl.GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, theirs);
    CHECK(!memcmp(ours, theirs, COUNT * 4));
    CHECK_OK(clReleaseMemObject(mem));
    gl.DeleteTextures(1, &name);
    CHECK(no_error());
}

static void test_uploads(void)
{
    static const int same[4] = {0, 1, 2, 3}, swapped[4] = {2, 1, 0, 3}, reversed[4] = {3, 2, 1, 0}, rotated[4] = {1, 2, 3, 0};
    for (int i = 0; i < 4; i++) {
        const unsigned internal = formats[i % 2].internal;
        check_upload(internal, GL_RGBA, GL_UNSIGNED_BYTE, same, i / 2);
        check_upload(internal, GL_BGRA, GL_UNSIGNED_BYTE, swapped, i / 2);
        check_upload(internal, GL_RGBA, 0x8035, reversed, i / 2); // GL_UNSIGNED_INT_8_8_8_8
        check_upload(internal, GL_BGRA, 0x8035, rotated, i / 2);
        check_upload(internal, GL_BGRA, 0x8367, swapped, i / 2); // GL_UNSIGNED_INT_8_8_8_8_REV
    }
}

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

int main(int argc, char **argv)
{
    side_open(argc > 1 ? argv[1] : "gl");
    test_textures();
    if (!side.es)
        test_uploads();
    test_all_levels();
    test_texture_errors();
    if (!side.es)
        test_buffer_texture();
    test_renderbuffers();
    if (!side.es && test_has(test_device, "cl_khr_gl_depth_images"))
        test_depth_stencil();
    CHECK(no_error());
    return test_close();
}
