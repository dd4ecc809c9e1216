// SPDX-License-Identifier: Apache-2.0
// On-device queues: creation, the default queue, errors, arguments; and kernels that enqueue
// kernels: fan-outs, chains, random trees compared with a model on the host, events, errors,
// printf, queue overflow, from two queues at a time.
#include "test.h"

#include <pthread.h>

#define ON_DEVICE (CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)

static cl_command_queue create(cl_queue_properties bits, cl_uint size, cl_int *error)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, size ? CL_QUEUE_SIZE : 0, size, 0};
    return clCreateCommandQueueWithProperties(test_context, test_device, list, error);
}

static cl_uint device_uint(cl_device_info name)
{
    cl_uint value = 77;
    CHECK_OK(clGetDeviceInfo(test_device, name, sizeof value, &value, NULL));
    return value;
}

static cl_ulong device_bits(cl_device_info name)
{
    cl_ulong value = 77;
    CHECK_OK(clGetDeviceInfo(test_device, name, sizeof value, &value, NULL));
    return value;
}

// ---- without device queues ----------------------------------------------------------------------

static void check_none(void)
{
    CHECK_EQ(device_bits(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES), 0);
    CHECK_EQ(device_uint(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), 0);
    CHECK_EQ(device_uint(CL_DEVICE_MAX_ON_DEVICE_QUEUES), 0);
    CHECK_CREATE(create(ON_DEVICE, 0, &error), CL_INVALID_QUEUE_PROPERTIES);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(test_context, test_device, test_queue), CL_INVALID_OPERATION);
}

// ---- queues -------------------------------------------------------------------------------------

static void check_infos(void)
{
    cl_ulong modes = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    CHECK_EQ(device_bits(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES), modes);
    CHECK_EQ(device_bits(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES),
             CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT);
    CHECK(device_uint(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE) >= 16 << 10);
    CHECK(device_uint(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE) >= 256 << 10);
    CHECK(device_uint(CL_DEVICE_MAX_ON_DEVICE_QUEUES) >= 1);
    CHECK(device_uint(CL_DEVICE_MAX_ON_DEVICE_EVENTS) >= 1024);
}

static cl_command_queue default_of(cl_command_queue queue)
{
    cl_command_queue found = test_queue;
    CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof found, &found, NULL));
    return found;
}

