// SPDX-License-Identifier: Apache-2.0
// Threads that are cancelled in a call: waiting threads end soon, whatever they wait for; they
// leave no lock held, their memory is not written later, and all other threads go on.
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

enum { SIZE = 4096, SECONDS = 60, STORMS = 40, MOST_STORM_US = 3000, LARGE = 80 << 20 };

static cl_program program;
static cl_kernel add, slow;
static cl_mem mem, large;
static cl_event gate;
static unsigned char *host, *large_host;
static void *shared;
static cl_command_queue queue;
static atomic_int about, cleaned, went_on;
static atomic_long thread_id;
static bool asynchronous; // the threads' cancellation type

static const char source[] =
    "kernel void add(global int *p) { p[get_global_id(0)] += 1; }\n"
    "kernel void slow(global int *p, int n)\n"
    "{ int x = p[0]; for (int i = 0; i < n; i++) x = x * 1664525 + (x >> 3) + 1013904223; p[1] = x; }";

// ---- what a thread may wait in ------------------------------------------------------------------

static void wait_user(void)
{
    clWaitForEvents(1, &gate);
}

static void release(void *event)
{
    clReleaseEvent(event);
}

static void wait_many(void)
{
    cl_event list[40], marker;
    clEnqueueMarkerWithWaitList(queue, 1, &gate, &marker);
    for (int i = 0; i < 40; i++)
        list[i] = marker;
    pthread_cleanup_push(release, marker);
    clWaitForEvents(40, list);
    pthread_cleanup_pop(1);
}

static void wait_finish(void)
{
    clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL);
    clFinish(queue);
}

static void wait_read(void)
{
    clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, SIZE, host, 1, &gate, NULL);
}

// Split into several transfers if the buffer is not visible to the host.
static void wait_read_large(void)
{
    clEnqueueReadBuffer(queue, large, CL_TRUE, 0, LARGE, large_host, 1, &gate, NULL);
}

static void wait_write(void)
{
    clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, SIZE, host, 1, &gate, NULL);
}

static void wait_rect(void)
{
    const size_t at[3] = {0}, region[3] = {16, 16, 1};
    clEnqueueReadBufferRect(queue, mem, CL_TRUE, at, at, region, 0, 0, 0, 0, host, 1, &gate, NULL);
}

static void wait_map(void)
{
    cl_int code;
    clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, SIZE, 1, &gate, NULL, &code);
}

static void wait_svm(void)
{
    clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, SIZE, 1, &gate, NULL);
}

static void wait_svm_copy(void)
{
    clEnqueueSVMMemcpy(queue, CL_TRUE, host, shared, SIZE, 1, &gate, NULL);
}

// Waits behind another thread's waiting command.
static void wait_behind(void)
{
    clEnqueueBarrierWithWaitList(queue, 1, &gate, NULL);
    clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, SIZE, host, 0, NULL, NULL);
}

static void wait_other_queue(void)
{
    cl_event marker;
    clEnqueueMarkerWithWaitList(queue, 1, &gate, &marker);
    pthread_cleanup_push(release, marker);
    clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, SIZE, host, 1, &marker, NULL);
    pthread_cleanup_pop(1);
}

static const struct {
    const char *name;
    void (*fn)(void);
    bool svm;
} waits[] = {
    {"clWaitForEvents", wait_user, false},
    {"clWaitForEvents of many", wait_many, false},
    {"clFinish", wait_finish, false},
    {"clEnqueueReadBuffer", wait_read, false},
    {"clEnqueueReadBuffer of much", wait_read_large, false},
    {"clEnqueueWriteBuffer", wait_write, false},
    {"clEnqueueReadBufferRect", wait_rect, false},
    {"clEnqueueMapBuffer", wait_map, false},
    {"clEnqueueSVMMap", wait_svm, true},
    {"clEnqueueSVMMemcpy", wait_svm_copy, true},
    {"clEnqueueReadBuffer behind another", wait_behind, false},
    {"clEnqueueReadBuffer behind another queue", wait_other_queue, false},
};
enum { WAITS = sizeof waits / sizeof *waits };

// ---- threads ------------------------------------------------------------------------------------

