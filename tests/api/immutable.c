// SPDX-License-Identifier: Apache-2.0
// cl_ext_immutable_memory_objects: objects that are initialised at creation and can only be read.
#include "test.h"

#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6)
#endif

enum { BYTES = 4096, SIDE = 16 };
static const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
static unsigned char contents[BYTES], other[BYTES];

static void check_creation(void)
{
    static const struct {
        cl_mem_flags flags;
        void *pointer;
        cl_int want;
    } rows[] = {
        {CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR, contents, CL_SUCCESS},
        {CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, contents, CL_SUCCESS},
        {CL_MEM_IMMUTABLE_EXT | CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, contents, CL_SUCCESS},
        {CL_MEM_IMMUTABLE_EXT | CL_MEM_HOST_READ_ONLY | CL_MEM_USE_HOST_PTR, contents, CL_SUCCESS},
        {CL_MEM_IMMUTABLE_EXT, NULL, CL_INVALID_VALUE},
        {CL_MEM_IMMUTABLE_EXT | CL_MEM_ALLOC_HOST_PTR, NULL, CL_INVALID_VALUE},
        {CL_MEM_IMMUTABLE_EXT | CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, contents, CL_INVALID_VALUE},
        {CL_MEM_IMMUTABLE_EXT | CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR, contents, CL_INVALID_VALUE},
        {CL_MEM_IMMUTABLE_EXT | CL_MEM_HOST_WRITE_ONLY | CL_MEM_COPY_HOST_PTR, contents, CL_INVALID_VALUE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_int error = 1;
        cl_mem_flags told = 0;
        cl_mem mem = clCreateBuffer(test_context, rows[i].flags, BYTES, rows[i].pointer, &error);
        if (!CHECK_EQ(error, rows[i].want))
            printf("  in creation %zu\n", i);
        if (!mem)
            continue;
        CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof told, &told, NULL));
        CHECK_EQ(told, rows[i].flags);
        CHECK_OK(clReleaseMemObject(mem));
    }
}

