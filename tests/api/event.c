// SPDX-License-Identifier: Apache-2.0
// Events: status, waiting, user events and errors through wait lists, callbacks, profiling.
#include "test.h"

#include <pthread.h>
#include <time.h>

static cl_int status_of(cl_event event)
{
    cl_int status = 99;
    CHECK_OK(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static void check_user_events(void)
{
    cl_int code;
    cl_command_type type;
    cl_command_queue queue;
    cl_event event = clCreateUserEvent(test_context, &code);
    CHECK_OK(code);
    CHECK_EQ(status_of(event), CL_SUBMITTED);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_USER);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    CHECK(queue == NULL);
    CHECK_EQ(clSetUserEventStatus(event, CL_RUNNING), CL_INVALID_VALUE);
    CHECK_OK(clSetUserEventStatus(event, CL_COMPLETE));
    CHECK_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_OPERATION);
    CHECK_EQ(status_of(event), CL_COMPLETE);
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_OK(clReleaseEvent(event));
    CHECK_CREATE(clCreateUserEvent(NULL, &error), CL_INVALID_CONTEXT);
    CHECK_OK(clEnqueueMarker(test_queue, &event));
    CHECK_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_EVENT);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseEvent(event));
    CHECK_EQ(clWaitForEvents(0, NULL), CL_INVALID_VALUE);
    event = NULL;
    CHECK_EQ(clWaitForEvents(1, &event), CL_INVALID_EVENT);
}

static void check_errors_propagate(void)
{
    cl_int code, value = 1;
    cl_mem mem = test_buffer(0, sizeof value, NULL);
    cl_event gate = clCreateUserEvent(test_context, &code), write, marker;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, 0, &code);
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, sizeof value, &value, 1, &gate, &write));
    CHECK_OK(clEnqueueMarkerWithWaitList(queue, 1, &write, &marker));
    CHECK(status_of(write) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(gate, -42));
    CHECK_EQ(clWaitForEvents(1, &write), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(status_of(write) < 0);
    CHECK_EQ(clWaitForEvents(1, &marker), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof value, &value, 1, &gate, NULL),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    clFinish(queue);
    CHECK_OK(clReleaseEvent(write));
    CHECK_OK(clReleaseEvent(marker));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(clReleaseMemObject(mem));
}

// ---- callbacks ----------------------------------------------------------------------------------

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int calls, statuses[8];

static void CL_CALLBACK on_status(cl_event event, cl_int status, void *data)
{
    (void)event;
    pthread_mutex_lock(&lock);
    statuses[*(int *)data] = status;
    calls++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void wait_calls(int count)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 200;
    pthread_mutex_lock(&lock);
    while (calls < count && !pthread_cond_timedwait(&changed, &lock, &end))
        ;
    CHECK_EQ(calls, count);
    pthread_mutex_unlock(&lock);
}

static void check_callbacks(void)
{
    static int ids[] = {0, 1, 2, 3, 4};
    static const cl_int want[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
    cl_int code;
    cl_event gate = clCreateUserEvent(test_context, &code), event;
    for (int i = 0; i < 8; i++)
        statuses[i] = 77;
    CHECK_OK(clEnqueueMarkerWithWaitList(test_queue, 1, &gate, &event));
    for (int i = 0; i < 3; i++)
        CHECK_OK(clSetEventCallback(event, want[i], on_status, &ids[i]));
    CHECK_EQ(clSetEventCallback(event, CL_QUEUED, on_status, &ids[0]), CL_INVALID_VALUE);
    CHECK_EQ(clSetEventCallback(event, CL_COMPLETE, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clSetEventCallback(NULL, CL_COMPLETE, on_status, NULL), CL_INVALID_EVENT);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFlush(test_queue));
    wait_calls(3);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(statuses[i], want[i]);
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, on_status, &ids[3])); // already complete
    CHECK_OK(clReleaseEvent(event));
    wait_calls(4);
    CHECK_EQ(statuses[3], CL_COMPLETE);
    CHECK_OK(clReleaseEvent(gate));
    gate = clCreateUserEvent(test_context, &code);
    CHECK_OK(clSetEventCallback(gate, CL_COMPLETE, on_status, &ids[4]));
    CHECK_OK(clSetUserEventStatus(gate, -7));
    wait_calls(5);
    CHECK_EQ(statuses[4], -7);
    CHECK_OK(clReleaseEvent(gate));
}

