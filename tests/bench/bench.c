// SPDX-License-Identifier: Apache-2.0
// Measures how long an OpenCL program waits for common operations on the device selected by
// OCL_ICD_VENDORS, and for the same work in GLSL on plain Vulkan in the same run: the ratio shows
// the distance to the limit.
//
//   OCL_ICD_VENDORS=libpumice.so bench            medians of several runs, in microseconds
#include "bench.h"
#include "bench_cl.h"
#include <stdio.h>
#include <string.h>

enum { BUILDS = 11, LATENCIES = 301, ROUNDS = 7, LAUNCHES = 1000 };

static const char kernels[] = "__kernel void empty(__global const uint *x, __global uint *y)\n"
                              "{ if (x[0] == 12345u) y[0] = 1u; }\n"
                              "__kernel void copy(__global const float4 *x, __global float4 *y)\n"
                              "{ size_t i = get_global_id(0); y[i] = x[i]; }\n"
                              "__kernel void mads(__global const float *x, __global float *y)\n"
                              "{\n"
                              "    float a = x[get_global_id(0)], b = a + 1.0f, c = a + 2.0f, d = a + 3.0f;\n"
                              "    for (int i = 0; i < 256; i++) {\n"
                              "        a = mad(a, 0.999f, b); b = mad(b, 0.999f, c);\n"
                              "        c = mad(c, 0.999f, d); d = mad(d, 0.999f, a);\n"
                              "    }\n"
                              "    y[get_global_id(0)] = a + b + c + d;\n"
                              "}\n";

static cl_program build(struct bench_cl *cl, const char *text, double *seconds)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(cl->context, 1, &text, NULL, &status);
    bench_check(status, "clCreateProgramWithSource");
    double start = bench_now();
    if (clBuildProgram(program, 1, &cl->device, "", NULL, NULL) != CL_SUCCESS) {
        char log[8192] = "";
        clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        exit(1);
    }
    if (seconds)
        *seconds = bench_now() - start;
    return program;
}

// A number in the source makes each program new to all caches.
static void source_small(char *out, size_t size, unsigned number)
{
    snprintf(out, size, "__kernel void f(__global float *x, float a)\n{\n    size_t i = get_global_id(0);\n"
                        "    x[i] = a * x[i] + %u.0f;\n}\n", number);
}

static void source_heavy(char *out, size_t size, unsigned number)
{
    size_t at = (size_t)snprintf(out, size, "__kernel void f(__global float4 *x, int n)\n{\n    size_t i = get_global_id(0);\n"
                                            "    float4 a = x[i], b = a + %u.0f;\n    for (int k = 0; k < n; k++) {\n", number);
    for (int i = 0; i < 60; i++)
        at += (size_t)snprintf(out + at, size - at,
                               "        a = mad(b, native_sin(a + %d.5f), fabs(a) * %d.25f);\n"
                               "        b = fmax(b * native_exp2(a * 0.01f), floor(a.wzyx) - b.yxwz);\n", i, i);
    snprintf(out + at, size - at, "    }\n    x[i] = a + b;\n}\n");
}

static double time_builds(struct bench_cl *cl, void (*source)(char *, size_t, unsigned))
{
    static unsigned number;
    char text[32768];
    double samples[BUILDS];
    unsigned seed = (unsigned)time(NULL) % 1000000;
    for (int i = 0; i < BUILDS; i++) {
        source(text, sizeof text, seed + number++);
        clReleaseProgram(build(cl, text, &samples[i]));
    }
    return bench_median(samples, BUILDS);
}

static cl_mem buffer(struct bench_cl *cl, size_t size)
{
    cl_int status;
    cl_mem mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, size, NULL, &status);
    bench_check(status, "clCreateBuffer");
    cl_uint zero = 0;
    bench_check(clEnqueueFillBuffer(cl->queue, mem, &zero, sizeof zero, 0, size, 0, NULL, NULL),
                "clEnqueueFillBuffer");
    return mem;
}

static cl_kernel kernel(cl_program program, const char *name, cl_mem x, cl_mem y)
{
    cl_int status;
    cl_kernel k = clCreateKernel(program, name, &status);
    bench_check(status, name);
    bench_check(clSetKernelArg(k, 0, sizeof x, &x) | clSetKernelArg(k, 1, sizeof y, &y),
                "clSetKernelArg");
    return k;
}

static void launch(struct bench_cl *cl, cl_kernel k, size_t items, size_t local)
{
    bench_check(clEnqueueNDRangeKernel(cl->queue, k, 1, NULL, &items, &local, 0, NULL, NULL),
                "clEnqueueNDRangeKernel");
}

