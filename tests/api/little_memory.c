// SPDX-License-Identifier: Apache-2.0
// What commands still hold is free soon, so others wait for it: memory of objects that are released while commands use
// them, and of transfers, which may be more than there is.
#include "test.h"

enum { MOST = 64, TIMES = 5, MEMORY_MOST = 1 << 30 };

static size_t size; // of each object
static cl_kernel slow;

static cl_mem new_buffer(cl_int *code)
{
    return clCreateBuffer(test_context, CL_MEM_READ_WRITE, size, NULL, code);
}

static cl_mem new_image(cl_int *code)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT32};
    const size_t width = 1024;
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = size / width / 16};
    return clCreateImage(test_context, CL_MEM_READ_WRITE, &format, &desc, NULL, code);
}

static const struct kind {
    const char *name;
    cl_mem (*create)(cl_int *code);
} kinds[] = {{"buffers", new_buffer}, {"images", new_image}};

// Creates at most `most` objects; the number that there was memory for.
static cl_uint create(const struct kind *kind, cl_mem *objects, cl_uint most)
{
    for (cl_uint i = 0; i < most; i++) {
        cl_int code;
        objects[i] = kind->create(&code);
        if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES)
            return i;
        CHECK_OK(code);
    }
    return most;
}

static void release(const cl_mem *objects, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        CHECK_OK(clReleaseMemObject(objects[i]));
}

static void use(const struct kind *kind, const cl_mem *objects, cl_uint count, cl_event gate)
{
    static const size_t origin[3] = {0}, region[3] = {1, 1, 1};
    const cl_uint color[4] = {1, 2, 3, 4};
    const size_t one = 1;
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, slow, 1, NULL, &one, NULL, gate != NULL, gate ? &gate : NULL, NULL));
    for (cl_uint i = 0; i < count; i++)
        if (kind->create == new_image)
            CHECK_OK(clEnqueueFillImage(test_queue, objects[i], color, origin, region, 0, NULL, NULL));
        else
            CHECK_OK(clEnqueueFillBuffer(test_queue, objects[i], color, sizeof color, 0, sizeof color, 0, NULL, NULL));
}

static void check(const struct kind *kind)
{
    cl_mem objects[MOST];
    cl_uint count = create(kind, objects, MOST);
    if (!CHECK(count > 1 && count < MOST))
        printf("  %u %s\n", count, kind->name);
    for (int i = 0; i < TIMES; i++) {
        use(kind, objects, count, NULL);
        release(objects, count);
        cl_uint again = create(kind, objects, count);
        if (!CHECK_EQ(again, count))
            printf("  %s, round %d\n", kind->name, i);
        count = again;
    }
    release(objects, count);
    CHECK_OK(clFinish(test_queue));
}

// Without memory an error comes soon, also if a command that cannot start yet holds some.
static void check_held(const struct kind *kind)
{
    cl_mem objects[MOST], more;
    cl_int code;
    cl_event gate = clCreateUserEvent(test_context, &code);
    CHECK_OK(code);
    cl_uint count = create(kind, objects, MOST);
    use(kind, objects, count, gate);
    release(objects, count);
    CHECK(create(kind, &more, 1) == 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clReleaseEvent(gate));
    cl_uint again = create(kind, objects, count);
    CHECK_EQ(again, count);
    release(objects, again);
    CHECK_OK(clFinish(test_queue));
}

// Many transfers at a time, of `size` bytes each.
static void check_transfers(const struct kind *kind)
{
    enum { TRANSFERS = 64 };
    const size_t origin[3] = {0}, region[3] = {1024, size / 1024 / 16, 1};
    const bool image = kind->create == new_image;
    cl_uint *data[TRANSFERS];
    cl_int code;
    cl_mem mem = kind->create(&code);
    CHECK_OK(code);
    for (cl_uint i = 0; i < TRANSFERS; i++) {
        const cl_uint color[4] = {i, i + 1, i + 2, i + 3};
        data[i] = malloc(size);
        CHECK_OK(image ? clEnqueueFillImage(test_queue, mem, color, origin, region, 0, NULL, NULL)
                       : clEnqueueFillBuffer(test_queue, mem, color, sizeof color, 0, size, 0, NULL, NULL));
        CHECK_OK(image ? clEnqueueReadImage(test_queue, mem, CL_FALSE, origin, region, 0, 0, data[i], 0, NULL, NULL)
                       : clEnqueueReadBuffer(test_queue, mem, CL_FALSE, 0, size, data[i], 0, NULL, NULL));
    }
    CHECK_OK(clFinish(test_queue));
    for (cl_uint i = 0; i < TRANSFERS; i++)
        if (!CHECK(data[i][0] == i && data[i][size / 4 - 1] == i + 3))
            printf("  %s, transfer %u\n", kind->name, i);
    for (cl_uint i = 0; i < TRANSFERS; i++)
        CHECK_OK(image ? clEnqueueWriteImage(test_queue, mem, CL_FALSE, origin, region, 0, 0, data[i], 0, NULL, NULL)
                       : clEnqueueWriteBuffer(test_queue, mem, CL_FALSE, 0, size, data[i], 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    for (cl_uint i = 0; i < TRANSFERS; i++)
        free(data[i]);
    CHECK_OK(clReleaseMemObject(mem));
}

int main(void)
{
    static const char source[] = "kernel void slow(global uint *out) {\n"
                                 "    uint x = *out;\n"
                                 "    for (uint i = 0; i < 20000000; i++) x = x * 1664525 + i;\n"
                                 "    *out = x;\n"
                                 "}\n";
    cl_ulong memory = 0, object = 0;
    test_open();
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof object, &object, NULL));
    if (memory > MEMORY_MOST) { // the machine would have to have it
        test_close();
        return 77;
    }
    size = object / 4;
    cl_program program = test_build(source, "");
    slow = test_kernel(program, "slow");
    cl_mem out = test_buffer(CL_MEM_READ_WRITE, 4, NULL);
    CHECK_OK(clSetKernelArg(slow, 0, sizeof out, &out));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].create != new_image || test_has_images()) {
            check(&kinds[i]);
            check_held(&kinds[i]);
            check_transfers(&kinds[i]);
        }
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseKernel(slow));
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
