// SPDX-License-Identifier: Apache-2.0
// Measures one call of the math functions on the first device of every OpenCL platform and compares
// the platforms:
//
//   OCL_ICD_VENDORS=FOLDER bench_math [--before=FILE] [EXPRESSION[@LOW:HIGH]...]
//
// FOLDER has an .icd file for each platform; the others are compared with Pumice. EXPRESSION is an
// expression of x and y, such as `pow(x, y)` or `1 / x`; the contents of FILE are inserted before
// the kernel. Every work-item adds up the function's values at 64 points of the range, so that
// memory accesses do not matter; the time of a loop with `x` itself on the fastest platform is
// subtracted, so that a slow loop is no advantage. Times are the kernels' own (profiling events),
// best of several runs.
#include "bench.h"
#include "bench_cl.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLATFORMS_MAX = 4, RUNS = 8, CALLS = 64 };

struct row {
    const char *expression, *type;
    double low, high;
};

static const struct row rows[] = {
    {"sin(x)", "float", -10, 10},      {"cos(x)", "float", -10, 10},
    {"tan(x)", "float", -10, 10},      {"exp(x)", "float", -80, 80},
    {"exp2(x)", "float", -120, 120},   {"log(x)", "float", 0.01, 100},
    {"log2(x)", "float", 0.01, 100},   {"pow(x, y)", "float", 0.1, 10},
    {"sqrt(x)", "float", 0.01, 100},   {"rsqrt(x)", "float", 0.01, 100},
    {"atan2(x, y)", "float", -10, 10}, {"erf(x)", "float", -3, 3},
    {"tgamma(x)", "float", 0.5, 10},   {"x / y", "float", 1, 10},
    {"asin(x)", "float", -1, 1},       {"acos(x)", "float", -1, 1},
    {"atan(x)", "float", -10, 10},     {"sinh(x)", "float", -10, 10},
    {"cosh(x)", "float", -10, 10},     {"tanh(x)", "float", -4, 4},
    {"cbrt(x)", "float", -100, 100},   {"hypot(x, y)", "float", -10, 10},
    {"fmod(x, y)", "float", 1, 100},   {"exp10(x)", "float", -30, 30},
    {"expm1(x)", "float", -5, 5},      {"log10(x)", "float", 0.01, 100},
    {"log1p(x)", "float", -0.9, 10},   {"erfc(x)", "float", -3, 9},
    {"lgamma(x)", "float", 0.5, 20},   {"sinpi(x)", "float", -10, 10},
    {"ldexp(x, 3)", "float", -10, 10}, {"rootn(x, 3)", "float", 0.1, 10},
    {"pown(x, 7)", "float", 0.1, 10},  {"exp(x)", "double", -80, 80},
    {"log(x)", "double", 0.01, 100},   {"sin(x)", "double", -10, 10},
    {"cos(x)", "double", -10, 10},     {"pow(x, y)", "double", 0.1, 10},
    {"sqrt(x)", "double", 0.01, 100},  {"atan2(x, y)", "double", -10, 10},
    {"x / y", "double", 1, 10},        {"sin(x)", "half", -10, 10},
    {"exp(x)", "half", -8, 8},         {"log(x)", "half", 0.01, 100},
    {"sqrt(x)", "half", 0.01, 100},
};

struct platform {
    struct bench_cl cl;
    cl_mem out;
    size_t items;
    char name[128], extensions[8192];
};

static struct platform platforms[PLATFORMS_MAX];
static unsigned platform_count;
static char *before;

static bool open_platform(struct platform *p, cl_platform_id id)
{
    cl_int error;
    if (!bench_cl_open(&p->cl, id, CL_QUEUE_PROFILING_ENABLE))
        return false;
    clGetPlatformInfo(id, CL_PLATFORM_NAME, sizeof p->name, p->name, NULL);
    clGetDeviceInfo(p->cl.device, CL_DEVICE_EXTENSIONS, sizeof p->extensions, p->extensions, NULL);
    p->items = p->cl.is_cpu ? 1 << 13 : 1 << 21;
    p->out = clCreateBuffer(p->cl.context, CL_MEM_WRITE_ONLY, p->items * 8, NULL, &error);
    return !error;
}

static void open_platforms(void)
{
    cl_platform_id ids[PLATFORMS_MAX];
    cl_uint count = 0;
    clGetPlatformIDs(PLATFORMS_MAX, ids, &count);
    for (cl_uint i = 0; i < count && i < PLATFORMS_MAX; i++)
        platform_count += open_platform(&platforms[platform_count], ids[i]);
    for (unsigned i = 1; i < platform_count; i++) {
        struct platform other = platforms[0];
        if (strncmp(platforms[i].name, "Pumice", 6))
            continue;
        platforms[0] = platforms[i];
        platforms[i] = other;
    }
}

static bool has_type(const struct platform *p, const char *type)
{
    const char *extension = !strcmp(type, "double") ? "cl_khr_fp64"
                            : !strcmp(type, "half") ? "cl_khr_fp16"
                                                    : "";
    return strstr(p->extensions, extension) != NULL;
}

