// SPDX-License-Identifier: Apache-2.0
// Buffers and sub-buffers: flags, sizes, queries, destructor callbacks.
#include "test.h"

static char host[4096] __attribute__((aligned(4096)));

struct creation {
    cl_mem_flags flags;
    size_t size;
    void *pointer;
    cl_int want;
};

static const struct creation creations[] = {
    {0, 64, NULL, CL_SUCCESS},
    {CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 1, NULL, CL_SUCCESS},
    {CL_MEM_ALLOC_HOST_PTR, 4096, NULL, CL_SUCCESS},
    {CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4096, host, CL_SUCCESS},
    {CL_MEM_USE_HOST_PTR, 4096, host, CL_SUCCESS},
    {CL_MEM_USE_HOST_PTR | CL_MEM_WRITE_ONLY, 100, host + 3, CL_SUCCESS},
    {CL_MEM_READ_WRITE, 0, NULL, CL_INVALID_BUFFER_SIZE},
    {CL_MEM_READ_WRITE, SIZE_MAX, NULL, CL_INVALID_BUFFER_SIZE},
    {CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64, NULL, CL_INVALID_VALUE},
    {CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 64, NULL, CL_INVALID_VALUE},
    {CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, host, CL_INVALID_VALUE},
    {CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, host, CL_INVALID_VALUE},
    {(cl_mem_flags)1 << 40, 64, NULL, CL_INVALID_VALUE},
    {CL_MEM_USE_HOST_PTR, 64, NULL, CL_INVALID_HOST_PTR},
    {CL_MEM_COPY_HOST_PTR, 64, NULL, CL_INVALID_HOST_PTR},
    {CL_MEM_READ_WRITE, 64, host, CL_INVALID_HOST_PTR},
};

static void check_creation(void)
{
    for (size_t i = 0; i < sizeof creations / sizeof *creations; i++) {
        const struct creation *c = &creations[i];
        cl_int error = 1;
        cl_mem mem = clCreateBuffer(test_context, c->flags, c->size, c->pointer, &error);
        if (!CHECK_EQ(error, c->want))
            printf("  in creation %zu\n", i);
        CHECK((mem != NULL) == (error == CL_SUCCESS));
        if (!mem)
            continue;
        void *pointer;
        size_t size;
        cl_mem_flags flags;
        CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
        CHECK(pointer == (c->flags & CL_MEM_USE_HOST_PTR ? c->pointer : NULL));
        CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof size, &size, NULL));
        CHECK_EQ(size, c->size);
        CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
        CHECK_EQ(flags & c->flags, c->flags);
        CHECK_OK(clReleaseMemObject(mem));
    }
    CHECK_CREATE(clCreateBuffer(NULL, 0, 64, NULL, &error), CL_INVALID_CONTEXT);
    const cl_mem_properties none[] = {0}, some[] = {0x7777, 1, 0};
    CHECK_CREATE(clCreateBufferWithProperties(test_context, some, 0, 64, NULL, &error),
                 CL_INVALID_PROPERTY);
    cl_int code;
    cl_mem mem = clCreateBufferWithProperties(test_context, none, 0, 64, NULL, &code);
    CHECK_OK(code);
    size_t size;
    cl_mem_properties got[4];
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, sizeof got, got, &size));
    CHECK(size == sizeof none && !got[0]);
    CHECK_OK(clReleaseMemObject(mem));
}

