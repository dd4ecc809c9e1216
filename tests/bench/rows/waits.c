// SPDX-License-Identifier: Apache-2.0
// Operations that a program waits for: a launch, its start, small transfers, a large kernel from
// its build to the end of its first run. Measured by the host's clock on a queue without profiling,
// except for the start, which is from events.
#include "rows.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLES = 301, LAUNCHES = 1000, TRANSFER = 4096, FIRST_RUNS = 5 };

struct waits {
    const struct platform *p;
    cl_command_queue queue;
    cl_kernel count; // adds 1 to a counter
    cl_mem small_buffer; // for the transfers
    cl_uint launched;
    bool small;
    unsigned seed; // makes all sources different
};

static cl_kernel kernel_of(const struct platform *p, const char *text, const char *name)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(p->cl.context, 1, &text, NULL, &status);
    cl_kernel kernel = clBuildProgram(program, 1, &p->cl.device, "", NULL, NULL) ? NULL : clCreateKernel(program, name, &status);
    clReleaseProgram(program);
    return kernel;
}

static void launch(struct waits *w, cl_event *event)
{
    const size_t one = 1;
    bench_check(clEnqueueNDRangeKernel(event ? w->p->cl.queue : w->queue, w->count, 1, NULL, &one, &one, 0, NULL, event),
                "clEnqueueNDRangeKernel");
    w->launched++;
}

// Whether the counter equals the number of launches.
static enum verdict counted(struct waits *w)
{
    cl_uint value = 0;
    clEnqueueReadBuffer(w->queue, w->p->out, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL);
    return value == w->launched ? PASS : FAIL;
}

static void time_finish(struct waits *w, struct cell *cell)
{
    double samples[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        double begin = bench_now();
        launch(w, NULL);
        clFinish(w->queue);
        samples[i] = bench_now() - begin;
    }
    cell->wall = bench_median(samples, SAMPLES);
    cell->verdict = counted(w);
}

// A launch of some 300 us on a GPU and a short one, each waited for.
static void time_in_turn(struct waits *w, struct cell *cell)
{
    static const char text[] = "kernel void work(global uint *counter, uint steps) {\n"
                               "    uint x = counter[0];\n"
                               "    for (uint i = 0; i < steps; i++) x = x * 1664525 + 1013904223;\n"
                               "    counter[1] = x; counter[0]++; }\n";
    const size_t one = 1;
    double samples[SAMPLES];
    cl_kernel work = kernel_of(w->p, text, "work");
    clSetKernelArg(work, 0, sizeof w->p->out, &w->p->out);
    for (int i = 0; i < 2 * SAMPLES; i++) {
        cl_uint steps = i % 2 ? 1 : 60000;
        double begin = bench_now();
        clSetKernelArg(work, 1, sizeof steps, &steps);
        clEnqueueNDRangeKernel(w->queue, work, 1, NULL, &one, NULL, 0, NULL, NULL);
        clFinish(w->queue);
        samples[i / 2] = bench_now() - begin + (i % 2 ? samples[i / 2] : 0);
        w->launched++;
    }
    clReleaseKernel(work);
    cell->wall = bench_median(samples, SAMPLES);
    cell->verdict = counted(w);
}

static void time_many(struct waits *w, struct cell *cell)
{
    double samples[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        double begin = bench_now();
        for (int j = 0; j < LAUNCHES; j++)
            launch(w, NULL);
        clFinish(w->queue);
        samples[i] = (bench_now() - begin) / LAUNCHES;
    }
    cell->wall = bench_median(samples, ROUNDS);
    cell->verdict = counted(w);
}

static void time_start(struct waits *w, struct cell *cell)
{
    double samples[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        cl_event event;
        cl_ulong queued = 0, start = 0;
        launch(w, &event);
        clWaitForEvents(1, &event);
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, NULL);
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
        clReleaseEvent(event);
        samples[i] = start > queued ? (double)(start - queued) * 1e-9 : 0;
    }
    cell->wall = bench_median(samples, SAMPLES);
    cell->verdict = counted(w);
}

// Each round writes different bytes and must read them back.
static void time_transfer(struct waits *w, cl_mem buffer, struct cell *cell, bool write)
{
    unsigned char there[TRANSFER], back[TRANSFER];
    double samples[SAMPLES];
    cell->verdict = PASS;
    for (int i = 0; i < SAMPLES; i++) {
        memset(there, i & 255, sizeof there);
        double begin = bench_now();
        clEnqueueWriteBuffer(w->queue, buffer, CL_TRUE, 0, sizeof there, there, 0, NULL, NULL);
        double between = bench_now();
        clEnqueueReadBuffer(w->queue, buffer, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL);
        samples[i] = write ? between - begin : bench_now() - between;
        if (memcmp(there, back, sizeof back) != 0)
            cell->verdict = FAIL;
    }
    cell->wall = bench_median(samples, SAMPLES);
}

