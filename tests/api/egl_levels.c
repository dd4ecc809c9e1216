// SPDX-License-Identifier: Apache-2.0
// cl_khr_egl_image: EGL images that are one level, one face or one slice of a texture. Writes of
// kernels and commands must change that part and no other. egl_levels [gl|es]: the kind of context
// that owns the texture.
#include "gl_objects.h"

enum { SIDE = 24, LEVELS = 3, LAYERS_MOST = 8, PART_MOST = SIDE * SIDE * 16 };

static clCreateFromEGLImageKHR_fn image_of;
static clEnqueueAcquireEGLObjectsKHR_fn acquire_image;
static clEnqueueReleaseEGLObjectsKHR_fn release_image;
static uint8_t expected[LEVELS][LAYERS_MOST][PART_MOST], got[PART_MOST];

static const struct part {
    unsigned egl, bound; // bound: as in OpenGL
    int layers, level, layer;
} parts[] = {
    {EGL_GL_TEXTURE_2D, GL_TEXTURE_2D, 1, 0, 0},
    {EGL_GL_TEXTURE_2D, GL_TEXTURE_2D, 1, 1, 0},
    {EGL_GL_TEXTURE_2D, GL_TEXTURE_2D, 1, 2, 0},
    {EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_TEXTURE_CUBE_MAP, 6, 0, 0},
    {EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X + 4, GL_TEXTURE_CUBE_MAP, 6, 0, 4},
    {EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X + 3, GL_TEXTURE_CUBE_MAP, 6, 2, 3},
    {EGL_GL_TEXTURE_3D, GL_TEXTURE_3D, 8, 0, 5},
    {EGL_GL_TEXTURE_3D, GL_TEXTURE_3D, 8, 1, 3},
};

static int layers_of(const struct part *part, int level)
{
    return part->bound == GL_TEXTURE_3D ? part->layers >> level : part->layers;
}

static size_t part_bytes(const struct format *f, int level)
{
    return (size_t)(SIDE >> level) * (size_t)(SIDE >> level) * f->texel;
}

// The first texels of all parts are equal, so that reading these does not distinguish the parts.
static void fill_part(uint8_t *bytes, const struct format *f, int level, unsigned seed)
{
    fill(bytes, part_bytes(f, level), seed);
    for (size_t i = 0; i < part_bytes(f, level); i++)
        bytes[i] ^= (uint8_t)(i * 11 % 64 & 32 && !side.es ? 0x80 : 0); // also negative values
    for (unsigned i = 0; i < f->texel; i++)
        bytes[i] = (uint8_t)(0x21 + i);
}

static void set_part(const struct part *part, const struct format *f, int level, int layer)
{
    const int size = SIDE >> level;
    fill_part(expected[level][layer], f, level, (unsigned)(1 + level * LAYERS_MOST + layer));
    if (part->bound == GL_TEXTURE_3D)
        gl.TexSubImage3D(GL_TEXTURE_3D, level, 0, 0, layer, size, size, 1, f->format, f->type, expected[level][layer]);
    else
        gl.TexImage2D(part->bound == GL_TEXTURE_2D ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP_POSITIVE_X + (unsigned)layer, level,
                      (int)f->internal, size, size, 0, f->format, f->type, expected[level][layer]);
}

static unsigned make_levels(const struct part *part, const struct format *f)
{
    unsigned name;
    gl.GenTextures(1, &name);
    gl.BindTexture(part->bound, name);
    gl.TexParameteri(part->bound, GL_TEXTURE_MAX_LEVEL, LEVELS - 1);
    gl.TexParameteri(part->bound, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    for (int level = 0; level < LEVELS; level++) {
        if (part->bound == GL_TEXTURE_3D)
            gl.TexImage3D(part->bound, level, (int)f->internal, SIDE >> level, SIDE >> level, layers_of(part, level), 0,
                          f->format, f->type, NULL);
        for (int layer = 0; layer < layers_of(part, level); layer++)
            set_part(part, f, level, layer);
    }
    gl.Finish();
    CHECK(no_error());
    return name;
}

static void read_part(const struct part *part, const struct format *f, unsigned name, int level, int layer)
{
    unsigned framebuffer, face = part->bound == GL_TEXTURE_2D ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP_POSITIVE_X + (unsigned)layer;
    memset(got, 0, part_bytes(f, level));
    gl.BindTexture(part->bound, name);
    if (!side.es) { // OpenGL ES framebuffers cannot read negative values
        gl.GetTexImage(part->bound == GL_TEXTURE_3D ? GL_TEXTURE_3D : face, level, f->format, f->type, ours);
        memcpy(got, ours + (part->bound == GL_TEXTURE_3D ? part_bytes(f, level) * (size_t)layer : 0), part_bytes(f, level));
        return;
    }
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    if (part->bound == GL_TEXTURE_3D)
        gl.FramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, name, level, layer);
    else
        gl.FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, face, name, level);
    gl.ReadPixels(0, 0, SIDE >> level, SIDE >> level, f->format, f->type, got);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    gl.DeleteFramebuffers(1, &framebuffer);
}

static void check_parts(const struct part *part, const struct format *f, unsigned name, const char *after)
{
    for (int level = 0; level < LEVELS; level++)
        for (int layer = 0; layer < layers_of(part, level); layer++) {
            read_part(part, f, name, level, layer);
            if (!CHECK(!memcmp(got, expected[level][layer], part_bytes(f, level))))
                printf("format 0x%x, image of 0x%x level %d layer %d, after %s: level %d layer %d is wrong\n", f->internal,
                       part->egl, part->level, part->layer, after, level, layer);
        }
    CHECK(no_error());
}

