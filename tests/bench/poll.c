// SPDX-License-Identifier: Apache-2.0
// The cost of polling an event on the first platform's device, for a program that only polls and
// never flushes or waits.
//
//   rate     one thread enqueues launches while 0, 1 and 8 threads poll: launches a second, CPU time of that thread per
//            launch. The pollers' commands are held by a user event, or are the latest ones enqueued
//   poll     CPU time per poll, by 1 and 8 threads: of a command held by a user event, and of one that the device runs
//   latency  from the end of a command on the device until a poll returns complete: median and 99th percentile
//   callback from the launch of a command to its callback, which no thread waits for, with and
//            without a long command in an older queue
//
//   OCL_ICD_VENDORS=FOLDER-WITH-ICD-FILES bench_poll
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "bench_cl.h"

enum { LAUNCHES = 1024, EVERY = 64, BATCHES = 50, EVENTS = BATCHES * LAUNCHES / EVERY, MOST = 8, ROUNDS = 400 };

static const char text[] =
    "kernel void one(global uint *x) { if (x[0] == 12345u) x[1] = 1u; }"
    "kernel void spin(global uint *x, uint n) { uint v = x[0]; for (uint i = 0; i < n; i++) v = v * v + i; x[1] = v; }";

static cl_context context;
static cl_device_id device;
static cl_kernel kernel, spin;
static _Atomic(cl_event) latest;
static atomic_bool over;

struct poller {
    pthread_t handle;
    double seconds;
    uint64_t polls;
};

static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static cl_command_queue new_queue(cl_command_queue_properties properties)
{
    cl_int status;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, list, &status);
    bench_check(status, "clCreateCommandQueueWithProperties");
    return queue;
}

static bool is_complete(cl_event event)
{
    cl_int status = CL_QUEUED;
    bench_check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL), "clGetEventInfo");
    return status <= CL_COMPLETE;
}

static void launch(cl_command_queue queue, cl_uint count, const cl_event *waits, cl_event *event)
{
    const size_t one = 1;
    bench_check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, count, waits, event), "clEnqueueNDRangeKernel");
}

// ---- rate ---------------------------------------------------------------------------------------

static void *poll_latest(void *data)
{
    struct poller *poller = data;
    double begin = cpu_now();
    for (; !over; poller->polls++)
        is_complete(latest);
    poller->seconds = cpu_now() - begin;
    return NULL;
}

static void start_pollers(struct poller *pollers, int count, cl_event event)
{
    latest = event;
    over = false;
    for (int i = 0; i < count; i++) {
        pollers[i] = (struct poller){.polls = 0};
        pthread_create(&pollers[i].handle, NULL, poll_latest, &pollers[i]);
    }
}

// Returns seconds of CPU time per poll.
static double stop_pollers(struct poller *pollers, int count)
{
    double seconds = 0;
    uint64_t polls = 0;
    over = true;
    for (int i = 0; i < count; i++) {
        pthread_join(pollers[i].handle, NULL);
        seconds += pollers[i].seconds;
        polls += pollers[i].polls;
    }
    return polls ? seconds / (double)polls : 0;
}

static void time_rate(int count, bool held)
{
    static cl_event events[EVENTS];
    static double samples[BATCHES], cpu[BATCHES];
    struct poller pollers[MOST];
    cl_int status;
    int made = 0;
    cl_command_queue queue = new_queue(0), other = new_queue(0);
    cl_event gate = clCreateUserEvent(context, &status), first;
    launch(other, 1, &gate, &first);
    start_pollers(pollers, count, first);
    for (int round = 0; round < BATCHES; round++) {
        double begin = bench_now(), cpu_begin = cpu_now();
        for (int i = 0; i < LAUNCHES; i++) {
            launch(queue, 0, NULL, i % EVERY ? NULL : &events[made]);
            if (i % EVERY == 0 && !held)
                latest = events[made];
            made += i % EVERY == 0;
        }
        samples[round] = bench_now() - begin;
        cpu[round] = cpu_now() - cpu_begin;
        bench_check(clFinish(queue), "clFinish");
    }
    stop_pollers(pollers, count);
    printf("rate  %d pollers of %s: %8.0f launches/s, %.3f us CPU per launch\n", count, held ? "held commands" : "the latest   ",
           LAUNCHES / bench_median(samples, BATCHES), 1e6 * bench_median(cpu, BATCHES) / LAUNCHES);
    clSetUserEventStatus(gate, CL_COMPLETE);
    bench_check(clFinish(other), "clFinish");
    for (int i = 0; i < EVENTS; i++)
        clReleaseEvent(events[i]);
    clReleaseEvent(first);
    clReleaseEvent(gate);
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(other);
}

// ---- one poll -----------------------------------------------------------------------------------

static void time_held(int count)
{
    struct poller pollers[MOST];
    const struct timespec while_polled = {.tv_nsec = 200000000};
    cl_int status;
    cl_command_queue queue = new_queue(0);
    cl_event gate = clCreateUserEvent(context, &status), event;
    launch(queue, 1, &gate, &event);
    start_pollers(pollers, count, event);
    nanosleep(&while_polled, NULL);
    printf("poll  %d pollers of a held command: %4.0f ns CPU per poll\n", count, 1e9 * stop_pollers(pollers, count));
    clSetUserEventStatus(gate, CL_COMPLETE);
    bench_check(clFinish(queue), "clFinish");
    clReleaseEvent(event);
    clReleaseEvent(gate);
    clReleaseCommandQueue(queue);
}

