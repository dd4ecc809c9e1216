// SPDX-License-Identifier: Apache-2.0
// Pipelines compiled by a background thread before their first launch: what the log reports;
// kernels released while the thread compiles for them; a process that ends meanwhile.
#include "test.h"

enum { MANY = 40, PATIENCE = 2000 };

static const char source[] =
    "kernel __attribute__((reqd_work_group_size(8, 4, 1))) void fixed(global int *p) { p[get_global_id(0)] = 1; }\n"
    "kernel void line(global int *p) { p[get_global_id(0)] += 2; }\n"
    "kernel void plane(global int *p) { p[get_global_id(1) * 16 + get_global_id(0)] = 3; }\n"
    "kernel void given(global int *p, local int *q) { q[get_local_id(0)] = 4; p[get_global_id(0)] = q[get_local_id(0)]; }\n";

static FILE *log_file;
static cl_mem mem;

// The number of lines of the log that contain both texts.
static int log_count(const char *text, const char *more)
{
    return test_log_count(log_file, text, more);
}

static bool wait_log_count(const char *text, const char *more, int count)
{
    for (int i = 0; i < PATIENCE && log_count(text, more) < count; i++)
        usleep(5000);
    return log_count(text, more) == count;
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
    CHECK_PATH(wait_log_count("pipeline of fixed", "ahead", 1));
    CHECK_PATH(wait_log_count("pipeline of line", "ahead", 2));
    CHECK_PATH(wait_log_count("pipeline of plane", "ahead", 2));
    launch(fixed, 2, 8, 4);
    launch(line, 1, 256, 0);
    launch(line, 1, 64, 0);
    launch(plane, 2, 16, 16);
    CHECK_PATH(log_count("pipeline of fixed", "") == 1);
    CHECK_PATH(log_count("pipeline of line", "") == 2);
    CHECK_PATH(log_count("pipeline of plane", "") == 2);
    launch(line, 1, 100, 0); // a size that cannot be predicted
    CHECK_PATH(log_count("pipeline of line", "") == 3);
    int32_t values[128];
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK_EQ(values[0], 5);
    clReleaseKernel(make(program, "line")); // the same kernel again: no new pipeline
    CHECK_PATH(log_count("pipeline of line", "") == 3);
    clReleaseKernel(fixed);
    clReleaseKernel(line);
    clReleaseKernel(plane);
}

// Nothing is compiled ahead here: the size of a local argument is only known at the launch.
static void not_predicted(cl_program program)
{
    cl_kernel given = make(program, "given");
    CHECK_OK(clSetKernelArg(given, 1, 64 * sizeof(cl_int), NULL));
    launch(given, 1, 64, 0);
    CHECK_PATH(log_count("pipeline of given", "") == 1);
    CHECK_PATH(log_count("pipeline of given", "ahead") == 0);
    clReleaseKernel(given);
}

// Local sizes that a program has used before are predicted for its next kernels.
static void predicted_by_history(void)
{
    cl_program first = build("kernel void teacher(global int *p) { p[get_global_id(0)] = 6; }");
    cl_kernel teacher = make(first, "teacher");
    launch(teacher, 1, 96, 0);
    cl_program second = build("kernel void pupil(global int *p) { p[get_global_id(0)] = 7; }");
    cl_kernel pupil = make(second, "pupil");
    CHECK_PATH(wait_log_count("pipeline of pupil", "ahead", 1));
    launch(pupil, 1, 96, 0);
    CHECK_PATH(log_count("pipeline of pupil", "") == 1);
    clReleaseKernel(teacher);
    clReleaseKernel(pupil);
    clReleaseProgram(first);
    clReleaseProgram(second);
}

// Compilation starts at the build; creating a kernel predicts a second time.
static void predicted_at_build(void)
{
    cl_program program = build("kernel void early(global int *p) { p[get_global_id(0)] = 8; }\n"
                               "kernel void later(global int *p) { p[get_global_id(0)] = 9; }");
    CHECK_PATH(wait_log_count("pipeline of early", "ahead", 1));
    CHECK_PATH(wait_log_count("pipeline of later", "ahead", 1));
    CHECK_OK(clReleaseProgram(program));
}

