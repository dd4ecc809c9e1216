// SPDX-License-Identifier: Apache-2.0
// cl_khr_command_buffer: what each function records and refuses; replays in order, out of order and
// several at once; objects that are released before the replay.
#include "command_buffer.h"

#include <pthread.h>

enum { N = 1024, BYTES = N * sizeof(int) };

static const char *source =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }\n"
    "kernel void count(global int *p) { atomic_inc(p); }\n"
    "kernel void say(int n) { if (get_global_id(0) == 0) printf(\"said %d\\n\", n); }\n"
    "kernel void heap(global int *p, int n) {\n"
    "    int a[4096]; size_t i = get_global_id(0);\n"
    "    for (int k = 0; k < 4096; k++) a[k] = k * n;\n"
    "    p[i] += a[(i * 7) % 4096] + a[(p[i] & 1) + 4000]; }\n";
static cl_program program;
static cl_kernel add, twice, count;
static cl_mem memory, other;
static const size_t size = N;

static void record(cl_command_buffer_khr buffer, cl_kernel kernel, size_t items)
{
    CHECK_OK(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, NULL));
}

static void set(cl_kernel kernel, cl_mem mem, int value)
{
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof value, &value));
}

static void release(cl_command_buffer_khr buffer)
{
    CHECK_OK(cb.clReleaseCommandBufferKHR(buffer));
}

// ---- creation and queries -----------------------------------------------------------------------

static void create_with(const cl_command_buffer_properties_khr *list, cl_int want)
{
    cl_int error = 1;
    cl_command_buffer_khr buffer = cb.clCreateCommandBufferKHR(1, &test_queue, list, &error);
    CHECK_EQ(error, want);
    CHECK_EQ(buffer != NULL, want == CL_SUCCESS);
    if (buffer)
        release(buffer);
}

