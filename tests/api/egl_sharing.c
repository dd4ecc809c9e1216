// SPDX-License-Identifier: Apache-2.0
// cl_khr_egl_image and cl_khr_egl_event: EGL images and fences. egl_sharing [gl|es]: the kind of
// context that creates them.
#include "gl_side.h"

enum { WIDTH = 33, HEIGHT = 17, BYTES = WIDTH * HEIGHT * 4 };

static clCreateFromEGLImageKHR_fn image_of;
static clEnqueueAcquireEGLObjectsKHR_fn acquire;
static clEnqueueReleaseEGLObjectsKHR_fn release;
static cl_event(CL_API_CALL *event_of)(cl_context context, CLeglSyncKHR sync, CLeglDisplayKHR display, cl_int *error);
static uint8_t ours[BYTES], theirs[BYTES];

static void *function(const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(test_platform, name);
    CHECK(found != NULL);
    return found;
}

static void read_texture(unsigned name)
{
    unsigned framebuffer;
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
    gl.ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, theirs);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    gl.DeleteFramebuffers(1, &framebuffer);
}

static unsigned make_texture(void **image)
{
    unsigned name;
    for (int i = 0; i < BYTES; i++)
        theirs[i] = (uint8_t)(i * 7);
    gl.GenTextures(1, &name);
    gl.BindTexture(GL_TEXTURE_2D, name);
    gl.TexImage2D(GL_TEXTURE_2D, 0, 0x8058, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, theirs);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.Finish();
    *image = side.CreateImage(side.display, side.context, EGL_GL_TEXTURE_2D, (void *)(uintptr_t)name, NULL);
    if (!*image)
        side_none("EGL makes no image of a texture");
    return name;
}

