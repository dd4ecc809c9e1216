// SPDX-License-Identifier: Apache-2.0
// pumice-info: prints what each Vulkan device supports for OpenCL programs and why not more, and
// tests whether its driver computes correctly.
//
// Exit status: 0 success, 1 a check failed or no device is usable, 2 invalid command line.
#include "info/info.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: pumice-info [options]\n"
    "  --all             also list features, limits, memory types, numbers and extensions\n"
    "  --json            list what --all lists, as JSON\n"
    "  --device=N        use only device N of the list (default: all; of --check, --bench and --preset: 0)\n"
    "  --check[=NAME,..] run small kernels, from the simplest to the most complex (default: all)\n"
    "  --keep=FOLDER     save the files of failed kernels: source, modules, results (default: pumice-check)\n"
    "  --seconds=N       limit the time of each kernel (default: 60)\n"
    "  --bench           measure bandwidths, launches and arithmetic, in at most 20 seconds\n"
    "  --preset=NAME     print the device as a row for pumice-cc --target=NAME\n"
    "  --extensions      list all OpenCL extensions: supported, or why not\n"
    "  --report[=FILE]   write devices, environment, cache and checks to one file (default: pumice-report.txt)\n"
    "  --version         print the version\n"
    "  --help            print this help\n";

struct request {
    const char *device, *names, *one, *preset, *report, *folder, *seconds;
    bool check, all, json, bench, extensions, version, help;
};

#define NONE SIZE_MAX

static const struct option_row {
    const char *name;
    size_t value; // offset in struct request; NONE: it has no value
    size_t flag;  // the same for a flag
    const char *usual; // the default value; NULL: a value is required
} option_rows[] = {
    {"--device", offsetof(struct request, device), NONE, NULL},
    {"--keep", offsetof(struct request, folder), NONE, NULL},
    {"--seconds", offsetof(struct request, seconds), NONE, NULL},
    {"--preset", offsetof(struct request, preset), NONE, NULL},
    {"--one", offsetof(struct request, one), NONE, NULL}, // how --check calls itself
    {"--report", offsetof(struct request, report), NONE, "pumice-report.txt"},
    {"--check", offsetof(struct request, names), offsetof(struct request, check), ""},
    {"--all", NONE, offsetof(struct request, all), ""},
    {"--json", NONE, offsetof(struct request, json), ""},
    {"--bench", NONE, offsetof(struct request, bench), ""},
    {"--extensions", NONE, offsetof(struct request, extensions), ""},
    {"--version", NONE, offsetof(struct request, version), ""},
    {"--help", NONE, offsetof(struct request, help), ""},
};

static bool read_word(struct request *request, const char *word)
{
    for (size_t i = 0; i < sizeof option_rows / sizeof *option_rows; i++) {
        const struct option_row *row = &option_rows[i];
        const size_t length = strlen(row->name);
        const char *value = word[length] == '=' ? word + length + 1 : row->usual;
        if (strncmp(word, row->name, length) || (word[length] && word[length] != '=') || !value)
            continue;
        if (word[length] && row->value == NONE)
            return false;
        if (row->flag != NONE)
            *(bool *)((char *)request + row->flag) = true;
        if (row->value != NONE && *value)
            *(const char **)((char *)request + row->value) = value;
        return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    struct request r = {.folder = "pumice-check", .seconds = "60"};
    for (int i = 1; i < argc; i++)
        if (!read_word(&r, argv[i])) {
            fprintf(stderr, "pumice-info: unknown option '%s'\n%s", argv[i], help);
            return 2;
        }
    const unsigned seconds = (unsigned)atoi(r.seconds);
    if (r.help)
        return fputs(help, stdout) < 0;
    if (r.version)
        return puts("pumice-info " PUMICE_VERSION) < 0;
    if (r.extensions)
        return info_extensions();
    if (r.report)
        return info_report(r.report, seconds);
    if (r.preset)
        return info_preset(r.preset, r.device);
    if (r.one)
        return info_check_one(r.one, r.device ? (unsigned)atoi(r.device) : 0, r.folder);
    if (r.check)
        return info_check(r.device ? r.device : "0", r.folder, r.names, seconds) != 0;
    if (r.bench)
        return info_bench(r.device);
    return (r.json ? info_json(r.device) : info_list(r.device, r.all)) == 0;
}
