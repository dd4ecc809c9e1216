// SPDX-License-Identifier: Apache-2.0
// A program that does not know about servers, on the first platform's devices: checks results, or measures.
//
//   remote_client check [MODULE]     buffers, images, MODULE (SPIR-V), a command buffer on each device; with several devices
//                                    one context over all of them, between which memory moves
//   remote_client die                launches until a signal kills it, a third of a second later
//   remote_client cost [SERVER-PID]  time per command and per byte; with a server its CPU time, too
#define _DEFAULT_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DEVICES = 8, WORDS = 4096, SIDE = 32, HOPS = 50, LAUNCHES = 1000, LARGE = 16 << 20, LARGE_TIMES = 10, DIES_AFTER_US = 300000 };

static const char source[] =
    "kernel void add(global uint *x, uint n) { x[get_global_id(0)] += n; }\n"
    "kernel void texels(read_only image2d_t from, write_only image2d_t to) {\n"
    "    const sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imageui(to, at, read_imageui(from, near, at.yx) + 1);\n"
    "}\n";

static cl_platform_id platform;
static cl_device_id devices[DEVICES];
static cl_uint device_count;
static int failures;

#define OK(call) check_status((call), __LINE__, #call)

static void check_status(cl_int status, int line, const char *what)
{
    if (!status)
        return;
    printf("%s:%d: %s is %d\n", __FILE__, line, what, status);
    exit(1);
}

static void check_words(const char *what, const cl_uint *got, cl_uint want, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += got[i] != want;
    if (wrong)
        printf("%s: %zu of %zu words are wrong: %u, not %u\n", what, wrong, count, got[0], want);
    failures += wrong != 0;
}

static void open_devices(void)
{
    cl_uint found = 0;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, &found) || !found) {
        printf("no device\n");
        exit(77);
    }
    device_count = found < DEVICES ? found : DEVICES;
}

// ---- one context --------------------------------------------------------------------------------

static cl_context context;
static cl_command_queue queues[DEVICES];
static cl_program program;

static void open_context(cl_uint count, const cl_device_id *list)
{
    const char *text = source;
    cl_int status;
    context = clCreateContext(NULL, count, list, NULL, NULL, &status);
    OK(status);
    for (cl_uint i = 0; i < count; i++) {
        queues[i] = clCreateCommandQueue(context, list[i], 0, &status);
        OK(status);
    }
    program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    OK(status);
    OK(clBuildProgram(program, count, list, "", NULL, NULL));
}

static void close_context(cl_uint count)
{
    OK(clReleaseProgram(program));
    for (cl_uint i = 0; i < count; i++)
        OK(clReleaseCommandQueue(queues[i]));
    OK(clReleaseContext(context));
}

static cl_kernel new_kernel(cl_program from, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(from, name, &status);
    OK(status);
    return kernel;
}

static cl_mem new_buffer(size_t bytes)
{
    cl_int status;
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    OK(status);
    return mem;
}

static void add(cl_command_queue queue, cl_kernel kernel, cl_mem mem, cl_uint n, cl_uint waits, const cl_event *wait, cl_event *event)
{
    const size_t words = WORDS;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &words, NULL, waits, wait, event));
}

// ---- checks -------------------------------------------------------------------------------------

