// SPDX-License-Identifier: Apache-2.0
// Memory in pieces is bound while the device still works, and a wait fails because memory is
// exhausted: what the device is about to bind must not be freed. Run by inject_run.
#include "test.h"

static const char source[] =
    "kernel void work(global int *p, int rounds) {\n"
    "    int x = 0; for (int i = 0; i < rounds; i++) x = x * 3 + (p[get_global_id(0)] ^ i);\n"
    "    p[get_global_id(0)] = x; }\n";

int main(void)
{
    enum { COUNT = 1 << 14, ROUNDS = 20000 };
    const cl_int rounds = ROUNDS;
    const size_t global = COUNT;
    cl_ulong most = 0;
    test_open();
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    cl_program program = test_build(source, "");
    cl_kernel kernel = test_kernel(program, "work");
    cl_mem mem = test_buffer(0, COUNT * sizeof(cl_int), NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof rounds, &rounds));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clFlush(test_queue));
    cl_mem large = test_buffer(0, most, NULL);
    CHECK_OK(clReleaseMemObject(large));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
