// SPDX-License-Identifier: Apache-2.0
// Programs: source, build, log, compile and link, queries, callbacks, errors.
#include "test.h"

static const char good[] = "kernel void one(global int *p) { p[get_global_id(0)] = VALUE; }\n"
                           "kernel void two(global int *p, int a) { p[0] += a; }\n";

static void expect_kernel_result(cl_program program, const char *name, int want)
{
    int got = 0;
    size_t global = 1;
    cl_mem mem = test_buffer(0, sizeof got, NULL);
    cl_kernel kernel = test_kernel(program, name);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
    CHECK_EQ(got, want);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
}

static void check_creation(void)
{
    const char *strings[] = {"kernel void ", "f(global int *p) { p[0] = 4; } garbage"};
    const char *with_null[] = {"kernel", NULL};
    const size_t lengths[] = {0, 30};
    cl_int code;
    CHECK_CREATE(clCreateProgramWithSource(test_context, 0, strings, NULL, &error),
                 CL_INVALID_VALUE);
    CHECK_CREATE(clCreateProgramWithSource(test_context, 1, NULL, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateProgramWithSource(test_context, 2, with_null, NULL, &error),
                 CL_INVALID_VALUE);
    CHECK_CREATE(clCreateProgramWithSource(NULL, 2, strings, NULL, &error), CL_INVALID_CONTEXT);
    cl_program program = clCreateProgramWithSource(test_context, 2, strings, lengths, &code);
    CHECK_OK(code);
    char source[128];
    size_t size;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof source, source, &size));
    CHECK(!strcmp(source, "kernel void f(global int *p) { p[0] = 4; }") &&
          size == strlen(source) + 1);
    CHECK_OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    expect_kernel_result(program, "f", 4);
    CHECK_OK(clReleaseProgram(program));
}

static cl_build_status status_of(cl_program program)
{
    cl_build_status status = 77;
    CHECK_OK(clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                   &status, NULL));
    return status;
}

static cl_program_binary_type type_of(cl_program program)
{
    cl_program_binary_type type = 77;
    CHECK_OK(clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type,
                                   NULL));
    return type;
}

static void check_queries(void)
{
    cl_int code;
    const char *source = good;
    char text[512];
    size_t count;
    cl_uint number;
    cl_program program = clCreateProgramWithSource(test_context, 1, &source, NULL, &code);
    CHECK_EQ(status_of(program), CL_BUILD_NONE);
    CHECK_EQ(type_of(program), CL_PROGRAM_BINARY_TYPE_NONE);
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL),
             CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_CREATE(clCreateKernel(program, "one", &error), CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_OK(clBuildProgram(program, 1, &test_device, "-D VALUE=5", NULL, NULL));
    CHECK_EQ(status_of(program), CL_BUILD_SUCCESS);
    CHECK_EQ(type_of(program), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    CHECK(!strcmp(text, "one;two"));
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof number, &number, NULL));
    CHECK_EQ(number, 1);
    CHECK_OK(clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_OPTIONS, sizeof text,
                                   text, NULL));
    CHECK(!strcmp(text, "-D VALUE=5"));
    CHECK_EQ(
        clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL),
        CL_INVALID_DEVICE);
    CHECK_EQ(clGetProgramInfo(program, 0xdead, sizeof text, text, NULL), CL_INVALID_VALUE);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &count));
    CHECK_EQ(count, 0);
    expect_kernel_result(program, "one", 5);
    CHECK_OK(clReleaseProgram(program));
}

static int called;

static void CL_CALLBACK on_built(cl_program program, void *data)
{
    *(cl_program *)data = program;
    called++;
}