// Cleanup handlers and destructors of a cancelled thread also call OpenCL.
static void clean_up(void *unused)
{
    cl_int status;
    (void)unused;
    clGetEventInfo(gate, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    clFlush(queue);
    atomic_fetch_add(&cleaned, 1);
}

static void *run_wait(void *index)
{
    if (asynchronous)
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_cleanup_push(clean_up, NULL);
    atomic_store(&thread_id, syscall(SYS_gettid));
    atomic_store(&about, 1);
    waits[*(int *)index].fn();
    pthread_testcancel();
    pthread_cleanup_pop(0);
    atomic_fetch_add(&went_on, 1);
    return NULL;
}

// Waits until the thread sleeps in the call.
static void let_it_wait(const char *what)
{
    while (!atomic_load(&about))
        usleep(1000);
    for (int asleep = 0; asleep < 3;) {
        if (atomic_load(&went_on)) {
            CHECK(!went_on);
            printf("  %s: does not wait\n", what);
            exit(1);
        }
        char path[64], state = 'R';
        usleep(5000);
        snprintf(path, sizeof path, "/proc/self/task/%ld/stat", atomic_load(&thread_id));
        FILE *file = fopen(path, "r");
        if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
            state = 'R';
        if (file)
            fclose(file);
        asleep = state == 'S' ? asleep + 1 : 0;
    }
    atomic_store(&about, 0);
}

static void join_cancelled(pthread_t thread, const char *what)
{
    struct timespec until;
    void *result = NULL;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SECONDS / 3;
    if (!CHECK(!pthread_timedjoin_np(thread, &result, &until))) {
        printf("  %s: does not end\n", what);
        exit(1);
    }
    if (!CHECK(result == PTHREAD_CANCELED))
        printf("  %s\n", what);
}

// Checks that all functions still work.
static void use_all(void)
{
    int before = 0, after = 0;
    const size_t global = 16;
    CHECK_OK(clFinish(queue));
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof before, &before, 0, NULL, NULL));
    CHECK_OK(clSetKernelArg(add, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(queue));
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof after, &after, 0, NULL, NULL));
    CHECK_EQ(after, before + 1);
    cl_uint mapped = 9;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof mapped, &mapped, NULL));
    CHECK_EQ(mapped, 0);
}

static void cancel_one(int index, cl_command_queue_properties properties, bool release)
{
    pthread_t thread;
    cl_int code;
    queue = clCreateCommandQueue(test_context, test_device, properties, &code);
    CHECK_OK(code);
    gate = clCreateUserEvent(test_context, &code);
    CHECK_OK(code);
    CHECK_OK(clRetainEvent(gate));
    memset(host, 0x5a, SIZE);
    atomic_store(&cleaned, 0);
    CHECK(!pthread_create(&thread, NULL, run_wait, &index));
    let_it_wait(waits[index].name);
    if (release)
        CHECK_OK(clReleaseEvent(gate));
    CHECK(!pthread_cancel(thread));
    join_cancelled(thread, waits[index].name);
    CHECK_EQ(cleaned, 1);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    use_all();
    for (int i = 0; i < SIZE; i++)
        if (host[i] != 0x5a) {
            CHECK_EQ(host[i], 0x5a); // the thread's memory may have been freed
            break;
        }
    if (!release)
        CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseCommandQueue(queue));
}

// ---- others -------------------------------------------------------------------------------------

static void *run_disabled(void *index)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    run_wait(index);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_testcancel();
    atomic_store(&went_on, 99);
    return NULL;
}

