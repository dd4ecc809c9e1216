// SPDX-License-Identifier: Apache-2.0
// Programs from SPIR-V: device queries, invalid modules, specialization constants, building,
// linking with programs from source in both directions, binaries, kernel queries. The modules:
// il/*.spvasm.
#include <math.h>

#include "modules.h"

// ---- helpers ------------------------------------------------------------------------------------

static cl_program from_il(const char *name)
{
    cl_int error;
    struct module module = load(name);
    cl_program program = clCreateProgramWithIL(test_context, module.bytes, module.size, &error);
    CHECK_OK(error);
    return program;
}

static cl_program from_source(const char *source)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(test_context, 1, &source, NULL, &error);
    CHECK_OK(error);
    return program;
}

static cl_program compiled(cl_program program)
{
    if (!CHECK_OK(clCompileProgram(program, 1, &test_device, NULL, 0, NULL, NULL, NULL, NULL)))
        printf("%s\n", log_of(program));
    return program;
}

static cl_program linked(const char *options, cl_program a, cl_program b)
{
    cl_int error;
    const cl_program both[] = {a, b};
    cl_program program = clLinkProgram(test_context, 1, &test_device, options, 2, both, NULL, NULL, &error);
    if (!CHECK_OK(error) && program)
        printf("%s\n", log_of(program));
    return program;
}

// Runs a kernel of one buffer, with `items` work-items.
static void run(cl_program program, const char *name, size_t items, void *result, size_t size)
{
    cl_kernel kernel = test_kernel(program, name);
    cl_mem mem = test_buffer(CL_MEM_READ_WRITE, size, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, size, result, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
}

static cl_int run_int(cl_program program, const char *name)
{
    cl_int result = -1;
    run(program, name, 1, &result, sizeof result);
    return result;
}

// ---- device queries -----------------------------------------------------------------------------

static cl_program through_binary(cl_program program)
{
    size_t size = 0;
    cl_int error;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size + 1);
    CHECK(size != 0);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    cl_program loaded = clCreateProgramWithBinary(test_context, 1, &test_device, &size, (const unsigned char **)&bytes,
                                                  NULL, &error);
    CHECK_OK(error);
    free(bytes);
    return loaded;
}

static bool has_extension(const char *name)
{
    char text[4096];
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    return strstr(text, name) != NULL;
}

static void check_versions(void)
{
    char text[256] = "";
    cl_name_version ils[16];
    size_t size = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_IL_VERSION, sizeof text, text, NULL));
    CHECK(!strcmp(text, "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4 SPIR-V_1.5 SPIR-V_1.6"));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_ILS_WITH_VERSION, sizeof ils, ils, &size));
    CHECK_EQ(size, 7 * sizeof *ils);
    for (cl_uint i = 0; i < 7; i++) {
        CHECK(!strcmp(ils[i].name, "SPIR-V"));
        CHECK_EQ(ils[i].version, CL_MAKE_VERSION(1, i, 0));
    }
}

static size_t query(cl_device_info name, void *value, size_t room, size_t one)
{
    size_t size = 0;
    CHECK_OK(clGetDeviceInfo(test_device, name, 0, NULL, &size));
    CHECK_EQ(clGetDeviceInfo(test_device, name, size - 1, value, NULL), CL_INVALID_VALUE);
    CHECK_OK(clGetDeviceInfo(test_device, name, room, value, NULL));
    return size / one;
}

static bool has_pipes(void)
{
    cl_bool pipes = CL_FALSE;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_PIPE_SUPPORT, sizeof pipes, &pipes, NULL));
    return pipes;
}

// cl_khr_spirv_queries
static void check_features(void)
{
    enum { SETS = 0x12b9, EXTENSIONS, CAPABILITIES };
    const char *names[64];
    cl_uint capabilities[128];
    CHECK(has_extension("cl_khr_il_program") && has_extension("cl_khr_spirv_queries"));
    CHECK_EQ(query(SETS, names, sizeof names, sizeof *names), 2);
    CHECK(!strcmp(names[0], "OpenCL.std") && !strcmp(names[1], "OpenCL.DebugInfo.100"));
    size_t count = query(EXTENSIONS, names, sizeof names, sizeof *names);
    for (size_t i = 0; i < count; i++)
        CHECK(!strncmp(names[i], "SPV_", 4));
    count = query(CAPABILITIES, capabilities, sizeof capabilities, sizeof *capabilities);
    bool kernel = false, fp64 = false, shader = false, pipes = false, enqueues = false;
    for (size_t i = 0; i < count; i++) {
        kernel |= capabilities[i] == 6;
        fp64 |= capabilities[i] == 10;
        shader |= capabilities[i] == 1;
        pipes |= capabilities[i] == 17;
        enqueues |= capabilities[i] == 19;
    }
    cl_device_device_enqueue_capabilities queues = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof queues, &queues, NULL));
    CHECK_EQ(enqueues, queues != 0);
    CHECK_EQ(pipes, has_pipes());
    CHECK(kernel && !shader);
    CHECK_EQ(fp64, has_extension("cl_khr_fp64"));
}

