// SPDX-License-Identifier: Apache-2.0
// Images in kernels: copies of every type in every supported format, queries, samplers as
// arguments, images in buffers, images of images, hazards; errors of clSetKernelArg.
#include <math.h>
#include "test.h"

enum { WIDTH = 11, HEIGHT = 5, DEPTH = 3, TEXELS = WIDTH * HEIGHT * DEPTH };

struct type_row {
    cl_mem_object_type type;
    const char *name, *at; // in OpenCL C; the coordinates of a work-item
    bool depth;
};

static const struct type_row type_rows[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", "x", false},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "image1d_buffer_t", "x", false},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "(int2)(x, y)", false},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "(int2)(x, y)", false},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "(int4)(x, y, z, 0)", false},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "(int4)(x, y, z, 0)", false},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_depth_t", "(int2)(x, y)", true},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_depth_t", "(int4)(x, y, z, 0)", true},
};
enum { TYPES = sizeof type_rows / sizeof *type_rows };

static const size_t zero[3];

static bool has(cl_device_info query)
{
    cl_uint value = 0;
    clGetDeviceInfo(test_device, query, sizeof value, &value, NULL);
    return value != 0;
}

static bool has_extension(const char *name)
{
    static char text[4096];
    clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL);
    return strstr(text, name) != NULL;
}

static void sizes_of(cl_mem_object_type type, cl_image_desc *desc, size_t size[3])
{
    memset(desc, 0, sizeof *desc);
    desc->image_type = type;
    desc->image_width = size[0] = WIDTH;
    size[1] = size[2] = 1;
    if (type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
        type == CL_MEM_OBJECT_IMAGE3D)
        desc->image_height = size[1] = HEIGHT;
    if (type == CL_MEM_OBJECT_IMAGE3D)
        desc->image_depth = size[2] = DEPTH;
    if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        desc->image_array_size = size[2] = DEPTH;
    if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        desc->image_array_size = size[1] = DEPTH;
}

static cl_mem make_image(cl_mem_object_type type, const cl_image_format *format, cl_mem_flags flags,
                         size_t size[3])
{
    cl_image_desc desc;
    cl_int code;
    sizes_of(type, &desc, size);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        desc.mem_object = test_buffer(flags, 4096, NULL);
    cl_mem image = clCreateImage(test_context, flags, format, &desc, NULL, &code);
    CHECK_OK(code);
    if (desc.mem_object)
        CHECK_OK(clReleaseMemObject(desc.mem_object));
    return image;
}

static void set_args(cl_kernel kernel, cl_mem a, cl_mem b)
{
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof a, &a));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof b, &b));
}

static void run(cl_kernel kernel, const size_t size[3])
{
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 3, NULL, size, NULL, 0, NULL, NULL));
}

// Bytes that are numbers in every format: no NaN, no denormal, not the second encoding of -1.
static void fill_bytes(unsigned char *bytes, const cl_image_format *format)
{
    float *floats = (float *)(void *)bytes;
    unsigned short *halves = (unsigned short *)(void *)bytes;
    for (int i = 0; i < TEXELS * 16; i++)
        bytes[i] = (unsigned char)(i * 37 + i / 16);
    for (int i = 0; i < TEXELS * 4 && format->image_channel_data_type == CL_FLOAT; i++)
        floats[i] = (float)(i % 1001) * 0.25f - 77;
    for (int i = 0; i < TEXELS * 8 && format->image_channel_data_type == CL_HALF_FLOAT; i++)
        halves[i] = (unsigned short)(0x3000 + i % 0x4000);
    for (int i = 0; i < TEXELS * 16 && format->image_channel_data_type == CL_SNORM_INT8; i++)
        bytes[i] = bytes[i] == 0x80 ? 0x81 : bytes[i];
    for (int i = 0; i < TEXELS * 8 && format->image_channel_data_type == CL_SNORM_INT16; i++)
        halves[i] = halves[i] == 0x8000 ? 0x8001 : halves[i];
}

