// SPDX-License-Identifier: Apache-2.0
// pumice-info --bench: bandwidths, the cost of a launch, and arithmetic throughput, with what the
// driver reports about the device. See info.h.
//
// Each row repeats its command until a third of a second has passed, and prints the best repetition. Sizes grow from small ones
// until a command takes long enough to measure, so that a slow device takes no longer than a fast one: 20 seconds at most.
#include "info/info.h"

#include <stdio.h>
#include <string.h>

#include "object/cl.h"
#include "object/device.h"
#include "platform/platform.h"

enum { ROW_NS = 300000000, COMMAND_NS = 20000000, LAUNCHES = 200, MAX_LAUNCH_ROWS = 3000, MIB = 1 << 20, LEAST_BYTES = 64 * MIB };
enum { CHAINS = 8, STEPS = 16, GROUP = 64, MAX_ITEMS = 1 << 22, MAX_ROUNDS = 1 << 12 };

static const char source[] =
    "kernel void nothing(void) {}\n"
    "kernel void reads(global const float4 *in, global float *out, uint count)\n"
    "{\n"
    "    float4 sum = 0;\n"
    "    for (uint i = get_global_id(0); i < count; i += get_global_size(0))\n"
    "        sum += in[i];\n"
    "    if (sum.x + sum.y + sum.z + sum.w == 1.5f)\n"
    "        out[0] = 1;\n"
    "}\n"
    "#define STEP(x) x = mad(x, a, b);\n"
    "#define ALL STEP(x0) STEP(x1) STEP(x2) STEP(x3) STEP(x4) STEP(x5) STEP(x6) STEP(x7)\n"
    "#define FOUR ALL ALL ALL ALL\n"
    "#define ARITHMETIC(name, T) \\\n"
    "    kernel void name(global float *out, float first, uint rounds) \\\n"
    "    { \\\n"
    "        T a = (T)first, b = (T)(1 - first), x0 = (T)get_global_id(0), x1 = x0 + a, x2 = x1 + a, x3 = x2 + a, x4 = x3 + a, \\\n"
    "          x5 = x4 + a, x6 = x5 + a, x7 = x6 + a; \\\n"
    "        for (uint i = 0; i < rounds; i++) { FOUR FOUR FOUR FOUR } \\\n"
    "        if (x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 == (T)0.125f) \\\n"
    "            out[0] = 1; \\\n"
    "    }\n"
    "ARITHMETIC(arithmetic_float, float)\n"
    "#ifdef cl_khr_fp64\n"
    "ARITHMETIC(arithmetic_double, double)\n"
    "#endif\n"
    "#ifdef cl_khr_fp16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "ARITHMETIC(arithmetic_half, half)\n"
    "#endif\n";

struct bench {
    struct _cl_device_id *device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem from, to;
    void *host;
    size_t bytes;
    cl_kernel kernel;
    size_t items;
    cl_uint launches;
    cl_int error;
};

// Runs one command and waits for it.
typedef cl_int command_fn(struct bench *b);

static cl_int write_buffer(struct bench *b)
{
    return clEnqueueWriteBuffer(b->queue, b->from, CL_TRUE, 0, b->bytes, b->host, 0, NULL, NULL);
}

static cl_int read_buffer(struct bench *b)
{
    return clEnqueueReadBuffer(b->queue, b->from, CL_TRUE, 0, b->bytes, b->host, 0, NULL, NULL);
}

static cl_int copy_buffer(struct bench *b)
{
    cl_int error = clEnqueueCopyBuffer(b->queue, b->from, b->to, 0, 0, b->bytes, 0, NULL, NULL);
    return error ? error : clFinish(b->queue);
}

static cl_int launch(struct bench *b)
{
    const size_t group = GROUP;
    for (cl_uint i = 0; i < b->launches; i++) {
        cl_int error = clEnqueueNDRangeKernel(b->queue, b->kernel, 1, NULL, &b->items, &group, 0, NULL, NULL);
        if (error)
            return error;
    }
    return clFinish(b->queue);
}