// Whether cooperative matrices are listed; the extension and the capability must agree.
static bool lists_matrices(void)
{
    enum { EXTENSIONS = 0x12ba, CAPABILITIES, MATRICES = 6022 };
    const char *names[64];
    cl_uint capabilities[128];
    bool listed = has_extension("cl_khr_cooperative_matrix"), name = false, capability = false;
    size_t count = query(EXTENSIONS, names, sizeof names, sizeof *names);
    for (size_t i = 0; i < count; i++)
        name |= !strcmp(names[i], "SPV_KHR_cooperative_matrix");
    count = query(CAPABILITIES, capabilities, sizeof capabilities, sizeof *capabilities);
    for (size_t i = 0; i < count; i++)
        capability |= capabilities[i] == MATRICES;
    CHECK_EQ(name, listed);
    CHECK_EQ(capability, listed);
    return listed;
}

// ---- invalid modules ----------------------------------------------------------------------------

static cl_int create(const void *bytes, size_t size)
{
    cl_int error = 12345;
    cl_program program = clCreateProgramWithIL(test_context, bytes, size, &error);
    CHECK_EQ(program == NULL, error != CL_SUCCESS);
    if (program)
        CHECK_OK(clReleaseProgram(program));
    return error;
}

static cl_int create_with(const struct module *module, size_t word, uint32_t value)
{
    struct module changed = *module;
    memcpy(changed.bytes + word * 4, &value, 4);
    return create(changed.bytes, changed.size);
}

static void check_creation(void)
{
    struct module module = load("kernels");
    CHECK_OK(create(module.bytes, module.size));
    CHECK_OK(create(module.bytes, 20)); // a header is an empty module
    CHECK_CREATE(clCreateProgramWithIL(NULL, module.bytes, module.size, &error), CL_INVALID_CONTEXT);
    CHECK_EQ(create(NULL, module.size), CL_INVALID_VALUE);
    CHECK_EQ(create(module.bytes, 0), CL_INVALID_VALUE);
    CHECK_EQ(create(module.bytes, 16), CL_INVALID_VALUE);
    CHECK_EQ(create(module.bytes, module.size - 1), CL_INVALID_VALUE);
    CHECK_EQ(create(module.bytes, 24), CL_INVALID_VALUE); // within the first instruction
    CHECK_EQ(create("kernel void k(){}  ", 20), CL_INVALID_VALUE);
    CHECK_EQ(create_with(&module, 0, 0x07230204), CL_INVALID_VALUE);
    CHECK_EQ(create_with(&module, 1, 0x00010700), CL_INVALID_VALUE);
    CHECK_EQ(create_with(&module, 1, 0x00020000), CL_INVALID_VALUE);
    CHECK_EQ(create_with(&module, 1, 0x00010001), CL_INVALID_VALUE);
    CHECK_EQ(create_with(&module, 3, 0), CL_INVALID_VALUE);
    CHECK_EQ(create_with(&module, 3, 0xffffffff), CL_INVALID_VALUE);
    CHECK_EQ(create_with(&module, 4, 1), CL_INVALID_VALUE);
    // an instruction with a length of 0
    CHECK_EQ(create_with(&module, 5, 0x00000011), CL_INVALID_VALUE);
    CHECK_EQ(create_with(&module, 5, 0xffff0011), CL_INVALID_VALUE);
}

// Truncated at any word, and with any word replaced: refused at creation, or a build error with a
// log.
static void check_nonsense(void)
{
    struct module module = load("kernels");
    for (size_t at = 5; at < module.size / 4; at++) {
        for (unsigned way = 0; way < 3; way++) {
            struct module changed = module;
            uint32_t value = way == 1 ? 0xffffffff : 0;
            cl_int error;
            if (way == 2)
                changed.size = at * 4;
            else
                memcpy(changed.bytes + at * 4 + (way ? 0 : 2), &value, way ? 4 : 2);
            cl_program program = clCreateProgramWithIL(test_context, changed.bytes, changed.size, &error);
            CHECK(error == CL_SUCCESS || error == CL_INVALID_VALUE);
            if (!program)
                continue;
            error = clBuildProgram(program, 1, &test_device, NULL, NULL, NULL);
            CHECK(error == CL_SUCCESS || (error == CL_BUILD_PROGRAM_FAILURE && *log_of(program)));
            CHECK_OK(clReleaseProgram(program));
        }
    }
}