static int class_of(const cl_image_format *format)
{
    cl_channel_type type = format->image_channel_data_type;
    if (type >= CL_SIGNED_INT8 && type <= CL_SIGNED_INT32)
        return 1;
    return type >= CL_UNSIGNED_INT8 && type <= CL_UNSIGNED_INT32 ? 2 : 0;
}

static void check_copy(const struct type_row *row, const cl_image_format *format,
                       cl_kernel const kernels[3])
{
    static unsigned char bytes[TEXELS * 16], got[TEXELS * 16];
    size_t size[3], texel = 0;
    cl_mem src = make_image(row->type, format, CL_MEM_READ_ONLY, size);
    cl_mem dst = make_image(row->type, format, CL_MEM_WRITE_ONLY, size);
    fill_bytes(bytes, format);
    CHECK_OK(clGetImageInfo(src, CL_IMAGE_ELEMENT_SIZE, sizeof texel, &texel, NULL));
    CHECK_OK(
        clEnqueueWriteImage(test_queue, src, CL_FALSE, zero, size, 0, 0, bytes, 0, NULL, NULL));
    set_args(kernels[class_of(format)], src, dst);
    run(kernels[class_of(format)], size);
    CHECK_OK(clEnqueueReadImage(test_queue, dst, CL_TRUE, zero, size, 0, 0, got, 0, NULL, NULL));
    if (!CHECK(!memcmp(got, bytes, texel * size[0] * size[1] * size[2])))
        printf("  %s, format 0x%x 0x%x: %02x %02x %02x %02x\n", row->name,
               format->image_channel_order, format->image_channel_data_type, got[0], got[1], got[2],
               got[3]);
    CHECK_OK(clReleaseMemObject(src));
    CHECK_OK(clReleaseMemObject(dst));
}

static cl_program build_copies(const struct type_row *row)
{
    static const char text[] =
        "%s%s"
        "#define AT int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2)\n"
        "kernel void copy_f(read_only %s a, write_only %s b)\n"
        "{ AT; write_imagef(b, %s, read_imagef(a, %s)); }\n"
        "#ifndef DEPTH\n"
        "kernel void copy_i(read_only %s a, write_only %s b)\n"
        "{ AT; write_imagei(b, %s, read_imagei(a, %s)); }\n"
        "kernel void copy_u(read_only %s a, write_only %s b)\n"
        "{ AT; write_imageui(b, %s, read_imageui(a, %s)); }\n"
        "#endif\n";
    char source[4096];
    const char *t = row->name, *at = row->at;
    snprintf(source, sizeof source, text,
             row->type == CL_MEM_OBJECT_IMAGE3D
                 ? "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
                 : "",
             row->depth ? "#define DEPTH\n" : "", t, t, at, at, t, t, at, at, t, t, at, at);
    return test_build(source, "-cl-std=CL1.2");
}

static void check_copies(const struct type_row *row)
{
    static cl_image_format formats[256];
    cl_uint count = 0;
    cl_program program = build_copies(row);
    cl_kernel kernels[3] = {test_kernel(program, "copy_f"), NULL, NULL};
    if (!row->depth) {
        kernels[1] = test_kernel(program, "copy_i");
        kernels[2] = test_kernel(program, "copy_u");
    }
    CHECK_OK(clGetSupportedImageFormats(test_context, CL_MEM_WRITE_ONLY, row->type, 256, formats,
                                        &count));
    for (cl_uint i = 0; i < count; i++)
        if ((formats[i].image_channel_order == CL_DEPTH) == row->depth &&
            test_has_format(CL_MEM_READ_ONLY, row->type, &formats[i]))
            check_copy(row, &formats[i], kernels);
    for (int i = 0; i < 3; i++)
        if (kernels[i])
            CHECK_OK(clReleaseKernel(kernels[i]));
    CHECK_OK(clReleaseProgram(program));
}

// ---- reads of formats whose channels are swizzled -----------------------------------------------

struct read_row {
    cl_channel_order order;
    cl_channel_type type;
    unsigned char bytes[8];
    float want[4];
};

