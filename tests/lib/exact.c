// SPDX-License-Identifier: Apache-2.0
// Functions with exactly representable results must return them exactly, on the first OpenCL
// device: exact [--type=float] [--options="..."] [NAME...]
//
// The cases are constructed from results: powers and roots of integers times powers of two (as far
// as they fit the type; for double a part), powers of two and ten, squares, cubes, Pythagorean
// triples, products. Prints a line for each function and type: the number of cases, of inexact
// results, the worst one, the first ones. Exit status: 0 all exact, 1 not, 77 no device.
#define CL_TARGET_OPENCL_VERSION 120
#include "../leaks.h"
#include "util/half.h"
#include <CL/cl_ext.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { HALF, FLOAT, DOUBLE, TYPE_COUNT };

static const struct {
    const char *name, *extension;
    size_t bytes;
    int digits, lowest, highest; // binary exponents of the smallest denormal and of overflow
} types[] = {
    {"half", "cl_khr_fp16", 2, 11, -24, 16},
    {"float", "", 4, 24, -149, 128},
    {"double", "cl_khr_fp64", 8, 53, -1074, 1024},
};

struct item {
    long double x, y, want; // wider than any type: exact until it is known to fit
    int n;
};

struct cases {
    enum type type;
    struct item *items;
    size_t count, room;
};

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static bool keeps_denormals[TYPE_COUNT];
static unsigned failures;
static const char *build_options = "";

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(2685821657736338717);
}

// ---- cases
// ------------------------------------------------------------------------------------------

// Whether a number is finite, has `digits` of the type, or is zero, and may not be flushed by the
// device.
static bool fits(enum type type, long double x)
{
    int exponent;
    if (x == 0 || !isfinite(x))
        return x == 0;
    frexpl(x, &exponent);
    int lowest =
        keeps_denormals[type] ? types[type].lowest : types[type].lowest + types[type].digits - 1;
    int unit = exponent - types[type].digits < types[type].lowest ? types[type].lowest
                                                                  : exponent - types[type].digits;
    return exponent > lowest && exponent <= types[type].highest &&
           ldexpl(x, -unit) == rintl(ldexpl(x, -unit));
}

static void add(struct cases *c, long double x, long double y, int n, long double want)
{
    if (!fits(c->type, x) || !fits(c->type, y) || !fits(c->type, want))
        return;
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 4096;
        c->items = realloc(c->items, c->room * sizeof *c->items);
    }
    c->items[c->count++] = (struct item){x, y, want, n};
}

// m^n if it is below 2^digits, otherwise 0
static uint64_t whole_power(uint64_t m, int n, int digits)
{
    uint64_t limit = UINT64_C(1) << digits, power = 1;
    for (int i = 0; i < n; i++) {
        if (power > (limit - 1) / m)
            return 0;
        power *= m;
    }
    return power;
}

// The next odd number: all small ones, then with growing random steps if the type is double.
static uint64_t next_odd(const struct cases *c, uint64_t m)
{
    uint64_t step = c->type == DOUBLE && m > 1024 ? 2 + random_bits() % (m / 128) * 2 : 2;
    return m + step;
}

// Exponents of two: all of them, for double a part
static int next_scale(const struct cases *c, int j)
{
    return j + (c->type == DOUBLE ? 1 + (int)(random_bits() % 64) : 1);
}

// For all integers m^n below 2^digits: use(c, m, n, m^n)
static void each_power(struct cases *c,
                       void (*use)(struct cases *, long double m, int n, long double power))
{
    int digits = types[c->type].digits;
    use(c, 1, 0, 1);
    for (int n = 1; n <= (c->type == DOUBLE ? 33 : 32); n++) {
        uint64_t last = n == 1 ? 4096 : UINT64_C(1) << digits / n << 1;
        for (uint64_t m = 1; m <= last; m = next_odd(c, m)) {
            uint64_t power = whole_power(m, n, digits);
            if (power)
                use(c, (long double)m, n, (long double)power);
        }
    }
}

