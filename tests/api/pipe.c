// SPDX-License-Identifier: Apache-2.0
// Pipes: creation, queries, errors; writes and reads of kernels, compared with a model on the host.
#include "test.h"

enum { PACKETS = 7, STEPS = 60, IDS = 4, ITEMS = 192 };

static cl_mem make_pipe(cl_uint packet, cl_uint packets)
{
    cl_int error;
    cl_mem pipe = clCreatePipe(test_context, 0, packet, packets, NULL, &error);
    CHECK_OK(error);
    return pipe;
}

static uint32_t random_state = 12345;
static uint32_t random_below(uint32_t end)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % end;
}

// ---- the objects ---------------------------------------------------------------------------------

static void check_creation(void)
{
    const cl_pipe_properties none[] = {0};
    cl_uint packet = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof packet, &packet, NULL));
    CHECK(packet >= 1024);
    CHECK_CREATE(clCreatePipe(NULL, 0, 4, 4, NULL, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(clCreatePipe(test_context, 0, 4, 4, none, &error), CL_INVALID_VALUE);
    const cl_mem_flags wrong[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
                                  CL_MEM_COPY_HOST_PTR, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, (cl_mem_flags)1 << 40};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_CREATE(clCreatePipe(test_context, wrong[i], 4, 4, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreatePipe(test_context, 0, 0, 4, NULL, &error), CL_INVALID_PIPE_SIZE);
    CHECK_CREATE(clCreatePipe(test_context, 0, 4, 0, NULL, &error), CL_INVALID_PIPE_SIZE);
    CHECK_CREATE(clCreatePipe(test_context, 0, packet + 1, 4, NULL, &error), CL_INVALID_PIPE_SIZE);
    CHECK_CREATE(clCreatePipe(test_context, 0, packet, UINT32_MAX, NULL, &error), CL_MEM_OBJECT_ALLOCATION_FAILURE);
    cl_int error;
    cl_mem pipe = clCreatePipe(test_context, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, packet, 3, NULL, &error);
    CHECK_OK(error);
    CHECK_OK(clRetainMemObject(pipe));
    CHECK_OK(clReleaseMemObject(pipe));
    CHECK_OK(clReleaseMemObject(pipe));
}

static void check_queries(void)
{
    cl_mem pipe = make_pipe(12, 5), buffer = test_buffer(0, 64, NULL);
    cl_uint number = 0, count = 9;
    cl_mem_object_type type = 0;
    cl_mem_flags flags = 0;
    size_t size = 0;
    void *host = &size;
    CHECK_OK(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof number, &number, &size));
    CHECK(number == 12 && size == sizeof number);
    CHECK_OK(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof number, &number, NULL));
    CHECK_EQ(number, 5);
    CHECK_OK(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, NULL, &size));
    CHECK_EQ(size, 0);
    CHECK_EQ(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, 2, &number, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetPipeInfo(pipe, CL_MEM_TYPE, sizeof number, &number, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetPipeInfo(buffer, CL_PIPE_MAX_PACKETS, sizeof number, &number, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clGetPipeInfo(NULL, CL_PIPE_MAX_PACKETS, sizeof number, &number, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_OK(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_MEM_OBJECT_PIPE);
    CHECK_OK(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CHECK_EQ(flags, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
    CHECK_OK(clGetMemObjectInfo(pipe, CL_MEM_SIZE, sizeof size, &size, NULL));
    CHECK(size >= 60);
    CHECK_OK(clGetMemObjectInfo(pipe, CL_MEM_HOST_PTR, sizeof host, &host, NULL));
    CHECK(!host);
    CHECK_OK(clGetMemObjectInfo(pipe, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    CHECK_EQ(count, 0);
    CHECK_OK(clReleaseMemObject(pipe));
    CHECK_OK(clReleaseMemObject(buffer));
}

static void check_device(void)
{
    const cl_device_info limits[] = {CL_DEVICE_PIPE_SUPPORT, CL_DEVICE_MAX_PIPE_ARGS, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS,
                                     CL_DEVICE_PIPE_MAX_PACKET_SIZE};
    const cl_uint least[] = {CL_TRUE, 16, 1, 1024};
    for (int i = 0; i < 4; i++) {
        cl_uint value = 0;
        CHECK_OK(clGetDeviceInfo(test_device, limits[i], sizeof value, &value, NULL));
        CHECK(value >= least[i]);
    }
}

// The host cannot access the contents of a pipe.
static void check_refused(void)
{
    cl_mem pipe = make_pipe(4, 16), buffer = test_buffer(0, 256, NULL), made;
    const size_t zero[3] = {0}, box[3] = {4, 1, 1};
    const cl_buffer_region region = {0, 16};
    char bytes[64] = {0};
    cl_int error;
    CHECK_EQ(clEnqueueReadBuffer(test_queue, pipe, CL_TRUE, 0, 4, bytes, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueWriteBuffer(test_queue, pipe, CL_TRUE, 0, 4, bytes, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueCopyBuffer(test_queue, pipe, buffer, 0, 0, 4, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueCopyBuffer(test_queue, buffer, pipe, 0, 0, 4, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueFillBuffer(test_queue, pipe, bytes, 4, 0, 4, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueReadBufferRect(test_queue, pipe, CL_TRUE, zero, zero, box, 0, 0, 0, 0, bytes, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueWriteBufferRect(test_queue, pipe, CL_TRUE, zero, zero, box, 0, 0, 0, 0, bytes, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueCopyBufferRect(test_queue, pipe, buffer, zero, zero, box, 0, 0, 0, 0, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK(!clEnqueueMapBuffer(test_queue, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueUnmapMemObject(test_queue, pipe, bytes, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    made = clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CHECK(!made);
    CHECK_EQ(error, CL_INVALID_MEM_OBJECT);
    if (test_has_images()) {
        const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
        const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 4, .mem_object = pipe};
        made = clCreateImage(test_context, 0, &format, &desc, NULL, &error);
        CHECK(!made && error);
        CHECK_EQ(clEnqueueReadImage(test_queue, pipe, CL_TRUE, zero, box, 0, 0, bytes, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    }
    CHECK_OK(clReleaseMemObject(pipe));
    CHECK_OK(clReleaseMemObject(buffer));
}

// ---- arguments -----------------------------------------------------------------------------------

static const char arguments_source[] =
    "typedef struct { int a; char b[9]; } packet_t;\n"
    "kernel void k(read_only pipe packet_t in, write_only pipe unsigned int out, global int *p, pipe float4 d) {\n"
    "    packet_t x; uint y = 1;\n"
    "    if (!read_pipe(in, &x)) y = x.a;\n"
    "    *p = write_pipe(out, &y) + get_pipe_max_packets(d);\n"
    "}\n";

static void check_argument(cl_kernel kernel, cl_uint index, const char *type, cl_kernel_arg_access_qualifier access)
{
    char name[64] = "";
    cl_kernel_arg_access_qualifier got = 0;
    cl_kernel_arg_type_qualifier qualifiers = 0;
    cl_kernel_arg_address_qualifier address = 0;
    CHECK_OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
    CHECK(!strcmp(name, type));
    CHECK_OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof got, &got, NULL));
    CHECK_EQ(got, access);
    CHECK_OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL));
    CHECK_EQ(qualifiers, CL_KERNEL_ARG_TYPE_PIPE);
    CHECK_OK(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL));
    CHECK_EQ(address, CL_KERNEL_ARG_ADDRESS_GLOBAL);
}

static void check_arguments(void)
{
    cl_program program = test_build(arguments_source, "-cl-std=CL2.0 -cl-kernel-arg-info");
    cl_kernel kernel = test_kernel(program, "k");
    cl_mem pipe = make_pipe(16, 4), small = make_pipe(4, 4), buffer = test_buffer(0, 64, NULL), null = NULL;
    check_argument(kernel, 0, "packet_t", CL_KERNEL_ARG_ACCESS_READ_ONLY);
    check_argument(kernel, 1, "uint", CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
    check_argument(kernel, 3, "float4", CL_KERNEL_ARG_ACCESS_READ_ONLY);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof pipe, &pipe));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof pipe, &small));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof pipe, &buffer));
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof pipe, &buffer), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof pipe, &null), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof pipe, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof pipe / 2, &pipe), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof pipe, &small), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(kernel, 2, sizeof pipe, &pipe), CL_INVALID_MEM_OBJECT);
    CHECK(clSetKernelArgSVMPointer(kernel, 0, &null) < 0);
    size_t one = 1;
    CHECK_EQ(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
    CHECK_OK(clSetKernelArg(kernel, 3, sizeof pipe, &pipe));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    int result = 0;
    CHECK_OK(clEnqueueReadBuffer(test_queue, buffer, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL));
    CHECK_EQ(result, 4);
    CHECK_OK(clReleaseMemObject(pipe));
    CHECK_OK(clReleaseMemObject(small));
    CHECK_OK(clReleaseMemObject(buffer));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// ---- one work-item compared with a model
// ---------------------------------------------------------

// One step: the operation, the reservation it uses, the number or index of packets.
enum { MOVE, RESERVE, MOVE_AT, COMMIT, ASK, STEP_KINDS };
struct step {
    cl_int kind, id, number, value;
};

static const char script_source[] =
    "struct step { int kind, id, number, value; };\n"
    "#define SCRIPT(NAME, ACCESS, MOVE, RESERVE, COMMIT)                                       \\\n"
    "kernel void NAME(ACCESS pipe int p, global const struct step *steps, int count, global int2 *results)\\\n"
    "{                                                                                          \\\n"
    "    reserve_id_t ids[4];                                                                   \\\n"
    "    for (int i = 0; i < count; i++) {                                                      \\\n"
    "        struct step s = steps[i];                                                          \\\n"
    "        int value = s.value, code = 0;                                                     \\\n"
    "        if (s.kind == 0) code = MOVE(p, &value);                                           \\\n"
    "        if (s.kind == 1) { ids[s.id] = RESERVE(p, s.number); code = is_valid_reserve_id(ids[s.id]); }\\\n"
    "        if (s.kind == 2) code = MOVE(p, ids[s.id], s.number, &value);                      \\\n"
    "        if (s.kind == 3) COMMIT(p, ids[s.id]);                                             \\\n"
    "        if (s.kind == 4) code = get_pipe_num_packets(p);                                   \\\n"
    "        results[i] = (int2)(code, value);                                                  \\\n"
    "    }                                                                                      \\\n"
    "}\n"
    "SCRIPT(writes, write_only, write_pipe, reserve_write_pipe, commit_write_pipe)\n"
    "SCRIPT(reads, read_only, read_pipe, reserve_read_pipe, commit_read_pipe)\n";

// Packets are numbered from the pipe's first one; `at`: where a side's next reservation begins;
// `done`: up to where all are committed.
struct model {
    long at[2], done[2];
    int values[4096];
    bool committed[2][4096];
};
struct model_id {
    bool valid, open;
    long first;
    int count;
};

static bool model_reserve(struct model *m, int side, int count, struct model_id *id)
{
    long room = side ? m->done[0] - m->at[1] : PACKETS - (m->at[0] - m->done[1]);
    *id = (struct model_id){count && count <= room, true, m->at[side], count};
    m->at[side] += id->valid ? count : 0;
    return id->valid;
}

static void model_commit(struct model *m, int side, const struct model_id *id)
{
    for (int i = 0; i < id->count; i++)
        m->committed[side][id->first + i] = true;
    while (m->committed[side][m->done[side]])
        m->done[side]++;
}

// A random step that is valid for the current reservations.
static struct step random_step(struct model_id *ids, int *value)
{
    struct step s = {(cl_int)random_below(STEP_KINDS), (cl_int)random_below(IDS), 0, (*value)++};
    const struct model_id *id = &ids[s.id];
    bool usable = id->open && id->valid;
    if (s.kind == RESERVE && usable)
        s.kind = COMMIT;
    if ((s.kind == MOVE_AT || s.kind == COMMIT) && !usable)
        s.kind = MOVE;
    if (s.kind == RESERVE)
        s.number = (cl_int)random_below(PACKETS + 2);
    if (s.kind == MOVE_AT)
        s.number = (cl_int)random_below((uint32_t)id->count);
    return s;
}

// The expected code and, for readers, value; -1: undefined.
static void model_step(struct model *m, int side, struct model_id *ids, const struct step *s, int *code, int *value)
{
    struct model_id one, *id = s->kind == MOVE ? &one : &ids[s->id];
    *code = 0;
    *value = s->value;
    if (s->kind == ASK)
        *code = (int)(m->done[0] - m->at[1]);
    if (s->kind == RESERVE)
        *code = model_reserve(m, side, s->number, id);
    if (s->kind == MOVE && !model_reserve(m, side, 1, id))
        *code = -1;
    if (s->kind == MOVE_AT || (s->kind == MOVE && id->valid)) {
        int *packet = &m->values[id->first + (s->kind == MOVE ? 0 : s->number)];
        *(side ? value : packet) = side ? *packet : s->value;
    }
    if (s->kind == COMMIT || (s->kind == MOVE && id->valid)) {
        model_commit(m, side, id);
        id->open = false;
    }
}

static int plan(struct model *m, int side, struct step *steps, int (*want)[2], int *value)
{
    struct model_id ids[IDS] = {0};
    int count = 0;
    for (; count < STEPS; count++) {
        steps[count] = random_step(ids, value);
        model_step(m, side, ids, &steps[count], &want[count][0], &want[count][1]);
    }
    for (int i = 0; i < IDS; i++) {
        if (!ids[i].open || !ids[i].valid)
            continue;
        steps[count] = (struct step){COMMIT, i, 0, 0};
        model_step(m, side, ids, &steps[count], &want[count][0], &want[count][1]);
        count++;
    }
    return count;
}

static void check_scripts(const char *options)
{
    static struct model m;
    static struct step steps[STEPS + IDS];
    static int want[STEPS + IDS][2], got[STEPS + IDS][2];
    memset(&m, 0, sizeof m);
    for (int i = 0; i < 4096; i++)
        m.values[i] = -1;
    cl_program program = test_build(script_source, options);
    cl_kernel kernels[2] = {test_kernel(program, "writes"), test_kernel(program, "reads")};
    cl_mem pipe = make_pipe(4, PACKETS), in = test_buffer(0, sizeof steps, NULL), out = test_buffer(0, sizeof got, NULL);
    int value = 1, bad = 0;
    size_t one = 1;
    for (int round = 0; round < 24; round++) {
        int side = round & 1, count = plan(&m, side, steps, want, &value);
        CHECK_OK(clEnqueueWriteBuffer(test_queue, in, CL_TRUE, 0, sizeof steps, steps, 0, NULL, NULL));
        CHECK_OK(clSetKernelArg(kernels[side], 0, sizeof pipe, &pipe));
        CHECK_OK(clSetKernelArg(kernels[side], 1, sizeof in, &in));
        CHECK_OK(clSetKernelArg(kernels[side], 2, sizeof count, &count));
        CHECK_OK(clSetKernelArg(kernels[side], 3, sizeof out, &out));
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernels[side], 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        for (int i = 0; i < count && !bad; i++) {
            bool code = steps[i].kind == MOVE ? (got[i][0] < 0) == (want[i][0] < 0) : got[i][0] == want[i][0];
            bad = !code || (want[i][1] != -1 && got[i][1] != want[i][1]);
            if (bad)
                printf("round %d step %d, kind %d id %d number %d: %d %d, not %d %d\n", round, i, steps[i].kind,
                       steps[i].id, steps[i].number, got[i][0], got[i][1], want[i][0], want[i][1]);
        }
    }
    CHECK_EQ(bad, 0);
    CHECK_OK(clReleaseMemObject(pipe));
    CHECK_OK(clReleaseMemObject(in));
    CHECK_OK(clReleaseMemObject(out));
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseKernel(kernels[i]));
    CHECK_OK(clReleaseProgram(program));
}

// ---- many work-items -----------------------------------------------------------------------------

static const char many_source[] =
    "kernel void write_each(write_only pipe uint p, global uint *out)\n"
    "{\n"
    "    uint x = get_global_id(0);\n"
    "    out[x] = write_pipe(p, &x) == 0 ? x : ~0u;\n"
    "}\n"
    "kernel void read_each(read_only pipe uint p, global uint *out)\n"
    "{\n"
    "    uint x = 0;\n"
    "    out[get_global_id(0)] = read_pipe(p, &x) == 0 ? x : ~0u;\n"
    "}\n"
    // two reservations at once, the second committed first
    "kernel void write_runs(write_only pipe uint p, global uint *out)\n"
    "{\n"
    "    uint x = get_global_id(0), n = x % 3 + 1;\n"
    "    reserve_id_t a = reserve_write_pipe(p, n), b = reserve_write_pipe(p, 1);\n"
    "    if (is_valid_reserve_id(b)) { uint y = x << 8 | 255; write_pipe(p, b, 0, &y); commit_write_pipe(p, b); }\n"
    "    for (uint i = 0; i < n && is_valid_reserve_id(a); i++) { uint y = x << 8 | i; write_pipe(p, a, n - 1 - i, &y); }\n"
    "    if (is_valid_reserve_id(a)) commit_write_pipe(p, a);\n"
    "    out[x] = (is_valid_reserve_id(a) ? n : 0) + is_valid_reserve_id(b);\n"
    "}\n"
    "kernel void read_all(read_only pipe uint p, global uint *out)\n"
    "{\n"
    "    uint x;\n"
    "    for (uint i = 0; i <= get_pipe_max_packets(p); i++)\n"
    "        out[i] = read_pipe(p, &x) == 0 ? x : ~0u;\n"
    "}\n"
    "kernel void pass_on(read_only pipe uint in, write_only pipe uint out)\n"
    "{\n"
    "    uint x;\n"
    "    if (read_pipe(in, &x) == 0) { x += 1000; write_pipe(out, &x); }\n"
    "}\n"
    "kernel void write_group(write_only pipe uint p, global uint *out)\n"
    "{\n"
    "    reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));\n"
    "    uint x = get_global_id(0);\n"
    "    out[x] = is_valid_reserve_id(id) ? x : ~0u;\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        write_pipe(p, id, get_local_id(0), &x);\n"
    "        work_group_commit_write_pipe(p, id);\n"
    "    }\n"
    "}\n"
    "kernel void read_group(read_only pipe uint p, global uint *out)\n"
    "{\n"
    "    reserve_id_t id = work_group_reserve_read_pipe(p, get_local_size(0));\n"
    "    uint x = ~0u;\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        read_pipe(p, id, get_local_id(0), &x);\n"
    "        work_group_commit_read_pipe(p, id);\n"
    "    }\n"
    "    out[get_global_id(0)] = x;\n"
    "}\n"
    "#ifdef SUB_GROUPS\n"
    "kernel void write_sub_group(write_only pipe uint p, global uint *out)\n"
    "{\n"
    "    reserve_id_t id = sub_group_reserve_write_pipe(p, get_sub_group_size());\n"
    "    uint x = get_global_id(0);\n"
    "    out[x] = is_valid_reserve_id(id) ? x : ~0u;\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        write_pipe(p, id, get_sub_group_local_id(), &x);\n"
    "        sub_group_commit_write_pipe(p, id);\n"
    "    }\n"
    "}\n"
    "kernel void read_sub_group(read_only pipe uint p, global uint *out)\n"
    "{\n"
    "    reserve_id_t id = sub_group_reserve_read_pipe(p, get_sub_group_size());\n"
    "    uint x = ~0u;\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        read_pipe(p, id, get_sub_group_local_id(), &x);\n"
    "        sub_group_commit_read_pipe(p, id);\n"
    "    }\n"
    "    out[get_global_id(0)] = x;\n"
    "}\n"
    "#endif\n";

static cl_program many;
static cl_kernel kernels[16];
static cl_mem numbers; // ITEMS * 5 numbers

// Created on first use, because a kernel's first launch is slow.
static cl_kernel find_kernel(const char *name)
{
    static const char *names[16];
    int i = 0;
    while (names[i] && strcmp(names[i], name))
        i++;
    if (!names[i]) {
        kernels[i] = test_kernel(many, name);
        names[i] = name;
    }
    return kernels[i];
}

static void launch(const char *name, cl_mem first, cl_mem second, size_t items, size_t local)
{
    cl_kernel kernel = find_kernel(name);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof first, &first));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof second, &second));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &items, local ? &local : NULL, 0, NULL, NULL));
}

