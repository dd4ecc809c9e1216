// SPDX-License-Identifier: Apache-2.0
// The cost of a child kernel that a kernel enqueues, compared with the same launch by the host:
// many at once, a chain, a tree.
//
// The host launches the same work in the same shape: for a chain it waits after each launch, as a
// program must that decides by a kernel's results what to launch next; for a tree it waits after
// each level. Every child increments a counter, which is checked.
//
//   OCL_ICD_VENDORS=FOLDER-WITH-ICD-FILES bench_children [CHILDREN]      microseconds a child, the best of five
#define CL_TARGET_OPENCL_VERSION 300
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_cl.h"

enum { TIMES = 5, BRANCHES = 4, SHAPES = 3 };

static const char text[] =
    "#define LAUNCH(n, block) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n), block)\n"
    "kernel void one(global int *x) { atomic_inc(x); }\n"
    "kernel void wide(global int *x, int n) { for (int i = 0; i < n; i++) LAUNCH(1, ^{ atomic_inc(x); }); }\n"
    "void next(global int *x, int n) { if (n--) LAUNCH(1, ^{ atomic_inc(x); next(x, n); }); }\n"
    "kernel void chain(global int *x, int n) { next(x, n); }\n"
    "void branch(global int *x, int first, int n)\n"
    "{\n"
    "    for (int i = first * 4 + 1; i <= first * 4 + 4 && i <= n; i++)\n"
    "        LAUNCH(1, ^{ atomic_inc(x); branch(x, i, n); });\n"
    "}\n"
    "kernel void tree(global int *x, int n) { branch(x, 0, n); }\n";

static const char *const shapes[SHAPES] = {"wide", "chain", "tree"};

static struct bench_cl cl;
static cl_mem buffer;
static const size_t one = 1;

static void check_count(int want)
{
    int got, zero = 0;
    bench_check(clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL), "reading");
    bench_check(clEnqueueWriteBuffer(cl.queue, buffer, CL_TRUE, 0, sizeof zero, &zero, 0, NULL, NULL), "writing");
    if (got == want)
        return;
    fprintf(stderr, "%d of %d children\n", got, want);
    exit(1);
}

static void launch(cl_kernel kernel)
{
    bench_check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL), "launching");
}

// Returns seconds.
static double by_device(cl_kernel kernel, int n)
{
    double before = bench_now();
    launch(kernel);
    bench_check(clFinish(cl.queue), "clFinish");
    double took = bench_now() - before;
    check_count(n);
    return took;
}

static double by_host(cl_kernel kernel, int shape, int n)
{
    double before = bench_now();
    for (int i = 0, level = shape == 1 ? 1 : BRANCHES, end = shape ? level : n; i < n; i++) {
        if (i == end) {
            bench_check(clFinish(cl.queue), "clFinish");
            level *= shape == 2 ? BRANCHES : 1;
            end += level;
        }
        launch(kernel);
    }
    bench_check(clFinish(cl.queue), "clFinish");
    double took = bench_now() - before;
    check_count(n);
    return took;
}

static cl_program build(void)
{
    const char *source = text;
    cl_int error;
    cl_program program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &error);
    bench_check(error, "clCreateProgramWithSource");
    bench_check(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL), "clBuildProgram");
    return program;
}

static cl_kernel kernel_of(cl_program program, const char *name, int n)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    bench_check(error, name);
    bench_check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "argument");
    if (n)
        bench_check(clSetKernelArg(kernel, 1, sizeof n, &n), "argument");
    return kernel;
}

int main(int argc, char **argv)
{
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        CL_QUEUE_SIZE, 4 << 20, 0};
    int n = argc > 1 ? atoi(argv[1]) : 10000, zero = 0;
    cl_int error;
    if (!bench_cl_open(&cl, NULL, 0))
        return 1;
    cl_command_queue on_device = clCreateCommandQueueWithProperties(cl.context, cl.device, list, &error);
    bench_check(error, "a queue on the device");
    buffer = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, &error);
    bench_check(error, "clCreateBuffer");
    cl_program program = build();
    cl_kernel host = kernel_of(program, "one", 0);
    printf("%s, %d children: microseconds each\n", cl.name, n);
    for (int shape = 0; shape < SHAPES; shape++) {
        cl_kernel kernel = kernel_of(program, shapes[shape], n);
        double device_best = 1e9, host_best = 1e9;
        for (int i = 0; i < TIMES; i++) {
            double device = by_device(kernel, n), plain = by_host(host, shape, n);
            device_best = device < device_best ? device : device_best;
            host_best = plain < host_best ? plain : host_best;
        }
        printf("%-6s %8.2f   by the host %8.2f   ratio %.2f\n", shapes[shape], device_best / n * 1e6, host_best / n * 1e6,
               device_best / host_best);
        clReleaseKernel(kernel);
    }
    clReleaseKernel(host);
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(on_device);
    bench_cl_close(&cl);
    return 0;
}