static void check_default(void)
{
    cl_int error;
    cl_uint count, size;
    CHECK(!default_of(test_queue));
    cl_command_queue one = create(ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0, &error);
    CHECK_OK(error);
    CHECK(default_of(test_queue) == one && default_of(one) == one);
    CHECK_OK(clGetCommandQueueInfo(one, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    CHECK_EQ(size, device_uint(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
    cl_command_queue again = create(ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0, &error);
    CHECK_OK(error);
    CHECK(again == one);
    CHECK_OK(clGetCommandQueueInfo(one, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clReleaseCommandQueue(again));
    cl_command_queue two = create(ON_DEVICE | CL_QUEUE_PROFILING_ENABLE, 20000, &error);
    CHECK_OK(error);
    CHECK(default_of(two) == one);
    CHECK_OK(clSetDefaultDeviceCommandQueue(test_context, test_device, two));
    CHECK(default_of(one) == two);
    CHECK_OK(clGetCommandQueueInfo(two, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    CHECK_EQ(size, 20000);
    CHECK_EQ(clGetCommandQueueInfo(test_queue, CL_QUEUE_SIZE, sizeof size, &size, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(test_context, test_device, test_queue), CL_INVALID_COMMAND_QUEUE);
    CHECK_OK(clReleaseCommandQueue(two));
    CHECK(!default_of(one));
    CHECK_OK(clReleaseCommandQueue(one));
}

static void check_refusals(void)
{
    const cl_queue_properties hinted[] = {CL_QUEUE_PROPERTIES, ON_DEVICE, CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, 0};
    cl_uint most = device_uint(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), count = device_uint(CL_DEVICE_MAX_ON_DEVICE_QUEUES);
    cl_command_queue list[1024];
    cl_int status;
    CHECK_CREATE(create(CL_QUEUE_ON_DEVICE, 0, &error), CL_INVALID_VALUE);
    CHECK_CREATE(create(CL_QUEUE_ON_DEVICE_DEFAULT, 0, &error), CL_INVALID_VALUE);
    CHECK_CREATE(create(ON_DEVICE, most + 1, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateCommandQueueWithProperties(test_context, test_device, hinted, &error), CL_INVALID_QUEUE_PROPERTIES);
    for (cl_uint i = 0; i < count; i++) {
        list[i] = create(ON_DEVICE, most, &status);
        CHECK_OK(status);
    }
    cl_event event;
    int word;
    cl_mem mem = clCreateBuffer(test_context, 0, 64, NULL, &status);
    CHECK_OK(status);
    CHECK_EQ(clEnqueueReadBuffer(list[0], mem, CL_TRUE, 0, 4, &word, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueMarkerWithWaitList(list[0], 0, NULL, &event), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clFinish(list[0]), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clFlush(list[0]), CL_INVALID_COMMAND_QUEUE);
    CHECK_OK(clReleaseMemObject(mem));
    for (cl_uint i = 0; i < count; i++)
        CHECK_OK(clReleaseCommandQueue(list[i]));
}

// ---- kernels ------------------------------------------------------------------------------------

static const char source[] =
    "#define LAUNCH(queue, n, ...) enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n), __VA_ARGS__)\n"
    "kernel void fan(global int *out, int width)\n"
    "{\n"
    "    queue_t q = get_default_queue();\n"
    "    for (int i = 0; i < width; i++)\n"
    "        if (LAUNCH(q, 2, ^{ atomic_add(out, i); }) != CLK_SUCCESS) atomic_inc(out + 1);\n"
    "}\n"
    "kernel void given(queue_t q, global int *out) { LAUNCH(q, 4, ^{ atomic_inc(out + get_global_id(0)); }); }\n"
    "void chain(global int *out, int depth)\n"
    "{\n"
    "    out[0]++;\n"
    "    if (depth > 1) LAUNCH(get_default_queue(), 1, ^{ chain(out, depth - 1); });\n"
    "}\n"
    "kernel void chains(global int *out, int depth) { chain(out, depth); }\n"
    "uint mix(uint x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16; }\n"
    "void tree(global uint *out, uint seed, int depth)\n"
    "{\n"
    "    atomic_inc(out);\n"
    "    atomic_add(out + 1, seed);\n"
    "    if (!depth) return;\n"
    "    for (uint i = 0; i < mix(seed) % 4; i++) {\n"
    "        uint next = mix(seed + i + 1);\n"
    "        LAUNCH(get_default_queue(), 1, ^{ tree(out, next, depth - 1); });\n"
    "    }\n"
    "}\n"
    "kernel void trees(global uint *out, uint seed, int depth) { tree(out, seed, depth); }\n"
    "kernel void events(global int *out)\n"
    "{\n"
    "    queue_t q = get_default_queue();\n"
    "    ndrange_t one = ndrange_1D(1);\n"
    "    clk_event_t a, b, m, user = create_user_event();\n"
    "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &user, &a, ^{ out[0] = 1; });\n"
    "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &a, &b, ^{ out[1] = out[0] + 1;\n"
    "        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[2] = out[1] + 1; }); });\n"
    "    enqueue_marker(q, 1, &b, &m);\n"
    "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &m, 0, ^{ out[3] = out[2] + 1; });\n"
    "    set_user_event_status(user, CL_COMPLETE);\n"
    "    release_event(a); release_event(b); release_event(m); release_event(user);\n"
    "}\n"
    "kernel void vain(global int *out)\n"
    "{\n"
    "    clk_event_t user = create_user_event();\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, 0, ^{ out[0] = 1; });\n"
    "}\n"
    "kernel void wrong(global int *out)\n"
    "{\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1 << 20, 1 << 20), ^{ out[0] = 1; });\n"
    "}\n"
    "kernel void locals(global int *out)\n"
    "{\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64, 16), ^(local void *p) {\n"
    "        local int *l = p;\n"
    "        l[get_local_id(0)] = get_global_id(0);\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        out[get_global_id(0)] = l[15 - get_local_id(0)]; }, 64u);\n"
    "}\n"
    "kernel void times(global int *out)\n" // the event is complete: called at once
    "{\n"
    "    clk_event_t a;\n"
    "    global ulong *t = (global ulong *)(out + 2);\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &a, ^{ out[0] = 1; });\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &a, 0, ^{\n"
    "        capture_event_profiling_info(a, CLK_PROFILING_COMMAND_EXEC_TIME, t);\n"
    "        out[1] = t[0] > 0 && t[1] >= t[0];\n"
    "        release_event(a); });\n"
    "}\n"
    "kernel void pointers(global int *out)\n"
    "{\n"
    "    local int shared;\n"
    "    local int *l = &shared;\n"
    "    int own;\n"
    "    private int *p = &own;\n"
    "    int array[2] = {5, 6};\n" // captured by value
    "    LAUNCH(get_default_queue(), 1, ^{ out[0] = l == 0; out[1] = p == 0; out[2] = array[1]; });\n"
    "}\n"
    "kernel void asks(global int *out)\n"
    "{\n"
    "    void (^block)(void) = ^{ out[9] = 1; };\n"
    "    out[0] = get_kernel_work_group_size(block);\n"
    "    out[1] = get_kernel_preferred_work_group_size_multiple(block);\n"
    "#ifdef __opencl_c_subgroups\n"
    "    out[2] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(1000, 100), block);\n"
    "    out[3] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(1000, 100), block);\n"
    "    out[4] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(1000), block);\n"
    "#endif\n"
    "}\n"
    "kernel void prints(int n)\n"
    "{\n"
    "    for (int i = 0; i < n; i++) LAUNCH(get_default_queue(), 1, ^{ printf(\"child %d\\n\", i); });\n"
    "}\n";

static cl_program program;

static cl_kernel kernel_of(const char *name)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    CHECK_OK(error);
    return kernel;
}

// Pointers to the parent's local and private memory in a child are undefined (OpenCL C 6.13.17),
// but only if the child runs and uses them. So such programs are built, with a warning, and the
// child gets NULL.
static void check_warnings(void)
{
    char log[4096];
    CHECK_OK(clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "warning: an enqueued block cannot access the local memory of 'l'"));
    CHECK(strstr(log, "warning: an enqueued block cannot access the private memory of 'p'"));
    CHECK(!strstr(log, "memory of 'array'"));
}

static void check_program(void)
{
    cl_kernel all[32];
    cl_uint count;
    size_t number, size;
    char names[1024];
    CHECK_OK(clCreateKernelsInProgram(program, 32, all, &count));
    CHECK_EQ(count, 12);
    for (cl_uint i = 0; i < count; i++)
        CHECK_OK(clReleaseKernel(all[i]));
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof number, &number, NULL));
    CHECK_EQ(number, 12);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, &size));
    CHECK(!strcmp(names, "fan;given;chains;trees;events;vain;wrong;locals;times;pointers;asks;prints"));
}

struct place {
    cl_command_queue queue;
    cl_mem mem;
    cl_int out[64];
};

static void place_open(struct place *place, cl_command_queue queue)
{
    cl_int error;
    place->queue = queue;
    place->mem = clCreateBuffer(test_context, 0, sizeof place->out, NULL, &error);
    CHECK_OK(error);
}

// Runs one work-item with the buffer, then as many of two numbers as the kernel has arguments;
// reads the buffer afterwards.
static cl_int run(struct place *place, const char *name, cl_int a, cl_int b)
{
    static const size_t one = 1;
    cl_event event;
    cl_int status = 77, zero = 0;
    cl_uint count;
    cl_kernel kernel = kernel_of(name);
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &place->mem));
    if (count > 1)
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof a, &a));
    if (count > 2)
        CHECK_OK(clSetKernelArg(kernel, 2, sizeof b, &b));
    CHECK_OK(clEnqueueFillBuffer(place->queue, place->mem, &zero, 4, 0, sizeof place->out, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(place->queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    CHECK_OK(clEnqueueReadBuffer(place->queue, place->mem, CL_TRUE, 0, sizeof place->out, place->out, 0, NULL, NULL));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clReleaseKernel(kernel));
    return status;
}

static cl_uint mix(cl_uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static void model_tree(cl_uint *out, cl_uint seed, int depth)
{
    out[0]++;
    out[1] += seed;
    for (cl_uint i = 0; depth && i < mix(seed) % 4; i++)
        model_tree(out, mix(seed + i + 1), depth - 1);
}

static size_t sub_group_info(cl_kernel kernel, cl_kernel_sub_group_info name)
{
    static const size_t hundred = 100;
    bool asks = name == CL_KERNEL_MAX_NUM_SUB_GROUPS;
    size_t value = 77;
    CHECK_OK(clGetKernelSubGroupInfo(kernel, test_device, name, asks ? 0 : sizeof hundred, asks ? NULL : &hundred, sizeof value,
                                     &value, NULL));
    return value;
}

// Kernels that query blocks get what the host gets for kernels without required sizes.
static void check_asks(struct place *place)
{
    size_t group, multiple;
    cl_kernel kernel = kernel_of("asks");
    CHECK_EQ(run(place, "asks", 0, 0), CL_COMPLETE);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL));
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple, &multiple, NULL));
    CHECK_EQ((size_t)place->out[0], group);
    CHECK_EQ((size_t)place->out[1], multiple);
    if (device_uint(CL_DEVICE_MAX_NUM_SUB_GROUPS)) {
        CHECK_EQ((size_t)place->out[2], sub_group_info(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE));
        CHECK_EQ((size_t)place->out[3], sub_group_info(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE));
        CHECK_EQ((size_t)place->out[4], sub_group_info(kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS));
    }
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_trees(struct place *place, cl_uint seeds)
{
    for (cl_uint seed = 0; seed < seeds; seed++) {
        cl_uint want[2] = {0, 0};
        model_tree(want, seed, 7);
        CHECK_EQ(run(place, "trees", (cl_int)seed, 7), CL_COMPLETE);
        CHECK_EQ((cl_uint)place->out[0], want[0]);
        CHECK_EQ((cl_uint)place->out[1], want[1]);
    }
}