static void check_buffers(void)
{
    static cl_uint words[WORDS], read[WORDS];
    const cl_uint two = 2;
    const size_t zero[3] = {0}, region[3] = {64, 16, 1};
    cl_kernel kernel = new_kernel(program, "add");
    cl_mem a = new_buffer(sizeof words), b = new_buffer(sizeof words);
    for (int i = 0; i < WORDS; i++)
        words[i] = 7;
    OK(clEnqueueWriteBuffer(queues[0], a, CL_FALSE, 0, sizeof words, words, 0, NULL, NULL));
    add(queues[0], kernel, a, 3, 0, NULL, NULL);
    OK(clEnqueueCopyBuffer(queues[0], a, b, 0, 0, sizeof words, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queues[0], b, CL_TRUE, 0, sizeof read, read, 0, NULL, NULL));
    check_words("written, computed, copied", read, 10, WORDS);
    OK(clEnqueueFillBuffer(queues[0], a, &two, sizeof two, 0, sizeof words, 0, NULL, NULL));
    OK(clEnqueueCopyBufferRect(queues[0], a, b, zero, zero, region, 64, 0, 64, 0, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queues[0], b, CL_TRUE, 0, sizeof read, read, 0, NULL, NULL));
    check_words("filled, copied by rows", read, 2, 256);
    check_words("behind the rows", read + 256, 10, WORDS - 256);
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseKernel(kernel));
}

static void check_images(cl_device_id device)
{
    static cl_uchar texels[SIDE * SIDE][4], read[SIDE * SIDE][4];
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    const size_t origin[3] = {0}, region[3] = {SIDE, SIDE, 1};
    cl_bool has = CL_FALSE;
    cl_int status;
    OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL));
    if (!has) {
        printf("no images\n");
        return;
    }
    for (int i = 0; i < SIDE * SIDE * 4; i++)
        texels[i / 4][i % 4] = (cl_uchar)(i * 7 % 251);
    cl_mem from = clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, NULL, &status);
    OK(status);
    cl_mem to = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &status);
    OK(status);
    cl_kernel kernel = new_kernel(program, "texels");
    OK(clEnqueueWriteImage(queues[0], from, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof from, &from));
    OK(clSetKernelArg(kernel, 1, sizeof to, &to));
    OK(clEnqueueNDRangeKernel(queues[0], kernel, 2, NULL, region, NULL, 0, NULL, NULL));
    OK(clEnqueueReadImage(queues[0], to, CL_TRUE, origin, region, 0, 0, read, 0, NULL, NULL));
    int wrong = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            for (int c = 0; c < 4; c++)
                wrong += read[y * SIDE + x][c] != texels[x * SIDE + y][c] + 1;
    if (wrong)
        printf("%d texels are wrong\n", wrong);
    failures += wrong != 0;
    OK(clReleaseMemObject(from));
    OK(clReleaseMemObject(to));
    OK(clReleaseKernel(kernel));
}

