// SPDX-License-Identifier: Apache-2.0
// Unified shared memory (cl_intel_unified_shared_memory): each type that the device supports, by
// itself, with the others, with plain host memory and with buffers; errors; frees.
#define _GNU_SOURCE
#include "usm.h"

#include <pthread.h>
#include <sched.h>

enum { N = 4096, TYPES = 3 };

static const struct kind {
    const char *name;
    cl_device_info query;
    cl_unified_shared_memory_type_intel type;
} kinds[TYPES] = {
    {"device", CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, CL_MEM_TYPE_DEVICE_INTEL},
    {"host", CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_MEM_TYPE_HOST_INTEL},
    {"shared", CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, CL_MEM_TYPE_SHARED_INTEL},
};
enum { DEVICE, HOST, SHARED };
static usm_caps caps[TYPES], cross, sys;
// False on Intel's CPU runtime, with which the tests are compared. It deviates from the extension:
// no hints, no pointer lists, no placement, any alignment, and frees only wait for commands that
// name the memory.
static bool ours;

static const char *source =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "struct node { global struct node *next; int value; };\n"
    "kernel void sum(global struct node *list, global int *out)\n"
    "{ int s = 0; for (; list; list = list->next) s += list->value++; *out = s; }\n"
    "kernel void link(global struct node *a, global struct node *b, int n)\n"
    "{ for (int i = 0; i < n; i++) { a[i].next = b + i; a[i].value = i; b[i].value = 100 * i;\n"
    "      b[i].next = i + 1 < n ? a + i + 1 : 0; } }\n"
    "kernel void add_all(global ulong *table, int n)\n"
    "{ for (int i = 0; i < n; i++) ((global int *)table[i])[get_global_id(0)] += i + 1; }\n"
    "kernel void count(volatile global int *p) { atomic_inc(p); }\n"
    "kernel void tell(global int *p, global ulong *out) { *out = (ulong)p; }\n"
    "kernel void spin(global uint *p, int n)\n"
    "{ uint x = *p; for (int i = 0; i < n; i++) x = x * 1664525u + (x >> 7); *p = x; }\n";
static cl_program program;

static void *make(int kind, size_t size)
{
    cl_int error = 1;
    void *p = kind == DEVICE ? usm.device_alloc(test_context, test_device, NULL, size, 0, &error)
              : kind == HOST ? usm.host_alloc(test_context, NULL, size, 0, &error)
                             : usm.shared_alloc(test_context, test_device, NULL, size, 0, &error);
    CHECK_OK(error);
    CHECK(p != NULL);
    return p;
}

static void drop(void *p)
{
    CHECK_OK(usm.blocking_free(test_context, p));
}

static void run(cl_kernel kernel, size_t size)
{
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
}

static void get(void *to, const void *from, size_t size)
{
    CHECK_OK(usm.copy(test_queue, CL_TRUE, to, from, size, 0, NULL, NULL));
}

static void put(void *to, const void *from, size_t size)
{
    CHECK_OK(usm.copy(test_queue, CL_FALSE, to, from, size, 0, NULL, NULL));
}

static void set_int(cl_kernel kernel, cl_uint index, int value)
{
    CHECK_OK(clSetKernelArg(kernel, index, sizeof value, &value));
}

// Checks the event's type and releases it.
static void check_event(cl_event event, cl_command_type want)
{
    cl_command_type type = 0;
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, want);
    CHECK_OK(clReleaseEvent(event));
}

// ---- queries ------------------------------------------------------------------------------------

