// SPDX-License-Identifier: Apache-2.0
// See scale.h. A shape that fails half way leaves its objects: its process ends.
#include "scale.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t one = 1;

static void *list_of(size_t count, size_t size)
{
    void *list = calloc(count, size);
    if (!list)
        exit(1);
    return list;
}

static cl_program build(const struct scale *s, const char *source)
{
    cl_program program = clCreateProgramWithSource(s->context, 1, &source, NULL, NULL);
    if (program && clBuildProgram(program, 1, &s->device, "", NULL, NULL)) {
        clReleaseProgram(program);
        program = NULL;
    }
    return program;
}

bool scale_open(struct scale *s, unsigned number)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int error = clGetPlatformIDs(16, platforms, &count);
    if (error || number >= count || number >= 16)
        return false;
    s->platform = platforms[number];
    if (clGetDeviceIDs(s->platform, CL_DEVICE_TYPE_ALL, 1, &s->device, NULL))
        return false;
    s->context = clCreateContext(NULL, 1, &s->device, NULL, NULL, &error);
    cl_queue_properties unordered[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    s->queue = clCreateCommandQueueWithProperties(s->context, s->device, NULL, NULL);
    s->unordered = clCreateCommandQueueWithProperties(s->context, s->device, unordered, NULL);
    s->program = build(s, "kernel void add(global int *x) { x[get_global_id(0)] += 1; }");
    s->kernel = s->program ? clCreateKernel(s->program, "add", NULL) : NULL;
    s->buffer = clCreateBuffer(s->context, 0, 4096, NULL, &error);
    return s->queue && s->kernel && !error && !clSetKernelArg(s->kernel, 0, sizeof s->buffer, &s->buffer) &&
           !clEnqueueNDRangeKernel(s->queue, s->kernel, 1, NULL, &one, NULL, 0, NULL, NULL) && !clFinish(s->queue);
}

static void release_events(cl_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        clReleaseEvent(events[i]);
    free(events);
}

// ---- commands -----------------------------------------------------------------------------------

static cl_int launch(const struct scale *s, cl_command_queue queue, cl_uint waits, const cl_event *wait, cl_event *event)
{
    return clEnqueueNDRangeKernel(queue, s->kernel, 1, NULL, &one, NULL, waits, wait, event);
}

static bool in_order(const struct scale *s, size_t n)
{
    cl_int error = 0;
    for (size_t i = 0; i < n; i++)
        error |= launch(s, s->queue, 0, NULL, NULL);
    return !clFinish(s->queue) && !error;
}

// Each launch waits for two of the 32 before it.
static bool wait_lists(const struct scale *s, size_t n)
{
    cl_event *events = list_of(n, sizeof *events);
    cl_int error = !s->unordered;
    for (size_t i = 0; i < n && !error; i++) {
        cl_event waits[2] = {i < 32 ? NULL : events[i - 32], i < 32 ? NULL : events[i - 7]};
        error = launch(s, s->unordered, i < 32 ? 0 : 2, i < 32 ? NULL : waits, &events[i]);
    }
    if (error || clFinish(s->unordered))
        return false;
    release_events(events, n);
    return true;
}

// Each launch waits for a user event of its own; the last is set first.
static bool user_events(const struct scale *s, size_t n)
{
    cl_event *gates = list_of(n, sizeof *gates);
    cl_int error = !s->unordered;
    for (size_t i = 0; i < n && !error; i++) {
        gates[i] = clCreateUserEvent(s->context, &error);
        error = error ? error : launch(s, s->unordered, 1, &gates[i], NULL);
    }
    for (size_t i = n; i-- && !error;)
        error = clSetUserEventStatus(gates[i], CL_COMPLETE);
    if (error || clFinish(s->unordered))
        return false;
    release_events(gates, n);
    return true;
}

static bool one_wait_list(const struct scale *s, size_t n)
{
    cl_event *events = list_of(n, sizeof *events);
    cl_int error = !s->unordered;
    for (size_t i = 0; i < n && !error; i++)
        error = clEnqueueMarkerWithWaitList(s->unordered, 0, NULL, &events[i]);
    if (error || clEnqueueMarkerWithWaitList(s->unordered, (cl_uint)n, events, NULL) || clFinish(s->unordered))
        return false;
    release_events(events, n);
    return true;
}

