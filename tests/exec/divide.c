// SPDX-License-Identifier: Apache-2.0
// 64-bit quotients and remainders on the first OpenCL device, compared with the host's: divide
// [ROUNDS]
//
// Tests all pairs of edge values, pairs of random widths, and dividends close to multiples of the
// divisor, where off-by-one errors show; then constant divisors. Each round uses new random
// numbers. Exit status: 0 all equal, 1 not, 77 no device.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../leaks.h"

enum { EDGE_MAX = 512, RANDOM = 1 << 18, CONSTANTS = 24, RESULTS = 4 };

struct host {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    size_t count;
    cl_ulong *n, *d, *out;
};

static cl_ulong random_bits(void)
{
    static cl_ulong state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717u;
}

// All widths are equally likely.
static cl_ulong random_number(void)
{
    cl_ulong value = random_bits(), width = random_bits() >> 58;
    return value >> width;
}

static unsigned make_edges(cl_ulong *edges)
{
    unsigned count = 0;
    for (unsigned bit = 0; bit < 64; bit += bit < 20 || bit > 44 ? 3 : 1)
        for (int off = -2; off <= 2; off++)
            edges[count++] = ((cl_ulong)1 << bit) + (cl_ulong)(cl_long)off;
    for (unsigned i = 0; i < 40; i++)
        edges[count++] = random_number();
    const cl_ulong more[] = {3,
                             5,
                             7,
                             10,
                             100,
                             1000,
                             0xffffffff00000000,
                             0xffffffff00000001,
                             0xfffffffeffffffff,
                             0x7fffffff80000000,
                             0x8000000080000000,
                             0xffffffffffffffff,
                             0xfffffffffffffffe};
    for (unsigned i = 0; i < sizeof more / sizeof *more; i++)
        edges[count++] = more[i];
    return count;
}

static void add(struct host *h, cl_ulong n, cl_ulong d)
{
    if (!d || (d == ~(cl_ulong)0 && n == (cl_ulong)1 << 63)) // any value is valid
        return;
    h->n[h->count] = n;
    h->d[h->count++] = d;
}

static void make_pairs(struct host *h)
{
    cl_ulong edges[EDGE_MAX];
    unsigned edge_count = make_edges(edges);
    h->count = 0;
    for (unsigned i = 0; i < edge_count; i++)
        for (unsigned k = 0; k < edge_count; k++)
            add(h, edges[i], edges[k]);
    for (unsigned i = 0; i < RANDOM; i++) {
        cl_ulong d = random_number(), q = random_number();
        if (i & 1)
            add(h, random_number(), d);
        else if (d)
            add(h, (q % (~(cl_ulong)0 / d) + 1) * d - (i >> 1) % 2, d);
    }
}

// Groups of results: unsigned quotients, unsigned remainders, signed quotients, signed remainders.
static void expect(cl_ulong n, cl_ulong d, cl_ulong *results)
{
    results[0] = n / d;
    results[1] = n % d;
    results[2] = (cl_ulong)((cl_long)n / (cl_long)d);
    results[3] = (cl_ulong)((cl_long)n % (cl_long)d);
}

static const char plain[] =
    "kernel void k(global const ulong *n, global const ulong *d, global ulong *out) {\n"
    "    size_t i = get_global_id(0);\n"
    "    ulong x = n[i], y = d[i];\n"
    "    out[4 * i] = x / y; out[4 * i + 1] = x % y;\n"
    "    out[4 * i + 2] = (ulong)((long)x / (long)y); out[4 * i + 3] = (ulong)((long)x % "
    "(long)y);\n"
    "}\n"
    "kernel void v(global const ulong4 *n, global const ulong4 *d, global ulong *out) {\n"
    "    size_t i = get_global_id(0);\n"
    "    ulong4 q = n[i] / d[i], r = n[i] % d[i];\n"
    "    ulong4 s = as_ulong4(as_long4(n[i]) / as_long4(d[i])), t = as_ulong4(as_long4(n[i]) % "
    "as_long4(d[i]));\n"
    "    vstore4((ulong4)(q.x, r.x, s.x, t.x), 4 * i, out); vstore4((ulong4)(q.y, r.y, s.y, t.y), "
    "4 * i + 1, out);\n"
    "    vstore4((ulong4)(q.z, r.z, s.z, t.z), 4 * i + 2, out); vstore4((ulong4)(q.w, r.w, s.w, "
    "t.w), 4 * i + 3, out);\n"
    "}\n";

static int run(struct host *h, cl_program program, const char *name, size_t items)
{
    cl_int error = 0;
    cl_mem n = clCreateBuffer(h->context, CL_MEM_COPY_HOST_PTR, h->count * 8, h->n, NULL);
    cl_mem d = clCreateBuffer(h->context, CL_MEM_COPY_HOST_PTR, h->count * 8, h->d, NULL);
    cl_mem out = clCreateBuffer(h->context, CL_MEM_READ_WRITE, h->count * 8 * RESULTS, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, name, &error);
    const cl_mem args[] = {n, d, out};
    for (unsigned i = 0; i < 3 && !error; i++)
        error = clSetKernelArg(kernel, i, sizeof(cl_mem), &args[i]);
    if (!error)
        error = clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    if (!error)
        error = clEnqueueReadBuffer(h->queue, out, CL_TRUE, 0, h->count * 8 * RESULTS, h->out, 0,
                                    NULL, NULL);
    if (kernel)
        clReleaseKernel(kernel);
    for (unsigned i = 0; i < 3; i++)
        clReleaseMemObject(args[i]);
    return error;
}