static void fetch(cl_uint *to, size_t count)
{
    CHECK_OK(clEnqueueReadBuffer(test_queue, numbers, CL_TRUE, 0, count * sizeof *to, to, 0, NULL, NULL));
}

// Counts the numbers other than ~0; each one below `end` may occur once.
static cl_uint count_once(const cl_uint *x, size_t count, cl_uint end)
{
    static bool seen[ITEMS * 5 + 1000];
    cl_uint found = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < count; i++) {
        if (x[i] == UINT32_MAX)
            continue;
        CHECK(x[i] < end && !seen[x[i]]);
        if (x[i] < end)
            seen[x[i]] = true;
        found++;
    }
    return found;
}

// Writers and readers of one kind on a pipe with `room` packets: as many succeed as there is room
// or packets.
static void check_kind(const char *writer, const char *reader, cl_uint room, size_t local)
{
    static cl_uint wrote[ITEMS], read[ITEMS];
    cl_mem pipe = make_pipe(4, room);
    for (int round = 0; round < 3; round++) {
        launch(writer, pipe, numbers, ITEMS, local);
        fetch(wrote, ITEMS);
        launch(reader, pipe, numbers, ITEMS, local);
        fetch(read, ITEMS);
        cl_uint count = count_once(wrote, ITEMS, ITEMS), same = 0, most = room < ITEMS ? room : ITEMS;
        CHECK(count <= most && count + local >= most);
        CHECK_EQ(count_once(read, ITEMS, ITEMS), count);
        for (int i = 0; i < ITEMS; i++)
            for (int k = 0; k < ITEMS && wrote[i] != UINT32_MAX; k++)
                same += wrote[i] == read[k];
        CHECK_EQ(same, count);
    }
    CHECK_OK(clReleaseMemObject(pipe));
}

