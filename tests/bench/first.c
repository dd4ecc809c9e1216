// SPDX-License-Identifier: Apache-2.0
// The cost of first launches: wall and CPU time of a new process from the build to the results, in
// ms, if no cache has the kernels.
//
//   OCL_ICD_VENDORS=FOLDER-WITH-ICD-FILES bench_first SHAPE [LOCAL]
//
// SHAPE: big (one large kernel), ten (ten kernels, all created, then launched one after another),
// library (500 kernels, 3 of them launched), sizes (200 global sizes). LOCAL: the local size; 0:
// none. Drivers' caches must be off (__GL_SHADER_DISK_CACHE=0, MESA_SHADER_CACHE_DISABLE=true), and
// Pumice's too (PUMICE_CACHE_DIR=none). PUMICE_AHEAD=0 disables compilation ahead, for comparison.
#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 300
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench_cl.h"

enum { ITEMS = 1 << 14, KERNELS_MOST = 500, SIZES = 200 };

static const struct shape {
    const char *name;
    int kernels, launched, statements, sizes;
} shapes[] = {{"big", 1, 1, 60, 1}, {"ten", 10, 10, 12, 1}, {"library", 500, 3, 3, 1}, {"sizes", 1, 1, 8, SIZES}};

static struct bench_cl cl;

static double clock_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

// The process id in the source makes kernels that no cache has.
static char *write_source(const struct shape *shape)
{
    size_t room = (size_t)shape->kernels * ((size_t)shape->statements * 96 + 256), at = 0;
    char *text = malloc(room);
    for (int k = 0; k < shape->kernels; k++) {
        at += (size_t)snprintf(text + at, room - at, "kernel void k%d(global float *p) { size_t i = get_global_id(0); float x = p[i];\n", k);
        for (int s = 0; s < shape->statements; s++)
            at += (size_t)snprintf(text + at, room - at, "    x = sin(x + %d.5f) * pow(fabs(x) + 1.0f, 0.%d1f) + fmod(x, %d.25f);\n",
                                   (int)getpid() % 1000 + k, s, s + 2);
        at += (size_t)snprintf(text + at, room - at, "    p[i] = x; }\n");
    }
    return text;
}

static void launch(cl_kernel kernel, size_t items, size_t local)
{
    if (local)
        items = (items + local - 1) / local * local;
    bench_check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, local ? &local : NULL, 0, NULL, NULL), "launching");
    bench_check(clFinish(cl.queue), "waiting");
}

static void run(const struct shape *shape, size_t local)
{
    static cl_kernel kernels[KERNELS_MOST];
    char *text = write_source(shape);
    cl_int error;
    cl_mem mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, ITEMS * sizeof(float), NULL, &error);
    bench_check(error, "a buffer");
    double wall = clock_ms(CLOCK_MONOTONIC), used = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
    cl_program program = clCreateProgramWithSource(cl.context, 1, (const char **)&text, NULL, &error);
    bench_check(error, "a program");
    bench_check(clBuildProgram(program, 0, NULL, "", NULL, NULL), "building");
    double built = clock_ms(CLOCK_MONOTONIC);
    for (int k = 0; k < shape->kernels; k++) {
        char name[16];
        snprintf(name, sizeof name, "k%d", k);
        kernels[k] = clCreateKernel(program, name, &error);
        bench_check(error, name);
        bench_check(clSetKernelArg(kernels[k], 0, sizeof mem, &mem), name);
    }
    for (int k = 0; k < shape->launched; k++)
        for (int s = 0; s < shape->sizes; s++)
            launch(kernels[k], shape->sizes > 1 ? 1000 + 7 * (size_t)s : ITEMS, local);
    double end = clock_ms(CLOCK_MONOTONIC);
    printf("%-8s local %3zu: build %7.1f, launches %7.1f, CPU %7.1f", shape->name, local, built - wall, end - built,
           clock_ms(CLOCK_PROCESS_CPUTIME_ID) - used);
    for (int k = 0; k < shape->kernels; k++)
        clReleaseKernel(kernels[k]);
    clReleaseProgram(program);
    clReleaseMemObject(mem);
    free(text);
    printf(", all %7.1f\n", clock_ms(CLOCK_MONOTONIC) - wall);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof shapes / sizeof *shapes; i++) {
        if (strcmp(argv[1], shapes[i].name))
            continue;
        if (!bench_cl_open(&cl, NULL, 0))
            return 77;
        run(&shapes[i], argc > 2 ? strtoul(argv[2], NULL, 0) : 0);
        bench_cl_close(&cl);
        return 0;
    }
    fprintf(stderr, "usage: bench_first big|ten|library|sizes [LOCAL]\n");
    return 2;
}
