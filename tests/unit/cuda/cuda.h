// SPDX-License-Identifier: Apache-2.0
// Counters of the fake libcuda.so.1 for the test of clocks; its symbol fake_cuda.
#ifndef TESTS_UNIT_CUDA_H
#define TESTS_UNIT_CUDA_H

#include <stdatomic.h>
#include <stdint.h>

enum { FAKE_DEVICES = 3, FAKE_OURS = 2, FAKE_HANDLE = 40 }; // handle = FAKE_HANDLE + index
enum { FAKE_LIMITS = 3, FAKE_L2 = 62914560 };

struct fake_cuda {
    uint8_t uuid[16]; // of device FAKE_OURS
    unsigned init_us; // duration of cuInit
    atomic_int inits, made, gone, wrong;
};

#endif