static const struct read_row read_rows[] = {
    {CL_R, CL_UNORM_INT8, {51}, {0.2f, 0, 0, 1}},
    {CL_RG, CL_UNORM_INT8, {51, 255}, {0.2f, 1, 0, 1}},
    {CL_A, CL_UNORM_INT8, {51}, {0, 0, 0, 0.2f}},
    {CL_RA, CL_UNORM_INT8, {51, 102}, {0.2f, 0, 0, 0.4f}},
    {CL_BGRA, CL_UNORM_INT8, {0, 51, 102, 255}, {0.4f, 0.2f, 0, 1}},
    {CL_ARGB, CL_UNORM_INT8, {0, 51, 102, 255}, {0.2f, 0.4f, 1, 0}},
    {CL_ABGR, CL_UNORM_INT8, {0, 51, 102, 255}, {1, 0.4f, 0.2f, 0}},
    {CL_INTENSITY, CL_UNORM_INT8, {51}, {0.2f, 0.2f, 0.2f, 0.2f}},
    {CL_LUMINANCE, CL_UNORM_INT8, {51}, {0.2f, 0.2f, 0.2f, 1}},
    {CL_RGB, CL_UNORM_SHORT_565, {0x2f, 0xaa}, {21 / 31.0f, 17 / 63.0f, 15 / 31.0f, 1}},
    {CL_RGB, CL_UNORM_SHORT_555, {0x4a, 0x3e}, {15 / 31.0f, 18 / 31.0f, 10 / 31.0f, 1}},
    {CL_RGB, CL_UNORM_INT_101010, {0x00, 0xfc, 0x0f, 0x00}, {0, 1, 0, 1}},
    {CL_ABGR, CL_UNORM_INT_2_101010_EXT, {0xff, 0x03, 0x00, 0x90}, {1, 0, 256 / 1023.0f, 2 / 3.0f}},
    {CL_sRGBA, CL_UNORM_INT8, {255, 188, 0, 51}, {1, 0.5029f, 0, 0.2f}},
    {CL_sBGRA, CL_UNORM_INT8, {0, 188, 255, 51}, {1, 0.5029f, 0, 0.2f}},
};

