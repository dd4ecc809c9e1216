// SPDX-License-Identifier: Apache-2.0
// Eight threads that do everything at once: contexts of their own made and released, queues shared
// and own, programs built, buffers and kernels released while commands use them, events waited for
// in other threads, callbacks that enqueue, wait for nothing and release.
//
//   api_storm [ROUNDS]
#include "test.h"

#include <pthread.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 6, COUNT = 256, CALLBACKS = 4 };

static const char source[] =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }";

static cl_command_queue shared[2]; // in order and not
static cl_program program;
static int rounds;
static struct thread {
    pthread_t handle;
    int id, failed, wrong, data[COUNT]; // data: also written behind a clFinish that failed
} threads[THREADS];
static int calls, broken; // chains that a failure has ended

static cl_event exchange; // handed from thread to thread
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

// The next link is enqueued from inside of the callback.
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

// Everything is released while the device is at work; only the last read is waited for.
static int add_up(struct thread *t, cl_context context, cl_program code_of, cl_command_queue queue,
                  bool in_order)
{
    int *data = t->data, bad = 0, other = 0;
    size_t global = COUNT;
    cl_int code;
    cl_event last = NULL;
    memset(t->data, 0, sizeof t->data);
    cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof t->data, data, &code);
    if (code) // as an argument it would be a null pointer
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
    bad += clWaitForEvents(1, &read) != CL_SUCCESS; // clFinish tells one thread of a failure
    clReleaseEvent(read);
    for (int i = 0; i < COUNT; i++)
        other += data[i] != 15;
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
    clReleaseContext(context); // lives on in the others
    bad += add_up(t, context, own, queue, true);
    bad += start_chain(context, queue);
    clReleaseProgram(own);
    clReleaseCommandQueue(queue);
    return bad;
}

// Gives its own event away and waits for another thread's.
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
        t->failed += trade(queue);
        t->failed += own_context(t);
    }
    clReleaseCommandQueue(own);
    return NULL;
}

int main(int argc, char **argv)
{
    cl_int code;
    rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    test_open();
    program = test_build(source, "");
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
        CHECK_OK(clFlush(shared[i])); // a chain may have begun there last
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
