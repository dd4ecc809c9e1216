// SPDX-License-Identifier: Apache-2.0
// Options of clBuildProgram, clCompileProgram and clLinkProgram (OpenCL 5.8.6, 5.8.7), tested by
// their effects: the value of an expression, warnings, launches; and which function refuses which
// option, with its name in the log.
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/pumice options XXXXXX";

static void log_of(cl_program program, char *log, size_t size)
{
    *log = 0;
    CHECK_OK(clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_LOG, size, log, NULL));
}

static cl_program new_program(const char *source)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(test_context, 1, &source, NULL, &error);
    CHECK_OK(error);
    return program;
}

static bool device_has(const char *word)
{
    static char text[8192];
    clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL);
    return strstr(text, word) != NULL;
}

// ---- values ------------------------------------------------------------------------------------------

static cl_int run(cl_program program, const float floats[4])
{
    cl_kernel kernel = test_kernel(program, "k");
    cl_int value = -12345;
    cl_mem out = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof value, &value);
    cl_mem in = test_buffer(CL_MEM_COPY_HOST_PTR, 4 * sizeof *floats, (void *)(uintptr_t)floats);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof in, &in));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, (size_t[]){1}, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(in));
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseKernel(kernel));
    return value;
}

// Evaluates `expression` in a kernel; f: four floats that are not known at compile time.
static cl_int value_of(const char *options, const char *expression, const float floats[4])
{
    char source[1024];
    snprintf(source, sizeof source,
             "#ifdef HEADER\n#include HEADER\n#endif\n"
             "#ifndef __FAST_RELAXED_MATH__\n#define __FAST_RELAXED_MATH__ 0\n#endif\n"
             "kernel void k(global int *out, global const float *f) { *out = (int)(%s); }\n",
             expression);
    cl_program program = test_build(source, options);
    cl_int value = run(program, floats);
    CHECK_OK(clReleaseProgram(program));
    return value;
}

static const float thirds[4] = {1, 3, 0x1p-140f, -0.0f};

static void check_values(void)
{
    static const struct {
        const char *options, *expression;
        cl_int value;
    } cases[] = {
        {NULL, "1", 1},
        {" \t ", "1", 1},
        {"-D A", "A", 1},
        {"-DA", "A", 1},
        {"-D A=5", "A", 5},
        {"-DA=5 -D A=6", "A", 6},
        {"-D A=5 -U A -DA=7", "A", 7},
        {"-D \"A=2 + 3\"", "A * 2", 8},
        {"-D A=\"2 + 3\"", "A * 2", 8},
        {"'-DA=2 + 3'", "A * 2", 8},
        {"-DA=2\\ +\\ 3", "A * 2", 8},
        {"-D F(x)=((x)*2)", "F(4)", 8},
        {"-D \"F(x, y)=((x) * (y))\"", "F(4, 5)", 20},
        {"-D TEXT=\\\"text\\\"", "sizeof TEXT", 5},
        {"-D A= -D B=3", "A B", 3},
        {"-cl-std=CL1.0", "__OPENCL_C_VERSION__", 100},
        {"-cl-std=CL1.1", "__OPENCL_C_VERSION__", 110},
        {"", "__OPENCL_C_VERSION__", 120},
        {"-cl-std=CL1.2", "__OPENCL_C_VERSION__", 120},
        {"-cl-std=CL2.0", "__OPENCL_C_VERSION__", 200},
        {"-cl-std=CL3.0", "__OPENCL_C_VERSION__", 300},
        {"-cl-single-precision-constant", "sizeof(1.0)", 4},
        {"-cl-single-precision-constant", "0.1 == 0.1f", 1},
        {"", "__FAST_RELAXED_MATH__", 0},
        {"-cl-finite-math-only -cl-unsafe-math-optimizations", "__FAST_RELAXED_MATH__", 0},
        {"-cl-fast-relaxed-math", "__FAST_RELAXED_MATH__", 1},
        {"-cl-opt-disable", "f[0] + f[1]", 4},
        {"-cl-strict-aliasing", "f[0] + f[1]", 4},
        {"-cl-uniform-work-group-size", "f[0] + f[1]", 4},
        {"-cl-no-subgroup-ifp", "f[0] + f[1]", 4},
        {"-cl-kernel-arg-info -g -w", "f[0] + f[1]", 4},
        {"-cl-no-signed-zeros -cl-finite-math-only", "f[0] + f[1]", 4},
        {"-cl-no-signed-zeroes", "f[0] + f[1]", 4},
        {"-cl-unsafe-math-optimizations -cl-mad-enable", "f[0] * f[1] + f[1]", 6},
        {"-cl-fast-relaxed-math -cl-denorms-are-zero", "f[0] * f[1] + f[1]", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cl_int value = value_of(cases[i].options, cases[i].expression, thirds);
        if (!CHECK_EQ(value, cases[i].value))
            printf("  of '%s' under '%s'\n", cases[i].expression, cases[i].options);
    }
    if (device_has("cl_khr_fp64"))
        CHECK_EQ(value_of("", "sizeof(1.0)", thirds), 8);
}

static cl_device_fp_config float_config(void)
{
    cl_device_fp_config config = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL));
    return config;
}