static void check_reads(void)
{
    cl_program program = test_build("kernel void get(read_only image2d_t a, global float4 *to)\n"
                                    "{ *to = read_imagef(a, (int2)(3, 2)); }",
                                    "-cl-std=CL1.2");
    cl_kernel kernel = test_kernel(program, "get");
    cl_mem to = test_buffer(0, 16, NULL);
    const size_t at[3] = {3, 2, 0}, one[3] = {1, 1, 1};
    for (size_t i = 0; i < sizeof read_rows / sizeof *read_rows; i++) {
        const struct read_row *row = &read_rows[i];
        const cl_image_format format = {row->order, row->type};
        size_t size[3];
        float got[4];
        if (!test_has_format(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &format))
            continue;
        cl_mem image = make_image(CL_MEM_OBJECT_IMAGE2D, &format, CL_MEM_READ_ONLY, size);
        CHECK_OK(clEnqueueWriteImage(test_queue, image, CL_FALSE, at, one, 0, 0, row->bytes, 0,
                                     NULL, NULL));
        set_args(kernel, image, to);
        run(kernel, one);
        CHECK_OK(clEnqueueReadBuffer(test_queue, to, CL_TRUE, 0, 16, got, 0, NULL, NULL));
        for (int c = 0; c < 4; c++)
            if (!CHECK(fabsf(got[c] - row->want[c]) < (row->type == CL_UNORM_INT8 ? 2e-3f : 1e-6f)))
                printf("  row %zu, channel %d: %g\n", i, c, (double)got[c]);
        CHECK_OK(clReleaseMemObject(image));
    }
    CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// Outside the image, alpha is 1 if the format has no alpha channel.
static void check_borders(void)
{
    static const struct {
        cl_channel_order order;
        cl_channel_type type;
        float alpha;
    } rows[] = {
        {CL_R, CL_UNORM_INT8, 1},     {CL_RG, CL_HALF_FLOAT, 1},   {CL_RGB, CL_UNORM_SHORT_565, 1},
        {CL_RGBA, CL_UNORM_INT8, 0},  {CL_A, CL_UNORM_INT8, 0},    {CL_LUMINANCE, CL_UNORM_INT8, 1},
        {CL_R, CL_UNSIGNED_INT16, 1}, {CL_RG, CL_SIGNED_INT32, 1}, {CL_RGBA, CL_SIGNED_INT32, 0},
    };
    cl_program program = test_build(
        "kernel void get_f(read_only image2d_t a, sampler_t s, global float4 *to)\n"
        "{ *to = read_imagef(a, s, (float2)(-5, 1)); }\n"
        "kernel void get_i(read_only image2d_t a, sampler_t s, global float4 *to)\n"
        "{ *to = convert_float4(read_imagei(a, s, (float2)(-5, 1))); }\n"
        "kernel void get_u(read_only image2d_t a, sampler_t s, global float4 *to)\n"
        "{ *to = convert_float4(read_imageui(a, s, (float2)(-5, 1))); }\n",
        "-cl-std=CL1.2");
    cl_int code;
    cl_mem to = test_buffer(0, 16, NULL);
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const cl_image_format format = {rows[i / 2].order, rows[i / 2].type};
        bool is_signed = format.image_channel_data_type == CL_SIGNED_INT32;
        bool whole = is_signed || format.image_channel_data_type == CL_UNSIGNED_INT16;
        const size_t one[3] = {1, 1, 1};
        size_t size[3];
        float got[4];
        if (!test_has_format(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &format) || (i % 2 && whole))
            continue;
        cl_sampler sampler = clCreateSampler(test_context, CL_FALSE, CL_ADDRESS_CLAMP,
                                             i % 2 ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code);
        cl_mem image = make_image(CL_MEM_OBJECT_IMAGE2D, &format, CL_MEM_READ_ONLY, size);
        cl_kernel kernel =
            test_kernel(program, is_signed ? "get_i" : whole ? "get_u" : "get_f");
        CHECK_OK(clSetKernelArg(kernel, 0, sizeof image, &image));
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
        CHECK_OK(clSetKernelArg(kernel, 2, sizeof to, &to));
        run(kernel, one);
        CHECK_OK(clEnqueueReadBuffer(test_queue, to, CL_TRUE, 0, 16, got, 0, NULL, NULL));
        if (!CHECK(got[0] == 0 && got[1] == 0 && got[2] == 0 && got[3] == rows[i / 2].alpha))
            printf("  row %zu: %g %g %g %g\n", i / 2, (double)got[0], (double)got[1],
                   (double)got[2], (double)got[3]);
        CHECK_OK(clReleaseKernel(kernel));
        CHECK_OK(clReleaseMemObject(image));
        CHECK_OK(clReleaseSampler(sampler));
    }
    CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseProgram(program));
}

// ---- queries ------------------------------------------------------------------------------------

static void check_queries(void)
{
    static const char source[] =
        "kernel void ask(read_only image3d_t a, global int *to)\n"
        "{ to[0] = get_image_width(a); to[1] = get_image_height(a); to[2] = get_image_depth(a);\n"
        "  to[3] = get_image_channel_order(a); to[4] = get_image_channel_data_type(a); }\n"
        "kernel void layers(read_only image2d_array_t a, global int *to)\n"
        "{ to[0] = get_image_dim(a).x; to[1] = get_image_dim(a).y;\n"
        "  to[2] = get_image_array_size(a); }\n";
    const cl_image_format format = {CL_RGBA, CL_HALF_FLOAT};
    const size_t one[3] = {1, 1, 1};
    const cl_int want[5] = {WIDTH, HEIGHT, DEPTH, CL_RGBA, CL_HALF_FLOAT};
    cl_program program = test_build(source, "-cl-std=CL1.2");
    cl_mem to = test_buffer(0, 20, NULL);
    for (int i = 0; i < 2; i++) {
        size_t size[3];
        cl_int got[5];
        cl_kernel kernel = test_kernel(program, i ? "layers" : "ask");
        cl_mem image = make_image(i ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE3D, &format,
                                  CL_MEM_READ_ONLY, size);
        set_args(kernel, image, to);
        run(kernel, one);
        CHECK_OK(clEnqueueReadBuffer(test_queue, to, CL_TRUE, 0, 20, got, 0, NULL, NULL));
        for (int c = 0; c < (i ? 3 : 5); c++)
            CHECK_EQ(got[c], want[c]);
        CHECK_OK(clReleaseMemObject(image));
        CHECK_OK(clReleaseKernel(kernel));
    }
    CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseProgram(program));
}

