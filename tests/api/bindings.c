// SPDX-License-Identifier: Apache-2.0
// How kernels reach their buffer arguments: the same buffer twice, parts of buffers, null, many at
// once, an argument list larger than the push constants, from several threads. The same tests run
// on devices with buffer addresses and on those without, where only bindings identify buffers; and
// features that the latter must not offer.
#include "test.h"

#include <pthread.h>

#include "object/cl.h"

enum { MANY = 40, PARTS = 5, WORDS = 1024 };

static const char source[] =
    "kernel void twice(global int *a, global int *b) {\n"
    "    size_t i = get_global_id(0);\n"
    "    a[i] += 1; b[i] *= 10; a[i] += 2; }\n"
    "kernel void move(global const int *from, global int *to, int add) {\n"
    "    size_t i = get_global_id(0); to[i] = from[i] + add; }\n"
    "kernel void maybe(global int *out, global int *in, constant int *table) {\n"
    "    out[0] = in ? in[0] : -1; out[1] = table ? table[1] : -2;\n"
    "    global int *either = in ? in : out; either[2] = 7; }\n"
    "kernel void none(global int *in) { if (in) in[0] = 1; }\n"
    "typedef struct { int values[128]; } many;\n"
    "kernel void large(many m, global int *out, int width, int height) {\n"
    "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    out[x + width * (y + height * z)] += m.values[(x + y + z) % 128] + (int)get_local_size(0); }\n"
    "kernel void bytes(global uchar *p, uint at) { p[at] = (uchar)(at * 7 + 3); }\n";

static cl_program program;

static void set_mem(cl_kernel kernel, cl_uint index, cl_mem mem)
{
    CHECK_OK(clSetKernelArg(kernel, index, sizeof mem, &mem));
}

static void run(cl_kernel kernel, size_t size)
{
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
}

static void read_all(cl_mem mem, void *to, size_t size)
{
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, size, to, 0, NULL, NULL));
}

static void check_twice(void)
{
    int values[64];
    for (int i = 0; i < 64; i++)
        values[i] = i;
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof values, values);
    cl_kernel kernel = test_kernel(program, "twice");
    set_mem(kernel, 0, mem);
    set_mem(kernel, 1, mem);
    run(kernel, 64);
    read_all(mem, values, sizeof values);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(values[i], (i + 1) * 10 + 2);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
}

static cl_mem part(cl_mem mem, size_t origin, size_t size)
{
    cl_int error;
    cl_buffer_region region = {origin, size};
    cl_mem made = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CHECK_OK(error);
    return made;
}

static size_t base_align(void)
{
    cl_uint bits = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL));
    return bits / 8;
}

// Copies from each part to the next; all are parts of one buffer.
static void check_parts(void)
{
    size_t step = base_align(), count = 16;
    int *values = calloc(PARTS + 1, step);
    cl_mem mem, parts[PARTS];
    for (size_t i = 0; i < count; i++)
        values[step / 4 + i] = (int)(100 * i);
    mem = test_buffer(CL_MEM_COPY_HOST_PTR, (PARTS + 1) * step, values);
    for (int p = 0; p < PARTS; p++)
        parts[p] = part(mem, (size_t)(p + 1) * step, count * sizeof(int));
    cl_kernel kernel = test_kernel(program, "move");
    for (int p = 0; p + 1 < PARTS; p++) {
        set_mem(kernel, 0, parts[p]);
        set_mem(kernel, 1, parts[p + 1]);
        CHECK_OK(clSetKernelArg(kernel, 2, sizeof p, &p));
        run(kernel, count);
    }
    read_all(mem, values, (PARTS + 1) * step);
    for (int p = 0, added = 0; p < PARTS; added += p++)
        for (size_t i = 0; i < count; i++)
            CHECK_EQ(values[(size_t)(p + 1) * step / 4 + i], 100 * (int)i + added);
    for (size_t i = 0; i < step / 4; i++)
        CHECK_EQ(values[i], 0);
    for (int p = 0; p < PARTS; p++)
        CHECK_OK(clReleaseMemObject(parts[p]));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
    free(values);
}

