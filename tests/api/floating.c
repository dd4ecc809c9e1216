// SPDX-License-Identifier: Apache-2.0
// Programs that change the floating-point environment, before the first call and to the end of the process: traps
// (Fortran's -ffpe-trap), rounding, denormals flushed to zero. Neither the compiler nor a driver meets these, results
// are the same, and each call leaves them as they were.
#define _GNU_SOURCE
#include "test.h"

#include <fenv.h>
#include <math.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

static const char source[] =
    "kernel void k(global float *f, global double *d) {\n"
    "    float zero = 0.0f;\n"
    "    f[0] = 1.0f / zero; f[1] = zero / zero; f[2] = sqrt(-1.0f); f[3] = 1e38f * 1e10f; f[4] = log(zero);\n"
    "    f[5] = (float)1e300; f[6] = 0.1f + 0.7f; f[7] = (float)(int)1e20f; f[8] = f[9] / f[10]; f[9] = 1.0f / 3.0f;\n"
    "    f[10] = 1e-30f / f[11];\n"
    "    d[0] = 1.0 / (double)zero; d[1] = fmod(1.0, 0.0); d[2] = 1e-310 * 0.5; d[3] = d[4] / d[5];\n"
    "}\n";

enum { COUNT = 16 };

struct results {
    float f[COUNT];
    double d[COUNT];
};

// What a thread's environment is, in one number.
static unsigned environment(void)
{
#ifdef __SSE__
    return _mm_getcsr() & 0xFFC0;
#else
    return (unsigned)fegetround();
#endif
}

static void run(struct results *results)
{
    static const size_t one = 1;
    const unsigned before = environment();
    cl_program program = test_build(source, "");
    cl_kernel kernel = test_kernel(program, "k");
    memset(results, 0, sizeof *results);
    results->f[11] = 0x1p64f;
    cl_mem f = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof results->f, results->f);
    cl_mem d = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof results->d, results->d);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof f, &f));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof d, &d));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, f, CL_TRUE, 0, sizeof results->f, results->f, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, d, CL_TRUE, 0, sizeof results->d, results->d, 0, NULL, NULL));
    CHECK_EQ(environment(), before);
    if (test_has_images()) {
        const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
        const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
        const float color[4] = {1e30f, -INFINITY, NAN, .3f};
        const size_t origin[3] = {0}, region[3] = {4, 4, 1};
        cl_int code;
        cl_mem image = clCreateImage(test_context, 0, &format, &desc, NULL, &code);
        CHECK_OK(code);
        CHECK_OK(clEnqueueFillImage(test_queue, image, color, origin, region, 0, NULL, NULL));
        CHECK_OK(clFinish(test_queue));
        CHECK_OK(clReleaseMemObject(image));
    }
    CHECK_OK(clReleaseMemObject(f));
    CHECK_OK(clReleaseMemObject(d));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    CHECK_EQ(environment(), before);
}

int main(void)
{
    static struct results plain, changed;
    const int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;
    bool trapped = feenableexcept(traps) != -1;
    if (trapped)
        CHECK_EQ(fegetexcept(), traps);
    test_open();
    run(&changed);
    if (trapped) {
        CHECK_EQ(fegetexcept(), traps);
        fedisableexcept(traps);
    }
    run(&plain);
    CHECK(!memcmp(&plain, &changed, sizeof plain));
    CHECK(isinf(plain.f[0]) && isnan(plain.f[1]) && plain.f[6] == 0.1f + 0.7f && plain.f[9] == 1.0f / 3.0f);
    for (int i = 0; i < 3; i++) {
        static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
        fesetround(modes[i]);
        run(&changed);
        CHECK_EQ(fegetround(), modes[i]);
        CHECK(!memcmp(&plain, &changed, sizeof plain));
    }
    fesetround(FE_TONEAREST);
#ifdef __SSE__
    _mm_setcsr(_mm_getcsr() | 0x8040);
    run(&changed);
    _mm_setcsr(_mm_getcsr() & ~0x8040u);
    CHECK(!memcmp(&plain, &changed, sizeof plain));
#endif
    if (trapped)
        feenableexcept(traps); // to the end
    return test_close();
}