static void check_creation(void)
{
    const cl_command_queue two[2] = {test_queue, test_queue}, none = NULL;
    const cl_command_queue wrong = (cl_command_queue)test_context;
    CHECK_CREATE(cb.clCreateCommandBufferKHR(0, two, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(cb.clCreateCommandBufferKHR(2, two, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(cb.clCreateCommandBufferKHR(1, NULL, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(cb.clCreateCommandBufferKHR(1, &none, NULL, &error), CL_INVALID_COMMAND_QUEUE);
    CHECK_CREATE(cb.clCreateCommandBufferKHR(1, &wrong, NULL, &error), CL_INVALID_COMMAND_QUEUE);
    create_with((const cl_command_buffer_properties_khr[]){0}, CL_SUCCESS);
    create_with((const cl_command_buffer_properties_khr[]){CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0}, CL_SUCCESS);
    create_with((const cl_command_buffer_properties_khr[]){CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 7, 0}, CL_INVALID_VALUE);
    create_with((const cl_command_buffer_properties_khr[]){0x4242, 0, 0}, CL_INVALID_VALUE);
    create_with((const cl_command_buffer_properties_khr[]){CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR,
                                                           0, 0},
                CL_INVALID_VALUE);
    CHECK_EQ(cb.clRetainCommandBufferKHR(NULL), CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK_EQ(cb.clReleaseCommandBufferKHR((cl_command_buffer_khr)test_queue), CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK_EQ(cb.clFinalizeCommandBufferKHR(NULL), CL_INVALID_COMMAND_BUFFER_KHR);
}

static cl_uint references(cl_command_buffer_khr buffer)
{
    cl_uint value = 0;
    CHECK_OK(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, sizeof value, &value, NULL));
    return value;
}

static void check_queries(void)
{
    cl_command_buffer_khr buffer = cb_new(test_queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    cl_command_buffer_properties_khr list[4];
    cl_command_queue queue;
    cl_context context;
    cl_uint number;
    size_t got;
    CHECK_OK(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof number, &number, NULL));
    CHECK_EQ(number, 1);
    CHECK_OK(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof queue, &queue, &got));
    CHECK(queue == test_queue && got == sizeof queue);
    CHECK_OK(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_CONTEXT_KHR, sizeof context, &context, NULL));
    CHECK(context == test_context);
    CHECK_OK(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, sizeof list, list, &got));
    CHECK(got == 3 * sizeof *list && list[1] == CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR && !list[2]);
    CHECK_EQ(cb.clGetCommandBufferInfoKHR(buffer, 0x4242, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, 1, &number, NULL), CL_INVALID_VALUE);
    CHECK_EQ(cb.clGetCommandBufferInfoKHR(NULL, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, 0, NULL, NULL),
             CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK_EQ(references(buffer), 1);
    CHECK_OK(cb.clRetainCommandBufferKHR(buffer));
    CHECK_EQ(references(buffer), 2);
    release(buffer);
    CHECK_EQ(references(buffer), 1);
    CHECK_EQ(cb_state(buffer), CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    cb_finish(buffer);
    CHECK_EQ(cb_state(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    CHECK_EQ(cb.clFinalizeCommandBufferKHR(buffer), CL_INVALID_OPERATION);
    cb_replay(buffer); // of an empty command buffer
    CHECK_OK(clFinish(test_queue));
    release(buffer);
}

static void check_device(void)
{
    cl_device_command_buffer_capabilities_khr capabilities;
    cl_command_queue_properties required, supported;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof capabilities,
                             &capabilities, NULL));
    CHECK(capabilities & CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR);
    CHECK(capabilities & CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR);
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, sizeof required,
                             &required, NULL));
    CHECK_EQ(required, 0);
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, sizeof supported,
                             &supported, NULL));
    CHECK(supported & CL_QUEUE_PROFILING_ENABLE && supported & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

// ---- errors common to all recording functions ---------------------------------------------------

static cl_mem image, image2;
static void *shared;
static const size_t origin[3], region[3] = {4, 4, 1}, bytes[3] = {16, 4, 1};

// The arguments that they have in common.
struct common {
    cl_command_buffer_khr buffer;
    cl_command_queue queue;
    const cl_command_properties_khr *properties;
    cl_uint count;
    const cl_sync_point_khr *points;
    cl_mutable_command_khr *handle;
    bool bad; // use an invalid value for the function's own first argument
};
#define FIRST c->buffer, c->queue, c->properties
#define LAST c->count, c->points, NULL, c->handle

static cl_int do_barrier(const struct common *c)
{
    return c->bad ? CL_INVALID_MEM_OBJECT : cb.clCommandBarrierWithWaitListKHR(FIRST, LAST);
}

static cl_int do_copy(const struct common *c)
{
    return cb.clCommandCopyBufferKHR(FIRST, c->bad ? NULL : memory, other, 0, 0, BYTES, LAST);
}

static cl_int do_copy_rect(const struct common *c)
{
    return cb.clCommandCopyBufferRectKHR(FIRST, c->bad ? NULL : memory, other, origin, origin, bytes, 0, 0, 0, 0, LAST);
}

static cl_int do_fill(const struct common *c)
{
    const int pattern = 3;
    return cb.clCommandFillBufferKHR(FIRST, c->bad ? NULL : memory, &pattern, sizeof pattern, 0, BYTES, LAST);
}

static cl_int do_image(const struct common *c)
{
    return cb.clCommandCopyImageKHR(FIRST, c->bad ? NULL : image, image2, origin, origin, region, LAST);
}

static cl_int do_image_buffer(const struct common *c)
{
    return cb.clCommandCopyImageToBufferKHR(FIRST, c->bad ? NULL : image, memory, origin, region, 0, LAST);
}

static cl_int do_buffer_image(const struct common *c)
{
    return cb.clCommandCopyBufferToImageKHR(FIRST, c->bad ? NULL : memory, image, 0, origin, region, LAST);
}

static cl_int do_image_fill(const struct common *c)
{
    const cl_uint colour[4] = {1, 2, 3, 4};
    return cb.clCommandFillImageKHR(FIRST, c->bad ? NULL : image, colour, origin, region, LAST);
}

static cl_int do_svm_copy(const struct common *c)
{
    return c->bad ? CL_INVALID_MEM_OBJECT : cb.clCommandSVMMemcpyKHR(FIRST, shared, (char *)shared + 64, 64, LAST);
}

static cl_int do_svm_fill(const struct common *c)
{
    const int pattern = 3;
    return c->bad ? CL_INVALID_MEM_OBJECT : cb.clCommandSVMMemFillKHR(FIRST, shared, &pattern, sizeof pattern, 64, LAST);
}

static cl_int do_launch(const struct common *c)
{
    cl_int error = cb.clCommandNDRangeKernelKHR(FIRST, c->bad ? NULL : add, 1, NULL, &size, NULL, LAST);
    return error == CL_INVALID_KERNEL ? CL_INVALID_MEM_OBJECT : error;
}

static void check_refusals_of(cl_int (*call)(const struct common *), bool launch)
{
    static const cl_command_properties_khr property[] = {0x4242, 0, 0}, empty[] = {0};
    const cl_sync_point_khr point = 1, missing = 77, zero = 0;
    cl_mutable_command_khr handle;
    cl_command_buffer_khr buffer = cb_new(test_queue, 0), done = cb_new(test_queue, 0);
    struct common c = {.buffer = buffer};
    cb_finish(done);
    CHECK_OK(call(&c));
    CHECK_EQ(call(&(struct common){.buffer = NULL}), CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK_EQ(call(&(struct common){.buffer = (cl_command_buffer_khr)test_queue}), CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK_EQ(call(&(struct common){.buffer = done}), CL_INVALID_OPERATION);
    CHECK_EQ(call(&(struct common){.buffer = buffer, .queue = test_queue}), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(call(&(struct common){.buffer = buffer, .properties = property}), CL_INVALID_VALUE);
    CHECK_OK(call(&(struct common){.buffer = buffer, .properties = empty}));
    CHECK_EQ(call(&(struct common){.buffer = buffer, .count = 1}), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    CHECK_EQ(call(&(struct common){.buffer = buffer, .points = &point}), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    CHECK_EQ(call(&(struct common){.buffer = buffer, .count = 1, .points = &missing}), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    CHECK_EQ(call(&(struct common){.buffer = buffer, .count = 1, .points = &zero}), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    CHECK_OK(call(&(struct common){.buffer = buffer, .count = 1, .points = &point}));
    CHECK_EQ(call(&(struct common){.buffer = buffer, .bad = true}), CL_INVALID_MEM_OBJECT);
    if (!launch)
        CHECK_EQ(call(&(struct common){.buffer = buffer, .handle = &handle}), CL_INVALID_VALUE);
    cb_finish(buffer);
    cb_replay(buffer);
    CHECK_OK(clFinish(test_queue));
    release(buffer);
    release(done);
}

static void check_refusals(void)
{
    set(add, memory, 1);
    check_refusals_of(do_barrier, false);
    check_refusals_of(do_copy, false);
    check_refusals_of(do_copy_rect, false);
    check_refusals_of(do_fill, false);
    check_refusals_of(do_launch, true);
    if (image) {
        check_refusals_of(do_image, false);
        check_refusals_of(do_image_buffer, false);
        check_refusals_of(do_buffer_image, false);
        check_refusals_of(do_image_fill, false);
    }
    if (shared) {
        check_refusals_of(do_svm_copy, false);
        check_refusals_of(do_svm_fill, false);
    }
}

// Errors that the corresponding enqueue functions also report.
static void check_own_refusals(void)
{
    const int pattern = 1;
    const size_t zero = 0, many = 1 << 20;
    cl_kernel fresh = test_kernel(program, "add");
    cl_command_buffer_khr buffer = cb_new(test_queue, 0);
    CHECK_EQ(cb.clCommandCopyBufferKHR(buffer, NULL, NULL, memory, other, 4, 0, BYTES, 0, NULL, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(cb.clCommandCopyBufferKHR(buffer, NULL, NULL, memory, memory, 0, 4, 64, 0, NULL, NULL, NULL),
             CL_MEM_COPY_OVERLAP);
    CHECK_EQ(cb.clCommandFillBufferKHR(buffer, NULL, NULL, memory, &pattern, 3, 0, 3, 0, NULL, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, fresh, 1, NULL, &size, NULL, 0, NULL, NULL, NULL),
             CL_INVALID_KERNEL_ARGS);
    CHECK_EQ(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 4, NULL, &size, NULL, 0, NULL, NULL, NULL),
             CL_INVALID_WORK_DIMENSION);
    CHECK_EQ(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, &size, &zero, 0, NULL, NULL, NULL),
             CL_INVALID_WORK_GROUP_SIZE);
    CHECK(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, &many, &many, 0, NULL, NULL, NULL) < 0);
    if (shared)
        CHECK_EQ(cb.clCommandSVMMemcpyKHR(buffer, NULL, NULL, shared, (char *)shared + 4, 64, 0, NULL, NULL, NULL),
                 CL_MEM_COPY_OVERLAP);
    CHECK_OK(clReleaseKernel(fresh));
    release(buffer); // never finalized
}

static void check_enqueue_refusals(void)
{
    cl_int error;
    cl_context elsewhere = clCreateContext(NULL, 1, &test_device, NULL, NULL, &error);
    CHECK_OK(error);
    cl_command_queue foreign = clCreateCommandQueue(elsewhere, test_device, 0, &error), bad = NULL;
    cl_event event = clCreateUserEvent(elsewhere, &error);
    cl_command_buffer_khr buffer = cb_new(test_queue, 0);
    CHECK_EQ(cb.clEnqueueCommandBufferKHR(0, NULL, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK_EQ(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL), CL_INVALID_OPERATION);
    cb_finish(buffer);
    CHECK_EQ(cb.clEnqueueCommandBufferKHR(1, NULL, buffer, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(cb.clEnqueueCommandBufferKHR(0, &test_queue, buffer, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(cb.clEnqueueCommandBufferKHR(2, &test_queue, buffer, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(cb.clEnqueueCommandBufferKHR(1, &bad, buffer, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(cb.clEnqueueCommandBufferKHR(1, &foreign, buffer, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, &event, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &event, NULL), CL_INVALID_CONTEXT);
    CHECK_OK(clSetUserEventStatus(event, CL_COMPLETE));
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clReleaseCommandQueue(foreign));
    CHECK_OK(clReleaseContext(elsewhere));
    release(buffer);
}

// ---- what is recorded ---------------------------------------------------------------------------

static void check_transfers(void)
{
    const int five = 5;
    const unsigned char odd[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const size_t rows[3] = {BYTES / 4, 4, 1};
    cl_command_buffer_khr buffer = cb_new(test_queue, 0);
    set(add, memory, 1);
    CHECK_OK(cb.clCommandFillBufferKHR(buffer, NULL, NULL, memory, &five, sizeof five, 0, BYTES, 0, NULL, NULL, NULL));
    record(buffer, add, N); // 6
    CHECK_OK(cb.clCommandCopyBufferKHR(buffer, NULL, NULL, memory, other, 0, 0, BYTES, 0, NULL, NULL, NULL));
    CHECK_OK(cb.clCommandFillBufferKHR(buffer, NULL, NULL, memory, odd, sizeof odd, 0, BYTES, 0, NULL, NULL, NULL));
    record(buffer, add, N); // 2
    CHECK_OK(cb.clCommandCopyBufferKHR(buffer, NULL, NULL, memory, other, 0, 0, 0, 0, NULL, NULL, NULL)); // nothing
    cb_finish(buffer);
    for (int i = 0; i < 3; i++) {
        cb_set(other, 0, N);
        cb_replay(buffer);
        CHECK_EQ(cb_wrong(memory, N, 2, 0), 0);
        CHECK_EQ(cb_wrong(other, N, 6, 0), 0);
    }
    release(buffer);
    buffer = cb_new(test_queue, 0);
    CHECK_OK(cb.clCommandCopyBufferRectKHR(buffer, NULL, NULL, memory, other, origin, origin, rows, 0, 0, 0, 0, 0, NULL,
                                           NULL, NULL));
    cb_finish(buffer);
    cb_replay(buffer);
    CHECK_EQ(cb_wrong(other, N, 2, 0), 0);
    release(buffer);
}

static void check_images(void)
{
    const cl_int colour[4] = {7, 7, 7, 7};
    cl_command_buffer_khr buffer = cb_new(test_queue, 0);
    if (!image)
        return;
    CHECK_OK(cb.clCommandFillImageKHR(buffer, NULL, NULL, image, colour, origin, region, 0, NULL, NULL, NULL));
    CHECK_OK(cb.clCommandCopyImageKHR(buffer, NULL, NULL, image, image2, origin, origin, region, 0, NULL, NULL, NULL));
    CHECK_OK(cb.clCommandCopyImageToBufferKHR(buffer, NULL, NULL, image2, memory, origin, region, 0, 0, NULL, NULL, NULL));
    CHECK_OK(cb.clCommandCopyBufferToImageKHR(buffer, NULL, NULL, other, image, 0, origin, region, 0, NULL, NULL, NULL));
    CHECK_OK(cb.clCommandCopyImageToBufferKHR(buffer, NULL, NULL, image, memory, origin, region, 256, 0, NULL, NULL, NULL));
    cb_finish(buffer);
    for (int i = 0; i < 2; i++) {
        cb_set(memory, 0, N);
        cb_set(other, 9, N);
        cb_replay(buffer);
        CHECK_EQ(cb_wrong(memory, 16, 7, 0), 0);
        int got[80];
        CHECK_OK(clEnqueueReadBuffer(test_queue, memory, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        CHECK(got[63] == 0 && got[64] == 9 && got[79] == 9);
    }
    release(buffer);
}

static void check_svm(void)
{
    cl_device_svm_capabilities has = 0;
    const int six = 6;
    int *to = shared, *from = (int *)shared + N / 2, own[64] = {0};
    clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof has, &has, NULL);
    bool system = has & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    if (!shared)
        return;
    cl_command_buffer_khr buffer = cb_new(test_queue, 0);
    CHECK_OK(cb.clCommandSVMMemFillKHR(buffer, NULL, NULL, from, &six, sizeof six, 256, 0, NULL, NULL, NULL));
    CHECK_OK(cb.clCommandSVMMemcpyKHR(buffer, NULL, NULL, to, from, 256, 0, NULL, NULL, NULL));
    cl_int error = cb.clCommandSVMMemcpyKHR(buffer, NULL, NULL, own, from, 256, 0, NULL, NULL, NULL);
    if (system)
        CHECK_OK(error);
    cb_finish(buffer);
    cb_replay(buffer);
    CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_READ, to, 256, 0, NULL, NULL));
    CHECK(to[0] == 6 && to[63] == 6);
    CHECK(!system || (own[0] == 6 && own[63] == 6));
    CHECK_OK(clEnqueueSVMUnmap(test_queue, to, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    release(buffer);
}

// Arguments are captured when recorded; all recorded objects may be released.
static void check_capture(void)
{
    cl_program own = test_build(source, "");
    cl_kernel kernel = test_kernel(own, "add");
    cl_mem first = cb_memory(BYTES);
    cl_command_queue queue = cb_queue(0);
    cl_command_buffer_khr buffer = cb_new(queue, 0);
    set(kernel, first, 3);
    record(buffer, kernel, N);
    CHECK_OK(cb.clCommandCopyBufferKHR(buffer, NULL, NULL, first, other, 0, 0, BYTES, 0, NULL, NULL, NULL));
    set(kernel, memory, 100);
    cb_finish(buffer);
    set(kernel, memory, 1000);
    cb_set(first, 1, N);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(own));
    CHECK_OK(clReleaseMemObject(first));
    CHECK_OK(clReleaseCommandQueue(queue));
    cl_event event;
    CHECK_OK(cb.clEnqueueCommandBufferKHR(1, &test_queue, buffer, 0, NULL, NULL));
    CHECK_OK(cb.clEnqueueCommandBufferKHR(1, &test_queue, buffer, 0, NULL, &event));
    release(buffer); // while it is pending
    CHECK_OK(clWaitForEvents(1, &event));
    cl_int status;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof status, &status, NULL));
    CHECK_EQ(status, CL_COMMAND_COMMAND_BUFFER_KHR);
    CHECK_OK(clReleaseEvent(event));
    CHECK_EQ(cb_wrong(other, N, 7, 0), 0);
}

// ---- order --------------------------------------------------------------------------------------

// Each command depends on the previous one through its sync point only; independent commands are
// interleaved.
static void check_out_of_order(bool barriers)
{
    enum { STEPS = 1500 }; // more than one Vulkan command buffer
    cl_command_queue queue = cb_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_command_buffer_khr buffer = cb_new(queue, 0);
    cl_sync_point_khr last = 0;
    const size_t few = 16;
    for (int i = 0; i < STEPS; i++) {
        bool doubles = i % 100 == 99;
        set(add, memory, 1);
        CHECK_OK(clSetKernelArg(twice, 0, sizeof memory, &memory));
        CHECK_OK(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, doubles ? twice : add, 1, NULL, &few, NULL,
                                              i && !barriers, i && !barriers ? &last : NULL, &last, NULL));
        set(add, other, 1);
        if (i % 4 == 0 && !barriers)
            record(buffer, count, 16);
        if (barriers)
            CHECK_OK(cb.clCommandBarrierWithWaitListKHR(buffer, NULL, NULL, 0, NULL, NULL, NULL));
    }
    cb_finish(buffer);
    int want = 0, got[16];
    for (int i = 0; i < 2 * STEPS; i++)
        want = i % 100 == 99 ? (int)(2u * (unsigned)want) : want + 1;
    cb_set(memory, 0, N);
    cb_set(other, 0, N);
    CHECK_OK(clFinish(test_queue));
    cl_event event;
    CHECK_OK(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &event));
    CHECK_OK(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &event, NULL));
    CHECK_OK(clFinish(queue));
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clEnqueueReadBuffer(test_queue, memory, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    CHECK_EQ(got[0], want);
    CHECK_EQ(got[15], want);
    CHECK_EQ(cb_wrong(other, 1, barriers ? 0 : 2 * STEPS / 4 * 16, 0), 0);
    release(buffer);
    CHECK_OK(clReleaseCommandQueue(queue));
}

// Many replays in flight, in an in-order queue and between other commands.
static void check_pipelined(void)
{
    enum { REPLAYS = 40 };
    cl_command_buffer_khr buffer = cb_new(test_queue, 0);
    set(add, memory, 1);
    for (int i = 0; i < 100; i++)
        record(buffer, add, N);
    cb_finish(buffer);
    cb_set(memory, 0, N);
    for (int i = 0; i < REPLAYS; i++) {
        cb_replay(buffer);
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, add, 1, NULL, &size, NULL, 0, NULL, NULL));
    }
    CHECK_EQ(cb_wrong(memory, N, REPLAYS * 101, 0), 0);
    release(buffer);
}

static void check_events(void)
{
    cl_int error, status;
    cl_ulong start = 0, end = 0, queued = 0;
    cl_command_queue queue = cb_queue(CL_QUEUE_PROFILING_ENABLE);
    cl_command_buffer_khr buffer = cb_new(queue, 0);
    cl_event held = clCreateUserEvent(test_context, &error), done;
    set(add, memory, 2);
    record(buffer, add, N);
    record(buffer, add, N);
    cb_finish(buffer);
    cb_set(memory, 0, N);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &held, &done));
    CHECK_OK(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK_EQ(status, CL_QUEUED);
    CHECK_OK(clSetUserEventStatus(held, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &done));
    CHECK_OK(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, NULL));
    CHECK_OK(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
    CHECK_OK(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    CHECK(queued && queued <= start && start < end);
    CHECK_EQ(cb_wrong(memory, N, 4, 0), 0);
    CHECK_OK(clReleaseEvent(held));
    CHECK_OK(clReleaseEvent(done));
    held = clCreateUserEvent(test_context, &error); // the event it waits for fails
    CHECK_OK(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &held, &done));
    CHECK_OK(clSetUserEventStatus(held, -7));
    CHECK_EQ(clWaitForEvents(1, &done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(clReleaseEvent(held));
    CHECK_OK(clReleaseEvent(done));
    // a failed replay has no effect on later ones
    CHECK_OK(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL));
    CHECK_OK(clFinish(queue));
    CHECK_EQ(cb_wrong(memory, N, 8, 0), 0);
    release(buffer);
    CHECK_OK(clReleaseCommandQueue(queue));
}

// ---- resources for one replay at a time ---------------------------------------------------------

static void check_printf(void)
{
    FILE *to = tmpfile();
    int out = dup(1), n = 41;
    cl_kernel say = test_kernel(program, "say");
    cl_command_buffer_khr buffer = cb_new(test_queue, 0);
    for (; n < 43; n++) {
        CHECK_OK(clSetKernelArg(say, 0, sizeof n, &n));
        record(buffer, say, 64);
    }
    cb_finish(buffer);
    fflush(stdout);
    dup2(fileno(to), 1);
    for (int i = 0; i < 3; i++)
        cb_replay(buffer);
    CHECK_OK(clFinish(test_queue));
    fflush(stdout);
    dup2(out, 1);
    close(out);
    char text[256] = "";
    rewind(to);
    CHECK(fread(text, 1, sizeof text - 1, to) > 0);
    CHECK(!strcmp(text, "said 41\nsaid 42\nsaid 41\nsaid 42\nsaid 41\nsaid 42\n"));
    fclose(to);
    release(buffer);
    CHECK_OK(clReleaseKernel(say));
}

struct many {
    cl_command_buffer_khr buffer;
    cl_int error;
};

static void *enqueue_many(void *data)
{
    struct many *many = data; // checks are counted by the first thread
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                                  &many->error);
    if (many->error)
        return NULL;
    for (int i = 0; i < 20 && !many->error; i++)
        many->error = cb.clEnqueueCommandBufferKHR(1, &queue, many->buffer, 0, NULL, NULL);
    const cl_int finished = clFinish(queue), released = clReleaseCommandQueue(queue);
    many->error = many->error ? many->error : finished ? finished : released;
    return NULL;
}

// Two threads, each with its own queue: the kernel's private memory is part of the recording.
static void check_at_once(cl_command_buffer_khr buffer)
{
    struct many many[2] = {{.buffer = buffer}, {.buffer = buffer}};
    pthread_t threads[2];
    cb_finish(buffer);
    CHECK_OK(clFinish(test_queue));
    for (int i = 0; i < 2; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, enqueue_many, &many[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        CHECK_OK(many[i].error);
    }
    release(buffer);
}

static void check_simultaneous(void)
{
    cl_command_buffer_khr buffer = cb_new(test_queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    CHECK_OK(clSetKernelArg(count, 0, sizeof other, &other));
    for (int i = 0; i < 50; i++)
        record(buffer, count, 8);
    cb_set(other, 0, N);
    check_at_once(buffer);
    CHECK_EQ(cb_wrong(other, 1, 40 * 50 * 8, 0), 0);

    cl_kernel heap = test_kernel(program, "heap");
    buffer = cb_new(test_queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    set(heap, memory, 0); // adds nothing: it must not write where the other one does
    record(buffer, heap, 64);
    set(heap, memory, 2);
    record(buffer, heap, 1);
    cb_set(memory, 0, N);
    check_at_once(buffer);
    CHECK_EQ(cb_wrong(memory, 1, 40 * 8000, 0), 0);
    CHECK_OK(clReleaseKernel(heap));
}

// ---- all ----------------------------------------------------------------------------------------

static void make_image(cl_mem *out)
{
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_bool images = CL_FALSE;
    cl_int error;
    clGetDeviceInfo(test_device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL);
    if (!images)
        return;
    *out = clCreateImage(test_context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
    CHECK_OK(error);
}

// The same launch before and after a replay of other kernels, in one batch: each must bind its own
// resources.
static void check_between(void)
{
    cl_command_buffer_khr buffer = cb_new(test_queue, 0);
    const int zero = 0;
    int got[N];
    CHECK_OK(clSetKernelArg(twice, 0, sizeof memory, &memory));
    record(buffer, twice, N);
    cb_finish(buffer);
    CHECK_OK(clEnqueueFillBuffer(test_queue, memory, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    set(add, memory, 5);
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, add, 1, NULL, &size, NULL, 0, NULL, NULL));
    cb_replay(buffer);
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, add, 1, NULL, &size, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, memory, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
    for (int i = 0; i < N; i += 101)
        CHECK_EQ(got[i], 15);
    release(buffer);
}

int main(void)
{
    cb_open("cl_khr_command_buffer");
    program = test_build(source, "");
    add = test_kernel(program, "add");
    twice = test_kernel(program, "twice");
    count = test_kernel(program, "count");
    memory = cb_memory(BYTES);
    other = cb_memory(BYTES);
    make_image(&image);
    make_image(&image2);
    shared = clSVMAlloc(test_context, CL_MEM_READ_WRITE, BYTES, 0);
    CHECK_OK(clSetKernelArg(count, 0, sizeof other, &other));
    check_device();
    check_creation();
    check_queries();
    check_refusals();
    check_own_refusals();
    check_enqueue_refusals();
    check_transfers();
    check_images();
    check_svm();
    check_capture();
    check_out_of_order(false);
    check_out_of_order(true);
    check_pipelined();
    check_events();
    check_printf();
    check_simultaneous();
    check_between();
    clSVMFree(test_context, shared);
    for (cl_mem *mem = (cl_mem[]){memory, other, image, image2, NULL}; *mem; mem++)
        CHECK_OK(clReleaseMemObject(*mem));
    CHECK_OK(clReleaseKernel(add));
    CHECK_OK(clReleaseKernel(twice));
    CHECK_OK(clReleaseKernel(count));
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
