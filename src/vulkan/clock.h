// SPDX-License-Identifier: Apache-2.0
// Keeps a GPU's clock up while it has users.
//
// NVIDIA's driver keeps the clock of a lightly loaded GPU up for contexts of CUDA (of which its own
// OpenCL is one) and lets it fall to a fifth under Vulkan's. So a thread of ours holds a CUDA
// context. Measured on an H200 (580.159), one kernel of 0.3 ms every 2 ms: the clock stays at 1980
// MHz with such a context and falls to 600 in nine seconds without, also after cuInit() alone,
// beside a second queue that is given a kernel every 0.1 or 1 ms, with queues of real-time
// priority, and on the graphics family. PUMICE_CLOCK chooses.
//
// The context is our own, with the least of stacks and heaps: 260 MB of the device's memory, where
// the primary context has 520 (and NVIDIA's OpenCL 440), and a program that uses CUDA itself has
// its primary context for itself, to reset or set up as it likes. The library is opened when it is
// there, and nothing is lost where it is not.
#ifndef PUMICE_VULKAN_CLOCK_H
#define PUMICE_VULKAN_CLOCK_H

#include "vulkan/device.h"

// The device has users from now on; none any more. Neither waits: what there is to do happens
// later, for those that stay.
void vk_clock_keep(const struct vk_facts *facts);
void vk_clock_drop(const struct vk_facts *facts);

// Bytes of the device's L2 cache, as CUDA has them; 0: it is not there, not wanted or does not know the device. Where the
// cache on disk does not hold them yet, that takes as long as starting CUDA does.
uint64_t vk_clock_cuda_l2(const struct vk_facts *facts);

// In a child of fork(): what its parent had here is the parent's, and CUDA is not used any more.
void vk_clock_forget(void);

// The process ends: nothing more is begun.
void vk_clock_end(void);

#endif