// The packets of a reservation are consecutive, however many others are made concurrently.
static void check_runs(void)
{
    static cl_uint counts[ITEMS], read[ITEMS * 2 + 1];
    cl_mem pipe = make_pipe(4, ITEMS * 2);
    for (int round = 0; round < 4; round++) {
        cl_uint total = 0, found = 0;
        launch("write_runs", pipe, numbers, ITEMS, 0);
        fetch(counts, ITEMS);
        for (int i = 0; i < ITEMS; i++)
            total += counts[i];
        CHECK(total <= ITEMS * 2 && total + 3 >= ITEMS * 2);
        launch("read_all", pipe, numbers, 1, 0);
        fetch(read, ITEMS * 2 + 1);
        for (cl_uint i = 0; i < total; i++) {
            cl_uint item = read[i] >> 8, packet = read[i] & 255;
            if (!CHECK_EQ(item < ITEMS && (packet <= item % 3 || packet == 255), true))
                break;
            found++;
            if (packet != 255 && packet > 0)
                CHECK(i + 1 < total && read[i + 1] == read[i] - 1);
        }
        CHECK_EQ(found, total);
        CHECK_EQ(read[total], UINT32_MAX);
    }
    CHECK_OK(clReleaseMemObject(pipe));
}

static void check_two_pipes(void)
{
    static cl_uint read[ITEMS];
    cl_mem first = make_pipe(4, ITEMS), second = make_pipe(4, ITEMS);
    launch("write_each", first, numbers, ITEMS, 0);
    launch("pass_on", first, second, ITEMS, 0);
    launch("read_each", second, numbers, ITEMS, 0);
    CHECK_OK(clReleaseMemObject(first)); // commands hold references
    CHECK_OK(clReleaseMemObject(second));
    fetch(read, ITEMS);
    CHECK_EQ(count_once(read, ITEMS, ITEMS + 1000), ITEMS);
    for (int i = 0; i < ITEMS; i++)
        CHECK(read[i] >= 1000);
}