// A thread with cancellation disabled waits to the end.
static void disabled(void)
{
    pthread_t thread;
    cl_int code;
    int index = 3;
    queue = test_queue;
    gate = clCreateUserEvent(test_context, &code);
    atomic_store(&went_on, 0);
    CHECK(!pthread_create(&thread, NULL, run_disabled, &index));
    let_it_wait("disabled");
    CHECK(!pthread_cancel(thread));
    usleep(50000);
    CHECK_EQ(went_on, 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    join_cancelled(thread, "disabled");
    CHECK_EQ(went_on, 1);
    CHECK_OK(clReleaseEvent(gate));
    use_all();
}

static void *run_finish(void *unused)
{
    atomic_store(&about, 1);
    clFinish(queue);
    return unused;
}

// The device continues a long kernel; the thread that waits for it need not.
static void long_kernel(void)
{
    pthread_t thread;
    cl_event done;
    cl_int n = 400000000, status = 0;
    const size_t one = 1;
    queue = test_queue;
    CHECK_OK(clSetKernelArg(slow, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(slow, 1, sizeof n, &n));
    CHECK_OK(clEnqueueNDRangeKernel(queue, slow, 1, NULL, &one, NULL, 0, NULL, &done));
    atomic_store(&about, 0);
    CHECK(!pthread_create(&thread, NULL, run_finish, NULL));
    while (!atomic_load(&about))
        usleep(1000);
    usleep(20000);
    CHECK(!pthread_cancel(thread));
    join_cancelled(thread, "a long kernel");
    CHECK_OK(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status > CL_COMPLETE);
    CHECK_OK(clWaitForEvents(1, &done));
    CHECK_OK(clReleaseEvent(done));
    use_all();
}

struct storm {
    int kind;
    cl_kernel kernel;
    cl_program program;
    cl_command_queue queue;
};

static void storm_once(const struct storm *s, int *bytes)
{
    const size_t global = 16;
    for (int i = 0; i < 20; i++)
        clEnqueueNDRangeKernel(s->queue, s->kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    if (s->kind == 0)
        clFinish(s->queue);
    else if (s->kind == 1)
        clEnqueueReadBuffer(s->queue, mem, CL_TRUE, 0, SIZE, bytes, 0, NULL, NULL);
    else if (s->kind == 2)
        clBuildProgram(s->program, 1, &test_device, "", NULL, NULL);
    else
        clFlush(s->queue);
    pthread_testcancel();
}

// On a stack that is freed when the thread ends.
static void *run_storm(void *storm)
{
    int bytes[SIZE / sizeof(int)];
    for (;;)
        storm_once(storm, bytes);
    return NULL;
}

static void storms(void)
{
    cl_int code;
    queue = test_queue;
    for (int i = 0; i < STORMS; i++) {
        pthread_t thread;
        const char *text = source;
        struct storm s = {i % 4, test_kernel(program, "add"), NULL,
                          clCreateCommandQueue(test_context, test_device, 0, &code)};
        s.program = clCreateProgramWithSource(test_context, 1, &text, NULL, &code);
        CHECK_OK(clSetKernelArg(s.kernel, 0, sizeof mem, &mem));
        CHECK(!pthread_create(&thread, NULL, run_storm, &s));
        usleep((unsigned)rand() % MOST_STORM_US);
        CHECK(!pthread_cancel(thread));
        join_cancelled(thread, "a storm");
        CHECK_OK(clFinish(s.queue));
        CHECK_OK(clReleaseCommandQueue(s.queue));
        CHECK_OK(clReleaseKernel(s.kernel));
        CHECK_OK(clReleaseProgram(s.program));
    }
    use_all();
}

static void CL_CALLBACK cancel_itself(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
    pthread_cancel(pthread_self());
    pthread_testcancel();
    atomic_fetch_add(&went_on, 1);
}

// The library's own threads cannot be cancelled: later callbacks are still called.
static void callbacks(void)
{
    atomic_store(&went_on, 0);
    for (int i = 0; i < 3; i++) {
        cl_event event;
        CHECK_OK(clEnqueueMarker(test_queue, &event));
        CHECK_OK(clSetEventCallback(event, CL_COMPLETE, cancel_itself, NULL));
        CHECK_OK(clFinish(test_queue));
        CHECK_OK(clReleaseEvent(event));
    }
    for (int i = 0; i < SECONDS * 10 && atomic_load(&went_on) < 3; i++)
        usleep(10000);
    CHECK_EQ(went_on, 3);
}

int main(void)
{
    cl_device_svm_capabilities svm = 0;
    test_open();
    alarm(SECONDS);
    program = test_build(source, "");
    add = test_kernel(program, "add");
    slow = test_kernel(program, "slow");
    mem = test_buffer(0, SIZE, NULL);
    large = test_buffer(0, LARGE, NULL);
    host = malloc(SIZE);
    large_host = malloc(LARGE);
    clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    shared = svm ? clSVMAlloc(test_context, CL_MEM_READ_WRITE, SIZE, 0) : NULL;
    for (int i = 0; i < WAITS; i++)
        for (int way = 0; way < 4 && (svm || !waits[i].svm); way++) {
            asynchronous = way == 1 || way == 2;
            cancel_one(i, way & 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, way & 2);
        }
    asynchronous = false;
    disabled();
    long_kernel();
    storms();
    callbacks();
    if (shared)
        clSVMFree(test_context, shared);
    free(host);
    free(large_host);
    CHECK_OK(clReleaseMemObject(large));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(add));
    CHECK_OK(clReleaseKernel(slow));
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
