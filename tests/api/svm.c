// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory at every level that the device supports, its errors, and buffers by device
// address (cl_ext_buffer_device_address).
#define _GNU_SOURCE
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#include "object/cl.h"

enum { N = 4096 };

static cl_device_svm_capabilities caps;

static const char *source =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "struct node { global struct node *next; int value; };\n"
    "kernel void sum(global struct node *list, global int *out)\n"
    "{ int s = 0; for (; list; list = list->next) s += list->value++; *out = s; }\n"
    "kernel void put(global ulong *at, ulong where) { *(global ulong *)where = *at + 1; }\n"
    "kernel void is_null(global int *p, global int *out) { *out = p == 0; }\n";
static cl_program program;

static int *map_ints(int *p, cl_map_flags flags)
{
    CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, flags, p, N * sizeof *p, 0, NULL, NULL));
    return p;
}

static void unmap_ints(int *p)
{
    CHECK_OK(clEnqueueSVMUnmap(test_queue, p, 0, NULL, NULL));
}

static void run(cl_kernel kernel, size_t size)
{
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
}

// ---- coarse-grain and fine-grain memory ---------------------------------------------------------

// The only sign of an error here is NULL.
static void *shared(cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    void *p = clSVMAlloc(test_context, flags, size, alignment);
    CHECK_NONE(!p);
    return p;
}

static void check_kernel(cl_svm_mem_flags flags)
{
    cl_kernel add = test_kernel(program, "add");
    int *p = shared(flags, N * sizeof *p, 0), n = 5;
    CHECK((uintptr_t)p % 128 == 0);
    map_ints(p, CL_MAP_WRITE_INVALIDATE_REGION);
    for (int i = 0; i < N; i++)
        p[i] = i;
    unmap_ints(p);
    CHECK_OK(clSetKernelArgSVMPointer(add, 0, p + N / 2));
    CHECK_OK(clSetKernelArg(add, 1, sizeof n, &n));
    run(add, N / 2);
    map_ints(p, CL_MAP_READ | CL_MAP_WRITE);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += p[i] != (i < N / 2 ? i : i + 5);
    CHECK_EQ(wrong, 0);
    p[N - 1] = 77;
    unmap_ints(p);
    cl_kernel clone = clCloneKernel(add, NULL);
    run(clone, N / 2);
    map_ints(p, CL_MAP_READ);
    CHECK_EQ(p[N - 1], 82);
    unmap_ints(p);
    CHECK_OK(clReleaseKernel(clone));
    CHECK_OK(clReleaseKernel(add));
    CHECK_OK(clFinish(test_queue));
    clSVMFree(test_context, p);
}

static void check_copies(cl_svm_mem_flags flags)
{
    int *a = shared(flags, N * sizeof *a, 64), back[N], host[N];
    int *b = shared(flags, N * sizeof *b, 0), pattern[2] = {3, 4};
    cl_event event;
    cl_command_type type = 0;
    CHECK_OK(clEnqueueSVMMemFill(test_queue, a, pattern, sizeof pattern, N * sizeof *a, 0, NULL,
                                 &event));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_SVM_MEMFILL);
    CHECK_OK(
        clEnqueueSVMMemcpy(test_queue, CL_FALSE, b, a + N / 2, N / 2 * sizeof *a, 1, &event, NULL));
    for (int i = 0; i < N; i++)
        host[i] = i;
    CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_FALSE, b + N / 2, host, N / 2 * sizeof *a, 0, NULL,
                                NULL));
    CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_TRUE, back, b, sizeof back, 0, NULL, NULL));
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += back[i] != (i < N / 2 ? 3 + i % 2 : i - N / 2);
    CHECK_EQ(wrong, 0);
    CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_TRUE, back, host, sizeof back, 0, NULL, NULL));
    CHECK_EQ(back[N - 1], N - 1);
    CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_TRUE, a, b, 0, 0, NULL, NULL));
    CHECK_OK(clReleaseEvent(event));
    clSVMFree(test_context, a);
    clSVMFree(test_context, b);
}

// Lists across two allocations, built by the host, walked and changed by a kernel.
struct node {
    struct node *next;
    int value;
};

