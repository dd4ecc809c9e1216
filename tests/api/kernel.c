// SPDX-License-Identifier: Apache-2.0
// Kernels: creation, arguments with all errors, queries, clones.
#include "test.h"

static const char source[] =
    "typedef struct { int a; char b; long c; } pack;\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1)))\n"
    "void sizes(global int *p) { p[0] = 1; }\n"
    "kernel void args(global const float4 *restrict in, constant uint *c, local short *l,\n"
    "                 volatile global int *v, uint n, pack s, float3 f) {\n"
    "    l[get_local_id(0)] = (short)c[0]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    v[0] = (int)in[0].x + (int)n + s.a + (int)s.c + (int)f.z + l[0]; }\n"
    "kernel void nothing(void) {}\n";

static cl_program program;

static void check_creation(void)
{
    cl_kernel kernels[3];
    cl_uint count = 0;
    char name[32];
    CHECK_CREATE(clCreateKernel(program, "absent", &error), CL_INVALID_KERNEL_NAME);
    CHECK_CREATE(clCreateKernel(program, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateKernel(NULL, "args", &error), CL_INVALID_PROGRAM);
    CHECK_EQ(clCreateKernelsInProgram(program, 2, kernels, &count), CL_INVALID_VALUE);
    CHECK_OK(clCreateKernelsInProgram(program, 0, NULL, &count));
    CHECK_EQ(count, 3);
    CHECK_OK(clCreateKernelsInProgram(program, 3, kernels, NULL));
    static const char *const names[] = {"sizes", "args", "nothing"};
    for (int i = 0; i < 3; i++) {
        CHECK_OK(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
        CHECK(!strcmp(name, names[i]));
        CHECK_OK(clReleaseKernel(kernels[i]));
    }
}

static void check_queries(void)
{
    cl_kernel kernel = test_kernel(program, "sizes");
    size_t size, sizes[3];
    cl_ulong bytes;
    cl_uint count;
    char text[128];
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    CHECK_EQ(count, 1);
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
    CHECK(strstr(text, "reqd_work_group_size(8"));
    cl_program of;
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof of, &of, NULL));
    CHECK(of == program);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size,
                                      &size, NULL));
    CHECK(size >= 16);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes,
                                      sizes, NULL));
    CHECK(sizes[0] == 8 && sizes[1] == 2 && sizes[2] == 1);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device,
                                      CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof size,
                                      &size, NULL));
    CHECK(size >= 1);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes,
                                      &bytes, NULL));
    CHECK_EQ(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof sizes,
                                      sizes, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clGetKernelWorkGroupInfo(kernel, (cl_device_id)test_queue, CL_KERNEL_WORK_GROUP_SIZE,
                                      sizeof size, &size, NULL),
             CL_INVALID_DEVICE);
    CHECK_EQ(clGetKernelInfo(kernel, 0xdead, sizeof text, text, NULL), CL_INVALID_VALUE);
    CHECK_OK(clReleaseKernel(kernel));
}

// A query of one size_t.
static size_t sub_group_info(cl_kernel kernel, cl_kernel_sub_group_info name, const size_t *input,
                             size_t count)
{
    size_t size = 0, bytes = 0;
    CHECK_OK(clGetKernelSubGroupInfo(kernel, test_device, name, count * sizeof *input, input,
                                     sizeof size, &size, &bytes));
    CHECK(bytes == sizeof size);
    return size;
}

// cl_intel_required_subgroup_size: a kernel with one of the device's sizes runs with it.
static void check_required_width(size_t width)
{
    size_t preferred = 0, items = 128;
    cl_ulong spilled = 1;
    cl_uint told[2] = {0};
    char options[40];
    snprintf(options, sizeof options, "-DN=%u", (unsigned)width);
    cl_program own = test_build("kernel __attribute__((intel_reqd_sub_group_size(N))) void k(global uint *out) {\n"
                                "    uint all = sub_group_reduce_add(1u);\n"
                                "    if (!get_global_id(0)) { out[0] = get_max_sub_group_size(); out[1] = all; } }\n", options);
    cl_kernel kernel = clCreateKernel(own, "k", NULL);
    cl_mem out = test_buffer(CL_MEM_READ_WRITE, sizeof told, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof told, told, 0, NULL, NULL));
    CHECK_EQ(told[0], width);
    CHECK_EQ(told[1], width);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof preferred, &preferred, NULL));
    CHECK_EQ(preferred, width);
    CHECK(sub_group_info(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, NULL, 0) == width);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_SPILL_MEM_SIZE_INTEL, sizeof spilled,
                                      &spilled, NULL));
    CHECK(spilled == 0);
    CHECK_OK(clReleaseKernel(kernel) | clReleaseProgram(own) | clReleaseMemObject(out));
}

