// SPDX-License-Identifier: Apache-2.0
// See bench_cl.h.
#include "bench_cl.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE = 1 << 16, LOG = 1 << 16 };

void bench_check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s failed: %d\n", what, status);
    exit(1);
}

// ---- the device ---------------------------------------------------------------------------------

bool bench_cl_open(struct bench_cl *cl, cl_platform_id platform,
                   cl_command_queue_properties properties)
{
    cl_int status = platform ? CL_SUCCESS : clGetPlatformIDs(1, &platform, NULL);
    cl_device_type type = 0;
    if (status || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &cl->device, NULL))
        return false;
    clGetDeviceInfo(cl->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(cl->device, CL_DEVICE_NAME, sizeof cl->name, cl->name, NULL);
    cl->is_cpu = type & CL_DEVICE_TYPE_CPU;
    cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &status);
    if (!status)
        cl->queue = clCreateCommandQueue(cl->context, cl->device, properties, &status);
    if (status)
        fprintf(stderr, "%s: no context or queue: %d\n", cl->name, status);
    return !status;
}

void bench_cl_close(struct bench_cl *cl)
{
    clReleaseCommandQueue(cl->queue);
    clReleaseContext(cl->context);
}

double bench_seconds(cl_event event)
{
    cl_ulong start = 0, end = 0;
    bench_check(clWaitForEvents(1, &event), "clWaitForEvents");
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    clReleaseEvent(event);
    return (double)(end - start) * 1e-9;
}

// ---- programs -----------------------------------------------------------------------------------

static size_t read_source(const char *folder, const char *name, char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.cl", folder, name);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, SOURCE, file) : 0;
    if (file)
        fclose(file);
    else
        perror(path);
    return length;
}

static void print_log(const struct bench_cl *cl, cl_program program, const char *name)
{
    char *log = calloc(1, LOG);
    clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, LOG - 1, log, NULL);
    fprintf(stderr, "%s does not build: %s\n", name, log);
    free(log);
}

cl_kernel bench_kernel(const struct bench_cl *cl, const char *folder, const char *name)
{
    return bench_kernel_with(cl, folder, name, "");
}

cl_kernel bench_kernel_with(const struct bench_cl *cl, const char *folder, const char *name,
                            const char *options)
{
    char *text = calloc(1, SOURCE);
    const char *source = text;
    size_t length = read_source(folder, name, text);
    cl_int status;
    cl_kernel kernel = NULL;
    cl_program program = clCreateProgramWithSource(cl->context, 1, &source, &length, &status);
    bench_check(status, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &cl->device, options, NULL, NULL))
        print_log(cl, program, name);
    else
        kernel = clCreateKernel(program, name, NULL);
    clReleaseProgram(program);
    free(text);
    return kernel;
}

bool bench_wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return !count;
}

// ---- numbers ------------------------------------------------------------------------------------

void bench_fill(void *data, size_t bytes, enum bench_contents contents, unsigned seed)
{
    uint32_t state = seed * 2654435761u + 1;
    for (size_t i = 0; i < bytes / 4; i++) {
        state = state * 1664525u + 1013904223u;
        if (contents == BENCH_FLOATS)
            ((float *)data)[i] = (float)(state >> 8) * 0x1p-24f;
        else if (contents == BENCH_INTEGERS)
            ((uint32_t *)data)[i] = state ^ state >> 15;
        else // small positive ones, two in each word
            ((uint32_t *)data)[i] = (state & 0x03ff03ffu) | 0x38003800u;
    }
}

bool bench_alike(const void *x, const void *y, size_t bytes, float tolerance)
{
    if (tolerance == 0)
        return !memcmp(x, y, bytes);
    const float *one = x, *other = y;
    float largest = 0, difference = 0;
    for (size_t i = 0; i < bytes / 4; i++) {
        largest = fmaxf(largest, fabsf(one[i]));
        difference = fmaxf(difference, fabsf(one[i] - other[i]));
    }
    return largest > 0 && difference <= tolerance * largest;
}
