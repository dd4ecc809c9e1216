// SPDX-License-Identifier: Apache-2.0
// Unified shared memory (cl_intel_unified_shared_memory) on the first device of the first platform:
// GB/s of copies, latencies, and how the costs grow with the number of allocations.
//
//   copy TO<-FROM   a blocking clEnqueueMemcpyINTEL of SIZE; plain: memory from malloc()
//   read KIND       a kernel that reads all of it once
//   chase KIND      a kernel that follows pointers, each to another cache line: ns per step
//   empty           a blocking copy of 4 bytes device<-plain; a launch with five pointers and clFinish
//   launch          only the enqueue of that kernel, with all indirect accesses allowed
//   alloc+free      of 4 KiB with 0, 1000, 30000 others allocated; of 16 MiB; launches with 30000
//
//   OCL_ICD_VENDORS=LIBRARY bench_usm [MiB]
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_cl.h"

#include <CL/cl_ext.h>

enum { KINDS = 4, TIMES = 6, NODES = 1 << 16, LINE = 128 };
enum { DEVICE, HOST, SHARED, PLAIN };
static const char *const names[KINDS] = {"device", "host", "shared", "plain"};

static struct bench_cl cl;
static clHostMemAllocINTEL_fn host_alloc;
static clDeviceMemAllocINTEL_fn device_alloc;
static clSharedMemAllocINTEL_fn shared_alloc;
static clMemFreeINTEL_fn mem_free;
static clSetKernelArgMemPointerINTEL_fn set_arg;
static clEnqueueMemcpyINTEL_fn copy;

static const char *source =
    "kernel void read(global const uint4 *p, global uint *out, ulong n)\n"
    "{ uint4 s = 0; for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) s ^= p[i];\n"
    "  if ((s.x ^ s.y ^ s.z ^ s.w) == 0x12345u) *out = s.x; }\n"
    "kernel void chase(global ulong *p, int n)\n"
    "{ global ulong *at = p; for (int i = 0; i < n; i++) at = (global ulong *)at[0];\n"
    "  p[1] = (ulong)at; }\n"
    "kernel void five(global int *a, global int *b, global int *c, global int *d, global int *e)\n"
    "{ a[0] = b[0] + c[0] + d[0] + e[0]; }\n";
static cl_program program;

static void *make(int kind, size_t size)
{
    cl_int status = CL_SUCCESS;
    void *p = kind == DEVICE   ? device_alloc(cl.context, cl.device, NULL, size, 0, &status)
              : kind == HOST   ? host_alloc(cl.context, NULL, size, 0, &status)
              : kind == SHARED ? shared_alloc(cl.context, cl.device, NULL, size, 0, &status)
                               : malloc(size);
    bench_check(status, names[kind]);
    if (kind == PLAIN)
        memset(p, 1, size);
    return p;
}

static void drop(int kind, void *p)
{
    if (kind == PLAIN)
        free(p);
    else
        bench_check(mem_free(cl.context, p), "clMemFreeINTEL");
}

static void copy_now(void *to, const void *from, size_t size)
{
    bench_check(copy(cl.queue, CL_TRUE, to, from, size, 0, NULL, NULL), "clEnqueueMemcpyINTEL");
}

static void show_copy(int to, int from, size_t size)
{
    void *a = make(to, size), *b = make(from, size);
    double best = 1e9;
    for (int i = 0; i < TIMES; i++) {
        double begin = bench_now();
        copy_now(a, b, size);
        double took = bench_now() - begin;
        best = took < best ? took : best;
    }
    printf("copy %s<-%s %.2f GB/s\n", names[to], names[from], (double)size / best * 1e-9);
    drop(to, a);
    drop(from, b);
}

static cl_kernel kernel(const char *name)
{
    cl_int status;
    cl_bool yes = CL_TRUE;
    cl_kernel made = clCreateKernel(program, name, &status);
    bench_check(status, name);
    clSetKernelExecInfo(made, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, sizeof yes, &yes);
    clSetKernelExecInfo(made, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof yes, &yes);
    clSetKernelExecInfo(made, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof yes, &yes);
    return made;
}

static void launch(cl_kernel made, size_t global)
{
    bench_check(clEnqueueNDRangeKernel(cl.queue, made, 1, NULL, &global, NULL, 0, NULL, NULL),
                "launch");
}

static double run_best(cl_kernel made, size_t global)
{
    double best = 1e9;
    for (int i = 0; i < TIMES; i++) {
        double begin = bench_now();
        launch(made, global);
        bench_check(clFinish(cl.queue), "clFinish");
        double took = bench_now() - begin;
        best = took < best ? took : best;
    }
    return best;
}

static void show_read(int kind, size_t size)
{
    cl_kernel made = kernel("read");
    void *p = make(kind, size), *out = make(DEVICE, 64);
    cl_ulong n = size / 16;
    set_arg(made, 0, p);
    set_arg(made, 1, out);
    clSetKernelArg(made, 2, sizeof n, &n);
    double best = run_best(made, 1 << 17);
    printf("read %s %.2f GB/s\n", names[kind], (double)size / best * 1e-9);
    clReleaseKernel(made);
    drop(kind, p);
    drop(DEVICE, out);
}

