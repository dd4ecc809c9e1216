// SPDX-License-Identifier: Apache-2.0
// Results on a loaded machine: processes that check what they compute, while others keep the device
// and the processors busy. This is not a timing: the last column must be 0.
//
// A shared device switches between processes, so that ordering errors (a completion reported
// before its memory is visible, memory or code reused too early) only show here. Each checker
// repeats rounds of one kind; a wrong number is read again after a while, which distinguishes a
// late result from a missing one. With several devices, the queues are distributed over them.
//
//   OCL_ICD_VENDORS=libpumice.so bench_lanes [SECONDS [BUSY [CHECKERS [KIND]]]]
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

enum { ITEMS = 1 << 16, QUEUES = 3, PIXELS = 2048, LARGE = 8 << 20, GRACE_S = 120 };
enum { PROGRAMS = 61 }; // enough different ones, because drivers cache a program at its second use

struct lane {
    cl_context context; // of all devices
    cl_command_queue queues[QUEUES];
    cl_program program; // fill, add
    cl_kernel fill, add;
    cl_mem persistent;
    cl_uint *host, *back; // LARGE numbers each
    unsigned seed, turn; // turn: the next queue
};

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    printf("%s: error %d\n", what, status);
    fflush(stdout);
    _exit(2);
}

static const char source_text[] =
    "kernel void fill(global uint *o, uint v) { o[get_global_id(0)] = v + get_global_id(0); }"
    "kernel void add(global uint *o, global const uint *i, uint v)"
    "{ o[get_global_id(0)] = i[get_global_id(0)] + v; }"
    "kernel void busy(global float *o, int n)"
    "{ float a = get_global_id(0); for (int i = 0; i < n; i++) a = a * 0.999f + 1.5f;"
    "  o[get_global_id(0)] = a; }";

static cl_program build(struct lane *lane, const char *text)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(lane->context, 1, &text, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 0, NULL, "", NULL, NULL), "clBuildProgram");
    return program;
}

static cl_kernel kernel(cl_program program, const char *name)
{
    cl_int status;
    cl_kernel made = clCreateKernel(program, name, &status);
    check(status, "clCreateKernel");
    return made;
}

static cl_mem buffer(struct lane *lane, cl_mem_flags flags, size_t count, const void *data)
{
    cl_int status;
    cl_mem made =
        clCreateBuffer(lane->context, flags, count * sizeof(cl_uint), (void *)data, &status);
    check(status, "clCreateBuffer");
    return made;
}

static void launch(cl_command_queue queue, cl_kernel kernel, size_t count, cl_uint waits,
                   const cl_event *list, cl_event *event)
{
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, waits, list, event),
          "clEnqueueNDRangeKernel");
}

static void set_fill(struct lane *lane, cl_mem out, cl_uint value)
{
    check(clSetKernelArg(lane->fill, 0, sizeof out, &out), "clSetKernelArg");
    check(clSetKernelArg(lane->fill, 1, sizeof value, &value), "clSetKernelArg");
}

static void set_add(struct lane *lane, cl_mem out, cl_mem in, cl_uint value)
{
    check(clSetKernelArg(lane->add, 0, sizeof out, &out), "clSetKernelArg");
    check(clSetKernelArg(lane->add, 1, sizeof in, &in), "clSetKernelArg");
    check(clSetKernelArg(lane->add, 2, sizeof value, &value), "clSetKernelArg");
}

static void read_back(cl_command_queue queue, cl_mem from, size_t count, cl_uint *to)
{
    check(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, count * sizeof *to, to, 0, NULL, NULL),
          "clEnqueueReadBuffer");
}

// ---- kinds of rounds; they return true if every number is right ---------------------------------

// Prints a wrong number, and the value at its place after a while.
static bool wrong(struct lane *lane, const char *what, cl_mem memory, size_t count, size_t i,
                  cl_uint want)
{
    cl_uint got = lane->back[i], later = 0;
    size_t last = i;
    if (memory) {
        usleep(20000);
        check(clEnqueueReadBuffer(lane->queues[0], memory, CL_TRUE, i * sizeof later, sizeof later,
                                  &later, 0, NULL, NULL),
              "clEnqueueReadBuffer");
    }
    while (last + 1 < count && lane->back[last + 1] - lane->back[last] == got - lane->back[i])
        last++;
    printf("%s: number %zu of %zu (to %zu): %u instead of %u, later %u\n", what, i, count, last,
           got, want, later);
    fflush(stdout);
    return false;
}

// `constant`: all must be `value`; otherwise they count up from it.
static bool right(struct lane *lane, const char *what, cl_mem memory, size_t count, cl_uint value,
                  bool constant)
{
    for (size_t i = 0; i < count; i++)
        if (lane->back[i] != value + (constant ? 0 : (cl_uint)i))
            return wrong(lane, what, memory, count, i, value + (constant ? 0 : (cl_uint)i));
    return true;
}

