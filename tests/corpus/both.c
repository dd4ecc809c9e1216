// SPDX-License-Identifier: Apache-2.0
// Compares a program from source and from a module: both FILE.cl MODULE.spv [options]
//
// Builds FILE from source (with the options) and MODULE, which another compiler has made from it,
// and runs each kernel of both with the same arguments: the results must be equal. As the kernels'
// purpose is unknown, buffers contain small numbers, integer arguments are 16, floats 0.5; launches
// have two work-groups in each dimension of the required size, or of 8 x 8, or of 64 if the source
// does not use a second dimension (otherwise rows would write the same elements). Kernels with
// images, samplers or pointers to other types are skipped, as are those whose results from source
// differ between runs. Floats may differ by 4 ULP, because other compilers contract and reorder.
// The fourth element of a three-element vector is ignored: clang writes it.
// Prints a line for each kernel; exit status: 0 all equal, 1 different, 77 no device.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../leaks.h"

enum { MAX_ARGS = 64, MAX_KERNELS = 256, BYTES = 1 << 18, LOCAL_BYTES = 8192, PATIENCE = 240 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static bool flat; // the kernels have one dimension

struct arg {
    cl_kernel_arg_address_qualifier space;
    char type[64];
    unsigned char *got[3]; // from source, from source again, from the module
    unsigned char *initial;
};

static bool open_device(void)
{
    cl_platform_id platform;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return false;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    return context && queue;
}

static char *read_file(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    char *bytes = NULL;
    *size = 0;
    if (!f)
        return NULL;
    for (size_t room = 65536, got = 1; got; *size += got, room *= 2) {
        bytes = realloc(bytes, room + 1);
        got = fread(bytes + *size, 1, room - *size, f);
    }
    bytes[*size] = 0;
    fclose(f);
    return bytes;
}

static bool builds(cl_program program, const char *options, const char *what)
{
    static char log[2000];
    if (program && !clBuildProgram(program, 1, &device, options, NULL, NULL))
        return true;
    if (program)
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    printf("DIFFERS: %s does not build: %.300s\n", what, log);
    return false;
}

// ---- arguments -----------------------------------------------------------------------------------

static bool has(const char *type, const char *word) { return !strncmp(type, word, strlen(word)); }

// The size of a scalar or of a vector's element of this type; 0: another type.
static unsigned lane_bytes(const char *type)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } types[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4},  {"uint", 4},
                 {"long", 8}, {"ulong", 8}, {"float", 4}, {"double", 8}, {"half", 2}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *rest = type + strlen(types[i].name);
        if (has(type, types[i].name) && rest[strspn(rest, "0123456789*")] == 0)
            return types[i].bytes;
    }
    return 0;
}

static bool is_float(const char *type) { return has(type, "float") || has(type, "double") || has(type, "half"); }

static void put(unsigned char *at, const char *type, unsigned value)
{
    float f = (float)value / 16;
    double d = f;
    uint64_t whole = value;
    if (has(type, "float"))
        memcpy(at, &f, 4);
    else if (has(type, "double"))
        memcpy(at, &d, 8);
    else if (has(type, "half"))
        memcpy(at, &(unsigned short){(unsigned short)(value ? 0x3000 + (value & 7) * 64 : 0)}, 2);
    else
        memcpy(at, &whole, lane_bytes(type));
}

static unsigned char *filled(const char *type, unsigned seed)
{
    unsigned char *bytes = calloc(1, BYTES);
    unsigned step = lane_bytes(type);
    for (unsigned i = 0; i < BYTES; i += step) {
        seed = seed * 1664525 + 1013904223;
        put(bytes + i, type, seed >> 28);
    }
    return bytes;
}