static void check_children(cl_mem parent)
{
    const cl_buffer_region region = {1024, 64};
    const cl_mem_flags refused[] = {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY};
    cl_int code;
    for (int i = 0; i < 3; i++)
        CHECK_CREATE(clCreateSubBuffer(parent, refused[i], CL_BUFFER_CREATE_TYPE_REGION, &region, &error), CL_INVALID_VALUE);
    cl_mem_flags told = 0;
    cl_mem child = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    CHECK_OK(code);
    CHECK_OK(clGetMemObjectInfo(child, CL_MEM_FLAGS, sizeof told, &told, NULL));
    CHECK(told & CL_MEM_IMMUTABLE_EXT);
    CHECK_EQ(clEnqueueWriteBuffer(test_queue, child, CL_TRUE, 0, 64, other, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_OK(clReleaseMemObject(child));
}

static void check_buffer_commands(cl_mem mem)
{
    static unsigned char got[BYTES];
    const size_t zero[3] = {0, 0, 0}, box[3] = {16, 4, 1};
    const cl_map_flags writes[] = {CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION};
    cl_mem plain = test_buffer(CL_MEM_COPY_HOST_PTR, BYTES, other);
    cl_int code;
    CHECK_EQ(clEnqueueWriteBuffer(test_queue, mem, CL_TRUE, 0, 64, other, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueWriteBufferRect(test_queue, mem, CL_TRUE, zero, zero, box, 64, 0, 64, 0, other, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueCopyBuffer(test_queue, plain, mem, 0, 0, 64, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueCopyBufferRect(test_queue, plain, mem, zero, zero, box, 64, 0, 64, 0, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueFillBuffer(test_queue, mem, other, 4, 0, 64, 0, NULL, NULL), CL_INVALID_OPERATION);
    for (int i = 0; i < 3; i++)
        CHECK_CREATE(clEnqueueMapBuffer(test_queue, mem, CL_TRUE, writes[i], 0, 64, 0, NULL, NULL, &error), CL_INVALID_OPERATION);
    const unsigned char *mapped = clEnqueueMapBuffer(test_queue, mem, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK(mapped && !memcmp(mapped, contents, BYTES));
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, mem, (void *)mapped, 0, NULL, NULL));
    // reading is allowed
    CHECK_OK(clEnqueueCopyBuffer(test_queue, mem, plain, 0, 0, BYTES, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, plain, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
    CHECK(!memcmp(got, contents, BYTES));
    CHECK_OK(clReleaseMemObject(plain));
}

static void check_buffer_arguments(cl_mem mem)
{
    static const char text[] = "kernel void sum(global const uchar *a, constant uchar *b, global uint *out) { out[0] = a[5] + b[6]; }";
    cl_program program = test_build(text, "");
    cl_kernel kernel = test_kernel(program, "sum");
    cl_mem out = test_buffer(0, 64, NULL);
    const size_t one = 1;
    cl_uint sum = 0;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof mem, &mem));
    CHECK_EQ(clSetKernelArg(kernel, 2, sizeof mem, &mem), CL_INVALID_ARG_VALUE);
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof out, &out));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL));
    CHECK_EQ(sum, (cl_uint)contents[5] + contents[6]);
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

static cl_mem make_image(cl_mem_flags flags, void *pointer, cl_mem parent, cl_int *code)
{
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE, .mem_object = parent};
    return clCreateImage(test_context, flags, &format, &desc, pointer, code);
}

static void check_image_commands(cl_mem image)
{
    static unsigned char got[SIDE * SIDE * 4];
    const size_t zero[3] = {0, 0, 0}, box[3] = {SIDE, SIDE, 1};
    const cl_uint color[4] = {1, 2, 3, 4};
    size_t pitch;
    cl_int code;
    cl_mem plain = make_image(CL_MEM_COPY_HOST_PTR, other, NULL, &code), buffer = test_buffer(0, BYTES, NULL);
    CHECK_OK(code);
    CHECK_EQ(clEnqueueWriteImage(test_queue, image, CL_TRUE, zero, box, 0, 0, other, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueFillImage(test_queue, image, color, zero, box, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueCopyImage(test_queue, plain, image, zero, zero, box, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueCopyBufferToImage(test_queue, buffer, image, 0, zero, box, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_CREATE(clEnqueueMapImage(test_queue, image, CL_TRUE, CL_MAP_WRITE, zero, box, &pitch, NULL, 0, NULL, NULL, &error),
                 CL_INVALID_OPERATION);
    // reading is allowed
    CHECK_OK(clEnqueueCopyImage(test_queue, image, plain, zero, zero, box, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadImage(test_queue, plain, CL_TRUE, zero, box, 0, 0, got, 0, NULL, NULL));
    CHECK(!memcmp(got, contents, sizeof got));
    CHECK_OK(clReleaseMemObject(buffer));
    CHECK_OK(clReleaseMemObject(plain));
}

static void check_image_arguments(cl_mem image)
{
    static const char text[] = "kernel void copy(read_only image2d_t from, write_only image2d_t to)\n"
                               "{ write_imageui(to, (int2)(0), read_imageui(from, (int2)(0))); }";
    cl_program program = test_build(text, "");
    cl_kernel kernel = test_kernel(program, "copy");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof image, &image), CL_INVALID_ARG_VALUE);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

static void check_images(cl_mem buffer)
{
    const cl_mem_flags immutable = CL_MEM_IMMUTABLE_EXT;
    cl_int code;
    CHECK(test_has_format(immutable, CL_MEM_OBJECT_IMAGE2D, &format));
    CHECK_CREATE(make_image(immutable, NULL, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(make_image(immutable | CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR, contents, NULL, &error), CL_INVALID_VALUE);
    if (test_has(test_device, "cl_khr_image2d_from_buffer")) {
        CHECK_CREATE(make_image(0, NULL, buffer, &error), CL_INVALID_VALUE); // its parent is immutable
        cl_mem child = make_image(immutable, NULL, buffer, &code);
        CHECK_OK(code);
        CHECK_OK(clReleaseMemObject(child));
    }
    cl_mem image = make_image(immutable | CL_MEM_COPY_HOST_PTR, contents, NULL, &code);
    CHECK_OK(code);
    check_image_commands(image);
    check_image_arguments(image);
    CHECK_OK(clReleaseMemObject(image));
}

int main(void)
{
    test_open();
    if (!test_has(test_device, "cl_ext_immutable_memory_objects"))
        return test_close() ? 1 : 77;
    for (int i = 0; i < BYTES; i++)
        contents[i] = (unsigned char)(i * 7 + 1);
    check_creation();
    cl_mem mem = test_buffer(CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR, BYTES, contents);
    check_children(mem);
    check_buffer_commands(mem);
    check_buffer_arguments(mem);
    if (test_has_images())
        check_images(mem);
    CHECK_OK(clReleaseMemObject(mem));
    return test_close();
}
