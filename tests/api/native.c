// SPDX-License-Identifier: Apache-2.0
// Native kernels: their order in a queue, memory objects as pointers, errors.
#include "test.h"

#include <stdint.h>

enum { N = 1000 };

struct args {
    int *from;
    int factor;
    int *to;
};

static void CL_CALLBACK scale(void *data)
{
    struct args *args = data;
    for (int i = 0; i < N; i++)
        args->to[i] = args->from[i] * args->factor;
}

static int calls;

static void CL_CALLBACK count(void *data)
{
    CHECK(data == NULL);
    __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST);
}

// A kernel, a native kernel and a kernel, one after the other.
static void check_order(cl_command_queue queue)
{
    cl_program program =
        test_build("kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }", "");
    cl_kernel add = test_kernel(program, "add");
    int zero = 0, two = 2, three = 3, back[N];
    const size_t global = N, bytes = N * sizeof(int);
    cl_mem a = test_buffer(0, bytes, NULL), b = test_buffer(0, bytes + 1024, NULL);
    cl_buffer_region region = {1024, bytes};
    cl_int error;
    cl_mem part = clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    cl_event events[4];
    cl_command_type type = 0;
    CHECK_OK(clEnqueueFillBuffer(queue, a, &zero, sizeof zero, 0, bytes, 0, NULL, &events[0]));
    CHECK_OK(clSetKernelArg(add, 0, sizeof a, &a));
    CHECK_OK(clSetKernelArg(add, 1, sizeof two, &two));
    CHECK_OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 1, &events[0], &events[1]));
    struct args args = {(int *)a, 10, (int *)part};
    const cl_mem list[] = {a, part};
    const void *places[] = {&args.from, &args.to};
    CHECK_OK(clEnqueueNativeKernel(queue, scale, &args, sizeof args, 2, list, places, 1, &events[1],
                                   &events[2]));
    memset(&args, 0, sizeof args); // the arguments have been copied
    CHECK_OK(clGetEventInfo(events[2], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_NATIVE_KERNEL);
    CHECK_OK(clSetKernelArg(add, 0, sizeof part, &part));
    CHECK_OK(clSetKernelArg(add, 1, sizeof three, &three));
    CHECK_OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 1, &events[2], &events[3]));
    CHECK_OK(clEnqueueReadBuffer(queue, part, CL_TRUE, 0, bytes, back, 1, &events[3], NULL));
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += back[i] != 23;
    CHECK_EQ(wrong, 0);
    for (int i = 0; i < 4; i++)
        CHECK_OK(clReleaseEvent(events[i]));
    CHECK_OK(clReleaseMemObject(part));
    CHECK_OK(clReleaseMemObject(a));
    CHECK_OK(clReleaseMemObject(b));
    CHECK_OK(clReleaseKernel(add));
    CHECK_OK(clReleaseProgram(program));
}

// The function may use the API, and later commands read memory that it writes.
struct reading {
    cl_command_queue queue;
    cl_mem mem;
    int value, result;
};

static void CL_CALLBACK read_back(void *data)
{
    struct reading *reading = *(struct reading **)data;
    reading->result = clEnqueueReadBuffer(reading->queue, reading->mem, CL_TRUE, 0, 4,
                                          &reading->value, 0, NULL, NULL);
}

static void check_api_inside(cl_command_queue other)
{
    int seven = 7, back = 0;
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, 4, &seven), copy = test_buffer(0, 4, NULL);
    struct reading reading = {other, mem, 0, -1}, *args = &reading;
    CHECK_OK(clEnqueueNativeKernel(test_queue, read_back, &args, sizeof args, 0, NULL, NULL, 0,
                                   NULL, NULL));
    CHECK_OK(clEnqueueWriteBuffer(test_queue, copy, CL_FALSE, 0, 4, &reading.value, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, copy, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    CHECK_OK(reading.result);
    CHECK_EQ(back, 7);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseMemObject(copy));
}

static void check_errors(void)
{
    cl_mem mem = test_buffer(0, 64, NULL), wrong = (cl_mem)test_queue;
    cl_mem args[2] = {mem, mem};
    const void *inside[] = {&args[1]}, *outside[] = {&args[2]};
    cl_device_exec_capabilities can = 0;
    CHECK_OK(
        clGetDeviceInfo(test_device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL));
    CHECK(can & CL_EXEC_NATIVE_KERNEL);
    const struct {
        void *args;
        size_t size;
        cl_uint count;
        const cl_mem *list;
        const void **places;
        cl_int want;
    } rows[] = {
        {NULL, 0, 0, NULL, NULL, CL_SUCCESS},
        {NULL, 8, 0, NULL, NULL, CL_INVALID_VALUE},
        {args, 0, 0, NULL, NULL, CL_INVALID_VALUE},
        {NULL, 0, 1, &mem, inside, CL_INVALID_VALUE},
        {args, sizeof args, 1, NULL, inside, CL_INVALID_VALUE},
        {args, sizeof args, 1, &mem, NULL, CL_INVALID_VALUE},
        {args, sizeof args, 0, &mem, inside, CL_INVALID_VALUE},
        {args, sizeof args, 1, &mem, outside, CL_INVALID_VALUE},
        {args, sizeof args, 1, &wrong, inside, CL_INVALID_MEM_OBJECT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!CHECK_EQ(clEnqueueNativeKernel(test_queue, count, rows[i].args, rows[i].size,
                                            rows[i].count, rows[i].list, rows[i].places, 0, NULL,
                                            NULL),
                      rows[i].want))
            printf("  in row %zu\n", i);
    }
    CHECK_EQ(clEnqueueNativeKernel(test_queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueNativeKernel(NULL, count, NULL, 0, 0, NULL, NULL, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_OK(clFinish(test_queue));
    CHECK_EQ(calls, 1);
    CHECK_OK(clReleaseMemObject(mem));
}

int main(void)
{
    test_open();
    cl_int error;
    cl_command_queue any = clCreateCommandQueue(test_context, test_device,
                                                CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    CHECK_OK(error);
    check_order(test_queue);
    check_order(any);
    check_api_inside(any);
    check_errors();
    CHECK_OK(clReleaseCommandQueue(any));
    return test_close();
}
