// SPDX-License-Identifier: Apache-2.0
// Two processes on one device: the second gets the memory that the first has left, an error beyond
// that, and continues to work; memory that either frees is available to the other. Run by
// inject_run --budget=MIB.
#include "test.h"

#include <sys/wait.h>

enum { MANY = 200, SIZE = 1 << 20, FEW = 16 };

static cl_mem list[MANY];
static int count;

// Returns the number of buffers that could be created, up to `most`.
static int take(int most)
{
    int before = count;
    for (cl_int code = CL_SUCCESS; count - before < most && count < MANY; count++) {
        list[count] = clCreateBuffer(test_context, 0, SIZE, NULL, &code);
        if (!code)
            continue;
        CHECK_EQ(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
        break;
    }
    return count - before;
}

static void give_back(int until)
{
    while (count > until)
        CHECK_OK(clReleaseMemObject(list[--count]));
}

static void check_work(void)
{
    cl_int value = 0, seven = 7;
    CHECK_OK(clEnqueueFillBuffer(test_queue, list[0], &seven, 4, 0, SIZE, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, list[0], CL_TRUE, SIZE - 4, 4, &value, 0, NULL, NULL));
    CHECK_EQ(value, 7);
}

static void wait_for(int pipe_end)
{
    char byte;
    CHECK(read(pipe_end, &byte, 1) == 1);
}

static void tell(int pipe_end)
{
    CHECK(write(pipe_end, "", 1) == 1);
}

// The first process: allocates half, frees it on request, ends on request.
static int run_first(int in, int out)
{
    test_open();
    CHECK_EQ(take(48), 48);
    tell(out);
    wait_for(in);
    check_work();
    give_back(0);
    tell(out);
    wait_for(in);
    return test_close();
}

int main(void)
{
    int to[2], from[2], status = 1;
    if (pipe(to) || pipe(from))
        return 1;
    pid_t child = fork();
    if (!child)
        return run_first(to[0], from[1]);
    wait_for(from[0]);
    test_open();
    int some = take(MANY);
    CHECK(some >= FEW && some <= 48);
    check_work();
    tell(to[1]);
    wait_for(from[0]);
    CHECK(take(MANY) >= 48 - FEW);
    check_work();
    give_back(0);
    tell(to[1]);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    return test_close();
}
