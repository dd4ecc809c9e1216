// SPDX-License-Identifier: Apache-2.0
// Reads, writes, copies, fills, rectangles, maps: contents compared with a model on the host, and
// errors.
#include "test.h"

enum { SIZE = 8192 };
static unsigned char model[SIZE], other[SIZE], got[SIZE];

static void scramble(unsigned char *bytes, unsigned seed)
{
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)((seed = seed * 1664525 + 1013904223) >> 24);
}

static void expect(cl_mem mem, const unsigned char *want, const char *what)
{
    memset(got, 0xee, SIZE);
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, SIZE, got, 0, NULL, NULL));
    if (!CHECK(!memcmp(got, want, SIZE)))
        printf("  after %s\n", what);
}

static void check_linear(cl_mem a, cl_mem b)
{
    scramble(model, 1);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, a, CL_TRUE, 0, SIZE, model, 0, NULL, NULL));
    expect(a, model, "a write");
    scramble(other, 2);
    memcpy(model + 1001, other, 333);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, a, CL_FALSE, 1001, 333, other, 0, NULL, NULL));
    CHECK_OK(clEnqueueWriteBuffer(test_queue, a, CL_FALSE, 5, 0, other, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    expect(a, model, "a write inside");
    scramble(other, 3);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, b, CL_TRUE, 0, SIZE, other, 0, NULL, NULL));
    memcpy(other + 7, model + 100, 1234);
    CHECK_OK(clEnqueueCopyBuffer(test_queue, a, b, 100, 7, 1234, 0, NULL, NULL));
    expect(b, other, "a copy");
    memcpy(model + 4000, model + 16, 1000);
    CHECK_OK(clEnqueueCopyBuffer(test_queue, a, a, 16, 4000, 1000, 0, NULL, NULL));
    expect(a, model, "a copy within one buffer");
}

