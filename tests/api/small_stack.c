// SPDX-License-Identifier: Apache-2.0
// A thread with a stack of 64 KB (or the least that libc allows) can use everything: open the platform, build programs as deep as
// the limits in pumice(7), get an error for deeper ones, compile and link, and run kernels, which
// the driver compiles.
#include "test.h"

#include <pthread.h>
#include <unistd.h>

// Frames under sanitizers are several times as large, also those of intercepted functions of the
// driver.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STACK = 512 << 10 };
#else
enum { STACK = 64 << 10 };
#endif
enum { LONGEST = 60, ITEMS = 64 };

static const char source[] = "int next(int x);\n"
                             "kernel void add(global int *p, float f)\n"
                             "{ size_t i = get_global_id(0); p[i] = next(p[i]) + (int)(sin(f) * 0.0f); }";
static const char other[] = "int next(int x) { return x + 1; }";

// `begin`, `count` times `open`, in which %d is the iteration, `middle`, and `count` times `close`.
static char *repeat(const char *begin, const char *open, const char *middle, const char *close, int count)
{
    char *text = malloc((size_t)count * LONGEST + 1000), *at = text + sprintf(text, "%s", begin);
    for (int i = 1; i <= count; i++)
        at += sprintf(at, open, i, i);
    at += sprintf(at, "%s", middle);
    for (int i = 0; i < count; i++)
        at += sprintf(at, "%s", close);
    sprintf(at, " }");
    return text;
}

static void check_depth(char *text, cl_int want)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(test_context, 1, (const char **)&text, NULL, &error);
    CHECK_OK(error);
    CHECK_EQ(clBuildProgram(program, 1, &test_device, "", NULL, NULL), want);
    CHECK_OK(clReleaseProgram(program));
    free(text);
}

static cl_program compiled(const char *text)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(test_context, 1, &text, NULL, &error);
    CHECK_OK(error);
    CHECK_OK(clCompileProgram(program, 1, &test_device, "", 0, NULL, NULL, NULL, NULL));
    return program;
}

static void check_run(void)
{
    cl_int error, values[ITEMS] = {0};
    cl_float f = 1;
    size_t size = ITEMS;
    cl_program parts[] = {compiled(source), compiled(other)};
    cl_program program = clLinkProgram(test_context, 1, &test_device, "", 2, parts, NULL, NULL, &error);
    CHECK_OK(error);
    cl_kernel add = test_kernel(program, "add");
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof values, values);
    CHECK_OK(clSetKernelArg(add, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(add, 1, sizeof f, &f));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, add, 1, NULL, &size, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(values[i], 1);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(add));
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseProgram(parts[0]));
    CHECK_OK(clReleaseProgram(parts[1]));
}

static void *all(void *result)
{
    const char *begin = "kernel void k(global int *p, int a) { if (a == 0) p[0] = 1;", *chain = "else if (a == %d) p[%d] = a;";
    test_open();
    check_run();
    check_depth(repeat("kernel void k(global int *p, int a) {", "if (p[%d] > %d) {", "p[0] = a;", "}", 990), CL_SUCCESS);
    check_depth(repeat("kernel void k(global int *p, int a) {", "if (p[%d] > %d) {", "p[0] = a;", "}", 2000), CL_BUILD_PROGRAM_FAILURE);
    check_depth(repeat(begin, chain, "", "", 2000), CL_SUCCESS);
    check_depth(repeat(begin, chain, "", "", 20000), CL_BUILD_PROGRAM_FAILURE);
    check_run();
    *(int *)result = test_close();
    return NULL;
}

// The least that a thread's stack may have: 128 KB on 64-bit ARM. Windows has no such limit.
static size_t least_stack(void)
{
#ifdef _SC_THREAD_STACK_MIN
    return (size_t)sysconf(_SC_THREAD_STACK_MIN);
#else
    return 0;
#endif
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int result = 1;
    size_t least = least_stack();
    if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, STACK > least ? STACK : least) ||
        pthread_create(&thread, &attributes, all, &result)) {
        fprintf(stderr, "no thread with a small stack\n");
        return 1;
    }
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return result;
}
