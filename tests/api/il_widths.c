// SPDX-License-Identifier: Apache-2.0
// OpenCL.std functions on integers of arbitrary widths, in modules generated here, compared with
// arithmetic of twice the width.
#include "test.h"

#ifdef __SIZEOF_INT128__
typedef __int128 wide;
#else
typedef int64_t wide;
#endif

enum { WORDS = 2048, TRIPLES = 24 };

static unsigned width; // of the current module

static uint64_t mask(void)
{
    return UINT64_MAX >> (64 - width);
}

static wide sign(uint64_t x)
{
    return x >> (width - 1) & 1 ? (wide)x - ((wide)1 << width) : (wide)x;
}

static uint64_t saturated(wide x, bool is_signed) // saturated to the width's range
{
    wide most = is_signed ? mask() >> 1 : mask(), least = is_signed ? -most - 1 : 0;
    return (uint64_t)(x > most ? most : x < least ? least : x) & mask();
}

static uint64_t half(wide x) // rounded down
{
    return (uint64_t)(x >> 1) & mask();
}

static uint64_t abs_diff(wide a, wide b)
{
    return (uint64_t)(a > b ? a - b : b - a) & mask();
}

static uint64_t count_zeros(uint64_t x, bool from_above)
{
    uint64_t count = 0;
    while (count < width && !(x >> (from_above ? width - 1 - count : count) & 1))
        count++;
    return count;
}

static uint64_t rotated(uint64_t x, uint64_t by)
{
    by %= width;
    return ((x << by) | (by ? x >> (width - by) : 0)) & mask();
}

static uint64_t high(wide product)
{
    return (uint64_t)(product >> width) & mask();
}

// ---- the functions -------------------------------------------------------------------------------

#define FUNCTIONS                                                                                  \
    F(141, 1, sa < 0 ? (uint64_t)-sa : a)                                                          \
    F(142, 2, abs_diff(sa, sb)) F(143, 2, saturated(sa + sb, true))                                \
        F(144, 2, saturated((wide)a + b, false)) F(145, 2, half(sa + sb))                      \
            F(146, 2, half((wide)a + b)) F(147, 2, half(sa + sb + 1))                          \
                F(148, 2, half((wide)a + b + 1)) F(151, 1, count_zeros(a, true))               \
                    F(152, 1, count_zeros(a, false)) F(153, 3, (high(sa * sb) + c) & mask())       \
                        F(154, 3, saturated((wide)a *b + c, false))                            \
                            F(155, 3, saturated(sa *sb + sc, true)) F(156, 2, sa > sb ? a : b)     \
                                F(157, 2, a > b ? a : b) F(158, 2, sa < sb ? a : b)                \
                                    F(159, 2, a < b ? a : b) F(160, 2, high(sa *sb)) F(            \
                                        161, 2, rotated(a, b)) F(162, 2, saturated(sa - sb, true)) \
                                        F(163, 2, saturated((wide)a - b, false))               \
                                            F(166, 1, (uint64_t)__builtin_popcountll(a))           \
                                                F(186, 3, (a & ~c) | (b & c)) F(201, 1, a)         \
                                                    F(202, 2, abs_diff(a, b))                      \
                                                        F(203, 2, high((wide)a *b)) F(         \
                                                            204, 3,                                \
                                                            (high((wide)a * b) + c) & mask())

