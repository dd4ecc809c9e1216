// SPDX-License-Identifier: Apache-2.0
// Children of a process whose threads are busy with all kinds of calls: whatever lock one of them
// holds at the fork, calls in the child succeed or return an error, and none waits for a thread
// that does not exist in the child.
#include "test.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 40, SECONDS = 200 };

static const char source[] = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }";

static cl_program program;
static cl_kernel kernel;
static cl_mem mem;
static cl_event done, gate;
static int stop, rounds[8];

// ---- the parent's threads -----------------------------------------------------------------------

static void do_builds(void)
{
    const char *text = source;
    cl_int code;
    size_t size;
    cl_program own = clCreateProgramWithSource(test_context, 1, &text, NULL, &code);
    clBuildProgram(own, 0, NULL, "", NULL, NULL);
    clGetProgramInfo(own, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    clReleaseKernel(clCreateKernel(own, "add", &code));
    clReleaseProgram(own);
}

static void do_memory(void)
{
    const cl_buffer_region half = {0, 1 << 15};
    cl_int code, zero = 0;
    cl_mem big = clCreateBuffer(test_context, 0, 1 << 16, NULL, &code);
    cl_mem part = clCreateSubBuffer(big, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
    clEnqueueFillBuffer(test_queue, part, &zero, sizeof zero, 0, 1 << 15, 0, NULL, NULL);
    clReleaseMemObject(part);
    clReleaseMemObject(big);
}

static void do_maps(void)
{
    cl_int code;
    void *pointer =
        clEnqueueMapBuffer(test_queue, mem, CL_FALSE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &code);
    if (!code)
        clEnqueueUnmapMemObject(test_queue, mem, pointer, 0, NULL, NULL);
}

static void CL_CALLBACK called(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
}

static void do_launches(void)
{
    cl_int code, one = 1;
    const size_t global = 256;
    cl_event event = NULL;
    cl_kernel own = clCloneKernel(kernel, &code);
    clSetKernelArg(own, 1, sizeof one, &one);
    clEnqueueNDRangeKernel(test_queue, own, 1, NULL, &global, NULL, 0, NULL, &event);
    clSetEventCallback(event, CL_COMPLETE, called, NULL);
    clReleaseKernel(own);
    clWaitForEvents(1, &event);
    clReleaseEvent(event);
}

static void do_contexts(void)
{
    cl_int code;
    cl_context context = clCreateContext(NULL, 1, &test_device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueue(context, test_device, 0, &code);
    clEnqueueMarker(queue, NULL);
    clFinish(queue);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

static void (*const busy[])(void) = {do_builds, do_memory, do_maps, do_launches, do_contexts};
enum { THREADS = sizeof busy / sizeof *busy };

static void *run(void *index)
{
    for (int i = *(int *)index; !__atomic_load_n(&stop, __ATOMIC_RELAXED);) {
        busy[i]();
        __atomic_fetch_add(&rounds[i], 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

// ---- the child ----------------------------------------------------------------------------------

#define REFUSED(call) CHECK((call) < 0)
#define NOT_MADE(call)                                                                             \
    do {                                                                                           \
        cl_int error = 0;                                                                          \
        CHECK(!(call));                                                                            \
        CHECK(error < 0);                                                                          \
    } while (0)

static void use_objects(void)
{
    const char *text = source;
    const size_t one = 1;
    int value = 0;
    REFUSED(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    REFUSED(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    REFUSED(clEnqueueUnmapMemObject(test_queue, mem, &value, 0, NULL, NULL));
    REFUSED(clEnqueueMarker(test_queue, NULL));
    REFUSED(clFlush(test_queue));
    REFUSED(clFinish(test_queue));
    REFUSED(clSetUserEventStatus(gate, CL_COMPLETE));
    REFUSED(clWaitForEvents(1, &done));
    REFUSED(clSetEventCallback(done, CL_COMPLETE, called, NULL));
    REFUSED(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    REFUSED(clSetKernelArg(kernel, 1, sizeof value, &value));
    REFUSED(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof value, &value, NULL));
    REFUSED(clRetainMemObject(mem));
    NOT_MADE(clCreateBuffer(test_context, 0, 64, NULL, &error));
    NOT_MADE(clCreateKernel(program, "add", &error));
    NOT_MADE(clCreateProgramWithSource(test_context, 1, &text, NULL, &error));
    NOT_MADE(clCreateUserEvent(test_context, &error));
    NOT_MADE(clCreateCommandQueue(test_context, test_device, 0, &error));
    NOT_MADE(
        clEnqueueMapBuffer(test_queue, mem, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &error));
}

static void use_new(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_uint units = 0;
    cl_device_svm_capabilities svm;
    CHECK_OK(clGetPlatformIDs(1, &platform, NULL));
    CHECK_OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    CHECK(platform == test_platform && device == test_device);
    CHECK_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    CHECK_OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    CHECK(units > 0);
    NOT_MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
    NOT_MADE(clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, NULL, &error));
}

static void release_all(void)
{
    CHECK_OK(clReleaseEvent(done));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseCommandQueue(test_queue));
    CHECK_OK(clReleaseContext(test_context));
}

static void be_a_child(void)
{
    alarm(SECONDS);
    test_failures = 0;
    use_objects();
    use_new();
    release_all();
    fflush(stdout);
    _exit(test_failures != 0);
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS], status = 0;
    cl_int code;
    test_open();
    program = test_build(source, "");
    kernel = test_kernel(program, "add");
    mem = test_buffer(0, 1 << 12, NULL);
    gate = clCreateUserEvent(test_context, &code);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueMarker(test_queue, &done));
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(!pthread_create(&threads[i], NULL, run, &numbers[i]));
    }
    for (int i = 0; i < CHILDREN && !status; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (!child)
            be_a_child();
        CHECK(waitpid(child, &status, 0) == child);
        CHECK_EQ(status, 0);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(rounds[i] > 0);
    }
    CHECK_OK(clFinish(test_queue));
    release_all();
    CHECK_EQ(leaks_count(true), 0);
    printf("%d checks, %d failures\n", test_checks, test_failures);
    return test_failures || !test_checks;
}
