// SPDX-License-Identifier: Apache-2.0
// Children of a process that has no context: they can use everything as a new process can, with the
// devices that their parent has enumerated, and end by exit().
#include "test.h"

#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>

enum { SECONDS = 100, ROUNDS = 12, MOST_US = 30000 };

extern char **environ;

static const char source[] = "kernel void k(global int *a) { a[get_global_id(0)] += 5; printf(\"%d\", a[0]); }";
static atomic_int called;

static void CL_CALLBACK on_done(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
    atomic_fetch_add(&called, 1);
}

static void find_device(void)
{
    CHECK_OK(clGetPlatformIDs(1, &test_platform, NULL));
    CHECK_OK(clGetDeviceIDs(test_platform, CL_DEVICE_TYPE_ALL, 1, &test_device, NULL));
}

// Uses all features in its own context. Commands may be pending when it returns.
static void do_all(bool leave_work)
{
    const size_t global = 16;
    int value = 0;
    cl_int code;
    cl_event event;
    cl_device_svm_capabilities svm;
    cl_device_id before = test_device;
    find_device();
    CHECK(!before || before == test_device);
    test_context = clCreateContext(NULL, 1, &test_device, NULL, NULL, &code);
    if (!CHECK_OK(code))
        return;
    test_queue = clCreateCommandQueue(test_context, test_device, 0, &code);
    CHECK_OK(code);
    cl_program program = test_build(source, "");
    cl_kernel kernel = test_kernel(program, "k");
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof value, &value);
    const size_t one = 1;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    atomic_store(&called, 0);
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, on_done, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    CHECK_EQ(value, 5);
    for (int i = 0; i < SECONDS * 100 && !atomic_load(&called); i++)
        usleep(10000);
    CHECK_EQ(called, 1);
    CHECK_OK(clReleaseEvent(event));
    for (int i = 0; leave_work && i < 1000; i++)
        clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseCommandQueue(test_queue));
    CHECK_OK(clReleaseContext(test_context));
}

static void quiet(void)
{
    fflush(stdout);
    if (!freopen("/dev/null", "w", stdout)) // discards what its kernels print
        exit(9);
}

static void in_child(void (*run)(void), const char *what)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(SECONDS);
        test_failures = 0;
        quiet();
        run();
        for (int i = 0; test_failures && i < 1; i++)
            fprintf(stderr, "%s: %d checks failed\n", what, test_failures);
        exit(test_failures != 0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    if (!CHECK_EQ(status, 0))
        printf("  %s\n", what);
}

static void all(void)
{
    do_all(false);
}

static void all_and_leave(void)
{
    do_all(true);
}

// ---- parents ------------------------------------------------------------------------------------

static void parent_of_nothing(void)
{
    CHECK_OK(clGetPlatformIDs(1, &test_platform, NULL));
    in_child(all, "platforms");
}

static void parent_that_asked(void)
{
    size_t size = 0;
    find_device();
    in_child(all, "devices");
    for (cl_device_info info = CL_DEVICE_TYPE; info < CL_DEVICE_TYPE + 0x100; info++)
        clGetDeviceInfo(test_device, info, 0, NULL, &size);
    in_child(all, "infos");
    in_child(all_and_leave, "work under way");
    in_child(parent_of_nothing, "a grandchild");
}

static void child_with_child(void)
{
    do_all(false);
    in_child(all, "a child of a child that had a context");
}

static void parent_that_had_a_context(void)
{
    do_all(false);
    in_child(all, "a context that is gone");
    in_child(child_with_child, "children");
    do_all(false);
}

static void refused(void)
{
    CHECK_CREATE(clCreateContext(NULL, 1, &test_device, NULL, NULL, &error), CL_DEVICE_NOT_AVAILABLE);
}

static void parent_that_has_a_context(void)
{
    cl_int code;
    find_device();
    cl_context context = clCreateContext(NULL, 1, &test_device, NULL, NULL, &code);
    CHECK_OK(code);
    in_child(refused, "a context");
    pid_t child;
    int status = -1;
    char *const words[] = {"true", NULL};
    CHECK(!posix_spawnp(&child, "true", NULL, NULL, words, environ));
    CHECK(waitpid(child, &status, 0) == child && !status);
    CHECK_OK(clReleaseContext(context));
    in_child(all, "a context that is gone again");
}

static void *ask_devices(void *unused)
{
    find_device();
    return unused;
}

static void *ask_svm(void *unused)
{
    cl_device_svm_capabilities svm;
    find_device();
    clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    return unused;
}

static void *fork_there(void *unused)
{
    in_child(all, "a fork by another thread");
    return unused;
}

// Forks while another thread is inside a call: the first call of a process takes long.
static unsigned late_us;

static void parent_of_thread(void *(*run)(void *))
{
    pthread_t thread;
    CHECK_OK(clGetPlatformIDs(1, &test_platform, NULL)); // OpenCL loaders do not support a fork
                                                         // during their initialisation
    CHECK(!pthread_create(&thread, NULL, run, NULL));
    usleep(late_us);
    if (run != fork_there)
        in_child(all, "a thread inside");
    CHECK(!pthread_join(thread, NULL));
}

static void parent_in_list(void)
{
    parent_of_thread(ask_devices);
}

static void parent_in_probe(void)
{
    setenv("PUMICE_CACHE_DIR", "none", 1);
    parent_of_thread(ask_svm);
}

static void parent_with_thread(void)
{
    find_device();
    parent_of_thread(fork_there);
}

int main(void)
{
    int status;
    pid_t child = fork();
    if (!child) { // whether there is a device
        test_open();
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    if (WEXITSTATUS(status) == 77)
        return 77;
    in_child(parent_of_nothing, "parent of nothing");
    in_child(parent_that_asked, "parent that asked");
    in_child(parent_that_had_a_context, "parent that had a context");
    in_child(parent_that_has_a_context, "parent that has a context");
    in_child(parent_with_thread, "parent with a thread");
    for (int i = 0; i < ROUNDS; i++) {
        late_us = (unsigned)rand() % MOST_US;
        in_child(parent_in_list, "parent that lists devices");
        in_child(parent_in_probe, "parent that tries a device");
    }
    printf("%d checks, %d failures\n", test_checks, test_failures);
    return test_failures || !test_checks;
}
