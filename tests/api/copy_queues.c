// SPDX-License-Identifier: Apache-2.0
// Long transfers on queues that only copy: contents are right whatever runs beside them, and the
// log of submissions shows which go there.
#include "test.h"

enum { QUEUES = 3, COUNT = 1 << 18, SIZE = 4 * COUNT, ROUNDS = 6, TURNS = 50 };

static FILE *log_file;
static bool has_copy_queues, hidden; // known to be there; not used
static cl_kernel kernel;
static cl_mem mems[QUEUES];
static cl_command_queue queues[QUEUES];
static cl_uint *got[QUEUES], *want[QUEUES];

static const char source[] = "kernel void turn(global uint *a, uint by) {\n"
                             "    uint v = a[get_global_id(0)];\n"
                             "    for (uint i = 0; i < 50; i++) v = v * 3 + by;\n"
                             "    a[get_global_id(0)] = v; }\n";

static int copies(void)
{
    return test_log_count(log_file, ": batch ", "on a copy queue");
}

static cl_uint turned(cl_uint value, cl_uint by)
{
    for (int i = 0; i < TURNS; i++)
        value = value * 3 + by;
    return value;
}

static void launch(int i, cl_uint by)
{
    const size_t size = COUNT;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mems[i], &mems[i]));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof by, &by));
    CHECK_OK(clEnqueueNDRangeKernel(queues[i], kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
}

static void write_buffer(int i, cl_uint count, const cl_event *waits, cl_event *out)
{
    CHECK_OK(clEnqueueWriteBuffer(queues[i], mems[i], CL_FALSE, 0, SIZE, got[i], count, waits, out));
}

static void read_buffer(int i, cl_uint count, const cl_event *waits, cl_event *out)
{
    CHECK_OK(clEnqueueReadBuffer(queues[i], mems[i], CL_FALSE, 0, SIZE, got[i], count, waits, out));
}

static int count_wrong(int i)
{
    int wrong = 0;
    for (int k = 0; k < COUNT; k++)
        wrong += got[i][k] != want[i][k];
    return wrong;
}

// Each queue writes, computes and reads, with other queues at work.
static void side_by_side(void)
{
    int before = copies();
    for (cl_uint round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < QUEUES; i++) {
            write_buffer(i, 0, NULL, NULL);
            launch(i, round);
            CHECK_OK(clFlush(queues[i]));
            read_buffer(i, 0, NULL, NULL);
            CHECK_OK(clFlush(queues[i]));
        }
        for (int i = 0; i < QUEUES; i++) {
            CHECK_OK(clFinish(queues[i]));
            for (int k = 0; k < COUNT; k++)
                want[i][k] = turned(want[i][k], round);
            CHECK_EQ(count_wrong(i), 0);
        }
    }
    CHECK(!has_copy_queues || copies() > before);
}

// One queue computes; the other only copies, which it begins on copy queues even if nothing else
// runs, and waits for events of the first.
static void one_that_copies(void)
{
    cl_command_queue own = queues[1];
    cl_int error;
    cl_event computed, read, written;
    cl_ulong begin = 0, end = 0;
    queues[1] = clCreateCommandQueue(test_context, test_device, CL_QUEUE_PROFILING_ENABLE, &error);
    CHECK_OK(error);
    int before = copies();
    mems[2] = mems[1];
    write_buffer(1, 0, NULL, &written);
    CHECK_OK(clFlush(queues[1]));
    CHECK_OK(clEnqueueBarrierWithWaitList(queues[2], 1, &written, NULL));
    launch(2, 7);
    CHECK_OK(clEnqueueMarkerWithWaitList(queues[2], 0, NULL, &computed));
    CHECK_OK(clFlush(queues[2]));
    read_buffer(1, 1, &computed, &read);
    CHECK_OK(clWaitForEvents(1, &read));
    for (int k = 0; k < COUNT; k++)
        want[1][k] = turned(want[1][k], 7);
    CHECK_EQ(count_wrong(1), 0);
    CHECK_OK(clGetEventProfilingInfo(read, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
    CHECK_OK(clGetEventProfilingInfo(read, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    CHECK(begin < end);
    CHECK(!has_copy_queues || copies() > before);
    CHECK_OK(clReleaseEvent(written));
    CHECK_OK(clReleaseEvent(computed));
    CHECK_OK(clReleaseEvent(read));
    CHECK_OK(clReleaseCommandQueue(queues[1]));
    queues[1] = own;
}

// A queue that is alone stays where its kernels are.
static void alone(void)
{
    for (int i = 0; i < QUEUES; i++)
        CHECK_OK(clFinish(queues[i]));
    launch(0, 1);
    CHECK_OK(clFinish(queues[0]));
    int before = copies();
    launch(0, 2);
    read_buffer(0, 0, NULL, NULL);
    CHECK_OK(clFinish(queues[0]));
    CHECK_EQ(copies(), before);
    for (int k = 0; k < COUNT; k++)
        want[0][k] = turned(turned(want[0][k], 1), 2);
    CHECK_EQ(count_wrong(0), 0);
}

int main(void)
{
    const char *without = getenv("PUMICE_WITHOUT");
    log_file = test_log();
    setenv("PUMICE_DEBUG", "queue", 1);
    test_open();
    hidden = without && strstr(without, "copy_queues");
    has_copy_queues = getenv("HAS_COPY_QUEUES") && !hidden;
    cl_program program = test_build(source, "");
    kernel = test_kernel(program, "turn");
    for (int i = 0; i < QUEUES; i++) {
        cl_int error;
        queues[i] = clCreateCommandQueue(test_context, test_device, 0, &error);
        CHECK_OK(error);
        mems[i] = test_buffer(CL_MEM_READ_WRITE, SIZE, NULL);
        got[i] = malloc(SIZE);
        want[i] = malloc(SIZE);
        for (cl_uint k = 0; k < COUNT; k++)
            got[i][k] = want[i][k] = k * 7 + (cl_uint)i;
    }
    cl_mem third = mems[2];
    side_by_side();
    one_that_copies();
    mems[2] = third;
    alone();
    if (hidden)
        CHECK_EQ(copies(), 0);
    for (int i = 0; i < QUEUES; i++) {
        CHECK_OK(clReleaseMemObject(mems[i]));
        CHECK_OK(clReleaseCommandQueue(queues[i]));
        free(got[i]);
        free(want[i]);
    }
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