// NULL: the kernel can be run; otherwise the unsupported argument.
static const char *read_args(cl_kernel kernel, struct arg *args, cl_uint *count)
{
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof *count, count, NULL);
    if (*count > MAX_ARGS)
        return "too many arguments";
    for (cl_uint i = 0; i < *count; i++) {
        struct arg *a = &args[i];
        if (clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof a->space, &a->space, NULL) ||
            clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof a->type, a->type, NULL))
            return "an argument that tells nothing of itself";
        if (!lane_bytes(a->type) && a->space != CL_KERNEL_ARG_ADDRESS_LOCAL)
            return "an argument that is no number nor a pointer to numbers";
        if (a->space != CL_KERNEL_ARG_ADDRESS_PRIVATE && strchr(a->type, '*') != strrchr(a->type, '*'))
            return "a pointer to pointers";
    }
    return NULL;
}

static cl_int set_arg(cl_kernel kernel, cl_uint i, const struct arg *a, cl_mem *buffer)
{
    unsigned char value[128] = {0};
    unsigned lanes, bytes = lane_bytes(a->type);
    if (a->space == CL_KERNEL_ARG_ADDRESS_LOCAL)
        return clSetKernelArg(kernel, i, LOCAL_BYTES, NULL);
    if (a->space != CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        *buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, a->initial, NULL);
        return clSetKernelArg(kernel, i, sizeof *buffer, buffer);
    }
    lanes = (unsigned)strtoul(a->type + strcspn(a->type, "0123456789"), NULL, 10);
    lanes = lanes == 3 ? 4 : lanes ? lanes : 1;
    for (unsigned k = 0; k < lanes; k++)
        put(value + k * bytes, a->type, is_float(a->type) ? 8 : 16);
    return clSetKernelArg(kernel, i, lanes * bytes, value);
}

// ---- running -------------------------------------------------------------------------------------

static cl_int run(cl_kernel kernel, struct arg *args, cl_uint count, unsigned way)
{
    cl_mem buffers[MAX_ARGS] = {NULL};
    size_t local[3] = {flat ? 64 : 8, flat ? 1 : 8, 1}, asked[3] = {0}, global[3];
    cl_int error = CL_SUCCESS;
    clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof asked, asked, NULL);
    for (unsigned d = 0; d < 3; d++)
        local[d] = asked[0] ? asked[d] : local[d], global[d] = local[d] * (d < (flat ? 1 : 2) ? 2 : 1);
    for (cl_uint i = 0; i < count && !error; i++)
        error = set_arg(kernel, i, &args[i], &buffers[i]);
    if (!error)
        error = clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL);
    for (cl_uint i = 0; i < count; i++) {
        if (buffers[i] && !error)
            error = clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0, BYTES, args[i].got[way], 0, NULL, NULL);
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    }
    return error;
}

static bool close_enough(const unsigned char *a, const unsigned char *b, const char *type)
{
    float f, g;
    double d, e;
    memcpy(&f, a, 4), memcpy(&g, b, 4), memcpy(&d, a, 8), memcpy(&e, b, 8);
    if (has(type, "float"))
        return (isnan(f) && isnan(g)) || fabsf(f - g) <= 4 * 0x1p-23f * fmaxf(fabsf(f), fabsf(g));
    return has(type, "double") && ((isnan(d) && isnan(e)) || fabs(d - e) <= 4 * 0x1p-52 * fmax(fabs(d), fabs(e)));
}

// The offset of the first different byte; BYTES: equal.
static unsigned difference(const struct arg *a, unsigned x, unsigned y)
{
    unsigned step = lane_bytes(a->type), lanes = (unsigned)strtoul(a->type + strcspn(a->type, "0123456789"), NULL, 10);
    for (unsigned i = 0; i < BYTES; i += step)
        if (!(lanes == 3 && i / step % 4 == 3) && memcmp(a->got[x] + i, a->got[y] + i, step) &&
            !close_enough(a->got[x] + i, a->got[y] + i, a->type))
            return i;
    return BYTES;
}

