// SPDX-License-Identifier: Apache-2.0
// Typical kernels of real programs. A row is a kernel of programs/NAME.cl with the arguments (a, b,
// out, n): two buffers of random numbers (the first may be an image, or ascending) and one for the
// result. A sample of the results is compared with the host's (references.c).
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum special { PLAIN, RISING, IMAGE }; // a: random; n ascending floats; an n x n image
enum result { FLOATS, WORDS, BYTES };  // elements of the result

struct size {
    size_t global[3];
    int n;
    size_t results; // elements written
};

struct program {
    const char *name;
    expect_function *expect;
    struct size large, small;
    size_t local[3];
    enum bench_contents contents;
    enum special special;
    enum result result;
    double tolerance; // relative to the largest expected number; 0: equal
    unsigned samples; // elements that are checked
};

#define M (1u << 20)
#define K (1u << 10)
#define PROGRAM(name, ...) {#name, expect_##name, __VA_ARGS__}

// Rows with the same inputs are adjacent.
static const struct program programs[] = {
    PROGRAM(gemm, {{K, K, 1}, 4 * K, 16 * M}, {{64, 64, 1}, 256, 64 * K}, {16, 16, 1}, BENCH_FLOATS, PLAIN, FLOATS, 1e-4, 200),
    PROGRAM(nbody, {{64 * K, 1, 1}, 64 * K, 256 * K}, {{2 * K, 1, 1}, 2 * K, 8 * K}, {256, 1, 1}, BENCH_FLOATS, PLAIN, FLOATS, 1e-3, 100),
    PROGRAM(reduce, {{256 * K, 1, 1}, 64 * M, K}, {{16 * K, 1, 1}, 1 * M, 64}, {256, 1, 1}, BENCH_FLOATS, PLAIN, FLOATS, 1e-4, 50),
    PROGRAM(transpose, {{8 * K, 2 * K, 1}, 8 * K, 64 * M}, {{K, 256, 1}, K, 1 * M}, {32, 8, 1}, BENCH_FLOATS, PLAIN, FLOATS, 0, 10000),
    PROGRAM(spmv, {{1 * M, 1, 1}, 1 * M, 1 * M}, {{16 * K, 1, 1}, 16 * K, 16 * K}, {128, 1, 1}, BENCH_FLOATS, PLAIN, FLOATS, 1e-4, 1000),
    PROGRAM(fft, {{2 * M, 1, 1}, 16, 64 * M}, {{16 * K, 1, 1}, 16, 512 * K}, {128, 1, 1}, BENCH_FLOATS, PLAIN, FLOATS, 1e-5, 10000),
    PROGRAM(black_scholes, {{64 * M, 1, 1}, 0, 64 * M}, {{256 * K, 1, 1}, 0, 256 * K}, {256, 1, 1},
            BENCH_FLOATS, PLAIN, FLOATS, 1e-5, 10000),
    PROGRAM(median, {{4 * K, 4 * K, 1}, 4 * K, 16 * M}, {{256, 256, 1}, 256, 64 * K}, {32, 8, 1}, BENCH_FLOATS, PLAIN, FLOATS, 0, 10000),
    PROGRAM(walk, {{1 * M, 1, 1}, 64, 1 * M}, {{16 * K, 1, 1}, 64, 16 * K}, {128, 1, 1}, BENCH_FLOATS, PLAIN, FLOATS, 1e-4, 1000),
    PROGRAM(stencil, {{400, 400, 400}, 400, 64000000}, {{64, 64, 64}, 64, 256 * K}, {0}, BENCH_FLOATS, PLAIN, FLOATS, 1e-6, 10000),
    PROGRAM(lavamd, {{1 * M, 1, 1}, 8 * K, 3276800}, {{4 * K, 1, 1}, 32, 12800}, {128, 1, 1}, BENCH_FLOATS, PLAIN, FLOATS, 1e-3, 200),
    PROGRAM(gemm_rows, {{512, 512, 1}, 2 * K, 4 * M}, {{64, 64, 1}, 256, 64 * K}, {16, 4, 1}, BENCH_FLOATS, PLAIN, FLOATS, 1e-4, 200),
    PROGRAM(gemv_small, {{8 * K, 1, 1}, 8 * K, 8 * K}, {{K, 1, 1}, K, K}, {16, 1, 1}, BENCH_FLOATS, PLAIN, FLOATS, 1e-4, 100),
    PROGRAM(dot_product, {{128 * K, 1, 1}, 64 * M, 2 * K}, {{8 * K, 1, 1}, 1 * M, 128}, {64, 1, 1}, BENCH_FLOATS, PLAIN, FLOATS, 1e-4, 100),
    PROGRAM(fill_matrix, {{8 * K, 8 * K, 1}, 8 * K, 64 * M}, {{512, 512, 1}, 512, 256 * K}, {8, 8, 1},
            BENCH_FLOATS, PLAIN, FLOATS, 0, 10000),
    PROGRAM(lattice, {{2985984, 1, 1}, 144, 56733696}, {{32 * K, 1, 1}, 32, 622592}, {0}, BENCH_FLOATS, PLAIN, FLOATS, 1e-5, 10000),
    PROGRAM(image, {{4 * K, 4 * K, 1}, 4 * K, 16 * M}, {{256, 256, 1}, 256, 64 * K}, {16, 16, 1}, BENCH_FLOATS, IMAGE, FLOATS, 1e-5, 10000),
    PROGRAM(lookup, {{4 * M, 1, 1}, 512 * K, 4 * M}, {{16 * K, 1, 1}, 32 * K, 16 * K}, {256, 1, 1},
            BENCH_FLOATS, RISING, FLOATS, 1e-2, 1000),
    PROGRAM(blur, {{8 * K, 8 * K, 1}, 8 * K, 256 * M}, {{512, 512, 1}, 512, 1 * M}, {32, 8, 1}, BENCH_INTEGERS, PLAIN, BYTES, 0, 10000),
    PROGRAM(histogram, {{256 * K, 1, 1}, 64 * M, 256}, {{16 * K, 1, 1}, 1 * M, 256}, {256, 1, 1}, BENCH_INTEGERS, PLAIN, WORDS, 0, 3),
    PROGRAM(scan, {{32 * M, 1, 1}, 64 * M, 64 * M}, {{64 * K, 1, 1}, 128 * K, 128 * K}, {256, 1, 1},
            BENCH_INTEGERS, PLAIN, WORDS, 0, 10000),
    PROGRAM(sha256, {{1 * M, 1, 1}, 64, 1 * M}, {{4 * K, 1, 1}, 8, 4 * K}, {256, 1, 1}, BENCH_INTEGERS, PLAIN, WORDS, 0, 500),
    PROGRAM(mandelbrot, {{4 * K, 4 * K, 1}, 1000, 16 * M}, {{256, 256, 1}, 100, 64 * K}, {32, 8, 1}, BENCH_INTEGERS, PLAIN, WORDS, 0, 1000),
    PROGRAM(montgomery, {{1 * M, 1, 1}, K, 2 * M}, {{4 * K, 1, 1}, 64, 8 * K}, {128, 1, 1}, BENCH_INTEGERS, PLAIN, WORDS, 0, 500),
    PROGRAM(bitonic, {{16 * M, 1, 1}, 32 * M, 64 * M}, {{64 * K, 1, 1}, 128 * K, 256 * K}, {256, 1, 1},
            BENCH_INTEGERS, PLAIN, WORDS, 0, 10000),
    PROGRAM(path, {{16000000, 1, 1}, 16000000, 16000000}, {{100000, 1, 1}, 100000, 100000}, {0}, BENCH_INTEGERS, PLAIN, WORDS, 0, 10000),
    PROGRAM(insertion, {{64 * K, 1, 1}, 256, 64 * K}, {{2 * K, 1, 1}, 64, 2 * K}, {64, 1, 1}, BENCH_INTEGERS, PLAIN, WORDS, 0, 500),
    PROGRAM(probe, {{1 * M, 1, 1}, 16, 1 * M}, {{16 * K, 1, 1}, 16, 16 * K}, {64, 1, 1}, BENCH_INTEGERS, PLAIN, WORDS, 0, 1000),
    PROGRAM(edit_distance, {{256 * K, 1, 1}, 48, 256 * K}, {{2 * K, 1, 1}, 8, 2 * K}, {64, 1, 1}, BENCH_INTEGERS, PLAIN, WORDS, 0, 500),
    PROGRAM(matvec_half, {{1 * M, 1, 1}, 8 * K, 8 * K}, {{64 * K, 1, 1}, 512, 512}, {128, 1, 1}, BENCH_HALVES, PLAIN, FLOATS, 1e-4, 100),
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

// ---- inputs -------------------------------------------------------------------------------------

// Kernels do not change their inputs, so that rows can share them.
static bool same_inputs(const struct program *program, const struct program *before)
{
    return before && program->contents == before->contents && program->special == before->special &&
           program->special != RISING; // depends on n
}

static void fill(const struct bench_rows *bench, const struct program *program, int n)
{
    bool floats = program->contents == BENCH_HALVES;
    bench_fill(bench->a, bench->bytes, program->contents, 1);
    bench_fill(bench->b, bench->bytes, floats ? BENCH_FLOATS : program->contents, 2);
    if (program->special == RISING)
        for (int i = 0; i < n; i++)
            ((float *)bench->a)[i] = ((float)i + 0.75f * ((float *)bench->a)[i]) / (float)n;
}

static void load(const struct bench_rows *bench)
{
    for (const struct platform *p = bench->platforms; p < bench->platforms + bench->count; p++)
        bench_check(clEnqueueWriteBuffer(p->cl.queue, p->a, CL_TRUE, 0, bench->bytes, bench->a, 0, NULL, NULL) |
                        clEnqueueWriteBuffer(p->cl.queue, p->b, CL_TRUE, 0, bench->bytes, bench->b, 0, NULL, NULL),
                    "clEnqueueWriteBuffer");
}

static bool clear(const struct bench_rows *bench, const struct platform *p)
{
    const cl_uint zero = 0;
    return !clEnqueueFillBuffer(p->cl.queue, p->out, &zero, sizeof zero, 0, bench->bytes, 0, NULL, NULL) &&
           !clFinish(p->cl.queue);
}

static cl_mem picture(const struct bench_rows *bench, const struct platform *p, size_t n)
{
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = n, .image_height = n};
    cl_int status;
    cl_mem made = clCreateImage(p->cl.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &description,
                                bench->a, &status);
    return status ? NULL : made;
}

