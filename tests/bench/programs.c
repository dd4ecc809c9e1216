// SPDX-License-Identifier: Apache-2.0
// Kernels as real programs have them, on every OpenCL platform there is, side by side.
//
// A row of `programs` is a kernel of programs/NAME.cl, which takes (a, b, out, n): two buffers of
// random numbers and one for the result. A platform's columns: the time until the first result,
// build included, by the host's clock; the median of several launches by the events' clock; the
// last platform's median in terms of it (more is better). Results of the platforms are compared,
// and a difference is marked. For cold builds switch the drivers' caches off.
//
//   OCL_ICD_VENDORS=FOLDER-WITH-ICD-FILES bench_programs FOLDER [NAME ...]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_cl.h"

enum { ROUNDS = 9, PLATFORMS = 4 };
static const size_t buffer_bytes = (size_t)256 << 20, compared_bytes = (size_t)1 << 20;

static const struct program {
    const char *name;
    size_t global[3], local[3];
    int n;
    enum bench_contents contents;
    float tolerance; // of float results, relative to the largest; 0: they are integers and must be equal
} programs[] = {
    {"gemm", {1024, 1024, 1}, {16, 16, 1}, 4096, BENCH_FLOATS, 1e-4f},
    {"nbody", {65536, 1, 1}, {256, 1, 1}, 65536, BENCH_FLOATS, 1e-3f},
    {"reduce", {262144, 1, 1}, {256, 1, 1}, 1 << 26, BENCH_FLOATS, 1e-4f},
    {"transpose", {8192, 2048, 1}, {32, 8, 1}, 8192, BENCH_FLOATS, 1e-6f},
    {"blur", {8192, 8192, 1}, {32, 8, 1}, 8192, BENCH_INTEGERS, 0},
    {"histogram", {262144, 1, 1}, {256, 1, 1}, 1 << 26, BENCH_INTEGERS, 0},
    {"scan", {1 << 25, 1, 1}, {256, 1, 1}, 1 << 26, BENCH_INTEGERS, 0},
    {"sha256", {1 << 20, 1, 1}, {256, 1, 1}, 64, BENCH_INTEGERS, 0},
    {"mandelbrot", {4096, 4096, 1}, {32, 8, 1}, 1000, BENCH_INTEGERS, 0},
    {"spmv", {1 << 20, 1, 1}, {128, 1, 1}, 1 << 20, BENCH_FLOATS, 1e-4f},
    {"fft", {1 << 21, 1, 1}, {128, 1, 1}, 16, BENCH_FLOATS, 1e-4f},
    {"black_scholes", {1 << 26, 1, 1}, {256, 1, 1}, 0, BENCH_FLOATS, 1e-4f},
    {"matvec_half", {8192 * 128, 1, 1}, {128, 1, 1}, 8192, BENCH_HALVES, 1e-3f},
    {"montgomery", {1 << 20, 1, 1}, {128, 1, 1}, 1024, BENCH_INTEGERS, 0},
    {"median", {4096, 4096, 1}, {32, 8, 1}, 4096, BENCH_FLOATS, 1e-6f},
    {"walk", {1 << 20, 1, 1}, {128, 1, 1}, 64, BENCH_INTEGERS, 0},
    {"stencil", {400, 400, 400}, {0, 0, 0}, 400, BENCH_FLOATS, 1e-5f},
    {"bitonic", {1 << 24, 1, 1}, {256, 1, 1}, 1 << 25, BENCH_INTEGERS, 0},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

struct platform {
    char name[128];
    struct bench_cl cl;
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
    cl_int status;
    if (!bench_cl_open(&p->cl, id, CL_QUEUE_PROFILING_ENABLE))
        return false;
    clGetPlatformInfo(id, CL_PLATFORM_NAME, sizeof p->name, p->name, NULL);
    p->a = clCreateBuffer(p->cl.context, CL_MEM_READ_WRITE, buffer_bytes, NULL, &status);
    p->b = clCreateBuffer(p->cl.context, CL_MEM_READ_WRITE, buffer_bytes, NULL, &status);
    p->out = clCreateBuffer(p->cl.context, CL_MEM_READ_WRITE, buffer_bytes, NULL, &status);
    p->result = malloc(compared_bytes);
    return !failed(status, "clCreateBuffer");
}

static bool load(const struct platform *p, const struct program *program, void *host)
{
    for (unsigned i = 0; i < 2; i++) {
        bool floats = i && program->contents == BENCH_HALVES;
        bench_fill(host, buffer_bytes, floats ? BENCH_FLOATS : program->contents, i + 1);
        if (failed(clEnqueueWriteBuffer(p->cl.queue, i ? p->b : p->a, CL_TRUE, 0, buffer_bytes,
                                        host, 0, NULL, NULL),
                   "clEnqueueWriteBuffer"))
            return false;
    }
    memset(host, 0, buffer_bytes);
    return !failed(
        clEnqueueWriteBuffer(p->cl.queue, p->out, CL_TRUE, 0, buffer_bytes, host, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
}

static double launch(const struct platform *p, const struct program *program, cl_kernel kernel)
{
    cl_event event;
    cl_uint dims = program->global[2] > 1 ? 3 : program->global[1] > 1 ? 2 : 1;
    if (failed(clEnqueueNDRangeKernel(p->cl.queue, kernel, dims, NULL, program->global,
                                      program->local[0] ? program->local : NULL, 0, NULL, &event),
               program->name))
        return 0;
    return bench_seconds(event);
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
    cl_kernel kernel = bench_kernel(&p->cl, folder, program->name);
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
    failed(clEnqueueReadBuffer(p->cl.queue, p->out, CL_TRUE, 0, compared_bytes, p->result, 0, NULL,
                               NULL),
           "read");
    for (unsigned i = 0; i < ROUNDS; i++)
        samples[i] = launch(p, program, kernel);
    clReleaseKernel(kernel);
    timing.median = bench_median(samples, ROUNDS);
    return timing;
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
        bool same = ratio <= 0 || bench_alike(platforms[i].result, last->result, compared_bytes,
                                              program->tolerance);
        printf("  %8.1f %10.4f ms %6.2f%c", timings[i].first * 1e3, median * 1e3, ratio, same ? ' ' : '!');
        log_sums[i] += ratio > 0 ? log(ratio) : 0;
    }
    printf("\n");
    fflush(stdout);
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
        if (!bench_wanted(programs[i].name, argc - 2, argv + 2))
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
