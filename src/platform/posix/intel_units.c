// SPDX-License-Identifier: Apache-2.0
// The number of execution units of an Intel GPU, which Vulkan does not report but the kernel driver
// i915 does.
#include "platform/platform.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

// As defined by i915.
struct getparam {
    int32_t param;
    int *value;
};
#define I915_GETPARAM _IOWR('d', 0x46, struct getparam)
enum { I915_PARAM_EU_TOTAL = 34 };

uint32_t system_intel_units(uint32_t render_node)
{
    char path[64];
    int count = 0;
    struct getparam ask = {I915_PARAM_EU_TOTAL, &count};
    snprintf(path, sizeof path, "/dev/dri/renderD%u", render_node);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    bool known = fd >= 0 && ioctl(fd, I915_GETPARAM, &ask) == 0;
    if (fd >= 0)
        close(fd);
    return known && count > 0 ? (uint32_t)count : 0;
}
