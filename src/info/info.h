// SPDX-License-Identifier: Apache-2.0
// The parts of the command pumice-info.
#ifndef PUMICE_INFO_H
#define PUMICE_INFO_H

#include <stdbool.h>

// What every Vulkan device offers and lacks, `all`: everything about it; `only` (NULL: all) picks the device of that number.
// Returns how many devices are offered.
unsigned info_list(const char *only, bool all);

// The row of cc/devices.def for a device, by the name that it will have; the exit status.
int info_preset(const char *name, const char *device);

// The table of all extensions, those that are not there with the reason; the exit status.
int info_extensions(void);

// Runs the kernels of checks.def on a device, each in a process of its own, and keeps what fails in
// `folder`. `names`: a comma list, NULL: all. Returns how many failed, or -1: nothing could be run.
int info_check(const char *device, const char *folder, const char *names,
               unsigned seconds);

// One of them, in this process, on device number `device`: the exit status, see check.c.
int info_check_one(const char *name, unsigned device, const char *folder);

// Writes all of this into one file, for a bug report; the exit status.
int info_report(const char *path, unsigned seconds);

#endif