static void check_wrong(void)
{
    cl_program program = from_il("wrong");
    CHECK_EQ(clBuildProgram(program, 1, &test_device, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(log_of(program), "word") != NULL); // the position of the error
    CHECK_EQ(clCompileProgram(program, 1, &test_device, NULL, 0, NULL, NULL, NULL, NULL), CL_COMPILE_PROGRAM_FAILURE);
    CHECK_EQ(clBuildProgram(program, 1, &test_device, "-cl-no-such-thing", NULL, NULL), CL_INVALID_BUILD_OPTIONS);
    CHECK_OK(clReleaseProgram(program));
}

// ---- program and kernel queries -----------------------------------------------------------------

static void check_program_info(void)
{
    struct module module = load("kernels");
    unsigned char bytes[sizeof module.bytes];
    size_t size = 0;
    char text[8] = "xxxx";
    cl_program program = from_il("kernels");
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof bytes, bytes, &size));
    CHECK_EQ(size, module.size);
    CHECK(!memcmp(bytes, module.bytes, module.size));
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, module.size - 1, bytes, NULL), CL_INVALID_VALUE);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    CHECK_EQ(text[0], 0);
    CHECK_OK(clReleaseProgram(program));
    program = from_source("kernel void k() {}");
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof bytes, bytes, &size));
    CHECK_EQ(size, 0);
    CHECK_OK(clReleaseProgram(program));
}

static void check_arg(cl_kernel kernel, cl_uint index, const char *type, const char *name, cl_uint address,
                      cl_bitfield qualifiers)
{
    char text[64] = "";
    cl_uint place = 0;
    cl_bitfield bits = 0;
    CHECK_OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
    test_check(!strcmp(text, type), __FILE__, __LINE__, text);
    CHECK_OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    test_check(!strcmp(text, name), __FILE__, __LINE__, text);
    CHECK_OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof place, &place, NULL));
    CHECK_EQ(place, address);
    CHECK_OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof bits, &bits, NULL));
    CHECK_EQ(bits, qualifiers);
}

static void check_args(cl_program program)
{
    cl_kernel kernel = test_kernel(program, "scale");
    check_arg(kernel, 0, "int*", "out", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_RESTRICT);
    check_arg(kernel, 1, "int", "by", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0);
    check_arg(kernel, 2, "float*", "named", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_CONST);
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_sizes(cl_program program)
{
    size_t sizes[3] = {0};
    char text[256] = "";
    cl_kernel kernel = test_kernel(program, "sized");
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes,
                                      NULL));
    CHECK(sizes[0] == 4 && sizes[1] == 2 && sizes[2] == 1);
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
    CHECK(!strcmp(text, "")); // as for all programs that are not from source
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_nameless(void)
{
    char text[64];
    cl_program program = from_il("nameless");
    CHECK_OK(build(program));
    CHECK_EQ(run_int(program, "nameless"), 7);
    cl_kernel kernel = test_kernel(program, "nameless");
    CHECK_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL),
             CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    CHECK_EQ(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_NAME, sizeof text, text, NULL), CL_INVALID_ARG_INDEX);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// ---- building -----------------------------------------------------------------------------------

static void check_scale(cl_program program)
{
    enum { COUNT = 64 };
    const cl_int by = 7;
    const size_t count = COUNT;
    cl_int results[COUNT];
    cl_kernel kernel = test_kernel(program, "scale");
    cl_mem mem = test_buffer(CL_MEM_READ_WRITE, sizeof results, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof by, &by));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    int wrong = 0;
    for (cl_int i = 0; i < COUNT; i++)
        wrong += results[i] != i * by;
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_build(void)
{
    size_t count = 0;
    char names[64] = "";
    cl_program program = from_il("kernels");
    CHECK_OK(build(program));
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    CHECK(strstr(names, "scale") && strstr(names, "sized"));
    check_scale(program);
    check_args(program);
    check_sizes(program);
    CHECK_OK(clReleaseProgram(program));
}

static void check_hints(void)
{
    cl_program program = from_il("hints");
    CHECK_OK(build(program));
    CHECK_EQ(run_int(program, "hints"), 45);
    CHECK_OK(clReleaseProgram(program));
}

static void run_on(cl_program program, const char *name, cl_int *values, size_t size)
{
    const size_t one = 1;
    cl_kernel kernel = test_kernel(program, name);
    cl_mem mem = test_buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, values);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, size, values, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
}

// Runs if the device lists all capabilities that the module declares.
static void check_features_used(void)
{
    cl_int values[4] = {9, 0, 0, 0}, votes[2] = {5, 0};
    cl_bool collectives = CL_FALSE;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof collectives, &collectives, NULL));
    if (!test_has_images() || !collectives ||
        !has_extension("cl_khr_integer_dot_product") || !has_extension("cl_khr_subgroup_ballot") ||
        !has_extension("cl_khr_subgroup_non_uniform_vote"))
        return;
    cl_program program = from_il("features");
    CHECK_OK(build(program));
    run_on(program, "numbers", values, sizeof values);
    CHECK(values[1] == 449 && values[2] == 9 && values[3] == 3);
    run_on(program, "votes", votes, sizeof votes);
    CHECK_EQ(votes[1], 6);
    CHECK_OK(clReleaseProgram(program));
}