static void time_busy(int count)
{
    struct poller pollers[MOST];
    const size_t one = 1;
    cl_uint steps = 50000000;
    cl_command_queue queue = new_queue(0);
    cl_event event;
    bench_check(clSetKernelArg(spin, 1, sizeof steps, &steps), "clSetKernelArg");
    bench_check(clEnqueueNDRangeKernel(queue, spin, 1, NULL, &one, &one, 0, NULL, &event), "clEnqueueNDRangeKernel");
    start_pollers(pollers, count, event);
    bench_check(clWaitForEvents(1, &event), "clWaitForEvents");
    printf("poll  %d pollers of a busy device: %4.0f ns CPU per poll\n", count, 1e9 * stop_pollers(pollers, count));
    clReleaseEvent(event);
    clReleaseCommandQueue(queue);
}

// ---- latency ------------------------------------------------------------------------------------

static void *set_gate(void *gate)
{
    clSetUserEventStatus((cl_event)gate, CL_COMPLETE);
    return NULL;
}

// Uses the device's clock, which the host can read.
static double seconds_since_end(cl_event event)
{
    cl_ulong end = 0, device_now = 0, host_now = 0;
    bench_check(clGetDeviceAndHostTimer(device, &device_now, &host_now), "clGetDeviceAndHostTimer");
    bench_check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "clGetEventProfilingInfo");
    return 1e-9 * (double)(cl_long)(device_now - end);
}

static void time_latency(const char *name, bool gated)
{
    static double samples[ROUNDS];
    cl_command_queue first = new_queue(CL_QUEUE_PROFILING_ENABLE), second = new_queue(CL_QUEUE_PROFILING_ENABLE);
    for (int i = 0; i < ROUNDS; i++) {
        cl_int status;
        cl_event gate = clCreateUserEvent(context, &status), before, event;
        pthread_t setter;
        launch(first, gated, gated ? &gate : NULL, &before);
        launch(second, 1, &before, &event);
        if (gated)
            pthread_create(&setter, NULL, set_gate, gate);
        while (!is_complete(event)) {
        }
        samples[i] = 1e6 * seconds_since_end(event);
        if (gated)
            pthread_join(setter, NULL);
        clReleaseEvent(gate);
        clReleaseEvent(before);
        clReleaseEvent(event);
    }
    printf("latency  %s: median %.1f us", name, bench_median(samples, ROUNDS));
    printf(", 99th percentile %.1f us\n", samples[ROUNDS * 99 / 100]);
    clReleaseCommandQueue(first);
    clReleaseCommandQueue(second);
}

// ---- callbacks ----------------------------------------------------------------------------------

static _Atomic(double) called_at;

static void CL_CALLBACK note(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
    called_at = bench_now();
}

static void time_callback(bool beside)
{
    static double samples[ROUNDS];
    const struct timespec pause = {.tv_nsec = 20000};
    const size_t one = 1;
    const cl_uint steps = 1000000;
    cl_command_queue older = new_queue(0), queue = new_queue(0);
    bench_check(clSetKernelArg(spin, 1, sizeof steps, &steps), "clSetKernelArg");
    for (int i = 0; i < ROUNDS; i++) {
        cl_event event;
        double begin = bench_now();
        called_at = 0;
        launch(queue, 0, NULL, &event);
        bench_check(clSetEventCallback(event, CL_COMPLETE, note, NULL), "clSetEventCallback");
        bench_check(clFlush(queue), "clFlush");
        if (beside) {
            bench_check(clEnqueueNDRangeKernel(older, spin, 1, NULL, &one, &one, 0, NULL, NULL), "clEnqueueNDRangeKernel");
            bench_check(clFlush(older), "clFlush");
        }
        while (called_at == 0)
            nanosleep(&pause, NULL);
        samples[i] = 1e6 * (called_at - begin);
        clReleaseEvent(event);
        bench_check(clFinish(older), "clFinish");
    }
    printf("callback %s: median %.1f us", beside ? "beside a busy older queue" : "of the only busy queue", bench_median(samples, ROUNDS));
    printf(", 99th percentile %.1f us\n", samples[ROUNDS * 99 / 100]);
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(older);
}

int main(void)
{
    cl_platform_id platform;
    const char *source = text;
    cl_int status;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
        fprintf(stderr, "no OpenCL device\n");
        return 77;
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    bench_check(status, "clCreateContext");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    bench_check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &status);
    kernel = clCreateKernel(program, "one", &status);
    bench_check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    spin = clCreateKernel(program, "spin", &status);
    bench_check(clSetKernelArg(spin, 0, sizeof buffer, &buffer), "clSetKernelArg");
    for (int i = 0; i < 3; i++) {
        const int counts[] = {0, 1, MOST};
        time_rate(counts[i], true);
        time_rate(counts[i], false);
    }
    for (int count = 1; count <= MOST; count *= MOST) {
        time_held(count);
        time_busy(count);
    }
    time_latency("two queues", false);
    time_latency("two queues behind a user event", true);
    time_callback(false);
    time_callback(true);
    clReleaseKernel(kernel);
    clReleaseKernel(spin);
    clReleaseMemObject(buffer);
    clReleaseProgram(program);
    clReleaseContext(context);
    return 0;
}
