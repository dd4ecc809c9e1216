// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, sysfs or /proc/cpuinfo -> MHz. See clock_rate.h.
#include "vulkan/clock_rate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/log.h"
#include "util/number.h"

enum { PATH_SIZE = 512, LINE_SIZE = 512, NVML_CLOCK_SM = 1, NVML_NAME_SIZE = 64 };

// ---- NVIDIA -------------------------------------------------------------------------------------

// As libnvidia-ml declares them; all return 0 for success.
#define NVML_FUNCTIONS(FN)                                                                         \
    FN(Init_v2, (void))                                                                            \
    FN(Shutdown, (void))                                                                           \
    FN(DeviceGetHandleByUUID, (const char *uuid, void **device))                                   \
    FN(DeviceGetMaxClockInfo, (void *device, unsigned kind, unsigned *mhz))

struct nvml {
#define FN(name, parameters) int(*name) parameters;
    NVML_FUNCTIONS(FN)
#undef FN
};

static bool nvml_load(void *library, struct nvml *nvml)
{
#define FN(name, parameters)                                                                       \
    nvml->name = (int(*) parameters)library_find(library, "nvml" #name);                                  \
    if (!nvml->name)                                                                               \
        return false;
    NVML_FUNCTIONS(FN)
#undef FN
    return true;
}

// "GPU-" and the UUID in groups of 4, 2, 2, 2 and 6 bytes.
static void nvml_name(const uint8_t uuid[VK_UUID_SIZE], char name[NVML_NAME_SIZE])
{
    int at = snprintf(name, NVML_NAME_SIZE, "GPU-");
    for (int i = 0; i < (int)VK_UUID_SIZE; i++)
        at += snprintf(name + at, (size_t)(NVML_NAME_SIZE - at), "%s%02x",
                       i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

static uint32_t by_nvml(const struct vk_facts *facts)
{
    struct nvml nvml;
    char name[NVML_NAME_SIZE];
    void *device;
    unsigned mhz = 0;
    void *library = library_open(LIBRARY_NVML);
    if (!library)
        return 0;
    if (nvml_load(library, &nvml) && nvml.Init_v2() == 0) {
        nvml_name(facts->props11.deviceUUID, name);
        if (nvml.DeviceGetHandleByUUID(name, &device) ||
            nvml.DeviceGetMaxClockInfo(device, NVML_CLOCK_SM, &mhz))
            mhz = 0;
        nvml.Shutdown();
    }
    library_close(library);
    return mhz;
}

// ---- files --------------------------------------------------------------------------------------

static double read_number(const char *text)
{
    const char *end;
    uint64_t bits = number_read(text, &end, NUMBER_DOUBLE);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The largest number after `key` in lines of the file: "key : 2499.998"; with an empty key, in "1:
// 2105Mhz" and "3600000".
static double largest_in(const char *path, const char *key)
{
    char line[LINE_SIZE];
    double most = 0;
    FILE *file = file_open(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':'), *number = colon ? colon + 1 : line;
        double value = strncmp(line, key, strlen(key)) ? 0 : read_number(number + strspn(number, " \t"));
        if (value > most)
            most = value;
    }
    if (file)
        fclose(file);
    return most;
}

// Of a CPU: its limit, else its current frequency.
static uint32_t by_processor(const char *root)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", root);
    double mhz = largest_in(path, "") / 1000;
    if (mhz < 1) {
        snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
        mhz = largest_in(path, "cpu MHz");
    }
    return (uint32_t)(mhz + 0.5);
}

// Of other GPUs, from sysfs: the levels of amdgpu, the limit of i915 and xe.
static uint32_t by_bus(const struct vk_facts *facts, const char *root)
{
    static const char *const files[] = {
        "pp_dpm_sclk",
        "drm/card0/gt_max_freq_mhz",
        "drm/card1/gt_max_freq_mhz",
        "tile0/gt0/freq0/max_freq",
    };
    const VkPhysicalDevicePCIBusInfoPropertiesEXT *pci = &facts->pci;
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof files / sizeof *files && facts->features.pci_bus_info; i++) {
        snprintf(path, sizeof path, "%s/sys/bus/pci/devices/%04x:%02x:%02x.%x/%s", root,
                 pci->pciDomain, pci->pciBus, pci->pciDevice, pci->pciFunction, files[i]);
        double mhz = largest_in(path, "");
        if (mhz >= 1)
            return (uint32_t)(mhz + 0.5);
    }
    return 0;
}

uint32_t vk_clock_mhz(const struct vk_facts *facts, const char *root)
{
    uint32_t mhz;
    if (facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        mhz = by_processor(root);
    else if (facts->props12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY)
        mhz = by_nvml(facts);
    else
        mhz = by_bus(facts, root);
    if (!mhz)
        log_write(LOG_VULKAN, "%s: the clock rate is unknown", facts->props.deviceName);
    return mhz ? mhz : VK_CLOCK_UNKNOWN_MHZ;
}
