// SPDX-License-Identifier: Apache-2.0
// Errors of the math functions in ULP, on the first OpenCL device: ulp [--long] [--all]
// [--type=float] [--options="..."] [NAME...]
//
// Every function of functions.def runs for scalars and for one vector width on special values (all
// pairs of them), on random bits, and on random numbers in a range; vectors must give the same
// bits. Prints a line for each function and type: bound, worst error, its input. Exit status: 0 all
// within bounds and all special values right, 1 not, 77 no device.
// bounds and all special values right, 1 not, 77 no device.
//
// Functions of one half are tested with all inputs. --all tests functions of one float with all
// 2^32: the device compares with its own double function and stores the worst input of every
// work-item; MPFR checks those close to the worst. (Minutes on a GPU, days on a CPU.)
#define CL_TARGET_OPENCL_VERSION 120
#include "reference.h"
#include "util/half.h"
#include <CL/cl_ext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../leaks.h"

enum form { ONE, TWO, INT, TO_INT, OUT, OUT_INT, TWO_OUT };

static const struct function {
    const char *name;
    enum form form;
    struct reference reference;
    double bound[TYPE_COUNT];
    double low, high;
} functions[] = {
#define UNPACK(...) __VA_ARGS__
#define FUNCTION(name, form, reference, ...) {#name, form, reference, __VA_ARGS__},
#include "functions.def"
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static const struct {
    const char *name, *extension;
    unsigned bytes;
    int digits, lowest, highest; // binary exponents of the smallest denormal and of overflow
} types[] = {
    {"half", "cl_khr_fp16", 2, 11, -24, 16},
    {"float", "", 4, 24, -149, 128},
    {"double", "cl_khr_fp64", 8, 53, -1074, 1024},
};

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static bool keeps_denormals[TYPE_COUNT];
static unsigned failures;
static const char *build_options = "";

// ---- numbers ------------------------------------------------------------------------------------

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(2685821657736338717);
}

static long double load(enum type type, const void *from, size_t i)
{
    if (type == HALF)
        return half_to_double(((const uint16_t *)from)[i]);
    return type == FLOAT ? (long double)((const float *)from)[i]
                         : (long double)((const double *)from)[i];
}

static void store(enum type type, void *to, size_t i, double value)
{
    if (type == HALF)
        ((uint16_t *)to)[i] = half_from_double(value);
    else if (type == FLOAT)
        ((float *)to)[i] = (float)value;
    else
        ((double *)to)[i] = value;
}

static double type_tiny(enum type type)
{
    return ldexp(1, types[type].lowest);
}
static double type_normal(enum type type)
{
    return ldexp(1, types[type].lowest + types[type].digits - 1);
}
static double type_largest(enum type type)
{
    return ldexp(2 - ldexp(1, 1 - types[type].digits), types[type].highest - 1);
}

// Values of edge cases, and their negatives.
static unsigned special_values(enum type type, double *out)
{
    double e = ldexp(1, 1 - types[type].digits);
    const double some[] = {0,
                           INFINITY,
                           NAN,
                           1,
                           2,
                           3,
                           4,
                           5,
                           8,
                           10,
                           100,
                           0.25,
                           0.5,
                           0.75,
                           1.5,
                           2.5,
                           3.5,
                           1 + e,
                           1 - e / 2,
                           type_tiny(type),
                           type_normal(type),
                           type_normal(type) - type_tiny(type),
                           type_largest(type),
                           1 / e,
                           2 / e,
                           1 / e - 1,
                           0.5 / e,
                           0.5 / e - 0.5,
                           35,
                           42.5,
                           88.75,
                           104,
                           126,
                           127,
                           128,
                           149,
                           150,
                           171,
                           709.8,
                           745.2,
                           1023,
                           1074};
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof some / sizeof *some; i++) {
        out[count++] = some[i];
        out[count++] = -some[i];
    }
    return count;
}

static const int special_ints[] = {
    0,    1,     -1,    2,    -2,       3,         -3,      7,           10,      -10,
    100,  126,   127,   128,  -126,     -127,      -149,    -150,        277,     -300,
    1023, -1074, -2200, 2200, 16777217, -16777217, INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1};
enum { INT_COUNT = sizeof special_ints / sizeof *special_ints };

struct inputs {
    void *x, *y;
    int *n;
    size_t count, special; // special: the number of special ones at the start
};

static bool has_y(enum form form)
{
    return form == TWO || form == TWO_OUT;
}

