// SPDX-License-Identifier: Apache-2.0
// Pointer arguments that the driver may get as bindings (PUMICE_BINDINGS): a launch whose arguments
// cannot be bound uses the kernel's general form, in programs from source and from a binary, and
// the next launch uses bindings again.
#include "test.h"

#include "object/cl.h"

enum { N = 1024, MIDDLE = N / 2 };

static const char source[] =
    "constant int table[4] = {1, 2, 3, 4};\n"
    "kernel void shift(global int *to, global const int *from, int by) {\n"
    "    int i = get_global_id(0) + by; to[i] = from[i] + table[i & 3]; }\n"
    "kernel void pick(global int *out, global const int *a, global const int *b) {\n"
    "    size_t i = get_global_id(0); out[i] = (a ? a[i] : -1) + (b ? b[i] : -10); }\n"
    "kernel void either(global int *a, global int *b, int n) {\n"
    "    int i = get_global_id(0); global int *p = i < n ? a : b; p[i] += 100; }\n"
    "kernel void around(global int *to, global const int *from) {\n"
    "    int i = get_global_id(0) + 1; to[i - 1] = from[i - 1] + 1000 * from[i + 1]; }\n";

static void set_mem(cl_kernel kernel, cl_uint index, cl_mem mem) { CHECK_OK(clSetKernelArg(kernel, index, sizeof mem, &mem)); }

static void run(cl_kernel kernel, size_t size)
{
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
}

static int expected(int i) { return 3 * i + (i & 3) + 1; }

static void fill(int *p)
{
    for (int i = 0; i < N; i++)
        p[i] = 3 * i;
}

// Pointers into the middle of an allocation: kernels may access elements before them.
static void check_shared(cl_kernel kernel)
{
    int *p = clSVMAlloc(test_context, CL_MEM_READ_WRITE, N * sizeof *p, 0), *q = clSVMAlloc(test_context, CL_MEM_READ_WRITE, N * sizeof *q, 0);
    CHECK(p && q);
    for (int round = 0; round < 2; round++) {
        CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_WRITE, q, N * sizeof *q, 0, NULL, NULL));
        fill(q);
        CHECK_OK(clEnqueueSVMUnmap(test_queue, q, 0, NULL, NULL));
        int *to = p + (round ? MIDDLE : 0), by = round ? 1 - MIDDLE : 0;
        CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, to));
        CHECK_OK(clSetKernelArgSVMPointer(kernel, 1, q + (round ? MIDDLE + 1 : 0)));
        CHECK_OK(clSetKernelArg(kernel, 2, sizeof by, &by));
        run(kernel, MIDDLE);
        CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_READ, p, N * sizeof *p, 0, NULL, NULL));
        int wrong = 0;
        for (int i = 0; i < MIDDLE; i++) {
            int at = i + by;
            wrong += to[at] != 3 * (at + (round ? MIDDLE + 1 : 0)) + (at & 3) + 1;
        }
        CHECK_EQ(wrong, 0);
        CHECK_OK(clEnqueueSVMUnmap(test_queue, p, 0, NULL, NULL));
        CHECK_OK(clFinish(test_queue));
    }
    clSVMFree(test_context, p);
    clSVMFree(test_context, q);
}