static void check_pipe_argument(cl_program program)
{
    cl_int error, values[2] = {0};
    const size_t one = 1;
    cl_kernel kernel = test_kernel(program, "take");
    cl_mem pipe = clCreatePipe(test_context, 0, 4, 4, NULL, &error), mem = test_buffer(CL_MEM_READ_WRITE, sizeof values, NULL);
    CHECK_OK(error);
    check_arg(kernel, 0, "int", "p", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_PIPE);
    check_arg(kernel, 1, "int*", "r", CL_KERNEL_ARG_ADDRESS_GLOBAL, 0);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof mem, &mem), CL_INVALID_MEM_OBJECT);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof pipe, &pipe));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK_EQ(values[0], -1);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseMemObject(pipe));
    CHECK_OK(clReleaseKernel(kernel));
}

// The pipe of a program variable persists between launches.
static void check_pipes(void)
{
    static const struct {
        const char *kernel;
        cl_int given, error, value;
    } steps[] = {{"get", 9, -1, 9}, {"put", 7, 0, 7},  {"put", 8, 0, 8},  {"put", 5, -1, 5},
                 {"get", 9, 0, 7},  {"put", 6, 0, 6},  {"get", 9, 0, 8},  {"get", 9, 0, 6}, {"get", 9, -1, 9}};
    if (!has_pipes())
        return;
    cl_program program = from_il("pipes");
    CHECK_OK(build(program));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        cl_int values[2] = {4, steps[i].given};
        run_on(program, steps[i].kernel, values, sizeof values);
        CHECK(values[0] == steps[i].error && values[1] == steps[i].value);
    }
    check_pipe_argument(program);
    CHECK_OK(clReleaseProgram(program));
}

// A kernel with a required number of sub-groups.
static void check_group_sizes(cl_program program)
{
    size_t count = 0, size = 0, size_for_2 = 0, two = 2;
    const size_t many = 4096;
    cl_kernel kernel = test_kernel(program, "grouped");
    cl_mem mem = test_buffer(CL_MEM_READ_WRITE, sizeof(cl_int), NULL);
    CHECK_OK(clGetKernelSubGroupInfo(kernel, test_device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clGetKernelSubGroupInfo(kernel, test_device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof many, &many,
                                     sizeof size, &size, NULL));
    CHECK_OK(clGetKernelSubGroupInfo(kernel, test_device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof two, &two,
                                     sizeof size_for_2, &size_for_2, NULL));
    CHECK_EQ(size_for_2, 2 * size);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_EQ(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &many, &size, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
    for (int given = 0; given < 2; given++) {
        cl_int got = 0;
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &many, given ? &size_for_2 : NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
        CHECK_EQ(got, 2);
    }
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_sub_groups(void)
{
    cl_uint most = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL));
    if (most < 2)
        return;
    cl_program program = from_il("subgroups");
    CHECK_OK(build(program));
    check_group_sizes(program);
    cl_program again = through_binary(program);
    CHECK_OK(build(again));
    check_group_sizes(again);
    CHECK_OK(clReleaseProgram(again));
    CHECK_OK(clReleaseProgram(program));
}

static void put_and_get(cl_program program, cl_mem image, const cl_int *texel, cl_int *got)
{
    const size_t one = 1;
    cl_kernel put = test_kernel(program, "put"), get = test_kernel(program, "get");
    cl_mem mem = test_buffer(CL_MEM_READ_WRITE, 4 * sizeof *got, NULL);
    CHECK_OK(clSetKernelArg(put, 0, sizeof image, &image));
    CHECK_OK(clSetKernelArg(put, 1, 4 * sizeof *texel, texel));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, put, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clSetKernelArg(get, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(get, 1, sizeof image, &image));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, get, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, 4 * sizeof *got, got, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(put));
    CHECK_OK(clReleaseKernel(get));
}

// The image's format determines whether the integers of a texel are signed if the module does not.
static void check_texels(void)
{
    static const struct {
        cl_channel_type type;
        cl_int texel[4], wanted[4];
    } rows[] = {{CL_SIGNED_INT8, {200, -200, 5, -5}, {127, -128, 5, -5}},
                {CL_SIGNED_INT16, {200, -70000, 5, -5}, {200, -32768, 5, -5}},
                {CL_SIGNED_INT32, {200, -70000, 5, -5}, {200, -70000, 5, -5}},
                {CL_UNSIGNED_INT8, {200, -200, 5, 300}, {200, 255, 5, 255}},
                {CL_UNSIGNED_INT16, {200, -200, 5, 60000}, {200, 65535, 5, 60000}},
                {CL_UNSIGNED_INT32, {200, -200, 5, -5}, {200, -200, 5, -5}}};
    if (!test_has_images())
        return;
    cl_program program = from_il("texels");
    CHECK_OK(build(program));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cl_image_format format = {CL_RGBA, rows[i].type};
        const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 2};
        cl_int error, got[4] = {0};
        cl_mem image = clCreateImage(test_context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
        CHECK_OK(error);
        put_and_get(program, image, rows[i].texel, got);
        for (int lane = 0; lane < 4; lane++)
            CHECK_EQ(got[lane], rows[i].wanted[lane]);
        CHECK_OK(clReleaseMemObject(image));
    }
    CHECK_OK(clReleaseProgram(program));
}

