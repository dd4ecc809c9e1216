// SPDX-License-Identifier: Apache-2.0
// Image functions of another channel type than the image's return and take bits: unchanged for
// 32-bit channels; smaller ones become integers, extended according to the function's signedness.
#include "test.h"

enum { WIDTH = 9, HEIGHT = 4, TEXELS = WIDTH * HEIGHT };
enum { F, I, UI, FUNCTIONS };

static const char *const names[FUNCTIONS] = {"f", "i", "ui"};

static const struct format_row {
    cl_channel_type type;
    int own;         // function
    size_t bytes;    // of a channel
    bool for_floats; // its bits are also valid floats
} rows[] = {
    {CL_FLOAT, F, 4, true},        {CL_SIGNED_INT32, I, 4, true}, {CL_UNSIGNED_INT32, UI, 4, true},
    {CL_HALF_FLOAT, F, 2, false},  {CL_UNORM_INT8, F, 1, false},  {CL_SNORM_INT16, F, 2, false},
    {CL_UNORM_INT16, F, 2, false}, {CL_SIGNED_INT8, I, 1, false}, {CL_UNSIGNED_INT16, UI, 2, false},
};
enum { ROWS = sizeof rows / sizeof *rows };

// The memory of the texels.
enum place { IMAGE, BUFFER_ROWS, BUFFER_TEXELS, PLACES };
static const cl_mem_object_type place_types[PLACES] = {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D,
                                                       CL_MEM_OBJECT_IMAGE1D_BUFFER};

static cl_program program;
static cl_mem out;

// Bits of normal floats, if they are also read as floats.
static void fill(unsigned char *bytes, const struct format_row *row)
{
    for (size_t i = 0; i < TEXELS * 4 * row->bytes / 4; i++) {
        cl_uint word = 0x3f810203u + (cl_uint)i * 0x00030507u;
        if (row->bytes < 4)
            word = (cl_uint)(i + 1) * 0x9e3779b1u;
        memcpy(bytes + 4 * i, &word, 4);
    }
}

static cl_uint expected(const unsigned char *bytes, const struct format_row *row, int function,
                        size_t channel)
{
    cl_uint value = 0;
    memcpy(&value, bytes + channel * row->bytes, row->bytes);
    cl_uint sign = 1u << (8 * row->bytes - 1);
    return function == I && row->bytes < 4 ? (value ^ sign) - sign : value;
}

static cl_mem make_image(const cl_image_format *format, enum place place, size_t texel, void *bytes)
{
    cl_image_desc desc = {.image_type = place_types[place], .image_width = WIDTH};
    cl_int code;
    if (place == BUFFER_TEXELS)
        desc.image_width = TEXELS;
    else
        desc.image_height = HEIGHT;
    if (place == IMAGE)
        return clCreateImage(test_context, CL_MEM_COPY_HOST_PTR, format, &desc, bytes, &code);
    desc.image_row_pitch = place == BUFFER_ROWS ? WIDTH * texel : 0;
    desc.mem_object = test_buffer(CL_MEM_COPY_HOST_PTR, TEXELS * texel, bytes);
    cl_mem image = clCreateImage(test_context, 0, format, &desc, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(desc.mem_object));
    return image;
}

static void run(const char *name, cl_mem image, enum place place)
{
    size_t global[2] = {place == BUFFER_TEXELS ? TEXELS : WIDTH,
                        place == BUFFER_TEXELS ? 1 : HEIGHT};
    cl_kernel kernel = test_kernel(program, name);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
    CHECK_OK(clReleaseKernel(kernel));
}

static const char *kernel_name(const char *does, int function, enum place place)
{
    static char name[64];
    snprintf(name, sizeof name, "%s%s_%s", does, names[function],
             place == BUFFER_TEXELS ? "buffer" : "2d");
    return name;
}

static bool is_like(const cl_uint *got, const unsigned char *bytes, const struct format_row *row,
                    int function)
{
    for (size_t c = 0; c < TEXELS * 4; c++)
        if (got[c] != expected(bytes, row, function, c)) {
            printf("channel %zu: %08x, not %08x\n", c, got[c], expected(bytes, row, function, c));
            return false;
        }
    return true;
}