static const struct {
    uint32_t number, operands;
} functions[] = {
#define F(number, operands, value) {number, operands},
    FUNCTIONS
#undef F
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static void expected(uint64_t a, uint64_t b, uint64_t c, uint64_t *out)
{
    const wide sa = sign(a), sb = sign(b), sc = sign(c);
#define F(number, operands, value) *out++ = value;
    FUNCTIONS
#undef F
}

// ---- the module ----------------------------------------------------------------------------------

enum { VOID = 1, ULONG, NARROW, POINTER, SIGNATURE, STD, KERNEL, FROM, TO, LABEL, FIRST_PLACE };

static uint32_t words[WORDS], word_count;

static void op(uint32_t opcode, uint32_t count, const uint32_t *operands)
{
    words[word_count++] = (count + 1) << 16 | opcode;
    for (uint32_t i = 0; i < count; i++)
        words[word_count++] = operands[i];
}
#define OP(opcode, ...) op(opcode, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

static void text(uint32_t opcode, uint32_t id, const char *text) // id 0: none
{
    uint32_t operands[16] = {id};
    uint32_t at = id ? 1 : 0, length = (uint32_t)strlen(text) / 4 + 1;
    memcpy(operands + at, text, strlen(text));
    op(opcode, at + length, operands);
}

// kernel void k(global ulong *from, global ulong *to): each function of from[0], [1], [2].
static void make_module(void)
{
    uint32_t id = FIRST_PLACE + FUNCTION_COUNT, arguments[3];
    word_count = 5;
    OP(17, 4), OP(17, 6), OP(17, 11), OP(17, 5844); // Addresses, Kernel, Int64, ArbitraryPrecisionIntegersINTEL
    text(10, 0, "SPV_INTEL_arbitrary_precision_integers");
    text(11, STD, "OpenCL.std");
    OP(14, test_address_bits() == 32 ? 1 : 2, 2); // Physical32 or Physical64, OpenCL
    OP(15, 6, KERNEL, 'k');
    OP(19, VOID), OP(21, ULONG, 64, 0), OP(21, NARROW, width, 0), OP(32, POINTER, 5, ULONG);
    OP(33, SIGNATURE, VOID, POINTER, POINTER);
    for (uint32_t i = 0; i < FUNCTION_COUNT; i++)
        OP(43, ULONG, FIRST_PLACE + i, i, 0);
    OP(54, VOID, KERNEL, 0, SIGNATURE), OP(55, POINTER, FROM), OP(55, POINTER, TO), OP(248, LABEL);
    for (uint32_t i = 0; i < 3; i++, id += 3) {
        OP(70, POINTER, id, FROM, FIRST_PLACE + i), OP(61, ULONG, id + 1, id, 2, 8), OP(113, NARROW, id + 2, id + 1);
        arguments[i] = id + 2;
    }
    for (uint32_t i = 0; i < FUNCTION_COUNT; i++, id += 3) {
        const uint32_t call[] = {NARROW, id, STD, functions[i].number, arguments[0], arguments[1], arguments[2]};
        op(12, 4 + functions[i].operands, call);
        OP(113, ULONG, id + 1, id);
        OP(70, POINTER, id + 2, TO, FIRST_PLACE + i), OP(62, id + 2, id + 1, 2, 8);
    }
    OP(253), OP(56);
    const uint32_t header[] = {0x07230203, 0x10000, 0, id, 0};
    memcpy(words, header, sizeof header);
}
#undef OP

// ---- running it ----------------------------------------------------------------------------------

static uint64_t edge_or_random(uint64_t *state)
{
    const uint64_t edges[] = {0, 1, mask(), mask() >> 1, (mask() >> 1) + 1, width, 2};
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    uint64_t roll = *state >> 60;
    return roll < 7 ? edges[roll] : (*state ^ *state >> 31) & mask();
}

static void check_triple(cl_kernel kernel, cl_mem from, cl_mem to, const uint64_t *in)
{
    const size_t one = 1;
    uint64_t got[FUNCTION_COUNT], wanted[FUNCTION_COUNT];
    expected(in[0], in[1], in[2], wanted);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, from, CL_TRUE, 0, 3 * sizeof *in, in, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, to, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        if (!CHECK_EQ(got[i], wanted[i]))
            printf("function %u of %u bits: %llx %llx %llx\n", functions[i].number, width, (unsigned long long)in[0],
                   (unsigned long long)in[1], (unsigned long long)in[2]);
}

static void check_width(void)
{
    cl_int error;
    uint64_t state = width;
    make_module();
    cl_program program = clCreateProgramWithIL(test_context, words, word_count * 4, &error);
    if (!CHECK_OK(error) || !CHECK_OK(clBuildProgram(program, 1, &test_device, NULL, NULL, NULL)))
        return;
    cl_kernel kernel = test_kernel(program, "k");
    cl_mem from = test_buffer(CL_MEM_READ_ONLY, 3 * sizeof(uint64_t), NULL);
    cl_mem to = test_buffer(CL_MEM_WRITE_ONLY, FUNCTION_COUNT * sizeof(uint64_t), NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof from, &from));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof to, &to));
    for (int i = 0; i < TRIPLES; i++) {
        const uint64_t in[3] = {edge_or_random(&state), edge_or_random(&state), edge_or_random(&state)};
        check_triple(kernel, from, to, in);
    }
    CHECK_OK(clReleaseMemObject(from));
    CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

int main(void)
{
    static const unsigned widths[] = {7, 24, 33, 63};
    char version[512] = "";
    test_open();
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_IL_VERSION, sizeof version, version, NULL));
    if (!*version)
        return 77;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        width = widths[i];
        if (width * 2 < sizeof(wide) * 8)
            check_width();
    }
    return test_close();
}
