// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices in work-groups whose rows are not multiples of the sub-group size, which
// matrix units do not support: the kernel is compiled a second time without them and shares the
// program's variables. From source and from the program's binary.
#include "test.h"

enum { ROWS = 16, DEPTH = 32, COLUMNS = 16, PLACES = 4 * ROWS * COLUMNS };

static const char source[] =
    "#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP\n"
    "#define BY_ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR\n"
    "typedef char mat_a __attribute__((coop_mat(SUB, 16, 32, CLK_COOPERATIVE_MATRIX_A)));\n"
    "typedef char mat_b __attribute__((coop_mat(SUB, 32, 16, CLK_COOPERATIVE_MATRIX_B)));\n"
    "typedef int mat_c __attribute__((coop_mat(SUB, 16, 16, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));\n"
    "#ifdef __opencl_c_program_scope_global_variables\n"
    "global int calls = 1000;\n"
    "kernel void call(global int *now) { *now = ++calls; }\n"
    "#else\n"
    "constant int calls = 1000;\n"
    "kernel void call(global int *now) { *now = calls; }\n"
    "#endif\n"
    "constant int table[3] = {100000, 200000, 300000};\n"
    "void multiply(global char *a, global char *b, global int *d) {\n"
    "    mat_c z = coop_mat_init(calls);\n"
    "    z = coop_mat_mulAdd((mat_a)coop_mat_load(a, BY_ROWS, 32), (mat_b)coop_mat_load(b, BY_ROWS, 16), z);\n"
    "    coop_mat_store(d + get_sub_group_id() * 256, z + (mat_c)coop_mat_init(table[get_sub_group_id() % 3]), BY_ROWS, 16);\n"
    "}\n"
    "kernel void product(global char *a, global char *b, global int *d) { multiply(a, b, d); }\n"
    "kernel __attribute__((reqd_work_group_size(HALF, 4, 1)))\n"
    "void fixed(global char *a, global char *b, global int *d) { multiply(a, b, d); }\n";

static signed char a[ROWS * DEPTH], b[DEPTH * COLUMNS];
static cl_mem in[2], out;

static int call(cl_program program)
{
    int now = 0;
    cl_kernel kernel = test_kernel(program, "call");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    CHECK_OK(clEnqueueTask(test_queue, kernel, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof now, &now, 0, NULL, NULL));
    CHECK_OK(clReleaseKernel(kernel));
    return now;
}

static void check_results(const int *got, size_t sub_groups, int calls)
{
    int wrong = 0;
    for (size_t place = 0; place < PLACES; place++) {
        size_t group = place / 256, row = place % 256 / 16, column = place % 16;
        int sum = calls + 100000 * (int)(group % 3 + 1);
        for (size_t k = 0; k < DEPTH; k++)
            sum += a[row * DEPTH + k] * b[k * COLUMNS + column];
        wrong += got[place] != (group < sub_groups ? sum : -1);
    }
    CHECK_EQ(wrong, 0);
}

static void launch(cl_program program, const char *name, const size_t size[2], const size_t *local, size_t sub_groups)
{
    static int got[PLACES];
    static const int none = -1;
    cl_kernel kernel = test_kernel(program, name);
    int calls = call(program);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof *in, &in[0]));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof *in, &in[1]));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof out, &out));
    CHECK_OK(clEnqueueFillBuffer(test_queue, out, &none, sizeof none, 0, sizeof got, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 2, NULL, size, local, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    check_results(got, sub_groups, calls);
    CHECK_OK(clReleaseKernel(kernel));
}

static void refuse(cl_program program, const size_t size[2])
{
    cl_kernel kernel = test_kernel(program, "product");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof *in, &in[0]));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof *in, &in[1]));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof out, &out));
    CHECK_EQ(clEnqueueNDRangeKernel(test_queue, kernel, 2, NULL, size, size, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_program(cl_program program, size_t sub_group)
{
    const size_t whole[2] = {sub_group, 2}, halves[2] = {sub_group / 2, 2}, more[2] = {sub_group / 2, 4};
    const size_t tall[2] = {sub_group + sub_group / 2, 2}, odd[2] = {sub_group - 1, 1}, most[2] = {sub_group / 2, 6};
    launch(program, "product", whole, whole, 2);
    launch(program, "product", halves, halves, 1);
    launch(program, "product", tall, tall, 3);
    launch(program, "product", whole, whole, 2);
    launch(program, "product", more, more, 2);
    launch(program, "product", halves, NULL, 1);
    launch(program, "product", most, most, 3);
    launch(program, "fixed", more, more, 2);
    refuse(program, odd);
}

static cl_program reload(cl_program program)
{
    size_t size = 0;
    cl_int status, error;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    cl_program again = clCreateProgramWithBinary(test_context, 1, &test_device, &size, (const unsigned char **)&bytes, &status,
                                                 &error);
    CHECK_OK(error);
    CHECK_OK(clBuildProgram(again, 1, &test_device, NULL, NULL, NULL));
    free(bytes);
    return again;
}

static cl_program relink(const char *options)
{
    cl_int error;
    const char *text = source;
    cl_program object = clCreateProgramWithSource(test_context, 1, &text, NULL, &error);
    CHECK_OK(clCompileProgram(object, 1, &test_device, options, 0, NULL, NULL, NULL, NULL));
    cl_program program = clLinkProgram(test_context, 1, &test_device, NULL, 1, &object, NULL, NULL, &error);
    CHECK_OK(error);
    CHECK_OK(clReleaseProgram(object));
    return program;
}

static void check_all(size_t sub_group)
{
    char options[64];
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DHALF=%zu", sub_group / 2);
    cl_program programs[3] = {test_build(source, options), NULL, relink(options)};
    programs[1] = reload(programs[0]);
    for (int i = 0; i < 3; i++) {
        check_program(programs[i], sub_group);
        CHECK_OK(clReleaseProgram(programs[i]));
    }
}

int main(void)
{
    test_open();
    cl_uint sub_groups = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof sub_groups, &sub_groups, NULL));
    for (unsigned i = 0; i < sizeof a; i++) {
        a[i] = (signed char)(i * 7 % 23 - 11);
        b[i] = (signed char)(i * 5 % 19 - 9);
    }
    in[0] = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    in[1] = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b);
    out = test_buffer(0, PLACES * sizeof(int), NULL);
    size_t sub_group = 0;
    cl_program any = test_build("kernel void any() {}", NULL);
    cl_kernel kernel = test_kernel(any, "any");
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof sub_group,
                                      &sub_group, NULL));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(any));
    if (sub_groups && sub_group > 1 && sub_group % 2 == 0)
        check_all(sub_group);
    CHECK_OK(clReleaseMemObject(in[0]));
    CHECK_OK(clReleaseMemObject(in[1]));
    CHECK_OK(clReleaseMemObject(out));
    return test_close();
}