static uint64_t time_once(struct bench *b, command_fn *command)
{
    const uint64_t begin = thread_now_ns();
    b->error = b->error ? b->error : command(b);
    const uint64_t ns = thread_now_ns() - begin;
    return ns ? ns : 1;
}

// Returns the best time, in ns.
static double measure(struct bench *b, command_fn *command)
{
    uint64_t best = UINT64_MAX, begin = thread_now_ns();
    for (int i = 0; i < MAX_LAUNCH_ROWS && !b->error && (i < 2 || thread_now_ns() - begin < ROW_NS); i++) {
        const uint64_t ns = time_once(b, command);
        best = ns < best ? ns : best;
    }
    return (double)best;
}

static void print_row(const struct bench *b, const char *name, double value, const char *unit)
{
    if (b->error)
        printf("  %-34s error %d\n", name, b->error);
    else
        printf("  %-34s %10.*f %s\n", name, value < 100 ? 2 : 0, value, unit);
    fflush(stdout);
}

// ---- rows ---------------------------------------------------------------------------------------

// The largest size whose copy takes COMMAND_NS at most, within what the buffers hold, but not so small that it fits into caches.
static void size_buffers(struct bench *b, size_t most)
{
    b->bytes = most < LEAST_BYTES ? most : LEAST_BYTES;
    time_once(b, copy_buffer); // includes compilation
    while (b->bytes * 2 <= most && time_once(b, copy_buffer) < COMMAND_NS)
        b->bytes *= 2;
}

static void bench_memory(struct bench *b)
{
    const double bytes = (double)b->bytes;
    print_row(b, "host to device", bytes / measure(b, write_buffer), "GB/s");
    print_row(b, "device to host", bytes / measure(b, read_buffer), "GB/s");
    print_row(b, "copy on the device (read + write)", 2 * bytes / measure(b, copy_buffer), "GB/s");
}

static bool use(struct bench *b, const char *name)
{
    b->kernel = clCreateKernel(b->program, name, &b->error);
    b->launches = 1;
    return !b->error;
}

static void drop(struct bench *b)
{
    clReleaseKernel(b->kernel);
    b->kernel = NULL;
}

static void bench_reads(struct bench *b)
{
    const cl_uint count = (cl_uint)(b->bytes / 16);
    if (!use(b, "reads"))
        return;
    b->items = count < MAX_ITEMS ? count / 4 : MAX_ITEMS / 4;
    clSetKernelArg(b->kernel, 0, sizeof b->from, &b->from);
    clSetKernelArg(b->kernel, 1, sizeof b->to, &b->to);
    clSetKernelArg(b->kernel, 2, sizeof count, &count);
    print_row(b, "kernel that reads global memory", (double)b->bytes / measure(b, launch), "GB/s");
    drop(b);
}

static void bench_launch(struct bench *b)
{
    if (!use(b, "nothing"))
        return;
    b->items = GROUP;
    print_row(b, "empty kernel: launch and wait", measure(b, launch) / 1e3, "us");
    b->launches = LAUNCHES;
    print_row(b, "empty kernel: each of 200 in a row", measure(b, launch) / 1e3 / LAUNCHES, "us");
    drop(b);
}

static void bench_arithmetic(struct bench *b, const char *kernel, const char *name)
{
    const cl_float first = 0.5f;
    cl_uint rounds = 1;
    if (!use(b, kernel)) {
        b->error = CL_SUCCESS; // the device lacks the type
        printf("  %-34s %10s\n", name, "none");
        return;
    }
    clSetKernelArg(b->kernel, 0, sizeof b->to, &b->to);
    clSetKernelArg(b->kernel, 1, sizeof first, &first);
    clSetKernelArg(b->kernel, 2, sizeof rounds, &rounds);
    b->items = 4096;
    time_once(b, launch); // includes compilation
    while (!b->error && rounds < MAX_ROUNDS && time_once(b, launch) < COMMAND_NS) {
        if (b->items < MAX_ITEMS)
            b->items *= 2;
        else
            rounds *= 2;
        clSetKernelArg(b->kernel, 2, sizeof rounds, &rounds);
    }
    const double operations = 2.0 * CHAINS * STEPS * rounds * (double)b->items;
    print_row(b, name, operations / measure(b, launch), "GFLOPS");
    drop(b);
}