static unsigned compare(const struct host *h, const char *what, size_t count,
                        const cl_ulong *divisor)
{
    static const char *const operations[] = {"/", "%", "/ (signed)", "% (signed)"};
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) {
        cl_ulong results[RESULTS], n = h->n[i], d = divisor ? *divisor : h->d[i];
        if (d == ~(cl_ulong)0 && n == (cl_ulong)1 << 63)
            continue;
        expect(n, d, results);
        for (unsigned r = 0; r < RESULTS; r++)
            if (h->out[i * RESULTS + r] != results[r] && wrong++ < 10)
                printf("%s: 0x%llx %s 0x%llx is 0x%llx, not 0x%llx\n", what, (unsigned long long)n,
                       operations[r], (unsigned long long)d, (unsigned long long)results[r],
                       (unsigned long long)h->out[i * RESULTS + r]);
    }
    return wrong;
}

static cl_program build(struct host *h, const char *text)
{
    cl_program program = clCreateProgramWithSource(h->context, 1, &text, NULL, NULL);
    if (clBuildProgram(program, 1, &h->device, "", NULL, NULL)) {
        printf("does not build:\n%s", text);
        exit(1);
    }
    return program;
}

static unsigned by_variables(struct host *h)
{
    cl_program program = build(h, plain);
    unsigned wrong = 0;
    memset(h->out, 0xee, h->count * 8 * RESULTS);
    if (run(h, program, "k", h->count))
        return printf("does not run\n"), 1;
    wrong += compare(h, "scalars", h->count, NULL);
    memset(h->out, 0xee, h->count * 8 * RESULTS);
    if (run(h, program, "v", h->count / 4))
        return printf("does not run\n"), 1;
    clReleaseProgram(program);
    return wrong + compare(h, "vectors", h->count / 4 * 4, NULL);
}

static unsigned by_constants(struct host *h)
{
    static char text[64 * 1024], name[64];
    cl_ulong divisors[CONSTANTS] = {1,
                                    3,
                                    7,
                                    10,
                                    641,
                                    0xffffffff,
                                    0x100000001,
                                    0xffffffffffffffff,
                                    0x8000000000000001,
                                    0x8000000000000000,
                                    1000000007,
                                    6700417 * 2};
    unsigned wrong = 0;
    size_t length = 0;
    for (unsigned i = 0; i < CONSTANTS; i++) {
        while (!divisors[i])
            divisors[i] = random_number();
        length += (size_t)snprintf(
            text + length, sizeof text - length,
            "kernel void k%u(global const ulong *n, global const ulong *d, global ulong *out) {\n"
            "    size_t i = get_global_id(0);\n"
            "    ulong x = n[i], y = 0x%llxul;\n"
            "    out[4 * i] = x / y; out[4 * i + 1] = x %% y;\n"
            "    out[4 * i + 2] = (ulong)((long)x / (long)y);\n"
            "    out[4 * i + 3] = (ulong)((long)x %% (long)y);\n}\n",
            i, (unsigned long long)divisors[i]);
    }
    cl_program program = build(h, text);
    for (unsigned i = 0; i < CONSTANTS; i++) {
        snprintf(name, sizeof name, "k%u", i);
        memset(h->out, 0xee, h->count * 8 * RESULTS);
        if (run(h, program, name, h->count))
            return printf("does not run\n"), 1;
        wrong += compare(h, "constants", h->count, &divisors[i]);
    }
    clReleaseProgram(program);
    return wrong;
}

static int open_host(struct host *h)
{
    cl_platform_id platform;
    size_t room = (size_t)EDGE_MAX * EDGE_MAX + RANDOM;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h->device, NULL))
        return 0;
    h->context = clCreateContext(NULL, 1, &h->device, NULL, NULL, NULL);
    h->queue = clCreateCommandQueue(h->context, h->device, 0, NULL);
    h->n = malloc(room * 8);
    h->d = malloc(room * 8);
    h->out = malloc(room * 8 * RESULTS);
    return h->queue && h->n && h->d && h->out;
}

int main(int argc, char **argv)
{
    struct host h = {0};
    unsigned wrong = 0, rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    if (!open_host(&h))
        return 77;
    for (unsigned i = 0; i < rounds; i++) {
        make_pairs(&h);
        wrong += by_variables(&h) + by_constants(&h);
    }
    printf("%zu pairs, %u wrong\n", h.count, wrong);
    clReleaseCommandQueue(h.queue);
    clReleaseContext(h.context);
    free(h.n);
    free(h.d);
    free(h.out);
    return wrong || leaks_count(true);
}