static void scaled_powers(struct cases *c, long double m, int n, long double power)
{
    int lowest = types[c->type].lowest, highest = types[c->type].highest;
    for (int j = lowest - 53; j < highest; j = next_scale(c, j)) {
        long double x = ldexpl(m, j), want = ldexpl(power, j * n);
        add(c, x, n, n, want);
        if (m == 1)
            add(c, x, -n, -n, 1 / want);
    }
}

static void signed_powers(struct cases *c, long double m, int n, long double power)
{
    int highest = types[c->type].highest;
    for (int j = -highest; j < highest; j += 7) {
        long double sign = n & 1 ? -1 : 1;
        add(c, -ldexpl(m, j), n, n, sign * ldexpl(power, j * n));
    }
}

// (m^(2^d))^(i / 2^d) = m^i
static void fractions(struct cases *c, long double m, int n, long double power)
{
    for (int d = 2; d <= 16; d *= 2) {
        long double base = (long double)whole_power((uint64_t)m, d, types[c->type].digits);
        for (int j = types[c->type].lowest / d;
             base != 0 && n & 1 && j <= types[c->type].highest / d; j = next_scale(c, j)) {
            add(c, ldexpl(base, j * d), (long double)n / d, 0, ldexpl(power, j * n));
            if (m == 1)
                add(c, ldexpl(base, j * d), (long double)-n / d, 0, ldexpl(power, -j * n));
        }
    }
}

static long double random_number(enum type type)
{
    long double mantissa = 1 + (long double)(random_bits() >> (65 - types[type].digits)) *
                                   ldexpl(1, 1 - types[type].digits);
    int low = types[type].lowest + types[type].digits - 1, range = types[type].highest - low;
    return ldexpl(mantissa, low + (int)(random_bits() % (unsigned)range));
}

// x^1 and x^0
static void first_powers(struct cases *c)
{
    for (int i = 0; i < 100000; i++) {
        long double x = random_number(c->type);
        add(c, x, 1, 1, x);
        if (i < 100)
            add(c, x, 0, 0, 1);
    }
}

static void make_powr(struct cases *c)
{
    each_power(c, scaled_powers);
    each_power(c, fractions);
    first_powers(c);
}

static void make_pow(struct cases *c)
{
    make_powr(c);
    each_power(c, signed_powers);
}

static void make_pown(struct cases *c)
{
    each_power(c, scaled_powers);
    each_power(c, signed_powers);
    first_powers(c);
}

static void scaled_roots(struct cases *c, long double m, int n, long double power)
{
    for (int j = types[c->type].lowest / (n ? n : 1); n && j <= types[c->type].highest;
         j = next_scale(c, j)) {
        long double x = ldexpl(power, j * n), want = ldexpl(m, j);
        add(c, x, 0, n, want);
        if (n & 1)
            add(c, -x, 0, n, -want);
        if (m == 1)
            add(c, x, 0, -n, 1 / want);
    }
}

static void make_rootn(struct cases *c)
{
    each_power(c, scaled_roots);
    for (int i = 0; i < 100000; i++) {
        long double x = random_number(c->type);
        add(c, x, 0, 1, x);
        add(c, -x, 0, 1, -x);
    }
}

static void only_cubes(struct cases *c, long double m, int n, long double power)
{
    for (int j = types[c->type].lowest / 3; n == 3 && j <= types[c->type].highest / 3; j++) {
        add(c, ldexpl(power, 3 * j), 0, 0, ldexpl(m, j));
        add(c, -ldexpl(power, 3 * j), 0, 0, -ldexpl(m, j));
    }
}

static void only_squares(struct cases *c, long double m, int n, long double power)
{
    for (int j = types[c->type].lowest / 2; n == 2 && j <= types[c->type].highest / 2; j++)
        add(c, ldexpl(power, 2 * j), 0, 0, ldexpl(m, j));
}

static void make_cbrt(struct cases *c)
{
    each_power(c, only_cubes);
}

static void make_sqrt(struct cases *c)
{
    each_power(c, only_squares);
}

