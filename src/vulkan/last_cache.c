// SPDX-License-Identifier: Apache-2.0
// libc, libcuda or sysfs -> size and line size of the last-level cache. See last_cache.h.
#include "vulkan/last_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/log.h"
#include "vulkan/clock.h"

enum { PATH_SIZE = 512, LINE_SIZE = 256 };
enum { CPU_LINE = 64, NVIDIA_LINE = 128 }; // bytes; all NVIDIA GPUs since 2010
enum { NODES = 128, CACHES = 4096 }; // maximum nodes of a machine, caches of a node

static struct vk_last_cache by_libc(void)
{
    const uint64_t most = UINT64_C(1) << 30;
    uint64_t size = processor_last_cache();
    if (!size)
        return (struct vk_last_cache){0};
    return (struct vk_last_cache){size < most ? size : most, CPU_LINE};
}

static struct vk_last_cache by_cuda(const struct vk_facts *facts)
{
    uint64_t size = vk_clock_cuda_l2(facts);
    return (struct vk_last_cache){size, size ? NVIDIA_LINE : 0};
}

// ---- amdgpu: the kernel's list of compute nodes -------------------------------------------------

// Finds numbers in lines of the form "name number". False: the file does not exist.
static bool numbers_in(const char *path, const char *const *names, uint64_t *numbers, int count)
{
    char line[LINE_SIZE];
    FILE *file = file_open(path, "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file))
        for (int i = 0; i < count; i++) {
            size_t length = strlen(names[i]);
            if (!strncmp(line, names[i], length) && line[length] == ' ')
                numbers[i] = strtoull(line + length, NULL, 10);
        }
    fclose(file);
    return true;
}

// The cache of the highest level.
static struct vk_last_cache cache_of_node(const char *folder)
{
    static const char *const names[] = {"level", "size", "cache_line_size"};
    struct vk_last_cache last = {0};
    uint64_t level = 0;
    for (int i = 0; i < CACHES; i++) {
        char path[PATH_SIZE];
        uint64_t its[3] = {0};
        snprintf(path, sizeof path, "%s/caches/%d/properties", folder, i);
        if (!numbers_in(path, names, its, 3))
            break;
        if (its[0] > level) {
            level = its[0];
            last = (struct vk_last_cache){its[1] << 10, (uint32_t)its[2]};
        }
    }
    return last;
}

static struct vk_last_cache by_kfd(const struct vk_facts *facts, const char *root)
{
    static const char *const names[] = {"domain", "location_id", "simd_count"};
    const VkPhysicalDevicePCIBusInfoPropertiesEXT *pci = &facts->pci;
    uint64_t place = pci->pciBus << 8 | pci->pciDevice << 3 | pci->pciFunction;
    for (int i = 0; i < NODES && facts->features.pci_bus_info; i++) {
        char folder[PATH_SIZE / 2], path[PATH_SIZE];
        uint64_t its[3] = {0};
        snprintf(folder, sizeof folder, "%s/sys/class/kfd/kfd/topology/nodes/%d", root, i);
        snprintf(path, sizeof path, "%s/properties", folder);
        if (!numbers_in(path, names, its, 3))
            break;
        if (its[2] && its[0] == pci->pciDomain &&
            its[1] == place) // a node without SIMDs is a CPU
            return cache_of_node(folder);
    }
    return (struct vk_last_cache){0};
}

struct vk_last_cache vk_last_cache(const struct vk_facts *facts, const char *root)
{
    struct vk_last_cache last;
    if (facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        last = by_libc();
    else if (facts->props12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY)
        last = by_cuda(facts);
    else
        last = by_kfd(facts, root);
    if (!last.size)
        log_write(LOG_VULKAN, "%s: the last-level cache is unknown", facts->props.deviceName);
    return last;
}
