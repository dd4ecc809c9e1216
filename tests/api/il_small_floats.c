// SPDX-License-Identifier: Apache-2.0
// Small float types in SPIR-V modules: all conversions of floats to E4M3, E5M2 and bfloat16 and
// back, compared with the host's.
#include <math.h>

#include "modules.h"
#include "util/small_float.h"

// Replaces integer types of il/small.spvasm by the small float types, which the assembler does not
// know.
static void make_small(struct module *module)
{
    cl_uint *words = (cl_uint *)(void *)module->bytes;
    for (size_t at = 5; at < module->size / 4 && words[at] >> 16; at += words[at] >> 16)
        if ((words[at] & 0xffff) == 21 && words[at + 3] > 1) { // OpTypeInt -> OpTypeFloat
            words[at] = 4 << 16 | 22;
            words[at + 3] = words[at + 3] == 9999 ? 0 : words[at + 3];
        }
}

static bool is_nan(enum small_float format, cl_uchar bits) { return isnan(small_to_double(format, bits)); }

static void check_small(enum small_float format, double x, bool to_largest, cl_uchar got)
{
    cl_uchar wanted = (cl_uchar)small_from_double(format, x);
    if (to_largest && !isnan(x) && (wanted & 0x7f) > small_formats[format].last)
        wanted = (cl_uchar)((wanted & 0x80) | small_formats[format].last);
    if (is_nan(format, wanted) ? !CHECK(is_nan(format, got)) : !CHECK_EQ(got, wanted))
        printf("%a to %s%s\n", x, format == SMALL_E4M3 ? "E4M3" : "E5M2", to_largest ? ", saturating" : "");
}

static void check_number(float x, const cl_uchar got[8], float back)
{
    double brief = small_to_double(SMALL_BF16, small_from_double(SMALL_BF16, x)), kept = small_to_double(SMALL_E4M3, got[0]);
    check_small(SMALL_E4M3, x, false, got[0]);
    check_small(SMALL_E5M2, x, false, got[1]);
    check_small(SMALL_E4M3, x, true, got[2]);
    check_small(SMALL_E5M2, x, true, got[3]);
    check_small(SMALL_E4M3, brief, true, got[4]);
    if (!isnan(x))
        check_small(SMALL_E4M3, (int)(x > 1000000 ? 1000000 : x < -1000000 ? -1000000 : x), true, got[5]);
    check_small(SMALL_E4M3, x, true, got[6]);
    check_small(SMALL_E5M2, kept, false, got[7]);
    CHECK(isnan(kept) ? isnan(back) : back == kept);
}

static void check_small_floats(void)
{
    float in[] = {0,      -0.0f,  1,      1.0625f, 1.1875f, 240,    447,      448,       449,    463.5f,       464,          465,
                  -464,   -465,   500,    -1000,   57344,   61439,  61440,    61441,     -61440, 1e9f,         -3e38f,       INFINITY,
                  -INFINITY, NAN, 0x1p-9f, 0x1p-10f, 0x1.8p-10f, -0x1.8p-9f, 0x1p-16f, 0x1p-17f, -0x1.8p-17f, 0x1.8p-16f, 7.5f, -2.6f};
    enum { COUNT = sizeof in / sizeof *in };
    cl_uchar out[COUNT * 8];
    float back[COUNT];
    cl_int error;
    const size_t count = COUNT;
    struct module module = load("small");
    make_small(&module);
    cl_program program = clCreateProgramWithIL(test_context, module.bytes, module.size, &error);
    CHECK_OK(error);
    CHECK_OK(build(program));
    cl_kernel kernel = test_kernel(program, "small");
    cl_mem mems[3] = {test_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in), test_buffer(0, sizeof out, NULL),
                      test_buffer(0, sizeof back, NULL)};
    for (cl_uint i = 0; i < 3; i++)
        CHECK_OK(clSetKernelArg(kernel, i, sizeof mems[i], &mems[i]));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mems[1], CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mems[2], CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    for (size_t i = 0; i < COUNT; i++)
        check_number(in[i], out + 8 * i, back[i]);
    for (int i = 0; i < 3; i++)
        CHECK_OK(clReleaseMemObject(mems[i]));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

int main(void)
{
    test_open();
    if (test_address_bits() == 32) { // the module uses 64-bit addresses
        test_close();
        return 77;
    }
    check_small_floats();
    return test_close();
}
