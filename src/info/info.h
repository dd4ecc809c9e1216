// SPDX-License-Identifier: Apache-2.0
// The parts of the command pumice-info.
#ifndef PUMICE_INFO_H
#define PUMICE_INFO_H

#include <stdbool.h>

// Prints what each Vulkan device supports and lacks; `all`: everything about it; `only` (NULL: all)
// selects the device with that number. Returns the number of usable devices.
unsigned info_list(const char *only, bool all);

// The same as JSON, for all devices or one.
unsigned info_json(const char *only);

// Calls `tell` with a sentence for each obstacle between programs and the GPU, and what to do about it.
void info_notes(void (*tell)(void *data, const char *note), void *data);

// Measures a device (NULL: the first) and prints the results; returns the exit status.
int info_bench(const char *only);

// Prints the row of cc/devices.def for a device, with the given name; returns the exit status.
int info_preset(const char *name, const char *device);

// Prints the table of all extensions, with reasons for unsupported ones; returns the exit status.
int info_extensions(void);

// Runs the kernels of checks.def on a device, each in a separate process, and stores the files of
// failed ones in `folder`. `names`: a comma-separated list, NULL: all. Returns the number of
// failures, or -1: nothing could be run.
int info_check(const char *device, const char *folder, const char *names,
               unsigned seconds);

// Runs one of them in this process, on device number `device`; returns the exit status, see
// check.c.
int info_check_one(const char *name, unsigned device, const char *folder);

// Writes all of this to one file for a bug report; returns the exit status.
int info_report(const char *path, unsigned seconds);

#endif