static void check_offer(void)
{
    for (int i = 0; i < TYPES; i++) {
        caps[i] = usm_query(test_device, kinds[i].query);
        printf("%s 0x%llx\n", kinds[i].name, (unsigned long long)caps[i]);
    }
    cross = usm_query(test_device, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL);
    sys = usm_query(test_device, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL);
    printf("cross 0x%llx, system 0x%llx\n", (unsigned long long)cross, (unsigned long long)sys);
    CHECK(caps[DEVICE] & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
}

// A device without buffer addresses does not support the extension.
static void check_nothing(void)
{
    usm_caps none = 0;
    cl_kernel kernel = test_kernel(program, "add");
    // addresses have 64 bits, so a 32-bit host can use them, but not share pointers
    CHECK(sizeof(void *) == 4 || !test_has(test_device, "cl_ext_buffer_device_address"));
    CHECK_EQ(clGetDeviceInfo(test_device, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, sizeof none,
                             &none, NULL),
             CL_INVALID_VALUE);
    CHECK_CREATE(usm.device_alloc(test_context, test_device, NULL, 64, 0, &error),
                 CL_INVALID_OPERATION);
    CHECK_CREATE(usm.host_alloc(test_context, NULL, 64, 0, &error), CL_INVALID_OPERATION);
    CHECK_CREATE(usm.shared_alloc(test_context, NULL, NULL, 64, 0, &error), CL_INVALID_OPERATION);
    CHECK_EQ(usm.set_arg(kernel, 0, &none), CL_INVALID_OPERATION);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

static void check_info(const void *p, cl_unified_shared_memory_type_intel want, const void *base,
                       size_t size, cl_device_id device, cl_mem_alloc_flags_intel flags)
{
    cl_unified_shared_memory_type_intel type = 0;
    const void *got_base = &type;
    size_t got_size = 1, ret = 0;
    cl_device_id got_device = (cl_device_id)&type;
    cl_mem_alloc_flags_intel got_flags = 77;
    CHECK_OK(usm.info(test_context, p, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, &ret));
    CHECK_EQ(ret, sizeof type);
    CHECK_EQ(type, want);
    CHECK_OK(usm.info(test_context, p, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof got_base,
                      (void *)&got_base, NULL));
    CHECK(got_base == base);
    CHECK_OK(usm.info(test_context, p, CL_MEM_ALLOC_SIZE_INTEL, sizeof got_size, &got_size, NULL));
    CHECK_EQ(got_size, size);
    CHECK_OK(
        usm.info(test_context, p, CL_MEM_ALLOC_DEVICE_INTEL, sizeof got_device, &got_device, NULL));
    CHECK(got_device == device);
    CHECK_OK(
        usm.info(test_context, p, CL_MEM_ALLOC_FLAGS_INTEL, sizeof got_flags, &got_flags, NULL));
    CHECK_EQ(got_flags, flags);
}

static void check_unknown(const void *p)
{
    check_info(p, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
}

static void check_queries(int kind)
{
    char *p = make(kind, 1000);
    cl_uint type;
    cl_device_id device = kind == HOST ? NULL : test_device;
    check_info(p, kinds[kind].type, p, 1000, device, 0);
    check_info(p + 999, kinds[kind].type, p, 1000, device, 0);
    CHECK((uintptr_t)p % 128 == 0);
    CHECK_EQ(usm.info(NULL, p, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL),
             CL_INVALID_CONTEXT);
    CHECK_EQ(usm.info(test_context, p, 1, sizeof type, &type, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.info(test_context, p, CL_MEM_ALLOC_TYPE_INTEL, 2, &type, NULL), CL_INVALID_VALUE);
    drop(p);
    check_unknown(p);
}

// Allocations are adjacent: a query by address must find the one that contains it.
static void check_neighbours(int kind)
{
    enum { COUNT = 100 };
    char *p[COUNT];
    for (int i = 0; i < COUNT; i++)
        p[i] = make(kind, 256 + (size_t)i % 3);
    for (int i = 0; i < COUNT; i += 2) {
        drop(p[i]);
        p[i] = NULL;
    }
    int wrong = 0;
    for (int i = 1; i < COUNT; i += 2)
        for (int at = 0; at < 256; at += 51) {
            char *base = NULL;
            usm.info(test_context, p[i] + at, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof base, &base,
                     NULL);
            wrong += base != p[i];
        }
    CHECK_EQ(wrong, 0);
    for (int i = 1; i < COUNT; i += 2)
        drop(p[i]);
}

static void check_flags(void)
{
    cl_mem_properties_intel list[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL,
                                      0};
    cl_int error;
    void *p = usm.device_alloc(test_context, test_device, list, 64, 16, &error);
    CHECK_OK(error);
    check_info(p, CL_MEM_TYPE_DEVICE_INTEL, p, 64, test_device, CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
    drop(p);
    if (!caps[SHARED])
        return;
    list[1] = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL;
    p = usm.shared_alloc(test_context, test_device, ours ? list : NULL, 64, 0, &error);
    CHECK_OK(error);
    check_info(p, CL_MEM_TYPE_SHARED_INTEL, p, 64, test_device, ours ? list[1] : 0);
    drop(p);
    if (!cross)
        return;
    p = usm.shared_alloc(test_context, NULL, NULL, 64, 0, &error);
    CHECK_OK(error);
    check_info(p, CL_MEM_TYPE_SHARED_INTEL, p, 64, NULL, 0);
    drop(p);
}

// ---- kernels and copies -------------------------------------------------------------------------

static void check_kernel(int kind)
{
    cl_kernel add = test_kernel(program, "add"), tell = test_kernel(program, "tell");
    int *p = make(kind, N * sizeof *p), back[N], zero = 0, wrong = 0;
    uint64_t *out = make(DEVICE, 2 * sizeof *out), where = 0;
    CHECK_OK(usm.fill(test_queue, p, &zero, sizeof zero, N * sizeof *p, 0, NULL, NULL));
    CHECK_OK(usm.set_arg(add, 0, p + N / 2)); // into the middle
    set_int(add, 1, 5);
    run(add, N / 2);
    cl_kernel clone = clCloneKernel(add, NULL);
    run(clone, N / 4);
    get(back, p, sizeof back);
    for (int i = 0; i < N; i++)
        wrong += back[i] != (i < N / 2 ? 0 : i < 3 * N / 4 ? 10 : 5);
    CHECK_EQ(wrong, 0);
    CHECK_OK(usm.set_arg(tell, 0, p + 7)); // the pointer has the same value as on the host
    CHECK_OK(usm.set_arg(tell, 1, out + 1));
    run(tell, 1);
    get(&where, out + 1, sizeof where);
    CHECK(where == (uintptr_t)(p + 7));
    CHECK_OK(usm.set_arg(tell, 0, NULL));
    run(tell, 1);
    get(&where, out + 1, sizeof where);
    CHECK_EQ(where, 0);
    if (kind != DEVICE) { // the host can read it directly
        run(add, N / 2);
        CHECK_OK(clFinish(test_queue));
        CHECK(p[N - 1] == 10 && p[0] == 0);
        p[N - 1] = 100;
        run(add, N / 2);
        CHECK_OK(clFinish(test_queue));
        CHECK_EQ(p[N - 1], 105);
    }
    CHECK_OK(clReleaseKernel(clone));
    CHECK_OK(clReleaseKernel(add));
    CHECK_OK(clReleaseKernel(tell));
    drop(p);
    drop(out);
}

// host memory -> a -> b -> host memory, ordered by the queue only; also unaligned.
static void check_copies(int from, int to)
{
    enum { SIZE = N * (int)sizeof(int), SKIP = 13 };
    unsigned char *a = make(from, SIZE), *b = make(to, SIZE), *in = malloc(SIZE),
                  *out = calloc(1, SIZE);
    cl_event event;
    for (int i = 0; i < SIZE; i++)
        in[i] = (unsigned char)(i * 7 + i / 256);
    put(a, in, SIZE);
    CHECK_OK(usm.fill(test_queue, b, "\x55", 1, SIZE, 0, NULL, NULL));
    CHECK_OK(
        usm.copy(test_queue, CL_FALSE, b + SKIP, a + 2 * SKIP, SIZE - 3 * SKIP, 0, NULL, &event));
    put(out, b, SIZE);
    CHECK_OK(clFinish(test_queue));
    int wrong = 0;
    for (int i = 0; i < SIZE; i++)
        wrong += out[i] != (i >= SKIP && i < SIZE - 2 * SKIP ? in[i + SKIP] : 0x55);
    CHECK_EQ(wrong, 0);
    check_event(event, CL_COMMAND_MEMCPY_INTEL);
    memset(out, 0, SIZE); // also host memory to host memory
    put(out, in, SIZE);
    CHECK_OK(clFinish(test_queue));
    CHECK(!memcmp(in, out, SIZE));
    drop(a);
    drop(b);
    free(in);
    free(out);
}

static void check_fills(int kind)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16, 32, 64, 128};
    unsigned char *p = make(kind, 1024), pattern[128], back[1024];
    cl_event event;
    for (int i = 0; i < 128; i++)
        pattern[i] = (unsigned char)(i + 1);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t size = sizes[k];
        CHECK_OK(usm.fill(test_queue, p, "\0", 1, 1024, 0, NULL, NULL));
        CHECK_OK(usm.fill(test_queue, p + 128, pattern, size, 512, 0, NULL, &event));
        check_event(event, CL_COMMAND_MEMFILL_INTEL);
        get(back, p, sizeof back);
        int wrong = 0;
        for (size_t i = 0; i < 1024; i++)
            wrong += back[i] != (i >= 128 && i < 640 ? pattern[(i - 128) % size] : 0);
        CHECK_EQ(wrong, 0);
    }
    drop(p);
}

static void check_hints(int kind)
{
    char *p = make(kind, N);
    cl_event event;
    CHECK_OK(usm.migrate(test_queue, p, N, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &event));
    check_event(event, CL_COMMAND_MIGRATEMEM_INTEL);
    CHECK_OK(usm.advise(test_queue, p, N, 0, 0, NULL, &event));
    check_event(event, CL_COMMAND_MEMADVISE_INTEL);
    drop(p);
}

// In an out-of-order queue, hints and copies of 0 bytes wait for nothing.
static void check_idle_hints(void)
{
    cl_int error;
    cl_command_queue any = clCreateCommandQueue(test_context, test_device,
                                                CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    cl_event user = clCreateUserEvent(test_context, &error), events[4];
    char *p = make(DEVICE, 64);
    CHECK_OK(usm.fill(any, p, "a", 1, 64, 1, &user, &events[0]));
    CHECK_OK(usm.migrate(any, p, 64, 0, 0, NULL, &events[1]));
    CHECK_OK(usm.advise(any, p, 64, 0, 0, NULL, &events[2]));
    CHECK_OK(usm.copy(any, CL_TRUE, p, p, 0, 0, NULL, &events[3]));
    CHECK_OK(clWaitForEvents(3, events + 1));
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, events));
    for (int i = 0; i < 4; i++)
        CHECK_OK(clReleaseEvent(events[i]));
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(clReleaseCommandQueue(any));
    drop(p);
}

static void check_atomics(int kind)
{
    if (!(caps[kind] & CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL))
        return;
    cl_kernel count = test_kernel(program, "count");
    int *p = make(kind, 64), back = 0;
    put(p, &back, sizeof back);
    CHECK_OK(usm.set_arg(count, 0, p));
    run(count, 100000);
    get(&back, p, sizeof back);
    CHECK_EQ(back, 100000);
    CHECK_OK(clReleaseKernel(count));
    drop(p);
}

// ---- pointers in memory -------------------------------------------------------------------------

struct node {
    struct node *next;
    int value;
};

static const cl_kernel_exec_info indirect[TYPES] = {
    CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
    CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
    CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
};

// Lists across memory of two types, built by a kernel, or by the host and copied.
static void check_lists(int a_kind, int b_kind, bool listed)
{
    enum { COUNT = 64, WANT = 101 * COUNT * (COUNT - 1) / 2 };
    cl_kernel sum = test_kernel(program, "sum"), link = test_kernel(program, "link");
    struct node *a = make(a_kind, COUNT * sizeof *a), *b = make(b_kind, COUNT * sizeof *b);
    struct node on_host[COUNT];
    int *out = make(DEVICE, sizeof *out), got = 0;
    cl_bool yes = CL_TRUE;
    void *extra[] = {b + 3};
    CHECK_OK(usm.set_arg(link, 0, a));
    CHECK_OK(usm.set_arg(link, 1, b));
    set_int(link, 2, COUNT);
    run(link, 1);
    CHECK_OK(usm.set_arg(sum, 0, a));
    CHECK_OK(usm.set_arg(sum, 1, out));
    if (listed)
        CHECK_OK(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof extra, extra));
    else
        CHECK_OK(clSetKernelExecInfo(sum, indirect[b_kind], sizeof yes, &yes));
    cl_kernel clone = clCloneKernel(sum, NULL);
    run(sum, 1);
    run(clone, 1);
    get(&got, out, sizeof got);
    CHECK_EQ(got, WANT + 2 * COUNT);
    for (int i = 0; i < COUNT; i++)
        on_host[i] = (struct node){i + 1 < COUNT ? a + i + 1 : NULL, 1};
    put(b, on_host, sizeof on_host);
    run(sum, 1);
    get(&got, out, sizeof got);
    CHECK_EQ(got, COUNT * (COUNT - 1) / 2 + 2 * COUNT + COUNT);
    CHECK_OK(clReleaseKernel(clone));
    CHECK_OK(clReleaseKernel(sum));
    CHECK_OK(clReleaseKernel(link));
    drop(a);
    drop(b);
    drop(out);
}

