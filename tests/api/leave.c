// SPDX-License-Identifier: Apache-2.0
// Ways to end a process, with work of all kinds under way, and to go on in a child of fork(): each
// in a process of its own, which must end by itself, in time, with status 0.
#include "test.h"

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char source[] =
    "kernel void work(global int *p) {\n"
    "    int x = 0; for (int i = 0; i < 500; i++) x += p[i] ^ i;\n"
    "    p[get_global_id(0)] = x; }\n"
    "kernel void roam(global int *p, uint mask, uint steps) {\n"
    "    uint at = 1;\n"
    "    for (uint i = 0; i < steps; i++) at = at * 1664525 + 1013904223 + p[at & mask];\n"
    "    p[0] = at; }\n";

enum { COUNT = 1 << 14, LARGE = 1 << 24, STEPS = 1 << 19 };
static cl_mem mem;
static cl_kernel kernel;
static cl_event gate;
static cl_program program;
static pthread_t roamer; // ends after the device's exit handlers have run
static bool roams;
static double slowest; // of its kernels, in seconds

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void launch(int times)
{
    size_t global = COUNT;
    for (int i = 0; i < times; i++)
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static void leave_recorded(void)
{
    launch(2);
}

static void leave_in_flight(void)
{
    launch(10);
    CHECK_OK(clFlush(test_queue));
}

static void leave_waiting(void)
{
    static int value;
    CHECK_OK(
        clEnqueueWriteBuffer(test_queue, mem, CL_FALSE, 0, sizeof value, &value, 1, &gate, NULL));
    launch(2);
    CHECK_OK(clFlush(test_queue));
}

static void callback(void(CL_CALLBACK *fn)(cl_event, cl_int, void *))
{
    cl_event event;
    launch(1);
    CHECK_OK(clEnqueueMarker(test_queue, &event));
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, fn, NULL));
    CHECK_OK(clFinish(test_queue));
}

static void CL_CALLBACK sleeper(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
    sleep(60);
}

static void leave_in_callback(void)
{
    callback(sleeper);
    usleep(50000);
}

static void CL_CALLBACK leaver(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
    exit(0);
}

static void leave_from_callback(void)
{
    callback(leaver);
    sleep(60);
}

static void *run_on(void *data)
{
    size_t global = COUNT;
    while (!clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL) &&
           !clFinish(test_queue))
        ;
    return data;
}

static void leave_with(void *(*run)(void *))
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        CHECK(!pthread_create(&threads[i], NULL, run, NULL));
        pthread_detach(threads[i]);
    }
    usleep(100000);
}

static void leave_threads(void)
{
    leave_with(run_on);
}

static void CL_CALLBACK called(cl_event event, cl_int status, void *data)
{
    (void)status, (void)data;
    clReleaseEvent(event);
}

// A queue of each thread's own, never waited for: callbacks are due all the time.
static void *call_back(void *data)
{
    cl_int code, zero = 0;
    cl_event event;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, 0, &code);
    while (!code && !clEnqueueFillBuffer(queue, mem, &zero, 4, 0, 4096, 0, NULL, &event) &&
           !clSetEventCallback(event, CL_COMPLETE, called, NULL))
        clFlush(queue);
    return data;
}

static void leave_callbacks(void)
{
    leave_with(call_back);
}

static cl_event roam(cl_command_queue queue, cl_kernel roaming)
{
    const cl_uint mask = LARGE - 1, steps = STEPS;
    const size_t one = 1;
    cl_event event = NULL;
    cl_int code;
    cl_mem large = clCreateBuffer(test_context, 0, LARGE * sizeof(cl_int), NULL, &code);
    if (!code) {
        clSetKernelArg(roaming, 0, sizeof large, &large);
        clSetKernelArg(roaming, 1, sizeof mask, &mask);
        clSetKernelArg(roaming, 2, sizeof steps, &steps);
        clEnqueueNDRangeKernel(queue, roaming, 1, NULL, &one, NULL, 0, NULL, &event);
        clReleaseMemObject(large);
        clFlush(queue);
    }
    return event;
}

// One kernel or two are in flight at any time, each with memory that is given back already.
static void *roam_on(void *data)
{
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, 0, &code);
    cl_kernel roaming = clCreateKernel(program, "roam", &code);
    cl_event before = roam(queue, roaming), event;
    while (before && (event = roam(queue, roaming)) != NULL) {
        double begin = seconds();
        clWaitForEvents(1, &before);
        slowest = seconds() - begin > slowest ? seconds() - begin : slowest;
        clReleaseEvent(before);
        before = event;
    }
    if (before)
        clReleaseEvent(before);
    clReleaseKernel(roaming);
    clReleaseCommandQueue(queue);
    return data;
}

