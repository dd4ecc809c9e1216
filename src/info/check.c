// SPDX-License-Identifier: Apache-2.0
// pumice-info --check: runs the kernels of checks.def, each in a separate process with a time
// limit, so that a driver that crashes or hangs only costs one line. See info.h.
//
// For a failed kernel, FOLDER/NAME contains: source.cl, the SPIR-V module, input, expected and
// found (bytes as in memory), log. The bodies that run on the device are compiled here as C, too,
// to compute the expected values.
#include "info/info.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/cl.h"
#include "platform/platform.h"
#include "util/number.h"

enum {
    ITEMS = 64,
    GROUP = 16,
    WORDS = 256,
    PATH = 1024,
    LONGER = PATH + 64,
    MAX_BYTES = 8 * ITEMS
};
enum { PASSED = 0, WRONG = 1, BROKEN = 3, SKIPPED = 77 };

// ---- expected values ----------------------------------------------------------------------------

typedef unsigned char host_uchar;
#define uchar host_uchar
#define ushort uint16_t
#define uint uint32_t
#define ulong uint64_t
#define long int64_t

static uint leading_zeros(uint x)
{
    return x ? (uint)__builtin_clz(x) : 32;
}

static uint count_bits(uint x)
{
    return (uint)__builtin_popcount(x);
}

