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
    "    int i = get_global_id(0); global int *p = i < n ? a : b; p[i] += 100; }\n";

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