// ---- results ------------------------------------------------------------------------------------

static double element(const void *data, enum result kind, size_t index)
{
    return kind == FLOATS ? (double)((const float *)data)[index]
           : kind == WORDS ? (double)((const cl_uint *)data)[index]
                           : (double)((const cl_uchar *)data)[index];
}

// Samples are distributed over the result at odd distances.
static enum verdict check(struct bench_rows *bench, const struct platform *p, const struct program *program,
                          const struct size *size)
{
    const size_t width = program->result == BYTES ? 1 : 4, step = size->results / program->samples | 1;
    struct inputs in = {bench->a, bench->b, size->n, size->global[0]};
    double largest = 0, difference = 0;
    if (!rows_read(bench, p, size->results * width))
        return FAIL;
    for (size_t i = 0, at = 0; i < program->samples; i++, at = (at + step) % size->results) {
        double expected = program->expect(&in, at), got = element(bench->result, program->result, at);
        largest = fmax(largest, fabs(expected));
        difference = got == got ? fmax(difference, fabs(expected - got)) : INFINITY;
        if (difference == INFINITY)
            break;
    }
    return difference <= program->tolerance * largest ? PASS : FAIL;
}

// ---- a row --------------------------------------------------------------------------------------

static void set_arguments(cl_kernel kernel, cl_mem a, const struct platform *p, cl_int n)
{
    clSetKernelArg(kernel, 0, sizeof a, &a);
    clSetKernelArg(kernel, 1, sizeof p->b, &p->b);
    clSetKernelArg(kernel, 2, sizeof p->out, &p->out);
    clSetKernelArg(kernel, 3, sizeof n, &n);
}