static uint float_bits(float x)
{
    uint bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float fused(float x, float y, float z)
{
    uint bits = (uint)number_fma((double)x, (double)y, (double)z, NUMBER_FLOAT);
    float value;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

static bool is_nan(uint bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

// For finite numbers only.
static float half_value(ushort bits)
{
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    float value = exponent ? ldexpf((float)(mantissa + 1024), exponent - 25)
                           : ldexpf((float)mantissa, -24);
    return bits >> 15 ? -value : value;
}

static uint small_prime(uint k)
{
    static const uint primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
    return primes[k];
}

static uint sum_of_group(const uint *in, uint i)
{
    uint sum = 0;
    for (uint k = 0; k < GROUP; k++)
        sum += in[i / GROUP * GROUP + k];
    return sum;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#define CHECK(name, needs, what, type, ...)                                                        \
    static type value_##name(uint i, const uint *in)                                               \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define KERNEL(name, needs, what, type, kernel, host)                                              \
    static type value_##name(uint i, const uint *in)                                               \
    {                                                                                              \
        host;                                                                                      \
    }
#include "info/checks.def"

#define EXPECT(name, type)                                                                         \
    static size_t expect_##name(const uint *in, void *out)                                         \
    {                                                                                              \
        for (uint i = 0; i < ITEMS; i++)                                                           \
            ((type *)out)[i] = value_##name(i, in);                                                \
        return sizeof(type);                                                                       \
    }
#define CHECK(name, needs, what, type, ...) EXPECT(name, type)
#define KERNEL(name, needs, what, type, kernel, host) EXPECT(name, type)
#include "info/checks.def"
#pragma GCC diagnostic pop

static const struct check {
    const char *name, *needs, *what, *type;
    const char *body, *kernel; // one of the two
    size_t (*expect)(const uint *in, void *out); // fills `out`, returns the size of an element in
                                                 // bytes
} checks[] = {
#define CHECK(name, needs, what, type, ...)                                                        \
    {#name, needs, what, #type, #__VA_ARGS__, NULL, expect_##name},
#define KERNEL(name, needs, what, type, kernel, host)                                              \
    {#name, needs, what, #type, NULL, #kernel, expect_##name},
#undef uchar
#undef ushort
#undef uint
#undef ulong
#undef long
#include "info/checks.def"
};
enum { CHECKS = sizeof checks / sizeof *checks };

// Edge cases first, then random numbers.
static void fill_input(uint32_t *in)
{
    static const uint32_t edges[] = {0,          1,          2,          0xffffffff, 0x7fffffff, 0x80000000,
                                     0x80000001, 0xffff,     0x10000,    0xff,       0x100,      0x7fc00000,
                                     0x3f800000, 0xbf800000, 0x00800000, 0x7f7fffff};
    uint32_t state = 1;
    for (uint32_t i = 0; i < WORDS; i++) {
        state = state * 1664525 + 1013904223;
        in[i] = i < sizeof edges / sizeof *edges ? edges[i] : state ^ state >> 15;
    }
    static const uint16_t halves[] = {0x3c00, 0xc000, 0x0001, 0x83ff, 0x7bff, 0x0400, 0x3555, 0x0000};
    memcpy(in + 128, halves, sizeof halves);
}

// ---- one check, in this process -----------------------------------------------------------------

static const struct check *find(const char *name)
{
    for (int i = 0; i < CHECKS; i++)
        if (!strcmp(checks[i].name, name))
            return &checks[i];
    return NULL;
}

static char *make_source(const struct check *check)
{
    static char text[1 << 14];
    size_t used = 0;
#define ADD(...) used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__)
    ADD("// %s: %s\n", check->name, check->what);
    ADD("constant uint table[8] = {2, 3, 5, 7, 11, 13, 17, 19};\n");
    if (check->body)
        ADD("%s value(uint i, global const uint *in)\n{\n    %s\n}\n", check->type, check->body);
    ADD("kernel void %s(global %s *out, global const uint *in, global uint *work, local uint *shared, "
        "uint n)\n{\n    uint i = (uint)get_global_id(0);\n    ",
        check->name, check->type);
    if (check->body)
        ADD("out[i] = value(i, in);\n}\n");
    else
        ADD("%s;\n}\n", check->kernel);
#undef ADD
    return text;
}

static void save_file(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = file_open(path, "wb");
    if (!file)
        return;
    fwrite(bytes, 1, size, file);
    fclose(file);
}

static bool lacks(cl_device_id device, const char *extension)
{
    static char all[8192];
    size_t length = strlen(extension);
    if (!length)
        return false;
    if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof all, all, NULL))
        return true;
    for (const char *at = all; (at = strstr(at, extension)); at += length)
        if ((at == all || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return false;
    return true;
}

static int report_failure(const char *call, cl_int error)
{
    fprintf(stderr, "%s: %d\n", call, error);
    return BROKEN;
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        cl_int error_ = call;                                                                      \
        if (error_)                                                                                \
            return report_failure(#call, error_);                                                  \
    } while (0)

static int build(cl_context context, cl_device_id device, const char *source, cl_program *program)
{
    cl_int error;
    *program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    TRY(error);
    if (clBuildProgram(*program, 1, &device, "-cl-std=CL3.0", NULL, NULL)) {
        static char log[4096];
        clGetProgramBuildInfo(*program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "the build failed: %s\n", log);
        return BROKEN;
    }
    return PASSED;
}

static int run(const struct check *check, cl_device_id device, const char *source,
               const uint32_t *in, void *found, size_t size)
{
    static const uint32_t zeros[ITEMS];
    const size_t items = ITEMS, group = GROUP;
    const cl_uint n = ITEMS;
    cl_program program;
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    TRY(error);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    TRY(error);
    int status = build(context, device, source, &program);
    if (status != PASSED)
        return status;
    cl_kernel kernel = clCreateKernel(program, check->name, &error);
    TRY(error);
    cl_mem input = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                  WORDS * sizeof *in, (void *)(uintptr_t)in, &error);
    TRY(error);
    cl_mem work = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zeros,
                                 (void *)(uintptr_t)zeros, &error);
    TRY(error);
    memset(found, 0xee, size);
    cl_mem out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, size, found, &error);
    TRY(error);
    TRY(clSetKernelArg(kernel, 0, sizeof out, &out));
    TRY(clSetKernelArg(kernel, 1, sizeof input, &input));
    TRY(clSetKernelArg(kernel, 2, sizeof work, &work));
    TRY(clSetKernelArg(kernel, 3, ITEMS * sizeof(cl_uint), NULL));
    TRY(clSetKernelArg(kernel, 4, sizeof n, &n));
    TRY(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, size, found, 0, NULL, NULL));
    clReleaseMemObject(out);
    clReleaseMemObject(work);
    clReleaseMemObject(input);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return PASSED;
}

static void print_difference(const uint8_t *expected, const uint8_t *found, size_t element)
{
    int count = 0;
    for (size_t i = 0; i < ITEMS; i++)
        count += memcmp(expected + i * element, found + i * element, element) != 0;
    for (size_t i = 0; i < ITEMS; i++) {
        if (!memcmp(expected + i * element, found + i * element, element))
            continue;
        fprintf(stderr, "%d of %d values are wrong; work-item %zu: ", count, (int)ITEMS, i);
        for (size_t b = element; b-- > 0;)
            fprintf(stderr, "%02x", found[i * element + b]);
        fprintf(stderr, " and not ");
        for (size_t b = element; b-- > 0;)
            fprintf(stderr, "%02x", expected[i * element + b]);
        fprintf(stderr, "\n");
        return;
    }
}

int info_check_one(const char *name, unsigned number, const char *folder)
{
    static uint32_t in[WORDS];
    static uint8_t expected[MAX_BYTES], found[MAX_BYTES];
    const struct check *check = find(name);
    cl_platform_id platform;
    cl_device_id devices[64];
    cl_uint count = 0;
    if (!check)
        return report_failure("unknown check", 0);
    process_set_variable("PUMICE_DUMP", "spirv");
    process_set_variable("PUMICE_DUMP_DIR", folder);
    process_set_variable("PUMICE_CACHE_DIR", "none");
    TRY(clGetPlatformIDs(1, &platform, NULL));
    TRY(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 64, devices, &count));
    if (number >= count)
        return report_failure("unknown device", CL_DEVICE_NOT_FOUND);
    if (lacks(devices[number], check->needs))
        return SKIPPED;
    fill_input(in);
    size_t element = check->expect(in, expected), size = ITEMS * element;
    const char *source = make_source(check);
    save_file(folder, "source.cl", source, strlen(source));
    save_file(folder, "input", in, sizeof in);
    save_file(folder, "expected", expected, size);
    int status = run(check, devices[number], source, in, found, size);
    if (status != PASSED)
        return status;
    save_file(folder, "found", found, size);
    if (!memcmp(expected, found, size))
        return PASSED;
    print_difference(expected, found, element);
    return WRONG;
}

// ---- all checks, each in a separate process -----------------------------------------------------

static void remove_one(void *data, const char *name, const struct file_facts *facts)
{
    char path[PATH];
    (void)facts;
    snprintf(path, sizeof path, "%s/%s", (const char *)data, name);
    if (*name != '.')
        file_remove(path);
}

static void remove_folder(const char *folder)
{
    folder_visit(folder, remove_one, (void *)(uintptr_t)folder);
    folder_remove(folder);
}

struct ended {
    enum process_end how;
    int status; // exit status, or signal number
};

static struct ended run_in_process(const char *device, const char *name, const char *folder,
                                   unsigned seconds)
{
    struct ended ended = {PROCESS_ENDED, 0};
    char one[128], where[LONGER], which[64], log[LONGER];
    const char *const words[] = {one, where, which, NULL};
    snprintf(one, sizeof one, "--one=%s", name);
    snprintf(where, sizeof where, "--keep=%s", folder);
    snprintf(which, sizeof which, "--device=%s", device);
    snprintf(log, sizeof log, "%s/log", folder);
    ended.how = process_run_self(words, log, seconds, &ended.status);
    return ended;
}

static void show_log(const char *folder)
{
    char path[LONGER], line[256];
    snprintf(path, sizeof path, "%s/log", folder);
    FILE *file = file_open(path, "r");
    for (int i = 0; file && i < 4 && fgets(line, sizeof line, file); i++)
        printf("       %s%s", line, strchr(line, '\n') ? "" : "\n");
    if (file)
        fclose(file);
}

// Describes how it ended.
static const char *verdict(struct ended ended)
{
    static char text[40];
    if (ended.how == PROCESS_ENDED)
        return "HANGS";
    if (ended.how == PROCESS_CRASHED) {
        snprintf(text, sizeof text, "CRASH (signal %d)", ended.status);
        return text;
    }
    switch (ended.status) {
    case PASSED:
        return "ok";
    case SKIPPED:
        return "skip";
    case WRONG:
        return "WRONG";
    default:
        return "FAILS";
    }
}

static bool is_selected(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; at && (at = strstr(at, name)); at += length)
        if ((at == names || at[-1] == ',') && (!at[length] || at[length] == ','))
            return true;
    return !names;
}

int info_check(const char *device, const char *folder, const char *names,
               unsigned seconds)
{
    char path[PATH];
    int passed = 0, failed = 0, skipped = 0;
    if (!folder_create(folder, false) || !folder_writable(folder)) {
        fprintf(stderr, "pumice-info: cannot write to %s\n", folder);
        return -1;
    }
    for (int i = 0; i < CHECKS; i++) {
        if (!is_selected(names, checks[i].name))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, checks[i].name);
        remove_folder(path);
        folder_create(path, false);
        struct ended ended = run_in_process(device, checks[i].name, path, seconds);
        bool exited = ended.how == PROCESS_EXITED, skip = exited && ended.status == SKIPPED;
        bool well = exited && ended.status == PASSED;
        printf("%-6s %-20s %s%s%s\n", verdict(ended), checks[i].name, checks[i].what,
               skip ? ": no " : "", skip ? checks[i].needs : "");
        passed += well;
        skipped += skip;
        failed += !well && !skip;
        if (!well && !skip)
            show_log(path);
        else
            remove_folder(path);
        fflush(stdout);
    }
    folder_remove(folder); // not removed if it contains files
    printf("%d passed, %d failed, %d skipped%s%s\n", passed, failed, skipped,
           failed ? ": see " : "", failed ? folder : "");
    return passed + failed ? failed : -1;
}
