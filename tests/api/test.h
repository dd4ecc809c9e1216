// SPDX-License-Identifier: Apache-2.0
// The harness of the API tests: checks that are counted, a context, a queue, and small programs.
//
// A test is a main() that calls test_open(), makes its checks and returns test_close(): 0 on
// success, 1 on failure. Without a device test_open() exits with 77.
#ifndef PUMICE_TESTS_API_TEST_H
#define PUMICE_TESTS_API_TEST_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../leaks.h"

#ifndef CL_UNORM_INT_2_101010_EXT
#define CL_UNORM_INT_2_101010_EXT 0x10E5
#endif

static cl_platform_id test_platform;
static cl_device_id test_device;
static cl_context test_context;
static cl_command_queue test_queue;
static int test_failures, test_checks;

// When Vulkan calls are made to fail (tests/inject), the first failed check ends the program: with
// 1 for an error code that OpenCL defines, 98 for another code, 97 for a wrong result without an
// error.
static inline void test_injected(long long code)
{
    if (!getenv("INJECT_FILE"))
        return;
    bool known = (code < 0 && code >= -72) || (code <= -1000 && code >= -1200);
    static atomic_flag leaving = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&leaving))
        pause(); // another thread ends the program
    fflush(stdout);
    exit(code >= 0 ? 97 : known ? 1 : 98);
}

static inline bool test_check(bool ok, const char *file, int line, const char *what)
{
    test_checks++;
    if (!ok) {
        test_failures++;
        printf("%s:%d: %s\n", file, line, what);
        test_injected(0);
    }
    return ok;
}

static inline bool test_equal(long long got, long long want, const char *file, int line,
                              const char *what)
{
    test_checks++;
    if (got != want) {
        test_failures++;
        printf("%s:%d: %s is %lld, not %lld\n", file, line, what, got, want);
        test_injected(got);
    }
    return got == want;
}

// `count`: the number of calls that failed, with any error.
static inline void test_none(long long count, const char *file, int line, const char *what)
{
    test_checks++;
    if (!count)
        return;
    test_failures++;
    printf("%s:%d: %s is %lld\n", file, line, what, count);
    test_injected(-1);
}

// For checks of which path was taken rather than of the result: when calls are made to fail, slower
// paths are allowed.
#define CHECK_PATH(condition) CHECK(getenv("INJECT_FILE") || (condition))
#define CHECK_NONE(failed) test_none((failed), __FILE__, __LINE__, #failed)
#define CHECK(condition) test_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQ(got, want)                                                                        \
    test_equal((long long)(got), (long long)(want), __FILE__, __LINE__, #got)
#define CHECK_OK(call) CHECK_EQ(call, CL_SUCCESS)
// For functions that create objects: passes `error` as errcode_ret; expects the given code, and
// NULL exactly for failures.
#define CHECK_CREATE(call, want)                                                                   \
    do {                                                                                           \
        cl_int error = 12345;                                                                      \
        void *made = (void *)(call);                                                               \
        CHECK_EQ(error, want);                                                                     \
        test_check((made != NULL) == ((want) == CL_SUCCESS), __FILE__, __LINE__, #call);           \
    } while (0)

static inline void test_open(void)
{
    cl_int error;
    cl_uint count = 0;
    leaks_watch();
    clGetPlatformIDs(1, &test_platform, &count);
    if (!count || clGetDeviceIDs(test_platform, CL_DEVICE_TYPE_ALL, 1, &test_device, NULL)) {
        printf("no device\n");
        exit(77);
    }
    test_context = clCreateContext(NULL, 1, &test_device, NULL, NULL, &error);
    test_queue = error ? NULL : clCreateCommandQueue(test_context, test_device, 0, &error);
    if (error) {
        printf("no context or queue: %d\n", error);
        exit(1);
    }
}

static inline int test_close(void)
{
    CHECK_OK(clReleaseCommandQueue(test_queue));
    CHECK_OK(clReleaseContext(test_context));
    CHECK_EQ(leaks_count(true), 0);
    printf("%d checks, %d failures\n", test_checks, test_failures);
    return test_failures || !test_checks;
}

// The size of pointers and size_t in kernels.
static inline cl_uint test_address_bits(void)
{
    cl_uint bits = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL));
    return bits;
}

// Prints the build log if the build fails.
static inline cl_program test_build(const char *source, const char *options)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(test_context, 1, &source, NULL, &error);
    CHECK_OK(error);
    error = clBuildProgram(program, 1, &test_device, options, NULL, NULL);
    if (!CHECK_OK(error)) {
        static char log[65536];
        clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s\n", log);
        exit(1);
    }
    return program;
}

static inline cl_kernel test_kernel(cl_program program, const char *name)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    CHECK_OK(error);
    return kernel;
}

static inline cl_mem test_buffer(cl_mem_flags flags, size_t size, void *host)
{
    cl_int error;
    cl_mem mem = clCreateBuffer(test_context, flags, size, host, &error);
    CHECK_OK(error);
    return mem;
}

static inline bool test_has(cl_device_id device, const char *extension)
{
    static char names[65536];
    CHECK_OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    return strstr(names, extension) != NULL;
}

static inline bool test_has_images(void)
{
    cl_bool images = CL_FALSE;
    clGetDeviceInfo(test_device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL);
    return images;
}

static inline bool test_accepts_il(void)
{
    char versions[256] = "";
    clGetDeviceInfo(test_device, CL_DEVICE_IL_VERSION, sizeof versions, versions, NULL);
    return *versions;
}

static inline bool test_has_format(cl_mem_flags flags, cl_mem_object_type type,
                                   const cl_image_format *format)
{
    static cl_image_format formats[256];
    cl_uint count = 0;
    clGetSupportedImageFormats(test_context, flags, type, 256, formats, &count);
    for (cl_uint i = 0; i < count; i++)
        if (!memcmp(&formats[i], format, sizeof *format))
            return true;
    return false;
}

// Redirects standard error to a file and returns a second handle on it, with a file position of its
// own, so that it can be read while threads write to it.
static inline FILE *test_log(void)
{
    char path[] = "/tmp/test_log_XXXXXX";
    int written = mkstemp(path);
    FILE *log = written >= 0 ? fopen(path, "r") : NULL;
    if (log)
        dup2(written, 2);
    if (written >= 0) {
        unlink(path);
        close(written);
    }
    return log;
}

// The number of lines that contain both texts.
static inline int test_log_count(FILE *log, const char *text, const char *more)
{
    char line[512];
    int count = 0;
    fflush(stderr);
    rewind(log);
    while (fgets(line, sizeof line, log))
        count += strstr(line, text) && strstr(line, more);
    return count;
}

// The resident set size of the process, in bytes.
static inline size_t test_resident(void)
{
    unsigned long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu %lu", &size, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

// The program, loaded from its binary and built.
static inline cl_program test_from_binary(cl_program program)
{
    size_t size = 0;
    cl_int error;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    cl_program loaded = clCreateProgramWithBinary(test_context, 1, &test_device, &size, (const unsigned char **)&bytes, NULL, &error);
    CHECK_OK(error);
    CHECK_OK(clBuildProgram(loaded, 1, &test_device, NULL, NULL, NULL));
    free(bytes);
    return loaded;
}

// Whether the query returns a list with this type of handle.
static inline bool test_lists(cl_device_info query, cl_uint type)
{
    cl_uint list[8];
    size_t size = 0;
    if (clGetDeviceInfo(test_device, query, sizeof list, list, &size))
        return false;
    for (size_t i = 0; i < size / sizeof *list; i++)
        if (list[i] == type)
            return true;
    return false;
}

#endif