// Thousands of allocations that one kernel reaches through a table, allocated and freed while it
// runs.
static void check_many(void)
{
    enum { COUNT = 3000, WIDTH = 16 };
    cl_kernel add_all = test_kernel(program, "add_all");
    int **p = malloc(COUNT * sizeof *p), back[WIDTH], zero = 0, wrong = 0;
    int **table = make(DEVICE, COUNT * sizeof *table);
    cl_bool yes = CL_TRUE;
    for (int i = 0; i < COUNT; i++)
        p[i] = make(DEVICE, WIDTH * sizeof(int));
    for (int i = 0; i < COUNT; i++)
        CHECK_OK(usm.fill(test_queue, p[i], &zero, 4, sizeof back, 0, NULL, NULL));
    put(table, p, COUNT * sizeof *p);
    CHECK_OK(usm.set_arg(add_all, 0, table));
    set_int(add_all, 1, COUNT);
    if (ours) {
        CHECK_OK(
            clSetKernelExecInfo(add_all, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, COUNT * sizeof *p, p));
        run(add_all, WIDTH);
        CHECK_OK(clSetKernelExecInfo(add_all, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, NULL));
    }
    CHECK_OK(clSetKernelExecInfo(add_all, indirect[DEVICE], sizeof yes, &yes));
    run(add_all, WIDTH);
    if (!ours)
        run(add_all, WIDTH);
    for (int i = 0; i < COUNT; i++) {
        get(back, p[i], sizeof back);
        wrong += back[0] != 2 * (i + 1) || back[WIDTH - 1] != 2 * (i + 1);
        CHECK_OK(usm.free(test_context, p[i]));
    }
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseKernel(add_all));
    drop(table);
    free(p);
}