static void make_rsqrt(struct cases *c)
{
    for (int j = types[c->type].lowest; j < types[c->type].highest; j++)
        add(c, ldexpl(1, 2 * j), 0, 0, ldexpl(1, -j));
}

static void make_exp2(struct cases *c)
{
    for (int n = types[c->type].lowest; n < types[c->type].highest; n++)
        add(c, n, 0, 0, ldexpl(1, n));
}

static void make_log2(struct cases *c)
{
    for (int n = types[c->type].lowest; n < types[c->type].highest; n++)
        add(c, ldexpl(1, n), 0, 0, n);
}

// 5^n has as many digits as 10^n.
static void make_exp10(struct cases *c)
{
    for (int n = 0; whole_power(5, n, types[c->type].digits); n++)
        add(c, n, 0, 0, ldexpl((long double)whole_power(5, n, types[c->type].digits), n));
}

static void make_log10(struct cases *c)
{
    for (int n = 0; whole_power(5, n, types[c->type].digits); n++)
        add(c, ldexpl((long double)whole_power(5, n, types[c->type].digits), n), 0, 0, n);
}

static void add_triple(struct cases *c, long double a, long double b, long double hypotenuse)
{
    int j = (int)(random_bits() % 3) - 1;
    j *= (int)(random_bits() % (unsigned)(types[c->type].highest - types[c->type].digits));
    long double in = ldexpl(1, j);
    add(c, a * in, -b * in, 0, hypotenuse * in);
    add(c, -b * in, a * in, 0, hypotenuse * in);
}

static void make_hypot(struct cases *c)
{
    uint64_t most = UINT64_C(1) << types[c->type].digits;
    unsigned step = c->type == FLOAT ? 7 : 1;
    for (uint64_t p = 2; p * p < most && c->count < 1000000;
         p += c->type == DOUBLE && p > 400 ? 1 + random_bits() % (p / 8) : 1)
        for (uint64_t q = 1; q < p && p * p + q * q <= most;
             q += 1 + (p > 100 ? random_bits() % (c->type == DOUBLE ? p / 64 + 1 : step) : 0)) {
            uint64_t times = 1 + (p % 3 ? 0 : random_bits() % (most / (p * p + q * q)));
            if ((p * p + q * q) * times <= most)
                add_triple(c, (long double)((p * p - q * q) * times),
                           (long double)(2 * p * q * times),
                           (long double)((p * p + q * q) * times));
        }
    for (int i = 0; i < 1000; i++) {
        long double x = random_number(c->type);
        add(c, x, 0, 0, x);
        add(c, 0, -x, 0, x);
    }
}

// Random factors that share the digits, in all proportions
static void make_quotient(struct cases *c)
{
    for (int i = 0; i < 400000; i++) {
        int digits = types[c->type].digits,
            of_y = 1 + (int)(random_bits() % (unsigned)(digits - 1));
        uint64_t a = random_bits() >> (64 - of_y), b = random_bits() >> (64 - digits + of_y);
        int range = types[c->type].highest - types[c->type].lowest;
        int j = types[c->type].lowest + (int)(random_bits() % (unsigned)range),
            k = types[c->type].lowest + (int)(random_bits() % (unsigned)range);
        long double x = ldexpl((long double)(a * b), j), y = ldexpl((long double)a, k),
                    want = ldexpl((long double)b, j - k);
        if (a && b && j - k < types[c->type].highest && j - k > types[c->type].lowest)
            add(c, i & 1 ? x : -x, y, 0, i & 1 ? want : -want);
    }
}

// Constant dividends 1, 0.75, 105, 0.6015625, for which division by y may be compiled differently
static void dividends(struct cases *c, long double x, const int *divisors, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = types[c->type].lowest; j < types[c->type].highest; j++) {
            long double y = ldexpl(divisors[i], j);
            if (fits(c->type, x / y))
                add(c, x, y, 0, x / y);
        }
}

static void make_one_by(struct cases *c)
{
    static const int divisors[] = {1, -1};
    dividends(c, 1, divisors, 2);
}

static void make_part_by(struct cases *c)
{
    static const int divisors[] = {1, 3, -3};
    dividends(c, 0.75, divisors, 3);
}

