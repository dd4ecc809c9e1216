// SPDX-License-Identifier: Apache-2.0
// pumice-info: prints what each Vulkan device supports for OpenCL programs and why not more, and
// tests whether its driver computes correctly.
//
// Exit status: 0 success, 1 a check failed or no device is usable, 2 invalid command line.
#include "info/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: pumice-info [options]\n"
    "  --all             also list features, limits, memory types, numbers and extensions\n"
    "  --device=N        use only device N of the list (default: all; of --check and --preset: 0)\n"
    "  --check[=NAME,..] run small kernels, from the simplest to the most complex (default: all)\n"
    "  --keep=FOLDER     save what belongs to failed kernels: source, modules, results (default: pumice-check)\n"
    "  --seconds=N       limit the time of each kernel (default: 60)\n"
    "  --preset=NAME     print the device as a row for pumice-cc --target=NAME\n"
    "  --extensions      list all OpenCL extensions: supported, or why not\n"
    "  --report[=FILE]   write devices, environment, cache and checks to one file (default: pumice-report.txt)\n"
    "  --help            print this help\n";

static const char *value_of(const char *argument, const char *option)
{
    size_t length = strlen(option);
    return !strncmp(argument, option, length) && argument[length] == '=' ? argument + length + 1
                                                                         : NULL;
}

int main(int argc, char **argv)
{
    const char *device = NULL, *names = NULL, *one = NULL, *preset = NULL, *report = NULL, *folder = "pumice-check";
    bool check = false, all = false;
    unsigned seconds = 60;
    for (int i = 1; i < argc; i++) {
        const char *value;
        if ((value = value_of(argv[i], "--device")))
            device = value;
        else if ((value = value_of(argv[i], "--keep")))
            folder = value;
        else if ((value = value_of(argv[i], "--seconds")))
            seconds = (unsigned)atoi(value);
        else if ((value = value_of(argv[i], "--preset")))
            preset = value;
        else if ((value = value_of(argv[i], "--one"))) // used by --check to start itself
            one = value;
        else if ((value = value_of(argv[i], "--check")))
            check = true, names = value;
        else if (!strcmp(argv[i], "--extensions"))
            return info_extensions();
        else if ((value = value_of(argv[i], "--report")))
            report = value;
        else if (!strcmp(argv[i], "--report"))
            report = "pumice-report.txt";
        else if (!strcmp(argv[i], "--all"))
            all = true;
        else if (!strcmp(argv[i], "--check"))
            check = true;
        else {
            fputs(help, !strcmp(argv[i], "--help") ? stdout : stderr);
            return strcmp(argv[i], "--help") ? 2 : 0;
        }
    }
    if (report)
        return info_report(report, seconds);
    if (preset)
        return info_preset(preset, device);
    if (one)
        return info_check_one(one, device ? (unsigned)atoi(device) : 0, folder);
    if (check)
        return info_check(device ? device : "0", folder, names, seconds) != 0;
    return info_list(device, all) == 0;
}