static void check_required_widths(size_t width)
{
    size_t sizes[16] = {0}, bytes = 0;
    bool found = false;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes));
    for (size_t i = 0; i < bytes / sizeof *sizes; i++) {
        found |= sizes[i] == width;
        check_required_width(sizes[i]);
    }
    CHECK(found);
}

static void check_sub_group_info(void)
{
    cl_program own = test_build("kernel void free() {}\n"
                                    "kernel __attribute__((reqd_work_group_size(3, 5, 1)))\n"
                                    "void fixed() {}\n",
                                "");
    cl_kernel kernel = clCreateKernel(own, "free", NULL);
    cl_kernel fixed = clCreateKernel(own, "fixed", NULL);
    cl_uint most = 0;
    cl_bool independent = 7;
    size_t sizes[3], local[3] = {7, 3, 2}, two = 2, many = 1 << 20, group = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
                             sizeof independent, &independent, NULL));
    CHECK(independent == CL_FALSE || independent == CL_TRUE); // depends on the device
    if (!most) {
        CHECK_EQ(clGetKernelSubGroupInfo(kernel, test_device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
                                         sizeof two, &two, NULL),
                 CL_INVALID_OPERATION);
        CHECK_OK(clReleaseKernel(kernel) | clReleaseKernel(fixed) | clReleaseProgram(own));
        return;
    }
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group,
                                      &group, NULL));
    size_t width =
        sub_group_info(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local, 3);
    CHECK(width && (width & (width - 1)) == 0);
    CHECK(sub_group_info(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local, 3) ==
          (42 + width - 1) / width);
    CHECK(sub_group_info(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local, 1) ==
          (7 + width - 1) / width);
    CHECK(sub_group_info(kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0) == group / width);
    CHECK(sub_group_info(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, NULL, 0) == 0);
    CHECK(sub_group_info(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, NULL, 0) == 0);
    CHECK(most >= group / width);
    check_required_widths(width);
    CHECK_OK(clGetKernelSubGroupInfo(kernel, test_device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                     sizeof two, &two, sizeof sizes, sizes, NULL));
    CHECK(sizes[0] == 2 * width && sizes[1] == 1 && sizes[2] == 1);
    CHECK_OK(clGetKernelSubGroupInfo(kernel, test_device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                     sizeof many, &many, 2 * sizeof *sizes, sizes, NULL));
    CHECK(sizes[0] == 0 && sizes[1] == 0);
    two = (15 + width - 1) / width;
    CHECK_OK(clGetKernelSubGroupInfo(fixed, test_device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                     sizeof two, &two, sizeof sizes, sizes, NULL));
    CHECK(sizes[0] == 3 && sizes[1] == 5 && sizes[2] == 1);
    CHECK_EQ(clGetKernelSubGroupInfo(kernel, test_device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 5,
                                     local, sizeof two, &two, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clGetKernelSubGroupInfo(kernel, test_device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                     sizeof local, NULL, sizeof two, &two, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clGetKernelSubGroupInfo(kernel, test_device, 0xdead, 0, NULL, sizeof two, &two, NULL),
             CL_INVALID_VALUE);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseKernel(fixed));
    CHECK_OK(clReleaseProgram(own));
}