// Builds a new program that writes its own number; uses it on one queue for a while, then on
// another.
static void run_new(struct lane *lane, cl_mem out, size_t count, cl_uint value)
{
    if (rand_r(&lane->seed) % 32 == 0)
        lane->turn++;
    cl_command_queue queue = lane->queues[lane->turn % QUEUES];
    char text[128];
    snprintf(text, sizeof text, "kernel void k(global uint *o) { o[get_global_id(0)] = %uu; }",
             value);
    cl_program program = build(lane, text);
    cl_kernel k = kernel(program, "k");
    check(clSetKernelArg(k, 0, sizeof out, &out), "clSetKernelArg");
    launch(queue, k, count, 0, NULL, NULL);
    read_back(queue, out, count, lane->back);
    clReleaseKernel(k);
    clReleaseProgram(program);
}

// A random number of items. Some need a local size, and so a pipeline, of their own.
static size_t random_count(struct lane *lane)
{
    size_t count = 1024 + (size_t)rand_r(&lane->seed) % (ITEMS - 1024);
    return rand_r(&lane->seed) % 16 ? count / 256 * 256 : count;
}

static bool rebuilt(struct lane *lane, cl_uint value)
{
    size_t count = random_count(lane);
    value %= PROGRAMS;
    run_new(lane, lane->persistent, count, value);
    return right(lane, "rebuilt", lane->persistent, count, value, true);
}

static bool fresh(struct lane *lane, cl_uint value)
{
    size_t count = random_count(lane);
    value %= PROGRAMS;
    cl_mem out = buffer(lane, CL_MEM_READ_WRITE, count, NULL);
    run_new(lane, out, count, value);
    bool good = right(lane, "fresh", out, count, value, true);
    clReleaseMemObject(out);
    return good;
}

// The results of one queue are the input of another, ordered by an event or by clFinish.
static bool across(struct lane *lane, cl_uint value)
{
    size_t count = random_count(lane);
    cl_mem first = buffer(lane, CL_MEM_READ_WRITE, count, NULL);
    cl_mem second = buffer(lane, CL_MEM_READ_WRITE, count, NULL);
    bool finish = value & 1;
    cl_event filled = NULL, added = NULL;
    set_fill(lane, first, value);
    launch(lane->queues[0], lane->fill, count, 0, NULL, &filled);
    if (finish)
        check(clFinish(lane->queues[0]), "clFinish");
    set_add(lane, second, first, 7);
    launch(lane->queues[1], lane->add, count, finish ? 0 : 1, finish ? NULL : &filled, &added);
    check(clEnqueueReadBuffer(lane->queues[2], second, CL_TRUE, 0, count * sizeof *lane->back,
                              lane->back, 1, &added, NULL),
          "clEnqueueReadBuffer");
    bool good = right(lane, finish ? "across (finish)" : "across (event)", second, count, value + 7,
                      false);
    clReleaseEvent(filled);
    clReleaseEvent(added);
    clReleaseMemObject(first);
    clReleaseMemObject(second);
    return good;
}

// A buffer's initial contents are visible to whichever queue uses it first.
static bool begun(struct lane *lane, cl_uint value)
{
    size_t count = random_count(lane);
    for (size_t i = 0; i < count; i++)
        lane->host[i] = value + (cl_uint)i;
    cl_mem in = buffer(lane, CL_MEM_COPY_HOST_PTR, count, lane->host);
    cl_mem out = buffer(lane, CL_MEM_READ_WRITE, count, NULL);
    cl_command_queue queue = lane->queues[value % QUEUES];
    set_add(lane, out, in, 3);
    launch(queue, lane->add, count, 0, NULL, NULL);
    read_back(queue, out, count, lane->back);
    bool good = right(lane, "begun", out, count, value + 3, false);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    return good;
}

// Large transfers in both directions, with a wait at the end only.
static bool large(struct lane *lane, cl_uint value)
{
    size_t bytes = LARGE * sizeof(cl_uint);
    cl_mem memory = buffer(lane, CL_MEM_READ_WRITE, LARGE, NULL);
    for (size_t i = 0; i < LARGE; i++)
        lane->host[i] = value + (cl_uint)i;
    check(clEnqueueWriteBuffer(lane->queues[0], memory, CL_FALSE, 0, bytes, lane->host, 0, NULL,
                               NULL),
          "clEnqueueWriteBuffer");
    check(clEnqueueReadBuffer(lane->queues[0], memory, CL_FALSE, 0, bytes, lane->back, 0, NULL,
                              NULL),
          "clEnqueueReadBuffer");
    check(clFinish(lane->queues[0]), "clFinish");
    bool good = right(lane, "large", memory, LARGE, value, false);
    clReleaseMemObject(memory);
    return good;
}