static void check_null(void)
{
    int values[4] = {5, 6, 0, 0};
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof values, values);
    cl_mem in = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof values, values);
    cl_kernel kernel = test_kernel(program, "maybe");
    for (int set = 0; set < 4; set++) {
        set_mem(kernel, 0, mem);
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof in, set & 1 ? (void *)&in : NULL));
        CHECK_OK(clSetKernelArg(kernel, 2, sizeof in, set & 2 ? (void *)&in : NULL));
        run(kernel, 1);
        read_all(mem, values, sizeof values);
        CHECK_EQ(values[0], set & 1 ? 5 : -1);
        CHECK_EQ(values[1], set & 2 ? 6 : -2);
        CHECK_EQ(values[2], 7);
    }
    CHECK_OK(clReleaseKernel(kernel));
    kernel = test_kernel(program, "none");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof in, NULL));
    run(kernel, 1);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(in));
    CHECK_OK(clReleaseMemObject(mem));
}

// As many as 32-bit pointers can distinguish must work; with more a build may fail with an error.
static void check_many(int count)
{
    char text[4096], *at = text;
    cl_int error;
    at += sprintf(at, "kernel void sum(global int *out");
    for (int i = 0; i < count; i++)
        at += sprintf(at, ", global const int *p%d", i);
    at += sprintf(at, ") { *out = 0");
    for (int i = 0; i < count; i++)
        at += sprintf(at, " + p%d[%d]", i, i);
    sprintf(at, "; }\n");
    const char *lines = text;
    cl_program own = clCreateProgramWithSource(test_context, 1, &lines, NULL, &error);
    CHECK_OK(error);
    error = clBuildProgram(own, 1, &test_device, "", NULL, NULL);
    if (error) {
        char log[4096] = "";
        CHECK_EQ(error, CL_BUILD_PROGRAM_FAILURE);
        CHECK(count > 27);
        clGetProgramBuildInfo(own, test_device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        CHECK(strstr(log, "sum") && strstr(log, "global pointers"));
        CHECK_OK(clReleaseProgram(own));
        return;
    }
    int values[MANY], sum = 0;
    cl_mem mems[MANY + 1];
    cl_kernel kernel = test_kernel(own, "sum");
    for (int i = 0; i <= count; i++) {
        for (int k = 0; k < MANY; k++)
            values[k] = 1000 * i + k;
        mems[i] = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof values, values);
        set_mem(kernel, (cl_uint)i, mems[i]);
        sum += i ? 1000 * i + i - 1 : 0;
    }
    run(kernel, 1);
    read_all(mems[0], values, sizeof *values);
    CHECK_EQ(values[0], sum);
    for (int i = 0; i <= count; i++)
        CHECK_OK(clReleaseMemObject(mems[i]));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(own));
}

// More bytes of arguments than fit in push constants, in a launch split into eight regions.
static void check_large(void)
{
    enum { X = 11, Y = 7, Z = 5 };
    static int got[X * Y * Z];
    const size_t global[3] = {X, Y, Z}, local[3] = {4, 4, 2};
    int list[128], width = X, height = Y, wrong = 0;
    for (int i = 0; i < 128; i++)
        list[i] = i * 1000;
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    cl_kernel kernel = test_kernel(program, "large");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof list, list));
    set_mem(kernel, 1, mem);
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof width, &width));
    CHECK_OK(clSetKernelArg(kernel, 3, sizeof height, &height));
    for (int i = 0; i < 2; i++)
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 3, NULL, global, local, 0, NULL, NULL));
    read_all(mem, got, sizeof got);
    for (int z = 0; z < Z; z++)
        for (int y = 0; y < Y; y++)
            for (int x = 0; x < X; x++)
                wrong += got[x + X * (y + Y * z)] != 2 * (1000 * (x + y + z) + (x < 8 ? 4 : 3));
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
}

// ---- threads ------------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = 100 };