static void print_reported(struct _cl_device_id *device)
{
    const struct vk_facts *facts = &device->physical->facts;
    const cl_uint mhz = device_clock_mhz(device);
    printf("  the driver reports: %u compute units", device->caps.compute_units);
    if (mhz > 1)
        printf(", %u MHz", mhz);
    printf(", %llu MiB of device memory, sub-groups of %u, timestamps of %g ns\n",
           (unsigned long long)(device->caps.global_memory >> 20), facts->props11.subgroupSize, (double)facts->timestamp_ns);
}

// ---- a device -----------------------------------------------------------------------------------

static cl_int make(struct bench *b, size_t most)
{
    cl_device_id device = b->device;
    const char *text = source;
    cl_int error;
    b->context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (!error)
        b->queue = clCreateCommandQueueWithProperties(b->context, device, NULL, &error);
    if (!error)
        b->program = clCreateProgramWithSource(b->context, 1, &text, NULL, &error);
    if (!error)
        error = clBuildProgram(b->program, 1, &device, "", NULL, NULL);
    if (!error)
        b->from = clCreateBuffer(b->context, 0, most, NULL, &error);
    if (!error)
        b->to = clCreateBuffer(b->context, 0, most, NULL, &error);
    b->host = pages_map(most, 0);
    return error ? error : b->host ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static void unmake(struct bench *b, size_t most)
{
    if (b->host)
        pages_unmap(b->host, most);
    if (b->to)
        clReleaseMemObject(b->to);
    if (b->from)
        clReleaseMemObject(b->from);
    if (b->program)
        clReleaseProgram(b->program);
    if (b->queue)
        clReleaseCommandQueue(b->queue);
    if (b->context)
        clReleaseContext(b->context);
}

static bool bench_device(struct _cl_device_id *device, const char *number)
{
    struct bench b = {.device = device};
    size_t most = 256 * (size_t)MIB;
    while (most > 4 * (size_t)MIB && (most > device->caps.max_allocation || most > device->caps.global_memory / 8))
        most /= 2;
    printf("%s: %s\n", number, device->physical->facts.props.deviceName);
    b.error = make(&b, most);
    if (!b.error) {
        memset(b.host, 0, most);
        b.bytes = most;
        write_buffer(&b);
        size_buffers(&b, most);
        bench_memory(&b);
        bench_reads(&b);
        bench_launch(&b);
        bench_arithmetic(&b, "arithmetic_float", "float multiply-add");
        bench_arithmetic(&b, "arithmetic_double", "double multiply-add");
        bench_arithmetic(&b, "arithmetic_half", "half multiply-add");
    }
    if (b.error)
        printf("  failed: error %d (PUMICE_DEBUG=api logs the reason)\n", b.error);
    print_reported(device);
    unmake(&b, most);
    return !b.error;
}

int info_bench(const char *only)
{
    struct _cl_device_id *devices;
    const cl_uint count = device_list(&devices);
    bool well = true, any = false;
    char number[16];
    for (cl_uint i = 0; i < count; i++) {
        snprintf(number, sizeof number, "%u", i);
        if (strcmp(only ? only : "0", number))
            continue;
        any = true;
        well &= bench_device(&devices[i], number);
    }
    if (!any)
        fprintf(stderr, "pumice-info: no device %s\n", only ? only : "0");
    return !any || !well;
}
