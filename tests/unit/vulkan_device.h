// SPDX-License-Identifier: Apache-2.0
// For the tests of the Vulkan and command layers: opens a device, or exits with 77 (skipped).
#ifndef TESTS_UNIT_VULKAN_DEVICE_H
#define TESTS_UNIT_VULKAN_DEVICE_H

#include "check.h"

#include <stdlib.h>

#include "../leaks.h"
#include "vulkan/device.h"
#include "vulkan/instance.h"

static inline struct vk_device *test_device(void)
{
    struct vk_physical *list;
    struct vk_device *device;
    uint32_t count;
    if (vk_physical_list(&list, &count) != VK_SUCCESS)
        exit(77);
    if (vk_device_open(&list[0], &device) != VK_SUCCESS) {
        fprintf(stderr, "%s does not open\n", list[0].facts.props.deviceName);
        exit(1);
    }
    return device;
}

// Also fails the test for validation errors (PUMICE_VALIDATE=1).
static inline int test_result(void)
{
    CHECK(vk_validation_errors() == 0);
    CHECK(leaks_count(true) == 0);
    return check_result();
}

#endif
