// SPDX-License-Identifier: Apache-2.0
// Kernels as real programs have them, on every OpenCL platform there is, side by side.
//
// A row of `programs` is a kernel of programs/NAME.cl, which takes (a, b, out, n): two buffers of random numbers and one
// for the result. A platform's columns: the time until the first result, build included, by the host's clock; the
// median of several launches by the events' clock; the last platform's median in terms of it (more is better). Results
// of the platforms are compared, and a difference is marked. For cold builds switch the drivers' caches off.
//
//   OCL_ICD_VENDORS=FOLDER-WITH-ICD-FILES bench_programs FOLDER [NAME ...]
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { ROUNDS = 9, PLATFORMS = 4, SOURCE = 1 << 16 };
static const size_t buffer_bytes = (size_t)256 << 20, compared_bytes = (size_t)1 << 20;

enum contents { FLOATS, INTEGERS, HALVES };

static const struct program {
    const char *name;
    size_t global[3], local[3];
    int n;
    enum contents contents;
    float tolerance; // of float results, relative to the largest; 0: they are integers and must be equal
} programs[] = {
    {"gemm", {1024, 1024, 1}, {16, 16, 1}, 4096, FLOATS, 1e-4f},
    {"nbody", {65536, 1, 1}, {256, 1, 1}, 65536, FLOATS, 1e-3f},
    {"reduce", {262144, 1, 1}, {256, 1, 1}, 1 << 26, FLOATS, 1e-4f},
    {"transpose", {8192, 2048, 1}, {32, 8, 1}, 8192, FLOATS, 1e-6f},
    {"blur", {8192, 8192, 1}, {32, 8, 1}, 8192, INTEGERS, 0},
    {"histogram", {262144, 1, 1}, {256, 1, 1}, 1 << 26, INTEGERS, 0},
    {"scan", {1 << 25, 1, 1}, {256, 1, 1}, 1 << 26, INTEGERS, 0},
    {"sha256", {1 << 20, 1, 1}, {256, 1, 1}, 64, INTEGERS, 0},
    {"mandelbrot", {4096, 4096, 1}, {32, 8, 1}, 1000, INTEGERS, 0},
    {"spmv", {1 << 20, 1, 1}, {128, 1, 1}, 1 << 20, FLOATS, 1e-4f},
    {"fft", {1 << 21, 1, 1}, {128, 1, 1}, 16, FLOATS, 1e-4f},
    {"black_scholes", {1 << 26, 1, 1}, {256, 1, 1}, 0, FLOATS, 1e-4f},
    {"matvec_half", {8192 * 128, 1, 1}, {128, 1, 1}, 8192, HALVES, 1e-3f},
    {"montgomery", {1 << 20, 1, 1}, {128, 1, 1}, 1024, INTEGERS, 0},
    {"median", {4096, 4096, 1}, {32, 8, 1}, 4096, FLOATS, 1e-6f},
    {"walk", {1 << 20, 1, 1}, {128, 1, 1}, 64, INTEGERS, 0},
    {"stencil", {400, 400, 400}, {0, 0, 0}, 400, FLOATS, 1e-5f},
    {"bitonic", {1 << 24, 1, 1}, {256, 1, 1}, 1 << 25, INTEGERS, 0},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

struct platform {
    char name[128];
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    cl_mem a, b, out;
    void *result; // compared_bytes
};

static bool failed(cl_int status, const char *what)
{
    if (status)
        fprintf(stderr, "%s: error %d\n", what, status);
    return status != CL_SUCCESS;
}

static bool open_platform(cl_platform_id id, struct platform *p)
{
    cl_int status = clGetDeviceIDs(id, CL_DEVICE_TYPE_ALL, 1, &p->device, NULL);
    if (status)
        return false;
    clGetPlatformInfo(id, CL_PLATFORM_NAME, sizeof p->name, p->name, NULL);
    p->context = clCreateContext(NULL, 1, &p->device, NULL, NULL, &status);
    if (failed(status, "clCreateContext"))
        return false;
    p->queue = clCreateCommandQueue(p->context, p->device, CL_QUEUE_PROFILING_ENABLE, &status);
    p->a = clCreateBuffer(p->context, CL_MEM_READ_WRITE, buffer_bytes, NULL, &status);
    p->b = clCreateBuffer(p->context, CL_MEM_READ_WRITE, buffer_bytes, NULL, &status);
    p->out = clCreateBuffer(p->context, CL_MEM_READ_WRITE, buffer_bytes, NULL, &status);
    p->result = malloc(compared_bytes);
    return !failed(status, "clCreateBuffer");
}

static void fill(void *data, enum contents contents, unsigned seed)
{
    uint32_t state = seed * 2654435761u + 1;
    for (size_t i = 0; i < buffer_bytes / 4; i++) {
        state = state * 1664525u + 1013904223u;
        if (contents == FLOATS)
            ((float *)data)[i] = (float)(state >> 8) * 0x1p-24f;
        else if (contents == INTEGERS)
            ((uint32_t *)data)[i] = state ^ state >> 15;
        else // small positive ones, two a word
            ((uint32_t *)data)[i] = (state & 0x03ff03ffu) | 0x38003800u;
    }
}

static bool load(const struct platform *p, const struct program *program, void *host)
{
    for (unsigned i = 0; i < 2; i++) {
        fill(host, i && program->contents == HALVES ? FLOATS : program->contents, i + 1);
        if (failed(clEnqueueWriteBuffer(p->queue, i ? p->b : p->a, CL_TRUE, 0, buffer_bytes, host, 0, NULL, NULL),
                   "clEnqueueWriteBuffer"))
            return false;
    }
    memset(host, 0, buffer_bytes);
    return !failed(clEnqueueWriteBuffer(p->queue, p->out, CL_TRUE, 0, buffer_bytes, host, 0, NULL, NULL),
                   "clEnqueueWriteBuffer");
}

static cl_kernel build(const struct platform *p, const struct program *program, const char *folder)
{
    char path[512], *text = malloc(SOURCE);
    snprintf(path, sizeof path, "%s/%s.cl", folder, program->name);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, SOURCE, file) : 0;
    if (file)
        fclose(file);
    cl_int status;
    cl_program code = clCreateProgramWithSource(p->context, 1, (const char **)&text, &length, &status);
    cl_kernel kernel = NULL;
    if (!failed(status, path) && !failed(clBuildProgram(code, 1, &p->device, "", NULL, NULL), program->name))
        kernel = clCreateKernel(code, program->name, &status);
    if (code)
        clReleaseProgram(code);
    free(text);
    return kernel;
}

