// SPDX-License-Identifier: Apache-2.0
// Chains of one operation, 64 Mi items (64 Ki on a CPU). Functions: one call in a loop of 32
// iterations, whose number is a kernel argument; x grows by an eighth in each and the values are
// added. Arithmetic: x = x c + d, y = y c + x in scalars and vectors with different lanes. The
// expected results of a sample of items are computed by the host in double precision (the
// arithmetic converges, so that rounding errors do not grow), or in the type itself for integers.
#include "rows.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 200, FUNCTION_ROUNDS = 32, CHAIN_ROUNDS = 64, UNROLLED = 8 };

// ---- kernels ------------------------------------------------------------------------------------

static bool has_type(const struct platform *p, const char *type)
{
    const char *extension = !strncmp(type, "double", 6) ? "cl_khr_fp64" : !strncmp(type, "half", 4) ? "cl_khr_fp16" : "";
    return strstr(p->extensions, extension) != NULL;
}

static cl_kernel build(const struct platform *p, const char *text)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(p->cl.context, 1, &text, NULL, &status);
    cl_kernel kernel = NULL;
    if (!status && clBuildProgram(program, 1, &p->cl.device, "", NULL, NULL))
        fprintf(stderr, "%s does not build:\n%s\n", p->name, text);
    else if (!status)
        kernel = clCreateKernel(program, "chain", &status);
    clReleaseProgram(program);
    return kernel;
}

// Kernels have the arguments (out, first, second, rounds); each uses the two floats in its own way.
static bool run(struct bench_rows *bench, const struct platform *p, const char *text, float first, float second,
                int rounds, size_t items, size_t width, struct cell *cell)
{
    cl_kernel kernel = build(p, text);
    if (!kernel)
        return false;
    clSetKernelArg(kernel, 0, sizeof p->out, &p->out);
    clSetKernelArg(kernel, 1, sizeof first, &first);
    clSetKernelArg(kernel, 2, sizeof second, &second);
    clSetKernelArg(kernel, 3, sizeof rounds, &rounds);
    const size_t local = 256;
    bool done = rows_time(p, kernel, 1, &items, &local, cell) && rows_read(bench, p, items * width);
    clReleaseKernel(kernel);
    return done;
}

enum kind { FLOAT, DOUBLE, HALF, CHAR, SHORT, INT };
static const struct {
    const char *name;
    size_t width;
    double tolerance; // relative to the largest value
} kinds[] = {{"float", 4, 2e-4}, {"double", 8, 1e-9}, {"half", 2, 3e-2}, {"char", 1, 0}, {"short", 2, 0}, {"int", 4, 0}};

static double element(const void *data, enum kind kind, size_t i)
{
    switch (kind) {
    case FLOAT: return (double)((const float *)data)[i];
    case DOUBLE: return ((const double *)data)[i];
    case HALF: return half_value(((const unsigned short *)data)[i]);
    case CHAR: return ((const signed char *)data)[i];
    case SHORT: return ((const short *)data)[i];
    default: return ((const int *)data)[i];
    }
}

// `expected` computes item i; numbers repeat after 2^16 items.
static enum verdict check(const struct bench_rows *bench, enum kind kind, size_t items, double (*expected)(size_t, const void *),
                          const void *what)
{
    double largest = 0, difference = 0;
    for (size_t i = 0, at = 0; i < SAMPLES; i++, at = (at + (items / SAMPLES | 1)) % items) {
        double right = expected(at & 0xffff, what), got = element(bench->result, kind, at);
        largest = fmax(largest, fabs(right));
        difference = got == got && right == right ? fmax(difference, fabs(right - got)) : INFINITY;
        if (difference == INFINITY)
            return FAIL;
    }
    return difference <= kinds[kind].tolerance * largest ? PASS : FAIL;
}

static size_t item_count(const struct bench_rows *bench, size_t width)
{
    size_t most = bench->bytes / width, items = (size_t)1 << (bench->small ? 16 : 26);
    return items < most ? items : most;
}

// ---- functions ----------------------------------------------------------------------------------

