// SPDX-License-Identifier: Apache-2.0
// cl_khr_semaphore: signals and waits in one queue and between queues, in either order; queries; misuse.
#include "test.h"

#include <CL/cl_ext.h>

#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#endif

#define FUNCTION(name) static name##_fn name##_
FUNCTION(clCreateSemaphoreWithPropertiesKHR);
FUNCTION(clEnqueueWaitSemaphoresKHR);
FUNCTION(clEnqueueSignalSemaphoresKHR);
FUNCTION(clGetSemaphoreInfoKHR);
FUNCTION(clReleaseSemaphoreKHR);
FUNCTION(clRetainSemaphoreKHR);
FUNCTION(clGetSemaphoreHandleForTypeKHR);

static const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};

static bool find_functions(void)
{
#define FIND(name) (*(void **)&name##_ = clGetExtensionFunctionAddressForPlatform(test_platform, #name)) != NULL
    return FIND(clCreateSemaphoreWithPropertiesKHR) && FIND(clEnqueueWaitSemaphoresKHR) && FIND(clEnqueueSignalSemaphoresKHR) &&
           FIND(clGetSemaphoreInfoKHR) && FIND(clReleaseSemaphoreKHR) && FIND(clRetainSemaphoreKHR) &&
           FIND(clGetSemaphoreHandleForTypeKHR);
}

static cl_semaphore_khr make(void)
{
    cl_int error;
    cl_semaphore_khr semaphore = clCreateSemaphoreWithPropertiesKHR_(test_context, binary, &error);
    CHECK_OK(error);
    return semaphore;
}

static cl_int signal_one(cl_command_queue queue, cl_semaphore_khr semaphore, const cl_event *after, cl_event *event)
{
    return clEnqueueSignalSemaphoresKHR_(queue, 1, &semaphore, NULL, after != NULL, after, event);
}

static cl_int wait_one(cl_command_queue queue, cl_semaphore_khr semaphore, cl_event *event)
{
    return clEnqueueWaitSemaphoresKHR_(queue, 1, &semaphore, NULL, 0, NULL, event);
}

