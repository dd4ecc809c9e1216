// SPDX-License-Identifier: Apache-2.0
// __bf16, __fp8_e4m3 and __fp8_e5m2: every value as a float; floats, doubles and integers equal to,
// between and next to all values, rounded to nearest even, compared with a search in the format's
// values.
#include <math.h>

#include "test.h"

static const struct format {
    const char *name;
    unsigned bytes, mantissa;
    int bias;
    unsigned last; // magnitude of the largest finite number
    bool infinite; // the magnitude after the last is an infinity
} formats[] = {{"__bf16", 2, 7, 127, 0x7f7f, true}, {"__fp8_e4m3", 1, 3, 7, 0x7e, false}, {"__fp8_e5m2", 1, 2, 15, 0x7b, true}};

static const char source[] =
    "#define CONVERT(name, from, to) kernel void name(global const from *x, global to *y)\\\n"
    "{ y[get_global_id(0)] = x[get_global_id(0)]; }\n"
    "CONVERT(widen, KEPT, float)\n"
    "CONVERT(from_float, float, KEPT)\n"
    "CONVERT(from_long, long, KEPT)\n"
    "CONVERT(from_ulong, ulong, KEPT)\n"
    "CONVERT(from_int, int, KEPT)\n"
    "#ifdef cl_khr_fp64\n"
    "CONVERT(from_double, double, KEPT)\n"
    "#endif\n";

enum { MOST = 0x8000 * 12 };
static double numbers[MOST];
static int64_t integers[MOST];
static unsigned char words[MOST * 8], results[MOST * 4];

// The value of a finite magnitude, or of the one after the last.
static double value_of(const struct format *f, unsigned size)
{
    unsigned exponent = size >> f->mantissa, fraction = size & ((1u << f->mantissa) - 1), one = 1u << f->mantissa;
    int scale = (exponent ? (int)exponent : 1) - f->bias - (int)f->mantissa;
    return ldexp(exponent ? fraction + one : fraction, scale);
}

static unsigned sign_bit(const struct format *f) { return 1u << (f->bytes * 8 - 1); }

// The magnitude nearest to x >= 0; last + 1: too large.
static unsigned nearest(const struct format *f, double x)
{
    unsigned low = 0, high = f->last + 1;
    if (x >= value_of(f, high))
        return high;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (value_of(f, middle) <= x)
            low = middle;
        else
            high = middle;
    }
    double below = x - value_of(f, low), above = value_of(f, high) - x;
    return below < above || (below == above && low % 2 == 0) ? low : high;
}

static bool is_right(const struct format *f, unsigned got, double x)
{
    unsigned size = got & (sign_bit(f) - 1), behind = f->infinite ? f->last + 1 : 0;
    bool negative = got & sign_bit(f);
    if (isnan(x))
        return size > f->last && size != behind;
    return negative == !!signbit(x) && size == nearest(f, fabs(x));
}

static void run(cl_program program, const char *name, const void *in, size_t in_bytes, size_t out_bytes, size_t count)
{
    cl_kernel kernel = test_kernel(program, name);
    cl_mem from = test_buffer(CL_MEM_COPY_HOST_PTR, in_bytes * count, (void *)(uintptr_t)in);
    cl_mem to = test_buffer(0, out_bytes * count, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof from, &from));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof to, &to));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, to, CL_TRUE, 0, out_bytes * count, results, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(from));
    CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_wide(const struct format *f, cl_program program)
{
    unsigned count = 2 * sign_bit(f), wrong = 0;
    for (unsigned i = 0; i < count; i++)
        memcpy(words + i * f->bytes, &i, f->bytes); // little-endian
    run(program, "widen", words, f->bytes, sizeof(float), count);
    for (unsigned i = 0; i < count; i++) {
        float got;
        unsigned size = i & (sign_bit(f) - 1);
        memcpy(&got, results + i * sizeof got, sizeof got);
        bool right = size <= f->last                     ? fabsf(got) == (float)value_of(f, size)
                     : f->infinite && size == f->last + 1 ? isinf(got) != 0
                                                          : isnan(got) != 0;
        right &= isnan(got) || !!signbit(got) == !!(i & sign_bit(f));
        if (!right && wrong++ < 3)
            printf("%s 0x%x is %g\n", f->name, i, (double)got);
    }
    CHECK_EQ(wrong, 0);
}

static void check_results(const struct format *f, const char *kernel, unsigned count)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned got = 0;
        memcpy(&got, results + i * f->bytes, f->bytes);
        if (!is_right(f, got, numbers[i]) && wrong++ < 3)
            printf("%s, %s: %.17g is 0x%x\n", f->name, kernel, numbers[i], got);
    }
    CHECK_EQ(wrong, 0);
}