static void make_long_part_by(struct cases *c)
{
    static const int divisors[] = {1, 7, 11, 77, -77}; // 77 / 128
    dividends(c, 0.6015625, divisors, 5);
}

static void make_number_by(struct cases *c)
{
    static const int divisors[] = {1, 3, 5, 7, 15, 21, 35, -105};
    dividends(c, 105, divisors, 8);
}

static const struct function {
    const char *name, *call;
    void (*make)(struct cases *c);
} functions[] = {
    {"pow", "pow(x, y)", make_pow},
    {"powr", "powr(x, y)", make_powr},
    {"pown", "pown(x, n)", make_pown},
    {"rootn", "rootn(x, n)", make_rootn},
    {"exp2", "exp2(x)", make_exp2},
    {"exp10", "exp10(x)", make_exp10},
    {"log2", "log2(x)", make_log2},
    {"log10", "log10(x)", make_log10},
    {"cbrt", "cbrt(x)", make_cbrt},
    {"hypot", "hypot(x, y)", make_hypot},
    {"sqrt", "sqrt(x)", make_sqrt},
    {"rsqrt", "rsqrt(x)", make_rsqrt},
    {"quotient", "x / y", make_quotient},
    {"one_by", "(REAL)1 / y", make_one_by},
    {"part_by", "(REAL)0.75f / y", make_part_by},
    {"longer_by", "(REAL)0.6015625f / y", make_long_part_by},
    {"number_by", "(REAL)105 / y", make_number_by},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

// ---- on the device
// ----------------------------------------------------------------------------------

static void store(enum type type, void *to, size_t i, double value)
{
    if (type == HALF)
        ((uint16_t *)to)[i] = half_from_double(value);
    else if (type == FLOAT)
        ((float *)to)[i] = (float)value;
    else
        ((double *)to)[i] = value;
}

static double load(enum type type, const void *from, size_t i)
{
    if (type == HALF)
        return half_to_double(((const uint16_t *)from)[i]);
    return type == FLOAT ? (double)((const float *)from)[i] : ((const double *)from)[i];
}

static cl_mem new_buffer(size_t bytes, const void *data)
{
    return clCreateBuffer(context, data ? CL_MEM_COPY_HOST_PTR : 0, bytes, (void *)(uintptr_t)data,
                          NULL);
}

static cl_program build(const struct function *f, enum type type)
{
    char source[1024], log[2048] = "";
    const char *text = source;
    cl_int error;
    snprintf(
        source, sizeof source,
        "%s%s%s#define REAL %s\n"
        "kernel void f(global const REAL *xs, global const REAL *ys, global const int *ns, global "
        "REAL *r)\n"
        "{ size_t i = get_global_id(0); REAL x = xs[i], y = ys[i]; int n = ns[i]; r[i] = %s; }\n",
        *types[type].extension ? "#pragma OPENCL EXTENSION " : "", types[type].extension,
        *types[type].extension ? " : enable\n" : "", types[type].name, f->call);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    if (!error && !clBuildProgram(program, 1, &device, build_options, NULL, NULL))
        return program;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    printf("%-10s %-6s does not build: %s\n", f->name, types[type].name, log);
    clReleaseProgram(program);
    return NULL;
}

static bool launch(cl_program program, const cl_mem *buffers, size_t count, void *results,
                   size_t bytes)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, "f", &error);
    for (cl_uint i = 0; i < 4 && !error; i++)
        error = clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]);
    if (!error)
        error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL);
    if (!error)
        error = clEnqueueReadBuffer(queue, buffers[3], CL_TRUE, 0, bytes, results, 0, NULL, NULL);
    clReleaseKernel(kernel);
    return !error;
}

