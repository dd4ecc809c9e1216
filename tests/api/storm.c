// SPDX-License-Identifier: Apache-2.0
// Eight threads that do everything concurrently: create and release contexts, use shared and own
// queues, build programs, release buffers and kernels while commands use them, wait for events in
// other threads, and enqueue and release in callbacks.
//
//   api_storm [ROUNDS]
#include "command_buffer.h"

#include <pthread.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 6, COUNT = 256, CALLBACKS = 4 };

static const char source[] =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }";

static cl_command_queue shared[2]; // in-order and out-of-order
static cl_program program;
static int rounds;
static struct thread {
    pthread_t handle;
    int id, failed, wrong, data[COUNT]; // data: also written by reads after a failed clFinish()
} threads[THREADS];
static bool has_replays;
#define SEMAPHORE_FUNCTIONS(X)                                                                     \
    X(clCreateSemaphoreWithPropertiesKHR)                                                          \
    X(clEnqueueSignalSemaphoresKHR) X(clEnqueueWaitSemaphoresKHR) X(clReleaseSemaphoreKHR)
static struct {
#define FIELD(name) name##_fn name;
    SEMAPHORE_FUNCTIONS(FIELD)
} sem;
static int calls, broken; // broken: chains that ended with an error

static cl_event exchange; // passed from thread to thread
static pthread_mutex_t exchange_lock = PTHREAD_MUTEX_INITIALIZER;

// ---- what each thread does ----------------------------------------------------------------------

struct chain {
    cl_command_queue queue;
    cl_mem mem;
    int left;
};

static void end_chain(struct chain *chain)
{
    clReleaseMemObject(chain->mem);
    clReleaseCommandQueue(chain->queue);
    free(chain);
}

// The callback enqueues the next link.
static void CL_CALLBACK next_link(cl_event event, cl_int status, void *data)
{
    struct chain *chain = data;
    cl_int pattern = chain->left--;
    cl_event next = NULL;
    (void)event;
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    if (status == CL_COMPLETE && chain->left > 0 &&
        !clEnqueueFillBuffer(chain->queue, chain->mem, &pattern, 4, 0, 4 * COUNT, 0, NULL, &next) &&
        !clSetEventCallback(next, CL_COMPLETE, next_link, chain)) {
        clFlush(chain->queue);
        clReleaseEvent(next);
        return;
    }
    clReleaseEvent(next);
    __atomic_fetch_add(&broken, chain->left > 0, __ATOMIC_RELAXED);
    end_chain(chain);
}

static int start_chain(cl_context context, cl_command_queue queue)
{
    cl_int code, pattern = 7, bad = 0;
    cl_event event = NULL;
    struct chain *chain = malloc(sizeof *chain);
    *chain = (struct chain){queue, clCreateBuffer(context, 0, 4 * COUNT, NULL, &code), CALLBACKS};
    clRetainCommandQueue(queue);
    bad += code != CL_SUCCESS;
    bad += clEnqueueFillBuffer(queue, chain->mem, &pattern, 4, 0, 4 * COUNT, 0, NULL, &event) != 0;
    if (clSetEventCallback(event, CL_COMPLETE, next_link, chain)) {
        bad++;
        end_chain(chain);
    }
    clReleaseEvent(event);
    return bad;
}

// Everything is released while the device is still running; only the last read is waited for.
static int add_up(struct thread *t, cl_context context, cl_program code_of, cl_command_queue queue,
                  bool in_order)
{
    int *data = t->data, bad = 0, other = 0;
    size_t global = COUNT;
    cl_int code;
    cl_event last = NULL;
    memset(t->data, 0, sizeof t->data);
    cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof t->data, data, &code);
    if (code) // NULL would be a null pointer argument
        return 1;
    cl_kernel kernel = clCreateKernel(code_of, "add", &code);
    bad += code != CL_SUCCESS;
    bad += clSetKernelArg(kernel, 0, sizeof mem, &mem) != CL_SUCCESS;
    for (int i = 1; i <= 5; i++) {
        cl_event event = NULL;
        bad += clSetKernelArg(kernel, 1, sizeof i, &i) != CL_SUCCESS;
        bad += clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, last && !in_order,
                                      last && !in_order ? &last : NULL, &event) != CL_SUCCESS;
        clReleaseEvent(last);
        last = event;
    }
    clReleaseKernel(kernel);
    cl_event read = NULL;
    bad += clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, sizeof t->data, data, 1, &last, &read) != 0;
    clReleaseMemObject(mem);
    clReleaseEvent(last);
    bad += clFinish(queue) != CL_SUCCESS;
    bad += clWaitForEvents(1, &read) != CL_SUCCESS; // a failure is only reported to one thread by
                                                    // clFinish
    clReleaseEvent(read);
    for (int i = 0; i < COUNT; i++)
        other += data[i] != 15;
    t->wrong += bad ? 0 : other;
    return bad;
}