// The first launch of one of several existing kernels predicts the local size of the others, even if the first has a
// private array in local memory, with which a group might have to be smaller than requested.
static void predicted_by_first(void)
{
    enum { SIZE = 48 };
    static const char *const names[] = {"one", "two", "three", "four"};
    cl_kernel kernels[4];
    cl_program program = build("kernel void one(global int *p) { int q[16] = {0}; p += get_global_id(0);\n"
                               "    for (int i = 0; i < p[0]; i++) q[i & 15] = i * p[0];\n"
                               "    p[0] = q[p[0] & 15] == 12345 ? 2 : 1; }\n"
                               "kernel void two(global int *p) { p[get_global_id(0)] += 2; }\n"
                               "kernel void three(global int *p) { p[get_global_id(0)] += 3; }\n"
                               "kernel void four(global int *p) { p[get_global_id(0)] += 4; }");
    for (int i = 0; i < 4; i++)
        kernels[i] = make(program, names[i]);
    for (int i = 0; i < 4; i++) { // with the local size of earlier launches
        char text[64];
        snprintf(text, sizeof text, "pipeline of %s:", names[i]);
        CHECK_PATH(wait_log_count(text, "ahead", 1));
    }
    launch(kernels[0], 1, SIZE, 0);
    for (int i = 1; i < 4; i++) {
        char text[64];
        snprintf(text, sizeof text, "pipeline of %s:", names[i]);
        CHECK_PATH(wait_log_count(text, "ahead", 2));
        launch(kernels[i], 1, SIZE, 0);
        CHECK_PATH(log_count(text, "") == 2);
    }
    int32_t value;
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    CHECK_EQ(value, 10);
    for (int i = 0; i < 4; i++)
        clReleaseKernel(kernels[i]);
    clReleaseProgram(program);
}

// Most kernels of a library are never launched: only some are compiled ahead, and none after they
// have been released.
static void library(void)
{
    enum { LIBRARY = 200, COMPILED_MAX = 150 };
    static char text[LIBRARY * 80];
    static cl_kernel kernels[LIBRARY];
    size_t at = 0;
    for (int i = 0; i < LIBRARY; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "kernel void shelf%d(global int *p) { p[get_global_id(0)] = %d; }\n", i, i);
    cl_program program = build(text);
    for (int i = 0; i < LIBRARY; i++) {
        char name[24];
        snprintf(name, sizeof name, "shelf%d", i);
        kernels[i] = make(program, name);
    }
    launch(kernels[LIBRARY - 1], 1, 64, 0);
    usleep(300000);
    CHECK_PATH(log_count("pipeline of shelf", "ahead") <= COMPILED_MAX);
    for (int i = 0; i < LIBRARY; i++)
        clReleaseKernel(kernels[i]);
    clReleaseProgram(program);
    int before = log_count("pipeline of shelf", "ahead");
    usleep(50000);
    CHECK_PATH(log_count("pipeline of shelf", "ahead") <=
               before + 16); // in progress on the threads
}

// Launches race with the background thread, and programs are released while it compiles their
// kernels.
static void race(void)
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

// In a process of its own: one kernel, launched with a size that cannot be guessed, and with a local
// argument. `known`: an earlier process has done the same.
static void once(bool known)
{
    cl_program program = build("kernel void once(global int *p, local int *q) { q[get_local_id(0)] = 5; p[get_global_id(0)] = q[0]; }");
    cl_kernel kernel = make(program, "once");
    if (known)
        CHECK(wait_log_count("pipeline of once", "ahead", 1));
    CHECK_OK(clSetKernelArg(kernel, 1, 24 * sizeof(cl_int), NULL));
    launch(kernel, 1, 24, 0);
    CHECK_EQ(log_count("pipeline of once", ""), 1);
    CHECK_EQ(log_count("pipeline of once", "ahead"), known);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

int main(int argc, char **argv)
{
    cl_int error;
    setenv("PUMICE_AHEAD", "1", 0);
    setenv("PUMICE_ARRAYS", "local", 0);
    if (argc < 2)
        setenv("PUMICE_CACHE_DIR", "none", 1); // what earlier runs have launched is not guessed
    setenv("PUMICE_DEBUG", "build", 1);
    log_file = test_log();
    if (!log_file)
        return 77;
    test_open();
    mem = clCreateBuffer(test_context, CL_MEM_READ_WRITE, 4096, NULL, &error);
    CHECK_OK(error);
    if (argc > 1) {
        once(!strcmp(argv[1], "second"));
        clReleaseMemObject(mem);
        return test_close();
    }
    cl_program program = build(source);
    found(program);
    not_predicted(program);
    predicted_at_build();
    predicted_by_first();
    race();
    predicted_by_history();
    library();
    cl_kernel last = make(build("kernel void last(global int *p) { p[0] = 5; }"), "last");
    if (getenv("AHEAD_LEAVES")) // while pipelines are being compiled
        exit(test_failures != 0);
    clReleaseProgram(program);
    clGetKernelInfo(last, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    clReleaseKernel(last);
    clReleaseProgram(program);
    clReleaseMemObject(mem);
    return test_close();
}
