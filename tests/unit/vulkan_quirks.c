// SPDX-License-Identifier: Apache-2.0
// Known properties of drivers, by driver id; behind Venus by the name of the host's device.
#include "check.h"

#include <string.h>

#include "vulkan/quirks.h"

static const struct {
    const char *name;
    VkDriverId host;
} hosts[] = {
    {"Virtio-GPU Venus (llvmpipe (LLVM 19.1.7, 256 bits))", VK_DRIVER_ID_MESA_LLVMPIPE},
    {"Virtio-GPU Venus (AMD Radeon RX 7900 XTX (RADV NAVI31))", VK_DRIVER_ID_MESA_RADV},
    {"Virtio-GPU Venus (Intel(R) Arc(tm) A770M Graphics (DG2))", VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA},
    {"Virtio-GPU Venus (NVIDIA GeForce RTX 3060 (NVK GA106))", VK_DRIVER_ID_MESA_NVK},
    {"Virtio-GPU Venus (NVIDIA GeForce RTX 3060)", VK_DRIVER_ID_NVIDIA_PROPRIETARY},
    {"Virtio-GPU Venus (Turnip Adreno (TM) 740)", VK_DRIVER_ID_MESA_TURNIP},
};

static const struct vk_quirks *quirks_of(VkDriverId driver, const char *name)
{
    static struct vk_facts facts;
    facts.props12.driverID = driver;
    strcpy(facts.props.deviceName, name);
    return vk_quirks(&facts);
}

int main(void)
{
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        CHECK(quirks_of(VK_DRIVER_ID_MESA_VENUS, hosts[i].name) == quirks_of(hosts[i].host, ""));
    CHECK(!quirks_of(VK_DRIVER_ID_MESA_VENUS, "Virtio-GPU Venus (Unknown)")->driver);
    CHECK(quirks_of(VK_DRIVER_ID_MESA_RADV, "llvmpipe (llvmpipe")->driver == VK_DRIVER_ID_MESA_RADV);
    return check_result();
}