// Each value, the midpoint to the next, and the numbers next to these at a relative distance of
// `beside`.
static unsigned fill(const struct format *f, double beside)
{
    unsigned count = 0;
    for (unsigned size = 0; size <= f->last; size++) {
        double x = value_of(f, size), between = (x + value_of(f, size + 1)) / 2;
        const double all[6] = {x, between, between * (1 - beside), between * (1 + beside), x * (1 - beside), x * (1 + beside)};
        for (unsigned i = 0; i < 6; i++) {
            numbers[count++] = all[i];
            numbers[count++] = -all[i];
        }
    }
    return count;
}

static void check_floats(const struct format *f, cl_program program)
{
    unsigned count = fill(f, 0x1p-22);
    const double ends[4] = {INFINITY, NAN, 0x1.fffffep127, -INFINITY};
    memcpy(numbers + count - 4, ends, sizeof ends);
    for (unsigned i = 0; i < count; i++) {
        float x = (float)numbers[i];
        numbers[i] = (double)x;
        memcpy(words + i * sizeof x, &x, sizeof x);
    }
    run(program, "from_float", words, sizeof(float), f->bytes, count);
    check_results(f, "from_float", count);
}

static void check_doubles(const struct format *f, cl_program program)
{
    unsigned count = fill(f, 0x1p-45);
    const double ends[4] = {INFINITY, NAN, 0x1p1000, -0x1p-1000};
    memcpy(numbers + count - 4, ends, sizeof ends);
    run(program, "from_double", numbers, sizeof *numbers, f->bytes, count);
    check_results(f, "from_double", count);
}

// Integers near midpoints of the format, mostly of 25 bits and more.
static void check_integers(const struct format *f, cl_program program, const char *kernel, unsigned bits, bool is_signed)
{
    unsigned count = 0;
    for (unsigned top = 1; top < bits; top++)
        for (unsigned i = 0; i < 512; i++) {
            uint64_t x = (UINT64_C(1) << (top - is_signed)) + ((uint64_t)i << (top - is_signed) >> 9);
            for (int more = -1; more <= 1; more++) {
                integers[count] = (int64_t)(x + (uint64_t)more);
                if (is_signed && i & 1)
                    integers[count] = -integers[count];
                // A double cannot represent all integers; a sticky last bit preserves on which side
                // of a midpoint the number is.
                uint64_t size = is_signed && integers[count] < 0 ? 0 - (uint64_t)integers[count] : (uint64_t)integers[count];
                uint64_t kept = size >> 53 ? size >> 12 | !!(size & 4095) : size;
                double number = size >> 53 ? ldexp((double)kept, 12) : (double)kept;
                numbers[count] = is_signed && integers[count] < 0 ? -number : number;
                memcpy(words + count * (bits / 8), &integers[count], bits / 8);
                count++;
            }
        }
    run(program, kernel, words, bits / 8, f->bytes, count);
    check_results(f, kernel, count);
}

// Literals, which the compiler converts: each 8-bit value, some 16-bit ones, their midpoints, and
// numbers next to these.
static void check_constants(const struct format *f)
{
    static char text[1 << 20];
    unsigned count = 0, step = f->bytes > 1 ? 97 : 1;
    size_t at = (size_t)snprintf(text, sizeof text, "constant KEPT table[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 3, 1e30f, -7u, true,");
    const double first[] = {0, -0.0, INFINITY, -INFINITY, NAN, 3, (double)1e30f, 4294967289.0, 1};
    for (; count < sizeof first / sizeof *first; count++)
        numbers[count] = first[count];
    for (unsigned size = 0; size <= f->last; size += step) {
        double x = value_of(f, size), between = (x + value_of(f, size + 1)) / 2;
        const double all[4] = {-x, between, between * (1 - 0x1p-22), -between * (1 + 0x1p-22)};
        for (unsigned i = 0; i < 4; i++) {
            numbers[count++] = (double)(float)all[i];
            at += (size_t)snprintf(text + at, sizeof text - at, "%af,", (double)(float)all[i]);
        }
    }
    snprintf(text + at, sizeof text - at, "}; kernel void copy(global int *unused, global KEPT *y) "
                                          "{ y[get_global_id(0)] = table[get_global_id(0)]; }");
    char options[64];
    snprintf(options, sizeof options, "-DKEPT=%s", f->name);
    cl_program program = test_build(text, options);
    run(program, "copy", words, 4, f->bytes, count);
    check_results(f, "constants", count);
    CHECK_OK(clReleaseProgram(program));
}

int main(void)
{
    test_open();
    char extensions[8192] = "";
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL));
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char options[64];
        snprintf(options, sizeof options, "-DKEPT=%s", formats[i].name);
        cl_program program = test_build(source, options);
        if (!program)
            continue;
        check_constants(&formats[i]);
        check_wide(&formats[i], program);
        check_floats(&formats[i], program);
        check_integers(&formats[i], program, "from_int", 32, true);
        check_integers(&formats[i], program, "from_long", 64, true);
        check_integers(&formats[i], program, "from_ulong", 64, false);
        if (strstr(extensions, "cl_khr_fp64"))
            check_doubles(&formats[i], program);
        CHECK_OK(clReleaseProgram(program));
    }
    return test_close();
}