// ---- with buffers, images and other queues ------------------------------------------------------

// A kernel, transfers of buffers and images, and the kernel again on the same memory, ordered by an
// in-order queue only.
static void check_transfers(int kind)
{
    enum { SIDE = 64, BYTES = SIDE * SIDE * 4 };
    const size_t origin[3] = {0}, region[3] = {SIDE, SIDE, 1}, rows[3] = {SIDE * 4, SIDE, 1};
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    cl_bool images = CL_FALSE;
    cl_kernel add = test_kernel(program, "add");
    cl_int error, *p = make(kind, BYTES), *back = malloc(BYTES), zero = 0, wrong = 0;
    cl_mem mem = test_buffer(0, BYTES, NULL), image = NULL;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    if (images && kind != DEVICE) {
        image = clCreateImage(test_context, 0, &format, &desc, NULL, &error);
        CHECK_OK(error);
    }
    CHECK_OK(usm.fill(test_queue, p, &zero, 4, BYTES, 0, NULL, NULL));
    CHECK_OK(usm.set_arg(add, 0, p));
    set_int(add, 1, 1);
    for (int i = 0; i < 8; i++) {
        run(add, SIDE * SIDE);
        CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_FALSE, 0, BYTES, p, 0, NULL, NULL));
        run(add, SIDE * SIDE);
        CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_FALSE, 0, BYTES, p, 0, NULL, NULL));
        run(add, SIDE * SIDE);
        CHECK_OK(clEnqueueWriteBufferRect(test_queue, mem, CL_FALSE, origin, origin, rows, 0, 0, 0,
                                          0, p, 0, NULL, NULL));
        run(add, SIDE * SIDE);
        CHECK_OK(clEnqueueReadBufferRect(test_queue, mem, i == 7, origin, origin, rows, 0, 0, 0, 0,
                                         p, 0, NULL, NULL));
        if (!image)
            continue;
        run(add, SIDE * SIDE);
        CHECK_OK(clEnqueueWriteImage(test_queue, image, CL_FALSE, origin, region, 0, 0, p, 0, NULL,
                                     NULL));
        run(add, SIDE * SIDE);
        CHECK_OK(clEnqueueReadImage(test_queue, image, CL_FALSE, origin, region, 0, 0, p, 0, NULL,
                                    NULL));
    }
    run(add, SIDE * SIDE);
    get(back, p, BYTES);
    for (int i = 0; i < SIDE * SIDE; i++)
        wrong += back[i] != (image ? 25 : 17);
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseMemObject(mem));
    if (image)
        CHECK_OK(clReleaseMemObject(image));
    CHECK_OK(clReleaseKernel(add));
    drop(p);
    free(back);
}