static double in_range(double low, double high)
{
    return low + (high - low) * (double)(random_bits() >> 11) * 0x1p-53;
}

static bool every_half(const struct function *f, enum type type)
{
    return type == HALF && !has_y(f->form) && f->form != INT;
}

static void random_input(const struct function *f, enum type type, struct inputs *in, size_t i)
{
    uint64_t bits = random_bits(), more = random_bits();
    unsigned bytes = types[type].bytes;
    if (every_half(f, type))
        bits = i - in->special;
    memcpy((char *)in->x + i * bytes, &bits, bytes);
    memcpy((char *)in->y + i * bytes, &more, bytes);
    in->n[i] = (int)(more >> 32) >> (more & 31);
    if (every_half(f, type)) {
    } else if (i & 1) {
        store(type, in->x, i, in_range(f->low, f->high));
        store(type, in->y, i, in_range(f->low, f->high) * (i & 2 ? 1 : 40));
    } else if (i % 8 == 0) { // x close to zeros of the trigonometric functions, y of all magnitudes
        store(type, in->x, i, rint(ldexp(in_range(1, 2), (int)(bits & 31))) * 0.78539816339744831);
        store(type, in->y, i, ldexp(in_range(-1, 1), (int)(more & 31) - 20));
    }
    if (!strncmp(f->name, "lgamma", 6))
        store(type, in->x, i, fabs((double)load(type, in->x, i)));
}

static struct inputs make_inputs(const struct function *f, enum type type, size_t random_count)
{
    double values[128];
    unsigned count = special_values(type, values), seconds = f->form == INT   ? INT_COUNT
                                                             : has_y(f->form) ? count
                                                                              : 1;
    struct inputs in = {.special = (size_t)count * seconds};
    if (every_half(f, type))
        random_count = 65536;
    in.count = (in.special + random_count + 15) / 16 * 16;
    in.x = calloc(in.count, 8);
    in.y = calloc(in.count, 8);
    in.n = calloc(in.count, sizeof(int));
    for (size_t i = 0; i < in.special; i++) {
        store(type, in.x, i, values[i / seconds]);
        store(type, in.y, i, values[i % seconds % count]);
        in.n[i] = special_ints[i % seconds % INT_COUNT];
    }
    for (size_t i = in.special; i < in.count; i++)
        random_input(f, type, &in, i);
    return in;
}

// ---- on the device ------------------------------------------------------------------------------

// One kernel for scalars, whose second result is stored to global memory directly, and one for
// vectors, with a private variable.
static void write_source(const struct function *f, enum type type, unsigned width, char *out,
                         size_t size)
{
    static const char *const arguments[] = {
        [ONE] = "x",     [TWO] = "x, y",      [INT] = "x, n",        [TO_INT] = "x",
        [OUT] = "x, AT", [OUT_INT] = "x, AT", [TWO_OUT] = "x, y, AT"};
    const char *t = types[type].name, *second = f->form == OUT ? t : "int",
               *first = f->form == TO_INT ? "int" : t;
    snprintf(
        out, size,
        "%s%s%s"
        "#define quotient(x, y) ((x) / (y))\n"
        "#define CALL %s(%s)\n"
        "#define AT (s + i)\n"
        "kernel void scalar(global const %s *xs, global const %s *ys, global const int *ns, global "
        "%s *r, global %s *s)\n"
        "{ size_t i = get_global_id(0); %s x = xs[i], y = ys[i]; int n = ns[i]; r[i] = CALL; }\n"
        "#undef AT\n"
        "#define AT &second\n"
        "kernel void wide(global const %s *xs, global const %s *ys, global const int *ns, global "
        "%s *r, global %s *s)\n"
        "{ size_t i = get_global_id(0); %s%u x = vload%u(i, xs), y = vload%u(i, ys); int%u n = "
        "vload%u(i, ns);\n"
        "  %s%u second = 0; vstore%u(CALL, i, r); vstore%u(second, i, s); }\n",
        *types[type].extension ? "#pragma OPENCL EXTENSION " : "", types[type].extension,
        *types[type].extension ? " : enable\n" : "", f->name, arguments[f->form], t, t, first,
        second, t, t, t, first, second, t, width, width, width, width, width, second, width, width,
        width);
}

static cl_mem new_buffer(size_t bytes, const void *data)
{
    return clCreateBuffer(context, data ? CL_MEM_COPY_HOST_PTR : 0, bytes, (void *)(uintptr_t)data,
                          NULL);
}

