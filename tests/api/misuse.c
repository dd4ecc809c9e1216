// SPDX-License-Identifier: Apache-2.0
// Mistakes of programs: sizes that wrap around, handles used after their release, waits for failed
// commands, callbacks that release. Each call returns a defined error, and everything works
// afterwards.
#include "test.h"

#include <sched.h>
#include <stdatomic.h>

// Products of it are too large for size_t.
#define HUGE_SIZE ((size_t)1 << (sizeof(size_t) == 8 ? 42 : 31))

static const char source[] =
    "kernel void two(local int *a, local int *b, global int *p) {\n"
    "    a[0] = 1; b[0] = 2; p[0] = a[0] + b[0]; }\n"
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n";

// ---- sizes --------------------------------------------------------------------------------------

static void check_local_sizes(void)
{
    static const struct {
        size_t a, b;
        cl_int want;
    } rows[] = {
        {4, 4, CL_SUCCESS},
        {0, SIZE_MAX, CL_OUT_OF_RESOURCES},
        {SIZE_MAX, 0, CL_OUT_OF_RESOURCES},
        {SIZE_MAX, 4, CL_OUT_OF_RESOURCES},
        {4, SIZE_MAX, CL_OUT_OF_RESOURCES},
        {SIZE_MAX - 64, 128, CL_OUT_OF_RESOURCES},
        {SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1, CL_OUT_OF_RESOURCES},
    };
    cl_program program = test_build(source, "");
    cl_kernel kernel = test_kernel(program, "two");
    cl_mem mem = test_buffer(0, 64, NULL);
    size_t one = 1;
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof mem, &mem));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_OK(clSetKernelArg(kernel, 0, rows[i].a, NULL));
        CHECK_OK(clSetKernelArg(kernel, 1, rows[i].b, NULL));
        if (!CHECK_EQ(
                clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
                rows[i].want))
            printf("  in row %zu\n", i);
    }
    // In Vulkan, a local argument of 0 bytes is an array of one element.
    cl_ulong most = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, NULL));
    CHECK_OK(clSetKernelArg(kernel, 1, 0, NULL));
    CHECK_OK(clSetKernelArg(kernel, 0, (size_t)most, NULL));
    CHECK_EQ(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL), CL_OUT_OF_RESOURCES);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// Ranges that would take the device centuries, and those larger than its size_t, are refused.