static void check_many(void)
{
    bool sub_groups = test_has(test_device, "cl_khr_subgroup_ballot");
    cl_bool groups = CL_FALSE;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof groups, &groups, NULL));
    many = test_build(many_source, sub_groups ? "-cl-std=CL3.0 -DSUB_GROUPS" : "-cl-std=CL3.0");
    numbers = test_buffer(0, ITEMS * 5 * sizeof(cl_uint), NULL);
    const cl_uint rooms[] = {1, 7, ITEMS - 1, ITEMS, ITEMS + 50};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        check_kind("write_each", "read_each", rooms[i], 0);
        check_kind("write_group", "read_group", rooms[i], 16);
        if (sub_groups)
            check_kind("write_sub_group", "read_sub_group", rooms[i], 64);
    }
    check_runs();
    check_two_pipes();
    CHECK_OK(clReleaseMemObject(numbers));
    for (int i = 0; kernels[i]; i++)
        CHECK_OK(clReleaseKernel(kernels[i]));
    CHECK_OK(clReleaseProgram(many));
}

// ---- packets of all sizes ------------------------------------------------------------------------

static const char packet_source[] =
    "#ifdef BYTES\n"
    "typedef struct { UNIT b[BYTES / sizeof(UNIT)]; } T;\n"
    "#endif\n"
    "void put(write_only pipe T p, global const T *from, reserve_id_t id, uint at) { write_pipe(p, id, at, from); }\n"
    "kernel void send(write_only pipe T p, global const T *from)\n"
    "{\n"
    "    uint at = get_global_id(0);\n"
    "    reserve_id_t id = reserve_write_pipe(p, 2);\n"
    "    local T shown; T own[2] = {from[2 * at], from[2 * at + 1]};\n"
    "    if (at == 0) shown = own[1];\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        put(p, from + 2 * at, id, 0);\n"
    "        if (at == 0) write_pipe(p, id, 1, &shown); else write_pipe(p, id, 1, &own[at & 1 | 1]);\n"
    "        commit_write_pipe(p, id);\n"
    "    }\n"
    "}\n"
    "kernel void take(read_only pipe T p, global T *to, int count)\n"
    "{\n"
    "    T x; T *any = &x;\n"
    "    for (int i = 0; i < count; i++)\n"
    "        if (i & 1) read_pipe(p, to + i); else if (!read_pipe(p, any)) to[i] = x;\n"
    "}\n";