// A module with a kernel `add`, like the source's.
static void check_module(cl_device_id device, const char *path)
{
    static unsigned char module[65536];
    static cl_uint words[WORDS];
    char versions[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof versions, versions, NULL);
    FILE *file = *versions ? fopen(path, "rb") : NULL;
    if (!file) {
        printf("no SPIR-V\n");
        return;
    }
    size_t size = fread(module, 1, sizeof module, file);
    cl_int status;
    fclose(file);
    cl_program built = clCreateProgramWithIL(context, module, size, &status);
    if (status == CL_INVALID_OPERATION) { // a client library that was built without
        printf("no SPIR-V in this library\n");
        return;
    }
    OK(status);
    OK(clBuildProgram(built, 1, &device, "", NULL, NULL));
    cl_kernel kernel = new_kernel(built, "add");
    cl_mem mem = new_buffer(sizeof words);
    memset(words, 0, sizeof words);
    OK(clEnqueueWriteBuffer(queues[0], mem, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    add(queues[0], kernel, mem, 5, 0, NULL, NULL);
    OK(clEnqueueReadBuffer(queues[0], mem, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    check_words("SPIR-V", words, 5, WORDS);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(built));
}

static void check_command_buffer(cl_device_id device)
{
    static char extensions[16384];
    static cl_uint words[WORDS];
    const size_t count = WORDS;
    const cl_uint n = 4, zero = 0;
    cl_int status;
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    clCreateCommandBufferKHR_fn create = (clCreateCommandBufferKHR_fn)clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandBufferKHR");
    clCommandNDRangeKernelKHR_fn launch = (clCommandNDRangeKernelKHR_fn)clGetExtensionFunctionAddressForPlatform(platform, "clCommandNDRangeKernelKHR");
    clFinalizeCommandBufferKHR_fn finalize = (clFinalizeCommandBufferKHR_fn)clGetExtensionFunctionAddressForPlatform(platform, "clFinalizeCommandBufferKHR");
    clEnqueueCommandBufferKHR_fn enqueue = (clEnqueueCommandBufferKHR_fn)clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueCommandBufferKHR");
    clReleaseCommandBufferKHR_fn release = (clReleaseCommandBufferKHR_fn)clGetExtensionFunctionAddressForPlatform(platform, "clReleaseCommandBufferKHR");
    if (!strstr(extensions, "cl_khr_command_buffer") || !create || !launch || !finalize || !enqueue || !release) {
        printf("no command buffers\n");
        return;
    }
    cl_kernel kernel = new_kernel(program, "add");
    cl_mem mem = new_buffer(sizeof words);
    OK(clEnqueueFillBuffer(queues[0], mem, &zero, sizeof zero, 0, sizeof words, 0, NULL, NULL));
    OK(clFinish(queues[0]));
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    cl_command_buffer_khr commands = create(1, &queues[0], NULL, &status);
    OK(status);
    OK(launch(commands, NULL, NULL, kernel, 1, NULL, &count, NULL, 0, NULL, NULL, NULL));
    OK(launch(commands, NULL, NULL, kernel, 1, NULL, &count, NULL, 0, NULL, NULL, NULL));
    OK(finalize(commands));
    for (int i = 0; i < 3; i++) {
        OK(enqueue(0, NULL, commands, 0, NULL, NULL));
        OK(clFinish(queues[0]));
    }
    OK(clEnqueueReadBuffer(queues[0], mem, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    check_words("command buffer", words, 24, WORDS);
    OK(release(commands));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

// Every device adds its number to the same buffer, in turn.
static void check_moves(void)
{
    static cl_uint words[WORDS];
    cl_kernel kernel = new_kernel(program, "add");
    cl_mem mem = new_buffer(sizeof words);
    cl_event before = NULL;
    cl_uint want = 0;
    memset(words, 0, sizeof words);
    OK(clEnqueueWriteBuffer(queues[0], mem, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    for (cl_uint hop = 0; hop < HOPS; hop++) {
        cl_event event;
        cl_uint at = hop % device_count;
        add(queues[at], kernel, mem, at + 1, before != NULL, before ? &before : NULL, &event);
        OK(clFlush(queues[at]));
        if (before)
            clReleaseEvent(before);
        before = event;
        want += at + 1;
    }
    OK(clEnqueueReadBuffer(queues[0], mem, CL_TRUE, 0, sizeof words, words, 1, &before, NULL));
    check_words("moved between devices", words, want, WORDS);
    clReleaseEvent(before);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

static int check(const char *module)
{
    for (cl_uint i = 0; i < device_count; i++) {
        open_context(1, &devices[i]);
        check_buffers();
        check_images(devices[i]);
        if (module)
            check_module(devices[i], module);
        if (!getenv("REMOTE_NO_COMMAND_BUFFERS"))
            check_command_buffer(devices[i]);
        close_context(1);
    }
    if (device_count > 1) {
        open_context(device_count, devices);
        check_moves();
        close_context(device_count);
    }
    printf("%u devices, %d failures\n", device_count, failures);
    return failures != 0;
}

// ---- an early end -------------------------------------------------------------------------------

static void die(void)
{
    static cl_uint words[WORDS];
    open_context(device_count, devices);
    cl_kernel kernel = new_kernel(program, "add");
    cl_mem mem = new_buffer(sizeof words);
    OK(clEnqueueWriteBuffer(queues[0], mem, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    ualarm(DIES_AFTER_US, 0);
    for (cl_uint i = 0;; i++) {
        add(queues[i % device_count], kernel, mem, 1, 0, NULL, NULL);
        if (i % 16 == 0)
            OK(clEnqueueReadBuffer(queues[i % device_count], mem, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    }
}

// ---- cost ---------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// CPU time of process `pid`, including ended threads.
static double cpu_of(const char *pid)
{
    char path[64], line[1024] = "";
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%s/stat", pid ? pid : "self");
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (!fgets(line, sizeof line, file))
        *line = '\0';
    fclose(file);
    char *behind_name = strrchr(line, ')');
    if (behind_name)
        sscanf(behind_name + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static cl_kernel cost_kernel;
static cl_mem cost_mem, large_mem;
static char *large;

static void launch_and_wait(void)
{
    cl_event event;
    add(queues[0], cost_kernel, cost_mem, 1, 0, NULL, &event);
    OK(clWaitForEvents(1, &event));
    OK(clReleaseEvent(event));
}

static void launch(void)
{
    add(queues[0], cost_kernel, cost_mem, 1, 0, NULL, NULL);
}

static void write_little(void)
{
    OK(clEnqueueWriteBuffer(queues[0], cost_mem, CL_TRUE, 0, 4096, large, 0, NULL, NULL));
}

static void read_little(void)
{
    OK(clEnqueueReadBuffer(queues[0], cost_mem, CL_TRUE, 0, 4096, large, 0, NULL, NULL));
}

static void write_large(void)
{
    OK(clEnqueueWriteBuffer(queues[0], large_mem, CL_TRUE, 0, LARGE, large, 0, NULL, NULL));
}

static void read_large(void)
{
    OK(clEnqueueReadBuffer(queues[0], large_mem, CL_TRUE, 0, LARGE, large, 0, NULL, NULL));
}

static int cost(const char *server)
{
    const struct { const char *name; void (*run)(void); int times; } rows[] = {
        {"launch, waited for", launch_and_wait, LAUNCHES}, {"launches in a row", launch, LAUNCHES},
        {"write of 4 KiB", write_little, LAUNCHES}, {"read of 4 KiB", read_little, LAUNCHES},
        {"write of 16 MiB", write_large, LARGE_TIMES}, {"read of 16 MiB", read_large, LARGE_TIMES}};
    open_context(1, devices);
    cost_kernel = new_kernel(program, "add");
    cost_mem = new_buffer(WORDS * sizeof(cl_uint));
    large_mem = new_buffer(LARGE);
    large = calloc(1, LARGE);
    if (!large)
        return 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rows[i].run();
        OK(clFinish(queues[0]));
        double begin = now(), cpu = cpu_of(server);
        for (int n = 0; n < rows[i].times; n++)
            rows[i].run();
        OK(clFinish(queues[0]));
        double each = (now() - begin) / rows[i].times, used = (cpu_of(server) - cpu) / rows[i].times;
        printf("%-20s %9.1f us, %s %9.1f us", rows[i].name, 1e6 * each, server ? "server's CPU" : "CPU", 1e6 * used);
        if (rows[i].times == LARGE_TIMES)
            printf(", %.0f MB/s, %.3f ns of CPU per byte", 1e-6 * LARGE / each, 1e9 * used / LARGE);
        printf("\n");
    }
    free(large);
    OK(clReleaseMemObject(cost_mem));
    OK(clReleaseMemObject(large_mem));
    OK(clReleaseKernel(cost_kernel));
    close_context(1);
    return 0;
}

int main(int argc, char **argv)
{
    open_devices();
    if (argc > 1 && !strcmp(argv[1], "check"))
        return check(argc > 2 ? argv[2] : NULL);
    if (argc > 1 && !strcmp(argv[1], "die"))
        die();
    if (argc > 1 && !strcmp(argv[1], "cost"))
        return cost(argc > 2 ? argv[2] : NULL);
    fprintf(stderr, "usage: remote_client check [MODULE] | die | cost [SERVER-PID]\n");
    return 2;
}
