// SPDX-License-Identifier: Apache-2.0
// What the files of this folder share.
#ifndef PUMICE_PLATFORM_WINDOWS_PRIVATE_H
#define PUMICE_PLATFORM_WINDOWS_PRIVATE_H

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { WIDE_PATH = 4096 };

// UTF-8 to what Windows takes. False: it does not fit, or is no UTF-8.
bool wide_of(const char *text, wchar_t *wide, size_t count);
// And back. False: `size` is too small.
bool text_of(const wchar_t *wide, char *text, size_t size);

extern atomic_bool process_alone; // all other threads are gone

#endif
