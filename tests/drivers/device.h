// SPDX-License-Identifier: Apache-2.0
// A Vulkan device of which only the compiler is used: opened as the runtime opens it, with the
// driver's statistics, and without memory, which drivers without hardware may lack.
#ifndef PUMICE_TESTS_DRIVERS_DEVICE_H
#define PUMICE_TESTS_DRIVERS_DEVICE_H

#include "object/device_caps.h"
#include "vulkan/device.h"

struct compiler_device {
    struct vk_physical physical;
    struct device_caps caps;
    struct vk_device device;
    bool has_statistics; // VK_KHR_pipeline_executable_properties
};

// The first device of the loader. NULL, or what is missing.
const char *compiler_device_open(struct compiler_device *device);

enum { STATISTICS = 64 };
struct statistic {
    char name[VK_MAX_DESCRIPTION_SIZE];
    double value;
};
// The driver's statistics of a pipeline; returns the number of rows. If there are several
// executables, those of the first.
uint32_t compiler_device_statistics(const struct compiler_device *device, VkPipeline pipeline, struct statistic list[STATISTICS]);

#endif