static void check_fills(cl_mem a)
{
    unsigned char pattern[128];
    for (int i = 0; i < 128; i++)
        pattern[i] = (unsigned char)(i * 7 + 1);
    CHECK_OK(clEnqueueReadBuffer(test_queue, a, CL_TRUE, 0, SIZE, model, 0, NULL, NULL));
    for (size_t size = 1; size <= 128; size *= 2) {
        size_t offset = 3 * size, length = 11 * size;
        for (size_t i = 0; i < length; i++)
            model[offset + i] = pattern[i % size];
        CHECK_OK(clEnqueueFillBuffer(test_queue, a, pattern, size, offset, length, 0, NULL, NULL));
        expect(a, model, "a fill");
    }
    CHECK_EQ(clEnqueueFillBuffer(test_queue, a, NULL, 4, 0, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueFillBuffer(test_queue, a, pattern, 0, 0, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueFillBuffer(test_queue, a, pattern, 3, 0, 3, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueFillBuffer(test_queue, a, pattern, 4, 2, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueFillBuffer(test_queue, a, pattern, 4, 0, 6, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueFillBuffer(test_queue, a, pattern, 4, SIZE, 4, 0, NULL, NULL),
             CL_INVALID_VALUE);
}

static void check_refusals(cl_mem a, cl_mem b)
{
    char byte;
    cl_mem no_read = test_buffer(CL_MEM_HOST_WRITE_ONLY, 64, NULL);
    cl_mem no_write = test_buffer(CL_MEM_HOST_READ_ONLY, 64, NULL);
    CHECK_EQ(clEnqueueReadBuffer(NULL, a, 1, 0, 1, &byte, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueReadBuffer(test_queue, NULL, 1, 0, 1, &byte, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueReadBuffer(test_queue, a, 1, 0, 1, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueReadBuffer(test_queue, a, 1, SIZE, 1, &byte, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueReadBuffer(test_queue, a, 1, 1, SIZE_MAX, &byte, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueReadBuffer(test_queue, a, 1, 0, 1, &byte, 1, NULL, NULL),
             CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueReadBuffer(test_queue, no_read, 1, 0, 1, &byte, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueWriteBuffer(test_queue, no_write, 1, 0, 1, &byte, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueCopyBuffer(test_queue, a, b, 0, SIZE - 1, 2, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueCopyBuffer(test_queue, a, a, 0, 10, 11, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    cl_int code;
    cl_buffer_region region = {1024, 512}, next = {1152, 512};
    cl_mem one = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    cl_mem two = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &next, &code);
    CHECK_EQ(clEnqueueCopyBuffer(test_queue, one, two, 0, 0, 256, 0, NULL, NULL),
             CL_MEM_COPY_OVERLAP);
    CHECK_OK(clEnqueueCopyBuffer(test_queue, one, two, 0, 0, 128, 0, NULL, NULL));
    cl_context far = clCreateContext(NULL, 1, &test_device, NULL, NULL, &code);
    cl_mem foreign = clCreateBuffer(far, 0, 64, NULL, &code);
    CHECK_EQ(clEnqueueReadBuffer(test_queue, foreign, 1, 0, 1, &byte, 0, NULL, NULL),
             CL_INVALID_CONTEXT);
    CHECK_OK(clFinish(test_queue));
    cl_mem gone[] = {one, two, foreign, no_read, no_write};
    for (int i = 0; i < 5; i++)
        CHECK_OK(clReleaseMemObject(gone[i]));
    CHECK_OK(clReleaseContext(far));
}

// ---- rectangles ---------------------------------------------------------------------------------

struct rect {
    size_t origin[3], row, slice;
};

static void model_rect(unsigned char *to, const struct rect *t, const unsigned char *from,
                       const struct rect *f, const size_t *region)
{
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memcpy(to + (t->origin[2] + z) * t->slice + (t->origin[1] + y) * t->row + t->origin[0],
                   from + (f->origin[2] + z) * f->slice + (f->origin[1] + y) * f->row +
                       f->origin[0],
                   region[0]);
}

static void check_rects(cl_mem a, cl_mem b)
{
    static const size_t region[3] = {13, 5, 3};
    static const struct rect on_device = {{3, 2, 1}, 40, 400}, on_host = {{1, 1, 2}, 50, 350};
    scramble(model, 4);
    scramble(other, 5);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, a, CL_TRUE, 0, SIZE, model, 0, NULL, NULL));
    CHECK_OK(clEnqueueWriteBufferRect(test_queue, a, CL_TRUE, on_device.origin, on_host.origin,
                                      region, on_device.row, on_device.slice, on_host.row,
                                      on_host.slice, other, 0, NULL, NULL));
    model_rect(model, &on_device, other, &on_host, region);
    expect(a, model, "a rectangle written");
    static unsigned char back[SIZE];
    memcpy(back, other, SIZE);
    scramble(other, 6);
    memcpy(back, other, SIZE);
    CHECK_OK(clEnqueueReadBufferRect(test_queue, a, CL_TRUE, on_device.origin, on_host.origin,
                                     region, on_device.row, on_device.slice, on_host.row,
                                     on_host.slice, back, 0, NULL, NULL));
    model_rect(other, &on_host, model, &on_device, region);
    CHECK(!memcmp(back, other, SIZE));
    CHECK_OK(clEnqueueWriteBuffer(test_queue, b, CL_TRUE, 0, SIZE, other, 0, NULL, NULL));
    model_rect(other, &on_host, model, &on_device, region);
    CHECK_OK(clEnqueueCopyBufferRect(test_queue, a, b, on_device.origin, on_host.origin, region,
                                     on_device.row, on_device.slice, on_host.row, on_host.slice, 0,
                                     NULL, NULL));
    expect(b, other, "a rectangle copied");
}

static void check_rect_refusals(cl_mem a)
{
    static const size_t zero[3] = {0, 0, 0}, far[3] = {0, 0, 8}, region[3] = {16, 4, 2};
    static const size_t empty[3] = {16, 0, 1}, shifted[3] = {8, 0, 0}, beside[3] = {16, 0, 0};
    static const struct {
        const size_t *origin, *region;
        size_t row, slice;
        cl_int want;
    } rows[] = {
        {zero, region, 64, 1024, CL_SUCCESS},
        {zero, region, 0, 0, CL_SUCCESS},
        {zero, empty, 64, 1024, CL_INVALID_VALUE},
        {zero, region, 15, 0, CL_INVALID_VALUE},
        {zero, region, 64, 255, CL_INVALID_VALUE},
        {far, region, 64, 1024, CL_INVALID_VALUE},
        {NULL, region, 0, 0, CL_INVALID_VALUE},
        {zero, NULL, 0, 0, CL_INVALID_VALUE},
        {zero, region, SIZE_MAX / 2, 0, CL_INVALID_VALUE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_int error =
            clEnqueueReadBufferRect(test_queue, a, CL_TRUE, rows[i].origin, zero, rows[i].region,
                                    rows[i].row, rows[i].slice, 0, 0, got, 0, NULL, NULL);
        if (!CHECK_EQ(error, rows[i].want))
            printf("  in row %zu\n", i);
    }
    CHECK_EQ(clEnqueueCopyBufferRect(test_queue, a, a, zero, shifted, region, 64, 1024, 64, 1024, 0,
                                     NULL, NULL),
             CL_MEM_COPY_OVERLAP);
    CHECK_OK(clEnqueueCopyBufferRect(test_queue, a, a, zero, beside, region, 64, 1024, 64, 1024, 0,
                                     NULL, NULL));
    CHECK_EQ(clEnqueueCopyBufferRect(test_queue, a, a, zero, far, region, 64, 512, 32, 512, 0, NULL,
                                     NULL),
             CL_INVALID_VALUE);
    CHECK_OK(clFinish(test_queue));
}

// ---- maps ---------------------------------------------------------------------------------------

static void check_map_of(cl_mem mem, const char *what)
{
    cl_int code = 1;
    cl_uint count;
    scramble(model, 7);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_TRUE, 0, SIZE, model, 0, NULL, NULL));
    unsigned char *bytes = clEnqueueMapBuffer(test_queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                              512, 1024, 0, NULL, NULL, &code);
    if (!CHECK_OK(code) || !CHECK(bytes != NULL))
        return;
    CHECK(!memcmp(bytes, model + 512, 1024));
    memset(bytes + 10, 0x5a, 100);
    memset(model + 522, 0x5a, 100);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, 4, &count, NULL));
    CHECK_EQ(count, 1);
    CHECK_EQ(clEnqueueUnmapMemObject(test_queue, mem, bytes + 1, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, mem, bytes, 0, NULL, NULL));
    CHECK_EQ(clEnqueueUnmapMemObject(test_queue, mem, bytes, 0, NULL, NULL), CL_INVALID_VALUE);
    expect(mem, model, what);
    bytes = clEnqueueMapBuffer(test_queue, mem, CL_FALSE, CL_MAP_WRITE_INVALIDATE_REGION, 0, SIZE,
                               0, NULL, NULL, &code);
    CHECK_OK(clFinish(test_queue));
    scramble(model, 8);
    memcpy(bytes, model, SIZE);
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, mem, bytes, 0, NULL, NULL));
    expect(mem, model, what);
    // Released while mapped.
    clEnqueueMapBuffer(test_queue, mem, CL_TRUE, CL_MAP_READ, 0, 16, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(mem));
}

static void check_maps(void)
{
    static unsigned char pages[SIZE] __attribute__((aligned(4096))), odd[SIZE + 64];
    check_map_of(test_buffer(0, SIZE, NULL), "a map");
    check_map_of(test_buffer(CL_MEM_ALLOC_HOST_PTR, SIZE, NULL), "a map of host memory");
    check_map_of(test_buffer(CL_MEM_USE_HOST_PTR, SIZE, pages),
                 "a map of aligned application memory");
    check_map_of(test_buffer(CL_MEM_USE_HOST_PTR, SIZE, odd + 3), "a map of application memory");
    // CL_MEM_USE_HOST_PTR: the mapped pointer is into the application's memory, with the contents.
    for (int i = 0; i < 2; i++) {
        unsigned char *base = i ? odd + 3 : pages;
        cl_int code;
        scramble(base, 9);
        memcpy(model, base, SIZE);
        cl_mem mem = test_buffer(CL_MEM_USE_HOST_PTR, SIZE, base);
        expect(mem, model, "creation from application memory");
        unsigned char *bytes = clEnqueueMapBuffer(test_queue, mem, CL_TRUE, CL_MAP_WRITE, 256, 64,
                                                  0, NULL, NULL, &code);
        CHECK(bytes == base + 256);
        memset(bytes, 0x11, 64);
        memset(model + 256, 0x11, 64);
        CHECK_OK(clEnqueueUnmapMemObject(test_queue, mem, bytes, 0, NULL, NULL));
        expect(mem, model, "unmap of application memory");
        CHECK_OK(clReleaseMemObject(mem));
    }
}

// No byte may be mapped for writing twice, also through sub-buffers; enqueueing an unmap ends a
// mapping.
static void check_map_overlaps(cl_mem a)
{
    cl_int code;
    cl_uint count;
    cl_buffer_region regions[] = {{0, 2048}, {1024, 512}};
    cl_mem mems[] = {
        a,
        clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &regions[0], &code),
        clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &regions[1], &code),
    };
    static const struct {
        int mem;
        cl_map_flags flags;
        size_t offset, size;
        cl_int want;
    } rows[] = {
        // bytes 1024 to 1279 of the buffer are mapped for writing meanwhile
        {0, CL_MAP_WRITE, 1024, 256, CL_INVALID_OPERATION},
        {0, CL_MAP_WRITE, 0, 1025, CL_INVALID_OPERATION},
        {0, CL_MAP_WRITE_INVALIDATE_REGION, 1279, 1, CL_INVALID_OPERATION},
        {0, CL_MAP_WRITE, 1280, 64, CL_SUCCESS},
        {0, CL_MAP_WRITE, 0, 1024, CL_SUCCESS},
        {0, CL_MAP_READ, 1024, 256, CL_SUCCESS},
        {1, CL_MAP_READ | CL_MAP_WRITE, 1100, 4, CL_INVALID_OPERATION},
        {1, CL_MAP_WRITE, 0, 1024, CL_SUCCESS},
        {2, CL_MAP_WRITE, 0, 1, CL_INVALID_OPERATION},
        {2, CL_MAP_WRITE, 256, 256, CL_SUCCESS},
    };
    void *held = clEnqueueMapBuffer(test_queue, mems[2], CL_TRUE, CL_MAP_WRITE, 0, 256, 0, NULL,
                                    NULL, &code);
    CHECK_OK(code);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_mem mem = mems[rows[i].mem];
        void *pointer = clEnqueueMapBuffer(test_queue, mem, CL_TRUE, rows[i].flags, rows[i].offset,
                                           rows[i].size, 0, NULL, NULL, &code);
        if (!CHECK_EQ(code, rows[i].want))
            printf("  in row %zu\n", i);
        if (pointer)
            CHECK_OK(clEnqueueUnmapMemObject(test_queue, mem, pointer, 0, NULL, NULL));
    }
    CHECK_OK(clGetMemObjectInfo(mems[2], CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    CHECK_EQ(count, 1);
    CHECK_OK(clGetMemObjectInfo(a, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    CHECK_EQ(count, 0);
    CHECK_EQ(clEnqueueUnmapMemObject(test_queue, a, held, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueUnmapMemObject(test_queue, a, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, mems[2], held, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(mems[1]));
    CHECK_OK(clReleaseMemObject(mems[2]));
    CHECK_OK(clFinish(test_queue));
}

static void check_map_refusals(cl_mem a)
{
    cl_mem no_read = test_buffer(CL_MEM_HOST_WRITE_ONLY, 64, NULL);
    cl_mem no_write = test_buffer(CL_MEM_HOST_READ_ONLY, 64, NULL);
    struct {
        cl_mem mem;
        cl_map_flags flags;
        size_t offset, size;
        cl_int want;
    } rows[] = {
        {a, CL_MAP_READ, 0, 0, CL_INVALID_VALUE},
        {a, CL_MAP_READ, SIZE, 1, CL_INVALID_VALUE},
        {a, 1 << 10, 0, 1, CL_INVALID_VALUE},
        {a, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 1, CL_INVALID_VALUE},
        {no_read, CL_MAP_READ, 0, 1, CL_INVALID_OPERATION},
        {no_write, CL_MAP_WRITE, 0, 1, CL_INVALID_OPERATION},
        {no_write, CL_MAP_WRITE_INVALIDATE_REGION, 0, 1, CL_INVALID_OPERATION},
        {NULL, CL_MAP_READ, 0, 1, CL_INVALID_MEM_OBJECT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_CREATE(clEnqueueMapBuffer(test_queue, rows[i].mem, CL_TRUE, rows[i].flags,
                                        rows[i].offset, rows[i].size, 0, NULL, NULL, &error),
                     rows[i].want);
    CHECK_EQ(clEnqueueMigrateMemObjects(test_queue, 0, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueMigrateMemObjects(test_queue, 1, &a, 1 << 9, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_OK(
        clEnqueueMigrateMemObjects(test_queue, 1, &a, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(no_read));
    CHECK_OK(clReleaseMemObject(no_write));
}

// ---- mapped memory as the host side of transfers ------------------------------------------------

// Reads and writes, one after the other, whose host pointer is in the mapped memory of another
// buffer.
static void check_pinned(cl_mem a, cl_mem b)
{
    static const size_t region[3] = {13, 5, 3};
    static const struct rect on_device = {{3, 2, 1}, 40, 400}, on_host = {{1, 1, 2}, 50, 350};
    cl_int code;
    cl_mem mem = test_buffer(CL_MEM_ALLOC_HOST_PTR, SIZE + 300, NULL);
    unsigned char *host = clEnqueueMapBuffer(test_queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                             100, SIZE + 200, 0, NULL, NULL, &code);
    CHECK_OK(code);
    scramble(host + 1, 11);
    memcpy(model, host + 1, SIZE);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, a, CL_FALSE, 0, SIZE, host + 1, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, a, CL_FALSE, 50, 5001, host + 7, 0, NULL, NULL));
    CHECK_OK(clEnqueueWriteBuffer(test_queue, b, CL_FALSE, 0, SIZE, host + 7, 0, NULL, NULL));
    expect(a, model, "a write of mapped memory");
    memmove(other, model + 6, SIZE - 6);
    memcpy(other, model + 50, 5001);
    CHECK(!memcmp(host + 7, other, SIZE - 6));
    CHECK_OK(clEnqueueReadBuffer(test_queue, b, CL_TRUE, 0, SIZE - 6, got, 0, NULL, NULL));
    CHECK(!memcmp(got, other, SIZE - 6));

    scramble(host, 12);
    memcpy(other, host, SIZE);
    CHECK_OK(clEnqueueWriteBufferRect(test_queue, a, CL_FALSE, on_device.origin, on_host.origin,
                                      region, on_device.row, on_device.slice, on_host.row,
                                      on_host.slice, host, 0, NULL, NULL));
    model_rect(model, &on_device, other, &on_host, region);
    expect(a, model, "a rectangle of mapped memory written");
    scramble(host, 13);
    memcpy(other, host, SIZE);
    CHECK_OK(clEnqueueReadBufferRect(test_queue, a, CL_TRUE, on_device.origin, on_host.origin,
                                     region, on_device.row, on_device.slice, on_host.row,
                                     on_host.slice, host, 0, NULL, NULL));
    model_rect(other, &on_host, model, &on_device, region);
    CHECK(!memcmp(host, other, SIZE));

    // The memory is released before a command that reads it starts.
    cl_event gate = clCreateUserEvent(test_context, &code);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, b, CL_FALSE, 0, SIZE, host, 1, &gate, NULL));
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, mem, host, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clReleaseEvent(gate));
    expect(b, other, "a write of memory that was released");
}

// More than fits in the staging memory at once.
static void check_large_pinned(void)
{
    enum { LARGE = 40 << 20, STEP = 4093 };
    cl_int code;
    long wrong = 0;
    cl_mem device = test_buffer(0, LARGE, NULL);
    cl_mem mem = test_buffer(CL_MEM_ALLOC_HOST_PTR, LARGE, NULL);
    unsigned char *host = clEnqueueMapBuffer(test_queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                             0, LARGE, 0, NULL, NULL, &code);
    CHECK_OK(code);
    for (int i = 0; i < LARGE; i += STEP)
        host[i] = (unsigned char)(i / STEP);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, device, CL_TRUE, 0, LARGE, host, 0, NULL, NULL));
    memset(host, 0x77, LARGE);
    CHECK_OK(clEnqueueReadBuffer(test_queue, device, CL_TRUE, 0, LARGE, host, 0, NULL, NULL));
    for (int i = 0; i < LARGE; i += STEP)
        wrong += host[i] != (unsigned char)(i / STEP);
    CHECK_EQ(wrong, 0);
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, mem, host, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseMemObject(device));
}

int main(void)
{
    test_open();
    cl_mem a = test_buffer(0, SIZE, NULL), b = test_buffer(0, SIZE, NULL);
    check_linear(a, b);
    check_fills(a);
    check_refusals(a, b);
    check_rects(a, b);
    check_rect_refusals(a);
    check_maps();
    check_map_refusals(a);
    check_map_overlaps(a);
    check_pinned(a, b);
    check_large_pinned();
    CHECK_OK(clReleaseMemObject(a));
    CHECK_OK(clReleaseMemObject(b));
    return test_close();
}