static void *compute(const struct function *f, const struct cases *c)
{
    size_t bytes = c->count * types[c->type].bytes;
    void *xs = malloc(bytes), *ys = malloc(bytes), *results = malloc(bytes);
    int *ns = malloc(c->count * sizeof *ns);
    for (size_t i = 0; i < c->count; i++) {
        store(c->type, xs, i, (double)c->items[i].x);
        store(c->type, ys, i, (double)c->items[i].y);
        ns[i] = c->items[i].n;
    }
    cl_program program = build(f, c->type);
    cl_mem buffers[] = {new_buffer(bytes, xs), new_buffer(bytes, ys),
                        new_buffer(c->count * sizeof *ns, ns), new_buffer(bytes, NULL)};
    bool ran = program && launch(program, buffers, c->count, results, bytes);
    for (int i = 0; i < 4; i++)
        clReleaseMemObject(buffers[i]);
    if (program)
        clReleaseProgram(program);
    free(xs), free(ys), free(ns);
    if (ran)
        return results;
    free(results);
    return NULL;
}

// In ULP
static double error_of(enum type type, double got, double want)
{
    int exponent;
    frexp(want, &exponent);
    int unit = exponent - types[type].digits;
    unit = unit < types[type].lowest ? types[type].lowest : unit;
    return isfinite(got) ? ldexp(fabs(got - want), -unit) : INFINITY;
}

static void print_examples(const struct cases *c, const void *results)
{
    int shown = 0;
    for (size_t i = 0; i < c->count && shown < 3; i++) {
        const struct item *item = &c->items[i];
        double got = load(c->type, results, i);
        if (got == item->want)
            continue;
        printf("%s x %a y %a n %d: %a for %a", shown++ ? ";" : ",", (double)item->x,
               (double)item->y, item->n, got, (double)item->want);
    }
}

static void measure(const struct function *f, enum type type)
{
    struct cases c = {.type = type};
    f->make(&c);
    void *results = c.count ? compute(f, &c) : NULL;
    size_t wrong = 0;
    double worst = 0;
    for (size_t i = 0; results && i < c.count; i++) {
        double got = load(type, results, i), want = (double)c.items[i].want;
        bool right = got == want && !signbit(got) == !signbit(want);
        wrong += !right;
        worst = right ? worst : fmax(worst, error_of(type, got, want));
    }
    if (results) {
        printf("%-10s %-6s %8zu cases, %6zu not exact, worst %.3g ULP", f->name, types[type].name,
               c.count, wrong, worst);
        print_examples(&c, results);
        printf("\n");
    } else {
        printf("%-10s %-6s does not run\n", f->name, types[type].name);
    }
    failures += !results || wrong;
    free(results);
    free(c.items);
}

// ---- main
// -------------------------------------------------------------------------------------------

static bool open_device(void)
{
    static const cl_device_info configs[] = {CL_DEVICE_HALF_FP_CONFIG, CL_DEVICE_SINGLE_FP_CONFIG,
                                             CL_DEVICE_DOUBLE_FP_CONFIG};
    cl_platform_id platform;
    cl_int error;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return false;
    for (int type = 0; type < TYPE_COUNT; type++) {
        cl_device_fp_config config = 0;
        clGetDeviceInfo(device, configs[type], sizeof config, &config, NULL);
        keeps_denormals[type] = config & CL_FP_DENORM;
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    queue = error ? NULL : clCreateCommandQueue(context, device, 0, &error);
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
    bool chosen = count == 0;
    for (int i = 0; i < count; i++)
        chosen |= !strcmp(names[i], name);
    return chosen;
}

int main(int argc, char **argv)
{
    const char *only = "";
    int first_name = 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (; first_name < argc && argv[first_name][0] == '-'; first_name++) {
        if (!strncmp(argv[first_name], "--type=", 7))
            only = argv[first_name] + 7;
        else if (!strncmp(argv[first_name], "--options=", 10))
            build_options = argv[first_name] + 10;
    }
    if (!open_device())
        return 77;
    for (int i = 0; i < FUNCTION_COUNT; i++)
        for (int type = 0; type < TYPE_COUNT; type++)
            if (has_type(type) &&
                is_chosen(functions[i].name, argv + first_name, argc - first_name) &&
                (!*only || !strcmp(only, types[type].name)))
                measure(&functions[i], type);
    return failures || leaks_count(true);
}