static void check_ranges(void)
{
    static const struct {
        cl_uint dims;
        size_t offset, global[3], local;
        cl_int want;
    } rows[] = {
        {1, 0, {SIZE_MAX, 1, 1}, 1, CL_OUT_OF_RESOURCES},
        {1, 0, {SIZE_MAX - 6, 1, 1}, 0, CL_OUT_OF_RESOURCES},
        {2, 0, {SIZE_MAX, SIZE_MAX, 1}, 1, CL_OUT_OF_RESOURCES},
        {3, 0, {SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1, 4}, 1, CL_OUT_OF_RESOURCES},
        {3, 0, {HUGE_SIZE, HUGE_SIZE, HUGE_SIZE}, 0, CL_OUT_OF_RESOURCES},
        {1, 1, {SIZE_MAX, 1, 1}, 1, CL_INVALID_GLOBAL_OFFSET},
        {3, 0, {SIZE_MAX, SIZE_MAX, 0}, 1, CL_SUCCESS},
    };
    cl_program program = test_build(source, "");
    cl_kernel kernel = test_kernel(program, "add");
    cl_mem mem = test_buffer(0, 64, NULL);
    int n = 0;
    bool narrow = test_address_bits() == 32;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (sizeof(size_t) == 4 && rows[i].dims == 1)
            continue; // a device with 64-bit addresses can run 2^32 work-items, from any offset
        const size_t offset[3] = {rows[i].offset, 0, 0};
        const size_t local[3] = {rows[i].local, rows[i].local, rows[i].local};
        if (!CHECK_EQ(clEnqueueNDRangeKernel(test_queue, kernel, rows[i].dims, offset,
                                             rows[i].global, rows[i].local ? local : NULL, 0, NULL,
                                             NULL),
                      narrow ? CL_INVALID_GLOBAL_WORK_SIZE : rows[i].want))
            printf("  in row %zu\n", i);
    }
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// The pitch of a region with a single row or slice is not used.
static void check_wide_pitches(void)
{
    static const size_t zero[3] = {0, 0, 0}, region[3] = {16, 1, 1}, rows2[3] = {16, 2, 1};
    static const struct {
        const size_t *region;
        size_t to, row, slice;
        cl_int want;
    } rows[] = {
        {region, 8, SIZE_MAX, 0, CL_MEM_COPY_OVERLAP},
        {region, 8, 16, SIZE_MAX - 15, CL_MEM_COPY_OVERLAP},
        {region, 8, SIZE_MAX / 2 + 1, 0, CL_MEM_COPY_OVERLAP},
        {region, 16, SIZE_MAX, 0, CL_SUCCESS},
        {region, 16, 16, SIZE_MAX - 15, CL_SUCCESS},
        {rows2, 16, 32, SIZE_MAX - 31, CL_SUCCESS},
        {rows2, 17, 32, SIZE_MAX - 31, CL_MEM_COPY_OVERLAP},
        {rows2, 16, SIZE_MAX, 0, CL_INVALID_VALUE},
    };
    cl_mem mem = test_buffer(0, 4096, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t to[3] = {rows[i].to, 0, 0};
        if (!CHECK_EQ(clEnqueueCopyBufferRect(test_queue, mem, mem, zero, to, rows[i].region,
                                              rows[i].row, rows[i].slice, rows[i].row,
                                              rows[i].slice, 0, NULL, NULL),
                      rows[i].want))
            printf("  in row %zu\n", i);
    }
    // Sub-buffers of one buffer in different shapes: the bytes between the rows count as used.
    cl_int code;
    cl_buffer_region low = {0, 1024}, high = {1024, 1024};
    cl_mem a = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &code);
    cl_mem b = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &code);
    CHECK_OK(
        clEnqueueCopyBufferRect(test_queue, a, b, zero, zero, rows2, 992, 0, 32, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueCopyBufferRect(test_queue, a, b, zero, zero, region, SIZE_MAX, 0, 16, 0, 0,
                                     NULL, NULL));
    CHECK_EQ(clEnqueueCopyBufferRect(test_queue, mem, a, zero, zero, region, SIZE_MAX, 0, 16, 0, 0,
                                     NULL, NULL),
             CL_MEM_COPY_OVERLAP);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(a));
    CHECK_OK(clReleaseMemObject(b));
    CHECK_OK(clReleaseMemObject(mem));
}

// ---- lifetimes ----------------------------------------------------------------------------------

// A kernel with no references but those of a command in flight may be retained again; the program's
// kernel count stays right.
static void check_retained_again(void)
{
    cl_int code, zero = 0, n = 1;
    size_t one = 1;
    cl_uint count;
    cl_program program = test_build(source, "");
    cl_kernel kernel = test_kernel(program, "add");
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    cl_event gate = clCreateUserEvent(test_context, &code);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 1, &gate, NULL));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_EQ(clReleaseKernel(kernel), CL_INVALID_KERNEL);
    CHECK_OK(clRetainKernel(kernel));
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof count, &count, NULL));
    CHECK_EQ(count, 1);
    CHECK_EQ(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_INVALID_OPERATION);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_EQ(clReleaseMemObject(mem), CL_INVALID_MEM_OBJECT);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseProgram(program));
}

