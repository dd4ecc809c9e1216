// SPDX-License-Identifier: Apache-2.0
// Clock rates from the kernel's files in the formats of several drivers, in a generated folder.
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include "vulkan/clock_rate.h"

#define CPUFREQ "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"
#define BUS "/sys/bus/pci/devices/0001:0a:1f.3/"

static char root[] = "/tmp/pumice_clock_XXXXXX";

static void put(const char *path, const char *text)
{
    char command[1024];
    snprintf(command, sizeof command, "mkdir -p \"$(dirname %s%s)\" && printf '%s' > %s%s", root,
             path, text, root, path);
    CHECK(system(command) == 0);
}

static void forget(void)
{
    char command[1024];
    snprintf(command, sizeof command, "rm -rf %s", root);
    CHECK(system(command) == 0);
}

static const struct {
    bool processor;
    const char *path, *text;
    uint32_t mhz;
} cases[] = {
    {true, CPUFREQ, "3600000\n", 3600},
    {true, "/proc/cpuinfo",
     "model name\t: X CPU @ 9GHz\ncpu MHz\t\t: 1200.4\ncpu MHz\t\t: 2499.998\n", 2500},
    {true, "/proc/cpuinfo", "BogoMIPS\t: 50.00\n", VK_CLOCK_UNKNOWN_MHZ},
    {true, CPUFREQ, "", VK_CLOCK_UNKNOWN_MHZ},
    {true, BUS "pp_dpm_sclk", "0: 500Mhz\n", VK_CLOCK_UNKNOWN_MHZ},
    {false, BUS "pp_dpm_sclk", "0: 500Mhz *\n1: 2105Mhz\n", 2105},
    {false, BUS "drm/card1/gt_max_freq_mhz", "1450\n", 1450},
    {false, BUS "tile0/gt0/freq0/max_freq", "2850\n", 2850},
    {false, CPUFREQ, "3600000\n", VK_CLOCK_UNKNOWN_MHZ},
};

int main(void)
{
    struct vk_facts facts = {.features.pci_bus_info = true};
    facts.pci.pciDomain = 1, facts.pci.pciBus = 10;
    facts.pci.pciDevice = 31, facts.pci.pciFunction = 3;
    if (!mkdtemp(root))
        return 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facts.props.deviceType =
            cases[i].processor ? VK_PHYSICAL_DEVICE_TYPE_CPU : VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
        put(cases[i].path, cases[i].text);
        uint32_t mhz = vk_clock_mhz(&facts, root);
        if (mhz != cases[i].mhz)
            fprintf(stderr, "%s: %u\n", cases[i].path, mhz);
        CHECK(mhz == cases[i].mhz);
        forget();
    }
    return check_result();
}
