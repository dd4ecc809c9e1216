// SPDX-License-Identifier: Apache-2.0
// Profiling times of commands behind others that have no event: they start when those have ended,
// in the same batch, in a later one, and if they complete with a batch in flight. And first
// launches on CPUs: the driver's compilation is not part of their time.
#include "test.h"

#include <unistd.h>

enum { TRIES = 10, LONG = 20, PART = 16 }; // repeated, because the machine may be busy

static const char source[] =
    "kernel void work(global uint *p, uint steps) {\n"
    "    uint x = p[0]; for (uint i = 0; i < steps; i++) x = x * 1664525 + (x >> 16 ^ 5);\n"
    "    p[0] = x; }\n";

static cl_kernel kernel;
static cl_command_queue queue;
static cl_mem mem;

static void launch(cl_event *event)
{
    const size_t one = 1;
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, event));
}

static cl_ulong at(cl_event event, cl_profiling_info what)
{
    cl_ulong time = 0;
    CHECK_OK(clGetEventProfilingInfo(event, what, sizeof time, &time, NULL));
    return time;
}

static cl_ulong length(cl_event event)
{
    return at(event, CL_PROFILING_COMMAND_END) - at(event, CL_PROFILING_COMMAND_START);
}

// Chooses a number of steps so that a launch takes some milliseconds; returns the nanoseconds.
static cl_ulong settle_length(void)
{
    const cl_uint few = 1;
    cl_ulong ns = 0;
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof few, &few));
    launch(NULL); // the first may include a compilation
    for (cl_uint steps = 1 << 16; ns < LONG * 1000000ull && steps < 1u << 30; steps *= 2) {
        cl_event event;
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof steps, &steps));
        launch(&event);
        CHECK_OK(clFinish(queue));
        ns = length(event);
        clReleaseEvent(event);
    }
    return ns;
}

// A launch without an event behind one with an event: the times must follow the device's order,
// however slow the host is.
static cl_event begin(bool flushed)
{
    cl_event first;
    launch(&first);
    launch(NULL);
    if (flushed)
        CHECK_OK(clFlush(queue));
    return first;
}

static void behind(cl_ulong one, bool flushed, bool marker)
{
    cl_event first = begin(flushed), last = NULL, kernel_event;
    if (marker)
        CHECK_OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &last));
    launch(&kernel_event);
    CHECK_OK(clFinish(queue));
    cl_ulong end = at(first, CL_PROFILING_COMMAND_END), start = at(kernel_event, CL_PROFILING_COMMAND_START);
    CHECK(start > end + one / PART);
    if (marker) {
        CHECK(at(last, CL_PROFILING_COMMAND_END) > end + one / PART);
        CHECK(at(last, CL_PROFILING_COMMAND_END) <= start);
        clReleaseEvent(last);
    }
    CHECK(length(kernel_event) > one / PART);
    clReleaseEvent(first);
    clReleaseEvent(kernel_event);
}

// With nothing behind it, the marker completes with the batch in flight. In an out-of-order queue
// both launches may run concurrently.
static void riding(cl_ulong least, bool flushed)
{
    cl_event first = begin(flushed), last;
    CHECK_OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &last));
    CHECK_OK(clWaitForEvents(1, &last));
    CHECK(at(last, CL_PROFILING_COMMAND_END) >= at(first, CL_PROFILING_COMMAND_END) + least);
    clReleaseEvent(first);
    clReleaseEvent(last);
}

static bool is_cpu(void)
{
    cl_device_type type = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    return type & CL_DEVICE_TYPE_CPU;
}

// A thread that waits for one queue submits what it has enqueued in another.
static void submits_others(void)
{
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int error;
    cl_event here, there[2];
    cl_command_queue other = clCreateCommandQueueWithProperties(test_context, test_device, properties, &error), first = queue;
    CHECK_OK(error);
    launch(&here);
    queue = other;
    launch(&there[0]); // submitted at once, because the queue is idle
    launch(&there[1]);
    queue = first;
    CHECK_OK(clFinish(queue));
    usleep(20000);
    CHECK_OK(clFinish(other));
    CHECK(at(there[1], CL_PROFILING_COMMAND_SUBMIT) < at(here, CL_PROFILING_COMMAND_END));
    clReleaseEvent(here);
    clReleaseEvent(there[0]);
    clReleaseEvent(there[1]);
    clReleaseCommandQueue(other);
}

// Whether a new kernel's first launch takes a small part of the time until it is complete: the rest
// is compilation.
static bool first_is_short(int number)
{
    char text[512];
    const char *texts[] = {text};
    const size_t one = 1;
    cl_event event;
    cl_int error;
    snprintf(text, sizeof text,
             "kernel void first(global float *p) { float x = p[0] + %d; x = sin(x) + cos(x) * exp(x); x = pow(x, tan(x)); p[0] = x; }",
             number);
    cl_program program = clCreateProgramWithSource(test_context, 1, texts, NULL, &error);
    CHECK_OK(clBuildProgram(program, 1, &test_device, "", NULL, NULL));
    cl_kernel first = clCreateKernel(program, "first", &error);
    CHECK_OK(clSetKernelArg(first, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(queue, first, 1, NULL, &one, &one, 0, NULL, &event));
    CHECK_OK(clFinish(queue));
    cl_ulong passed = at(event, CL_PROFILING_COMMAND_END) - at(event, CL_PROFILING_COMMAND_QUEUED);
    bool is_short = length(event) < passed / 2;
    clReleaseEvent(event);
    clReleaseKernel(first);
    clReleaseProgram(program);
    return is_short;
}

int main(void)
{
    cl_int error;
    const char *text = source;
    test_open();
    mem = clCreateBuffer(test_context, CL_MEM_READ_WRITE, 4096, NULL, &error);
    CHECK_OK(error);
    cl_program program = clCreateProgramWithSource(test_context, 1, &text, NULL, &error);
    CHECK_OK(clBuildProgram(program, 1, &test_device, "", NULL, NULL));
    kernel = clCreateKernel(program, "work", &error);
    CHECK_OK(error);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (int order = 0; order < 2; order++) {
        const cl_queue_properties out_of_order = order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
        const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE | out_of_order, 0};
        queue = clCreateCommandQueueWithProperties(test_context, test_device, properties, &error);
        CHECK_OK(error);
        int tries = 0;
        while (is_cpu() && !first_is_short(order * TRIES + tries) && ++tries < TRIES)
            ;
        CHECK(tries < TRIES);
        cl_ulong one = settle_length();
        CHECK(one > 0);
        for (int way = 0; way < 4 && !order; way++)
            behind(one, way & 1, way & 2);
        if (!order)
            submits_others();
        riding(order ? 0 : one / PART, false);
        riding(order ? 0 : one / PART, true);
        clReleaseCommandQueue(queue);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(mem);
    return test_close();
}