// name of the row, type, first x, range of x over the items, expression of the kernel, of the host
#define FUNCTIONS(F)                                                                        \
    F(sin, FLOAT, 0, 4, "sin(x)", sin(x))                                                   \
    F(cos, FLOAT, 0, 4, "cos(x)", cos(x))                                                   \
    F(tan, FLOAT, -1, .5, "tan(x * 0.4f)", tan(x * .4))                                     \
    F(asin, FLOAT, -2, 0, "asin(x * 0.45f)", asin(x * .45))                                 \
    F(acos, FLOAT, -2, 0, "acos(x * 0.45f)", acos(x * .45))                                 \
    F(atan, FLOAT, -2, 4, "atan(x)", atan(x))                                               \
    F(atan2, FLOAT, .125, 4, "atan2(x, 1.7f)", atan2(x, 1.7))                               \
    F(sinh, FLOAT, -2, 4, "sinh(x)", sinh(x))                                               \
    F(cosh, FLOAT, -2, 4, "cosh(x)", cosh(x))                                               \
    F(tanh, FLOAT, -1, 2, "tanh(x)", tanh(x))                                               \
    F(exp, FLOAT, -2, 4, "exp(x)", exp(x))                                                  \
    F(exp2, FLOAT, -2, 4, "exp2(x)", exp2(x))                                               \
    F(exp10, FLOAT, -2, 1, "exp10(x)", pow(10, x))                                          \
    F(expm1, FLOAT, -1, 2, "expm1(x)", expm1(x))                                            \
    F(log, FLOAT, .125, 4, "log(x)", log(x))                                                \
    F(log2, FLOAT, .125, 4, "log2(x)", log2(x))                                             \
    F(log10, FLOAT, .125, 4, "log10(x)", log10(x))                                          \
    F(log1p, FLOAT, .125, 4, "log1p(x)", log1p(x))                                          \
    F(pow, FLOAT, .125, 4, "pow(x, 1.7f)", pow(x, 1.7))                                     \
    F(pown, FLOAT, .125, 2, "pown(x, 7)", pow(x, 7))                                        \
    F(rootn, FLOAT, .125, 4, "rootn(x, 3)", cbrt(x))                                        \
    F(sqrt, FLOAT, .125, 4, "sqrt(x)", sqrt(x))                                             \
    F(rsqrt, FLOAT, .125, 4, "rsqrt(x)", 1 / sqrt(x))                                       \
    F(cbrt, FLOAT, .125, 4, "cbrt(x)", cbrt(x))                                             \
    F(hypot, FLOAT, .125, 4, "hypot(x, 1.5f)", hypot(x, 1.5))                               \
    F(divide, FLOAT, .125, 4, "1.5f / x", 1.5 / x)                                          \
    F(fmod, FLOAT, .15625, 0, "fmod(x, 1.7f)", fmod(x, 1.7))                                \
    F(erf, FLOAT, -2, 2, "erf(x)", erf(x))                                                  \
    F(erfc, FLOAT, -2, 2, "erfc(x)", erfc(x))                                               \
    F(tgamma, FLOAT, .5, 2, "tgamma(x)", tgamma(x))                                         \
    F(lgamma, FLOAT, .5, 4, "lgamma(x)", lgamma(x))                                         \
    F(sinpi, FLOAT, -1, 2, "sinpi(x * 0.25f)", sin(.785398163397448 * x))                   \
    F(ldexp, FLOAT, -1, 4, "ldexp(x, 3)", x * 8)                                            \
    F(fma, FLOAT, -1, 4, "fma(x, 1.5f, x)", x * 2.5)                                        \
    F(mad, FLOAT, -1, 4, "mad(x, 1.5f, x)", x * 2.5)                                        \
    F(native_sin, FLOAT, 0, 2, "native_sin(x)", sin(x))                                     \
    F(native_exp2, FLOAT, -2, 2, "native_exp2(x)", exp2(x))                                 \
    F(native_log2, FLOAT, .6, 4, "native_log2(x)", log2(x))                                 \
    F(sin_double, DOUBLE, 0, 4, "sin(x)", sin(x))                                           \
    F(asin_double, DOUBLE, -2, 0, "asin(x * 0.45)", asin(x * .45))                          \
    F(sinh_double, DOUBLE, -2, 4, "sinh(x)", sinh(x))                                       \
    F(exp_double, DOUBLE, -2, 4, "exp(x)", exp(x))                                          \
    F(log_double, DOUBLE, .125, 4, "log(x)", log(x))                                        \
    F(pow_double, DOUBLE, .125, 4, "pow(x, 1.7)", pow(x, 1.7))                              \
    F(sqrt_double, DOUBLE, .125, 4, "sqrt(x)", sqrt(x))                                     \
    F(rsqrt_double, DOUBLE, .125, 4, "rsqrt(x)", 1 / sqrt(x))                               \
    F(cbrt_double, DOUBLE, .125, 4, "cbrt(x)", cbrt(x))                                     \
    F(erf_double, DOUBLE, -2, 2, "erf(x)", erf(x))                                          \
    F(divide_double, DOUBLE, .125, 4, "1.5 / x", 1.5 / x)                                   \
    F(sin_half, HALF, 0, 4, "sin(x)", sin(x))                                               \
    F(exp_half, HALF, -2, 1, "exp(x)", exp(x))                                              \
    F(log_half, HALF, .125, 4, "log(x)", log(x))                                            \
    F(sqrt_half, HALF, .125, 4, "sqrt(x)", sqrt(x))

