// SPDX-License-Identifier: Apache-2.0
// Environment switches: an enum and a lookup, generated from options.def.
#ifndef PUMICE_UTIL_OPTIONS_H
#define PUMICE_UTIL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum option_id {
#define OPTION(id, name, help) OPTION_##id,
#include "util/options.def"
#undef OPTION
    OPTION_COUNT
};

// The switch's value when the environment was first read; NULL if unset, empty or invalid (which is
// logged).
const char *option_get(enum option_id id);

// For switches with the values 0 and 1 (also no, off, false and yes, on, true): whether it is set
// to 1, or to 0.
bool option_on(enum option_id id);
bool option_off(enum option_id id);

// True if the switch's comma-separated list contains `word`.
bool option_has(enum option_id id, const char *word);

// Reports each word of the switch's list that `known` rejects as an unknown `what`.
void option_check_list(enum option_id id, const char *what,
                       bool (*known)(const char *word, size_t length));

#endif
