// SPDX-License-Identifier: Apache-2.0
// Transfers through mapped windows into device memory: the right bytes are transferred at any
// offset, and the log of submissions shows whether the host or the device copied them.
#include "test.h"

enum { SIZE = 1 << 18, SMALL = 4096, LONG = 40 };

static FILE *log_file;
static cl_mem mem;
static cl_kernel kernel;
static uint8_t want[SIZE], got[SIZE];

static int batches(void)
{
    return test_log_count(log_file, ": batch ", "");
}

static void make_bytes(uint8_t *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(seed >> 24);
    }
}

static void put(size_t at, size_t size)
{
    make_bytes(want + at, size, (unsigned)(at * 7 + size));
    CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_TRUE, at, size, want + at, 0, NULL, NULL));
}

static bool same(size_t at, size_t size)
{
    memset(got, 0, sizeof got);
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, at, size, got, 0, NULL, NULL));
    return !memcmp(got, want + at, size);
}

// Increments the first bytes.
static void launch(void)
{
    const size_t size = SMALL;
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
    for (size_t i = 0; i < size; i++)
        want[i]++;
}

// Elsewhere the host reads uncached memory too slowly, so the device copies.
static bool reads(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

static void places(void)
{
    for (size_t at = 0; at < 70; at += 3)
        for (size_t size = 1; size < 300; size += 1 + size / 3)
            put(at, size);
    int before = batches();
    for (size_t at = 0; at < 70; at += 5)
        for (size_t size = 1; size < 300; size += 1 + size / 4)
            CHECK(same(at, size));
    put(100, SMALL);
    CHECK(same(99, SMALL + 2));
    put(SIZE - 65, 65);
    CHECK(same(SIZE - 65, 65));
    CHECK_PATH(!reads() || batches() == before);
}

// Large writes also use the window while the device is idle.
static void large(void)
{
    int before = batches();
    cl_event nothing;
    put(0, SIZE);
    CHECK_PATH(batches() == before);
    CHECK(same(0, SIZE));
    CHECK_PATH(batches() == before + 1);
    CHECK_OK(clEnqueueMarkerWithWaitList(test_queue, 0, NULL, &nothing));
    make_bytes(want, SIZE, 3);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_TRUE, 0, SIZE, want, 1, &nothing, NULL));
    CHECK_OK(clReleaseEvent(nothing));
    CHECK(same(0, SIZE));
    before = batches();
    const size_t origin[3] = {0, 0, 0}, region[3] = {4, 8, 1};
    CHECK_OK(clEnqueueReadBufferRect(test_queue, mem, CL_TRUE, origin, origin, region, 64, 0, 64, 0, got, 0, NULL, NULL));
    CHECK_PATH(batches() == before + 1);
    CHECK(!memcmp(got + 64, want + 64, 4));
}

// If the device can read host memory directly, its copy is faster.
static void pinned(void)
{
    int before = batches();
    cl_bool unified = CL_FALSE;
    cl_int error;
    cl_mem host = test_buffer(CL_MEM_ALLOC_HOST_PTR, SIZE, NULL);
    void *bytes = clEnqueueMapBuffer(test_queue, host, CL_TRUE, CL_MAP_WRITE, 0, SIZE, 0, NULL, NULL, &error);
    CHECK_OK(error);
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL));
    make_bytes(want, SIZE, 4);
    memcpy(bytes, want, SIZE);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_TRUE, 0, SIZE, bytes, 0, NULL, NULL));
    CHECK_PATH(batches() == before + !unified);
    CHECK(same(0, SIZE));
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, host, bytes, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(host));
}

// Writes of the device are visible to the host only after a barrier, so the device copies until a
// wait.
static void after_kernels(void)
{
    for (int i = 0; i < LONG; i++) {
        launch();
        CHECK_OK(clFinish(test_queue));
    }
    int before = batches();
    CHECK(same(0, SMALL));
    CHECK_PATH(batches() == before + 1);
    for (int i = 0; i < LONG; i++) {
        launch();
        CHECK(same((size_t)i, SMALL));
        put(10, 100);
    }
    CHECK_PATH(!reads() || batches() == before + 1 + LONG); // the launches
    for (int i = 0; i < LONG; i++)
        launch();
    put(0, 64); // copied by the device again
    CHECK(same(0, SMALL));
    launch();
    put(3, 5);
    CHECK(same(0, SMALL));
}

static void not_blocking(void)
{
    for (int i = 0; i < LONG; i++) {
        launch();
        make_bytes(want, 64, (unsigned)i);
        CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_FALSE, 0, 64, want, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_FALSE, 0, SMALL, got, 0, NULL, NULL));
        CHECK_OK(clFinish(test_queue));
        CHECK(!memcmp(got, want, SMALL));
        CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_FALSE, 5, 100, got, 0, NULL, NULL));
        CHECK_OK(clFinish(test_queue));
        CHECK(!memcmp(got, want + 5, 100));
    }
}

int main(void)
{
    static const char text[] = "kernel void add(global uchar *p) { p[get_global_id(0)]++; }";
    const char *source = text;
    cl_int error;
    setenv("PUMICE_WINDOW", "1", 1);
    setenv("PUMICE_DEBUG", "queue", 1);
    log_file = test_log();
    if (!log_file)
        return 77;
    test_open();
    cl_program program = clCreateProgramWithSource(test_context, 1, &source, NULL, &error);
    CHECK_OK(clBuildProgram(program, 1, &test_device, "", NULL, NULL));
    kernel = clCreateKernel(program, "add", &error);
    CHECK_OK(error);
    mem = clCreateBuffer(test_context, CL_MEM_READ_WRITE, SIZE, NULL, &error);
    CHECK_OK(error);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    put(0, SIZE);
    places();
    large();
    pinned();
    after_kernels();
    not_blocking();
    clReleaseMemObject(mem);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return test_close();
}
