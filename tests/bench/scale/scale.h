// SPDX-License-Identifier: Apache-2.0
// Work of any size N for an OpenCL runtime: N objects, N commands, a source of N functions.
#ifndef BENCH_SCALE_H
#define BENCH_SCALE_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>

// Opened once in each process.
struct scale {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue, unordered; // unordered: out-of-order; NULL: the device has none
    cl_program program;
    cl_kernel kernel; // add(global int *)
    cl_mem buffer;
};

struct shape {
    const char *name, *unit; // the panel's title; what N counts
    size_t most;             // largest N
    // Does the work and waits for it. False: the platform lacks something, or refuses the size.
    bool (*run)(const struct scale *scale, size_t n);
};

extern const struct shape shapes[];
extern const size_t shape_count;

bool scale_open(struct scale *scale, unsigned platform);

#endif