// Ordered by events only, over two queues.
static void check_events(int kind)
{
    cl_int error;
    cl_kernel add = test_kernel(program, "add");
    cl_command_queue queue[2];
    int *p = make(kind, N * sizeof *p), *q = make(DEVICE, N * sizeof *q), zero = 0, wrong = 0;
    int *back = malloc(N * sizeof *back);
    const size_t global = N, bytes = N * sizeof *p;
    cl_event last, next;
    queue[0] = clCreateCommandQueue(test_context, test_device,
                                    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    queue[1] = clCreateCommandQueue(test_context, test_device,
                                    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    CHECK_OK(usm.fill(queue[0], p, &zero, 4, bytes, 0, NULL, &last));
    set_int(add, 1, 1);
    for (int step = 0; step < 32; step++) {
        int *on = step % 4 < 2 ? p : q, *other = on == p ? q : p;
        CHECK_OK(usm.set_arg(add, 0, on));
        if (step % 2)
            CHECK_OK(usm.copy(queue[step / 2 % 2], CL_FALSE, other, on, bytes, 1, &last, &next));
        else
            CHECK_OK(clEnqueueNDRangeKernel(queue[step / 2 % 2], add, 1, NULL, &global, NULL, 1,
                                            &last, &next));
        CHECK_OK(clReleaseEvent(last));
        last = next;
    }
    CHECK_OK(usm.copy(queue[1], CL_TRUE, back, p, bytes, 1, &last, NULL));
    for (int i = 0; i < N; i++)
        wrong += back[i] != 16;
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseEvent(last));
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseCommandQueue(queue[i]));
    CHECK_OK(clReleaseKernel(add));
    drop(p);
    drop(q);
    free(back);
}

// ---- frees --------------------------------------------------------------------------------------

// A blocking free returns when all commands that use the memory are complete, on any queue, and
// even if they do not name it.
static void check_blocking_free(void)
{
    cl_kernel spin = test_kernel(program, "spin");
    cl_int error, status = CL_QUEUED, one = 1;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, 0, &error);
    const size_t global = 1;
    int *p = make(DEVICE, 64), *q = make(DEVICE, 64);
    cl_bool yes = CL_TRUE;
    cl_event event;
    put(p, &one, sizeof one);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(usm.set_arg(spin, 0, p));
    set_int(spin, 1, 3000000);
    CHECK_OK(clSetKernelExecInfo(spin, indirect[DEVICE], sizeof yes, &yes));
    CHECK_OK(clEnqueueNDRangeKernel(queue, spin, 1, NULL, &global, NULL, 0, NULL, &event));
    if (ours)
        CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(usm.blocking_free(test_context, ours ? q : p));
    CHECK_OK(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK_EQ(status, CL_COMPLETE);
    CHECK_OK(clReleaseEvent(event));
    if (!ours)
        CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(clReleaseKernel(spin));
    CHECK_OK(usm.blocking_free(test_context, ours ? p : q));
    CHECK_OK(usm.blocking_free(test_context, NULL));
}

static void CL_CALLBACK free_in_callback(cl_event event, cl_int status, void *data)
{
    (void)event;
    void **p = data;
    cl_int error = status == CL_COMPLETE ? usm.blocking_free(test_context, p[0]) : status;
    __atomic_store_n(&p[1], error ? NULL : p[0], __ATOMIC_RELEASE);
    __atomic_store_n(&p[0], NULL, __ATOMIC_RELEASE);
}

