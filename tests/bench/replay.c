// SPDX-License-Identifier: Apache-2.0
// The host's cost of a launch: enqueued, and replayed from a command buffer
// (cl_khr_command_buffer), unchanged and with one argument of one launch, or of every launch,
// updated before each replay.
//
// Launches of one work-item, each of which depends on the previous one. `call`: until the last
// function returns and all commands are submitted; `done`: until the device has finished; both per
// launch. The updates are part of `call`.
//
//   OCL_ICD_VENDORS=... bench_replay [LAUNCHES]      nanoseconds per launch, medians
#include "bench_cl.h" // CL/cl.h before what declares the extension

#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "object/cl_command_buffer.h"

enum { ROUNDS = 41 };

static const char text[] = "kernel void add(global uint *x, uint n) { x[0] += n; }";
static struct bench_cl cl;
static cl_kernel kernel;
static unsigned launches = 1000;
static cl_command_buffer_khr fixed, changing;
static cl_mutable_command_khr *handles;

#define FUNCTIONS(X)                                                                                                   \
    X(clCreateCommandBufferKHR) X(clCommandNDRangeKernelKHR) X(clFinalizeCommandBufferKHR)                             \
    X(clEnqueueCommandBufferKHR) X(clUpdateMutableCommandsKHR) X(clReleaseCommandBufferKHR)
static struct {
#define FIELD(name) __typeof__(name) *name;
    FUNCTIONS(FIELD)
} ext;

static void load(void)
{
    cl_platform_id platform;
    bench_check(clGetDeviceInfo(cl.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL), "the platform");
#define LOAD(name) ext.name = (__typeof__(ext.name))clGetExtensionFunctionAddressForPlatform(platform, #name);
    FUNCTIONS(LOAD)
}

static cl_command_buffer_khr record(cl_command_buffer_flags_khr flags)
{
    const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    const size_t one = 1;
    cl_int error;
    cl_command_buffer_khr buffer = ext.clCreateCommandBufferKHR(1, &cl.queue, list, &error);
    bench_check(error, "clCreateCommandBufferKHR");
    for (unsigned i = 0; i < launches; i++)
        bench_check(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &one, &one, 0, NULL, NULL,
                                                  flags ? &handles[i] : NULL),
                    "clCommandNDRangeKernelKHR");
    bench_check(ext.clFinalizeCommandBufferKHR(buffer), "clFinalizeCommandBufferKHR");
    return buffer;
}

// ---- measured calls -----------------------------------------------------------------------------

static void enqueue(unsigned round)
{
    const size_t one = 1;
    (void)round;
    for (unsigned i = 0; i < launches; i++)
        bench_check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
                    "clEnqueueNDRangeKernel");
}

static void enqueue_set(unsigned round)
{
    const size_t one = 1;
    for (unsigned i = 0; i < launches; i++) {
        bench_check(clSetKernelArg(kernel, 1, sizeof round, &round), "clSetKernelArg");
        bench_check(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
                    "clEnqueueNDRangeKernel");
    }
}

static void replay_of(cl_command_buffer_khr buffer)
{
    bench_check(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL), "clEnqueueCommandBufferKHR");
}

static void replay(unsigned round)
{
    (void)round;
    replay_of(fixed);
}

static void update(unsigned first, unsigned count, unsigned value)
{
    static cl_mutable_dispatch_config_khr *configs;
    static const void **list;
    static cl_command_buffer_update_type_khr *types;
    const cl_mutable_dispatch_arg_khr arg = {1, sizeof value, &value};
    if (!configs) {
        configs = calloc(launches, sizeof *configs);
        list = calloc(launches, sizeof *list);
        types = calloc(launches, sizeof *types);
    }
    for (unsigned i = 0; i < count; i++) {
        configs[i] = (cl_mutable_dispatch_config_khr){.command = handles[first + i], .num_args = 1, .arg_list = &arg};
        list[i] = &configs[i];
    }
    bench_check(ext.clUpdateMutableCommandsKHR(changing, count, types, list), "clUpdateMutableCommandsKHR");
}

static void replay_changing(unsigned round)
{
    (void)round;
    replay_of(changing);
}

static void change_one(unsigned round)
{
    update(round * 7919 % launches, 1, round);
    replay_of(changing);
}

static void change_all(unsigned round)
{
    update(0, launches, round);
    replay_of(changing);
}

static void update_all(unsigned round)
{
    update(0, launches, round);
}

static int by_size(const void *a, const void *b)
{
    return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}

static void row(const char *name, void (*run)(unsigned round))
{
    double call[ROUNDS], done[ROUNDS];
    for (unsigned i = 0; i < ROUNDS; i++) {
        bench_check(clFinish(cl.queue), "clFinish");
        double begin = bench_now();
        run(i);
        bench_check(clFlush(cl.queue), "clFlush");
        call[i] = bench_now() - begin;
        bench_check(clFinish(cl.queue), "clFinish");
        done[i] = bench_now() - begin;
    }
    qsort(call, ROUNDS, sizeof *call, by_size);
    qsort(done, ROUNDS, sizeof *done, by_size);
    printf("%-44s %9.1f %9.1f\n", name, call[ROUNDS / 2] * 1e9 / launches, done[ROUNDS / 2] * 1e9 / launches);
    fflush(stdout);
}

static void open_all(void)
{
    const char *source = text;
    cl_int error;
    if (!bench_cl_open(&cl, NULL, 0)) {
        fprintf(stderr, "no device\n");
        exit(77);
    }
    load();
    cl_program program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &error);
    bench_check(error, "clCreateProgramWithSource");
    bench_check(clBuildProgram(program, 1, &cl.device, "", NULL, NULL), "clBuildProgram");
    kernel = clCreateKernel(program, "add", &error);
    bench_check(error, "clCreateKernel");
    cl_mem memory = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, 256, NULL, &error);
    bench_check(error, "clCreateBuffer");
    cl_uint value = 1;
    bench_check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
    bench_check(clSetKernelArg(kernel, 1, sizeof value, &value), "clSetKernelArg");
}

int main(int argc, char **argv)
{
    launches = argc > 1 ? (unsigned)atoi(argv[1]) : launches;
    open_all();
    printf("%s: %u launches, ns each            call      done\n", cl.name, launches);
    row("enqueued", enqueue);
    row("enqueued, an argument set before each", enqueue_set);
    if (!ext.clCreateCommandBufferKHR)
        return 0;
    handles = calloc(launches, sizeof *handles);
    fixed = record(0);
    row("replayed", replay);
    if (!ext.clUpdateMutableCommandsKHR)
        return 0;
    changing = record(CL_COMMAND_BUFFER_MUTABLE_KHR);
    row("replayed, can be changed", replay_changing);
    row("one launch changed, replayed", change_one);
    row("all launches changed, replayed", change_all);
    row("all launches changed, no replay", update_all);
    ext.clReleaseCommandBufferKHR(changing);
    ext.clReleaseCommandBufferKHR(fixed);
    return 0;
}
