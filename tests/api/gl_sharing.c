// SPDX-License-Identifier: Apache-2.0
// cl_khr_gl_sharing: contexts, buffers, errors, objects that change, the application's own OpenGL
// state, many cycles and threads. gl_sharing [gl|es|glx [CYCLES]]: the kind of context.
#define _GNU_SOURCE
#include "gl_objects.h"

#include <dirent.h>
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 4 };

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { KEEPS_FREED = 1 }; // sanitizers quarantine freed memory
#else
enum { KEEPS_FREED = 0 };
#endif

static clGetGLContextInfoKHR_fn context_info;
static cl_event(CL_API_CALL *event_of_sync)(cl_context context, cl_GLsync sync, cl_int *error);

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
    const cl_context_properties alone[] = {kind, display, 0}; // without a context nothing is shared
    cl_int code;
    cl_context plain = clCreateContext(alone, 1, &test_device, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_CREATE(clCreateFromGLBuffer(plain, 0, 1, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(event_of_sync(plain, (cl_GLsync)plain, &error), CL_INVALID_CONTEXT);
    CHECK_OK(clReleaseContext(plain));
}

// ---- buffers ------------------------------------------------------------------------------------

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
    release(mem); // releasing an object that is not acquired has no effect
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

// After OpenGL has changed an object, acquiring it fails and the object is not accessed.
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
    CHECK_OK(clReleaseCommandQueue(test_queue)); // a command of it has failed
    test_queue = clCreateCommandQueue(test_context, test_device, 0, &code);
    CHECK_OK(code);
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

static int fd_order(const void *a, const void *b)
{
    return strcmp(a, b);
}

// Prints the targets of the open fds with their counts.
static void print_fds(void)
{
    static char targets[4096][128];
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    for (struct dirent *entry = NULL; folder && count < 4096 && (entry = readdir(folder));) {
        ssize_t length = readlinkat(dirfd(folder), entry->d_name, targets[count], sizeof *targets - 1);
        if (length > 0)
            targets[count++][length] = '\0';
    }
    if (folder)
        closedir(folder);
    qsort(targets, (size_t)count, sizeof *targets, fd_order);
    for (int i = 0, first = 0; i < count; i++)
        if (i + 1 == count || strcmp(targets[i], targets[i + 1])) {
            printf("  %d of %s\n", i + 1 - first, targets[i]);
            first = i + 1;
        }
}

// Runs the jobs that are queued for the thread that calls OpenGL first.
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

// What other threads release may still be open for a moment, both here and when `before` was counted.
static void check_fds(unsigned buffer, int before)
{
    enum { TRIES = 100 };
    int now = count_fds(buffer);
    for (int i = 0; i < TRIES && now > before; i++) {
        usleep(10000);
        now = count_fds(buffer);
    }
    if (!CHECK(now <= before)) {
        printf("  %d open files, then %d\n", before, now);
        print_fds();
    }
}

// Returns the number of failed calls, because checks are not thread-safe.
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
    check_fds(buffer, fds);
    CHECK(KEEPS_FREED || test_resident() < bytes + (8u << 20));
    gl.GenTextures(1, &last);
    CHECK(last <= first + 2); // names are reused
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
    check_fds(buffer, fds);
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

// The X display is closed first, as windowing libraries do at exit: remaining OpenCL objects must
// do no harm.
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
    side_open(argc > 1 ? argv[1] : "gl");
    *(void **)&context_info = clGetExtensionFunctionAddressForPlatform(test_platform, "clGetGLContextInfoKHR");
    *(void **)&event_of_sync = clGetExtensionFunctionAddressForPlatform(test_platform, "clCreateEventFromGLsyncKHR");
    paint_begin();
    test_contexts();
    test_buffers();
    test_command_errors();
    test_changed_objects();
    test_state();
    test_cycles(getenv("INJECT_FILE") ? 1 : argc > 2 ? atoi(argv[2]) : 200);
    test_threads();
    CHECK(no_error());
    paint_end();
    if (side.kind == SIDE_GLX)
        test_closed_display();
    return test_close();
}