static bool launch(cl_program program, const char *name, const cl_mem *buffers, size_t count)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    for (cl_uint i = 0; i < 5 && !error; i++)
        error = clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]);
    if (!error)
        error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL);
    if (!error)
        error = clFinish(queue);
    clReleaseKernel(kernel);
    return !error;
}

static cl_program build(const struct function *f, enum type type, unsigned width)
{
    char source[4096], log[2048] = "";
    const char *text = source;
    cl_int error;
    write_source(f, type, width, source, sizeof source);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    if (!error && !clBuildProgram(program, 1, &device, build_options, NULL, NULL))
        return program;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    printf("%-10s %-6s does not build: %s\n", f->name, types[type].name, log);
    clReleaseProgram(program);
    return NULL;
}

// The results of both kernels: first[0] and second[0] for scalars, [1] for vectors.
static bool compute(const struct function *f, enum type type, const struct inputs *in, void **first,
                    void **second)
{
    static const unsigned widths[] = {2, 3, 4, 8, 16};
    unsigned width = widths[(unsigned)(f - functions) % 5];
    size_t bytes = in->count * 8;
    cl_program program = build(f, type, width);
    bool good = program != NULL;
    for (int wide = 0; wide < 2 && good; wide++) {
        size_t count = wide ? in->count / width : in->count;
        cl_mem buffers[] = {new_buffer(bytes, in->x), new_buffer(bytes, in->y),
                            new_buffer(in->count * sizeof(int), in->n), new_buffer(bytes, NULL),
                            new_buffer(bytes, NULL)};
        good =
            launch(program, wide ? "wide" : "scalar", buffers, count) &&
            !clEnqueueReadBuffer(queue, buffers[3], CL_TRUE, 0, bytes, first[wide], 0, NULL,
                                 NULL) &&
            !clEnqueueReadBuffer(queue, buffers[4], CL_TRUE, 0, bytes, second[wide], 0, NULL, NULL);
        for (unsigned i = 0; i < 5; i++)
            clReleaseMemObject(buffers[i]);
        if (!good)
            printf("%-10s %-6s does not run\n", f->name, types[type].name);
    }
    if (program)
        clReleaseProgram(program);
    return good;
}

// ---- checking -----------------------------------------------------------------------------------

static int unit_exponent(enum type type,
                         long exponent) // of a number in [2^(exponent - 1), 2^exponent)
{
    long e = exponent - types[type].digits;
    return (int)(e < types[type].lowest ? types[type].lowest : e);
}

// Signs of zeros matter if the result is exactly zero. An infinity counts as the first power of two
// that is too large.
static double special_error(enum type type, long double got, long double want, bool *decided)
{
    *decided = true;
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : INFINITY;
    if (isinf(want) || want == 0)
        return got == want && !signbit(got) == !signbit(want) ? 0 : INFINITY;
    if (!keeps_denormals[type] && fabsl(want) < type_normal(type) &&
        fabsl(got) <= type_normal(type))
        return 0;
    if (isinf(got) && signbit(got) != signbit(want))
        return INFINITY;
    *decided = false;
    return 0;
}

static long double finite_result(enum type type, long double got)
{
    return isinf(got) ? copysignl(ldexpl(1, types[type].highest), got) : got;
}

static double quick_error(enum type type, long double got, long double want)
{
    bool decided;
    double error = special_error(type, got, want, &decided);
    int exponent;
    if (decided)
        return error;
    if (isinf(got) && fabsl(want) >= ldexpl(1, types[type].highest))
        return 0;
    frexpl(want, &exponent);
    return (double)ldexpl(fabsl(finite_result(type, got) - want), -unit_exponent(type, exponent));
}

static double exact_error(const struct function *f, const struct input *in, long double got)
{
    if (!f->reference.exact)
        return quick_error(in->type, got, f->reference.quick(in));
    mpfr_t r;
    bool decided;
    mpfr_init2(r, 200);
    f->reference.exact(r, in);
    long double rounded = mpfr_get_ld(r, MPFR_RNDN);
    double error = special_error(in->type, got, rounded, &decided);
    if (!decided && !(isinf(got) && fabsl(rounded) >= ldexpl(1, types[in->type].highest))) {
        int unit = unit_exponent(in->type, mpfr_get_exp(r));
        mpfr_t value;
        mpfr_init2(value, 64);
        mpfr_set_ld(value, finite_result(in->type, got), MPFR_RNDN);
        mpfr_sub(r, r, value, MPFR_RNDN);
        error = fabs(ldexp(mpfr_get_d(r, MPFR_RNDN), -unit));
        mpfr_clear(value);
    }
    mpfr_clear(r);
    return error;
}

