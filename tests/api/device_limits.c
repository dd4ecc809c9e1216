// SPDX-License-Identifier: Apache-2.0
// The device's limits are usable: as many arguments of each kind, as many bytes of them, and as
// large a constant buffer as reported. With a buffer for the result, program-scope constants and a
// printf in addition, such a kernel builds and runs.
#include "test.h"

#include <stdarg.h>

enum { MOST = 256, TEXT = 1 << 16 };

static char text[TEXT];
static size_t length;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    length += (size_t)vsnprintf(text + length, TEXT - length, format, values);
    va_end(values);
}

static cl_uint number_of(cl_device_info query)
{
    cl_uint value = 0;
    if (clGetDeviceInfo(test_device, query, sizeof value, &value, NULL) != CL_SUCCESS)
        return 0;
    return value < MOST ? value : MOST;
}

// `count` arguments `type`a<number>; each adds `use` to the sum, or `use` is a statement.
static cl_kernel make_kernel(const char *options, const char *head, const char *type, cl_uint count,
                             const char *use, bool adds, const char *last)
{
    length = 0;
    add("constant int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};\n%s\nkernel void k(", head);
    for (cl_uint i = 0; i < count; i++)
        add("%s a%u, ", type, i);
    add("global int *o, int n%s) {\n    int sum = table[n & 7];\n    if (n < 0) printf(\"%%d\\n\", "
        "n);\n",
        last);
    for (cl_uint i = 0; i < count; i++) {
        char one[32];
        snprintf(one, sizeof one, "a%u", i);
        add("    %s", adds ? "sum += " : "");
        for (const char *at = use; *at; at++) // @: the argument's name, #: its number
            if (*at == '@')
                add("%s", one);
            else if (*at == '#')
                add("%u", i);
            else
                add("%c", *at);
        add(";\n");
    }
    add("    *o = sum;\n}\n");
    cl_program program = test_build(text, options);
    cl_kernel kernel = test_kernel(program, "k");
    CHECK_OK(clReleaseProgram(program));
    return kernel;
}

// Runs the kernel, whose first `count` arguments are set; returns the sum.
static int run(cl_kernel kernel, cl_uint count)
{
    const size_t one = 1;
    cl_int n = 5, sum = 0; // table[n] is 9
    cl_mem out = test_buffer(0, sizeof sum, NULL);
    CHECK_OK(clSetKernelArg(kernel, count, sizeof out, &out));
    CHECK_OK(clSetKernelArg(kernel, count + 1, sizeof n, &n));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(out));
    return sum;
}

static int sum_to(cl_uint count)
{
    return (int)(count * (count + 1) / 2);
}

static void drop(cl_mem *mems, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        CHECK_OK(clReleaseMemObject(mems[i]));
}

static void set_mems(cl_kernel kernel, const cl_mem *mems, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        CHECK_OK(clSetKernelArg(kernel, i, sizeof mems[i], &mems[i]));
}

static void check_constant_args(void)
{
    cl_uint count = number_of(CL_DEVICE_MAX_CONSTANT_ARGS);
    static cl_mem mems[MOST];
    CHECK_EQ(count >= 8, 1);
    cl_kernel kernel =
        make_kernel("-cl-std=CL1.2", "", "constant int *", count, "@[n - 5]", true, "");
    for (cl_uint i = 0; i < count; i++) {
        int value = (int)i + 1;
        mems[i] = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof value, &value);
    }
    set_mems(kernel, mems, count);
    CHECK_EQ(run(kernel, count), sum_to(count) + 9);
    CHECK_OK(clReleaseKernel(kernel));
    drop(mems, count);
}

static void check_constant_size(void)
{
    cl_ulong most = 0;
    CHECK_OK(
        clGetDeviceInfo(test_device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, sizeof most, &most, NULL));
    size_t size = (size_t)most / sizeof(int) * sizeof(int);
    cl_int error, value = 77;
    cl_mem mem = clCreateBuffer(test_context, 0, size, NULL, &error);
    if (error == CL_MEM_OBJECT_ALLOCATION_FAILURE)
        return; // other processes use the memory
    CHECK_OK(error);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_TRUE, size - sizeof value, sizeof value,
                                  &value, 0, NULL, NULL));
    char use[64];
    snprintf(use, sizeof use, "@[%zu + n]", size / sizeof(int) - 6);
    cl_kernel kernel = make_kernel("-cl-std=CL1.2", "", "constant int *", 1, use, true, "");
    set_mems(kernel, &mem, 1);
    CHECK_EQ(run(kernel, 1), 77 + 9);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
}

// As one structure, and as many values.
static void check_parameters(void)
{
    size_t size = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof size, &size, NULL));
    static int values[MOST];
    char head[64];
    cl_uint count = (cl_uint)(size / sizeof(int));
    if (count > MOST)
        count = MOST;
    for (cl_uint i = 0; i < count; i++)
        values[i] = (int)i + 1;
    snprintf(head, sizeof head, "typedef struct { int v[%u]; } many;", count);
    cl_kernel kernel = make_kernel("-cl-std=CL1.2", head, "many", 1,
                                   "@.v[n - 5] + @.v[(sizeof @) / 4 - 1]", true, "");
    CHECK_OK(clSetKernelArg(kernel, 0, count * sizeof(int), values));
    CHECK_EQ(run(kernel, 1), 1 + (int)count + 9);
    CHECK_OK(clReleaseKernel(kernel));
    kernel = make_kernel("-cl-std=CL1.2", "", "int", count, "@", true, "");
    for (cl_uint i = 0; i < count; i++)
        CHECK_OK(clSetKernelArg(kernel, i, sizeof(int), &values[i]));
    CHECK_EQ(run(kernel, count), sum_to(count) + 9);
    CHECK_OK(clReleaseKernel(kernel));
}