// Each texel of level n is n + 1: checks what each instruction reads of one.
static void check_level(cl_program program, const char *name, cl_mem image, cl_int level, const cl_float *size)
{
    const size_t one = 1;
    const cl_float lod = (cl_float)level, x = exp2f(lod) / 16;
    const cl_sampler_properties list[] = {CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE, CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};
    cl_int error;
    cl_float got[12] = {0};
    cl_kernel kernel = test_kernel(program, name);
    cl_sampler sampler = clCreateSamplerWithProperties(test_context, list, &error);
    CHECK_OK(error);
    cl_mem mem = test_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof lod, &lod));
    CHECK_OK(clSetKernelArg(kernel, 3, sizeof x, &x));
    CHECK_OK(clSetKernelArg(kernel, 4, sizeof level, &level));
    CHECK_OK(clSetKernelArg(kernel, 5, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    CHECK(got[0] == lod + 1 && got[4] == lod + 1);
    if (!CHECK(got[8] == size[0] && got[9] == size[1] && got[10] == size[2] && got[11] == 3))
        printf("  level %d of %s: %g %g %g, %g levels\n", level, name, (double)got[8], (double)got[9], (double)got[10], (double)got[11]);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseSampler(sampler));
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_level_written(cl_program program, cl_mem image)
{
    const cl_float texel[4] = {3, 0, 0, 1};
    const size_t one = 1;
    const cl_int level = 1;
    cl_kernel kernel = test_kernel(program, "put");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof level, &level));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof texel, texel));
    CHECK_OK(clEnqueueFillImage(test_queue, image, (cl_float[4]){0}, (size_t[4]){0, 0, 2}, (size_t[3]){1, 1, 1}, 0, NULL, NULL));
    CHECK_OK(clEnqueueFillImage(test_queue, image, (cl_float[4]){0}, (size_t[4]){0, 0, 1}, (size_t[3]){1, 1, 1}, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    cl_float got[4] = {0};
    for (size_t k = 0; k < 3; k++) {
        CHECK_OK(clEnqueueReadImage(test_queue, image, CL_TRUE, (size_t[4]){0, 0, k}, (size_t[3]){1, 1, 1}, 0, 0, got, 0, NULL, NULL));
        CHECK(got[0] == (k == 1 ? 3 : k ? 0 : 1));
    }
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_levels(void)
{
    static const struct {
        const char *name;
        cl_mem_object_type type;
        size_t height, depth, layers;
        cl_float sizes[3][3];
    } rows[] = {{"line", CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, 0, 5, {{16, 5, 0}, {8, 5, 0}, {4, 5, 0}}},
                {"flat", CL_MEM_OBJECT_IMAGE2D, 6, 0, 0, {{16, 6, 0}, {8, 3, 0}, {4, 1, 0}}},
                {"layers", CL_MEM_OBJECT_IMAGE2D_ARRAY, 6, 0, 5, {{16, 6, 5}, {8, 3, 5}, {4, 1, 5}}},
                {"volume", CL_MEM_OBJECT_IMAGE3D, 6, 3, 0, {{16, 6, 3}, {8, 3, 1}, {4, 1, 1}}}};
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    // the module also writes
    if (!test_has_images() || !has_extension("cl_khr_mipmap_image_writes"))
        return;
    cl_program program = from_il("levels");
    if (!CHECK_OK(build(program)))
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cl_image_desc desc = {.image_type = rows[i].type, .image_width = 16, .image_height = rows[i].height,
                                    .image_depth = rows[i].depth, .image_array_size = rows[i].layers, .num_mip_levels = 3};
        cl_int error;
        cl_mem image = clCreateImage(test_context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
        CHECK_OK(error);
        for (cl_int level = 0; level < 3; level++) {
            const cl_float *size = rows[i].sizes[level], colour[4] = {(cl_float)level + 1, 0, 0, 1};
            size_t origin[4] = {0}, region[3] = {(size_t)size[0], (size_t)size[1], size[2] > 0 ? (size_t)size[2] : 1};
            origin[size[2] > 0 ? 3 : 2] = (size_t)level;
            CHECK_OK(clEnqueueFillImage(test_queue, image, colour, origin, region, 0, NULL, NULL));
        }
        for (cl_int level = 0; level < 3; level++)
            check_level(program, rows[i].name, image, level, rows[i].sizes[level]);
        if (rows[i].type == CL_MEM_OBJECT_IMAGE2D)
            check_level_written(program, image);
        CHECK_OK(clReleaseMemObject(image));
    }
    CHECK_OK(clReleaseProgram(program));
}

// The function name of cl_khr_il_program, and a module of the other byte order.
static void check_swapped(void)
{
    cl_int error;
    struct module module = load("kernels");
    clCreateProgramWithILKHR_fn create_khr = (clCreateProgramWithILKHR_fn)(uintptr_t)
        clGetExtensionFunctionAddressForPlatform(test_platform, "clCreateProgramWithILKHR");
    if (!CHECK(create_khr != NULL))
        return;
    for (size_t i = 0; i < module.size; i += 4) {
        unsigned char *at = module.bytes + i, word[4] = {at[3], at[2], at[1], at[0]};
        memcpy(at, word, 4);
    }
    cl_program program = create_khr(test_context, module.bytes, module.size, &error);
    if (!CHECK_OK(error))
        return;
    CHECK_OK(build(program));
    check_scale(program);
    CHECK_OK(clReleaseProgram(program));
}

// ---- specialization constants -------------------------------------------------------------------

static void expect_specs(cl_program program, const cl_ulong *wanted)
{
    cl_ulong results[8] = {0};
    CHECK_OK(build(program));
    run(program, "specs", 1, results, sizeof results);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(results[i], wanted[i]);
}

static void check_spec_errors(cl_program program)
{
    const cl_ulong value = 0;
    cl_program other = from_source("kernel void k() {}");
    CHECK_EQ(clSetProgramSpecializationConstant(NULL, 32, 4, &value), CL_INVALID_PROGRAM);
    CHECK_EQ(clSetProgramSpecializationConstant(other, 32, 4, &value), CL_INVALID_PROGRAM);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 2, 4, &value), CL_INVALID_SPEC_ID);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 32, 4, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 32, 8, &value), CL_INVALID_VALUE);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 8, 4, &value), CL_INVALID_VALUE);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 1, 4, &value), CL_INVALID_VALUE);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 64, 0, &value), CL_INVALID_VALUE);
    CHECK_OK(clReleaseProgram(other));
}