static void leave_roaming(void)
{
    roams = !pthread_create(&roamer, NULL, roam_on, NULL);
    CHECK(roams);
    usleep(300000);
}

// Registered before the device's own exit handler, so that it runs after it.
static void end_roaming(void)
{
    if (!roams)
        return;
    pthread_join(roamer, NULL);
    usleep((useconds_t)(2e6 * slowest)); // the device goes on
}

// In the child everything that needs the device fails, releases do not, and nothing hangs.
static void leave_child(void)
{
    launch(3);
    pid_t child = fork();
    if (!child) {
        cl_int value, code;
        alarm(10);
        CHECK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof value, &value, 0, NULL,
                                  NULL) < 0);
        CHECK(clFinish(test_queue) < 0);
        CHECK(!clCreateBuffer(test_context, 0, 64, NULL, &code) && code < 0);
        CHECK(!clCreateContext(NULL, 1, &test_device, NULL, NULL, &code) && code < 0);
        CHECK_OK(clReleaseKernel(kernel));
        CHECK_OK(clReleaseMemObject(mem));
        CHECK_OK(clReleaseCommandQueue(test_queue));
        CHECK_OK(clReleaseContext(test_context));
        fflush(stdout);
        _exit(test_failures != 0); // some drivers' own exit handlers do not survive in a child
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_EQ(status, 0);
    CHECK_OK(clFinish(test_queue));
}

static void *map_on(void *stop)
{
    cl_int code;
    while (!__atomic_load_n((int *)stop, __ATOMIC_RELAXED)) {
        void *pointer =
            clEnqueueMapBuffer(test_queue, mem, CL_FALSE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &code);
        if (!code)
            clEnqueueUnmapMemObject(test_queue, mem, pointer, 0, NULL, NULL);
    }
    return NULL;
}

// Whatever lock a thread holds at the fork: the child does not wait for it.
static void leave_children(void)
{
    enum { CHILDREN = 40 };
    pthread_t threads[2];
    int stop = 0, status;
    for (int i = 0; i < 2; i++)
        CHECK(!pthread_create(&threads[i], NULL, map_on, &stop));
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        if (!child) {
            cl_int code;
            alarm(5);
            bool refused = !clEnqueueMapBuffer(test_queue, mem, CL_FALSE, CL_MAP_READ, 0, 4, 0,
                                               NULL, NULL, &code) &&
                           code < 0 &&
                           clEnqueueUnmapMemObject(test_queue, mem, &code, 0, NULL, NULL) < 0;
            _exit(!refused);
        }
        CHECK(waitpid(child, &status, 0) == child);
        if (!CHECK_EQ(status, 0))
            break;
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(clFinish(test_queue));
}

static const double QUIET = 0.5;
static const struct way {
    const char *name;
    void (*run)(void);
    double seconds; // at most, on a machine that does the first in QUIET
} ways[] = {
    {"recorded", leave_recorded, 15},
    {"in flight", leave_in_flight, 15},
    {"waiting", leave_waiting, 15},
    {"in a callback", leave_in_callback, 15},
    {"from a callback", leave_from_callback, 15},
    {"threads", leave_threads, 4.5}, // what they go on to enqueue is not waited for
    {"callbacks", leave_callbacks, 15},
    {"roaming", leave_roaming, 60},
    {"a child", leave_child, 15},
    {"children", leave_children, 15},
};

static int leave(const struct way *way)
{
    cl_int code;
    alarm(100);
    atexit(end_roaming);
    test_open();
    mem = test_buffer(0, COUNT * sizeof(cl_int), NULL);
    program = test_build(source, "");
    kernel = test_kernel(program, "work");
    gate = clCreateUserEvent(test_context, &code);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    way->run();
    return test_failures != 0;
}

// In a process of its own; the status that waitpid() gives.
static int leave_apart(const char *name, size_t i)
{
    char number[16];
    int status = -1;
    snprintf(number, sizeof number, "%zu", i);
    pid_t child = fork();
    if (!child) {
        execl("/proc/self/exe", name, number, (char *)NULL);
        exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

int main(int argc, char **argv)
{
    double slow = 1; // how many times: a busy machine, a sanitizer
    if (argc > 1)
        return leave(&ways[atoi(argv[1])]);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        double begin = seconds();
        int status = leave_apart(argv[0], i);
        double took = seconds() - begin;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
            return 77;
        if (!i && took > QUIET)
            slow = took / QUIET;
        if (!CHECK_EQ(status, 0) || !CHECK(took < slow * ways[i].seconds))
            printf("  leaving '%s': %.1f s\n", ways[i].name, took);
    }
    printf("%d checks, %d failures\n", test_checks, test_failures);
    return test_failures || !test_checks;
}
