// SPDX-License-Identifier: Apache-2.0
// Opens, uses and closes the library repeatedly, with pending work and callbacks: it stays loaded
// while any of its code runs, and its memory use does not grow.
#include "test.h"

#include <dlfcn.h>
#include <unistd.h>

enum { TIMES = 50, WARM = 10, SIZE = 4 << 20, ALLOWED = 64 << 20 };

// The library: the ICD named by OCL_ICD_VENDORS (itself or its folder), or the one that the program
// is linked with.
static const char *library(void)
{
    static char path[4096];
    const char *folder = getenv("OCL_ICD_VENDORS");
    if (folder && (strstr(folder, ".so") || strstr(folder, ".dll")))
        return folder;
    snprintf(path, sizeof path, "%s/pumice.icd", folder ? folder : ".");
    FILE *file = fopen(path, "r");
    if (!file || !fgets(path, sizeof path, file))
        snprintf(path, sizeof path, "libOpenCL.so.1");
    path[strcspn(path, "\n")] = '\0';
    if (file)
        fclose(file);
    return path;
}

static int called;

static void CL_CALLBACK on_done(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
    __atomic_fetch_add(&called, 1, __ATOMIC_RELAXED);
}

// Calls only functions from the handle. Without `wait`, commands are pending at the end.
static void use(void *handle, bool wait)
{
    typedef void *(CL_API_CALL * find_fn)(const char *);
    find_fn find = (find_fn)dlsym(handle, "clGetExtensionFunctionAddress");
    if (!CHECK(find != NULL))
        return;
#define CALL(name) ((__typeof__(name) *)find(#name))
    cl_int code, zero = 0;
    cl_event event = NULL;
    cl_platform_id platform;
    cl_device_id device;
    CHECK_OK(CALL(clGetPlatformIDs)(1, &platform, NULL));
    CHECK_OK(CALL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = CALL(clCreateContext)(NULL, 1, &device, NULL, NULL, &code);
    CHECK_OK(code);
    cl_command_queue queue = CALL(clCreateCommandQueue)(context, device, 0, &code);
    CHECK_OK(code);
    cl_mem mem = CALL(clCreateBuffer)(context, 0, SIZE, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(CALL(clEnqueueFillBuffer)(queue, mem, &zero, 4, 0, SIZE, 0, NULL, &event));
    CHECK_OK(CALL(clSetEventCallback)(event, CL_COMPLETE, on_done, NULL));
    CHECK_OK(wait ? CALL(clFinish)(queue) : CALL(clFlush)(queue));
    CHECK_OK(CALL(clReleaseEvent)(event));
    CHECK_OK(CALL(clReleaseMemObject)(mem));
    CHECK_OK(CALL(clReleaseCommandQueue)(queue));
    CHECK_OK(CALL(clReleaseContext)(context));
#undef CALL
}

// Waits while the library's thread still frees what the last commands used.
static size_t resident_at_rest(size_t limit)
{
    size_t size = test_resident();
    for (int i = 0; i < 5000 && size >= limit; i++, size = test_resident())
        usleep(1000);
    return size;
}

int main(void)
{
    size_t before = 0;
    test_open(); // exits with 77 without a device
    for (int i = 0; i < TIMES; i++) {
        void *handle = dlopen(library(), RTLD_NOW | RTLD_LOCAL);
        if (!CHECK(handle != NULL))
            break;
        use(handle, i % 2);
        CHECK(!dlclose(handle));
        if (i == WARM)
            before = test_resident();
    }
    for (int i = 0; i < 60000 && __atomic_load_n(&called, __ATOMIC_RELAXED) < TIMES; i++)
        usleep(1000);
    CHECK_EQ(__atomic_load_n(&called, __ATOMIC_RELAXED), TIMES);
    size_t after = resident_at_rest(before + ALLOWED);
    if (!CHECK(after < before + ALLOWED))
        printf("  %zu bytes, then %zu\n", before, after);
    return test_close();
}