static void check_specs(void)
{
    const cl_uchar byte = 0xfe, yes = 1, no = 0;
    const cl_ushort half = 0xabcd;
    const cl_uint word = 0x80000001;
    const cl_ulong wide = 0xfedcba9876543210;
    const cl_float real = -2;
    const cl_ulong plain[] = {17, 4660, 305419896, 81985529216486895, 0x3f000000, 1, 0, 610839792};
    cl_program program = from_il("specs");
    expect_specs(program, plain);
    check_spec_errors(program);
    CHECK_OK(clSetProgramSpecializationConstant(program, 8, 1, &byte));
    CHECK_OK(clSetProgramSpecializationConstant(program, 16, 2, &half));
    CHECK_OK(clSetProgramSpecializationConstant(program, 32, 4, &real)); // the later value wins
    CHECK_OK(clSetProgramSpecializationConstant(program, 32, 4, &word));
    CHECK_OK(clSetProgramSpecializationConstant(program, 64, 8, &wide));
    CHECK_OK(clSetProgramSpecializationConstant(program, 1032, 4, &real));
    CHECK_OK(clSetProgramSpecializationConstant(program, 1, 1, &no));
    CHECK_OK(clSetProgramSpecializationConstant(program, 0, 1, &yes));
    const cl_ulong set[] = {0xfe, 0xabcd, 0x80000001, 0xfedcba9876543210, 0xc0000000, 0, 1, 2};
    expect_specs(program, set);
    CHECK_OK(clReleaseProgram(program));

    // Constants only apply to this program: another program of the same module has its own.
    program = from_il("specs");
    expect_specs(program, plain);
    CHECK_OK(clReleaseProgram(program));
}

// ---- separate compilation -----------------------------------------------------------------------

static const char definitions[] = "int twice(int x) { return x * 2; } global int shared_word = 40;";
static const char uses[] = "int twice(int x); extern global int shared_word;"
                           "kernel void calls(global int *out) { *out = twice(shared_word); }";

static void release_all(cl_program a, cl_program b, cl_program c)
{
    CHECK_OK(clReleaseProgram(a));
    CHECK_OK(clReleaseProgram(b));
    CHECK_OK(clReleaseProgram(c));
}

