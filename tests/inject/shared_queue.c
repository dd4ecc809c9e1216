// SPDX-License-Identifier: Apache-2.0
// Two threads share an in-order queue, and the commands of both cannot be submitted: each thread
// gets an error, whichever flushes, before it can use old contents as new ones. Run by inject_run
// with vkQueueSubmit2 failing slowly, so that other calls overlap it.
#include "test.h"

#include <pthread.h>
#include <unistd.h>

enum { ROUNDS = 4, MEANWHILE_US = 15000 };

static cl_program program;
static pthread_barrier_t barrier;
static int wrong[2], failed[2];

// The first thread flushes; the other reads while the flush is in progress, or finishes after it.
static cl_int submit(int id, bool later)
{
    cl_int code = CL_SUCCESS;
    pthread_barrier_wait(&barrier);
    if (!id)
        code = clFlush(test_queue);
    else if (!later)
        usleep(MEANWHILE_US);
    if (later)
        pthread_barrier_wait(&barrier);
    if (id && later)
        code = clFinish(test_queue);
    return code;
}

static void *run(void *data)
{
    int id = *(int *)data;
    const size_t one = 1;
    cl_int code, zero = 0;
    cl_mem mem = clCreateBuffer(test_context, CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, &code);
    cl_kernel kernel = test_kernel(program, "set");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (cl_int round = 1; round <= ROUNDS; round++) {
        cl_int value = 0;
        clSetKernelArg(kernel, 1, sizeof round, &round);
        bool told = clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
        told |= submit(id, round % 2) != CL_SUCCESS;
        told |= clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof value, &value, 0, NULL,
                                    NULL) != CL_SUCCESS;
        failed[id] += told;
        wrong[id] += !told && value != round;
        pthread_barrier_wait(&barrier);
    }
    clReleaseKernel(kernel);
    clReleaseMemObject(mem);
    return NULL;
}

int main(void)
{
    int ids[2] = {0, 1};
    pthread_t other;
    test_open();
    program = test_build("kernel void set(global int *p, int n) { p[0] = n; }", "");
    pthread_barrier_init(&barrier, NULL, 2);
    CHECK(!pthread_create(&other, NULL, run, &ids[1]));
    run(&ids[0]);
    pthread_join(other, NULL);
    CHECK_EQ(wrong[0] + wrong[1], 0);
    CHECK_NONE(failed[0] + failed[1]);
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