// ---- samplers -----------------------------------------------------------------------------------

struct sample_row {
    cl_bool normalized;
    cl_addressing_mode mode;
    cl_filter_mode filter;
    float at, want; // a row of 4 texels: 10 20 30 40
};

static const struct sample_row sample_rows[] = {
    {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 2.7f, 30},
    {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, -3, 10},
    {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, -1, 0},
    {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 2, 25},
    {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, 0, 5},
    {CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 0.6f, 30},
    {CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 0.5f, 25},
    {CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, 1, 20},
    {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, 1.3f, 20},
    {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, 1, 25},
    {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, 1.1f, 40},
    {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR, 1.25f, 35},
};
enum { SAMPLE_ROWS = sizeof sample_rows / sizeof *sample_rows };

static void check_samplers(void)
{
    static const float texels[4] = {10, 20, 30, 40};
    const cl_image_format format = {CL_R, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 1};
    const size_t one[3] = {1, 1, 1};
    cl_int code;
    cl_program program = test_build(
        "kernel void get(read_only image2d_t a, global float *to, sampler_t s, float x)\n"
        "{ *to = read_imagef(a, s, (float2)(x, 0.5f)).x; }",
        "-cl-std=CL1.2");
    cl_kernel kernel = test_kernel(program, "get");
    cl_mem to = test_buffer(0, 4, NULL);
    cl_mem image = clCreateImage(test_context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                 &desc, (void *)(uintptr_t)texels, &code);
    CHECK_OK(code);
    set_args(kernel, image, to);
    for (size_t i = 0; i < 2 * SAMPLE_ROWS; i++) { // the second time with existing pipelines
        const struct sample_row *row = &sample_rows[i % SAMPLE_ROWS];
        float got;
        cl_sampler sampler =
            clCreateSampler(test_context, row->normalized, row->mode, row->filter, &code);
        CHECK_OK(code);
        CHECK_OK(clSetKernelArg(kernel, 2, sizeof sampler, &sampler));
        CHECK_OK(clSetKernelArg(kernel, 3, sizeof row->at, &row->at));
        CHECK_OK(clReleaseSampler(sampler));
        run(kernel, one);
        CHECK_OK(clEnqueueReadBuffer(test_queue, to, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
        if (!CHECK(got > row->want - 0.1f && got < row->want + 0.1f))
            printf("  row %zu: %g\n", i % SAMPLE_ROWS, (double)got);
    }
    CHECK_OK(clReleaseMemObject(image));
    CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// ---- images in buffers, images of images --------------------------------------------------------

// Kernels, host commands and the buffer itself see the same bytes; the padding of rows does not
// change.
static void check_rows(void)
{
    enum { PITCH = 64 };
    static const char source[] = "kernel void add(read_only image2d_t a, write_only image2d_t b)\n"
                                 "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                                 "  write_imageui(b, at, read_imageui(a, at) + 1); }";
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
    unsigned char bytes[PITCH * HEIGHT], got[PITCH * HEIGHT], box[2 * 3];
    const size_t size[3] = {WIDTH, HEIGHT, 1}, at[3] = {2, 1, 0}, region[3] = {2, 3, 1};
    cl_int code;
    if (!has_extension("cl_khr_image2d_from_buffer") ||
        !test_has_format(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, &format))
        return;
    cl_program program = test_build(source, "-cl-std=CL1.2");
    cl_kernel kernel = test_kernel(program, "add");
    cl_mem buffers[2], images[2];
    for (int i = 0; i < PITCH * HEIGHT; i++)
        bytes[i] = (unsigned char)i;
    for (int i = 0; i < 2; i++) {
        const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                    .image_width = WIDTH,
                                    .image_height = HEIGHT,
                                    .image_row_pitch = PITCH,
                                    .mem_object = buffers[i] =
                                        test_buffer(CL_MEM_COPY_HOST_PTR, sizeof bytes, bytes)};
        images[i] = clCreateImage(test_context, 0, &format, &desc, NULL, &code);
        CHECK_OK(code);
    }
    set_args(kernel, images[0], images[1]);
    run(kernel, size);
    set_args(kernel, images[1], images[0]);
    run(kernel, size);
    CHECK_OK(
        clEnqueueReadBuffer(test_queue, buffers[0], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < PITCH * HEIGHT; i++)
        if (!CHECK_EQ(got[i], (unsigned char)(bytes[i] + (i % PITCH < WIDTH ? 2 : 0))))
            break;
    CHECK_OK(
        clEnqueueReadImage(test_queue, images[0], CL_TRUE, at, region, 0, 0, box, 0, NULL, NULL));
    for (int i = 0; i < 6; i++)
        CHECK_EQ(box[i], got[(1 + i / 2) * PITCH + 2 + i % 2]);
    size_t row = 0;
    unsigned char *mapped = clEnqueueMapImage(test_queue, images[1], CL_TRUE, CL_MAP_WRITE, at,
                                              region, &row, NULL, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_EQ(row, PITCH);
    mapped[PITCH + 1] = 200;
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, images[1], mapped, 0, NULL, NULL));
    CHECK_OK(
        clEnqueueReadBuffer(test_queue, buffers[1], CL_TRUE, 2 * PITCH + 3, 1, got, 0, NULL, NULL));
    CHECK_EQ(got[0], 200);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(clReleaseMemObject(buffers[i]));
        CHECK_OK(clReleaseMemObject(images[i]));
    }
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// Formats that kernels can read or write but not both: such a kernel reads undefined values, but
// runs.
static void check_not_both(void)
{
    static const char source[] = "kernel void turn(read_write image2d_t a)\n"
                                 "{ write_imagef(a, (int2)(0, 0), read_imagef(a, (int2)(1, 1)).zyxw); }";
    const cl_image_format bgra = {CL_BGRA, CL_UNORM_INT8};
    const size_t one[3] = {1, 1, 1};
    size_t size[3];
    if (!has(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS) || !test_has_format(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, &bgra))
        return;
    cl_program program = test_build(source, "-cl-std=CL3.0");
    cl_kernel kernel = test_kernel(program, "turn");
    cl_mem image = make_image(CL_MEM_OBJECT_IMAGE2D, &bgra, CL_MEM_READ_WRITE, size);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    run(kernel, one);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(image));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// One image used as sRGB and as UNORM.
static void check_alias(void)
{
    static const char source[] = "kernel void get(read_only image2d_t a, global float4 *to)\n"
                                 "{ *to = read_imagef(a, (int2)(0, 0)); }";
    const cl_image_format plain = {CL_RGBA, CL_UNORM_INT8}, srgb = {CL_sRGBA, CL_UNORM_INT8};
    const unsigned char texel[4] = {255, 188, 0, 51};
    const size_t one[3] = {1, 1, 1};
    size_t size[3];
    float got[4];
    cl_int code;
    if (!test_has_format(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &srgb))
        return;
    cl_program program = test_build(source, "-cl-std=CL1.2");
    cl_kernel kernel = test_kernel(program, "get");
    cl_mem parent = make_image(CL_MEM_OBJECT_IMAGE2D, &plain, CL_MEM_READ_WRITE, size);
    cl_mem to = test_buffer(0, 16, NULL);
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = WIDTH,
                                .image_height = HEIGHT,
                                .mem_object = parent};
    cl_mem child = clCreateImage(test_context, CL_MEM_READ_ONLY, &srgb, &desc, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clRetainMemObject(parent));
    CHECK_OK(
        clEnqueueWriteImage(test_queue, child, CL_FALSE, zero, one, 0, 0, texel, 0, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        set_args(kernel, i ? child : parent, to);
        run(kernel, one);
        CHECK_OK(clEnqueueReadBuffer(test_queue, to, CL_TRUE, 0, 16, got, 0, NULL, NULL));
        CHECK(got[1] > (i ? 0.501f : 0.737f) && got[1] < (i ? 0.505f : 0.738f));
    }
    CHECK_OK(clReleaseMemObject(parent));
    CHECK_OK(clReleaseMemObject(parent)); // the child holds a reference
    CHECK_OK(clEnqueueReadImage(test_queue, child, CL_TRUE, zero, one, 0, 0, got, 0, NULL, NULL));
    CHECK(!memcmp(got, texel, 4));
    CHECK_OK(clReleaseMemObject(child));
    CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// ---- order --------------------------------------------------------------------------------------

// A chain of launches; each reads what the previous one wrote.
static void check_chain(cl_command_queue_properties properties)
{
    static const char source[] = "kernel void add(read_only image2d_t a, write_only image2d_t b)\n"
                                 "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                                 "  write_imageui(b, at, read_imageui(a, at) + 1); }";
    enum { SIDE = 64, STEPS = 100 };
    static cl_uint got[SIDE * SIDE];
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    const size_t size[3] = {SIDE, SIDE, 1};
    const cl_uint five[4] = {5, 0, 0, 0};
    cl_event event = NULL;
    cl_int code;
    cl_mem images[2];
    cl_program program = test_build(source, "-cl-std=CL1.2");
    cl_kernel kernel = test_kernel(program, "add");
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, properties, &code);
    CHECK_OK(code);
    for (int i = 0; i < 2; i++) {
        images[i] = clCreateImage(test_context, 0, &format, &desc, NULL, &code);
        CHECK_OK(code);
    }
    CHECK_OK(clEnqueueFillImage(queue, images[0], five, zero, size, 0, NULL, &event));
    for (int i = 0; i < STEPS; i++) {
        cl_event before = event;
        set_args(kernel, images[i % 2], images[!(i % 2)]);
        CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 1, &before, &event));
        CHECK_OK(clReleaseEvent(before));
    }
    CHECK_OK(clEnqueueReadImage(queue, images[STEPS % 2], CL_TRUE, zero, size, 0, 0, got, 1, &event,
                                NULL));
    int wrong = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        wrong += got[i] != 5 + STEPS;
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clReleaseMemObject(images[0]));
    CHECK_OK(clReleaseMemObject(images[1]));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseCommandQueue(queue));
}

