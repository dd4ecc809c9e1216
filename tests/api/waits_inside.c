// SPDX-License-Identifier: Apache-2.0
// The host waits for a small read with kernels behind it, or polls it. It gets the data that the kernels
// before the read have written, every time; tests/devices/batches.sh looks at what the device gets at once,
// between the lines on stderr.
#include "test.h"

enum { ROUNDS = 4, LAUNCHES = 40 };

// Slow enough to be still running when the host begins to wait.
static const char source[] = "kernel void add(volatile global uint *x, uint n) {"
                             "    for (uint i = 0; i < 100000; i++) x[1] = i;"
                             "    x[0] += n;"
                             "}";

static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem counted, other;
static cl_uint expected;

static void add(cl_mem to, cl_uint n)
{
    const size_t one = 1;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof to, &to));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
}

static void wait_for(cl_event event) { CHECK_OK(clWaitForEvents(1, &event)); }

static void poll_for(cl_event event)
{
    cl_int status = CL_QUEUED;
    while (status > CL_COMPLETE)
        CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK_EQ(status, CL_COMPLETE);
}

static void read_between_kernels(void (*wait)(cl_event))
{
    cl_uint sum = 0;
    cl_event event;
    add(counted, 1);
    CHECK_OK(clEnqueueReadBuffer(queue, counted, CL_FALSE, 0, sizeof sum, &sum, 0, NULL, &event));
    add(counted, 100);
    wait(event);
    clReleaseEvent(event);
    CHECK(sum == expected + 1);
    expected += 101;
}

static void begin(void)
{
    cl_int error;
    queue = clCreateCommandQueue(test_context, test_device, 0, &error);
    CHECK_OK(error);
    add(other, 1);
}

static void end(void)
{
    CHECK_OK(clFinish(queue));
    CHECK_OK(clReleaseCommandQueue(queue));
}

static void rounds(void (*wait)(cl_event))
{
    begin();
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_OK(clFinish(queue));
        fprintf(stderr, "round\n");
        read_between_kernels(wait);
    }
    end();
}

static void many_launches(void)
{
    begin();
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < LAUNCHES; k++)
            add(other, 1);
        read_between_kernels(wait_for);
        fprintf(stderr, "waited\n");
    }
    end();
}

static cl_mem zero_buffer(void)
{
    cl_uint zero[2] = {0};
    return test_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, zero);
}

int main(void)
{
    test_open();
    cl_program program = test_build(source, NULL);
    kernel = test_kernel(program, "add");
    counted = zero_buffer();
    other = zero_buffer();
    rounds(wait_for);
    many_launches();
    rounds(poll_for);
    clReleaseMemObject(counted);
    clReleaseMemObject(other);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return test_close();
}