// Frees in a callback while more is enqueued, whose completion calls callbacks too.
static void check_free_in_callbacks(void)
{
    enum { COUNT = 20 };
    static void *p[COUNT][2];
    cl_kernel add = test_kernel(program, "add");
    cl_bool yes = CL_TRUE;
    const size_t global = 64;
    set_int(add, 1, 1);
    CHECK_OK(clSetKernelExecInfo(add, indirect[DEVICE], sizeof yes, &yes));
    for (int i = 0; i < COUNT; i++) {
        cl_event event;
        p[i][0] = make(DEVICE, 64 * sizeof(int));
        CHECK_OK(usm.set_arg(add, 0, p[i][0]));
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, add, 1, NULL, &global, NULL, 0, NULL, &event));
        CHECK_OK(clSetEventCallback(event, CL_COMPLETE, free_in_callback, p[i]));
        CHECK_OK(clReleaseEvent(event));
    }
    CHECK_OK(clFinish(test_queue));
    for (int i = 0; i < COUNT; i++) {
        for (int tries = 0; tries < 20000 && __atomic_load_n(&p[i][0], __ATOMIC_ACQUIRE); tries++)
            usleep(1000);
        CHECK(!__atomic_load_n(&p[i][0], __ATOMIC_ACQUIRE) &&
              __atomic_load_n(&p[i][1], __ATOMIC_ACQUIRE));
    }
    CHECK_OK(clReleaseKernel(add));
}

// Memory that a command names by pointer is valid until the command completes: only Pumice
// guarantees that.
static void check_early_free(void)
{
    enum { SIZE = 1 << 20 };
    cl_kernel add = test_kernel(program, "add");
    char *host = calloc(1, SIZE);
    for (int i = 0; i < 20; i++) {
        int *p = make(DEVICE, SIZE), *q = make(DEVICE, SIZE);
        CHECK_OK(usm.fill(test_queue, p, "a", 1, SIZE, 0, NULL, NULL));
        put(q, p, SIZE);
        CHECK_OK(usm.set_arg(add, 0, q));
        set_int(add, 1, 1);
        run(add, SIZE / 4);
        put(host, q, SIZE);
        CHECK_OK(usm.free(test_context, p));
        CHECK_OK(usm.free(test_context, q));
        CHECK_OK(clFinish(test_queue));
        CHECK(host[0] == 'b' && host[SIZE - 4] == 'b' && host[1] == 'a');
        memset(host, 0, SIZE);
    }
    CHECK_OK(clReleaseKernel(add));
    free(host);
}

// Contexts do not know each other's memory.
static void check_contexts(void)
{
    cl_int error;
    cl_context other = clCreateContext(NULL, 1, &test_device, NULL, NULL, &error);
    char *p = make(DEVICE, 64);
    cl_uint type = 0;
    CHECK_OK(usm.info(other, p, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_MEM_TYPE_UNKNOWN_INTEL);
    CHECK_EQ(usm.free(other, p), CL_INVALID_VALUE);
    CHECK_EQ(usm.blocking_free(other, p), CL_INVALID_VALUE);
    // If the host can access it, the other context treats it as host memory; otherwise it is an
    // invalid pointer.
    cl_command_queue queue = clCreateCommandQueue(other, test_device, 0, &error);
    cl_mem buffer = clCreateBuffer(other, 0, 64, NULL, &error);
    char host[64] = {0};
    cl_device_type kind = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_TYPE, sizeof kind, &kind, NULL));
    cl_bool one = CL_FALSE; // unified memory may have the same address on both sides
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof one, &one, NULL));
    // A CPU without host memory is that of another machine (Venus).
    const bool local = kind & CL_DEVICE_TYPE_CPU && caps[HOST];
    cl_int seen = usm.copy(queue, CL_TRUE, host, p + 32, 32, 0, NULL, NULL);
    CHECK(seen == CL_SUCCESS ? one || local : seen == CL_INVALID_VALUE && !local);
    CHECK_EQ(usm.copy(queue, CL_TRUE, p, host, 64, 0, NULL, NULL), seen);
    CHECK_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 64, p, 0, NULL, NULL), seen);
    CHECK_EQ(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 64, p, 0, NULL, NULL), seen);
    CHECK_OK(clReleaseMemObject(buffer));
    CHECK_OK(clReleaseCommandQueue(queue));
    drop(p);
    CHECK_EQ(usm.copy(test_queue, CL_TRUE, host, host + 32, 32, 0, NULL, NULL), CL_SUCCESS);
    CHECK_OK(clReleaseContext(other));
}

// ---- threads ------------------------------------------------------------------------------------

