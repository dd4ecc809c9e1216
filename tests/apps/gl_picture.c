// SPDX-License-Identifier: Apache-2.0
// A small real program: an OpenCL kernel draws a Mandelbrot set into an OpenGL texture, OpenGL
// draws it upside down into a framebuffer, and the pixels are written to a PNG and compared with
// the CPU's, byte for byte.
//
//   gl_picture out.png      exit 0: equal, 1: different or an error, 77: no device or no OpenGL
#include "../api/gl_side.h"

#include <png.h>

enum { WIDTH = 320, HEIGHT = 200 };

// In fixed point, so that all devices compute the same.
#define ESCAPE                                                                                                             \
    "int escape(int px, int py)\n"                                                                                         \
    "{\n"                                                                                                                  \
    "    int cx = (px - 220) * 36, cy = (py - 100) * 36, x = 0, y = 0, n = 0;\n"                                           \
    "    for (; n < 255 && x * x / 4096 + y * y / 4096 < 4 * 4096; n++) {\n"                                               \
    "        int t = x * x / 4096 - y * y / 4096 + cx;\n"                                                                  \
    "        y = 2 * x * y / 4096 + cy;\n"                                                                                 \
    "        x = t;\n"                                                                                                     \
    "    }\n"                                                                                                              \
    "    return n;\n"                                                                                                      \
    "}\n"

static int escape(int px, int py)
{
    int cx = (px - 220) * 36, cy = (py - 100) * 36, x = 0, y = 0, n = 0;
    for (; n < 255 && x * x / 4096 + y * y / 4096 < 4 * 4096; n++) {
        int t = x * x / 4096 - y * y / 4096 + cx;
        y = 2 * x * y / 4096 + cy;
        x = t;
    }
    return n;
}

static unsigned make_target(bool texture, unsigned *framebuffer)
{
    unsigned name, target = texture ? GL_READ_FRAMEBUFFER : GL_DRAW_FRAMEBUFFER;
    gl.GenFramebuffers(1, framebuffer);
    gl.BindFramebuffer(target, *framebuffer);
    if (texture) {
        gl.GenTextures(1, &name);
        gl.BindTexture(GL_TEXTURE_2D, name);
        gl.TexImage2D(GL_TEXTURE_2D, 0, 0x8058, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
        gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl.FramebufferTexture2D(target, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
    } else {
        gl.GenRenderbuffers(1, &name);
        gl.BindRenderbuffer(GL_RENDERBUFFER, name);
        gl.RenderbufferStorage(GL_RENDERBUFFER, 0x8058, WIDTH, HEIGHT);
        gl.FramebufferRenderbuffer(target, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, name);
    }
    return name;
}

static void draw(unsigned texture)
{
    const size_t size[2] = {WIDTH, HEIGHT};
    cl_int code;
    cl_program program = test_build(ESCAPE "kernel void draw(write_only image2d_t image)\n"
                                           "{\n"
                                           "    int x = get_global_id(0), y = get_global_id(1), n = escape(x, y);\n"
                                           "    write_imagef(image, (int2)(x, y), (float4)(n, n * 7 & 255, x & 255, 255) / 255);\n"
                                           "}\n", "");
    cl_kernel kernel = test_kernel(program, "draw");
    cl_mem image = clCreateFromGLTexture(test_context, CL_MEM_WRITE_ONLY, GL_TEXTURE_2D, 0, texture, &code);
    CHECK_OK(code);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    CHECK_OK(clEnqueueAcquireGLObjects(test_queue, 1, &image, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReleaseGLObjects(test_queue, 1, &image, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(image));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    static uint8_t shown[HEIGHT][WIDTH][4];
    unsigned framebuffers[2];
    int wrong = 0;
    side_open("gl");
    unsigned texture = make_target(true, &framebuffers[0]);
    make_target(false, &framebuffers[1]);
    draw(texture);
    gl.BlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, HEIGHT, WIDTH, 0, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[1]);
    gl.ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, shown);
    CHECK_EQ(gl.GetError(), 0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int n = escape(x, HEIGHT - 1 - y);
            const uint8_t want[4] = {(uint8_t)n, (uint8_t)(n * 7), (uint8_t)x, 255};
            wrong += memcmp(shown[y][x], want, sizeof want) != 0;
        }
    CHECK_EQ(wrong, 0);
    png_image picture = {.version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGBA};
    if (argc > 1)
        CHECK(png_image_write_to_file(&picture, argv[1], 0, shown, 0, NULL));
    return test_close();
}