static cl_mem image(struct lane *lane)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = PIXELS, .image_height = PIXELS};
    cl_int status;
    cl_mem made = clCreateImage(lane->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &status);
    check(status, "clCreateImage");
    return made;
}

static bool images(struct lane *lane, cl_uint value)
{
    const size_t origin[3] = {0, 0, 0}, region[3] = {PIXELS, PIXELS, 1};
    cl_mem first = image(lane), second = image(lane);
    cl_event copied;
    for (size_t i = 0; i < PIXELS * PIXELS; i++)
        lane->host[i] = value + (cl_uint)i;
    check(clEnqueueWriteImage(lane->queues[0], first, CL_FALSE, origin, region, 0, 0, lane->host, 0,
                              NULL, NULL),
          "clEnqueueWriteImage");
    check(clEnqueueCopyImage(lane->queues[0], first, second, origin, origin, region, 0, NULL,
                             &copied),
          "clEnqueueCopyImage");
    check(clEnqueueReadImage(lane->queues[1], second, CL_TRUE, origin, region, 0, 0, lane->back, 1,
                             &copied, NULL),
          "clEnqueueReadImage");
    bool good = right(lane, "images", NULL, PIXELS * PIXELS, value, false);
    clReleaseEvent(copied);
    clReleaseMemObject(first);
    clReleaseMemObject(second);
    return good;
}

static const struct {
    const char *name;
    bool (*round)(struct lane *lane, cl_uint value);
} kinds[] = {
    {"rebuilt", rebuilt}, {"fresh", fresh}, {"across", across},
    {"begun", begun},     {"large", large}, {"images", images},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

// ---- processes ----------------------------------------------------------------------------------

static void open_lane(struct lane *lane, unsigned seed)
{
    cl_platform_id platform;
    cl_device_id devices[QUEUES];
    cl_uint count;
    cl_int status;
    lane->seed = seed;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, QUEUES, devices, &count), "clGetDeviceIDs");
    count = count < QUEUES ? count : QUEUES;
    lane->context = clCreateContext(NULL, count, devices, NULL, NULL, &status);
    check(status, "clCreateContext");
    for (int i = 0; i < QUEUES; i++) {
        lane->queues[i] = clCreateCommandQueue(lane->context, devices[(unsigned)i % count], 0, &status);
        check(status, "clCreateCommandQueue");
    }
    lane->program = build(lane, source_text);
    lane->fill = kernel(lane->program, "fill");
    lane->add = kernel(lane->program, "add");
    lane->persistent = buffer(lane, CL_MEM_READ_WRITE, ITEMS, NULL);
    lane->host = malloc(LARGE * sizeof *lane->host);
    lane->back = malloc(LARGE * sizeof *lane->back);
    if (!lane->host || !lane->back)
        check(CL_OUT_OF_HOST_MEMORY, "malloc");
}

static int busy(int seconds, unsigned seed)
{
    struct lane lane;
    const int steps = 2000;
    open_lane(&lane, seed);
    cl_kernel k = kernel(lane.program, "busy");
    check(clSetKernelArg(k, 0, sizeof lane.persistent, &lane.persistent), "clSetKernelArg");
    check(clSetKernelArg(k, 1, sizeof steps, &steps), "clSetKernelArg");
    double until = bench_now() + seconds;
    while (bench_now() < until) {
        for (int i = 0; i < 50; i++)
            launch(lane.queues[0], k, ITEMS, 0, NULL, NULL);
        check(clFinish(lane.queues[0]), "clFinish");
    }
    return 0;
}

static int checker(int seconds, unsigned seed, int kind)
{
    struct lane lane;
    unsigned rounds = 0, bad = 0;
    open_lane(&lane, seed);
    double until = bench_now() + seconds;
    for (; bench_now() < until; rounds++)
        bad += !kinds[kind].round(&lane, seed * 1000003u + rounds * 2654435761u);
    printf("%-8s %8u rounds %6u wrong\n", kinds[kind].name, rounds, bad);
    fflush(stdout);
    return bad != 0;
}

static int number(int count, char **words, int i, int otherwise)
{
    return count > i ? atoi(words[i]) : otherwise;
}

int main(int argc, char **argv)
{
    int seconds = number(argc, argv, 1, 20), busy_count = number(argc, argv, 2, 8);
    int checkers = number(argc, argv, 3, 2 * KINDS), kind = number(argc, argv, 4, -1);
    int bad = 0, status;
    for (int i = 0; i < busy_count + checkers; i++) {
        if (fork())
            continue;
        alarm((unsigned)seconds + GRACE_S); // a process that hangs is a failure
        int way = kind >= 0 ? kind % KINDS : (i - busy_count) % KINDS;
        _exit(i < busy_count ? busy(seconds, (unsigned)i) : checker(seconds, (unsigned)i, way));
    }
    while (wait(&status) > 0)
        bad += status != 0;
    printf("%d processes failed\n", bad);
    return bad != 0;
}
