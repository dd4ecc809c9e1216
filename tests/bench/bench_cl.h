// SPDX-License-Identifier: Apache-2.0
// OpenCL for the benchmarks: opens a device with a queue, builds kernels from files, reads device
// times, fills buffers with random numbers and compares results.
#ifndef PUMICE_BENCH_CL_H
#define PUMICE_BENCH_CL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

struct bench_cl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    char name[256]; // the device's
    bool is_cpu;
};

// Opens the first device of the platform (NULL: of the first platform). False: none works.
bool bench_cl_open(struct bench_cl *cl, cl_platform_id platform,
                   cl_command_queue_properties properties);
void bench_cl_close(struct bench_cl *cl);

// Exits if a call failed.
void bench_check(cl_int status, const char *what);

// Kernel `name` of the file FOLDER/NAME.cl. NULL: the build failed; the log is on stderr.
cl_kernel bench_kernel(const struct bench_cl *cl, const char *folder, const char *name);
cl_kernel bench_kernel_with(const struct bench_cl *cl, const char *folder, const char *name,
                            const char *options);

// Waits for the command, releases its event and returns the device's time for it.
double bench_seconds(cl_event event);

enum bench_contents { BENCH_FLOATS, BENCH_INTEGERS, BENCH_HALVES };

void bench_fill(void *data, size_t bytes, enum bench_contents contents, unsigned seed);

// Whether results agree: floats within `tolerance` of the largest value, which must not be 0; with
// tolerance 0, bit for bit.
bool bench_alike(const void *x, const void *y, size_t bytes, float tolerance);

// Whether the row is selected; all are if no names are given.
bool bench_wanted(const char *name, int count, char **names);

#endif