// ---- the other side -----------------------------------------------------------------------------

static void take(cl_mem mem)
{
    CHECK_OK(acquire_image(test_queue, 1, &mem, 0, NULL, NULL));
}

static void give(cl_mem mem)
{
    CHECK_OK(release_image(test_queue, 1, &mem, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
}

static void check_commands(const struct part *part, const struct format *f, unsigned name, cl_mem mem)
{
    const size_t origin[3] = {0}, size = (size_t)(SIDE >> part->level), region[3] = {size, size, 1};
    uint8_t *mine = expected[part->level][part->layer];
    take(mem);
    CHECK_OK(clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    CHECK(!memcmp(ours, mine, part_bytes(f, part->level)));
    fill_part(mine, f, part->level, 99);
    CHECK_OK(clEnqueueWriteImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, mine, 0, NULL, NULL));
    give(mem);
    check_parts(part, f, name, "clEnqueueWriteImage");
}

static void check_kernel(const struct part *part, const struct format *f, unsigned name, cl_mem mem)
{
    const size_t side_length = (size_t)(SIDE >> part->level), size[2] = {side_length, side_length};
    const cl_uint value = 77;
    uint8_t *mine = expected[part->level][part->layer];
    CHECK_OK(clSetKernelArg(paint, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(paint, 1, sizeof value, &value));
    take(mem);
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, paint, 2, NULL, size, NULL, 0, NULL, NULL));
    give(mem);
    for (size_t i = 0; i < side_length * side_length; i++) {
        const uint8_t texel[4] = {value, (uint8_t)(i % side_length), (uint8_t)(i / side_length), 255};
        memcpy(mine + 4 * i, texel, sizeof texel);
    }
    check_parts(part, f, name, "a kernel");
}

// What OpenGL writes between acquires is visible after the next one.
static void check_again(const struct part *part, const struct format *f, unsigned name, cl_mem mem)
{
    const size_t origin[3] = {0}, size = (size_t)(SIDE >> part->level), region[3] = {size, size, 1};
    const unsigned face =
        part->bound == GL_TEXTURE_2D ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP_POSITIVE_X + (unsigned)part->layer;
    uint8_t *mine = expected[part->level][part->layer];
    fill_part(mine, f, part->level, 123);
    gl.BindTexture(part->bound, name);
    if (part->bound == GL_TEXTURE_3D)
        gl.TexSubImage3D(part->bound, part->level, 0, 0, part->layer, (int)size, (int)size, 1, f->format, f->type, mine);
    else
        gl.TexSubImage2D(face, part->level, 0, 0, (int)size, (int)size, f->format, f->type, mine);
    gl.Finish();
    take(mem);
    CHECK_OK(clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    CHECK(!memcmp(ours, mine, part_bytes(f, part->level)));
    give(mem);
    check_parts(part, f, name, "a read");
}

static bool makes_texture(void *image)
{
    unsigned name;
    gl.GenTextures(1, &name);
    gl.BindTexture(GL_TEXTURE_2D, name);
    gl.EGLImageTargetTexture2DOES(GL_TEXTURE_2D, image);
    gl.DeleteTextures(1, &name);
    return !gl.GetError();
}

static bool test_part(const struct part *part, const struct format *f)
{
    const int list[] = {EGL_GL_TEXTURE_LEVEL, part->level, part->bound == GL_TEXTURE_3D ? EGL_GL_TEXTURE_ZOFFSET : EGL_NONE,
                        part->layer, EGL_NONE};
    cl_int code;
    unsigned name = make_levels(part, f);
    void *image = side.CreateImage(side.display, side.context, part->egl, (void *)(uintptr_t)name, list);
    cl_mem mem = image ? image_of(test_context, side.display, image, CL_MEM_READ_WRITE, NULL, &code) : NULL;
    check_parts(part, f, name, "clCreateFromEGLImageKHR");
    if (mem) {
        check_commands(part, f, name, mem);
        if (f->internal == 0x8058)
            check_kernel(part, f, name, mem);
        check_again(part, f, name, mem);
        CHECK_OK(clReleaseMemObject(mem));
    } else if (image) { // OpenGL cannot create a texture of it either, as with a face in Mesa
        CHECK_EQ(code, CL_IMAGE_FORMAT_NOT_SUPPORTED);
        CHECK(!makes_texture(image));
    }
    if (image)
        side.DestroyImage(side.display, image);
    gl.DeleteTextures(1, &name);
    return mem != NULL;
}

int main(int argc, char **argv)
{
    int count = 0;
    side_open(argc > 1 ? argv[1] : "gl");
    *(void **)&image_of = clGetExtensionFunctionAddressForPlatform(test_platform, "clCreateFromEGLImageKHR");
    *(void **)&acquire_image = clGetExtensionFunctionAddressForPlatform(test_platform, "clEnqueueAcquireEGLObjectsKHR");
    *(void **)&release_image = clGetExtensionFunctionAddressForPlatform(test_platform, "clEnqueueReleaseEGLObjectsKHR");
    if (!CHECK(image_of && acquire_image && release_image))
        return test_close();
    if (!side.CreateImage)
        side_none("EGL has no images");
    paint_begin();
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
            if ((!side.es || formats[i].es) && formats[i].format != GL_DEPTH_COMPONENT)
                count += test_part(&parts[p], &formats[i]);
    paint_end();
    printf("%d images shared\n", count);
    if (!count)
        side_none("EGL makes no image of a level");
    return test_close();
}
