// SPDX-License-Identifier: Apache-2.0
// The host waits for a small read with kernels behind it. It gets the data that the kernels before the
// read have written, every time; tests/devices/batches.sh
// looks at what the device gets at once, between the lines on stderr.
#include "test.h"

enum { ROUNDS = 4, LAUNCHES = 40 };

static const char source[] = "kernel void add(global uint *x, uint n) { x[0] += n; }";

static cl_kernel kernel;
static cl_mem counted, other;

static void add(cl_mem to, cl_uint n)
{
    const size_t one = 1;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof to, &to));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
}

static void begin(const char *what)
{
    CHECK_OK(clFinish(test_queue));
    fprintf(stderr, "%s\n", what);
}

static cl_uint read_between_kernels(void)
{
    cl_uint sum = 0;
    cl_event event;
    add(counted, 1);
    CHECK_OK(clEnqueueReadBuffer(test_queue, counted, CL_FALSE, 0, sizeof sum, &sum, 0, NULL, &event));
    add(counted, 100);
    CHECK_OK(clWaitForEvents(1, &event));
    clReleaseEvent(event);
    return sum;
}

int main(void)
{
    const cl_uint zero = 0;
    cl_uint expected = 0;
    test_open();
    cl_program program = test_build(source, NULL);
    kernel = test_kernel(program, "add");
    counted = clCreateBuffer(test_context, CL_MEM_COPY_HOST_PTR, sizeof zero, (void *)&zero, NULL);
    other = clCreateBuffer(test_context, CL_MEM_COPY_HOST_PTR, sizeof zero, (void *)&zero, NULL);
    add(other, 1);
    for (int i = 0; i < ROUNDS; i++) {
        begin("round");
        CHECK(read_between_kernels() == expected + 1);
        expected += 101;
    }
    begin("many launches");
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < LAUNCHES; k++)
            add(other, 1);
        CHECK(read_between_kernels() == expected + 1);
        expected += 101;
        fprintf(stderr, "waited\n");
    }
    begin("end");
    clReleaseMemObject(counted);
    clReleaseMemObject(other);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return test_close();
}
