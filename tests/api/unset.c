// SPDX-License-Identifier: Apache-2.0
// Objects released before they complete do not leak: user events that are never set, with callbacks
// or waiting commands, on queues that are also released; and objects with their own callbacks.
#include "test.h"

#include "command_buffer.h"

#include <malloc.h>

enum { PART = 1000, PARTS = 12, STEADY = 3, SIZE = 4096 };

static cl_program program;
static cl_kernel kernel;
static int called;

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
    __atomic_fetch_add(&called, 1, __ATOMIC_RELAXED);
}

static cl_event user(void)
{
    cl_int code;
    cl_event event = clCreateUserEvent(test_context, &code);
    CHECK_OK(code);
    return event;
}

static cl_command_queue queue_of(cl_context context, cl_command_queue_properties properties)
{
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, test_device, properties, &code);
    CHECK_OK(code);
    return queue;
}

// ---- user events --------------------------------------------------------------------------------

static void do_unset(void)
{
    CHECK_OK(clReleaseEvent(user()));
}

static void do_callback(void)
{
    cl_event event = user();
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, on_event, NULL));
    CHECK_OK(clReleaseEvent(event));
}

static void do_callbacks(void)
{
    cl_event event = user();
    CHECK_OK(clRetainEvent(event));
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, on_event, NULL));
    CHECK_OK(clSetEventCallback(event, CL_RUNNING, on_event, NULL));
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, on_event, NULL));
    CHECK_OK(clReleaseEvent(event));
}

// ---- commands that wait -------------------------------------------------------------------------

static void enqueue_all(cl_command_queue queue, cl_event gate, cl_event events[6])
{
    static char bytes[SIZE];
    const size_t global = 16;
    int zero = 0;
    cl_mem mem = test_buffer(0, SIZE, NULL), other = test_buffer(0, SIZE, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1, &gate, &events[0]));
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, SIZE, bytes, 1, &gate, &events[1]));
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, SIZE, bytes, 1, &events[1], &events[2]));
    CHECK_OK(clEnqueueCopyBuffer(queue, mem, other, 0, 0, SIZE, 1, &events[0], &events[3]));
    CHECK_OK(clEnqueueFillBuffer(queue, mem, &zero, 4, 0, SIZE, 0, NULL, &events[4]));
    CHECK_OK(clEnqueueMarkerWithWaitList(queue, 1, &gate, &events[5]));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseMemObject(other));
}

// In an order of releases that depends on `way`.
static void do_waiting(unsigned way)
{
    cl_command_queue queue = queue_of(test_context, way & 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    cl_event gate = user(), events[6];
    enqueue_all(queue, gate, events);
    if (way & 2)
        CHECK_OK(clSetEventCallback(events[5], CL_COMPLETE, on_event, NULL));
    if (way & 4)
        CHECK_OK(clReleaseEvent(gate));
    if (way & 8)
        CHECK_OK(clReleaseCommandQueue(queue));
    for (int i = 0; i < 6; i++)
        CHECK_OK(clReleaseEvent(events[i]));
    if (!(way & 8))
        CHECK_OK(clReleaseCommandQueue(queue));
    if (!(way & 4))
        CHECK_OK(clReleaseEvent(gate));
}

static void do_waiting_all(void)
{
    static unsigned way;
    do_waiting(way++ % 16);
}

// Programs release a user event as soon as commands wait for it, and set it from another thread.
static void late(cl_int status)
{
    cl_command_queue queue = queue_of(test_context, 0);
    cl_event gate = user(), events[6];
    cl_int got = 1;
    enqueue_all(queue, gate, events);
    CHECK_OK(clReleaseEvent(gate));
    CHECK_EQ(clWaitForEvents(1, &gate), CL_INVALID_EVENT);
    CHECK_EQ(clReleaseEvent(gate), CL_INVALID_EVENT);
    CHECK_EQ(clSetUserEventStatus(gate, CL_QUEUED), CL_INVALID_VALUE);
    CHECK_OK(clGetEventInfo(events[5], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof got, &got, NULL));
    CHECK_EQ(got, CL_QUEUED);
    CHECK_OK(clSetUserEventStatus(gate, status));
    CHECK_OK(clFinish(queue));
    CHECK_OK(clGetEventInfo(events[5], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof got, &got, NULL));
    CHECK_EQ(got < 0, status < 0);
    for (int i = 0; i < 6; i++)
        CHECK_OK(clReleaseEvent(events[i]));
    CHECK_OK(clReleaseCommandQueue(queue));
}

static void do_late(void)
{
    static int round;
    late(round++ % 2 ? CL_COMPLETE : -5);
}

// A queue waits for another one, which waits for the user event.
static void do_chain(void)
{
    cl_command_queue first = queue_of(test_context, 0), second = queue_of(test_context, 0);
    cl_event gate = user(), events[2];
    CHECK_OK(clEnqueueMarkerWithWaitList(first, 1, &gate, &events[0]));
    CHECK_OK(clEnqueueMarkerWithWaitList(second, 1, &events[0], &events[1]));
    CHECK_OK(clSetEventCallback(events[1], CL_COMPLETE, on_event, NULL));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseEvent(events[1]));
    CHECK_OK(clReleaseCommandQueue(second));
    CHECK_OK(clReleaseCommandQueue(first));
    CHECK_OK(clReleaseEvent(events[0]));
}

static void CL_CALLBACK on_free(cl_command_queue queue, cl_uint count, void *pointers[], void *data)
{
    (void)queue, (void)data;
    for (cl_uint i = 0; i < count; i++)
        clSVMFree(test_context, pointers[i]);
}