static bool from_module;

static void check_runs(struct place *place)
{
    CHECK_EQ(run(place, "fan", 300, 0), CL_COMPLETE);
    CHECK_EQ(place->out[0], 300 * 299);
    CHECK_EQ(place->out[1], 0);
    CHECK_EQ(run(place, "chains", 60, 0), CL_COMPLETE);
    CHECK_EQ(place->out[0], 60);
    CHECK_EQ(run(place, "events", 0, 0), CL_COMPLETE);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(place->out[i], i + 1);
    CHECK_EQ(run(place, "times", 0, 0), CL_COMPLETE);
    CHECK(place->out[0] == 1 && place->out[1] == 1);
    CHECK_EQ(run(place, "pointers", 0, 0), CL_COMPLETE);
    // a SPIR-V module passes them unchanged
    CHECK(from_module || (place->out[0] == 1 && place->out[1] == 1));
    CHECK_EQ(place->out[2], 6);
    CHECK_EQ(run(place, "locals", 0, 0), CL_COMPLETE);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(place->out[i], i / 16 * 16 + 15 - i % 16);
}

static void check_errors(struct place *place)
{
    cl_int status = run(place, "vain", 0, 0);
    CHECK_EQ(status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(place->out[0], 0);
    status = run(place, "wrong", 0, 0);
    if (status != CL_INVALID_WORK_ITEM_SIZE)
        CHECK_EQ(status, CL_INVALID_WORK_GROUP_SIZE);
    CHECK_EQ(place->out[0], 0);
    CHECK_EQ(run(place, "fan", 100000, 0), CL_COMPLETE); // more than fits in the queue
    CHECK(place->out[1] > 0 && place->out[1] < 100000);
}

static void check_given(struct place *place, cl_command_queue queue)
{
    static const size_t four = 4;
    cl_int zero = 0;
    cl_kernel kernel = kernel_of("given");
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof queue, &test_queue), CL_INVALID_DEVICE_QUEUE);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof queue, NULL), CL_INVALID_DEVICE_QUEUE);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof queue / 2, &queue), CL_INVALID_ARG_SIZE);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof queue, &queue));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof place->mem, &place->mem));
    CHECK_OK(clEnqueueFillBuffer(place->queue, place->mem, &zero, 4, 0, sizeof place->out, 0, NULL, NULL));
    for (int i = 0; i < 10; i++)
        CHECK_OK(clEnqueueNDRangeKernel(place->queue, kernel, 1, NULL, &four, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(place->queue));
    CHECK_OK(clEnqueueReadBuffer(place->queue, place->mem, CL_TRUE, 0, 16, place->out, 0, NULL, NULL));
    for (int i = 0; i < 4; i++)
        CHECK_EQ(place->out[i], 40);
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_print(void)
{
    static const size_t one = 1;
    cl_int n = 100, found = 0;
    char line[64];
    cl_kernel kernel = kernel_of("prints");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof n, &n));
    FILE *into = tmpfile();
    fflush(stdout);
    int before = dup(1);
    dup2(fileno(into), 1);
    cl_int error = clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    cl_int last = clFinish(test_queue);
    fflush(stdout);
    dup2(before, 1);
    close(before);
    CHECK_OK(error);
    CHECK_OK(last);
    rewind(into);
    while (fgets(line, sizeof line, into))
        found += !strncmp(line, "child ", 6);
    CHECK_EQ(found, 100);
    fclose(into);
    CHECK_OK(clReleaseKernel(kernel));
}

