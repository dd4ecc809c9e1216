// SPDX-License-Identifier: Apache-2.0
// pumice-info --report: one text file for a bug report: devices, versions, environment, cache,
// results of --check. Of the environment it contains only variables that drivers and loaders read,
// with the home folder replaced by ~.
#include "info/info.h"
#include "object/device.h"
#include "platform/platform.h"
#include "vulkan/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {
#define OPTION(id, name, help) name,
#include "util/options.def"
#undef OPTION
    "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_LAYERS", "LD_LIBRARY_PATH", "VK_DRIVER_FILES", "VK_ADD_DRIVER_FILES",
    "VK_ICD_FILENAMES", "VK_LAYER_PATH", "VK_INSTANCE_LAYERS", "VK_LOADER_DRIVERS_SELECT", "MESA_VK_DEVICE_SELECT", "XDG_CACHE_HOME",
};

static void write_value(const char *value)
{
    const char *home = getenv("HOME");
    const size_t length = home ? strlen(home) : 0;
    while (*value) {
        const bool at_home = length > 1 && !strncmp(value, home, length);
        putchar(at_home ? '~' : *value);
        value += at_home ? length : 1;
    }
}

static void report_versions(void)
{
    struct _cl_device_id *devices;
    const cl_uint count = device_list(&devices);
    for (cl_uint i = 0; i < count; i++)
        printf("  device %u: %s\n", i, devices[i].caps.driver);
}

static void report_environment(void)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (!value)
            continue;
        printf("  %s=", variables[i]);
        write_value(value);
        putchar('\n');
    }
}

struct cache_state {
    uint64_t files, bytes;
};

static void count_file(void *data, const char *name, const struct file_facts *facts)
{
    (void)name;
    struct cache_state *state = data;
    state->files++;
    state->bytes += facts->size;
}

static void report_cache(void)
{
    char path[VK_CACHE_PATH];
    struct cache_state state = {0};
    if (!vk_cache_folder(path) || !folder_visit(path, count_file, &state)) {
        printf("  none\n");
        return;
    }
    printf("  ");
    write_value(path);
    printf(": %llu files, %llu bytes\n", (unsigned long long)state.files, (unsigned long long)state.bytes);
}

int info_report(const char *path, unsigned seconds)
{
    if (!freopen(path, "w", stdout)) {
        fprintf(stderr, "pumice-info: cannot write to %s\n", path);
        return 1;
    }
    printf("versions:\n");
    report_versions();
    printf("environment:\n");
    report_environment();
    printf("cache:\n");
    report_cache();
    printf("devices:\n");
    const unsigned devices = info_list(NULL, true);
    printf("checks:\n");
    const int failed = devices ? info_check("0", "pumice-check", NULL, seconds) : 0;
    if (fclose(stdout)) {
        fprintf(stderr, "pumice-info: cannot write to %s\n", path);
        return 1;
    }
    fprintf(stderr, "pumice-info: wrote %s%s\n", path, failed ? "; add the folder pumice-check" : "");
    return 0;
}
