// SPDX-License-Identifier: Apache-2.0
// Command queues: properties, queries, reference counts, markers and barriers.
#include "test.h"

#include <unistd.h>

struct creation {
    cl_queue_properties list[6];
    cl_int want;
};

static const struct creation creations[] = {
    {{0}, CL_SUCCESS},
    {{CL_QUEUE_PROPERTIES, 0, 0}, CL_SUCCESS},
    {{CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0}, CL_SUCCESS},
    {{CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0}, CL_SUCCESS},
    {{CL_QUEUE_PROPERTIES, 1 << 20, 0}, CL_INVALID_VALUE},
    {{0x7777, 0, 0}, CL_INVALID_VALUE},
    {{CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, 0}, CL_SUCCESS},
    {{CL_QUEUE_PROPERTIES, 0, CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_MED_KHR, 0}, CL_SUCCESS},
    {{CL_QUEUE_PRIORITY_KHR, 3, 0}, CL_INVALID_VALUE},
    {{CL_QUEUE_SIZE, 1024, 0}, CL_INVALID_VALUE},
    {{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT, 0}, CL_INVALID_VALUE},
};

static void check_creation(void)
{
    for (size_t i = 0; i < sizeof creations / sizeof *creations; i++) {
        cl_int error = 1;
        cl_command_queue queue = clCreateCommandQueueWithProperties(test_context, test_device,
                                                                    creations[i].list, &error);
        if (!CHECK_EQ(error, creations[i].want))
            printf("  in creation %zu\n", i);
        CHECK((queue != NULL) == (error == CL_SUCCESS));
        if (!queue)
            continue;
        cl_queue_properties list[6];
        cl_command_queue_properties bits;
        size_t size;
        CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &size));
        CHECK(!memcmp(list, creations[i].list, size) && size >= sizeof *list);
        CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
        CHECK_EQ(bits, creations[i].list[1]);
        CHECK_OK(clReleaseCommandQueue(queue));
    }
    CHECK_CREATE(clCreateCommandQueue(NULL, test_device, 0, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(clCreateCommandQueue(test_context, NULL, 0, &error), CL_INVALID_DEVICE);
    CHECK_CREATE(clCreateCommandQueue(test_context, test_device, 1 << 20, &error),
                 CL_INVALID_VALUE);
    CHECK(clCreateCommandQueue((cl_context)test_device, test_device, 0, NULL) == NULL);
}

static void check_queries(void)
{
    cl_context context;
    cl_device_id device;
    cl_uint count, size_value;
    size_t size;
    cl_command_queue other;
    cl_device_device_enqueue_capabilities enqueues = 0;
    CHECK_OK(clGetCommandQueueInfo(test_queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
    CHECK(context == test_context);
    CHECK_OK(clGetCommandQueueInfo(test_queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
    CHECK(device == test_device);
    CHECK_OK(clRetainCommandQueue(test_queue));
    CHECK_OK(clGetCommandQueueInfo(test_queue, CL_QUEUE_REFERENCE_COUNT, 4, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clReleaseCommandQueue(test_queue));
    CHECK_OK(clGetCommandQueueInfo(test_queue, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size));
    CHECK_EQ(size, 0); // created by clCreateCommandQueue
    CHECK_EQ(clGetCommandQueueInfo(test_queue, CL_QUEUE_SIZE, 4, &size_value, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_OK(
        clGetCommandQueueInfo(test_queue, CL_QUEUE_DEVICE_DEFAULT, sizeof other, &other, NULL));
    CHECK(other == NULL);
    CHECK_EQ(clGetCommandQueueInfo(test_queue, 0xdead, 4, &count, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clSetCommandQueueProperty(test_queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, NULL),
             CL_INVALID_OPERATION);
    clGetDeviceInfo(test_device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof enqueues, &enqueues, NULL);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(test_context, test_device, test_queue),
             enqueues ? CL_INVALID_COMMAND_QUEUE : CL_INVALID_OPERATION);
}

static void check_order_calls(void)
{
    cl_event event = NULL;
    CHECK_OK(clEnqueueMarker(test_queue, &event));
    CHECK_EQ(clEnqueueMarker(test_queue, NULL), CL_INVALID_VALUE);
    CHECK_OK(clEnqueueWaitForEvents(test_queue, 1, &event));
    CHECK_EQ(clEnqueueWaitForEvents(test_queue, 0, NULL), CL_INVALID_VALUE);
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clEnqueueBarrier(test_queue));
    CHECK_OK(clEnqueueMarkerWithWaitList(test_queue, 0, NULL, &event));
    CHECK_OK(clEnqueueBarrierWithWaitList(test_queue, 1, &event, NULL));
    CHECK_EQ(clEnqueueBarrierWithWaitList(test_queue, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueBarrierWithWaitList(test_queue, 0, &event, NULL), CL_INVALID_EVENT_WAIT_LIST);
    cl_event wrong = (cl_event)test_device;
    CHECK_EQ(clEnqueueBarrierWithWaitList(test_queue, 1, &wrong, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_OK(clFlush(test_queue));
    CHECK_OK(clFinish(test_queue));
    cl_int status;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4, &status, NULL));
    CHECK_EQ(status, CL_COMPLETE);
    CHECK_OK(clReleaseEvent(event));
}

// An event outlives its queue and context.
static void check_event_outlives_queue(void)
{
    cl_int code;
    cl_event event = NULL;
    cl_context context = clCreateContext(NULL, 1, &test_device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueue(context, test_device, 0, &code);
    CHECK_OK(clEnqueueMarker(queue, &event));
    CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(clReleaseContext(context));
    CHECK_OK(clWaitForEvents(1, &event));
    cl_command_queue again;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof again, &again, NULL));
    CHECK(again == queue);
    CHECK_OK(clReleaseEvent(event));
}

// Commands wait for those of a queue that is released before they are submitted.
static void check_waits_for_released_queues(void)
{
    enum { TIMES = 100 };
    cl_mem mem = test_buffer(0, 64, NULL);
    cl_int code, value = 0;
    for (cl_int i = 1; i <= TIMES; i++) {
        cl_event event = NULL, copied = NULL;
        cl_command_queue queue = clCreateCommandQueue(test_context, test_device, 0, &code);
        CHECK_OK(clEnqueueFillBuffer(queue, mem, &i, sizeof i, 0, 64, 0, NULL, &event));
        CHECK_OK(clEnqueueCopyBuffer(test_queue, mem, mem, 0, 32, 32, 1, &event, &copied));
        CHECK_OK(clReleaseEvent(event));
        CHECK_OK(clReleaseCommandQueue(queue));
        if (i % 2)
            usleep(500);
        CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 32, 4, &value, 0, NULL, NULL));
        CHECK_OK(clWaitForEvents(1, &copied));
        CHECK_EQ(value, i);
        CHECK_OK(clReleaseEvent(copied));
    }
    CHECK_OK(clReleaseMemObject(mem));
}

// Wrappers retain and release a queue around each call: that must not split the commands into
// batches of one. But the commands must be submitted soon, even with other references.
static void CL_CALLBACK mark(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status;
    __atomic_store_n((int *)data, 1, __ATOMIC_SEQ_CST);
}

static void check_release_with_references(void)
{
    enum { COMMANDS = 32 };
    cl_int code;
    cl_event events[COMMANDS];
    cl_ulong queued[COMMANDS], submit[COMMANDS];
    int submitted = 0, together = 0;
    cl_mem mem = test_buffer(0, 64, NULL);
    cl_command_queue queue =
        clCreateCommandQueue(test_context, test_device, CL_QUEUE_PROFILING_ENABLE, &code);
    for (int i = 0; i < COMMANDS; i++) {
        CHECK_OK(clEnqueueCopyBuffer(queue, mem, mem, 0, 32, 32, 0, NULL, &events[i]));
        CHECK_OK(clRetainCommandQueue(queue));
        CHECK_OK(clReleaseCommandQueue(queue));
    }
    CHECK_OK(clSetEventCallback(events[COMMANDS - 1], CL_SUBMITTED, mark, &submitted));
    for (int i = 0; i < 20000 && !__atomic_load_n(&submitted, __ATOMIC_SEQ_CST); i++)
        usleep(1000);
    CHECK_EQ(__atomic_load_n(&submitted, __ATOMIC_SEQ_CST), 1);
    CHECK_OK(clFinish(queue));
    for (int i = 0; i < COMMANDS; i++) {
        CHECK_OK(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_SUBMIT, sizeof submit[i],
                                         &submit[i], NULL));
        CHECK_OK(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_QUEUED, sizeof queued[i],
                                         &queued[i], NULL));
        CHECK_OK(clReleaseEvent(events[i]));
        together += i && submit[i - 1] >= queued[i]; // it was batched with the next one
    }
    CHECK(together > 0);
    CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(clReleaseMemObject(mem));
}

// A flush may be deferred while the device is busy: the commands must complete even without further
// calls.
static void check_flushed_ends(void)
{
    enum { COMMANDS = 16, SIZE = 8 << 20, ONE = 1 };
    cl_device_svm_capabilities has = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof has, &has, NULL));
    if (!(has & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
        return;
    cl_int one = ONE, *seen = clSVMAlloc(test_context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof *seen, 0);
    cl_mem mem = test_buffer(0, 2 * SIZE, NULL);
    *seen = 0;
    for (int i = 0; i < COMMANDS; i++) {
        CHECK_OK(clEnqueueCopyBuffer(test_queue, mem, mem, 0, SIZE, SIZE, 0, NULL, NULL));
        CHECK_OK(clFlush(test_queue));
    }
    CHECK_OK(clEnqueueSVMMemFill(test_queue, seen, &one, sizeof one, sizeof one, 0, NULL, NULL));
    CHECK_OK(clFlush(test_queue));
    for (int i = 0; i < 20000 && !__atomic_load_n(seen, __ATOMIC_SEQ_CST); i++)
        usleep(1000);
    CHECK_EQ(__atomic_load_n(seen, __ATOMIC_SEQ_CST), ONE);
    CHECK_OK(clFinish(test_queue));
    clSVMFree(test_context, seen);
    CHECK_OK(clReleaseMemObject(mem));
}

int main(void)
{
    test_open();
    check_creation();
    check_queries();
    check_order_calls();
    check_event_outlives_queue();
    check_release_with_references();
    check_waits_for_released_queues();
    check_flushed_ends();
    return test_close();
}