// Drivers may report the offset of the first level for memory that a level shares with others.
static void test_level(void)
{
    enum { SIDE = 16 };
    const int list[] = {EGL_GL_TEXTURE_LEVEL, 1, EGL_NONE};
    const size_t origin[3] = {0}, region[3] = {SIDE / 2, SIDE / 2, 1};
    cl_int code;
    unsigned name;
    for (int i = 0; i < BYTES; i++)
        theirs[i] = (uint8_t)(i * 7);
    gl.GenTextures(1, &name);
    gl.BindTexture(GL_TEXTURE_2D, name);
    for (int level = 0, size = SIDE; size; level++, size /= 2)
        gl.TexImage2D(GL_TEXTURE_2D, level, 0x8058, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, theirs + level * 4);
    gl.Finish();
    void *image = side.CreateImage(side.display, side.context, EGL_GL_TEXTURE_2D, (void *)(uintptr_t)name, list);
    if (image) {
        cl_mem mem = image_of(test_context, side.display, image, CL_MEM_READ_WRITE, NULL, &code);
        CHECK_OK(code);
        CHECK_OK(acquire(test_queue, 1, &mem, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
        CHECK(!memcmp(ours, theirs + 4, SIDE / 2 * SIDE / 2 * 4));
        CHECK_OK(release(test_queue, 1, &mem, 0, NULL, NULL));
        CHECK_OK(clFinish(test_queue));
        CHECK_OK(clReleaseMemObject(mem));
        CHECK(side.DestroyImage(side.display, image));
    }
    gl.DeleteTextures(1, &name);
}

// Runs in a context that shares with OpenGL and in one that does not.
static void test_image(cl_context context)
{
    const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    void *image;
    cl_int code;
    cl_event event;
    cl_command_type type = 0;
    cl_image_format format;
    unsigned name = make_texture(&image);
    cl_command_queue queue = clCreateCommandQueue(context, test_device, 0, &code);
    cl_mem mem = image_of(context, side.display, image, CL_MEM_READ_WRITE, NULL, &code);
    if (!CHECK_OK(code))
        return;
    CHECK_OK(clGetImageInfo(mem, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
    CHECK(format.image_channel_order == CL_RGBA && format.image_channel_data_type == CL_UNORM_INT8);
    CHECK_OK(acquire(queue, 1, &mem, 0, NULL, &event));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR);
    CHECK_OK(clEnqueueReadImage(queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    CHECK(!memcmp(ours, theirs, BYTES));
    for (int i = 0; i < BYTES; i++)
        ours[i] = (uint8_t)(i * 11);
    CHECK_OK(clEnqueueWriteImage(queue, mem, CL_TRUE, origin, region, 0, 0, ours, 0, NULL, NULL));
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(release(queue, 1, &mem, 0, NULL, &event));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_RELEASE_EGL_OBJECTS_KHR);
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_OK(clReleaseEvent(event));
    read_texture(name);
    CHECK(!memcmp(ours, theirs, BYTES));
    CHECK_EQ(clGetGLObjectInfo(mem, NULL, NULL), CL_INVALID_GL_OBJECT);
    CHECK_EQ(clEnqueueAcquireGLObjects(queue, 1, &mem, 0, NULL, NULL),
             context == test_context ? CL_INVALID_GL_OBJECT : CL_INVALID_CONTEXT);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseCommandQueue(queue));
    side.DestroyImage(side.display, image);
    gl.DeleteTextures(1, &name);
}

static void test_errors(void)
{
    const cl_egl_image_properties_khr property[] = {1, 1, 0}, none[] = {0};
    void *image;
    cl_int code;
    unsigned name = make_texture(&image);
    cl_mem plain = test_buffer(0, 64, NULL);
    CHECK_CREATE(image_of(NULL, side.display, image, CL_MEM_READ_ONLY, NULL, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(image_of(test_context, NULL, image, CL_MEM_READ_ONLY, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(image_of(test_context, &name, image, CL_MEM_READ_ONLY, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(image_of(test_context, side.display, image, CL_MEM_USE_HOST_PTR, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(image_of(test_context, side.display, image, CL_MEM_READ_ONLY, property, &error), CL_INVALID_VALUE);
    CHECK_CREATE(image_of(test_context, side.display, NULL, CL_MEM_READ_ONLY, NULL, &error), CL_INVALID_EGL_OBJECT_KHR);
    // NVIDIA's OpenGL does not distinguish what is not an image from one that is no texture.
    CHECK(!image_of(test_context, side.display, &name, CL_MEM_READ_ONLY, NULL, &code));
    CHECK(code == CL_INVALID_EGL_OBJECT_KHR || code == CL_IMAGE_FORMAT_NOT_SUPPORTED);
    cl_mem mem = image_of(test_context, side.display, image, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, none, &code);
    CHECK_OK(code);
    CHECK_EQ(acquire(test_queue, 1, &plain, 0, NULL, NULL), CL_INVALID_EGL_OBJECT_KHR);
    CHECK_EQ(release(test_queue, 1, &plain, 0, NULL, NULL), CL_INVALID_EGL_OBJECT_KHR);
    CHECK_EQ(acquire(test_queue, 1, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(acquire(test_queue, 0, &mem, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(acquire(NULL, 1, &mem, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_OK(acquire(test_queue, 0, NULL, 0, NULL, NULL));
    CHECK_OK(acquire(test_queue, 1, &mem, 0, NULL, NULL));
    CHECK_OK(release(test_queue, 1, &mem, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseMemObject(plain));
    side.DestroyImage(side.display, image);
    gl.DeleteTextures(1, &name);
}

static void test_fence(void)
{
    cl_int code, status = 1;
    cl_command_type type = 0;
    void *image;
    unsigned name = make_texture(&image);
    cl_mem mem = image_of(test_context, side.display, image, CL_MEM_READ_ONLY, NULL, &code);
    CHECK_CREATE(event_of(NULL, image, side.display, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(event_of(test_context, NULL, side.display, &error), CL_INVALID_EGL_OBJECT_KHR);
    CHECK_CREATE(event_of(test_context, &code, side.display, &error), CL_INVALID_EGL_OBJECT_KHR);
    void *sync = side.CreateSync(side.display, EGL_SYNC_FENCE, NULL);
    CHECK(sync != NULL);
    cl_event event = event_of(test_context, sync, side.display, &code);
    if (CHECK_OK(code)) {
        CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        CHECK_EQ(type, CL_COMMAND_EGL_FENCE_SYNC_OBJECT_KHR);
        CHECK_EQ(clEnqueueBarrierWithWaitList(test_queue, 1, &event, NULL), CL_INVALID_EVENT);
        CHECK_OK(acquire(test_queue, 1, &mem, 1, &event, NULL));
        CHECK_OK(release(test_queue, 1, &mem, 0, NULL, NULL));
        CHECK_OK(clFinish(test_queue));
        CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        CHECK_EQ(status, CL_COMPLETE);
        CHECK_OK(clReleaseEvent(event));
    }
    side.DestroySync(side.display, sync);
    CHECK_OK(clReleaseMemObject(mem));
    side.DestroyImage(side.display, image);
    gl.DeleteTextures(1, &name);
}

int main(int argc, char **argv)
{
    cl_int code;
    side_open(argc > 1 ? argv[1] : "gl");
    image_of = function("clCreateFromEGLImageKHR");
    acquire = function("clEnqueueAcquireEGLObjectsKHR");
    release = function("clEnqueueReleaseEGLObjectsKHR");
    *(void **)&event_of = function("clCreateEventFromEGLSyncKHR");
    if (!side.CreateImage || !side.CreateSync)
        side_none("EGL has no images or no fences");
    cl_context plain = clCreateContext(NULL, 1, &test_device, NULL, NULL, &code);
    CHECK_OK(code);
    test_level();
    test_image(test_context);
    test_image(plain);
    test_errors();
    test_fence();
    CHECK_CREATE(event_of(plain, side.display, side.display, &error), CL_INVALID_CONTEXT);
    CHECK_OK(clReleaseContext(plain));
    CHECK_EQ(gl.GetError(), 0);
    return test_close();
}
