// SPDX-License-Identifier: Apache-2.0
// A small real program: reads a PNG, blurs it with a 5x5 Gaussian and computes a brightness
// histogram of the result, both with OpenCL kernels; writes the blurred PNG and compares the image
// and the histogram with the CPU's, byte for byte.
//
//   image_example in.png out.png      exit 0: equal, 1: different or an OpenCL error, 77: no device
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <png.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "__constant int weight[5] = {1, 4, 6, 4, 1};\n"
    "__kernel void blur(__global const uchar4 *in, __global uchar4 *out, int width, int height)\n"
    "{\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    if (x >= width || y >= height)\n"
    "        return;\n"
    "    int4 sum = (int4)(0);\n"
    "    for (int dy = -2; dy <= 2; dy++)\n"
    "        for (int dx = -2; dx <= 2; dx++) {\n"
    "            int sx = clamp(x + dx, 0, width - 1), sy = clamp(y + dy, 0, height - 1);\n"
    "            sum += convert_int4(in[sy * width + sx]) * (weight[dx + 2] * weight[dy + 2]);\n"
    "        }\n"
    "    out[y * width + x] = convert_uchar4_sat((sum + 128) / 256);\n"
    "}\n"
    "__kernel void histogram(__global const uchar4 *in, __global uint *bins, uint count, __local uint *part)\n"
    "{\n"
    "    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))\n"
    "        part[i] = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {\n"
    "        uchar4 p = in[i];\n"
    "        atomic_inc(&part[(p.x * 77 + p.y * 150 + p.z * 29) >> 8]);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))\n"
    "        atomic_add(&bins[i], part[i]);\n"
    "}\n";

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s failed: %d\n", what, status);
    exit(1);
}

struct image {
    png_uint_32 width, height;
    uint8_t *pixels; // RGBA
};

static struct image image_read(const char *path)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&png, path)) {
        fprintf(stderr, "%s: %s\n", path, png.message);
        exit(1);
    }
    png.format = PNG_FORMAT_RGBA;
    struct image image = {png.width, png.height, malloc(PNG_IMAGE_SIZE(png))};
    if (!image.pixels || !png_image_finish_read(&png, NULL, image.pixels, 0, NULL)) {
        fprintf(stderr, "%s: %s\n", path, png.message);
        exit(1);
    }
    return image;
}

static void image_write(const char *path, const struct image *image)
{
    png_image png = {
        .version = PNG_IMAGE_VERSION, .width = image->width, .height = image->height, .format = PNG_FORMAT_RGBA};
    if (!png_image_write_to_file(&png, path, 0, image->pixels, 0, NULL)) {
        fprintf(stderr, "%s: %s\n", path, png.message);
        exit(1);
    }
}

static long clamp(long v, long low, long high)
{
    return v < low ? low : v > high ? high : v;
}

static int blurred_sample(const struct image *in, long x, long y, int channel)
{
    static const int weight[5] = {1, 4, 6, 4, 1};
    int sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            long sx = clamp(x + dx, 0, (long)in->width - 1), sy = clamp(y + dy, 0, (long)in->height - 1);
            sum += in->pixels[4 * ((size_t)sy * in->width + (size_t)sx) + (size_t)channel] * weight[dx + 2] *
                   weight[dy + 2];
        }
    return (sum + 128) / 256;
}

static void cpu_reference(const struct image *in, struct image *out, uint32_t bins[256])
{
    for (size_t i = 0; i < (size_t)in->width * in->height; i++) {
        uint8_t *p = out->pixels + 4 * i;
        for (int c = 0; c < 4; c++)
            p[c] = (uint8_t)blurred_sample(in, (long)(i % in->width), (long)(i / in->width), c);
        bins[(p[0] * 77 + p[1] * 150 + p[2] * 29) >> 8]++;
    }
}

static cl_program build(cl_context context, cl_device_id device)
{
    const char *text = source;
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) {
        char log[4096] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "build failed:\n%s\n", log);
        exit(1);
    }
    return program;
}

