// SPDX-License-Identifier: Apache-2.0
#ifndef DIFF_MODULE_H
#define DIFF_MODULE_H

#include "util/arena.h"
#include "util/str.h"

#include <stdbool.h>
#include <stdint.h>

enum module_result { MODULE_MADE, MODULE_REFUSED, MODULE_NO_TOOLS };

// Compiles the program `text` by `script` with `options` (separated by blanks). If it is rejected, `why` gives the
// reason.
enum module_result module_make(const char *script, const struct str *text, const char *options, struct arena *arena,
                               struct str *module, char *why, size_t size);

// Write and read FOLDER/SEED.spv. If there is no such file, `why` says so.
bool module_keep(const char *folder, uint64_t seed, const struct str *module);
bool module_take(const char *folder, uint64_t seed, struct arena *arena, struct str *module, char *why, size_t size);

#endif
