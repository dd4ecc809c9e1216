// SPDX-License-Identifier: Apache-2.0
// Ways to end a process with pending work of all kinds, and to continue in a child of fork(): each
// runs in its own process, which must end with status 0 without help. No call of any thread may
// fail meanwhile, nor calls in destructors of static objects.
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
    "    p[0] = at; }\n"
    "kernel void last(global int *p, ulong steps) {\n"
    "    uint x = 1; for (ulong i = 0; i < steps; i++) x = x * 1664525 + (x >> 16 ^ 5);\n"
    "    p[0] = x; }\n"
    "kernel void mark(global int *p) { p[get_global_id(0)] = 3 * get_global_id(0); }\n";

enum { COUNT = 1 << 14, LARGE = 1 << 24, STEPS = 1 << 19 };
static cl_mem mem;
static cl_kernel kernel;
static cl_event gate;
static cl_program program;
static pthread_t worker; // ends after the device's exit handlers have run
static bool works;
static int worker_ends; // asks the worker to end
static double slowest; // slowest kernel of the worker, in seconds

// Aborts as an uncaught exception of a C++ wrapper does.
#define MUST(call)                                                                                 \
    do {                                                                                           \
        cl_int must_code = (call);                                                                 \
        if (must_code)                                                                             \
            give_up(#call, must_code);                                                             \
    } while (0)

static void give_up(const char *call, cl_int code)
{
    fprintf(stderr, "%s: %d\n", call, code);
    abort();
}

// A crash is rare, in one process among thousands, so a backtrace is printed. Sanitizers do that
// themselves.
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#include <dirent.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/syscall.h>

static void tell(const char *text)
{
    ssize_t written = write(2, text, strlen(text));
    (void)written;
}

static void tell_where(int signal)
{
    void *frames[32];
    (void)signal;
    tell("a thread in\n");
    backtrace_symbols_fd(frames, backtrace(frames, 32), 2);
}

// One thread after the other.
static void ask_others(void)
{
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *entry; threads && (entry = readdir(threads));) {
        long id = atol(entry->d_name);
        if (id && id != syscall(SYS_gettid) && !syscall(SYS_tgkill, getpid(), id, SIGUSR1))
            usleep(100000);
    }
}

static void tell_crash(int signal, siginfo_t *info, void *context)
{
    char text[64];
    (void)context;
    snprintf(text, sizeof text, "signal %d at %p, ", signal, info->si_addr);
    tell(text);
    tell_where(signal);
    ask_others();
} // then returns to the crash, now with the default handler