static atomic_size_t called;

static void CL_CALLBACK count_call(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
    atomic_fetch_add(&called, 1);
}

static bool callbacks(const struct scale *s, size_t n)
{
    cl_int error = 0;
    atomic_store(&called, 0);
    for (size_t i = 0; i < n && !error; i++) {
        cl_event event = NULL;
        error = launch(s, s->queue, 0, NULL, &event);
        error = error ? error : clSetEventCallback(event, CL_COMPLETE, count_call, NULL);
        clReleaseEvent(event);
    }
    if (error || clFinish(s->queue))
        return false;
    while (atomic_load(&called) < n)
        ;
    return true;
}

// ---- objects that live at once -------------------------------------------------------------------

static bool use_all(const struct scale *s, cl_mem *objects, size_t n)
{
    cl_int error = 0;
    for (size_t i = 0; i < n && !error; i++) {
        error = clSetKernelArg(s->kernel, 0, sizeof objects[i], &objects[i]);
        error = error ? error : launch(s, s->queue, 0, NULL, NULL);
    }
    error = error ? error : clFinish(s->queue);
    clSetKernelArg(s->kernel, 0, sizeof s->buffer, &s->buffer);
    return !error;
}

static bool buffers(const struct scale *s, size_t n)
{
    cl_mem *objects = list_of(n, sizeof *objects);
    cl_int error = 0;
    for (size_t i = 0; i < n && !error; i++)
        objects[i] = clCreateBuffer(s->context, 0, 4096, NULL, &error);
    if (error || !use_all(s, objects, n))
        return false;
    for (size_t i = 0; i < n; i++)
        clReleaseMemObject(objects[i]);
    free(objects);
    return true;
}

static bool shared_memory(const struct scale *s, size_t n)
{
    void **pointers = list_of(n, sizeof *pointers);
    for (size_t i = 0; i < n; i++) {
        pointers[i] = clSVMAlloc(s->context, CL_MEM_READ_WRITE, 4096, 0);
        if (!pointers[i] || clSetKernelArgSVMPointer(s->kernel, 0, pointers[i]) || launch(s, s->queue, 0, NULL, NULL))
            return false;
    }
    if (clFinish(s->queue))
        return false;
    for (size_t i = 0; i < n; i++)
        clSVMFree(s->context, pointers[i]);
    free(pointers);
    return !clSetKernelArg(s->kernel, 0, sizeof s->buffer, &s->buffer);
}

static bool images(const struct scale *s, size_t n)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
    const size_t origin[3] = {0}, region[3] = {16, 16, 1};
    cl_mem *objects = list_of(n, sizeof *objects);
    cl_uint texels[256] = {0};
    cl_int error = 0;
    for (size_t i = 0; i < n && !error; i++) {
        objects[i] = clCreateImage(s->context, 0, &format, &desc, NULL, &error);
        error = error ? error
                      : clEnqueueWriteImage(s->queue, objects[i], CL_FALSE, origin, region, 0, 0, texels, 0, NULL, NULL);
    }
    if (error || clFinish(s->queue))
        return false;
    for (size_t i = 0; i < n; i++)
        clReleaseMemObject(objects[i]);
    free(objects);
    return true;
}

static bool queues(const struct scale *s, size_t n)
{
    cl_command_queue *objects = list_of(n, sizeof *objects);
    cl_int error = 0;
    for (size_t i = 0; i < n && !error; i++) {
        objects[i] = clCreateCommandQueueWithProperties(s->context, s->device, NULL, &error);
        error = error ? error : launch(s, objects[i], 0, NULL, NULL);
    }
    for (size_t i = 0; i < n && !error; i++)
        error = clFinish(objects[i]);
    for (size_t i = 0; i < n && !error; i++)
        clReleaseCommandQueue(objects[i]);
    free(objects);
    return !error;
}

