// SPDX-License-Identifier: Apache-2.0
// Commands start without a flush while the host does something else: programs sleep for as long as
// the last launch took, or prepare the next input, and only then finish the queue.
#include "test.h"

enum { TRIES = 10, BUSY_MS = 50, MOST = 6 }; // repeated, because the machine may be busy

static cl_kernel kernel;

static cl_ulong at(cl_event event, cl_profiling_info what)
{
    cl_ulong time = 0;
    CHECK_OK(clGetEventProfilingInfo(event, what, sizeof time, &time, NULL));
    return time;
}

// Enqueues launches, sleeps, and finishes the queue. Whether the last one was submitted in the first half of the sleep.
static bool begins_early(cl_command_queue queue, unsigned launches)
{
    const size_t one = 1;
    cl_event last = NULL;
    for (unsigned i = 1; i <= launches; i++)
        CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, i == launches ? &last : NULL));
    usleep(BUSY_MS * 1000);
    CHECK_OK(clFinish(queue));
    cl_ulong waited = at(last, CL_PROFILING_COMMAND_SUBMIT) - at(last, CL_PROFILING_COMMAND_QUEUED);
    clReleaseEvent(last);
    return waited < BUSY_MS * 1000000ull / 2;
}

static void run(cl_command_queue_properties order)
{
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE | order, 0};
    cl_int error;
    cl_command_queue queue = clCreateCommandQueueWithProperties(test_context, test_device, properties, &error);
    CHECK_OK(error);
    begins_early(queue, 1); // the first launch may include a compilation
    for (unsigned launches = 1; launches <= MOST; launches++) {
        unsigned tries = 1;
        while (!begins_early(queue, launches) && tries < TRIES)
            tries++;
        CHECK(tries < TRIES);
    }
    clReleaseCommandQueue(queue);
}

int main(void)
{
    test_open();
    cl_program program = test_build("kernel void count(global uint *p) { p[0]++; }", NULL);
    kernel = test_kernel(program, "count");
    cl_mem mem = test_buffer(CL_MEM_READ_WRITE, sizeof(cl_uint), NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    run(0);
    run(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    clReleaseMemObject(mem);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return test_close();
}
