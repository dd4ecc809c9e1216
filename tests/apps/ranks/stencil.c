// SPDX-License-Identifier: Apache-2.0
// Heat conduction in a block of metal, with one rank and one device for each slab: a seven-point
// stencil with halo exchange.
//
// Each step computes the two outer planes of the slab first. While the device computes the inner
// planes, a second queue reads the outer ones, the ranks exchange them, and the queue writes those
// of the neighbours.
//
//   stencil [--ranks=N] [--width=W] [--planes=P] [--strong] [--steps=S] [--check]
//
// A slab has W x W x P cells; --strong: all slabs together have P planes. A rank uses the device
// whose index is the rank's number on its machine (modulo the number of devices). --check: compares
// the result with the same steps on the host.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ranks.h"

enum { WARM_STEPS = 10 };
#define RATE 0.1f

// The slab has the planes 0 to planes - 1. The adjacent planes from the neighbours are in halo[0]
// (below) and halo[1] (above); sides without a neighbour, and the borders of all planes, keep the
// value 0.
static const char source[] =
    "float cell(global const float *slab, global const float *halo, int x, int y, int z, int w, int planes) {\n"
    "    if (x < 0 || y < 0 || x >= w || y >= w) return 0;\n"
    "    if (z < 0) return halo[y * w + x];\n"
    "    if (z >= planes) return halo[w * w + y * w + x];\n"
    "    return slab[(z * w + y) * w + x];\n"
    "}\n"
    "float next(global const float *slab, global const float *halo, int x, int y, int z, int w, int planes) {\n"
    "    float c = cell(slab, halo, x, y, z, w, planes);\n"
    "    float sum = cell(slab, halo, x - 1, y, z, w, planes) + cell(slab, halo, x + 1, y, z, w, planes) +\n"
    "                cell(slab, halo, x, y - 1, z, w, planes) + cell(slab, halo, x, y + 1, z, w, planes) +\n"
    "                cell(slab, halo, x, y, z - 1, w, planes) + cell(slab, halo, x, y, z + 1, w, planes);\n"
    "    return c + RATE * (sum - 6 * c);\n"
    "}\n"
    "kernel void outer(global const float *from, global float *to, global const float *halo, global float *edge,\n"
    "                  int w, int planes) {\n"
    "    int x = get_global_id(0), y = get_global_id(1), side = get_global_id(2), z = side ? planes - 1 : 0;\n"
    "    float c = next(from, halo, x, y, z, w, planes);\n"
    "    to[(z * w + y) * w + x] = c;\n"
    "    edge[(side * w + y) * w + x] = c;\n"
    "}\n"
    "kernel void inner(global const float *from, global float *to, int w) {\n"
    "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2) + 1;\n"
    "    global const float *at = from + (z * w + y) * w + x;\n"
    "    float c = *at, sum = (x ? at[-1] : 0) + (x < w - 1 ? at[1] : 0);\n"
    "    sum += y ? at[-w] : 0;\n"
    "    sum += y < w - 1 ? at[w] : 0;\n"
    "    sum += at[-w * w];\n"
    "    sum += at[w * w];\n"
    "    to[(z * w + y) * w + x] = c + RATE * (sum - 6 * c);\n"
    "}\n";

static struct options {
    int ranks, width, planes, steps;
    bool strong, check;
} options = {.width = 48, .planes = 24, .steps = 100};

static void check(cl_int status, const char *what)
{
    if (status) {
        fprintf(stderr, "stencil: %s: %d\n", what, status);
        exit(1);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- a rank's slab on its device ----------------------------------------------------------------

struct slab {
    int width, planes, first; // planes of the whole block: first to first + planes - 1
    size_t plane;             // bytes of one
    cl_context context;
    cl_command_queue compute, copy;
    cl_program program;
    cl_kernel outer, inner;
    cl_mem cells[2];
    cl_mem halo[2], edge[2]; // for even and odd steps
};

static cl_device_id device_of(const struct ranks *self)
{
    cl_device_id devices[64];
    cl_platform_id platform;
    cl_uint count = 0;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 64, devices, &count) || !count) {
        fprintf(stderr, "stencil: no OpenCL device\n");
        exit(77);
    }
    return devices[self->local % (int)(count < 64 ? count : 64)];
}

