// SPDX-License-Identifier: Apache-2.0
// Ends a process in the middle of work, in each way that Windows has: the exit status is the
// program's own, and nothing hangs.
//   leave WAY    return, exit, thread, ExitProcess, handler (a handler of exit() still calls OpenCL), detached (OpenCL is called
//                while Windows takes libraries down)
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum { STATUS = 42, COUNT = 1 << 14, THREADS = 3 };

static cl_context context;
static cl_device_id device;
static cl_kernel kernel;
static cl_mem memory;
static cl_command_queue queue;
static volatile LONG running;
static BOOL calls_late;

static void expect(cl_int error, const char *what)
{
    if (!error)
        return;
    printf("%s: %d\n", what, error);
    exit(1);
}

static void open_all(void)
{
    const char *source = "kernel void spin(global uint *x) { uint v = x[get_global_id(0)]; for (uint i = 0; i < 20000u; i++) v = v * 1664525u "
                         "+ 1013904223u; x[get_global_id(0)] = v; }";
    cl_platform_id platform;
    cl_int error;
    expect(clGetPlatformIDs(1, &platform, NULL), "platforms");
    expect(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "devices");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    expect(error, "context");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    expect(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
    kernel = clCreateKernel(program, "spin", &error);
    memory = clCreateBuffer(context, 0, COUNT * 4, NULL, &error);
    expect(clSetKernelArg(kernel, 0, sizeof memory, &memory), "argument");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    expect(error, "queue");
}

static void launch(void)
{
    const size_t count = COUNT;
    for (int i = 0; i < 20; i++)
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL);
    clFlush(queue);
}

static unsigned __stdcall work(void *data)
{
    cl_uint first;
    (void)data;
    for (;;) {
        InterlockedIncrement(&running);
        launch();
        clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof first, &first, 0, NULL, NULL);
    }
    return 0;
}

static unsigned __stdcall leave(void *data)
{
    (void)data;
    exit(STATUS);
}

static void release_all(void)
{
    clFinish(queue);
    clReleaseCommandQueue(queue);
    clReleaseMemObject(memory);
    clReleaseKernel(kernel);
    clReleaseContext(context);
}

// Called for the program before any library is detached, when all other threads have ended.
static void NTAPI at_detach(PVOID module, DWORD reason, PVOID end)
{
    (void)module, (void)end;
    if (reason == DLL_PROCESS_DETACH && calls_late)
        release_all();
}

PIMAGE_TLS_CALLBACK callback __attribute__((section(".CRT$XLE"))) = at_detach;

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "return";
    open_all();
    for (int i = 0; i < THREADS; i++)
        _beginthreadex(NULL, 0, work, NULL, 0, NULL);
    while (running < 2 * THREADS)
        Sleep(1);
    if (!strcmp(way, "handler"))
        atexit(release_all);
    calls_late = !strcmp(way, "detached");
    if (!strcmp(way, "ExitProcess") || calls_late)
        ExitProcess(STATUS);
    if (!strcmp(way, "exit") || !strcmp(way, "handler"))
        exit(STATUS);
    if (!strcmp(way, "thread")) {
        _beginthreadex(NULL, 0, leave, NULL, 0, NULL);
        Sleep(60000);
    }
    return STATUS;
}
