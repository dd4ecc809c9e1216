// SPDX-License-Identifier: Apache-2.0
// Sharing with OpenGL on the first platform's first device: the cost of acquiring and releasing a
// 4K texture and a buffer of the same size, compared with OpenGL's own transfers; the contents are
// checked.
//
//   OCL_ICD_VENDORS=LIBRARY bench_gl [gl|es|glx]
//   SIDE_EGL_DEVICE=N: use the N-th EGL device; otherwise Mesa's surfaceless platform.
#include "../api/gl_side.h"

#include <time.h>

enum { WIDTH = 3840, HEIGHT = 2160, BYTES = WIDTH * HEIGHT * 4, TIMES = 9, ENOUGH_US = 1000000 };

static uint8_t *pixels, *seen;
static unsigned texture, framebuffer, buffer;
static cl_mem image, bytes;
static cl_kernel paint;

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Of a slow function fewer calls: some drivers transfer pixels on one processor, for seconds.
static double median_us(void (*fn)(void))
{
    double times[TIMES], start = now_us();
    int count = 0;
    fn();
    while (count < TIMES && (!count || now_us() - start < ENOUGH_US)) {
        double begin = now_us();
        fn();
        times[count++] = now_us() - begin;
    }
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

static void read_pixels(void)
{
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    gl.ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, seen);
}

static void set_texture(void)
{
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    gl.Finish();
}

static void empty_command(void)
{
    clEnqueueMarkerWithWaitList(test_queue, 0, NULL, NULL);
    clFinish(test_queue);
}

static void turn(cl_mem mem, cl_int(CL_API_CALL *fn)(cl_command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *,
                                                     cl_event *))
{
    CHECK_OK(fn(test_queue, 1, &mem, 0, NULL, NULL));
}

static void paint_image(unsigned value)
{
    const size_t size[2] = {WIDTH, HEIGHT};
    cl_uint v = value;
    CHECK_OK(clSetKernelArg(paint, 0, sizeof image, &image));
    CHECK_OK(clSetKernelArg(paint, 1, sizeof v, &v));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, paint, 2, NULL, size, NULL, 0, NULL, NULL));
}

static void acquire_release(void)
{
    turn(image, clEnqueueAcquireGLObjects);
    turn(image, clEnqueueReleaseGLObjects);
    clFinish(test_queue);
}

static void acquire_paint_release(void)
{
    turn(image, clEnqueueAcquireGLObjects);
    paint_image(1);
    turn(image, clEnqueueReleaseGLObjects);
    clFinish(test_queue);
}

static void paint_only(void)
{
    paint_image(1);
    clFinish(test_queue);
}

static void acquire_fill_release(void)
{
    const cl_uint value = 7;
    turn(bytes, clEnqueueAcquireGLObjects);
    CHECK_OK(clEnqueueFillBuffer(test_queue, bytes, &value, sizeof value, 0, BYTES, 0, NULL, NULL));
    turn(bytes, clEnqueueReleaseGLObjects);
    clFinish(test_queue);
}

static void make_objects(void)
{
    cl_int code;
    gl.GenTextures(1, &texture);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.TexImage2D(GL_TEXTURE_2D, 0, 0x8058, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    gl.GenBuffers(1, &buffer);
    gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl.BufferData(GL_ARRAY_BUFFER, BYTES, pixels, 0x88E0);
    gl.Finish();
    image = clCreateFromGLTexture(test_context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, texture, &code);
    CHECK_OK(code);
    bytes = clCreateFromGLBuffer(test_context, CL_MEM_READ_WRITE, buffer, &code);
    CHECK_OK(code);
}

// What OpenGL writes is read by OpenCL, and vice versa.
static void check_contents(void)
{
    const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    int wrong = 0;
    set_texture();
    turn(image, clEnqueueAcquireGLObjects);
    CHECK_OK(clEnqueueReadImage(test_queue, image, CL_TRUE, origin, region, 0, 0, seen, 0, NULL, NULL));
    CHECK(!memcmp(seen, pixels, BYTES));
    paint_image(99);
    turn(image, clEnqueueReleaseGLObjects);
    clFinish(test_queue);
    read_pixels();
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        wrong += seen[4 * i] != 99 || seen[4 * i + 1] != (i % WIDTH & 255) || seen[4 * i + 2] != (i / WIDTH & 255);
    CHECK_EQ(wrong, 0);
    turn(bytes, clEnqueueAcquireGLObjects);
    CHECK_OK(clEnqueueReadBuffer(test_queue, bytes, CL_TRUE, 0, BYTES, seen, 0, NULL, NULL));
    turn(bytes, clEnqueueReleaseGLObjects);
    clFinish(test_queue);
    CHECK(!memcmp(seen, pixels, BYTES));
}

int main(int argc, char **argv)
{
    char name[256] = "";
    pixels = malloc(BYTES);
    seen = malloc(BYTES);
    for (unsigned i = 0; pixels && i < BYTES; i++)
        pixels[i] = (uint8_t)(i * 2654435761u >> 24);
    side_open(argc > 1 ? argv[1] : "gl");
    clGetDeviceInfo(test_device, CL_DEVICE_NAME, sizeof name, name, NULL);
    printf("%s; OpenGL %s on %s\n", name, gl.GetString(GL_VERSION), gl.GetString(GL_RENDERER));
    cl_program program = test_build("kernel void paint(write_only image2d_t image, uint value) {\n"
                                    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                                    "    write_imagef(image, at, (float4)(value, at.x & 255, at.y & 255, 255) / 255); }\n", "");
    paint = test_kernel(program, "paint");
    make_objects();
    check_contents();
    double read = median_us(read_pixels), set = median_us(set_texture);
    printf("glReadPixels of %d bytes %.0f us, glTexSubImage2D %.0f us, both %.0f us\n", BYTES, read, set, read + set);
    printf("empty command %.0f us, kernel alone %.0f us\n", median_us(empty_command),
           median_us(paint_only));
    printf("acquire and release, unchanged %.0f us\n", median_us(acquire_release));
    printf("acquire, kernel, release %.0f us\n", median_us(acquire_paint_release));
    printf("buffer: acquire, fill, release %.0f us\n", median_us(acquire_fill_release));
    CHECK_OK(clReleaseMemObject(image));
    CHECK_OK(clReleaseMemObject(bytes));
    CHECK_OK(clReleaseKernel(paint));
    CHECK_OK(clReleaseProgram(program));
    free(pixels);
    free(seen);
    return test_close();
}
