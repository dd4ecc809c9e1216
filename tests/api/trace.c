// SPDX-License-Identifier: Apache-2.0
// A program whose trace is checked (trace.py runs it under PUMICE_TRACE): two queues, all kinds of
// sizes, waits across both.
#include <locale.h>
#include <signal.h>

#include "test.h"

enum { ITEMS = 4096 };

int main(int argc, char **argv)
{
    cl_int error, pattern = 7, back[ITEMS];
    cl_event written, done, filled;
    size_t global[2] = {64, 64}, local[2] = {8, 8};
    setlocale(LC_ALL, "");
    test_open();
    cl_command_queue other = clCreateCommandQueue(test_context, test_device,
                                                  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    cl_program program = test_build("kernel void twice(global int *p)"
                                    "{ p[get_global_id(1) * 64 + get_global_id(0)] *= 2; }",
                                    "");
    cl_kernel kernel = test_kernel(program, "twice");
    cl_mem mem = test_buffer(0, sizeof back, NULL), second = test_buffer(0, sizeof back, NULL);
    for (int i = 0; i < ITEMS; i++)
        back[i] = i;
    CHECK_OK(
        clEnqueueWriteBuffer(test_queue, mem, CL_FALSE, 0, sizeof back, back, 0, NULL, &written));
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(other, kernel, 2, NULL, global, local, 1, &written, &done));
    CHECK_OK(clEnqueueFillBuffer(other, second, &pattern, 4, 0, 1024, 1, &done, &filled));
    CHECK_OK(clFlush(other));
    CHECK_OK(clEnqueueCopyBuffer(test_queue, mem, second, 0, 1024, 2048, 1, &filled, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, second, CL_TRUE, 0, 4096, back, 0, NULL, NULL));
    CHECK(back[0] == 7 && back[256] == 0 && back[257] == 2);
    CHECK_OK(clReleaseEvent(written));
    CHECK_OK(clReleaseEvent(done));
    CHECK_OK(clReleaseEvent(filled));
    CHECK_OK(clFinish(other));
    if (argc > 1 && !strcmp(argv[1], "die"))
        raise(SIGKILL);
    CHECK_OK(clReleaseCommandQueue(other));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseMemObject(second));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