// The result of a single launch is checked, because some kernels add to the result.
static void measure(struct bench_rows *bench, const struct platform *p, const struct program *program,
                    const struct size *size, struct cell *cell)
{
    const size_t *local = program->local[0] ? program->local : NULL;
    cl_uint dims = size->global[2] > 1 ? 3 : size->global[1] > 1 ? 2 : 1;
    cl_mem a = program->special == IMAGE ? picture(bench, p, (size_t)size->n) : p->a;
    cl_kernel kernel = a && clear(bench, p) ? bench_kernel(&p->cl, bench->folder, program->name) : NULL;
    if (!kernel)
        return;
    set_arguments(kernel, a, p, size->n);
    if (!clEnqueueNDRangeKernel(p->cl.queue, kernel, dims, NULL, size->global, local, 0, NULL, NULL)) {
        cell->verdict = check(bench, p, program, size);
        rows_time(p, kernel, dims, size->global, local, cell);
    }
    clReleaseKernel(kernel);
    if (a != p->a)
        clReleaseMemObject(a);
}

void programs_run(struct bench_rows *bench)
{
    const struct program *before = NULL;
    for (const struct program *program = programs; program < programs + PROGRAMS; program++) {
        const struct size *size = bench->small ? &program->small : &program->large;
        struct row *row = rows_begin(bench, "programs", program->name);
        if (!row)
            continue;
        if (!same_inputs(program, before)) {
            fill(bench, program, size->n);
            load(bench);
        }
        before = program;
        for (unsigned i = 0; i < bench->count; i++)
            measure(bench, &bench->platforms[i], program, size, &row->cells[i]);
        rows_end(bench);
    }
}
