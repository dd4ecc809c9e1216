// SPDX-License-Identifier: Apache-2.0
// See attention.h.
#include "attention.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../bench.h"

enum { HEAD = 64, ROWS = 32, SAMPLES = 16 }; // the first two as in attention.cl
enum { LOCAL_OF_4 = 40 << 10 };              // bytes of local memory for four sub-groups

struct attention {
    struct opencl *cl;
    uint32_t n, heads, sub_groups; // of a work-group
    void *q, *k, *v;
    cl_mem memory[4]; // Q, K, V, O
    cl_kernel kernel;
};

static size_t components(const struct attention *a)
{
    return (size_t)a->heads * a->n * HEAD;
}

static cl_mem make(struct attention *a, size_t bytes, void *data)
{
    cl_int status;
    cl_mem memory =
        clCreateBuffer(a->cl->base.context, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0),
                       bytes, data, &status);
    bench_check(status, "clCreateBuffer");
    return memory;
}

static bool open(struct attention *a)
{
    char options[64];
    size_t count = components(a);
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DSUB_GROUPS=%u -DLOCAL=%u", a->sub_groups,
             a->sub_groups * a->cl->sub_group);
    a->kernel = bench_kernel_with(&a->cl->base, a->cl->folder, "attention", options);
    if (!a->kernel)
        return false;
    a->q = random_numbers(HALF, count, 3);
    a->k = random_numbers(HALF, count, 5);
    a->v = random_numbers(HALF, count, 7);
    a->memory[0] = make(a, count * 2, a->q);
    a->memory[1] = make(a, count * 2, a->k);
    a->memory[2] = make(a, count * 2, a->v);
    a->memory[3] = make(a, count * 4, NULL);
    for (cl_uint i = 0; i < 4; i++)
        clSetKernelArg(a->kernel, i, sizeof(cl_mem), &a->memory[i]);
    clSetKernelArg(a->kernel, 4, sizeof a->n, &a->n);
    return true;
}

static void close(struct attention *a)
{
    for (unsigned i = 0; i < 4; i++)
        clReleaseMemObject(a->memory[i]);
    clReleaseKernel(a->kernel);
    free(a->q);
    free(a->k);
    free(a->v);
}

static double launch(struct attention *a)
{
    size_t local[2] = {a->sub_groups * a->cl->sub_group, 1};
    size_t global[2] = {a->n / (ROWS * a->sub_groups) * local[0], a->heads};
    cl_event event;
    bench_check(clEnqueueNDRangeKernel(a->cl->base.queue, a->kernel, 2, NULL, global, local, 0,
                                       NULL, &event),
                "clEnqueueNDRangeKernel");
    return bench_seconds(event);
}

// Weights are rounded to halves, which adds at most 2^-11 of the value; the errors of sums and
// powers of two in floats are smaller.
static bool row_is_right(const struct attention *a, const float *o, size_t head, size_t row,
                         double *weights)
{
    size_t base = head * a->n * HEAD, at = base + row * HEAD;
    double top = -INFINITY, sum = 0;
    for (size_t j = 0; j < a->n; j++) {
        weights[j] = 0;
        for (size_t d = 0; d < HEAD; d++)
            weights[j] +=
                number_at(HALF, a->q, at + d) * number_at(HALF, a->k, base + j * HEAD + d);
        weights[j] /= sqrt(HEAD);
        top = fmax(top, weights[j]);
    }
    for (size_t j = 0; j < a->n; j++)
        sum += weights[j] = exp(weights[j] - top);
    for (size_t d = 0; d < HEAD; d++) {
        double right = 0, size = 0;
        for (size_t j = 0; j < a->n; j++) {
            double part = weights[j] / sum * number_at(HALF, a->v, base + j * HEAD + d);
            right += part;
            size += fabs(part);
        }
        double got = (double)o[at + d], bound = 0x1p-10 * size + 0x1p-24 * (double)a->n / sum;
        if (!(fabs(got - right) <= bound)) {
            printf("    O[%zu][%zu][%zu] is %.9g, not %.9g (within %.3g)\n", head, row, d, got,
                   right, bound);
            return false;
        }
    }
    return true;
}

static bool check(struct attention *a)
{
    size_t bytes = components(a) * 4;
    float *o = malloc(bytes);
    double *weights = malloc(a->n * sizeof *weights);
    bool right = o && weights;
    if (right)
        bench_check(clEnqueueReadBuffer(a->cl->base.queue, a->memory[3], CL_TRUE, 0, bytes, o, 0,
                                        NULL, NULL),
                    "clEnqueueReadBuffer");
    for (unsigned i = 0; right && i < SAMPLES; i++)
        right = row_is_right(a, o, i % a->heads, i == 0 ? a->n - 1 : i * 977u % a->n, weights);
    free(weights);
    free(o);
    return right;
}

bool attention_run(struct opencl *cl, uint32_t n, unsigned rounds)
{
    struct attention a = {.cl = cl, .n = n, .heads = cl->base.is_cpu ? 2 : 32};
    a.sub_groups = cl->most_local < LOCAL_OF_4 ? 2 : 4;
    double samples[32];
    printf("attention n %5u, %u heads of %d", n, a.heads, HEAD);
    if (!cl->matrices || !cl->halves || n % (ROWS * a.sub_groups)) {
        printf(": n is no multiple of %u, or the device has no such matrices\n",
               ROWS * a.sub_groups);
        return false;
    }
    fflush(stdout);
    if (!open(&a))
        return false;
    launch(&a);
    for (unsigned i = 0; i < rounds; i++)
        samples[i] = launch(&a);
    double work = 4.0 * a.n * a.n * HEAD * a.heads * 1e-12;
    bool right = check(&a);
    printf("  %.2f TFLOP/s  %s\n", work / median(samples, rounds), right ? "PASS" : "FAIL");
    close(&a);
    return right;
}