static cl_int status_of(cl_event event)
{
    cl_int status = 77;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static cl_command_queue make_queue(cl_command_queue_properties properties)
{
    cl_int error;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(test_context, test_device, list, &error);
    CHECK_OK(error);
    return queue;
}

static void check_creation(void)
{
    const cl_semaphore_properties_khr device = (cl_semaphore_properties_khr)(uintptr_t)test_device;
    const cl_semaphore_properties_khr type = CL_SEMAPHORE_TYPE_KHR, devices = CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR;
    const struct {
        cl_semaphore_properties_khr list[8];
        cl_int want;
    } rows[] = {
        {{type, 1, devices, device, 0, 0}, CL_SUCCESS},
        {{devices, device, 0, type, 1, 0}, CL_SUCCESS},
        {{0}, CL_INVALID_VALUE},
        {{devices, device, 0, 0}, CL_INVALID_VALUE},
        {{type, 2, 0}, CL_INVALID_PROPERTY},
        {{type, 1, type, 1, 0}, CL_INVALID_PROPERTY},
        {{type, 1, 0x7777, 1, 0}, CL_INVALID_PROPERTY},
        {{type, 1, devices, device, 0, devices, device, 0}, CL_INVALID_PROPERTY},
        {{type, 1, devices, 0, 0}, CL_INVALID_DEVICE},
        {{type, 1, devices, device, device, 0, 0}, CL_INVALID_DEVICE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_int code = 1;
        cl_semaphore_khr semaphore = clCreateSemaphoreWithPropertiesKHR_(test_context, rows[i].list, &code);
        if (!CHECK_EQ(code, rows[i].want))
            printf("  in creation %zu\n", i);
        CHECK((semaphore != NULL) == (code == CL_SUCCESS));
        if (semaphore)
            CHECK_OK(clReleaseSemaphoreKHR_(semaphore));
    }
    CHECK_CREATE(clCreateSemaphoreWithPropertiesKHR_(test_context, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateSemaphoreWithPropertiesKHR_(NULL, binary, &error), CL_INVALID_CONTEXT);
}

static void check_queries(void)
{
    cl_semaphore_khr semaphore = make();
    cl_semaphore_properties_khr list[8];
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_semaphore_type_khr type = 0;
    cl_semaphore_payload_khr payload = 7;
    cl_uint count = 0;
    size_t size = 0;
    CHECK_OK(clGetSemaphoreInfoKHR_(semaphore, CL_SEMAPHORE_PROPERTIES_KHR, sizeof list, list, &size));
    CHECK(size == sizeof binary && !memcmp(list, binary, sizeof binary));
    CHECK_OK(clGetSemaphoreInfoKHR_(semaphore, CL_SEMAPHORE_CONTEXT_KHR, sizeof context, &context, NULL));
    CHECK(context == test_context);
    CHECK_OK(clGetSemaphoreInfoKHR_(semaphore, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, sizeof device, &device, &size));
    CHECK(size == sizeof device && device == test_device);
    CHECK_OK(clGetSemaphoreInfoKHR_(semaphore, CL_SEMAPHORE_TYPE_KHR, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_SEMAPHORE_TYPE_BINARY_KHR);
    CHECK_OK(clGetSemaphoreInfoKHR_(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, NULL));
    CHECK_EQ(payload, 0);
    CHECK_OK(clRetainSemaphoreKHR_(semaphore));
    CHECK_OK(clGetSemaphoreInfoKHR_(semaphore, CL_SEMAPHORE_REFERENCE_COUNT_KHR, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clReleaseSemaphoreKHR_(semaphore));
    CHECK_EQ(clGetSemaphoreInfoKHR_(semaphore, 0x7777, sizeof count, &count, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetSemaphoreInfoKHR_(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, 1, &payload, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetSemaphoreInfoKHR_(NULL, CL_SEMAPHORE_TYPE_KHR, sizeof type, &type, NULL), CL_INVALID_SEMAPHORE_KHR);
    CHECK_OK(clGetPlatformInfo(test_platform, CL_PLATFORM_SEMAPHORE_TYPES_KHR, sizeof type, &type, &size));
    CHECK(size == sizeof type && type == CL_SEMAPHORE_TYPE_BINARY_KHR);
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SEMAPHORE_TYPES_KHR, sizeof type, &type, &size));
    CHECK(size == sizeof type && type == CL_SEMAPHORE_TYPE_BINARY_KHR);
    CHECK_OK(clReleaseSemaphoreKHR_(semaphore));
    CHECK_EQ(clRetainSemaphoreKHR_(NULL), CL_INVALID_SEMAPHORE_KHR);
    CHECK_EQ(clReleaseSemaphoreKHR_((cl_semaphore_khr)test_context), CL_INVALID_SEMAPHORE_KHR);
}

// A wait in one queue completes after the signal in another, which itself waits for the host; in
// both orders of enqueueing.
static void check_between_queues(void)
{
    cl_command_queue other = make_queue(0);
    cl_semaphore_khr semaphore = make();
    cl_semaphore_payload_khr payload;
    for (int round = 0; round < 3; round++) {
        cl_int code;
        cl_event gate = clCreateUserEvent(test_context, &code), signalled, waited;
        CHECK_OK(code);
        CHECK_OK(signal_one(test_queue, semaphore, &gate, &signalled));
        CHECK_OK(wait_one(other, semaphore, &waited));
        CHECK_OK(clFlush(other));
        CHECK(status_of(waited) > CL_COMPLETE);
        CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
        CHECK_OK(clWaitForEvents(1, &waited));
        CHECK_EQ(status_of(signalled), CL_COMPLETE);
        CHECK_OK(clReleaseEvent(gate));
        CHECK_OK(clReleaseEvent(signalled));
        CHECK_OK(clReleaseEvent(waited));
    }
    CHECK_OK(signal_one(test_queue, semaphore, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clGetSemaphoreInfoKHR_(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, NULL));
    CHECK_EQ(payload, 1);
    CHECK_OK(wait_one(other, semaphore, NULL));
    CHECK_OK(clFinish(other));
    CHECK_OK(clGetSemaphoreInfoKHR_(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, NULL));
    CHECK_EQ(payload, 0);
    CHECK_OK(clReleaseSemaphoreKHR_(semaphore));
    CHECK_OK(clReleaseCommandQueue(other));
}

// In an out-of-order queue: the wait is enqueued first and does not delay the signal.
static void check_out_of_order(void)
{
    cl_command_queue queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_semaphore_khr semaphores[2] = {make(), make()};
    cl_event waited, both;
    CHECK_OK(wait_one(queue, semaphores[0], &waited));
    CHECK_OK(clFlush(queue));
    CHECK(status_of(waited) > CL_COMPLETE);
    CHECK_OK(signal_one(queue, semaphores[0], NULL, NULL));
    CHECK_OK(clWaitForEvents(1, &waited));
    CHECK_OK(clEnqueueSignalSemaphoresKHR_(queue, 2, semaphores, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueWaitSemaphoresKHR_(queue, 2, semaphores, NULL, 1, &waited, &both));
    CHECK_OK(clFinish(queue));
    CHECK_EQ(status_of(both), CL_COMPLETE);
    cl_command_type type;
    CHECK_OK(clGetEventInfo(both, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_SEMAPHORE_WAIT_KHR);
    CHECK_OK(clReleaseEvent(waited));
    CHECK_OK(clReleaseEvent(both));
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseSemaphoreKHR_(semaphores[i]));
    CHECK_OK(clReleaseCommandQueue(queue));
}

// Two queues take turns incrementing a number, a hundred times.
static void check_turns(void)
{
    static const char text[] = "kernel void step(global uint *x, uint of, uint turn) { if (x[0] % 2 == turn) x[0] += 1; else x[1] += of; }";
    enum { TURNS = 100 };
    cl_command_queue queues[2] = {make_queue(0), make_queue(0)};
    cl_semaphore_khr semaphores[2] = {make(), make()};
    cl_program program = test_build(text, "");
    cl_kernel kernel = test_kernel(program, "step");
    cl_uint x[2] = {0, 0};
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
    const size_t one = 1;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (cl_uint i = 0; i < TURNS; i++) {
        cl_uint turn = i % 2;
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof i, &i));
        CHECK_OK(clSetKernelArg(kernel, 2, sizeof turn, &turn));
        if (i)
            CHECK_OK(wait_one(queues[turn], semaphores[!turn], NULL));
        CHECK_OK(clEnqueueNDRangeKernel(queues[turn], kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK_OK(signal_one(queues[turn], semaphores[turn], NULL, NULL));
    }
    CHECK_OK(clFinish(queues[0]));
    CHECK_OK(clEnqueueReadBuffer(queues[1], mem, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
    CHECK_EQ(x[0], TURNS);
    CHECK_EQ(x[1], 0);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(clReleaseSemaphoreKHR_(semaphores[i]));
        CHECK_OK(clReleaseCommandQueue(queues[i]));
    }
}

// If a command before a signal fails, the wait fails; releasing a semaphore leaves no command
// waiting.
static void check_failures(void)
{
    cl_int code;
    cl_semaphore_khr semaphore = make();
    cl_event gate = clCreateUserEvent(test_context, &code), waited, orphan;
    cl_command_queue queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    CHECK_OK(code);
    CHECK_OK(signal_one(queue, semaphore, &gate, NULL));
    CHECK_OK(wait_one(queue, semaphore, &waited));
    CHECK_OK(clSetUserEventStatus(gate, -5));
    CHECK_EQ(clWaitForEvents(1, &waited), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(signal_one(queue, semaphore, &gate, NULL), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(wait_one(queue, semaphore, &orphan));
    CHECK_OK(clReleaseSemaphoreKHR_(semaphore));
    CHECK_EQ(clWaitForEvents(1, &orphan), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseEvent(waited));
    CHECK_OK(clReleaseEvent(orphan));
    CHECK_OK(clReleaseCommandQueue(queue));
}

static void check_misuse(void)
{
    cl_semaphore_khr semaphore = make(), none = NULL;
    CHECK_EQ(clEnqueueWaitSemaphoresKHR_(NULL, 1, &semaphore, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueWaitSemaphoresKHR_(test_queue, 0, &semaphore, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueWaitSemaphoresKHR_(test_queue, 1, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueWaitSemaphoresKHR_(test_queue, 1, &none, NULL, 0, NULL, NULL), CL_INVALID_SEMAPHORE_KHR);
    CHECK_EQ(clEnqueueWaitSemaphoresKHR_(test_queue, 1, &semaphore, NULL, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueSignalSemaphoresKHR_(NULL, 1, &semaphore, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueSignalSemaphoresKHR_(test_queue, 0, &semaphore, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSignalSemaphoresKHR_(test_queue, 1, &none, NULL, 0, NULL, NULL), CL_INVALID_SEMAPHORE_KHR);
    CHECK_EQ(clGetSemaphoreHandleForTypeKHR_(semaphore, test_device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetSemaphoreHandleForTypeKHR_(none, test_device, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 0, NULL, NULL), CL_INVALID_SEMAPHORE_KHR);
    CHECK_EQ(clGetSemaphoreHandleForTypeKHR_(semaphore, NULL, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 0, NULL, NULL), CL_INVALID_DEVICE);
    CHECK_OK(clReleaseSemaphoreKHR_(semaphore));
}

int main(void)
{
    test_open();
    if (!find_functions() || !test_has(test_device, "cl_khr_semaphore"))
        return test_close() ? 1 : 77;
    check_creation();
    check_queries();
    check_between_queues();
    check_out_of_order();
    check_turns();
    check_failures();
    check_misuse();
    return test_close();
}
