// SPDX-License-Identifier: Apache-2.0
// What the runner and the layer share: one small file, mapped by all processes of a run.
#ifndef PUMICE_INJECT_H
#define PUMICE_INJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { INJECT_LIMITS = 4 };

struct inject {
    atomic_uint calls; // that may fail, so far
    uint32_t fail_at;  // number of the one that does, from 1; 0: none
    int32_t result;    // the VkResult it returns
    char failed[64];   // its name; empty: none has failed
    uint64_t memory;   // bytes that the devices have in all; 0: as many as they have
    uint64_t heap;     // that they say each heap has, refusing nothing; 0: as many as it has
    uint64_t budget;   // that they say there are for everybody, refusing nothing; 0: as they say
    atomic_ullong used;
    // What devices say they lack, with commas: features and extensions of src/vulkan/features.def by
    // name, and "timestamps". Whoever uses that all the same is ended by SIGABRT.
    char without[512];
    uint32_t version; // of Vulkan that they say they have; 0: as they say
    struct {
        char name[48]; // of a limit; empty: none
        uint64_t value;
    } limits[INJECT_LIMITS]; // that devices say they have
    bool as_gpu;      // they say that they are discrete GPUs
    uint32_t entry;   // bytes that a pipeline takes in the layer's own cache; 0: the driver's is used
    atomic_uint compiled; // pipelines that were not in it
    char only[256];   // names of the functions whose calls count, with commas; empty: all
    bool for_good;    // the calls after it that count fail, too
    uint32_t slow_us; // that the failing call takes
};

#endif