#define HOST(name, kind, first, range, text, value) \
    static double host_##name(double x) { return value; }
FUNCTIONS(HOST)

static const struct function {
    const char *name;
    enum kind kind;
    double first, range;
    const char *text;
    double (*host)(double);
} functions[] = {
#define ROW(name, kind, first, range, text, value) {#name, kind, first, range, text, host_##name},
    FUNCTIONS(ROW)
};

static double function_sum(size_t item, const void *what)
{
    const struct function *f = what;
    double x = f->first + f->range / 65536 * (double)item, sum = 0;
    for (int i = 0; i < FUNCTION_ROUNDS; i++, x += 0.125)
        sum += f->host(x);
    return sum;
}

static void run_function(struct bench_rows *bench, const struct platform *p, const struct function *f, struct cell *cell)
{
    static const char frame[] = "%s\n"
                                "kernel void chain(global %s *out, float first, float step, int rounds)\n"
                                "{\n"
                                "    size_t i = get_global_id(0);\n"
                                "    %s x = (%s)(first + step * (float)(i & 0xffff)), sum = 0;\n"
                                "    for (int k = 0; k < rounds; k++) {\n"
                                "        sum += %s;\n"
                                "        x += (%s)0.125f;\n"
                                "    }\n"
                                "    out[i] = sum;\n"
                                "}\n";
    const char *type = kinds[f->kind].name;
    const size_t width = kinds[f->kind].width, items = item_count(bench, width);
    char text[1024];
    snprintf(text, sizeof text, frame, f->kind == HALF ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable" : "", type, type, type,
             f->text, type);
    if (run(bench, p, text, (float)f->first, (float)(f->range / 65536), FUNCTION_ROUNDS, items, width, cell))
        cell->verdict = check(bench, f->kind, items, function_sum, f);
}

// ---- arithmetic ---------------------------------------------------------------------------------

static const struct chain {
    enum kind kind;
    int lanes;
} chains[] = {
    {CHAR, 1}, {CHAR, 4}, {CHAR, 16}, {SHORT, 1}, {SHORT, 4}, {SHORT, 16}, {INT, 1},    {INT, 4},
    {HALF, 1}, {HALF, 2}, {HALF, 4},  {HALF, 8},  {HALF, 16}, {FLOAT, 1},  {FLOAT, 4}, {DOUBLE, 1},
};

static bool is_integer(enum kind kind) { return kind >= CHAR; }
static double factor_of(enum kind kind) { return is_integer(kind) ? 5 : 0.5; }
static double addend_of(enum kind kind) { return is_integer(kind) ? 3 : 0.25; }

