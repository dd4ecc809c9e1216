// SPDX-License-Identifier: Apache-2.0
// Callbacks that are delayed by the runtime or by the machine: functions that wait for their
// commands must still return after them.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>

#include "test.h"

static void CL_CALLBACK count_at_once(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status;
    atomic_fetch_add((atomic_int *)data, 1);
}

// Checks that clFinish() does not return before a callback that is due.
static void check_one(void(CL_CALLBACK *fn)(cl_event, cl_int, void *), atomic_int *count)
{
    cl_event event;
    CHECK_OK(clEnqueueMarker(test_queue, &event));
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, fn, count));
    CHECK_OK(clFinish(test_queue));
    CHECK_EQ(*count, 1);
    CHECK_OK(clReleaseEvent(event));
}

static void await(const atomic_int *count)
{
    while (!*count)
        usleep(1000);
}

// Long work of other kinds must not delay callbacks.
static atomic_int native_state;

static void CL_CALLBACK native_wait(void *unused)
{
    (void)unused;
    native_state = 1;
    while (native_state == 1)
        usleep(1000);
}

static void check_callbacks_beside_native(void)
{
    static atomic_int count;
    cl_int code;
    cl_command_queue other = clCreateCommandQueue(test_context, test_device, 0, &code);
    CHECK_OK(clEnqueueNativeKernel(other, native_wait, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clFlush(other));
    while (!native_state)
        usleep(1000);
    check_one(count_at_once, &count);
    native_state = 2;
    await(&count);
    CHECK_OK(clFinish(other));
    CHECK_OK(clReleaseCommandQueue(other));
}

// A running callback is waited for, however little CPU time its thread gets.
static atomic_bool starving, spinning;

static bool share_one_processor(void)
{
    cpu_set_t set;
    int one = -1;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set))
        return false;
    while (!CPU_ISSET(++one, &set))
        ;
    CPU_ZERO(&set);
    CPU_SET(one, &set);
    return !sched_setaffinity(0, sizeof set, &set);
}

static void CL_CALLBACK starve(cl_event event, cl_int status, void *data)
{
    starving = share_one_processor() && !setpriority(PRIO_PROCESS, 0, 19); // of this thread only
    count_at_once(event, status, data);
}

static void *spin(void *unused)
{
    (void)unused;
    share_one_processor();
    while (spinning)
        ;
    return NULL;
}

static uint64_t own_ns(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

static void CL_CALLBACK count_computing(cl_event event, cl_int status, void *data)
{
    enum { COMPUTE_NS = 10000000 };
    for (uint64_t from = own_ns(); own_ns() < from + COMPUTE_NS;)
        ;
    count_at_once(event, status, data);
}

static void check_starved_callback(void)
{
    static atomic_int started, computed;
    pthread_t thread;
    check_one(starve, &started);
    await(&started);
    if (!starving)
        return;
    spinning = true;
    CHECK(!pthread_create(&thread, NULL, spin, NULL));
    check_one(count_computing, &computed);
    spinning = false;
    pthread_join(thread, NULL);
    await(&computed);
}

int main(void)
{
    test_open();
    check_callbacks_beside_native();
    check_starved_callback(); // last, because the thread keeps its priority
    return test_close();
}