static void check_packet(const char *type, cl_uint size, cl_uint shown)
{
    static unsigned char from[8 * 2048], to[8 * 2048];
    char options[128];
    snprintf(options, sizeof options, "-cl-std=CL3.0 %s%s", strncmp(type, "BYTES", 5) ? "-DT=" : "-D", type);
    cl_program program = test_build(packet_source, options);
    cl_kernel send = test_kernel(program, "send"), take = test_kernel(program, "take");
    for (cl_uint i = 0; i < 8 * size; i++)
        from[i] = (unsigned char)random_below(256);
    memset(to, 0, sizeof to);
    cl_mem pipe = make_pipe(size, 11), in = test_buffer(CL_MEM_COPY_HOST_PTR, (size_t)8 * size, from),
           out = test_buffer(CL_MEM_COPY_HOST_PTR, (size_t)8 * size, to);
    size_t one = 1, three = 3;
    const cl_int count = 8;
    for (int round = 0; round < 4; round++) { // the pipe's indices wrap around
        CHECK_OK(clSetKernelArg(send, 0, sizeof pipe, &pipe));
        CHECK_OK(clSetKernelArg(send, 1, sizeof in, &in));
        CHECK_OK(clSetKernelArg(take, 0, sizeof pipe, &pipe));
        CHECK_OK(clSetKernelArg(take, 1, sizeof out, &out));
        CHECK_OK(clSetKernelArg(take, 2, sizeof count, &count));
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, send, 1, NULL, &three, &three, 0, NULL, NULL));
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, take, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, (size_t)8 * size, to, 0, NULL, NULL));
        bool seen[3] = {false};
        for (int pair = 0; pair < 3; pair++)
            for (int i = 0; i < 3; i++) {
                bool same = true;
                for (cl_uint k = 0; k < 2; k++)
                    same &= !memcmp(to + (2 * pair + k) * size, from + (2 * i + k) * size, shown);
                seen[i] |= same;
            }
        CHECK(seen[0] && seen[1] && seen[2]);
    }
    CHECK_OK(clReleaseMemObject(pipe));
    CHECK_OK(clReleaseMemObject(in));
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseKernel(send));
    CHECK_OK(clReleaseKernel(take));
    CHECK_OK(clReleaseProgram(program));
}

static void check_packets(void)
{
    check_packet("char", 1, 1);
    check_packet("short", 2, 2);
    check_packet("uchar3", 4, 3);
    check_packet("int3", 16, 12);
    check_packet("long", 8, 8);
    check_packet("uint16", 64, 64);
    check_packet("BYTES=3 -DUNIT=uchar", 3, 3);
    check_packet("BYTES=13 -DUNIT=uchar", 13, 13);
    check_packet("BYTES=1024 -DUNIT=uint", 1024, 1024);
}

int main(void)
{
    test_open();
    check_device();
    check_creation();
    check_queries();
    check_refused();
    check_arguments();
    check_scripts("-cl-std=CL2.0");
    check_scripts("-cl-std=CL3.0 -cl-opt-disable");
    check_many();
    check_packets();
    return test_close();
}
