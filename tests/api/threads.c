// SPDX-License-Identifier: Apache-2.0
// Concurrent use by several threads: a shared context and queue; own programs, kernels and buffers.
#include "test.h"

#include <pthread.h>

enum { THREADS = 6, ROUNDS = 20, COUNT = 128 };

static cl_program shared_program, image_program; // image_program: if there are images
static cl_mem shared_image;
static int wrong[THREADS], failed[THREADS];

// Without its memory, the kernel must not run.
static int given_up(cl_mem mem, cl_kernel kernel)
{
    if (mem)
        clReleaseMemObject(mem);
    if (kernel)
        clReleaseKernel(kernel);
    return 1;
}

static int work(int id, cl_command_queue queue)
{
    int data[COUNT] = {0}, bad = 0, other = 0;
    size_t global = COUNT;
    cl_int code;
    cl_mem mem = clCreateBuffer(test_context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &code);
    cl_kernel kernel = clCreateKernel(shared_program, "add", &code);
    if (!mem || !kernel)
        return given_up(mem, kernel);
    clSetKernelArg(kernel, 0, sizeof mem, &mem);
    clSetKernelArg(kernel, 1, sizeof id, &id);
    for (int i = 0; i < 5; i++) {
        cl_event event = NULL;
        bad += clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event) !=
               CL_SUCCESS;
        bad += event && clReleaseEvent(event) != CL_SUCCESS;
    }
    bad +=
        clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL) != CL_SUCCESS;
    for (int i = 0; i < COUNT; i++)
        other += data[i] != 5 * id;
    wrong[id] += bad ? 0 : other;
    clReleaseKernel(kernel);
    clReleaseMemObject(mem);
    return bad;
}

// All threads read one image and write their own, of one texel class; dummy images are bound for
// the other class.
static int draw(int id, cl_command_queue queue)
{
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = COUNT, .image_height = 1};
    const size_t origin[3] = {0}, size[3] = {COUNT, 1, 1};
    cl_int code, data[COUNT], use = 0;
    cl_mem mine = clCreateImage(test_context, 0, &format, &desc, NULL, &code);
    int bad = 0, other = 0;
    cl_kernel kernel = clCreateKernel(image_program, "draw", &code);
    if (!mine || !kernel)
        return given_up(mine, kernel);
    clSetKernelArg(kernel, 0, sizeof shared_image, &shared_image);
    clSetKernelArg(kernel, 1, sizeof mine, &mine);
    clSetKernelArg(kernel, 2, sizeof id, &id);
    clSetKernelArg(kernel, 3, sizeof use, &use);
    for (int i = 0; i < 3; i++)
        bad +=
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, size, NULL, 0, NULL, NULL) != CL_SUCCESS;
    bad += clEnqueueReadImage(queue, mine, CL_TRUE, origin, size, 0, 0, data, 0, NULL, NULL) !=
           CL_SUCCESS;
    for (int i = 0; i < COUNT; i++)
        other += data[i] != 7 + id;
    wrong[id] += bad ? 0 : other;
    clReleaseKernel(kernel);
    clReleaseMemObject(mine);
    return bad;
}

static void open_images(void)
{
    static const char source[] =
        "kernel void draw(read_only image2d_t a, write_only image2d_t b, int n, int floats)\n"
        "{ int2 at = (int2)(get_global_id(0), 0);\n"
        "  if (floats) write_imagef(b, at, read_imagef(a, at));\n"
        "  else write_imagei(b, at, read_imagei(a, at) + n); }";
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = COUNT, .image_height = 1};
    cl_int code, data[COUNT];
    if (!test_has_images())
        return;
    for (int i = 0; i < COUNT; i++)
        data[i] = 7;
    image_program = test_build(source, "");
    shared_image =
        clCreateImage(test_context, CL_MEM_COPY_HOST_PTR, &format, &desc, data, &code);
    CHECK_OK(code);
}

static int build_own(int id)
{
    char source[128];
    const char *text = source;
    cl_int code;
    snprintf(source, sizeof source, "kernel void f%d(global int *p) { p[0] = %d; }", id, id);
    cl_program program = clCreateProgramWithSource(test_context, 1, &text, NULL, &code);
    int bad = clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS;
    clReleaseProgram(program);
    return bad;
}

static void *run(void *data)
{
    int id = *(int *)data;
    cl_int code;
    cl_command_queue own = clCreateCommandQueue(test_context, test_device, 0, &code);
    for (int i = 0; i < ROUNDS; i++) {
        failed[id] += work(id, i % 2 ? own : test_queue);
        if (shared_image)
            failed[id] += draw(id, i % 2 ? own : test_queue);
        failed[id] += build_own(id);
    }
    clReleaseCommandQueue(own);
    return NULL;
}

// Host commands run concurrently in an out-of-order queue and end in any order; a marker follows
// them all.
enum { READERS = 3, READS = 60, LONGEST = 1 << 23 };
static struct reader {
    pthread_t thread;
    cl_command_queue queue;
    cl_mem mem;
    size_t size;
    int failed;
} readers[READERS];

static void *read_on(void *data)
{
    struct reader *r = data;
    void *bytes = malloc(r->size);
    for (int i = 0; i < READS; i++) {
        cl_event marker = NULL;
        r->failed += clEnqueueReadBuffer(r->queue, r->mem, CL_TRUE, 0, r->size, bytes, 0, NULL,
                                         NULL) != CL_SUCCESS;
        r->failed += clEnqueueMarkerWithWaitList(r->queue, 0, NULL, &marker) != CL_SUCCESS;
        r->failed += !marker || clWaitForEvents(1, &marker) || clReleaseEvent(marker);
    }
    free(bytes);
    return NULL;
}

static void check_readers(void)
{
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device,
                                                  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    CHECK_OK(code);
    for (int i = 0; i < READERS; i++) {
        size_t size = LONGEST >> 2 * i;
        readers[i] =
            (struct reader){.queue = queue, .mem = test_buffer(0, size, NULL), .size = size};
    }
    for (int i = 0; i < READERS; i++)
        CHECK(!pthread_create(&readers[i].thread, NULL, read_on, &readers[i]));
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i].thread, NULL);
    for (int i = 0; i < READERS; i++) {
        CHECK_NONE(readers[i].failed);
        CHECK_OK(clReleaseMemObject(readers[i].mem));
    }
    CHECK_OK(clFinish(queue));
    CHECK_OK(clReleaseCommandQueue(queue));
}

int main(void)
{
    test_open();
    shared_program =
        test_build("kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }", "");
    open_images();
    pthread_t threads[THREADS];
    static int ids[THREADS];
    for (int i = 0; i < THREADS; i++) {
        ids[i] = i;
        CHECK(!pthread_create(&threads[i], NULL, run, &ids[i]));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) { // the first failure may end the process
        CHECK_NONE(failed[i]);
        CHECK_EQ(wrong[i], 0);
    }
    check_readers();
    if (image_program) {
        CHECK_OK(clReleaseMemObject(shared_image));
        CHECK_OK(clReleaseProgram(image_program));
    }
    CHECK_OK(clReleaseProgram(shared_program));
    return test_close();
}