static void check_arg_info(void)
{
    static const struct {
        const char *name, *type;
        cl_kernel_arg_address_qualifier address;
        cl_kernel_arg_type_qualifier qualifiers;
    } rows[] = {
        {"in", "float4*", CL_KERNEL_ARG_ADDRESS_GLOBAL,
         CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
        {"c", "uint*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
        {"l", "short*", CL_KERNEL_ARG_ADDRESS_LOCAL, 0},
        {"v", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_VOLATILE},
        {"n", "uint", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
        {"s", "pack", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
        {"f", "float3", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
    };
    cl_kernel kernel = test_kernel(program, "args");
    for (cl_uint i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[64];
        cl_kernel_arg_address_qualifier address;
        cl_kernel_arg_access_qualifier access;
        cl_kernel_arg_type_qualifier qualifiers;
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
        CHECK(!strcmp(text, rows[i].name));
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
        if (!CHECK(!strcmp(text, rows[i].type)))
            printf("  '%s', not '%s'\n", text, rows[i].type);
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address,
                                    &address, NULL));
        CHECK_EQ(address, rows[i].address);
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access,
                                    &access, NULL));
        CHECK_EQ(access, CL_KERNEL_ARG_ACCESS_NONE);
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers,
                                    &qualifiers, NULL));
        if (!CHECK_EQ(qualifiers, rows[i].qualifiers))
            printf("  argument '%s'\n", rows[i].name);
    }
    char text[64];
    CHECK_EQ(clGetKernelArgInfo(kernel, 7, CL_KERNEL_ARG_NAME, sizeof text, text, NULL),
             CL_INVALID_ARG_INDEX);
    CHECK_EQ(clGetKernelArgInfo(kernel, 0, 0xdead, sizeof text, text, NULL), CL_INVALID_VALUE);
    CHECK_OK(clReleaseKernel(kernel));
}

// Argument types keep their typedef names; the launch's sizes can be queried.
static void check_typedefs(void)
{
    const char *text_of = "typedef float real; typedef real other; typedef unsigned int word;\n"
                          "typedef float4 row; typedef global float *place;\n"
                          "kernel void f(global real *a, const other b, global word *c, row d,\n"
                          "              place e, unsigned int g) { *a = b; }";
    static const char *const names[] = {"real*", "other", "word*", "row", "float*", "uint"};
    cl_program typed = test_build(text_of, "");
    cl_kernel kernel = test_kernel(typed, "f");
    for (cl_uint i = 0; i < 6; i++) {
        char text[64];
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
        if (!CHECK(!strcmp(text, names[i])))
            printf("  '%s', not '%s'\n", text, names[i]);
    }
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(typed));
}

typedef cl_int(CL_API_CALL *suggest_fn)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                        const size_t *, size_t *);