// Three dependent launches.
static cl_mutable_command_khr record(cl_command_buffer_khr buffer, cl_kernel kernel, int *bad)
{
    const size_t global = COUNT;
    cl_sync_point_khr points[3];
    cl_mutable_command_khr handle = NULL;
    for (int i = 0; i < 3; i++) {
        *bad += clSetKernelArg(kernel, 1, sizeof i, &i) != CL_SUCCESS;
        *bad += cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &global, NULL, i > 0,
                                             i ? &points[i - 1] : NULL, &points[i], &handle) != CL_SUCCESS;
    }
    *bad += cb.clFinalizeCommandBufferKHR(buffer) != CL_SUCCESS;
    return handle;
}

static bool change(cl_command_buffer_khr buffer, cl_mutable_command_khr handle, int n)
{
    const cl_mutable_dispatch_arg_khr arg = {1, sizeof n, &n};
    const cl_mutable_dispatch_config_khr config = {.command = handle, .num_args = 1, .arg_list = &arg};
    const cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    const void *list[] = {&config};
    return cb.clUpdateMutableCommandsKHR(buffer, 1, &type, list) == CL_SUCCESS;
}

// Each launch adds 1 and the replay's number. Everything but the event is released while they are
// pending.
static cl_event replays(cl_command_queue queue, cl_mem mem, int *bad)
{
    const cl_command_buffer_properties_khr flags[] = {
        CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0};
    cl_event last = NULL;
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, "add", &code);
    cl_command_buffer_khr buffer = cb.clCreateCommandBufferKHR(1, &queue, flags, &code);
    *bad += code != CL_SUCCESS;
    *bad += clSetKernelArg(kernel, 0, sizeof mem, &mem) != CL_SUCCESS;
    cl_mutable_command_khr handle = record(buffer, kernel, bad);
    clReleaseKernel(kernel);
    for (int i = 0; i < 4 && !*bad; i++) {
        cl_event event = NULL;
        *bad += !change(buffer, handle, i);
        *bad += cb.clEnqueueCommandBufferKHR(0, NULL, buffer, last != NULL, last ? &last : NULL, &event) != CL_SUCCESS;
        if (last)
            clReleaseEvent(last);
        last = event;
    }
    if (buffer)
        cb.clReleaseCommandBufferKHR(buffer);
    return last;
}

// Another queue reads what one queue has replayed, after a semaphore.
static int replay(struct thread *t, cl_command_queue queue, cl_command_queue own)
{
    static const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    int bad = 0, other = 0;
    cl_int code;
    if (!has_replays)
        return 0;
    memset(t->data, 0, sizeof t->data);
    cl_mem mem = clCreateBuffer(test_context, CL_MEM_COPY_HOST_PTR, sizeof t->data, t->data, &code);
    if (code)
        return 1;
    cl_event last = replays(queue, mem, &bad);
    cl_semaphore_khr semaphore = sem.clCreateSemaphoreWithPropertiesKHR(test_context, binary, &code);
    bad += code != CL_SUCCESS;
    if (!bad) {
        bad += sem.clEnqueueSignalSemaphoresKHR(queue, 1, &semaphore, NULL, 1, &last, NULL) != CL_SUCCESS;
        bad += sem.clEnqueueWaitSemaphoresKHR(own, 1, &semaphore, NULL, 0, NULL, NULL) != CL_SUCCESS;
        sem.clReleaseSemaphoreKHR(semaphore);
        bad += clEnqueueReadBuffer(own, mem, CL_TRUE, 0, sizeof t->data, t->data, 0, NULL, NULL) != CL_SUCCESS;
        bad += clWaitForEvents(1, &last) != CL_SUCCESS;
    }
    clReleaseMemObject(mem);
    if (last)
        clReleaseEvent(last);
    for (int i = 0; i < COUNT; i++)
        other += t->data[i] != 4 + 0 + 1 + 2 + 3;
    t->wrong += bad ? 0 : other;
    return bad;
}

