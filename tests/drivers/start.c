// SPDX-License-Identifier: Apache-2.0
// Starts on a driver that may not execute anything, and ends: a context, a queue, memory, a
// program, a launch; then everything is released, or with the argument `leave` the process just
// ends. Results are not checked. A device that reports no memory may refuse everything but the
// program. Exit status: 0 success, 1 failure, 77 no device.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

static const char *source = "kernel void scale(global float *a, float by) { a[get_global_id(0)] *= by; }";
static cl_ulong memory;
static int failures;

static void check(const char *what, cl_int code)
{
    if (code == CL_SUCCESS || (!memory && code < 0))
        return;
    printf("%s: %d\n", what, code);
    failures++;
}

static void launch(cl_context context, cl_kernel kernel, cl_device_id device)
{
    enum { COUNT = 256 };
    float by = 2, values[COUNT] = {0};
    size_t global = COUNT;
    cl_int code;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check("queue", code);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof values, NULL, &code);
    check("buffer", code);
    if (queue && buffer) {
        check("argument", clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
        check("argument", clSetKernelArg(kernel, 1, sizeof by, &by));
        check("write", clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof values, values, 0, NULL, NULL));
        check("launch", clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        check("read", clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, sizeof values, values, 0, NULL, NULL));
        check("finish", clFinish(queue));
    }
    if (buffer)
        clReleaseMemObject(buffer);
    if (queue)
        clReleaseCommandQueue(queue);
}

int main(int count, char **words)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    char name[256] = "";
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 77;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    cl_uint units = 0;
    clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    if (strstr(name, "Intel") && units < 2) { // reported by the kernel driver
        printf("%u compute units\n", units);
        failures++;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check("context", code);
    if (!context)
        return failures != 0;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check("program", code);
    check("build", clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "scale", &code);
    check("kernel", code);
    if (kernel)
        launch(context, kernel, device);
    printf("%s: %s\n", name, failures ? "FAIL" : "ok");
    if (count > 1 && !strcmp(words[1], "leave"))
        return failures != 0;
    if (kernel)
        clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
    return failures != 0;
}