// The threads share only the program. Failures are counted because the checks are not thread-safe.
static void *thread_main(void *out)
{
    cl_int error, failed = 0;
    int values[2 * WORDS] = {0}, one = 1;
    size_t size = WORDS;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, 0, &error);
    cl_kernel kernel = error ? NULL : clCreateKernel(program, "move", &error);
    cl_mem mems[2] = {NULL, NULL};
    for (int i = 0; i < 2 && !error; i++)
        mems[i] = clCreateBuffer(test_context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
    failed += error != CL_SUCCESS;
    failed += clSetKernelArg(kernel, 2, sizeof one, &one) != CL_SUCCESS;
    for (int i = 0; i < ROUNDS && !failed; i++) {
        failed += clSetKernelArg(kernel, 0, sizeof *mems, &mems[i & 1]) != CL_SUCCESS;
        failed += clSetKernelArg(kernel, 1, sizeof *mems, &mems[!(i & 1)]) != CL_SUCCESS;
        failed += clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL) != CL_SUCCESS;
    }
    failed += clEnqueueReadBuffer(queue, mems[0], CL_TRUE, 0, sizeof values, values, 0, NULL, NULL) !=
              CL_SUCCESS;
    for (int i = 0; i < 2 * WORDS; i++)
        failed += values[i] != (i < WORDS ? ROUNDS : 0);
    failed += clReleaseKernel(kernel) != CL_SUCCESS;
    for (int i = 0; i < 2; i++)
        failed += clReleaseMemObject(mems[i]) != CL_SUCCESS;
    failed += clReleaseCommandQueue(queue) != CL_SUCCESS;
    *(int *)out = failed;
    return NULL;
}

static void check_threads(void)
{
    pthread_t threads[THREADS];
    int failed[THREADS];
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, thread_main, &failed[i]));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        CHECK_NONE(failed[i]);
}

// ---- limits -------------------------------------------------------------------------------------

// Accesses the last byte of the largest possible buffer, or of a smaller one if that is very large.
static void check_largest(void)
{
    cl_ulong most = 0;
    cl_uchar last = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    size_t size = most < (1u << 28) ? (size_t)most : 1u << 24;
    cl_uint at = (cl_uint)size - 1;
    cl_mem mem = test_buffer(0, size, NULL);
    cl_kernel kernel = test_kernel(program, "bytes");
    set_mem(kernel, 0, mem);
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof at, &at));
    run(kernel, 1);
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, at, 1, &last, 0, NULL, NULL));
    CHECK_EQ(last, (cl_uchar)(at * 7 + 3));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
}

// Devices without buffer addresses must refuse functions that return or take them.
static void check_refusals(void)
{
    const cl_mem_properties wish[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    cl_device_svm_capabilities svm = 1;
    cl_kernel kernel = test_kernel(program, "none");
    if (test_has(test_device, "cl_ext_buffer_device_address"))
        goto done;
    CHECK(!test_has(test_device, "cl_intel_unified_shared_memory"));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    CHECK_EQ(svm, 0);
    CHECK(!clSVMAlloc(test_context, 0, 64, 0));
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 0, &svm), CL_INVALID_OPERATION);
    CHECK_CREATE(clCreateBufferWithProperties(test_context, wish, 0, 64, NULL, &error),
                 CL_INVALID_OPERATION);
done:
    CHECK_OK(clReleaseKernel(kernel));
}

// The first argument is an image, and the binding of the data segment belongs to no argument.
static void check_image(void)
{
    static const char text[] = "constant int table[] = {5, 3, 8, 1};\n"
                               "kernel void look(read_only image2d_t i, global int *at) {\n"
                               "    at[0] = table[at[0] & 3] + read_imagei(i, (int2)(0, 0)).x; }\n";
    const cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
    int texel[4] = {40}, at = 2;
    if (!test_has_images())
        return;
    cl_program looks = test_build(text, "-cl-std=CL3.0");
    cl_kernel kernel = test_kernel(looks, "look");
    cl_int error;
    cl_mem image = clCreateImage(test_context, CL_MEM_COPY_HOST_PTR, &format, &desc, texel, &error);
    CHECK_OK(error);
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof at, &at);
    set_mem(kernel, 0, image);
    set_mem(kernel, 1, mem);
    run(kernel, 1);
    read_all(mem, &at, sizeof at);
    CHECK_EQ(at, 48);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseMemObject(image));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(looks));
}

int main(void)
{
    test_open();
    program = test_build(source, "-cl-std=CL3.0");
    check_twice();
    check_parts();
    check_null();
    for (int count = 1; count <= MANY; count *= 3)
        check_many(count);
    check_many(MANY);
    check_large();
    check_threads();
    check_largest();
    check_refusals();
    check_image();
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