// If the device does not support it, the build fails.
static void check_correct_rounding(void)
{
    static const char option[] = "-cl-fp32-correctly-rounded-divide-sqrt";
    if (float_config() & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) {
        CHECK_EQ(value_of(option, "as_int(f[0] / f[1])", thirds), 0x3eaaaaab);
        CHECK_EQ(value_of(option, "as_int(sqrt(f[1]))", thirds), 0x3fddb3d7);
        return;
    }
    cl_program program = new_program("kernel void k(global float *p) { *p = 1; }");
    CHECK_EQ(clBuildProgram(program, 0, NULL, option, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    CHECK_OK(clReleaseProgram(program));
}

// Options that allow several results, of which only one is allowed without them.
static void check_liberties(void)
{
    // (1 + 2^-12)^2 - (1 + 2^-11) is exactly 2^-24, or 0 if the product is rounded first.
    static const float squares[4] = {1 + 0x1p-12f, -1 - 0x1p-11f, 0, 0};
    static const char *const contracted = "as_int(f[0] * f[0] + f[1])";
    cl_int strict = value_of("-cl-opt-disable", contracted, squares);
    CHECK(strict == 0 || strict == 0x33800000);
    cl_int mad = value_of("-cl-mad-enable", contracted, squares);
    CHECK(mad == 0 || mad == 0x33800000);
    // Denormals are preserved, or flushed if that is allowed.
    cl_device_fp_config config = float_config();
    cl_int kept = value_of("", "as_int(f[2] * 2.0f)", thirds);
    CHECK(kept == 0x400 || (kept == 0 && !(config & CL_FP_DENORM)));
    cl_int flushed = value_of("-cl-denorms-are-zero", "as_int(f[2] * 2.0f)", thirds);
    CHECK(flushed == kept || flushed == 0);
    // The sign of a zero is significant without the option.
    CHECK_EQ(value_of("", "as_int(f[3] * 1.0f)", thirds), INT32_MIN);
    CHECK_EQ(value_of("", "as_int(f[3] + 0.0f)", thirds), 0);
    cl_int zero = value_of("-cl-no-signed-zeros", "as_int(f[3] + 0.0f)", thirds);
    CHECK(zero == 0 || zero == INT32_MIN);
}

// ---- folders -----------------------------------------------------------------------------------------

static void write_header(const char *path, int value)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    if (!file)
        return;
    fprintf(file, "#define VALUE %d\n", value);
    fclose(file);
}

static void check_folders(void)
{
    static const char *const forms[] = {
        "-D HEADER=<value.h> -I \"%s\"",     "-D HEADER=<value.h> -I\"%s\"", "-DHEADER=<value.h> '-I%s'",
        "-D HEADER=\\\"value.h\\\" -I '%s'", "\"-I%s\" -D HEADER=<value.h>",
    };
    char path[200], options[300];
    if (!mkdtemp(folder))
        return;
    snprintf(path, sizeof path, "%s/value.h", folder);
    write_header(path, 41);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        snprintf(options, sizeof options, forms[i], folder);
        CHECK_EQ(value_of(options, "VALUE + 1", thirds), 42);
    }
    unlink(path);
    rmdir(folder);
}

// ---- warnings ----------------------------------------------------------------------------------------