static cl_kernel kernel_of(cl_program program, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, name);
    return kernel;
}

static cl_mem buffer_of(cl_context context, cl_mem_flags flags, size_t size, void *data)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(context, flags, size, data, &status);
    check(status, "clCreateBuffer");
    return buffer;
}

static void gpu_run(cl_device_id device, const struct image *in, struct image *out, uint32_t bins[256])
{
    cl_int status;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_program program = build(context, device);
    cl_kernel blur = kernel_of(program, "blur"), histogram = kernel_of(program, "histogram");

    cl_uint count = in->width * in->height;
    cl_int width = (cl_int)in->width, height = (cl_int)in->height;
    size_t size = (size_t)count * 4;
    cl_mem a = buffer_of(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size, in->pixels);
    cl_mem b = buffer_of(context, CL_MEM_READ_WRITE, size, NULL);
    cl_mem counts = buffer_of(context, CL_MEM_READ_WRITE, 256 * sizeof(cl_uint), NULL);
    cl_uint zero = 0;
    check(clEnqueueFillBuffer(queue, counts, &zero, sizeof zero, 0, 256 * sizeof zero, 0, NULL, NULL), "fill");

    check(clSetKernelArg(blur, 0, sizeof a, &a) | clSetKernelArg(blur, 1, sizeof b, &b) |
              clSetKernelArg(blur, 2, sizeof width, &width) | clSetKernelArg(blur, 3, sizeof height, &height),
          "arguments of blur");
    size_t global[2] = {(in->width + 15u) / 16 * 16, (in->height + 7u) / 8 * 8}, local[2] = {16, 8};
    check(clEnqueueNDRangeKernel(queue, blur, 2, NULL, global, local, 0, NULL, NULL), "blur");

    check(clSetKernelArg(histogram, 0, sizeof b, &b) | clSetKernelArg(histogram, 1, sizeof counts, &counts) |
              clSetKernelArg(histogram, 2, sizeof count, &count) |
              clSetKernelArg(histogram, 3, 256 * sizeof(cl_uint), NULL),
          "arguments of histogram");
    size_t items = 64 * 64, group = 64;
    check(clEnqueueNDRangeKernel(queue, histogram, 1, NULL, &items, &group, 0, NULL, NULL), "histogram");

    check(clEnqueueReadBuffer(queue, b, CL_FALSE, 0, size, out->pixels, 0, NULL, NULL), "read");
    check(clEnqueueReadBuffer(queue, counts, CL_TRUE, 0, 256 * sizeof(cl_uint), bins, 0, NULL, NULL), "read");

    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseMemObject(counts);
    clReleaseKernel(blur);
    clReleaseKernel(histogram);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

static cl_device_id first_device(void)
{
    cl_platform_id platform;
    cl_device_id device;
    char name[256] = "";
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        fprintf(stderr, "no OpenCL device\n");
        exit(77);
    }
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    printf("device: %s\n", name);
    return device;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s in.png out.png\n", argv[0]);
        return 2;
    }
    struct image in = image_read(argv[1]);
    size_t size = (size_t)in.width * in.height * 4;
    struct image gpu = {in.width, in.height, calloc(1, size)}, cpu = {in.width, in.height, calloc(1, size)};
    uint32_t gpu_bins[256] = {0}, cpu_bins[256] = {0};
    if (!gpu.pixels || !cpu.pixels)
        return 1;
    gpu_run(first_device(), &in, &gpu, gpu_bins);
    cpu_reference(&in, &cpu, cpu_bins);
    image_write(argv[2], &gpu);
    bool equal = !memcmp(gpu.pixels, cpu.pixels, size) && !memcmp(gpu_bins, cpu_bins, sizeof cpu_bins);
    printf("%ux%u pixels: picture and histogram %s the CPU's\n", in.width, in.height, equal ? "equal" : "DIFFER from");
    free(in.pixels);
    free(gpu.pixels);
    free(cpu.pixels);
    return !equal;
}
