// SPDX-License-Identifier: Apache-2.0
// Pipelines made before their first launch, by a thread of the layer's: what the log tells of them; kernels that go
// while the thread is at theirs; a process that ends meanwhile.
#include "test.h"

enum { MANY = 40, PATIENCE = 2000 };

static const char source[] =
    "kernel __attribute__((reqd_work_group_size(8, 4, 1))) void fixed(global int *p) { p[get_global_id(0)] = 1; }\n"
    "kernel void line(global int *p) { p[get_global_id(0)] += 2; }\n"
    "kernel void plane(global int *p) { p[get_global_id(1) * 16 + get_global_id(0)] = 3; }\n"
    "kernel void given(global int *p, local int *q) { q[get_local_id(0)] = 4; p[get_global_id(0)] = q[get_local_id(0)]; }\n";

static FILE *log_file;
static cl_mem mem;

// Lines of the log that hold both texts.
static int told(const char *text, const char *more)
{
    return test_told(log_file, text, more);
}

static bool told_soon(const char *text, const char *more, int count)
{
    for (int i = 0; i < PATIENCE && told(text, more) < count; i++)
        usleep(5000);
    return told(text, more) == count;
}

static cl_program build(const char *text)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(test_context, 1, &text, NULL, &error);
    CHECK_OK(error);
    CHECK_OK(clBuildProgram(program, 1, &test_device, "", NULL, NULL));
    return program;
}

static cl_kernel make(cl_program program, const char *name)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    CHECK_OK(error);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    return kernel;
}

static void launch(cl_kernel kernel, cl_uint dims, size_t x, size_t y)
{
    const size_t size[2] = {x, y};
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, dims, NULL, size, size, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
}

static void found(cl_program program)
{
    cl_kernel fixed = make(program, "fixed"), line = make(program, "line"), plane = make(program, "plane");
    CHECK_WAY(told_soon("pipeline of fixed", "ahead", 1));
    CHECK_WAY(told_soon("pipeline of line", "ahead", 2));
    CHECK_WAY(told_soon("pipeline of plane", "ahead", 2));
    launch(fixed, 2, 8, 4);
    launch(line, 1, 256, 0);
    launch(line, 1, 64, 0);
    launch(plane, 2, 16, 16);
    CHECK_WAY(told("pipeline of fixed", "") == 1);
    CHECK_WAY(told("pipeline of line", "") == 2);
    CHECK_WAY(told("pipeline of plane", "") == 2);
    launch(line, 1, 100, 0); // nobody guesses that
    CHECK_WAY(told("pipeline of line", "") == 3);
    int32_t values[128];
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK_EQ(values[0], 5);
    clReleaseKernel(make(program, "line")); // the same kernel once more: nothing to make
    CHECK_WAY(told("pipeline of line", "") == 3);
    clReleaseKernel(fixed);
    clReleaseKernel(line);
    clReleaseKernel(plane);
}

// The size of a local argument is not known before the launch.
static void not_guessed(cl_program program)
{
    cl_kernel given = make(program, "given");
    CHECK_OK(clSetKernelArg(given, 1, 64 * sizeof(cl_int), NULL));
    launch(given, 1, 64, 0);
    CHECK_WAY(told("pipeline of given", "") == 1);
    CHECK_WAY(told("pipeline of given", "ahead") == 0);
    clReleaseKernel(given);
}

// What a program has asked for once it is likely to ask for again.
static void learnt(void)
{
    cl_program first = build("kernel void teacher(global int *p) { p[get_global_id(0)] = 6; }");
    cl_program second = build("kernel void pupil(global int *p) { p[get_global_id(0)] = 7; }");
    cl_kernel teacher = make(first, "teacher");
    launch(teacher, 1, 96, 0);
    cl_kernel pupil = make(second, "pupil");
    CHECK_WAY(told_soon("pipeline of pupil", "ahead", 1));
    launch(pupil, 1, 96, 0);
    CHECK_WAY(told("pipeline of pupil", "") == 1);
    clReleaseKernel(teacher);
    clReleaseKernel(pupil);
    clReleaseProgram(first);
    clReleaseProgram(second);
}

// Launches race with the thread, and programs go while it is at their kernels.
static void hurried(void)
{
    for (int i = 0; i < MANY; i++) {
        char text[160];
        snprintf(text, sizeof text, "kernel void hurried%d(global int *p) { p[get_global_id(0)] = %d; }", i, i);
        cl_program program = build(text);
        snprintf(text, sizeof text, "hurried%d", i);
        cl_kernel kernel = make(program, text);
        int32_t value = -1;
        if (i % 4 == 1)
            usleep((useconds_t)(i * 10));
        if (i % 2) {
            launch(kernel, 1, i % 4 == 3 ? 64 : 256, 0);
            CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
            CHECK_EQ(value, i);
        }
        clReleaseKernel(kernel);
        clReleaseProgram(program);
    }
}

int main(void)
{
    cl_int error;
    setenv("PUMICE_AHEAD", "1", 0);
    setenv("PUMICE_DEBUG", "build", 1);
    log_file = test_log();
    if (!log_file)
        return 77;
    test_open();
    mem = clCreateBuffer(test_context, CL_MEM_READ_WRITE, 4096, NULL, &error);
    CHECK_OK(error);
    cl_program program = build(source);
    found(program);
    not_guessed(program);
    hurried();
    learnt();
    cl_kernel last = make(build("kernel void last(global int *p) { p[0] = 5; }"), "last");
    if (getenv("AHEAD_LEAVES")) // with all that is under way
        exit(test_failures != 0);
    clReleaseProgram(program);
    clGetKernelInfo(last, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    clReleaseKernel(last);
    clReleaseProgram(program);
    clReleaseMemObject(mem);
    return test_close();
}