static void watch_crashes(void)
{
    const int all[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    struct sigaction action = {.sa_sigaction = tell_crash, .sa_flags = (int)(SA_SIGINFO | SA_RESETHAND)};
    void *frame;
    backtrace(&frame, 1); // loads libgcc now
    signal(SIGUSR1, tell_where);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sigaction(all[i], &action, NULL);
}
#else
static void watch_crashes(void)
{
}
#endif

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

static void CL_CALLBACK exit_in_native(void *data)
{
    (void)data;
    exit(0);
}

static void leave_from_native(void)
{
    cl_event event;
    launch(1);
    cl_int code =
        clEnqueueNativeKernel(test_queue, exit_in_native, NULL, 0, 0, NULL, NULL, 0, NULL, &event);
    if (!code)
        clWaitForEvents(1, &event);
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

// ---- threads that keep running ------------------------------------------------------------------

static cl_command_queue new_queue(void)
{
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, 0, &code);
    MUST(code);
    return queue;
}

static cl_kernel new_kernel(const char *name)
{
    cl_int code;
    cl_kernel made = clCreateKernel(program, name, &code);
    MUST(code);
    return made;
}

static cl_mem new_buffer(size_t size)
{
    cl_int code;
    cl_mem made = clCreateBuffer(test_context, 0, size, NULL, &code);
    MUST(code);
    return made;
}

static void *run_on(void *data)
{
    size_t global = COUNT;
    for (;;) {
        MUST(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        MUST(clFinish(test_queue));
    }
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
    MUST(clReleaseEvent(event));
}

// Each thread has its own queue and never waits for it: callbacks are due all the time.
static void *call_back(void *data)
{
    cl_int zero = 0;
    cl_event event;
    for (cl_command_queue queue = new_queue();;) {
        MUST(clEnqueueFillBuffer(queue, mem, &zero, 4, 0, 4096, 0, NULL, &event));
        MUST(clSetEventCallback(event, CL_COMPLETE, called, NULL));
        MUST(clFlush(queue));
    }
    return data;
}

static void leave_callbacks(void)
{
    leave_with(call_back);
}

// Keeps the driver's compiler busy: each program is different.
static void *build_on(void *data)
{
    static int number;
    char text[128];
    const char *lines = text;
    const size_t global = 64;
    cl_command_queue queue = new_queue();
    for (cl_int code;;) {
        snprintf(text, sizeof text, "kernel void one(global int *p) { p[get_global_id(0)] += %d; }",
                 __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
        cl_program own = clCreateProgramWithSource(test_context, 1, &lines, NULL, &code);
        MUST(code);
        MUST(clBuildProgram(own, 1, &test_device, "", NULL, NULL));
        cl_kernel one = clCreateKernel(own, "one", &code);
        MUST(code);
        MUST(clSetKernelArg(one, 0, sizeof mem, &mem));
        MUST(clEnqueueNDRangeKernel(queue, one, 1, NULL, &global, NULL, 0, NULL, NULL));
        MUST(clFlush(queue));
        MUST(clReleaseKernel(one));
        MUST(clReleaseProgram(own));
    }
    return data;
}

static void leave_building(void)
{
    launch(1);
    CHECK_OK(clFinish(test_queue)); // the driver has registered what it registers at the first
                                    // compilation
    leave_with(build_on);
}

// Keeps the driver allocating and mapping.
static void *read_on(void *data)
{
    int values[64], zero = 0;
    cl_int code;
    for (cl_command_queue queue = new_queue();;) {
        cl_mem large = new_buffer(LARGE);
        MUST(clEnqueueFillBuffer(queue, large, &zero, 4, 0, LARGE, 0, NULL, NULL));
        MUST(clEnqueueReadBuffer(queue, large, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
        void *mapped = clEnqueueMapBuffer(queue, large, CL_TRUE, CL_MAP_READ, 0, sizeof values, 0,
                                          NULL, NULL, &code);
        MUST(code);
        MUST(clEnqueueUnmapMemObject(queue, large, mapped, 0, NULL, NULL));
        MUST(clReleaseMemObject(large));
    }
    return data;
}

static void leave_reading(void)
{
    leave_with(read_on);
}

static void *wait_on(void *data)
{
    MUST(clWaitForEvents(1, &gate)); // never set
    MUST(clFinish(test_queue));
    pause();
    return data;
}

static void leave_stuck(void)
{
    leave_with(wait_on);
}

// Work that does not end within any time limit. The other kernel has been launched before: lavapipe creates no pipeline while
// a kernel runs.
static void leave_endless(void)
{
    const cl_ulong steps = (cl_ulong)1 << 60;
    const size_t one = 1, global = COUNT;
    MUST(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    MUST(clFinish(test_queue));
    cl_kernel last = new_kernel("last");
    MUST(clSetKernelArg(last, 0, sizeof mem, &mem));
    MUST(clSetKernelArg(last, 1, sizeof steps, &steps));
    MUST(clEnqueueNDRangeKernel(test_queue, last, 1, NULL, &one, NULL, 0, NULL, NULL));
    leave_with(run_on);
}

static void *exit_from(void *data)
{
    usleep(100000);
    exit(0);
    return data;
}

static void leave_from_thread(void)
{
    pthread_t thread;
    CHECK(!pthread_create(&thread, NULL, exit_from, NULL));
    run_on(NULL);
}

// ---- a thread that a destructor waits for -------------------------------------------------------

static cl_event roam(cl_command_queue queue, cl_kernel roaming)
{
    const cl_uint mask = LARGE - 1, steps = STEPS;
    const size_t one = 1;
    cl_event event;
    cl_mem large = new_buffer(LARGE * sizeof(cl_int));
    MUST(clSetKernelArg(roaming, 0, sizeof large, &large));
    MUST(clSetKernelArg(roaming, 1, sizeof mask, &mask));
    MUST(clSetKernelArg(roaming, 2, sizeof steps, &steps));
    MUST(clEnqueueNDRangeKernel(queue, roaming, 1, NULL, &one, NULL, 0, NULL, &event));
    MUST(clReleaseMemObject(large));
    MUST(clFlush(queue));
    return event;
}

// One or two kernels are in flight at any time, each with memory that has been released already.
static void *roam_on(void *data)
{
    cl_command_queue queue = new_queue();
    cl_kernel roaming = new_kernel("roam");
    cl_event before = roam(queue, roaming);
    while (!__atomic_load_n(&worker_ends, __ATOMIC_RELAXED)) {
        cl_event event = roam(queue, roaming);
        double begin = seconds();
        MUST(clWaitForEvents(1, &before));
        slowest = seconds() - begin > slowest ? seconds() - begin : slowest;
        MUST(clReleaseEvent(before));
        before = event;
    }
    MUST(clReleaseEvent(before));
    MUST(clReleaseKernel(roaming));
    MUST(clReleaseCommandQueue(queue));
    return data;
}

static void leave_roaming(void)
{
    works = !pthread_create(&worker, NULL, roam_on, NULL);
    CHECK(works);
    usleep(300000);
}

static void end_worker(void)
{
    if (!works)
        return;
    __atomic_store_n(&worker_ends, 1, __ATOMIC_RELAXED);
    pthread_join(worker, NULL);
    usleep((useconds_t)(2e6 * slowest)); // the device continues
}

// ---- static objects that are older than the driver ----------------------------------------------

static cl_int results[COUNT];
static bool destroys;

static void leave_static(void)
{
    const size_t global = COUNT;
    cl_kernel mark = new_kernel("mark");
    MUST(clSetKernelArg(mark, 0, sizeof mem, &mem));
    MUST(clEnqueueNDRangeKernel(test_queue, mark, 1, NULL, &global, NULL, 0, NULL, NULL));
    MUST(clEnqueueReadBuffer(test_queue, mem, CL_FALSE, 0, sizeof results, results, 0, NULL, NULL));
    destroys = true;
}

// The results were pending at exit and are complete now.
static void check_results(void)
{
    MUST(clFinish(test_queue));
    for (int i = 0; i < COUNT; i++)
        if (results[i] != 3 * i)
            give_up("a result", results[i]);
}

static void use_images_late(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    const size_t origin[3] = {0, 0, 0}, region[3] = {64, 64, 1};
    static cl_uint texels[64 * 64];
    cl_bool has = CL_FALSE;
    cl_int code;
    MUST(clGetDeviceInfo(test_device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL));
    if (!has)
        return;
    cl_mem image = clCreateImage(test_context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    MUST(code);
    MUST(clEnqueueReadImage(test_queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL,
                            NULL));
    MUST(clReleaseMemObject(image));
}

// Also builds a program at this point.
static void use_late(void)
{
    cl_event event;
    cl_uint units;
    cl_int status, values[64];
    const size_t global = COUNT;
    cl_program built = test_build(source, "");
    cl_kernel other = test_kernel(built, "work");
    cl_mem made = new_buffer(LARGE);
    cl_command_queue queue = new_queue();
    MUST(clGetDeviceInfo(test_device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    use_images_late();
    MUST(clSetKernelArg(other, 0, sizeof made, &made));
    MUST(clEnqueueNDRangeKernel(queue, other, 1, NULL, &global, NULL, 0, NULL, &event));
    MUST(clEnqueueReadBuffer(queue, made, CL_TRUE, 0, sizeof values, values, 1, &event, NULL));
    MUST(clEnqueueCopyBuffer(test_queue, mem, made, 0, 0, 4096, 0, NULL, NULL));
    MUST(clFinish(queue));
    MUST(clWaitForEvents(1, &event));
    MUST(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    if (status != CL_COMPLETE)
        give_up("a late event", status);
    MUST(clReleaseEvent(event));
    MUST(clReleaseKernel(other));
    MUST(clReleaseProgram(built));
    MUST(clReleaseMemObject(made));
    MUST(clReleaseCommandQueue(queue));
}

static void destroy_static(void)
{
    if (!destroys)
        return;
    check_results();
    use_late();
    MUST(clReleaseEvent(gate));
    MUST(clReleaseKernel(kernel));
    MUST(clReleaseProgram(program));
    MUST(clReleaseMemObject(mem));
    MUST(clReleaseCommandQueue(test_queue));
    MUST(clReleaseContext(test_context));
    destroys = false;
}

// Registered before the device's own exit handler, so that it runs after it.
static void destroy_first(void)
{
    end_worker();
    destroy_static();
}

// ---- children -----------------------------------------------------------------------------------

// In the child, calls that need the device fail, releases succeed, and nothing hangs.
static void leave_child(void)
{
    launch(3);
    pid_t child = fork();
    if (!child) {
        cl_int value, code;
        alarm(200);
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
        _exit(test_failures != 0); // some drivers' exit handlers crash in a child
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

// The child does not wait for any lock that another thread held at the fork.
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
            alarm(200);
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

static const struct way {
    const char *name;
    void (*run)(void);
} ways[] = {
    {"recorded", leave_recorded},
    {"in flight", leave_in_flight},
    {"waiting", leave_waiting},
    {"in a callback", leave_in_callback},
    {"from a callback", leave_from_callback},
    {"from a native kernel", leave_from_native},
    {"threads", leave_threads},
    {"callbacks", leave_callbacks},
    {"building", leave_building},
    {"reading", leave_reading},
    {"stuck", leave_stuck},
    {"endless", leave_endless},
    {"from a thread", leave_from_thread},
    {"static", leave_static},
    {"roaming", leave_roaming},
    {"a child", leave_child},
    {"children", leave_children},
};

static int leave(const struct way *way)
{
    cl_int code;
    alarm(1000); // ends a hanging process, with time for a busy machine
    watch_crashes();
    atexit(destroy_first);
    test_open();
    mem = test_buffer(0, COUNT * sizeof(cl_int), NULL);
    program = test_build(source, "");
    kernel = test_kernel(program, "work");
    gate = clCreateUserEvent(test_context, &code);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    way->run();
    return test_failures != 0;
}

// Runs in a separate process; returns the status from waitpid().
static int run_in_process(const char *self, const char *name)
{
    int status = -1;
    pid_t child = fork();
    if (!child) {
        execl("/proc/self/exe", self, name, (char *)NULL);
        exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
        if (!strcmp(argv[1], ways[i].name))
            return leave(&ways[i]);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        double begin = seconds();
        int status = run_in_process(argv[0], ways[i].name);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
            return 77;
        if (!CHECK_EQ(status, 0))
            printf("  leaving '%s': %.1f s\n", ways[i].name, seconds() - begin);
    }
    CHECK_EQ(leaks_count(false), 0); // also disables LeakSanitizer, which stops threads at exit
    printf("%d checks, %d failures\n", test_checks, test_failures);
    return test_failures || !test_checks;
}
