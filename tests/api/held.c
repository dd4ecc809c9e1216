// SPDX-License-Identifier: Apache-2.0
// Many commands that wait for user events in an out-of-order queue: they complete in whatever order
// the events are set, each after all that it waits for, and the cost of a set event does not grow
// with the number of commands that wait for others.
#include "test.h"

#include <time.h>

enum { FEW = 500, MANY = 8000, GROWTH = 5, TRIES = 5, CHAIN = 300 };

static cl_command_queue unordered(void)
{
    return clCreateCommandQueue(test_context, test_device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
}

static cl_int status_of(cl_event event)
{
    cl_int status = CL_QUEUED;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    return status;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void release_events(cl_event *events, int count)
{
    for (int i = 0; i < count; i++)
        clReleaseEvent(events[i]);
}

static void gates_create(cl_event *gates, int count)
{
    for (int i = 0; i < count; i++)
        gates[i] = clCreateUserEvent(test_context, NULL);
}

// A marker behind each of `count` user events, which are set in another order. Returns the seconds
// that a set event takes.
static double one_each(int count)
{
    static cl_event gates[MANY], markers[MANY];
    cl_command_queue queue = unordered();
    int failed = 0, early = 0, late = 0;
    memset(markers, 0, sizeof markers); // no events of an earlier call, should a call fail
    gates_create(gates, count);
    for (int i = 0; i < count; i++)
        failed += clEnqueueMarkerWithWaitList(queue, 1, &gates[i], &markers[i]) != CL_SUCCESS;
    CHECK_NONE(failed);
    double begin = cpu_seconds();
    for (int i = 0; i < count; i++) {
        int n = (int)((i * 7919u + 3) % (unsigned)count); // 7919 is prime: each once
        early += status_of(markers[n]) <= CL_COMPLETE;
        failed += clSetUserEventStatus(gates[n], CL_COMPLETE) != CL_SUCCESS;
        late += clWaitForEvents(1, &markers[n]) != CL_SUCCESS;
    }
    double spent = cpu_seconds() - begin;
    CHECK_NONE(failed);
    CHECK_EQ(early, 0);
    CHECK_EQ(late, 0);
    CHECK_OK(clFinish(queue));
    release_events(markers, count);
    release_events(gates, count);
    clReleaseCommandQueue(queue);
    return spent / count;
}

static void test_growth(void)
{
    struct timespec grain; // some systems only count whole ticks
    clock_getres(CLOCK_THREAD_CPUTIME_ID, &grain);
    bool small = false;
    for (int i = 0; i < TRIES && !small; i++) { // other work on the machine counts, too: in its caches
        double few = one_each(FEW), many = one_each(MANY), least = (double)grain.tv_nsec * 1e-9 / FEW;
        printf("%d: %.2f us, %d: %.2f us for each event\n", FEW, few * 1e6, MANY, many * 1e6);
        small = many < (few + least) * GROWTH;
    }
    CHECK(small);
}

// One marker behind all of the events, set forwards or backwards.
static void test_all_in_one(cl_command_queue queue, bool backwards)
{
    static cl_event gates[MANY];
    cl_event marker = NULL;
    gates_create(gates, MANY);
    CHECK_OK(clEnqueueMarkerWithWaitList(queue, MANY, gates, &marker));
    for (int i = 0; i < MANY; i++) {
        if (i == MANY - 1)
            CHECK(status_of(marker) > CL_COMPLETE);
        clSetUserEventStatus(gates[backwards ? MANY - 1 - i : i], CL_COMPLETE);
    }
    CHECK_OK(clWaitForEvents(1, &marker));
    clReleaseEvent(marker);
    release_events(gates, MANY);
}

// Each marker waits for the one before, in the other queue, and for its own event; the events are
// set from the last to the first, so all complete with the first.
static void test_chain(cl_int status)
{
    cl_command_queue queues[2] = {unordered(), unordered()};
    cl_event gates[CHAIN], markers[CHAIN] = {NULL};
    int early = 0, wrong = 0;
    gates_create(gates, CHAIN);
    for (int i = 0; i < CHAIN; i++) {
        cl_event waits[2] = {gates[i], i ? markers[i - 1] : gates[i]};
        clEnqueueMarkerWithWaitList(queues[i % 2], i ? 2 : 1, waits, &markers[i]);
    }
    for (int i = CHAIN - 1; i >= 0; i--) {
        early += status_of(markers[i]) <= CL_COMPLETE;
        clSetUserEventStatus(gates[i], i ? CL_COMPLETE : status);
    }
    CHECK_EQ(early, 0);
    cl_int want = status < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
    CHECK_EQ(clWaitForEvents(CHAIN, markers), want);
    for (int i = 0; i < CHAIN; i++)
        wrong += status_of(markers[i]) != want;
    CHECK_EQ(wrong, 0);
    release_events(markers, CHAIN);
    release_events(gates, CHAIN);
    for (int i = 0; i < 2; i++)
        clReleaseCommandQueue(queues[i]);
}

// One of two events fails: the marker fails, but not before the other is set too.
static void test_failed(void)
{
    cl_command_queue queue = unordered();
    cl_event gates[2], marker = NULL, other = NULL;
    gates_create(gates, 2);
    CHECK_OK(clEnqueueMarkerWithWaitList(queue, 2, gates, &marker));
    CHECK_OK(clEnqueueMarkerWithWaitList(queue, 1, &gates[1], &other));
    clSetUserEventStatus(gates[0], -5);
    CHECK(status_of(marker) > CL_COMPLETE);
    clSetUserEventStatus(gates[1], CL_COMPLETE);
    CHECK_EQ(clWaitForEvents(1, &marker), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(clWaitForEvents(1, &other));
    clReleaseEvent(marker);
    clReleaseEvent(other);
    release_events(gates, 2);
    clReleaseCommandQueue(queue);
}

// Events that are released without being set: the commands behind them are dropped with their queue
// (leaks_watch() sees otherwise), whichever goes first.
static void test_never_set(bool queue_first)
{
    cl_command_queue queue = unordered();
    cl_event gates[2];
    gates_create(gates, 2);
    for (int i = 0; i < 2; i++)
        CHECK_OK(clEnqueueMarkerWithWaitList(queue, 2, gates, NULL));
    if (queue_first)
        clReleaseCommandQueue(queue);
    release_events(gates, 2);
    if (!queue_first)
        clReleaseCommandQueue(queue);
}

int main(void)
{
    test_open();
    test_growth();
    cl_command_queue queue = unordered();
    for (int i = 0; i < 4; i++)
        test_all_in_one(i < 2 ? queue : test_queue, i % 2);
    clReleaseCommandQueue(queue);
    test_chain(CL_COMPLETE);
    test_chain(-7);
    test_failed();
    test_never_set(false);
    test_never_set(true);
    return test_close();
}
