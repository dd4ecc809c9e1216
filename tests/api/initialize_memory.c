// SPDX-License-Identifier: Apache-2.0
// cl_khr_initialize_memory: in a context with the property, local memory and private variables are
// zero at first, whatever ran before; other contexts are unaffected. Errors.
#include "object/cl.h"
#include "test.h"

enum { GROUP = 16, GROUPS = 32, ITEMS = GROUP * GROUPS, WORDS = 64 };

enum {
    LOCAL = CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR,
    PRIVATE = CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR,
};

static const char *const source =
    "#define WORDS 64\n"
    "struct odd { char a; uint *p; uchar3 b[3]; ulong l; };\n"
    // Fills local memory with other numbers.
    "kernel void litter(global uint *out, local uint *given) {\n"
    "    local uint own[WORDS]; local uchar bytes[WORDS];\n"
    "    for (uint i = get_local_id(0); i < WORDS; i += get_local_size(0))\n"
    "        own[i] = 0xdeadbeef + out[0], bytes[i] = 0xee, given[i] = 0xabcdef01;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = own[get_local_id(0)] + bytes[get_local_id(0)] + given[get_local_id(0)];\n"
    "}\n"
    "kernel void see_local(global uint *out, local uint *given) {\n"
    "    local uint own[WORDS]; local uchar bytes[WORDS];\n"
    "    uint all = 0;\n"
    "    for (uint i = 0; i < WORDS; i++)\n"
    "        all |= own[i] | bytes[i] | given[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    own[get_local_id(0)] = bytes[get_local_id(0)] = given[get_local_id(0)] = 1;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = all + own[0] + bytes[0] + given[0] - 3;\n"
    "}\n"
    "uint helper(uint at) { uint unset[5]; unset[at % 5] += 7; uint sum = 0;\n"
    "    for (int i = 0; i < 5; i++) sum += unset[i];\n"
    "    return sum - 7; }\n"
    "kernel void see_private(global uint *out, uint n) {\n"
    "    uint scalar; uint16 wide; uchar bytes[37]; struct odd odd; ulong words[WORDS];\n"
    "    uint at = get_global_id(0) + n, all = scalar | wide.s3 | wide.sf;\n"
    "    if (n == 12345) { words[at % WORDS] = 5; bytes[at % 37] = 6; scalar = 3; odd.a = 1; }\n"
    "    all |= words[at % WORDS] | bytes[at % 37] | scalar | odd.a | odd.l | odd.b[2].z | (odd.p != 0);\n"
    "    out[get_global_id(0)] = all | helper(at) | helper(at + 1);\n"
    "}\n";

static const char *const with_images =
    "kernel void texel(read_only image2d_t image, global uint *out) {\n"
    "    const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;\n"
    "    uint unset; uint4 texel = read_imageui(image, sampler, (int2)(0, 0)); *out = texel.x + unset; }\n";

static cl_context open_context(cl_context_properties which)
{
    const cl_context_properties properties[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, which, 0};
    cl_int error;
    cl_context context = clCreateContext(properties, 1, &test_device, NULL, NULL, &error);
    CHECK_OK(error);
    return context;
}

struct room {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem out;
};

static cl_program build(cl_context context, const char *text)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    CHECK_OK(error);
    CHECK_OK(clBuildProgram(program, 1, &test_device, "", NULL, NULL));
    return program;
}

static struct room open_room(cl_context_properties which)
{
    cl_int error;
    struct room room = {.context = open_context(which)};
    room.queue = clCreateCommandQueue(room.context, test_device, 0, &error);
    CHECK_OK(error);
    room.out = clCreateBuffer(room.context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_uint), NULL, &error);
    CHECK_OK(error);
    room.program = build(room.context, source);
    return room;
}

static void close_room(struct room *room)
{
    clReleaseProgram(room->program);
    clReleaseMemObject(room->out);
    CHECK_OK(clReleaseCommandQueue(room->queue));
    CHECK_OK(clReleaseContext(room->context));
}