static double launch(const struct platform *p, const struct program *program, cl_kernel kernel)
{
    cl_event event;
    cl_uint dims = program->global[2] > 1 ? 3 : program->global[1] > 1 ? 2 : 1;
    cl_ulong start = 0, end = 0;
    if (failed(clEnqueueNDRangeKernel(p->queue, kernel, dims, NULL, program->global,
                                      program->local[0] ? program->local : NULL, 0, NULL, &event),
               program->name))
        return 0;
    failed(clWaitForEvents(1, &event), program->name);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    clReleaseEvent(event);
    return (double)(end - start) * 1e-9;
}

struct timing {
    double first, median; // seconds; 0: it did not run
};

static struct timing measure(const struct platform *p, const struct program *program, const char *folder, void *host)
{
    struct timing timing = {0};
    if (!load(p, program, host))
        return timing;
    double begin = bench_now();
    cl_kernel kernel = build(p, program, folder);
    if (!kernel)
        return timing;
    cl_int n = program->n;
    clSetKernelArg(kernel, 0, sizeof p->a, &p->a);
    clSetKernelArg(kernel, 1, sizeof p->b, &p->b);
    clSetKernelArg(kernel, 2, sizeof p->out, &p->out);
    clSetKernelArg(kernel, 3, sizeof n, &n);
    double samples[ROUNDS];
    launch(p, program, kernel);
    timing.first = bench_now() - begin;
    failed(clEnqueueReadBuffer(p->queue, p->out, CL_TRUE, 0, compared_bytes, p->result, 0, NULL, NULL), "read");
    for (unsigned i = 0; i < ROUNDS; i++)
        samples[i] = launch(p, program, kernel);
    clReleaseKernel(kernel);
    timing.median = bench_median(samples, ROUNDS);
    return timing;
}

static bool alike(const struct program *program, const void *x, const void *y)
{
    if (program->tolerance == 0)
        return !memcmp(x, y, compared_bytes);
    const float *one = x, *other = y;
    float largest = 0, difference = 0;
    for (size_t i = 0; i < compared_bytes / 4; i++) {
        largest = fmaxf(largest, fabsf(one[i]));
        difference = fmaxf(difference, fabsf(one[i] - other[i]));
    }
    return difference <= program->tolerance * largest;
}

static void row(const struct program *program, const struct platform *platforms, unsigned count, const char *folder,
                void *host, double *log_sums)
{
    struct timing timings[PLATFORMS];
    for (unsigned i = 0; i < count; i++)
        timings[i] = measure(&platforms[i], program, folder, host);
    const struct platform *last = &platforms[count - 1];
    printf("%-14s", program->name);
    for (unsigned i = 0; i < count; i++) {
        double median = timings[i].median, ratio = median > 0 ? timings[count - 1].median / median : 0;
        bool same = ratio <= 0 || alike(program, platforms[i].result, last->result);
        printf("  %8.1f %10.4f ms %6.2f%c", timings[i].first * 1e3, median * 1e3, ratio, same ? ' ' : '!');
        log_sums[i] += ratio > 0 ? log(ratio) : 0;
    }
    printf("\n");
    fflush(stdout);
}

static bool wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return !count;
}

int main(int argc, char **argv)
{
    cl_platform_id ids[PLATFORMS];
    cl_uint found = 0;
    struct platform platforms[PLATFORMS];
    unsigned count = 0, rows = 0;
    if (argc < 2 || clGetPlatformIDs(PLATFORMS, ids, &found) || !found) {
        fprintf(stderr, "usage: bench_programs FOLDER [NAME ...], with an OpenCL platform or more\n");
        return 1;
    }
    for (cl_uint i = 0; i < found && i < PLATFORMS; i++)
        count += open_platform(ids[i], &platforms[count]);
    void *host = malloc(buffer_bytes);
    if (!count || !host)
        return 1;
    for (unsigned i = 0; i < count; i++)
        printf("%u: %s\n", i + 1, platforms[i].name);
    double log_sums[PLATFORMS] = {0};
    for (unsigned i = 0; i < PROGRAMS; i++) {
        if (!wanted(programs[i].name, argc - 2, argv + 2))
            continue;
        row(&programs[i], platforms, count, argv[1], host, log_sums);
        rows++;
    }
    printf("%-14s", "geometric mean");
    for (unsigned i = 0; i < count; i++)
        printf("  %22s %6.2f ", "", rows ? exp(log_sums[i] / rows) : 0);
    printf("\n");
    return 0;
}