// The memory belongs to the application until the function is called; a failed command does not
// call it.
static void do_svm_free(void)
{
    cl_command_queue queue = queue_of(test_context, 0);
    cl_event gate = user();
    void *pointer = clSVMAlloc(test_context, CL_MEM_READ_WRITE, SIZE, 0);
    CHECK_OK(clEnqueueSVMFree(queue, 1, &pointer, on_free, NULL, 1, &gate, NULL));
    CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(clReleaseEvent(gate));
    clSVMFree(test_context, pointer);
}

static void do_map(void)
{
    cl_int code;
    cl_command_queue queue = queue_of(test_context, 0);
    cl_event gate = user();
    cl_mem mem = test_buffer(0, SIZE, NULL);
    void *at = clEnqueueMapBuffer(queue, mem, CL_FALSE, CL_MAP_READ, 0, SIZE, 1, &gate, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clEnqueueUnmapMemObject(queue, mem, at, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseCommandQueue(queue));
}

static void CL_CALLBACK native(void *data)
{
    (void)data;
}

static void do_native(void)
{
    cl_command_queue queue = queue_of(test_context, 0);
    cl_event gate = user();
    CHECK_OK(clEnqueueNativeKernel(queue, native, NULL, 0, 0, NULL, NULL, 1, &gate, NULL));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseCommandQueue(queue));
}

// ---- objects with callbacks ---------------------------------------------------------------------

static void CL_CALLBACK on_mem(cl_mem mem, void *data)
{
    (void)mem, (void)data;
    __atomic_fetch_add(&called, 1, __ATOMIC_RELAXED);
}

static void CL_CALLBACK on_context(cl_context context, void *data)
{
    (void)context, (void)data;
    __atomic_fetch_add(&called, 1, __ATOMIC_RELAXED);
}

static void do_context(void)
{
    cl_int code;
    cl_context context = clCreateContext(NULL, 1, &test_device, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clSetContextDestructorCallback(context, on_context, NULL));
    cl_mem mem = clCreateBuffer(context, 0, SIZE, NULL, &code);
    CHECK_OK(clSetMemObjectDestructorCallback(mem, on_mem, NULL));
    cl_command_queue queue = queue_of(context, 0);
    cl_event gate = clCreateUserEvent(context, &code), done;
    CHECK_OK(clEnqueueFillBuffer(queue, mem, &code, 4, 0, SIZE, 1, &gate, &done));
    CHECK_OK(clSetEventCallback(done, CL_COMPLETE, on_event, NULL));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseEvent(done));
    CHECK_OK(clReleaseContext(context));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseCommandQueue(queue));
}

static void do_command_buffer(void)
{
    cl_command_queue queue = queue_of(test_context, 0);
    cl_event gate = user();
    cl_mem mem = test_buffer(0, SIZE, NULL);
    int zero = 0;
    cl_command_buffer_khr buffer = cb_new(queue, 0);
    CHECK_OK(cb.clCommandFillBufferKHR(buffer, NULL, NULL, mem, &zero, 4, 0, SIZE, 0, NULL, NULL, NULL));
    CHECK_OK(cb.clFinalizeCommandBufferKHR(buffer));
    CHECK_OK(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, NULL));
    CHECK_OK(cb.clReleaseCommandBufferKHR(buffer));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseCommandQueue(queue));
}

// ---- bytes --------------------------------------------------------------------------------------

// Background work has ended when the number is stable.
static size_t in_use(void)
{
    size_t now = mallinfo2().uordblks;
    for (int i = 0, same = 0; i < 1000 && same < STEADY; i++) {
        size_t before = now;
        usleep(2000);
        now = mallinfo2().uordblks;
        same = now == before ? same + 1 : 0;
    }
    return now;
}

// Lists and caches grow sometimes, and threads are late on a busy machine; but a leak grows in
// every part.
static void count(const char *what, void (*round)(void), int times)
{
    size_t first = in_use(), before = first, used;
    for (int part = 0;; part++, before = used) {
        for (int i = 0; i < times; i++)
            round();
        used = in_use();
        if (used < before + (size_t)times * sizeof(void *))
            return;
        if (part == PARTS)
            break;
    }
    CHECK_EQ(used, first);
    printf("  of %s\n", what);
}

// Callbacks of waiting commands are called with an error; those of the user event are not called.
static void callbacks_of_waiting(void)
{
    called = 0;
    do_callbacks();
    CHECK_EQ(called, 0);
    do_chain();
    for (int i = 0; i < 1000 && !__atomic_load_n(&called, __ATOMIC_RELAXED); i++)
        usleep(1000);
    CHECK_EQ(called, 1);
}

int main(void)
{
    test_open();
    program = test_build("kernel void k(global int *a) { a[get_global_id(0)] = 5; }", "");
    kernel = test_kernel(program, "k");
    callbacks_of_waiting();
    count("user events", do_unset, PART);
    count("with a callback", do_callback, PART);
    count("with callbacks", do_callbacks, PART);
    count("with commands that wait", do_waiting_all, PART / 4);
    count("that are set after their release", do_late, PART / 4);
    count("with a chain of queues", do_chain, PART / 4);
    count("with a map", do_map, PART / 4);
    count("with a native kernel", do_native, PART / 4);
    cl_device_svm_capabilities svm = 0;
    clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    if (svm)
        count("with clEnqueueSVMFree", do_svm_free, PART / 4);
    count("with a context's callbacks", do_context, PART / 4);
    if (cb_has("cl_khr_command_buffer")) {
        cb_load();
        count("with a command buffer", do_command_buffer, PART / 4);
    }
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