static void check_warnings(void)
{
    static const struct {
        const char *options;
        cl_int error;
        const char *in_log; // NULL: the log is empty
    } cases[] = {
        {"", CL_SUCCESS, "warning: "},
        {"-w", CL_SUCCESS, NULL},
        {"-Werror", CL_BUILD_PROGRAM_FAILURE, "error: "},
        {"-w -Werror", CL_SUCCESS, NULL},
        {"-Werror -w", CL_SUCCESS, NULL},
        {"-g", CL_SUCCESS, "warning: "},
        {"-O3", CL_SUCCESS, "note: option '-O3' has no effect"},
        {"-w -O3", CL_SUCCESS, NULL},
        {"-cl-nv-verbose -w -Werror", CL_SUCCESS, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char log[4096];
        cl_program program = new_program("kernel void k(global int *p, global float *q) { p = q; *p = 1; }");
        CHECK_EQ(clBuildProgram(program, 0, NULL, cases[i].options, NULL, NULL), cases[i].error);
        log_of(program, log, sizeof log);
        CHECK(cases[i].in_log ? strstr(log, cases[i].in_log) != NULL : !*log);
        CHECK_OK(clReleaseProgram(program));
    }
}

// OpenCL C 3.1 is available on devices that report it.
static void check_newest(void)
{
    const char *source = "kernel void k(global int *p) { p[0] = __OPENCL_C_VERSION__ == CL_VERSION_3_1; }";
    cl_name_version versions[16];
    size_t size = 0;
    bool has = false;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof versions, versions, &size));
    for (size_t i = 0; i < size / sizeof *versions; i++)
        has |= versions[i].version == CL_MAKE_VERSION(3, 1, 0);
    cl_program program = clCreateProgramWithSource(test_context, 1, &source, NULL, NULL);
    CHECK_EQ(clBuildProgram(program, 0, NULL, "-cl-std=CL3.1", NULL, NULL), has ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE);
    CHECK_OK(clReleaseProgram(program));
}

// ---- launches and information ------------------------------------------------------------------------

static void check_group_sizes(void)
{
    static const struct {
        const char *options;
        cl_int error;
    } cases[] = {
        {"", CL_INVALID_WORK_GROUP_SIZE},
        {"-cl-std=CL2.0", CL_SUCCESS},
        {"-cl-std=CL2.0 -cl-uniform-work-group-size", CL_INVALID_WORK_GROUP_SIZE},
        {"-cl-std=CL3.0 -cl-uniform-work-group-size", CL_INVALID_WORK_GROUP_SIZE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cl_program program = test_build("kernel void k(global int *p) { p[get_global_id(0)] = 1; }", cases[i].options);
        cl_kernel kernel = test_kernel(program, "k");
        cl_mem mem = test_buffer(0, 64, NULL);
        CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        CHECK_EQ(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, (size_t[]){7}, (size_t[]){4}, 0, NULL, NULL),
                 cases[i].error);
        CHECK_OK(clFinish(test_queue));
        CHECK_OK(clReleaseMemObject(mem));
        CHECK_OK(clReleaseKernel(kernel));
        CHECK_OK(clReleaseProgram(program));
    }
}

