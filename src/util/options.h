// SPDX-License-Identifier: Apache-2.0
// Environment switches: one enum and one lookup over options.def.
#ifndef PUMICE_UTIL_OPTIONS_H
#define PUMICE_UTIL_OPTIONS_H

#include <stdbool.h>

enum option_id {
#define OPTION(id, name, help) OPTION_##id,
#include "util/options.def"
#undef OPTION
    OPTION_COUNT
};

// The switch's value as the environment held it at first use; NULL when unset, empty, or not among
// the words that it may be (which is logged).
const char *option_get(enum option_id id);

// True when the switch is set to anything but 0, no, off or false.
bool option_on(enum option_id id);

// True when the switch's comma list holds `word`.
bool option_has(enum option_id id, const char *word);

#endif
