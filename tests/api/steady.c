// SPDX-License-Identifier: Apache-2.0
// Memory use is constant: compares the process's size before and after cycles of enqueues, events,
// buffers, maps, kernels and queues. `api_steady 1000000` runs that many cycles; the default is a
// few thousand, fewer under sanitizers.
#include "test.h"

// Sanitizers quarantine freed memory or keep records about it: sizes are not compared under them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CYCLES = 1000, COMPARES = 0 };
#else
enum { CYCLES = 8000, COMPARES = 1 };
#endif
enum { EVERY = 64, ALLOWED = 24 << 20 };

static const char source[] = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }";

static const char filter_source[] =
    "kernel void filter(read_only image2d_t a, write_only image2d_t b)\n"
    "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagef(b, at, read_imagef(a, at)); }";

static cl_program program;
static cl_kernel kernel, filter; // filter: if there are images
static cl_mem mem, other;

static void CL_CALLBACK on_done(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
}

static void commands(cl_command_queue queue, int i)
{
    size_t global = 64;
    cl_event events[4];
    int bytes[64] = {0}, zero = 0;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof i, &i));
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, sizeof bytes, bytes, 0, NULL, events));
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1, events, &events[1]));
    CHECK_OK(clEnqueueCopyBuffer(queue, mem, other, 0, 0, sizeof bytes, 1, &events[1], &events[2]));
    CHECK_OK(clEnqueueFillBuffer(queue, mem, &zero, 4, 0, 256, 1, &events[2], &events[3]));
    CHECK_OK(clSetEventCallback(events[3], CL_COMPLETE, on_done, NULL));
    for (int e = 0; e < 4; e++)
        CHECK_OK(clReleaseEvent(events[e]));
}

static void objects(cl_command_queue queue)
{
    cl_int code;
    cl_event gate = clCreateUserEvent(test_context, &code), done;
    cl_mem own = test_buffer(0, 100000, NULL);
    void *pointer =
        clEnqueueMapBuffer(queue, own, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, NULL, NULL, &code);
    CHECK_OK(clEnqueueUnmapMemObject(queue, own, pointer, 1, &gate, &done));
    CHECK_OK(clReleaseMemObject(own));
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &done));
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseEvent(done));
    CHECK_OK(clReleaseKernel(kernel));
    kernel = test_kernel(program, "add");
}

static void images(cl_command_queue queue)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 100, .image_height = 50};
    const size_t at[3] = {0}, size[3] = {100, 50, 1};
    const float red[4] = {1, 0, 0, 1};
    cl_mem made[2] = {NULL, NULL};
    size_t row;
    cl_int code;
    for (int i = 0; i < 2; i++) {
        desc.mem_object = i ? mem : NULL;
        desc.image_width = i ? 20 : 100;
        made[i] = clCreateImage(test_context, 0, &format, &desc, NULL, &code);
        CHECK_OK(code);
        CHECK_OK(clSetKernelArg(filter, (cl_uint)i, sizeof made[i], &made[i]));
    }
    CHECK_OK(clEnqueueFillImage(queue, made[0], red, at, size, 0, NULL, NULL));
    CHECK_OK(
        clEnqueueNDRangeKernel(queue, filter, 2, NULL, (size_t[]){20, 50}, NULL, 0, NULL, NULL));
    void *pointer = clEnqueueMapImage(queue, made[0], CL_TRUE, CL_MAP_READ, at, size, &row, NULL, 0,
                                      NULL, NULL, &code);
    CHECK_OK(clEnqueueUnmapMemObject(queue, made[0], pointer, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(made[0]));
    CHECK_OK(clReleaseMemObject(made[1]));
}

static void cycle(cl_command_queue *queue, long i, cl_command_queue_properties bits)
{
    commands(*queue, (int)i);
    if (i % EVERY)
        return;
    cl_int code;
    objects(*queue);
    if (filter)
        images(*queue);
    CHECK_OK(clReleaseCommandQueue(*queue));
    *queue = clCreateCommandQueue(test_context, test_device, bits, &code);
    CHECK_OK(code);
}

static void run(long cycles, cl_command_queue_properties bits)
{
    cl_int code;
    size_t before = 0;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, bits, &code);
    CHECK_OK(code);
    for (long i = 0; i < cycles; i++) {
        if (i == cycles / 2) { // all caches are filled by now
            CHECK_OK(clFinish(queue));
            before = test_resident();
        }
        cycle(&queue, i, bits);
    }
    CHECK_OK(clFinish(queue));
    CHECK_OK(clReleaseCommandQueue(queue));
    size_t after = test_resident();
    printf("queue properties %d: %ld cycles, %zu kB, then %zu kB\n", (int)bits, cycles,
           before / 1024, after / 1024);
    CHECK(!COMPARES || after < before + ALLOWED);
}

int main(int argc, char **argv)
{
    long cycles = argc > 1 ? atol(argv[1]) : CYCLES;
    setenv("PUMICE_CLOCK", "none", 0); // otherwise libcuda, 100 MB, is loaded at an arbitrary time
    test_open();
    program = test_build(source, "");
    kernel = test_kernel(program, "add");
    cl_program filters = test_has_images() ? test_build(filter_source, "") : NULL;
    if (filters)
        filter = test_kernel(filters, "filter");
    mem = test_buffer(0, 4096, NULL);
    other = test_buffer(0, 4096, NULL);
    run(cycles, 0);
    run(cycles, CL_QUEUE_PROFILING_ENABLE);
    run(cycles, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    if (filters) {
        CHECK_OK(clReleaseKernel(filter));
        CHECK_OK(clReleaseProgram(filters));
    }
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseMemObject(other));
    return test_close();
}