// ---- read_write ---------------------------------------------------------------------------------

static void check_read_write(void)
{
    static const char source[] = "kernel void twice(read_write image2d_t a)\n"
                                 "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                                 "  uint4 v = read_imageui(a, at); write_imageui(a, at, v * 2); }";
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT16};
    unsigned short texels[WIDTH * HEIGHT * 4], got[WIDTH * HEIGHT * 4];
    size_t size[3];
    if (!has(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS))
        return;
    CHECK(test_has_format(CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D, &format));
    cl_program program = test_build(source, "-cl-std=CL3.0");
    cl_kernel kernel = test_kernel(program, "twice");
    cl_mem image = make_image(CL_MEM_OBJECT_IMAGE2D, &format, CL_MEM_READ_WRITE, size);
    for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
        texels[i] = (unsigned short)(i * 3);
    CHECK_OK(
        clEnqueueWriteImage(test_queue, image, CL_FALSE, zero, size, 0, 0, texels, 0, NULL, NULL));
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    run(kernel, size);
    run(kernel, size);
    CHECK_OK(clEnqueueReadImage(test_queue, image, CL_TRUE, zero, size, 0, 0, got, 0, NULL, NULL));
    for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
        if (!CHECK_EQ(got[i], texels[i] * 4))
            break;
    CHECK_OK(clReleaseMemObject(image));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// ---- misuse -------------------------------------------------------------------------------------