// Every node points to a distant one; all form one ring.
static void show_chase(int kind)
{
    enum { STEPS = 20000 };
    size_t size = (size_t)NODES * LINE;
    char *p = make(kind, size), *plain = calloc(1, size);
    uint64_t at = 0;
    int steps = STEPS;
    cl_kernel made = kernel("chase");
    for (int i = 0; i < NODES; i++) {
        uint64_t next = (at + 40503) % NODES;
        uint64_t where = (uintptr_t)(p + next * LINE);
        memcpy(plain + at * LINE, &where, sizeof where);
        at = next;
    }
    copy_now(p, plain, size);
    set_arg(made, 0, p);
    clSetKernelArg(made, 1, sizeof steps, &steps);
    printf("chase %s %.0f ns\n", names[kind], run_best(made, 1) / STEPS * 1e9);
    clReleaseKernel(made);
    drop(kind, p);
    free(plain);
}

static cl_kernel five_kernel(void *memory[5])
{
    cl_kernel made = kernel("five");
    for (cl_uint i = 0; i < 5; i++)
        set_arg(made, i, memory[i]);
    return made;
}

static double launch_us(cl_kernel made, int count, void *memory[5])
{
    double begin = bench_now();
    for (int i = 0; i < count; i++) {
        for (cl_uint k = 0; k < 5; k++)
            set_arg(made, k, memory[k]);
        launch(made, 1);
    }
    double took = bench_now() - begin;
    bench_check(clFinish(cl.queue), "clFinish");
    return took / count * 1e6;
}

static double alloc_us(size_t size, int count)
{
    void *last[8] = {NULL};
    double begin = bench_now();
    for (int i = 0; i < count; i++) { // a few are allocated at a time, like temporaries of array
                                      // programs
        if (last[i % 8])
            drop(DEVICE, last[i % 8]);
        last[i % 8] = make(DEVICE, size);
    }
    double took = bench_now() - begin;
    for (int i = 0; i < 8; i++)
        drop(DEVICE, last[i]);
    return took / count * 1e6;
}

static void show_costs(void)
{
    enum { MANY = 30000 };
    void **others = malloc(MANY * sizeof *others), *memory[5];
    int four = 4;
    for (int i = 0; i < 5; i++)
        memory[i] = make(DEVICE, 4096);
    cl_kernel made = five_kernel(memory);
    run_best(made, 1);
    double best = 1e9;
    for (int i = 0; i < 50; i++) {
        double begin = bench_now();
        copy_now(memory[0], &four, sizeof four);
        double took = bench_now() - begin;
        best = took < best ? took : best;
    }
    printf("empty copy %.1f us, launch and finish %.1f us\n", best * 1e6, run_best(made, 1) * 1e6);
    launch_us(made, 1000, memory);
    printf("launch %.2f us\n", launch_us(made, 5000, memory));
    printf("alloc+free %.2f us", alloc_us(4096, 20000));
    for (int i = 0; i < MANY; i++) {
        others[i] = make(DEVICE, 4096);
        if (i == 1000)
            printf(", with 1000 %.2f us", alloc_us(4096, 20000));
    }
    printf(", with 30000 %.2f us; of 16 MiB %.2f us\n", alloc_us(4096, 20000),
           alloc_us(16 << 20, 2000));
    printf("launch with 30000 %.2f us\n", launch_us(made, 5000, memory));
    double begin = bench_now();
    for (int i = 0; i < MANY; i++) // from the front: the worst order for a sorted array
        drop(DEVICE, others[i]);
    printf("free of 30000 %.2f us each\n", (bench_now() - begin) / MANY * 1e6);
    for (int i = 0; i < 5; i++)
        drop(DEVICE, memory[i]);
    clReleaseKernel(made);
    free(others);
}

static bool has(cl_device_info query)
{
    cl_bitfield caps = 0;
    return clGetDeviceInfo(cl.device, query, sizeof caps, &caps, NULL) == CL_SUCCESS && caps;
}

static bool find_functions(void)
{
    cl_platform_id platform;
    clGetDeviceInfo(cl.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
#define FIND(name) (name##_fn) clGetExtensionFunctionAddressForPlatform(platform, #name)
    host_alloc = FIND(clHostMemAllocINTEL);
    device_alloc = FIND(clDeviceMemAllocINTEL);
    shared_alloc = FIND(clSharedMemAllocINTEL);
    mem_free = FIND(clMemFreeINTEL);
    set_arg = FIND(clSetKernelArgMemPointerINTEL);
    copy = FIND(clEnqueueMemcpyINTEL);
#undef FIND
    return device_alloc != NULL;
}

int main(int argc, char **argv)
{
    static const int pairs[][2] = {{DEVICE, DEVICE}, {DEVICE, PLAIN}, {PLAIN, DEVICE},
                                   {DEVICE, HOST},   {HOST, DEVICE},  {SHARED, DEVICE}};
    size_t size = (size_t)(argc > 1 ? atoi(argv[1]) : 256) << 20;
    cl_int status;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!bench_cl_open(&cl, NULL, 0) || !find_functions()) {
        printf("no unified shared memory\n");
        return 77;
    }
    bool there[KINDS] = {true, has(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL),
                         has(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL), true};
    printf("%s, %zu MiB\n", cl.name, size >> 20);
    program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &status);
    bench_check(clBuildProgram(program, 1, &cl.device, "", NULL, NULL), "clBuildProgram");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (there[pairs[i][0]] && there[pairs[i][1]])
            show_copy(pairs[i][0], pairs[i][1], size);
    }
    for (int kind = 0; kind < PLAIN; kind++) {
        if (there[kind])
            show_read(kind, size);
    }
    for (int kind = 0; kind < PLAIN; kind++) {
        if (there[kind])
            show_chase(kind);
    }
    show_costs();
    clReleaseProgram(program);
    bench_cl_close(&cl);
    return 0;
}