static void *run_thread(void *data)
{
    check_runs(data);
    check_trees(data, 10);
    return NULL;
}

static void check_threads(struct place *one, struct place *two)
{
    pthread_t threads[2];
    CHECK(!pthread_create(&threads[0], NULL, run_thread, one));
    CHECK(!pthread_create(&threads[1], NULL, run_thread, two));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

// ---- images -------------------------------------------------------------------------------------

static const char image_source[] =
    "#define LAUNCH(...) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), __VA_ARGS__)\n"
    "constant sampler_t beside = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "void deeper(write_only image2d_t to, read_only image2d_t from, sampler_t s, int depth)\n"
    "{\n"
    "    const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "    int2 at = (int2)(depth, get_global_id(0));\n"
    "    int2 out = at + (int2)(4, 0);\n"
    "    write_imagei(to, at, read_imagei(from, s, at) + read_imagei(from, beside, out) * 100 + get_image_width(from) * 1000);\n"
    "    if (depth < 3) LAUNCH(^{ deeper(to, from, s, depth + 1); });\n"
    "    else LAUNCH(^{ write_imagei(to, (int2)(4, at.y), read_imagei(from, edge, out)); });\n"
    "}\n"
    "kernel void images(int unused, read_only image2d_t from, sampler_t s, write_only image2d_t to)\n"
    "{\n"
    "    LAUNCH(^{ deeper(to, from, s, 0); });\n" // from there on, 4 children of 4 work-items each
                                                  // write the same values
    "}\n"
    "kernel void lines(read_only image1d_buffer_t from, global int *out)\n"
    "{\n"
    "    LAUNCH(^(local void *p) { local int *l = p; int i = get_global_id(0); l[i] = read_imagei(from, i).x; out[i] = l[i]; }, 16u);\n"
    "}\n";

static cl_mem image_of(cl_mem_flags flags, cl_mem_object_type type, size_t width, size_t height, cl_mem buffer, void *texels)
{
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    const cl_image_desc desc = {.image_type = type, .image_width = width, .image_height = height, .buffer = buffer};
    cl_int error;
    cl_mem image = clCreateImage(test_context, flags, &format, &desc, texels, &error);
    CHECK_OK(error);
    return image;
}

static void check_image_2d(cl_kernel kernel, cl_int *texels)
{
    static const size_t one = 1, origin[3], region[3] = {5, 4, 1};
    cl_int got[20], error, unused = 0;
    cl_mem from = image_of(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, CL_MEM_OBJECT_IMAGE2D, 4, 4, NULL, texels);
    cl_mem to = image_of(CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D, 5, 4, NULL, NULL);
    cl_sampler sampler = clCreateSampler(test_context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error);
    CHECK_OK(error);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof unused, &unused));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof from, &from));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof sampler, &sampler));
    CHECK_OK(clSetKernelArg(kernel, 3, sizeof to, &to));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(from)); // the launch holds a reference
    CHECK_OK(clReleaseSampler(sampler));
    CHECK_OK(clEnqueueReadImage(test_queue, to, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 4; x++)
            CHECK_EQ(got[5 * y + x], texels[4 * y + x] + 4000);
        CHECK_EQ(got[5 * y + 4], texels[4 * y + 3]);
    }
    CHECK_OK(clReleaseMemObject(to));
}