static void check_suggested(void)
{
    cl_program sized = test_build("kernel void any(global int *p) { *p = 1; }\n"
                                  "kernel __attribute__((reqd_work_group_size(4, 2, 1)))\n"
                                  "void fixed(int n) { }",
                                  "");
    cl_kernel any = test_kernel(sized, "any"), fixed = test_kernel(sized, "fixed");
    const size_t global[2] = {64, 12}, nothing[2] = {64, 0};
    size_t local[3] = {0, 0, 99};
    int n = 0;
    suggest_fn suggest = (suggest_fn)clGetExtensionFunctionAddressForPlatform(
        test_platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    if (!CHECK(suggest != NULL))
        return;
    CHECK_EQ(suggest(test_queue, any, 2, NULL, global, local), CL_INVALID_KERNEL_ARGS);
    CHECK_OK(clSetKernelArg(any, 0, sizeof(cl_mem), NULL));
    CHECK_OK(clSetKernelArg(fixed, 0, sizeof n, &n));
    CHECK_OK(suggest(test_queue, any, 2, NULL, global, local));
    CHECK(local[0] && local[1] && global[0] % local[0] == 0 && global[1] % local[1] == 0);
    CHECK_EQ(local[2], 99);
    CHECK_OK(suggest(test_queue, fixed, 2, NULL, global, local));
    CHECK(local[0] == 4 && local[1] == 2);
    CHECK_EQ(suggest(NULL, any, 2, NULL, global, local), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(suggest(test_queue, NULL, 2, NULL, global, local), CL_INVALID_KERNEL);
    CHECK_EQ(suggest(test_queue, any, 4, NULL, global, local), CL_INVALID_WORK_DIMENSION);
    CHECK_EQ(suggest(test_queue, any, 2, NULL, NULL, local), CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK_EQ(suggest(test_queue, any, 2, NULL, nothing, local), CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK_EQ(suggest(test_queue, any, 2, NULL, global, NULL), CL_INVALID_VALUE);
    suggest_fn core = (suggest_fn)clGetExtensionFunctionAddressForPlatform(
        test_platform, "clGetKernelSuggestedLocalWorkSize");
    if (CHECK(core != NULL))
        CHECK_OK(core(test_queue, fixed, 2, NULL, global, local));
    CHECK_OK(clReleaseKernel(any));
    CHECK_OK(clReleaseKernel(fixed));
    CHECK_OK(clReleaseProgram(sized));
}

static void check_set_arg(void)
{
    cl_kernel kernel = test_kernel(program, "args");
    cl_mem mem = test_buffer(0, 64, NULL), null = NULL, wrong = (cl_mem)test_queue;
    char value[32] = {0};
    struct {
        cl_uint index;
        size_t size;
        const void *value;
        cl_int want;
    } rows[] = {
        {0, sizeof mem, &mem, CL_SUCCESS},
        {0, sizeof mem, &null, CL_SUCCESS},
        {0, sizeof mem, NULL, CL_SUCCESS},
        {0, sizeof mem / 2, &mem, CL_INVALID_ARG_SIZE},
        {0, sizeof mem, &wrong, CL_INVALID_MEM_OBJECT},
        {1, sizeof mem, &mem, CL_SUCCESS},
        {2, 0, NULL, CL_SUCCESS},
        {2, 64, NULL, CL_SUCCESS},
        {2, 0, value, CL_INVALID_ARG_VALUE},
        {2, 64, value, CL_INVALID_ARG_VALUE},
        {4, 4, value, CL_SUCCESS},
        {4, 8, value, CL_INVALID_ARG_SIZE},
        {4, 4, NULL, CL_INVALID_ARG_VALUE},
        {5, 16, value, CL_SUCCESS},
        {5, 12, value, CL_INVALID_ARG_SIZE},
        {6, 16, value, CL_SUCCESS},
        {6, 12, value, CL_INVALID_ARG_SIZE},
        {7, 4, value, CL_INVALID_ARG_INDEX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!CHECK_EQ(clSetKernelArg(kernel, rows[i].index, rows[i].size, rows[i].value),
                      rows[i].want))
            printf("  in row %zu\n", i);
    }
    CHECK_EQ(clSetKernelArg(NULL, 0, 8, &mem), CL_INVALID_KERNEL);
    cl_ulong local;
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local,
                                      &local, NULL));
    CHECK(local >= 64);
    cl_uint count; // arguments do not hold references
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
    CHECK_EQ(count, 1);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
}

// A clone starts with the arguments of the original; later changes are independent.
static void check_clone(void)
{
    cl_program adder = test_build("kernel void add(global int *p, int n) { p[0] += n; }", "");
    cl_kernel first = test_kernel(adder, "add");
    int zero = 0, ten = 10, three = 3, got;
    size_t one = 1;
    cl_int code;
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    CHECK_OK(clSetKernelArg(first, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(first, 1, sizeof ten, &ten));
    cl_kernel second = clCloneKernel(first, &code);
    CHECK_OK(code);
    CHECK_OK(clSetKernelArg(first, 1, sizeof three, &three));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, first, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, second, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
    CHECK_EQ(got, 13);
    CHECK_CREATE(clCloneKernel(NULL, &error), CL_INVALID_KERNEL);
    CHECK_OK(clReleaseKernel(first));
    CHECK_OK(clReleaseKernel(second));
    CHECK_OK(clReleaseProgram(adder));
    CHECK_OK(clReleaseMemObject(mem));
}

int main(void)
{
    test_open();
    program = test_build(source, "-cl-kernel-arg-info");
    check_creation();
    check_queries();
    check_sub_group_info();
    check_arg_info();
    check_typedefs();
    check_suggested();
    check_set_arg();
    check_clone();
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
