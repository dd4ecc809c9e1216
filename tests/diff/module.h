// SPDX-License-Identifier: Apache-2.0
#ifndef DIFF_MODULE_H
#define DIFF_MODULE_H

#include "util/arena.h"
#include "util/str.h"

enum module_result { MODULE_MADE, MODULE_REFUSED, MODULE_NO_TOOLS };

// Of the program `text`, by `script` with `options` (words with blanks between). Refused: `why` says so.
enum module_result module_make(const char *script, const struct str *text, const char *options, struct arena *arena,
                               struct str *module, char *why, size_t size);

#endif