// Launches the kernel; returns the bits found by any work-item.
static cl_uint run(struct room *room, const char *name, bool local)
{
    cl_uint values[ITEMS], zero = 0, all = 0;
    size_t items = ITEMS, group = GROUP;
    cl_kernel kernel = test_kernel(room->program, name);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof room->out, &room->out));
    if (local)
        CHECK_OK(clSetKernelArg(kernel, 1, WORDS * sizeof(cl_uint), NULL));
    else
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof zero, &zero));
    CHECK_OK(clEnqueueFillBuffer(room->queue, room->out, &zero, sizeof zero, 0, sizeof values, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(room->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(room->queue, room->out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    clReleaseKernel(kernel);
    for (int i = 0; i < ITEMS; i++)
        all |= values[i];
    return all;
}

static void check_local(cl_context_properties which)
{
    struct room room = open_room(which);
    for (int i = 0; i < 3; i++) {
        CHECK(run(&room, "litter", true) != 0);
        CHECK_EQ(run(&room, "see_local", true), 0);
    }
    close_room(&room);
}

static void check_private(cl_context_properties which)
{
    struct room room = open_room(which);
    run(&room, "litter", true);
    CHECK_EQ(run(&room, "see_private", false), 0);
    close_room(&room);
}

static void check_images(void)
{
    struct room room = open_room(LOCAL | PRIVATE);
    if (test_has_images())
        clReleaseProgram(build(room.context, with_images));
    close_room(&room);
}

// In contexts without the property a binary is built again, from its source.
static void check_binary(void)
{
    struct room room = open_room(PRIVATE);
    unsigned char *data;
    size_t size = 0;
    cl_int code;
    CHECK_OK(clGetProgramInfo(room.program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    data = malloc(size);
    CHECK_OK(clGetProgramInfo(room.program, CL_PROGRAM_BINARIES, sizeof data, &data, NULL));
    const unsigned char *binary = data;
    cl_program own = clCreateProgramWithBinary(room.context, 1, &test_device, &size, &binary, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clBuildProgram(own, 1, &test_device, "", NULL, NULL));
    clReleaseProgram(room.program);
    room.program = own;
    CHECK_EQ(run(&room, "see_private", false), 0);
    cl_program other = clCreateProgramWithBinary(test_context, 1, &test_device, &size, &binary, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clBuildProgram(other, 1, &test_device, "", NULL, NULL));
    CHECK_OK(clReleaseProgram(other));
    close_room(&room);
    free(data);
}

static void check_queries(void)
{
    cl_context_properties back[3] = {0};
    size_t size = 0;
    cl_context context = open_context(LOCAL);
    CHECK_OK(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof back, back, &size));
    CHECK_EQ(size, sizeof back);
    CHECK(back[0] == CL_CONTEXT_MEMORY_INITIALIZE_KHR && back[1] == LOCAL && !back[2]);
    CHECK_OK(clReleaseContext(context));
}

static void check_refused(bool offered)
{
    const cl_context_properties wrong[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 4, 0};
    const cl_context_properties right[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, LOCAL | PRIVATE, 0};
    CHECK_CREATE(clCreateContext(wrong, 1, &test_device, NULL, NULL, &error), CL_INVALID_PROPERTY);
    if (!offered)
        CHECK_CREATE(clCreateContext(right, 1, &test_device, NULL, NULL, &error), CL_INVALID_PROPERTY);
}

int main(void)
{
    test_open();
    bool offered = test_has(test_device, "cl_khr_initialize_memory");
    check_refused(offered);
    if (offered) {
        check_local(LOCAL);
        check_local(LOCAL | PRIVATE);
        check_private(PRIVATE);
        check_private(LOCAL | PRIVATE);
        check_images();
        check_binary();
        check_queries();
    }
    return test_close();
}
