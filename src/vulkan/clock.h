// SPDX-License-Identifier: Apache-2.0
// Keeps a GPU's clock up while the device has users.
//
// NVIDIA's driver keeps the clock of a lightly loaded GPU up for CUDA contexts (which include its
// own OpenCL), but lets it drop to less than a third for Vulkan. So a thread of Pumice holds a CUDA
// context. Measured on an H200 (580.159) with one kernel of 0.3 ms every 2 ms: with such a context
// the clock stays at 1980 MHz; without it drops to 600 MHz in nine seconds. These do not help:
// cuInit() alone, a second queue with a kernel every 0.1 or 1 ms, real-time queue priority, the
// graphics queue family. PUMICE_CLOCK controls this.
//
// Pumice creates a context of its own with minimal stacks and heaps: 260 MB of device memory, while
// the primary context uses 520 MB (and NVIDIA's OpenCL 440 MB). A program that uses CUDA keeps its
// primary context for itself. If libcuda does not exist, nothing is done.
#ifndef PUMICE_VULKAN_CLOCK_H
#define PUMICE_VULKAN_CLOCK_H

#include "vulkan/device.h"

// Call when the device gets its first user, and when it loses its last. Neither waits: the thread
// acts later.
void vk_clock_retain(const struct vk_facts *facts);
void vk_clock_release(const struct vk_facts *facts);

// Bytes of the device's L2 cache, from CUDA; 0: CUDA is missing, disabled or does not know the
// device. If the cache on disk does not have the value yet, this takes as long as CUDA's
// initialization.
uint64_t vk_clock_cuda_l2(const struct vk_facts *facts);

// In a forked child: drops the parent's state; CUDA is not used there.
void vk_clock_forget(void);

// The process is ending: starts nothing any more.
void vk_clock_end(void);

#endif
