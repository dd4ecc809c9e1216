// SPDX-License-Identifier: Apache-2.0
// A first OpenCL program: adds two vectors with the kernel of first.cl, and prints where it ran.
//   cc -o first doc/first.c -lOpenCL && ./first doc/first.cl
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1 << 20 };

static void check(cl_int error, const char *call)
{
    if (!error)
        return;
    fprintf(stderr, "%s: error %d\n", call, error);
    exit(1);
}

static char *read_text(const char *path)
{
    static char text[4096];
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    static float a[COUNT], b[COUNT], sum[COUNT];
    const size_t count = COUNT;
    const char *source = read_text(argc > 1 ? argv[1] : "first.cl");
    char name[256], log[4096];
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    for (int i = 0; i < COUNT; i++)
        a[i] = (float)i, b[i] = 1;

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    check(error, "clCreateCommandQueueWithProperties");

    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, "", NULL, NULL)) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fputs(log, stderr);
        return 1;
    }
    cl_kernel kernel = clCreateKernel(program, "add", &error);
    check(error, "clCreateKernel");

    cl_mem buffers[3];
    buffers[0] = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof a, a, &error);
    check(error, "clCreateBuffer");
    buffers[1] = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof b, b, &error);
    check(error, "clCreateBuffer");
    buffers[2] = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof sum, NULL, &error);
    check(error, "clCreateBuffer");
    for (cl_uint i = 0; i < 3; i++)
        check(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof sum, sum, 0, NULL, NULL), "clEnqueueReadBuffer");

    for (int i = 0; i < COUNT; i++)
        if (sum[i] != a[i] + b[i]) {
            fprintf(stderr, "sum[%d] is %g, not %g\n", i, sum[i], a[i] + b[i]);
            return 1;
        }
    printf("added %d numbers on %s\n", COUNT, name);
    for (int i = 0; i < 3; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
