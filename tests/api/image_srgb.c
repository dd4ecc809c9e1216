// SPDX-License-Identifier: Apache-2.0
// cl_khr_srgb_image_writes: kernels' stores to sRGB images are encoded, except for alpha; reads
// return linear values.
#include <math.h>
#include "test.h"

enum { WIDTH = 256, CHANNELS = 4 };

static const char source[] =
    "kernel void put(write_only image2d_t image) {\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    float t = (float)(x - 8) / 239.0f;\n"
    "    write_imagef(image, (int2)(x, y), y ? (float4)(NAN, -INFINITY, INFINITY, 0.5f) : (float4)(t, t * t, 1.0f - t, t));\n"
    "}\n"
    "kernel void get(read_only image2d_t image, global float4 *out) {\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    out[y * get_global_size(0) + x] = read_imagef(image, (int2)(x, y));\n"
    "}\n"
    "#ifdef HALVES\n"
    "kernel void put_half(write_only image2d_t image) {\n"
    "    write_imageh(image, (int2)(get_global_id(0), get_global_id(1)), (half4)(0.5h, 0.25h, 0.125h, 0.75h));\n"
    "}\n"
    "#endif\n"
    "#ifndef cl_khr_srgb_image_writes\n"
    "#error no macro\n"
    "#endif\n";

static const size_t zero[3], size[3] = {WIDTH, 2, 1};
static cl_program program;

static double encoded(double linear)
{
    double x = linear > 0 ? linear < 1 ? linear : 1 : 0;
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

static double decoded(double code)
{
    return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

// Whether the channel's bits are within 0.6 of the exact conversion.
static bool near_code(unsigned char got, double want)
{
    return fabs(got - 255 * want) <= 0.6;
}

static bool texel_ok(const unsigned char *got, const double want[CHANNELS], bool bgra)
{
    bool ok = near_code(got[3], want[3] > 0 ? want[3] < 1 ? want[3] : 1 : 0);
    for (int c = 0; c < 3; c++)
        ok &= near_code(got[bgra ? 2 - c : c], encoded(want[c]));
    return ok;
}

static void run(const char *name, cl_mem image, cl_mem out)
{
    cl_kernel kernel = test_kernel(program, name);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    if (out)
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL));
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_stored(cl_mem image, bool bgra, const char *name)
{
    static unsigned char got[2 * WIDTH * CHANNELS];
    int bad = 0;
    run(name, image, NULL);
    CHECK_OK(clEnqueueReadImage(test_queue, image, CL_TRUE, zero, size, 0, 0, got, 0, NULL, NULL));
    for (int i = 0; i < 2 * WIDTH; i++) {
        double t = (i - 8) / 239.0;
        const double ramp[CHANNELS] = {t, t * t, 1 - t, t}, odd[CHANNELS] = {0, 0, 1, 0.5}, halves[CHANNELS] = {0.5, 0.25, 0.125, 0.75};
        bad += !texel_ok(got + i * CHANNELS, !strcmp(name, "put_half") ? halves : i < WIDTH ? ramp : odd, bgra);
    }
    CHECK_EQ(bad, 0);
}

static void check_read(cl_mem image)
{
    static cl_float out[2 * WIDTH][CHANNELS];
    cl_mem buffer = test_buffer(0, sizeof out, NULL);
    int bad = 0;
    run("put", image, NULL);
    run("get", image, buffer);
    CHECK_OK(clEnqueueReadBuffer(test_queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < WIDTH; i++) {
        double t = (i - 8) / 239.0, code = encoded(t * t);
        bad += !(out[i][1] >= decoded(code - 0.8 / 255) - 1e-3 && out[i][1] <= decoded(code + 0.8 / 255) + 1e-3);
    }
    CHECK_EQ(bad, 0);
    CHECK_OK(clReleaseMemObject(buffer));
}

int main(void)
{
    static const cl_channel_order orders[] = {CL_sRGBA, CL_sBGRA};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = 2};
    int found = 0;
    test_open();
    if (!test_has_images() || !test_has(test_device, "cl_khr_srgb_image_writes"))
        return 77;
    bool halves = test_has(test_device, "cl_khr_fp16");
    program = test_build(source, halves ? "-cl-std=CL2.0 -DHALVES" : "-cl-std=CL2.0");
    for (int i = 0; i < 2; i++) {
        const cl_image_format format = {orders[i], CL_UNORM_INT8};
        cl_int code;
        if (!test_has_format(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, &format))
            continue;
        cl_mem image = clCreateImage(test_context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
        if (!CHECK_OK(code))
            continue;
        check_stored(image, i == 1, "put");
        check_read(image);
        if (halves)
            check_stored(image, i == 1, "put_half");
        CHECK_OK(clReleaseMemObject(image));
        found++;
    }
    CHECK(found);
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