// The expected value at the pointer argument, NaN for any value; false: the function has no second
// result.
static bool second_result(const struct function *f, const struct input *in, long double *want)
{
    int n = 0;
    if (!strcmp(f->name, "modf"))
        *want = truncl(in->x);
    else if (!strcmp(f->name, "fract"))
        *want = floorl(in->x);
    else if (!strcmp(f->name, "frexp"))
        *want = (frexpl(in->x, &n), isfinite(in->x) ? n : 0);
    else if (!strcmp(f->name, "lgamma_r"))
        *want = in->x > 0 || isnan(in->x)      ? 1
                : in->x == floorl(in->x)       ? 0
                : fmodl(floorl(in->x), 2) == 0 ? 1
                                               : -1;
    else if (!strcmp(f->name, "remquo")) {
        bool possible = isfinite(in->x) && !isnan(in->y) && in->y != 0;
        long double whole =
            possible && !isinf(in->y) ? rintl((in->x - remainderl(in->x, in->y)) / in->y) : 0;
        if (fabsl(whole) > 0x1p60L)
            return false; // not exact here
        *want = copysignl(fmodl(fabsl(whole), 128), whole);
    } else {
        return false;
    }
    return true;
}

static bool second_wrong(const struct function *f, const struct input *in, const void *seconds,
                         size_t i)
{
    long double want, got;
    if (f->form == OUT && !strcmp(f->name, "sincos")) {
        struct function cosine = {.reference = REF1(cos)};
        return exact_error(&cosine, in, load(in->type, seconds, i)) > f->bound[in->type];
    }
    if (f->form < OUT || !second_result(f, in, &want))
        return false;
    got = f->form == OUT ? load(in->type, seconds, i) : ((const int *)seconds)[i];
    return isnan(want) ? !isnan(got)
                       : got != want || (f->form == OUT && !signbit(got) != !signbit(want));
}

struct report {
    double worst;
    struct input at;
    long double got;
    unsigned wrong, second, different; // exceeding the bound; of second results; of vectors that
                                       // differ from scalars
};

static bool flushed(enum type type,
                    long double x) // denormal inputs are ignored if they may be flushed
{
    return !keeps_denormals[type] && x != 0 && fabsl(x) < type_normal(type);
}

static bool is_judged(const struct function *f, const struct input *in)
{
    if (flushed(in->type, in->x) || (has_y(f->form) && flushed(in->type, in->y)))
        return false;
    bool unbounded = !strncmp(f->name, "lgamma", 6) && in->x < 0 && in->x != floorl(in->x);
    return !unbounded;
}

static void judge(const struct function *f, enum type type, const struct inputs *in, void **first,
                  void **second, struct report *report)
{
    bool to_int = f->form == TO_INT;
    unsigned bytes = to_int ? 4 : types[type].bytes;
    for (size_t i = 0; i < in->count; i++) {
        struct input one = {load(type, in->x, i), load(type, in->y, i), in->n[i], type};
        long double got = to_int ? ((int *)first[0])[i] : load(type, first[0], i);
        bool nan_there = !to_int && isnan(got) && isnan(load(type, first[1], i));
        if (i < in->count / 48 * 48 && !nan_there &&
            memcmp((char *)first[0] + i * bytes, (char *)first[1] + i * bytes, bytes))
            report->different++;
        if (!is_judged(f, &one))
            continue;
        double error = to_int ? (got == f->reference.quick(&one) ? 0 : INFINITY)
                              : quick_error(type, got, f->reference.quick(&one));
        if (!to_int &&
            (error > 0.9 * report->worst || i < in->special || !(error <= 0.9 * f->bound[type])))
            error = exact_error(f, &one, got);
        bool wrong = !(error <= f->bound[type]), wrong_second = second_wrong(f, &one, second[0], i);
        if (error > report->worst || (wrong && report->wrong == 0))
            report->worst = error, report->at = one, report->got = got;
        report->wrong += wrong;
        if (wrong_second && report->second++ == 0 && !report->wrong)
            report->at = one;
    }
}