static void *churn(void *data)
{
    enum { ROUNDS = 60, COUNT = 64 };
    unsigned seed = (unsigned)(uintptr_t)data;
    cl_int error;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, 0, &error);
    cl_kernel add = clCreateKernel(program, "add", &error);
    const size_t global = COUNT;
    intptr_t wrong = 0;
    int in[COUNT], out[COUNT], n = (int)seed;
    for (int round = 0; round < ROUNDS; round++) {
        size_t size = sizeof in + (size_t)(seed = seed * 1664525 + 1013904223) % 100000;
        int *p = usm.device_alloc(test_context, test_device, NULL, size, 0, &error);
        int *q = caps[HOST] ? usm.host_alloc(test_context, NULL, size, 0, &error)
                            : usm.device_alloc(test_context, test_device, NULL, size, 0, &error);
        for (int i = 0; i < COUNT; i++)
            in[i] = i * round;
        wrong += usm.copy(queue, CL_FALSE, q, in, sizeof in, 0, NULL, NULL) != CL_SUCCESS;
        wrong += usm.copy(queue, CL_FALSE, p, q, sizeof in, 0, NULL, NULL) != CL_SUCCESS;
        wrong += usm.set_arg(add, 0, p) != CL_SUCCESS;
        clSetKernelArg(add, 1, sizeof n, &n);
        wrong += clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 0, NULL, NULL) != 0;
        wrong += usm.copy(queue, CL_TRUE, out, p, sizeof out, 0, NULL, NULL) != CL_SUCCESS;
        for (int i = 0; i < COUNT; i++)
            wrong += out[i] != i * round + n;
        wrong += usm.free(test_context, p) != CL_SUCCESS;
        wrong += (round % 8 ? usm.free : usm.blocking_free)(test_context, q) != CL_SUCCESS;
    }
    clReleaseKernel(add);
    clReleaseCommandQueue(queue);
    return (void *)wrong;
}

static void check_threads(void)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, churn, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        pthread_join(threads[i], &wrong);
        CHECK_NONE((intptr_t)wrong);
    }
}

// ---- errors -------------------------------------------------------------------------------------