static void check_failures(void)
{
    const char *source = "kernel void f(global int *p) { p[0] = nowhere; }";
    cl_int code;
    char log[4096];
    cl_program program = clCreateProgramWithSource(test_context, 1, &source, NULL, &code);
    CHECK_EQ(clBuildProgram(program, 1, &test_device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    CHECK_EQ(status_of(program), CL_BUILD_ERROR);
    CHECK_OK(
        clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "nowhere") && strstr(log, "1:"));
    CHECK_EQ(clBuildProgram(program, 1, &test_device, "-no-such-option", NULL, NULL),
             CL_INVALID_BUILD_OPTIONS);
    CHECK_EQ(clBuildProgram(program, 1, NULL, "", NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clBuildProgram(program, 0, &test_device, "", NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clBuildProgram(program, 0, NULL, "", NULL, log), CL_INVALID_VALUE);
    CHECK_EQ(clBuildProgram(NULL, 0, NULL, "", NULL, NULL), CL_INVALID_PROGRAM);
    cl_device_id wrong = (cl_device_id)test_queue;
    CHECK_EQ(clBuildProgram(program, 1, &wrong, "", NULL, NULL), CL_INVALID_DEVICE);
    // Defining the name makes it build: a program without kernels may be built again.
    cl_program seen = NULL;
    CHECK_OK(clBuildProgram(program, 1, &test_device, "-Dnowhere=9", on_built, &seen));
    CHECK(called == 1 && seen == program);
    cl_kernel kernel = test_kernel(program, "f");
    CHECK_EQ(clBuildProgram(program, 1, &test_device, "-Dnowhere=8", NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clBuildProgram(program, 1, &test_device, "-Dnowhere=8", NULL, NULL));
    expect_kernel_result(program, "f", 8);
    CHECK_OK(clReleaseProgram(program));
}

static void check_compile_and_link(void)
{
    const char *main_source =
        "#include \"value.h\"\nkernel void f(global int *p) { p[0] = VALUE + EXTRA; }";
    const char *header_source = "#define VALUE 30\n";
    const char *name = "value.h";
    cl_int code;
    cl_program program = clCreateProgramWithSource(test_context, 1, &main_source, NULL, &code);
    cl_program header = clCreateProgramWithSource(test_context, 1, &header_source, NULL, &code);
    CHECK_EQ(clCompileProgram(program, 1, &test_device, "-DEXTRA=3", 0, NULL, NULL, NULL, NULL),
             CL_COMPILE_PROGRAM_FAILURE);
    CHECK_EQ(clCompileProgram(program, 1, &test_device, "", 1, NULL, &name, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clCompileProgram(program, 1, &test_device, "-bad", 1, &header, &name, NULL, NULL),
             CL_INVALID_COMPILER_OPTIONS);
    CHECK_CREATE(clLinkProgram(test_context, 1, &test_device, "", 1, &program, NULL, NULL, &error),
                 CL_INVALID_OPERATION);
    CHECK_OK(
        clCompileProgram(program, 1, &test_device, "-DEXTRA=3", 1, &header, &name, NULL, NULL));
    CHECK_EQ(type_of(program), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    CHECK_CREATE(clCreateKernel(program, "f", &error), CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_CREATE(clLinkProgram(test_context, 1, &test_device, "", 0, NULL, NULL, NULL, &error),
                 CL_INVALID_VALUE);
    CHECK_CREATE(
        clLinkProgram(test_context, 1, &test_device, "-nonsense", 1, &program, NULL, NULL, &error),
        CL_INVALID_LINKER_OPTIONS);
    cl_program linked =
        clLinkProgram(test_context, 1, &test_device, "", 1, &program, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseProgram(header));
    CHECK_EQ(type_of(linked), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    expect_kernel_result(linked, "f", 33);
    CHECK_OK(clReleaseProgram(linked));
}

// Handles of another kind and released handles are refused.
static void check_handles(void)
{
    const char *source = good;
    cl_int code;
    cl_uint count;
    cl_program program = clCreateProgramWithSource(test_context, 1, &source, NULL, &code);
    CHECK_OK(clRetainProgram(program));
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseProgram(program));
    CHECK_EQ(clRetainProgram((cl_program)test_context), CL_INVALID_PROGRAM);
    CHECK_EQ(clSetProgramSpecializationConstant((cl_program)test_queue, 0, 4, &count),
             CL_INVALID_PROGRAM);
}

int main(void)
{
    test_open();
    check_creation();
    check_queries();
    check_failures();
    check_compile_and_link();
    check_handles();
    return test_close();
}