static int own_context(struct thread *t)
{
    const char *text = source;
    cl_int code;
    cl_context context = clCreateContext(NULL, 1, &test_device, NULL, NULL, &code);
    int bad = code != CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueue(context, test_device, 0, &code);
    cl_program own = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    bad += clBuildProgram(own, 0, NULL, t->id % 2 ? "-DX" : "", NULL, NULL) != CL_SUCCESS;
    clReleaseContext(context); // the other objects hold references
    bad += add_up(t, context, own, queue, true);
    bad += start_chain(context, queue);
    clReleaseProgram(own);
    clReleaseCommandQueue(queue);
    return bad;
}

// Passes its own event on and waits for another thread's.
static int trade(cl_command_queue queue)
{
    cl_event mine = NULL, other;
    int bad = clEnqueueMarkerWithWaitList(queue, 0, NULL, &mine) != CL_SUCCESS;
    pthread_mutex_lock(&exchange_lock);
    other = exchange;
    exchange = mine;
    pthread_mutex_unlock(&exchange_lock);
    if (!other)
        return bad;
    cl_int status;
    bad += clGetEventInfo(other, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    bad += clEnqueueBarrierWithWaitList(queue, 1, &other, NULL) != CL_SUCCESS;
    bad += clWaitForEvents(1, &other) != CL_SUCCESS;
    clReleaseEvent(other);
    return bad;
}

static void *work(void *data)
{
    struct thread *t = data;
    cl_int code;
    cl_command_queue own = clCreateCommandQueue(test_context, test_device, 0, &code);
    for (int i = 0; i < rounds; i++) {
        cl_command_queue queue = i % 3 ? shared[i % 3 - 1] : own;
        t->failed += add_up(t, test_context, program, queue, queue == own);
        t->failed += start_chain(test_context, queue);
        t->failed += replay(t, queue, own);
        t->failed += trade(queue);
        t->failed += own_context(t);
    }
    clReleaseCommandQueue(own);
    return NULL;
}

static void find_functions(void)
{
    has_replays = cb_has("cl_khr_command_buffer_mutable_dispatch") && cb_has("cl_khr_semaphore");
#define FIND(name)                                                                                 \
    sem.name = (name##_fn)clGetExtensionFunctionAddressForPlatform(test_platform, #name);          \
    has_replays &= sem.name != NULL;
    SEMAPHORE_FUNCTIONS(FIND)
    if (has_replays)
        cb_load();
}

int main(int argc, char **argv)
{
    cl_int code;
    rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    test_open();
    program = test_build(source, "");
    find_functions();
    for (int i = 0; i < 2; i++) {
        shared[i] = clCreateCommandQueue(
            test_context, test_device, i ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &code);
        CHECK_OK(code);
    }
    for (int i = 0; i < THREADS; i++) {
        threads[i].id = i;
        CHECK(!pthread_create(&threads[i].handle, NULL, work, &threads[i]));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i].handle, NULL);
    for (int i = 0; i < THREADS; i++) {
        CHECK_NONE(threads[i].failed);
        CHECK_EQ(threads[i].wrong, 0);
    }
    for (int i = 0; i < 2; i++)
        CHECK_OK(clFlush(shared[i])); // the last command of a chain may be there
    const int all = THREADS * rounds * 2 * CALLBACKS;
    for (int i = 0; i < 60000 && __atomic_load_n(&calls, __ATOMIC_RELAXED) < all &&
                    !__atomic_load_n(&broken, __ATOMIC_RELAXED);
         i++)
        usleep(1000);
    CHECK_NONE(__atomic_load_n(&broken, __ATOMIC_RELAXED));
    CHECK_EQ(__atomic_load_n(&calls, __ATOMIC_RELAXED), all);
    CHECK_OK(clReleaseEvent(exchange));
    CHECK_OK(clReleaseProgram(program));
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseCommandQueue(shared[i]));
    return test_close();
}