static void check_alloc_errors(void)
{
    const cl_mem_properties_intel wrong_name[] = {1, 0, 0},
                                  wrong_flag[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 20, 0},
                                  placed[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                              CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0},
                                  twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL,
                                             0, 0},
                                  both[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                            CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL |
                                                CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
                                            0};
    cl_ulong most = 0;
    cl_device_id no_device = (cl_device_id)test_context;
    clGetDeviceInfo(test_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
#define DEVICE_ALLOC(properties, size, alignment, want)                                            \
    CHECK_CREATE(usm.device_alloc(test_context, test_device, properties, size, alignment, &error), \
                 want)
    CHECK_CREATE(usm.device_alloc(NULL, test_device, NULL, 64, 0, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(usm.device_alloc(test_context, NULL, NULL, 64, 0, &error), CL_INVALID_DEVICE);
    CHECK_CREATE(usm.device_alloc(test_context, no_device, NULL, 64, 0, &error), CL_INVALID_DEVICE);
    DEVICE_ALLOC(NULL, 0, 0, CL_INVALID_BUFFER_SIZE);
    DEVICE_ALLOC(NULL, most + 1, 0, CL_INVALID_BUFFER_SIZE);
    DEVICE_ALLOC(NULL, 64, 3, CL_INVALID_VALUE);
    if (ours)
        DEVICE_ALLOC(NULL, 64, 256, CL_INVALID_VALUE);
    DEVICE_ALLOC(wrong_name, 64, 0, CL_INVALID_PROPERTY);
    DEVICE_ALLOC(wrong_flag, 64, 0, CL_INVALID_PROPERTY);
    DEVICE_ALLOC(placed, 64, 0, CL_INVALID_PROPERTY);
    DEVICE_ALLOC(twice, 64, 0, CL_INVALID_PROPERTY);
    CHECK_CREATE(usm.host_alloc(NULL, NULL, 64, 0, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(usm.shared_alloc(test_context, no_device, NULL, 64, 0, &error), CL_INVALID_DEVICE);
    if (!caps[HOST])
        CHECK_CREATE(usm.host_alloc(test_context, NULL, 64, 0, &error), CL_INVALID_OPERATION);
    if (!caps[SHARED])
        CHECK_CREATE(usm.shared_alloc(test_context, test_device, NULL, 64, 0, &error),
                     CL_INVALID_OPERATION);
    if (caps[HOST]) {
        CHECK_CREATE(usm.host_alloc(test_context, NULL, 0, 0, &error), CL_INVALID_BUFFER_SIZE);
        CHECK_CREATE(usm.host_alloc(test_context, NULL, 64, 24, &error), CL_INVALID_VALUE);
        CHECK_CREATE(usm.host_alloc(test_context, placed, 64, 0, &error), CL_INVALID_PROPERTY);
    }
    if (caps[SHARED]) {
        CHECK_CREATE(usm.shared_alloc(test_context, test_device, NULL, most + 1, 0, &error),
                     CL_INVALID_BUFFER_SIZE);
        CHECK_CREATE(usm.shared_alloc(test_context, test_device, both, 64, 0, &error),
                     CL_INVALID_PROPERTY);
    }
#undef DEVICE_ALLOC
}

static void check_free_errors(void)
{
    char local[64], *p = make(DEVICE, 64);
    CHECK_EQ(usm.free(NULL, p), CL_INVALID_CONTEXT);
    CHECK_EQ(usm.blocking_free(NULL, p), CL_INVALID_CONTEXT);
    CHECK_EQ(usm.free(test_context, local), CL_INVALID_VALUE);
    CHECK_EQ(usm.free(test_context, p + 1), CL_INVALID_VALUE);
    CHECK_OK(usm.free(test_context, p));
    CHECK_EQ(usm.free(test_context, p), CL_INVALID_VALUE);
    CHECK_OK(usm.free(test_context, NULL));
    check_unknown(local);
    check_unknown(NULL);
}

static void check_command_errors(void)
{
    char local[256] = {0}, *p = make(DEVICE, 256);
    cl_event event = clCreateUserEvent(test_context, NULL);
    CHECK_EQ(usm.copy(NULL, 1, p, local, 4, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(usm.copy(test_queue, 1, p, p + 3, 4, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(usm.copy(test_queue, 1, p, local, 4, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(usm.copy(test_queue, 1, p, local, 4, 0, &event, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(usm.fill(NULL, p, local, 4, 4, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(usm.fill(test_queue, NULL, local, 4, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(test_queue, p, NULL, 4, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(test_queue, p, local, 0, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(test_queue, p, local, 3, 6, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(test_queue, p, local, 256, 256, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(test_queue, p + 1, local, 4, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(test_queue, p, local, 4, 6, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clSetUserEventStatus(event, -5));
    if (ours)
        CHECK_EQ(usm.copy(test_queue, 1, p, local, 4, 1, &event, NULL),
                 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clFinish(test_queue));
    drop(p);
}

static void check_kernel_errors(void)
{
    cl_kernel add = test_kernel(program, "add");
    void *p = make(DEVICE, 64);
    cl_bool yes = CL_TRUE;
    CHECK_EQ(usm.set_arg(NULL, 0, p), CL_INVALID_KERNEL);
    CHECK_EQ(usm.set_arg(add, 2, p), CL_INVALID_ARG_INDEX);
    CHECK_EQ(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 4, &p), CL_INVALID_VALUE);
    CHECK_EQ(clSetKernelExecInfo(add, indirect[DEVICE], 1, &yes), CL_INVALID_VALUE);
    for (int i = 0; i < TYPES; i++)
        CHECK_EQ(clSetKernelExecInfo(add, indirect[i], sizeof yes, &yes),
                 caps[i] ? CL_SUCCESS : CL_INVALID_OPERATION);
    CHECK_OK(clReleaseKernel(add));
    drop(p);
}

// Errors that only Pumice reports: ends of allocations, ownership of memory.
static void check_own_errors(void)
{
    char local[512], *p = make(DEVICE, 256);
    void *shared = clSVMAlloc(test_context, 0, 64, 0);
    cl_kernel add = test_kernel(program, "add");
    CHECK_EQ(usm.copy(test_queue, 1, p, local, 257, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.copy(test_queue, 1, local, p + 1, 256, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(test_queue, p + 128, "a", 1, 129, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.set_arg(add, 1, p), CL_INVALID_ARG_INDEX);
    CHECK_CREATE(clCreateBuffer(test_context, CL_MEM_USE_HOST_PTR, 64, p, &error),
                 CL_INVALID_HOST_PTR);
    CHECK_CREATE(clCreateBuffer(test_context, CL_MEM_COPY_HOST_PTR, 64, p, &error),
                 CL_INVALID_HOST_PTR);
    CHECK_EQ(usm.copy(test_queue, 1, NULL, p, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.copy(test_queue, 1, p, NULL, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.migrate(NULL, p, 4, 0, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(usm.migrate(test_queue, p, 4, 1 << 10, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.advise(NULL, p, 4, 0, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_OK(usm.migrate(test_queue, p, 256, 0, 0, NULL, NULL));
    if (shared) { // of another extension
        check_unknown(shared);
        CHECK_EQ(usm.free(test_context, shared), CL_INVALID_VALUE);
        clSVMFree(test_context, p);
        check_info(p, CL_MEM_TYPE_DEVICE_INTEL, p, 256, test_device, 0);
        clSVMFree(test_context, shared);
    }
    CHECK_OK(clReleaseKernel(add));
    drop(p);
}

static void check_kind(int kind)
{
    check_queries(kind);
    check_neighbours(kind);
    check_kernel(kind);
    check_fills(kind);
    if (ours)
        check_hints(kind);
    check_atomics(kind);
    check_transfers(kind);
    check_events(kind);
    for (int other = 0; other < TYPES; other++) {
        if (!caps[other])
            continue;
        check_copies(kind, other);
        check_lists(kind, other, false);
        if (ours)
            check_lists(kind, other, true);
    }
}

int main(void)
{
    test_open();
    if (!usm_open())
        return test_close();
    char name[64] = "";
    clGetPlatformInfo(test_platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    ours = !strcmp(name, "Pumice");
    program = test_build(source, "-cl-std=CL3.0");
    if (!test_has(test_device, "cl_intel_unified_shared_memory")) {
        check_nothing();
        return test_close();
    }
    check_offer();
    for (int kind = 0; kind < TYPES; kind++) {
        if (caps[kind])
            check_kind(kind);
    }
    check_flags();
    check_many();
    check_blocking_free();
    check_free_in_callbacks();
    check_contexts();
    check_threads();
    check_alloc_errors();
    check_free_errors();
    check_command_errors();
    check_kernel_errors();
    if (ours) {
        check_idle_hints();
        check_early_free();
        check_own_errors();
    }
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