static void check_read(cl_mem image, enum place place, const struct format_row *row,
                       const unsigned char *bytes)
{
    static cl_uint got[TEXELS * 4];
    for (int f = 0; f < FUNCTIONS; f++) {
        if (f == row->own || (f == F && !row->for_floats))
            continue;
        run(kernel_name("read", f, place), image, place);
        CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        if (!CHECK(is_like(got, bytes, row, f)))
            printf("type %x read by read_image%s, place %d\n", row->type, names[f], place);
    }
}

// A write by another type's function stores the bits.
static void check_write(cl_mem image, enum place place, const struct format_row *row,
                        const unsigned char *bytes)
{
    static cl_uint got[TEXELS * 4];
    size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    static unsigned char other[sizeof got];
    if (place == BUFFER_TEXELS)
        region[0] = TEXELS, region[1] = 1;
    for (int f = 0; f < FUNCTIONS; f++) {
        if (f == row->own || row->bytes != 4)
            continue;
        memset(other, 0, sizeof other);
        CHECK_OK(clEnqueueWriteImage(test_queue, image, CL_TRUE, origin, region, 0, 0, other, 0,
                                     NULL, NULL));
        CHECK_OK(
            clEnqueueWriteBuffer(test_queue, out, CL_TRUE, 0, sizeof got, bytes, 0, NULL, NULL));
        run(kernel_name("write", f, place), image, place);
        CHECK_OK(clEnqueueReadImage(test_queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL,
                                    NULL));
        if (!CHECK(is_like(got, bytes, row, UI)))
            printf("type %x written by write_image%s, place %d\n", row->type, names[f], place);
    }
}

static void check_format(const struct format_row *row, enum place place)
{
    static unsigned char bytes[TEXELS * 16];
    const cl_image_format format = {CL_RGBA, row->type};
    if (!test_has_format(CL_MEM_READ_WRITE, place_types[place], &format))
        return;
    fill(bytes, row);
    cl_mem image = make_image(&format, place, 4 * row->bytes, bytes);
    if (!image)
        return;
    check_read(image, place, row, bytes);
    check_write(image, place, row, bytes);
    CHECK_OK(clReleaseMemObject(image));
}

#define KERNELS(suffix, type)                                                                      \
    "kernel void read" #suffix "_2d(read_only image2d_t a, global uint4 *o)\n"                     \
    "{ int x = get_global_id(0), y = get_global_id(1), n = y * get_global_size(0) + x;\n"          \
    "  o[n] = y & 1 ? as_uint4(read_image" #suffix "(a, (int2)(x, y)))\n"                          \
    "               : as_uint4(read_image" #suffix "(a, s, (int2)(x, y))); }\n"                    \
    "kernel void read" #suffix "_buffer(read_only image1d_buffer_t a, global uint4 *o)\n"          \
    "{ int x = get_global_id(0); o[x] = as_uint4(read_image" #suffix "(a, x)); }\n"                \
    "kernel void write" #suffix "_2d(write_only image2d_t a, global uint4 *o)\n"                   \
    "{ int x = get_global_id(0), y = get_global_id(1), n = y * get_global_size(0) + x;\n"          \
    "  write_image" #suffix "(a, (int2)(x, y), as_" #type "4(o[n])); }\n"                          \
    "kernel void write" #suffix "_buffer(write_only image1d_buffer_t a, global uint4 *o)\n"        \
    "{ int x = get_global_id(0); write_image" #suffix "(a, x, as_" #type "4(o[x])); }\n"

static const char source[] =
    "constant sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n" KERNELS(f, float)
        KERNELS(i, int) KERNELS(ui, uint);

int main(void)
{
    test_open();
    if (!test_has_images()) {
        printf("no images\n");
        return 77;
    }
    program = test_build(source, "");
    out = test_buffer(0, TEXELS * 16, NULL);
    for (int i = 0; i < ROWS; i++)
        for (int place = 0; place < PLACES; place++)
            check_format(&rows[i], (enum place)place);
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