static void time_write(struct waits *w, struct cell *cell) { time_transfer(w, w->small_buffer, cell, true); }
static void time_read(struct waits *w, struct cell *cell) { time_transfer(w, w->small_buffer, cell, false); }
static void time_write_in_large(struct waits *w, struct cell *cell) { time_transfer(w, w->p->a, cell, true); }
static void time_read_of_large(struct waits *w, struct cell *cell) { time_transfer(w, w->p->a, cell, false); }

// Straight-line code that ends with a number that only this source has, so that no cache has it.
static void large_source(char *text, size_t size, unsigned number, int lines)
{
    size_t at = (size_t)snprintf(text, size, "kernel void large(global uint *out, global float4 *x, uint n)\n{\n"
                                             "    float4 a = x[get_global_id(0)], b = a + 0.5f;\n"
                                             "    for (uint k = 0; k < n; k++) {\n");
    for (int i = 0; i < lines; i++)
        at += (size_t)snprintf(text + at, size - at,
                               "        a = mad(b, native_sin(a + %d.5f), fabs(a) * %d.25f);\n"
                               "        b = fmax(b * native_exp2(a * 0.01f), floor(a.wzyx) - b.yxwz);\n", i, i);
    snprintf(text + at, size - at, "    }\n    x[get_global_id(0)] = a + b;\n    out[0] = %uu;\n}\n", number);
}

// Measured from the build on, as platforms may leave much of it to the first launch; the number
// written by the kernel shows that it has run.
static void time_large(struct waits *w, struct cell *cell)
{
    static char text[1 << 16];
    double samples[FIRST_RUNS];
    const size_t items = 64;
    const cl_uint none = 0;
    cell->verdict = PASS;
    for (int i = 0; i < FIRST_RUNS; i++) {
        cl_uint number = ++w->seed, found = 0;
        large_source(text, sizeof text, number, w->small ? 10 : 120);
        double begin = bench_now();
        cl_kernel kernel = kernel_of(w->p, text, "large");
        clSetKernelArg(kernel, 0, sizeof w->p->out, &w->p->out);
        clSetKernelArg(kernel, 1, sizeof w->p->b, &w->p->b);
        clSetKernelArg(kernel, 2, sizeof none, &none);
        clEnqueueNDRangeKernel(w->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
        clFinish(w->queue);
        samples[i] = bench_now() - begin;
        clEnqueueReadBuffer(w->queue, w->p->out, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL);
        clReleaseKernel(kernel);
        if (found != number)
            cell->verdict = FAIL;
    }
    cell->wall = bench_median(samples, FIRST_RUNS);
}

static const struct {
    const char *name;
    void (*run)(struct waits *w, struct cell *cell);
} rows[] = {
    {"enqueue to finish", time_finish}, {"long and short in turn", time_in_turn}, {"one of 1,000 launches", time_many}, {"queued to start", time_start},
    {"write 4 KiB", time_write},        {"read 4 KiB", time_read},            {"write 4 KiB, large", time_write_in_large},
    {"read 4 KiB, large", time_read_of_large}, {"build and first run", time_large},
};

static void measure(const struct bench_rows *bench, const struct platform *p, size_t which, struct cell *cell)
{
    static const char text[] = "kernel void count(global uint *counter) { counter[0]++; }\n";
    const cl_uint zero = 0;
    cl_int status;
    struct waits w = {.p = p, .small = bench->small, .seed = (unsigned)time(NULL)};
    w.queue = clCreateCommandQueue(p->cl.context, p->cl.device, 0, &status);
    w.small_buffer = clCreateBuffer(p->cl.context, CL_MEM_READ_WRITE, TRANSFER, NULL, &status);
    w.count = kernel_of(p, text, "count");
    clSetKernelArg(w.count, 0, sizeof p->out, &p->out);
    clEnqueueFillBuffer(w.queue, p->out, &zero, sizeof zero, 0, TRANSFER, 0, NULL, NULL);
    launch(&w, NULL); // includes compilation
    clFinish(w.queue);
    rows[which].run(&w, cell);
    clReleaseKernel(w.count);
    clReleaseMemObject(w.small_buffer);
    clReleaseCommandQueue(w.queue);
}

void waits_run(struct bench_rows *bench)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct row *row = rows_begin(bench, "waits", rows[k].name);
        for (unsigned i = 0; row && i < bench->count; i++)
            measure(bench, &bench->platforms[i], k, &row->cells[i]);
        if (row)
            rows_end(bench);
    }
}
