// SPDX-License-Identifier: Apache-2.0
// A server's process: each client has a context of its own, a thread that enqueues for it and one that polls what was
// enqueued, and some clients go away in the middle of their work. Then their threads end and all is released, in any order,
// with commands in flight, commands that wait for a user event which nobody sets any more, and memory still mapped. The other
// clients' results stay right, and nothing is left behind.
#include "test.h"

#include <pthread.h>

enum { CLIENTS = 4, GENERATIONS = 4, LAUNCHES = 60, WORDS = 1024, RING = 256, SECONDS = 300 };

static const char source[] = "kernel void add(global uint *x, uint n) { x[get_global_id(0)] += n; }";

struct client {
    int number;
    bool dies;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem mem;
    cl_event gate; // a user event, of a client that dies
    cl_event events[RING];
    atomic_int made, polled; // of events
    atomic_bool gone;
    atomic_int failed;
};

static atomic_int failures;

// As servers do: no waiting, then what is known of the command.
static void *poll_all(void *data)
{
    struct client *client = data;
    while (!client->gone || client->polled < client->made) {
        int at = client->polled;
        cl_int status = CL_QUEUED;
        if (at == client->made)
            continue;
        client->failed += clGetEventInfo(client->events[at], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) != 0;
        if (status > CL_COMPLETE && !(client->dies && client->gone))
            continue;
        cl_ulong end = 0;
        if (status == CL_COMPLETE)
            client->failed += clWaitForEvents(1, &client->events[at]) ||
                              clGetEventProfilingInfo(client->events[at], CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
        client->failed += clReleaseEvent(client->events[at]) != 0;
        client->polled = at + 1;
    }
    return NULL;
}

static bool open_client(struct client *client)
{
    const char *text = source;
    cl_int errors[5];
    client->context = clCreateContext(NULL, 1, &test_device, NULL, NULL, &errors[0]);
    client->queue = clCreateCommandQueue(client->context, test_device,
                                         CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &errors[1]);
    client->program = clCreateProgramWithSource(client->context, 1, &text, NULL, &errors[2]);
    cl_int built = clBuildProgram(client->program, 1, &test_device, "", NULL, NULL);
    client->kernel = clCreateKernel(client->program, "add", &errors[3]);
    client->mem = clCreateBuffer(client->context, CL_MEM_READ_WRITE, WORDS * sizeof(cl_uint), NULL, &errors[4]);
    return !(errors[0] || errors[1] || errors[2] || built || errors[3] || errors[4]);
}

// Each waits for the one before it, which the poller may have released: our own reference is to the last.
static void enqueue_all(struct client *client)
{
    const cl_uint zero = 0, n = (cl_uint)client->number;
    const size_t words = WORDS;
    cl_event last = NULL;
    client->failed += clEnqueueFillBuffer(client->queue, client->mem, &zero, sizeof zero, 0, WORDS * sizeof zero, 0, NULL, &last) ||
                      clSetKernelArg(client->kernel, 0, sizeof client->mem, &client->mem) ||
                      clSetKernelArg(client->kernel, 1, sizeof n, &n);
    for (int i = 0; i < LAUNCHES && !client->failed; i++) {
        cl_event event, waits[2] = {last, client->gate};
        bool gated = client->dies && i == LAUNCHES / 2;
        if (clEnqueueNDRangeKernel(client->queue, client->kernel, 1, NULL, &words, NULL, gated ? 2 : 1, waits, &event)) {
            client->failed++;
            break;
        }
        client->failed += clRetainEvent(event) || clReleaseEvent(last);
        last = event;
        client->events[client->made] = event;
        client->made++;
    }
    if (client->failed) {
        // its results are of no interest
    } else if (!client->dies) {
        static _Thread_local cl_uint read[WORDS];
        client->failed += clEnqueueReadBuffer(client->queue, client->mem, CL_TRUE, 0, sizeof read, read, 1, &last, NULL) != 0;
        for (int i = 0; i < WORDS; i++)
            client->failed += read[i] != LAUNCHES * n;
    } else {
        cl_int error;
        clEnqueueMapBuffer(client->queue, client->mem, CL_FALSE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL, &error);
        client->failed += error != 0;
    }
    if (last)
        client->failed += clReleaseEvent(last) != 0;
}

static void close_client(struct client *client, int order)
{
    for (int i = 0; i < 5; i++)
        switch ((i * 2 + order) % 5) {
        case 0: client->failed += clReleaseContext(client->context) != 0; break;
        case 1: client->failed += clReleaseCommandQueue(client->queue) != 0; break;
        case 2: client->failed += clReleaseMemObject(client->mem) != 0; break;
        case 3: client->failed += clReleaseKernel(client->kernel) != 0; break;
        case 4: client->failed += clReleaseProgram(client->program) != 0; break;
        }
    if (client->gate)
        client->failed += clReleaseEvent(client->gate) != 0;
}

static void *serve(void *number)
{
    for (int generation = 0; generation < GENERATIONS; generation++) {
        struct client *client = calloc(1, sizeof *client);
        pthread_t poller;
        cl_int error = CL_SUCCESS;
        client->number = (int)(intptr_t)number + 1;
        client->dies = (client->number + generation) % 2;
        if (open_client(client)) {
            client->gate = client->dies ? clCreateUserEvent(client->context, &error) : NULL;
            pthread_create(&poller, NULL, poll_all, client);
            enqueue_all(client);
            client->gone = true;
            pthread_join(poller, NULL);
            close_client(client, generation + client->number);
        } else {
            client->failed++;
        }
        atomic_fetch_add(&failures, client->failed + (error != CL_SUCCESS));
        free(client);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[CLIENTS];
    test_open();
    alarm(SECONDS); // a hang ends here
    for (intptr_t i = 0; i < CLIENTS; i++)
        pthread_create(&threads[i], NULL, serve, (void *)i);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    CHECK_NONE(failures);
    return test_close();
}