static void measure(const struct function *f, enum type type, size_t random_count)
{
    struct inputs in = make_inputs(f, type, random_count);
    void *first[] = {calloc(in.count, 8), calloc(in.count, 8)},
         *second[] = {calloc(in.count, 8), calloc(in.count, 8)};
    struct report report = {0};
    bool ran = compute(f, type, &in, first, second);
    if (ran) {
        judge(f, type, &in, first, second, &report);
        printf("%-10s %-6s %6.3g %9.4g  at %a", f->name, types[type].name, f->bound[type],
               report.worst, (double)report.at.x);
        if (has_y(f->form))
            printf(", %a", (double)report.at.y);
        if (f->form == INT)
            printf(", %d", report.at.n);
        if (report.wrong)
            printf("  %u over the bound, there: %a", report.wrong, (double)report.got);
        if (report.second)
            printf("  %u second results wrong", report.second);
        if (report.different)
            printf("  %u vector results differ", report.different);
        printf("\n");
    }
    failures += !ran || report.wrong || report.second || report.different;
    for (int i = 0; i < 2; i++)
        free(first[i]), free(second[i]);
    free(in.x), free(in.y), free(in.n);
}

// ---- every float --------------------------------------------------------------------------------

enum { SIEVE_ITEMS = 1 << 20, SIEVE_CANDIDATES = 2000 };

struct sieved {
    cl_uint error; // in 1/1024 ULP; the maximum: completely wrong
    cl_float x;
};

static const char sieve_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "uint error_of(float got, double want)\n"
    "{\n"
    "    if (isnan(want) || isnan(got)) return isnan(want) && isnan(got) ? 0 : 0xffffffff;\n"
    "    if (isinf(want) || want == 0)\n"
    "        return got == want && !signbit(got) == !signbit(want) ? 0 : 0xffffffff;\n"
    "    if (FLUSHES && fabs(want) < 0x1p-126 && fabs((double)got) <= 0x1p-126) return 0;\n"
    "    double value = got;\n"
    "    if (isinf(got) && fabs(want) >= 0x1p128) return signbit(got) ? want < 0 ? 0 : 0xffffffff "
    ": 0;\n"
    "    if (isinf(got)) value = copysign(0x1p128, value);\n"
    "    int unit = max(ilogb(want) - 23, -149);\n"
    "    double error = fabs(value - want) * as_double((ulong)(1023 - unit) << 52) * 1024;\n"
    "    return error < 4e9 ? (uint)error : 0xffffffff;\n"
    "}\n"
    "struct sieved { uint error; float x; };\n"
    "kernel void sieve(global struct sieved *out, uint rounds)\n"
    "{\n"
    "    uint i = get_global_id(0), items = get_global_size(0);\n"
    "    struct sieved worst = {0, 0};\n"
    "    for (uint k = 0; k < rounds; k++) {\n"
    "        float x = as_float(k * items + i);\n"
    "        if (FLUSHES && !(as_uint(x) & 0x7f800000) && as_uint(x) << 1) continue;\n"
    "        if (ONLY_POSITIVE && x < 0) continue;\n"
    "        uint error = error_of(F(x), F((double)x));\n"
    "        if (error > worst.error) { worst.error = error; worst.x = x; }\n"
    "    }\n"
    "    out[i] = worst;\n"
    "}\n";

static bool sieve(const struct function *f, struct sieved *results)
{
    char options[512];
    const char *text = sieve_source;
    cl_int error;
    cl_uint rounds = (cl_uint)((UINT64_C(1) << 32) / SIEVE_ITEMS);
    size_t items = SIEVE_ITEMS, bytes = sizeof *results * SIEVE_ITEMS;
    snprintf(options, sizeof options, "-DF=%s -DFLUSHES=%d -DONLY_POSITIVE=%d %s", f->name,
             !keeps_denormals[FLOAT], !strcmp(f->name, "lgamma"), build_options);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    cl_kernel kernel = NULL;
    cl_mem out = new_buffer(bytes, NULL);
    error |= clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (!error)
        kernel = clCreateKernel(program, "sieve", &error);
    if (!error)
        error = clSetKernelArg(kernel, 0, sizeof out, &out) |
                clSetKernelArg(kernel, 1, sizeof rounds, &rounds) |
                clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL) |
                clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, results, 0, NULL, NULL);
    clReleaseMemObject(out);
    clReleaseProgram(program);
    if (kernel)
        clReleaseKernel(kernel);
    return !error;
}