static void check_queries(void)
{
    static const struct {
        cl_uint name;
        size_t size;
        unsigned long long want;
    } rows[] = {
        {CL_MEM_TYPE, 4, CL_MEM_OBJECT_BUFFER},
        {CL_MEM_FLAGS, 8, CL_MEM_READ_WRITE},
        {CL_MEM_SIZE, sizeof(size_t), 777},
        {CL_MEM_HOST_PTR, sizeof(void *), 0},
        {CL_MEM_MAP_COUNT, 4, 0},
        {CL_MEM_REFERENCE_COUNT, 4, 1},
        {CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), 0},
        {CL_MEM_OFFSET, sizeof(size_t), 0},
        {CL_MEM_USES_SVM_POINTER, 4, CL_FALSE},
    };
    cl_mem mem = test_buffer(0, 777, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned long long value = 0;
        size_t size = 0;
        CHECK_OK(clGetMemObjectInfo(mem, rows[i].name, sizeof value, &value, &size));
        CHECK_EQ(size, rows[i].size);
        CHECK_EQ(value, rows[i].want);
        CHECK_EQ(clGetMemObjectInfo(mem, rows[i].name, 1, &value, NULL), CL_INVALID_VALUE);
    }
    cl_context context;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof context, &context, NULL));
    CHECK(context == test_context);
    CHECK_EQ(clGetMemObjectInfo((cl_mem)test_queue, CL_MEM_SIZE, sizeof(size_t), &context, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clGetImageInfo(mem, CL_IMAGE_WIDTH, sizeof(size_t), &context, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clRetainMemObject(NULL), CL_INVALID_MEM_OBJECT);
    CHECK_OK(clReleaseMemObject(mem));
}

struct sub_case {
    cl_mem_flags parent, flags;
    size_t origin, size;
    cl_int want;
};

static const struct sub_case sub_cases[] = {
    {0, 0, 0, 4096, CL_SUCCESS},
    {0, CL_MEM_READ_ONLY, 1024, 16, CL_SUCCESS},
    {CL_MEM_READ_ONLY, 0, 2048, 2048, CL_SUCCESS},
    {0, 0, 0, 0, CL_INVALID_BUFFER_SIZE},
    {0, 0, 0, 4097, CL_INVALID_VALUE},
    {0, 0, 4096, 1, CL_INVALID_VALUE},
    {0, 0, SIZE_MAX, 2, CL_INVALID_VALUE},
    {0, 0, 4, 16, CL_MISALIGNED_SUB_BUFFER_OFFSET},
    {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, 0, 16, CL_INVALID_VALUE},
    {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, 0, 16, CL_INVALID_VALUE},
    {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY, 0, 16, CL_INVALID_VALUE},
    {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, 0, 16, CL_INVALID_VALUE},
    {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, 0, 16, CL_INVALID_VALUE},
    {0, CL_MEM_ALLOC_HOST_PTR, 0, 16, CL_INVALID_VALUE},
};

static void check_sub_buffers(void)
{
    for (size_t i = 0; i < sizeof sub_cases / sizeof *sub_cases; i++) {
        const struct sub_case *c = &sub_cases[i];
        cl_mem parent = test_buffer(c->parent, 4096, NULL);
        cl_buffer_region region = {c->origin, c->size};
        cl_int code = 1;
        cl_mem sub =
            clCreateSubBuffer(parent, c->flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        if (!CHECK_EQ(code, c->want))
            printf("  in case %zu\n", i);
        CHECK_OK(clReleaseMemObject(parent)); // the sub-buffer holds a reference
        if (!sub)
            continue;
        cl_mem up;
        size_t offset;
        CHECK_OK(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof up, &up, NULL));
        CHECK(up == parent);
        CHECK_OK(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
        CHECK_EQ(offset, c->origin);
        CHECK_CREATE(clCreateSubBuffer(sub, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error),
                     CL_INVALID_MEM_OBJECT);
        CHECK_OK(clReleaseMemObject(sub));
    }
    cl_mem parent = test_buffer(CL_MEM_USE_HOST_PTR, sizeof host, host);
    cl_buffer_region region = {1024, 64};
    cl_int code;
    cl_mem sub = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    void *pointer;
    CHECK_OK(clGetMemObjectInfo(sub, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
    CHECK(pointer == host + 1024);
    CHECK_CREATE(clCreateSubBuffer(parent, 0, 0, &region, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &error),
                 CL_INVALID_VALUE);
    CHECK_OK(clReleaseMemObject(sub));
    CHECK_OK(clReleaseMemObject(parent));
}

static int order[4], order_count;

static void CL_CALLBACK on_destroy(cl_mem mem, void *data)
{
    (void)mem;
    order[order_count++ & 3] = *(int *)data;
}

static void check_callbacks(void)
{
    static int ids[] = {1, 2, 3};
    cl_mem mem = test_buffer(0, 64, NULL);
    for (int i = 0; i < 3; i++)
        CHECK_OK(clSetMemObjectDestructorCallback(mem, on_destroy, &ids[i]));
    CHECK_EQ(clSetMemObjectDestructorCallback(mem, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clRetainMemObject(mem));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_EQ(order_count, 0);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK(order_count == 3 && order[0] == 3 && order[1] == 2 && order[2] == 1);
}

int main(void)
{
    test_open();
    check_creation();
    check_queries();
    check_sub_buffers();
    check_callbacks();
    return test_close();
}
