// SPDX-License-Identifier: Apache-2.0
// Cache sizes from the kernel's files in amdgpu's format, in a generated folder; and from libc.
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include "vulkan/last_cache.h"

static char root[] = "/tmp/pumice_cache_XXXXXX";

static void put(const char *path, const char *text)
{
    char command[1024];
    snprintf(command, sizeof command,
             "f=%s/sys/class/kfd/kfd/topology/nodes/%s/properties; mkdir -p \"$(dirname $f)\" && "
             "printf '%s' > $f",
             root, path, text);
    CHECK(system(command) == 0);
}

static struct vk_facts gpu(uint32_t function)
{
    struct vk_facts facts = {.features.pci_bus_info = true};
    facts.props.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    facts.pci.pciDomain = 1, facts.pci.pciBus = 10;
    facts.pci.pciDevice = 31, facts.pci.pciFunction = function;
    return facts;
}

static void nodes(void)
{
    struct vk_facts facts = gpu(3), other = gpu(4), unknown = gpu(3);
    CHECK(vk_last_cache(&facts, root).size == 0); // no files
    put("0", "cpu_cores_count 16\nsimd_count 0\nlocation_id 2811\ndomain 1\n");
    put("0/caches/0", "level 3\nsize 65536\ncache_line_size 64\n");
    put("1", "cpu_cores_count 0\nsimd_count 304\nlocation_id 2812\ndomain 1\n");
    put("2", "simd_count 304\nlocation_id 2811\ndomain 0\n");
    put("2/caches/0", "level 2\nsize 1\ncache_line_size 64\n");
    put("3", "simd_count 304\nlocation_id 2811\ndomain 1\n");
    put("3/caches/0", "level 1\nsize 16\ncache_line_size 64\n");
    put("3/caches/1", "level 2\nsize 4096\ncache_line_size 128\n");
    put("3/caches/2", "processor_id_low 5\nlevel 1\nsize 32\ncache_line_size 64\n");
    struct vk_last_cache last = vk_last_cache(&facts, root);
    CHECK(last.size == 4096 << 10 && last.line == 128);
    CHECK(vk_last_cache(&other, root).size == 0); // it has no caches
    unknown.features.pci_bus_info = false;
    CHECK(vk_last_cache(&unknown, root).size == 0);
}

static void processor(void)
{
    struct vk_facts facts = {0};
    facts.props.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    struct vk_last_cache last = vk_last_cache(&facts, root);
#ifdef _SC_LEVEL3_CACHE_SIZE
    CHECK((sysconf(_SC_LEVEL3_CACHE_SIZE) > 0) == (last.size > 0));
#endif
    CHECK((last.size > 0) == (last.line == 64));
}

int main(void)
{
    char command[1024];
    if (!mkdtemp(root))
        return 1;
    nodes();
    processor();
    snprintf(command, sizeof command, "rm -rf %s", root);
    CHECK(system(command) == 0);
    return check_result();
}
