// SPDX-License-Identifier: Apache-2.0
// Interface between the two parts of the benchmark: OpenCL, and the same work on plain Vulkan.
#ifndef PUMICE_BENCH_H
#define PUMICE_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

enum bench_kernel { BENCH_EMPTY, BENCH_COPY, BENCH_MAD, BENCH_KERNEL_COUNT };

struct bench_sizes {
    size_t copy_bytes;     // of the copy kernel's source
    size_t mad_items;
    size_t transfer_bytes;
};

// In seconds; 0: not measured.
struct bench_result {
    double build_small, build_heavy; // OpenCL: clBuildProgram; Vulkan: vkCreateComputePipelines
    double latency;                  // one empty kernel, enqueue to finish
    double polled;                   // Vulkan: the same, waiting by polling
    double launch;                   // one of 1,000 launches
    double copy;                     // copy_bytes by the copy kernel
    double mad;                      // mad_items, 1,024 fused multiply-adds each
    double write, read;              // transfer_bytes from and to pageable memory
};

// Measures plain Vulkan on the device whose name occurs in `name`, or on the first one. False: no
// Vulkan.
bool bench_vulkan(const char *name, const struct bench_sizes *sizes, struct bench_result *result);

static inline double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double bench_median(double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, bench_compare);
    return samples[count / 2];
}

#endif
