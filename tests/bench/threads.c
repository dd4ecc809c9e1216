// SPDX-License-Identifier: Apache-2.0
// How many enqueues a second 1, 2, 4 and 8 threads can make together, on every OpenCL platform.
//
// Each thread has its own kernel and buffer and enqueues launches of one work-item, once on its
// own queue and once on a shared one. Only the enqueues are measured, from the common start until
// the last thread has finished; the device's remaining work is waited for between the rounds. The
// total number of launches does not depend on the number of threads.
//
//   OCL_ICD_VENDORS=FOLDER-WITH-ICD-FILES bench_threads [LAUNCHES]      millions a second
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_cl.h"

enum { ROUNDS = 25, LAUNCHES = 4096, MOST = 8, PLATFORMS = 4 };

static const char text[] = "kernel void one(global uint *x) { if (x[0] == 12345u) x[1] = 1u; }";

struct thread {
    pthread_t handle;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem buffer;
    double ended;
};

static struct thread threads[MOST];
static pthread_barrier_t start, end;
static int launches = LAUNCHES, share; // total; of each thread

static void *enqueue_all(void *data)
{
    struct thread *t = data;
    const size_t one = 1;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&start);
        for (int i = 0; i < share; i++)
            bench_check(
                clEnqueueNDRangeKernel(t->queue, t->kernel, 1, NULL, &one, &one, 0, NULL, NULL),
                "clEnqueueNDRangeKernel");
        t->ended = bench_now();
        bench_check(clFinish(t->queue), "clFinish");
        pthread_barrier_wait(&end);
    }
    return NULL;
}

// Returns millions of enqueues a second: the median of the rounds.
static double rate(int count)
{
    double samples[ROUNDS];
    share = launches / count;
    pthread_barrier_init(&start, NULL, (unsigned)count + 1);
    pthread_barrier_init(&end, NULL, (unsigned)count + 1);
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i].handle, NULL, enqueue_all, &threads[i]);
    for (int round = 0; round < ROUNDS; round++) {
        double begin = bench_now(), last = 0;
        pthread_barrier_wait(&start);
        pthread_barrier_wait(&end);
        for (int i = 0; i < count; i++)
            last = threads[i].ended > last ? threads[i].ended : last;
        samples[round] = last - begin;
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i].handle, NULL);
    pthread_barrier_destroy(&start);
    pthread_barrier_destroy(&end);
    return 1e-6 * count * share / bench_median(samples, ROUNDS);
}

static void make_threads(cl_context context, cl_device_id device, cl_program program)
{
    cl_int status;
    for (int i = 0; i < MOST; i++) {
        struct thread *t = &threads[i];
        t->queue = clCreateCommandQueue(context, device, 0, &status);
        bench_check(status, "clCreateCommandQueue");
        t->buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &status);
        bench_check(status, "clCreateBuffer");
        t->kernel = clCreateKernel(program, "one", &status);
        bench_check(status, "clCreateKernel");
        bench_check(clSetKernelArg(t->kernel, 0, sizeof t->buffer, &t->buffer), "clSetKernelArg");
    }
}

static void print_row(const char *name)
{
    printf("  %-24s", name);
    for (int count = 1; count <= MOST; count *= 2) {
        printf(" %8.3f", rate(count));
        fflush(stdout);
    }
    printf("\n");
}

static void time_platform(cl_platform_id platform)
{
    const char *source = text;
    char name[256] = "";
    cl_device_id device;
    cl_int status;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return;
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    bench_check(status, "clCreateContext");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    bench_check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    make_threads(context, device, program);
    printf("%-26s %8d %8d %8d %8d threads\n", name, 1, 2, 4, 8);
    print_row("a queue for each");
    for (int i = 1; i < MOST; i++) {
        clReleaseCommandQueue(threads[i].queue);
        threads[i].queue = threads[0].queue;
    }
    print_row("one queue for all");
    for (int i = 0; i < MOST; i++) {
        clReleaseKernel(threads[i].kernel);
        clReleaseMemObject(threads[i].buffer);
    }
    clReleaseCommandQueue(threads[0].queue);
    clReleaseProgram(program);
    clReleaseContext(context);
}

int main(int argc, char **argv)
{
    cl_platform_id platforms[PLATFORMS];
    cl_uint count = 0;
    if (argc > 1)
        launches = atoi(argv[1]);
    clGetPlatformIDs(PLATFORMS, platforms, &count);
    if (!count) {
        fprintf(stderr, "no OpenCL platform\n");
        return 77;
    }
    for (cl_uint i = 0; i < count && i < PLATFORMS; i++)
        time_platform(platforms[i]);
    return 0;
}