static bool contexts(const struct scale *s, size_t n)
{
    cl_context *objects = list_of(n, sizeof *objects);
    cl_int error = 0;
    for (size_t i = 0; i < n && !error; i++) {
        objects[i] = clCreateContext(NULL, 1, &s->device, NULL, NULL, &error);
        cl_mem buffer = error ? NULL : clCreateBuffer(objects[i], 0, 4096, NULL, &error);
        clReleaseMemObject(buffer);
    }
    for (size_t i = 0; i < n && !error; i++)
        clReleaseContext(objects[i]);
    free(objects);
    return !error;
}

// ---- programs -----------------------------------------------------------------------------------

static bool programs(const struct scale *s, size_t n)
{
    cl_program *objects = list_of(n, sizeof *objects);
    for (size_t i = 0; i < n; i++) {
        char source[128];
        snprintf(source, sizeof source, "kernel void k(global int *x) { x[get_global_id(0)] += %zu; }", i);
        objects[i] = build(s, source);
        if (!objects[i])
            return false;
    }
    for (size_t i = 0; i < n; i++)
        clReleaseProgram(objects[i]);
    free(objects);
    return true;
}

// `line` has one %zu, the number of the line.
static char *repeat(const char *line, size_t n)
{
    size_t room = n * (strlen(line) + 20) + 128, end = 0;
    char *source = list_of(room, 1);
    for (size_t i = 0; i < n; i++)
        end += (size_t)snprintf(source + end, room - end, line, i, i);
    return source;
}

// All kernels of a program are created.
static bool kernels(const struct scale *s, size_t n)
{
    char *source = repeat("kernel void k%zu(global int *x) { x[get_global_id(0)] += 1; }\n", n);
    cl_kernel *objects = list_of(n, sizeof *objects);
    cl_program program = build(s, source);
    if (!program || clCreateKernelsInProgram(program, (cl_uint)n, objects, NULL))
        return false;
    for (size_t i = 0; i < n; i++)
        clReleaseKernel(objects[i]);
    clReleaseProgram(program);
    free(objects);
    free(source);
    return true;
}

// A source of n KiB: functions of a KiB each; the kernel calls one of them.
static bool source_size(const struct scale *s, size_t n)
{
    char line[1024];
    int end = snprintf(line, sizeof line, "int f%%zu(int x) { for (int i = 0; i < 9; i++) x = x * 5 + i;\n");
    while (end < 980)
        end += snprintf(line + end, sizeof line - (size_t)end, " x ^= x << 3; x += %d;\n", end);
    snprintf(line + end, sizeof line - (size_t)end, " return x; }\n");
    char *functions = repeat(line, n);
    size_t length = strlen(functions);
    snprintf(functions + length, 100, "kernel void k(global int *x) { x[0] = f%zu(x[1]); }\n", n / 2);
    cl_program program = build(s, functions);
    free(functions);
    return program && !clReleaseProgram(program);
}