static void check_arg_info(void)
{
    cl_program program = test_build("kernel void k(global int *pointer) { *pointer = 1; }", "-cl-kernel-arg-info");
    cl_kernel kernel = test_kernel(program, "k");
    char name[20] = "";
    CHECK_OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
    CHECK(!strcmp(name, "pointer"));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// ---- which function accepts what
// --------------------------------------------------------------------

enum { BUILD = 1, COMPILE = 2, LINK = 4, LIBRARY = 8 };

static const struct {
    const char *options, *named; // named: the word that the log of a refusal must contain
    unsigned taken;              // bits of the functions that accept it
} takers[] = {
    {"-cl-denorms-are-zero", "-cl-denorms-are-zero", BUILD | COMPILE | LINK},
    {"-cl-no-signed-zeros", "-cl-no-signed-zeros", BUILD | COMPILE | LINK},
    {"-cl-no-signed-zeroes", "-cl-no-signed-zeroes", BUILD | COMPILE | LINK},
    {"-cl-unsafe-math-optimizations", "-cl-unsafe", BUILD | COMPILE | LINK},
    {"-cl-finite-math-only", "-cl-finite", BUILD | COMPILE | LINK},
    {"-cl-fast-relaxed-math", "-cl-fast", BUILD | COMPILE | LINK},
    {"-cl-no-subgroup-ifp", "-cl-no-subgroup-ifp", BUILD | COMPILE | LINK},
    {"-cl-single-precision-constant", "-cl-single", BUILD | COMPILE},
    {"-cl-opt-disable", "-cl-opt-disable", BUILD | COMPILE},
    {"-cl-uniform-work-group-size", "-cl-uniform", BUILD | COMPILE},
    {"-cl-strict-aliasing", "-cl-strict-aliasing", BUILD | COMPILE},
    {"-cl-kernel-arg-info", "-cl-kernel-arg-info", BUILD | COMPILE},
    {"-cl-std=CL1.2", "-cl-std=", BUILD | COMPILE},
    {"-w", "-w", BUILD | COMPILE},
    {"-Werror", "-Werror", BUILD | COMPILE},
    {"-g", "-g", BUILD | COMPILE},
    {"-D A", "-D", BUILD | COMPILE},
    {"-U A", "-U", BUILD | COMPILE},
    {"-I .", "-I", BUILD | COMPILE},
    {"-create-library", "-create-library", LIBRARY},
    {"-create-library -enable-link-options", "-create-library", LIBRARY},
    {"-create-library -enable-link-options -cl-fast-relaxed-math", "-create-library", LIBRARY},
    {"-enable-link-options", "-enable-link-options", 0},
    {"-x spir", "spir", 0},
    {"-spir-std=1.2", "-spir-std=1.2", 0},
    {"-cl-std=", "-cl-std=", 0},
    {"-cl-std=CL0.9", "-cl-std=", 0},
    {"-cl-std=CLC++", "-cl-std=", 0},
    {"-cl-mad-enabled", "-cl-mad-enabled", 0},
    {"-w -no-such-thing -g", "", 0},
    {"-no-such-thing", "-no-such-thing", 0},
    {"-O2", "-O2", BUILD | COMPILE | LINK},
    {"-cl-nv-maxrregcount 32", "-cl-nv", BUILD | COMPILE | LINK},
    {"-cl-intel-greater-than-4GB-buffer-required", "-cl-intel", BUILD | COMPILE | LINK},
    {"-fno-math-errno", "-fno", BUILD | COMPILE | LINK},
    {"-cl-other-vendors", "-cl-other-vendors", 0},
    {"-O9", "-O9", 0},
    {"-D", "-D", 0},
    {"-I", "-I", 0},
    {"-D 1A", "-D", 0},
    {"-U =", "-U", 0},
    {"word", "word", 0},
};

static void check_log(cl_program program, const char *options, const char *named)
{
    char log[1024];
    cl_build_status status = 0;
    log_of(program, log, sizeof log);
    if (!CHECK(strstr(log, named) != NULL && *log))
        printf("  '%s' is refused with '%s'\n", options, log);
    CHECK_OK(clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    CHECK_EQ(status, CL_BUILD_ERROR);
}

static const char plain[] = "kernel void k(global int *p) { *p = 1; }";

static void check_taker(const char *options, const char *named, unsigned taken)
{
    cl_program program = new_program(plain);
    cl_int error = clBuildProgram(program, 1, &test_device, options, NULL, NULL);
    if (!CHECK_EQ(error, taken & BUILD ? CL_SUCCESS : CL_INVALID_BUILD_OPTIONS))
        printf("  with '%s'\n", options);
    if (error)
        check_log(program, options, named);
    error = clCompileProgram(program, 1, &test_device, options, 0, NULL, NULL, NULL, NULL);
    if (!CHECK_EQ(error, taken & COMPILE ? CL_SUCCESS : CL_INVALID_COMPILER_OPTIONS))
        printf("  with '%s'\n", options);
    if (error)
        check_log(program, options, named);
    CHECK_OK(clCompileProgram(program, 1, &test_device, NULL, 0, NULL, NULL, NULL, NULL));
    cl_program linked = clLinkProgram(test_context, 1, &test_device, options, 1, &program, NULL, NULL, &error);
    if (!CHECK_EQ(error, taken & (LINK | LIBRARY) ? CL_SUCCESS : CL_INVALID_LINKER_OPTIONS))
        printf("  with '%s'\n", options);
    CHECK((linked != NULL) == !error);
    if (linked) {
        cl_program_binary_type type = 0;
        CHECK_OK(clGetProgramBuildInfo(linked, test_device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
        CHECK_EQ(type, taken & LIBRARY ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        CHECK_OK(clReleaseProgram(linked));
    }
    CHECK_OK(clReleaseProgram(program));
}

// After a refused build there is no executable, and the next build succeeds.
static void check_after_refusal(void)
{
    cl_program program = new_program(plain);
    CHECK_EQ(clBuildProgram(program, 0, NULL, "-no-such-thing", NULL, NULL), CL_INVALID_BUILD_OPTIONS);
    CHECK_CREATE(clCreateKernel(program, "k", &error), CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_OK(clBuildProgram(program, 0, NULL, "-w", NULL, NULL));
    cl_kernel kernel = test_kernel(program, "k");
    CHECK_EQ(clBuildProgram(program, 0, NULL, "-no-such-thing", NULL, NULL), CL_INVALID_OPERATION);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

int main(void)
{
    test_open();
    check_values();
    check_correct_rounding();
    check_liberties();
    check_folders();
    check_warnings();
    check_newest();
    check_group_sizes();
    check_arg_info();
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
        check_taker(takers[i].options, takers[i].named, takers[i].taken);
    check_after_refusal();
    return test_close();
}