// Queues and contexts released with pending work: the work is still done.
static void check_released_queue(void)
{
    cl_int code, value = 7, got = 0;
    cl_event gate = clCreateUserEvent(test_context, &code), done;
    cl_mem mem = test_buffer(0, sizeof value, NULL);
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, 0, &code);
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, sizeof value, &value, 1, &gate, NULL));
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, sizeof got, &got, 0, NULL, &done));
    CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_EQ(got, 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &done));
    CHECK_EQ(got, 7);
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseEvent(done));
}

// ---- failures -----------------------------------------------------------------------------------

// Blocking calls that wait for a failed command return an error, leave nothing enqueued and map
// nothing.
static void check_failed_waits(void)
{
    cl_int code, value = 1;
    cl_uint count;
    cl_mem mem = test_buffer(0, 4096, NULL);
    cl_event failed = clCreateUserEvent(test_context, &code), unset = NULL;
    const size_t zero[3] = {0, 0, 0}, region[3] = {4, 1, 1};
    const cl_int want = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    CHECK_OK(clSetUserEventStatus(failed, -1));
    CHECK_EQ(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, 4, &value, 1, &failed, &unset), want);
    CHECK_EQ(clEnqueueWriteBuffer(test_queue, mem, CL_TRUE, 0, 4, &value, 1, &failed, &unset),
             want);
    CHECK_EQ(clEnqueueReadBufferRect(test_queue, mem, CL_TRUE, zero, zero, region, 0, 0, 0, 0,
                                     &value, 1, &failed, &unset),
             want);
    for (int i = 0; i < 3; i++)
        CHECK_CREATE(clEnqueueMapBuffer(test_queue, mem, CL_TRUE, CL_MAP_WRITE, 0, 64, 1, &failed,
                                        &unset, &error),
                     want);
    CHECK(unset == NULL);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    CHECK_EQ(count, 0);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    CHECK_OK(clReleaseEvent(failed));
    CHECK_OK(clReleaseMemObject(mem));
}

// ---- callbacks ----------------------------------------------------------------------------------

struct going {
    cl_mem mem;
    cl_kernel kernel;
    cl_program program;
    cl_event event;
    atomic_int events, destroyed;
};

static void CL_CALLBACK on_gone(cl_mem mem, void *data)
{
    (void)mem;
    atomic_fetch_add(&((struct going *)data)->destroyed, 1);
}

static void CL_CALLBACK on_done(cl_event event, cl_int status, void *data)
{
    struct going *going = data;
    clReleaseMemObject(going->mem);
    clReleaseKernel(going->kernel);
    clReleaseProgram(going->program);
    clReleaseEvent(event);
    atomic_fetch_add(&going->events, status == CL_COMPLETE);
}

// The event's callback releases the last references, including that of the event.
static void check_releasing_callbacks(void)
{
    struct going going = {.program = test_build(source, "")};
    cl_int n = 1;
    size_t one = 1;
    going.kernel = test_kernel(going.program, "add");
    going.mem = test_buffer(0, 64, NULL);
    CHECK_OK(clSetMemObjectDestructorCallback(going.mem, on_gone, &going));
    CHECK_OK(clSetKernelArg(going.kernel, 0, sizeof going.mem, &going.mem));
    CHECK_OK(clSetKernelArg(going.kernel, 1, sizeof n, &n));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, going.kernel, 1, NULL, &one, NULL, 0, NULL,
                                    &going.event));
    CHECK_OK(clSetEventCallback(going.event, CL_COMPLETE, on_done, &going));
    CHECK_OK(clFinish(test_queue));
    while (!atomic_load(&going.events) || !atomic_load(&going.destroyed))
        sched_yield();
    CHECK_EQ(atomic_load(&going.events), 1);
    CHECK_EQ(atomic_load(&going.destroyed), 1);
}

int main(void)
{
    test_open();
    check_local_sizes();
    check_ranges();
    check_wide_pitches();
    check_retained_again();
    check_released_queue();
    check_failed_waits();
    check_releasing_callbacks();
    return test_close();
}