static bool compare(const char *name, struct arg *args, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++) {
        struct arg *a = &args[i];
        unsigned at = a->initial ? difference(a, 0, 2) : BYTES;
        if (at < BYTES && difference(a, 0, 1) < BYTES) {
            printf("left out %s: another result each time\n", name);
            return true;
        }
        if (at < BYTES) {
            uint64_t is = 0, was = 0;
            memcpy(&is, a->got[2] + at, lane_bytes(a->type));
            memcpy(&was, a->got[0] + at, lane_bytes(a->type));
            printf("DIFFERS %s: argument %u (%s), element %u: 0x%llx, from source 0x%llx\n", name, i, a->type, at / lane_bytes(a->type),
                   (unsigned long long)is, (unsigned long long)was);
            return false;
        }
    }
    printf("equal %s\n", name);
    return true;
}

static bool try_kernel(cl_kernel source, cl_kernel module, const char *name)
{
    struct arg args[MAX_ARGS] = {0};
    cl_uint count;
    bool same = true;
    const char *why = read_args(source, args, &count);
    for (cl_uint i = 0; i < count && !why; i++)
        if (args[i].space == CL_KERNEL_ARG_ADDRESS_GLOBAL || args[i].space == CL_KERNEL_ARG_ADDRESS_CONSTANT) {
            args[i].initial = filled(args[i].type, i);
            for (unsigned way = 0; way < 3; way++)
                args[i].got[way] = malloc(BYTES);
        }
    if (!why && (run(source, args, count, 0) || run(source, args, count, 1)))
        why = "does not run from source";
    if (why) {
        printf("left out %s: %s\n", name, why);
    } else if (run(module, args, count, 2)) {
        printf("DIFFERS %s: does not run from the module\n", name);
        same = false;
    } else {
        same = compare(name, args, count);
    }
    for (cl_uint i = 0; i < MAX_ARGS; i++) {
        free(args[i].initial);
        for (unsigned way = 0; way < 3; way++)
            free(args[i].got[way]);
    }
    return same;
}

// Runs all kernels of both; a kernel missing from the module counts as different.
static bool try_kernels(cl_program source, cl_program module)
{
    cl_kernel kernels[MAX_KERNELS];
    cl_uint count = 0;
    bool same = true;
    if (clCreateKernelsInProgram(source, MAX_KERNELS, kernels, &count))
        printf("left out: no kernels, or too many\n");
    for (cl_uint i = 0; i < count; i++) {
        char name[256] = "";
        clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
        cl_kernel other = clCreateKernel(module, name, NULL);
        if (!other)
            printf("DIFFERS %s: not in the module\n", name);
        same &= other && try_kernel(kernels[i], other, name);
        if (other)
            clReleaseKernel(other);
        clReleaseKernel(kernels[i]);
        fflush(stdout);
    }
    return same;
}

static bool try_files(const char *file, const char *module_file, const char *options)
{
    size_t text_size, size;
    char *text = read_file(file, &text_size), *il = read_file(module_file, &size);
    bool same = false;
    if (text && il) {
        flat = !strstr(text, "_id(1)");
        cl_program source = clCreateProgramWithSource(context, 1, (const char **)&text, &text_size, NULL);
        cl_program module = clCreateProgramWithIL(context, il, size, NULL);
        same = builds(source, options, "the source") && builds(module, NULL, "the module") && try_kernels(source, module);
        clReleaseProgram(source);
        if (module)
            clReleaseProgram(module);
    }
    free(text);
    free(il);
    return same;
}

int main(int argc, char **argv)
{
    char options[4096] = "-cl-kernel-arg-info";
    if (argc < 3)
        return 2;
    for (int i = 3; i < argc; i++)
        snprintf(options + strlen(options), sizeof options - strlen(options), " %s", argv[i]);
    if (!open_device())
        return 77;
    alarm(PATIENCE);
    bool same = try_files(argv[1], argv[2], options);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return !same || leaks_count(true);
}