// Mapped twice: the second map keeps what the host has written since the first.
static void check_nested_maps(cl_svm_mem_flags flags)
{
    cl_kernel add = test_kernel(program, "add");
    int *p = shared(flags, N * sizeof *p, 0), n = 5;
    map_ints(p, CL_MAP_WRITE);
    p[0] = 1;
    map_ints(p, CL_MAP_READ | CL_MAP_WRITE);
    CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_READ, p + 1, 4, 0, NULL, NULL));
    p[1] = 2;
    CHECK_OK(clEnqueueSVMUnmap(test_queue, p + 1, 0, NULL, NULL));
    CHECK_EQ(p[0], 1);
    unmap_ints(p);
    p[2] = 3;
    unmap_ints(p);
    CHECK_OK(clSetKernelArgSVMPointer(add, 0, p));
    CHECK_OK(clSetKernelArg(add, 1, sizeof n, &n));
    run(add, N);
    map_ints(p, CL_MAP_READ | CL_MAP_WRITE);
    CHECK(p[0] == 6 && p[1] == 7 && p[2] == 8);
    map_ints(p, CL_MAP_WRITE);
    unmap_ints(p); // only once
    run(add, N);
    map_ints(p, CL_MAP_READ);
    CHECK(p[0] == 11 && p[1] == 12 && p[2] == 13);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseKernel(add));
    clSVMFree(test_context, p);
}

static void check_lists(cl_svm_mem_flags flags)
{
    cl_kernel sum = test_kernel(program, "sum");
    struct node *a = shared(flags, 64 * sizeof *a, 0);
    struct node *b = shared(flags, 64 * sizeof *b, 0);
    int *out = shared(flags, sizeof *out, 0), want = 0;
    CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_WRITE, a, 64 * sizeof *a, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_WRITE, b, 64 * sizeof *b, 0, NULL, NULL));
    for (int i = 0; i < 64; i++) {
        a[i] = (struct node){&b[i], i};
        b[i] = (struct node){i < 63 ? &a[i + 1] : NULL, 100 * i};
        want += 101 * i;
    }
    CHECK_OK(clEnqueueSVMUnmap(test_queue, a, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMUnmap(test_queue, b, 0, NULL, NULL));
    void *extra[] = {&b[3]};
    CHECK_OK(clSetKernelArgSVMPointer(sum, 0, a));
    CHECK_OK(clSetKernelArgSVMPointer(sum, 1, out));
    CHECK_OK(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof extra, extra));
    run(sum, 1);
    run(sum, 1);
    CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_READ, out, 4, 0, NULL, NULL));
    CHECK_EQ(*out, want + 128);
    CHECK_OK(clEnqueueSVMUnmap(test_queue, out, 0, NULL, NULL));
    CHECK_OK(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseKernel(sum));
    clSVMFree(test_context, a);
    clSVMFree(test_context, b);
    clSVMFree(test_context, out);
}

// A buffer over an SVM allocation shares its memory, and so do its sub-buffers.
static void check_buffer(cl_svm_mem_flags flags)
{
    cl_kernel add = test_kernel(program, "add");
    int *p = shared(flags, N * sizeof *p, 0), n = 1, value;
    cl_mem mem = test_buffer(CL_MEM_USE_HOST_PTR, N * sizeof *p, p);
    cl_buffer_region half = {N / 2 * sizeof *p, N / 2 * sizeof *p};
    cl_int code;
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
    cl_bool uses = CL_FALSE;
    CHECK_OK(clGetMemObjectInfo(sub, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
    CHECK_EQ(uses, CL_TRUE);
    int *mapped = clEnqueueMapBuffer(test_queue, sub, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                     half.size, 0, NULL, NULL, &code);
    CHECK(mapped == p + N / 2);
    for (int i = 0; i < N / 2; i++)
        mapped[i] = i;
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, sub, mapped, 0, NULL, NULL));
    CHECK_OK(clSetKernelArg(add, 0, sizeof sub, &sub));
    CHECK_OK(clSetKernelArg(add, 1, sizeof n, &n));
    run(add, N / 2);
    CHECK_OK(clSetKernelArgSVMPointer(add, 0, p + N / 2));
    run(add, N / 2);
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, half.origin + 4 * 10, 4, &value, 0, NULL,
                                 NULL));
    CHECK_EQ(value, 12);
    CHECK_CREATE(clCreateBuffer(test_context, CL_MEM_USE_HOST_PTR, N * sizeof *p, p + 1, &error),
                 CL_INVALID_BUFFER_SIZE);
    clSVMFree(test_context, p); // the buffer holds a reference
    CHECK_OK(clEnqueueWriteBuffer(test_queue, sub, CL_TRUE, 0, 4, &n, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(sub));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(add));
    mem = test_buffer(CL_MEM_USE_HOST_PTR, sizeof value, &value);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
    CHECK_EQ(uses, CL_FALSE);
    CHECK_OK(clReleaseMemObject(mem));
}