// A kernel of n int arguments, all of which are set again before each of 100 launches.
static bool arguments(const struct scale *s, size_t n)
{
    size_t most = 0, room = n * 40 + 128, end = 0;
    clGetDeviceInfo(s->device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof most, &most, NULL);
    if (n * sizeof(cl_int) + sizeof(cl_mem) > most)
        return false;
    char *source = list_of(room, 1);
    end += (size_t)snprintf(source, room, "kernel void k(global int *x");
    for (size_t i = 0; i < n; i++)
        end += (size_t)snprintf(source + end, room - end, ", int a%zu", i);
    end += (size_t)snprintf(source + end, room - end, ") { int s = 0;");
    for (size_t i = 0; i < n; i++)
        end += (size_t)snprintf(source + end, room - end, " s ^= a%zu;", i);
    snprintf(source + end, room - end, " x[0] = s; }");
    cl_program program = build(s, source);
    cl_kernel kernel = program ? clCreateKernel(program, "k", NULL) : NULL;
    cl_int error = kernel ? clSetKernelArg(kernel, 0, sizeof s->buffer, &s->buffer) : CL_INVALID_KERNEL;
    for (cl_int turn = 0; turn < 100 && !error; turn++) {
        for (cl_uint i = 0; i < n && !error; i++)
            error = clSetKernelArg(kernel, i + 1, sizeof turn, &turn);
        error = error ? error : clEnqueueNDRangeKernel(s->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    }
    error = error ? error : clFinish(s->queue);
    free(source);
    return !error && !clReleaseKernel(kernel) && !clReleaseProgram(program);
}

// ---- threads and devices -------------------------------------------------------------------------

struct worker {
    const struct scale *scale;
    cl_context context;
    cl_device_id device;
    pthread_t thread;
    bool done;
};

enum { WORKER_LAUNCHES = 2000, WORKER_BATCH = 100, DEVICES = 16 };

// With a queue, a kernel and a buffer of its own.
static void *work(void *data)
{
    struct worker *w = data;
    cl_int error;
    struct scale own = {.context = w->context, .device = w->device};
    own.queue = clCreateCommandQueueWithProperties(w->context, w->device, NULL, NULL);
    own.program = build(&own, "kernel void add(global int *x) { x[get_global_id(0)] += 1; }");
    own.kernel = own.program ? clCreateKernel(own.program, "add", NULL) : NULL;
    own.buffer = clCreateBuffer(w->context, 0, 4096, NULL, &error);
    if (!own.queue || !own.kernel || error || clSetKernelArg(own.kernel, 0, sizeof own.buffer, &own.buffer))
        return NULL;
    w->done = true;
    for (int i = 0; i < WORKER_LAUNCHES; i += WORKER_BATCH)
        w->done &= in_order(&own, WORKER_BATCH);
    clReleaseMemObject(own.buffer);
    clReleaseKernel(own.kernel);
    clReleaseProgram(own.program);
    clReleaseCommandQueue(own.queue);
    return NULL;
}

static bool work_all(struct worker *workers, size_t n)
{
    bool done = true;
    for (size_t i = 0; i < n; i++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
            return false;
    for (size_t i = 0; i < n; i++) {
        pthread_join(workers[i].thread, NULL);
        done &= workers[i].done;
    }
    return done;
}

static bool threads(const struct scale *s, size_t n)
{
    struct worker *workers = list_of(n, sizeof *workers);
    for (size_t i = 0; i < n; i++)
        workers[i] = (struct worker){.scale = s, .context = s->context, .device = s->device};
    bool done = work_all(workers, n);
    free(workers);
    return done;
}

// One context of n devices, a thread for each.
static bool devices(const struct scale *s, size_t n)
{
    cl_device_id all[DEVICES];
    cl_uint count = 0;
    struct worker workers[DEVICES];
    if (n > DEVICES || clGetDeviceIDs(s->platform, CL_DEVICE_TYPE_ALL, DEVICES, all, &count) || count < n)
        return false;
    cl_context context = clCreateContext(NULL, (cl_uint)n, all, NULL, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        workers[i] = (struct worker){.scale = s, .context = context, .device = all[i]};
    return context && work_all(workers, n) && !clReleaseContext(context);
}

const struct shape shapes[] = {
    {"launches in an in-order queue", "launches", 1000000, in_order},
    {"launches with wait lists in an out-of-order queue", "launches", 1000000, wait_lists},
    {"launches that each wait for a user event", "launches", 100000, user_events},
    {"events in one wait list", "events", 1000000, one_wait_list},
    {"event callbacks", "callbacks", 1000000, callbacks},
    {"buffers of 4 KiB, each used by a launch", "buffers", 100000, buffers},
    {"SVM allocations of 4 KiB, each used by a launch", "allocations", 100000, shared_memory},
    {"images of 16 x 16, each written", "images", 100000, images},
    {"queues with one launch each", "queues", 10000, queues},
    {"contexts with one buffer each", "contexts", 10000, contexts},
    {"programs of one kernel", "programs", 10000, programs},
    {"kernels of one program", "kernels", 10000, kernels},
    {"KiB of source", "KiB", 10000, source_size},
    {"arguments of a kernel, set for 100 launches", "arguments", 1000, arguments},
    {"threads with a queue and 2,000 launches each", "threads", 64, threads},
    {"devices with a thread and 2,000 launches each", "devices", DEVICES, devices},
};
const size_t shape_count = sizeof shapes / sizeof *shapes;