static void check_misuse(void)
{
    static const char source[] =
        "typedef image2d_t picture;\n"
        "kernel void k(read_only picture a, write_only image2d_t b, sampler_t s,\n"
        "              global float *c) { c[0] = read_imagef(a, s, (float2)(0)).x;\n"
        "              write_imagef(b, (int2)(0, 0), (float4)(1)); }";
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8}, depth = {CL_DEPTH, CL_FLOAT};
    size_t size[3];
    cl_int code;
    cl_program program = test_build(source, "-cl-std=CL1.2");
    cl_kernel kernel = test_kernel(program, "k");
    cl_mem buffer = test_buffer(0, 64, NULL), null = NULL;
    cl_mem read = make_image(CL_MEM_OBJECT_IMAGE2D, &format, CL_MEM_READ_ONLY, size);
    cl_mem write = make_image(CL_MEM_OBJECT_IMAGE2D, &format, CL_MEM_WRITE_ONLY, size);
    cl_mem deep = make_image(CL_MEM_OBJECT_IMAGE3D, &format, 0, size);
    cl_mem distance = make_image(CL_MEM_OBJECT_IMAGE2D, &depth, 0, size);
    cl_sampler sampler =
        clCreateSampler(test_context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &code);
    CHECK_OK(code);
    const struct {
        cl_uint index;
        size_t size;
        const void *value;
        cl_int want;
    } rows[] = {
        {0, sizeof read, &read, CL_SUCCESS},
        {0, sizeof write, &write, CL_INVALID_ARG_VALUE},
        {0, sizeof deep, &deep, CL_INVALID_ARG_VALUE},
        {0, sizeof distance, &distance, CL_INVALID_ARG_VALUE},
        {0, sizeof buffer, &buffer, CL_INVALID_MEM_OBJECT},
        {0, sizeof null, &null, CL_INVALID_MEM_OBJECT},
        {0, sizeof sampler, &sampler, CL_INVALID_MEM_OBJECT},
        {0, sizeof read / 2, &read, CL_INVALID_ARG_SIZE},
        {1, sizeof write, &write, CL_SUCCESS},
        {1, sizeof read, &read, CL_INVALID_ARG_VALUE},
        {2, sizeof sampler, &sampler, CL_SUCCESS},
        {2, sizeof read, &read, CL_INVALID_SAMPLER},
        {2, sizeof null, &null, CL_INVALID_SAMPLER},
        {2, sizeof sampler, NULL, CL_INVALID_SAMPLER},
        {2, sizeof sampler / 2, &sampler, CL_INVALID_ARG_SIZE},
        {3, sizeof read, &read, CL_INVALID_MEM_OBJECT},
        {3, sizeof buffer, &buffer, CL_SUCCESS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        code = clSetKernelArg(kernel, rows[i].index, rows[i].size, rows[i].value);
        if (!CHECK_EQ(code, rows[i].want))
            printf("  in row %zu\n", i);
    }
    run(kernel, (size_t[]){1, 1, 1});
    CHECK_OK(clReleaseMemObject(read)); // the launch holds a reference
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(write));
    CHECK_OK(clReleaseMemObject(deep));
    CHECK_OK(clReleaseMemObject(distance));
    CHECK_OK(clReleaseMemObject(buffer));
    CHECK_OK(clReleaseSampler(sampler));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

int main(void)
{
    test_open();
    if (!has(CL_DEVICE_IMAGE_SUPPORT)) {
        printf("no images\n");
        return 77;
    }
    for (int i = 0; i < TYPES; i++)
        check_copies(&type_rows[i]);
    check_reads();
    check_borders();
    check_queries();
    check_samplers();
    check_rows();
    check_not_both();
    check_alias();
    check_chain(0);
    check_chain(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    check_read_write();
    check_misuse();
    return test_close();
}