static void check_image_buffer(cl_kernel kernel, cl_int *texels)
{
    static const size_t one = 1;
    cl_int got[4], error;
    cl_mem out = clCreateBuffer(test_context, 0, sizeof got, NULL, &error);
    CHECK_OK(error);
    cl_mem rows = clCreateBuffer(test_context, CL_MEM_COPY_HOST_PTR, 64, texels, &error);
    CHECK_OK(error);
    cl_mem from = image_of(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE1D_BUFFER, 16, 0, rows, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof from, &from));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    CHECK(!memcmp(got, texels, sizeof got));
    CHECK_OK(clReleaseMemObject(from));
    CHECK_OK(clReleaseMemObject(rows));
    CHECK_OK(clReleaseMemObject(out));
}

static void check_images(void)
{
    const char *text = image_source;
    cl_bool images;
    cl_int texels[16], error;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    if (!images)
        return;
    for (int i = 0; i < 16; i++)
        texels[i] = 7 * i + 1;
    program = clCreateProgramWithSource(test_context, 1, &text, NULL, &error);
    CHECK_OK(error);
    CHECK_OK(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel two = kernel_of("images"), line = kernel_of("lines");
    check_image_2d(two, texels);
    check_image_buffer(line, texels);
    CHECK_OK(clReleaseKernel(two));
    CHECK_OK(clReleaseKernel(line));
    CHECK_OK(clReleaseProgram(program));
}

// From source, or from a SPIR-V module made from it.
static cl_program create_program(const char *module)
{
    static unsigned char bytes[1 << 18];
    const char *text = source;
    cl_int error;
    FILE *file = module ? fopen(module, "rb") : NULL;
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    CHECK(!module || size);
    if (file)
        fclose(file);
    cl_program made = size ? clCreateProgramWithIL(test_context, bytes, size, &error)
                           : clCreateProgramWithSource(test_context, 1, &text, NULL, &error);
    CHECK_OK(error);
    return made;
}

static void check_execution(const char *module)
{
    struct place one, two;
    cl_int error;
    cl_command_queue on_device = create(ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_PROFILING_ENABLE, 0, &error);
    CHECK_OK(error);
    from_module = module != NULL;
    program = create_program(module);
    CHECK_OK(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    if (!module)
        check_warnings();
    check_program();
    place_open(&one, test_queue);
    place_open(&two, clCreateCommandQueueWithProperties(test_context, test_device, NULL, &error));
    CHECK_OK(error);
    check_runs(&one);
    check_asks(&one);
    check_trees(&one, 20);
    check_errors(&one);
    check_given(&one, on_device);
    check_print();
    check_threads(&one, &two);
    CHECK_OK(clReleaseMemObject(one.mem));
    CHECK_OK(clReleaseMemObject(two.mem));
    CHECK_OK(clReleaseCommandQueue(two.queue));
    CHECK_OK(clReleaseProgram(program));
    check_images();
    CHECK_OK(clReleaseCommandQueue(on_device));
}

// --source: prints the source; FILE: runs that module instead of the source.
int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--source"))
        return puts(source) < 0;
    test_open();
    if (!device_bits(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES)) {
        check_none();
        return test_close();
    }
    check_infos();
    check_default();
    check_refusals();
    check_execution(argc > 1 ? argv[1] : NULL);
    return test_close();
}