static double time_kernel(struct bench_cl *cl, cl_kernel k, size_t items, size_t local, int rounds,
                          int launches)
{
    double samples[LATENCIES];
    launch(cl, k, items, local); // compiles
    clFinish(cl->queue);
    for (int i = 0; i < rounds; i++) {
        double start = bench_now();
        for (int j = 0; j < launches; j++)
            launch(cl, k, items, local);
        clFinish(cl->queue);
        samples[i] = (bench_now() - start) / launches;
    }
    return bench_median(samples, rounds);
}

static void time_transfers(struct bench_cl *cl, size_t size, struct bench_result *result)
{
    cl_mem mem = buffer(cl, size);
    char *host = malloc(size);
    double writes[ROUNDS], reads[ROUNDS];
    memset(host, 1, size);
    for (int i = 0; i < ROUNDS; i++) {
        double start = bench_now();
        bench_check(clEnqueueWriteBuffer(cl->queue, mem, CL_TRUE, 0, size, host, 0, NULL, NULL),
                    "write");
        clFinish(cl->queue);
        double between = bench_now();
        bench_check(clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0, size, host, 0, NULL, NULL),
                    "read");
        writes[i] = between - start;
        reads[i] = bench_now() - between;
    }
    result->write = bench_median(writes, ROUNDS);
    result->read = bench_median(reads, ROUNDS);
    free(host);
    clReleaseMemObject(mem);
}

static void time_kernels(struct bench_cl *cl, const struct bench_sizes *sizes,
                         struct bench_result *result)
{
    size_t size = sizes->copy_bytes > 4 * sizes->mad_items ? sizes->copy_bytes : 4 * sizes->mad_items;
    cl_mem x = buffer(cl, size), y = buffer(cl, size);
    cl_program program = build(cl, kernels, NULL);
    cl_kernel empty = kernel(program, "empty", x, y), copy = kernel(program, "copy", x, y),
              mads = kernel(program, "mads", x, y);
    result->latency = time_kernel(cl, empty, 1, 1, LATENCIES, 1);
    result->launch = time_kernel(cl, empty, 1, 1, ROUNDS, LAUNCHES);
    result->copy = time_kernel(cl, copy, sizes->copy_bytes / 16, 256, ROUNDS, cl->is_cpu ? 1 : 20);
    result->mad = time_kernel(cl, mads, sizes->mad_items, 256, ROUNDS, cl->is_cpu ? 1 : 20);
    clReleaseKernel(empty);
    clReleaseKernel(copy);
    clReleaseKernel(mads);
    clReleaseProgram(program);
    clReleaseMemObject(x);
    clReleaseMemObject(y);
}

static void print_row(const char *name, double cl, double vk)
{
    printf("%-34s %12.2f", name, cl * 1e6);
    if (vk > 0)
        printf(" %12.2f %8.2f", vk * 1e6, cl / vk);
    printf("\n");
}

static void print_rate(const char *name, double amount, double cl, double vk)
{
    printf("%-34s %12.2f", name, amount / cl * 1e-9);
    if (vk > 0)
        printf(" %12.2f %8.2f", amount / vk * 1e-9, vk / cl);
    printf("\n");
}

int main(void)
{
    struct bench_cl cl = {0};
    struct bench_result ours = {0}, native = {0};
    if (!bench_cl_open(&cl, NULL, 0)) {
        fprintf(stderr, "no OpenCL device\n");
        return 77;
    }
    struct bench_sizes sizes = {cl.is_cpu ? 64u << 20 : 1024u << 20, cl.is_cpu ? 1u << 16 : 1u << 24, 64u << 20};
    ours.build_small = time_builds(&cl, source_small);
    ours.build_heavy = time_builds(&cl, source_heavy);
    time_kernels(&cl, &sizes, &ours);
    time_transfers(&cl, sizes.transfer_bytes, &ours);
    bench_vulkan(cl.name, &sizes, &native);

    printf("device: %s\n%-34s %12s %12s %8s\n", cl.name, "", "OpenCL", "Vulkan", "ratio");
    print_row("build, small kernel, us", ours.build_small, 0);
    print_row("build, 120 lines of maths, us", ours.build_heavy, 0);
    print_row("empty kernel to finish, us", ours.latency, native.latency);
    print_row("the same, Vulkan's polled for, us", ours.latency, native.polled);
    print_row("one of 1,000 launches, us", ours.launch, native.launch);
    print_rate("copy kernel, GB/s", 2.0 * (double)sizes.copy_bytes, ours.copy, native.copy);
    print_rate("multiply-add, GFLOP/s", 2048.0 * (double)sizes.mad_items, ours.mad, native.mad);
    print_rate("write, pageable, GB/s", (double)sizes.transfer_bytes, ours.write, native.write);
    print_rate("read, pageable, GB/s", (double)sizes.transfer_bytes, ours.read, native.read);
    printf("(ratio of times: below 1 OpenCL is faster; of rates: above 1 OpenCL is faster)\n");
    bench_cl_close(&cl);
    return 0;
}
