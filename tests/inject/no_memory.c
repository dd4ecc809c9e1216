// SPDX-License-Identifier: Apache-2.0
// A device that runs out of memory: each allocation returns the right error, existing objects
// continue to work, and freed memory can be allocated again; all kinds of memory count. Run by
// inject_run --memory=MIB, --heap=MIB or --budget=MIB.
#include "test.h"

enum { MANY = 1000, SIZE = 1 << 20, FEW = 16 };

static const char source[] =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void say(global int *p) { if (!get_global_id(0)) printf(\"%d\\n\", p[0]); }\n";

static cl_mem list[MANY];
static int count;

static bool is_no_memory(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
           code == CL_OUT_OF_HOST_MEMORY;
}

// Creates buffers until memory is exhausted; returns their number.
static int take_all(void)
{
    cl_int code = CL_SUCCESS, zero = 0;
    int before = count;
    while (count < MANY) {
        list[count] = clCreateBuffer(test_context, 0, SIZE, NULL, &code);
        if (code) {
            CHECK_EQ(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
            break;
        }
        code = clEnqueueFillBuffer(test_queue, list[count], &zero, 4, 0, SIZE, 0, NULL, NULL);
        if (!code)
            code = clFinish(test_queue);
        count++;
        if (code)
            break;
    }
    CHECK(is_no_memory(code));
    return count - before;
}

static void give_back(int until)
{
    while (count > until)
        CHECK_OK(clReleaseMemObject(list[--count]));
    CHECK_OK(clFinish(test_queue));
}

// ---- other kinds of memory ----------------------------------------------------------------------

static cl_mem make_image(cl_int *code)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 512, .image_height = SIZE / 2048};
    return clCreateImage(test_context, 0, &format, &desc, NULL, code);
}

static cl_mem make_host(cl_int *code)
{
    return clCreateBuffer(test_context, CL_MEM_ALLOC_HOST_PTR, SIZE, NULL, code);
}

// They need the memory that buffers have used.
static void check_kind(cl_mem (*make)(cl_int *code))
{
    cl_int code = CL_SUCCESS;
    while (count < MANY) {
        list[count] = make(&code);
        if (code)
            break;
        count++;
    }
    CHECK_EQ(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    CHECK(count > FEW && count < MANY);
    give_back(0);
}

static void check_shared(void)
{
    static void *shared[MANY];
    cl_device_svm_capabilities svm = 0;
    int got = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    if (!svm)
        return;
    while (got < MANY && (shared[got] = clSVMAlloc(test_context, 0, SIZE, 0)))
        got++;
    CHECK(got > FEW && got < MANY);
    while (got)
        clSVMFree(test_context, shared[--got]);
}

// ---- work ---------------------------------------------------------------------------------------

static void check_work(cl_program program)
{
    cl_kernel kernel = test_kernel(program, "add");
    size_t global = 1000;
    for (int i = 0; i < FEW; i++) {
        cl_int value = -1, n = i + 1;
        CHECK_OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &list[i]));
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
        CHECK_OK(
            clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(test_queue, list[i], CL_TRUE, 4 * 999, 4, &value, 0, NULL,
                                     NULL));
        CHECK_EQ(value, n);
        n = -n;
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
        CHECK_OK(
            clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    }
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseKernel(kernel));
}

// Commands that need memory succeed or fail with an error, and the queue continues.
static void check_needy(cl_program program)
{
    static char bytes[SIZE];
    cl_kernel say = test_kernel(program, "say");
    size_t one = 1;
    cl_int code;
    CHECK_OK(clSetKernelArg(say, 0, sizeof(cl_mem), &list[0]));
    code = clEnqueueNDRangeKernel(test_queue, say, 1, NULL, &one, NULL, 0, NULL, NULL);
    CHECK(!code || is_no_memory(code));
    code = clFinish(test_queue);
    CHECK(!code || is_no_memory(code));
    code = clEnqueueReadBuffer(test_queue, list[1], CL_TRUE, 0, SIZE, bytes, 0, NULL, NULL);
    CHECK(!code || is_no_memory(code));
    code = clEnqueueWriteBuffer(test_queue, list[1], CL_TRUE, 0, SIZE, bytes, 0, NULL, NULL);
    CHECK(!code || is_no_memory(code));
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseKernel(say));
}

static void check_huge(void)
{
    cl_ulong most = 0;
    CHECK_OK(
        clGetDeviceInfo(test_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    const size_t sizes[] = {(size_t)most + 1, SIZE_MAX, SIZE_MAX / 2 + 1};
    for (int i = 0; i < 3; i++)
        CHECK_CREATE(clCreateBuffer(test_context, 0, sizes[i], NULL, &error),
                     CL_INVALID_BUFFER_SIZE);
    cl_int code = CL_SUCCESS, zero = 0;
    cl_mem whole = clCreateBuffer(test_context, 0, (size_t)most, NULL, &code);
    if (whole) {
        code = clEnqueueFillBuffer(test_queue, whole, &zero, 4, 0, 64, 0, NULL, NULL);
        CHECK_OK(clReleaseMemObject(whole));
    }
    CHECK(is_no_memory(code));
}

int main(void)
{
    test_open();
    cl_program program = test_build(source, "");
    int all = take_all();
    CHECK(all > FEW && all < MANY);
    check_work(program);
    check_needy(program);
    check_huge();
    check_work(program);
    give_back(all / 2);
    CHECK(take_all() >= all / 2 - FEW);
    check_work(program);
    give_back(0);
    CHECK(take_all() >= all - FEW);
    give_back(0);
    if (test_has_images())
        check_kind(make_image);
    check_kind(make_host);
    check_shared();
    CHECK(take_all() >= all - FEW);
    give_back(0);
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