static cl_program compiled_source(const char *text)
{
    cl_program program = from_source(text);
    CHECK_OK(clCompileProgram(program, 1, &test_device, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    return program;
}

static void check_links(void)
{
    cl_program user = compiled(from_il("imports")), definer = compiled(from_il("exports"));
    cl_program source_user = compiled_source(uses), source_definer = compiled_source(definitions);
    const cl_program pairs[][2] = {{user, definer}, {user, source_definer}, {source_user, definer}};
    for (int i = 0; i < 3; i++) {
        cl_program program = linked(NULL, pairs[i][0], pairs[i][1]);
        CHECK_EQ(run_int(program, "calls"), 80);
        CHECK_OK(clReleaseProgram(program));
    }
    cl_int error;
    cl_program failed = clLinkProgram(test_context, 1, &test_device, NULL, 1, &user, NULL, NULL, &error);
    CHECK_EQ(error, CL_LINK_PROGRAM_FAILURE);
    CHECK(strstr(log_of(failed), "twice") != NULL);
    release_all(user, definer, failed);
    CHECK_OK(clReleaseProgram(source_user));
    CHECK_OK(clReleaseProgram(source_definer));
}

static void expect_mismatch(cl_program a, const char *text, const char *message)
{
    cl_int error;
    const cl_program both[] = {a, compiled_source(text)};
    cl_program program = clLinkProgram(test_context, 1, &test_device, NULL, 2, both, NULL, NULL, &error);
    CHECK_EQ(error, CL_LINK_PROGRAM_FAILURE);
    test_check(strstr(log_of(program), message) != NULL, __FILE__, __LINE__, log_of(program));
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseProgram(both[1]));
}

static void check_mismatches(void)
{
    cl_program user = compiled(from_il("imports")), definer = compiled(from_il("exports"));
    expect_mismatch(user, "float twice(float x) { return x; }",
                    "'twice' has type 'i32(i32)' in program 1, but 'float(float)' in program 2");
    expect_mismatch(user, "int twice(int x) { return x; } constant int shared_word = 1;", "'shared_word' has type");
    expect_mismatch(user, "int twice(int x) { return x; } int shared_word(int x) { return x; }",
                    "a variable in the other");
    expect_mismatch(definer, "int twice(int x) { return x; }", "'twice' is defined in programs 1 and 2");
    CHECK_OK(clReleaseProgram(user));
    CHECK_OK(clReleaseProgram(definer));
}

static void check_libraries(void)
{
    cl_program definer = compiled(from_il("exports")), other = compiled_source("int more(int x) { return x; }");
    cl_program library = linked("-create-library", definer, other);
    cl_uint type = 0;
    CHECK_OK(clGetProgramBuildInfo(library, test_device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_PROGRAM_BINARY_TYPE_LIBRARY);
    cl_program user = compiled_source(uses), program = linked(NULL, user, library);
    CHECK_EQ(run_int(program, "calls"), 80);
    release_all(definer, other, library);
    CHECK_OK(clReleaseProgram(user));
    CHECK_OK(clReleaseProgram(program));
}

// ---- binaries -----------------------------------------------------------------------------------

static void check_binaries(void)
{
    size_t size = 99;
    cl_program program = from_il("kernels"), loaded;
    CHECK_OK(build(program));
    loaded = through_binary(program);
    CHECK_OK(build(loaded));
    check_scale(loaded);
    check_args(loaded);
    CHECK_OK(clGetProgramInfo(loaded, CL_PROGRAM_IL, 0, NULL, &size));
    CHECK_EQ(size, 0);
    CHECK_OK(clReleaseProgram(loaded));
    CHECK_OK(clReleaseProgram(program));

    cl_program user = compiled(from_il("imports")), definer = compiled(from_il("exports"));
    loaded = through_binary(user);
    program = linked(NULL, loaded, definer);
    CHECK_EQ(run_int(program, "calls"), 80);
    release_all(user, definer, loaded);
    CHECK_OK(clReleaseProgram(program));
}

// ---- cooperative matrices -----------------------------------------------------------------------

// Equivalent to il/matrices.spvasm.
static const char *const matrices_source =
    "#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP\n"
    "#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR\n"
    "#define COLUMNS CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR\n"
    "#define SATURATING CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION\n"
    "typedef uchar mat_a __attribute__((coop_mat(SUB, HEIGHT, 5, CLK_COOPERATIVE_MATRIX_A)));\n"
    "typedef char mat_b __attribute__((coop_mat(SUB, 5, 8, CLK_COOPERATIVE_MATRIX_B)));\n"
    "typedef int mat_c __attribute__((coop_mat(SUB, HEIGHT, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));\n"
    "typedef float mat_f __attribute__((coop_mat(SUB, HEIGHT, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));\n"
    "kernel void matrices(global uchar *a, global char *b, global int *c, global float *f) {\n"
    "    mat_a x = coop_mat_load(a, ROWS, 5);\n"
    "    mat_b y = coop_mat_load(b, COLUMNS, 5);\n"
    "    mat_c z = coop_mat_load(c, ROWS, 8), two = (mat_c)2, big = (mat_c)2147483000;\n"
    "    mat_c full = coop_mat_mulAdd(x, y, big, SATURATING);\n"
    "    coop_mat_store(c + 64, full, COLUMNS, 8);\n"
    "    z = -(coop_mat_mulAdd(x, y, z) + two);\n"
    "    coop_mat_store(c, z, ROWS, 8);\n"
    "    mat_f v = (mat_f)z, w = (mat_f)0.0f, sum = (mat_f)0.0f;\n"
    "    for (uint i = 0; i < coop_mat_length(z); i++) {\n"
    "        w[i] = v[i] + 0.5f;\n"
    "        sum = sum + w;\n"
    "    }\n"
    "    sum = sum * 0.5f;\n"
    "    for (uint i = 0; i < coop_mat_length(z); i++)\n"
    "        sum[i] = as_float(as_int(sum[i]) - 2);\n"
    "    sum[1] = sum[0];\n"
    "    coop_mat_store(f, sum, COLUMNS, 8);\n"
    "}\n";

struct matrices {
    cl_uchar a[64];
    cl_char b[64];
    cl_int c[128];
    cl_float f[64];
};

// Runs one sub-group.
static void run_matrices(cl_program program, struct matrices *m)
{
    void *const parts[] = {m->a, m->b, m->c, m->f};
    const size_t sizes[] = {sizeof m->a, sizeof m->b, sizeof m->c, sizeof m->f}, one = 1;
    cl_mem mems[4];
    size_t items = 0;
    cl_kernel kernel = test_kernel(program, "matrices");
    for (int i = 0; i < 64; i++)
        m->a[i] = (cl_uchar)(i * 37), m->b[i] = (cl_char)(i * 29), m->c[i] = i * 1000 - 7, m->f[i] = -1;
    memset(m->c + 64, 0, sizeof m->c / 2);
    for (cl_uint i = 0; i < 4; i++) {
        mems[i] = test_buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizes[i], parts[i]);
        CHECK_OK(clSetKernelArg(kernel, i, sizeof mems[i], &mems[i]));
    }
    CHECK_OK(clGetKernelSubGroupInfo(kernel, test_device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof one, &one,
                                     sizeof items, &items, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    for (int i = 0; i < 4; i++) {
        CHECK_OK(clEnqueueReadBuffer(test_queue, mems[i], CL_TRUE, 0, sizes[i], parts[i], 0, NULL, NULL));
        CHECK_OK(clReleaseMemObject(mems[i]));
    }
    CHECK_OK(clReleaseKernel(kernel));
}

static cl_int product(const struct matrices *m, int row, int column)
{
    cl_int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += m->a[row * 5 + k] * m->b[column * 5 + k];
    return sum;
}

static void check_integers(const struct matrices *m, int height)
{
    for (int row = 0; row < height; row++)
        for (int column = 0; column < 8; column++) {
            cl_long sum = product(m, row, column), full = sum + 2147483000;
            CHECK_EQ(m->c[row * 8 + column], -(sum + (row * 8 + column) * 1000 - 7 + 2));
            CHECK_EQ(m->c[64 + column * 8 + row], full > INT32_MAX ? INT32_MAX : full);
        }
}

// With the default number of rows in the module, and with a specialized one.
static void check_matrices(void)
{
    static struct matrices from_module, source;
    const cl_uint five = 5;
    char options[64];
    if (!lists_matrices()) {
        cl_program program = from_il("matrices");
        CHECK_EQ(build(program), CL_BUILD_PROGRAM_FAILURE);
        CHECK(strstr(log_of(program), "sub-groups"));
        CHECK_OK(clReleaseProgram(program));
        return;
    }
    for (int height = 8; height >= 5; height -= 3) {
        cl_program program = from_il("matrices"), twin = from_source(matrices_source);
        if (height == 5)
            CHECK_OK(clSetProgramSpecializationConstant(program, 7, sizeof five, &five));
        snprintf(options, sizeof options, "-cl-std=CL3.0 -DHEIGHT=%d", height);
        CHECK_OK(build(program));
        CHECK_OK(clBuildProgram(twin, 1, &test_device, options, NULL, NULL));
        run_matrices(program, &from_module);
        run_matrices(twin, &source);
        check_integers(&from_module, height);
        CHECK(!memcmp(&from_module, &source, sizeof source));
        CHECK_OK(clReleaseProgram(program));
        CHECK_OK(clReleaseProgram(twin));
    }
}

static void check_other_addresses(void)
{
    cl_program program = from_il("kernels");
    CHECK_EQ(build(program), CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(log_of(program), "addresses of 64 bits: the device's have 32"));
    CHECK_OK(clReleaseProgram(program));
}

int main(void)
{
    test_open();
    check_versions();
    if (test_address_bits() == 32) { // the modules here use 64-bit addresses and are refused
        check_other_addresses();
        return test_close() ? 1 : 77;
    }
    check_features();
    check_creation();
    check_wrong();
    check_program_info();
    check_build();
    check_nameless();
    check_hints();
    check_features_used();
    check_pipes();
    check_sub_groups();
    check_matrices();
    check_texels();
    check_levels();
    check_swapped();
    check_specs();
    check_links();
    check_mismatches();
    check_libraries();
    check_binaries();
    check_nonsense();
    return test_close();
}