// A wait returns only after the callbacks of the commands it waited for, whichever function waits.
static void CL_CALLBACK count_late(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status;
    usleep(2000);
    ++*(int *)data;
}

static void check_waits_see_callbacks(void)
{
    enum { ROUNDS = 30 };
    static char bytes[4096];
    cl_mem mem = test_buffer(0, sizeof bytes, NULL);
    int count = 0;
    for (int i = 0; i < ROUNDS; i++) {
        cl_event event;
        CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_FALSE, 0, sizeof bytes, bytes, 0, NULL,
                                     &event));
        CHECK_OK(clSetEventCallback(event, CL_COMPLETE, count_late, &count));
        if (i % 3 == 0)
            CHECK_OK(clFinish(test_queue));
        else if (i % 3 == 1)
            CHECK_OK(clWaitForEvents(1, &event));
        else
            CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
        CHECK_EQ(count, i + 1);
        CHECK_OK(clReleaseEvent(event));
    }
    CHECK_OK(clReleaseMemObject(mem));
}

// A callback that needs a lock of the waiting thread is not waited for forever, and a callback that
// waits itself is no deadlock.
static void CL_CALLBACK lock_and_finish(cl_event event, cl_int status, void *data)
{
    cl_int result = clFinish(data); // checked by the waiting thread, because checks are not
                                    // thread-safe
    on_status(event, result ? result : status, &(int){0});
}

static void check_callback_needs_waiter(void)
{
    cl_event event;
    calls = 0;
    for (int i = 0; i < 5; i++) {
        CHECK_OK(clEnqueueMarker(test_queue, &event));
        pthread_mutex_lock(&lock);
        CHECK_OK(clSetEventCallback(event, CL_COMPLETE, lock_and_finish, test_queue));
        CHECK_OK(clFinish(test_queue));
        pthread_mutex_unlock(&lock);
        CHECK_OK(clReleaseEvent(event));
        wait_calls(i + 1);
        CHECK_EQ(statuses[0], CL_COMPLETE);
    }
}

// Such callbacks are no reason not to wait for others.
static void CL_CALLBACK count(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status;
    ++*(int *)data;
}

static void check_waiting_goes_on(void)
{
    enum { ROUNDS = 20 };
    static int counted;
    int missing = 0;
    for (int i = 0; i < ROUNDS; i++) {
        cl_event event;
        CHECK_OK(clEnqueueMarker(test_queue, &event));
        CHECK_OK(clSetEventCallback(event, CL_COMPLETE, count, &counted));
        CHECK_OK(clFinish(test_queue));
        missing += counted != i + 1;
        CHECK_OK(clReleaseEvent(event));
    }
    CHECK_NONE(missing);
}

// ---- profiling ----------------------------------------------------------------------------------