static cl_program build(struct platform *p, const struct row *row)
{
    static const char text[] =
        "%s\n"
        "#if defined cl_khr_fp16 && FP16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n"
        "kernel void f(global %s *out, float low, float step)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    float xs = low + step * (float)(i & 0xffff), ys = low + step * (float)(i & 0xfff) * "
        "16;\n"
        "    %s sum = 0;\n"
        "    for (int k = 0; k < %d; k++) {\n"
        "        %s x = xs, y = ys;\n"
        "        sum += %s;\n"
        "        xs += step * 1e-3f;\n"
        "        ys += step * 1e-3f;\n"
        "    }\n"
        "    out[i] = sum;\n"
        "}\n";
    size_t size = sizeof text + strlen(before) + strlen(row->expression) + 64;
    char *source = malloc(size), log[4096] = "";
    const char *argument = source;
    cl_int error;
    snprintf(source, size, text, before, row->type, row->type, CALLS, row->type, row->expression);
    cl_program program = clCreateProgramWithSource(p->cl.context, 1, &argument, NULL, &error);
    error = clBuildProgram(program, 1, &p->cl.device, !strcmp(row->type, "half") ? "-DFP16" : "",
                           NULL, NULL);
    free(source);
    if (!error)
        return program;
    clGetProgramBuildInfo(program, p->cl.device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s, %s: %s\n", p->name, row->expression, log);
    clReleaseProgram(program);
    return NULL;
}

static double run_once(struct platform *p, cl_kernel kernel)
{
    cl_event event;
    if (clEnqueueNDRangeKernel(p->cl.queue, kernel, 1, NULL, &p->items, NULL, 0, NULL, &event))
        return NAN;
    return bench_seconds(event) * 1e9;
}

// Nanoseconds for the whole range; NAN: not measured.
static double time_row(struct platform *p, const struct row *row)
{
    cl_int error;
    cl_program program = has_type(p, row->type) ? build(p, row) : NULL;
    if (!program)
        return NAN;
    cl_kernel kernel = clCreateKernel(program, "f", &error);
    cl_float low = (cl_float)row->low, step = (cl_float)((row->high - row->low) / 0x1p16);
    double best = INFINITY;
    error |= clSetKernelArg(kernel, 0, sizeof p->out, &p->out);
    error |= clSetKernelArg(kernel, 1, sizeof low, &low);
    error |= clSetKernelArg(kernel, 2, sizeof step, &step);
    for (int i = 0; i < RUNS && !error; i++)
        best = fmin(best, run_once(p, kernel));
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return error ? NAN : best;
}

// Nanoseconds for one iteration of the loop.
static double time_round(struct platform *p, const struct row *row)
{
    return time_row(p, row) / ((double)p->items * CALLS);
}

static double time_empty(const struct row *row)
{
    struct row nothing = *row;
    double least = INFINITY;
    nothing.expression = "x";
    for (unsigned i = 0; i < platform_count; i++)
        least = fmin(least, time_round(&platforms[i], &nothing));
    return least;
}

// Returns the first platform's time relative to the best of the others.
static double print_row(const struct row *row)
{
    double first = 0, others = INFINITY, empty = time_empty(row);
    printf("%-24s %-7s", row->expression, row->type);
    for (unsigned i = 0; i < platform_count; i++) {
        double ns = time_round(&platforms[i], row) - empty;
        printf(" %10.3f", ns * 1e3);
        if (i == 0)
            first = ns;
        else
            others = fmin(others, ns);
    }
    if (platform_count > 1)
        printf(" %8.2f", others / first);
    printf("\n");
    return others / first;
}

// EXPRESSION[@LOW:HIGH], with floats
static struct row row_of(char *argument)
{
    struct row row = {argument, "float", 0.5, 2};
    char *range = strchr(argument, '@');
    if (range) {
        *range = 0;
        sscanf(range + 1, "%lf:%lf", &row.low, &row.high);
    }
    return row;
}

static char *read_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !fread(text, 1, (1 << 20) - 1, file))
        fprintf(stderr, "cannot read %s\n", name);
    if (file)
        fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    double logs = 0;
    unsigned counted = 0;
    int first = 1;
    before = calloc(1, 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (; first < argc && !strncmp(argv[first], "--before=", 9); first++) {
        free(before);
        before = read_file(argv[first] + 9);
    }
    open_platforms();
    if (!platform_count)
        return 77;
    printf("%-32s", "picoseconds a call");
    for (unsigned i = 0; i < platform_count; i++)
        printf(" %10.10s", platforms[i].name);
    printf("\n");
    for (int i = first; i < argc; i++) {
        struct row row = row_of(argv[i]);
        print_row(&row);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows && first == argc; i++) {
        double ratio = print_row(&rows[i]);
        if (ratio > 0 && isfinite(ratio))
            logs += log(ratio), counted++;
    }
    if (counted)
        printf("geometric mean of %u ratios: %.2f\n", counted, exp(logs / counted));
    free(before);
    return 0;
}
