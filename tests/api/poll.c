// SPDX-License-Identifier: Apache-2.0
// A program that only polls, without flush or wait, must see its commands complete. The commands
// are in queues of other threads, behind commands of other queues, and behind a user event that a
// third thread sets; several threads poll one event.
#include "test.h"

#include <pthread.h>
#include <time.h>

enum { POLLERS = 8, ROUNDS = 3, WORDS = 256, SECONDS = 120 };

static const char source[] = "kernel void add(global uint *x, uint n) { x[get_global_id(0)] += n; }";

static cl_program program;

// The final status seen by polling, which never goes backwards: an error or CL_COMPLETE. CL_QUEUED:
// timeout.
static cl_int poll_to_end(cl_event event)
{
    time_t end = time(NULL) + SECONDS;
    cl_int before = CL_QUEUED, status = CL_QUEUED;
    while (time(NULL) < end) {
        if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) || status > before)
            return CL_QUEUED;
        if (status <= CL_COMPLETE)
            return status;
        before = status;
    }
    return CL_QUEUED;
}

// ---- what is polled -----------------------------------------------------------------------------

// A launch in one queue, and a read of its results in another.
struct work {
    cl_command_queue first, second;
    cl_event gate, launched, read; // gate: what the launch waits for, or NULL
    cl_mem mem;
    cl_uint data[WORDS];
};

static void *enqueue(void *data)
{
    struct work *work = data;
    const size_t words = WORDS;
    const cl_uint more = 5;
    cl_kernel kernel = clCreateKernel(program, "add", NULL);
    clSetKernelArg(kernel, 0, sizeof work->mem, &work->mem);
    clSetKernelArg(kernel, 1, sizeof more, &more);
    CHECK_OK(clEnqueueNDRangeKernel(work->first, kernel, 1, NULL, &words, NULL, work->gate != NULL, work->gate ? &work->gate : NULL,
                                    &work->launched));
    CHECK_OK(clEnqueueReadBuffer(work->second, work->mem, CL_FALSE, 0, sizeof work->data, work->data, 1, &work->launched, &work->read));
    clReleaseKernel(kernel);
    return NULL;
}

static void *set_gate(void *gate)
{
    usleep(2000);
    clSetUserEventStatus(gate, CL_COMPLETE);
    return NULL;
}

static void *set_error(void *gate)
{
    usleep(2000);
    clSetUserEventStatus(gate, -7);
    return NULL;
}

static void *poll_thread(void *event)
{
    return (void *)(intptr_t)poll_to_end(event);
}

static cl_command_queue new_queue(cl_command_queue_properties properties)
{
    cl_int error;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, properties, &error);
    CHECK_OK(error);
    return queue;
}

static void begin(struct work *work, cl_command_queue_properties properties)
{
    for (int i = 0; i < WORDS; i++)
        work->data[i] = 2;
    work->mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof work->data, work->data);
    work->first = new_queue(properties);
    work->second = new_queue(properties);
    work->gate = work->launched = work->read = NULL;
}

static void end(struct work *work)
{
    CHECK_OK(clReleaseMemObject(work->mem));
    CHECK_OK(clReleaseEvent(work->launched));
    CHECK_OK(clReleaseEvent(work->read));
    if (work->gate)
        CHECK_OK(clReleaseEvent(work->gate));
}

static int wrong_words(const struct work *work, cl_uint want)
{
    int wrong = 0;
    for (int i = 0; i < WORDS; i++)
        wrong += work->data[i] != want;
    return wrong;
}

// ---- checks -------------------------------------------------------------------------------------

// Enqueued by a thread that has ended, in queues that the application has released.
static void check_queues_of_others(cl_command_queue_properties properties)
{
    struct work work;
    pthread_t thread;
    begin(&work, properties);
    pthread_create(&thread, NULL, enqueue, &work);
    pthread_join(thread, NULL);
    CHECK_OK(clReleaseCommandQueue(work.first));
    CHECK_OK(clReleaseCommandQueue(work.second));
    CHECK_EQ(poll_to_end(work.read), CL_COMPLETE);
    CHECK_EQ(wrong_words(&work, 7), 0);
    CHECK_EQ(poll_to_end(work.launched), CL_COMPLETE);
    end(&work);
}

// All threads poll at the same time, while another one sets the user event.
static void check_user_event(cl_command_queue_properties properties, void *(*set)(void *), cl_int want)
{
    struct work work;
    pthread_t setter, pollers[POLLERS];
    void *seen;
    cl_int error;
    begin(&work, properties);
    work.gate = clCreateUserEvent(test_context, &error);
    CHECK_OK(error);
    enqueue(&work);
    for (int i = 0; i < POLLERS; i++)
        pthread_create(&pollers[i], NULL, poll_thread, i % 2 ? work.read : work.launched);
    pthread_create(&setter, NULL, set, work.gate);
    for (int i = 0; i < POLLERS; i++) {
        pthread_join(pollers[i], &seen);
        CHECK_EQ((intptr_t)seen, want);
    }
    pthread_join(setter, NULL);
    CHECK_EQ(wrong_words(&work, want ? 2 : 7), 0);
    CHECK_OK(clReleaseCommandQueue(work.first));
    CHECK_OK(clReleaseCommandQueue(work.second));
    end(&work);
}

// A marker, which does nothing itself, and behind a command without an event.
static void check_marker(void)
{
    cl_uint zero = 0;
    cl_event event = NULL;
    cl_mem mem = test_buffer(CL_MEM_READ_WRITE, 1024, NULL);
    CHECK_OK(clEnqueueFillBuffer(test_queue, mem, &zero, sizeof zero, 0, 1024, 0, NULL, NULL));
    CHECK_OK(clEnqueueMarkerWithWaitList(test_queue, 0, NULL, &event));
    CHECK_EQ(poll_to_end(event), CL_COMPLETE);
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clReleaseMemObject(mem));
}

int main(void)
{
    const cl_command_queue_properties kinds[] = {
        0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE};
    const cl_int failed = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    test_open();
    program = test_build(source, "");
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 4; i++) {
            check_queues_of_others(kinds[i]);
            check_user_event(kinds[i], set_gate, CL_COMPLETE);
            check_user_event(kinds[i], set_error, failed);
        }
    check_marker();
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