// A buffer that contains an address that is a multiple of 4 GiB; NULL: there is none.
static cl_mem buffer_at_border(size_t size, size_t *at)
{
    static const cl_mem_properties wish[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    const cl_ulong border = UINT64_C(1) << 32;
    enum { MOST = 6 };
    cl_mem tried[MOST], found = NULL;
    unsigned count = 0;
    for (; count < MOST && !found; count++) {
        cl_ulong address = 0;
        cl_int code;
        tried[count] = clCreateBufferWithProperties(test_context, wish, 0, size, NULL, &code);
        if (!tried[count])
            break;
        CHECK_OK(clGetMemObjectInfo(tried[count], CL_MEM_DEVICE_ADDRESS_EXT, sizeof address, &address, NULL));
        *at = (size_t)(-address % border);
        found = *at + N * sizeof(cl_int) <= size ? tried[count] : NULL;
    }
    for (unsigned i = 0; i < count; i++)
        if (tried[i] != found)
            CHECK_OK(clReleaseMemObject(tried[i]));
    return found;
}

// With PUMICE_BINDINGS=positive, a kernel subtracts from the lower word of a pointer.
static void check_border(cl_kernel kernel)
{
    enum { SIZE = 1 << 30 };
    cl_ulong most = 0;
    cl_int from[N], to[N] = {0}, code;
    cl_buffer_region region = {0, sizeof from};
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    cl_mem whole = most >= SIZE && test_has(test_device, "cl_ext_buffer_device_address") ? buffer_at_border(SIZE, &region.origin) : NULL;
    if (!whole)
        return;
    cl_mem in = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code), out = test_buffer(0, sizeof to, NULL);
    CHECK_OK(code);
    fill(from);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, in, CL_TRUE, 0, sizeof from, from, 0, NULL, NULL));
    set_mem(kernel, 0, out);
    set_mem(kernel, 1, in);
    run(kernel, N - 2);
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, (N - 2) * sizeof *to, to, 0, NULL, NULL));
    int wrong = 0;
    for (int i = 0; i < N - 2; i++)
        wrong += to[i] != from[i] + 1000 * from[i + 2];
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseMemObject(in));
    CHECK_OK(clReleaseMemObject(whole));
}

static void check_buffers(cl_kernel kernel)
{
    int from[N], to[N];
    fill(from);
    cl_mem in = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof from, from), out = test_buffer(CL_MEM_READ_WRITE, sizeof to, NULL);
    int by = 0, wrong = 0;
    set_mem(kernel, 0, out);
    set_mem(kernel, 1, in);
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof by, &by));
    run(kernel, N);
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof to, to, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
        wrong += to[i] != expected(i);
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseMemObject(in));
    CHECK_OK(clReleaseMemObject(out));
}

static void check_nulls(cl_program program)
{
    cl_kernel kernel = test_kernel(program, "pick");
    int values[N], got[N];
    fill(values);
    cl_mem in = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof values, values), out = test_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    set_mem(kernel, 0, out);
    for (int which = 0; which < 4; which++) {
        int wrong = 0;
        set_mem(kernel, 1, which & 1 ? in : NULL);
        set_mem(kernel, 2, which & 2 ? in : NULL);
        run(kernel, N);
        CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        for (int i = 0; i < N; i++)
            wrong += got[i] != (which & 1 ? values[i] : -1) + (which & 2 ? values[i] : -10);
        CHECK_EQ(wrong, 0);
    }
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(in));
    CHECK_OK(clReleaseMemObject(out));
}

// A kernel that cannot use bindings, in the same program; the same buffer as two arguments.
static void check_choice(cl_program program)
{
    cl_kernel kernel = test_kernel(program, "either");
    int values[N], n = MIDDLE, wrong = 0;
    fill(values);
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof values, values);
    set_mem(kernel, 0, mem);
    set_mem(kernel, 1, mem);
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof n, &n));
    run(kernel, N);
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
        wrong += values[i] != 3 * i + 100;
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
}

static void check_program(cl_program program)
{
    cl_device_svm_capabilities caps = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof caps, &caps, NULL));
    cl_kernel kernel = test_kernel(program, "shift");
    check_buffers(kernel);
    if (caps & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)
        check_shared(kernel);
    check_buffers(kernel);
    CHECK_OK(clReleaseKernel(kernel));
    check_nulls(program);
    check_choice(program);
    cl_kernel around = test_kernel(program, "around");
    check_border(around);
    CHECK_OK(clReleaseKernel(around));
}

int main(void)
{
    test_open();
    cl_program program = test_build(source, NULL);
    check_program(program);
    cl_program loaded = test_from_binary(program);
    check_program(loaded);
    CHECK_OK(clReleaseProgram(loaded));
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
