// SPDX-License-Identifier: Apache-2.0
// What the files in this folder share.
#ifndef PUMICE_PLATFORM_WINDOWS_PRIVATE_H
#define PUMICE_PLATFORM_WINDOWS_PRIVATE_H

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { WIDE_PATH = 4096 };

// Converts UTF-8 to UTF-16. False: it does not fit, or is invalid.
bool wide_of(const char *text, wchar_t *wide, size_t count);
// Converts back. False: `size` is too small.
bool text_of(const wchar_t *wide, char *text, size_t size);

extern atomic_bool process_single_threaded; // all other threads have been terminated

#endif