static double wrap(int64_t value, enum kind kind)
{
    return kind == CHAR ? (double)(int8_t)value : kind == SHORT ? (double)(int16_t)value : (double)(int32_t)value;
}

static double integer_chain(uint32_t start)
{
    uint32_t x = start, y = start;
    for (int i = 0; i < CHAIN_ROUNDS * UNROLLED; i++) {
        x = x * 5 + 3;
        y = y * 5 + x;
    }
    return (double)(x + y);
}

static double chain_sum(size_t item, const void *what)
{
    const struct chain *chain = what;
    double sum = 0;
    for (int lane = 0; lane < chain->lanes; lane++)
        sum += is_integer(chain->kind) ? integer_chain((uint32_t)(item & 7) + (uint32_t)lane) : 0.5 + 1.0;
    return is_integer(chain->kind) ? wrap((int64_t)sum, chain->kind) : sum;
}

static void chain_text(const struct chain *chain, char *out, size_t size)
{
    const char *type = kinds[chain->kind].name;
    char wide[16], starts[64] = "0", sum[256] = "";
    snprintf(wide, sizeof wide, chain->lanes > 1 ? "%s%d" : "%s", type, chain->lanes);
    for (int lane = 1; lane < chain->lanes; lane++)
        snprintf(starts + strlen(starts), sizeof starts - strlen(starts), ", %d", lane);
    for (int lane = 0; lane < chain->lanes; lane++)
        snprintf(sum + strlen(sum), sizeof sum - strlen(sum), chain->lanes > 1 ? "%sz.s%x" : "%sz", lane ? " + " : "", lane);
    int at = snprintf(out, size, "%s\nkernel void chain(global %s *out, float first, float second, int rounds)\n{\n"
                                 "    size_t i = get_global_id(0);\n    %s c = (%s)(%s)first, d = (%s)(%s)second;\n"
                                 "    %s x = (%s)(%s)(i & 7) + (%s)(%s), y = x;\n    for (int k = 0; k < rounds; k++) {\n",
                      chain->kind == HALF ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable" : "", type, wide, wide, type,
                      wide, type, wide, wide, type, wide, starts);
    for (int i = 0; i < UNROLLED; i++)
        at += snprintf(out + at, size - (size_t)at, "        x = x * c + d; y = y * c + x;\n");
    snprintf(out + at, size - (size_t)at, "    }\n    %s z = x + y;\n    out[i] = %s;\n}\n", wide, sum);
}

static void run_chain(struct bench_rows *bench, const struct platform *p, const struct chain *chain, struct cell *cell)
{
    char text[4096];
    const size_t width = kinds[chain->kind].width, items = item_count(bench, width) / 4;
    chain_text(chain, text, sizeof text);
    if (run(bench, p, text, (float)factor_of(chain->kind), (float)addend_of(chain->kind), CHAIN_ROUNDS, items, width, cell))
        cell->verdict = check(bench, chain->kind, items, chain_sum, chain);
}

// ---- rows ---------------------------------------------------------------------------------------

void chains_run(struct bench_rows *bench)
{
    for (size_t k = 0; k < sizeof chains / sizeof *chains; k++) {
        char name[48];
        snprintf(name, sizeof name, chains[k].lanes > 1 ? "mad %s%d" : "mad %s", kinds[chains[k].kind].name, chains[k].lanes);
        struct row *row = rows_begin(bench, "chains", name);
        for (unsigned i = 0; row && i < bench->count; i++)
            if (has_type(&bench->platforms[i], kinds[chains[k].kind].name))
                run_chain(bench, &bench->platforms[i], &chains[k], &row->cells[i]);
        if (row)
            rows_end(bench);
    }
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        struct row *row = rows_begin(bench, "chains", functions[k].name);
        for (unsigned i = 0; row && i < bench->count; i++)
            if (has_type(&bench->platforms[i], kinds[functions[k].kind].name))
                run_function(bench, &bench->platforms[i], &functions[k], &row->cells[i]);
        if (row)
            rows_end(bench);
    }
}
