// SPDX-License-Identifier: Apache-2.0
// Which OpenGL objects are copied and which are shared directly; the order of commands on both
// sides; fences (cl_khr_gl_event). gl_order [gl|es|glx]: the kind of context.
#include "gl_objects.h"

static cl_event(CL_API_CALL *event_of_sync)(cl_context context, cl_GLsync sync, cl_int *error);

// ---- what is copied -----------------------------------------------------------------------------

static void test_copies(FILE *log)
{
    cl_int code;
    const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    unsigned name = make_texture(&shapes[0], &formats[0], 1, old);
    const int copied_before = log ? test_log_count(log, "texture", "is copied by the ") : 0;
    cl_mem written = clCreateFromGLTexture(test_context, CL_MEM_WRITE_ONLY, GL_TEXTURE_2D, 0, name, &code);
    CHECK_OK(code);
    int reads = test_log_count(log, "texture", "is read"),
        writes = test_log_count(log, "texture", "is written");
    for (unsigned i = 0; i < 5; i++) {
        acquire(written);
        paint_all(test_queue, written, i);
        release(written);
        CHECK_OK(clFinish(test_queue));
        CHECK_EQ(wrong_texels(name, i), 0);
    }
    // and the reason
    const bool copied = log && test_log_count(log, "texture", "is copied by the ") > copied_before;
    CHECK(!log || copied || test_log_count(log, "texture", "is not copied") > 0);
    if (copied && getenv("PUMICE_GL") && !strcmp(getenv("PUMICE_GL"), "dma_buf"))
        CHECK(test_log_count(log, "texture", "Vulkan imports no dma_bufs") ||
              test_log_count(log, "texture", "Vulkan does not support DRM"));
    if (copied) {
        CHECK_EQ(test_log_count(log, "texture", "is read"), reads + 1);
        CHECK_EQ(test_log_count(log, "texture", "is written"), writes + 5);
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
    if (copied) {
        CHECK_EQ(test_log_count(log, "texture", "is written"), writes + 5);
        CHECK_EQ(test_log_count(log, "texture", "is read"), reads + 3);
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

// Without glFinish() and clFinish(): the context is current on the calling thread.
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

// A release that a user event holds back: the call still returns.
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

int main(int argc, char **argv)
{
    setenv("PUMICE_DEBUG", "mem", 0);
    FILE *log = test_log();
    side_open(argc > 1 ? argv[1] : "gl");
    *(void **)&event_of_sync = clGetExtensionFunctionAddressForPlatform(test_platform, "clCreateEventFromGLsyncKHR");
    paint_begin();
    test_copies(log);
    test_implicit_order();
    test_held_release();
    test_fences();
    if (log && strstr((const char *)gl.GetString(GL_RENDERER), "zink") &&
        test_log_count(log, "texture", "is not copied"))
        CHECK(test_log_count(log, "objects are released", "OpenGL waits for the device") > 10);
    CHECK(no_error());
    paint_end();
    return test_close();
}