static cl_mem image_of(cl_uint value)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 2};
    const size_t origin[3] = {0, 0, 0}, region[3] = {2, 2, 1};
    unsigned char texels[16];
    cl_int error;
    memset(texels, (int)value, sizeof texels);
    cl_mem image = clCreateImage(test_context, 0, &format, &desc, NULL, &error);
    CHECK_OK(error);
    CHECK_OK(clEnqueueWriteImage(test_queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL,
                                 NULL));
    return image;
}

static unsigned texel_of(cl_mem image)
{
    const size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
    unsigned char texel[4] = {0};
    CHECK_OK(
        clEnqueueReadImage(test_queue, image, CL_TRUE, origin, region, 0, 0, texel, 0, NULL, NULL));
    return texel[0];
}

// Images with the values 1, 2, ...; a write adds 1.
static void check_images(cl_device_info query, const char *options, const char *type,
                         const char *use, bool adds, bool writes)
{
    static cl_mem images[MOST];
    cl_uint count = number_of(query);
    int sum = 9;
    if (!count)
        return;
    cl_kernel kernel = make_kernel(options, "", type, count, use, adds, "");
    for (cl_uint i = 0; i < count; i++) {
        images[i] = image_of(i % 200 + 1);
        sum += adds ? (int)(i % 200 + 1) : 0;
    }
    set_mems(kernel, images, count);
    CHECK_EQ(run(kernel, count), sum);
    for (cl_uint i = 0; writes && i < count; i++)
        CHECK_EQ(texel_of(images[i]), i % 200 + 2);
    CHECK_OK(clReleaseKernel(kernel));
    drop(images, count);
}

static void check_samplers(void)
{
    static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE,
                                               CL_ADDRESS_CLAMP};
    cl_uint count = number_of(CL_DEVICE_MAX_SAMPLERS);
    if (!count)
        return;
    cl_mem image = image_of(3);
    cl_kernel kernel = make_kernel("-cl-std=CL1.2", "", "sampler_t", count,
                                   "(int)read_imageui(image, @, (float2)(0.5f, 0.5f)).x", true,
                                   ", read_only image2d_t image");
    for (cl_uint i = 0; i < count; i++) {
        cl_int error;
        cl_sampler sampler =
            clCreateSampler(test_context, i & 1, modes[i / 2 % 3], CL_FILTER_NEAREST, &error);
        CHECK_OK(error);
        CHECK_OK(clSetKernelArg(kernel, i, sizeof sampler, &sampler));
        CHECK_OK(clReleaseSampler(sampler));
    }
    CHECK_OK(clSetKernelArg(kernel, count + 2, sizeof image, &image));
    CHECK_EQ(run(kernel, count), 3 * (int)count + 9);
    CHECK_OK(clReleaseKernel(kernel));
    drop(&image, 1);
}

static bool has_pipes(void)
{
    cl_bool pipes = CL_FALSE;
    return clGetDeviceInfo(test_device, CL_DEVICE_PIPE_SUPPORT, sizeof pipes, &pipes, NULL) ==
               CL_SUCCESS &&
           pipes;
}

static void check_pipes(void)
{
    cl_uint count = number_of(CL_DEVICE_MAX_PIPE_ARGS);
    static cl_mem pipes[MOST];
    if (!has_pipes())
        return;
    for (cl_uint i = 0; i < count; i++) {
        cl_int error;
        pipes[i] = clCreatePipe(test_context, 0, sizeof(int), 4, NULL, &error);
        CHECK_OK(error);
    }
    cl_kernel writes = make_kernel("-cl-std=CL3.0", "", "write_only pipe int", count,
                                   "{ int x = # + 1; write_pipe(@, &x); }", false, "");
    cl_kernel reads = make_kernel("-cl-std=CL3.0", "", "read_only pipe int", count,
                                  "{ int x = 0; read_pipe(@, &x); sum += x; }", false, "");
    set_mems(writes, pipes, count);
    set_mems(reads, pipes, count);
    CHECK_EQ(run(writes, count), 9);
    CHECK_EQ(run(reads, count), sum_to(count) + 9);
    CHECK_OK(clReleaseKernel(writes));
    CHECK_OK(clReleaseKernel(reads));
    drop(pipes, count);
}

int main(void)
{
    test_open();
    check_constant_args();
    check_constant_size();
    check_parameters();
    check_images(CL_DEVICE_MAX_READ_IMAGE_ARGS, "-cl-std=CL1.2", "read_only image2d_t",
                 "(int)read_imageui(@, (int2)(0, 0)).x", true, false);
    check_images(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, "-cl-std=CL1.2", "write_only image2d_t",
                 "write_imageui(@, (int2)(0, 0), (uint4)(# % 200 + 2))", false, true);
    check_images(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, "-cl-std=CL3.0", "read_write image2d_t",
                 "write_imageui(@, (int2)(0, 0), read_imageui(@, (int2)(0, 0)) + 1u)", false, true);
    check_samplers();
    check_pipes();
    return test_close();
}