static cl_mem new_buffer(const struct slab *slab, size_t bytes)
{
    cl_int status;
    cl_mem mem = clCreateBuffer(slab->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    check(status, "clCreateBuffer");
    return mem;
}

static void open_slab(struct slab *slab, const struct ranks *self)
{
    cl_int status;
    const char *text = source;
    char build[64];
    cl_device_id device = device_of(self);
    slab->context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    slab->compute = clCreateCommandQueue(slab->context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    slab->copy = clCreateCommandQueue(slab->context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    slab->program = clCreateProgramWithSource(slab->context, 1, &text, NULL, &status);
    check(status, "clCreateProgramWithSource");
    snprintf(build, sizeof build, "-D RATE=%gf", (double)RATE);
    check(clBuildProgram(slab->program, 1, &device, build, NULL, NULL), "clBuildProgram");
    slab->outer = clCreateKernel(slab->program, "outer", &status);
    check(status, "clCreateKernel");
    slab->inner = clCreateKernel(slab->program, "inner", &status);
    check(status, "clCreateKernel");
    for (int i = 0; i < 2; i++) {
        slab->cells[i] = new_buffer(slab, slab->plane * (size_t)slab->planes);
        slab->halo[i] = new_buffer(slab, slab->plane * RANKS_SIDES);
        slab->edge[i] = new_buffer(slab, slab->plane * RANKS_SIDES);
    }
}

static void close_slab(struct slab *slab)
{
    for (int i = 0; i < 2; i++) {
        clReleaseMemObject(slab->cells[i]);
        clReleaseMemObject(slab->halo[i]);
        clReleaseMemObject(slab->edge[i]);
    }
    clReleaseKernel(slab->outer);
    clReleaseKernel(slab->inner);
    clReleaseProgram(slab->program);
    clReleaseCommandQueue(slab->compute);
    clReleaseCommandQueue(slab->copy);
    clReleaseContext(slab->context);
}

// The initial value of a cell.
static float begin_at(int width, int x, int y, int z)
{
    return (float)((x * 7 + y * 13 + z * 29) % 101 + 50 * (x == width / 2 && y == width / 2));
}

static void fill(float *cells, int width, int first, int planes)
{
    for (int z = 0; z < planes; z++)
        for (int y = 0; y < width; y++)
            for (int x = 0; x < width; x++)
                cells[((size_t)z * (size_t)width + (size_t)y) * (size_t)width + (size_t)x] = begin_at(width, x, y, first + z);
}

static void send_to_device(struct slab *slab, const struct ranks *self)
{
    const size_t bytes = slab->plane * (size_t)slab->planes;
    float *cells = malloc(bytes), *halo = calloc(RANKS_SIDES, slab->plane);
    if (!cells || !halo)
        check(CL_OUT_OF_HOST_MEMORY, "malloc");
    fill(cells, slab->width, slab->first, slab->planes);
    check(clEnqueueWriteBuffer(slab->compute, slab->cells[0], CL_TRUE, 0, bytes, cells, 0, NULL, NULL), "clEnqueueWriteBuffer");
    for (int i = 0; i < 2; i++) {
        for (int side = 0; side < RANKS_SIDES && !i; side++) // the initial values next to each
                                                             // boundary
            if (ranks_has(self, side))
                fill(halo + (size_t)side * slab->plane / 4, slab->width, side ? slab->first + slab->planes : slab->first - 1, 1);
        check(clEnqueueWriteBuffer(slab->compute, slab->halo[i], CL_TRUE, 0, slab->plane * RANKS_SIDES, halo, 0, NULL, NULL),
              "clEnqueueWriteBuffer");
        memset(halo, 0, slab->plane * RANKS_SIDES);
    }
    free(cells);
    free(halo);
}

// ---- a step -------------------------------------------------------------------------------------

static void set(cl_kernel kernel, cl_uint count, const cl_mem *mems, const cl_int *numbers, cl_uint more)
{
    for (cl_uint i = 0; i < count; i++)
        check(clSetKernelArg(kernel, i, sizeof *mems, &mems[i]), "clSetKernelArg");
    for (cl_uint i = 0; i < more; i++)
        check(clSetKernelArg(kernel, count + i, sizeof *numbers, &numbers[i]), "clSetKernelArg");
}

// Computes the outer planes, when their halo has been received, and the inner ones.
static void compute(struct slab *slab, unsigned step, cl_uint count, const cl_event *received, cl_event *edges)
{
    const size_t width = (size_t)slab->width;
    const cl_int numbers[] = {slab->width, slab->planes};
    const cl_mem from = slab->cells[step % 2], to = slab->cells[(step + 1) % 2];
    const cl_mem mems[] = {from, to, slab->halo[step % 2], slab->edge[step % 2]};
    set(slab->outer, 4, mems, numbers, 2);
    set(slab->inner, 2, mems, numbers, 1);
    check(clEnqueueNDRangeKernel(slab->compute, slab->outer, 3, NULL, (size_t[]){width, width, 2}, NULL, count,
                                 count ? received : NULL, edges), "clEnqueueNDRangeKernel");
    check(clFlush(slab->compute), "clFlush");
    if (slab->planes > 2)
        check(clEnqueueNDRangeKernel(slab->compute, slab->inner, 3, NULL, (size_t[]){width, width, (size_t)slab->planes - 2},
                                     NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clFlush(slab->compute), "clFlush");
}

// Returns the number of writes that the next step must wait for.
static cl_uint exchange(struct slab *slab, const struct ranks *self, unsigned step, cl_event edges, cl_event *received)
{
    cl_uint count = 0;
    for (int side = 0; side < RANKS_SIDES; side++)
        if (ranks_has(self, side))
            check(clEnqueueReadBuffer(slab->copy, slab->edge[step % 2], CL_FALSE, (size_t)side * slab->plane, slab->plane,
                                      ranks_to_send(self, side, step), 1, &edges, NULL), "clEnqueueReadBuffer");
    check(clFinish(slab->copy), "clFinish");
    ranks_exchange(self, step, slab->plane);
    for (int side = 0; side < RANKS_SIDES; side++)
        if (ranks_has(self, side))
            check(clEnqueueWriteBuffer(slab->copy, slab->halo[(step + 1) % 2], CL_FALSE, (size_t)side * slab->plane,
                                       slab->plane, ranks_received(self, side, step), 0, NULL, &received[count++]),
                  "clEnqueueWriteBuffer");
    check(clFlush(slab->copy), "clFlush");
    return count;
}

// Returns the seconds per step of the last `steps`.
static double run(struct slab *slab, const struct ranks *self, int warm, int steps)
{
    cl_event received[RANKS_SIDES], edges;
    cl_uint count = 0;
    double begin = 0;
    for (int step = 0; step < warm + steps; step++) {
        if (step == warm) {
            check(clFinish(slab->compute), "clFinish");
            ranks_barrier(self);
            begin = now();
        }
        compute(slab, (unsigned)step, count, received, &edges);
        for (cl_uint i = 0; i < count; i++)
            clReleaseEvent(received[i]);
        count = exchange(slab, self, (unsigned)step, edges, received);
        clReleaseEvent(edges);
    }
    check(clFinish(slab->compute), "clFinish");
    check(clFinish(slab->copy), "clFinish");
    for (cl_uint i = 0; i < count; i++)
        clReleaseEvent(received[i]);
    return ranks_max(self, now() - begin) / steps;
}

// ---- the same on the host -----------------------------------------------------------------------

static float host_cell(const float *block, int x, int y, int z, int w, int planes)
{
    bool outside = x < 0 || y < 0 || z < 0 || x >= w || y >= w || z >= planes;
    return outside ? 0 : block[((size_t)z * (size_t)w + (size_t)y) * (size_t)w + (size_t)x];
}

static void host_step(const float *from, float *to, int w, int planes)
{
    for (int z = 0; z < planes; z++)
        for (int y = 0; y < w; y++)
            for (int x = 0; x < w; x++) {
                float sum = 0, c = host_cell(from, x, y, z, w, planes);
                for (int side = -1; side <= 1; side += 2)
                    sum += host_cell(from, x + side, y, z, w, planes) + host_cell(from, x, y + side, z, w, planes) +
                           host_cell(from, x, y, z + side, w, planes);
                to[((size_t)z * (size_t)w + (size_t)y) * (size_t)w + (size_t)x] = c + RATE * (sum - 6 * c);
            }
}

// Counts the cells of the slab that differ from the host's results for the whole block.
static int wrong_cells(struct slab *slab, int all_planes, int steps)
{
    const size_t count = slab->plane / 4, all = count * (size_t)all_planes, own = count * (size_t)slab->planes;
    float *block[2] = {malloc(all * 4), malloc(all * 4)}, *cells = malloc(own * 4);
    int wrong = 0;
    if (!block[0] || !block[1] || !cells)
        check(CL_OUT_OF_HOST_MEMORY, "malloc");
    fill(block[0], slab->width, 0, all_planes);
    for (int step = 0; step < steps; step++)
        host_step(block[step % 2], block[(step + 1) % 2], slab->width, all_planes);
    check(clEnqueueReadBuffer(slab->compute, slab->cells[steps % 2], CL_TRUE, 0, own * 4, cells, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    const float *want = block[steps % 2] + count * (size_t)slab->first;
    for (size_t i = 0; i < own; i++)
        wrong += !(fabsf(cells[i] - want[i]) <= 1e-3f);
    free(block[0]);
    free(block[1]);
    free(cells);
    return wrong;
}

// -------------------------------------------------------------------------------------------------

static bool parse(int argc, char **argv)
{
    const struct { const char *name; int *value; } numbers[] = {{"--ranks=", &options.ranks}, {"--width=", &options.width},
        {"--planes=", &options.planes}, {"--steps=", &options.steps}};
    for (int i = 1; i < argc; i++) {
        bool known = false;
        for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++) {
            size_t length = strlen(numbers[j].name);
            if (strncmp(argv[i], numbers[j].name, length))
                continue;
            *numbers[j].value = atoi(argv[i] + length);
            known = *numbers[j].value > 0;
        }
        if (!strcmp(argv[i], "--strong"))
            known = options.strong = true;
        if (!strcmp(argv[i], "--check"))
            known = options.check = true;
        if (!known) {
            fprintf(stderr, "usage: stencil [--ranks=N] [--width=W] [--planes=P] [--strong] [--steps=S] [--check]\n");
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct ranks self;
    if (!parse(argc, argv))
        return 2;
    size_t plane = (size_t)options.width * (size_t)options.width * sizeof(float);
    ranks_begin(&self, options.ranks, plane);
    int all = options.strong ? options.planes : options.planes * self.count, wrong = 0;
    int first = (int)((long long)all * self.rank / self.count), end = (int)((long long)all * (self.rank + 1) / self.count);
    if (end - first < 2) {
        fprintf(stderr, "stencil: a slab needs at least 2 planes\n");
        return 2;
    }
    struct slab slab = {.width = options.width, .planes = end - first, .first = first, .plane = plane};
    open_slab(&slab, &self);
    send_to_device(&slab, &self);
    double seconds = run(&slab, &self, WARM_STEPS, options.steps);
    if (options.check)
        wrong = wrong_cells(&slab, all, WARM_STEPS + options.steps);
    if (wrong)
        printf("rank %d: %d cells are wrong\n", self.rank, wrong);
    if (!self.rank)
        printf("%d ranks, %d x %d x %d cells: %.3f ms a step, %.2f Gcells/s\n", self.count, options.width, options.width, all,
               1e3 * seconds, 1e-9 * (double)plane / 4 * all / seconds);
    close_slab(&slab);
    return ranks_end(&self, !wrong);
}