static int by_error(const void *a, const void *b)
{
    cl_uint x = ((const struct sieved *)a)->error, y = ((const struct sieved *)b)->error;
    return (x < y) - (x > y);
}

// Candidates are checked in one launch.
static void judge_sieved(const struct function *f, const struct sieved *candidates, size_t count)
{
    struct inputs in = {.count = (count + 15) / 16 * 16};
    struct report report = {0};
    void *first[] = {calloc(in.count, 8), calloc(in.count, 8)},
         *second[] = {calloc(in.count, 8), calloc(in.count, 8)};
    in.x = calloc(in.count, 8), in.y = calloc(in.count, 8), in.n = calloc(in.count, sizeof(int));
    for (size_t i = 0; i < in.count; i++)
        ((float *)in.x)[i] = candidates[i < count ? i : 0].x;
    in.special = in.count; // all of them by MPFR
    if (compute(f, FLOAT, &in, first, second)) {
        judge(f, FLOAT, &in, first, second, &report);
        printf("%-10s every  %6.3g %9.4g  at %a", f->name, f->bound[FLOAT], report.worst,
               (double)report.at.x);
        if (report.wrong)
            printf("  %u work-items over the bound, there: %a", report.wrong, (double)report.got);
        printf("\n");
    }
    failures += report.worst == 0 || report.wrong;
    for (int i = 0; i < 2; i++)
        free(first[i]), free(second[i]);
    free(in.x), free(in.y), free(in.n);
}

static void measure_every_float(const struct function *f)
{
    struct sieved *results = calloc(SIEVE_ITEMS, sizeof *results);
    size_t count = 0;
    if (sieve(f, results)) {
        qsort(results, SIEVE_ITEMS, sizeof *results, by_error);
        while (count < SIEVE_CANDIDATES && results[count].error >= results[0].error / 50 * 49)
            count++;
        judge_sieved(f, results, count);
    } else {
        printf("%-10s every  does not run\n", f->name);
        failures++;
    }
    free(results);
}

// ---- main ---------------------------------------------------------------------------------------

static bool open_device(void)
{
    cl_platform_id platform;
    cl_int error;
    static const cl_device_info configs[] = {CL_DEVICE_HALF_FP_CONFIG, CL_DEVICE_SINGLE_FP_CONFIG,
                                             CL_DEVICE_DOUBLE_FP_CONFIG};
    char name[256];
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return false;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    for (int type = 0; type < TYPE_COUNT; type++) {
        cl_device_fp_config config = 0;
        clGetDeviceInfo(device, configs[type], sizeof config, &config, NULL);
        keeps_denormals[type] = config & CL_FP_DENORM;
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    queue = error ? NULL : clCreateCommandQueue(context, device, 0, &error);
    printf("%s\n", name);
    return !error;
}

static bool has_type(enum type type)
{
    char extensions[8192] = "";
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL);
    return strstr(extensions, types[type].extension) != NULL;
}

static bool is_chosen(const char *name, char **names, int count)
{
    int chosen = count == 0;
    for (int i = 0; i < count; i++)
        chosen |= !strcmp(names[i], name);
    return chosen;
}

int main(int argc, char **argv)
{
    size_t random_count = 200000;
    bool every = false;
    const char *only = "";
    int first_name = 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (; first_name < argc && argv[first_name][0] == '-'; first_name++) {
        if (!strcmp(argv[first_name], "--long"))
            random_count = 4000000;
        else if (!strcmp(argv[first_name], "--all"))
            every = true;
        else if (!strncmp(argv[first_name], "--type=", 7))
            only = argv[first_name] + 7;
        else if (!strncmp(argv[first_name], "--options=", 10))
            build_options = argv[first_name] + 10;
    }
    if (!open_device())
        return 77;
    printf("%-10s %-6s %6s %9s\n", "function", "type", "bound", "worst");
    for (int i = 0; i < FUNCTION_COUNT; i++)
        for (int type = 0; type < TYPE_COUNT; type++)
            if (has_type(type) &&
                is_chosen(functions[i].name, argv + first_name, argc - first_name) &&
                (!*only || !strcmp(only, types[type].name))) {
                measure(&functions[i], type,
                        type == HALF && random_count < 1000000 ? random_count / 4 : random_count);
                if (every && type == FLOAT && functions[i].form == ONE && has_type(DOUBLE))
                    measure_every_float(&functions[i]);
            }
    return failures || leaks_count(true);
}
