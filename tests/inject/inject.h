// SPDX-License-Identifier: Apache-2.0
// Interface between the runner and the layer: a small file mapped by all processes of a run.
#ifndef PUMICE_INJECT_H
#define PUMICE_INJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { INJECT_LIMITS = 4 };

struct inject {
    atomic_uint calls; // calls so far that may fail
    uint32_t fail_at;  // number of the failing call, from 1; 0: none
    int32_t result;    // the VkResult that it returns
    char failed[64];   // its name; empty: no call has failed
    uint64_t memory;   // bytes that the devices have in total; 0: unchanged
    uint64_t heap;     // bytes that they report for each heap, without a limit; 0: unchanged
    uint64_t budget;   // bytes that they report as the budget of all processes, without a limit; 0:
                       // unchanged
    atomic_ullong used;
    // Features that devices report as missing, separated by commas: features and extensions of
    // src/vulkan/features.def by name, and "timestamps". Using them anyway raises SIGABRT.
    char without[512];
    uint32_t version; // the Vulkan version that they report; 0: unchanged
    struct {
        char name[48]; // name of a limit; empty: unused
        uint64_t value;
    } limits[INJECT_LIMITS]; // limits that devices report
    bool as_gpu;      // report discrete GPUs
    uint32_t entry;   // bytes of each pipeline in the layer's own cache; 0: the driver's cache is
                      // used
    atomic_uint compiled; // pipelines that were not in it
    char only[256];   // names of the functions whose calls count, separated by commas; empty: all
    bool for_good;    // later calls that count fail too
    uint32_t slow_us; // duration of the failing call
};

#endif