// ---- freeing ------------------------------------------------------------------------------------

static void *freed[4];
static int freed_count;

static void CL_CALLBACK free_them(cl_command_queue queue, cl_uint count, void *pointers[],
                                  void *data)
{
    cl_context context = NULL;
    clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    for (cl_uint i = 0; i < count; i++) {
        freed[i] = pointers[i];
        clSVMFree(context, pointers[i]);
    }
    __atomic_store_n((int *)data, (int)count, __ATOMIC_RELEASE);
}

static void check_freeing(void)
{
    void *pointers[2] = {shared(0, 64, 0), shared(0, 64, 0)};
    void *copy[2] = {pointers[0], pointers[1]};
    cl_event user = clCreateUserEvent(test_context, NULL), event;
    cl_command_type type = 0;
    CHECK_OK(clEnqueueSVMFree(test_queue, 2, pointers, free_them, &freed_count, 1, &user, &event));
    pointers[0] = pointers[1] = NULL;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_SVM_FREE);
    CHECK_EQ(freed_count, 0);
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_EQ(__atomic_load_n(&freed_count, __ATOMIC_ACQUIRE), 2);
    CHECK(freed[0] == copy[0] && freed[1] == copy[1]);
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clReleaseEvent(user));
    pointers[0] = shared(0, 64, 0);
    CHECK_OK(clEnqueueSVMFree(test_queue, 1, pointers, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMFree(test_queue, 0, NULL, NULL, NULL, 0, NULL, NULL));
    CHECK_EQ(clEnqueueSVMFree(test_queue, 0, pointers, NULL, NULL, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMFree(test_queue, 1, NULL, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clFinish(test_queue));
    clSVMFree(test_context, NULL);
}

// ---- errors -------------------------------------------------------------------------------------

static void check_alloc_errors(void)
{
    cl_ulong most = 0;
    clGetDeviceInfo(test_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
    CHECK(!clSVMAlloc(NULL, 0, 64, 0));
    CHECK(!clSVMAlloc(test_context, 0, 0, 0));
    CHECK(!clSVMAlloc(test_context, 0, most + 1, 0));
    CHECK(!clSVMAlloc(test_context, 0, 64, 3));
    CHECK(!clSVMAlloc(test_context, 0, 64, 256));
    CHECK(!clSVMAlloc(test_context, CL_MEM_SVM_ATOMICS, 64, 0));
    CHECK(!clSVMAlloc(test_context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0));
    CHECK(!clSVMAlloc(test_context, CL_MEM_USE_HOST_PTR, 64, 0));
    if (!(caps & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
        CHECK(!clSVMAlloc(test_context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
    if (!(caps & CL_DEVICE_SVM_ATOMICS))
        CHECK(!clSVMAlloc(test_context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 64, 0));
}

static void check_command_errors(void)
{
    char *p = shared(0, 64, 0), local[64] = {0};
    const void *list[] = {p + 60};
    size_t size = 5;
    cl_event event = clCreateUserEvent(test_context, NULL);
    CHECK_EQ(clEnqueueSVMMemcpy(NULL, 1, p, local, 4, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueSVMMemcpy(test_queue, 1, NULL, p, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemcpy(test_queue, 1, p, NULL, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemcpy(test_queue, 1, p, p + 3, 4, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(clEnqueueSVMMemcpy(test_queue, 1, p, local, 65, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemcpy(test_queue, 1, p, local, 4, 1, NULL, NULL),
             CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueSVMMemFill(test_queue, NULL, local, 4, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemFill(test_queue, p, NULL, 4, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemFill(test_queue, p, local, 3, 6, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemFill(test_queue, p + 1, local, 4, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemFill(test_queue, p, local, 4, 6, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMap(test_queue, 1, CL_MAP_READ, NULL, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMap(test_queue, 1, CL_MAP_READ, p, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMap(test_queue, 1, 1 << 10, p, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMUnmap(test_queue, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMigrateMem(test_queue, 0, list, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMigrateMem(test_queue, 1, NULL, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMigrateMem(test_queue, 1, list, &size, 0, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMigrateMem(test_queue, 1, list, NULL, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    size = 4;
    CHECK_OK(clEnqueueSVMMigrateMem(test_queue, 1, list, &size, 0, 0, NULL, NULL));
    CHECK_OK(clSetUserEventStatus(event, -5));
    CHECK_EQ(clEnqueueSVMMemcpy(test_queue, 1, p, local, 4, 1, &event, NULL),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clFinish(test_queue));
    clSVMFree(test_context, p);
}

// After migration to the host, the host sees the contents without mapping, as applications expect.
static void check_migration(void)
{
    enum { COUNT = 20, BYTES = 4096 };
    char *p[COUNT];
    cl_event event;
    for (int i = 0; i < COUNT; i++) {
        char pattern = (char)(i + 1);
        p[i] = shared(0, BYTES, 0);
        CHECK_OK(clEnqueueSVMMemFill(test_queue, p[i], &pattern, 1, BYTES, 0, NULL, NULL));
    }
    CHECK_OK(clEnqueueSVMMigrateMem(test_queue, COUNT, (const void **)p, NULL, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &event));
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_OK(clReleaseEvent(event));
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += p[i][0] != i + 1 || p[i][BYTES - 1] != i + 1;
    CHECK_EQ(wrong, 0);
    const void *part = p[0] + 100;
    const size_t size = 8;
    CHECK_OK(clEnqueueSVMMemFill(test_queue, p[0], "x", 1, BYTES, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMMigrateMem(test_queue, 1, &part, &size, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    CHECK(p[0][100] == 'x' && p[0][107] == 'x');
    for (int i = 0; i < COUNT; i++)
        clSVMFree(test_context, p[i]);
}

static void check_kernel_errors(void)
{
    cl_kernel add = test_kernel(program, "add");
    const size_t one = 1;
    cl_bool yes = CL_TRUE, no = CL_FALSE;
    void *p = shared(0, 64, 0);
    int n = 0;
    CHECK_EQ(clSetKernelArgSVMPointer(NULL, 0, p), CL_INVALID_KERNEL);
    CHECK_EQ(clSetKernelArgSVMPointer(add, 2, p), CL_INVALID_ARG_INDEX);
    CHECK_EQ(clSetKernelArgSVMPointer(add, 1, p), CL_INVALID_ARG_INDEX);
    CHECK_EQ(clSetKernelExecInfo(NULL, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL), CL_INVALID_KERNEL);
    CHECK_EQ(clSetKernelExecInfo(add, 0, sizeof p, &p), CL_INVALID_VALUE);
    CHECK_EQ(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, 4, &p), CL_INVALID_VALUE);
    CHECK_EQ(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &yes),
             CL_INVALID_VALUE);
    CHECK_OK(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof no, &no));
    CHECK_EQ(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes),
             caps & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM ? CL_SUCCESS : CL_INVALID_OPERATION);
    CHECK_OK(clSetKernelArg(add, 1, sizeof n, &n));
    // accepts any pointer
    if (!(caps & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) && !test_has(test_device, "cl_khr_unified_svm")) {
        CHECK_OK(clSetKernelArgSVMPointer(add, 0, &n));
        CHECK_EQ(clEnqueueNDRangeKernel(test_queue, add, 1, NULL, &one, NULL, 0, NULL, NULL),
                 CL_INVALID_KERNEL_ARGS);
    }
    CHECK_OK(clReleaseKernel(add));
    cl_kernel is_null = test_kernel(program, "is_null");
    cl_mem out = test_buffer(0, sizeof n, NULL);
    CHECK_OK(clSetKernelArgSVMPointer(is_null, 0, NULL));
    CHECK_OK(clSetKernelArg(is_null, 1, sizeof out, &out));
    run(is_null, 1);
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof n, &n, 0, NULL, NULL));
    CHECK_EQ(n, 1);
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseKernel(is_null));
    clSVMFree(test_context, p);
}

// ---- system memory ------------------------------------------------------------------------------

// Kernels, transfers and host commands on the same memory, ordered by the queue only.
static void check_system(void)
{
    cl_kernel add = test_kernel(program, "add");
    int *p = malloc(N * sizeof *p), *q = malloc(N * sizeof *q), n = 1, pattern = 9;
    cl_mem mem = test_buffer(0, N * sizeof *p, NULL);
    const size_t bytes = N * sizeof *p;
    memset(p, 0, bytes);
    CHECK_OK(clSetKernelArgSVMPointer(add, 0, p));
    CHECK_OK(clSetKernelArg(add, 1, sizeof n, &n));
    for (int i = 0; i < 8; i++) { // p -> mem -> q -> p; the kernel adds 1 in each round
        run(add, N);
        CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_FALSE, 0, bytes, p, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_FALSE, 0, bytes, q, 0, NULL, NULL));
        CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_FALSE, p, q, bytes, 0, NULL, NULL));
    }
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_FALSE, 0, bytes, p, 0, NULL, NULL));
    run(add, N);
    CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_READ, p, bytes, 0, NULL, NULL));
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += p[i] != 9 || q[i] != 8;
    CHECK_EQ(wrong, 0);
    CHECK_OK(clEnqueueSVMUnmap(test_queue, p, 0, NULL, NULL));
    pattern = 40;
    CHECK_OK(clEnqueueSVMMemFill(test_queue, p, &pattern, 4, bytes, 0, NULL, NULL));
    run(add, N);
    CHECK_OK(clFinish(test_queue));
    CHECK(p[0] == 41 && p[N - 1] == 41);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(add));
    free(p);
    free(q);
}

// The same ordered by events only: kernel -> marker -> write -> read -> kernel.
static void check_system_events(void)
{
    cl_int code;
    cl_kernel add = test_kernel(program, "add");
    cl_command_queue any = clCreateCommandQueue(test_context, test_device,
                                                CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    int *p = calloc(N, sizeof *p), n = 1;
    const size_t global = N, bytes = N * sizeof *p;
    cl_mem mem = test_buffer(0, bytes, NULL);
    cl_event last = NULL, next;
    CHECK_OK(clSetKernelArgSVMPointer(add, 0, p));
    CHECK_OK(clSetKernelArg(add, 1, sizeof n, &n));
    for (int step = 0; step < 32; step++) {
        cl_uint count = last != NULL;
        const cl_event *waits = last ? &last : NULL;
        if (step % 4 == 0)
            code = clEnqueueNDRangeKernel(any, add, 1, NULL, &global, NULL, count, waits, &next);
        else if (step % 4 == 1)
            code = clEnqueueMarkerWithWaitList(any, count, waits, &next);
        else if (step % 4 == 2)
            code = clEnqueueWriteBuffer(any, mem, CL_FALSE, 0, bytes, p, count, waits, &next);
        else
            code = clEnqueueReadBuffer(any, mem, CL_FALSE, 0, bytes, p, count, waits, &next);
        CHECK_OK(code);
        if (last)
            CHECK_OK(clReleaseEvent(last));
        last = next;
    }
    CHECK_OK(clWaitForEvents(1, &last));
    CHECK_OK(clReleaseEvent(last));
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += p[i] != 8;
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseCommandQueue(any));
    CHECK_OK(clReleaseKernel(add));
    free(p);
}

// ---- while a kernel runs ------------------------------------------------------------------------

static void check_atomics(void)
{
    const char *text =
        "kernel void talk(volatile global atomic_int *p, volatile global atomic_int *sum)\n"
        "{\n"
        "    atomic_store_explicit(p, 1, memory_order_release, memory_scope_all_devices);\n"
        "    while (atomic_load_explicit(p, memory_order_acquire, memory_scope_all_devices) != 2)\n"
        "        atomic_fetch_add_explicit(sum, 1, memory_order_relaxed,\n"
        "                                  memory_scope_all_devices);\n"
        "}\n";
    cl_program talking = test_build(text, "-cl-std=CL3.0");
    cl_kernel talk = test_kernel(talking, "talk");
    int *p = shared(CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 256, 0);
    p[0] = p[32] = 0;
    CHECK_OK(clSetKernelArgSVMPointer(talk, 0, p));
    CHECK_OK(clSetKernelArgSVMPointer(talk, 1, p + 32));
    run(talk, 1);
    CHECK_OK(clFlush(test_queue));
    int tries = 0, added = 0;
    while (__atomic_load_n(p, __ATOMIC_ACQUIRE) != 1 && tries++ < 20000)
        usleep(1000);
    CHECK_EQ(p[0], 1);
    for (; added < 1000; added++)
        __atomic_fetch_add(p + 32, -1, __ATOMIC_RELAXED);
    __atomic_store_n(p, 2, __ATOMIC_RELEASE);
    CHECK_OK(clFinish(test_queue));
    CHECK(p[32] >= -1000);
    clSVMFree(test_context, p);
    CHECK_OK(clReleaseKernel(talk));
    CHECK_OK(clReleaseProgram(talking));
}

// Each side sets its word and reads the other's: in no round may both read the old value. Each side
// waits for the other before a round, up to a limit.
static void check_order(void)
{
    enum { ROUNDS = 20000 };
    const char *text =
        "kernel void cross(volatile global atomic_int *x, volatile global atomic_int *y,\n"
        "                  volatile global atomic_int *steps, global int *seen, int rounds)\n"
        "{\n"
        "    for (int i = 0; i < rounds; i++) {\n"
        "        atomic_store_explicit(steps, i + 1, memory_order_relaxed, "
        "memory_scope_all_devices);\n"
        "        for (int n = 0; n < 2000; n++)\n"
        "            if (atomic_load_explicit(steps + 32, memory_order_relaxed,\n"
        "                                     memory_scope_all_devices) > i)\n"
        "                break;\n"
        "        atomic_store_explicit(y + i, 1, memory_order_seq_cst, memory_scope_all_devices);\n"
        "        seen[i] = atomic_load_explicit(x + i, memory_order_seq_cst,\n"
        "                                       memory_scope_all_devices);\n"
        "    }\n"
        "}\n";
    const size_t bytes = ROUNDS * sizeof(int);
    int *p[4], rounds = ROUNDS, neither = 0;
    cl_program crossing = test_build(text, "-cl-std=CL3.0");
    cl_kernel cross = test_kernel(crossing, "cross");
    for (int i = 0; i < 4; i++) { // x, y, steps, seen
        p[i] =
            clSVMAlloc(test_context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, bytes, 0);
        memset(p[i], 0, bytes);
        CHECK_OK(clSetKernelArgSVMPointer(cross, (cl_uint)i, p[i]));
    }
    int *mine = calloc(1, bytes);
    CHECK_OK(clSetKernelArg(cross, 4, sizeof rounds, &rounds));
    run(cross, 1);
    CHECK_OK(clFlush(test_queue));
    for (int i = 0; i < ROUNDS; i++) {
        __atomic_store_n(p[2] + 32, i + 1, __ATOMIC_RELAXED);
        for (int n = 0; n < 2000 && __atomic_load_n(p[2], __ATOMIC_RELAXED) <= i; n++)
            ;
        __atomic_store_n(p[0] + i, 1, __ATOMIC_SEQ_CST);
        mine[i] = __atomic_load_n(p[1] + i, __ATOMIC_SEQ_CST);
    }
    CHECK_OK(clFinish(test_queue));
    for (int i = 0; i < ROUNDS; i++)
        neither += !mine[i] && !p[3][i];
    CHECK_EQ(neither, 0);
    for (int i = 0; i < 4; i++)
        clSVMFree(test_context, p[i]);
    free(mine);
    CHECK_OK(clReleaseKernel(cross));
    CHECK_OK(clReleaseProgram(crossing));
}

// ---- cl_ext_buffer_device_address ---------------------------------------------------------------

typedef cl_int(CL_API_CALL *set_pointer_fn)(cl_kernel, cl_uint, cl_mem_device_address_ext);

static void check_device_addresses(void)
{
    const cl_mem_properties wish[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    const cl_mem_properties bad[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 7, 0};
    cl_ulong values[64] = {41}, address = 0, part = 0, back = 0;
    cl_int code;
    set_pointer_fn set = (set_pointer_fn)clGetExtensionFunctionAddressForPlatform(
        test_platform, "clSetKernelArgDevicePointerEXT");
    if (!CHECK(set != NULL) || !test_has(test_device, "cl_ext_buffer_device_address"))
        return; // bindings.c tests the errors
    cl_mem a = clCreateBufferWithProperties(test_context, wish, CL_MEM_COPY_HOST_PTR, sizeof values,
                                            values, &code);
    cl_buffer_region half = {256, 256};
    cl_mem sub = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
    cl_mem plain = test_buffer(0, 64, NULL);
    CHECK_OK(clGetMemObjectInfo(a, CL_MEM_DEVICE_ADDRESS_EXT, sizeof address, &address, NULL));
    CHECK_OK(clGetMemObjectInfo(sub, CL_MEM_DEVICE_ADDRESS_EXT, sizeof part, &part, NULL));
    CHECK(address && part == address + 256);
    CHECK_EQ(clGetMemObjectInfo(plain, CL_MEM_DEVICE_ADDRESS_EXT, sizeof back, &back, NULL),
             CL_INVALID_OPERATION);
    CHECK_CREATE(clCreateBufferWithProperties(test_context, bad, 0, 64, NULL, &error),
                 CL_INVALID_PROPERTY);
    cl_kernel put = test_kernel(program, "put");
    CHECK_EQ(set(NULL, 0, address), CL_INVALID_KERNEL);
    CHECK_EQ(set(put, 2, address), CL_INVALID_ARG_INDEX);
    CHECK_EQ(set(put, 1, address), CL_INVALID_ARG_INDEX);
    CHECK_OK(set(put, 0, address));
    part += 8;
    CHECK_OK(clSetKernelArg(put, 1, sizeof part, &part));
    CHECK_OK(clSetKernelExecInfo(put, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof part, &part));
    run(put, 1);
    CHECK_OK(clEnqueueReadBuffer(test_queue, sub, CL_TRUE, 8, 8, &back, 0, NULL, NULL));
    CHECK_EQ(back, 42);
    CHECK_OK(clReleaseKernel(put));
    CHECK_OK(clReleaseMemObject(plain));
    CHECK_OK(clReleaseMemObject(sub));
    CHECK_OK(clReleaseMemObject(a));
}

static void check_nothing(void)
{
    int value = 0;
    CHECK(clSVMAlloc(test_context, 0, 64, 0) == NULL);
    if (test_has(test_device, "cl_khr_unified_svm")) // it has other types than clSVMAlloc's
        return;
    CHECK_EQ(clEnqueueSVMMemcpy(test_queue, 1, &value, &value, 4, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueSVMMap(test_queue, 1, CL_MAP_READ, &value, 4, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueSVMFree(test_queue, 0, NULL, NULL, NULL, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    cl_kernel add = test_kernel(program, "add");
    CHECK_EQ(clSetKernelArgSVMPointer(add, 0, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL), CL_INVALID_OPERATION);
    const cl_bool no = CL_FALSE, yes = CL_TRUE;
    CHECK_EQ(clSetKernelExecInfo(add, 0xdead, sizeof no, &no), CL_INVALID_VALUE);
    CHECK_OK(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof no, &no));
    CHECK_EQ(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes), CL_INVALID_OPERATION);
    CHECK_OK(clReleaseKernel(add));
}

// With PUMICE_SYNC=1 kernels do not run concurrently with the host, but the capabilities are
// unchanged.
static bool beside_host(void)
{
    const char *sync = getenv("PUMICE_SYNC");
    cl_device_type type = 0;
    if (!sync || strcmp(sync, "1"))
        return true;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    CHECK(!caps || !(type & CL_DEVICE_TYPE_CPU) || caps & CL_DEVICE_SVM_ATOMICS);
    return false;
}

int main(void)
{
    test_open();
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof caps, &caps, NULL));
    printf("capabilities 0x%llx\n", (unsigned long long)caps);
    program = test_build(source, "-cl-std=CL3.0");
    check_device_addresses();
    if (!caps)
        check_nothing();
    for (int fine = 0; caps && fine <= ((caps & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0); fine++) {
        cl_svm_mem_flags flags = fine ? CL_MEM_SVM_FINE_GRAIN_BUFFER : CL_MEM_READ_WRITE;
        check_kernel(flags);
        check_nested_maps(flags);
        check_copies(flags);
        check_lists(flags);
        check_buffer(flags);
    }
    if (caps) {
        check_freeing();
        check_alloc_errors();
        check_command_errors();
        check_migration();
        check_kernel_errors();
    }
    if (caps & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)
        check_system();
    if (caps & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)
        check_system_events();
    bool beside = beside_host();
    if (caps & CL_DEVICE_SVM_ATOMICS && beside)
        check_atomics();
    cl_device_atomic_capabilities atomics = 0;
    clGetDeviceInfo(test_device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof atomics, &atomics,
                    NULL);
    if (caps & CL_DEVICE_SVM_ATOMICS && beside && atomics & CL_DEVICE_ATOMIC_ORDER_SEQ_CST)
        check_order();
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
