// SPDX-License-Identifier: Apache-2.0
// Prints the products of cooperative matrices that each OpenCL device reports (draft of
// cl_khr_cooperative_matrix), and the largest one of halves with float sums, as a program would
// select it.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

// From the draft, as no released header has it.
struct variant {
    cl_uint m, n, k, a, b, c, result;
    cl_bool saturating;
};
enum { DEFAULT_VARIANTS = 0x1078, MOST = 128, MOST_DEVICES = 16 };
typedef cl_int(CL_API_CALL *ask_function)(cl_device_id, cl_uint, size_t, const void *, size_t, void *, size_t *);

static const char *component(cl_uint type)
{
    static const char *const names[] = {"half", "float", "double", "char",   "short", "int",
                                        "long", "uchar", "ushort", "uint", "ulong"};
    return type < sizeof names / sizeof *names ? names[type] : "?";
}

static void show(cl_platform_id platform, cl_device_id device)
{
    static struct variant variants[MOST];
    char name[256] = "", extensions[8192] = "";
    ask_function ask;
    size_t bytes = 0;
    const struct variant *best = NULL;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
    *(void **)&ask = clGetExtensionFunctionAddressForPlatform(platform, "clGetDeviceCooperativeMatrixInfoKHR");
    if (!strstr(extensions, "cl_khr_cooperative_matrix") || !ask ||
        ask(device, DEFAULT_VARIANTS, 0, NULL, sizeof variants, variants, &bytes) != CL_SUCCESS) {
        printf("%s: no cooperative matrices\n", name);
        return;
    }
    printf("%s: cooperative matrices\n", name);
    for (size_t i = 0; i < bytes / sizeof *variants; i++) {
        const struct variant *v = &variants[i];
        printf("  %2u x %2u x %2u  %s, %s, %s -> %s%s\n", v->m, v->n, v->k, component(v->a), component(v->b), component(v->c),
               component(v->result), v->saturating ? ", saturating" : "");
        if (v->a == 0 && v->b == 0 && v->result == 1 && (!best || v->m * v->n * v->k > best->m * best->n * best->k))
            best = v;
    }
    if (best)
        printf("  best for halves: %u x %u x %u\n", best->m, best->n, best->k);
}

int main(void)
{
    cl_platform_id platforms[MOST_DEVICES];
    cl_device_id devices[MOST_DEVICES];
    cl_uint platform_count = 0, device_count, shown = 0;
    clGetPlatformIDs(MOST_DEVICES, platforms, &platform_count);
    for (cl_uint p = 0; p < platform_count && p < MOST_DEVICES; p++) {
        device_count = 0;
        clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &device_count);
        for (cl_uint d = 0; d < device_count && d < MOST_DEVICES; d++, shown++)
            show(platforms[p], devices[d]);
    }
    return shown ? 0 : 77; // exit status of the tests for "no device"
}