static void check_profiling(void)
{
    static const cl_profiling_info names[] = {
        CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,   CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END,    CL_PROFILING_COMMAND_COMPLETE,
    };
    cl_int code;
    cl_ulong times[5];
    static char bytes[1 << 16];
    cl_mem mem = test_buffer(0, sizeof bytes, NULL);
    cl_event event, gate = clCreateUserEvent(test_context, &code);
    cl_command_queue queue =
        clCreateCommandQueue(test_context, test_device, CL_QUEUE_PROFILING_ENABLE, &code);
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, sizeof bytes, bytes, 1, &gate, &event));
    CHECK_EQ(clGetEventProfilingInfo(event, names[0], 8, times, NULL),
             CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK_EQ(clGetEventProfilingInfo(gate, names[0], 8, times, NULL),
             CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    for (int i = 0; i < 5; i++)
        CHECK_OK(clGetEventProfilingInfo(event, names[i], sizeof times[i], &times[i], NULL));
    for (int i = 0; i < 4; i++)
        CHECK(times[i] <= times[i + 1]);
    CHECK(times[0] > 0 && times[3] - times[0] < 60000000000ull);
    CHECK_EQ(clGetEventProfilingInfo(event, 0xdead, 8, times, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetEventProfilingInfo(event, names[0], 4, times, NULL), CL_INVALID_VALUE);
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_TRUE, 0, 4, bytes, 0, NULL, &event));
    CHECK_EQ(clGetEventProfilingInfo(event, names[0], 8, times, NULL),
             CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(clReleaseMemObject(mem));
}

// Kernels that do nothing still take some time, between the host's times before and after; the
// device's clock is read again meanwhile.
static void check_empty_kernels(void)
{
    enum { ROUNDS = 3, KERNELS = 100, PAUSE_US = 110000 };
    const size_t size = 1;
    cl_int code;
    cl_event events[KERNELS];
    cl_program program = test_build("kernel void k(void) {}", "");
    cl_kernel kernel = test_kernel(program, "k");
    cl_command_queue queue =
        clCreateCommandQueue(test_context, test_device, CL_QUEUE_PROFILING_ENABLE, &code);
    int empty = 0, early = 0, crossed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < KERNELS; i++)
            CHECK_OK(
                clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, &events[i]));
        CHECK_OK(clFinish(queue));
        cl_ulong before = 0;
        for (int i = 0; i < KERNELS; i++) {
            cl_ulong submit = 0, start = 0, end = 0;
            clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_SUBMIT, 8, &submit, NULL);
            clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_START, 8, &start, NULL);
            clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_END, 8, &end, NULL);
            empty += end <= start;
            early += start < submit;
            crossed += start < before;
            before = end;
            CHECK_OK(clReleaseEvent(events[i]));
        }
        usleep(PAUSE_US);
    }
    CHECK_NONE(empty);
    CHECK_NONE(early);
    CHECK_NONE(crossed);
    CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

static int by_size(const void *a, const void *b)
{
    cl_ulong x = *(const cl_ulong *)a, y = *(const cl_ulong *)b;
    return x < y ? -1 : x > y;
}

// So many dependent steps take measurable time on any device, also when the device's clock wraps
// around.
static void check_long_work(void)
{
    enum { RUNS = 100, LEAST_NS = 20000 };
    const size_t size = 1;
    cl_int code;
    cl_ulong took[RUNS];
    cl_program program = test_build("kernel void k(global uint *x)\n"
                                    "{ for (uint i = 0; i < 300000; i++) x[i & 7] = x[(i * 5) & 7] + i; }",
                                    "");
    cl_kernel kernel = test_kernel(program, "k");
    cl_mem mem = test_buffer(0, 32, NULL);
    cl_command_queue queue =
        clCreateCommandQueue(test_context, test_device, CL_QUEUE_PROFILING_ENABLE, &code);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (int i = 0; i < RUNS; i++) {
        cl_event event;
        cl_ulong start = 0, end = 0;
        CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, &event));
        CHECK_OK(clWaitForEvents(1, &event));
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, 8, &start, NULL);
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, &end, NULL);
        took[i] = end - start;
        CHECK_OK(clReleaseEvent(event));
    }
    qsort(took + 1, RUNS - 1, sizeof *took, by_size); // the first may run before the clocks are
                                                      // correlated
    CHECK(took[1] > LEAST_NS);
    CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

int main(void)
{
    test_open();
    check_user_events();
    check_errors_propagate();
    check_callbacks();
    check_waits_see_callbacks();
    check_callback_needs_waiter();
    check_waiting_goes_on();
    check_profiling();
    check_empty_kernels();
    check_long_work();
    return test_close();
}
